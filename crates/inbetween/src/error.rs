//! Errors of the facade.

use core::fmt;
use std::io;
use std::path::{Path, PathBuf};

use inbetween_core::{OptionError, Position, ReadError, Remedy, WriteError, shown};
use inbetween_edit::EditError;

pub use crate::clips::ClipError;
use crate::file_kind::EMPTY;

/// The error of a file that cannot be read, converted or written.
#[non_exhaustive]
pub enum Error {
    /// The file cannot be opened or read; the message names its path.
    Io(IoError),
    /// No format recognizes the bytes.
    Detect(DetectError),
    /// The bytes are not a valid file of their format.
    Read(ReadError),
    /// The document cannot be written in the format.
    Write(WriteError),
    /// The file has no clip with the requested name.
    Clip(ClipError),
    /// The document cannot be edited.
    Edit(EditError),
}

impl Error {
    /// Returns what the user can do about it. The message says the same in words.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Read(error) => error.remedy(),
            Self::Write(error) => error.remedy(),
            Self::Edit(error) => error.remedy(),
            Self::Io(_) | Self::Detect(_) | Self::Clip(_) => None,
        }
    }

    /// Returns the kind of the error as in reports, such as `unexpected-end` or `limit`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Read(error) => error.kind().code(),
            Self::Write(error) => error.kind().code(),
            Self::Detect(_) => "unknown-format",
            Self::Edit(EditError::Limit { .. }) => "limit",
            Self::Edit(_) => "edit",
            Self::Io(_) | Self::Clip(_) => "failed",
        }
    }

    /// Returns the path of the value in the file or the document; `None` for the whole.
    pub fn path(&self) -> Option<String> {
        match self {
            Self::Read(error) => (!error.path().is_root()).then(|| format!("{:#}", error.path())),
            Self::Write(error) => {
                let location = error.location();
                (!location.is_whole()).then(|| format!("{location:#}"))
            }
            _ => None,
        }
    }

    /// Returns where in the file the error is, if it is one of reading.
    pub fn position(&self) -> Option<Position> {
        match self {
            Self::Read(error) => error.position(),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::Detect(error) => error.fmt(f),
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Clip(error) => error.fmt(f),
            Self::Edit(error) => error.fmt(f),
        }
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Error {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(match self {
            Self::Io(error) => error,
            Self::Detect(error) => error,
            Self::Read(error) => error,
            Self::Write(error) => error,
            Self::Clip(error) => error,
            Self::Edit(error) => error,
        })
    }
}

impl From<IoError> for Error {
    fn from(error: IoError) -> Self {
        Self::Io(error)
    }
}

impl From<DetectError> for Error {
    fn from(error: DetectError) -> Self {
        Self::Detect(error)
    }
}

impl From<ReadError> for Error {
    fn from(error: ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for Error {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl From<ClipError> for Error {
    fn from(error: ClipError) -> Self {
        Self::Clip(error)
    }
}

impl From<EditError> for Error {
    fn from(error: EditError) -> Self {
        Self::Edit(error)
    }
}

/// The error of a path that cannot be used.
///
/// Prints the path and the reason: `walk.seanim: no such file`.
pub struct IoError {
    path: PathBuf,
    source: io::Error,
}

impl IoError {
    /// Creates the error of a path.
    pub fn new(path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self { path: path.into(), source }
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }
}

impl fmt::Display for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path.display())?;
        match self.source.kind() {
            io::ErrorKind::NotFound => f.write_str("no such file or directory"),
            io::ErrorKind::IsADirectory => f.write_str("is a directory, not a file"),
            io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
            io::ErrorKind::AlreadyExists => f.write_str("already exists"),
            _ => self.source.fmt(f),
        }
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for IoError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for IoError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// The error of bytes that no format of the registry recognizes.
///
/// Prints what they look like instead, and the known formats.
#[derive(Clone, PartialEq, Eq)]
pub struct DetectError {
    looks_like: &'static str,
    known: Vec<&'static str>,
}

impl DetectError {
    pub(crate) fn new(looks_like: &'static str, known: Vec<&'static str>) -> Self {
        Self { looks_like, known }
    }

    /// Returns a description of the bytes: `a PNG image`.
    pub fn looks_like(&self) -> &'static str {
        self.looks_like
    }

    /// Returns the names of the formats that were tried.
    pub fn known(&self) -> &[&'static str] {
        &self.known
    }
}

impl fmt::Display for DetectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.known.as_slice() {
            [] => f.write_str("no formats are built in")?,
            [only] => write!(f, "not a file of {only}")?,
            [most @ .., last] => write!(f, "not a file of {} or {last}", most.join(", "))?,
        }
        let verb = if self.looks_like == EMPTY { "is" } else { "looks like" };
        write!(f, ": it {verb} {}", self.looks_like)
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for DetectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for DetectError {}

/// The error of an option that cannot be set.
#[derive(Clone, PartialEq, Eq)]
pub struct SetOptionError {
    pub(crate) format: Option<&'static str>,
    pub(crate) option: String,
    pub(crate) value: String,
    pub(crate) source: OptionError,
}

impl SetOptionError {
    /// Returns the id of the format that rejected the value, or `None` if no format has such an
    /// option.
    pub fn format(&self) -> Option<&'static str> {
        self.format
    }
}

impl fmt::Display for SetOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { option, value, source, .. } = self;
        match (self.format, source) {
            (Some(format), OptionError::BadValue { expected }) => {
                write!(f, "option {option}: {format} expects {expected}, found '{}'", shown(value))
            }
            (Some(format), source) => write!(f, "option {option}: {format}: {source}"),
            (None, _) => write!(f, "unknown option {option}"),
        }
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for SetOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for SetOptionError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.source)
    }
}
