//! Cuts the keys of a track at any times, also between keys.

use core::ops::Range;

use super::apart::uneven_speed;
use super::curve::Curve;
use super::slerp::{Pace, uneven_slerp};
use super::source::Segments;
use super::{BakeError, Baker, Grid};
use crate::model::rows;
use crate::num::u64_from_len;
use crate::{
    Budget, Clock, Code, DEFAULT_BOUND, Finding, FullTurn, Handle, Interpolation, Path, Quat,
    Rules, Shape, StatedError, Tangents, TrackData, ValueKind, counted, num,
};

/// The part of a track that a cut keeps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CutTrack {
    /// The kept keys; their times do not change.
    pub data: TrackData,
    /// The number of keys outside the range.
    pub gone: usize,
    /// The cut segments that were replaced by linear segments, because no segment of their own kind
    /// plays the same as the part.
    pub baked: BakedSegments,
    /// The error of linear segments of integers, which round differently after a cut, and of slerps
    /// at uneven speed.
    pub rounded: StatedError,
}

/// Cut segments that linear segments replace.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BakedSegments {
    /// The number of cut segments.
    pub count: usize,
    /// The number of linear segments that replace them.
    pub lines: usize,
    /// The error of the linear segments.
    pub error: StatedError,
}

impl CutTrack {
    /// Returns the finding about the keys outside the range, with the error of the kept part;
    /// `None` if there are none.
    pub fn finding(&self, code: Code, path: &Path) -> Option<Finding> {
        let error = self.error();
        let message = || format!("{}{}", counted(self.gone, "key"), error.and_text());
        let finding = || Finding::new(code, message()).at(path.clone()).error(error);
        (self.gone > 0).then(|| finding().count(u64_from_len(self.gone)))
    }

    /// Returns the error of the kept part.
    pub const fn error(&self) -> StatedError {
        self.baked.error.max(self.rounded)
    }
}

/// Removes the part of a track before one time and after another; `None` cuts nothing at that end.
///
/// The remaining part plays as before by `rules`: a cut between two keys adds a key there, and
/// curves get the tangents of their part. Two kinds of segments cannot be divided exactly: a Bezier
/// curve of quaternions or of `color32` becomes linear keys within `bound`, and a linear segment of
/// integers may round differently, by 1. The time this takes depends only on the number of kept
/// keys.
///
/// # Errors
///
/// If baking costs more than the budget has.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Interpolation, Interpolations, Limits, Rules, TrackData, Values};
/// use inbetween_core::{DEFAULT_BOUND, cut};
///
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let data = TrackData::curve(vec![0.0, 2.0], vec![0.0_f32, 4.0], linear, None)?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let range = (Some(0.5), Some(1.0));
/// let cut = cut(&data, range, Rules::LINEAR, DEFAULT_BOUND, &mut budget)?;
/// assert_eq!(*cut.data.values(), Values::from(vec![1.0_f32, 2.0]));
/// assert_eq!((cut.data.time(0), cut.gone), (Some(0.5), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(
    data: &TrackData,
    (start, end): (Option<f64>, Option<f64>),
    rules: Rules,
    bound: f64,
    budget: &mut Budget,
) -> Result<CutTrack, BakeError> {
    let rounded = StatedError::default();
    let whole = |data, gone| CutTrack { data, gone, baked: BakedSegments::default(), rounded };
    if data.is_empty() || !data.plays() {
        return Ok(whole(data.clone(), 0));
    }
    let inside = inside(data, start, end);
    let gone = data.len().saturating_sub(inside.len());
    if gone == 0 {
        return Ok(whole(data.clone(), 0));
    }
    if let Shape::Uniform { interval } = data.shape()
        && inside.start == 0
        && inside.end.checked_sub(1).is_some_and(|last| data.time(last) == end)
    {
        let kept: Vec<usize> = inside.collect();
        return Ok(whole(TrackData::uniform(*interval, data.values().gather(&kept)), gone));
    }
    // Two more keys, so that a single key before others is not mistaken for the last one.
    let near = inside.start.saturating_sub(1)..(inside.end + 2).min(data.len());
    let inside = inside.start.saturating_sub(near.start)..inside.end.saturating_sub(near.start);
    let ends = Window { inside, start, end, rules };
    let cut = ends.cut(Curve::of_range(data, near), bound, budget)?;
    Ok(CutTrack { gone, ..cut })
}

