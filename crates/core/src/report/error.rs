//! Why a file cannot be read, or a document not written.

use core::fmt;
use std::borrow::Cow;

use crate::report::limits::RAISE_DECODED;
use crate::{BakeError, Path, Position};

/// Why bytes are not a file of a format.
///
/// Prints the place first, then both numbers, then the position:
/// `seanim: bones[3].rotation: need 1600 bytes, 12 left (at byte 0x1a4)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError(Box<Inner>);

const _: () = assert!(size_of::<ReadError>() == size_of::<usize>());

#[derive(Clone, Debug, PartialEq, Eq)]
struct Inner {
    format: &'static str,
    kind: ReadErrorKind,
    path: Path,
    position: Option<Position>,
    hint: Option<Cow<'static, str>>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// The file does not begin as files of the format do.
    BadMagic {
        /// How they begin.
        expected: &'static str,
        /// How this one begins.
        found: Cow<'static, str>,
    },
    /// The file ends too early, or counts more than it has.
    UnexpectedEnd {
        /// Bytes that should follow.
        needed: u64,
        /// Bytes that do.
        available: u64,
    },
    /// Something is there, but not what may be there.
    Invalid {
        /// What may be there.
        expected: Cow<'static, str>,
        /// What is there.
        found: Cow<'static, str>,
    },
    /// The file is of a version that no published text describes.
    UnsupportedVersion {
        /// The version of the file.
        found: i64,
        /// The versions that are read.
        supported: &'static str,
    },
    /// The file uses something that the format or this build does not support.
    Unsupported {
        /// What.
        what: Cow<'static, str>,
    },
    /// The file costs more than the [`Limits`](crate::Limits) allow.
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much the file asks for.
        requested: u64,
        /// How much it may.
        limit: u64,
    },
    /// The file is not JSON.
    Json {
        /// What is wrong with it.
        message: Cow<'static, str>,
    },
    /// A text form says what no file of its format can hold.
    Refused {
        /// What, and what a file can hold.
        what: Cow<'static, str>,
    },
}

impl ReadError {
    /// Makes an error without a place.
    pub fn new(kind: ReadErrorKind) -> Self {
        Self(Box::new(Inner {
            format: "",
            kind,
            path: Path::default(),
            position: None,
            hint: None,
        }))
    }

    /// Makes an [`Invalid`](ReadErrorKind::Invalid) error without a place.
    pub fn invalid(
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(ReadErrorKind::Invalid { expected: expected.into(), found: found.into() })
    }

    /// Returns the error with the id of the format that was read.
    #[must_use]
    pub fn in_format(mut self, format: &'static str) -> Self {
        self.0.format = format;
        self
    }

    /// Returns the error with its place in the structure, unless it has one.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        if self.0.path.is_root() {
            self.0.path = path;
        }
        self
    }

    /// Returns the error with an item of a list put in front of its path.
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

    /// Returns the error with a guess at the cause or a way out.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the id of the format that was read; empty when none was.
    pub fn format(&self) -> &'static str {
        self.0.format
    }

    /// Returns what is wrong.
    pub fn kind(&self) -> &ReadErrorKind {
        &self.0.kind
    }

    /// Returns the place in the structure of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// Returns the place in the bytes of the file.
    pub fn position(&self) -> Option<Position> {
        self.0.position
    }

    /// Returns a guess at the cause or a way out.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
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
                write!(f, "need {needed} bytes, {available} left")
            }
            Self::UnsupportedVersion { found, supported } => {
                write!(f, "version {found} is not supported, only {supported}")
            }
            Self::Unsupported { what } => write!(f, "{what} is not supported"),
            Self::Limit { what: crate::memory::WHAT, requested, .. } => {
                out_of_memory(*requested, f)
            }
            Self::Limit { what, requested, limit } => {
                write!(f, "{requested} {what} asked for, the limit is {limit}")
            }
            Self::Json { message: text } | Self::Refused { what: text } => f.write_str(text),
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

impl core::error::Error for ReadError {}

/// Why a document cannot be written in a format.
///
/// Prints as `seanim: bones[2].locations: 300 keys cannot be written: at most 255 fit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteError(Box<WriteInner>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct WriteInner {
    format: &'static str,
    kind: WriteErrorKind,
    path: Path,
}

