#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod check;
pub mod codes;
mod convert;
mod file;
mod format;
mod header;
mod keys;
mod layout;
mod modifiers;
mod names;
mod options;
mod parts;
mod read;
#[cfg(feature = "text")]
mod text;
mod write;

pub use file::{BlendShape, BoneIndex, Custom, SeanimBone, SeanimFile, SeanimModifier, SeanimNote};
pub use header::SeanimHeader;
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use layout::{
    AnimType, BlockRule, Channel, FrameWidth, LOOPED, PRECISION_HIGH, Precision, RULES, Reading,
    SeanimLayout, WidthRule, presence,
};
pub use options::Seanim;

pub use keys::{SeanimKey, SeanimKeys, ShapeKey};
pub use modifiers::ModifierPolicy;
pub use parts::{BonePart, ChannelPart, NotePart, SeanimParts, ShapePart};
