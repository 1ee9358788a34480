//! Quaternions.

use core::ops::{Mul, Neg};

use crate::{Identical, Real};

/// A quaternion with its components in the order x y z w.
///
/// Products are Hamilton products: `a * b` rotates by `b` first, then by `a`. A rotation by `angle`
/// radians about the unit axis `n` is `(n sin(angle/2), cos(angle/2))`. It turns x towards y about
/// z, y towards z about x and z towards x about y. In right-handed axes that is counterclockwise,
/// seen from the tip of the axis.
///
/// Rotations are unit quaternions, and `q` and `-q` are the same rotation. Files also contain
/// others, so no function normalizes its result unless its documentation says so.
///
/// In memory it is four numbers, x first.
///
/// # Examples
///
/// ```
/// use std::f64::consts::FRAC_PI_2;
///
/// use inbetween_core::Quat;
///
/// let quarter = Quat::from_axis_angle([0.0, 0.0, 1.0], FRAC_PI_2);
/// let [x, y, z] = quarter.rotate([1.0, 0.0, 0.0]);
/// assert!(x.abs() < 1e-15 && (y - 1.0).abs() < 1e-15 && z == 0.0);
///
/// let eighth = Quat::IDENTITY.slerp(quarter, 0.5);
/// assert!((eighth * eighth).angle_to(quarter) < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
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
    /// Creates a quaternion from components in the order x y z w.
    pub fn from_array([x, y, z, w]: [T; 4]) -> Self {
        Self { x, y, z, w }
    }

    /// Returns the components in the order x y z w.
    pub fn to_array(self) -> [T; 4] {
        [self.x, self.y, self.z, self.w]
    }

    fn map<U>(self, f: impl FnMut(T) -> U) -> Quat<U> {
        Quat::from_array(self.to_array().map(f))
    }
}

impl<T: Real> Quat<T> {
    /// The identity rotation.
    pub const IDENTITY: Self = Self { x: T::ZERO, y: T::ZERO, z: T::ZERO, w: T::ONE };

    /// Creates the rotation by `angle` radians about a unit axis.
    pub fn from_axis_angle([x, y, z]: [T; 3], angle: T) -> Self {
        let half = angle / (T::ONE + T::ONE);
        let sine = half.sin();
        Self { x: x * sine, y: y * sine, z: z * sine, w: half.cos() }
    }

    /// Returns the dot product: the cosine of half the angle between two rotations.
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    /// Returns the length; that of a rotation is 1.
    pub fn length(self) -> T {
        self.dot(self).sqrt()
    }

    /// Returns whether it is a rotation: its length is neither infinite or NaN nor so close to 0
    /// that its square has too few digits.
    pub fn has_direction(self) -> bool {
        self.dot(self).is_normal()
    }

    /// Returns the quaternion of length 1 in the same direction; one without a direction is returned
    /// unchanged.
    #[must_use]
    pub fn normalized(self) -> Self {
        let length = self.length();
        if self.has_direction() { self.map(|part| part / length) } else { self }
    }

