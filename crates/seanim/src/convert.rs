//! Conversion between the exact model and the common model.

mod blend;
mod bone;
#[cfg(feature = "write")]
mod from_document;
mod stores;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::{COORDINATES, STORES};
pub(crate) use to_document::{summarize, to_document};

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("headerSize", Fate::Derived("28, unless the header has extra bytes")),
    field("header bytes beyond 28", Fate::Reported(codes::HEADER_EXTRA_DROPPED)),
    field("animType", Fate::Kept("blend mode")),
    field("animFlags: looped", Fate::Kept("looping")),
    field("animFlags: reserved bits", Fate::Reported(shared::RESERVED_DROPPED)),
    field("dataPresenceFlags", Fate::Derived("the tracks and markers")),
    field("dataPresenceFlags: reserved bits", Fate::Reported(shared::RESERVED_DROPPED)),
    field("dataPropertyFlags: precision", Fate::Kept("value kind of the tracks")),
    field("dataPropertyFlags: reserved bits", Fate::Reported(shared::RESERVED_DROPPED)),
    field("reserved bytes", Fate::Reported(shared::RESERVED_DROPPED)),
    field("framerate", Fate::Kept("frame rate")),
    field("frameCount", Fate::Kept("duration")),
    field("boneCount", Fate::Derived("the tracks, including those without keys")),
    field("boneAnimModifierCount", Fate::Derived("blend overrides")),
    field("noteCount", Fate::Derived("markers")),
    field("bone name", Fate::Kept("target node")),
    field("bone name that is not UTF-8", Fate::Reported(shared::NAME_REENCODED)),
    field("bone without channels", Fate::Reported(codes::BONES_DROPPED)),
    field("modifier", Fate::Kept("blend override")),
    field("modifier of a missing bone", Fate::Reported(codes::MODIFIER_DROPPED)),
    field("bone flags", Fate::Reported(codes::BONE_FLAGS_DROPPED)),
    field("key frame", Fate::Kept("key time")),
    field("key value", Fate::Kept("key value")),
    field("note", Fate::Kept("marker")),
    field("custom block", Fate::Reported(codes::CUSTOM_DROPPED)),
    field("blend shape", Fate::Kept("weight track")),
    field("blend shape: unused numbers", Fate::Reported(codes::SHAPE_PADDING_DROPPED)),
    field("trailing bytes", Fate::Reported(shared::TRAILING_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
