//! One output for each input, or for each clip of one.

use inbetween::core::shown;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use inbetween::core::ClipCount;
use inbetween::core::num::u64_from_len;
use inbetween::{Conversion, Error, Finding, Format, Reading, Registry, measure_written};

use super::Destination;
use super::told::{Converted, check_strict};
use crate::args::TransferArgs;
use crate::batch;
use crate::console::Console;
use crate::edits::{Edited, Edits};
use crate::exit::{Exit, Failure};
use crate::inputs::Input;
use crate::json::List;
use crate::output::{self, Existing};
use crate::plan::{Plan, Planned};
use crate::report::plural;

/// What to do with each input.
pub(super) struct Job<'a> {
    pub(super) args: &'a TransferArgs,
    edits: &'a Edits,
    pub(super) registry: &'a Registry,
    pub(super) to: &'a dyn Format,
    pub(super) destination: Destination,
    /// Which input each output is of.
    taken: Mutex<BTreeMap<PathBuf, String>>,
}

impl<'a> Job<'a> {
    /// Fails where two inputs would become one output.
    pub(super) fn new(
        args: &'a TransferArgs,
        edits: &'a Edits,
        registry: &'a Registry,
        to: &'a dyn Format,
        destination: Destination,
        plan: &Plan<'_>,
    ) -> Result<Self, Failure> {
        let job = Self { args, edits, registry, to, destination, taken: Mutex::default() };
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

    /// Notes which input an output is of; fails if it is of another one already.
    fn claim(&self, output: &Path, name: &str) -> Result<(), Failure> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        match taken.insert(file_identity(output), name.to_owned()) {
            Some(first) => {
                let output = output.display();
                Err(Failure::Usage(format!("{first} and {name} would both become {output}")))
            }
            None => Ok(()),
        }
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

    /// Gives a file the extension of the target; one that no format has stays in the name.
    fn renamed(&self, path: &Path) -> PathBuf {
        let new = self.extension();
        let old = path.extension().and_then(|extension| extension.to_str());
        match old.and_then(|old| self.registry.by_extension(old)) {
            Some(_) => path.with_extension(new),
            None => output::with_ending(path, &format!(".{new}")),
        }
    }

    fn extension(&self) -> &'static str {
        self.to.info().extensions.first().copied().unwrap_or(self.to.info().id)
    }

