//! Errors of reading a file and of writing a document.

use core::fmt;
use std::borrow::Cow;

use super::limits::RAISE_LIMIT;
use super::place::Location;
use crate::memory::OutOfMemory;
use crate::{Path, Place, Position, Remedy, counted};

/// The unit of [`OutOfMemory`] in an error of kind `Limit`.
const MEMORY: &str = "bytes of memory";

/// The error of bytes that are not a valid file of a format.
///
/// Prints the path first, then the expected and actual numbers, then the position: `seanim:
/// bones[3].rotation: need 1600 bytes, 12 left (at byte 0x1a4)`.
#[derive(Clone, PartialEq, Eq)]
pub struct ReadError(Box<Inner>);

const _: () = assert!(size_of::<ReadError>() == size_of::<usize>());

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    format: &'static str,
    kind: ReadErrorKind,
    path: Path,
    position: Option<Position>,
    hint: Option<Cow<'static, str>>,
    remedy: Option<Remedy>,
}

/// The kind of a read error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file does not start with the magic number of the format.
    BadMagic {
        /// The expected start.
        expected: &'static str,
        /// The actual start.
        found: Cow<'static, str>,
    },
    /// The file ends too early, or claims more items than it has.
    UnexpectedEnd {
        /// The number of bytes needed.
        needed: u64,
        /// The number of bytes available.
        available: u64,
    },
    /// A value is not allowed in its place.
    Invalid {
        /// The allowed values.
        expected: Cow<'static, str>,
        /// The actual value.
        found: Cow<'static, str>,
    },
    /// The version of the file is not documented.
    UnsupportedVersion {
        /// The version of the file.
        found: i64,
        /// The supported versions.
        supported: &'static str,
    },
    /// The file uses something that the format or this build does not support.
    Unsupported {
        /// The unsupported feature.
        what: Cow<'static, str>,
    },
    /// The file refers to something that does not exist, in itself or beside it.
    Missing {
        /// What does not exist, as a clause: `sampler 1 does not exist`.
        what: Cow<'static, str>,
    },
    /// The file exceeds the [`Limits`](crate::Limits).
    Limit {
        /// The unit that is limited.
        what: &'static str,
        /// The amount that the file needs.
        requested: u64,
        /// The amount that the limit allows.
        limit: u64,
    },
    /// The file is not JSON.
    Json {
        /// A description of the syntax error.
        message: Cow<'static, str>,
    },
    /// A text form describes a file that its format cannot represent.
    Refused {
        /// The value that cannot be represented, and the values that can.
        what: Cow<'static, str>,
    },
}

impl ReadError {
    /// Creates an error without a location.
    pub fn new(kind: ReadErrorKind) -> Self {
        Self(Box::new(Inner {
            format: "",
            kind,
            path: Path::default(),
            position: None,
            hint: None,
            remedy: None,
        }))
    }

    /// Creates an [`Invalid`](ReadErrorKind::Invalid) error without a location.
    pub fn invalid(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(ReadErrorKind::Invalid { expected: expected.into(), found: found.into() })
    }

    /// Creates a [`Limit`](ReadErrorKind::Limit) error without a location: its unit, such as `levels of
    /// nesting`, what the file needs, and what is allowed.
    pub fn limit(what: &'static str, requested: u64, limit: u64) -> Self {
        Self::new(ReadErrorKind::Limit { what, requested, limit })
    }

    /// Returns the error with the id of the format that was read.
    #[must_use]
    pub fn in_format(mut self, format: &'static str) -> Self {
        self.0.format = format;
        self
    }

    /// Returns the error with its path in the structure, unless it has one.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        if self.0.path.is_root() {
            self.0.path = path;
        }
        self
    }

    /// Returns the error with an item of a list prepended to its path.
    #[must_use]
    pub fn within(mut self, list: &'static str, index: usize) -> Self {
        self.0.path.prepend_item(list, index);
        self
    }

    /// Returns the error with its position, unless it has one.
    #[must_use]
    pub fn at_position(mut self, position: Position) -> Self {
        self.0.position.get_or_insert(position);
        self
    }

    /// Returns the error with a hint about the cause or a solution.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the error with what the user can do about it.
    #[must_use]
    pub fn with_remedy(mut self, remedy: Remedy) -> Self {
        self.0.remedy = Some(remedy);
        self
    }

    /// Returns the id of the format that was read, or an empty string.
    pub fn format(&self) -> &'static str {
        self.0.format
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &ReadErrorKind {
        &self.0.kind
    }

    /// Returns whether a limit stopped the reader, so that nothing more is read.
    pub fn is_limit(&self) -> bool {
        matches!(self.0.kind, ReadErrorKind::Limit { .. })
    }

    /// Returns the path in the structure of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the position in the bytes of the file.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns the hint about the cause or a solution.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// Returns what the user can do about it. The hint says the same in words.
    pub fn remedy(&self) -> Option<Remedy> {
        self.0.remedy
    }
}

