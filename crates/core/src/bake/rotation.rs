//! Rotations over a segment, and how far two of them are apart.

use core::cmp::Ordering;
use core::f64::consts::FRAC_PI_2;
use core::ops::Range;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::cubic::{Cubic, or_infinite};
use crate::{EulerOrder, Identical as _, Quat, Slerp};

/// A rotation that moves over the normalized time 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// A slerp from one quaternion to another; the same two for a rotation that stays.
    Arc { from: Quat<f64>, to: Quat<f64>, pace: Pace },
    /// A Bezier curve of quaternions, normalized.
    Bezier([Quat<f64>; 4]),
    /// Euler angles, each with a curve of its own.
    Euler { angles: [Cubic; 3], order: EulerOrder },
}

/// How an engine goes along an arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// Evenly.
    Even,
    /// By the dot product as it is, computed in `f64`.
    Raw,
    /// By the dot product as it is, computed in `f32`: it rounds to 1 up to about 0.05 degrees.
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

    /// Says whether an arc is at its end at once: a raw slerp is from a dot product of 1 on.
    fn leaps(self, from: Quat<f64>, to: Quat<f64>) -> bool {
        let dot = match self {
            Self::Even => return false,
            Self::Raw => from.dot(to),
            Self::RawSingle => f64::from(from.cast::<f32>().dot(to.cast())),
        };
        dot.abs() >= 1.0
    }
}

/// How often a part of a segment may be halved for a bound.
const MOST_SPLITS: u16 = 1 << 10;

/// The ratio of two lengths up to which a rotation is taken for even, but for a simple bound.
const NEARLY_EVEN: f64 = 1.0 + 1e-5;

/// What a bound need not resolve, in radians: 500 times less than `f32` does.
const FINE: f64 = 1e-10;

impl Turn {
    /// Makes a rotation that stays.
    pub(crate) const fn constant(rotation: Quat<f64>) -> Self {
        Self::Arc { from: rotation, to: rotation, pace: Pace::Even }
    }

    /// Returns the rotation at a normalized time, not always of length 1.
    pub(crate) fn at(&self, t: f64) -> Quat<f64> {
        match self {
            Self::Arc { from, .. } if t <= 0.0 => *from,
            Self::Arc { to, .. } if t >= 1.0 => *to,
            Self::Arc { from, to, pace: Pace::Even } => from.slerp_directions(*to, t),
            Self::Arc { from, to, .. } => from.slerp(*to, t),
            Self::Bezier(points) => {
                Quat::from_array(numbers(points, &(0.0..1.0)).map(|curve| curve.at(t))).normalized()
            }
            Self::Euler { angles, order } => order.quaternion(angles.map(|angle| angle.at(t))),
        }
    }

    /// Returns the rotation with an arc that plays evenly.
    const fn evenly(self) -> Self {
        match self {
            Self::Arc { from, to, .. } => Self::Arc { from, to, pace: Pace::Even },
            other => other,
        }
    }

    /// Returns a bound of the angular speed, in radians per segment.
    pub(crate) fn speed(&self) -> f64 {
        match self {
            Self::Arc { from, to, .. } => {
                let angle = angle(*from, *to);
                // A rotation that stays does so whatever its quaternions are.
                if angle > 0.0 { angle * uneven_lengths(*from, *to) } else { 0.0 }
            }
            Self::Euler { angles, .. } => angles.iter().map(|angle| angle.speed_and_bend().0).sum(),
            // The polynomial moves by at most this, and is scaled up where it is short.
            Self::Bezier(points) => {
                let [a, b, c, d] = *points;
                3.0 * (angle(a, b) + angle(b, c) + angle(c, d))
            }
        }
    }

