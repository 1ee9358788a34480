//! Conversion between the exact model and the common model.

#[cfg(feature = "write")]
mod from_document;
mod stores;
#[cfg(feature = "write")]
mod tangents;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::STORES;
pub(crate) use to_document::to_document;

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("name", Fate::Kept("clip name")),
    field("globalDuration", Fate::Kept("duration")),
    field("tracks", Fate::Kept("tracks and markers, in their order")),
    field("unknown members of the root and of data", Fate::Reported(codes::EXTRA_DROPPED)),
    field("order of the track Markers/Name", Fate::Reported(shared::MARKERS_MOVED)),
    field("trackType", Fate::Kept("key shape")),
    field("valueType", Fate::Kept("value kind")),
    field("data", Fate::Derived("its content")),
    field("unknown members of a track", Fate::Reported(codes::TRACK_MEMBER_UNKNOWN)),
    field("node", Fate::Kept("target node")),
    field("property", Fate::Kept("target property")),
    field("interval", Fate::Kept("interval")),
    field("keyframes", Fate::Kept("keys; unsorted keys are sorted, which is reported")),
    field("time", Fate::Kept("key time")),
    field("value", Fate::Kept("key value")),
    field("interpolation", Fate::Kept("interpolation")),
    field("leftTangent", Fate::Kept("left tangent")),
    field("rightTangent", Fate::Kept("right tangent")),
    field("whether a tangent is given", Fate::Derived("its value and the interpolation")),
    field("unknown members of keys and values", Fate::Reported(codes::MEMBER_DROPPED)),
    field("duplicate members", Fate::Reported(codes::DUPLICATE_MEMBER)),
    field("color32 in fractions", Fate::Reported(codes::COLOR32_FRACTIONS)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