/// Cuts the part of a track before time 0: see [`cut`].
///
/// # Errors
///
/// If baking costs more than the budget has.
pub fn cut_before_zero(
    data: &TrackData,
    rules: Rules,
    budget: &mut Budget,
) -> Result<CutTrack, BakeError> {
    cut(data, (Some(0.0), None), rules, DEFAULT_BOUND, budget)
}

/// Returns the range of keys from one time to another.
fn inside(data: &TrackData, start: Option<f64>, end: Option<f64>) -> Range<usize> {
    let start = start.unwrap_or(f64::NEG_INFINITY);
    let end = end.unwrap_or(f64::INFINITY);
    let low = count_while(data, |time| time < start);
    low..count_while(data, |time| time <= end).max(low)
}

/// Returns the number of keys at the start that fit; keys that do not fit come after those that do.
fn count_while(data: &TrackData, fits: impl Fn(f64) -> bool) -> usize {
    let (mut low, mut high) = (0, data.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if data.time(middle).is_some_and(&fits) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The keys near a cut, and which of them it keeps.
struct Window {
    inside: Range<usize>,
    start: Option<f64>,
    end: Option<f64>,
    rules: Rules,
}

/// The kind of a segment that is cut, found by the key at its start.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Hold,
    Line,
    /// A linear segment of integers.
    Rounded,
    Curve,
    /// A curve whose points are normalized or rounded, so that no curve of its kind plays a part of
    /// it.
    Shaped,
}

impl Window {
    fn cut(
        mut self,
        mut keys: Curve,
        bound: f64,
        budget: &mut Budget,
    ) -> Result<CutTrack, BakeError> {
        let mut baked = BakedSegments::default();
        // From the end, so that the indices of the first cut stay valid.
        let (first, last) = self.cuts(&keys.times);
        for segment in [last, first.filter(|_| first != last)].into_iter().flatten() {
            let next = segment + 1;
            if next >= keys.times.len() || kind(&keys, segment) != Kind::Shaped {
                continue;
            }
            let one = keys.gather(&[segment, next]).into_data()?;
            let lines = Baker::new(Grid::Bound(bound), budget)
                .for_target(self.rules)
                .linear(&one, self.rules)?;
            baked.count += 1;
            // A constant segment is one key, and still one linear segment.
            let count = lines.data.len().saturating_sub(1).max(1);
            baked.lines += count;
            baked.error = baked.error.max(lines.error);
            keys = with_lines(&keys, segment, &lines.data);
        }
        if baked.count > 0 {
            let (start, end) = (self.start, self.end);
            let low = keys.times.partition_point(|time| start.is_some_and(|start| *time < start));
            let high = keys.times.partition_point(|time| end.is_none_or(|end| *time <= end));
            self.inside = low..high.max(low);
        }
        let (data, rounded) = self.keep(&keys)?;
        Ok(CutTrack { data, gone: 0, baked, rounded })
    }

    /// Returns the segments that contain the start and the end of the range.
    fn cuts(&self, times: &[f64]) -> (Option<usize>, Option<usize>) {
        let end = self.end.unwrap_or(f64::INFINITY);
        let on_key = times.get(self.inside.start).copied() == self.start;
        let first = self.inside.start.checked_sub(1).filter(|_| !on_key);
        let before_end = |key: &usize| times.get(*key).is_some_and(|time| *time < end);
        let last = self.inside.end.checked_sub(1).filter(|_| self.inside.end < times.len());
        (first, last.filter(before_end))
    }

    /// Returns the rules to evaluate a segment at a time. On an `f32` clock the time may round to
    /// that of the next key, while the value must come from this segment; this clock avoids that.
    fn rules_at(&self, keys: &Curve, segment: usize, time: f64) -> Rules {
        let next = keys.times.get(segment + 1).copied().unwrap_or(f64::INFINITY);
        let merges = time < next && num::f32_from_f64(time) >= num::f32_from_f64(next);
        if merges { self.rules.with_clock(Clock::F64) } else { self.rules }
    }

    fn keep(&self, keys: &Curve) -> Result<(TrackData, StatedError), BakeError> {
        let (first, last) = self.cuts(&keys.times);
        // A segment that holds needs no key at its end.
        let last = last.filter(|&segment| kind(keys, segment) != Kind::Hold);
        let mut indices: Vec<usize> =
            first.into_iter().chain(self.inside.clone()).chain(last).collect();
        // Before its first key, a track shows the first key.
        if indices.is_empty() {
            indices.push(self.inside.start);
        }
        let whole = keys.gather(&(0..keys.times.len()).collect::<Vec<usize>>()).into_data()?;
        let mut cut = keys.gather(&indices);
        let end = indices.len() - 1;
        let mut rounded = StatedError::default();
        let moved = [(first, 0, self.start), (last, end, self.end)];
        for (segment, place, time) in moved {
            let (Some(segment), Some(time)) = (segment, time) else { continue };
            if let Some(value) = self.rules_at(keys, segment, time).sample(&whole, time) {
                cut.values.set(place, value);
            }
            if let Some(moved) = cut.times.get_mut(place) {
                *moved = time;
            }
            if !is_exact(keys, segment, time) {
                rounded = StatedError::of_value(1.0);
            }
            if self.rules.full_turn == FullTurn::BeginsAtZero && kind(keys, segment) == Kind::Line {
                let off = avoid_full_turn(keys, segment, (&mut cut, place));
                rounded.value = rounded.value.max(off);
            }
        }
        let pace = Pace::of(self.rules.slerp, keys.values.kind().is_wide());
        for (segment, place) in [(first, 0), (last, end.saturating_sub(1))] {
            let Some(segment) = segment.filter(|&segment| kind(keys, segment) == Kind::Line) else {
                continue;
            };
            let off = unevenness(keys, segment, pace) + unevenness(&cut, place, pace);
            rounded.value = rounded.value.max(off);
        }
        let start = self.start.unwrap_or(f64::NEG_INFINITY);
        let stop = self.end.unwrap_or(f64::INFINITY);
        cut.times.iter_mut().for_each(|time| *time = time.max(start).min(stop));
        let segments = Segments::new(&whole, self.rules);
        if let Some(segment) = first.filter(|_| end > 0)
            && let Some(part) = part(keys, &segments, segment, &cut.times, 0)
        {
            reshape(&mut cut, 0, &part);
        }
        let final_key = end.saturating_sub(1);
        if let Some(segment) = last.filter(|_| first.is_none() || end > 1)
            && let Some(part) = part(keys, &segments, segment, &cut.times, final_key)
        {
            reshape(&mut cut, final_key, &part);
        }
        if indices.last().copied() != keys.times.len().checked_sub(1) {
            cut.hide_last_handle();
        }
        Ok((cut.into_data()?, rounded))
    }
}

/// Returns the kind of the segment that begins at a key.
fn kind(keys: &Curve, key: usize) -> Kind {
    let kind = keys.values.kind();
    let interpolation = keys.interpolation.get(key);
    let shaped = kind.is_quaternion() || kind == ValueKind::Color32;
    match (interpolation, &keys.tangents) {
        (Interpolation::Hold, _) => Kind::Hold,
        _ if keys.stepped || !kind.interpolates() => Kind::Hold,
        (Interpolation::Hermite, Some(Tangents::Values { .. })) if rows::is_float_vector(kind) => {
            Kind::Curve
        }
        (Interpolation::Bezier, Some(Tangents::Values { .. })) if shaped => Kind::Shaped,
        (Interpolation::Bezier, Some(Tangents::Values { .. })) if kind.is_float() => Kind::Curve,
        (Interpolation::Bezier, Some(Tangents::Handles { .. })) => Kind::Curve,
        _ if kind.is_float() => Kind::Line,
        _ => Kind::Rounded,
    }
}

/// Returns whether a linear segment keeps its values when a key is added to it. All but those of
/// integers do.
fn is_exact(keys: &Curve, segment: usize, time: f64) -> bool {
    let next = segment + 1;
    let ends = keys.times.get(segment).zip(keys.times.get(next));
    let Some((start, end)) = ends.filter(|_| kind(keys, segment) == Kind::Rounded) else {
        return true;
    };
    let t = (time - start) / (end - start);
    let numbers = |key| rows::row::<16>(&keys.values, key);
    let numbers = numbers(segment).into_iter().zip(numbers(next));
    numbers.map(|(from, to)| from + (to - from) * t).all(|number| number.fract() == 0.0)
}

/// Returns the angle in radians between the slerp that begins at a key and one at even speed, which
/// a part of it on the same arc would be; 0 if the difference is rounding.
fn unevenness(keys: &Curve, key: usize, pace: Pace) -> f64 {
    let next = key + 1;
    if !keys.values.kind().is_quaternion() || next >= keys.times.len() {
        return 0.0;
    }
    let rotation = |key| Quat::from_array(rows::row::<4>(&keys.values, key));
    let (from, to) = (rotation(key), rotation(next));
    let off = uneven_slerp(from, to, pace) + uneven_speed(from, to);
    let rounding =
        if keys.values.kind().is_wide() { f64::EPSILON } else { f64::from(f32::EPSILON) };
    if off <= 2.0 * rounding { 0.0 } else { off }
}

/// Changes the angle of a cut from a full turn to the next smaller number if the full turn would
/// change a linear segment: one that begins there would begin at 0, and one that leads there from 0
/// would hold. Returns the change if it is more than rounding.
fn avoid_full_turn(keys: &Curve, segment: usize, (cut, place): (&mut Curve, usize)) -> f64 {
    let wide = keys.values.kind().is_wide();
    let (from, to) = (keys.row(segment), keys.row(segment + 1));
    let mut row = cut.row(place);
    let mut moved = 0.0_f64;
    for ((number, from), to) in row.iter_mut().zip(from).zip(to) {
        let turn = num::f32_from_f64(*number).abs() == core::f32::consts::TAU;
        let plays = keys.interpolation.get(segment) == Interpolation::Linear && from != to;
        if turn && plays {
            let smaller = f64::from(core::f32::consts::TAU.next_down()).copysign(*number);
            moved += if wide { (*number - smaller).abs() } else { 0.0 };
            *number = smaller;
        }
    }
    rows::set_row(&mut cut.values, place, &row);
    moved
}

/// Returns keys with linear segments in place of the segment after a key, with the same start and
/// end.
fn with_lines(keys: &Curve, segment: usize, lines: &TrackData) -> Curve {
    let between = 1..lines.len().saturating_sub(1);
    let copies = core::iter::repeat_n(segment, between.len());
    let next = segment + 1;
    let indices: Vec<usize> = (0..next).chain(copies).chain(next..keys.times.len()).collect();
    let mut all = keys.gather(&indices);
    all.set_interpolation(segment, Interpolation::Linear);
    for line in between {
        let key = segment + line;
        let (Some(time), Some(value)) = (lines.time(line), lines.value(line)) else { continue };
        if let Some(place) = all.times.get_mut(key) {
            *place = time;
        }
        // These tangents are never played, but they have to be valid values.
        if let Some(Tangents::Values { left, right }) = &mut all.tangents {
            left.set(key, value.clone());
            right.set(key, value.clone());
        }
        all.values.set(key, value);
        all.set_interpolation(key, Interpolation::Linear);
    }
    all
}

/// A part of a curve: its control points per component, and the times of its ends.
struct Part {
    points: Vec<[f64; 4]>,
    interpolation: Interpolation,
    times: Range<f64>,
}

/// Returns the part of a segment between two of the kept times; `None` if it is not a curve.
fn part(
    keys: &Curve,
    segments: &Segments<'_>,
    segment: usize,
    times: &[f64],
    place: usize,
) -> Option<Part> {
    if kind(keys, segment) != Kind::Curve {
        return None;
    }
    let ends = |times: &[f64], key: usize| Some((*times.get(key)?, *times.get(key + 1)?));
    let ((from, to), (start, end)) = (ends(&keys.times, segment)?, ends(times, place)?);
    let normalized = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
    let range = normalized(start)..normalized(end);
    let points = match rows::width(keys.values.kind()) {
        1 => points::<1>(segments, segment, &range),
        2 => points::<2>(segments, segment, &range),
        3 => points::<3>(segments, segment, &range),
        4 => points::<4>(segments, segment, &range),
        9 => points::<9>(segments, segment, &range),
        _ => points::<16>(segments, segment, &range),
    };
    Some(Part { points, interpolation: keys.interpolation.get(segment), times: start..end })
}

/// Returns the control points of a part of a segment, per component.
fn points<const N: usize>(
    segments: &Segments<'_>,
    segment: usize,
    range: &Range<f64>,
) -> Vec<[f64; 4]> {
    let curves = segments.rows::<N>(segment).into_iter();
    curves.map(|curve| curve.part(range.clone()).points()).collect()
}

/// Gives the segment after a key the tangents of a part, with handles at thirds of the segment.
fn reshape(keys: &mut Curve, key: usize, part: &Part) {
    let Part { points, interpolation, times } = part;
    let hermite = *interpolation == Interpolation::Hermite;
    let right = points.iter().map(|[a, b, ..]| if hermite { 3.0 * (b - a) } else { *b });
    let left = points.iter().map(|[.., c, d]| if hermite { 3.0 * (d - c) } else { *c });
    let (right, left): (Vec<f64>, Vec<f64>) = (right.collect(), left.collect());
    let next = key + 1;
    let third = (times.end - times.start) / 3.0;
    match &mut keys.tangents {
        Some(Tangents::Values { left: lefts, right: rights }) => {
            rows::set_row(rights, key, &right);
            rows::set_row(lefts, next, &left);
        }
        Some(Tangents::Handles { left: lefts, right: rights }) => {
            let put = |side: &mut [Handle], key: usize, time: f64, values: Vec<f64>| {
                let handles = side.iter_mut().skip(key * values.len());
                for (handle, value) in handles.zip(values) {
                    *handle = Handle { time, value };
                }
            };
            put(rights, key, times.start + third, right);
            put(lefts, next, times.end - third, left);
        }
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpolations, Limits, Value, Values};

    fn cut_early(data: &TrackData) -> (TrackData, usize) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let CutTrack { data, gone, .. } =
            cut_before_zero(data, Rules::LINEAR, &mut budget).unwrap();
        (data, gone)
    }

    fn curve(interpolation: Interpolation, values: [f64; 2], sides: [f64; 2]) -> TrackData {
        let [right, left] = sides;
        let side = |a: f64, b: f64| Values::from(vec![a, b]);
        let tangents = Tangents::Values { left: side(0.0, left), right: side(right, 0.0) };
        let shared = Interpolations::Shared(interpolation);
        TrackData::curve(vec![-1.0, 1.0], values.to_vec(), shared, Some(tangents)).unwrap()
    }

    fn sides(data: &TrackData) -> (Option<f64>, Option<f64>) {
        let Some(Tangents::Values { left, right }) = data.tangents() else { return (None, None) };
        (right.get(0).and_then(|it| it.number()), left.get(1).and_then(|it| it.number()))
    }

    #[test]
    fn half_of_a_curve_with_handles_has_handles() {
        let side = |value| vec![Handle::default(), Handle { time: 1.0, value }];
        let tangents = Tangents::Handles {
            left: side(6.0),
            right: vec![Handle { time: -1.0, value: 4.0 }, Handle::default()],
        };
        let bezier = Interpolations::Shared(Interpolation::Bezier);
        let data = TrackData::curve(vec![-1.0, 1.0], vec![0.0, 8.0], bezier, Some(tangents));
        let (half, _) = cut_early(&data.unwrap());
        let Some(Tangents::Handles { left, right }) = half.tangents() else { panic!("no handles") };
        assert_eq!((right[0].value, left[1].value), (6.0, 7.0));
    }

    #[test]
    fn half_of_a_bezier_curve_follows_de_casteljau() {
        // Midpoints by hand: 0 4 6 8 -> 2 5 7 -> 3.5 6 -> 4.75.
        let (half, _) = cut_early(&curve(Interpolation::Bezier, [0.0, 8.0], [4.0, 6.0]));
        assert_eq!(sides(&half), (Some(6.0), Some(7.0)));
        assert_eq!(half.value(0), Some(Value::Double(4.75)));
    }

    #[test]
    fn a_part_of_a_hermite_curve_scales_its_slopes() {
        // The cubic t³ has the ends 0 and 1 and the slopes 0 and 3; its slope at 1/2 is 3/4.
        let (half, _) = cut_early(&curve(Interpolation::Hermite, [0.0, 1.0], [0.0, 3.0]));
        assert_eq!(sides(&half), (Some(0.375), Some(1.5)));
    }

    #[test]
    fn a_curve_cut_at_zero_plays_as_before_after_zero() {
        for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
            let data = curve(interpolation, [1.0, 5.0], [7.0, 2.0]);
            let (rest, _) = cut_early(&data);
            for step in 0..=16_u8 {
                let time = f64::from(step) / 16.0;
                let sample = |data| Rules::LINEAR.sample(data, time).unwrap().number().unwrap();
                assert!((sample(&data) - sample(&rest)).abs() < 1e-14, "{interpolation:?} {time}");
            }
        }
    }

    #[test]
    fn a_value_held_across_zero_becomes_a_key_at_zero() {
        let data = TrackData::stepped(vec![-2.0, -1.0, 3.0], vec![1_i32, 2, 3]).unwrap();
        let (cut, gone) = cut_early(&data);
        assert_eq!((cut.time(0), cut.time(1), gone), (Some(0.0), Some(3.0), 2));
        assert_eq!(*cut.values(), Values::from(vec![2_i32, 3]));
    }

    #[test]
    fn a_key_at_zero_is_unchanged() {
        let data = TrackData::stepped(vec![-2.0, 0.0], vec![1_i32, 2]).unwrap();
        let (cut, gone) = cut_early(&data);
        assert_eq!((cut.len(), gone), (1, 1));
        assert_eq!(*cut.values(), Values::from(vec![2_i32]));
    }

    #[test]
    fn keys_that_are_all_before_zero_leave_their_last_value() {
        let data = TrackData::stepped(vec![-2.0, -1.0], vec![1_i32, 2]).unwrap();
        let (cut, _) = cut_early(&data);
        assert_eq!((cut.time(0), cut.value(0)), (Some(0.0), Some(Value::Int(2))));
    }

    #[test]
    fn a_linear_segment_of_integers_cut_at_an_integer_is_exact() {
        let line = |to| {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(vec![-1.0, 1.0], vec![0, to], linear, None).unwrap()
        };
        let mut budget = Budget::new(&Limits::default(), 0);
        let rounded = [4_i32, 5].map(|to| {
            cut_before_zero(&line(to), Rules::LINEAR, &mut budget).unwrap().rounded.value
        });
        assert_eq!(rounded, [0.0, 1.0]);
    }
}
