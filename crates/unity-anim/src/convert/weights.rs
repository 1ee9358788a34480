//! Replaces segments with weighted tangents by segments without weights.
//!
//! A weighted segment is a Bezier curve in time and value. Other formats have curves whose time passes
//! evenly, so the segment is divided until such curves are near it.

use inbetween_core::{Budget, ReadError, grow, num};

use crate::layout::THIRD;
use crate::read::curve::Keys;

/// How near new curves must be, and how many there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    /// The largest difference of a number.
    pub(super) error: f64,
    /// The shortest half of a segment in seconds.
    pub(super) shortest: f64,
}

/// The two ends of a segment of one number.
#[derive(Clone, Copy, Debug)]
struct Segment {
    times: [f64; 2],
    values: [f64; 2],
    slopes: [f64; 2],
    weights: [f64; 2],
}

/// A value, and its slope per second.
#[derive(Clone, Copy, Debug)]
struct Point {
    value: f64,
    slope: f64,
}

impl Segment {
    fn seconds(&self) -> f64 {
        self.times[1] - self.times[0]
    }

    fn has_weights(&self) -> bool {
        let third = f64::from(THIRD);
        self.weights.iter().any(|weight| (weight - third).abs() > 1e-6)
    }

    /// Returns the point at a time.
    fn at(&self, time: f64) -> Point {
        let seconds = self.seconds();
        let [first, second] = self.weights.map(|weight| weight.clamp(0.0, 1.0));
        let x = [0.0, first, 1.0 - second, 1.0];
        let [from, to] = self.values;
        let y = [
            from,
            from + first * seconds * self.slopes[0],
            to - second * seconds * self.slopes[1],
            to,
        ];
        let u = parameter(x, ((time - self.times[0]) / seconds).clamp(0.0, 1.0));
        let speed = derivative(x, u) * seconds;
        let slope = if speed > 0.0 { derivative(y, u) / speed } else { f64::INFINITY };
        // The slopes at the ends are given, even where the weight is 0.
        let slope = if u <= 0.0 {
            self.slopes[0]
        } else if u >= 1.0 {
            self.slopes[1]
        } else {
            slope.clamp(-1e9, 1e9)
        };
        Point { value: bezier(y, u), slope }
    }
}

fn bezier(points: [f64; 4], at: f64) -> f64 {
    let left = 1.0 - at;
    let factors = [left * left * left, 3.0 * left * left * at, 3.0 * left * at * at, at * at * at];
    factors.into_iter().zip(points).map(|(factor, point)| factor * point).sum()
}

fn derivative(points: [f64; 4], at: f64) -> f64 {
    let left = 1.0 - at;
    let factors = [3.0 * left * left, 6.0 * left * at, 3.0 * at * at];
    let steps = points.windows(2).map(|pair| match pair {
        [from, to] => to - from,
        _ => 0.0,
    });
    factors.into_iter().zip(steps).map(|(factor, step)| factor * step).sum()
}

