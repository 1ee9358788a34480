//! The slerps of engines, and bounds of their distance from even speed.

use core::f64::consts::FRAC_PI_2;
use core::ops::Range;

use super::cubic::or_infinite;
use crate::{Quat, Slerp};

/// How an engine moves along an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// At even speed.
    Even,
    /// By the raw dot product, computed in `f64`.
    Raw,
    /// By the raw dot product, computed in `f32`, which rounds to 1 up to about 0.05 degrees.
    RawSingle,
}

impl Pace {
    pub(crate) const fn of(slerp: Slerp, wide: bool) -> Self {
        match (slerp, wide) {
            (Slerp::Directions, _) => Self::Even,
            (Slerp::Raw, true) => Self::Raw,
            (Slerp::Raw, false) => Self::RawSingle,
        }
    }

    /// Returns whether an arc shows its end value at once: a raw slerp does for a dot product of 1
    /// or more.
    pub(super) fn leaps(self, from: Quat<f64>, to: Quat<f64>) -> bool {
        self.dot(from, to).is_some_and(|dot| dot.abs() >= 1.0)
    }

    /// Returns the angle between the ends of an arc that [leaps](Self::leaps); `None` if it does not
    /// leap. The angle is infinite if the dot product overflows to NaN, since the arc then shows no
    /// rotation.
    pub(super) fn leap_angle(self, from: Quat<f64>, to: Quat<f64>) -> Option<f64> {
        let shows_none = self.dot(from, to)?.is_nan() && from.angle_to(to).is_finite();
        let leaps = self.leaps(from, to).then(|| angle(from, to));
        if shows_none { Some(f64::INFINITY) } else { leaps }
    }

    /// Returns the dot product that decides the speed of a raw slerp.
    fn dot(self, from: Quat<f64>, to: Quat<f64>) -> Option<f64> {
        match self {
            Self::Even => None,
            Self::Raw => Some(from.dot(to)),
            Self::RawSingle => Some(f64::from(from.cast::<f32>().dot(to.cast()))),
        }
    }
}

/// The ratio of two lengths up to which a rotation counts as even, with a simple bound.
pub(super) const NEARLY_EVEN: f64 = 1.0 + 1e-5;

/// The resolution of the bounds, in radians: 500 times finer than that of `f32`.
pub(super) const FINE: f64 = 1e-10;

/// Returns the angle between two rotations in radians; 0 between two invalid ones, infinite between
/// an invalid and a valid one.
pub(crate) fn angle(one: Quat<f64>, other: Quat<f64>) -> f64 {
    let angle = one.angle_to(other);
    let none = |q: Quat<f64>| q.angle_to(q).is_nan();
    if angle.is_nan() && none(one) && none(other) { 0.0 } else { or_infinite(angle) }
}

/// Returns the larger length of two quaternions divided by the smaller one; 1 for lengths that are
/// zero or not finite.
///
/// A slerp weights its ends by sines, which gives even speed only if both lengths are equal. With φ
/// the angle of the quaternions (at most 90 degrees), a and b the lengths, and r the ratio, the
/// rotation moves along its arc at `ab φ sin²φ / D(t)` with D the square of the length at t. As
/// `D >= min(a, b)² sin²φ` and `|D'| <= |b - a| φ sin φ (4 min(a, b) + 2 max(a, b))`,
///
/// * the speed is at most r times the even one, φ,
/// * the acceleration is at most `φ² / sin φ * r (r - 1) (4 + 2 r)`.
pub(super) fn uneven_lengths(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let (from, to) = (from.length(), to.length());
    let ratio = from.max(to) / from.min(to);
    if ratio.is_finite() { ratio } else { 1.0 }
}

