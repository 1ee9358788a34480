//! What the format stores.

use inbetween_core::Property;
use inbetween_core::stores::{CurveForm, Head, Rotations, Stores, Times};

use crate::Channel;

/// What the format stores.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::FrameRate],
    track: |target, _| {
        Channel::of_property(&target.property).is_some()
            || matches!(target.property, Property::RotationEuler(_))
    },
    component: |_| false,
    rotations: Rotations::Quaternions,
    curves: CurveForm::Lines,
    times: Times::Frames,
    ..Stores::ALL
};
