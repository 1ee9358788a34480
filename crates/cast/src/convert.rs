//! Conversion between the exact model and the common model.

mod animations;
mod blend;
#[cfg(feature = "write")]
mod bones;
mod curves;
mod dropped;
#[cfg(feature = "write")]
mod from_document;
#[cfg(feature = "write")]
mod notes;
mod skeleton;
mod stores;
mod to_document;
#[cfg(feature = "write")]
mod tracks;
#[cfg(feature = "write")]
mod write_curves;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::{COORDINATES, STORES};
pub(crate) use to_document::Clips;

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("version", Fate::Reported(codes::HEADER_DROPPED)),
    field("flags", Fate::Reported(codes::HEADER_DROPPED)),
    field("rootCount", Fate::Derived("1")),
    field("node size", Fate::Derived("the content")),
    field("node hash", Fate::Reported(codes::HASHES_DROPPED)),
    field("propertyCount", Fate::Derived("the properties")),
    field("childCount", Fate::Derived("the children")),
    field("unknown property", Fate::Reported(codes::PROPERTIES_DROPPED)),
    field("unknown node", Fate::Reported(codes::NODES_DROPPED)),
    field("trailing bytes", Fate::Reported(shared::TRAILING_DROPPED)),
    field("Animation n", Fate::Kept("clip name")),
    field("Animation fr", Fate::Kept("frame rate")),
    field("Animation lo", Fate::Kept("looping")),
    field("Curve nn", Fate::Kept("target node")),
    field("Curve nn that is not UTF-8", Fate::Reported(shared::NAME_REENCODED)),
    field("Curve kp: rq, t, s", Fate::Kept("property and component")),
    field("Curve kp: bs", Fate::Kept("weight track")),
    field("Curve kp: vb", Fate::Reported(codes::VISIBILITY_DROPPED)),
    field("Curve kb", Fate::Kept("key time")),
    field("Curve kv", Fate::Kept("key value")),
    field("Curve m", Fate::Kept("blend mode")),
    field("Curve ab", Fate::Reported(codes::WEIGHT_DROPPED)),
    field("CurveModeOverride", Fate::Derived("the modes of the curves")),
    field("NotificationTrack", Fate::Kept("markers")),
    field("Skeleton", Fate::Kept("skeleton of the document")),
    field("Bone n, p, lp, lr, s", Fate::Kept("bones")),
    field("Bone with the name of another bone", Fate::Reported(codes::DUPLICATE_BONE_DROPPED)),
    field("Bone p without a valid parent", Fate::Reported(codes::BONE_PARENT_DROPPED)),
    field("Bone lp, lr, s that are not finite", Fate::Reported(codes::REST_POSE_DROPPED)),
    field("Bone wp, wr", Fate::Derived("the local positions and rotations")),
    field("Bone wp, wr that contradict lp, lr", Fate::Reported(codes::WORLD_POSE_DROPPED)),
    field("Bone ssc", Fate::Reported(codes::PROPERTIES_DROPPED)),
    field("Model p, r, s", Fate::Reported(codes::PROPERTIES_DROPPED)),
    field("Metadata", Fate::Reported(codes::METADATA_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
