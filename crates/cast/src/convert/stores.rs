//! What the format stores.

use inbetween_core::stores::{CurveForm, Head, Rotations, Stores, Times};
use inbetween_core::{Axis, Coordinates, Handedness, Property, Unit};

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

/// The axes of Call of Duty; files may state that Y is up. Tools of the game multiply its inches by 2.54,
/// so most files are in centimeters (`docs/formats/axes.md`).
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Right, Axis::Z).with_front(Axis::X).with_unit(Unit::Assumed(0.01));
