//! Fates that several formats share.

use super::Fate::{self, Becomes, Dropped};

/// A null string becomes an empty one.
pub(crate) const NULL: Fate = Becomes { what: "\"\"", code: "convert/null-text" };
/// The track is dropped.
pub(crate) const TRACK: Fate = Dropped("convert/track-dropped");
/// Curves become linear keys.
pub(crate) const BAKED: Fate = Becomes { what: "linear keys", code: "convert/curve-baked" };
/// Handles become control points.
pub(crate) const POINTS: Fate =
    Becomes { what: "control points", code: "convert/handles-converted" };
/// Components become one track.
pub(crate) const JOINED: Fate = Becomes { what: "one track", code: "convert/components-joined" };
/// Euler angles become quaternions.
pub(crate) const QUATERNIONS: Fate = Becomes { what: "quaternions", code: "convert/euler-baked" };
/// Keys are sorted by time.
pub(crate) const SORTED: Fate = Becomes { what: "sorted", code: "convert/times-sorted" };
/// The clip is cut at 0.
pub(crate) const CUT: Fate = Becomes { what: "a key at 0", code: "convert/negative-times-cut" };
/// The duration becomes the one that plays.
pub(crate) const PLAYS: Fate =
    Becomes { what: "the played duration", code: "convert/duration-changed" };
/// Keys move to the nearest frame.
pub(crate) const GRID: Fate = Becomes { what: "the nearest frame", code: "convert/keys-off-grid" };
/// Keys that are closest to one frame become one.
pub(crate) const MERGED: Fate = Dropped("convert/keys-merged");
/// Unused tangents are dropped.
pub(crate) const UNUSED: Fate = Dropped("convert/tangents-dropped");
/// Keys that are NaN or infinite are dropped.
pub(crate) const KEYS: Fate = Becomes { what: "the other keys", code: "convert/value-not-finite" };
/// The frame rate is dropped.
pub(crate) const RATE: Fate = Dropped("convert/frame-rate-dropped");
/// Looping is dropped.
pub(crate) const LOOP: Fate = Dropped("convert/looping-dropped");
/// The blend mode is dropped.
pub(crate) const BLEND: Fate = Dropped("convert/blend-dropped");
/// The blend overrides are dropped.
pub(crate) const OVERRIDES: Fate = Dropped("convert/blend-overrides-dropped");
