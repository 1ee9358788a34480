//! Euler angles.

use core::f64::consts::{FRAC_PI_2, PI, TAU};

use crate::model::rows;
use crate::{Axis, Quat, Tangents, TrackData, Values};

/// The axis order and the signs by which three Euler angles make a rotation.
///
/// The rotation is the Hamilton product of three quaternions, the first axis leftmost. Each turns
/// about its axis by the angle times the sign. Angles are radians and always given in the order x,
/// y, z, for any order of the product.
///
/// Invariants:
/// 1. The three axes differ.
/// 2. Each sign is 1 or -1.
///
/// # Examples
///
/// ```
/// use inbetween_core::EulerOrder;
///
/// let q = EulerOrder::XYZ.quaternion([0.3, 0.5, 0.7]);
/// for (angle, expected) in EulerOrder::XYZ.angles(q, None).into_iter().zip([0.3, 0.5, 0.7]) {
///     assert!((angle - expected).abs() < 1e-12);
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EulerOrder {
    axes: [Axis; 3],
    signs: [i8; 3],
}

/// Below this tangent of half the remaining angle, a rotation counts as gimbal-locked.
///
/// Quaternions from files are rounded to `f32`. Nearer to the lock than this, the angle that is
/// free at the lock would be noise.
const LOCK: f64 = 2e-7;

impl EulerOrder {
    /// `qX(x) qY(y) qZ(z)`: the rotation about z first, then about y, then about x.
    pub const XYZ: Self = Self { axes: Axis::ALL, signs: [1; 3] };

    /// Creates an order from the axes of the product, left to right, and the sign of the angle
    /// about each of them.
    ///
    /// Returns `None` if an axis occurs twice or a sign is neither 1 nor -1.
    pub const fn new(axes: [Axis; 3], signs: [i8; 3]) -> Option<Self> {
        let [first, second, third] = [axes[0].index(), axes[1].index(), axes[2].index()];
        let differ = first != second && second != third && third != first;
        let signed = matches!(signs, [1 | -1, 1 | -1, 1 | -1]);
        if differ && signed { Some(Self { axes, signs }) } else { None }
    }

    /// Returns the axes of the product from left to right.
    pub const fn axes(self) -> [Axis; 3] {
        self.axes
    }

    /// Returns the signs of the angles in the order of [`axes`](Self::axes): 1 or -1.
    pub const fn signs(self) -> [i8; 3] {
        self.signs
    }

