//! Conversion between the exact model and the common model.

#[cfg(feature = "write")]
mod from_document;
mod stores;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::STORES;
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
