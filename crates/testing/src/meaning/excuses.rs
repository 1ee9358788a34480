//! The codes of findings that explain a difference which no stated error measures.
//!
//! Codes are compared whole. Those of one format are given by their names, with `*` for the format.

use inbetween_core::{Finding, codes};

/// The track has no keys in the result, or the result lacks it.
pub(super) const TRACK_LOST: &[&str] = &[
    codes::TRACK_DROPPED.id(),
    codes::EMPTY_TRACK.id(),
    codes::EMPTY_TRACKS_DROPPED.id(),
    codes::SECOND_TRACK_DROPPED.id(),
    "*/position-constant",
];

/// The track has another node or property in the result.
pub(super) const TRACK_RENAMED: &[&str] = &[
    codes::NULL_TEXT.id(),
    codes::NAME_RESERVED.id(),
    codes::COMPONENT_IN_NAME.id(),
    codes::SHAPE_NODE_DROPPED.id(),
    "*/name-case-dropped",
    "bvh/joint-renamed",
    "unity-anim/node-renamed",
];

/// Keys of the track are NaN, infinite or no valid rotation, and are dropped or play otherwise.
pub(super) const NOT_FINITE: &[&str] =
    &[codes::VALUE_NOT_FINITE.id(), codes::VALUE_UNDEFINED.id(), codes::ROTATION_DROPPED.id()];

/// The difference of the track has too many parts to be measured.
pub(super) const NOT_MEASURED: &[&str] = &[codes::ERROR_NOT_MEASURED.id()];

/// A value is infinite in the result.
pub(super) const INFINITE: &[&str] =
    &[codes::VALUE_UNDEFINED.id(), codes::VALUE_NOT_FINITE.id(), "edit/out-of-range"];

/// Components of which the track is the first become one track.
pub(super) const JOINED: &[&str] =
    &[codes::COMPONENTS_JOINED.id(), codes::EULER_BAKED.id(), "*/axes-filled"];

/// The track stores its values in another way.
pub(super) const STORED_OTHERWISE: &[&str] = &[
    codes::COMPONENTS_JOINED.id(),
    codes::EULER_BAKED.id(),
    codes::VALUES_NARROWED.id(),
    "*/axes-filled",
    "*/channels-filled",
    "*/axes-regrouped",
    codes::KIND_NARROWED.id(),
    "*/values-widened",
    "*/rotation-as-euler",
];

/// The track, or all tracks, blend in another way.
pub(super) const TRACK_BLEND: &[&str] = &[codes::BLEND_DROPPED.id(), "*/blend-mode-dropped"];

/// The name of the clip is another one.
pub(super) const NAME: &[&str] =
    &[codes::NAME_DROPPED.id(), codes::CLIP_NAMED.id(), codes::CLIP_RENAMED.id()];

/// The clip no longer repeats.
pub(super) const LOOPING: &[&str] = &[codes::LOOPING_DROPPED.id()];

/// The clip states another blend mode.
pub(super) const BLEND: &[&str] =
    &[codes::BLEND_DROPPED.id(), "*/blend-mode-dropped", "*/blend-regrouped"];

/// Nodes have other blend modes of their own.
pub(super) const OVERRIDES: &[&str] = &[
    codes::BLEND_OVERRIDES_DROPPED.id(),
    "*/modifiers-restated",
    codes::OVERRIDE_DROPPED.id(),
    "*/overrides-regrouped",
];

/// The frame rate is another one.
pub(super) const RATE: &[&str] = &[codes::FRAME_RATE_DROPPED.id(), codes::RATE_ROUNDED.id()];

/// Markers are lost, or move to frames.
pub(super) const MARKERS: &[&str] = &[codes::KEYS_OFF_GRID.id(), codes::MARKERS_DROPPED.id()];

/// Markers have another order.
pub(super) const REORDERED: &[&str] = &[codes::TIMES_SORTED.id(), "*/markers-reordered"];

/// The duration is another one, or is rounded to a frame.
pub(super) const DURATION: &[&str] = &[codes::DURATION_CHANGED.id(), codes::TIMES_ROUNDED.id()];

/// The duration is longer.
pub(super) const LONGER_DURATION: &[&str] =
    &[codes::DURATION_CHANGED.id(), codes::TIMES_ROUNDED.id(), codes::DURATION_EXTENDED.id()];

/// Returns whether a finding has one of these codes.
pub(super) fn has_code(finding: &Finding, ids: &[&str]) -> bool {
    let id = finding.code.id();
    ids.iter().any(|allowed| match allowed.strip_prefix("*/") {
        Some(name) => id.split_once('/').is_some_and(|(_, of_format)| of_format == name),
        None => id == *allowed,
    })
}
