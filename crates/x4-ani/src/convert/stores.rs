//! What the format stores.

use inbetween_core::stores::{Head, Stores, Targets};
use inbetween_core::{Axis, Coordinates, Handedness, Property, Target, Unit, ValueKind};

use super::property::group;

/// What the format stores. Components, quaternions and curves become keys of vectors in a way that
/// no other format shares, so they are converted here.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::Name],
    track: has_group,
    targets: Targets::OnceInAnyCase,
    unique_names: true,
    ..Stores::ALL
};

/// Returns whether a group can store a property with values of a kind.
fn has_group(target: &Target, kind: ValueKind) -> bool {
    let number = matches!(kind, ValueKind::Float | ValueKind::Double);
    let fits = match target.component {
        Some(Axis::X | Axis::Y | Axis::Z) => number,
        None => {
            kind.is_vector3() || (kind.is_quaternion() && target.property == Property::Rotation)
        }
    };
    fits && group(&target.property).is_some()
}

/// The axes of the game (`docs/formats/axes.md`).
pub(crate) const COORDINATES: Coordinates =
    Coordinates::new(Handedness::Left, Axis::Y).with_front(Axis::Z).with_unit(Unit::Stated(1.0));
