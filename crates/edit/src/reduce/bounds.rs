//! How large the error of a reduction may be.

use inbetween_core::{Property, Target, ValueKind};

use crate::EditError;
use crate::work::check_number;

/// The largest allowed error after removing keys, per category of tracks.
///
/// `None`, the default, leaves the tracks unchanged. A bound of 0 removes only keys that make no
/// difference, bit for bit. Each bound applies to a property as a whole: tracks of single
/// components share it.
///
/// # Examples
///
/// ```
/// use inbetween_edit::ReduceBounds;
///
/// let bounds = ReduceBounds { angle: Some(0.1_f64.to_radians()), ..ReduceBounds::default() };
/// assert_eq!(bounds.position, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReduceBounds {
    /// For positions: the distance, in the unit of the values.
    pub position: Option<f64>,
    /// For rotations: the angle between them in radians.
    pub angle: Option<f64>,
    /// For scales: the length of the difference.
    pub scale: Option<f64>,
    /// For weights and for custom numbers, vectors and colors:
    /// [`value_error`](inbetween_core::value_error).
    pub scalar: Option<f64>,
}

impl ReduceBounds {
    /// Returns the same bound for all categories: units, and radians for rotations.
    pub const fn all(bound: f64) -> Self {
        let bound = Some(bound);
        Self { position: bound, angle: bound, scale: bound, scalar: bound }
    }

    /// Returns the bounds of this reduction followed by another one: errors add up.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_edit::ReduceBounds;
    ///
    /// let first = ReduceBounds { position: Some(0.25), ..ReduceBounds::default() };
    /// let both = first.and_then(ReduceBounds::all(0.5));
    /// assert_eq!((both.position, both.angle), (Some(0.75), Some(0.5)));
    /// ```
    #[must_use]
    pub fn and_then(self, next: Self) -> Self {
        let sum = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Self {
            position: sum(self.position, next.position),
            angle: sum(self.angle, next.angle),
            scale: sum(self.scale, next.scale),
            scalar: sum(self.scalar, next.scalar),
        }
    }

    pub(super) fn check(self) -> Result<(), EditError> {
        let names = ["reduce: position", "reduce: angle", "reduce: scale", "reduce: scalar"];
        for (what, category) in names.into_iter().zip(Category::ALL) {
            let bound = self.get(category).unwrap_or(0.0);
            check_number(what, "a bound of 0 or more such as 0.001", bound, bound >= 0.0)?;
        }
        Ok(())
    }

    pub(crate) const fn get(self, category: Category) -> Option<f64> {
        match category {
            Category::Position => self.position,
            Category::Angle => self.angle,
            Category::Scale => self.scale,
            Category::Scalar => self.scalar,
        }
    }

    /// Returns the bound of a track, and the factor by which the error of the whole property may
    /// exceed that of the track.
    pub(super) fn of(self, target: &Target, kind: ValueKind) -> Option<(f64, f64)> {
        let one = target.component.is_some();
        let share = match target.property {
            Property::Translation | Property::Scale if one => 3.0_f64.sqrt(),
            // The angles of rotations about three axes add up at most.
            Property::RotationEuler(_) => {
                if one {
                    3.0
                } else {
                    3.0_f64.sqrt()
                }
            }
            _ => 1.0,
        };
        // Two strings or switches are either equal or different.
        let bound = self.get(Category::of(&target.property, kind));
        bound.map(|bound| (if kind.interpolates() { bound } else { 0.0 }, share))
    }
}

/// The category that a bound applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    Position,
    Angle,
    Scale,
    Scalar,
}

impl Category {
    pub(crate) const ALL: [Self; 4] = [Self::Position, Self::Angle, Self::Scale, Self::Scalar];

    pub(crate) fn of(property: &Property, kind: ValueKind) -> Self {
        match property {
            Property::Translation => Self::Position,
            Property::Scale => Self::Scale,
            Property::Rotation | Property::RotationEuler(_) => Self::Angle,
            _ if kind.is_quaternion() => Self::Angle,
            _ => Self::Scalar,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Angle => "angle",
            Self::Scale => "scale",
            Self::Scalar => "scalar",
        }
    }

    /// The unit after a number; other numbers have the unit of the file.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Self::Angle => " rad",
            _ => "",
        }
    }
}
