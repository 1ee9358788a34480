#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod check;
mod codes;
mod convert;
mod file;
mod format;
mod layout;
mod options;
mod parts;
mod rate;
mod read;
mod rows;
mod write;

pub use file::{BvhFile, BvhJoint, BvhMotion, Channel, Style};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use layout::RULES;
pub use options::Bvh;
pub use parts::{BvhParts, MotionPart};
