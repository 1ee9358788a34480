//! The codes of findings about AnimJ files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::SHAPE_CHANGED,
    shared::VALUES_NARROWED,
    shared::SLERP_DIFFERS,
    shared::PLAYS_LONGER,
    shared::KEYS_TRANSLATED,
    shared::HANDLES_CONVERTED,
    shared::EMPTY_TRACKS_DROPPED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::COMPONENT_IN_NAME,
    shared::COMPONENTS_JOINED,
    shared::DURATION_CHANGED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FINDINGS_TRUNCATED,
    shared::FRAME_RATE_DROPPED,
    shared::LOOPING_DROPPED,
    shared::MARKERS_MOVED,
    shared::NAME_TAKEN,
    shared::NEGATIVE_TIMES_CUT,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TIME_NOT_FINITE,
    shared::TRACK_DROPPED,
    shared::VALUE_NOT_FINITE,
];

inbetween_core::codes! {
    /// From here on the file is not JSON, so the game refuses it and nothing after this
    /// place was checked.
    NOT_JSON = "animj/not-json", Error, Observation;
    /// The file is not UTF-8 text. Save it as UTF-8.
    NOT_UTF8 = "animj/not-utf8", Error, Observation;
    /// JSON knows `true`, `false` and `null`, in lower case; `True` is Python.
    LITERAL_CASE = "animj/literal-case", Error, Observation;
    /// JSON allows no comma behind the last item.
    TRAILING_COMMA = "animj/trailing-comma", Error, Observation;
    /// JSON has no comments.
    COMMENT = "animj/comment", Error, Observation;
    /// This is not a JSON number: no NaN, no Infinity, no `+1`, no `.5`, no leading zeros.
    NUMBER_SYNTAX = "animj/number-syntax", Error, Observation;
    /// The file begins with a byte order mark, which is not part of JSON. Save it without.
    BYTE_ORDER_MARK = "animj/byte-order-mark", Warning, Observation;

    /// The game reads a track only if its members are trackType, valueType and data, in this
    /// order.
    TRACK_MEMBER_ORDER = "animj/track-member-order", Error, Observation;
    /// A track needs a trackType, a valueType and data.
    TRACK_MEMBER_MISSING = "animj/track-member-missing", Error, Observation;
    /// The game refuses a track object with members beside trackType, valueType and data.
    TRACK_MEMBER_UNKNOWN = "animj/track-member-unknown", Error, Loss;
    /// The trackType is none of Raw, Discrete and Curve.
    TRACK_TYPE_UNKNOWN = "animj/track-type-unknown", Error, Observation;
    /// The game tells upper from lower case in trackType.
    TRACK_TYPE_CASE = "animj/track-type-case", Error, Observation;
    /// The game has no Bezier tracks. Write a Curve track whose keys have the interpolation
    /// CubicBezier.
    BEZIER_TRACK = "animj/bezier-track", Error, Observation;
    /// The valueType is none of the 40 types that tracks can have.
    VALUE_TYPE_UNKNOWN = "animj/value-type-unknown", Error, Observation;
    /// The game tells upper from lower case in valueType: `floatQ`, not `floatq`.
    VALUE_TYPE_CASE = "animj/value-type-case", Error, Observation;
    /// The game has this type, but no tracks of it.
    VALUE_TYPE_UNSUPPORTED = "animj/value-type-unsupported", Error, Observation;

    /// The game does not know a member of this name. It stays where it is when the file is
    /// written again.
    UNKNOWN_MEMBER = "animj/unknown-member", Info, Observation;
    /// A key or a value has no such member. Resonite ignores it, and conversions drop it.
    /// Rename it or remove it.
    MEMBER_DROPPED = "animj/member-dropped", Warning, Loss;
    /// A member is named in the wrong case. Names are case-sensitive, so Resonite ignores it
    /// and plays the default instead. `check --fix` corrects the case, unless the object has
    /// the member twice.
    MEMBER_CASE = "animj/member-case", Error, Observation;
    /// A member is given more than once. The last one counts; the others are not kept.
    DUPLICATE_MEMBER = "animj/duplicate-member", Warning, Loss;
    /// The file has no tracks, so there is nothing to play.
    NO_TRACKS = "animj/no-tracks", Warning, Observation;
    /// A track without keys is reported to crash the game.
    EMPTY_TRACK = "animj/empty-track", Warning, Observation;
    /// The track has neither node nor property, so it can only be found by its index.
    TRACK_UNNAMED = "animj/track-unnamed", Info, Observation;
    /// Two tracks have the same node and property; the game finds only one of them by name.
    DUPLICATE_TRACK = "animj/duplicate-track", Warning, Observation;
    /// A Raw track without interval has all its keys at 0.
    INTERVAL_MISSING = "animj/interval-missing", Warning, Observation;
    /// The interval of a Raw track is not above 0, so only its first key ever plays.
    INTERVAL_NOT_POSITIVE = "animj/interval-not-positive", Warning, Observation;

    /// The value is of another JSON type than its place needs.
    WRONG_TYPE = "animj/wrong-type", Error, Observation;
    /// The keys do not have the shape that trackType asks for: Raw keys are bare values,
    /// Discrete keys have time and value, and Curve keys may have interpolation and tangents
    /// as well. Resonite plays zeros or refuses the file, and it cannot be converted. Change
    /// trackType; `check --fix` does so if all keys of the track have the same shape and, to
    /// make it Raw, data has an interval.
    TRACK_TYPE_MISMATCH = "animj/track-type-mismatch", Error, Observation;
    /// An object has none of the members that its place needs: a value needs its components,
    /// a key needs time and value. Resonite ignores the others and plays zeros, so the file
    /// cannot be converted. Rename the members, or move the components of a key into its
    /// value.
    WRONG_MEMBERS = "animj/wrong-members", Error, Observation;
    /// Numbers, vectors and colours cannot be null.
    NULL_VALUE = "animj/null-value", Error, Observation;
    /// The number is out of the range of its type.
    NUMBER_RANGE = "animj/number-range", Error, Observation;
    /// The game reads integers without fraction and exponent only: `1`, not `1.0`.
    INTEGER_FRACTION = "animj/integer-fraction", Error, Observation;
    /// A component is missing; the game takes 0, and full opacity for the a of a colour.
    COMPONENT_MISSING = "animj/component-missing", Warning, Observation;
    /// The channels of a color32 are integers from 0 to 255. They were read as fractions of
    /// 255.
    COLOR32_FRACTIONS = "animj/color32-fractions", Error, Loss;
    /// The game reads every matrix in AnimJ as zero. Use AnimX for matrices.
    MATRIX = "animj/matrix", Error, Observation;
    /// The game knows the interpolations Hold, Linear, Tangent and CubicBezier, or 0 to 3.
    INTERPOLATION_UNKNOWN = "animj/interpolation-unknown", Error, Observation;

    /// A key without a time is at 0.
    TIME_MISSING = "animj/time-missing", Warning, Observation;
    /// A key without a value has the value zero, or null for text.
    VALUE_MISSING = "animj/value-missing", Warning, Observation;
    /// A quaternion key without a value is (0, 0, 0, 0), which is no rotation, not even none.
    QUATERNION_MISSING = "animj/quaternion-missing", Warning, Observation;
    /// A key of a Curve track without interpolation holds its value.
    INTERPOLATION_MISSING = "animj/interpolation-missing", Warning, Observation;
    /// A Tangent or CubicBezier segment needs the rightTangent of its first and the
    /// leftTangent of its second key. A missing one is zero.
    TANGENT_MISSING = "animj/tangent-missing", Warning, Observation;
    /// Values of this type have no tangents, so the game blends in another way.
    TANGENT_UNUSABLE = "animj/tangent-unusable", Warning, Observation;
    /// Keys are not in the order of their times. Resonite expects them in order, so the track
    /// may play wrongly; conversions sort them. `check --fix` sorts the keys in the file.
    TIMES_UNSORTED = "animj/times-unsorted", Warning, Observation;
    /// Two keys have the same time; the first one never shows for longer than an instant.
    TIMES_EQUAL = "animj/times-equal", Info, Observation;
    /// The game plays from 0 on and refuses keys before that.
    TIME_NEGATIVE = "animj/time-negative", Error, Observation;
    /// Rotations are quaternions of length 1.
    QUATERNION_LENGTH = "animj/quaternion-length", Warning, Observation;
    /// Keys come after globalDuration; the game plays on to the last one.
    KEY_AFTER_DURATION = "animj/key-after-duration", Info, Observation;

    /// Members that the game does not know have no place outside AnimJ.
    EXTRA_DROPPED = "animj/extra-dropped", Warning, Loss;
}
