//! Expands the arguments of a command to files.

mod exclude;
mod walk;

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use inbetween::core::num::u64_from_len;
use inbetween::files::{Expected, load, load_from};
use inbetween::{Error, Limits, Registry};

use crate::args::BatchArgs;
use crate::exit::Failure;
use crate::report::plural;
use exclude::Excluded;
use walk::{Walk, Wildcards};

/// The largest size of a map of names, a skeleton or a list of files, in bytes.
const SIDE_FILE: u64 = 64 << 20;

/// An input file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) source: Source,
    /// The path below the given directory; otherwise the name of the file.
    pub(crate) relative: PathBuf,
    pub(crate) origin: Origin,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    Stdin,
    File(PathBuf),
}

/// How a file became an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Named on the command line.
    Named,
    /// Found in a directory or by a pattern, where files of other kinds are expected.
    Found,
}

impl Source {
    /// Returns the name for messages.
    fn name(&self) -> String {
        match self {
            Self::Stdin => "standard input".to_owned(),
            Self::File(path) => path.display().to_string(),
        }
    }
}

impl Input {
    /// Creates the input for a file of a directory, with its path below that directory.
    fn found((path, relative): (PathBuf, PathBuf)) -> Self {
        Self { source: Source::File(path), relative, origin: Origin::Found }
    }

    /// Returns the name for messages.
    pub(crate) fn name(&self) -> String {
        self.source.name()
    }

    /// Returns the path for reports, `-` for standard input.
    pub(crate) fn path(&self) -> &Path {
        match &self.source {
            Source::Stdin => Path::new("-"),
            Source::File(path) => path,
        }
    }

    /// Returns the name of the file without its extension.
    pub(crate) fn stem(&self) -> String {
        let stem = self.relative.file_stem().unwrap_or_default();
        stem.to_string_lossy().into_owned()
    }

    /// Returns whether the file was found in a directory or by a pattern.
    pub(crate) fn is_found(&self) -> bool {
        self.origin == Origin::Found
    }

    /// Reads the whole file, unless it begins like no expected file.
    pub(crate) fn load(
        &self,
        expected: Expected<'_>,
        registry: &Registry,
    ) -> Result<Vec<u8>, Error> {
        match &self.source {
            Source::Stdin => registry.load_from(io::stdin().lock(), self.name(), expected),
            Source::File(path) => registry.load(path, expected),
        }
    }
}

/// The extension of a backup, which is no input.
pub(crate) const BACKUP: &str = ".bak";

/// Returns whether an argument means standard input or output.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn source(path: &Path) -> Source {
    if is_dash(path) { Source::Stdin } else { Source::File(path.to_owned()) }
}

/// Expands the arguments to files, except those of the directory `except` within one of them.
/// Links to directories are followed only if they are arguments.
///
/// A missing file stays an input, so that the error belongs to that file. If there are no inputs, the
/// error names the arguments.
pub(crate) fn expand(arguments: &[PathBuf], except: Option<&Path>) -> Result<Vec<Input>, Failure> {
    gather(arguments, &BatchArgs::default(), except)
}

/// Expands the arguments and the paths of `--files-from`, like [`expand`], without the files of
/// `--exclude`.
///
/// Listed paths are names of files or directories, never patterns.
pub(crate) fn gather(
    arguments: &[PathBuf],
    batch: &BatchArgs,
    except: Option<&Path>,
) -> Result<Vec<Input>, Failure> {
    let list = batch.files_from.as_deref();
    let excluded = Excluded::new(&batch.exclude)?;
    if list.is_some_and(is_dash) && arguments.iter().any(|argument| is_dash(argument)) {
        return Err(Failure::Usage(ONCE.to_owned()));
    }
    let except = except.and_then(|path| fs::canonicalize(path).ok());
    let mut inputs = Vec::new();
    add_arguments(arguments, except.as_deref(), &mut inputs)?;
    for path in list.map(listed).transpose()?.into_iter().flatten() {
        if path.is_dir() {
            inputs.extend(walk(&path, except.as_deref())?);
        } else {
            inputs.push(file(path, Origin::Named));
        }
    }
    if inputs.is_empty() {
        let sources = arguments.iter().map(PathBuf::as_path).chain(list);
        let names: Vec<String> = sources.map(|path| source(path).name()).collect();
        return Err(Failure::Cannot(format!("{}: no files found", names.join(", "))));
    }
    let count = inputs.len();
    inputs.retain(|input| !excluded.has(input));
    if inputs.is_empty() {
        let files = plural(u64_from_len(count), "file", "files");
        return Err(Failure::Cannot(format!("nothing to do: --exclude leaves out {files}")));
    }
    without_duplicates(arguments, inputs)
}

/// Leaves out the report of an earlier run, if it was found among the inputs.
pub(crate) fn without_report(inputs: &mut Vec<Input>, report: Option<&Path>) {
    let Some(report) = report.and_then(|path| fs::canonicalize(path).ok()) else { return };
    let is_report = |input: &Input| fs::canonicalize(input.path()).is_ok_and(|path| path == report);
    inputs.retain(|input| !input.is_found() || !is_report(input));
}

/// Gives an input its path below a directory.
pub(crate) fn keep_folders(input: &mut Input, base: &Path) -> Result<(), Failure> {
    let Source::File(path) = &input.source else { return Ok(()) };
    let below = |path: &Path, base: &Path| {
        let below = path.strip_prefix(base).ok()?;
        let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        below.components().all(is_plain).then(|| below.to_owned())
    };
    let real = || below(&fs::canonicalize(path).ok()?, &fs::canonicalize(base).ok()?);
    let own = base.strip_prefix(".").unwrap_or(base);
    let path = path.strip_prefix(".").unwrap_or(path);
    input.relative = below(path, own).or_else(real).ok_or_else(|| {
        Failure::Usage(format!("{}: is not below --base {}", path.display(), base.display()))
    })?;
    Ok(())
}

