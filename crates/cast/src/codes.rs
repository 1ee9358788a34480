//! The codes of findings about Cast files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::BOUND_EXCEEDED,
    shared::SCENE_DROPPED,
    shared::PART_SKIPPED,
    shared::DUPLICATE_BONE,
    shared::DUPLICATE_FRAME,
    shared::DUPLICATE_TRACK,
    shared::EMPTY_TRACK,
    shared::EMPTY_TRACKS_DROPPED,
    shared::FRAME_RATE_INVALID,
    shared::FRAME_RATE_REPLACED,
    shared::KEYS_UNSORTED,
    shared::KIND_NARROWED,
    shared::NAME_ENCODING,
    shared::NAME_REENCODED,
    shared::NUMBER_NOT_FINITE,
    shared::OVERRIDE_DROPPED,
    shared::RATE_ROUNDED,
    shared::ROTATION_NOT_UNIT,
    shared::SHAPE_NODE_DROPPED,
    shared::TRAILING_BYTES,
    shared::TRAILING_DROPPED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::KEYS_TRANSLATED,
    shared::KEYS_MERGED,
    shared::CURVE_BAKED,
    shared::DURATION_CHANGED,
    shared::DURATION_EXTENDED,
    shared::EULER_BAKED,
    shared::FRAME_RATE_DEFAULT,
    shared::FRAME_RATE_GUESSED,
    shared::KEYS_OFF_GRID,
    shared::NEGATIVE_TIMES_CUT,
    shared::NULL_TEXT,
    shared::RESAMPLED,
    shared::SHAPE_CHANGED,
    shared::TANGENTS_DROPPED,
    shared::TIMES_ROUNDED,
    shared::TIMES_SORTED,
    shared::TRACK_DROPPED,
    shared::VALUES_NARROWED,
];

