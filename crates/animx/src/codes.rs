//! The codes of findings about AnimX files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::VALUES_NARROWED,
    shared::SLERP_DIFFERS,
    shared::PLAYS_LONGER,
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
    shared::NAME_TAKEN,
    shared::NEGATIVE_TIMES_CUT,
    shared::NULL_TEXT,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TIME_NOT_FINITE,
];

inbetween_core::codes! {
    /// The keys fit both orders of value and time, so the default was taken. If values and times
    /// look wrong, read the file with `--animx-layout`.
    LAYOUT_AMBIGUOUS = "animx/layout-ambiguous", Warning, Observation;
    /// Neither order of value and time gives times that a track can have; the one with fewer bad
    /// times was taken. Another can be forced with `--animx-layout`.
    LAYOUT_DOUBTFUL = "animx/layout-doubtful", Warning, Observation;
    /// The first keys of the tracks speak for one order of value and time, all keys for the
    /// other, which was taken.
    LAYOUT_DISAGREES = "animx/layout-disagrees", Warning, Observation;
    /// Nothing in a file says in which order value and time of Curve keys are, and these keys
    /// look as if they had the other one. The file is what it should be, but read it with
    /// `--from-layout`.
    LAYOUT_MISLEADS = "animx/layout-misleads", Warning, Observation;
    /// The file is of version 0, of which no example is known; it was read as the wiki tells.
    VERSION_0 = "animx/version-0", Info, Observation;
    /// The encoding says LZMA, but the section is made of LZ4 chunks.
    LZMA_IS_LZ4 = "animx/lzma-is-lz4", Warning, Observation;
    /// The compressed size in front of an LZMA stream is not that of the bytes that follow.
    COMPRESSED_SIZE = "animx/compressed-size", Warning, Observation;
    /// Bytes follow the last one that the LZMA stream needs: an end marker, or leftovers. The
    /// game writes none.
    LZMA_TAIL = "animx/lzma-tail", Info, Observation;
    /// Flags of an LZ4 chunk have bits that no text explains.
    LZ4_FLAGS = "animx/lz4-flags", Info, Observation;
    /// Bytes after the last track. They are kept on rewriting.
    TRAILING_BYTES = "animx/trailing-bytes", Warning, Observation;
    /// A count or a length takes more bytes than it needs. It is kept on rewriting.
    NUMBER_FORM = "animx/number-form", Info, Observation;
    /// Text is not UTF-8, which the game expects.
    NOT_UTF8 = "animx/not-utf8", Error, Observation;
    /// The duration of the file is negative or not a finite number.
    DURATION_INVALID = "animx/duration-invalid", Warning, Observation;
    /// A track without keys is reported to crash the game.
    EMPTY_TRACK = "animx/empty-track", Warning, Observation;
    /// Two tracks have the same node and property; the game finds only one of them by name.
    DUPLICATE_TRACK = "animx/duplicate-track", Warning, Observation;
    /// The interval of a Raw track is not above 0, so only its first key ever plays.
    INTERVAL_INVALID = "animx/interval-invalid", Warning, Observation;
    /// Keys are not in the order of their times.
    TIMES_UNSORTED = "animx/times-unsorted", Warning, Observation;
    /// The game plays from 0 on and refuses keys before that.
    TIME_NEGATIVE = "animx/time-negative", Error, Observation;
    /// The time of a key is NaN or infinite.
    TIME_NOT_FINITE = "animx/time-not-finite", Error, Observation;
    /// Keys come after the duration of the file.
    KEY_AFTER_DURATION = "animx/key-after-duration", Info, Observation;
    /// A value is NaN or infinite.
    VALUE_NOT_FINITE = "animx/value-not-finite", Warning, Observation;
    /// Rotations are quaternions of length 1.
    QUATERNION_LENGTH = "animx/quaternion-length", Warning, Observation;
    /// A `bool`, the flags of `bool2` to `bool4`, or the byte in front of a text has bits that it
    /// does not need. Any byte but 0 is true.
    BYTE_ABOVE_1 = "animx/byte-above-1", Info, Observation;
    /// The flags of a Curve track have bits that no text explains.
    CURVE_FLAGS = "animx/curve-flags", Warning, Observation;
    /// The interpolation is none of Hold, Linear, Tangent and CubicBezier (0 to 3).
    INTERPOLATION_UNKNOWN = "animx/interpolation-unknown", Error, Observation;
    /// A segment is Tangent or CubicBezier, but the track has no tangents; they count as zero.
    TANGENT_MISSING = "animx/tangent-missing", Warning, Observation;
    /// Values of this type have no tangents, so the game blends in another way.
    TANGENT_UNUSABLE = "animx/tangent-unusable", Warning, Observation;

    /// Bytes after the last track have no word in the common model.
    TRAILING_DROPPED = "animx/trailing-dropped", Warning, Loss;
    /// Counts and lengths that take more bytes than they need are written in their shortest form.
    NUMBER_FORM_DROPPED = "animx/number-form-dropped", Info, Loss;
    /// Parts of a text that are not UTF-8 became U+FFFD.
    TEXT_REPLACED = "animx/text-replaced", Warning, Loss;
    /// Bytes of truth values and nulls with bits that they do not need are written without them.
    BYTE_NORMALIZED = "animx/byte-normalized", Info, Loss;
    /// Flags of a Curve track that no text explains have no word in the common model.
    CURVE_FLAGS_DROPPED = "animx/curve-flags-dropped", Warning, Loss;
    /// Keys with an unknown interpolation hold their value, as the game evaluates them.
    INTERPOLATION_HELD = "animx/interpolation-held", Warning, Loss;
}
