//! Retimes and shifts clips.

use inbetween_core::{
    Animation, Document, KeyColumns, Outcome, Shape, Tangents, Track, TrackData, Value,
    codes as shared, counted, significant,
};

use crate::work::{Work, check_number};
use crate::{EditError, Settings, Time, codes};

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
    work.clips(document, |work, clip| by_factor(clip, factor, work))
}

/// Multiplies all times of each clip so that it plays for `length`, which counts frames at the rate
/// of the clip. Like [`retime`], it changes nothing but times.
///
/// # Errors
///
/// If the length is not a positive finite number, is in frames and the clip has no frame rate, or
/// if the clip plays for no time.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::{Settings, Time, retime_to};
///
/// let clip = Animation::default().with_duration(1.5);
/// let slow = retime_to(Document::single(clip), Time::Seconds(4.0), &Settings::default())?;
/// assert_eq!(slow.value.clips[0].duration, Some(4.0));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn retime_to(
    document: Document,
    length: Time,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, clip| {
        let (seconds, plays) = (length.in_clip(&clip)?, clip.effective_duration());
        check_number("retime", "a positive length such as 4", seconds, seconds > 0.0)?;
        if !(plays > 0.0 && plays.is_finite()) {
            return Err(EditError::NoLength);
        }
        let states_length = clip.duration == Some(plays);
        let mut clip = by_factor(clip, seconds / plays, work)?;
        if states_length {
            clip.duration = Some(seconds);
        }
        Ok(clip)
    })
}

fn by_factor(
    mut clip: Animation,
    factor: f64,
    work: &mut Work<'_>,
) -> Result<Animation, EditError> {
    if factor == 1.0 {
        return Ok(clip);
    }
    clip.duration = clip.duration.map(|duration| duration * factor);
    change_clip(clip, work, |time| time * factor, |interval| interval * factor)
}

/// Plays the frames of every clip at another rate: keys stay on their frames, and the seconds
/// change. Use it if the stated rate of a file is wrong.
///
/// A frame is a time multiplied by the stated rate, also for keys between two frames. To keep the
/// seconds instead, use [`set_frame_rate`](crate::set_frame_rate).
///
/// # Errors
///
/// If the rate is not a positive number, if a clip states no frame rate, or if a time becomes
/// infinite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::{Settings, play_frames_at};
///
/// let clip = Animation::default().with_frame_rate(1.0).with_duration(60.0);
/// let fast = play_frames_at(Document::single(clip), 30.0, &Settings::default())?.value;
/// assert_eq!((fast.clips[0].duration, fast.clips[0].frame_rate), (Some(2.0), Some(30.0)));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn play_frames_at(
    document: Document,
    rate: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_number("frame rate", "a positive number such as 30", rate, rate > 0.0)?;
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let stated = clip.frame_rate.filter(|stated| *stated > 0.0 && stated.is_finite());
        let stated = stated.ok_or(EditError::NoStatedRate)?;
        if stated == rate {
            return Ok(clip);
        }
        let rates =
            format!("{} frames per second became {}", significant(stated), significant(rate));
        work.say(codes::FRAME_RATE_REPLACED, rates);
        // Readers divide frames by the stated rate: the same frame gives the same bits.
        let moved = |time: f64| {
            let frame = time * stated;
            let whole = frame.round();
            if whole / stated == time { whole / rate } else { frame / rate }
        };
        clip.duration = clip.duration.map(moved);
        clip.frame_rate = Some(rate);
        change_clip(clip, work, moved, moved)
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
    work.clips(document, |work, clip| shift_clip(clip, seconds, work))
}

/// Moves each clip so that its first key is at a time; markers move with the keys.
///
/// A stated duration changes by as much, so the clip ends as long after its last key as before. A clip
/// without keys stays. See [`shift`] for everything else.
///
/// # Errors
///
/// If the time is not finite or in frames and the clip has no frame rate, or makes a time infinite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, Time, start_at};
///
/// let data = TrackData::stepped(vec![4.0, 9.0], vec![[0.0_f32; 3]; 2])?;
/// let clip = Animation::new(vec![Track::new(Target::new("fin", Property::Translation), data)?]);
/// let early = start_at(Document::single(clip), Time::Seconds(0.0), &Settings::default())?.value;
/// assert_eq!(early.clips[0].tracks[0].data().time(0), Some(0.0));
/// assert_eq!(early.clips[0].effective_duration(), 5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn start_at(
    document: Document,
    start: Time,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        let start = start.in_clip(&clip)?;
        check_number("start", "finite seconds such as 0", start, true)?;
        let Some(first) = clip.first_key() else { return Ok(clip) };
        let seconds = start - first;
        clip.duration = clip.duration.map(|duration| (duration + seconds).max(0.0));
        shift_clip(clip, seconds, work)
    })
}

fn shift_clip(
    mut clip: Animation,
    seconds: f64,
    work: &mut Work<'_>,
) -> Result<Animation, EditError> {
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
