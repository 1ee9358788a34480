//! Closes loops.

use inbetween_core::{
    Animation, Document, KeyColumns, LastBezier, Outcome, Shape, Tangents, Track, TrackData,
    counted, num, rows, significant,
};

use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Adds a key with the first value to the end of each track, so that a clip that repeats does not jump.
///
/// The key is at the stated duration if that is later than all keys. Else it comes as long after the
/// last key as the key before that one is before it, since exporters leave out the last frame, and the
/// clip gets longer by that. The new segment plays as the last key says, with the incoming tangent of the
/// first key.
///
/// Tracks that end with their first value stay, and so does a clip of only such tracks.
///
/// # Errors
///
/// If a time becomes infinite, or the last key of an X4 track cannot be converted within the limits.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData, Values};
/// use inbetween_edit::{Settings, close_loop};
///
/// let data = TrackData::uniform(0.25, vec![0.0_f32, 1.0, 0.0, -1.0]);
/// let tail = Track::new(Target::new("tail", Property::Custom(None)), data)?;
/// let clip = Document::single(Animation::new(vec![tail]));
/// let closed = close_loop(clip, &Settings::default())?.value;
/// assert_eq!(closed.clips[0].effective_duration(), 1.0);
/// let values = closed.clips[0].tracks[0].data().values();
/// assert_eq!(*values, Values::from(vec![0.0_f32, 1.0, 0.0, -1.0, 0.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn close_loop(document: Document, settings: &Settings) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let open = clip.tracks.iter().filter(|track| !is_closed(track.data())).count();
        let Some(end) = end_of_round(&clip).filter(|_| open > 0) else { return Ok(clip) };
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            if is_closed(&data) {
                return Ok((target, data));
            }
            // The key that was last shows its own value now.
            let plain = work.rules.with_last_bezier(LastBezier::Value);
            let data = work.translate(&target, data, (work.rules, plain))?;
            let data = closed(data, end, work)?;
            let data = work.translate(&target, data, (plain, work.rules))?;
            Ok((target, data))
        })?;
        clip.duration = clip.duration.map(|duration| duration.max(end));
        let message = format!("{} at {} s", counted(open, "track"), significant(end));
        work.say(codes::LOOP_CLOSED, message);
        Ok(clip)
    })
}

/// Returns whether a track ends with the value of its first key.
fn is_closed(data: &TrackData) -> bool {
    let count = if data.plays() { data.len() } else { data.len().min(1) };
    let Some(last) = count.checked_sub(1) else { return true };
    let values = data.values();
    let (Some(one), Some(other)) = (rows::numbers(values, 0), rows::numbers(values, last)) else {
        return values.gather(&[0]) == values.gather(&[last]);
    };
    let near = |sign: f64| {
        one.iter()
            .zip(&other)
            .all(|(one, other)| (one - sign * other).abs() <= 1e-6 * one.abs().max(1.0))
    };
    // q and -q are the same rotation.
    near(1.0) || (values.kind().is_quaternion() && near(-1.0))
}

/// Returns the time at which the first key shows again.
fn end_of_round(clip: &Animation) -> Option<f64> {
    let times = || clip.tracks.iter().map(Track::data).filter(|data| data.plays());
    let last = times().filter_map(|data| data.time(data.len().checked_sub(1)?));
    let last = last.filter(|time| time.is_finite()).reduce(f64::max)?;
    if let Some(duration) = clip.duration.filter(|duration| *duration > last) {
        return Some(duration);
    }
    let before =
        times().filter_map(|data| data.times().filter(|time| *time < last).reduce(f64::max));
    let before = before.reduce(f64::max)?;
    Some(last + (last - before)).filter(|end| end.is_finite())
}

/// Adds the first key of a track again, at a later time.
fn closed(data: TrackData, end: f64, work: &Work<'_>) -> Result<TrackData, EditError> {
    if let Shape::Uniform { interval } = data.shape() {
        let interval = *interval;
        let (count, next) = (data.len(), num::f64_from_index(data.len()) * interval);
        if (next - end).abs() <= 1e-9 * end {
            let values = data.values().gather(&(0..count).chain([0]).collect::<Vec<_>>());
            return Ok(TrackData::uniform(interval, values));
        }
    }
    let keys = KeyColumns::of(data);
    let (count, first) = (keys.times.len(), keys.times.first().copied().unwrap_or_default());
    let mut keys = keys.gather(&(0..count).chain([0]).collect::<Vec<_>>());
    let round = end - first;
    if let Some(time) = keys.times.last_mut() {
        *time = end;
    }
    if let Some(Tangents::Handles { left, right }) = &mut keys.tangents {
        let width = left.len().checked_div(count + 1).unwrap_or(0);
        for handles in [left, right] {
            let old = handles.len().saturating_sub(width);
            handles.iter_mut().skip(old).for_each(|handle| handle.time += round);
        }
    }
    keys.times
        .iter()
        .find(|time| !time.is_finite())
        .map_or(Ok(()), |time| Err(work.too_late(*time)))?;
    Ok(keys.into_data()?)
}
