//! Tracks as curves in `f64`, segment by segment, for baking.

use core::f64::consts::TAU;
use core::ops::Range;

use super::apart::angle_above;
use super::cubic::Cubic;
use super::rotation::Turn;
use super::slerp::{Pace, angle};
use crate::model::rows;
use crate::{
    EulerOrder, FullTurn, Identical as _, Interpolation, LastBezier, Quat, Rules, Slerp, Tangents,
    TrackData, ValueKind, Values, num,
};

/// A curve over a segment, and its distance from a linear segment between two keys of the result.
pub(super) trait Curve: Copy {
    /// The values of the keys of the result, in `f64`.
    type Key: Copy;

    /// Returns the key at a normalized time; `before` is the previous key.
    fn key(&self, t: f64, before: Option<Self::Key>) -> Self::Key;

    /// Returns whether a key equals the curve at a normalized time.
    fn is_at(&self, t: f64, key: Self::Key) -> bool;

    /// Returns an upper bound of the difference between a part of the curve and a part of the linear
    /// segment between two keys, as the target plays it. A bound that is not above `known` need not
    /// be tight.
    fn error_above(
        &self,
        known: f64,
        part: Range<f64>,
        line: (Self::Key, Self::Key),
        over: Range<f64>,
    ) -> f64;

    /// Returns the tight bound of the difference.
    fn error(&self, part: Range<f64>, line: (Self::Key, Self::Key), over: Range<f64>) -> f64 {
        self.error_above(0.0, part, line, over)
    }

    /// Returns a bound of the speed of the curve, per unit of normalized time.
    fn speed(&self) -> f64;

    /// Returns the largest possible difference: rotations are at most pi apart.
    fn largest(&self) -> f64 {
        core::f64::consts::PI
    }

    /// Returns whether a part is too long for one linear segment, for any error.
    fn is_far(&self, _part: Range<f64>) -> bool {
        false
    }
}

/// The numbers that the keys of the result can store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Single,
    Double,
    /// Integers.
    Whole,
    /// Integers from 0 to 255.
    Byte,
}

impl Width {
    pub(super) const fn of(kind: ValueKind) -> Self {
        if matches!(kind, ValueKind::Color32) {
            Self::Byte
        } else if kind.is_wide() {
            Self::Double
        } else if kind.is_float() {
            Self::Single
        } else {
            Self::Whole
        }
    }

    fn round(self, number: f64) -> f64 {
        match self {
            Self::Single => f64::from(num::finite_f32_from_f64(number)),
            Self::Double => number,
            Self::Whole => number.round(),
            Self::Byte => number.round().clamp(0.0, 255.0),
        }
    }
}

/// Numbers, with a curve per component.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows<const N: usize> {
    pub(super) components: [Cubic; N],
    pub(super) width: Width,
    /// How the errors of the components combine.
    pub(super) total: Total,
}

/// How the errors of the components combine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Total {
    /// The largest error counts.
    Largest,
    /// The components are Euler angles, so the error is the angle of the rotation.
    Angles(EulerOrder),
}

impl<const N: usize> Curve for Rows<N> {
    type Key = [f64; N];

    fn key(&self, t: f64, _: Option<[f64; N]>) -> [f64; N] {
        self.components.map(|component| self.width.round(component.at(t)))
    }

    fn is_at(&self, t: f64, key: [f64; N]) -> bool {
        self.key(t, None).identical(&key)
    }

    fn error_above(
        &self,
        known: f64,
        part: Range<f64>,
        (from, to): ([f64; N], [f64; N]),
        over: Range<f64>,
    ) -> f64 {
        let mut error = 0.0_f64;
        for ((component, from), to) in self.components.iter().zip(from).zip(to) {
            let line = Cubic::line(from, to);
            let (start, end) = (line.at(over.start), line.at(over.end));
            let piece = component.part(part.clone());
            let off = piece.distance_to_line(start, end);
            // Two numbers that are less than 1 apart may round to different integers.
            let rounds = matches!(self.width, Width::Whole | Width::Byte);
            let off = if rounds { off.ceil() } else { off };
            error = match self.total {
                Total::Largest => error.max(off),
                // Whole turns are the same rotation. Turns that are not finite would make the line
                // NaN, which is at no distance from a curve of NaN.
                Total::Angles(_) => {
                    let turns = TAU * ((piece.at(0.0) - start) / TAU).round();
                    let turned = piece.distance_to_line(start + turns, end + turns);
                    error + if turns.is_finite() { off.min(turned) } else { off }
                }
            };
        }
        match self.total {
            Total::Angles(order) if N == 3 && error > known => {
                error.min(self.angle_above(known, order, (part, over), (from, to)))
            }
            _ if error.is_finite() => error.min(self.largest()),
            _ => error,
        }
    }

