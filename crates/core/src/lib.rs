#![doc = include_str!("../README.md")]
#![cfg_attr(
    not(feature = "fit"),
    allow(dead_code, reason = "only the writing half calls some helpers")
)]

#[cfg(feature = "fit")]
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
mod bake;
mod bytes;
#[cfg(feature = "fit")]
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
mod fit;
mod format;
#[cfg(feature = "json")]
pub mod json;
pub mod memory;
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
mod model;
pub mod num;
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
mod playback;
pub mod prelude;
mod report;
#[cfg(feature = "resonite")]
#[expect(clippy::arithmetic_side_effects, reason = "lengths and indices of lists in memory")]
pub mod resonite;
#[cfg(feature = "text")]
pub mod text;

#[cfg(feature = "fit")]
pub use bake::{
    BakeError, Baked, Baker, Bound, Channel, ChannelTracks, Curves, CutTrack, DEFAULT_BOUND,
    Difference, FrameKeys, Framer, Grid, KeptPart, Normalized, Translated, cut, is_unit, lower,
    normalize, translate,
};
pub use bytes::{Contiguous, Record, SevenBit, View, parse, wire};
#[cfg(feature = "fit")]
pub use fit::{Fit, Fitted, dropped_scene, dropped_skeleton, dropped_track, narrow};
pub use format::{
    Applies, ClipCount, ClipReader, ClipSummary, Companion, CompanionInfo, Confidence, Context,
    Extent, Fate, FieldInfo, FileEncoding, Format, FormatInfo, Hint, Inspection, OptionError,
    OptionInfo, Skipped, TextForm, TrackSummary, WholeFile, Written, each_clip, for_extension,
    inspect_fully, read_only, stores,
};
pub use memory::grow;
pub use model::{
    Animation, Axes, AxesError, Axis, Blend, BlendMode, BlendOverride, BlendReach, Bone, BoneRole,
    Clock, Color, Color32, Component, Components, Coordinates, Document, Element, EulerOrder,
    FirstTime, FullTurn, Handedness, Handle, Identical, Interpolation, Interpolations, KeyColumns,
    KeysError, LastBezier, Looping, Mapped, Mapping, Marker, Model, Narrowing, Neighbors,
    OldAnimations, Origin, Property, Quat, RateGuess, Real, Rules, Scalar, SegmentKind, Shape,
    Skeleton, SkeletonError, SkeletonsDiffer, Slerp, StatedDuration, Strings, Tangents, Target,
    Text, TimeRounder, Track, TrackData, TrackError, Unit, Value, ValueKind, Values,
    ancestors_first, clip_names, element_error, frames, keys, report_narrowed_times, rows,
    value_error,
};
pub use playback::{ClipCursor, ClipSampler, PlaybackCursor, Pose, Sampler, Slot};
pub use report::{
    Budget, ClipPlace, Code, CodeInfo, Count, Edit, Finding, Findings, Fix, Limits, Location,
    Nature, Outcome, Path, PathStyle, Place, Position, ReadError, ReadErrorKind, Remedy, Segment,
    Severity, SharedBudget, SharedFindings, Shown, Space, StatedError, TrackName, TrackPlace,
    WriteError, WriteErrorKind, codes, counted, fix, join_codes, plural, printable, printable_json,
    shown, significant,
};
