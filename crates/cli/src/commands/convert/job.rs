//! Converts each input to its own output.

use inbetween::shown;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use inbetween::num::u64_from_len;
use inbetween::{
    ClipCount, Code, Conversion, Error, Finding, Format, Reading, Registry, SharedBudget, Source,
    Text, codes, measure_written,
};

use super::conversion_report::Converted;
use super::missing::MissingNames;
use super::{ClipUse, Destination};
use crate::args::TransferArgs;
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::edits::{Edited, Edits, Step};
use crate::exit::{Exit, Failure};
use crate::inputs::Input;
use crate::json::List;
use crate::output::{self, Existing, Staged};
use crate::plan::{Plan, Planned};
use crate::report;
use crate::strict::Strictness;

/// The settings for each input.
pub(super) struct Job<'a> {
    pub(super) args: &'a TransferArgs,
    pub(super) strictness: Strictness,
    pub(super) edits: &'a Edits,
    pub(super) clip_use: ClipUse,
    pub(super) registry: &'a Registry,
    pub(super) to: &'a dyn Format,
    pub(super) destination: Destination,
    /// Whether there are several inputs, each with an output of its own.
    pub(super) batch: bool,
    /// Each output with its input, by the identity of the output.
    taken: Mutex<BTreeMap<PathBuf, (PathBuf, String)>>,
}

impl<'a> Job<'a> {
    /// Returns an error if two inputs would be written to the same output.
    pub(super) fn new(
        args: &'a TransferArgs,
        (edits, clip_use): (&'a Edits, ClipUse),
        registry: &'a Registry,
        to: &'a dyn Format,
        destination: Destination,
        plan: &Plan<'_>,
    ) -> Result<Self, Failure> {
        let strictness = Strictness::new(&args.strict, registry)?;
        let taken = Mutex::default();
        let batch = plan.batch && matches!(destination, Destination::Directory(_));
        let job =
            Self { args, strictness, edits, clip_use, registry, to, destination, batch, taken };
        if let Destination::Directory(directory) = &job.destination {
            for file in plan.files.iter().filter(|file| file.format.is_ok()) {
                let output = directory.join(job.renamed(&file.input.relative));
                job.claim(&output, &file.input.name()).map_err(|failure| {
                    Failure::Usage(format!("{}; nothing was written", failure.message()))
                })?;
            }
        }
        Ok(job)
    }

    /// Records the input of an output; returns an error if it already has another one.
    fn claim(&self, output: &Path, name: &str) -> Result<(), Failure> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let claim = (output.to_owned(), name.to_owned());
        let Some((other, first)) = taken.insert(file_identity(output), claim) else {
            return Ok(());
        };
        let (output, other) = (output.display(), other.display());
        Err(Failure::Usage(if output.to_string() == other.to_string() {
            format!("{first} and {name} would both be written to {output}")
        } else {
            format!(
                "{first} and {name} would be written to {other} and {output}, which are the same \
                 file where names are case-insensitive"
            )
        }))
    }

    fn output_of(&self, input: &Input) -> Option<PathBuf> {
        match &self.destination {
            Destination::Stdout => None,
            Destination::File(path) => Some(path.clone()),
            Destination::Directory(directory) => {
                Some(directory.join(self.renamed(&input.relative)))
            }
        }
    }

    /// Replaces the extension of a file by that of the target; an unknown extension stays in the
    /// name.
    fn renamed(&self, path: &Path) -> PathBuf {
        let new = self.extension();
        let old = path.extension().and_then(|extension| extension.to_str());
        match old.and_then(|old| self.registry.by_extension(old)) {
            Some(_) => path.with_extension(new),
            None => output::with_ending(path, &format!(".{new}")),
        }
    }