    fn largest(&self) -> f64 {
        match self.total {
            Total::Largest => f64::INFINITY,
            Total::Angles(_) => core::f64::consts::PI,
        }
    }

    fn speed(&self) -> f64 {
        let speeds = self.components.iter().map(|curve| curve.speed_and_bend().0);
        match self.total {
            Total::Largest => speeds.fold(0.0, f64::max),
            Total::Angles(_) => speeds.sum(),
        }
    }
}

impl<const N: usize> Rows<N> {
    /// Returns the largest angle between the rotations of three angles each.
    fn angle_above(
        &self,
        known: f64,
        order: EulerOrder,
        (part, over): (Range<f64>, Range<f64>),
        (from, to): ([f64; N], [f64; N]),
    ) -> f64 {
        let number = |row: [f64; N], index: usize| row.get(index).copied().unwrap_or_default();
        let angles = core::array::from_fn(|index| {
            self.components.get(index).copied().unwrap_or(Cubic::constant(0.0))
        });
        let lines =
            core::array::from_fn(|index| Cubic::line(number(from, index), number(to, index)));
        let (one, other) = (Turn::Euler { angles, order }, Turn::Euler { angles: lines, order });
        angle_above(known, &(&one, part), &(&other, over))
    }
}

impl Total {
    pub(super) const fn of(property: &crate::Property) -> Self {
        match property {
            crate::Property::RotationEuler(order) => Self::Angles(*order),
            _ => Self::Largest,
        }
    }
}

/// A rotation to convert to quaternions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotations {
    pub(super) turn: Turn,
    pub(super) width: Width,
    /// The slerp of the target.
    pub(super) slerp: Slerp,
}

impl Rotations {
    fn narrow(&self, rotation: Quat<f64>) -> Quat<f64> {
        Quat::from_array(rotation.to_array().map(|part| self.width.round(part)))
    }
}

impl Curve for Rotations {
    type Key = Quat<f64>;

    fn key(&self, t: f64, before: Option<Quat<f64>>) -> Quat<f64> {
        let rotation = self.narrow(self.turn.at(t));
        match self.turn {
            // Angles have no sign of their own, so the first quaternion gets a positive w, and each
            // of the others the sign that is nearer to the previous one.
            Turn::Euler { .. } => rotation.aligned_to(before.unwrap_or(Quat::IDENTITY)),
            _ => rotation,
        }
    }

    fn is_at(&self, t: f64, key: Quat<f64>) -> bool {
        let rotation = self.narrow(self.turn.at(t));
        match self.turn {
            Turn::Euler { .. } => rotation.aligned_to(key).identical(&key),
            _ => rotation.identical(&key),
        }
    }

    fn error_above(
        &self,
        known: f64,
        part: Range<f64>,
        line: (Quat<f64>, Quat<f64>),
        over: Range<f64>,
    ) -> f64 {
        let pace = Pace::of(self.slerp, self.width == Width::Double);
        let line = Turn::Arc { from: line.0, to: line.1, pace };
        angle_above(known, &(&self.turn, part), &(&line, over))
    }

    fn speed(&self) -> f64 {
        self.turn.speed()
    }

    fn is_far(&self, part: Range<f64>) -> bool {
        let Turn::Euler { angles, .. } = self.turn else { return false };
        // Between two equal quaternions a whole turn would be lost, so each angle changes by at
        // most a quarter turn.
        let quarter = core::f64::consts::FRAC_PI_2 * (1.0 + 1e-6);
        angles.iter().any(|angle| (angle.at(part.end) - angle.at(part.start)).abs() > quarter)
    }
}

/// A rotation to convert to Euler angles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Angles {
    pub(super) turn: Turn,
    pub(super) order: EulerOrder,
    pub(super) width: Width,
}

impl Curve for Angles {
    type Key = [f64; 3];

    fn key(&self, t: f64, before: Option<[f64; 3]>) -> [f64; 3] {
        self.order.angles(self.turn.at(t), before).map(|angle| self.width.round(angle))
    }

    fn is_at(&self, t: f64, key: [f64; 3]) -> bool {
        self.key(t, Some(key)).identical(&key)
    }

