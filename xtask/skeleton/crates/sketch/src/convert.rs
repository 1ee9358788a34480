//! Conversion between the exact model and the common model.

mod from_document;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};


pub(crate) use from_document::{STORES, from_document};
pub(crate) use to_document::to_document;

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("reserved", Fate::Reported(shared::RESERVED_DROPPED)),
    field("frameRate", Fate::Kept("frame rate")),
    field("frameRate that is not positive", Fate::Reported(shared::FRAME_RATE_REPLACED)),
    field("duration", Fate::Kept("duration")),
    field("trackCount", Fate::Derived("the tracks")),
    field("name", Fate::Kept("node")),
    field("channel", Fate::Kept("property")),
    field("key frame", Fate::Kept("time in seconds")),
    field("key value", Fate::Kept("value")),
    field("trailing bytes", Fate::Reported(shared::TRAILING_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