/// Returns the parameter at which a curve that never falls reaches a number, by halving.
fn parameter(x: [f64; 4], target: f64) -> f64 {
    if target <= 0.0 || target >= 1.0 {
        return target;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if bezier(x, middle) < target { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// Returns the value of a segment without weights.
fn hermite(times: [f64; 2], [from, to]: [f64; 2], slopes: [f64; 2], time: f64) -> f64 {
    let seconds = times[1] - times[0];
    let third = seconds / 3.0;
    let points = [from, from + third * slopes[0], to - third * slopes[1], to];
    bezier(points, (time - times[0]) / seconds)
}

/// Replaces the weighted segments of keys, and returns the largest difference of a number; `None` if no
/// segment has weights.
pub(super) fn flatten<const N: usize>(
    keys: &mut Keys<N>,
    bound: Bound,
    budget: &mut Budget,
) -> Result<Option<f64>, ReadError> {
    if keys.weights.is_empty() {
        return Ok(None);
    }
    let old = std::mem::take(keys);
    let (mut largest, mut any, mut into) = (0.0_f64, false, None);
    for key in 0..old.times.len() {
        let segments = old.segments(key);
        let is_weighted =
            segments.is_some_and(|segments| segments.iter().any(Segment::has_weights));
        old.copy_key(key, into.take(), keys)?;
        let Some(segments) = segments.filter(|_| is_weighted) else { continue };
        any = true;
        let [start, end] = segments.first().map_or([0.0; 2], |segment| segment.times);
        let mut ends = vec![end];
        let mut from = start;
        while let Some(to) = ends.last().copied() {
            let parts = segments.map(|segment| segment.part([from, to]));
            let error = parts.iter().map(|part| part.error).fold(0.0, f64::max);
            let middle = f64::from(num::f32_from_f64(f64::midpoint(from, to)));
            let is_divisible = middle - from >= bound.shortest && to - middle >= bound.shortest;
            if error > bound.error && is_divisible {
                ends.push(middle);
                continue;
            }
            largest = largest.max(error);
            ends.pop();
            let [out, next] = [0, 1].map(|side| parts.map(|part| part.slope(side)));
            if let Some(slopes) = keys.slopes[1].last_mut() {
                *slopes = out;
            }
            if to < end {
                let size = size_of::<[f32; N]>().saturating_mul(3).saturating_add(8);
                budget.charge_columns(size)?;
                let value = segments.map(|segment| num::f32_from_f64(segment.at(to).value));
                keys.append(num::f32_from_f64(to), value, [next, next])?;
            } else {
                into = Some(next);
            }
            from = to;
        }
    }
    Ok(any.then_some(largest))
}

/// A curve without weights that replaces a part of a segment.
#[derive(Clone, Copy, Debug)]
struct Part {
    slopes: [f64; 2],
    /// The largest difference of the value.
    error: f64,
}

impl Part {
    fn slope(&self, side: usize) -> f32 {
        num::finite_f32_from_f64(self.slopes.get(side).copied().unwrap_or(0.0))
    }
}

impl Segment {
    /// Returns the nearer one of two curves for a part: with the slopes of the segment, or straight.
    fn part(&self, times: [f64; 2]) -> Part {
        let ends = times.map(|time| self.at(time));
        let line = (ends[1].value - ends[0].value) / (times[1] - times[0]);
        let [curve, straight] = [ends.map(|end| end.slope), [line; 2]].map(|slopes| {
            let at = |part: u32| {
                let time = times[0] + (times[1] - times[0]) * f64::from(part) / 8.0;
                let shown = hermite(times, ends.map(|end| end.value), slopes, time);
                (self.at(time).value - shown).abs()
            };
            Part { slopes, error: (1..8).map(at).fold(0.0, f64::max) }
        });
        if straight.error < curve.error { straight } else { curve }
    }
}

impl<const N: usize> Keys<N> {
    /// Returns the segments after a key, one per number; `None` after the last key, for keys at the same
    /// time, and if one of them holds.
    fn segments(&self, key: usize) -> Option<[Segment; N]> {
        let next = key.checked_add(1)?;
        let times = [*self.times.get(key)?, *self.times.get(next)?].map(f64::from);
        let [before, after] = &self.slopes;
        let (out, into) = (after.get(key)?, before.get(next)?);
        let (first, second) = (self.weights.get(key)?, self.weights.get(next)?);
        let (from, to) = (self.values.get(key)?, self.values.get(next)?);
        let all_finite = out.iter().chain(into).all(|slope| slope.is_finite());
        if !(times[0] < times[1] && all_finite) {
            return None;
        }
        let number = |row: &[f32; N], part: usize| f64::from(row.get(part).copied().unwrap_or(0.0));
        Some(std::array::from_fn(|part| Segment {
            times,
            values: [number(from, part), number(to, part)],
            slopes: [number(out, part), number(into, part)],
            weights: [number(&first[1], part), number(&second[0], part)],
        }))
    }

    /// Appends a key of these; `into` replaces its slope before it.
    fn copy_key(
        &self,
        key: usize,
        into: Option<[f32; N]>,
        keys: &mut Self,
    ) -> Result<(), ReadError> {
        let row = |column: &[[f32; N]]| column.get(key).copied().unwrap_or([0.0; N]);
        let time = self.times.get(key).copied().unwrap_or(0.0);
        let [before, after] = &self.slopes;
        keys.append(time, row(&self.values), [into.unwrap_or_else(|| row(before)), row(after)])
    }

    fn append(
        &mut self,
        time: f32,
        value: [f32; N],
        slopes: [[f32; N]; 2],
    ) -> Result<(), ReadError> {
        grow::try_column(&mut self.times, 1)?;
        grow::try_column(&mut self.values, 1)?;
        self.times.push(time);
        self.values.push(value);
        for (column, slope) in self.slopes.iter_mut().zip(slopes) {
            grow::try_column(column, 1)?;
            column.push(slope);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weighted_segment_is_a_bezier_curve_in_time_and_value() {
        let segment = Segment {
            times: [1.0, 3.0],
            values: [0.0, 1.0],
            slopes: [0.0, 1.0],
            weights: [0.5, 0.25],
        };
        // In the middle of the curve: (0 + 3 * 0.5 + 3 * 0.75 + 1) / 8 of the time, and
        // (0 + 3 * 0 + 3 * 0.5 + 1) / 8 as the value.
        let Point { value, slope } = segment.at(1.0 + 2.0 * 4.75 / 8.0);
        assert!((value - 0.3125).abs() < 1e-9, "{value}");
        // (0.5 - 0 + 1 - 0) * 0.75 of the value for 2 * (0.75 - 0 + 1 - 0.5) * 0.75 of the time.
        assert!((slope - 0.6).abs() < 1e-9, "{slope}");
        assert_eq!(segment.at(3.0).slope, 1.0);
    }
}
