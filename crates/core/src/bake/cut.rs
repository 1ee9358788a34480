//! Cuts the keys of a track at any times, also between keys.

use core::ops::Range;

use super::measure::{Difference, Signal, Times, measure};
use super::rotation::is_unit;
use super::source::Segments;
use super::{BakeError, Baker, Bound, Grid};
use crate::model::rows;
use crate::num::u64_from_len;
use crate::{
    Budget, Clock, Code, Finding, FullTurn, Handle, Interpolation, KeyColumns, Quat, Rules,
    SegmentKind, Shape, Slerp, StatedError, Tangents, TrackData, Value, Values, counted, num,
};

/// The part of a track that a cut keeps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CutTrack {
    /// The kept keys; their times do not change.
    pub data: TrackData,
    /// The number of keys outside the range.
    pub gone: usize,
    /// How the kept part plays.
    pub kept: KeptPart,
    /// Whether a value at a cut is infinite, though those of the keys around it are not: the last
    /// handle, which shows.
    pub overflows: bool,
}

/// How the part that a cut keeps plays, compared to the track.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum KeptPart {
    /// The same.
    Exact,
    /// Differently in a cut segment: one of integers rounds in another way, and curves of
    /// quaternions and slerps at uneven speed have no part of their kind.
    Approximate(Difference),
}

impl CutTrack {
    /// Returns the findings about the keys outside the range, with the error of the kept part; none
    /// if there are no such keys.
    pub fn findings(&self, code: Code) -> Vec<Finding> {
        if self.gone == 0 {
            return Vec::new();
        }
        let error = self.error();
        let message = format!("{}{}", counted(self.gone, "key"), error.and_text());
        let finding = Finding::new(code, message).error(error).count(u64_from_len(self.gone));
        let mut findings = vec![finding];
        if let KeptPart::Approximate(difference) = self.kept {
            findings.extend(difference.findings());
        }
        findings
    }

    /// Returns the error of the kept part.
    pub const fn error(&self) -> StatedError {
        match self.kept {
            KeptPart::Exact => StatedError::of_value(0.0),
            KeptPart::Approximate(difference) => difference.error(),
        }
    }
}

/// Removes the part of a track before one time and after another; `None` cuts nothing at that end.
///
/// The remaining part plays as before by `rules`: a cut between two keys adds a key there, and
/// curves get the tangents of their part. Three kinds of segments cannot be divided exactly, so the
/// difference is measured: a curve of quaternions gets unit keys within the bound, a slerp between
/// quaternions of other lengths gets another speed, and integers between two keys may differ by 1.
/// The time this takes depends only on the number of kept keys.
///
/// # Errors
///
/// If new keys cost more than the budget has.
///
/// # Examples
///
/// ```
/// use inbetween_core::{
///     Bound, Budget, Curves, Interpolation, Interpolations, Limits, Rules, TrackData, Values, cut,
/// };
///
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let data = TrackData::curve(vec![0.0, 2.0], vec![0.0_f32, 4.0], linear, None)?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let range = (Some(0.5), Some(1.0));
/// let cut = cut(&data, range, Rules::LINEAR, Bound::new(Curves::Cubic), &mut budget)?;
/// assert_eq!(*cut.data.values(), Values::from(vec![1.0_f32, 2.0]));
/// assert_eq!((cut.data.time(0), cut.gone), (Some(0.5), 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut(
    data: &TrackData,
    (start, end): (Option<f64>, Option<f64>),
    rules: Rules,
    bound: Bound,
    budget: &mut Budget,
) -> Result<CutTrack, BakeError> {
    let whole = |data, gone| CutTrack { data, gone, kept: KeptPart::Exact, overflows: false };
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
    let cut = ends.cut(KeyColumns::of_range(data, near), bound, budget)?;
    Ok(CutTrack { gone, ..cut })
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
    /// A slerp between quaternions that are not normalized.
    Uneven,
    Curve,
    /// A curve of quaternions, whose points are normalized, so that no curve of its kind plays a
    /// part of it.
    Turned,
}

