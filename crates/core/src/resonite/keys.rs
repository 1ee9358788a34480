//! A track prepared for writing.

use crate::{Interpolations, Path, Segment, Text, Values};

/// A track prepared for writing, with times of type `T`.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingTrack<T = f32> {
    /// The node; `None` is null.
    pub node: Option<Text>,
    /// The property; `None` is null.
    pub property: Option<Text>,
    /// The keys.
    pub keys: ResoniteKeys<T>,
    /// The index of the track in the document.
    pub path: Path,
}

impl<T> OutgoingTrack<T> {
    /// Returns whether this is the track of the markers.
    pub fn is_markers(&self) -> bool {
        matches!(self.path.segments(), [Segment::Field("markers")])
    }
}

/// Keys prepared for writing, with times of type `T`: `f32` as in files, or `f64` as in documents.
#[derive(Clone, Debug, PartialEq)]
pub enum ResoniteKeys<T = f32> {
    /// Values at a fixed interval.
    Raw {
        /// Seconds between two keys.
        interval: f32,
        /// The values.
        values: Values,
    },
    /// Values that each hold until the next.
    Discrete {
        /// Seconds; not before 0.
        times: Vec<T>,
        /// The values.
        values: Values,
    },
    /// Keys with an interpolation to the next key each.
    Curve {
        /// Seconds; not before 0.
        times: Vec<T>,
        /// The values.
        values: Values,
        /// The interpolations.
        interpolation: Interpolations,
        /// The left and right tangents of all keys, of the kind of the values.
        tangents: Option<(Values, Values)>,
    },
}

impl<T> ResoniteKeys<T> {
    /// Returns the values.
    pub const fn values(&self) -> &Values {
        match self {
            Self::Raw { values, .. }
            | Self::Discrete { values, .. }
            | Self::Curve { values, .. } => values,
        }
    }

    /// Returns the times in seconds; none for Raw keys.
    pub fn times(&self) -> &[T] {
        match self {
            Self::Raw { .. } => &[],
            Self::Discrete { times, .. } | Self::Curve { times, .. } => times,
        }
    }

    /// Returns the keys with the times that `convert` makes of theirs.
    ///
    /// # Errors
    ///
    /// Those of `convert`.
    pub(super) fn try_with_times<U, E>(
        self,
        convert: impl FnOnce(Vec<T>) -> Result<Vec<U>, E>,
    ) -> Result<ResoniteKeys<U>, E> {
        Ok(match self {
            Self::Raw { interval, values } => ResoniteKeys::Raw { interval, values },
            Self::Discrete { times, values } => {
                ResoniteKeys::Discrete { times: convert(times)?, values }
            }
            Self::Curve { times, values, interpolation, tangents } => {
                ResoniteKeys::Curve { times: convert(times)?, values, interpolation, tangents }
            }
        })
    }
}
