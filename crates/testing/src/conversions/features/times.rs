//! The times of keys, markers and clips.

use std::collections::BTreeSet;

use inbetween_core::{Animation, StatedDuration, Track};

use crate::conversions::ConvertedClip;

/// Returns the time of the last key or marker that the target can store.
pub(super) fn last_key(converted: &ConvertedClip<'_>) -> f64 {
    let keys = converted.tracks().filter_map(|track| track.data().end());
    keys.chain(converted.clip.markers.iter().map(|marker| marker.time)).fold(0.0, f64::max)
}

/// Returns the time at which playback ends, if the stated duration is exact.
pub(super) fn end(clip: &Animation) -> Option<f64> {
    let exact = clip.rules.stated_duration == StatedDuration::Exact;
    clip.duration.filter(|duration| exact && *duration > 0.0 && duration.is_finite())
}

/// Returns the names of the markers with their times in microseconds.
pub(super) fn markers(clip: &Animation) -> BTreeSet<(String, String)> {
    let micros = |time: f64| format!("{:.0}", time * 1e6);
    clip.markers.iter().map(|marker| (marker.name.to_string(), micros(marker.time))).collect()
}

pub(super) fn times(track: &Track) -> impl Iterator<Item = f64> {
    track.data().times()
}

/// Returns whether keys at different times are closest to the same frame.
pub(super) fn has_close_keys(track: &Track, rate: f64) -> bool {
    let mut pairs = times(track).zip(times(track).skip(1));
    pairs.any(|(one, next)| one != next && (one * rate).round() == (next * rate).round())
}
