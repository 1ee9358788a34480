//! The codes of findings about Cast files.

use inbetween_core::{Code, codes as shared};

/// The codes of this crate and the shared ones that it uses.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = inbetween_core::join_codes(ALL, SHARED);

const SHARED: &[Code] = &[
    shared::BLEND_DROPPED,
    shared::SKELETON_DROPPED,
    shared::SLERP_DIFFERS,
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
    /// Cast.NET refuses the file; other programs read by the counts, as this tool does. Unpack and
    /// pack the file without `stated_size` to write the right size.
    NODE_SIZE = "cast/node-size", Warning, Observation;
    /// Most programs read one string whatever the count says, as this tool does; porter reads as
    /// many as it says. Set the array length of a string to 1.
    STRING_ARRAY = "cast/string-array", Warning, Observation;
    /// No known program writes or reads these bytes. They are kept on rewriting.
    TRAILING_BYTES = "cast/trailing-bytes", Warning, Observation;
    /// Only version 1 is published. The file is read as version 1, as the official Python library
    /// does; that library writes version 1 when it saves the file.
    VERSION = "cast/version", Warning, Observation;
    /// Flags are 0 in all known files, and tinycast refuses others. They are kept on rewriting.
    FLAGS = "cast/flags", Warning, Observation;
    /// The specification does not name this id, and tinycast refuses the file. The node is kept on
    /// rewriting.
    UNKNOWN_NODE = "cast/unknown-node", Info, Observation;
    /// Programs look for animations and models below nodes with the id root, so they find nothing
    /// in this one.
    NOT_A_ROOT = "cast/not-a-root", Warning, Observation;
    /// The official Python library keeps the last of the values, at the place of the first. This
    /// tool reads the last one too.
    DUPLICATE_PROPERTY = "cast/duplicate-property", Warning, Observation;
    /// Names of properties are lower case and hold no NUL byte, and programs look for them so.
    PROPERTY_NAME = "cast/property-name", Warning, Observation;
    /// Strings are UTF-8. This one is shown as Latin-1; its bytes are kept on rewriting.
    STRING_ENCODING = "cast/string-encoding", Info, Observation;
    /// Properties refer to nodes by their hashes, so two nodes of one root cannot share one.
    DUPLICATE_HASH = "cast/duplicate-hash", Warning, Observation;
    /// The node lacks a property that the specification requires. Programs fail on it or skip the
    /// node.
    MISSING_PROPERTY = "cast/missing-property", Error, Observation;
    /// Several tools write no name or mode. A curve without a mode is absolute.
    MISSING_NAME = "cast/missing-name", Info, Observation;
    /// The values are not of a type that the specification allows for this property, so programs
    /// do not find them.
    PROPERTY_TYPE = "cast/property-type", Error, Observation;
    /// The mode is none of absolute, relative and additive. Programs differ in what they make of
    /// it; this tool takes the curve as absolute.
    UNKNOWN_MODE = "cast/unknown-mode", Error, Observation;
    /// The specification names no such property of a curve, so programs skip the curve.
    UNKNOWN_CURVE = "cast/unknown-curve", Error, Observation;
    /// Blender aborts the import when there are fewer values than frames. This tool reads as many
    /// keys as there are of both.
    KEY_COUNT = "cast/key-count", Error, Observation;
    /// The Maya plugin writes the first frame of the range after all others. This tool sorts the
    /// keys when it converts the file.
    KEYS_UNSORTED = "cast/keys-unsorted", Info, Observation;
    /// Only the last key on a frame shows in Blender. Remove the others.
    DUPLICATE_FRAME = "cast/duplicate-frame", Warning, Observation;
    /// Only the last of the curves shows in Blender. Remove the others.
    DUPLICATE_CURVE = "cast/duplicate-curve", Warning, Observation;
    /// Blender reads an absolute curve without keys as 0. Remove the curve.
    EMPTY_CURVE = "cast/empty-curve", Warning, Observation;
    /// Blender bakes every frame from 0 to the last key, which takes long here. Check whether the
    /// frame is meant.
    HUGE_FRAME = "cast/huge-frame", Warning, Observation;
    /// Blender aborts the import, and frames have no times. Give a rate with `--fps`.
    FRAME_RATE = "cast/frame-rate", Error, Observation;
    /// Maya has no such rate and takes the nearest one that it has, so the animation plays faster or
    /// slower there. Write the file with a rate such as 24, 25, 30, 50 or 60.
    FRAME_RATE_MAYA = "cast/frame-rate-maya", Info, Observation;
    /// Blender counts the rest pose twice for an axis without a curve, if the others are relative.
    /// Write all three axes.
    MISSING_AXIS = "cast/missing-axis", Warning, Observation;
    /// Blender takes the mode of the last axis for all three. Give all axes of a bone one mode.
    MIXED_AXIS_MODES = "cast/mixed-axis-modes", Warning, Observation;
    /// Where a file has an override, Blender reads the curves of every bone that is not below an
    /// override node as absolute. Give the curves their own modes instead.
    CURVE_MODE_OVERRIDE = "cast/curve-mode-override", Warning, Observation;
    /// Blender reads additive curves as relative ones, and ignores their weight.
    ADDITIVE_CURVE = "cast/additive-curve", Info, Observation;
    /// Blender aborts the import on a bone without a local position and rotation.
    BONE_WITHOUT_TRANSFORM = "cast/bone-without-transform", Warning, Observation;
    /// The parent of a bone is its index among the bones of the skeleton. The bone is read without
    /// a parent.
    BONE_PARENT = "cast/bone-parent", Error, Observation;
    /// Programs that do not normalize rotations scale the bone.
    ROTATION_NOT_UNIT = "cast/rotation-not-unit", Warning, Observation;
    /// Values must be numbers.
    VALUE_NOT_FINITE = "cast/value-not-finite", Error, Observation;

    /// The version is not 1 or the flags are not 0. The common model does not store them; version 1
    /// and flags 0 are written.
    HEADER_DROPPED = "cast/header-dropped", Warning, Loss;
    /// The common model does not store bytes after the last node.
    TRAILING_DROPPED = "cast/trailing-dropped", Warning, Loss;
    /// Hashes are not numbered as official programs do it. They are numbered anew; nothing that is
    /// converted refers to them.
    HASHES_DROPPED = "cast/hashes-dropped", Warning, Loss;
    /// The common model stores animations and nothing else of a scene, such as meshes and materials.
    NODES_DROPPED = "cast/nodes-dropped", Warning, Loss;
    /// The common model does not store this property, or the node has it twice and the last one was
    /// read.
    PROPERTIES_DROPPED = "cast/properties-dropped", Warning, Loss;
    /// The common model does not store who wrote a file and with what. Use `--cast-up` to write the
    /// up axis.
    METADATA_DROPPED = "cast/metadata-dropped", Warning, Loss;
    /// Values are converted as they are, in the axes of the file. Use `--axes` to change them, as in
    /// `--axes x,z,-y` from z up to y up.
    UP_AXIS = "cast/up-axis", Warning, Observation;
    /// The curve has no frames and values that make keys, or is of a property that the specification
    /// does not name.
    CURVE_DROPPED = "cast/curve-dropped", Warning, Loss;
    /// The common model does not store whether a node is visible.
    VISIBILITY_DROPPED = "cast/visibility-dropped", Warning, Loss;
    /// A curve has more frames than values or more values than frames. The keys that have both were
    /// read.
    KEYS_DROPPED = "cast/keys-dropped", Warning, Loss;
    /// The common model does not store the weight of additive curves. Blender ignores it too.
    WEIGHT_DROPPED = "cast/weight-dropped", Warning, Loss;
    /// The mode is unknown, or stands at the weights of a blend shape, where Blender and Maya ignore
    /// it. The curve was read as absolute.
    MODE_DROPPED = "cast/mode-dropped", Warning, Loss;
    /// No blend mode of a node stands for the modes of its curves, such as a relative rotation or
    /// axes of several modes. The curves of the node are read as absolute.
    MODES_MIXED = "cast/modes-mixed", Warning, Loss;
    /// An override has no node or no known mode, or its node has no curves.
    OVERRIDE_DROPPED = "cast/override-dropped", Warning, Loss;
    /// The specification lets overrides reach the node and everything below it; Blender and Maya
    /// leave out the node itself. The override was given to the curves of its own node alone, since
    /// the parents of nodes are not known.
    OVERRIDE_SCOPE = "cast/override-scope", Info, Observation;
    /// A string that is not UTF-8 was read as Latin-1 and is written as UTF-8.
    NAME_REENCODED = "cast/name-reencoded", Warning, Loss;
    /// The frame rate of the file is missing or not a positive number; another one was taken for the
    /// times. Give one with `--fps`.
    FRAME_RATE_REPLACED = "cast/frame-rate-replaced", Warning, Loss;

    /// The frame rate was rounded to the nearest f32, which the file stores.
    RATE_ROUNDED = "cast/rate-rounded", Info, Observation;
    /// The values are `f64`, and the file stores `f32`, which holds all of them.
    KIND_NARROWED = "cast/kind-narrowed", Info, Observation;
    /// A blend shape belongs to a node; the shapes of a Cast animation belong to none.
    SHAPE_NODE_DROPPED = "cast/shape-node-dropped", Warning, Loss;
    /// A track without keys has no curve, since Blender reads an empty curve as 0.
    EMPTY_TRACK_DROPPED = "cast/empty-track-dropped", Info, Observation;
    /// A node has no keys, so no curve names it. Use `--cast-names keep` to list it in the skeleton
    /// of the animation.
    BONE_DROPPED = "cast/bone-dropped", Warning, Loss;
    /// A relative or additive translation or scale lacks an axis, which Blender would count the rest
    /// pose twice for. The axis got a curve that changes nothing.
    AXES_FILLED = "cast/axes-filled", Info, Observation;
    /// Axes are curves of their own. Axes of several tracks with the same frames are read as one
    /// track of vectors.
    AXES_REGROUPED = "cast/axes-regrouped", Info, Observation;
    /// Curves have modes of their own. The mode of the clip that comes back is the one that most
    /// nodes fit, so every track blends as before.
    BLEND_REGROUPED = "cast/blend-regrouped", Info, Observation;
    /// Curves have modes of their own. The nodes that blend in another way come back in the order of
    /// their tracks, so every track blends as before.
    OVERRIDES_REGROUPED = "cast/overrides-regrouped", Info, Observation;
    /// There is a notification track for each name, so the order of several names on one frame is
    /// not kept.
    MARKERS_REORDERED = "cast/markers-reordered", Warning, Loss;
    /// The file does not store a duration, so the first track got a key at the stated one, as
    /// `--cast-end keep` asks for.
    CLOSING_KEY = "cast/closing-key", Info, Observation;
}
