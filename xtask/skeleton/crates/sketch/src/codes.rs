//! The codes of findings about Sketch files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENTS_JOINED,
    shared::CURVE_BAKED,
    shared::DURATION_CHANGED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FRAME_RATE_DEFAULT,
    shared::FRAME_RATE_GUESSED,
    shared::KEYS_MERGED,
    shared::KEYS_OFF_GRID,
    shared::KEYS_TRANSLATED,
    shared::KIND_CHANGED,
    shared::LOOPING_DROPPED,
    shared::NAME_DROPPED,
    shared::NEGATIVE_TIMES_CUT,
    shared::NULL_TEXT,
    shared::SHAPE_CHANGED,
    shared::SKELETON_DROPPED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TRACK_DROPPED,
    shared::VALUES_NARROWED,
];

inbetween_core::codes! {
    /// The frame rate is not a positive number, so frames have no times. Correct the rate in the
    /// exporting program, or in the text form.
    FRAME_RATE = "sketch/frame-rate", Error, Observation;
    /// The reserved number of the header is not 0. `pack` keeps it, and conversions drop it. No
    /// action is needed.
    RESERVED = "sketch/reserved", Info, Observation;
    /// Keys are not sorted by frame. Programs that expect sorted keys play them wrong. Convert the
    /// file to Sketch again to sort them.
    KEYS_UNSORTED = "sketch/keys-unsorted", Warning, Observation;
    /// Unknown bytes follow the last track. `pack` keeps them, and conversions drop them. No action
    /// is needed.
    TRAILING_BYTES = "sketch/trailing-bytes", Warning, Observation;
    /// The reserved number of the header is not 0. The common model does not store it. Use `unpack`
    /// and `pack` for edits that keep it.
    RESERVED_DROPPED = "sketch/reserved-dropped", Warning, Loss;
    /// The frame rate is not a positive number. Another rate is used to compute key times. Correct
    /// the rate in the text form if the clip plays too fast or too slow.
    FRAME_RATE_REPLACED = "sketch/frame-rate-replaced", Warning, Loss;
    /// Unknown bytes follow the last track. The common model does not store them. Use `unpack` and
    /// `pack` for edits that keep them.
    TRAILING_DROPPED = "sketch/trailing-dropped", Warning, Loss;
    /// The format stores no markers. They are dropped. Keep them in a file of another format.
    MARKERS_DROPPED = "sketch/markers-dropped", Warning, Loss;
    /// The frame rate has more digits than the file stores. It is rounded to the nearest 32-bit
    /// float. No action is needed.
    RATE_ROUNDED = "sketch/rate-rounded", Info, Observation;
}
