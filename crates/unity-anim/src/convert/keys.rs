//! Converts the keys of a curve to keys of the common model.

use inbetween_core::{
    Interpolation, Interpolations, KeysError, Quat, Tangents, TrackData, Values, num,
};

use crate::read::curve::Keys;

/// What plays between two keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Segment {
    Hold,
    Line,
    Curve,
}

/// How numbers and times become those of the common model: a factor, and the time that becomes 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub(super) factor: f64,
    pub(super) start: f64,
}

/// Returns the keys of one component.
pub(super) fn component<const N: usize>(keys: &Keys<N>, part: usize) -> Keys<1> {
    let one = |rows: &Vec<[f32; N]>| -> Vec<[f32; 1]> {
        rows.iter().map(|row| [row.get(part).copied().unwrap_or(0.0)]).collect()
    };
    let weight = |row: &[[f32; N]; 2]| row.map(|side| [side.get(part).copied().unwrap_or(0.0)]);
    Keys {
        times: keys.times.clone(),
        values: one(&keys.values),
        slopes: keys.slopes.each_ref().map(one),
        weights: keys.weights.iter().map(weight).collect(),
    }
}

impl<const N: usize> Keys<N> {
    /// Sorts the keys by time; returns whether they were not sorted.
    pub(super) fn sort(&mut self) -> bool {
        if self.times.is_sorted() {
            return false;
        }
        let mut order: Vec<usize> = (0..self.times.len()).collect();
        order.sort_by(|a, b| {
            let time = |key: &usize| self.times.get(*key).copied().unwrap_or(0.0);
            time(a).total_cmp(&time(b))
        });
        gather(&mut self.times, &order);
        gather(&mut self.values, &order);
        self.slopes.iter_mut().for_each(|slopes| gather(slopes, &order));
        if !self.weights.is_empty() {
            gather(&mut self.weights, &order);
        }
        true
    }

    /// Returns whether some numbers hold in a segment in which others move.
    pub(super) fn is_mixed(&self) -> bool {
        (1..self.times.len()).any(|next| {
            let holds = self.holds(next);
            holds.contains(&Some(true)) && holds.contains(&Some(false))
        })
    }

    /// Lets all numbers hold in segments in which some do.
    pub(super) fn hold_mixed(&mut self) {
        for next in 1..self.times.len() {
            let holds = self.holds(next);
            if holds.contains(&Some(true)) && holds.contains(&Some(false)) {
                let key = next.saturating_sub(1);
                if let Some(slopes) = self.slopes[1].get_mut(key) {
                    *slopes = [f32::INFINITY; N];
                }
            }
        }
    }

    /// Returns for each number whether it holds in the segment before a key; `None` if it is constant.
    fn holds(&self, next: usize) -> [Option<bool>; N] {
        let key = next.saturating_sub(1);
        let row = |column: &Vec<[f32; N]>, key: usize| column.get(key).copied().unwrap_or([0.0; N]);
        let [before, after] = &self.slopes;
        let (out, into) = (row(after, key), row(before, next));
        let (from, to) = (row(&self.values, key), row(&self.values, next));
        std::array::from_fn(|part| {
            let of = |row: &[f32; N]| row.get(part).copied().unwrap_or(0.0);
            let [out, into, from, to] = [of(&out), of(&into), of(&from), of(&to)];
            let holds = out.is_infinite() || into.is_infinite();
            let is_flat = from == to && (holds || (out == 0.0 && into == 0.0));
            (!is_flat).then_some(holds)
        })
    }

    /// Returns whether a slope is negative infinity.
    pub(super) fn falls_at_once(&self) -> bool {
        let mut slopes = self.slopes.iter().flatten().flatten();
        slopes.any(|slope| *slope == f32::NEG_INFINITY)
    }

    /// Returns whether two rotations in a row have a negative product: Unity does not take the shorter
    /// way.
    pub(super) fn flips(&self) -> bool {
        self.values.windows(2).any(|pair| {
            let [from, to] = pair else { return false };
            from.iter().zip(to).map(|(from, to)| f64::from(*from) * f64::from(*to)).sum::<f64>()
                < 0.0
        })
    }

    /// Returns the slope of the line to the next key if the segment is one.
    fn segment(&self, next: usize) -> Segment {
        let holds = self.holds(next);
        if holds.contains(&Some(true)) {
            return Segment::Hold;
        }
        let key = next.saturating_sub(1);
        let row = |column: &Vec<[f32; N]>, key: usize| column.get(key).copied().unwrap_or([0.0; N]);
        let time = |key: usize| f64::from(self.times.get(key).copied().unwrap_or(0.0));
        let seconds = time(next) - time(key);
        let [before, after] = &self.slopes;
        let (out, into) = (row(after, key), row(before, next));
        let (from, to) = (row(&self.values, key), row(&self.values, next));
        let is_line = (0..N).all(|part| {
            let of = |row: &[f32; N]| f64::from(row.get(part).copied().unwrap_or(0.0));
            let change = of(&to) - of(&from);
            let near = 4.0 * num::ulp_f32(of(&from).abs().max(of(&to).abs())) + 1e-6 * change.abs();
            [of(&out), of(&into)]
                .iter()
                .all(|slope| slope.is_infinite() || (slope * seconds - change).abs() <= near)
        });
        if is_line { Segment::Line } else { Segment::Curve }
    }

