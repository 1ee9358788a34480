//! Converts each input to its own output.

use inbetween::core::shown;
use std::ops::ControlFlow;
use std::path::Path;

use inbetween::comparison::measure_written;
use inbetween::core::num::u64_from_len;
use inbetween::core::stores::{Head, Times};
use inbetween::core::{ClipCount, RateGuess, SharedBudget, Text, codes};
use inbetween::{Code, Conversion, Error, Finding, Format, Reading, Registry, Source};

use super::conversion_report::{Converted, Reports};
use super::missing::MissingNames;
use super::name_template::ClipFileNames;
use super::outputs::{Destination, Outputs};
use crate::args::TransferArgs;
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::edits::{self, Edited, Edits, Step};
use crate::exit::{Exit, Failure};
use crate::inputs::Input;
use crate::json::{List, Log};
use crate::output::Staged;
use crate::plan::{Plan, Planned, Skipped};
use crate::report;

const NO_ANIMATION: &str = "it has no animation";

/// The effect of `--clip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClipUse {
    /// Converts only the clip.
    Extract,
    /// Edits the clip and keeps the others, if the output format can store them.
    Edit,
}

/// The settings for each input.
pub(super) struct Job<'a> {
    pub(super) args: &'a TransferArgs,
    pub(super) edits: &'a Edits,
    pub(super) clip_use: ClipUse,
    pub(super) registry: &'a Registry,
    pub(super) to: &'a dyn Format,
    pub(super) outputs: Outputs<'a>,
    pub(super) reports: Reports<'a>,
}

