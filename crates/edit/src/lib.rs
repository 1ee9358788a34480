#![doc = include_str!("../README.md")]
#![expect(
    clippy::arithmetic_side_effects,
    reason = "lengths and indices of lists in memory; times and values are computed as floats"
)]

mod angles;
mod axes;
mod blend;
mod clips;
mod close_loop;
pub mod codes;
mod constant;
mod cut;
mod error;
mod fill;
mod first_frame;
mod heads;
mod hips;
mod join;
mod map;
mod markers;
mod measure;
mod merge;
mod names;
mod onto;
mod property_key;
mod reduce;
mod relate;
mod rename;
mod resample;
mod resolve;
mod retime;
mod reverse;
mod select;
mod settings;
mod skeleton;
mod split;
mod time;
mod time_range;
mod top;
mod trim;
mod units;
mod work;

pub use axes::change_axes;
pub use clips::{append, copy_clip, drop_clips};
pub use close_loop::close_loop;
pub use constant::drop_constant;
pub use error::EditError;
pub use fill::fill;
pub use first_frame::first_frame;
pub use heads::{set_blend, set_frame_rate, set_looping};
pub use join::join;
pub use map::{AxesChoice, MapAt, MapOptions, Route, UnitChoice, map_coordinates};
pub use markers::{add_marker, drop_markers};
pub use measure::measure_reduction;
pub use merge::{merge, merge_clips};
pub use names::{Case, NamePattern, Renaming};
pub use onto::{Rig, put_on};
pub use reduce::{ReduceBounds, reduce};
pub use relate::relate;
pub use rename::{Named, rename, rename_by};
pub use resample::resample;
pub use resolve::resolve;
pub use retime::{play_frames_at, retime, retime_to, sample_looped, shift, start_at};
pub use reverse::reverse;
pub use select::{TrackPattern, drop, select};
pub use settings::Settings;
pub use skeleton::give_skeleton;
pub use split::{SplitAt, split};
pub use time::Time;
pub use time_range::TimeRange;
pub use trim::trim;
pub use units::{scale, scale_values, to_f32, to_f64};