impl Window {
    fn cut(
        mut self,
        mut keys: KeyColumns,
        bound: Bound,
        budget: &mut Budget,
    ) -> Result<CutTrack, BakeError> {
        let (first, last) = self.cuts(&keys.times);
        let segments = [last, first.filter(|_| first != last)].into_iter().flatten();
        let kinds: Vec<(usize, Kind)> =
            segments.map(|segment| (segment, kind(&keys, segment))).collect();
        let changes = |kind: &Kind| matches!(kind, Kind::Rounded | Kind::Uneven | Kind::Turned);
        let source = kinds.iter().any(|(_, kind)| changes(kind));
        let source = source.then(|| keys.clone().into_data()).transpose()?;
        // From the end, so that the indices of the first cut stay valid.
        for (segment, _) in kinds.into_iter().filter(|(_, kind)| *kind == Kind::Turned) {
            keys = self.divided(&keys, segment, bound, budget)?;
        }
        let start = self.start.unwrap_or(f64::NEG_INFINITY);
        let stop = self.end.unwrap_or(f64::INFINITY);
        let low = keys.times.partition_point(|time| *time < start);
        self.inside = low..keys.times.partition_point(|time| *time <= stop).max(low);
        let data = self.keep(&keys)?;
        let kept = source.map_or(KeptPart::Exact, |source| {
            let difference = self.difference(&source, &data, start..stop);
            if difference.is_none() { KeptPart::Exact } else { KeptPart::Approximate(difference) }
        });
        let infinite = |values: &Values| rows::not_finite(values).count();
        let overflows = infinite(data.values()) > infinite(&keys.values);
        Ok(CutTrack { data, gone: 0, kept, overflows })
    }

    /// Measures the kept part.
    fn difference(&self, source: &TrackData, kept: &TrackData, within: Range<f64>) -> Difference {
        let [source, kept] = [source, kept].map(|data| Segments::new(data, self.rules));
        if source.is_quaternion() {
            return measure(&source.turns(), &kept.turns(), within, (Times::Exact, 0.0));
        }
        measure(&source.signal::<16>(), &kept.signal::<16>(), within, (Times::Exact, 0.0))
    }

