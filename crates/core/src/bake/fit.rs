//! Creates keys within a bound of the error.

use core::ops::Range;

use super::measure::{Difference, Signal, parts_of, span};
use super::new_keys::{Costs, NewKeys};
use super::space::{Segment, Space};
use super::{BakeError, Bound, Curves};
use crate::Identical as _;

/// Creates keys within a bound.
///
/// # Errors
///
/// If the bound is not positive, or the keys cost more than the budget has.
pub(super) fn within_bound<const N: usize, S: Space<N>>(
    signal: &Signal<'_, S::Piece>,
    space: S,
    bound: Bound,
    costs: &mut Costs<'_>,
) -> Result<NewKeys<N>, BakeError> {
    if !(bound.error > 0.0 && bound.error.is_finite()) {
        return Err(BakeError::Bound { bound: bound.error });
    }
    let left = parts_of(signal.times.len());
    let mut fit = Fit { space, bound, costs, left, keys: NewKeys::new() };
    for index in 0..signal.times.len() {
        let Some(&start) = signal.times.get(index) else { break };
        let (piece, end) = ((signal.piece)(index), signal.times.get(index + 1).copied());
        if index == 0 {
            fit.push(start, space.key(&signal.early, 0.0, None))?;
            fit.note_constant(start, &signal.early);
        }
        fit.piece(&piece, start, end)?;
    }
    Ok(fit.keys)
}

/// The state of creating keys within a bound.
struct Fit<'c, 'b, const N: usize, S> {
    space: S,
    bound: Bound,
    costs: &'c mut Costs<'b>,
    /// The number of parts that may still be measured.
    left: usize,
    keys: NewKeys<N>,
}

impl<const N: usize, S: Space<N>> Fit<'_, '_, N, S> {
    fn push(&mut self, time: f64, value: [f64; N]) -> Result<(), BakeError> {
        self.costs.charge(self.keys.times.len())?;
        Ok(self.keys.push(time, value)?)
    }

    /// Measures the last key, which shows without an end.
    fn note_constant(&mut self, time: f64, piece: &S::Piece) {
        let Some(key) = self.keys.last() else { return };
        let shown = self.space.play(key, Segment::Hold, key);
        let times = time..time;
        let error = span((piece, 0.0..0.0), (&shown, 0.0..0.0), &times, (0.0, &mut self.left));
        self.keys.error = self.keys.error.max(error);
    }

    /// Appends the keys of a piece.
    fn piece(&mut self, piece: &S::Piece, start: f64, end: Option<f64>) -> Result<(), BakeError> {
        let before = self.keys.last();
        let first = self.space.key(piece, 0.0, before);
        let is_there = before.is_some_and(|before| before.identical(&first));
        if !(is_there && self.keys.times.last() == Some(&start)) {
            // A jump of the value becomes two keys at the same time.
            self.push(start, first)?;
        }
        match end {
            None => self.note_constant(start, piece),
            Some(end) if end > start => self.segments(piece, start..end)?,
            Some(_) => {}
        }
        Ok(())
    }

    /// Appends the keys after the start of a piece, up to its end.
    fn segments(&mut self, piece: &S::Piece, whole: Range<f64>) -> Result<(), BakeError> {
        let length = whole.end - whole.start;
        let mut ends = vec![whole.end];
        let mut start = whole.start;
        while let (Some(&end), Some(from)) = (ends.last(), self.keys.last()) {
            let upto = if end == whole.end { 1.0 } else { (end - whole.start) / length };
            let part = (start - whole.start) / length..upto;
            let to = self.space.key(piece, part.end, Some(from));
            let (segment, is_steep) = self.segment(piece, &part, [from, to], length);
            let play = self.space.play(from, segment, to);
            let parts = ((piece, part.clone()), (&play, 0.0..1.0));
            let error = span(parts.0, parts.1, &(start..end), (0.0, &mut self.left));
            let is_far = self.space.is_far(piece, &part, [from, to]);
            let is_exact = part == (0.0..1.0) && self.space.exact(piece) == Some(segment);
            let divides =
                !is_exact && (error.error().value > self.bound.error || is_far || is_steep);
            if divides && let Some(middle) = self.bound.middle(start, end, length) {
                ends.push(middle);
                continue;
            }
            let tried = (segment, error);
            let ends_at = [from, to];
            let (segment, error) = if divides {
                self.closest(piece, &part, ends_at, &(start..end), tried)
            } else {
                tried
            };
            self.keys.error = self.keys.error.max(error);
            self.left += parts_of(1) - parts_of(0);
            self.keys.set_segment(segment);
            if segment != Segment::Hold {
                self.push(end, to)?;
            }
            ends.pop();
            start = end;
        }
        Ok(())
    }