impl ReadErrorKind {
    /// Returns the name of the kind, as reports for programs print it: `unexpected-end`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::BadMagic { .. } => "bad-magic",
            Self::UnexpectedEnd { .. } => "unexpected-end",
            Self::Invalid { .. } => "invalid",
            Self::UnsupportedVersion { .. } => "unsupported-version",
            Self::Unsupported { .. } => "unsupported",
            Self::Missing { .. } => "missing",
            Self::Limit { .. } => "limit",
            Self::Json { .. } | Self::Refused { .. } => "read",
        }
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadMagic { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            Self::Invalid { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::UnexpectedEnd { needed, available } => {
                write!(f, "need {}, {available} left", counted(needed, "byte"))
            }
            Self::UnsupportedVersion { found, supported } => {
                write!(f, "version {found} is not supported, only {supported}")
            }
            Self::Unsupported { what } => write!(f, "{what} is not supported"),
            Self::Limit { what: MEMORY, requested, .. } => out_of_memory(*requested, f),
            Self::Limit { what, requested, limit } => {
                write!(f, "{requested} {what} requested, the limit is {limit}")
            }
            Self::Json { message: text }
            | Self::Refused { what: text }
            | Self::Missing { what: text } => f.write_str(text),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.format.is_empty() {
            write!(f, "{}: ", self.0.format)?;
        }
        if !self.0.path.is_root() {
            write!(f, "{}: ", self.0.path)?;
        }
        self.0.kind.fmt(f)?;
        if let Some(position) = &self.0.position {
            write!(f, " ({position})")?;
        }
        if let Some(hint) = &self.0.hint {
            write!(f, "; {hint}")?;
        }
        Ok(())
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for ReadError {}

/// The error of a document that cannot be written in a format.
///
/// Prints as `seanim: bones[2].locations: 300 keys cannot be written: at most 255 fit`.
#[derive(Clone, PartialEq, Eq)]
pub struct WriteError(Box<WriteInner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct WriteInner {
    format: &'static str,
    kind: WriteErrorKind,
    place: Place,
    path: Path,
}

/// The kind of a write error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The format cannot represent a value that it requires.
    NotRepresentable {
        /// The value, with its number or name.
        what: Cow<'static, str>,
        /// What the format can store.
        limit: Cow<'static, str>,
    },
    /// Columns of a track or file have inconsistent sizes.
    Inconsistent {
        /// The inconsistency.
        what: Cow<'static, str>,
    },
    /// The result would exceed the [`Limits`](crate::Limits).
    Limit {
        /// The unit that is limited.
        what: &'static str,
        /// The amount that the result needs.
        requested: u64,
        /// The amount that remains within the limit.
        limit: u64,
    },
    /// The document has more or fewer clips than the format can store.
    ClipCount {
        /// The number of clips in the document.
        found: usize,
    },
    /// The format stores a hierarchy, and the document has no skeleton with parents.
    NoHierarchy,
}

impl WriteError {
    /// Creates an error without a location.
    pub fn new(kind: WriteErrorKind) -> Self {
        let (place, path) = (Place::default(), Path::default());
        Self(Box::new(WriteInner { format: "", kind, place, path }))
    }

    /// Creates a [`NotRepresentable`](WriteErrorKind::NotRepresentable) error without a location.
    pub fn not_representable(
        what: impl Into<Cow<'static, str>>,
        limit: impl Into<Cow<'static, str>>,
    ) -> Self {
        let kind = WriteErrorKind::NotRepresentable { what: what.into(), limit: limit.into() };
        Self::new(kind)
    }

    /// Creates an [`Inconsistent`](WriteErrorKind::Inconsistent) error without a location.
    pub fn inconsistent(what: impl Into<Cow<'static, str>>) -> Self {
        Self::new(WriteErrorKind::Inconsistent { what: what.into() })
    }

    /// Creates the error of a time in seconds that exceeds the range of `f32`; `what` is the time.
    pub fn time_out_of_range(what: impl Into<Cow<'static, str>>) -> Self {
        Self::not_representable(what, "times go up to 3.4e38 s")
    }

    /// Returns the error with the id of the target format, unless it has one.
    #[must_use]
    pub fn in_format(mut self, format: &'static str) -> Self {
        if self.0.format.is_empty() {
            self.0.format = format;
        }
        self
    }

    /// Returns the error with the clip and the track that it is about, unless it has them.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        if self.0.place.is_whole() {
            self.0.place = place;
        }
        self
    }

    /// Returns the error with its path, unless it has one.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        if self.0.path.is_root() {
            self.0.path = path;
        }
        self
    }

    /// Returns the id of the target format, or an empty string.
    pub fn format(&self) -> &'static str {
        self.0.format
    }

    /// Returns the kind of the error.
    pub fn kind(&self) -> &WriteErrorKind {
        &self.0.kind
    }

    /// Returns what the user can do about it. The message says the same in words.
    pub fn remedy(&self) -> Option<Remedy> {
        match self.0.kind {
            WriteErrorKind::Limit { what, .. } if what != MEMORY => Some(Remedy::RaiseLimit),
            WriteErrorKind::NoHierarchy => Some(Remedy::Option("skeleton")),
            _ => None,
        }
    }

    /// Returns the clip and the track that the error is about.
    pub fn place(&self) -> &Place {
        &self.0.place
    }

    /// Returns the path in the structure of the file or of the document.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the place and the path to print.
    pub fn location(&self) -> Location<'_> {
        Location { place: &self.0.place, path: &self.0.path }
    }
}

