//! Between the exact model and the common one.

mod columns;
mod from_document;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

pub(crate) use columns::interpolation;
pub(crate) use from_document::from_document;
pub(crate) use to_document::{sealed, to_document};

/// Every field of the format, and what becomes of it in the common model.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("version", Fate::Derived("1")),
    field("track count", Fate::Derived("the tracks and markers that there are")),
    field("global duration", Fate::Kept("duration")),
    field("name", Fate::Kept("clip name")),
    field(
        "encoding",
        Fate::Derived("from AnimX to AnimX the same, else plain, unless another is asked for"),
    ),
    field("LZ4 chunks", Fate::Derived("the encoding")),
    field("LZMA properties and sizes", Fate::Derived("the encoding")),
    field("numbers and lengths in a longer form", Fate::Reported(codes::NUMBER_FORM_DROPPED)),
    field("text that is not UTF-8", Fate::Reported(codes::TEXT_REPLACED)),
    field("track type", Fate::Kept("key shape")),
    field("value type", Fate::Kept("value kind")),
    field("node", Fate::Kept("target node")),
    field("property", Fate::Kept("target property")),
    field("order of the track Markers/Name", Fate::Reported(shared::MARKERS_MOVED)),
    field("key count", Fate::Derived("the keys that there are")),
    field("interval", Fate::Kept("interval")),
    field("time", Fate::Kept("key time")),
    field("value", Fate::Kept("key value")),
    field("null", Fate::Kept("null, apart from an empty text")),
    field("truth and null bytes above 1", Fate::Reported(codes::BYTE_NORMALIZED)),
    field("curve flags", Fate::Derived("interpolations that differ, and tangents")),
    field("curve flags: unknown bits", Fate::Reported(codes::CURVE_FLAGS_DROPPED)),
    field("interpolation", Fate::Kept("interpolation")),
    field("interpolation above 3", Fate::Reported(codes::INTERPOLATION_HELD)),
    field("tangents", Fate::Kept("left and right tangents")),
    field("order of Curve keys and tangents", Fate::Derived("the layout that is asked for")),
    field("trailing bytes", Fate::Reported(codes::TRAILING_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
