//! Tracks, and what they animate.

use std::sync::Arc;

use crate::{Blend, EulerOrder, TrackData, TrackName, ValueKind, WriteError, shown};

/// Shared text: a name is stored once for any number of tracks.
pub type Text = Arc<str>;

/// A component of a vector or of Euler angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The first.
    X,
    /// The second.
    Y,
    /// The third.
    Z,
}

impl Axis {
    /// The three axes, in the order of the components of a vector.
    pub const ALL: [Self; 3] = [Self::X, Self::Y, Self::Z];

    /// Returns which component of a vector this is: 0, 1 or 2.
    pub const fn index(self) -> usize {
        match self {
            Self::X => 0,
            Self::Y => 1,
            Self::Z => 2,
        }
    }

    /// Returns the component of a vector on this axis.
    pub fn of<T>(self, [x, y, z]: [T; 3]) -> T {
        match self {
            Self::X => x,
            Self::Y => y,
            Self::Z => z,
        }
    }

    /// Returns `x`, `y` or `z`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::X => "x",
            Self::Y => "y",
            Self::Z => "z",
        }
    }
}

/// The property of a node that a track animates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Property {
    /// Position, in the unit of the file (X4: meters; SEAnim: not stated).
    Translation,
    /// Rotation as a quaternion x y z w.
    Rotation,
    /// Rotation as three angles in radians.
    RotationEuler(EulerOrder),
    /// Scale factor per axis.
    Scale,
    /// The weight of the blend shape with this name.
    Weight(Text),
    /// A property with the name that the file gives it; `None` for a null name.
    Custom(Option<Text>),
}

impl Property {
    /// Returns the value of a component that no track animates: 1 for a scale, otherwise 0.
    pub const fn component_at_rest(&self) -> f64 {
        if matches!(self, Self::Scale) { 1.0 } else { 0.0 }
    }

    /// Returns the name that the tool prints: `Position`, `Rotation` and `Scale` as in Resonite,
    /// `Weight:shape` for weights, and a custom name unchanged.
    pub fn name(&self) -> std::borrow::Cow<'_, str> {
        match self {
            Self::Translation => "Position".into(),
            Self::Rotation => "Rotation".into(),
            Self::RotationEuler(_) => "RotationEuler".into(),
            Self::Scale => "Scale".into(),
            Self::Weight(shape) => format!("Weight:{shape}").into(),
            Self::Custom(name) => name.as_deref().unwrap_or_default().into(),
        }
    }

    /// Returns whether values of a kind fit this property, as a whole or for one component.
    pub const fn accepts(&self, kind: ValueKind, component: Option<Axis>) -> bool {
        let scalar = matches!(kind, ValueKind::Float | ValueKind::Double);
        match self {
            Self::Translation | Self::RotationEuler(_) | Self::Scale => match component {
                None => kind.is_vector3(),
                Some(_) => scalar,
            },
            Self::Rotation => kind.is_quaternion() && component.is_none(),
            Self::Weight(_) => scalar && component.is_none(),
            Self::Custom(_) => true,
        }
    }
}

/// The node, property and component that a track animates.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Axis, Property, Target};
///
/// let height = Target::new("hips", Property::Translation).with_component(Axis::Y);
/// assert_eq!(height.component, Some(Axis::Y));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The bone, part or slot; `None` if the file has no name or a null name.
    pub node: Option<Text>,
    /// The property that changes.
    pub property: Property,
    /// The component that changes; `None` for all of them.
    pub component: Option<Axis>,
    /// How the values combine with the pose below the clip.
    pub blend: Blend,
}

impl Target {
    /// Creates an absolute target of all components of a property.
    pub fn new(node: impl Into<Text>, property: Property) -> Self {
        Self::of(Some(node.into()), property)
    }

    /// Like [`new`](Self::new), for a node that may have no name.
    pub const fn of(node: Option<Text>, property: Property) -> Self {
        Self { node, property, component: None, blend: Blend::Absolute }
    }

    /// Returns the target for one component.
    #[must_use]
    pub const fn with_component(mut self, axis: Axis) -> Self {
        self.component = Some(axis);
        self
    }

    /// Returns the name of the track in messages and patterns: `Hips/Position.x`.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Property, Target};
    ///
    /// assert_eq!(Target::new("Hips", Property::Translation).label(), "Hips/Position");
    /// ```
    pub fn label(&self) -> String {
        let node = self.node.as_deref().unwrap_or_default();
        let name = self.property.name();
        match self.component {
            Some(axis) => format!("{node}/{name}.{}", axis.name()),
            None => format!("{node}/{name}"),
        }
    }

    /// Returns the target with another blend mode.
    #[must_use]
    pub const fn with_blend(mut self, blend: Blend) -> Self {
        self.blend = blend;
        self
    }
}

impl From<&Target> for TrackName {
    fn from(target: &Target) -> Self {
        let (property, custom) = match &target.property {
            Property::Translation => ("Position", None),
            Property::Rotation => ("Rotation", None),
            Property::RotationEuler(_) => ("RotationEuler", None),
            Property::Scale => ("Scale", None),
            Property::Weight(shape) => ("Weight:", Some(shape.clone())),
            Property::Custom(name) => ("", name.clone()),
        };
        let axis = target.component.map_or("", Axis::name);
        Self { node: target.node.clone(), property, custom, axis }
    }
}

/// The keys of one property of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    target: Target,
    data: TrackData,
}

impl Track {
    /// Creates a track.
    ///
    /// # Errors
    ///
    /// If the property cannot have values of this kind: translations, scales and Euler angles are
    /// `float3` or `double3` (`float` or `double` for one component), rotations `floatQ` or
    /// `doubleQ`, weights `float` or `double`.
    pub fn new(target: Target, data: TrackData) -> Result<Self, TrackError> {
        if target.property.accepts(data.kind(), target.component) {
            Ok(Self { target, data })
        } else {
            Err(TrackError { target, kind: data.kind() })
        }
    }

    /// Creates a track of a property and values that are known to fit.
    pub(crate) const fn trusted(target: Target, data: TrackData) -> Self {
        Self { target, data }
    }

    /// Returns the node and the property that the track animates.
    pub const fn target(&self) -> &Target {
        &self.target
    }

    /// Returns the keys.
    pub const fn data(&self) -> &TrackData {
        &self.data
    }

    /// Changes how the values combine with the pose below the clip.
    pub const fn set_blend(&mut self, blend: Blend) {
        self.target.blend = blend;
    }

    /// Splits the track into its parts without copying its keys.
    pub fn into_parts(self) -> (Target, TrackData) {
        (self.target, self.data)
    }
}

/// The error of a property that cannot have values of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackError {
    /// The target of the track.
    pub target: Target,
    /// The kind of the keys.
    pub kind: ValueKind,
}

impl core::fmt::Display for TrackError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(
            f,
            "{} cannot have values of kind {}",
            shown(&self.target.property.name()),
            self.kind
        )
    }
}

impl core::error::Error for TrackError {}

impl From<TrackError> for WriteError {
    fn from(error: TrackError) -> Self {
        Self::inconsistent(error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_a_rotation_of_vectors() {
        let data = TrackData::uniform(1.0, vec![[0.0_f32; 3]]);
        assert!(Track::new(Target::new("a", Property::Rotation), data.clone()).is_err());
        assert!(Track::new(Target::new("a", Property::Translation), data).is_ok());
    }
}
