//! The error bounds of a clip.

use inbetween_core::Property as SourceProperty;

use super::error::{BadBound, BuildError};

/// How far a clip may play from its animation, at any time.
///
/// The error of a number is its difference, by component. The error of a rotation is the angle
/// between the two. At a jump, the value of either side is right.
///
/// # Examples
///
/// ```
/// use inbetween_clip::Bounds;
///
/// let bounds = Bounds::default().with_translation(0.001);
/// assert_eq!(bounds.scale, 0.0001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Bounds {
    /// In the unit of the file; default 0.0001, a tenth of a millimeter for files in meters.
    pub translation: f64,
    /// Radians; default 0.01 degrees.
    pub rotation: f64,
    /// Factors; default 0.0001.
    pub scale: f64,
    /// Weights and custom properties, in their units; default 0.001.
    pub curve: f64,
}

impl Default for Bounds {
    fn default() -> Self {
        let rotation = inbetween_core::DEFAULT_BOUND;
        Self { translation: 1e-4, rotation, scale: 1e-4, curve: 1e-3 }
    }
}

impl Bounds {
    /// Returns the bounds with another one of translations.
    #[must_use]
    pub const fn with_translation(mut self, bound: f64) -> Self {
        self.translation = bound;
        self
    }

    /// Returns the bounds with another one of rotations, in radians.
    #[must_use]
    pub const fn with_rotation(mut self, bound: f64) -> Self {
        self.rotation = bound;
        self
    }

    /// Returns the bounds with another one of scales.
    #[must_use]
    pub const fn with_scale(mut self, bound: f64) -> Self {
        self.scale = bound;
        self
    }

    /// Returns the bounds with another one of weights and custom properties.
    #[must_use]
    pub const fn with_curve(mut self, bound: f64) -> Self {
        self.curve = bound;
        self
    }

    /// Returns the bound of a property.
    pub(super) const fn of(&self, property: &SourceProperty) -> f64 {
        match property {
            SourceProperty::Translation => self.translation,
            SourceProperty::Rotation | SourceProperty::RotationEuler(_) => self.rotation,
            SourceProperty::Scale => self.scale,
            _ => self.curve,
        }
    }

    /// Checks that all bounds are positive and finite.
    pub(super) fn check(&self) -> Result<(), BuildError> {
        let bounds = [
            ("translation", self.translation),
            ("rotation", self.rotation),
            ("scale", self.scale),
            ("curve", self.curve),
        ];
        match bounds.into_iter().find(|(_, bound)| !(*bound > 0.0 && bound.is_finite())) {
            Some((name, bound)) => Err(BuildError::BadBound(BadBound { name, bound })),
            None => Ok(()),
        }
    }
}
