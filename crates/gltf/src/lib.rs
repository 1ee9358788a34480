#![doc = include_str!("../README.md")]

mod accessor;
mod buffers;
mod check;
pub mod codes;
mod convert;
mod custom;
mod file;
mod format;
mod json_text;
mod parts;
mod read;
mod scene;
mod write;

pub use buffers::uri_path;
pub use file::{Chunk, Container, GltfFile};
pub use format::{Curves, Gltf};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use parts::{ChunkPart, GltfParts};

/// The playback rules of glTF: `f32` times, and linear segments, slerps and cubic splines.
pub const RULES: Rules = Rules::LINEAR.with_clock(inbetween_core::Clock::F32);
