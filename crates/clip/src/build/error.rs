//! Why a clip cannot be built.

use core::fmt;

use inbetween_core::{BakeError, Place, ReadError, Remedy};

/// Why a clip cannot be built.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// A bound is not a positive finite number.
    BadBound(BadBound),
    /// The bound of a track is smaller than what `f32` values can keep.
    Bound {
        /// The clip and the track.
        place: Box<Place>,
        /// The bound, in radians for rotations.
        bound: f64,
        /// The smallest error that was reached, in the same unit; infinite if it is unknown.
        error: f64,
    },
    /// A curve cannot be baked, for example because its keys exceed the limits.
    Bake {
        /// The clip and the track.
        place: Box<Place>,
        /// The reason.
        error: BakeError,
    },
    /// The columns of the clip exceed the limits.
    Limit(ReadError),
    /// A list or a name has more items than 32 bits can count.
    TooLarge,
}

/// A bound that is not a positive finite number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadBound {
    /// Which one: `translation`, `rotation`, `scale` or `curve`.
    pub name: &'static str,
    /// The number.
    pub bound: f64,
}

impl BuildError {
    /// Returns what the user can do about it. The message says the same in words.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::Bake { error, .. } => error.remedy(),
            Self::Limit(error) => error.remedy(),
            _ => None,
        }
    }

    /// Returns the error with the clip and the track that it is about.
    pub(super) fn at(mut self, here: Place) -> Self {
        if let Self::Bound { place, .. } | Self::Bake { place, .. } = &mut self {
            **place = here;
        }
        self
    }
}

impl From<BakeError> for BuildError {
    fn from(error: BakeError) -> Self {
        Self::Bake { place: Box::default(), error }
    }
}

impl From<ReadError> for BuildError {
    fn from(error: ReadError) -> Self {
        Self::Limit(error)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadBound(BadBound { name, bound }) => {
                write!(f, "the {name} bound is {bound}; expected a positive number such as 0.0001")
            }
            Self::Bound { place, bound, error } => write!(
                f,
                "{place}: off by {error:.3e} in 32-bit floats, more than the bound of {bound:.3e}; \
                 use a larger bound"
            ),
            Self::Bake { place, error } => write!(f, "{place}: {error}"),
            Self::Limit(error) => error.fmt(f),
            Self::TooLarge => f.write_str("a clip holds up to 4294967294 nodes, tracks and keys"),
        }
    }
}

impl core::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            Self::Bake { error, .. } => Some(error),
            Self::Limit(error) => Some(error),
            _ => None,
        }
    }
}
