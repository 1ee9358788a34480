//! The fates of the features of a clip in Cast.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{BAKED, GRID, MERGED, PLAYS, TRACK, UNUSED};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("frame-rate", Kept),
    ("looping", Kept),
    ("blend-mode", Elsewhere),
    ("unusual-blend-mode", Dropped("cast/blend-mode-dropped")),
    ("unusual-node-blend-mode", Dropped("convert/override-dropped")),
    ("node-blend-mode", Elsewhere),
    ("node-blend-mode-without-tracks", Dropped("convert/override-dropped")),
    ("duration", Elsewhere),
    ("duration-after-keys", PLAYS),
    ("non-finite-duration", PLAYS),
    ("negative-duration", PLAYS),
    ("duration-off-grid", PLAYS),
    ("keys-off-grid", GRID),
    ("other-property", TRACK),
    ("shape-node", Dropped("convert/shape-node-dropped")),
    ("curves", BAKED),
    ("unused-tangents", UNUSED),
    ("handles", BAKED),
    ("unused-handles", UNUSED),
    ("components", Elsewhere),
    ("curved-components", BAKED),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
    ("node-without-keys", Dropped("cast/bone-dropped")),
    ("empty-track", Elsewhere),
    ("close-keys", MERGED),
];

/// Returns whether the format can store a track.
pub(super) fn stores(track: &Track) -> bool {
    !matches!(track.target().property, Property::Custom(_)) && !track.data().is_empty()
}
