//! An upper bound of the angle between two moving rotations.

use core::cmp::Ordering;
use core::ops::Range;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::cubic::or_infinite;
use super::rotation::{Motion, Turn, numbers, shortest};
use super::slerp::{FINE, Pace, angle};
use crate::Quat;

/// The largest number of times that a part of a segment is halved for a bound.
const MOST_SPLITS: u16 = 1 << 10;

/// A rotation, and the range of its segment that it passes through.
type Going<'a> = (&'a Turn, Range<f64>);

/// Returns an upper bound of the angle between two rotations while each passes through its range at
/// even speed.
pub(crate) fn largest_angle(one: &Going<'_>, other: &Going<'_>) -> f64 {
    angle_above(0.0, one, other)
}

/// Returns an upper bound like [`largest_angle`]. A bound that is not above `known` need not be tight,
/// which is enough to find the largest of many angles.
pub(crate) fn angle_above(known: f64, one: &Going<'_>, other: &Going<'_>) -> f64 {
    if one.0.is_same_arc(other.0) && one.1 == other.1 {
        return 0.0;
    }
    let uneven = one.0.unevenness() + other.0.unevenness();
    let [even, other_even] = [one, other].map(|(turn, _)| turn.evenly());
    let (even, other_even) = ((&even, one.1.clone()), (&other_even, other.1.clone()));
    let apart = even_angle_above(known - uneven, &even, &other_even) + uneven;
    // A dot product near 1 may round to 1 in one engine and not in another, so both cases are
    // bounded.
    let apart = apart.max(after_leap(known, one, other)).max(after_leap(known, other, one));
    // Two rotations are at most pi apart.
    if apart.is_finite() { apart.min(core::f64::consts::PI) } else { apart }
}

/// Returns [`angle_above`] for a rotation that jumps to its end at once; 0 if it does not.
fn after_leap(known: f64, leaping: &Going<'_>, other: &Going<'_>) -> f64 {
    let Some([from, to]) = leaping.0.leap() else { return 0.0 };
    let after = angle_above(known, &(&Turn::constant(to), leaping.1.clone()), other);
    if leaping.1.start > 0.0 { after } else { after.max(angle(from, other.0.at(other.1.start))) }
}