    fn error_above(
        &self,
        known: f64,
        part: Range<f64>,
        (from, to): ([f64; 3], [f64; 3]),
        over: Range<f64>,
    ) -> f64 {
        let ([x, y, z], [to_x, to_y, to_z]) = (from, to);
        let angles = [Cubic::line(x, to_x), Cubic::line(y, to_y), Cubic::line(z, to_z)];
        let line = Turn::Euler { angles, order: self.order };
        // An invalid rotation has no angles, and more keys would not help.
        let ends = [self.turn.at(part.start), self.turn.at(part.end)];
        if ends.into_iter().any(|end| angle(end, Quat::IDENTITY).is_infinite()) {
            return f64::INFINITY;
        }
        angle_above(known, &(&self.turn, part), &(&line, over))
    }

    fn speed(&self) -> f64 {
        self.turn.speed()
    }
}

/// The segments of a track, each evaluated from its first key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segments<'a> {
    data: &'a TrackData,
    rules: Rules,
}

impl<'a> Segments<'a> {
    pub(super) const fn new(data: &'a TrackData, rules: Rules) -> Self {
        Self { data, rules }
    }

    pub(super) const fn kind(&self) -> ValueKind {
        self.data.kind()
    }

    pub(super) fn value(&self, key: usize) -> Option<crate::Value> {
        self.data.value(key)
    }

    /// Returns the interpolation of a segment; curves without tangents are linear.
    pub(super) fn interpolation(&self, key: usize) -> Interpolation {
        match (self.data.interpolation(key), self.data.tangents()) {
            (Interpolation::Hold, _) => Interpolation::Hold,
            (Interpolation::Hermite, Some(Tangents::Handles { .. })) | (_, None) => {
                Interpolation::Linear
            }
            (interpolation, Some(_)) => interpolation,
        }
    }

    /// Returns the times of the keys that play.
    pub(super) fn times(&self) -> Vec<f64> {
        let keys = if self.data.plays() { self.data.len() } else { self.data.len().min(1) };
        let mut times = Vec::with_capacity(keys);
        // With an interval that is not a number, the only key that plays is at 0 too.
        times.extend((0..keys).filter_map(|key| match (key, self.data.time(key)) {
            (0, time) => Some(time.filter(|time| time.is_finite()).unwrap_or(0.0)),
            (_, time) => time,
        }));
        times
    }

    /// Returns the curves of the components of a segment, or the constant values of the last key.
    pub(super) fn rows<const N: usize>(&self, key: usize) -> [Cubic; N] {
        let row = |values: &Values, key: usize| rows::row::<N>(values, key);
        let values = self.data.values();
        let from = row(values, key);
        let next = key + 1;
        if next >= self.data.len() || !self.data.plays() {
            return self.last::<N>(key, from).map(Cubic::constant);
        }
        let to = row(values, next);
        let kind = self.data.kind();
        let interpolation = self.data.interpolation(key);
        if interpolation == Interpolation::Hold || !kind.interpolates() {
            return from.map(Cubic::constant);
        }
        match (interpolation, self.data.tangents()) {
            (Interpolation::Hermite, Some(Tangents::Values { left, right }))
                if interpolation.uses_tangents(kind) =>
            {
                let (right, left) = (row(right, key), row(left, next));
                zip(from, right, left, to, Cubic::hermite)
            }
            (Interpolation::Bezier, Some(Tangents::Values { left, right }))
                if interpolation.uses_tangents(kind) =>
            {
                let (right, left) = (row(right, key), row(left, next));
                zip(from, right, left, to, |a, b, c, d| Cubic::bezier([a, b, c, d]))
            }
            (Interpolation::Bezier, Some(Tangents::Handles { left, right })) => {
                let handle = |side: &[crate::Handle], key: usize, i: usize| {
                    let at = key * N + i;
                    side.get(at).map_or(0.0, |handle| handle.value)
                };
                let right = core::array::from_fn(|i| handle(right, key, i));
                let left = core::array::from_fn(|i| handle(left, next, i));
                zip(from, right, left, to, |a, b, c, d| Cubic::bezier([a, b, c, d]))
            }
            (Interpolation::Linear, _) => {
                zip(from, from, to, to, |from, _, _, to| Cubic::line(self.start(from, to), to))
            }
            _ => zip(from, from, to, to, |from, _, _, to| Cubic::line(from, to)),
        }
    }

    /// Returns the value at which a linear segment begins.
    fn start(&self, from: f64, to: f64) -> f64 {
        let full = from.abs() == f64::from(core::f32::consts::TAU);
        let at_zero = self.rules.full_turn == FullTurn::BeginsAtZero;
        if at_zero && full && from != to { 0.0 } else { from }
    }

