//! The codes of findings about glTF files.

use inbetween_core::{Code, codes as shared, join_codes};

inbetween_core::codes! {
    /// Two keys of a sampler have the same time, but the specification requires increasing times.
    /// Most programs show the later key from that time on. Move one of the keys.
    TIMES_EQUAL = "gltf/times-equal", Warning, Observation;
    /// The accessor of the times has no `min` and `max`, which the specification requires. Some
    /// programs use them as the length of the animation. Convert the file to glTF again to write
    /// them.
    BOUNDS_MISSING = "gltf/bounds-missing", Warning, Observation;
    /// The accessor of the times states a wrong `min` or `max`. Programs that use them as the length
    /// of the animation play too much or too little of it. Convert the file to glTF again to correct
    /// them.
    BOUNDS_WRONG = "gltf/bounds-wrong", Error, Observation;
    /// An animated node has a matrix, which the specification forbids. Many programs do not animate
    /// such a node. Store its translation, rotation and scale instead; converting the file to glTF
    /// again does.
    MATRIX_ANIMATED = "gltf/matrix-animated", Error, Observation;
    /// A cubic spline has one key, and the specification requires two. Some programs refuse the file.
    /// Convert the file to glTF again, which writes one linear key.
    SPLINE_OF_ONE_KEY = "gltf/spline-of-one-key", Error, Observation;
    /// A skin has a joint that is not a node of the file. Programs refuse the skin or the file. Export
    /// the file again.
    JOINT_MISSING = "gltf/joint-missing", Error, Observation;
    /// A channel has no node, or animates a property that the common model does not store. It is not
    /// read, and conversions drop it. No action is needed if other programs read it.
    CHANNEL_NOT_READ = "gltf/channel-not-read", Info, Observation;
    /// Two channels of an animation have the same node and path, and the specification allows one.
    /// Programs play one of them. Remove the other.
    DUPLICATE_TARGET = "gltf/duplicate-target", Error, Observation;
    /// The file requires an extension that this tool does not know. Animations are read as if the
    /// file did not use it. Check the result.
    EXTENSION_REQUIRED = "gltf/extension-required", Warning, Observation;
    /// A view states that its own bytes are their compressed form, at the same place and of the same
    /// length. They are read as they are. Programs that decode them show no animation or refuse the
    /// file. Convert the file to glTF again.
    VIEW_NOT_COMPRESSED = "gltf/view-not-compressed", Warning, Observation;
    /// The header states another length than the chunks have. Some programs refuse the file. Convert
    /// the file to glTF again to correct it.
    LENGTH_WRONG = "gltf/length-wrong", Warning, Observation;
    /// The JSON ends with NUL bytes instead of spaces. Some programs refuse the file. Convert the file
    /// to glTF again to correct it.
    NUL_PADDING = "gltf/nul-padding", Warning, Observation;
    /// The JSON begins with a byte order mark, which the specification forbids. Some programs refuse
    /// the file. Convert the file to glTF again to remove it.
    BYTE_ORDER_MARK = "gltf/byte-order-mark", Warning, Observation;
    /// The length of a chunk is not a multiple of 4. Some programs refuse the file. Convert the
    /// file to glTF again to correct it.
    CHUNK_ALIGNMENT = "gltf/chunk-alignment", Warning, Observation;

    /// The animation has a channel without a node, or one that animates a property that the common
    /// model does not store. The channel is dropped. Keep the original file for it.
    CHANNEL_DROPPED = "gltf/channel-dropped", Warning, Loss;
    /// The clip has no keys, so it cannot be an animation of glTF. The file keeps such clips in its
    /// extras, but those of another program are there, and they are not an object. The clip is
    /// dropped. Remove the extras of the file to keep it.
    CLIP_DROPPED = "gltf/clip-dropped", Warning, Loss;
    /// Another node has the same name, and tracks find their nodes by name. The node gets another
    /// name. Rename the node in the source file to choose one.
    NODE_RENAMED = "gltf/node-renamed", Warning, Loss;
    /// The transform of the node is a matrix. It is decomposed into translation, rotation and
    /// scale; shear is lost. Store the three in the source file instead.
    MATRIX_DECOMPOSED = "gltf/matrix-decomposed", Info, Observation;
    /// The markers come from OpenAssetTools, which does not document the unit of their times. They
    /// are read as seconds. Compare them with the animation.
    FOREIGN_TIMES = "gltf/foreign-times", Warning, Observation;

    /// Key times must increase, and a sampler has one interpolation. Jumps within curves become two
    /// keys with the smallest possible time between them. No action is needed.
    JUMPS_AS_KEYS = "gltf/jumps-as-keys", Info, Observation;
    /// The file stores slopes. Tangents and control points are converted to slopes, which are
    /// rounded to 32-bit floats. No action is needed.
    TANGENTS_CONVERTED = "gltf/tangents-converted", Info, Observation;
    /// The weights of all blend shapes of a node share their times and their interpolation. Keys
    /// are added at the times of the others, and the weights play the same. No action is needed.
    WEIGHTS_JOINED = "gltf/weights-joined", Info, Observation;
    /// The weights of all blend shapes of a node are animated together. Shapes without a track get
    /// a constant weight of 0. No action is needed.
    WEIGHTS_FILLED = "gltf/weights-filled", Warning, Observation;
    /// Animations in glTF are absolute, and the clip is relative or additive. Its blend modes are
    /// stored in extras, so this tool reads them back, but other programs play the values as the
    /// pose itself. Resolve them with the rest pose first.
    BLEND_IN_EXTRAS = "gltf/blend-in-extras", Warning, Observation, [Edit("resolve")];
    /// The skeleton does not state the complete rest pose, and glTF requires a value for every
    /// part. The identity is used for missing parts. No action is needed.
    REST_POSE_FILLED = "gltf/rest-pose-filled", Info, Observation;
    /// Nothing tells which node is the parent of which, so all nodes hang on one root. Bones then stand in
    /// wrong places, because they are placed relative to their parents. Give the file a skeleton, or put
    /// the clip on a model. No action is needed if no node is below another.
    PARENTS_UNKNOWN = "gltf/parents-unknown", Warning, Observation, [Option("skeleton"), Option("onto")];
    /// The file notes by which change of axes and lengths it was made. The node that it names is missing
    /// or was changed since, so the note is ignored. No action is needed.
    COORDINATES_OUTDATED = "gltf/coordinates-outdated", Info, Observation;
    /// A file beside the model, such as a texture, cannot be read. It does not become part of the written
    /// file, which refers to it by the same path. Put it there, or write next to the model.
    FILE_NOT_EMBEDDED = "gltf/file-not-embedded", Warning, Loss;
}

