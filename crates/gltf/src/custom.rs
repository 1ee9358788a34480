//! Tracks that cannot be stored as channels, as members of extras: see `docs/formats/gltf.md`.

mod cell;
mod fit;
mod read;
mod track;
mod values;
mod write;

pub(crate) use fit::fit;
pub(crate) use read::read;
pub(crate) use track::{CustomTrack, merge};
