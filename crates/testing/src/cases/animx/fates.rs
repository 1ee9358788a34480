//! The fates of the features of a clip in AnimX.

use inbetween_core::Track;

use crate::conversions::Fate::{self, Dropped, Kept};
use crate::conversions::shared::{NULL};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("no-property", NULL),
    ("matrices", Kept),
    ("non-finite-interval", Kept),
    ("wide-other-values", Kept),
    ("second-other-track", Kept),
    ("unused-zero-tangents", Kept),
    ("keys-after-end", Dropped("convert/keys-after-end-cut")),
];

/// Returns whether the format can store a track.
pub(super) const fn stores(_: &Track) -> bool {
    true
}
