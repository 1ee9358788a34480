//! Quaternions.

use crate::Identical;

/// A quaternion with its components in the order x y z w.
///
/// Products are Hamilton products: `a * b` rotates by `b` first, then by `a`. A rotation
/// by `angle` radians about the unit axis `n` is `(n sin(angle/2), cos(angle/2))`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quat<T> {
    /// The i part.
    pub x: T,
    /// The j part.
    pub y: T,
    /// The k part.
    pub z: T,
    /// The real part.
    pub w: T,
}

impl<T> Quat<T> {
    /// Makes a quaternion of components in the order x y z w.
    pub fn from_array([x, y, z, w]: [T; 4]) -> Self {
        Self { x, y, z, w }
    }

    /// Returns the components in the order x y z w.
    pub fn to_array(self) -> [T; 4] {
        [self.x, self.y, self.z, self.w]
    }
}

impl<T: Identical + Copy> Identical for Quat<T> {
    fn identical(&self, other: &Self) -> bool {
        self.to_array().identical(&other.to_array())
    }
}

impl From<Quat<f32>> for Quat<f64> {
    fn from(narrow: Quat<f32>) -> Self {
        Self::from_array(narrow.to_array().map(f64::from))
    }
}
