#![doc = include_str!("../README.md")]

mod check;
pub mod codes;
mod component;
mod convert;
mod edit;
pub mod evaluate;
mod file;
mod format;
mod key;
mod name;
mod parts;
mod read;
#[cfg(feature = "text")]
mod text;
mod write;

pub use component::lint;
pub use file::{Group, X4aniFile, X4aniHeader, X4aniRecord, X4aniRecordHead};
pub use format::X4ani;
/// What programs that use the format need of `inbetween-core`.
#[doc(no_inline)]
pub use inbetween_core::prelude::*;
use inbetween_core::{Axis, Clock, EulerOrder, FirstTime, FullTurn, LastBezier, StatedDuration};

/// The playback rules of X4, from a trace of its evaluator (`docs/formats/x4-ani.md`, "Meaning").
pub const RULES: Rules = Rules::LINEAR
    .with_clock(Clock::F32)
    .with_first_time(FirstTime::FirstKey)
    .with_last_bezier(LastBezier::RightHandle)
    .with_full_turn(FullTurn::BeginsAtZero)
    .with_stated_duration(StatedDuration::Exact);

/// The order and the signs of rotation angles: `qY(y) qZ(-z) qX(-x)`.
pub const EULER_ORDER: EulerOrder =
    EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();

pub use key::{ControlPoints, KeyType, X4aniKey};
pub use name::X4aniName;
pub use parts::{RecordPart, X4aniParts};
