//! The codes of findings about AnimX files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
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
    /// value first, is used. If values and times look wrong, force the other order with
    /// `--animx-layout`.
    LAYOUT_AMBIGUOUS = "animx/layout-ambiguous", Warning, Observation;
    /// Neither key order gives plausible times. The order with fewer bad times is used. If values
    /// and times look wrong, force the other order with `--animx-layout`.
    LAYOUT_DOUBTFUL = "animx/layout-doubtful", Warning, Observation;
    /// The first keys of the tracks suggest one key order, and a full scan suggests the other. The
    /// result of the full scan is used. If values and times look wrong, force the other order with
    /// `--animx-layout`.
    LAYOUT_DISAGREES = "animx/layout-disagrees", Warning, Observation;
    /// AnimX files do not record whether Curve keys store the value or the time first, and these
    /// keys look as if they had the other order. The file is correct, but a reader that guesses
    /// will misread it. Read it with `--from-layout`.
    LAYOUT_MISLEADS = "animx/layout-misleads", Warning, Observation;
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
    /// Unexplained bytes follow the last track. They play no role; `pack` keeps them, and
    /// conversions drop them. No action is needed.
    TRAILING_BYTES = "animx/trailing-bytes", Warning, Observation;
    /// A count or length uses more bytes than it needs. It reads the same; `pack` keeps the extra
    /// bytes. No action is needed.
    OVERLONG_LENGTH = "animx/overlong-length", Info, Observation;
    /// A string is not valid UTF-8. Resonite may refuse it or show replacement characters. Correct
    /// it in the text form.
    NOT_UTF8 = "animx/not-utf8", Error, Observation;
    /// The duration of the file is negative, NaN or infinite. The clip plays until its last key.
    /// Correct the duration in the text form.
    DURATION_INVALID = "animx/duration-invalid", Warning, Observation;
    /// A track has no keys. Resonite is reported to crash on tracks without keys. Convert the file
    /// with `--empty-tracks drop`.
    EMPTY_TRACK = "animx/empty-track", Warning, Observation;
    /// Two tracks have the same node and property. Resonite finds only one of them by name. Remove
    /// one with `edit --drop`, or rename its node.
    DUPLICATE_TRACK = "animx/duplicate-track", Warning, Observation;
    /// The interval of a Raw track is not positive. Only its first key ever plays. Set a positive
    /// interval in the text form.
    INTERVAL_INVALID = "animx/interval-invalid", Warning, Observation;
    /// Keys are not sorted by time. Resonite expects sorted keys and may play them wrong. Convert
    /// the file to AnimX again to sort them.
    TIMES_UNSORTED = "animx/times-unsorted", Warning, Observation;
    /// A key is before time 0. Resonite refuses such keys. Cut them with `edit --trim 0:`, or move
    /// them with `edit --shift`.
    TIME_NEGATIVE = "animx/time-negative", Error, Observation;
    /// The time of a key is NaN or infinite. The key cannot play, and conversions drop it. Correct
    /// the time in the text form.
    TIME_NOT_FINITE = "animx/time-not-finite", Error, Observation;
    /// Keys come after the duration of the file. They are assumed to play, as in AnimJ. Trim the
    /// clip with `edit --trim` if they are not wanted.
    KEY_AFTER_DURATION = "animx/key-after-duration", Info, Observation;
    /// A value is NaN or infinite. The target property may become invalid in Resonite. Correct the
    /// value in the text form.
    VALUE_NOT_FINITE = "animx/value-not-finite", Warning, Observation;
    /// A rotation is not normalized. Resonite may play a wrong rotation. Normalize it in the
    /// exporting program.
    QUATERNION_LENGTH = "animx/quaternion-length", Warning, Observation;
    /// A `bool`, the flags of `bool2` to `bool4`, or the null byte of a string has unused bits set.
    /// Any value but 0 counts as true, so the file plays the same. No action is needed.
    BYTE_ABOVE_1 = "animx/byte-above-1", Info, Observation;
    /// The flags of a Curve track have undocumented bits. They are ignored; what Resonite does with
    /// them is not known. Convert the file to AnimX again to clear them.
    CURVE_FLAGS = "animx/curve-flags", Warning, Observation;
    /// An interpolation is not 0 to 3 (Hold, Linear, Tangent, CubicBezier). The key holds its
    /// value. Set a known interpolation in the text form.
    INTERPOLATION_UNKNOWN = "animx/interpolation-unknown", Error, Observation;
    /// A segment is Tangent or CubicBezier, but its track has no tangents. They count as zero. Add
    /// tangents or use Linear in the text form.
    TANGENT_MISSING = "animx/tangent-missing", Warning, Observation;
    /// A segment is Tangent or CubicBezier, but values of this type have no tangents. Resonite
    /// interpolates it linearly, or holds values that cannot be interpolated. Use Linear or Hold
    /// instead.
    TANGENT_UNUSABLE = "animx/tangent-unusable", Warning, Observation;

    /// Unexplained bytes follow the last track. The common model cannot store them, so they are
    /// dropped. Use `unpack` and `pack` to keep them.
    TRAILING_DROPPED = "animx/trailing-dropped", Warning, Loss;
    /// Counts or lengths use more bytes than they need. They are written in their shortest form,
    /// and nothing else changes. Use `unpack` and `pack` to keep the bytes.
    OVERLONG_LENGTH_DROPPED = "animx/overlong-length-dropped", Info, Loss;
    /// A string is not valid UTF-8. Its invalid parts are replaced by U+FFFD. Correct the string in
    /// the text form first.
    TEXT_REPLACED = "animx/text-replaced", Warning, Loss;
    /// A `bool` or null byte has unused bits set. The bits are cleared, and the file plays the
    /// same. Use `unpack` and `pack` to keep them.
    BYTE_NORMALIZED = "animx/byte-normalized", Info, Loss;
    /// The flags of a Curve track have undocumented bits. The common model cannot store them, so
    /// they are cleared. Use `unpack` and `pack` to keep them.
    CURVE_FLAGS_DROPPED = "animx/curve-flags-dropped", Warning, Loss;
    /// Keys have an unknown interpolation. They become Hold, which is how the engine plays them.
    /// Set the intended interpolation in the text form first.
    INTERPOLATION_HELD = "animx/interpolation-held", Warning, Loss;
}
