#![cfg_attr(feature = "build", doc = include_str!("../README.md"))]
#![cfg_attr(not(feature = "build"), doc = "Plays compact animation clips in game engines.")]
#![cfg_attr(not(feature = "build"), no_std)]

extern crate alloc;

#[cfg(feature = "build")]
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
mod build;
mod clip;
#[cfg(feature = "build")]
pub mod codes;
mod column;
#[cfg(feature = "build")]
mod document;
#[cfg(feature = "build")]
mod format;
mod four;
mod layout;
mod load;
mod load_error;
mod num;
mod pose;
mod reader;
#[expect(clippy::arithmetic_side_effects, reason = "floats do not overflow")]
mod rotation;
mod rows;
#[expect(clippy::arithmetic_side_effects, reason = "indices of keys and lanes that exist")]
mod sample;
mod save;
mod stored;
#[expect(clippy::arithmetic_side_effects, reason = "indices of keys that exist")]
mod times;
#[cfg(feature = "build")]
#[expect(clippy::arithmetic_side_effects, reason = "indices of words that `rows` has counted")]
mod values;

#[cfg(feature = "build")]
pub use build::{
    BadBound, Bounds, BuildError, Built, Report, TrackReport, build, build_document, build_within,
};
pub use clip::{Blend, Clip, Encoding, Looping, Property, Track};
#[cfg(feature = "build")]
pub use document::to_animation;
#[cfg(feature = "build")]
pub use format::ClipFile;
pub use layout::{MAGIC, VERSION};
pub use load::load;
pub use load_error::{LoadError, LoadErrorKind};
pub use pose::Pose;
pub use rotation::RotationBlend;
pub use sample::Context;
pub use save::save;
pub use times::Clock;