impl Job<'_> {
    pub(super) fn run(
        &self,
        plan: Plan<'_>,
        log: &mut Option<Log>,
        console: &mut Console,
    ) -> Result<Exit, Failure> {
        let (batch, mut skipped) = (plan.batch, plan.skipped);
        let mut summary = Summary::default();
        let mut missing = MissingNames::default();
        let mut list = List::new(self.args.json.form());
        batch::in_order(
            plan.files,
            console,
            |file| self.convert(file),
            |outputs, console| {
                if let (true, [empty]) = (batch, outputs.as_slice())
                    && empty.is_empty
                {
                    let (name, why) = (empty.name.clone(), NO_ANIMATION.to_owned());
                    skipped.push(Skipped { name, why });
                    return Ok(ControlFlow::Continue(()));
                }
                match outputs.iter().find_map(|output| output.failure.as_ref()) {
                    None if outputs.iter().all(|output| output.done.is_some()) => {
                        summary.leave_out();
                    }
                    None => summary.succeed(),
                    Some(failure) => summary.fail(failure),
                }
                let failures = outputs.iter().filter_map(|output| output.failure.as_ref());
                summary.exit_with(failures.map(Failure::exit).max().unwrap_or_default());
                summary.count(outputs.iter().flat_map(|output| &output.findings));
                missing.count(outputs.iter().flat_map(|output| &output.findings));
                if outputs.iter().any(Converted::is_partial) {
                    summary.count_partial();
                }
                for output in outputs {
                    self.reports.print(&output, (&mut list, &mut *log), console)?;
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if self.args.json.is_json() {
            list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
        } else if batch {
            summary.print_files(&skipped, console);
            let how = if self.args.verbose { "" } else { " (-v lists them by file)" };
            summary.print_totals(&format!("losses by code{how}:"), Code::is_loss, console);
            summary.print_totals("warnings by code:", report::is_warning, console);
            if self.args.verbose {
                let is_note = |code: Code| !code.is_loss() && !report::is_warning(code);
                summary.print_totals("notes by code:", is_note, console);
            }
        }
        if batch {
            summary.print_counts("converted", skipped.len(), console);
        }
        // The names of a single input were looked up before its edits.
        for message in missing.of_every_file().filter(|_| batch) {
            console.error(&format!("{message}: no file of the batch has it"));
            summary.exit_with(Exit::Usage);
        }
        Ok(summary.exit())
    }

    fn convert(&self, planned: Planned<'_>) -> Vec<Converted> {
        let mut whole = Converted::nothing(&planned);
        let output = self.outputs.of(&planned.input);
        whole.output = output.as_deref().map(|path| path.display().to_string());
        let stem = planned.input.stem();
        let input = planned.input.clone();
        if let (true, Some(path)) = (self.writes_one(&planned), &output) {
            match self.outputs.done(path, [&input]) {
                Ok(None) => {}
                Ok(why) => return vec![Converted { done: why, ..whole }],
                Err(failure) => return vec![Converted { failure: Some(failure), ..whole }],
            }
        }
        let converted = self
            .outputs
            .check([&planned.input])
            .and_then(|()| planned.load(self.registry))
            .and_then(|(format, bytes)| {
                let name = whole.name.clone();
                let open = || self.open(format.get(), &bytes, &name);
                self.convert_source(open, (&input, &stem), output.as_deref(), &mut whole)
            });
        match converted {
            Ok(Some(clips)) => clips,
            Ok(None) => vec![whole],
            Err(failure) => vec![Converted { failure: Some(failure), ..whole }],
        }
    }

    /// Returns whether an input gives one file, whatever it contains.
    fn writes_one(&self, planned: &Planned<'_>) -> bool {
        let from = planned.format.as_ref().map(|format| format.info().clips);
        matches!(self.outputs.destination, Destination::File(_))
            || self.to.info().clips == ClipCount::Many
            || self.args.clip.is_some()
            || self.edits.make_one_clip()
            || (from == Ok(ClipCount::One) && self.edits.are_local())
    }

    /// Converts a file; returns the reports of its clips if each went to its own file.
    fn convert_source<'b>(
        &self,
        open: impl Fn() -> Result<Source<'b>, Failure>,
        (input, stem): (&Input, &str),
        output: Option<&Path>,
        whole: &mut Converted,
    ) -> Result<Option<Vec<Converted>>, Failure> {
        let mut source = open()?;
        let (from, to) = (source.format().clips, self.to.info().clips);
        let directory = match (&self.outputs.destination, output) {
            (Destination::Directory(_), Some(path)) => Some(path),
            _ => None,
        };
        let many = to == ClipCount::One && source.names().len() > 1 && self.args.clip.is_none();
        if let (false, true, Some(path)) = (many, self.edits.are_local(), output) {
            // Nothing is read for an output that cannot be written, or need not be.
            whole.done = self.outputs.done(path, [input])?;
            if whole.done.is_some() {
                return Ok(None);
            }
            self.outputs.check_new(path)?;
        }
        if let (true, true, Some(path)) = (many, self.edits.are_local(), directory) {
            let name = whole.name.clone();
            let rate = self.guess_rate(open()?, &name)?;
            let next = || {
                let clip = self.next_clip(&mut source, &name)?;
                Ok(clip.map(|(file, edited)| (file, with_guess(edited, &rate))))
            };
            return self.convert_clips(next, (input, path), whole).map(Some);
        }
        let edited = self.read(source, self.edits.all(), &whole.name)?;
        let document = &edited.reading.document;
        let keeps_skeleton =
            document.skeleton.is_some() && self.to.info().stores.has(Head::Skeleton);
        if document.clips.is_empty() && !keeps_skeleton {
            whole.is_empty = true;
            return Err(Failure::Cannot(format!("{}: {NO_ANIMATION}", whole.name)));
        }
        if to == ClipCount::Many || edited.reading.document.clips.len() < 2 {
            let unnamed = to == ClipCount::Many
                && (from == ClipCount::One || self.to.info().stores.unique_names);
            let edited = if unnamed { edited.map(|reading| reading.named(stem)) } else { edited };
            return self.convert_whole(edited, output, whole).map(|()| None);
        }
        let Some(path) = directory else {
            return Err(self.needs_one(&whole.name, &edited.reading));
        };
        let mut rate = RateGuess::default();
        self.to.info().stores.guess_rate(&edited.reading.document.clips, &mut rate);
        let mut clips = with_guess(edited, &rate).split();
        self.convert_clips(|| Ok(clips.next()), (input, path), whole).map(Some)
    }

    /// Reads the next clip of a file and applies edits.
    fn next_clip(
        &self,
        source: &mut Source<'_>,
        name: &str,
    ) -> Result<Option<(Text, Edited)>, Failure> {
        let read = source.next_clip().map_err(|error| Failure::of_file(name, error))?;
        let Some((file, reading)) = read else { return Ok(None) };
        Ok(Some((file, self.edit(self.edits.all(), reading, name)?)))
    }

    /// Returns the frame rate of all clips of a file, which are written one at a time. Sources with
    /// frames state it.
    fn guess_rate(&self, mut source: Source<'_>, name: &str) -> Result<RateGuess, Failure> {
        let (stores, mut guess) = (self.to.info().stores, RateGuess::default());
        if stores.times == Times::Frames && source.format().stores.times != Times::Frames {
            while let Some((_, edited)) = self.next_clip(&mut source, name)? {
                stores.guess_rate(&edited.reading.document.clips, &mut guess);
            }
        }
        Ok(guess)
    }

    /// Opens the bytes of an input.
    pub(super) fn open<'b>(
        &self,
        format: &dyn Format,
        bytes: &'b [u8],
        name: &str,
    ) -> Result<Source<'b>, Failure> {
        let source = Source::open(format, bytes, self.registry.limits());
        source.map_err(|error| Failure::of_file(name, error))
    }

    /// Reads an input, or the requested clip of it, and applies edits.
    pub(super) fn read(
        &self,
        source: Source<'_>,
        steps: &[Step],
        name: &str,
    ) -> Result<Edited, Failure> {
        let failed = |error: Error| Failure::of_file(name, error);
        let whole = |source: Source<'_>| source.whole().map_err(|error| failed(error.into()));
        let Some(clip) = &self.args.clip else {
            return self.edit(steps, whole(source)?, name);
        };
        let clips = source.names().len();
        let keeps_others = self.to.info().clips == ClipCount::Many;
        if self.clip_use == ClipUse::Edit
            && source.find(clip).is_err()
            && let Some((copying, rest)) = edits::around_copy(steps, clip)?
        {
            let mut copied = self.edit(copying, whole(source)?, name)?;
            let Some(index) = copied.reading.document.find_clip(clip) else {
                return Ok(copied);
            };
            if keeps_others {
                return self.edits.make_of_clip(rest, index, copied, name);
            }
            let all = copied.reading.document.clips.len();
            copied.keep_clip(index);
            copied.reading.findings.push(one_of(all));
            return self.edits.make(rest, copied, name);
        }
        if self.clip_use == ClipUse::Edit && keeps_others {
            let index = source.find(clip).map_err(|error| failed(error.into()))?;
            let named = source.names().get(index).cloned().flatten();
            let all = whole(source)?;
            // Clips that cannot be read are left out.
            let index = if all.document.clips.len() == clips {
                Some(index)
            } else {
                named.and_then(|named| all.document.find_clip(&named))
            };
            let lost =
                || Failure::Cannot(format!("{name}: the clip {} cannot be read", shown(clip)));
            return self.edits.make_of_clip(steps, index.ok_or_else(lost)?, all.into(), name);
        }
        let mut reading = source.clip(clip).map_err(failed)?;
        if self.clip_use == ClipUse::Edit && clips > 1 {
            reading.findings.push(one_of(clips));
        }
        self.edit(steps, reading, name)
    }

    fn edit(&self, steps: &[Step], reading: Reading, name: &str) -> Result<Edited, Failure> {
        self.edits.make(steps, reading.into(), name)
    }

    fn needs_one(&self, name: &str, reading: &Reading) -> Failure {
        let (to, clips) = (self.to.info(), reading.document.clips.len());
        Failure::Usage(format!(
            "{name}: {} stores one clip, and the file has {clips}: {}; pass --clip NAME for one of \
             them, or --to {} --out-dir DIR for a file each",
            to.name,
            reading.list_clips(),
            to.id
        ))
    }

    /// Writes the result of an input to one output.
    pub(super) fn convert_whole(
        &self,
        edited: Edited,
        output: Option<&Path>,
        converted: &mut Converted,
    ) -> Result<(), Failure> {
        let conversion = self.bytes_of(edited, &converted.name)?;
        let Conversion { bytes, findings, extent, .. } = conversion;
        (converted.findings, converted.extent) = (findings, extent);
        self.reports.strictness.check(&converted.name, &converted.findings)?;
        if let Some(path) = output {
            self.outputs.write(path, &bytes)?;
        }
        converted.bytes = Some(u64_from_len(bytes.len()));
        converted.to_stdout = output.is_none().then_some(bytes);
        Ok(())
    }

    /// Encodes the output; `name` is for messages.
    fn bytes_of(&self, edited: Edited, name: &str) -> Result<Conversion, Failure> {
        let write = |reading: Reading| {
            let written = reading.write(self.to);
            written.map_err(|error| Failure::of_file(name, error))
        };
        let budget = edited.reading.budget().clone();
        let mut conversion = write(edited.reading)?;
        if let Some(whole) = edited.whole {
            let whole = write(whole)?.bytes;
            let measured = self.measured(&whole, &conversion.bytes, &budget, name)?;
            conversion.findings.extend(measured);
        }
        Ok(conversion)
    }

    /// Measures the error of the reduced output, compared with an output with all keys.
    pub(super) fn measured(
        &self,
        whole: &[u8],
        reduced: &[u8],
        budget: &SharedBudget,
        name: &str,
    ) -> Result<Vec<Finding>, Failure> {
        let measured = measure_written(self.to, whole, reduced, self.edits.bounds(), budget);
        measured.map_err(|error| {
            let message = format!("{name}: the result cannot be read back: {error}");
            Failure::Cannot(message)
        })
    }

    /// Converts each clip to a file next to `path`, named after the clip.
    ///
    /// Each file is written under a temporary name before the next clip is converted; all are
    /// renamed at the end.
    fn convert_clips(
        &self,
        mut next: impl FnMut() -> Result<Option<(Text, Edited)>, Failure>,
        (input, path): (&Input, &Path),
        whole: &mut Converted,
    ) -> Result<Vec<Converted>, Failure> {
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        let mut templated = self.args.name_template.as_ref().map(ClipFileNames::new);
        while let Some((file, clip)) = next()? {
            let Some(found) = clip.reading.document.clips.first() else {
                let findings = clip.reading.findings;
                let place = findings.iter().find_map(|finding| finding.place.clip.clone());
                let converted =
                    whole.of_clip(place.map_or_else(String::new, |it| it.name.to_string()));
                skipped.push(Converted { findings, is_skipped: true, ..converted });
                continue;
            };
            let name = found.name.as_deref().unwrap_or_default().to_owned();
            let extension = self.outputs.extension();
            let path = match &mut templated {
                None => path.with_extension(format!("{file}.{extension}")),
                Some(names) => {
                    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                    path.with_file_name(format!("{}.{extension}", names.take(&stem, &name)))
                }
            };
            let mut converted = whole.of_clip(name);
            converted.output = Some(path.display().to_string());
            // The files of this run do not count as existing.
            if let Err(failure) = self.outputs.claim(&path, &whole.name) {
                skipped.push(Converted { failure: Some(failure), ..converted });
                continue;
            }
            converted.done = self.outputs.done(&path, [input])?;
            if converted.done.is_some() {
                skipped.push(converted);
                continue;
            }
            let what = format!("{}, clip '{}'", whole.name, shown(converted.clip_name()));
            let conversion = self.bytes_of(clip, &what)?;
            let Conversion { bytes, findings, extent, .. } = conversion;
            (converted.findings, converted.extent) = (findings, extent);
            converted.bytes = Some(u64_from_len(bytes.len()));
            files.push((converted, self.outputs.stage(&path, &bytes)));
        }
        let converted = files.iter().map(|(converted, _)| converted).chain(&skipped);
        let findings = converted.flat_map(|converted| &converted.findings);
        if let Err(failure) = self.reports.strictness.check(&whole.name, findings.clone()) {
            whole.findings = findings.cloned().collect();
            return Err(failure);
        }
        let named = files.into_iter().map(|(mut converted, staged)| {
            if let Err(failure) = staged.and_then(Staged::commit) {
                (converted.bytes, converted.failure) = (None, Some(failure));
            }
            converted
        });
        Ok(named.chain(skipped).collect())
    }
}

/// Returns the finding about the clips of a file of which one is written.
fn one_of(clips: usize) -> Finding {
    Finding::new(codes::CLIPS_NOT_WRITTEN, format!("1 of {clips} clips"))
}

/// Returns clips with the frame rate that was guessed from all clips of their file.
fn with_guess(edited: Edited, rate: &RateGuess) -> Edited {
    edited.map(|mut reading| {
        reading.document.rate_guess = Some(rate.clone());
        reading
    })
}
