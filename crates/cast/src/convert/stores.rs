//! What the format stores.

use inbetween_core::Property;
use inbetween_core::stores::{CurveForm, Head, Rotations, Stores, Times};

/// What the format stores. Axes of translations and scales have their own curves.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::Name, Head::FrameRate, Head::Looping, Head::Blend, Head::Markers, Head::Skeleton],
    track: |target, _| !matches!(target.property, Property::Custom(_)),
    component: |target| matches!(target.property, Property::Translation | Property::Scale),
    empty_track: |_| false,
    rotations: Rotations::Quaternions,
    curves: CurveForm::Lines,
    times: Times::Frames,
    ..Stores::ALL
};