/// Returns a bound of the angular acceleration of an arc between two normalized times.
///
/// Beyond [`NEARLY_EVEN`] the bound is computed for this part only. The quaternion V moves by
/// `V'' = -φ² V`, so `V × V' = ab φ` and `|V'|² + φ² |V|² = E` are constant, the acceleration along
/// the arc is `ab φ D' / D²` with `D = |V|²`, and `|D''| <= 2 E`.
pub(super) fn arc_acceleration(from: Quat<f64>, to: Quat<f64>, part: &Range<f64>) -> f64 {
    let ratio = uneven_lengths(from, to);
    if ratio <= NEARLY_EVEN {
        let excess = ratio * (ratio - 1.0) * (4.0 + 2.0 * ratio);
        return if excess > 0.0 { angle(from, to) * FRAC_PI_2 * excess } else { 0.0 };
    }
    let (a, b) = (from.length(), to.length());
    let cosine = (from.dot(to).abs() / (a * b)).min(1.0);
    let (turn, sine) = (cosine.acos(), (1.0 - cosine * cosine).sqrt());
    if sine == 0.0 {
        return 0.0;
    }
    // The components of both ends in V and in V', from which D and D' follow.
    let at = |t: f64| {
        let weights = [a * ((1.0 - t) * turn).sin() / sine, b * (t * turn).sin() / sine];
        let rates =
            [-a * turn * ((1.0 - t) * turn).cos() / sine, b * turn * (t * turn).cos() / sine];
        let dot = |[first, last]: [f64; 2], [other_first, other_last]: [f64; 2]| {
            let crossed = first * other_last + last * other_first;
            first * other_first + last * other_last + cosine * crossed
        };
        (dot(weights, weights), 2.0 * dot(weights, rates), dot(rates, rates))
    };
    let (start, end, length) = (at(part.start), at(part.end), part.end - part.start);
    let energy = start.2 + turn * turn * start.0;
    let smallest = start.0.min(end.0) - energy * length * length / 4.0;
    let steepest = start.1.abs().max(end.1.abs()) + energy * length;
    if smallest <= 0.0 {
        return f64::INFINITY;
    }
    // A rotation turns by twice the angle of its quaternion.
    2.0 * a * b * turn * steepest / (smallest * smallest)
}

/// The number of parts into which the difference of two slerps is divided to bound it.
const SAMPLES: u8 = 32;

/// Returns an upper bound of the angle between a slerp by the raw dot product and one by
/// directions.
///
/// Both are on the same great circle. Unless the raw one shows its end at once, the difference
/// comes from lengths other than 1.
pub(crate) fn uneven_slerp(from: Quat<f64>, to: Quat<f64>, pace: Pace) -> f64 {
    if pace == Pace::Even {
        return 0.0;
    }
    if let Some(angle) = pace.leap_angle(from, to) {
        return angle;
    }
    let off = (1..SAMPLES).map(|sample| {
        let t = f64::from(sample) / f64::from(SAMPLES);
        angle(from.slerp(to, t), from.slerp_directions(to, t))
    });
    let length = 1.0 / f64::from(SAMPLES);
    // A function that is 0 at both ends of a part is at most this large in between.
    let valid = |length: f64| length > 0.0 && length.is_finite();
    let between = if valid(from.length()) && valid(to.length()) {
        or_infinite(uneven_acceleration(from, to) * length * length / 8.0)
    } else {
        // Keys cannot make a segment from or to an invalid rotation play alike.
        0.0
    };
    let off = (off.fold(0.0, f64::max) + between).min(uneven_weights(from, to));
    // Both stay on the arc between the two rotations.
    let off = if off < FINE { 0.0 } else { off };
    if off.is_finite() { off.min(angle(from, to)) } else { angle(from, to) }
}

/// Returns a bound of the angle between a slerp by the raw dot product and one by directions, tight
/// if both angles are small and the lengths nearly equal.
///
/// With α the angle in the weights of a slerp, the weight of the end, as a fraction of both
/// weights, is `u = 1/2 + tan((t - 1/2) α) / (2 tan(α/2))`, which differs from t by at most
/// `(1 - (α/2) / tan(α/2)) / 2`. For lengths of the ratio r that fraction becomes
/// `u r / (1 - u + u r)`, which differs from u by at most a quarter of `|r - 1| / min(1, r)`.
/// Between directions φ apart, such a fraction corresponds to a fraction of the angle that differs
/// from it as u does from t, with φ for α.
fn uneven_weights(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let (a, b) = (from.length(), to.length());
    let cosine = from.dot(to).abs();
    let single = f64::from(from.cast::<f32>().dot(to.cast())).abs();
    let leaves = |cosine: f64| {
        let half = cosine.min(1.0).acos() / 2.0;
        if half > 0.0 { (1.0 - half / half.tan()) / 2.0 } else { 0.0 }
    };
    let weights = leaves(cosine.min(single)) + leaves(cosine / (a * b));
    angle(from, to) * (weights + (b - a).abs() / (4.0 * a.min(b)))
}

