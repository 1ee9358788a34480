//! The common model: documents, clips, tracks, key columns and the types of their values.

mod animation;
mod blend;
pub mod clip_names;
mod columns;
mod components;
mod document;
mod element;
mod euler;
mod interpolate;
pub mod keys;
mod kind;
mod narrowing;
mod quat;
mod real;
pub mod rows;
mod rules;
mod skeleton;
mod strings;
mod track;
mod track_data;
mod values;

pub use animation::{Animation, Looping, Marker};
pub use blend::{Blend, BlendMode, BlendOverride};
pub use columns::{KeyColumns, SegmentKind};
pub use components::{Component, Components, Scalar};
pub use document::Document;
pub use element::{Color, Color32, Element, Identical, element_error, value_error};
pub use euler::EulerOrder;
pub(crate) use interpolate::{Curve, Interpolate};
pub use kind::ValueKind;
pub use narrowing::{Narrowing, TimeRounder, report_narrowed_times};
pub use quat::Quat;
pub use real::Real;
pub(crate) use real::sealed;
pub use rules::{BlendReach, Clock, FirstTime, FullTurn, LastBezier, Rules, Slerp, StatedDuration};
pub use skeleton::{Bone, Skeleton, SkeletonError, SkeletonsDiffer};
pub use strings::Strings;
pub use track::{Axis, Property, Target, Text, Track, TrackError};
pub use track_data::{
    Handle, Interpolation, Interpolations, KeysError, Shape, Tangents, TrackData,
};
pub use values::{Value, Values};
