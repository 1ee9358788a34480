#![doc = include_str!("../README.md")]

mod check;
pub mod codes;
mod component;
mod convert;
mod edit;
pub mod evaluate;
mod file;
mod format;
mod key;
mod name;
mod parts;
mod read;
#[cfg(feature = "text")]
mod text;
mod write;

pub use component::lint;
pub use file::{Group, X4aniFile, X4aniHeader, X4aniRecord, X4aniRecordHead};
pub use format::X4ani;
pub use key::{ControlPoints, KeyType, X4aniKey};
pub use name::X4aniName;
pub use parts::{RecordPart, X4aniParts};
