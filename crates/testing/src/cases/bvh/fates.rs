//! The fates of the features of a clip in Bvh.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{BAKED, GRID, MERGED, PLAYS, TRACK, UNUSED};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("clip-name", Dropped("convert/name-dropped")),
    ("frame-rate", Kept),
    ("markers", Dropped("convert/markers-dropped")),
    ("unsorted-markers", Elsewhere),
    ("non-finite-duration", PLAYS),
    ("negative-duration", PLAYS),
    ("keys-off-grid", GRID),
    ("close-keys", MERGED),
    ("other-property", TRACK),
    ("shape-weight", TRACK),
    ("shape-node", Elsewhere),
    ("curves", BAKED),
    ("unused-tangents", UNUSED),
    ("handles", BAKED),
    ("unused-handles", UNUSED),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
];

/// Returns whether the format can store a track.
pub(super) const fn stores(track: &Track) -> bool {
    matches!(
        track.target().property,
        Property::Translation | Property::Rotation | Property::RotationEuler(_)
    )
}
