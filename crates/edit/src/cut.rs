//! Cutting the keys of a track at times that need not be those of keys.

use core::ops::Range;

use inbetween_core::{
    Baker, Finding, Grid, Handle, Interpolation, Interpolations, Rules, Shape, StatedError,
    Tangents, TrackData, Value, codes as shared,
};

use crate::keys::{Keys, Way};
use crate::trim::{TimeRange, count};
use crate::work::Work;
use crate::{EditError, codes};
use inbetween_core::rows::{numbers as row, set_row};

/// Returns the keys of a track within a range, on the clock that has its start at 0, and how many
/// keys were cut.
///
/// The work is that of the keys in the range, so that many parts of a track are no more than one.
pub(crate) fn cut(
    data: &TrackData,
    range: TimeRange,
    work: &mut Work<'_>,
) -> Result<(TrackData, usize), EditError> {
    if data.is_empty() || !data.plays() {
        return Ok((data.clone(), 0));
    }
    let inside = inside(data, range);
    let gone = data.len().saturating_sub(inside.len());
    if gone == 0 && range.offset() == 0.0 {
        return Ok((data.clone(), 0));
    }
    if let Some(whole) = uniform(data, range, &inside) {
        return Ok((whole, gone));
    }
    if matches!(data.shape(), Shape::Uniform { .. }) {
        work.say(shared::SHAPE_CHANGED, "keys at an interval got a time each");
    }
    // Two more, so that a key alone in front of others is not taken for the last one.
    let next = inside.end.saturating_add(2).min(data.len());
    let near = part(data, inside.start.saturating_sub(1)..next)?;
    Ok((cut_part(&near, range, work)?, gone))
}

/// Returns which keys are in a range.
fn inside(data: &TrackData, range: TimeRange) -> Range<usize> {
    let start = range.start().unwrap_or(f64::NEG_INFINITY);
    let end = range.end().unwrap_or(f64::INFINITY);
    let low = count_while(data, |time| time < start);
    low..count_while(data, |time| time <= end).max(low)
}

/// Returns how many keys from the first on fit; those that do not come after those that do.
fn count_while(data: &TrackData, fits: impl Fn(f64) -> bool) -> usize {
    let (mut low, mut high) = (0, data.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if data.time(middle).is_some_and(&fits) {
            low = middle.saturating_add(1);
        } else {
            high = middle;
        }
    }
    low
}

/// Returns uniform keys that stay uniform: where the range begins at a key and ends at one or
/// after the last one.
fn uniform(data: &TrackData, range: TimeRange, inside: &Range<usize>) -> Option<TrackData> {
    let Shape::Uniform { interval } = data.shape() else { return None };
    let from_key = range.start().is_none_or(|start| data.time(inside.start) == Some(start));
    let last = inside.end.checked_sub(1)?;
    let to_key = inside.end == data.len() || data.time(last) == range.end();
    let kept: Vec<usize> = inside.clone().collect();
    (from_key && to_key && !kept.is_empty())
        .then(|| TrackData::uniform(*interval, data.values().gather(&kept)))
}

/// Returns some of the keys of a track, each with a time.
fn part(data: &TrackData, range: Range<usize>) -> Result<TrackData, EditError> {
    let times: Vec<f64> = range.clone().filter_map(|key| data.time(key)).collect();
    let indices: Vec<usize> = range.clone().collect();
    let values = data.values().gather(&indices);
    let (interpolation, tangents) = match data.shape() {
        Shape::Curve { interpolation, tangents, .. } => (interpolation, tangents),
        Shape::Stepped { .. } => return Ok(TrackData::stepped(times, values)?),
        _ => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            return Ok(TrackData::curve(times, values, linear, None)?);
        }
    };
    let tangents = tangents.as_ref().map(|tangents| match tangents {
        Tangents::Handles { left, right } => {
            let width = left.len().checked_div(data.len()).unwrap_or(0);
            let (start, end) = (range.start.saturating_mul(width), range.end.saturating_mul(width));
            let side = |handles: &[Handle]| handles.get(start..end).unwrap_or_default().to_vec();
            Tangents::Handles { left: side(left), right: side(right) }
        }
        other => other.gather(&indices, data.len()),
    });
    Ok(TrackData::curve(times, values, interpolation.gather(&indices), tangents)?)
}

