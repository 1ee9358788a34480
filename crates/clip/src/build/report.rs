//! What building a clip did: sizes and errors.

use inbetween_core::num::f64_from_index;

use crate::clip::Encoding;

/// Sizes before and after, and the error of each track.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// The tracks of the clip, in its order.
    pub tracks: Vec<TrackReport>,
    /// Bytes of the clip as a file of its own.
    pub bytes_after: usize,
}

impl Report {
    /// Returns the bytes of the keys of the tracks that the clip keeps, with `f32` values and
    /// `f32` times.
    pub fn bytes_before(&self) -> usize {
        let times = self.tracks.iter().map(|track| track.source_keys * 4);
        self.values_before() + times.sum::<usize>()
    }

    /// Returns the bytes of the values of these tracks as `f32`.
    pub fn values_before(&self) -> usize {
        self.tracks.iter().map(|track| track.values_before).sum()
    }

    /// Returns the bytes of the values in the clip, with the ranges of half floats.
    pub fn values_after(&self) -> usize {
        self.tracks.iter().map(|track| track.values_after).sum()
    }

    /// Returns the share of tracks from 0 to 1 that need `f32` values, because the error of the
    /// smaller encoding exceeds the bound.
    pub fn fallback_share(&self) -> f64 {
        let full = self.tracks.iter().filter(|track| track.encoding == Encoding::Float).count();
        f64_from_index(full) / f64_from_index(self.tracks.len().max(1))
    }

    /// Returns the track whose error is the largest part of its bound; `None` without tracks.
    pub fn worst(&self) -> Option<&TrackReport> {
        let part = |track: &TrackReport| track.error / track.bound;
        self.tracks.iter().max_by(|a, b| part(a).total_cmp(&part(b)))
    }
}

/// What became of a track.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct TrackReport {
    /// The index of the track in the animation; of the first one, if several were joined.
    pub source: usize,
    /// The node, if it has a name.
    pub node: Option<String>,
    /// The property as [`Property::name`](inbetween_core::Property::name) spells it.
    pub property: String,
    /// How the values are stored.
    pub encoding: Encoding,
    /// The number of keys in the animation; of joined tracks, those of the longest.
    pub source_keys: usize,
    /// The number of keys in the clip.
    pub keys: usize,
    /// Bytes of the values in the animation as `f32`.
    pub values_before: usize,
    /// Bytes of the values in the clip.
    pub values_after: usize,
    /// An upper bound of how far the clip plays from the animation, in radians for rotations.
    pub error: f64,
    /// The requested bound, in the same unit.
    pub bound: f64,
}
