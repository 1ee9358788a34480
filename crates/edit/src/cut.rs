//! Cuts the keys of a track to a range, and moves the range to 0.

use inbetween_core::{Finding, KeptPart, KeyColumns, Shape, TrackData, codes as shared, num};

use crate::time_range::TimeRange;
use crate::work::Work;
use crate::{EditError, codes};

/// Returns the keys of a track within a range, moved so that the range starts at 0, and the number
/// of removed keys.
///
/// The time this takes depends only on the number of keys in the range, so splitting a track into
/// many parts takes no longer than copying it.
pub(crate) fn cut(
    data: &TrackData,
    range: TimeRange,
    work: &mut Work<'_>,
) -> Result<(TrackData, usize), EditError> {
    if let Some(late) = late_uniform(data, range) {
        let gone = data.len().saturating_sub(late.len());
        return Ok((late, gone));
    }
    let (ends, bound, rules) = ((range.start(), range.end()), work.bound(), work.rules);
    let cut = inbetween_core::cut(data, ends, rules, bound, &mut work.budget.lock());
    let cut = work.baking(cut)?;
    if let KeptPart::Approximate(difference) = cut.kept {
        let error = difference.error();
        let finding = Finding::new(codes::SEGMENT_APPROXIMATED, error.to_string()).error(error);
        work.findings.extend([finding].into_iter().chain(difference.findings()));
    }
    if cut.overflows {
        work.say(codes::OUT_OF_RANGE, "the last handle, which shows");
    }
    let moved = at_zero(cut.data, range)?;
    let uniform = |data: &TrackData| matches!(data.shape(), Shape::Uniform { .. });
    if uniform(data) && !uniform(&moved) {
        work.say(shared::SHAPE_CHANGED, "keys at an interval got individual times");
    }
    Ok((moved, cut.gone))
}

/// Moves the start of a range to 0.
fn at_zero(data: TrackData, range: TimeRange) -> Result<TrackData, EditError> {
    let offset = range.offset();
    if offset == 0.0 || data.is_empty() || !data.plays() {
        return Ok(data);
    }
    let mut keys = KeyColumns::of(data);
    keys.change_times(|time| time - offset);
    Ok(keys.into_data()?)
}

/// Returns uniform keys that stay uniform: if the range starts at a key, and ends at a key or after
/// the last one.
fn late_uniform(data: &TrackData, range: TimeRange) -> Option<TrackData> {
    let (Shape::Uniform { interval }, Some(start)) = (data.shape(), range.start()) else {
        return None;
    };
    let time = |key: usize| data.time(key);
    let near = num::index_from_f64((start / interval).round());
    let first = Some(near).filter(|&key| data.plays() && time(key) == Some(start))?;
    let inside = |key: &usize| range.end().is_none_or(|end| time(*key).is_some_and(|at| at <= end));
    let kept: Vec<usize> = (first..data.len()).take_while(inside).collect();
    let last = kept.last().copied()?;
    let to_key = last + 1 == data.len() || time(last) == range.end();
    to_key.then(|| TrackData::uniform(*interval, data.values().gather(&kept)))
}
