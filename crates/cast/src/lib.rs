#![doc = include_str!("../README.md")]

mod check;
pub mod codes;
mod convert;
mod curve;
mod file;
mod format;
mod index;
mod names;
mod parts;
mod read;
mod skeleton;
#[cfg(feature = "text")]
mod text;
mod value;
mod write;

pub use file::{CastFile, CastHeader, CastNode, CastProperty};
pub use format::{Cast, ScaleMode, Store, Up};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
/// The playback rules of Cast: linear segments and slerp in `f64`, and a blend mode per curve. No
/// engine defines them.
pub const RULES: Rules = Rules::LINEAR.with_blend_reach(inbetween_core::BlendReach::Node);

pub use names::NodeId;
pub use parts::{CastParts, NodePart, PropertyPart};
pub use value::{PropertyType, PropertyValues, ValuesPart};
