//! The fates of the features of a clip in BVH.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{BAKED, GRID, KEYS, MERGED, PLAYS, TRACK, UNUSED};

/// Rotations become angles that turn about the axes.
const ANGLES: Fate = Becomes { what: "Euler angles", code: "bvh/rotation-as-euler" };

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("clip-name", Dropped("convert/name-dropped")),
    ("frame-rate", Kept),
    ("markers", Dropped("convert/markers-dropped")),
    ("unsorted-markers", Elsewhere),
    ("non-finite-duration", PLAYS),
    ("negative-duration", PLAYS),
    ("duration-off-grid", PLAYS),
    ("keys-off-grid", GRID),
    ("close-keys", MERGED),
    ("other-property", TRACK),
    ("shape-weight", TRACK),
    ("shape-node", Elsewhere),
    ("no-node", TRACK),
    ("non-finite-uniform-values", KEYS),
    ("non-finite-key-values", KEYS),
    ("curves", BAKED),
    ("unused-tangents", Elsewhere),
    ("handles", BAKED),
    ("unused-handles", UNUSED),
    ("euler-angles", Kept),
    ("quaternions", ANGLES),
    ("mirrored-angles", ANGLES),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
    ("scale", TRACK),
    ("empty-track", Elsewhere),
    ("second-track", Dropped("convert/second-track-dropped")),
];

/// Returns whether the format can store a track.
pub(super) const fn stores(track: &Track) -> bool {
    matches!(
        track.target().property,
        Property::Translation | Property::Rotation | Property::RotationEuler(_)
    )
}