    /// Returns bounds of how the rotation moves in a part of its segment.
    fn motion(&self, part: &Range<f64>) -> Motion {
        match self {
            Self::Arc { from, to, .. } => self.motion_on_arc(*from, *to, part),
            Self::Euler { angles, .. } => {
                let [x, y, z] = angles.map(|angle| angle.part(part.clone()).speed_and_bend());
                Motion {
                    turns: x.0 + y.0 + z.0,
                    // The axes of the outer factors turn with the inner ones.
                    accelerates: x.1 + y.1 + z.1 + x.0 * y.0 + y.0 * z.0 + z.0 * x.0,
                    leaves: 0.0,
                }
            }
            Self::Bezier(points) => {
                // With P the polynomial and S = P / |P|, S' is at most |P'| / |P|, and both the
                // normal and the tangential part of S'' are at most |P''| / |P| + 4 (|P'| / |P|)²;
                // twice that in angles.
                let curves = numbers(points, part);
                let bends = curves.map(|curve| curve.speed_and_bend().1);
                let smallest = shortest(&curves);
                let (speed, bend) = (fastest(&curves) / smallest, norm(bends) / smallest);
                let accelerates = 2.0 * (bend + 4.0 * speed * speed);
                Motion { turns: 2.0 * speed, accelerates, leaves: 0.0 }
            }
        }
    }

    fn motion_on_arc(&self, from: Quat<f64>, to: Quat<f64>, part: &Range<f64>) -> Motion {
        let turns = self.travel(part);
        let turns = if turns.is_finite() { turns } else { 0.0 };
        let length = part.end - part.start;
        if length <= 0.0 {
            return Motion { turns, accelerates: 0.0, leaves: 0.0 };
        }
        let accelerates = arc_acceleration(from, to, part) * length * length;
        if uneven_lengths(from, to) <= NEARLY_EVEN {
            return Motion { turns, accelerates, leaves: 0.0 };
        }
        // It may be much faster than it is on average, but the even one is on the same arc.
        Motion { turns, accelerates: 0.0, leaves: (accelerates / 8.0).min(turns) }
    }

    /// Returns by how much more than its directions say an arc of [`Slerp::Raw`] is off that does
    /// not [leap](Self::leap).
    fn unevenness(&self) -> f64 {
        match self {
            Self::Arc { from, to, pace } if self.leap().is_none() => {
                uneven_slerp(*from, *to, *pace)
            }
            _ => 0.0,
        }
    }

    /// Returns the ends of an arc that is at its last one as soon as it begins.
    fn leap(&self) -> Option<[Quat<f64>; 2]> {
        match self {
            Self::Arc { from, to, pace } if pace.leaps(*from, *to) => Some([*from, *to]),
            _ => None,
        }
    }

    fn is_same_arc(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Arc { from, to, pace },
                Self::Arc { from: other_from, to: other_to, pace: other_pace },
            ) => pace == other_pace && from.identical(other_from) && to.identical(other_to),
            _ => false,
        }
    }

    /// Returns a bound of how far a part turns, in radians.
    fn travel(&self, part: &Range<f64>) -> f64 {
        match self {
            Self::Euler { angles, .. } => {
                angles.iter().map(|angle| angle.part(part.clone()).speed_and_bend().0).sum()
            }
            // A rotation never turns back on its arc.
            Self::Arc { from, to, .. } if uneven_lengths(*from, *to) > NEARLY_EVEN => {
                let travel = angle(self.at(part.start), self.at(part.end));
                if travel.is_finite() { travel } else { 0.0 }
            }
            Self::Arc { .. } | Self::Bezier(_) => self.speed() * (part.end - part.start),
        }
    }
}

/// Returns how the four numbers of a Bezier curve of quaternions move in a part of it.
fn numbers(points: &[Quat<f64>; 4], part: &Range<f64>) -> [Cubic; 4] {
    let points = points.map(Quat::to_array);
    core::array::from_fn(|index| {
        let number = |point: [f64; 4]| point.get(index).copied().unwrap_or_default();
        Cubic::bezier(points.map(number)).part(part.clone())
    })
}

fn norm(numbers: [f64; 4]) -> f64 {
    numbers.into_iter().fold(0.0, f64::hypot)
}

/// Returns a bound of how fast a Bezier curve of quaternions moves.
fn fastest(curves: &[Cubic; 4]) -> f64 {
    norm(curves.map(|curve| curve.speed_and_bend().0))
}

