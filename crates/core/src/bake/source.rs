//! Tracks as curves in `f64`, segment by segment.

use core::ops::Range;

use super::cubic::Cubic;
use super::measure::{Piece, Signal};
use super::rotation::Turn;
use crate::model::rows;
use crate::{
    EulerOrder, FullTurn, Interpolation, LastBezier, Quat, Rules, Tangents, TrackData, ValueKind,
    Values, num,
};

/// The numbers that a kind of values can store.
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

    pub(super) fn round(self, number: f64) -> f64 {
        match self {
            Self::Single => f64::from(num::finite_f32_from_f64(number)),
            Self::Double => number,
            Self::Whole => number.round(),
            Self::Byte => number.round().clamp(0.0, 255.0),
        }
    }

    /// Returns whether values between keys are rounded to integers as they play.
    pub(super) const fn is_whole(self) -> bool {
        matches!(self, Self::Whole | Self::Byte)
    }
}

/// Numbers, with a curve per component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row<const N: usize> {
    pub(super) curves: [Cubic; N],
    pub(super) width: Width,
}

impl<const N: usize> Row<N> {
    pub(super) fn at(&self, t: f64) -> [f64; N] {
        let shown = self.curves.map(|curve| curve.at(t));
        if self.width.is_whole() { shown.map(|number| self.width.round(number)) } else { shown }
    }
}

/// A value that holds: the bits of switches, or a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Held<'a> {
    flags: [bool; 4],
    text: Option<&'a str>,
}

