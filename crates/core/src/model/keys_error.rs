//! The reasons why columns do not form keys.

use core::fmt;

use crate::{ValueKind, WriteError};

/// The reason why columns do not form a track.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeysError {
    /// A column is longer or shorter than the value column requires.
    Length {
        /// The name of the column.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The required length.
        keys: usize,
    },
    /// A time is NaN or infinite.
    TimeNotFinite {
        /// The key.
        index: usize,
    },
    /// A time is before that of the previous key.
    NotSorted {
        /// The key.
        index: usize,
    },
    /// The tangents have another kind than the values.
    TangentKind {
        /// The kind of the tangents.
        found: ValueKind,
        /// The kind of the values.
        values: ValueKind,
    },
    /// Handles exist only for single numbers and vectors of three.
    HandleKind {
        /// The kind of the values.
        values: ValueKind,
    },
}

impl fmt::Display for KeysError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { what, found, keys } => {
                write!(f, "need {keys} {what}, found {found}")
            }
            Self::TimeNotFinite { index } => write!(f, "the time of key {index} is not finite"),
            Self::NotSorted { index } => {
                write!(f, "key {index} is earlier than the key before it")
            }
            Self::TangentKind { found, values } => {
                write!(f, "tangents of kind {found} on values of kind {values}")
            }
            Self::HandleKind { values } => write!(f, "handles on values of kind {values}"),
        }
    }
}

impl core::error::Error for KeysError {}

impl From<KeysError> for WriteError {
    fn from(error: KeysError) -> Self {
        Self::inconsistent(error.to_string())
    }
}