/// What cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteErrorKind {
    /// The format has no bytes for it.
    NotRepresentable {
        /// What there is, with its number or name.
        what: Cow<'static, str>,
        /// What the format can hold.
        limit: Cow<'static, str>,
    },
    /// Columns do not fit each other.
    Inconsistent {
        /// What does not fit.
        what: Cow<'static, str>,
    },
    /// The result would be larger than the [`Limits`](crate::Limits) allow.
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much the result needs.
        requested: u64,
        /// How much it may.
        limit: u64,
    },
    /// The document holds more or fewer clips than the format does.
    ClipCount {
        /// How many the document holds.
        found: usize,
    },
}

impl WriteError {
    /// Makes an error without a place.
    pub fn new(format: &'static str, kind: WriteErrorKind) -> Self {
        Self(Box::new(WriteInner { format, kind, path: Path::default() }))
    }

    /// Makes a [`NotRepresentable`](WriteErrorKind::NotRepresentable) error without a place.
    pub fn not_representable(
        format: &'static str,
        what: impl Into<Cow<'static, str>>,
        limit: impl Into<Cow<'static, str>>,
    ) -> Self {
        let kind = WriteErrorKind::NotRepresentable { what: what.into(), limit: limit.into() };
        Self::new(format, kind)
    }

    /// Makes the error of keys that could not be baked.
    pub fn from_bake(format: &'static str, error: &BakeError) -> Self {
        let kind = match *error {
            BakeError::Limit { bytes, left, .. } => {
                WriteErrorKind::Limit { what: "bytes of baked keys", requested: bytes, limit: left }
            }
            BakeError::Keys { keys, .. } => WriteErrorKind::Limit {
                what: "baked keys",
                requested: keys,
                limit: keys.saturating_sub(1),
            },
            BakeError::Memory(error) => error.into(),
            _ => WriteErrorKind::NotRepresentable {
                what: "a track that must be baked".into(),
                limit: error.to_string().into(),
            },
        };
        Self::new(format, kind)
    }

    /// Returns the error with its place, unless it has one.
    #[must_use]
    pub fn at_path(mut self, path: Path) -> Self {
        if self.0.path.is_root() {
            self.0.path = path;
        }
        self
    }

    /// Returns the id of the format that was to be written.
    pub fn format(&self) -> &'static str {
        self.0.format
    }

    /// Returns what cannot be written.
    pub fn kind(&self) -> &WriteErrorKind {
        &self.0.kind
    }

    /// Returns the place in the structure of the file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }
}

fn out_of_memory(bytes: u64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{bytes} bytes of memory needed, the system has less")
}

impl fmt::Display for WriteErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotRepresentable { what, limit } => {
                write!(f, "{what} cannot be written: {limit}")
            }
            Self::Inconsistent { what } => f.write_str(what),
            Self::Limit { what: crate::memory::WHAT, requested, .. } => {
                out_of_memory(*requested, f)
            }
            Self::Limit { what, requested, limit } => {
                write!(f, "{requested} {what} needed, the limit leaves {limit}; {RAISE_DECODED}")
            }
            Self::ClipCount { found } => {
                write!(f, "one clip fits into a file, the document has {found}")
            }
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.0.format)?;
        if !self.0.path.is_root() {
            write!(f, "{}: ", self.0.path)?;
        }
        self.0.kind.fmt(f)
    }
}

impl core::error::Error for WriteError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_error_prints_place_numbers_and_position() {
        let kind = ReadErrorKind::UnexpectedEnd { needed: 1600, available: 12 };
        let error = ReadError::new(kind)
            .in_format("seanim")
            .at_path(Path::field("rotation"))
            .within("bones", 3)
            .at_position(Position::byte(0x1a4));
        assert_eq!(
            error.to_string(),
            "seanim: bones[3].rotation: need 1600 bytes, 12 left (at byte 0x1a4)"
        );
    }

    #[test]
    fn a_write_error_names_the_place_and_the_limit() {
        let error = WriteError::not_representable("seanim", "300 keys", "at most 255 fit")
            .at_path(Path::item("bones", 2).then("locations"));
        assert_eq!(
            error.to_string(),
            "seanim: bones[2].locations: 300 keys cannot be written: at most 255 fit"
        );
    }
}