/// Returns a bound of the lengths of a Bezier curve of quaternions.
fn shortest(curves: &[Cubic; 4]) -> f64 {
    (norm(curves.map(|curve| curve.at(0.5))) - fastest(curves) / 2.0).max(0.0)
}

/// Returns a bound of how far two Bezier curves of quaternions are apart, which is close where they
/// are nearly the same; infinite for other rotations.
fn bezier_curves_apart(one: &Going<'_>, other: &Going<'_>) -> f64 {
    let (Turn::Bezier(points), Turn::Bezier(other_points)) = (one.0, other.0) else {
        return f64::INFINITY;
    };
    let (one, other) = (numbers(points, &one.1), numbers(other_points, &other.1));
    let mut apart = 0.0_f64;
    for (one, other) in one.iter().zip(&other) {
        apart = apart.hypot(one.distance(*other));
    }
    // The sine of the angle between two vectors is at most their distance by the longer one.
    let sine = apart / shortest(&one).max(shortest(&other));
    if sine < 1.0 { 2.0 * sine.asin() } else { f64::INFINITY }
}

/// How a rotation moves in a part of its segment, with the part as the unit of time.
struct Motion {
    /// A bound of its angular speed, and with that of how far it turns, in radians.
    turns: f64,
    /// A bound of its angular acceleration, in radians.
    accelerates: f64,
    /// How far it leaves the rotation for which these hold, in radians.
    leaves: f64,
}

impl Motion {
    /// Returns a bound of the angle between two rotations that are at most `ends` apart where the
    /// part begins and ends.
    ///
    /// Let w be the angle between the two paths on the unit sphere of quaternions, half of that
    /// between the rotations. With s and a the speeds and accelerations there,
    /// `w'' >= -(s1² + s2²) tan(w/2) - a1 - a2`: the sphere brings together what begins side by
    /// side. So w stays below the solution of `y'' + k² y = -(a1 + a2)` through the larger end, with
    /// `k² = (s1² + s2²) / 2 * tan(w/2) / (w/2)` for the largest w.
    fn farthest(&self, other: &Self, ends: f64) -> f64 {
        // They go toward each other and away again at most.
        let far = ends + f64::midpoint(self.turns, other.turns);
        let leaves = self.leaves + other.leaves;
        // Rotations that are far apart may come to opposite ends of the sphere in between.
        if !(0.0..2.0).contains(&far) {
            return far + leaves;
        }
        let flat = if far > 0.0 { (far / 4.0).tan() / (far / 4.0) } else { 1.0 };
        let square = flat * (self.turns * self.turns + other.turns * other.turns) / 8.0;
        let bulge = 1.0 / (square.sqrt() / 2.0).cos();
        // Both terms of the difference lose their digits where the square is small.
        let bend = if square < 1e-6 { (1.0 + square) / 8.0 } else { (bulge - 1.0) / square };
        (ends * bulge + (self.accelerates + other.accelerates) * bend).min(far) + leaves
    }
}

/// A rotation, and the part of its segment that it goes through.
type Going<'a> = (&'a Turn, Range<f64>);

/// Returns an upper bound of the angle between two rotations while the first goes through `one`
/// and the second through `other`, at even pace.
pub(crate) fn largest_angle(one: &Going<'_>, other: &Going<'_>) -> f64 {
    if one.0.is_same_arc(other.0) && one.1 == other.1 {
        return 0.0;
    }
    let uneven = one.0.unevenness() + other.0.unevenness();
    let [even, other_even] = [one, other].map(|(turn, _)| turn.evenly());
    let (even, other_even) = ((&even, one.1.clone()), (&other_even, other.1.clone()));
    let apart = largest_even_angle(&even, &other_even) + uneven;
    // Whether a dot product rounds to 1 may differ between engines, so both ways are bounded.
    let apart = apart.max(after_leap(one, other)).max(after_leap(other, one));
    // No two rotations are farther apart.
    if apart.is_finite() { apart.min(core::f64::consts::PI) } else { apart }
}

