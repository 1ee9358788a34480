//! What the format stores.

use inbetween_core::Property;
use inbetween_core::stores::{CurveForm, Numbers, Rotations, Stores, Targets, Times};

/// What the format stores. Custom tracks, and what glTF has no member for, are stored as extras.
pub(crate) const STORES: Stores = Stores {
    targets: Targets::Once,
    empty_track: |target| matches!(target.property, Property::Custom(_)),
    component: |_| false,
    rotations: Rotations::Directions,
    curves: CurveForm::Tangents,
    times: Times::FromZero,
    numbers: Numbers::Finite,
    ..Stores::ALL
};
