#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod check;
pub mod codes;
mod component;
mod convert;
mod edit;
pub mod evaluate;
mod file;
mod format;
mod key;
mod layout;
mod name;
mod parts;
mod read;
#[cfg(feature = "text")]
mod text;
mod write;

pub use component::lint;
pub use file::{X4aniFile, X4aniHeader, X4aniRecord, X4aniRecordHead};
pub use format::X4ani;
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use key::{ControlPoints, KeyType, X4aniKey};
pub use layout::{EULER_ORDER, Group, RULES};
pub use name::X4aniName;
pub use parts::{RecordPart, X4aniParts};