impl Piece for Held<'_> {
    type Value = Self;

    fn at(&self, _: f64) -> Self {
        *self
    }

    fn parts(&self, _: &Range<f64>) -> u32 {
        1
    }

    fn apart(one: Self, other: Self) -> Option<f64> {
        Some(f64::from(u8::from(one != other)))
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

    pub(super) const fn is_quaternion(&self) -> bool {
        self.data.kind().is_quaternion()
    }

    /// Returns the numbers of the track as they play.
    pub(super) fn signal<const N: usize>(self) -> Signal<'a, Row<N>> {
        let width = Width::of(self.data.kind());
        self.pieces(move |key| Row { curves: self.rows::<N>(key), width })
    }

    /// Returns the rotations of a track of quaternions.
    pub(super) fn turns(self) -> Signal<'a, Turn> {
        self.pieces(move |key| self.turn(key))
    }

    /// Returns the rotations of a track of Euler angles.
    pub(super) fn angles(self, order: EulerOrder) -> Signal<'a, Turn> {
        self.pieces(move |key| Turn::Euler { angles: self.rows::<3>(key), order })
    }

    /// Returns values that never interpolate.
    pub(super) fn held(self) -> Signal<'a, Held<'a>> {
        self.pieces(move |key| {
            let mut row = Vec::new();
            if let Some(value) = self.data.value(key) {
                rows::read(&value, &mut row);
            }
            let flag = |index: usize| row.get(index).is_some_and(|number| *number != 0.0);
            let text = self.data.values().as_strings().and_then(|texts| texts.get(key)?);
            Held { flags: core::array::from_fn(flag), text }
        })
    }

    fn pieces<P>(self, piece: impl Fn(usize) -> P + 'a) -> Signal<'a, P> {
        Signal { times: self.times(), early: piece(0), piece: Box::new(piece) }
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
                let (right, left) = (self.handles(right, key), self.handles(left, next));
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
                self.handles(right, key)
            }
            _ => value,
        }
    }

    /// Returns the values of the handles of a key.
    fn handles<const N: usize>(&self, side: &[crate::Handle], key: usize) -> [f64; N] {
        let width = rows::width(self.data.kind());
        let mut handles = side.iter().skip(key * width).take(width);
        core::array::from_fn(|_| handles.next().map_or(0.0, |handle| handle.value))
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
            _ => Turn::arc(from, to, self.rules.slerp),
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

/// Up to three tracks of numbers that play as one of vectors.
#[derive(Debug)]
pub(super) struct Joined<'a> {
    parts: [Option<(Segments<'a>, Vec<f64>)>; 3],
    /// The values of the axes without a track.
    rest: [f64; 3],
    times: Vec<f64>,
    width: Width,
}

impl<'a> Joined<'a> {
    pub(super) fn new(parts: [Option<&'a TrackData>; 3], rest: [f64; 3], rules: Rules) -> Self {
        let wide = parts.iter().flatten().any(|part| part.kind().is_wide());
        let parts = parts.map(|part| {
            let segments = Segments::new(part.filter(|part| !part.is_empty())?, rules);
            Some((segments, segments.times()))
        });
        let mut times: Vec<f64> =
            parts.iter().flatten().flat_map(|(_, times)| times).copied().collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let width = if wide { Width::Double } else { Width::Single };
        Self { parts, rest, times, width }
    }

    /// Returns the vectors as they play.
    pub(super) fn signal<const N: usize>(self) -> Signal<'a, Row<N>> {
        let width = self.width;
        self.pieces(move |curves: [Cubic; 3]| {
            let nth = |index: usize| curves.get(index).copied().unwrap_or(Cubic::constant(0.0));
            Row { curves: core::array::from_fn(nth), width }
        })
    }

    /// Returns the rotations of Euler angles.
    pub(super) fn angles(self, order: EulerOrder) -> Signal<'a, Turn> {
        self.pieces(move |angles| Turn::Euler { angles, order })
    }

    fn pieces<P>(self, piece: impl Fn([Cubic; 3]) -> P + 'a) -> Signal<'a, P> {
        let (times, early) = (self.times.clone(), piece(self.early()));
        Signal { times, early, piece: Box::new(move |index| piece(self.curve(index))) }
    }

    /// Returns the values before the first time.
    fn early(&self) -> [Cubic; 3] {
        self.each(|segments, _| Cubic::constant(segments.rows::<1>(0)[0].at(0.0)))
    }

    /// Returns the curves from one of the times to the next.
    fn curve(&self, piece: usize) -> [Cubic; 3] {
        let Some(&start) = self.times.get(piece) else { return self.early() };
        let end = self.times.get(piece + 1).copied();
        self.each(|segments, times| {
            let Some(key) = times.partition_point(|time| *time <= start).checked_sub(1) else {
                // Before its first key, a track shows that key.
                return Cubic::constant(segments.rows::<1>(0)[0].at(0.0));
            };
            let whole = segments.rows::<1>(key)[0];
            match (times.get(key).zip(times.get(key + 1)), end) {
                (Some((from, to)), Some(end)) => {
                    let length = to - from;
                    let upto = if end == *to { 1.0 } else { (end - from) / length };
                    whole.part((start - from) / length..upto)
                }
                _ => whole,
            }
        })
    }

    /// Returns a curve per axis; those without a track rest.
    fn each(&self, curve: impl Fn(&Segments<'a>, &[f64]) -> Cubic) -> [Cubic; 3] {
        let mut curves = self.rest.map(Cubic::constant);
        for (slot, part) in curves.iter_mut().zip(&self.parts) {
            if let Some((segments, times)) = part {
                *slot = curve(segments, times);
            }
        }
        curves
    }
}

impl<const N: usize> Piece for Row<N> {
    type Value = [f64; N];

    fn at(&self, t: f64) -> [f64; N] {
        self.at(t)
    }

    fn parts(&self, _: &Range<f64>) -> u32 {
        1
    }

    fn apart(one: [f64; N], other: [f64; N]) -> Option<f64> {
        if one == other {
            return Some(0.0);
        }
        let parts = || {
            let pairs = one.iter().zip(other);
            pairs.map(|(one, other)| {
                let same = *one == other || (one.is_nan() && other.is_nan());
                if same { 0.0 } else { one - other }
            })
        };
        let length = parts().map(|part| part * part).sum::<f64>().sqrt();
        // Squares are beyond the range of numbers where lengths are not.
        let is_exact = (1e-150..f64::INFINITY).contains(&length);
        let length = if is_exact { length } else { parts().fold(0.0, f64::hypot) };
        length.is_finite().then_some(length)
    }
}
