//! The codes of findings about X4 .ANI files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::SCENE_LEFT_OUT,
    shared::PART_SKIPPED,
    shared::DURATION_INVALID,
    shared::EMPTY_TRACKS_DROPPED,
    shared::KEYS_UNSORTED,
    shared::MARKERS_DROPPED,
    shared::NAME_ENCODING,
    shared::NAME_REENCODED,
    shared::NUMBER_NOT_FINITE,
    shared::RESERVED_DROPPED,
    shared::RESERVED_NOT_ZERO,
    shared::SECOND_TRACK_DROPPED,
    shared::TIMES_EQUAL,
    shared::TIME_INVALID,
    shared::TRAILING_BYTES,
    shared::TRAILING_DROPPED,
    shared::SKELETON_DROPPED,
    shared::KEYS_TRANSLATED,
    shared::CLIP_UNNAMED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENTS_JOINED,
    shared::CURVE_BAKED,
    shared::BOUND_EXCEEDED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::DURATION_EXTENDED,
    shared::FRAME_RATE_DROPPED,
    shared::KIND_NARROWED,
    shared::LOOPING_DROPPED,
    shared::NULL_TEXT,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::SHAPE_CHANGED,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TIME_NOT_FINITE,
    shared::TRACKS_REORDERED,
    shared::TRACK_DROPPED,
    shared::VALUES_NARROWED,
];

