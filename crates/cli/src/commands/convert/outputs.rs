//! Where the results go.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use inbetween::{Format, Registry};

use crate::exit::Failure;
use crate::inputs::Input;
use crate::output::{self, Existing, Staged};
use crate::plan::{Plan, Planned};

/// The destination of the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    Stdout,
    File(PathBuf),
    Directory(PathBuf),
}

/// Which inputs are left out because of their output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Done {
    /// None.
    Never,
    /// Those whose output exists.
    IfExisting,
    /// Those whose output is not older than they are, and than the other files of the command, the
    /// newest of which is from this time.
    IfNewer(Option<SystemTime>),
}

/// Why an output is not written again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Why {
    Exists,
    /// It is not older than what it is made from.
    IsNewer,
}

impl Why {
    /// Returns the name in JSON reports.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Exists => "exists",
            Self::IsNewer => "up-to-date",
        }
    }

    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Exists => "exists already",
            Self::IsNewer => "is up to date",
        }
    }
}

/// The files to write.
pub(super) struct Outputs<'a> {
    pub(super) destination: Destination,
    registry: &'a Registry,
    to: &'a dyn Format,
    existing: Existing,
    done: Done,
    /// Each output with its input, by the identity of the output.
    taken: Mutex<BTreeMap<PathBuf, (PathBuf, String)>>,
}

impl<'a> Outputs<'a> {
    /// Lays out the outputs. Inputs that would be written to the same output fail, and the others do
    /// not.
    pub(super) fn new(
        destination: Destination,
        registry: &'a Registry,
        to: &'a dyn Format,
        (existing, done): (Existing, Done),
        plan: &mut Plan<'_>,
    ) -> Self {
        let outputs = Self { destination, registry, to, existing, done, taken: Mutex::default() };
        if let Destination::Directory(directory) = &outputs.destination {
            let mut clashes: BTreeMap<PathBuf, Failure> = BTreeMap::new();
            let output = |file: &Planned<'_>| directory.join(outputs.renamed(&file.input.relative));
            let readable = |file: &&Planned<'_>| file.format.is_ok();
            for file in plan.files.iter().filter(readable) {
                let output = output(file);
                if let Err(failure) = outputs.claim(&output, &file.input.name()) {
                    clashes.entry(file_identity(&output)).or_insert(failure);
                }
            }
            for file in plan.files.iter_mut().filter(|file| file.format.is_ok()) {
                if let Some(failure) = clashes.get(&file_identity(&output(file))) {
                    file.format = Err(failure.clone());
                }
            }
        }
        outputs
    }

    /// Returns why an output need not be written again, if so.
    ///
    /// # Errors
    ///
    /// If it is one of the inputs, which would be replaced.
    pub(super) fn done<'i>(
        &self,
        output: &Path,
        inputs: impl IntoIterator<Item = &'i Input> + Clone,
    ) -> Result<Option<Why>, Failure> {
        let written = match self.done {
            Done::Never => return Ok(None),
            _ => fs::metadata(output).ok().filter(fs::Metadata::is_file),
        };
        let Some(written) = written else { return Ok(None) };
        if inputs.clone().into_iter().any(|input| same_file(input.path(), output)) {
            return Err(is_input(output));
        }
        Ok(match (self.done, written.modified()) {
            (Done::IfExisting, _) => Some(Why::Exists),
            (Done::IfNewer(others), Ok(written)) => {
                let is_older = |input: &Input| {
                    let modified = fs::metadata(input.path()).and_then(|data| data.modified());
                    modified.is_ok_and(|modified| modified <= written)
                };
                let is_newer = others.is_none_or(|newest| newest <= written);
                (is_newer && inputs.into_iter().all(is_older)).then_some(Why::IsNewer)
            }
            _ => None,
        })
    }

    /// Returns the failure of an output that exists, before any work, if that is one.
    pub(super) fn check_new(&self, output: &Path) -> Result<(), Failure> {
        match self.existing {
            Existing::Refuse if output.is_file() => Err(output::exists(output)),
            _ => Ok(()),
        }
    }

    /// Records the input of an output; returns an error if it already has another one.
    pub(super) fn claim(&self, output: &Path, name: &str) -> Result<(), Failure> {
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

    /// Returns the output of an input; `None` for standard output.
    pub(super) fn of(&self, input: &Input) -> Option<PathBuf> {
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

    /// Returns the extension of the outputs.
    pub(super) fn extension(&self) -> &'static str {
        self.to.extension()
    }

    /// Returns an error before the conversion if the single output cannot be written.
    pub(super) fn check<'i>(
        &self,
        inputs: impl IntoIterator<Item = &'i Input>,
    ) -> Result<(), Failure> {
        let Destination::File(path) = &self.destination else { return Ok(()) };
        let mut inputs = inputs.into_iter();
        if self.existing == Existing::Refuse && inputs.any(|input| same_file(input.path(), path)) {
            return Err(is_input(path));
        }
        output::check(path, self.existing)
    }

    /// Writes an output under a temporary name.
    pub(super) fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Staged, Failure> {
        self.make_directories(path)?;
        output::stage(path, bytes, self.existing)
    }

    /// Writes an output completely, or not at all.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.make_directories(path)?;
        output::write(path, bytes, self.existing)
    }

    /// Creates the directories between `--out-dir` and a file of a subdirectory.
    fn make_directories(&self, path: &Path) -> Result<(), Failure> {
        match (&self.destination, path.parent()) {
            (Destination::Directory(_), Some(parent)) => fs::create_dir_all(parent)
                .map_err(|error| inbetween::error::IoError::new(parent, error).into()),
            _ => Ok(()),
        }
    }
}

fn is_input(output: &Path) -> Failure {
    let message = "is also the input; use --force to overwrite it";
    Failure::Cannot(format!("{}: {message}", output.display()))
}

/// Returns whether two paths are the same file.
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
