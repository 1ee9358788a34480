//! Retimes and shifts clips.

use inbetween_core::{
    Animation, Document, KeyColumns, Outcome, Shape, Tangents, Track, TrackData, Value,
    codes as shared, counted,
};

use crate::work::{Work, check_number};
use crate::{EditError, Settings, codes};

/// Multiplies all times by `factor`: 2 plays at half speed.
///
/// Value tangents are unchanged, because they relate to the segment and not to seconds; the times
/// of handles are multiplied like those of keys. The frame rate is unchanged. If the factor moves
/// keys off frames, writing a format with frames reports it. A factor of 1 changes nothing.
///
/// # Errors
///
/// If the factor is not a positive finite number, or makes a time infinite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::{Settings, retime};
///
/// let clip = Animation::default().with_duration(1.5);
/// let slow = retime(Document::single(clip), 2.0, &Settings::default())?;
/// assert_eq!(slow.value.clips[0].duration, Some(3.0));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn retime(
    document: Document,
    factor: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_number("retime", "a positive factor such as 2", factor, factor > 0.0)?;
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        if factor == 1.0 {
            return Ok(clip);
        }
        clip.duration = clip.duration.map(|duration| duration * factor);
        change_clip(clip, work, |time| time * factor, |interval| interval * factor)
    })
}

/// Moves all keys and markers by `seconds`; positive values move them later.
///
/// The stated duration is unchanged, as in formats that shift their own keys; trim the clip to
/// adapt it. Uniform keys get individual times, because uniform keys start at 0. Keys before 0 are
/// kept and reported, because most engines start to play at 0.
///
/// # Errors
///
/// If `seconds` is not finite, or makes a time infinite.
pub fn shift(
    document: Document,
    seconds: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_number("shift", "finite seconds such as -0.5", seconds, true)?;
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        if seconds == 0.0 {
            return Ok(clip);
        }
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let Shape::Uniform { .. } = data.shape() else { return Ok((target, data)) };
            if data.is_empty() || !data.plays() {
                return Ok((target, data));
            }
            work.say(shared::SHAPE_CHANGED, "keys at an interval got individual times");
            Ok((target, KeyColumns::of(data).into_data()?))
        })?;
        let before = early_keys(&clip);
        let clip = change_clip(clip, work, |time| time + seconds, |interval| interval)?;
        let early = early_keys(&clip).saturating_sub(before);
        if early > 0 {
            let message = format!("{} more", counted(early, "key"));
            work.say(codes::BEFORE_START, message);
        }
        Ok(clip)
    })
}

/// Returns the number of keys of a clip before 0.
pub(crate) fn early_keys(clip: &Animation) -> usize {
    let early = clip.tracks.iter().map(|track| match track.data().shape() {
        Shape::Stepped { times } | Shape::Curve { times, .. } => {
            times.partition_point(|time| *time < 0.0)
        }
        _ => 0,
    });
    early.sum()
}

/// Maps the times of a clip by a monotonic function.
fn change_clip(
    mut clip: Animation,
    work: &mut Work<'_>,
    time: impl Fn(f64) -> f64,
    interval: impl Fn(f64) -> f64,
) -> Result<Animation, EditError> {
    clip.tracks = work.tracks(clip.tracks, |work, target, data| {
        if let Shape::Uniform { interval: before } = data.shape() {
            let after = interval(*before);
            if before.is_finite() && !after.is_finite() {
                return Err(work.too_late(*before));
            }
            // An interval that rounds to 0 would show only the first key.
            if work.rules.plays_interval(after) || !work.rules.plays_interval(*before) {
                let (_, values) = data.into_parts();
                return Ok((target, TrackData::uniform(after, values)));
            }
            work.say(shared::SHAPE_CHANGED, "keys at an interval got individual times");
        }
        let mut keys = KeyColumns::of(data);
        let apart = distinct(&keys.times);
        check_times(&keys, &time, work)?;
        keys.change_times(&time);
        let merged = apart.saturating_sub(distinct(&keys.times));
        if merged > 0 {
            let message = format!("{} with the time of another", counted(merged, "key"));
            work.say(codes::TIMES_MERGED, message);
        }
        Ok((target, keys.into_data()?))
    })?;
    for marker in &mut clip.markers {
        let after = time(marker.time);
        if marker.time.is_finite() && !after.is_finite() {
            return Err(work.too_late(marker.time));
        }
        marker.time = after;
    }
    Ok(clip)
}

/// Returns an error if a finite time would become infinite.
fn check_times(
    keys: &KeyColumns,
    change: &impl Fn(f64) -> f64,
    work: &Work<'_>,
) -> Result<(), EditError> {
    let handles = match &keys.tangents {
        Some(Tangents::Handles { left, right }) => [left.as_slice(), right.as_slice()],
        _ => [[].as_slice(), &[]],
    };
    let handles = handles.into_iter().flatten().map(|handle| handle.time);
    let mut times = keys.times.iter().copied().chain(handles);
    match times.find(|time| time.is_finite() && !change(*time).is_finite()) {
        Some(time) => Err(work.too_late(time)),
        None => Ok(()),
    }
}

/// Returns the number of distinct values among sorted times.
fn distinct(times: &[f64]) -> usize {
    let pairs = times.iter().zip(times.iter().skip(1));
    pairs.filter(|(time, next)| time != next).count() + usize::from(!times.is_empty())
}

/// Returns the value of a track at a time since the start of playback, repeating looping clips, or
/// `None` for a track without keys.
///
/// From the last key of a round to its end the value holds, as engines play it; nothing blends from
/// the last key into the first.
pub fn sample_looped(clip: &Animation, track: &Track, time: f64) -> Option<Value> {
    let rules = clip.rules.of(&track.target().property);
    rules.sample(track.data(), clip.clip_time(time))
}
