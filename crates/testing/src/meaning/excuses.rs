//! The codes of findings that explain a difference which no stated error measures.
//!
//! Codes are compared whole. Those of formats are given by their ids, since this crate does not
//! depend on formats.

use inbetween_core::{Finding, codes};

/// The track has no keys in the result, or the result lacks it.
pub(super) const TRACK_LOST: &[&str] = &[
    codes::TRACK_DROPPED.id(),
    "animj/empty-track",
    "animx/empty-track",
    "cast/empty-track-dropped",
    "gltf/empty-track-dropped",
    "gltf/second-track-dropped",
    "x4-ani/empty-track-dropped",
    "x4-ani/second-track-dropped",
];

/// The track has another node or property in the result.
pub(super) const TRACK_RENAMED: &[&str] = &[
    codes::NULL_TEXT.id(),
    codes::NAME_RESERVED.id(),
    codes::COMPONENT_IN_NAME.id(),
    "cast/shape-node-dropped",
    "seanim/shape-node-dropped",
    "x4-ani/name-case-dropped",
];

/// Keys of the track are NaN, infinite or no valid rotation, and are dropped or play otherwise.
pub(super) const NOT_FINITE: &[&str] =
    &[codes::VALUE_NOT_FINITE.id(), codes::VALUE_UNDEFINED.id(), "gltf/rotation-invalid"];

/// A value is infinite in the result.
pub(super) const INFINITE: &[&str] =
    &[codes::VALUES_NARROWED.id(), codes::VALUE_NOT_FINITE.id(), "edit/out-of-range"];

/// Components of which the track is the first become one track.
pub(super) const JOINED: &[&str] =
    &[codes::COMPONENTS_JOINED.id(), codes::EULER_BAKED.id(), "cast/axes-filled"];

/// The track stores its values in another way.
pub(super) const STORED_OTHERWISE: &[&str] = &[
    codes::COMPONENTS_JOINED.id(),
    codes::EULER_BAKED.id(),
    codes::KIND_CHANGED.id(),
    codes::VALUES_NARROWED.id(),
    "cast/axes-filled",
    "cast/axes-regrouped",
    "cast/kind-narrowed",
    "gltf/kind-narrowed",
    "seanim/values-widened",
    "x4-ani/rotation-as-euler",
];

/// The track, or all tracks, blend in another way.
pub(super) const TRACK_BLEND: &[&str] = &[codes::BLEND_DROPPED.id(), "cast/blend-mode-dropped"];

/// The name of the clip is another one.
pub(super) const NAME: &[&str] =
    &[codes::NAME_DROPPED.id(), codes::CLIP_NAMED.id(), codes::CLIP_RENAMED.id()];

/// The clip no longer repeats.
pub(super) const LOOPING: &[&str] = &[codes::LOOPING_DROPPED.id()];

/// The clip states another blend mode.
pub(super) const BLEND: &[&str] =
    &[codes::BLEND_DROPPED.id(), "cast/blend-mode-dropped", "cast/blend-regrouped"];

/// Nodes have other blend modes of their own.
pub(super) const OVERRIDES: &[&str] = &[
    codes::BLEND_OVERRIDES_DROPPED.id(),
    "cast/override-dropped",
    "cast/overrides-regrouped",
    "seanim/modifiers-restated",
    "seanim/override-dropped",
];

/// The frame rate is another one.
pub(super) const RATE: &[&str] =
    &[codes::FRAME_RATE_DROPPED.id(), "cast/rate-rounded", "seanim/rate-rounded"];

/// Markers are lost or move.
pub(super) const MARKERS: &[&str] =
    &[codes::TIMES_SORTED.id(), codes::KEYS_OFF_GRID.id(), "x4-ani/markers-dropped"];

/// The duration is another one, or is rounded to a frame.
pub(super) const DURATION: &[&str] = &[codes::DURATION_CHANGED.id(), codes::TIMES_ROUNDED.id()];

/// The duration is longer.
pub(super) const LONGER_DURATION: &[&str] =
    &[codes::DURATION_CHANGED.id(), codes::TIMES_ROUNDED.id(), codes::DURATION_EXTENDED.id()];

/// Returns whether a finding has one of these codes.
pub(super) fn has_code(finding: &Finding, ids: &[&str]) -> bool {
    ids.contains(&finding.code.id())
}