    pub(super) fn run(&self, plan: Plan<'_>, console: &mut Console) -> Result<Exit, Failure> {
        let (batch, skipped) = (plan.batch, plan.skipped);
        let (mut worst, mut done, mut failed) = (Exit::Fine, 0_u64, 0_u64);
        let mut list = List::default();
        batch::in_order(
            plan.files,
            console,
            |file| self.convert(file),
            |outputs, console| {
                let exits = outputs.iter().filter_map(|output| output.failure.as_ref());
                let exit = exits.map(Failure::exit).max().unwrap_or_default();
                let count = if exit == Exit::Fine { &mut done } else { &mut failed };
                *count = count.saturating_add(1);
                worst = worst.max(exit);
                for output in outputs {
                    output.tell(self.to.info(), self.args, &mut list, console)?;
                }
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if self.args.json {
            list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
        }
        if batch {
            let files = plural(done, "file", "files");
            console.note(&format!("{files} converted, {failed} failed, {skipped} skipped"));
        }
        Ok(worst)
    }

    fn convert(&self, planned: Planned<'_>) -> Vec<Converted> {
        let mut whole = Converted::nothing(&planned);
        let output = self.output_of(&planned.input);
        whole.output = output.as_deref().map(|path| path.display().to_string());
        let stem = planned.input.stem();
        let checked = self.check_output([&planned.input]);
        let read = checked.and_then(|()| self.read(planned, &whole.name));
        let converted = read.and_then(|edited| {
            let (from, to) = (edited.reading.from.clips, self.to.info().clips);
            if to == ClipCount::Many || edited.reading.document.clips.len() < 2 {
                let unnamed = (from, to) == (ClipCount::One, ClipCount::Many);
                let edited =
                    if unnamed { edited.map(|reading| reading.named(&stem)) } else { edited };
                return self.convert_whole(edited, output.as_deref(), &mut whole).map(|()| None);
            }
            match output.as_deref() {
                Some(path) if matches!(self.destination, Destination::Directory(_)) => {
                    self.convert_clips(edited, path, &mut whole).map(Some)
                }
                _ => Err(self.needs_one(&whole.name, &edited.reading)),
            }
        });
        match converted {
            Ok(Some(clips)) => clips,
            Ok(None) => vec![whole],
            Err(failure) => vec![Converted { failure: Some(failure), ..whole }],
        }
    }

    /// Reads an input, takes the clip that is asked for, and makes the edits.
    pub(super) fn read(&self, planned: Planned<'_>, name: &str) -> Result<Edited, Failure> {
        let (format, bytes) = planned.load(self.registry)?;
        let failed = |error: Error| Failure::of_file(name, error);
        let reading = Reading::new(format, &bytes, self.registry.limits());
        let reading = reading.map_err(|error| failed(error.into()))?;
        let reading = match &self.args.clip {
            Some(clip) => reading.clip(clip).map_err(|error| failed(error.into()))?,
            None => reading,
        };
        self.edits.make(reading, name, self.registry.limits())
    }

    /// Fails if the one output may not be written, before the work that leads to it.
    pub(super) fn check_output<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Input>,
    ) -> Result<(), Failure> {
        let Destination::File(path) = &self.destination else { return Ok(()) };
        let mut inputs = inputs.into_iter();
        if !self.args.force && inputs.any(|input| same_file(input.path(), path)) {
            let message = "is the input itself; give --force to replace it";
            return Err(Failure::Cannot(format!("{}: {message}", path.display())));
        }
        output::check(path, Existing::forced(self.args.force))
    }

    fn needs_one(&self, name: &str, reading: &Reading) -> Failure {
        let (to, clips) = (self.to.info(), reading.document.clips.len());
        Failure::Usage(format!(
            "{name}: {} holds one clip, the file has {clips}: {}; give --clip NAME for one of \
             them, or --to {} --out-dir DIR for a file each",
            to.name,
            reading.list_clips(),
            to.id
        ))
    }

    fn convert_whole(
        &self,
        edited: Edited,
        output: Option<&Path>,
        converted: &mut Converted,
    ) -> Result<(), Failure> {
        let conversion = self.bytes_of(edited, &converted.name)?;
        let Conversion { bytes, losses, extent, .. } = conversion;
        (converted.losses, converted.extent) = (losses, extent);
        check_strict(self.args, &converted.name, &converted.losses)?;
        if let Some(path) = output {
            self.write(path, &bytes)?;
        }
        converted.bytes = Some(u64_from_len(bytes.len()));
        converted.to_stdout = output.is_none().then_some(bytes);
        Ok(())
    }

    /// Makes the bytes of the output; `name` is for messages.
    fn bytes_of(&self, edited: Edited, name: &str) -> Result<Conversion, Failure> {
        let write = |reading: Reading| {
            let written = reading.write(self.to, self.registry.limits());
            written.map_err(|error| Failure::of_file(name, error))
        };
        let mut conversion = write(edited.reading)?;
        if let Some(whole) = edited.whole {
            let whole = write(whole)?.bytes;
            conversion.losses.extend(self.measured(&whole, &conversion.bytes, name)?);
        }
        Ok(conversion)
    }

    /// Says how far an output with fewer keys plays from the same with all of them.
    pub(super) fn measured(
        &self,
        whole: &[u8],
        reduced: &[u8],
        name: &str,
    ) -> Result<Vec<Finding>, Failure> {
        let (bounds, limits) = (self.edits.bounds(), self.registry.limits());
        let measured = measure_written(self.to, whole, reduced, bounds, limits);
        measured.map_err(|error| {
            let message = format!("{name}: the result cannot be read back: {error}");
            Failure::Cannot(message)
        })
    }

    /// Converts each clip to a file beside `path`, with the name of the clip in its name.
    ///
    /// All are converted before the first is written.
    fn convert_clips(
        &self,
        edited: Edited,
        path: &Path,
        whole: &mut Converted,
    ) -> Result<Vec<Converted>, Failure> {
        let mut conversions = Vec::new();
        for (file, clip) in edited.split() {
            let name = clip.reading.document.clips.first().and_then(|clip| clip.name.as_deref());
            let name = name.unwrap_or_default().to_owned();
            let conversion =
                self.bytes_of(clip, &format!("{}, clip '{}'", whole.name, shown(&name)))?;
            conversions.push((name, file, conversion));
        }
        let losses = conversions.iter().flat_map(|(_, _, conversion)| &conversion.losses);
        if let Err(failure) = check_strict(self.args, &whole.name, losses.clone()) {
            whole.losses = losses.cloned().collect();
            return Err(failure);
        }
        let files = conversions.into_iter().map(|(name, file, conversion)| {
            let path = path.with_extension(format!("{file}.{}", self.extension()));
            let mut converted = whole.of_clip(name);
            converted.output = Some(path.display().to_string());
            let Conversion { bytes, losses, extent, .. } = conversion;
            (converted.losses, converted.extent) = (losses, extent);
            let claimed = self.claim(&path, &whole.name);
            match claimed.and_then(|()| self.write(&path, &bytes)) {
                Ok(()) => converted.bytes = Some(u64_from_len(bytes.len())),
                Err(failure) => converted.failure = Some(failure),
            }
            converted
        });
        Ok(files.collect())
    }

    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.make_directories(path)?;
        output::write(path, bytes, Existing::forced(self.args.force))
    }

    /// Makes the directories between `--out-dir` and a file of a subdirectory.
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

/// Returns what tells two outputs apart on the usual file system of the machine.
fn file_identity(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_owned()
    }
}
