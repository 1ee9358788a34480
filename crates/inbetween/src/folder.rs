//! Loads files from the folder of the file that is read.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use inbetween_core::{Format, Limits, Neighbors, ReadError, ReadErrorKind, shown};

use crate::files::load;

/// Returns the format for a file at a path, if its files can refer to other files. The format loads
/// only files in the folder of the file and in folders below it.
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "gltf")] {
/// use inbetween::files::beside;
/// use inbetween::gltf::Gltf;
///
/// let format = beside(&Gltf::default(), "models/walk.gltf".as_ref()).expect("it has buffers");
/// assert_eq!(format.info().id, "gltf");
/// # }
/// ```
pub fn beside(format: &dyn Format, path: &Path) -> Option<Box<dyn Format>> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).to_owned();
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    format.beside(Arc::new(Folder { folder, file }))
}

/// The folder of a file.
#[derive(Debug)]
struct Folder {
    folder: PathBuf,
    /// The name of the file.
    file: String,
}

impl Neighbors for Folder {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let wanted = self.folder.join(path);
        let full = |path: &Path| path.canonicalize();
        let (folder, file) = match (full(&self.folder), full(&wanted)) {
            (Ok(folder), Ok(file)) => (folder, file),
            (Err(error), _) => return Err(unreadable(path, &error.to_string())),
            (_, Err(error)) if error.kind() == io::ErrorKind::NotFound => {
                return Err(self.missing(path, &wanted));
            }
            (_, Err(error)) => return Err(unreadable(path, &error.to_string())),
        };
        // A symbolic link may lead out of the folder.
        if !file.starts_with(&folder) {
            return Err(unreadable(path, "it is not in the folder"));
        }
        let limits = Limits::default();
        let limits = limits.clone().with_input_bytes(limits.input_bytes.min(limit.max(1 << 20)));
        load(&file, &limits).map_err(|error| unreadable(path, &error.to_string()))
    }
}

fn unreadable(path: &str, why: &str) -> ReadError {
    let what = format!("the file \"{}\" cannot be read: {why}", shown(path));
    ReadError::new(ReadErrorKind::Missing { what: what.into() })
}

impl Folder {
    /// Returns the error of a missing file, with a name that differs only in case if there is one.
    fn missing(&self, path: &str, wanted: &Path) -> ReadError {
        let (beside, path) = (shown(&self.file), shown(path));
        let what = format!("the file \"{path}\" is missing: put it next to \"{beside}\"");
        let error = ReadError::new(ReadErrorKind::Missing { what: what.into() });
        match other_case(wanted) {
            Some(found) => error.with_hint(format!(
                "\"{}\" is there, whose name differs only in case: rename it",
                shown(&found)
            )),
            None => error,
        }
    }
}

/// Returns the name of a file in the same folder that differs only in case.
fn other_case(wanted: &Path) -> Option<String> {
    let lower = wanted.file_name()?.to_str()?.to_lowercase();
    let entries = wanted.parent()?.read_dir().ok()?.filter_map(Result::ok);
    // A folder may hold any number of files.
    let mut names = entries.take(10_000).filter_map(|entry| entry.file_name().into_string().ok());
    names.find(|name| name.to_lowercase() == lower)
}
