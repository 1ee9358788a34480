//! The codes of findings about AnimX files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::SCENE_LEFT_OUT,
    shared::DUPLICATE_TRACK,
    shared::DURATION_INVALID,
    shared::EMPTY_TRACK,
    shared::INTERPOLATION_UNKNOWN,
    shared::INTERVAL_INVALID,
    shared::KEYS_UNSORTED,
    shared::KEY_AFTER_DURATION,
    shared::NAME_REENCODED,
    shared::NOT_UTF8,
    shared::NUMBER_NOT_FINITE,
    shared::ROTATION_NOT_UNIT,
    shared::TANGENT_MISSING,
    shared::TANGENT_UNUSABLE,
    shared::TIME_INVALID,
    shared::TIME_NEGATIVE,
    shared::TRAILING_BYTES,
    shared::TRAILING_DROPPED,
    shared::SKELETON_DROPPED,
    shared::VALUES_NARROWED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::BOUND_EXCEEDED,
    shared::KEYS_AFTER_END_CUT,
    shared::KEYS_TRANSLATED,
    shared::HANDLES_CONVERTED,
    shared::EMPTY_TRACKS_DROPPED,
    shared::CLIP_UNNAMED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENTS_JOINED,
    shared::COMPONENT_IN_NAME,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FRAME_RATE_DROPPED,
    shared::LOOPING_DROPPED,
    shared::MARKERS_MOVED,
    shared::NAME_RESERVED,
    shared::NEGATIVE_TIMES_CUT,
    shared::NULL_TEXT,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TIME_NOT_FINITE,
];

inbetween_core::codes! {
    /// The keys are plausible both with the value first and with the time first. The default order,
    /// value first, is used. If values and times look wrong, force the other order.
    LAYOUT_AMBIGUOUS = "animx/layout-ambiguous", Warning, Observation, [Option("animx-layout")];
    /// Neither key order gives plausible times. The order with fewer bad times is used. If values
    /// and times look wrong, force the other order.
    LAYOUT_DOUBTFUL = "animx/layout-doubtful", Warning, Observation, [Option("animx-layout")];
    /// The first keys of the tracks suggest one key order, and a full scan suggests the other. The
    /// result of the full scan is used. If values and times look wrong, force the other order.
    LAYOUT_DISAGREES = "animx/layout-disagrees", Warning, Observation, [Option("animx-layout")];
    /// AnimX files do not record whether Curve keys store the value or the time first, and these
    /// keys look as if they had the other order. The file is correct, but a reader that guesses
    /// will misread it. State the order when you read the file.
    LAYOUT_MISLEADS = "animx/layout-misleads", Warning, Observation, [Option("from-layout")];
    /// The file is version 0, of which no example is known. It is read as the Resonite wiki
    /// describes. Check the result by eye.
    VERSION_0 = "animx/version-0", Info, Observation;
    /// The header says LZMA, but the data is LZ4 chunks. It is read as LZ4; Resonite may refuse it.
    /// Convert the file to AnimX again to correct the header.
    LZMA_IS_LZ4 = "animx/lzma-is-lz4", Warning, Observation;
    /// The compressed size before the LZMA stream does not match the number of bytes that follow.
    /// The actual bytes are used. Convert the file to AnimX again to correct the size.
    COMPRESSED_SIZE = "animx/compressed-size", Warning, Observation;
    /// Bytes follow the end of the LZMA stream: an end marker or leftovers. Resonite writes none
    /// and is expected to ignore them. No action is needed.
    LZMA_TAIL = "animx/lzma-tail", Info, Observation;
    /// The flags of an LZ4 chunk have undocumented bits. They are ignored. No action is needed.
    LZ4_FLAGS = "animx/lz4-flags", Info, Observation;
    /// A count or length uses more bytes than it needs. It reads the same; the text form keeps the
    /// extra bytes. No action is needed.
    OVERLONG_LENGTH = "animx/overlong-length", Info, Observation;
    /// A `bool`, the flags of `bool2` to `bool4`, or the null byte of a string has unused bits set.
    /// Any value but 0 counts as true, so the file plays the same. No action is needed.
    BYTE_ABOVE_1 = "animx/byte-above-1", Info, Observation;
    /// The flags of a Curve track have undocumented bits. They are ignored; what Resonite does with
    /// them is not known. Convert the file to AnimX again to clear them.
    CURVE_FLAGS = "animx/curve-flags", Warning, Observation;

    /// Counts or lengths use more bytes than they need. They are written in their shortest form,
    /// and nothing else changes. Make changes in the text form to keep the bytes.
    OVERLONG_LENGTH_DROPPED = "animx/overlong-length-dropped", Info, Loss, [TextForm];
    /// A `bool` or null byte has unused bits set. The bits are cleared, and the file plays the
    /// same. Make changes in the text form to keep them.
    BYTE_NORMALIZED = "animx/byte-normalized", Info, Loss, [TextForm];
    /// The flags of a Curve track have undocumented bits. The common model cannot store them, so
    /// they are cleared. Make changes in the text form to keep them.
    CURVE_FLAGS_DROPPED = "animx/curve-flags-dropped", Warning, Loss, [TextForm];
    /// Keys have an unknown interpolation. They become Hold, which is how the engine plays them.
    /// Set the intended interpolation in the text form first.
    INTERPOLATION_HELD = "animx/interpolation-held", Warning, Loss, [TextForm];
}
