//! What the format stores.

use inbetween_core::stores::{CurveForm, Numbers, Rotations, Stores, Targets, Times};
use inbetween_core::{Axis, Coordinates, Handedness, Property, Unit};

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

/// The axes of the specification, section 3.4.
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Y).with_front(Axis::Z).with_unit(Unit::Stated(1.0));
