#![cfg_attr(all(feature = "animj", feature = "seanim"), doc = include_str!("../README.md"))]
#![cfg_attr(
    not(all(feature = "animj", feature = "seanim")),
    doc = "Reads, checks, converts and writes game animation files; some formats are switched off."
)]

mod advice;
mod clips;
pub mod comparison;
mod convert;
pub mod error;
mod file_kind;
mod file_names;
pub mod files;
mod fix_file;
mod folder;
#[cfg(feature = "json")]
pub mod json;
mod load;
pub mod merge;
mod near;
#[cfg(feature = "plot")]
pub mod plot;
mod profile;
mod reduction;
mod registry;
mod snippet;
#[cfg(feature = "text")]
mod text_files;

// begin generated: format modules
#[cfg(feature = "animj")]
#[doc(inline)]
pub use inbetween_animj as animj;
#[cfg(feature = "animx")]
#[doc(inline)]
pub use inbetween_animx as animx;
#[cfg(feature = "bvh")]
#[doc(inline)]
pub use inbetween_bvh as bvh;
#[cfg(feature = "cast")]
#[doc(inline)]
pub use inbetween_cast as cast;
#[cfg(feature = "gltf")]
#[doc(inline)]
pub use inbetween_gltf as gltf;
#[cfg(feature = "seanim")]
#[doc(inline)]
pub use inbetween_seanim as seanim;
#[cfg(feature = "unity-anim")]
#[doc(inline)]
pub use inbetween_unity_anim as unity_anim;
#[cfg(feature = "x4-ani")]
#[doc(inline)]
pub use inbetween_x4_ani as x4_ani;
// end generated: format modules

#[cfg(feature = "clip")]
#[doc(inline)]
pub use inbetween_clip as clip;
#[doc(inline)]
pub use inbetween_edit as edit;

/// The common model, playback, findings, errors and limits. The types that most programs use are
/// also at the root.
///
/// Write its path in full: `use inbetween::core` would hide the `core` of the language.
#[doc(inline)]
pub use inbetween_core as core;

pub use advice::{advise, check};
pub use clips::{Reading, Source};
pub use convert::{Conversion, convert_as, refused_losses, write_mapped};
pub use error::Error;
pub use fix_file::{Fixed, fix};
#[doc(no_inline)]
pub use inbetween_core::{
    Animation, BlendMode, Bone, Code, Document, Finding, Format, Hint, Interpolation,
    Interpolations, Limits, Looping, Marker, Outcome, Property, Quat, ReadError, ReadErrorKind,
    Severity, Skeleton, Target, Track, TrackData, Value, ValueKind, Values, WriteError,
};
pub use near::similar_names;
pub use profile::Profile;
pub use registry::{Detection, Registry};
pub use snippet::Snippet;
#[cfg(feature = "text")]
pub use text_files::{pack, text_form, unpack};

/// Reads a file of any built-in format.
///
/// # Errors
///
/// Fails like [`Registry::read`].
pub fn read(bytes: &[u8]) -> Result<Outcome<Document>, Error> {
    Registry::with_builtin().read(bytes, &Hint::default())
}

/// Reads a file of any built-in format from a path.
///
/// # Errors
///
/// Fails like [`Registry::read_path`].
pub fn read_path(path: impl AsRef<std::path::Path>) -> Result<Outcome<Document>, Error> {
    Registry::with_builtin().read_path(path)
}

/// Writes a document in a format.
///
/// # Errors
///
/// Fails like [`Registry::write`].
pub fn write(document: Document, to: &dyn Format) -> Result<Outcome<Vec<u8>>, WriteError> {
    to.write(document, &Limits::default())
}

/// Converts a file of any built-in format.
///
/// # Errors
///
/// Fails like [`Registry::convert`].
pub fn convert(bytes: &[u8], to: &dyn Format) -> Result<Conversion, Error> {
    Registry::with_builtin().convert(bytes, &Hint::default(), to)
}
