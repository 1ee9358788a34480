//! Conversion between the exact model and the common model.

#[cfg(feature = "write")]
mod from_document;
mod names;
#[cfg(feature = "write")]
mod rest;
mod stores;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::STORES;
pub(crate) use to_document::to_document;

use crate::codes;

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("name", Fate::Kept("bone and node")),
    field("name that is used twice", Fate::Reported(codes::JOINT_RENAMED)),
    field("hierarchy", Fate::Kept("parent of the bone")),
    field("OFFSET", Fate::Kept("translation of the rest pose")),
    field("position channels", Fate::Kept("translation track")),
    field("rotation channels", Fate::Kept("track of Euler angles in radians, with their order")),
    field("End Site", Fate::Reported(codes::END_SITES_LEFT_OUT)),
    field("Frames", Fate::Derived("the keys")),
    field("rows after the stated Frames", Fate::Reported(codes::ROWS_DROPPED)),
    field("Frame Time", Fate::Kept("frame rate")),
    field("Frame Time that is not positive", Fate::Reported(shared::FRAME_RATE_REPLACED)),
    field("number", Fate::Kept("value")),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