/// Returns a bound of the difference in acceleration between a slerp by the raw dot product and one
/// by directions, as rotations, in radians per squared segment.
///
/// With a and b the lengths, d the dot product, φ the angle between the directions and α the angle
/// in the weights of a slerp, its speed along the arc is `α sin α sin φ ab / D(t)`, where
/// `D(t) = (a² + b²)/2 - d cos α` plus an oscillation in 2αt of the amplitude
/// `K = |d - (a² + b²)/2 cos α + i (a² - b²)/2 sin α|`.
fn uneven_acceleration(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let (a2, b2) = (from.dot(from), to.dot(to));
    let dot = from.dot(to).abs();
    let mean = f64::midpoint(a2, b2);
    let area = (a2 * b2 - dot * dot).max(0.0).sqrt();
    let acceleration = |cosine: f64| {
        let cosine = cosine.min(1.0);
        let (angle, sine) = (cosine.acos(), (1.0 - cosine * cosine).max(0.0).sqrt());
        let amplitude = (dot - mean * cosine).hypot((a2 - b2) / 2.0 * sine);
        let smallest = mean - dot * cosine - amplitude;
        if smallest <= 0.0 {
            return f64::INFINITY;
        }
        // A rotation turns by twice the angle of its quaternion.
        2.0 * angle * sine * area * 2.0 * angle * amplitude / (smallest * smallest)
    };
    acceleration(dot) + acceleration(dot / (a2 * b2).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about_z(angle: f64) -> Quat<f64> {
        Quat::from_axis_angle([0.0, 0.0, 1.0], angle)
    }

    #[test]
    fn close_rotations_of_length_almost_1_turn_evenly_by_the_raw_rule() {
        let single = |parts: [f32; 4]| Quat::from_array(parts.map(f64::from));
        let from = single([0.105_668_02, 0.0, 0.140_890_7, 0.984_369_9]);
        let to = single([0.105_663_8, 0.0, 0.140_885_07, 0.984_371_1]);
        assert!(!Pace::RawSingle.leaps(from, to));
        assert_eq!(uneven_slerp(from, to, Pace::RawSingle), 0.0);
    }

    #[test]
    fn close_rotations_jump_by_the_raw_rule() {
        let longer = Quat { w: 1.0 + 1e-7, ..about_z(0.0) };
        let near = Quat { w: 1.0 + 1e-7, ..about_z(1e-4) };
        assert!((uneven_slerp(longer, near, Pace::Raw) - 1e-4).abs() < 1e-6);
        assert_eq!(uneven_slerp(about_z(0.0), about_z(1.0), Pace::Raw), 0.0);
    }

    #[test]
    fn rotations_whose_dot_product_overflows_show_none_between_them() {
        let from = Quat { x: 1e30, y: 1e30, z: 0.0, w: 0.0 };
        let to = Quat { y: -1e30, ..from };
        assert_eq!(uneven_slerp(from, to, Pace::RawSingle), f64::INFINITY);
        assert!(uneven_slerp(from, to, Pace::Raw).is_finite());
    }

    #[test]
    fn the_effect_of_lengths_on_a_raw_slerp_is_bounded_tightly() {
        for (from, to, turn) in [(1.001, 1.0, 1.0), (0.9, 1.05, 2.0), (0.999, 0.998, 0.2)] {
            let scaled = |rotation: Quat<f64>, length: f64| {
                Quat::from_array(rotation.to_array().map(|part| part * length))
            };
            let (from, to) = (scaled(about_z(0.0), from), scaled(about_z(turn), to));
            let bound = uneven_slerp(from, to, Pace::Raw);
            let at = |step: u16| f64::from(step) / 4096.0;
            let off = (0..=4096)
                .map(|step| angle(from.slerp(to, at(step)), from.slerp_directions(to, at(step))));
            let dense = off.fold(0.0, f64::max);
            assert!((dense..2.0 * dense).contains(&bound), "{bound} for {dense}");
        }
    }
}
