//! Loads files into memory.

use std::fs::{File, FileType};
use std::io::{self, Read};
use std::path::Path;

use inbetween_core::num::{len_from_u64, u64_from_len};
use inbetween_core::{Format, Limits, ReadError};

use crate::error::{Error, IoError};

/// What an input should be.
#[derive(Clone, Copy, Debug)]
pub enum Expected<'a> {
    /// A file of any known format.
    AnyFormat,
    /// A file of this format.
    Format(&'a dyn Format),
    /// The text form of a binary file.
    #[cfg(feature = "text")]
    TextForm,
}

/// The number of bytes that are judged before the rest of an input is read.
const HEAD: u64 = 64 << 10;

/// The number of bytes that may follow the data of a file. Programs write a few, and readers keep
/// them.
const TRAILING: u64 = 64 << 20;

/// Reads a whole file into memory, up to `limits.input_bytes`.
///
/// # Errors
///
/// [`Error::Io`] if the path is missing, a directory, a device or not readable; [`Error::Read`] with
/// [`ReadErrorKind::Limit`](inbetween_core::ReadErrorKind::Limit) if the file is longer than the
/// limit.
pub fn load(path: impl AsRef<Path>, limits: &Limits) -> Result<Vec<u8>, Error> {
    load_judged(path.as_ref(), limits, |_| Ok(None))
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
    load_stream(reader, name.as_ref(), limits, |_| Ok(None))
}

/// Reads a file like [`load`], if `judge` accepts the first [`HEAD`] bytes of a longer one.
///
/// `judge` returns the offset where the data of the file ends, if they show it.
pub(crate) fn load_judged(
    path: &Path,
    limits: &Limits,
    judge: impl FnOnce(&[u8]) -> Result<Option<u64>, Error>,
) -> Result<Vec<u8>, Error> {
    let failed = |error| Error::Io(IoError::new(path, error));
    // Systems report opening a directory in different ways, and opening some devices has effects.
    let metadata = path.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(failed(io::ErrorKind::IsADirectory.into()));
    }
    if is_device(metadata.file_type()) && !is_stream(path) {
        return Err(failed(io::Error::other("is a device, not a file")));
    }
    let file = File::open(path).map_err(failed)?;
    let length = metadata.is_file().then_some(metadata.len());
    Input { reader: file, length, path, limits }.read(judge)
}

/// Reads a stream like [`load_from`], if `judge` accepts the first [`HEAD`] bytes of a longer one.
pub(crate) fn load_stream(
    reader: impl Read,
    name: &Path,
    limits: &Limits,
    judge: impl FnOnce(&[u8]) -> Result<Option<u64>, Error>,
) -> Result<Vec<u8>, Error> {
    Input { reader, length: None, path: name, limits }.read(judge)
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_block_device() || kind.is_char_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Returns whether a path names an open stream of this process, which may be a terminal.
fn is_stream(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|streams| path.starts_with(streams))
}

/// An open file or stream.
struct Input<'a, R> {
    reader: R,
    /// The length of a file.
    length: Option<u64>,
    /// The name for messages.
    path: &'a Path,
    limits: &'a Limits,
}

impl<R: Read> Input<'_, R> {
    fn read(
        mut self,
        judge: impl FnOnce(&[u8]) -> Result<Option<u64>, Error>,
    ) -> Result<Vec<u8>, Error> {
        let limit = self.limits.input_bytes;
        let mut bytes = Vec::new();
        self.reserve(self.length.unwrap_or(0).min(HEAD), &mut bytes)?;
        self.append(HEAD.min(limit.saturating_add(1)), &mut bytes)?;
        if u64_from_len(bytes.len()) < HEAD {
            return within(bytes, limit);
        }
        let end = judge(&bytes)?.unwrap_or(u64::MAX);
        let most = end.saturating_add(TRAILING).min(limit);
        if let Some(length) = self.length.filter(|length| *length > end.saturating_add(TRAILING)) {
            return Err(too_much_after(end, length));
        }
        if let Some(length) = self.length.filter(|length| *length > limit) {
            return Err(too_long(length, limit));
        }
        self.reserve(self.length.unwrap_or(0).saturating_sub(HEAD), &mut bytes)?;
        self.append(most.saturating_add(1).saturating_sub(HEAD), &mut bytes)?;
        let found = u64_from_len(bytes.len());
        if found > most && most < limit {
            return Err(too_much_after(end, found));
        }
        within(bytes, limit)
    }

    fn reserve(&self, count: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let reserved = bytes.try_reserve_exact(len_from_u64(count));
        reserved.map_err(|_| self.failed(io::ErrorKind::OutOfMemory.into()))
    }

    /// Reads up to `count` bytes.
    fn append(&mut self, count: u64, bytes: &mut Vec<u8>) -> Result<(), Error> {
        let read = self.reader.by_ref().take(count).read_to_end(bytes);
        read.map(|_| ()).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> Error {
        Error::Io(IoError::new(self.path, error))
    }
}

fn within(bytes: Vec<u8>, limit: u64) -> Result<Vec<u8>, Error> {
    let found = u64_from_len(bytes.len());
    if found > limit { Err(too_long(found, limit)) } else { Ok(bytes) }
}

fn too_long(requested: u64, limit: u64) -> Error {
    ReadError::limit("bytes of input", requested, limit).into()
}

fn too_much_after(end: u64, length: u64) -> Error {
    let expected = format!("the end of the file near byte {end}, where its data ends");
    ReadError::invalid(expected, format!("at least {length} bytes")).into()
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
    fn a_start_that_is_refused_ends_reading() {
        let judge = |head: &[u8]| {
            assert_eq!(head.len(), 64 << 10);
            Err(ReadError::invalid("a file", "noise").into())
        };
        let limits = Limits::default();
        let error = load_stream(io::repeat(1), Path::new("x"), &limits, judge).unwrap_err();
        assert_eq!(error.to_string(), "expected a file, found noise");
    }

    #[test]
    fn a_stream_ends_soon_after_its_data() {
        let limits = Limits::default();
        let read = |bytes: u64| {
            let judge = |_: &[u8]| Ok(Some(1000));
            load_stream(io::repeat(1).take(bytes), Path::new("x"), &limits, judge)
        };
        assert_eq!(read(200_000).unwrap().len(), 200_000);
        let expected = "expected the end of the file near byte 1000, where its data ends, found at \
                        least 67109865 bytes";
        assert_eq!(read(u64::MAX).unwrap_err().to_string(), expected);
    }

    #[cfg(unix)]
    #[test]
    fn refuses_devices() {
        let error = load("/dev/zero", &Limits::default()).unwrap_err();
        assert_eq!(error.to_string(), "/dev/zero: is a device, not a file");
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
