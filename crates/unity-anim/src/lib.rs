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
mod layout;
mod parts;
mod read;
mod write;
mod yaml;

pub use file::{Style, UnityAnimFile, UnityObject};
pub use format::UnityAnim;
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use layout::RULES;
pub use parts::{ObjectPart, UnityAnimParts};
