//! The fates of the features of a clip in AnimJ.

use inbetween_core::Track;

use crate::conversions::Fate::{self, Becomes, Dropped, Kept};
use crate::conversions::shared::{KEYS, PLAYS, TRACK};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("non-finite-duration", PLAYS),
    ("no-node", Kept),
    ("no-property", Kept),
    ("matrices", TRACK),
    ("wide-other-values", Kept),
    ("second-other-track", Kept),
    ("non-finite-uniform-values", KEYS),
    ("non-finite-key-values", KEYS),
    ("non-finite-interval", Becomes { what: "0", code: "convert/value-not-finite" }),
    ("keys-after-end", Dropped("convert/keys-after-end-cut")),
];

/// Returns whether the format can store a track.
pub(super) fn stores(track: &Track) -> bool {
    !track.data().kind().is_matrix()
}
