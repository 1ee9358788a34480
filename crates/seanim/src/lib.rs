#![doc = include_str!("../README.md")]

mod check;
pub mod codes;
mod convert;
mod diagnose;
mod file;
mod format;
mod keys;
mod modifiers;
mod names;
mod parts;
mod read;
#[cfg(feature = "text")]
mod text;
mod write;

pub use file::{
    AnimType, BlendShape, BlockRule, BoneIndex, Custom, LOOPED, PRECISION_HIGH, Reading,
    SeanimBone, SeanimFile, SeanimHeader, SeanimLayout, SeanimModifier, SeanimNote, WidthRule,
    presence,
};
pub use format::Seanim;
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
/// The playback rules of SEAnim: linear segments and slerp in `f64`. No engine defines them.
pub const RULES: Rules = Rules::LINEAR;

pub use keys::{Channel, FrameWidth, Precision, SeanimKey, SeanimKeys, ShapeKey};
pub use modifiers::ModifierPolicy;
pub use parts::{BonePart, ChannelPart, NotePart, SeanimParts, ShapePart};
