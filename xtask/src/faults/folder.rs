//! The files that a command works on.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::Outcome;
use crate::shell::failed;

/// Files by their path below a folder.
pub(super) type Files = BTreeMap<PathBuf, File>;

/// A file. Replacing it keeps its permissions.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct File {
    pub(super) bytes: Vec<u8>,
    pub(super) is_read_only: bool,
}

impl File {
    pub(super) const fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, is_read_only: false }
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read_only = if self.is_read_only { ", read-only" } else { "" };
        write!(f, "{} bytes{read_only}", self.bytes.len())
    }
}

/// Returns the files below a folder.
pub(super) fn read(folder: &Path) -> Result<Files, String> {
    let (mut files, mut waiting) = (Files::new(), vec![folder.to_owned()]);
    while let Some(next) = waiting.pop() {
        for entry in fs::read_dir(&next).map_err(|error| failed(&next, &error))? {
            let path = entry.map_err(|error| failed(&next, &error))?.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                files.insert(name, read_file(&path).map_err(|error| failed(&path, &error))?);
            }
        }
    }
    Ok(files)
}

fn read_file(path: &Path) -> io::Result<File> {
    let is_read_only = fs::metadata(path)?.permissions().readonly();
    Ok(File { bytes: fs::read(path)?, is_read_only })
}

/// Removes everything in a folder, and writes these files.
pub(super) fn fill(folder: &Path, files: &Files) -> Outcome {
    for entry in fs::read_dir(folder).map_err(|error| failed(folder, &error))?.flatten() {
        let path = entry.path();
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|error| failed(&path, &error))?;
    }
    let write =
        |(name, file): (&PathBuf, &File)| write(&folder.join(name), file, SystemTime::now());
    files.iter().try_for_each(write)
}

/// Writes a file that has not changed for two hours.
pub(super) fn write_old(path: &Path, file: &File) -> Outcome {
    write(path, file, SystemTime::now() - Duration::from_secs(2 * 60 * 60))
}

fn write(path: &Path, file: &File, modified: SystemTime) -> Outcome {
    let write = || {
        fs::create_dir_all(path.parent().unwrap_or(path))?;
        let mut to = fs::File::create(path)?;
        to.write_all(&file.bytes)?;
        to.set_modified(modified)?;
        let mut permissions = to.metadata()?.permissions();
        permissions.set_readonly(file.is_read_only || permissions.readonly());
        to.set_permissions(permissions)
    };
    write().map_err(|error| failed(path, &error))
}

/// Returns whether a file has a name that the command gives to temporary files.
pub(super) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(".inbetween-") && name.ends_with(".tmp")
}

pub(super) fn has_temporary(files: &Files) -> bool {
    files.keys().any(|path| is_temporary(path))
}
