//! Compares the properties that tracks animate.

use inbetween_core::Property;

/// A property, without distinction between Euler angles and quaternions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum PropertyKey {
    Rotation,
    Other(Property),
}

impl PropertyKey {
    pub(crate) fn of(property: &Property) -> Self {
        match property {
            Property::Rotation | Property::RotationEuler(_) => Self::Rotation,
            other => Self::Other(other.clone()),
        }
    }
}
