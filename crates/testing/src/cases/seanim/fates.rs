//! The fates of the features of a clip in SEAnim.

use inbetween_core::{Property, Track};

use crate::conversions::Fate::{self, Dropped, Elsewhere, Kept};
use crate::conversions::shared::{BAKED, BLEND, GRID, MERGED, PLAYS, TRACK, UNUSED};

/// The features whose fate differs from the usual one.
pub(super) const FATES: &[(&str, Fate)] = &[
    ("clip-name", Dropped("convert/name-dropped")),
    ("frame-rate", Kept),
    ("looping", Kept),
    ("blend-mode", Kept),
    ("mixed-blend-modes", BLEND),
    ("node-blend-mode", Elsewhere),
    ("node-blend-mode-with-tracks", Kept),
    ("node-blend-mode-without-tracks", Dropped("convert/override-dropped")),
    ("unsorted-markers", Kept),
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
    ("close-keys", MERGED),
];

/// Returns whether the format can store a track.
pub(super) const fn stores(track: &Track) -> bool {
    !matches!(track.target().property, Property::Custom(_))
}
