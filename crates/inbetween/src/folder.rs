//! Loads files from the folder of the file that is read.

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
    format.beside(Arc::new(Folder(folder)))
}

/// The folder of a file.
#[derive(Debug)]
struct Folder(PathBuf);

impl Neighbors for Folder {
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let failed = |why: String| {
            let what = format!("\"{}\": {why}: such a file", shown(path)).into();
            ReadError::new(ReadErrorKind::Unsupported { what })
        };
        let full = |path: &Path| path.canonicalize().map_err(|error| failed(error.to_string()));
        let (folder, file) = (full(&self.0)?, full(&self.0.join(path))?);
        // A symbolic link may lead out of the folder.
        if !file.starts_with(&folder) {
            return Err(failed("it is not in the folder".to_owned()));
        }
        let limits = Limits::default();
        let limits = limits.clone().with_input_bytes(limits.input_bytes.min(limit.max(1 << 20)));
        load(&file, &limits).map_err(|error| failed(error.to_string()))
    }
}
