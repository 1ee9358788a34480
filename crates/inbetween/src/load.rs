//! Loads files into memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use inbetween_core::num::{len_from_u64, u64_from_len};
use inbetween_core::{Limits, ReadError, ReadErrorKind};

use crate::error::{Error, IoError};

/// Reads a whole file into memory, up to `limits.input_bytes`.
///
/// # Errors
///
/// [`Error::Io`] if the path is missing, a directory or not readable; [`Error::Read`] with
/// [`ReadErrorKind::Limit`] if the file is longer than the limit.
pub fn load(path: impl AsRef<Path>, limits: &Limits) -> Result<Vec<u8>, Error> {
    let path = path.as_ref();
    let failed = |error| Error::Io(IoError::new(path, error));
    // Systems report opening a directory in different ways.
    if path.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let length = if metadata.is_file() { metadata.len() } else { 0 };
    load_all(file, length, path, limits)
}

/// Reads a stream to its end, up to `limits.input_bytes`.
///
/// `name` is used in messages in place of a path.
///
/// # Errors
///
/// Fails like [`load`].
pub fn load_from(
    reader: impl Read,
    name: impl AsRef<Path>,
    limits: &Limits,
) -> Result<Vec<u8>, Error> {
    load_all(reader, 0, name.as_ref(), limits)
}

fn load_all(
    reader: impl Read,
    length: u64,
    path: &Path,
    limits: &Limits,
) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::Io(IoError::new(path, error));
    let limit = limits.input_bytes;
    if length > limit {
        return Err(too_long(length, limit));
    }
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(len_from_u64(length))
        .map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
    reader.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(failed)?;
    let found = u64_from_len(bytes.len());
    if found > limit { Err(too_long(found, limit)) } else { Ok(bytes) }
}

fn too_long(requested: u64, limit: u64) -> Error {
    ReadError::new(ReadErrorKind::Limit { what: "bytes of input", requested, limit }).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_up_to_the_limit() {
        let limits = Limits::default().with_input_bytes(3);
        assert_eq!(load_from(&b"abc"[..], "x", &limits).unwrap(), b"abc");
        let error = load_from(&b"abcd"[..], "x", &limits).unwrap_err();
        assert_eq!(error.to_string(), "4 bytes of input requested, the limit is 3");
    }

    #[test]
    fn an_endless_stream_stops_at_the_limit() {
        let limits = Limits::default().with_input_bytes(1000);
        assert!(matches!(load_from(io::repeat(1), "x", &limits), Err(Error::Read(_))));
    }

    #[test]
    fn reports_the_path_of_a_directory_or_missing_file() {
        let directory = env!("CARGO_MANIFEST_DIR");
        let error = load(directory, &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("{directory}: is a directory, not a file"));
        let error = load("no/such.seanim", &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "no/such.seanim: no such file or directory");
    }
}
