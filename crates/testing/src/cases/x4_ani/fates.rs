//! The fates of the features of a clip in X4 .ANI.

use inbetween_core::{Property, Track, ValueKind};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{JOINED, TRACK, UNUSED};

/// Rotations become angles of the one order that is stored.
const ANGLES: Fate = Becomes { what: "Euler angles", code: "x4-ani/rotation-as-euler" };

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("empty-clip", Dropped("x4-ani/clip-dropped")),
    ("markers", Dropped("convert/markers-dropped")),
    ("unsorted-markers", Elsewhere),
    ("other-property", TRACK),
    ("shape-weight", TRACK),
    ("shape-node", Elsewhere),
    ("unused-tangents", UNUSED),
    ("handles", Kept),
    ("euler-angles", Kept),
    ("components", Kept),
    ("alike-components", JOINED),
    ("quaternions", ANGLES),
    ("other-euler-order", ANGLES),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
    ("negative-times", Kept),
    ("second-track", Dropped("convert/second-track-dropped")),
    ("empty-track", Elsewhere),
];

/// Returns whether the format can store a track.
pub(super) fn stores(track: &Track) -> bool {
    let (target, kind) = (track.target(), track.data().kind());
    let scale = matches!(&target.property, Property::Custom(Some(name)) if matches!(&**name, "PreScale" | "PostScale"));
    let scalar = matches!(kind, ValueKind::Float | ValueKind::Double) && target.component.is_some();
    let other = matches!(target.property, Property::Weight(_) | Property::Custom(_));
    (kind.is_vector3() || kind.is_quaternion() || scalar) && (scale || !other)
}
