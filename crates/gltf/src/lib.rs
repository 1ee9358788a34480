#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod accessor;
mod buffers;
mod check;
pub mod codes;
mod convert;
mod custom;
mod file;
mod format;
#[cfg(feature = "write")]
mod json_edit;
mod json_text;
mod layout;
mod meshopt;
mod options;
mod parts;
mod read;
mod scene;
mod write;

pub use buffers::uri_paths;
pub use file::{Chunk, GltfFile};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use layout::{Container, RULES};
pub use options::{Curves, Gltf};
pub use parts::{ChunkPart, GltfParts};