/// Cuts keys of which those outside are near the range.
fn cut_part(
    data: &TrackData,
    range: TimeRange,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    let keys = Keys::of(data.clone());
    let window = Window::of(inside(data, range), &keys.times, range);
    if let Some(straight) = straightened(data, &keys, &window, work)? {
        return cut_part(&straight, range, work);
    }
    let cut = window.apply(data, &keys, range, work.rules)?;
    if window.cuts().any(|segment| keys.way(segment) == Way::Rounded) {
        report_rounding(work);
    }
    Ok(cut)
}

/// Returns the keys with straight lines for the cut segments that have no curve of their kind for
/// a part; `None` where there is none of them. The keys that were there stay as they are.
fn straightened(
    data: &TrackData,
    keys: &Keys,
    window: &Window,
    work: &mut Work<'_>,
) -> Result<Option<TrackData>, EditError> {
    // Behind the last key there is no segment.
    let is_shaped = |segment: &usize| {
        segment.saturating_add(1) < keys.times.len() && keys.way(*segment) == Way::Shaped
    };
    let mut shaped: Vec<usize> = window.cuts().filter(is_shaped).collect();
    shaped.dedup();
    if shaped.is_empty() {
        return Ok(None);
    }
    let (bound, rules) = (work.settings.bound, work.rules);
    let (mut straight, mut made) = (keys.clone(), 0_usize);
    let mut error = StatedError::default();
    // From the end on, so that the numbers of the others stay what they are.
    for &segment in shaped.iter().rev() {
        let one = part(data, segment..segment.saturating_add(2))?;
        let baked = Baker::new(Grid::Bound(bound), &mut work.budget.lock()).linear(&one, rules);
        let baked = work.baking(baked)?;
        // What does not move is one key, and still a line to the next.
        made = made.saturating_add(baked.data.len().saturating_sub(1).max(1));
        error = error.max(baked.error);
        straight = with_lines(&straight, segment, &baked.data);
    }
    let (curves, lines) = (count(shaped.len(), "cut segment"), count(made, "line"));
    let message = format!("{curves} became {lines}, {error}");
    work.findings.push(Finding::new(codes::SEGMENT_BAKED, message).at(work.path()).error(error));
    Ok(Some(straight.into_data()?))
}

/// Returns keys with the lines of other ones for the segment behind a key, which begin and end
/// where it does.
fn with_lines(keys: &Keys, segment: usize, lines: &TrackData) -> Keys {
    let between = 1..lines.len().saturating_sub(1);
    let copies = core::iter::repeat_n(segment, between.len());
    let next = segment.saturating_add(1);
    let indices: Vec<usize> = (0..next).chain(copies).chain(next..keys.times.len()).collect();
    let mut all = keys.gather(&indices);
    all.set_interpolation(segment, Interpolation::Linear);
    for line in between {
        let key = segment.saturating_add(line);
        put(&mut all, key, lines.time(line), lines.value(line));
        all.set_interpolation(key, Interpolation::Linear);
        // Nothing plays these, but they are to be values of the kind that mean no curve.
        if let (Some(Tangents::Values { left, right }), Some(value)) =
            (&mut all.tangents, lines.value(line))
        {
            left.set(key, value.clone());
            right.set(key, value);
        }
    }
    all
}

/// Which keys of a track a range keeps, and which segments it cuts.
#[derive(Debug)]
struct Window {
    /// The keys inside.
    keep: Range<usize>,
    /// The segment that the range begins in, by the key before it.
    first: Option<usize>,
    /// The segment that the range ends in.
    last: Option<usize>,
}

impl Window {
    fn of(keep: Range<usize>, times: &[f64], range: TimeRange) -> Self {
        let end = range.end().unwrap_or(f64::INFINITY);
        let on_key = times.get(keep.start).copied() == range.start();
        let first = keep.start.checked_sub(1).filter(|_| !on_key);
        let before_end = |key: &usize| times.get(*key).is_some_and(|time| *time < end);
        let last = keep.end.checked_sub(1).filter(|_| keep.end < times.len()).filter(before_end);
        Self { keep, first, last }
    }

