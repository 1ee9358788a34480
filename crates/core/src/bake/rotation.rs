//! Rotations that move over a segment.

use core::f64::consts::FRAC_PI_2;
use core::ops::Range;

use super::cubic::Cubic;
use super::measure::{MOST_PARTS, Piece};
use crate::{Axis, EulerOrder, Quat, Slerp, num};

/// How far from 1 the length of a unit rotation may be. Rounding to `f32` changes lengths by up to
/// 1e-7.
const UNIT: f64 = 1e-6;

/// Returns whether a rotation is normalized: its length is within 1e-6 of 1.
pub fn is_unit(rotation: Quat<f64>) -> bool {
    (rotation.length() - 1.0).abs() <= UNIT
}

/// A rotation that moves over the normalized time 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Turn {
    /// A slerp from one quaternion to another; twice the same for a constant rotation.
    Arc { from: Quat<f64>, to: Quat<f64>, slerp: Slerp },
    /// A Bezier curve of quaternions, normalized.
    Bezier([Quat<f64>; 4]),
    /// Euler angles, with a curve per angle.
    Euler { angles: [Cubic; 3], order: EulerOrder },
}

impl Turn {
    /// Creates a constant rotation.
    pub(super) const fn constant(rotation: Quat<f64>) -> Self {
        Self::Arc { from: rotation, to: rotation, slerp: Slerp::Directions }
    }

    /// Creates a slerp. On unit rotations, the slerps of all engines count as alike
    /// (`docs/evaluation.md`).
    pub(super) fn arc(from: Quat<f64>, to: Quat<f64>, slerp: Slerp) -> Self {
        let slerp = if is_unit(from) && is_unit(to) { Slerp::Directions } else { slerp };
        Self::Arc { from, to, slerp }
    }

    /// Returns whether the rotation does not move.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Arc { from, to, .. } => from == to,
            Self::Bezier([a, b, c, d]) => a == b && b == c && c == d,
            Self::Euler { angles, .. } => angles.iter().all(|angle| angle.spread() == 0.0),
        }
    }

    /// Returns the rotation at a normalized time; its length may differ from 1.
    pub(super) fn at(&self, t: f64) -> Quat<f64> {
        match self {
            Self::Arc { from, .. } if t <= 0.0 => *from,
            Self::Arc { to, .. } if t >= 1.0 => *to,
            Self::Arc { from, to, .. } if from == to => *from,
            Self::Arc { from, to, slerp: Slerp::Directions } => from.slerp_directions(*to, t),
            Self::Arc { from, to, slerp: Slerp::Raw } => from.slerp(*to, t),
            Self::Bezier(points) => {
                Quat::from_array(components(points).map(|curve| curve.at(t))).normalized()
            }
            Self::Euler { angles, order } => order.quaternion(angles.map(|angle| angle.at(t))),
        }
    }

    /// Returns the angular velocity at a normalized time, in radians per unit of it.
    pub(super) fn spin(&self, t: f64) -> [f64; 3] {
        match self {
            // A slerp turns evenly about one axis.
            Self::Arc { from, to, .. } => {
                let between = to.aligned_to(*from) * from.conjugate();
                let axis = [between.x, between.y, between.z];
                let sine = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
                let angle = 2.0 * sine.atan2(between.w);
                if sine > 0.0 { axis.map(|part| part / sine * angle) } else { [0.0; 3] }
            }
            Self::Bezier(points) => {
                let curves = components(points);
                let place = Quat::from_array(curves.map(|curve| curve.at(t)));
                let change = Quat::from_array(curves.map(|curve| curve.slope(t)));
                let spin = change * place.conjugate();
                [spin.x, spin.y, spin.z].map(|part| 2.0 * part / place.dot(place))
            }
            Self::Euler { angles, order } => {
                let axes = spin_axes(*order, angles.map(|angle| angle.at(t)));
                let mut spin = [0.0; 3];
                for (axis, angle) in axes.into_iter().zip(angles) {
                    let rate = angle.slope(t);
                    spin.iter_mut().zip(axis).for_each(|(sum, part)| *sum += part * rate);
                }
                spin
            }
        }
    }

    /// Returns a part of a curve of quaternions as a curve of its own, whose ends have other lengths.
    pub(super) fn part(&self, part: &Range<f64>) -> Self {
        let Self::Bezier(points) = self else { return *self };
        let [x, y, z, w] = components(points).map(|curve| curve.part(part.clone()).points());
        let quats = |index: usize| {
            let nth = |points: &[f64; 4]| points.get(index).copied().unwrap_or_default();
            Quat { x: nth(&x), y: nth(&y), z: nth(&z), w: nth(&w) }
        };
        Self::Bezier(core::array::from_fn(quats))
    }

    /// Returns the rotation at the end.
    pub(super) fn end(&self) -> Self {
        Self::constant(self.at(1.0))
    }

    /// Returns the number of equal parts of a range in each of which no angle moves by more than a
    /// quarter turn, and the control points of a curve of quaternions have positive dot products.
    ///
    /// A slerp between quaternions of unequal lengths turns fastest near the short one. If one is n
    /// times as long as the other, it gets n parts.
    pub(super) fn parts(&self, range: &Range<f64>) -> u32 {
        match self {
            Self::Arc { from, to, .. } if from == to || is_unit(*from) && is_unit(*to) => 1,
            Self::Arc { .. } => {
                let [start, end] = [range.start, range.end].map(|t| self.at(t).length());
                let times = start.max(end) / start.min(end);
                // A quaternion of length 0 has no direction to turn from.
                if times.is_finite() { num::u32_from_f64(times.round()).max(1) } else { 1 }
            }
            Self::Euler { angles, .. } => {
                let moves = angles.map(|angle| angle.part(range.clone()).steepest());
                let quarters = moves.into_iter().fold(0.0, f64::max) / FRAC_PI_2;
                num::u32_from_f64((quarters - 1e-6).ceil()).max(1)
            }
            Self::Bezier(_) => {
                let mut count = 1;
                while count <= MOST_PARTS && !are_near(self, range, count) {
                    count *= 2;
                }
                count
            }
        }
    }
}

