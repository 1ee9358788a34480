//! The fates of the features of a clip in glTF.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{KEYS, PLAYS, UNUSED};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("frame-rate", Kept),
    ("looping", Kept),
    ("blend-mode", Kept),
    ("node-blend-mode", Kept),
    ("unsorted-markers", Kept),
    ("non-finite-duration", PLAYS),
    ("no-property", Kept),
    ("matrices", Kept),
    ("wide-other-values", Kept),
    ("second-other-track", Kept),
    ("non-finite-interval", Becomes { what: "0", code: "convert/value-not-finite" }),
    ("non-finite-uniform-values", KEYS),
    ("non-finite-key-values", KEYS),
    ("unused-tangents", UNUSED),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
    ("keys-after-end", Dropped("convert/keys-after-end-cut")),
    ("second-track", Dropped("convert/second-track-dropped")),
    ("mixed-axis-blends", Dropped("convert/second-track-dropped")),
    ("empty-track", Elsewhere),
    ("zero-rotations", Dropped("convert/rotation-dropped")),
];

/// Returns whether the format can store a track.
pub(super) fn stores(track: &Track) -> bool {
    matches!(track.target().property, Property::Custom(_)) || !track.data().is_empty()
}
