//! A track on its way into a file.

use crate::{Interpolations, Path, Segment, Text, Values};

/// A track on its way into a file.
#[derive(Clone, Debug, PartialEq)]
pub struct OutgoingTrack {
    /// The node; `None` is null.
    pub node: Option<Text>,
    /// The property; `None` is null.
    pub property: Option<Text>,
    /// The keys.
    pub keys: Keys,
    /// Where the track stands in the document.
    pub path: Path,
}

impl OutgoingTrack {
    /// Says whether this is the track of the markers.
    pub fn is_markers(&self) -> bool {
        matches!(self.path.segments(), [Segment::Field("markers")])
    }
}

/// Keys on their way into a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Keys {
    /// Values at a fixed interval.
    Raw {
        /// Seconds between two keys.
        interval: f32,
        /// The values.
        values: Values,
    },
    /// Values that hold until the next one.
    Discrete {
        /// Seconds; not before 0.
        times: Vec<f32>,
        /// The values.
        values: Values,
    },
    /// Keys that lead to the next one, each in its own way.
    Curve {
        /// Seconds; not before 0.
        times: Vec<f32>,
        /// The values.
        values: Values,
        /// How each key leads to the next.
        interpolation: Interpolations,
        /// The left and right tangents of all keys, of the kind of the values.
        tangents: Option<(Values, Values)>,
    },
}

impl Keys {
    /// Returns the values.
    pub const fn values(&self) -> &Values {
        match self {
            Self::Raw { values, .. }
            | Self::Discrete { values, .. }
            | Self::Curve { values, .. } => values,
        }
    }
}
