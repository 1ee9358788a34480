//! Conversion between the exact model and the common model.

mod channels;
mod clip_extras;
#[cfg(feature = "write")]
mod clip_writer;
pub(crate) mod coordinates;
#[cfg(feature = "write")]
mod curve;
#[cfg(feature = "write")]
mod from_document;
mod keys;
#[cfg(feature = "write")]
mod model;
#[cfg(feature = "write")]
mod nodes;
#[cfg(feature = "write")]
mod plain;
mod rest;
#[cfg(feature = "write")]
mod rising;
#[cfg(feature = "write")]
mod samplers;
#[cfg(feature = "write")]
mod slopes;
mod stores;
mod to_document;
#[cfg(feature = "write")]
mod weights;

use inbetween_core::{Fate, FieldInfo};

use crate::codes;

pub(crate) use channels::dropped;
#[cfg(feature = "write")]
pub(crate) use from_document::from_document;
#[cfg(not(feature = "write"))]
pub(crate) use inbetween_core::read_only as from_document;
pub(crate) use stores::{COORDINATES, STORES};
pub(crate) use to_document::Clips;

/// Every field of the specification that animations need, and how the common model represents it.
pub(crate) static FIELDS: &[FieldInfo] = &[
    field("asset.version", Fate::Derived("2.0")),
    field("asset.generator", Fate::Derived("inbetween")),
    field("asset.copyright", Fate::Derived("nothing")),
    field("node name", Fate::Kept("target node")),
    field("duplicate node name", Fate::Reported(codes::NODE_RENAMED)),
    field("node children", Fate::Kept("parent of a bone")),
    field("node translation, rotation, scale", Fate::Kept("rest pose of a bone")),
    field("node matrix", Fate::Derived("translation, rotation and scale")),
    field("skin joints", Fate::Kept("bones")),
    field("skin inverseBindMatrices", Fate::Derived("the rest pose")),
    field("mesh primitives", Fate::Derived("the model, which stays")),
    field("materials, textures, images, cameras", Fate::Derived("the model, which stays")),
    field("animation name", Fate::Kept("clip name")),
    field("channel path", Fate::Kept("property")),
    field("channel without a node", Fate::Reported(codes::CHANNEL_DROPPED)),
    field("sampler input", Fate::Kept("key time")),
    field("sampler output", Fate::Kept("key value")),
    field("sampler interpolation", Fate::Kept("interpolation")),
    field(
        "extras of animations",
        Fate::Kept("duration, frame rate, looping, blend modes, markers"),
    ),
    field("tracks in extras of animations", Fate::Kept("tracks of other properties")),
];

const fn field(name: &'static str, fate: Fate) -> FieldInfo {
    FieldInfo { name, fate }
}
