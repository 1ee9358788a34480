//! The fixture files on disk, which are written from the cases and compared with them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cases::{self, CaseKind};

/// The extensions of goldens, which are next to the fixtures.
const GOLDEN: [&str; 2] = ["dump", "err"];

/// A fixture file on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// The path of the file.
    pub path: PathBuf,
    /// Whether the file must be accepted.
    pub kind: CaseKind,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Fixture {
    /// Returns the path of the golden: a dump or an error message.
    pub fn golden(&self) -> PathBuf {
        let ending = match self.kind {
            CaseKind::Ok => "dump",
            CaseKind::Bad => "err",
        };
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(ending);
        name.into()
    }
}

/// Returns the fixture files of a format, sorted by name.
///
/// # Panics
///
/// If there are none, or they cannot be read.
pub fn of(format: &str) -> Vec<Fixture> {
    let mut fixtures = Vec::new();
    for kind in [CaseKind::Ok, CaseKind::Bad] {
        for path in files(&cases::folder(format).join(kind.folder())) {
            if !is_golden(&path) {
                let bytes = fs::read(&path)
                    .unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()));
                fixtures.push(Fixture { path, kind, bytes });
            }
        }
    }
    assert!(!fixtures.is_empty(), "no fixtures of {format}; run `cargo xtask fixtures`");
    fixtures
}

/// Returns the differences between the files of a format and its cases, one line each.
pub fn drift(format: &str) -> Vec<String> {
    let mut drift = Vec::new();
    let mut expected = BTreeSet::new();
    for case in cases::of(format) {
        let path = case.path();
        match fs::read(&path) {
            Ok(bytes) if bytes == case.bytes => {}
            Ok(_) => drift.push(format!("{} differs from its case", path.display())),
            Err(error) => drift.push(format!("{}: {error}", path.display())),
        }
        expected.insert(path);
    }
    let stale = stale(format, &expected);
    drift.extend(stale.iter().map(|path| format!("{} belongs to no case", path.display())));
    drift
}

/// Writes the files of a format from its cases, and deletes files without a case.
///
/// Returns the files that changed.
///
/// # Errors
///
/// If a file cannot be written or deleted.
pub fn write(format: &str) -> io::Result<Vec<PathBuf>> {
    let mut changed = Vec::new();
    let mut expected = BTreeSet::new();
    for case in cases::of(format) {
        let path = case.path();
        if fs::read(&path).ok().as_ref() != Some(&case.bytes) {
            fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))?;
            fs::write(&path, &case.bytes)?;
            changed.push(path.clone());
        }
        expected.insert(path);
    }
    for path in stale(format, &expected) {
        fs::remove_file(&path)?;
        changed.push(path);
    }
    Ok(changed)
}

fn stale(format: &str, expected: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let folders = [CaseKind::Ok, CaseKind::Bad].map(CaseKind::folder);
    let files = folders.iter().flat_map(|kind| files(&cases::folder(format).join(kind)));
    let owner = |path: &PathBuf| {
        if is_golden(path) { path.with_extension("") } else { path.clone() }
    };
    files.filter(|path| !expected.contains(&owner(path))).collect()
}

fn is_golden(path: &Path) -> bool {
    path.extension().is_some_and(|ending| GOLDEN.iter().any(|golden| ending == *golden))
}

/// Returns the files of a folder sorted by name; none if the folder does not exist.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files
}
