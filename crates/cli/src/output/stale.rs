//! Temporary files of earlier runs that were killed.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::{PREFIX, SUFFIX};

/// A temporary file that has not changed for this long belongs to no running command.
const OLD: Duration = Duration::from_secs(60 * 60);

/// The number of random characters in the name of a temporary file.
const RANDOM: usize = 6;

/// The directories that were searched.
static SEARCHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes the old temporary files of a directory, the first time it is written to.
///
/// Failures are ignored, because the files do no harm.
pub(super) fn remove(directory: &Path) {
    let mut searched = SEARCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if !searched.insert(directory.to_owned()) {
        return;
    }
    drop(searched);
    let Ok(entries) = fs::read_dir(directory) else { return };
    let now = SystemTime::now();
    for entry in entries.flatten().filter(|entry| is_stale(entry, now)) {
        let _ = fs::remove_file(entry.path());
    }
}

fn is_stale(entry: &DirEntry, now: SystemTime) -> bool {
    let ours = entry.file_name().to_str().is_some_and(is_temporary);
    // The metadata of an entry are those of a link, not of its target.
    let metadata = || entry.metadata().ok().filter(fs::Metadata::is_file);
    let age = || now.duration_since(metadata()?.modified().ok()?).ok();
    ours && age().is_some_and(|age| age > OLD)
}

/// Returns whether a name is one that this tool gives to temporary files.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(PREFIX).and_then(|name| name.strip_suffix(SUFFIX));
    random.is_some_and(|random| {
        random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn aged(path: &Path, age: Duration) {
        let file = File::create(path).unwrap();
        file.set_modified(SystemTime::now().checked_sub(age).unwrap()).unwrap();
    }

    #[test]
    fn removes_only_old_files_with_our_names() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        let (old, new) = (OLD * 2, OLD / 2);
        aged(&path(".inbetween-aB3dE6.tmp"), old);
        aged(&path(".inbetween-aB3dE7.tmp"), new);
        for other in [".inbetween-notes.tmp", ".inbetween-aB3d-6.tmp", "inbetween-aB3dE6.tmp"] {
            aged(&path(other), old);
        }
        fs::create_dir(path(".inbetween-abcdef.tmp")).unwrap();
        remove(directory.path());
        let mut left: Vec<_> = fs::read_dir(directory.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(
            left,
            [
                ".inbetween-aB3d-6.tmp",
                ".inbetween-aB3dE7.tmp",
                ".inbetween-abcdef.tmp",
                ".inbetween-notes.tmp",
                "inbetween-aB3dE6.tmp"
            ]
        );
    }

    #[test]
    fn new_temporary_files_have_such_names() {
        let directory = tempfile::tempdir().unwrap();
        let file = super::super::Pending::create(directory.path()).unwrap();
        let name = file.file.path().file_name().unwrap().to_str().unwrap();
        assert!(is_temporary(name), "{name}");
    }
}
