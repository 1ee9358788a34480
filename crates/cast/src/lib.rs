#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod check;
pub mod codes;
mod convert;
mod curve;
mod file;
mod format;
mod head;
mod index;
mod layout;
mod names;
mod options;
mod parts;
mod property;
mod read;
mod skeleton;
#[cfg(feature = "text")]
mod text;
mod value;
mod write;

pub use file::{CastFile, CastHeader, CastNode};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use layout::{NodeId, PropertyType, RULES};
pub use options::{Cast, ScaleMode, Store, Up};

pub use parts::{CastParts, NodePart, PropertyPart};
pub use property::CastProperty;
pub use value::{PropertyValues, ValuesPart};