    /// Returns the segment that is closest to a part which is too short to be divided: near gimbal
    /// lock the slopes at the ends say little about the middle.
    fn closest(
        &mut self,
        piece: &S::Piece,
        part: &Range<f64>,
        [from, to]: [[f64; N]; 2],
        times: &Range<f64>,
        tried: (Segment<N>, Difference),
    ) -> (Segment<N>, Difference) {
        let mut best = tried;
        if self.bound.curves == Curves::Linear {
            return best;
        }
        let at = |u: f64, before: [f64; N]| {
            let t = part.start + (part.end - part.start) * u;
            self.space.key(piece, t, Some(before))
        };
        let curves = INNER.map(|[u, v]| {
            let one = at(u, from);
            Segment::Curve(through([from, one, at(v, one), to], [u, v]))
        });
        let line = self.space.has_lines().then_some(Segment::Line);
        for segment in curves.into_iter().chain(line) {
            let play = self.space.play(from, segment, to);
            let parts = ((piece, part.clone()), (&play, 0.0..1.0));
            let error = span(parts.0, parts.1, times, (0.0, &mut self.left));
            let is_known = error.undefined.or(error.unmeasured).is_none();
            if is_known && error.value < best.1.value {
                best = (segment, error);
            }
        }
        best
    }

    /// Returns the segment to try for a part of a piece, and whether the part is too steep for a
    /// curve.
    fn segment(
        &self,
        piece: &S::Piece,
        part: &Range<f64>,
        [from, to]: [[f64; N]; 2],
        seconds: f64,
    ) -> (Segment<N>, bool) {
        let exact = self.space.exact(piece).filter(|_| *part == (0.0..1.0));
        match (self.bound.curves, exact) {
            (Curves::Linear, _) => return (Segment::Line, false),
            (Curves::Cubic, Some(exact)) => return (exact, false),
            (Curves::Cubic, None) if self.space.is_line(piece) => return (Segment::Line, false),
            (Curves::Cubic, None) => {}
        }
        let slopes = [(part.start, from), (part.end, to)];
        let [out, into] = slopes.map(|(t, key)| self.space.slope(piece, t, key));
        let steepest = self.space.steepest() * seconds;
        if !out.iter().chain(&into).all(|slope| slope.abs() <= steepest && slope.is_finite()) {
            return (Segment::Line, true);
        }
        let third = (part.end - part.start) / 3.0;
        let along = |key: [f64; N], slope: [f64; N], third: f64| {
            let mut point = key;
            point.iter_mut().zip(slope).for_each(|(point, slope)| *point += slope * third);
            point
        };
        let points = [along(from, out, third), along(to, into, -third)];
        let within = self.bound.error * STRAIGHT;
        let straight = self.space.has_lines() && is_straight([from, to], points, within);
        (if straight { Segment::Line } else { Segment::Curve(points) }, false)
    }
}

/// The normalized times inside a segment at which a curve without given slopes is exact.
const INNER: [[f64; 2]; 5] =
    [[1.0 / 3.0, 2.0 / 3.0], [0.1, 0.5], [0.5, 0.9], [0.04, 0.3], [0.7, 0.96]];

/// Returns the control points of a cubic that has given values at two normalized times inside it.
fn through<const N: usize>(
    [from, one, other, to]: [[f64; N]; 4],
    [u, v]: [f64; 2],
) -> [[f64; N]; 2] {
    let basis = |t: f64| {
        let s = 1.0 - t;
        [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t]
    };
    let ([a, a_right, a_left, a_to], [b, b_right, b_left, b_to]) = (basis(u), basis(v));
    let determinant = a_right * b_left - a_left * b_right;
    let (mut right, mut left) = (from, to);
    let inner = one.into_iter().zip(other);
    for ((right, left), (one, other)) in right.iter_mut().zip(&mut left).zip(inner) {
        let one = one - a * *right - a_to * *left;
        let other = other - b * *right - b_to * *left;
        *right = (one * b_left - a_left * other) / determinant;
        *left = (a_right * other - b_right * one) / determinant;
    }
    [right, left]
}

/// The part of the bound within which the control points of a straight segment are.
const STRAIGHT: f64 = 0.01;

/// Returns whether control points are where those of a line are.
fn is_straight<const N: usize>(
    [from, to]: [[f64; N]; 2],
    [right, left]: [[f64; N]; 2],
    within: f64,
) -> bool {
    let points = from.into_iter().zip(to).zip(right.into_iter().zip(left));
    points.into_iter().all(|((from, to), (right, left))| {
        let third = (to - from) / 3.0;
        (from + third - right).abs() <= within && (to - third - left).abs() <= within
    })
}
