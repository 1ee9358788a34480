//! Euler angles.

use crate::Axis;

/// The order and the signs in which three Euler angles make a rotation.
///
/// The rotation is the Hamilton product of one quaternion an axis, `axes[0]` leftmost, each
/// about its axis by its angle times its sign, in a right-handed system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EulerOrder {
    /// The axes of the product from left to right.
    pub axes: [Axis; 3],
    /// The sign of the angle of each entry of `axes`: 1 or -1.
    pub signs: [i8; 3],
}

impl EulerOrder {
    /// The order of X4: `qY(y) qZ(-z) qX(-x)` (`docs/formats/x4-ani.md`).
    pub const X4: Self = Self { axes: [Axis::Y, Axis::Z, Axis::X], signs: [1, -1, -1] };
}
