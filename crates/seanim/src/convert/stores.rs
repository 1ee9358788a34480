//! What the format stores.

use inbetween_core::stores::{CurveForm, Head, Rotations, Stores, Times};
use inbetween_core::{Axis, Coordinates, Handedness, Property, Unit};

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

/// The axes of Call of Duty. Other games have others. Tools of the game multiply its inches by 2.54, so
/// most files are in centimeters (`docs/formats/axes.md`).
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Z).with_front(Axis::X).with_unit(Unit::Assumed(0.01));
