//! What programs that use one format need of this crate. Every format crate re-exports it, so that
//! such a program has one dependency.

pub use crate::{
    Animation, BlendMode, Bone, Code, Document, Finding, Format, Interpolation, Interpolations,
    Limits, Looping, Marker, Outcome, Property, Quat, ReadError, ReadErrorKind, Remedy, Rules,
    Severity, Skeleton, Tangents, Target, Track, TrackData, Value, ValueKind, Values, WriteError,
    WriteErrorKind, fix,
};
