//! The fates of the features of a clip in files of Unity.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Becomes, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{KEYS, PLAYS, TRACK};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("frame-rate", Kept),
    ("looping", Kept),
    ("unsorted-markers", Kept),
    ("non-finite-duration", PLAYS),
    ("negative-duration", PLAYS),
    ("foreign-property", TRACK),
    ("euler-angles", Kept),
    ("zero-rotations", Dropped("convert/rotation-dropped")),
    ("non-finite-uniform-values", KEYS),
    ("non-finite-key-values", KEYS),
    ("unused-zero-tangents", Elsewhere),
    ("unused-tangents", Elsewhere),
    ("wide-values", Becomes { what: "f32", code: "convert/values-narrowed" }),
    ("second-track", Dropped("convert/second-track-dropped")),
    ("empty-track", Elsewhere),
];

/// Returns whether the format can store a track: a custom one with the name of a class and a member.
pub(super) fn stores(track: &Track) -> bool {
    let Property::Custom(name) = &track.target().property else { return true };
    let class = name.as_deref().and_then(|name| name.split(['.', '{']).next()).unwrap_or_default();
    let known = ["GameObject", "MeshRenderer", "MonoBehaviour", "Animator", "SpriteRenderer"];
    known.contains(&class) || class.strip_prefix("Class").is_some_and(|it| it.parse::<u32>().is_ok())
}