/// Returns [`largest_angle`] for a rotation that is at its end as soon as it begins; 0 if it is not.
fn after_leap(leaping: &Going<'_>, other: &Going<'_>) -> f64 {
    let Some([from, to]) = leaping.0.leap() else { return 0.0 };
    let after = largest_angle(&(&Turn::constant(to), leaping.1.clone()), other);
    if leaping.1.start > 0.0 { after } else { after.max(angle(from, other.0.at(other.1.start))) }
}

/// Returns [`largest_angle`] for arcs that play evenly.
///
/// Two geodesics of even speed are farthest apart at their ends, but for the curvature of the
/// sphere, and accelerations count with the square of the length. So the part with the largest bound
/// is halved until that is little more than the largest angle that was found.
fn largest_even_angle(one: &Going<'_>, other: &Going<'_>) -> f64 {
    let turned = [one, other].map(|(turn, range)| turn.travel(range));
    let wanted = turned[0].max(turned[1]) / core::f64::consts::FRAC_PI_4;
    if wanted > f64::from(MOST_SPLITS) || wanted.is_nan() {
        return core::f64::consts::PI;
    }
    let distance = |at: f64| angle(one.0.at(within(&one.1, at)), other.0.at(within(&other.1, at)));
    let part = |start: (f64, f64), end: (f64, f64)| {
        let [one, other] = [one, other].map(|(turn, range)| -> Going<'_> {
            (turn, within(range, start.0)..within(range, end.0))
        });
        let [motion, other_motion] = [&one, &other].map(|(turn, range)| turn.motion(range));
        let bound = or_infinite(motion.farthest(&other_motion, start.1.max(end.1)));
        Part { start, end, bound: bound.min(bezier_curves_apart(&one, &other)) }
    };
    let ends = (distance(0.0), distance(1.0));
    let mut found = ends.0.max(ends.1);
    let mut parts = BinaryHeap::from([part((0.0, ends.0), (1.0, ends.1))]);
    for _ in 0..MOST_SPLITS {
        let Some(widest) = parts.peek_mut() else { break };
        let middle = f64::midpoint(widest.start.0, widest.end.0);
        let is_close = widest.bound.min(core::f64::consts::PI) <= 1.2 * found + FINE;
        if is_close || found.is_infinite() || middle <= widest.start.0 || middle >= widest.end.0 {
            break;
        }
        let Part { start, end, .. } = PeekMut::pop(widest);
        let middle = (middle, distance(middle));
        found = found.max(middle.1);
        parts.extend([part(start, middle), part(middle, end)]);
    }
    parts.peek().map_or(found, |widest| widest.bound)
}

/// Returns the place in a range of what is between 0 and 1.
fn within(range: &Range<f64>, at: f64) -> f64 {
    if at >= 1.0 { range.end } else { range.start + (range.end - range.start) * at }
}

/// A part of two rotations, ordered by how far they may be apart in it.
struct Part {
    /// Where it begins, from 0 to 1, and how far they are apart there.
    start: (f64, f64),
    /// Where it ends, and how far they are apart there.
    end: (f64, f64),
    /// How far they may be apart in it.
    bound: f64,
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound)
    }
}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Part {}

/// Returns the larger length of two quaternions divided by the smaller one; 1 for lengths that are
/// zero or not finite.
///
/// A slerp weighs its ends by sines, which makes an even rotation only where both are of one
/// length. With φ the angle of the quaternions (at most 90 degrees), a and b the lengths, and r the
/// ratio, the rotation moves along its arc at `ab φ sin²φ / D(t)` with D the square of the length
/// at t. As `D >= min(a, b)² sin²φ` and `|D'| <= |b - a| φ sin φ (4 min(a, b) + 2 max(a, b))`,
///
/// * the speed is at most r times the even one, φ,
/// * the acceleration is at most `φ² / sin φ * r (r - 1) (4 + 2 r)`.
fn uneven_lengths(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let (from, to) = (from.length(), to.length());
    let ratio = from.max(to) / from.min(to);
    if ratio.is_finite() { ratio } else { 1.0 }
}

