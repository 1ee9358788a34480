//! Changing when keys come, all in the same way.

use inbetween_core::{
    Animation, Document, Outcome, Shape, Tangents, Track, TrackData, Value, codes as shared,
};

use crate::keys::Keys;
use crate::trim::count;
use crate::work::{Work, check_number};
use crate::{EditError, Settings, codes};

/// Makes every clip longer or shorter: all times are multiplied by `factor`, so that 2 plays at
/// half the speed.
///
/// Value tangents stay, since they belong to the way from key to key and not to seconds; the times
/// of handles are multiplied like those of keys. The frame rate stays: a factor that moves keys off
/// the frames shows when a format that counts in frames is written. A factor of 1 changes nothing.
///
/// # Errors
///
/// When the factor is not a positive finite number, or makes a time infinite.
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

/// Moves all keys and markers by some seconds, later if they are positive.
///
/// The stated duration stays, as it does where a format shifts its own keys: trim to make it fit.
/// Uniform keys get a time each, since theirs begin at 0. Keys that come before 0 stay; they are
/// reported, since most engines begin to play at 0.
///
/// # Errors
///
/// When `seconds` is not finite, or makes a time infinite.
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
            work.say(shared::SHAPE_CHANGED, "keys at an interval got a time each");
            Ok((target, Keys::of(data).into_data()?))
        })?;
        let before = early_keys(&clip);
        let clip = change_clip(clip, work, |time| time + seconds, |interval| interval)?;
        let early = early_keys(&clip).saturating_sub(before);
        if early > 0 {
            let message = format!("{} more", count(early, "key"));
            work.say(codes::BEFORE_START, message);
        }
        Ok(clip)
    })
}

/// Returns how many keys of a clip come before 0.
pub(crate) fn early_keys(clip: &Animation) -> usize {
    let early = clip.tracks.iter().map(|track| match track.data().shape() {
        Shape::Stepped { times } | Shape::Curve { times, .. } => {
            times.partition_point(|time| *time < 0.0)
        }
        _ => 0,
    });
    early.fold(0, usize::saturating_add)
}

/// Changes the times of a clip by a function that never exchanges two of them.
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
                return Err(EditError::Times { path: work.path(), time: *before });
            }
            let (_, values) = data.into_parts();
            return Ok((target, TrackData::uniform(after, values)));
        }
        let mut keys = Keys::of(data);
        let apart = distinct(&keys.times);
        check_times(&keys, &time, work)?;
        keys.change_times(&time);
        let merged = apart.saturating_sub(distinct(&keys.times));
        if merged > 0 {
            let message = format!("{} at a time that another one has", count(merged, "key"));
            work.say(codes::TIMES_MERGED, message);
        }
        Ok((target, keys.into_data()?))
    })?;
    for marker in &mut clip.markers {
        let after = time(marker.time);
        if marker.time.is_finite() && !after.is_finite() {
            return Err(EditError::Times { path: work.path(), time: marker.time });
        }
        marker.time = after;
    }
    Ok(clip)
}

/// Fails where a finite time would become infinite.
fn check_times(
    keys: &Keys,
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
        Some(time) => Err(EditError::Times { path: work.path(), time }),
        None => Ok(()),
    }
}

/// Returns how many different times there are among sorted ones.
fn distinct(times: &[f64]) -> usize {
    let next = times.get(1..).unwrap_or_default();
    let changes = times.iter().zip(next).filter(|(time, next)| time != next).count();
    changes.saturating_add(usize::from(!times.is_empty()))
}

/// Returns the value of a track of a clip at a time of the clock on the wall, round after round
/// where the clip repeats; `None` for a track without keys.
///
/// The way from the last key of a round to its end holds, as engines play it; nothing blends from
/// the last key into the first one.
pub fn sample_looped(clip: &Animation, track: &Track, time: f64) -> Option<Value> {
    let rules = clip.rules.of(&track.target().property);
    rules.sample(track.data(), clip.clip_time(time))
}