inbetween_core::codes! {
    /// Leftover bytes follow the NUL that ends a name. They are common and harmless. No action is
    /// needed.
    NAME_GARBAGE = "x4-ani/name-garbage", Hint, Observation;
    /// A name fills all 64 bytes without a NUL at the end. X4 may read on into the next field.
    /// Shorten the name to 63 bytes.
    NAME_NOT_TERMINATED = "x4-ani/name-not-terminated", Warning, Observation;
    /// A record has no part name or no animation name. No part binds to it, so it never plays. Set
    /// both names in the text form.
    NAME_EMPTY = "x4-ani/name-empty", Warning, Observation, [TextForm];
    /// Two records have the same part and animation; names are case-insensitive. X4 uses the first
    /// one. Remove or rename the other in the text form.
    DUPLICATE_RECORD = "x4-ani/duplicate-record", Warning, Observation, [TextForm];
    /// A record has no keys. This is normal: the part does not move. No action is needed.
    RECORD_EMPTY = "x4-ani/record-empty", Hint, Observation;
    /// Keys are before 0 or after the duration. This is normal: they bracket the clip. No action is
    /// needed.
    TIME_OUTSIDE_DURATION = "x4-ani/time-outside-duration", Hint, Observation;
    /// X4 does not implement this interpolation. It shows 0 until the next key. Use 1 (step), 2
    /// (linear) or 5 (bezier).
    TYPE_SHOWS_ZERO = "x4-ani/type-shows-zero", Warning, Observation;
    /// The exact formula of interpolations 6 and 7 is not known. A Kochanek-Bartels spline is used
    /// instead, so sampled values may differ from X4. Use 5 (bezier) for exact results.
    SPLINE_APPROXIMATED = "x4-ani/spline-approximated", Info, Observation;
    /// The last or only key of a group is of type 5, and its CP1 value differs from its own value.
    /// X4 shows the CP1 value there, and conversions to other formats keep what it shows. Set both
    /// to the same number if this is not intended.
    LAST_KEY_HANDLE = "x4-ani/last-key-handle", Info, Observation;
    /// A linear segment starts at an angle of exactly 2 pi. X4 interpolates this segment from 0
    /// instead of 2 pi, and conversions to other formats keep what it shows, except where the axes
    /// of a rotation use different interpolations. Write 0 for what X4 shows, or 6.283185 for a
    /// whole turn.
    STARTS_AT_TWO_PI = "x4-ani/starts-at-two-pi", Info, Observation;
    /// Bytes 76 to 127 of a key are not 0. They hold spline parameters and derivatives, which no
    /// known file uses. No action is needed.
    KEY_EXTRA = "x4-ani/key-extra", Info, Observation;
    /// A key points to an angle key. X4 may expect another record of 128 bytes, of which no example
    /// is known. Set `angle_key` to 0 in the text form if the part plays wrong.
    ANGLE_KEY = "x4-ani/angle-key", Warning, Observation, [TextForm];
    /// A record has pre-scale or post-scale keys, whose meaning is not known. X4 may expect another
    /// record of 128 bytes. Remove these keys in the text form if the part plays wrong.
    PRE_POST_SCALE = "x4-ani/pre-post-scale", Warning, Observation, [TextForm];
    /// The pre-scale and post-scale keys of a record differ, although one should undo the other.
    /// The part may be scaled permanently. Give both groups the same keys in the text form.
    PRE_POST_DIFFER = "x4-ani/pre-post-differ", Warning, Observation, [TextForm];

    /// A component selects an animation for which the file has no record. Nothing plays. Add a
    /// record, or remove the selector from the XML.
    SELECTOR_WITHOUT_RECORD = "x4-ani/selector-without-record", Warning, Observation;
    /// A record belongs to an animation that its part does not select. X4 never plays it. Add an
    /// `animation` element to the XML, or remove the record.
    RECORD_WITHOUT_SELECTOR = "x4-ani/record-without-selector", Warning, Observation;
    /// A duration does not match the start and end frames in the component. X4 may cut the
    /// animation or wait at its end. Change the duration, or `start` and `end` in the XML.
    DURATION_MISMATCH = "x4-ani/duration-mismatch", Warning, Observation;
    /// The component has no part of this name. The record never plays. Correct the name in the file
    /// or in the XML.
    PART_MISSING = "x4-ani/part-missing", Warning, Observation;

    /// Leftover bytes follow the NUL of a name. The common model cannot store them, so they are
    /// dropped; they have no effect in X4. Make changes in the text form to keep them.
    NAME_GARBAGE_DROPPED = "x4-ani/name-garbage-dropped", Info, Observation, [TextForm];
    /// The same name is spelled with different capitals in different records. X4 compares names
    /// case-insensitively, so one spelling is used for all. Make changes in the text form to keep
    /// the spellings.
    NAME_CASE_DROPPED = "x4-ani/name-case-dropped", Warning, Loss, [TextForm];
    /// A second record has the same part and animation. X4 never plays it, so it is dropped. Rename
    /// it in the text form to keep it.
    DUPLICATE_DROPPED = "x4-ani/duplicate-dropped", Warning, Loss, [TextForm];
    /// The records of one animation have different durations. The clip gets the longest. Give all
    /// records the same duration in the text form.
    DURATIONS_JOINED = "x4-ani/durations-joined", Warning, Loss, [TextForm];
    /// Bytes 76 to 127 of a key are not 0. The common model cannot store them, so they are dropped.
    /// Make changes in the text form to keep them.
    KEY_EXTRA_DROPPED = "x4-ani/key-extra-dropped", Warning, Loss, [TextForm];
    /// Keys have an interpolation that X4 shows as 0, which the common model does not support.
    /// These keys hold their values instead. Set a known interpolation in the text form first.
    TYPE_DROPPED = "x4-ani/type-dropped", Warning, Loss, [TextForm];
    /// Keys have spline interpolation (6 or 7), which the common model does not support. They
    /// become equivalent Bezier curves. No action is needed unless the exact spline parameters
    /// matter.
    SPLINE_AS_BEZIER = "x4-ani/spline-as-bezier", Info, Observation;
    /// A control point is NaN. Its payload bits change in conversion. Correct the number in the
    /// text form.
    NAN_CHANGED = "x4-ani/nan-changed", Info, Loss, [TextForm];

    /// The clip has no tracks, and X4 .ANI stores clip names only in records of tracks. The clip is
    /// dropped. Give it a track to keep it.
    CLIP_DROPPED = "x4-ani/clip-dropped", Warning, Loss;
    /// X4 .ANI stores rotations as Euler angles, and the track has quaternions. They are converted,
    /// with extra keys so that linear angles stay within the stated error. No action is needed.
    ROTATION_AS_EULER = "x4-ani/rotation-as-euler", Info, Observation;
    /// The track has tangents of values, and X4 .ANI stores control points. The curve gets the
    /// control points that make the same curve. No action is needed.
    TANGENTS_AS_HANDLES = "x4-ani/tangents-as-handles", Info, Observation;
}