/// Returns a bound of the angular acceleration of an arc between two normalized times.
///
/// Beyond [`NEARLY_EVEN`] it is one for that part alone. The quaternion V moves by `V'' = -φ² V`, so
/// `V × V' = ab φ` and `|V'|² + φ² |V|² = E` are constant, the acceleration along the arc is
/// `ab φ D' / D²` with `D = |V|²`, and `|D''| <= 2 E`.
fn arc_acceleration(from: Quat<f64>, to: Quat<f64>, part: &Range<f64>) -> f64 {
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
    // The parts of both ends in V and in V', which make D and D'.
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

/// Returns an upper bound of how far a slerp between quaternions of different lengths is from one
/// of even speed, in radians.
pub(crate) fn uneven_speed(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let even = Turn::Arc { from: from.normalized(), to: to.normalized(), pace: Pace::Even };
    largest_angle(&(&Turn::Arc { from, to, pace: Pace::Even }, 0.0..1.0), &(&even, 0.0..1.0))
}

/// Returns the angle between two rotations in radians; 0 between two that are none, infinite
/// between one that is none and one that is.
pub(crate) fn angle(one: Quat<f64>, other: Quat<f64>) -> f64 {
    let angle = one.angle_to(other);
    let none = |q: Quat<f64>| q.angle_to(q).is_nan();
    if angle.is_nan() && none(one) && none(other) { 0.0 } else { or_infinite(angle) }
}

/// The parts into which the difference of two slerps is divided to bound it.
const SAMPLES: u8 = 32;

/// Returns an upper bound of how far a slerp by the dot product as it is may be from one by
/// directions.
///
/// Both are on the same great circle. Where the raw one is not at its end at once, the difference
/// comes from lengths that are not 1.
pub(crate) fn uneven_slerp(from: Quat<f64>, to: Quat<f64>, pace: Pace) -> f64 {
    if pace == Pace::Even {
        return 0.0;
    }
    if pace.leaps(from, to) {
        return angle(from, to);
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
    // Neither leaves the arc from the one to the other.
    let off = if off < FINE { 0.0 } else { off };
    if off.is_finite() { off.min(angle(from, to)) } else { angle(from, to) }
}

/// Returns a bound of how far a slerp by the dot product as it is leaves one by directions, close
/// where both angles are small and the lengths nearly equal.
///
/// With α the angle by which a slerp weighs, the weight of its last end is, as a part of both,
/// `u = 1/2 + tan((t - 1/2) α) / (2 tan(α/2))`, which leaves t by at most
/// `(1 - (α/2) / tan(α/2)) / 2`. For lengths of the ratio r that part becomes `u r / (1 - u + u r)`,
/// which leaves u by at most a quarter of `|r - 1| / min(1, r)`. Between directions φ apart such a
/// part lies at a part of the angle that differs from it as u does from t, with φ for α.
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

/// Returns a bound of how differently a slerp by the dot product as it is and one by directions
/// accelerate, as rotations, in radians per square of the segment.
///
/// With a and b the lengths, d the dot product, φ the angle between the directions and α the angle
/// by which a slerp weighs, its speed along the arc is α sin α sin φ ab / D(t), where
/// D(t) = (a² + b²)/2 - d cos α plus an oscillation in 2αt of the amplitude
/// K = |d - (a² + b²)/2 cos α + i (a² - b²)/2 sin α|.
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
    use core::f64::consts::PI;

    use super::*;
    use crate::Axis;

    fn about_z(angle: f64) -> Quat<f64> {
        Quat::from_axis_angle([0.0, 0.0, 1.0], angle)
    }

    fn arc(from: f64, to: f64) -> Turn {
        Turn::Arc { from: about_z(from), to: about_z(to), pace: Pace::Even }
    }

    fn dense(one: &Turn, other: &Turn) -> f64 {
        let at = |step: u32| f64::from(step) / 4096.0;
        (0..=4096).map(|step| angle(one.at(at(step)), other.at(at(step)))).fold(0.0, f64::max)
    }

    fn check(one: &Turn, other: &Turn) {
        let (bound, dense) =
            (largest_angle(&(one, 0.0..1.0), &(other, 0.0..1.0)), dense(one, other));
        assert!(bound >= dense - 1e-12, "{bound} below {dense}");
        assert!(bound <= 2.0 * dense + 1e-9, "{bound} above twice {dense}");
    }

    #[test]
    fn arcs_are_farthest_apart_at_their_ends() {
        check(&arc(0.0, 1.0), &arc(0.1, 0.7));
        assert!(largest_angle(&(&arc(0.0, 1.0), 0.0..0.5), &(&arc(0.0, 0.5), 0.0..1.0)) < 1e-9);
    }

    #[test]
    fn a_turn_about_one_axis_by_even_angles_is_an_arc() {
        let angles = [Cubic::constant(0.0), Cubic::constant(0.0), Cubic::line(0.0, FRAC_PI_2)];
        let turn = Turn::Euler { angles, order: EulerOrder::XYZ };
        assert!(largest_angle(&(&turn, 0.0..1.0), &(&arc(0.0, FRAC_PI_2), 0.0..1.0)) < 1e-9);
    }

    #[test]
    fn turns_about_several_axes_are_bounded_closely() {
        let line = Cubic::line;
        for scale in [0.01, 0.3, 1.5] {
            let angles =
                [line(0.0, scale), line(0.2, 0.2 - scale), Cubic::bezier([0.0, scale, 0.0, 0.1])];
            let turn = Turn::Euler { angles, order: EulerOrder::XYZ };
            let chord = Turn::Arc { from: turn.at(0.0), to: turn.at(1.0), pace: Pace::Even };
            check(&turn, &chord);
        }
    }

    /// Angles that turn fast, found by a campaign.
    #[test]
    fn rotations_that_are_far_apart_are_bounded() {
        let order = EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();
        let angles = [
            Cubic::line(-6.875, -6.875 + 13.158_185_5 / 7.0),
            Cubic::constant(0.0),
            Cubic::line(3.081_596_4, 0.0),
        ];
        let turn = Turn::Euler { angles, order };
        check(&turn, &Turn::Arc { from: turn.at(0.0), to: turn.at(1.0), pace: Pace::Even });
        for speed in [0.5, 1.0, 2.0, 3.0, 5.0] {
            for side in [0.3, 0.9, 1.4] {
                let angles =
                    [Cubic::line(0.0, speed), Cubic::line(0.2, 0.2 - side), Cubic::constant(side)];
                let turn = Turn::Euler { angles, order: EulerOrder::XYZ };
                check(&turn, &Turn::Arc { from: turn.at(0.0), to: turn.at(1.0), pace: Pace::Even });
                check(&turn, &Turn::constant(turn.at(0.5)));
                check(&turn, &arc(0.0, speed / 2.0));
            }
        }
    }

    #[test]
    fn nearly_equal_bezier_rotations_are_bounded_closely() {
        let side = Quat::from_axis_angle([1.0, 0.0, 0.0], 0.9);
        let near = Quat { x: side.x + 1e-8, ..side };
        let curve = |second| Turn::Bezier([about_z(0.0), second, about_z(0.4), about_z(1.0)]);
        let bound = largest_angle(&(&curve(side), 0.0..1.0), &(&curve(near), 0.0..1.0));
        let dense = dense(&curve(side), &curve(near));
        assert!((dense..2.0 * dense).contains(&bound), "{bound} for {dense}");
    }

    #[test]
    fn bezier_rotations_are_bounded_closely() {
        let points = [about_z(0.0), Quat::from_axis_angle([1.0, 0.0, 0.0], 0.9), about_z(0.4)];
        let [a, b, c] = points;
        let turn = Turn::Bezier([a, b, c, about_z(PI / 3.0)]);
        check(&turn, &arc(0.0, PI / 3.0));
    }

    #[test]
    fn an_arc_that_is_at_its_end_at_once_is_bounded_closely() {
        let longer = |q: Quat<f64>| Quat::from_array(q.to_array().map(|part| part * (1.0 + 1e-6)));
        let (from, to) = (longer(about_z(0.0)), longer(about_z(1e-4)));
        let raw = Turn::Arc { from, to, pace: Pace::Raw };
        for side in [0.0, 1e-4, 3e-4] {
            let between = longer(Quat::from_axis_angle([1.0, 0.0, 0.0], side));
            let curve = Turn::Bezier([from, between, between, to]);
            let bound = largest_angle(&(&curve, 0.0..1.0), &(&raw, 0.0..1.0));
            let dense = dense(&curve, &raw);
            assert!((dense..2.0 * dense).contains(&bound), "{bound} for {dense}");
        }
    }

    /// A turning point, where `f64` takes for the same rotation what `f32` does not.
    #[test]
    fn a_line_that_leaps_only_in_f64_is_bounded() {
        let order = EulerOrder::new([Axis::Y, Axis::Z, Axis::X], [1, -1, -1]).unwrap();
        let turn = f64::from(core::f32::consts::TAU);
        let x = Cubic::bezier([turn, 0.752_288_609_742_240_9, 3.141_592_741_010_573, turn]);
        let angles = [x, Cubic::constant(0.0), Cubic::constant(-4.875)];
        let turn = Turn::Euler { angles, order };
        let key = |t: f64| turn.at(t).cast::<f32>().cast();
        let (from, to) = (key(0.429_687_5), key(0.437_5));
        assert!(from.dot(to) >= 1.0);
        let line = Turn::Arc { from, to, pace: Pace::RawSingle };
        let bound = largest_angle(&(&turn, 0.429_687_5..0.437_5), &(&line, 0.0..1.0));
        let middle = turn.at(0.433_593_75);
        assert!(bound >= angle(middle, from.slerp_directions(to, 0.5)), "{bound}");
    }

    #[test]
    fn near_rotations_of_nearly_one_length_turn_evenly_by_the_raw_rule() {
        let single = |parts: [f32; 4]| Quat::from_array(parts.map(f64::from));
        let from = single([0.105_668_02, 0.0, 0.140_890_7, 0.984_369_9]);
        let to = single([0.105_663_8, 0.0, 0.140_885_07, 0.984_371_1]);
        assert!(!Pace::RawSingle.leaps(from, to));
        assert_eq!(uneven_slerp(from, to, Pace::RawSingle), 0.0);
    }

    #[test]
    fn near_rotations_step_by_the_raw_rule() {
        let longer = Quat { w: 1.0 + 1e-7, ..about_z(0.0) };
        let near = Quat { w: 1.0 + 1e-7, ..about_z(1e-4) };
        assert!((uneven_slerp(longer, near, Pace::Raw) - 1e-4).abs() < 1e-6);
        assert_eq!(uneven_slerp(about_z(0.0), about_z(1.0), Pace::Raw), 0.0);
    }

    #[test]
    fn lengths_that_make_a_slerp_jump_cost_little() {
        let short = Quat::from_array(about_z(0.0).to_array().map(|part| part * 1e-30));
        let jump = Turn::Arc { from: short, to: about_z(1.0), pace: Pace::Even };
        let bound = largest_angle(&(&jump, 0.0..1.0), &(&arc(0.0, 1.0), 0.0..1.0));
        assert!((1.0..2.5).contains(&bound), "{bound}");
    }

    #[test]
    fn lengths_make_a_slerp_uneven() {
        for (from, to, turn) in
            [(1.0, 0.7, 1.0), (0.5, 1.0, 3.0), (1.0, 1.001, 0.01), (0.1, 1.0, 2.0)]
        {
            let scaled = |rotation: Quat<f64>, length: f64| {
                Quat::from_array(rotation.to_array().map(|part| part * length))
            };
            let (from, to) = (scaled(about_z(0.0), from), scaled(about_z(turn), to));
            let uneven = Turn::Arc { from, to, pace: Pace::Even };
            check(&uneven, &arc(0.0, turn));
            let at = |step: u32| f64::from(step) / 4096.0;
            let steps = (0..4096).map(|step| angle(uneven.at(at(step)), uneven.at(at(step + 1))));
            let fastest = 4096.0 * steps.fold(0.0, f64::max);
            assert!(uneven.speed() >= fastest, "{} below {fastest}", uneven.speed());
        }
    }

    #[test]
    fn what_lengths_do_to_a_raw_slerp_is_bounded_closely() {
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
