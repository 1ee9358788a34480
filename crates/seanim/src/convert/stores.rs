//! What the format stores.

use inbetween_core::Property;
use inbetween_core::stores::{CurveForm, Head, Rotations, Stores, Times};

/// What the format stores.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::FrameRate, Head::Looping, Head::Blend, Head::Markers],
    track: |target, _| !matches!(target.property, Property::Custom(_)),
    component: |_| false,
    rotations: Rotations::Quaternions,
    curves: CurveForm::Lines,
    times: Times::Frames,
    ..Stores::ALL
};
