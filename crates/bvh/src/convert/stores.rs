//! What the format stores.

use inbetween_core::Property;
use inbetween_core::stores::{CurveForm, Head, Numbers, Rotations, Stores, Targets, Times};

/// What the format stores.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::FrameRate, Head::Skeleton, Head::Hierarchy],
    track: |target, _| {
        let is_stored = matches!(
            target.property,
            Property::Translation | Property::Rotation | Property::RotationEuler(_)
        );
        is_stored && target.node.is_some()
    },
    targets: Targets::Once,
    empty_track: |_| false,
    component: |_| false,
    rotations: Rotations::All,
    curves: CurveForm::Lines,
    times: Times::Frames,
    numbers: Numbers::Finite,
    ..Stores::ALL
};
