#![doc = include_str!("../README.md")]

mod bake;
mod bound;
pub mod clip_names;
pub mod codes;
mod companion;
mod document;
mod element;
mod error;
mod euler;
mod eval;
mod finding;
pub mod fix;
mod format;
pub mod grow;
pub mod keys;
mod kind;
mod limits;
pub mod lower;
pub mod num;
pub mod parse;
mod place;
mod quat;
mod real;
mod record;
pub mod resonite;
mod seven_bit;
mod strings;
#[cfg(feature = "text")]
pub mod text;
mod text_form;
mod track_data;
mod values;
pub mod wire;

pub use bake::{BakeError, Baked, bake_at_rate, bake_euler_at_rate, element_error, value_error};
pub use bound::{DEFAULT_BOUND, bake_euler_to_bound, bake_to_bound, bake_to_euler};
pub use companion::{Companion, CompanionInfo};
pub use document::{
    Animation, Axis, BlendMode, BlendOverride, Document, Looping, Marker, Property, Target, Text,
    Track, TrackError,
};
pub use element::{Color, Color32, Element, Identical};
pub use error::{ReadError, ReadErrorKind, WriteError, WriteErrorKind};
pub use euler::EulerOrder;
pub use eval::{ClipCursor, ClipSampler, Cursor, Evaluator, Pose, Sampler, Slot};
pub use finding::{
    Code, CodeInfo, Edit, Finding, Findings, Fix, Nature, Outcome, Severity, join_codes,
};
pub use format::{
    Applies, ClipCount, ClipSummary, Confidence, Fate, FieldInfo, FileEncoding, Format, FormatInfo,
    Hint, Inspection, OptionError, OptionInfo, TrackSummary,
};
pub use kind::ValueKind;
pub use limits::{Budget, Count, Limits};
pub use place::{Path, PathStyle, Position, Segment, Space};
pub use quat::Quat;
pub use real::Real;
pub use record::{Record, View};
pub use seven_bit::SevenBit;
pub use strings::Strings;
pub use text_form::TextForm;
pub use track_data::{
    Handle, Interpolation, Interpolations, KeysError, Shape, Tangents, TrackData,
};
pub use values::{Value, Values};
