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
mod index;
mod key_order;
mod layout;
mod options;
mod packing;
mod parts;
mod read;
mod strings;
#[cfg(feature = "text")]
mod text;
mod track;
mod walk;
mod wire;
mod write;

pub use file::{AnimxFile, AnimxHeader};
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
pub use inbetween_core::resonite::EmptyTracks;
pub use layout::{
    AnimxLayout, CurveKeyOrder, Encoding, Evidence, TangentOrder, TrackType, Version,
};
pub use options::Animx;
pub use parts::{
    AnimxParts, InterpolationPart, KeysPart, PackedPart, StringPart, TangentsPart, TextPart,
    TrackPart, ValuesPart,
};
pub use strings::{AnimxString, AnimxText};
pub use track::AnimxTrack;
