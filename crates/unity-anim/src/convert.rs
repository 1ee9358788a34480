//! Conversion between the exact model and the common model.

mod clips;
#[cfg(feature = "write")]
mod curve_text;
#[cfg(feature = "write")]
mod from_document;
mod keys;
mod names;
mod property;
mod stores;
mod to_document;
mod weights;

use inbetween_core::{Fate, FieldInfo, codes as shared};

pub(crate) use clips::Clips;
#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::STORES;
pub(crate) use to_document::{Read, to_document};

use crate::codes;

/// Every field of the specification, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("m_Name", Fate::Kept("name of the clip")),
    field("m_RotationCurves", Fate::Kept("rotation tracks")),
    field("m_EulerCurves", Fate::Kept("tracks of Euler angles in radians, with their order")),
    field("m_PositionCurves", Fate::Kept("translation tracks")),
    field("m_ScaleCurves", Fate::Kept("scale tracks")),
    field("m_FloatCurves", Fate::Kept("weights of blend shapes, and custom tracks")),
    field("m_PPtrCurves", Fate::Kept("custom tracks of text")),
    field("path", Fate::Kept("node, below the nodes of the path")),
    field("weights of tangents", Fate::Reported(codes::WEIGHTS_FITTED)),
    field("m_PreInfinity, m_PostInfinity", Fate::Reported(codes::INFINITY_CLAMPED)),
    field("m_SampleRate", Fate::Kept("frame rate")),
    field("m_WrapMode 4", Fate::Reported(codes::PING_PONG)),
    field("m_StopTime", Fate::Kept("duration")),
    field("m_LoopTime", Fate::Kept("looping")),
    field("m_Events", Fate::Kept("markers")),
    field("parameters of events", Fate::Reported(shared::SCENE_DROPPED)),
    field("m_CompressedRotationCurves", Fate::Reported(codes::ROTATIONS_PACKED)),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