/// Returns whether the control points of each of some equal parts of a curve of quaternions have
/// positive dot products with each other.
fn are_near(turn: &Turn, range: &Range<f64>, count: u32) -> bool {
    let length = (range.end - range.start) / f64::from(count);
    (0..count).all(|index| {
        let start = range.start + length * f64::from(index);
        let Turn::Bezier([a, b, c, d]) = turn.part(&(start..start + length)) else { return true };
        let pairs = [(a, b), (a, c), (a, d), (b, c), (b, d), (c, d)];
        // Points without direction are found where the curve is evaluated.
        !pairs.into_iter().any(|(one, other)| one.dot(other) <= 0.0)
    })
}

/// Returns the four components of a Bezier curve of quaternions.
fn components(points: &[Quat<f64>; 4]) -> [Cubic; 4] {
    [
        points.map(|point| point.x),
        points.map(|point| point.y),
        points.map(|point| point.z),
        points.map(|point| point.w),
    ]
    .map(Cubic::bezier)
}

/// Returns the axes about which the angles x, y, z turn the rotation that they make.
fn spin_axes(order: EulerOrder, angles: [f64; 3]) -> [[f64; 3]; 3] {
    let mut axes = [[0.0; 3]; 3];
    let mut before = Quat::IDENTITY;
    for (axis, sign) in order.axes().into_iter().zip(order.signs().map(f64::from)) {
        let unit = Axis::ALL.map(|other| if other == axis { 1.0 } else { 0.0 });
        *axis.of(axes.each_mut()) = before.rotate(unit).map(|part| part * sign);
        before = before * Quat::from_axis_angle(unit, axis.of(angles) * sign);
    }
    axes
}

