//! What tracks animate.

use inbetween_core::Property;

/// A property, with Euler angles and quaternions as the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum What {
    Rotation,
    Other(Property),
}

impl What {
    pub(crate) fn of(property: &Property) -> Self {
        match property {
            Property::Rotation | Property::RotationEuler(_) => Self::Rotation,
            other => Self::Other(other.clone()),
        }
    }
}