    /// Returns the segments that are cut.
    fn cuts(&self) -> impl Iterator<Item = usize> + use<> {
        self.first.into_iter().chain(self.last)
    }

    fn apply(
        &self,
        data: &TrackData,
        keys: &Keys,
        range: TimeRange,
        rules: Rules,
    ) -> Result<TrackData, EditError> {
        // What holds needs no key at its end; it holds there anyway.
        let last = self.last.filter(|&segment| keys.way(segment) != Way::Hold);
        let mut indices: Vec<usize> =
            self.first.into_iter().chain(self.keep.clone()).chain(last).collect();
        // Before its first key a track shows the first key.
        if indices.is_empty() {
            indices.push(self.keep.start);
        }
        let mut cut = keys.gather(&indices);
        let sample = |time: Option<f64>| time.and_then(|time| rules.sample(data, time));
        if self.first.is_some() {
            put(&mut cut, 0, range.start(), sample(range.start()));
        }
        let end = indices.len().saturating_sub(1);
        if last.is_some() {
            put(&mut cut, end, range.end(), sample(range.end()));
        }
        self.split(keys, &mut cut, last);
        let (offset, start) = (range.offset(), range.start().unwrap_or(f64::NEG_INFINITY));
        cut.times.iter_mut().for_each(|time| *time = time.max(start));
        if let Some(stop) = range.end() {
            cut.times.iter_mut().for_each(|time| *time = time.min(stop));
        }
        if indices.last().copied() != keys.times.len().checked_sub(1) {
            cut.settle_last();
        }
        cut.change_times(|time| time - offset);
        Ok(cut.into_data()?)
    }

    /// Gives the cut segments the tangents of their parts; `cut` has the times before the shift.
    fn split(&self, keys: &Keys, cut: &mut Keys, last: Option<usize>) {
        let end = cut.times.len().saturating_sub(1);
        let cuts = [
            self.first.filter(|_| end > 0).map(|segment| (segment, 0)),
            last.filter(|_| self.first.is_none() || end > 1)
                .map(|segment| (segment, end.saturating_sub(1))),
        ];
        for (segment, place) in cuts.into_iter().flatten() {
            let next = place.saturating_add(1);
            let time = |keys: &Keys, key: usize| keys.times.get(key).copied().unwrap_or_default();
            let (from, to) = (time(keys, segment), time(keys, segment.saturating_add(1)));
            let part = |time: f64| ((time - from) / (to - from)).clamp(0.0, 1.0);
            let parts = (part(time(cut, place)), part(time(cut, next)));
            match keys.way(segment) {
                Way::Hermite | Way::Bezier => split_values(keys, cut, segment, place, parts),
                Way::Handles => split_handles(keys, cut, segment, place, parts),
                _ => {}
            }
        }
    }
}

/// Moves a key to a time, with the value that the track has there.
fn put(keys: &mut Keys, key: usize, time: Option<f64>, value: Option<Value>) {
    if let (Some(place), Some(time), Some(value)) = (keys.times.get_mut(key), time, value) {
        *place = time;
        keys.values.set(key, value);
    }
}

/// Sets the value tangents of the segment behind `place` to those of a part of a segment.
fn split_values(keys: &Keys, cut: &mut Keys, segment: usize, place: usize, parts: (f64, f64)) {
    let next = segment.saturating_add(1);
    let Some(Tangents::Values { left, right }) = &keys.tangents else { return };
    let rows =
        [row(&keys.values, segment), row(right, segment), row(left, next), row(&keys.values, next)];
    let [Some(from), Some(pull), Some(push), Some(to)] = rows else { return };
    let curves = from.iter().zip(&pull).zip(&push).zip(&to);
    let curves = curves.map(|(((a, b), c), d)| [*a, *b, *c, *d]);
    let split = if keys.way(segment) == Way::Hermite { hermite_part } else { bezier_part };
    let (pulls, pushes): (Vec<f64>, Vec<f64>) = curves.map(|curve| split(curve, parts)).unzip();
    if let Some(Tangents::Values { left, right }) = &mut cut.tangents {
        set_row(right, place, &pulls);
        set_row(left, place.saturating_add(1), &pushes);
    }
}