const ONCE: &str = "standard input can be read only once";

/// Reads a list of paths, separated by NUL if it contains any, otherwise by line breaks.
fn listed(list: &Path) -> Result<Vec<PathBuf>, Failure> {
    let limits = Limits::default().with_input_bytes(SIDE_FILE);
    let list = source(list);
    let name = list.name();
    let bytes = match &list {
        Source::Stdin => load_from(io::stdin().lock(), &name, &limits),
        Source::File(path) => load(path, &limits),
    };
    let bytes = bytes.map_err(|error| Failure::of_file(&name, error))?;
    let nul = bytes.contains(&0);
    let parts = bytes.split(|&byte| byte == if nul { 0 } else { b'\n' });
    let parts = parts.map(|part| if nul { part } else { part.strip_suffix(b"\r").unwrap_or(part) });
    parts.filter(|part| !part.is_empty()).map(|part| path_of(part, &name)).collect()
}

#[cfg(unix)]
fn path_of(bytes: &[u8], _: &str) -> Result<PathBuf, Failure> {
    Ok(std::os::unix::ffi::OsStrExt::from_bytes(bytes)).map(|path: &std::ffi::OsStr| path.into())
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8], list: &str) -> Result<PathBuf, Failure> {
    let text = str::from_utf8(bytes);
    text.map(PathBuf::from).map_err(|_| Failure::Cannot(format!("{list}: a path is not UTF-8")))
}

fn add_arguments(
    arguments: &[PathBuf],
    except: Option<&Path>,
    inputs: &mut Vec<Input>,
) -> Result<(), Failure> {
    for argument in arguments {
        if is_dash(argument) {
            inputs.push(Input {
                source: Source::Stdin,
                relative: PathBuf::from("stdin"),
                origin: Origin::Named,
            });
        } else if argument.is_dir() {
            inputs.extend(walk(argument, except)?);
        } else if let Some(pattern) = pattern(argument) {
            inputs.extend(matching(pattern, except)?);
        } else {
            inputs.push(file(argument.clone(), Origin::Named));
        }
    }
    Ok(())
}

fn without_duplicates(
    arguments: &[PathBuf],
    mut inputs: Vec<Input>,
) -> Result<Vec<Input>, Failure> {
    let mut seen = BTreeSet::new();
    let before = inputs.len();
    inputs.retain(|input| seen.insert(input.source.clone()));
    let stdin = arguments.iter().filter(|argument| is_dash(argument)).count();
    if stdin > 1 && inputs.len() < before {
        return Err(Failure::Usage(ONCE.to_owned()));
    }
    Ok(inputs)
}

fn file(path: PathBuf, origin: Origin) -> Input {
    let relative = path.file_name().map_or_else(|| path.clone(), PathBuf::from);
    Input { source: Source::File(path), relative, origin }
}

/// Returns the argument as a pattern, unless a file has exactly this name.
fn pattern(argument: &Path) -> Option<&str> {
    let text = argument.to_str()?;
    (text.contains(['*', '?', '[']) && fs::symlink_metadata(argument).is_err()).then_some(text)
}

fn matching(pattern: &str, except: Option<&Path>) -> Result<Vec<Input>, Failure> {
    let (top, wildcards) = Wildcards::parse(pattern)
        .map_err(|error| Failure::Usage(format!("{pattern}: not a pattern: {error}")))?;
    let top = top.strip_prefix(".").map(Path::to_owned).unwrap_or(top);
    let missing = !top.as_os_str().is_empty() && !top.is_dir();
    let walk = Walk { top, except, wildcards: Some(wildcards) };
    let found = if missing { Vec::new() } else { walk.files()? };
    if found.is_empty() {
        return Err(Failure::Cannot(format!("{pattern}: no file matches the pattern")));
    }
    Ok(found.into_iter().map(Input::found).collect())
}

/// Returns all files of a directory.
fn walk(top: &Path, except: Option<&Path>) -> Result<Vec<Input>, Failure> {
    let files = Walk { top: top.to_owned(), except, wildcards: None }.files()?;
    Ok(files.into_iter().map(Input::found).collect())
}

/// Returns whether a file is a backup, which is not an input.
fn is_backup(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(BACKUP.as_bytes())
}

/// Reads a small file completely.
pub(crate) fn load_side_file(path: &Path, registry: &Registry) -> Result<Vec<u8>, Failure> {
    let mut limits = registry.limits().clone();
    limits.input_bytes = limits.input_bytes.min(SIDE_FILE);
    let name = path.display().to_string();
    load(path, &limits).map_err(|error| Failure::of_file(&name, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_a_directory_in_name_order_and_skips_hidden_files() {
        let top = tempfile::tempdir().unwrap();
        for name in ["b/x", "a/y", "a/.hidden", "c", "out/z"] {
            let path = top.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let inputs = expand(&[top.path().to_owned()], Some(&top.path().join("out"))).unwrap();
        let relative: Vec<_> = inputs.iter().map(|input| input.relative.as_path()).collect();
        assert_eq!(relative, [Path::new("c"), Path::new("a/y"), Path::new("b/x")]);
    }

    #[test]
    fn a_file_given_twice_is_one_input() {
        let twice = [PathBuf::from("a.seanim"), PathBuf::from("a.seanim")];
        assert_eq!(expand(&twice, None).unwrap().len(), 1);
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_an_error() {
        let failure = expand(&[PathBuf::from("no/such/*.seanim")], None).unwrap_err();
        assert_eq!(failure.message(), "no/such/*.seanim: no file matches the pattern");
    }
}
