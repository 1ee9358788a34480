//! Conversion between the exact model and the common model.

mod columns;
#[cfg(feature = "write")]
mod from_document;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use to_document::{summarize, to_document};

/// Every field of the format, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("version", Fate::Derived("1")),
    field("track count", Fate::Derived("the tracks and markers")),
    field("global duration", Fate::Kept("duration")),
    field("name", Fate::Kept("clip name")),
    field("encoding", Fate::Kept("option of the origin")),
    field("LZ4 chunks", Fate::Derived("the encoding")),
    field("LZMA properties and sizes", Fate::Derived("the encoding")),
    field("overlong numbers and lengths", Fate::Reported(codes::OVERLONG_LENGTH_DROPPED)),
    field("text that is not UTF-8", Fate::Reported(shared::NAME_REENCODED)),
    field("track type", Fate::Kept("key shape")),
    field("value type", Fate::Kept("value kind")),
    field("node", Fate::Kept("target node")),
    field("property", Fate::Kept("target property")),
    field("order of the track Markers/Name", Fate::Reported(shared::MARKERS_MOVED)),
    field("key count", Fate::Derived("the keys")),
    field("interval", Fate::Kept("interval")),
    field("time", Fate::Kept("key time")),
    field("value", Fate::Kept("key value")),
    field("null", Fate::Kept("null, distinct from an empty string")),
    field("bool and null bytes above 1", Fate::Reported(codes::BYTE_NORMALIZED)),
    field("curve flags", Fate::Derived("the interpolations and tangents")),
    field("curve flags: unknown bits", Fate::Reported(codes::CURVE_FLAGS_DROPPED)),
    field("interpolation", Fate::Kept("interpolation")),
    field("interpolation above 3", Fate::Reported(codes::INTERPOLATION_HELD)),
    field("tangents", Fate::Kept("left and right tangents")),
    field("order of Curve keys and tangents", Fate::Derived("the requested layout")),
    field("trailing bytes", Fate::Reported(shared::TRAILING_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
