//! A track prepared for writing.

use crate::{Interpolations, Text, Values};

/// A track prepared for writing.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingTrack {
    /// The node; `None` is null.
    pub node: Option<Text>,
    /// The property; `None` is null.
    pub property: Option<Text>,
    /// The keys.
    pub keys: ResoniteKeys,
    /// Whether this is the track of the markers.
    pub is_markers: bool,
}

/// Keys prepared for writing. Their times are those of the document, which files store as `f32`.
#[derive(Clone, Debug, PartialEq)]
pub enum ResoniteKeys {
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
        times: Vec<f64>,
        /// The values.
        values: Values,
    },
    /// Keys with an interpolation to the next key each.
    Curve {
        /// Seconds; not before 0.
        times: Vec<f64>,
        /// The values.
        values: Values,
        /// The interpolations.
        interpolation: Interpolations,
        /// The left and right tangents of all keys, of the kind of the values.
        tangents: Option<(Values, Values)>,
    },
}

impl ResoniteKeys {
    /// Returns the values.
    pub const fn values(&self) -> &Values {
        match self {
            Self::Raw { values, .. }
            | Self::Discrete { values, .. }
            | Self::Curve { values, .. } => values,
        }
    }

    /// Returns the times in seconds; none for Raw keys.
    pub fn times(&self) -> &[f64] {
        match self {
            Self::Raw { .. } => &[],
            Self::Discrete { times, .. } | Self::Curve { times, .. } => times,
        }
    }
}
