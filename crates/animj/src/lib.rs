#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "write"),
    allow(dead_code, unused_imports, reason = "a reader needs no part of the writer")
)]

mod check;
pub mod codes;
mod convert;
mod detect;
mod file;
mod format;
mod layout;
mod member;
mod notes;
mod options;
mod parts;
mod read;
mod reader_path;
mod suggest;
mod write;

pub use file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack, Sides};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use inbetween_core::resonite::EmptyTracks;
pub use member::Member;
pub use options::{Animj, Matrices, Nan};
pub use write::Style;
