//! Coordinates: what the axes and the lengths of a file mean.

use crate::{Axes, Axis};

/// What the axes and the lengths of a format mean, or of one file. `None` is unknown.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Axes, Axis, Coordinates, Handedness, Unit};
///
/// let game = Coordinates::new(Handedness::Right, Axis::Z).with_unit(Unit::Assumed(0.01));
/// let scene = Coordinates::new(Handedness::Left, Axis::Y).with_unit(Unit::Stated(1.0));
/// assert_eq!(game.turn_to(scene), Some(Axes::Z_TO_Y_UP));
/// assert!(game.is_mirrored_in(scene));
/// assert_eq!(Coordinates::UNKNOWN.turn_to(scene), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinates {
    /// The handedness.
    pub handedness: Option<Handedness>,
    /// The axis that points up.
    pub up: Option<Axis>,
    /// The axis along which models look, for people: no conversion depends on it.
    pub front: Option<Axis>,
    /// The unit of lengths.
    pub unit: Unit,
}

impl Coordinates {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self { handedness: None, up: None, front: None, unit: Unit::Unknown };

    /// Creates coordinates whose front and unit are unknown.
    pub const fn new(handedness: Handedness, up: Axis) -> Self {
        Self { handedness: Some(handedness), up: Some(up), ..Self::UNKNOWN }
    }

    /// Returns the coordinates with an axis along which models look.
    #[must_use]
    pub const fn with_front(mut self, front: Axis) -> Self {
        self.front = Some(front);
        self
    }

    /// Returns the coordinates with a unit of lengths.
    #[must_use]
    pub const fn with_unit(mut self, unit: Unit) -> Self {
        self.unit = unit;
        self
    }

    /// Returns whether both handednesses are known and differ.
    pub fn is_mirrored_in(self, other: Self) -> bool {
        matches!((self.handedness, other.handedness), (Some(own), Some(other)) if own != other)
    }

    /// Returns the turn from the own axis that points up to the other one; `None` if one of them
    /// is unknown, or X is up.
    pub fn turn_to(self, other: Self) -> Option<Axes> {
        match (self.up?, other.up?) {
            (own, other) if own == other => Some(Axes::IDENTITY),
            (Axis::Z, Axis::Y) => Some(Axes::Z_TO_Y_UP),
            (Axis::Y, Axis::Z) => Some(Axes::Z_TO_Y_UP.inverse()),
            _ => None,
        }
    }

    /// Returns whether the axes are known and the same. The unit and the front may differ.
    pub fn has_axes_of(self, other: Self) -> bool {
        let known = self.handedness.is_some() && self.up.is_some();
        known && (self.handedness, self.up) == (other.handedness, other.up)
    }
}

/// Which hand shows the directions of the axes: thumb X, index finger Y, middle finger Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Handedness {
    /// The left hand.
    Left,
    /// The right hand.
    Right,
}

/// The unit of lengths, in meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Every file has its own.
    Unknown,
    /// No file states it, but most have this one.
    Assumed(f64),
    /// The specification or the file states it.
    Stated(f64),
}

impl Unit {
    /// Returns the length in meters, if it is stated.
    pub const fn stated(self) -> Option<f64> {
        match self {
            Self::Stated(meters) => Some(meters),
            Self::Unknown | Self::Assumed(_) => None,
        }
    }
}

/// How coordinates are changed.
///
/// First, every local transform gets other axes; then the top nodes are turned, and all lengths
/// are multiplied by a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapping {
    /// The change of the axes of every local transform.
    pub locals: Axes,
    /// The turn of the top nodes.
    pub top: Axes,
    /// The factor of all lengths.
    pub factor: f64,
}

impl Mapping {
    /// No change.
    pub const IDENTITY: Self = Self { locals: Axes::IDENTITY, top: Axes::IDENTITY, factor: 1.0 };

    /// Returns the change that applies this one first, and then another.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let top = next.locals.inverse().then(self.top).then(next.locals);
        Self {
            locals: self.locals.then(next.locals),
            top: top.then(next.top),
            factor: self.factor * next.factor,
        }
    }
}

/// The change of coordinates by which a document was made, for the way back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mapped {
    /// The coordinates before.
    pub from: Coordinates,
    /// The change.
    pub mapping: Mapping,
    /// Whether the turn and the factor are not part of the bones. Formats that store
    /// [`Head::Placement`](crate::stores::Head::Placement) have them in a node above all bones.
    pub above: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_and_its_way_back_cancel() {
        let there = Mapping { locals: Axes::MIRROR, top: Axes::Z_TO_Y_UP, factor: 0.5 };
        let back = Mapping { locals: Axes::MIRROR, top: Axes::Z_TO_Y_UP.inverse(), factor: 2.0 };
        assert_eq!(there.then(back), Mapping::IDENTITY);
        assert_eq!(Mapping::IDENTITY.then(there), there);
        assert_eq!(there.then(Mapping::IDENTITY), there);
    }
}
