//! Companion files of the checked files, paired by name.

use std::path::{Path, PathBuf};

use crate::exit::Failure;
use crate::flags::Given;
use crate::inputs;
use crate::plan::{Plan, Planned};

/// The companions of a command line.
#[derive(Debug, Default)]
pub(super) struct Companions(Vec<Kind>);

/// The companions of one kind.
#[derive(Debug)]
struct Kind {
    /// The name of the flag.
    name: &'static str,
    paths: Vec<PathBuf>,
    /// Whether there is only one file and one companion, which then belong together regardless of
    /// their names.
    single: bool,
}

/// The extension of companions in a directory.
const EXTENSION: &str = "xml";

/// In X4, `ship.xml` names the animations of `ship_data.ani`.
const SUFFIX: &str = "_data";

impl Companions {
    /// Expands the given paths.
    pub(super) fn find(given: &[Given], plan: &Plan<'_>) -> Result<Self, Failure> {
        let kinds = given.iter().filter_map(Given::companions);
        let kinds = kinds.map(|(name, arguments)| {
            let found = inputs::expand(arguments, None)?;
            let is_companion = |path: &Path| {
                path.extension().is_some_and(|known| known.eq_ignore_ascii_case(EXTENSION))
            };
            let wanted = found.iter().filter(|it| !it.is_found() || is_companion(it.path()));
            let paths: Vec<PathBuf> = wanted.map(|it| it.path().to_owned()).collect();
            let files: Vec<&Path> = files_with(name, plan).map(|it| it.input.path()).collect();
            let single = files.len() == 1 && paths.len() == 1 && found.len() == 1;
            let kind = Kind { name, paths, single };
            if !single && !files.iter().any(|file| !kind.of(file).is_empty()) {
                return Err(unpaired(name, files.first().copied()));
            }
            Ok(kind)
        });
        kinds.collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether companions of a kind are given.
    pub(super) fn has(&self, kind: &str) -> bool {
        self.0.iter().any(|known| known.name == kind)
    }

    /// Returns the companions of a file.
    pub(super) fn of(&self, kind: &str, file: &Path) -> Vec<&Path> {
        let kind = self.0.iter().find(|known| known.name == kind);
        kind.map(|kind| kind.of(file)).unwrap_or_default()
    }
}

impl Kind {
    fn of(&self, file: &Path) -> Vec<&Path> {
        let fits = |path: &&PathBuf| self.single || base_name(path) == base_name(file);
        self.paths.iter().filter(fits).map(PathBuf::as_path).collect()
    }
}

fn files_with<'p>(kind: &'p str, plan: &'p Plan<'_>) -> impl Iterator<Item = &'p Planned<'p>> {
    plan.files.iter().filter(move |file| {
        let companion = file.format.as_ref().ok().and_then(|format| format.companion());
        companion.is_some_and(|companion| companion.info().name == kind)
    })
}

/// Returns the name that a file and its companion share.
fn base_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    stem.strip_suffix(SUFFIX).unwrap_or(&stem).to_owned()
}

fn unpaired(kind: &str, file: Option<&Path>) -> Failure {
    let example = file.map_or_else(|| "ship".to_owned(), base_name);
    Failure::Usage(format!(
        "--{kind}: no companion file has the name of an input; {example}.{EXTENSION} belongs to {example}.ani or \
         {example}{SUFFIX}.ani"
    ))
}
