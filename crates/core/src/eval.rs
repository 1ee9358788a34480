//! How engines evaluate tracks between keys.

use crate::{TrackData, Value};

/// The rules by which an engine evaluates a track.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Evaluator {
    /// Resonite (AnimX, AnimJ).
    Resonite,
    /// Linear between keys in f64, as SEAnim programs do.
    Linear,
}

impl Evaluator {
    /// Returns the value of a track at a time in seconds; `None` for a track without keys.
    pub fn sample(self, data: &TrackData, time: f64) -> Option<Value> {
        let _ = (data, time);
        None
    }
}
