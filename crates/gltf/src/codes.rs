//! What checks and conversions report.

use inbetween_core::{Code, codes as shared, join_codes};

inbetween_core::codes! {
    /// Two keys of a sampler have the same time, and the specification asks for times that rise.
    /// Most programs show the later key from that time on. Move one of the keys.
    TIMES_EQUAL = "gltf/times-equal", Warning, Observation;
    /// A key is before 0, where the specification allows none. Programs do not play it. Move the
    /// animation.
    TIME_NEGATIVE = "gltf/time-negative", Warning, Observation;
    /// A value is NaN or infinite. Programs show nothing or something arbitrary there. Correct the
    /// value.
    VALUE_NOT_FINITE = "gltf/value-not-finite", Error, Observation;
    /// A rotation is not a unit quaternion. Programs that do not normalize rotations scale the
    /// node. Normalize the rotation.
    ROTATION_NOT_UNIT = "gltf/rotation-not-unit", Warning, Observation;
    /// The accessor of the times has no `min` and `max`, which the specification requires. Some
    /// programs take the length of the animation from them. Write the file anew.
    BOUNDS_MISSING = "gltf/bounds-missing", Warning, Observation;
    /// Two channels of an animation have the same node and path, and the specification allows one.
    /// Programs play one of them. Remove the other.
    DUPLICATE_TARGET = "gltf/duplicate-target", Error, Observation;
    /// The file requires an extension that this tool does not know. Animations are read as if the
    /// file did not use it. Check the result.
    EXTENSION_REQUIRED = "gltf/extension-required", Warning, Observation;
    /// The length of a chunk is not a multiple of 4. Some programs refuse the file. Write the file
    /// anew.
    CHUNK_ALIGNMENT = "gltf/chunk-alignment", Warning, Observation;

    /// The common model stores skeletons and animations. Other parts of the scene, such as meshes
    /// and materials, are not converted. Keep the original file for them.
    SCENE_DROPPED = "gltf/scene-dropped", Warning, Loss;
    /// The animation has a channel without a node, or one that animates something that the common
    /// model does not store. The channel is not converted.
    CHANNEL_DROPPED = "gltf/channel-dropped", Warning, Loss;
    /// Another node has the same name, and tracks find their nodes by name. The node got another
    /// name. Rename the node in the source file to choose one.
    NODE_RENAMED = "gltf/node-renamed", Warning, Loss;
    /// The transform of the node is a matrix. It was taken apart into translation, rotation and
    /// scale; shear is lost. Store the three in the source file instead.
    MATRIX_DECOMPOSED = "gltf/matrix-decomposed", Info, Observation;
    /// The markers come from OpenAssetTools, which does not say in which unit their times are. They
    /// were read as seconds. Compare them with the animation.
    FOREIGN_TIMES = "gltf/foreign-times", Warning, Observation;

    /// An animation has one channel for a property of a node, and the clip has several tracks. The
    /// first one was written. Merge the tracks to keep both.
    SECOND_TRACK_DROPPED = "gltf/second-track-dropped", Warning, Loss;
    /// A track without keys plays nothing, and a channel needs keys. It was not written. No action
    /// is needed.
    EMPTY_TRACK_DROPPED = "gltf/empty-track-dropped", Info, Observation;
    /// The values are `f64`, and the file stores `f32`, which holds all of them. No action is
    /// needed.
    KIND_NARROWED = "gltf/kind-narrowed", Info, Observation;
    /// Rotations are unit quaternions, and some were not. They were normalized, which keeps the
    /// rotations. No action is needed.
    ROTATIONS_NORMALIZED = "gltf/rotations-normalized", Info, Observation;
    /// A rotation has the length 0, so it is none. The key was dropped. Correct the rotation in the
    /// source file.
    ROTATION_INVALID = "gltf/rotation-invalid", Warning, Loss;
    /// Times of keys rise, and a sampler has one interpolation. Jumps within curves became two keys
    /// with the smallest time between them. No action is needed.
    JUMPS_AS_KEYS = "gltf/jumps-as-keys", Info, Observation;
    /// The file stores slopes. Tangents and control points became slopes, which are rounded to
    /// `f32`. No action is needed.
    TANGENTS_CONVERTED = "gltf/tangents-converted", Info, Observation;
    /// The weights of all blend shapes of a node share their times and their interpolation. Keys
    /// were added where the others have some, and play the same. No action is needed.
    WEIGHTS_JOINED = "gltf/weights-joined", Info, Observation;
    /// The weights of all blend shapes of a node are animated together. Shapes that the clip does
    /// not animate got a constant weight of 0. No action is needed.
    WEIGHTS_FILLED = "gltf/weights-filled", Warning, Observation;
    /// Animations of glTF are absolute, and the clip is relative or additive. Its blend modes are
    /// stored beside its keys, so this tool reads them back, but other programs play the values as
    /// the pose itself. Resolve them first with `edit --resolve --skeleton FILE`.
    BLEND_IN_EXTRAS = "gltf/blend-in-extras", Warning, Observation;
    /// The skeleton does not state all of the rest pose, and glTF has a value for everything. The
    /// rest is the identity. No action is needed.
    REST_POSE_FILLED = "gltf/rest-pose-filled", Info, Observation;
}

const SHARED: [Code; 18] = [
    shared::TIME_NOT_FINITE,
    shared::VALUE_NOT_FINITE,
    shared::TIMES_ROUNDED,
    shared::VALUES_NARROWED,
    shared::NEGATIVE_TIMES_CUT,
    shared::KEYS_AFTER_END_CUT,
    shared::CURVE_BAKED,
    shared::HANDLES_CONVERTED,
    shared::KEYS_TRANSLATED,
    shared::SLERP_DIFFERS,
    shared::EULER_BAKED,
    shared::COMPONENTS_JOINED,
    shared::FRAME_RATE_DROPPED,
    shared::NULL_TEXT,
    shared::DURATION_CHANGED,
    shared::SHAPE_CHANGED,
    shared::TRACKS_REORDERED,
    shared::TANGENTS_DROPPED,
];

/// Every code that checks and conversions of the format use.
pub(crate) static USED: [Code; ALL.len() + SHARED.len()] = join_codes(ALL, &SHARED);