    /// Returns keys of angles of this order as those of another one in which only the signs of angles
    /// differ: exactly, with their tangents. `None` for other orders, and for keys with handles.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Axis, EulerOrder, TrackData};
    ///
    /// let mirrored = EulerOrder::new(Axis::ALL, [1, 1, -1]).ok_or("an order")?;
    /// let data = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
    /// let expected = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, -3.0]]);
    /// assert_eq!(EulerOrder::XYZ.mirrored(mirrored, &data), Some(expected));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn mirrored(self, other: Self, data: &TrackData) -> Option<TrackData> {
        if self.axes != other.axes || matches!(data.tangents(), Some(Tangents::Handles { .. })) {
            return None;
        }
        let differs: Vec<usize> = (self.axes.into_iter().zip(self.signs).zip(other.signs))
            .filter(|((_, own), other)| own != other)
            .map(|((axis, _), _)| axis.index())
            .collect();
        let negate = |mut values: Values| {
            rows::each_row(&mut values, |_, row| {
                for (index, angle) in row.iter_mut().enumerate() {
                    *angle = if differs.contains(&index) { -*angle } else { *angle };
                }
            });
            values
        };
        data.clone().map_columns(negate).ok()
    }

    /// Returns the rotation by the angles x, y, z in radians.
    pub fn quaternion(self, angles: [f64; 3]) -> Quat<f64> {
        let factors = self.axes.into_iter().zip(self.turns(angles));
        factors.fold(Quat::IDENTITY, |product, (axis, turn)| {
            product * Quat::from_axis_angle(unit(axis), turn)
        })
    }

    /// Returns angles x, y, z in radians that make a rotation.
    ///
    /// Several triples make the same rotation. With `near`, the angles of the previous key, the
    /// result is the triple nearest to it, so that angles do not jump from key to key and may pass
    /// pi; each differs from the one in `near` by at most pi. Without `near`, or if it is not
    /// finite, the second angle of the product is in -pi/2 to pi/2 and the others are in -pi to pi.
    ///
    /// At gimbal lock only the sum or the difference of the first and the third angle is known.
    /// Both then move equally far from `near`; without `near` the third is 0. A rotation less than
    /// 4e-7 radians from the lock counts as locked, which changes it by less than 1e-6.
    ///
    /// The length of the quaternion has no influence. A quaternion that is zero or not finite is
    /// not a rotation and gives `near`, or zeros.
    pub fn angles(self, rotation: Quat<f64>, near: Option<[f64; 3]>) -> [f64; 3] {
        let near = near.filter(|angles| angles.iter().all(|angle| angle.is_finite()));
        let found = self.extract(rotation.normalized(), near.map(|angles| self.turns(angles)));
        found.map_or(near.unwrap_or_default(), |turns| self.angles_of(turns))
    }

    /// Returns the turns about [`axes`](Self::axes) that make a unit quaternion.
    ///
    /// With `c` and `s` for cosine and sine of half a turn, the product of the turns 1, 2, 3 about
    /// the axes i, j, k has
    /// `w + j = (c2 + s2) cos((t1 + t3)/2)`, `i + k = (c2 + s2) sin((t1 + t3)/2)`,
    /// `w - j = (c2 - s2) cos((t1 - t3)/2)`, `i - k = (c2 - s2) sin((t1 - t3)/2)`
    /// if i, j, k is a cyclic permutation of x, y, z. Otherwise k and t3 change their signs.
    fn extract(self, rotation: Quat<f64>, near: Option<[f64; 3]>) -> Option<[f64; 3]> {
        let parity = self.parity();
        let vector = [rotation.x, rotation.y, rotation.z];
        let [i, j, k] = self.axes.map(|axis| axis.of(vector));
        let (w, k) = (rotation.w, k * parity);
        let (plus, minus) = ((w + j).hypot(i + k), (w - j).hypot(i - k));
        if !(plus + minus > 0.0 && (plus + minus).is_finite()) {
            return None;
        }
        let near = near.map(|[first, second, third]| [first, second, third * parity]);
        let sum = 2.0 * (i + k).atan2(w + j);
        let difference = 2.0 * (i - k).atan2(w - j);
        let (sum, difference) = if minus <= LOCK * plus {
            locked(sum, near.map(|[first, _, third]| (first + third, first - third)))
        } else if plus <= LOCK * minus {
            let near = near.map(|[first, _, third]| (first - third, first + third));
            let (difference, sum) = locked(difference, near);
            (sum, difference)
        } else {
            (sum, difference)
        };
        let second = 2.0 * plus.atan2(minus) - FRAC_PI_2;
        let turns = [0.5 * (sum + difference), second, 0.5 * (sum - difference)];
        let [first, second, third] = nearest(turns, near);
        Some([first, second, third * parity])
    }

    /// Returns 1 if the axes are a cyclic permutation of x, y, z, and -1 otherwise.
    const fn parity(self) -> f64 {
        match self.axes {
            [Axis::X, Axis::Y, _] | [Axis::Y, Axis::Z, _] | [Axis::Z, Axis::X, _] => 1.0,
            _ => -1.0,
        }
    }

    /// Returns the turns about [`axes`](Self::axes) for the angles x, y, z.
    fn turns(self, angles: [f64; 3]) -> [f64; 3] {
        let [first, second, third] = self.axes.map(|axis| axis.of(angles));
        let [a, b, c] = self.signs.map(f64::from);
        [first * a, second * b, third * c]
    }

    /// Returns the angles x, y, z for the turns about [`axes`](Self::axes).
    fn angles_of(self, turns: [f64; 3]) -> [f64; 3] {
        [Axis::X, Axis::Y, Axis::Z].map(|wanted| {
            let factors = self.axes.into_iter().zip(self.signs.map(f64::from)).zip(turns);
            factors.fold(
                0.0,
                |angle, ((axis, sign), turn)| {
                    if axis == wanted { turn * sign } else { angle }
                },
            )
        })
    }
}

fn unit(axis: Axis) -> [f64; 3] {
    match axis {
        Axis::X => [1.0, 0.0, 0.0],
        Axis::Y => [0.0, 1.0, 0.0],
        Axis::Z => [0.0, 0.0, 1.0],
    }
}

/// Returns the sum and the difference of the outer turns at gimbal lock, the known one first;
/// `near` has both from the previous key.
///
/// Without a previous key, the free one equals the known one, so that the third turn becomes 0.
fn locked(known: f64, near: Option<(f64, f64)>) -> (f64, f64) {
    near.map_or((known, known), |(near, free)| (closest(known, near), free))
}

/// Returns the turns that make the same rotation as `turns` and are nearest to `near`.
fn nearest(turns: [f64; 3], near: Option<[f64; 3]>) -> [f64; 3] {
    let [first, second, third] = turns;
    let Some([a, b, c]) = near else {
        return [closest(first, 0.0), second, closest(third, 0.0)];
    };
    let candidates = [turns, [first + PI, PI - second, third + PI]]
        .map(|[first, second, third]| [closest(first, a), closest(second, b), closest(third, c)]);
    let [one, other] = candidates;
    let distance =
        |[first, second, third]: [f64; 3]| (first - a).hypot(second - b).hypot(third - c);
    if distance(other) < distance(one) { other } else { one }
}

/// Returns the angle that differs from `angle` by whole turns and is closest to `near`.
fn closest(angle: f64, near: f64) -> f64 {
    angle + TAU * ((near - angle) / TAU).round_ties_even()
}
