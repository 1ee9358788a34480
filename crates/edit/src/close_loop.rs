//! Closes loops.

use inbetween_core::{
    Animation, Document, Interpolation, KeyColumns, LastBezier, Outcome, Shape, Tangents, Track,
    TrackData, counted, num, rows, significant,
};

use crate::constant::near;
use crate::work::Work;
use crate::{EditError, Settings, codes};

/// Adds a key with the first value to the end of each track, so that a clip that repeats does not jump.
///
/// The key is at the stated duration if that is later than all keys. Else it comes a frame after the last
/// key, since exporters leave out the last frame, and the clip gets longer by that. Without a frame rate, a
/// frame is the median distance of the keys of all tracks. Until its last key the clip plays as before: a
/// track that ends earlier holds its last value until then. The new segment plays as the last key says,
/// with the incoming tangent of the first key.
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
        let last = last_key(&clip).filter(|_| open > 0);
        let round = last.and_then(|last| Some((last, end_of_round(&clip, last)?)));
        let Some((last, end)) = round else { return Ok(clip) };
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            if is_closed(&data) {
                return Ok((target, data));
            }
            // The key that was last shows its own value now.
            let plain = work.rules.with_last_bezier(LastBezier::Value);
            let data = work.translate(&target, data, (work.rules, plain))?;
            let data = closed(data, (last, end), work)?;
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
    let opposite: Vec<f64> = other.iter().map(|part| -part).collect();
    // q and -q are the same rotation.
    near(&one, &other) || (values.kind().is_quaternion() && near(&one, &opposite))
}

/// Returns the time of the last key of a clip.
fn last_key(clip: &Animation) -> Option<f64> {
    let played = clip.tracks.iter().map(Track::data).filter(|data| data.plays());
    let last = played.filter_map(|data| data.time(data.len().checked_sub(1)?));
    last.filter(|time| time.is_finite()).reduce(f64::max)
}

/// Returns the time at which the first key shows again.
fn end_of_round(clip: &Animation, last: f64) -> Option<f64> {
    if let Some(duration) = clip.duration.filter(|duration| *duration > last) {
        return Some(duration).filter(|end| end.is_finite());
    }
    let rate = clip.frame_rate.filter(|rate| *rate > 0.0 && rate.is_finite());
    let end = last + rate.map_or_else(|| usual_distance(clip), |rate| Some(1.0 / rate))?;
    Some(end).filter(|end| end.is_finite())
}

/// Returns the median distance of neighboring keys at different times.
fn usual_distance(clip: &Animation) -> Option<f64> {
    let played = clip.tracks.iter().map(Track::data).filter(|data| data.plays());
    let distances = played.flat_map(|data| {
        let next = data.times().skip(1);
        data.times().zip(next).map(|(time, next)| next - time)
    });
    let mut distances: Vec<f64> = distances.filter(|distance| *distance > 0.0).collect();
    distances.sort_by(f64::total_cmp);
    distances.get(distances.len() / 2).copied()
}

/// Adds the first key of a track again at the end of a round; until the last key of the clip, the track
/// holds its last value.
fn closed(
    data: TrackData,
    (last, end): (f64, f64),
    work: &Work<'_>,
) -> Result<TrackData, EditError> {
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
    let own_end = keys.times.last().copied().unwrap_or_default();
    let held = (last - own_end > 1e-6 * last).then_some(count.saturating_sub(1));
    let mut keys = keys.gather(&(0..count).chain(held).chain([0]).collect::<Vec<_>>());
    if held.is_some() {
        keys.set_interpolation(count - 1, Interpolation::Hold);
        shift_key(&mut keys, count, last - own_end);
    }
    let added = keys.times.len() - 1;
    shift_key(&mut keys, added, end - first);
    match keys.times.iter().find(|time| !time.is_finite()) {
        Some(time) => Err(work.too_late(*time)),
        None => Ok(keys.into_data()?),
    }
}

/// Moves a key and its handles.
fn shift_key(keys: &mut KeyColumns, key: usize, seconds: f64) {
    let count = keys.times.len();
    if let Some(time) = keys.times.get_mut(key) {
        *time += seconds;
    }
    if let Some(Tangents::Handles { left, right }) = &mut keys.tangents {
        let width = left.len().checked_div(count).unwrap_or(0);
        for handles in [left, right] {
            let own = handles.iter_mut().skip(key * width).take(width);
            own.for_each(|handle| handle.time += seconds);
        }
    }
}
