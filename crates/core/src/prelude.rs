//! What programs that use one format need of this crate. Every format crate re-exports it, so that
//! such a program has one dependency.

pub use crate::{
    Animation, Document, Finding, Format, Interpolation, Interpolations, Limits, Marker, Outcome,
    Property, Quat, ReadError, Rules, Severity, Skeleton, Tangents, Target, Track, TrackData,
    Value, Values, WriteError, fix,
};