const SHARED: [Code; 37] = [
    shared::TRACK_DROPPED,
    shared::SCENE_DROPPED,
    shared::PART_SKIPPED,
    shared::DUPLICATE_BONE,
    shared::TRAILING_BYTES,
    shared::TRAILING_DROPPED,
    shared::EMPTY_TRACKS_DROPPED,
    shared::KIND_NARROWED,
    shared::NUMBER_NOT_FINITE,
    shared::ROTATION_NOT_UNIT,
    shared::SECOND_TRACK_DROPPED,
    shared::TIME_NEGATIVE,
    shared::TIME_NOT_FINITE,
    shared::VALUE_NOT_FINITE,
    shared::TIMES_ROUNDED,
    shared::VALUES_NARROWED,
    shared::NEGATIVE_TIMES_CUT,
    shared::KEYS_AFTER_END_CUT,
    shared::CURVE_BAKED,
    shared::HANDLES_CONVERTED,
    shared::KEYS_TRANSLATED,
    shared::ROTATION_DROPPED,
    shared::ROTATIONS_NORMALIZED,
    shared::UNEVEN_ROTATIONS_NORMALIZED,
    shared::VALUE_UNDEFINED,
    shared::ERROR_NOT_MEASURED,
    shared::AXES_MISSING,
    shared::BOUND_EXCEEDED,
    shared::EULER_BAKED,
    shared::COMPONENTS_JOINED,
    shared::FRAME_RATE_DROPPED,
    shared::NULL_TEXT,
    shared::DURATION_CHANGED,
    shared::SHAPE_CHANGED,
    shared::TRACKS_REORDERED,
    shared::TANGENTS_DROPPED,
    shared::SPLINES_WRITTEN,
];

/// Every code that checks and conversions of the format use.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = join_codes(ALL, &SHARED);
