//! The codes of findings about X4 .ANI files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::KEYS_TRANSLATED,
    shared::CLIP_UNNAMED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENTS_JOINED,
    shared::CURVE_BAKED,
    shared::DURATION_EXTENDED,
    shared::FRAME_RATE_DROPPED,
    shared::KIND_CHANGED,
    shared::LOOPING_DROPPED,
    shared::NULL_TEXT,
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
    /// Padding is not 0. It is kept on rewriting.
    PADDING_NOT_ZERO = "x4-ani/padding-not-zero", Info, Observation;
    /// Bytes after the last key that nothing explains. They are kept on rewriting.
    TRAILING_BYTES = "x4-ani/trailing-bytes", Warning, Observation;
    /// Something is left over behind the NUL that ends a name. It is common and does no harm.
    NAME_GARBAGE = "x4-ani/name-garbage", Hint, Observation;
    /// A name fills its 64 bytes without the NUL that should end it; the game may read on into
    /// the next field. Shorten it to 63.
    NAME_NOT_TERMINATED = "x4-ani/name-not-terminated", Warning, Observation;
    /// A name is not UTF-8. It is shown as Latin-1; its bytes are kept on rewriting.
    NAME_ENCODING = "x4-ani/name-encoding", Info, Observation;
    /// A part or animation has no name, so nothing binds to the record.
    NAME_EMPTY = "x4-ani/name-empty", Warning, Observation;
    /// Two records are of the same part and animation; names are compared without case. The
    /// first one counts.
    DUPLICATE_RECORD = "x4-ani/duplicate-record", Warning, Observation;
    /// A record has no keys. That is normal.
    RECORD_EMPTY = "x4-ani/record-empty", Hint, Observation;
    /// A duration is negative or no finite number.
    DURATION_INVALID = "x4-ani/duration-invalid", Error, Observation;
    /// Keys are before 0 or after the duration. That is normal: they bracket the clip.
    TIME_OUTSIDE_DURATION = "x4-ani/time-outside-duration", Hint, Observation;
    /// Keys are not in the order of their times; the game searches them in file order.
    KEYS_UNSORTED = "x4-ani/keys-unsorted", Warning, Observation;
    /// Two keys of a group have the same time.
    DUPLICATE_TIME = "x4-ani/duplicate-time", Warning, Observation;
    /// The time of a key is NaN or infinite.
    KEY_TIME_NOT_FINITE = "x4-ani/time-not-finite", Error, Observation;
    /// A value or control point is NaN or infinite.
    VALUE_NOT_FINITE = "x4-ani/value-not-finite", Error, Observation;
    /// The game does not implement this interpolation and shows 0. Take 1 (step), 2 (linear) or
    /// 5 (bezier).
    TYPE_SHOWS_ZERO = "x4-ani/type-shows-zero", Warning, Observation;
    /// The game's rule for interpolation 6 and 7 is not known exactly; a Kochanek-Bartels spline
    /// stands in for it.
    APPROXIMATE = "x4-ani/approximate", Info, Observation;
    /// The last or only key of a group is of type 5, and the game shows the value of its CP1
    /// there, which is another than the value of the key. Other formats get what is shown.
    LAST_KEY_HANDLE = "x4-ani/last-key-handle", Info, Observation;
    /// A straight way begins at an angle of 2 pi, which the game takes for 0 there. Other formats
    /// get what is shown, but the way from 2 pi where the axes go different ways; write 0 to mean
    /// what the game shows.
    STARTS_AT_TWO_PI = "x4-ani/starts-at-two-pi", Info, Observation;
    /// Bytes 76 to 127 of a key are not 0: spline parameters and derivatives, which no known file
    /// has.
    KEY_EXTRA = "x4-ani/key-extra", Info, Observation;
    /// A key points to an angle key; the game may then expect another record of 128 bytes, which
    /// was never seen.
    ANGLE_KEY = "x4-ani/angle-key", Warning, Observation;
    /// There are pre-scale or post-scale keys, whose meaning is not known; the game may then
    /// expect another record of 128 bytes.
    PRE_POST_SCALE = "x4-ani/pre-post-scale", Warning, Observation;
    /// Pre-scale and post-scale keys differ, though one should undo the other.
    PRE_POST_DIFFER = "x4-ani/pre-post-differ", Warning, Observation;

    /// A component selects an animation that the file has no record of.
    SELECTOR_WITHOUT_RECORD = "x4-ani/selector-without-record", Warning, Observation;
    /// A record belongs to an animation that its part does not select, so the game never plays
    /// it.
    RECORD_WITHOUT_SELECTOR = "x4-ani/record-without-selector", Warning, Observation;
    /// A duration does not fit start and end of the animation in the component.
    DURATION_MISMATCH = "x4-ani/duration-mismatch", Warning, Observation;
    /// The component has no part of this name.
    PART_MISSING = "x4-ani/part-missing", Warning, Observation;

    /// Padding that is not 0 has no word in the common model.
    PADDING_DROPPED = "x4-ani/padding-dropped", Warning, Loss;
    /// Bytes after the last key have no word in the common model.
    TRAILING_DROPPED = "x4-ani/trailing-dropped", Warning, Loss;
    /// What is left over behind the NUL of a name has no word in the common model.
    NAME_GARBAGE_DROPPED = "x4-ani/name-garbage-dropped", Info, Loss;
    /// A name that is not UTF-8 was read as Latin-1 and is written as UTF-8.
    NAME_REENCODED = "x4-ani/name-reencoded", Warning, Loss;
    /// The same name is spelled with other capitals elsewhere; names are compared without case,
    /// so one spelling stands for all.
    NAME_CASE_DROPPED = "x4-ani/name-case-dropped", Warning, Loss;
    /// A second record of the same part and animation never plays and was dropped.
    DUPLICATE_DROPPED = "x4-ani/duplicate-dropped", Warning, Loss;
    /// The records of an animation state several durations; the clip has the longest.
    DURATIONS_JOINED = "x4-ani/durations-joined", Warning, Loss;
    /// Bytes 76 to 127 of a key have no word in the common model.
    KEY_EXTRA_DROPPED = "x4-ani/key-extra-dropped", Warning, Loss;
    /// The common model has no word for interpolations that show 0; their keys hold their values.
    TYPE_DROPPED = "x4-ani/type-dropped", Warning, Loss;
    /// The common model has no word for splines; they became the Bezier curves that stand for
    /// them.
    SPLINE_AS_BEZIER = "x4-ani/spline-as-bezier", Warning, Loss;
    /// A control point is a NaN whose spare bits changed.
    NAN_CHANGED = "x4-ani/nan-changed", Info, Loss;

    /// A clip without tracks has no record that could carry its name.
    CLIP_DROPPED = "x4-ani/clip-dropped", Warning, Loss;
    /// The format has no word for markers.
    MARKERS_DROPPED = "x4-ani/markers-dropped", Warning, Loss;
    /// A node has two tracks of the same property; the first one was taken.
    SECOND_TRACK_DROPPED = "x4-ani/second-track-dropped", Warning, Loss;
    /// A track without keys leaves nothing in a record that has other tracks.
    EMPTY_TRACK_DROPPED = "x4-ani/empty-track-dropped", Warning, Loss;
    /// Quaternions became Euler angles, in as many keys as straight lines between angles need.
    ROTATION_AS_EULER = "x4-ani/rotation-as-euler", Warning, Loss;
    /// A curve with tangents of values got the control points that make the same curve.
    TANGENTS_AS_HANDLES = "x4-ani/tangents-as-handles", Info, Observation;
}
