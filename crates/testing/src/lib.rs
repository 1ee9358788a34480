//! The shared parts of the tests of all formats: the byte builder, the fixture cases, the golden
//! dumps, the laws and the peak-memory meter.
//!
//! Formats are used only through [`Format`](inbetween_core::Format), so that a rule is written once
//! and applies to all of them. A broken rule panics: the callers are tests, fuzz targets and the
//! tasks that replay files.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "test support: a panic is how a broken rule shows"
)]

mod builder;
pub mod cases;
pub mod conversions;
mod difference;
pub mod documents;
pub mod domain;
mod dump;
pub mod fixtures;
pub mod golden;
pub mod hard;
pub mod laws;
mod lines;
pub mod meaning;
mod mutate;
pub mod peak;
pub mod properties;
mod samples;
mod strategies;
pub mod text_laws;
mod unsorted;

pub use builder::ByteBuilder;
pub use cases::{Case, CaseKind};
pub use difference::difference;
/// For the expansion of [`rewriter!`].
#[doc(hidden)]
pub use inbetween_core::Limits;
pub use mutate::mutated;
pub use peak::Peak;
pub use strategies::documents as arbitrary_documents;
pub use unsorted::FileKey;