    /// Returns keys with the curve of quaternions after a key divided where the range begins and
    /// ends.
    fn divided(
        &self,
        keys: &KeyColumns,
        segment: usize,
        bound: Bound,
        budget: &mut Budget,
    ) -> Result<KeyColumns, BakeError> {
        let one = keys.gather(&[segment, segment + 1]).into_data()?;
        let (from, to) = (one.time(0).unwrap_or(0.0), one.time(1).unwrap_or(0.0));
        let start = self.start.unwrap_or(from).max(from);
        let end = self.end.unwrap_or(to).min(to);
        let part = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
        let turn = Segments::new(&one, self.rules).turn(0).part(&(part(start)..part(end)));
        let signal = Signal {
            times: vec![start, end],
            early: turn,
            piece: Box::new(move |key| if key == 0 { turn } else { turn.end() }),
        };
        let made = Baker::new(Grid::Bound(bound)).for_target(self.rules).unit_quaternions(
            &signal,
            one.kind(),
            budget,
        )?;
        let end_of_source = Quat::from_array(rows::row(one.values(), 1));
        let made = if end == to { scaled(made.data, end_of_source)? } else { made.data };
        Ok(with_keys(keys, segment, &made))
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
    fn rules_at(&self, keys: &KeyColumns, segment: usize, time: f64) -> Rules {
        let next = keys.times.get(segment + 1).copied().unwrap_or(f64::INFINITY);
        let merges = time < next && num::f32_from_f64(time) >= num::f32_from_f64(next);
        let rules = if merges { self.rules.with_clock(Clock::F64) } else { self.rules };
        match kind(keys, segment) {
            // The key belongs on the arc, also where a raw slerp leaps to its end.
            Kind::Line => rules.with_slerp(Slerp::Directions),
            _ => rules,
        }
    }

    fn keep(&self, keys: &KeyColumns) -> Result<TrackData, BakeError> {
        let (first, last) = self.cuts(&keys.times);
        // A segment that holds needs no key at its end.
        let last = last.filter(|&segment| kind(keys, segment) != Kind::Hold);
        let mut indices: Vec<usize> =
            first.into_iter().chain(self.inside.clone()).chain(last).collect();
        // Before its first key, a track shows the first key.
        if indices.is_empty() {
            indices.push(self.inside.start);
        }
        let whole = keys.clone().into_data()?;
        let mut cut = keys.gather(&indices);
        let end = indices.len() - 1;
        if self.inside.is_empty()
            && first.is_none()
            && let Some(value) = self.rules.sample(&whole, f64::NEG_INFINITY)
        {
            // The first key may show another value than its own.
            cut.values.set(0, value);
        }
        let moved = [(first, 0, self.start), (last, end, self.end)];
        for (segment, place, time) in moved {
            let (Some(segment), Some(time)) = (segment, time) else { continue };
            if let Some(value) = self.rules_at(keys, segment, time).sample(&whole, time) {
                cut.values.set(place, value);
            }
            if let Some(moved) = cut.times.get_mut(place) {
                *moved = time;
            }
            if self.rules.full_turn == FullTurn::BeginsAtZero && kind(keys, segment) == Kind::Line {
                avoid_full_turn(keys, segment, (&mut cut, place));
            }
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
        Ok(cut.into_data()?)
    }
}

/// Returns the kind of the segment that begins at a key.
fn kind(keys: &KeyColumns, key: usize) -> Kind {
    let kind = keys.values.kind();
    if key + 1 >= keys.times.len() {
        return Kind::Hold;
    }
    match keys.segment(key) {
        SegmentKind::Hold => Kind::Hold,
        SegmentKind::Hermite | SegmentKind::Bezier | SegmentKind::Handles => Kind::Curve,
        SegmentKind::Shaped if kind.is_quaternion() => Kind::Turned,
        SegmentKind::Shaped | SegmentKind::Rounded => Kind::Rounded,
        SegmentKind::Linear if kind.is_quaternion() => {
            let rotation = |key| Quat::from_array(rows::row::<4>(&keys.values, key));
            let unit = [key, key + 1].map(rotation).into_iter().all(is_unit);
            if unit { Kind::Line } else { Kind::Uneven }
        }
        SegmentKind::Linear => Kind::Line,
    }
}

/// Changes the angle of a cut from a full turn to the next smaller number if the full turn would
/// change a linear segment: one that begins there would begin at 0, and one that leads there from 0
/// would hold.
fn avoid_full_turn(keys: &KeyColumns, segment: usize, (cut, place): (&mut KeyColumns, usize)) {
    let (from, to) = (keys.row(segment), keys.row(segment + 1));
    let mut row = cut.row(place);
    for ((number, from), to) in row.iter_mut().zip(from).zip(to) {
        let turn = num::f32_from_f64(*number).abs() == core::f32::consts::TAU;
        let plays = keys.interpolation.get(segment) == Interpolation::Linear && from != to;
        if turn && plays {
            *number = f64::from(core::f32::consts::TAU.next_down()).copysign(*number);
        }
    }
    rows::set_row(&mut cut.values, place, &row);
}

/// Multiplies quaternions, which then play the same, so that the last unit quaternion becomes that
/// of the source: of either sign, and of any length.
fn scaled(data: TrackData, to: Quat<f64>) -> Result<TrackData, BakeError> {
    let last = rows::row(data.values(), data.len().saturating_sub(1));
    let length = Quat::from_array(last).dot(to);
    let factor = if is_unit(to) { length.signum() } else { length };
    if factor == 1.0 || factor == 0.0 || !factor.is_finite() {
        return Ok(data);
    }
    let multiplied = |mut values: Values| {
        rows::each_row(&mut values, |_, row| row.iter_mut().for_each(|part| *part *= factor));
        values
    };
    Ok(data.map_columns(multiplied)?)
}

/// Returns keys with other ones between a key and the next one, up to the time of the next one.
fn with_keys(keys: &KeyColumns, segment: usize, between: &TrackData) -> KeyColumns {
    let next = segment + 1;
    let ends = between.end() == keys.times.get(next).copied();
    let count = between.len().saturating_sub(usize::from(ends));
    let copies = core::iter::repeat_n(segment, count);
    let indices: Vec<usize> = (0..next).chain(copies).chain(next..keys.times.len()).collect();
    let mut all = keys.gather(&indices);
    for index in 0..between.len() {
        let key = next + index;
        let Some((time, value)) = between.time(index).zip(between.value(index)) else { continue };
        if let (
            Some(Tangents::Values { left, right }),
            Some(Tangents::Values { left: lefts, right: rights }),
        ) = (between.tangents(), &mut all.tangents)
        {
            let copy = |side: &Values, into: &mut Values| {
                if let Some(value) = side.get(index) {
                    into.set(key, value);
                }
            };
            copy(left, lefts);
            if index < count {
                copy(right, rights);
            }
        }
        if index < count {
            all.set_interpolation(key, between.interpolation(index));
            all.values.set(key, value);
            if let Some(place) = all.times.get_mut(key) {
                *place = time;
            }
        }
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
    keys: &KeyColumns,
    segments: &Segments<'_>,
    segment: usize,
    times: &[f64],
    place: usize,
) -> Option<Part> {
    let is_curve = keys.interpolation.get(segment).needs_tangents();
    if !is_curve || !matches!(kind(keys, segment), Kind::Curve | Kind::Rounded) {
        return None;
    }
    let ends = |times: &[f64], key: usize| Some((*times.get(key)?, *times.get(key + 1)?));
    let ((from, to), (start, end)) = (ends(&keys.times, segment)?, ends(times, place)?);
    let normalized = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
    let range = normalized(start)..normalized(end);
    let curves = segments.rows::<16>(segment).into_iter().take(rows::width(keys.values.kind()));
    let points = curves.map(|curve| curve.part(range.clone()).points()).collect();
    Some(Part { points, interpolation: keys.interpolation.get(segment), times: start..end })
}

/// Gives the segment after a key the tangents of a part, with handles at thirds of the segment.
fn reshape(keys: &mut KeyColumns, key: usize, part: &Part) {
    let Part { points, interpolation, times } = part;
    let hermite = *interpolation == Interpolation::Hermite;
    let right = points.iter().map(|[a, b, ..]| if hermite { 3.0 * (b - a) } else { *b });
    let left = points.iter().map(|[.., c, d]| if hermite { 3.0 * (d - c) } else { *c });
    let (right, left): (Vec<f64>, Vec<f64>) = (right.collect(), left.collect());
    let next = key + 1;
    let third = (times.end - times.start) / 3.0;
    match &mut keys.tangents {
        Some(Tangents::Values { left: lefts, right: rights }) => {
            let kind = keys.values.kind();
            let rounded = |row: Vec<f64>| rows::column(kind, core::iter::once(row)).get(0);
            let set = |side: &mut Values, key: usize, value: Option<Value>| {
                if let Some(value) = value {
                    side.set(key, value);
                }
            };
            set(rights, key, rounded(right));
            set(lefts, next, rounded(left));
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
    use crate::{Curves, Interpolations, Limits, Value, Values};

    fn cut_early(data: &TrackData) -> (TrackData, usize) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let CutTrack { data, gone, .. } =
            cut(data, (Some(0.0), None), Rules::LINEAR, Bound::new(Curves::Cubic), &mut budget)
                .unwrap();
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
            cut(&line(to), (Some(0.0), None), Rules::LINEAR, Bound::new(Curves::Cubic), &mut budget)
                .unwrap()
                .error()
                .value
        });
        // A difference of 1, raised by a tenth.
        assert_eq!(rounded, [0.0, 1.1]);
    }
}
