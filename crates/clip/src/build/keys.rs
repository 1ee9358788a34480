//! Keys that a clip can store: lines or steps.

use inbetween_core::{Interpolation, Interpolations, KeysError, TrackData, ValueKind, Values};

pub(super) const LINEAR: Interpolations = Interpolations::Shared(Interpolation::Linear);

/// Makes keys that hold, or lines.
pub(super) fn keyed(times: Vec<f64>, values: Values, steps: bool) -> Result<TrackData, KeysError> {
    if steps {
        TrackData::stepped(times, values)
    } else {
        TrackData::curve(times, values, LINEAR, None)
    }
}

/// Returns the kind of `f64` values of a rotation, or of this many components.
pub(super) const fn wide_kind(rotation: bool, width: u8) -> ValueKind {
    match width {
        _ if rotation => ValueKind::DoubleQ,
        1 => ValueKind::Double,
        2 => ValueKind::Double2,
        3 => ValueKind::Double3,
        _ => ValueKind::Double4,
    }
}
