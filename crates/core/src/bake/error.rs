//! The errors of baking.

use core::fmt;

use crate::memory::OutOfMemory;
use crate::report::RAISE_LIMIT;
use crate::{KeysError, ReadErrorKind, Remedy, ValueKind, WriteError, WriteErrorKind, significant};

/// The reason why a time is too late for a file with frames.
pub(super) const LAST_FRAME: &str = "frames go up to 4294967295";

impl From<OutOfMemory> for BakeError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl From<KeysError> for BakeError {
    fn from(_: KeysError) -> Self {
        Self::Times
    }
}

/// The reason why a track cannot be baked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BakeError {
    /// The frame rate does not give frames finite, increasing times.
    Rate {
        /// Frames per second.
        rate: f64,
    },
    /// The keys would need more memory than the limits allow.
    Limit {
        /// The number of frames.
        frames: u64,
        /// The memory in bytes that they need.
        bytes: u64,
        /// The bytes left in the budget.
        left: u64,
    },
    /// The last key is beyond the last frame that `u32` can count.
    Frames {
        /// Frames per second.
        rate: f64,
        /// The time of the last key in seconds.
        end: f64,
    },
    /// The values are not Euler angles.
    NotEuler {
        /// Their kind.
        kind: ValueKind,
    },
    /// The values are not quaternions.
    NotRotation {
        /// Their kind.
        kind: ValueKind,
    },
    /// The error bound is not a positive finite number.
    Bound {
        /// The bound, in the unit of the values.
        bound: f64,
    },
    /// Values that hold cannot be baked within a bound.
    Held {
        /// Their kind.
        kind: ValueKind,
    },
    /// The system has less memory than the keys need.
    Memory(OutOfMemory),
    /// Times are not finite or not sorted.
    Times,
    /// The new keys need more memory than the limits allow.
    Keys {
        /// The number of keys, at least.
        keys: u64,
        /// The bytes that the budget had left for the last one.
        left: u64,
    },
}

impl BakeError {
    /// Returns what the user can do about it. The message says the same in words.
    pub const fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Limit { .. } | Self::Keys { .. } => Some(Remedy::RaiseLimit),
            _ => None,
        }
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { rate } => {
                write!(f, "expected a positive frame rate such as 30, found {rate}")
            }
            Self::Limit { frames, bytes, left } => write!(
                f,
                "{frames} frames need {bytes} bytes, the limit leaves {left}; use a lower frame \
                 rate or {RAISE_LIMIT}"
            ),
            Self::Frames { rate, end } => write!(
                f,
                "expected at most {} frames, found keys to {} s at {} frames per second; use a \
                 lower rate, or trim the clip first",
                u32::MAX,
                significant(*end),
                significant(*rate)
            ),
            Self::NotEuler { kind } => {
                write!(f, "expected angles of kind float3 or double3, found {kind}")
            }
            Self::NotRotation { kind } => {
                write!(f, "expected rotations of kind floatQ or doubleQ, found {kind}")
            }
            Self::Bound { bound } => {
                write!(f, "expected a positive bound of the error such as 0.0001, found {bound}")
            }
            Self::Memory(error) => ReadErrorKind::from(*error).fmt(f),
            Self::Held { kind } => {
                write!(f, "values of kind {kind} hold, so they are baked on frames only")
            }
            Self::Times => f.write_str("expected finite times in order"),
            Self::Keys { keys, left } => write!(
                f,
                "at least {keys} keys are needed, the limit leaves {left} bytes; use a larger bound, \
                 a lower frame rate, or {RAISE_LIMIT}"
            ),
        }
    }
}

impl core::error::Error for BakeError {}

impl From<BakeError> for WriteError {
    fn from(error: BakeError) -> Self {
        let kind = match error {
            BakeError::Limit { bytes, left, .. } => {
                WriteErrorKind::Limit { what: "bytes of baked keys", requested: bytes, limit: left }
            }
            BakeError::Keys { keys, .. } => WriteErrorKind::Limit {
                what: "baked keys",
                requested: keys,
                limit: keys.saturating_sub(1),
            },
            BakeError::Memory(error) => error.into(),
            BakeError::Frames { rate, end } => WriteErrorKind::NotRepresentable {
                what: format!("a key at {} s at {rate} frames per second", significant(end)).into(),
                limit: LAST_FRAME.into(),
            },
            _ => WriteErrorKind::NotRepresentable {
                what: "a track that must be baked".into(),
                limit: error.to_string().into(),
            },
        };
        Self::new(kind)
    }
}