impl WriteErrorKind {
    /// Returns the name of the kind, as reports for programs print it: `not-representable`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotRepresentable { .. } => "not-representable",
            Self::Inconsistent { .. } => "inconsistent",
            Self::Limit { .. } => "limit",
            Self::ClipCount { .. } => "clip-count",
            Self::NoHierarchy => "no-skeleton",
        }
    }
}

impl From<OutOfMemory> for ReadErrorKind {
    fn from(error: OutOfMemory) -> Self {
        Self::Limit { what: MEMORY, requested: error.bytes, limit: 0 }
    }
}

impl From<OutOfMemory> for ReadError {
    fn from(error: OutOfMemory) -> Self {
        Self::new(error.into())
    }
}

impl From<OutOfMemory> for WriteErrorKind {
    fn from(error: OutOfMemory) -> Self {
        Self::Limit { what: MEMORY, requested: error.bytes, limit: 0 }
    }
}

impl From<OutOfMemory> for WriteError {
    fn from(error: OutOfMemory) -> Self {
        Self::new(error.into())
    }
}

fn out_of_memory(bytes: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "cannot allocate {bytes} bytes of memory")
}

impl fmt::Display for WriteErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRepresentable { what, limit } => {
                write!(f, "{what} cannot be written: {limit}")
            }
            Self::Inconsistent { what } => f.write_str(what),
            Self::Limit { what: MEMORY, requested, .. } => out_of_memory(*requested, f),
            Self::Limit { what, requested, limit } => {
                write!(
                    f,
                    "{requested} {what} needed, {limit} remain within the limit; {RAISE_LIMIT}"
                )
            }
            Self::ClipCount { found } => {
                write!(f, "a file holds one clip, the document has {found}")
            }
            Self::NoHierarchy => f.write_str("a skeleton with parents is needed; add its file"),
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.format.is_empty() {
            write!(f, "{}: ", self.0.format)?;
        }
        let location = self.location();
        if !location.is_whole() {
            write!(f, "{location}: ")?;
        }
        self.0.kind.fmt(f)
    }
}

/// Prints the message, so that an error that `main` returns is readable.
impl fmt::Debug for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_memory_is_printed_with_its_bytes() {
        let message = "cannot allocate 9000 bytes of memory";
        assert_eq!(ReadError::from(OutOfMemory { bytes: 9000 }).to_string(), message);
        let error = WriteError::from(OutOfMemory { bytes: 9000 });
        assert!(error.to_string().contains(message), "{error}");
    }

    #[test]
    fn a_read_error_prints_path_numbers_and_position() {
        let kind = ReadErrorKind::UnexpectedEnd { needed: 1600, available: 12 };
        let error = ReadError::new(kind)
            .in_format("mine")
            .at_path(Path::field("rotation"))
            .within("bones", 3)
            .at_position(Position::byte(0x1a4));
        assert_eq!(
            error.to_string(),
            "mine: bones[3].rotation: need 1600 bytes, 12 left (at byte 0x1a4)"
        );
    }

    #[test]
    fn a_write_error_names_the_path_and_the_limit() {
        let error = WriteError::not_representable("300 keys", "at most 255 fit")
            .in_format("mine")
            .at_path(Path::item("bones", 2).then("locations"));
        assert_eq!(
            error.to_string(),
            "mine: bones[2].locations: 300 keys cannot be written: at most 255 fit"
        );
        assert_eq!(error.format(), "mine");
    }
}