    /// Returns the conjugate: for a unit quaternion, the inverse rotation.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z, w: self.w }
    }

    /// Returns this quaternion or its negative, which is the same rotation: the one with the
    /// shorter arc to another quaternion.
    #[must_use]
    pub fn aligned_to(self, other: Self) -> Self {
        if self.dot(other) < T::ZERO { -self } else { self }
    }

    /// Rotates a vector by a unit quaternion.
    pub fn rotate(self, vector: [T; 3]) -> [T; 3] {
        let axis = [self.x, self.y, self.z];
        let twice = cross(axis, vector).map(|part| part + part);
        let [sx, sy, sz] = cross(axis, twice);
        let [tx, ty, tz] = twice;
        let [x, y, z] = vector;
        [x + self.w * tx + sx, y + self.w * ty + sy, z + self.w * tz + sz]
    }

    /// Interpolates from this rotation (`t` = 0) to another (`t` = 1) on the shorter arc at even
    /// speed.
    ///
    /// This is Resonite's rule: `other` is negated if the dot product is negative; if the dot
    /// product is then 1 or more, the result is `other`; and the result is not normalized. At 0 and
    /// 1 the result is exactly the start and the end, the end up to its sign.
    #[must_use]
    pub fn slerp(self, other: Self, t: T) -> Self {
        self.arc(other.aligned_to(self), self.dot(other).abs(), t)
    }

    /// Interpolates like [`slerp`](Self::slerp), but with the angle between the directions, which
    /// does not depend on the lengths.
    ///
    /// Rounding to `f32` makes lengths larger than 1 by up to about 1e-8. For `slerp`, the dot
    /// product of two such quaternions is then 1 or more if they are up to 0.05 degrees apart.
    pub(crate) fn slerp_directions(self, other: Self, t: T) -> Self {
        let lengths = self.length() * other.length();
        let dot = self.dot(other).abs();
        let cosine = if lengths.is_normal() { dot / lengths } else { dot };
        let other = other.aligned_to(self);
        // At this distance, the arc and the chord are equal within the precision of the float.
        if cosine >= T::ONE && t > T::ZERO && t < T::ONE && self != other {
            let mix = |from: T, to: T| from + (to - from) * t;
            let (x, y) = (mix(self.x, other.x), mix(self.y, other.y));
            return Self { x, y, z: mix(self.z, other.z), w: mix(self.w, other.w) };
        }
        self.arc(other, cosine, t)
    }

    fn arc(self, other: Self, cosine: T, t: T) -> Self {
        if t == T::ZERO {
            return self;
        }
        if t == T::ONE || cosine >= T::ONE {
            return other;
        }
        let angle = cosine.acos();
        let sine = angle.sin();
        let from = ((T::ONE - t) * angle).sin() / sine;
        let to = (t * angle).sin() / sine;
        Self {
            x: self.x * from + other.x * to,
            y: self.y * from + other.y * to,
            z: self.z * from + other.z * to,
            w: self.w * from + other.w * to,
        }
    }

    /// Returns the angle of the rotation from this one to another: 0 to pi radians.
    ///
    /// It is accurate near 0, where the dot product is not, and does not depend on lengths and
    /// signs. It is NaN if one of the two has no direction.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::Quat;
    ///
    /// let tiny = Quat::from_axis_angle([1.0, 0.0, 0.0], 1e-9);
    /// assert!((Quat::IDENTITY.angle_to(tiny) - 1e-9).abs() < 1e-24);
    /// ```
    pub fn angle_to(self, other: Self) -> f64 {
        let (a, b) = (self.cast::<f64>(), other.cast::<f64>());
        if !(a.has_direction() && b.has_direction()) {
            return f64::NAN;
        }
        let a = a.normalized();
        let b = b.normalized().aligned_to(a);
        // W. Kahan's angle between two vectors of equal length.
        let minus = Quat { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z, w: a.w - b.w };
        let plus = Quat { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z, w: a.w + b.w };
        4.0 * minus.length().atan2(plus.length())
    }

    /// Returns the nearest quaternion of another float type.
    pub(crate) fn cast<F: Real>(self) -> Quat<F> {
        self.map(T::cast)
    }
}

fn cross<T: Real>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> [T; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

impl Quat<f64> {
    /// Returns the rotation that turns the axes to these three, which are at right angles and have
    /// the length 1; the identity if no rotation does.
    pub fn from_axes([x, y, z]: [[f64; 3]; 3]) -> Self {
        let trace = x[0] + y[1] + z[2];
        // Starts with the largest component, since the others are divided by it.
        let four = [
            1.0 + x[0] - y[1] - z[2],
            1.0 - x[0] + y[1] - z[2],
            1.0 - x[0] - y[1] + z[2],
            1.0 + trace,
        ];
        let largest = four.iter().copied().fold(0.0, f64::max);
        let [xy, xz, yz] = [x[1] + y[0], x[2] + z[0], y[2] + z[1]];
        let [wx, wy, wz] = [y[2] - z[1], z[0] - x[2], x[1] - y[0]];
        let rotation = if largest == four[3] {
            [wx, wy, wz, four[3]]
        } else if largest == four[0] {
            [four[0], xy, xz, wx]
        } else if largest == four[1] {
            [xy, four[1], yz, wy]
        } else {
            [xz, yz, four[2], wz]
        };
        let rotation = Self::from_array(rotation).normalized();
        if rotation.has_direction() { rotation } else { Self::IDENTITY }
    }
}

impl<T: Real> Mul for Quat<T> {
    type Output = Self;

    /// The Hamilton product: the rotation by `b`, then by `self`.
    fn mul(self, b: Self) -> Self {
        let a = self;
        Self {
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        }
    }
}

impl<T: Real> Neg for Quat<T> {
    type Output = Self;

    /// The same rotation with all signs changed.
    fn neg(self) -> Self {
        self.map(|part| -part)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_whose_square_has_few_digits_is_no_direction() {
        let of_length = |w: f64| Quat { x: 0.0, y: 0.0, z: 0.0, w };
        // The square of the first is 15 times the smallest number, so its length would be off by
        // a tenth of it.
        for tiny in [-2.725e-162, 0.0, f64::MIN_POSITIVE, f64::INFINITY, f64::NAN] {
            assert!(!of_length(tiny).has_direction(), "{tiny}");
            assert!(of_length(tiny).normalized().identical(&of_length(tiny)), "{tiny}");
        }
        assert_eq!(of_length(-1e-150).normalized(), of_length(-1.0));
    }
}
