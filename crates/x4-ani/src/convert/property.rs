//! The properties that the groups of keys animate.

use inbetween_core::Property;

use crate::layout::{EULER_ORDER, Group};

/// The properties of the groups that the common model does not define.
const PRE_SCALE: &str = "PreScale";
const POST_SCALE: &str = "PostScale";

/// Returns the property that the keys of a group animate.
pub(super) fn property(group: Group) -> Property {
    match group {
        Group::Position => Property::Translation,
        Group::Rotation => Property::RotationEuler(EULER_ORDER),
        Group::Scale => Property::Scale,
        Group::PreScale => Property::Custom(Some(PRE_SCALE.into())),
        Group::PostScale => Property::Custom(Some(POST_SCALE.into())),
    }
}

/// Returns the group whose keys animate a property. Quaternions and Euler angles share one.
pub(super) fn group(property: &Property) -> Option<Group> {
    match property {
        Property::Translation => Some(Group::Position),
        Property::Rotation | Property::RotationEuler(_) => Some(Group::Rotation),
        Property::Scale => Some(Group::Scale),
        Property::Custom(Some(name)) if **name == *PRE_SCALE => Some(Group::PreScale),
        Property::Custom(Some(name)) if **name == *POST_SCALE => Some(Group::PostScale),
        _ => None,
    }
}