/// Returns how fast the angles x, y, z change while the rotation that they make has an angular
/// velocity. At gimbal lock the result is not finite, or very large near it.
pub(super) fn angle_rates(order: EulerOrder, angles: [f64; 3], spin: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = spin_axes(order, angles);
    let cross = |[ax, ay, az]: [f64; 3], [bx, by, bz]: [f64; 3]| {
        [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
    };
    let volume = |a: [f64; 3], b: [f64; 3], c: [f64; 3]| {
        a.into_iter().zip(cross(b, c)).map(|(one, other)| one * other).sum::<f64>()
    };
    let whole = volume(x, y, z);
    [volume(spin, y, z) / whole, volume(x, spin, z) / whole, volume(x, y, spin) / whole]
}

impl Piece for Turn {
    type Value = Quat<f64>;

    fn at(&self, t: f64) -> Quat<f64> {
        self.at(t)
    }

    fn parts(&self, range: &Range<f64>) -> u32 {
        self.parts(range)
    }

    fn apart(one: Quat<f64>, other: Quat<f64>) -> Option<f64> {
        if one == other {
            return Some(0.0);
        }
        let angle = one.angle_to(other);
        let is_none = |rotation: Quat<f64>| rotation.angle_to(rotation).is_nan();
        if angle.is_nan() { (is_none(one) && is_none(other)).then_some(0.0) } else { Some(angle) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_z(angle: f64) -> Quat<f64> {
        Quat::from_axis_angle([0.0, 0.0, 1.0], angle)
    }

    /// Compares the angular velocity with a small difference.
    fn check_spin(turn: Turn) {
        let step = 1e-6;
        for t in [0.2, 0.5, 0.7] {
            let between = turn.at(t + step) * turn.at(t - step).conjugate();
            let near = [between.x, between.y, between.z].map(|part| part / step);
            for (near, exact) in near.into_iter().zip(turn.spin(t)) {
                assert!((near - exact).abs() < 1e-5, "{turn:?} {t}: {near} {exact}");
            }
        }
    }

    #[test]
    fn angular_velocities_are_derivatives() {
        let side = Quat::from_axis_angle([0.6, 0.0, 0.8], 1.2);
        check_spin(Turn::arc(about_z(0.3), side, Slerp::Directions));
        check_spin(Turn::Bezier([about_z(0.0), side, about_z(0.4), about_z(1.0)]));
        let angles =
            [Cubic::line(0.1, 0.8), Cubic::bezier([0.0, 0.5, 0.2, 1.0]), Cubic::line(2.0, 1.0)];
        let order = EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();
        for order in [EulerOrder::XYZ, order] {
            let turn = Turn::Euler { angles, order };
            check_spin(turn);
            let at = angles.map(|angle| angle.at(0.4));
            let rates = angle_rates(order, at, turn.spin(0.4));
            for (rate, angle) in rates.into_iter().zip(angles) {
                assert!((rate - angle.slope(0.4)).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn wide_turns_are_divided() {
        let turn = |angle| Turn::Euler {
            angles: [Cubic::line(0.0, angle), Cubic::constant(1.0), Cubic::constant(0.0)],
            order: EulerOrder::XYZ,
        };
        let parts = [FRAC_PI_2, 2.0 * FRAC_PI_2, 100.0, f64::INFINITY]
            .map(|angle| turn(angle).parts(&(0.0..1.0)));
        assert_eq!(parts, [1, 2, 64, u32::MAX]);
        let far = Turn::Bezier([about_z(0.0), about_z(3.0), about_z(-3.0), about_z(0.0)]);
        assert!(far.parts(&(0.0..1.0)) > 1);
        assert_eq!(far.parts(&(0.0..0.01)), 1);
    }

    #[test]
    fn uneven_slerps_are_divided() {
        let long = |angle, length: f64| {
            Quat::from_array(about_z(angle).to_array().map(|part| part * length))
        };
        let parts = |from, to, range| {
            Turn::arc(long(0.0, from), long(1.0, to), Slerp::Directions).parts(&range)
        };
        assert_eq!([parts(1.0, 1.0, 0.0..1.0), parts(2.0, 2.0, 0.0..1.0)], [1, 1]);
        assert_eq!([parts(1.0, 0.02, 0.0..1.0), parts(0.02, 1.0, 0.0..1.0)], [50, 50]);
        // In its first half, the length only halves. From or to length 0, nothing turns.
        assert_eq!([parts(1.0, 0.02, 0.0..0.5), parts(1.0, 0.0, 0.0..1.0)], [2, 1]);
    }
}
