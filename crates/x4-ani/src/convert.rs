//! Conversion between the exact model and the common model.

#[cfg(feature = "write")]
mod from_document;
#[cfg(feature = "write")]
mod group;
mod keys;
mod property;
mod stores;
mod to_document;

use inbetween_core::{Fate, FieldInfo, codes as shared};

use crate::codes;

#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use keys::{shows_handle, starts_at_two_pi};
pub(crate) use stores::{COORDINATES, STORES};
pub(crate) use to_document::Clips;

/// Every field of the format, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("record count", Fate::Derived("the clips and the nodes of their tracks")),
    field("key offset", Fate::Derived("the number of records")),
    field("padding of the header", Fate::Reported(shared::RESERVED_DROPPED)),
    field("part name", Fate::Kept("target node")),
    field("subname", Fate::Kept("clip name")),
    field("bytes after the NUL of a name", Fate::Reported(codes::NAME_GARBAGE_DROPPED)),
    field("name that is not UTF-8", Fate::Reported(shared::NAME_REENCODED)),
    field(
        "case of a name that occurs with other capitals",
        Fate::Reported(codes::NAME_CASE_DROPPED),
    ),
    field("order of records of several animations", Fate::Reported(shared::TRACKS_REORDERED)),
    field("second record of a part and animation", Fate::Reported(codes::DUPLICATE_DROPPED)),
    field("key counts", Fate::Derived("the tracks")),
    field("duration", Fate::Kept("duration")),
    field("durations that differ within an animation", Fate::Reported(codes::DURATIONS_JOINED)),
    field("padding of a record", Fate::Reported(shared::RESERVED_DROPPED)),
    field("value", Fate::Kept("key value")),
    field("interpolation 1, 2 and 5", Fate::Kept("interpolation")),
    field("interpolation 0, 3 and 4", Fate::Reported(codes::TYPE_DROPPED)),
    field("interpolation 6 and 7", Fate::Reported(codes::SPLINE_AS_BEZIER)),
    field("time", Fate::Kept("key time")),
    field("order of keys", Fate::Reported(shared::TIMES_SORTED)),
    field("control points", Fate::Kept("handles")),
    field("spare bits of a NaN control point", Fate::Reported(codes::NAN_CHANGED)),
    field("tension to ease out", Fate::Reported(codes::KEY_EXTRA_DROPPED)),
    field("derivatives", Fate::Reported(codes::KEY_EXTRA_DROPPED)),
    field("angle key", Fate::Reported(codes::KEY_EXTRA_DROPPED)),
    field("pre-scale and post-scale keys", Fate::Kept("custom tracks PreScale and PostScale")),
    field(
        "pairing of pre-scale and post-scale",
        Fate::Kept("the two tracks, whose keys may differ"),
    ),
    field("trailing bytes", Fate::Reported(shared::TRAILING_DROPPED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
