//! The codes of findings about Unity clips.

use inbetween_core::{Code, codes as shared, join_codes};

inbetween_core::codes! {
    /// The clip moves the muscles of a humanoid. Only Unity can turn them into bones, with the avatar
    /// of the model. They are kept as numbers, and other programs show no motion. Bake the clip onto the
    /// bones in Unity, and convert that clip.
    MUSCLES = "unity-anim/muscles", Warning, Observation;
    /// Several nodes have the same name below different parents. They keep their whole path as name, so
    /// that nothing mixes them up. Rename them if your target knows them by their names.
    PATHS_KEPT = "unity-anim/paths-kept", Info, Observation, [Edit("rename")];
    /// In Unity, a slash separates two objects: `a/b` is the object `b` below `a`. The track plays on that
    /// object, and reading the file gives its name. A node without a name below another one gets its path
    /// as name. Rename the node.
    NODE_RENAMED = "unity-anim/node-renamed", Warning, Loss, [Edit("rename")];
    /// Some tangents have weights, which no other format stores. Their curves are replaced by curves
    /// without weights, with more keys, within the stated error. No action is needed.
    WEIGHTS_FITTED = "unity-anim/weights-fitted", Info, Observation;
    /// Some tangents have weights, which no other format stores. The curves that replace them are off by
    /// the stated error, because keys are never closer than half a frame. Add keys in Unity where the
    /// curve is steep.
    WEIGHTS_COARSE = "unity-anim/weights-coarse", Warning, Loss;
    /// A slope is negative infinity. It is read as a value that holds until the next key; some versions
    /// of Unity may show the next value at once. Use a constant tangent instead.
    NEGATIVE_INFINITY = "unity-anim/negative-infinity", Info, Observation;
    /// Before the first key and after the last one, the curve is set to something else than to clamp. It
    /// is read as clamped. Add keys for what should play there.
    INFINITY_CLAMPED = "unity-anim/infinity-clamped", Warning, Loss;
    /// The file has rotations in a packed form, which cannot be read. Turn off the compression of the
    /// clip in Unity, and save it again.
    ROTATIONS_PACKED = "unity-anim/rotations-packed", Warning, Loss;
    /// Some of the four numbers of a rotation hold in a segment, and others move. The whole rotation
    /// holds there. Make all four constant, or none.
    ROTATION_PARTLY_HELD = "unity-anim/rotation-partly-held", Warning, Loss;
    /// Two rotations in a row have opposite signs. Unity does not take the shorter way, so the bone turns
    /// through unexpected directions. Use `EnsureQuaternionContinuity` in Unity.
    ROTATION_FLIPS = "unity-anim/rotation-flips", Warning, Observation;
    /// The clip plays forwards and backwards in turns, which the common model does not store. It repeats
    /// forwards. Add the keys of the way back.
    PING_PONG = "unity-anim/ping-pong", Warning, Loss;
    /// The clip has a reference pose for playing additively. It is not read, and the values stay as they
    /// are. No action is needed if the clip does not play additively.
    ADDITIVE = "unity-anim/additive-reference", Warning, Observation;
    /// An edit changed the times or the names of the events of a clip. They are written again from the
    /// markers, which have no parameters. Add the parameters in Unity.
    EVENT_PARAMETERS = "unity-anim/event-parameters", Warning, Loss;
    /// The clip plays from a later time than 0. Its keys are moved so that it starts at 0. No action is
    /// needed.
    STARTS_LATER = "unity-anim/starts-later", Info, Observation;
    /// Only the lists for the editor have a curve. Unity plays the other lists, but rebuilds them from
    /// these; the curve is read, unless it is one number of a rotation. Save the clip in Unity again.
    ONLY_IN_EDITOR = "unity-anim/only-in-editor", Warning, Observation;
    /// The list for the editor has other values than the list that plays. What plays is read. Save the
    /// clip in Unity again.
    EDITOR_DIFFERS = "unity-anim/editor-differs", Warning, Observation;
    /// Unity decodes letters beyond ASCII in double quotes only, and reads others as several wrong
    /// letters. Write the name in double quotes, with escapes such as `\u00e9`.
    LETTERS_UNQUOTED = "unity-anim/letters-unquoted", Warning, Observation;
    /// Unity interpolates the four numbers of a rotation, and not the angle. Curves with the same motion
    /// replace linear segments, within the stated error. No action is needed.
    SLERPS_AS_CURVES = "unity-anim/slerps-as-curves", Info, Observation;
    /// The clip has no frame rate, and Unity needs one for the grid of its editor. 60 frames per second are
    /// written; the times of keys are unchanged. No action is needed.
    SAMPLE_RATE_DEFAULT = "unity-anim/sample-rate-default", Info, Observation, [Option("fps")];
    /// Euler angles turn the other way about some axes. Their signs change, and the rotation is the same. No
    /// action is needed.
    ROTATION_AS_EULER = "unity-anim/rotation-as-euler", Info, Observation;
    /// Some events are after the end of the clip, where Unity never calls them. They are left out; an edit
    /// of the clip keeps them. No action is needed.
    EVENTS_AFTER_END = "unity-anim/events-after-end", Info, Observation;
    /// The file has no clip. Check whether it is the right file.
    NO_CLIPS = "unity-anim/no-clips", Warning, Observation;
}

const SHARED: [Code; 34] = [
    shared::DURATION_CHANGED,
    shared::EMPTY_TRACKS_DROPPED,
    shared::NULL_TEXT,
    shared::ROTATION_DROPPED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::TANGENTS_DROPPED,
    shared::ERROR_NOT_MEASURED,
    shared::PART_SKIPPED,
    shared::FRAME_RATE_REPLACED,
    shared::TIMES_SORTED,
    shared::DUPLICATE_TRACK,
    shared::SCENE_DROPPED,
    shared::SCENE_LEFT_OUT,
    shared::SKELETON_DROPPED,
    shared::TRACK_DROPPED,
    shared::SECOND_TRACK_DROPPED,
    shared::KIND_NARROWED,
    shared::VALUES_NARROWED,
    shared::TIMES_ROUNDED,
    shared::RATE_ROUNDED,
    shared::VALUE_NOT_FINITE,
    shared::NEGATIVE_TIMES_CUT,
    shared::KEYS_TRANSLATED,
    shared::HANDLES_CONVERTED,
    shared::COMPONENTS_JOINED,
    shared::AXES_MISSING,
    shared::BOUND_EXCEEDED,
    shared::VALUE_UNDEFINED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::BLEND_DROPPED,
    shared::BLEND_OVERRIDES_DROPPED,
    shared::TRACKS_REORDERED,
];

/// Every code that checks and conversions of the format use.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = join_codes(ALL, &SHARED);
