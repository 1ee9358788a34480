//! Why bytes are not clips.

use core::fmt;

use crate::layout::VERSION;

/// Why bytes are not clips, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub(crate) kind: LoadErrorKind,
    pub(crate) offset: usize,
}

impl LoadError {
    /// Returns what is wrong.
    pub const fn kind(&self) -> LoadErrorKind {
        self.kind
    }

    /// Returns the offset of the byte at which loading stopped.
    pub const fn offset(&self) -> usize {
        self.offset
    }
}

/// What is wrong with bytes that are not clips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadErrorKind {
    /// The magic number is missing.
    Magic,
    /// The file has another version.
    Version(u16),
    /// The file ends before what it must hold.
    End {
        /// The number of bytes that must follow the offset of the error.
        needed: usize,
    },
    /// A field does not have an allowed value.
    Invalid {
        /// The allowed values.
        expected: &'static str,
    },
}

impl fmt::Display for LoadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Magic => f.write_str("not a playback clip"),
            Self::Version(version) => {
                write!(f, "version {version}; this program reads version {VERSION}")
            }
            Self::End { .. } => f.write_str("the file ends too early"),
            Self::Invalid { expected } => write!(f, "expected {expected}"),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at byte {:#x})", self.kind, self.offset)
    }
}

impl core::error::Error for LoadError {}