/// As [`split_values`] for handles, whose times come to a third of the way.
fn split_handles(keys: &Keys, cut: &mut Keys, segment: usize, place: usize, parts: (f64, f64)) {
    let next = segment.saturating_add(1);
    let Some(Tangents::Handles { left, right }) = &keys.tangents else { return };
    let (Some(from), Some(to)) = (row(&keys.values, segment), row(&keys.values, next)) else {
        return;
    };
    let (Some(&start), Some(&end)) = (cut.times.get(place), cut.times.get(place.saturating_add(1)))
    else {
        return;
    };
    let (width, third) = (from.len(), (end - start) / 3.0);
    let at = |key: usize, component: usize| key.saturating_mul(width).saturating_add(component);
    let Some(Tangents::Handles { left: lefts, right: rights }) = &mut cut.tangents else { return };
    for (component, (&a, &d)) in from.iter().zip(&to).enumerate() {
        let pull = right.get(at(segment, component)).map_or(a, |handle| handle.value);
        let push = left.get(at(next, component)).map_or(d, |handle| handle.value);
        let (pull, push) = bezier_part([a, pull, push, d], parts);
        if let Some(handle) = rights.get_mut(at(place, component)) {
            *handle = Handle { time: start + third, value: pull };
        }
        if let Some(handle) = lefts.get_mut(at(place.saturating_add(1), component)) {
            *handle = Handle { time: end - third, value: push };
        }
    }
}

/// Returns the tangents of a part of a Hermite curve: its derivatives, times the part's share of
/// the way, since tangents are not scaled by time.
fn hermite_part([a, right, left, b]: [f64; 4], (from, to): (f64, f64)) -> (f64, f64) {
    let slope = |t: f64| {
        let square = t * t;
        (6.0 * square - 6.0 * t) * (a - b)
            + (3.0 * square - 4.0 * t + 1.0) * right
            + (3.0 * square - 2.0 * t) * left
    };
    (slope(from) * (to - from), slope(to) * (to - from))
}

/// Returns the inner control points of a part of a Bezier curve, by de Casteljau's construction.
fn bezier_part(points: [f64; 4], (from, to): (f64, f64)) -> (f64, f64) {
    let between = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
    let point = |s: f64, t: f64, u: f64| {
        let [a, b, c, d] = points;
        let (a, b, c) = (between(a, b, s), between(b, c, s), between(c, d, s));
        between(between(a, b, t), between(b, c, t), u)
    };
    (point(from, from, to), point(from, to, to))
}

/// Reports that a line of integers may round differently from the cut on, by 1.
fn report_rounding(work: &mut Work<'_>) {
    let error = StatedError::of_value(1.0);
    let finding = Finding::new(codes::SEGMENT_ROUNDED, error.to_string()).at(work.path());
    work.findings.push(finding.error(error));
}

#[cfg(test)]
mod tests {
    use super::{bezier_part, hermite_part};

    #[test]
    fn the_first_half_of_a_bezier_is_what_de_casteljau_says() {
        // Midpoints by hand: 0 4 6 8 -> 2 5 7 -> 3.5 6 -> 4.75.
        assert_eq!(bezier_part([0.0, 4.0, 6.0, 8.0], (0.0, 0.5)), (2.0, 3.5));
        assert_eq!(bezier_part([0.0, 4.0, 6.0, 8.0], (0.5, 1.0)), (6.0, 7.0));
    }

    #[test]
    fn a_part_of_a_hermite_has_the_slopes_of_the_whole_times_its_share() {
        // The cubic t³ has the ends 0 and 1 and the slopes 0 and 3; its slope at 1/2 is 3/4.
        assert_eq!(hermite_part([0.0, 0.0, 3.0, 1.0], (0.0, 0.5)), (0.0, 0.375));
        assert_eq!(hermite_part([0.0, 0.0, 3.0, 1.0], (0.5, 1.0)), (0.375, 1.5));
    }

    #[test]
    fn the_whole_is_a_part_of_itself() {
        assert_eq!(bezier_part([1.0, 5.0, -2.0, 7.0], (0.0, 1.0)), (5.0, -2.0));
        assert_eq!(hermite_part([1.0, 5.0, -2.0, 7.0], (0.0, 1.0)), (5.0, -2.0));
    }
}