    /// Converts the keys. The common model interpolates rotations by slerp, and Unity each number, so
    /// rotations are curves unless they are constant.
    pub(super) fn into_data(self, unit: Unit) -> Result<TrackData, KeysError> {
        let mut segments: Vec<Segment> =
            (1..self.times.len()).map(|next| self.segment(next)).collect();
        // What plays for no time is like what plays before it, so that it changes no form.
        for key in 0..segments.len() {
            let is_empty = self.times.get(key) == self.times.get(key.saturating_add(1));
            let before = key.checked_sub(1).and_then(|before| segments.get(before).copied());
            if let (true, Some(slot)) = (is_empty, segments.get_mut(key)) {
                *slot = before.unwrap_or(Segment::Line);
            }
        }
        if N == 4 && !self.values.windows(2).all(|pair| pair.first() == pair.get(1)) {
            let lines = segments.iter_mut().filter(|segment| **segment == Segment::Line);
            lines.for_each(|segment| *segment = Segment::Curve);
        }
        let scaled = |value: f32| num::f32_from_f64(f64::from(value) * unit.factor);
        let times: Vec<f64> = self.times.iter().map(|time| f64::from(*time) - unit.start).collect();
        let has = |wanted: Segment| segments.contains(&wanted);
        let tangents = has(Segment::Curve).then(|| self.tangents(&segments, unit));
        let values = self.values.into_iter().map(|row| row.map(scaled)).collect::<Vec<_>>();
        let values = column(&values);
        if has(Segment::Hold) && !has(Segment::Line) && !has(Segment::Curve) {
            return TrackData::stepped(times, values);
        }
        let curve = if N == 4 { Interpolation::Bezier } else { Interpolation::Hermite };
        let each = segments.iter().map(|segment| match segment {
            Segment::Hold => Interpolation::Hold,
            Segment::Line => Interpolation::Linear,
            Segment::Curve => curve,
        });
        let each: Vec<Interpolation> = each.collect();
        let first = each.first().copied().unwrap_or(Interpolation::Linear);
        let interpolation = if each.iter().all(|other| *other == first) {
            Interpolations::Shared(first)
        } else {
            // Nothing plays after the last key.
            Interpolations::PerKey(each.into_iter().chain([Interpolation::Linear]).collect())
        };
        TrackData::curve(times, values, interpolation, tangents)
    }

    /// Returns the tangents of curves: for rotations their control points.
    fn tangents(&self, segments: &[Segment], unit: Unit) -> Tangents {
        let count = self.times.len();
        let is_curve = |segment: usize| segments.get(segment) == Some(&Segment::Curve);
        let time = |key: usize| f64::from(self.times.get(key).copied().unwrap_or(0.0));
        let side = |key: usize, segment: Option<usize>, slopes: &Vec<[f32; N]>, sign: f64| {
            let segment = segment.filter(|segment| is_curve(*segment));
            let seconds = segment.map(|first| time(first.saturating_add(1)) - time(first));
            std::array::from_fn(|part| {
                let of = |rows: &Vec<[f32; N]>| {
                    let row = rows.get(key).and_then(|row| row.get(part));
                    f64::from(row.copied().unwrap_or(0.0))
                };
                let Some(seconds) = seconds else {
                    return if N == 4 { num::f32_from_f64(of(&self.values)) } else { 0.0 };
                };
                let slope = Some(of(slopes)).filter(|slope| slope.is_finite()).unwrap_or(0.0);
                let tangent = slope * seconds * unit.factor;
                num::finite_f32_from_f64(if N == 4 {
                    of(&self.values) + sign * tangent / 3.0
                } else {
                    tangent
                })
            })
        };
        let [before, after] = &self.slopes;
        let left = (0..count).map(|key| side(key, key.checked_sub(1), before, -1.0));
        let right = (0..count).map(|key| side(key, Some(key), after, 1.0));
        let [left, right] = [left.collect::<Vec<_>>(), right.collect::<Vec<_>>()];
        Tangents::Values { left: column::<N>(&left), right: column::<N>(&right) }
    }
}

fn gather<T: Copy>(column: &mut Vec<T>, order: &[usize]) {
    *column = order.iter().filter_map(|key| column.get(*key).copied()).collect();
}

/// Returns a column of numbers, vectors or quaternions.
fn column<const N: usize>(rows: &[[f32; N]]) -> Values {
    let part = |row: &[f32; N], index: usize| row.get(index).copied().unwrap_or(0.0);
    let three = |row: &[f32; N]| [part(row, 0), part(row, 1), part(row, 2)];
    match N {
        1 => rows.iter().map(|row| part(row, 0)).collect::<Vec<f32>>().into(),
        3 => rows.iter().map(three).collect::<Vec<_>>().into(),
        _ => {
            let quat = |row: &[f32; N]| {
                let [x, y, z] = three(row);
                Quat { x, y, z, w: part(row, 3) }
            };
            rows.iter().map(quat).collect::<Vec<_>>().into()
        }
    }
}
