//! What the format stores.

use inbetween_core::stores::{CurveForm, Head, Numbers, Rotations, Stores, Targets, Times};
use inbetween_core::{Property, Target, ValueKind};

use super::property::Binding;

/// What the format stores. Curves of numbers need a class and an attribute of Unity.
pub(crate) const STORES: Stores = Stores {
    head: &[Head::Name, Head::FrameRate, Head::Looping, Head::Markers],
    track: has_place,
    targets: Targets::Once,
    empty_track: |_| false,
    component: |_| false,
    rotations: Rotations::AllDirections,
    curves: CurveForm::Tangents,
    times: Times::FromZero,
    numbers: Numbers::Finite,
    ..Stores::ALL
};

fn has_place(target: &Target, kind: ValueKind) -> bool {
    match &target.property {
        Property::Custom(_) => {
            matches!(kind, ValueKind::Float | ValueKind::Double | ValueKind::String)
                && Binding::of(&target.property).is_some()
        }
        _ => true,
    }
}