inbetween_core::codes! {
    /// The size that a node states is not its actual size. Cast.NET refuses such a file; other
    /// programs read nodes by their counts, as this tool does. Remove `stated_size` in the text
    /// form to write the correct size.
    NODE_SIZE = "cast/node-size", Warning, Observation, [TextForm];
    /// The array length of a string is not 1. Most programs, including this tool, ignore the length
    /// and read one string; porter reads as many strings as it states. Set the array length to 1.
    STRING_ARRAY = "cast/string-array", Warning, Observation;
    /// The version is not 1, the only published one. The file is read as version 1, as in the
    /// official Python library. Set the version to 1 if the file follows that version.
    VERSION = "cast/version", Warning, Observation;
    /// The flags are not 0, as they are in all known files. tinycast refuses such a file; others
    /// ignore the flags. Set them to 0 unless your program needs them.
    FLAGS = "cast/flags", Warning, Observation;
    /// The specification does not name this node id. tinycast refuses such a file; others skip the
    /// node, and the text form keeps it. Check the spelling of the id.
    UNKNOWN_NODE = "cast/unknown-node", Info, Observation;
    /// A top-level node is not a root. Programs look for animations and models below nodes with the
    /// id `root`, so they find nothing in this one. Move it into a root.
    NOT_A_ROOT = "cast/not-a-root", Warning, Observation;
    /// A node has the same property more than once. The official Python library and this tool use
    /// the last one. Remove the others.
    DUPLICATE_PROPERTY = "cast/duplicate-property", Warning, Observation;
    /// The name of a property has an uppercase letter or a NUL byte. Programs search for lowercase
    /// names and do not find this one. Rename the property.
    PROPERTY_NAME = "cast/property-name", Warning, Observation;
    /// Two nodes of a root have the same hash. Properties refer to nodes by their hashes, so
    /// programs may find the wrong node. Give each node its own hash.
    DUPLICATE_HASH = "cast/duplicate-hash", Warning, Observation;
    /// The node lacks a property that the specification requires. Programs fail on it or skip the
    /// node. Add the property, or remove the node.
    MISSING_PROPERTY = "cast/missing-property", Error, Observation;
    /// The node has no name, or the curve has no mode, which several tools omit. Programs show no
    /// name and read the curve as absolute. No action is needed.
    MISSING_NAME = "cast/missing-name", Info, Observation;
    /// The specification does not allow values of this type for the property. Programs do not find
    /// them. Write the values with the correct type.
    PROPERTY_TYPE = "cast/property-type", Error, Observation;
    /// The mode is not absolute, relative or additive. Programs treat it differently; this tool
    /// reads the curve as absolute. Write one of the three.
    UNKNOWN_MODE = "cast/unknown-mode", Error, Observation;
    /// The specification does not name this property of a curve. Programs skip the curve. Write
    /// `rq`, `tx`, `ty`, `tz`, `sx`, `sy`, `sz`, `bs` or `vb`.
    UNKNOWN_CURVE = "cast/unknown-curve", Error, Observation;
    /// A curve has different numbers of frames and values. Blender aborts the import if values are
    /// missing; this tool reads the keys that have both. Make the numbers equal.
    KEY_COUNT = "cast/key-count", Error, Observation;
    /// A key is on a very high frame. Blender bakes every frame from 0 to the last key, which takes
    /// long here. Check whether the frame is intended.
    HUGE_FRAME = "cast/huge-frame", Warning, Observation;
    /// Maya does not support this frame rate. Its plugin uses the nearest supported rate, so the
    /// animation plays faster or slower there. If the rate is wrong, read the frames at the right
    /// one. If it is right, write the file at a rate such as 24, 25, 30, 50 or 60.
    FRAME_RATE_MAYA = "cast/frame-rate-maya", Info, Observation, [Option("from-fps"), Option("fps")];
    /// A relative or additive vector lacks an axis. Blender counts the rest pose twice for an axis
    /// without a curve if the others are relative. Write all three axes; converting the file does
    /// so.
    MISSING_AXIS = "cast/missing-axis", Warning, Observation;
    /// The axes of a vector have different modes. Blender uses the mode of the last axis for all
    /// three. Give all axes of the vector one mode, or resolve them.
    MIXED_AXIS_MODES = "cast/mixed-axis-modes", Warning, Observation, [Edit("resolve")];
    /// The animation has a mode override. With any override in a file, Blender reads the curves of
    /// every bone that is not below an override node as absolute. Convert the file to Cast, which
    /// gives the curves their own modes instead.
    CURVE_MODE_OVERRIDE = "cast/curve-mode-override", Warning, Observation;
    /// The curve is additive. Blender reads additive curves as relative ones and ignores their
    /// weight. Resolve them if the animation is for Blender.
    ADDITIVE_CURVE = "cast/additive-curve", Info, Observation, [Edit("resolve")];
    /// The bone has no local position or rotation. Blender aborts the import on such a bone. Add
    /// `lp` and `lr`; converting the file does so.
    BONE_WITHOUT_TRANSFORM = "cast/bone-without-transform", Warning, Observation;
    /// The parent of the bone does not exist, or the parents form a cycle. The bone is read without
    /// a parent; other programs may fail. Set `p` to the index of the parent among the bones of the
    /// skeleton, or to 4294967295 for none.
    BONE_PARENT = "cast/bone-parent", Error, Observation;

    /// The version is not 1 or the flags are not 0. The common model does not store them; version 1
    /// and flags 0 are written. No action is needed unless your program uses them.
    HEADER_DROPPED = "cast/header-dropped", Warning, Loss;
    /// The hashes are not numbered as by official programs. A new file has new hashes, and no
    /// converted data refers to the old ones. No action is needed.
    HASHES_DROPPED = "cast/hashes-dropped", Info, Observation;
    /// The specification does not name the node, or it is not in its place. The node and its
    /// descendants are dropped. Make changes in the text form to keep them.
    NODES_DROPPED = "cast/nodes-dropped", Warning, Loss, [TextForm];
    /// The common model does not store this property, or the node has it more than once and the
    /// last one is read. The property is dropped. Make changes in the text form to keep it.
    PROPERTIES_DROPPED = "cast/properties-dropped", Warning, Loss, [TextForm];
    /// The file states its author and software. The common model does not store them. If programs
    /// need the up axis, name it again.
    METADATA_DROPPED = "cast/metadata-dropped", Info, Observation, [Option("cast-up")];
    /// The metadata names another up axis than y. Values are converted unchanged, in the axes of
    /// the file. Remap the axes to change them: `x,z,-y` turns z up into y up.
    UP_AXIS = "cast/up-axis", Warning, Observation, [Option("axes")];
    /// The frames and values of the curve do not form keys, or the specification does not name the
    /// property of the curve. The curve is dropped. Correct the curve in the source file to keep
    /// it.
    CURVE_DROPPED = "cast/curve-dropped", Warning, Loss;
    /// The curve shows and hides a node. The common model does not store that, so the curve is
    /// dropped. Blender ignores such curves too. Hide the node in the engine.
    VISIBILITY_DROPPED = "cast/visibility-dropped", Warning, Loss;
    /// A curve has different numbers of frames and values. Only the keys that have both are read.
    /// Correct the curve in the source file to keep the others.
    KEYS_DROPPED = "cast/keys-dropped", Warning, Loss;
    /// An additive curve has a weight. The common model does not store it, so the curve is added in
    /// full. Blender ignores the weight too. Set the weight in the engine.
    WEIGHT_DROPPED = "cast/weight-dropped", Warning, Loss;
    /// The mode is unknown, or belongs to the weights of a blend shape, where Blender and Maya
    /// ignore it. The curve is read as absolute. Correct the mode in the source file.
    MODE_DROPPED = "cast/mode-dropped", Warning, Loss;
    /// Programs differ in which bones inherit a mode override: the node, its descendants, or both.
    /// The reader applies it to the node and, if the file has a skeleton, to the descendants; the
    /// writer gives it only to the curves of the node. If other bones should inherit it, resolve
    /// the modes with the rest pose first.
    OVERRIDE_SCOPE = "cast/override-scope", Info, Observation, [Edit("resolve")];
    /// Two bones have the same name. Curves name their bones, so only the first one is read. Rename
    /// the second one in the source file to keep it.
    DUPLICATE_BONE_DROPPED = "cast/duplicate-bone-dropped", Warning, Loss;
    /// The parent of a bone does not exist, is a dropped bone, or is a descendant of the bone. The
    /// bone is read without a parent. Correct the parent in the source file.
    BONE_PARENT_DROPPED = "cast/bone-parent-dropped", Warning, Loss;
    /// A position, rotation or scale of a bone is not finite or has the wrong type, or is relative
    /// to the model while that of its parent is not known. It is dropped from the rest pose, so
    /// filling adds no key from it, and resolving reports the bone. Correct it in the source file.
    REST_POSE_DROPPED = "cast/rest-pose-dropped", Warning, Loss;
    /// The position or rotation of a bone relative to the model contradicts those relative to the
    /// parents. Those relative to the parents are read. Correct the file if the others are right.
    WORLD_POSE_DROPPED = "cast/world-pose-dropped", Warning, Loss;

    /// A node has no keys, so no curve names it. The name is dropped. The option `cast-names` can
    /// list it in a skeleton of the animation.
    BONE_DROPPED = "cast/bone-dropped", Warning, Loss, [Option("cast-names")];
    /// A relative or additive translation or scale lacks an axis, for which Blender would count the
    /// rest pose twice. A curve without effect is added for the axis. No action is needed.
    AXES_FILLED = "cast/axes-filled", Info, Observation;
    /// Each axis is a separate curve. Axes of several tracks with the same frames are read back as
    /// one track of vectors. No action is needed.
    AXES_REGROUPED = "cast/axes-regrouped", Info, Observation;
    /// The clip states a blend mode that no curve shows: delta, which Cast does not name, or any
    /// other in a clip without curves. The curves get the modes that play the same, and the name of
    /// the mode is dropped. No action is needed unless a program needs that name.
    BLEND_MODE_DROPPED = "cast/blend-mode-dropped", Warning, Loss;
    /// Each curve has its own mode, and the clip states one for all of them. The mode read back is
    /// the one that most nodes fit, so every track blends as before. No action is needed.
    BLEND_REGROUPED = "cast/blend-regrouped", Info, Observation;
    /// Each curve has its own mode, and the clip states some for single nodes. The nodes with
    /// another mode are read back in the order of their tracks, so every track blends as before. No
    /// action is needed.
    OVERRIDES_REGROUPED = "cast/overrides-regrouped", Info, Observation;
    /// The file has one notification track per name. The order of several names on one frame is
    /// dropped. Move one of the markers to another frame if the order matters.
    MARKERS_REORDERED = "cast/markers-reordered", Warning, Loss;
    /// The file does not store a duration. The first track gets a key at the stated duration
    /// because the option `cast-end` requests it. No action is needed.
    CLOSING_KEY = "cast/closing-key", Info, Observation;
    /// The rest position, rotation or scale of a bone is not known or does not fit 32-bit floats,
    /// and Blender aborts on a bone without a position and rotation. The bone is written at 0, with
    /// the identity rotation and the scale 1. Give a complete rest pose in the source file.
    REST_POSE_FILLED = "cast/rest-pose-filled", Info, Observation;
}