    fn extension(&self) -> &'static str {
        self.to.extension()
    }

    pub(super) fn run(&self, plan: Plan<'_>, console: &mut Console) -> Result<Exit, Failure> {
        let (batch, skipped) = (plan.batch, plan.skipped);
        let mut summary = Summary::default();
        let mut missing = MissingNames::default();
        let mut list = List::new(self.args.json.form());
        batch::in_order(
            plan.files,
            console,
            |file| self.convert(file),
            |outputs, console| {
                match outputs.iter().find_map(|output| output.failure.as_ref()) {
                    None => summary.succeed(),
                    Some(failure) => summary.fail(failure),
                }
                let failures = outputs.iter().filter_map(|output| output.failure.as_ref());
                summary.exit_with(failures.map(Failure::exit).max().unwrap_or_default());
                summary.count(outputs.iter().flat_map(|output| &output.findings));
                missing.count(outputs.iter().flat_map(|output| &output.findings));
                for output in outputs {
                    output.print(self, &mut list, console)?;
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
        for message in missing.of_every_file() {
            console.error(&format!("{message}: no file of the batch has it"));
            summary.exit_with(Exit::Usage);
        }
        Ok(summary.exit())
    }

    fn convert(&self, planned: Planned<'_>) -> Vec<Converted> {
        let mut whole = Converted::nothing(&planned);
        let output = self.output_of(&planned.input);
        whole.output = output.as_deref().map(|path| path.display().to_string());
        let stem = planned.input.stem();
        let converted = self
            .check_output([&planned.input])
            .and_then(|()| planned.load(self.registry))
            .and_then(|(format, bytes)| {
                let source = self.open(format.get(), &bytes, &whole.name)?;
                self.convert_source(source, &stem, output.as_deref(), &mut whole)
            });
        match converted {
            Ok(Some(clips)) => clips,
            Ok(None) => vec![whole],
            Err(failure) => vec![Converted { failure: Some(failure), ..whole }],
        }
    }

    /// Converts an open file; returns the reports of its clips if each went to its own file.
    fn convert_source(
        &self,
        mut source: Source<'_>,
        stem: &str,
        output: Option<&Path>,
        whole: &mut Converted,
    ) -> Result<Option<Vec<Converted>>, Failure> {
        let (from, to) = (source.format().clips, self.to.info().clips);
        let directory = match (&self.destination, output) {
            (Destination::Directory(_), Some(path)) => Some(path),
            _ => None,
        };
        let many = to == ClipCount::One && source.names().len() > 1 && self.args.clip.is_none();
        if let (true, true, Some(path)) = (many, self.edits.are_local(), directory) {
            let name = whole.name.clone();
            let next = || {
                let read = source.next_clip().map_err(|error| Failure::of_file(&name, error))?;
                let Some((file, reading)) = read else { return Ok(None) };
                let edited = self.edit(self.edits.all(), reading, &name)?;
                Ok(Some((file, edited)))
            };
            return self.convert_clips(next, path, whole).map(Some);
        }
        let edited = self.read(source, self.edits.all(), &whole.name)?;
        if to == ClipCount::Many || edited.reading.document.clips.len() < 2 {
            let unnamed = (from, to) == (ClipCount::One, ClipCount::Many);
            let edited = if unnamed { edited.map(|reading| reading.named(stem)) } else { edited };
            return self.convert_whole(edited, output, whole).map(|()| None);
        }
        let Some(path) = directory else {
            return Err(self.needs_one(&whole.name, &edited.reading));
        };
        let mut clips = edited.split();
        self.convert_clips(|| Ok(clips.next()), path, whole).map(Some)
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
        if self.clip_use == ClipUse::Edit && self.to.info().clips == ClipCount::Many {
            let index = source.find(clip).map_err(|error| failed(error.into()))?;
            return self.edits.make_of_clip(steps, index, whole(source)?, name);
        }
        let mut reading = source.clip(clip).map_err(failed)?;
        if self.clip_use == ClipUse::Edit && clips > 1 {
            let message = format!("1 of {clips} clips");
            reading.findings.push(Finding::new(codes::CLIPS_NOT_WRITTEN, message));
        }
        self.edit(steps, reading, name)
    }

    fn edit(&self, steps: &[Step], reading: Reading, name: &str) -> Result<Edited, Failure> {
        self.edits.make(steps, reading.into(), name)
    }

    /// Returns an error before the conversion if the single output cannot be written.
    pub(super) fn check_output<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Input>,
    ) -> Result<(), Failure> {
        let Destination::File(path) = &self.destination else { return Ok(()) };
        let mut inputs = inputs.into_iter();
        if !self.args.force && inputs.any(|input| same_file(input.path(), path)) {
            let message = "is also the input; use --force to overwrite it";
            return Err(Failure::Cannot(format!("{}: {message}", path.display())));
        }
        output::check(path, Existing::forced(self.args.force))
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
        self.strictness.check(&converted.name, &converted.findings)?;
        if let Some(path) = output {
            self.write(path, &bytes)?;
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
        path: &Path,
        whole: &mut Converted,
    ) -> Result<Vec<Converted>, Failure> {
        let mut files = Vec::new();
        while let Some((file, clip)) = next()? {
            let name = clip.reading.document.clips.first().and_then(|clip| clip.name.as_deref());
            let name = name.unwrap_or_default().to_owned();
            let conversion =
                self.bytes_of(clip, &format!("{}, clip '{}'", whole.name, shown(&name)))?;
            let path = path.with_extension(format!("{file}.{}", self.extension()));
            let mut converted = whole.of_clip(name);
            converted.output = Some(path.display().to_string());
            let Conversion { bytes, findings, extent, .. } = conversion;
            (converted.findings, converted.extent) = (findings, extent);
            converted.bytes = Some(u64_from_len(bytes.len()));
            files.push((converted, self.stage(&path, &bytes), path));
        }
        let findings = files.iter().flat_map(|(converted, ..)| &converted.findings);
        if let Err(failure) = self.strictness.check(&whole.name, findings.clone()) {
            whole.findings = findings.cloned().collect();
            return Err(failure);
        }
        let named = files.into_iter().map(|(mut converted, staged, path)| {
            let claimed = self.claim(&path, &whole.name);
            if let Err(failure) = claimed.and_then(|()| staged?.commit()) {
                (converted.bytes, converted.failure) = (None, Some(failure));
            }
            converted
        });
        Ok(named.collect())
    }

    fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Staged, Failure> {
        self.make_directories(path)?;
        output::stage(path, bytes, Existing::forced(self.args.force))
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.make_directories(path)?;
        output::write(path, bytes, Existing::forced(self.args.force))
    }

    /// Creates the directories between `--out-dir` and a file of a subdirectory.
    fn make_directories(&self, path: &Path) -> Result<(), Failure> {
        match (&self.destination, path.parent()) {
            (Destination::Directory(_), Some(parent)) => fs::create_dir_all(parent)
                .map_err(|error| inbetween::IoError::new(parent, error).into()),
            _ => Ok(()),
        }
    }
}

pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

/// Returns a key that is equal for outputs that are the same file on some file system.
///
/// Names that differ only in case are the same on Windows and macOS, and the outputs may be copied
/// there.
fn file_identity(path: &Path) -> PathBuf {
    path.to_string_lossy().to_lowercase().into()
}
