//! The codes of findings about AnimJ files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::SCENE_LEFT_OUT,
    shared::PART_SKIPPED,
    shared::DUPLICATE_TRACK,
    shared::EMPTY_TRACK,
    shared::INTERPOLATION_UNKNOWN,
    shared::INTERVAL_INVALID,
    shared::KEYS_UNSORTED,
    shared::KEY_AFTER_DURATION,
    shared::NOT_UTF8,
    shared::ROTATION_NOT_UNIT,
    shared::TANGENT_MISSING,
    shared::TANGENT_UNUSABLE,
    shared::TIMES_EQUAL,
    shared::TIME_NEGATIVE,
    shared::SKELETON_DROPPED,
    shared::SHAPE_CHANGED,
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
    shared::NAME_RESERVED,
    shared::NEGATIVE_TIMES_CUT,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TIME_NOT_FINITE,
    shared::TRACK_DROPPED,
    shared::VALUE_NOT_FINITE,
];

inbetween_core::codes! {
    /// The file is not valid JSON from this position on. Resonite refuses it, and the rest was not
    /// checked. Correct the syntax here, then check again.
    NOT_JSON = "animj/not-json", Error, Observation;
    /// A literal has the wrong case: JSON has `true`, `false` and `null`, while `True` is Python.
    /// Resonite refuses the file. It can be fixed automatically.
    LITERAL_CASE = "animj/literal-case", Error, Observation, [Fix];
    /// A comma follows the last item of an array or object, which JSON does not allow. Resonite
    /// refuses the file. The comma can be removed automatically.
    TRAILING_COMMA = "animj/trailing-comma", Error, Observation, [Fix];
    /// The file has a comment, which JSON does not allow. Resonite refuses the file. The comment
    /// can be removed automatically.
    COMMENT = "animj/comment", Error, Observation, [Fix];
    /// This is not a JSON number: `+1`, `.5`, `1.` and leading zeros are not allowed.
    /// Resonite refuses the file. Write an ordinary number; this can be fixed automatically if
    /// there is only one way.
    NUMBER_SYNTAX = "animj/number-syntax", Error, Observation, [Fix];
    /// The file begins with a byte order mark, which is not part of JSON. Whether Resonite accepts
    /// it is not known. It can be removed automatically.
    BYTE_ORDER_MARK = "animj/byte-order-mark", Warning, Observation, [Fix];

    /// A track does not have trackType, valueType and data in this order. Resonite refuses the
    /// file. The members can be reordered automatically.
    TRACK_MEMBER_ORDER = "animj/track-member-order", Error, Observation, [Fix];
    /// A track lacks trackType, valueType or data. Resonite refuses the file. Add the missing
    /// member.
    TRACK_MEMBER_MISSING = "animj/track-member-missing", Error, Observation;
    /// A track has a member other than trackType, valueType and data. Resonite refuses the file,
    /// and conversions drop the member. Remove it, or move it into data.
    TRACK_MEMBER_UNKNOWN = "animj/track-member-unknown", Error, Loss;
    /// trackType is not Raw, Discrete or Curve. Resonite refuses the file. Use one of these names.
    TRACK_TYPE_UNKNOWN = "animj/track-type-unknown", Error, Observation;
    /// trackType has the wrong case. Resonite compares it case-sensitively and refuses the file.
    /// The case can be fixed automatically.
    TRACK_TYPE_CASE = "animj/track-type-case", Error, Observation, [Fix];
    /// trackType is Bezier, which Resonite does not support. It refuses the file. Write a Curve
    /// track whose keys have the interpolation CubicBezier.
    BEZIER_TRACK = "animj/bezier-track", Error, Observation;
    /// valueType is not one of the 40 types of tracks. Resonite refuses the file. Use a supported
    /// type such as `float3` or `floatQ`.
    VALUE_TYPE_UNKNOWN = "animj/value-type-unknown", Error, Observation;
    /// valueType has the wrong case: it is `floatQ`, not `floatq`. Resonite compares it
    /// case-sensitively and refuses the file. The case can be fixed automatically.
    VALUE_TYPE_CASE = "animj/value-type-case", Error, Observation, [Fix];
    /// Resonite has this type, but no tracks of it. It refuses the file. Use a type that tracks
    /// support, such as `color` instead of `colorX`.
    VALUE_TYPE_UNSUPPORTED = "animj/value-type-unsupported", Error, Observation;

    /// Resonite does not know a member of this name. It ignores the member; automatic fixes keep
    /// it, and conversions drop it. Check the spelling, or remove it.
    UNKNOWN_MEMBER = "animj/unknown-member", Info, Observation;
    /// A key or value has a member that does not exist. Resonite ignores it, and conversions drop
    /// it. Rename or remove it.
    MEMBER_DROPPED = "animj/member-dropped", Warning, Loss;
    /// The name of a member has the wrong case. Names are case-sensitive, so Resonite ignores it
    /// and plays the default value. The case can be fixed automatically, unless the object then has
    /// the member twice.
    MEMBER_CASE = "animj/member-case", Error, Observation, [Fix];
    /// An object has the same member more than once. The last one counts, and the others are lost.
    /// Remove the duplicates.
    DUPLICATE_MEMBER = "animj/duplicate-member", Warning, Loss;
    /// The file has no tracks. Nothing plays. Add tracks, or check the spelling of `tracks`.
    NO_TRACKS = "animj/no-tracks", Warning, Observation;
    /// A track has neither node nor property. It can only be found by its index. Add both names if
    /// the track is to animate something.
    TRACK_UNNAMED = "animj/track-unnamed", Info, Observation;
    /// A Raw track has no interval. All of its keys are at time 0, so only the first one plays. Add
    /// `interval`, the time between keys in seconds.
    INTERVAL_MISSING = "animj/interval-missing", Warning, Observation;

    /// A value has the wrong JSON type. Resonite refuses the file. Write the type that the message
    /// names.
    WRONG_TYPE = "animj/wrong-type", Error, Observation;
    /// A number or a boolean is in quotes. Resonite refuses the file. The quotes can be removed
    /// automatically.
    QUOTED = "animj/quoted", Error, Observation, [Fix];
    /// A vector, quaternion or color is an array. Resonite refuses the file, because it needs an
    /// object such as `{"x": 1, "y": 2, "z": 3}`. It can be fixed automatically if the array has one
    /// number for each member. A quaternion may begin with x or with w, so it is fixed only if keys
    /// next to it that are objects fit one of these orders.
    VALUE_AS_ARRAY = "animj/value-as-array", Error, Observation, [Fix];
    /// trackType is a number. Resonite refuses the file. It can be fixed automatically: 0 is Raw, 1 is
    /// Discrete and 2 is Curve.
    TRACK_TYPE_NUMBER = "animj/track-type-number", Error, Observation, [Fix];
    /// A number is NaN or infinite, which JSON cannot store. Resonite refuses the file. Choose what
    /// takes its place: the number of the key before, 0, or nothing, which drops the key. Then it can
    /// be fixed automatically.
    NUMBER_NOT_FINITE = "animj/number-not-finite", Error, Observation, [Option("nan"), Fix];
    /// The keys do not have the form that trackType requires: Raw keys are bare values, Discrete
    /// keys have time and value, and Curve keys may also have interpolation and tangents. Resonite
    /// plays zeros or refuses the file, and it cannot be converted. Change trackType; this can be
    /// fixed automatically if all keys of the track have the same form and, for Raw, data has an
    /// interval.
    TRACK_TYPE_MISMATCH = "animj/track-type-mismatch", Error, Observation, [Fix];
    /// An object has none of the members that it needs: a value needs its components, a key needs
    /// time and value. Resonite plays zeros, and the file cannot be converted. Rename the members,
    /// or move the components of a key into its value.
    WRONG_MEMBERS = "animj/wrong-members", Error, Observation;
    /// A number, vector or color is null. Resonite refuses the file. Write a value.
    NULL_VALUE = "animj/null-value", Error, Observation;
    /// A number is out of the range of its type. Resonite refuses the file. Write a number within
    /// the range, or use a larger type.
    NUMBER_RANGE = "animj/number-range", Error, Observation;
    /// An integer has a fraction or an exponent. Resonite refuses `1.0` and reads only `1`. It can
    /// be fixed automatically if the value is an integer.
    INTEGER_FRACTION = "animj/integer-fraction", Error, Observation, [Fix];
    /// A component of a value is missing. Resonite uses 0, and full opacity for the `a` of a color.
    /// Add the component.
    COMPONENT_MISSING = "animj/component-missing", Warning, Observation;
    /// The channels of a color32 are fractions, but Resonite reads only integers from 0 to 255. It
    /// refuses the file; conversions read them as fractions of 255. Write integers, or use `color`.
    COLOR32_FRACTIONS = "animj/color32-fractions", Error, Loss;
    /// The track has matrices. Resonite reads every matrix in AnimJ as zero. Use AnimX for
    /// matrices.
    MATRIX = "animj/matrix", Error, Observation;

    /// A key has no time. It is at time 0. Add the time in seconds.
    TIME_MISSING = "animj/time-missing", Warning, Observation;
    /// A key has no value. Its value is zero, or null for a string. Add the value.
    VALUE_MISSING = "animj/value-missing", Warning, Observation;
    /// A quaternion key has no value. It is read as (0, 0, 0, 0), which is not a valid rotation.
    /// Add a value; the identity rotation is (0, 0, 0, 1).
    QUATERNION_MISSING = "animj/quaternion-missing", Warning, Observation;
    /// A key of a Curve track has no interpolation. It holds its value until the next key. Add
    /// `"interpolation": "Linear"` if the value should move.
    INTERPOLATION_MISSING = "animj/interpolation-missing", Warning, Observation;

    /// The file has members that Resonite does not know. Other formats cannot store them, so they
    /// are dropped. Edit the AnimJ file itself to keep them.
    EXTRA_DROPPED = "animj/extra-dropped", Warning, Loss;
}

/// The codes of mistakes in JSON.
pub(crate) static JSON: inbetween_core::json::JsonCodes = inbetween_core::json::JsonCodes {
    not_json: NOT_JSON,
    wrong_type: WRONG_TYPE,
    null_value: NULL_VALUE,
    number_syntax: NUMBER_SYNTAX,
    trailing_comma: TRAILING_COMMA,
    comment: COMMENT,
    quoted: QUOTED,
    literal_case: LITERAL_CASE,
};