    /// Returns the value that the last key shows.
    fn last<const N: usize>(&self, key: usize, value: [f64; N]) -> [f64; N] {
        let bezier = self.data.interpolation(key) == Interpolation::Bezier;
        match self.data.tangents() {
            Some(Tangents::Handles { right, .. })
                if bezier && self.rules.last_bezier == LastBezier::RightHandle =>
            {
                let mut shown = value;
                for (shown, handle) in shown.iter_mut().zip(right.iter().skip(key * N)) {
                    *shown = handle.value;
                }
                shown
            }
            _ => value,
        }
    }

    /// Returns the rotation of a segment of quaternions, or the constant rotation of the last key.
    pub(super) fn turn(&self, key: usize) -> Turn {
        let rotation = |values: &Values, key: usize| Quat::from_array(rows::row::<4>(values, key));
        let values = self.data.values();
        let from = rotation(values, key);
        let next = key + 1;
        let interpolation = self.data.interpolation(key);
        if next >= self.data.len() || !self.data.plays() || interpolation == Interpolation::Hold {
            return Turn::constant(from);
        }
        let to = rotation(values, next);
        match (interpolation, self.data.tangents()) {
            (Interpolation::Bezier, Some(Tangents::Values { left, right })) => {
                Turn::Bezier([from, rotation(right, key), rotation(left, next), to])
            }
            _ => {
                Turn::Arc { from, to, pace: Pace::of(self.rules.slerp, self.data.kind().is_wide()) }
            }
        }
    }
}

/// Creates a curve per component from the components of two keys and their tangents.
fn zip<const N: usize>(
    from: [f64; N],
    right: [f64; N],
    left: [f64; N],
    to: [f64; N],
    curve: impl Fn(f64, f64, f64, f64) -> Cubic,
) -> [Cubic; N] {
    let mut curves = [Cubic::constant(0.0); N];
    let numbers = from.into_iter().zip(right).zip(left).zip(to);
    for (made, (((from, right), left), to)) in curves.iter_mut().zip(numbers) {
        *made = curve(from, right, left, to);
    }
    curves
}

/// Up to three tracks of numbers that become one of vectors.
#[derive(Debug)]
pub(super) struct Joined<'a> {
    parts: [Option<(Segments<'a>, Vec<f64>)>; 3],
    /// The value of an axis without a track.
    rest: f64,
    times: Vec<f64>,
}

impl<'a> Joined<'a> {
    pub(super) fn new(parts: &'a [Option<TrackData>; 3], rest: f64, rules: Rules) -> Self {
        let parts = parts.each_ref().map(|part| {
            let segments = Segments::new(part.as_ref().filter(|part| !part.is_empty())?, rules);
            Some((segments, segments.times()))
        });
        let mut times: Vec<f64> =
            parts.iter().flatten().flat_map(|(_, times)| times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        Self { parts, rest, times }
    }

    /// Returns the times of all keys, without duplicates.
    pub(super) fn times(&self) -> Vec<f64> {
        self.times.clone()
    }

    /// Returns whether all segments are linear without jumps, and each last key continues its
    /// segment.
    pub(super) fn is_straight(&self) -> bool {
        self.parts.iter().flatten().all(|(segments, times)| {
            let last = times.len().saturating_sub(1);
            (0..last).all(|key| {
                let linear = segments.data.interpolation(key) == Interpolation::Linear;
                let end = segments.rows::<1>(key)[0].at(1.0);
                let next = segments.rows::<1>(key + 1)[0].at(0.0);
                linear && times.get(key) != times.get(key + 1) && end.identical(&next)
            })
        })
    }

    /// Returns the values before the first time.
    pub(super) fn early(&self) -> [Cubic; 3] {
        self.parts.each_ref().map(|part| match part {
            Some((segments, _)) => Cubic::constant(segments.rows::<1>(0)[0].at(0.0)),
            None => Cubic::constant(self.rest),
        })
    }

    /// Returns the curves from one of the times to the next.
    pub(super) fn curve(&self, piece: usize) -> [Cubic; 3] {
        let Some(&start) = self.times.get(piece) else { return self.early() };
        let end = self.times.get(piece + 1).copied();
        self.parts.each_ref().map(|part| {
            let Some((segments, times)) = part else { return Cubic::constant(self.rest) };
            let Some(key) = times.partition_point(|time| *time <= start).checked_sub(1) else {
                // Before its first key, a track shows that key.
                return Cubic::constant(segments.rows::<1>(0)[0].at(0.0));
            };
            let whole = segments.rows::<1>(key)[0];
            let ends = times.get(key).zip(times.get(key + 1));
            match (ends, end) {
                (Some((from, to)), Some(end)) => {
                    let length = to - from;
                    let upto = if end == *to { 1.0 } else { (end - from) / length };
                    whole.part((start - from) / length..upto)
                }
                _ => whole,
            }
        })
    }
}