/// Returns [`angle_above`] for arcs at even speed.
///
/// Two geodesics at even speed are farthest apart at their ends, apart from the curvature of the
/// sphere; accelerations contribute with the square of the length. So the part with the largest
/// bound is halved until that bound is only slightly above the largest angle found.
fn even_angle_above(known: f64, one: &Going<'_>, other: &Going<'_>) -> f64 {
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
    let turned = [one, other].map(|(turn, range)| turn.travel(range));
    let wanted = turned[0].max(turned[1]) / core::f64::consts::FRAC_PI_4;
    if found.is_finite() && (wanted > f64::from(MOST_SPLITS) || wanted.is_nan()) {
        // An invalid rotation inside the range is infinitely far from a valid one.
        return distance(0.5).max(core::f64::consts::PI);
    }
    let mut parts = BinaryHeap::from([part((0.0, ends.0), (1.0, ends.1))]);
    for _ in 0..MOST_SPLITS {
        let Some(widest) = parts.peek_mut() else { break };
        let middle = f64::midpoint(widest.start.0, widest.end.0);
        let enough = (1.2 * found + FINE).max(known);
        let is_close = widest.bound.min(core::f64::consts::PI) <= enough;
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

/// Maps a number between 0 and 1 into a range.
fn within(range: &Range<f64>, at: f64) -> f64 {
    if at >= 1.0 { range.end } else { range.start + (range.end - range.start) * at }
}

/// A part of two rotations, ordered by the bound of their angle.
struct Part {
    /// Its start, from 0 to 1, and the angle between the rotations there.
    start: (f64, f64),
    /// Its end, and the angle between the rotations there.
    end: (f64, f64),
    /// The bound of the angle within it.
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

impl Motion {
    /// Returns a bound of the angle between two rotations that are at most `ends` apart at the
    /// start and the end of the part.
    ///
    /// Let w be the angle between the two paths on the unit sphere of quaternions, half of the
    /// angle between the rotations. With s and a the speeds and accelerations there,
    /// `w'' >= -(s1² + s2²) tan(w/2) - a1 - a2`: the sphere brings parallel paths together. So w
    /// stays below the solution of `y'' + k² y = -(a1 + a2)` through the larger end, with
    /// `k² = (s1² + s2²) / 2 * tan(w/2) / (w/2)` for the largest w.
    pub(super) fn farthest(&self, other: &Self, ends: f64) -> f64 {
        // At most, the two move apart and back again.
        let far = ends + f64::midpoint(self.turns, other.turns);
        let leaves = self.leaves + other.leaves;
        // Rotations that are far apart can reach opposite points of the sphere in between.
        if !(0.0..2.0).contains(&far) {
            return far + leaves;
        }
        let flat = if far > 0.0 { (far / 4.0).tan() / (far / 4.0) } else { 1.0 };
        let square = flat * (self.turns * self.turns + other.turns * other.turns) / 8.0;
        let bulge = 1.0 / (square.sqrt() / 2.0).cos();
        // For a small square, both terms of the difference lose their digits.
        let bend = if square < 1e-6 { (1.0 + square) / 8.0 } else { (bulge - 1.0) / square };
        (ends * bulge + (self.accelerates + other.accelerates) * bend).min(far) + leaves
    }
}

/// Returns a bound of the angle between two Bezier curves of quaternions, tight if they are nearly
/// the same; infinite for other rotations.
fn bezier_curves_apart(one: &Going<'_>, other: &Going<'_>) -> f64 {
    let (Turn::Bezier(points), Turn::Bezier(other_points)) = (one.0, other.0) else {
        return f64::INFINITY;
    };
    let (one, other) = (numbers(points, &one.1), numbers(other_points, &other.1));
    let mut apart = 0.0_f64;
    for (one, other) in one.iter().zip(&other) {
        apart = apart.hypot(one.distance(*other));
    }
    // The sine of the angle between two vectors is at most their distance divided by the longer
    // length.
    let sine = apart / shortest(&one).max(shortest(&other));
    if sine < 1.0 { 2.0 * sine.asin() } else { f64::INFINITY }
}

/// Returns an upper bound of the angle in radians between a slerp of quaternions of different
/// lengths and one at even speed.
pub(crate) fn uneven_speed(from: Quat<f64>, to: Quat<f64>) -> f64 {
    let even = Turn::Arc { from: from.normalized(), to: to.normalized(), pace: Pace::Even };
    largest_angle(&(&Turn::Arc { from, to, pace: Pace::Even }, 0.0..1.0), &(&even, 0.0..1.0))
}

#[cfg(test)]
mod tests {
    use core::f64::consts::PI;

    use core::f64::consts::FRAC_PI_2;

    use super::*;
    use crate::bake::cubic::Cubic;
    use crate::{Axis, EulerOrder};

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
    fn turns_about_several_axes_are_bounded_tightly() {
        let line = Cubic::line;
        for scale in [0.01, 0.3, 1.5] {
            let angles =
                [line(0.0, scale), line(0.2, 0.2 - scale), Cubic::bezier([0.0, scale, 0.0, 0.1])];
            let turn = Turn::Euler { angles, order: EulerOrder::XYZ };
            let chord = Turn::Arc { from: turn.at(0.0), to: turn.at(1.0), pace: Pace::Even };
            check(&turn, &chord);
        }
    }

    /// Angles that change fast, found by a random campaign.
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
    fn nearly_equal_bezier_rotations_are_bounded_tightly() {
        let side = Quat::from_axis_angle([1.0, 0.0, 0.0], 0.9);
        let near = Quat { x: side.x + 1e-8, ..side };
        let curve = |second| Turn::Bezier([about_z(0.0), second, about_z(0.4), about_z(1.0)]);
        let bound = largest_angle(&(&curve(side), 0.0..1.0), &(&curve(near), 0.0..1.0));
        let dense = dense(&curve(side), &curve(near));
        assert!((dense..2.0 * dense).contains(&bound), "{bound} for {dense}");
    }

    #[test]
    fn invalid_rotations_at_an_end_or_inside_are_infinitely_far() {
        let none = about_z(f64::NAN);
        let still = about_z(0.0);
        for points in [[none, still, still, still], [still, none, still, still]] {
            let bound =
                largest_angle(&(&Turn::Bezier(points), 0.0..1.0), &(&arc(0.0, 1.0), 0.0..1.0));
            assert_eq!(bound, f64::INFINITY);
        }
    }

    #[test]
    fn bezier_rotations_are_bounded_tightly() {
        let points = [about_z(0.0), Quat::from_axis_angle([1.0, 0.0, 0.0], 0.9), about_z(0.4)];
        let [a, b, c] = points;
        let turn = Turn::Bezier([a, b, c, about_z(PI / 3.0)]);
        check(&turn, &arc(0.0, PI / 3.0));
    }

    #[test]
    fn an_arc_that_jumps_to_its_end_is_bounded_tightly() {
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

    /// A turning point whose two rotations are equal in `f64` and differ in `f32`.
    #[test]
    fn a_segment_that_jumps_only_in_f64_is_bounded() {
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
    fn a_slerp_that_jumps_because_of_its_lengths_is_bounded_tightly() {
        let short = Quat::from_array(about_z(0.0).to_array().map(|part| part * 1e-30));
        let jump = Turn::Arc { from: short, to: about_z(1.0), pace: Pace::Even };
        let bound = largest_angle(&(&jump, 0.0..1.0), &(&arc(0.0, 1.0), 0.0..1.0));
        assert!((1.0..2.5).contains(&bound), "{bound}");
    }

    #[test]
    fn different_lengths_make_the_speed_of_a_slerp_uneven() {
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
}
