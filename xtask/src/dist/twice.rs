//! Shows that the archive can be reproduced: builds it again in another folder, and compares.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::archive::files;
use super::{SOURCE_TIME, dist_folder};
use crate::Outcome;
use crate::shell::{ROOT, complain, copy, root, run, tracked_files};

/// Builds an archive again from a copy of the sources, and compares it and its files.
pub(super) fn check(name: &str, archive: &str, time: u64) -> Outcome {
    let copied = tempfile::tempdir().map_err(|error| error.to_string())?;
    for path in tracked_files()? {
        copy(&root().join(&path), &copied.path().join(&path))?;
    }
    let this = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    // The copy has no commits.
    let mut again = Command::new(this);
    again.arg("dist").env(ROOT, copied.path()).env(SOURCE_TIME, time.to_string());
    run(&mut again)?;
    let folders = [dist_folder(&root()), dist_folder(copied.path())];
    let mut paths = BTreeSet::from([PathBuf::from(archive)]);
    for folder in &folders {
        paths.extend(files(folder, Path::new(name))?);
    }
    let different: Vec<_> = paths.iter().filter_map(|path| difference(&folders, path)).collect();
    complain(&different, "the second build differs from the first")?;
    println!("built twice in two folders: the same {} files and {archive}", paths.len() - 1);
    Ok(())
}

/// Returns where a file differs in two folders.
fn difference(folders: &[PathBuf; 2], path: &Path) -> Option<String> {
    let [one, other] = folders.each_ref().map(|folder| fs::read(folder.join(path)));
    let path = path.display();
    match (one, other) {
        (Ok(one), Ok(other)) if one == other => None,
        (Ok(one), Ok(other)) => {
            let same = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
            let sizes = [one.len(), other.len()];
            Some(format!("{path}: differs from byte {same} on; the sizes are {sizes:?}"))
        }
        (one, _) => {
            let build = if one.is_ok() { "first" } else { "second" };
            Some(format!("{path}: only in the {build} build"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_and_named() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [one, other] = folders.each_ref().map(|folder| folder.path().to_owned());
        for (folder, text) in [(&one, "equal"), (&other, "equal")] {
            fs::write(folder.join("same"), text).unwrap();
        }
        fs::write(one.join("changed"), "abcd").unwrap();
        fs::write(other.join("changed"), "abXde").unwrap();
        fs::write(other.join("new"), "").unwrap();
        let difference = |path: &str| difference(&[one.clone(), other.clone()], Path::new(path));
        assert_eq!(difference("same"), None);
        let changed = difference("changed").unwrap();
        assert_eq!(changed, "changed: differs from byte 2 on; the sizes are [4, 5]");
        assert_eq!(difference("new").unwrap(), "new: only in the second build");
    }
}
