//! A key a frame.

use inbetween_core::lower::enclosing_frames;
use inbetween_core::{
    Document, Outcome, Shape, TrackData, bake_at_rate, codes as shared, value_error,
};

use crate::keys::{Keys, Way};
use crate::work::{Work, check_number};
use crate::{EditError, Settings};

/// Replaces the keys of every track by one key a frame, and makes `rate` the frame rate.
///
/// The frames reach from the one before the first key to the one after the last, from 0 on; the
/// values are those that the track plays. A track that holds stays stepped, so that it is
/// exact where its keys are on frames; the others become linear. What the frames miss is reported
/// with its largest error. Tracks whose keys are on these frames already, and nothing curved
/// between them, come out as they were, and where nothing is missed that is no loss.
///
/// # Errors
///
/// When the rate is not a positive finite number, and when there are more frames than can be
/// counted or than the limits allow; nothing is allocated then.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Interpolation, Interpolations};
/// use inbetween_core::{Property, Target, Track, TrackData};
/// use inbetween_edit::{Settings, resample};
///
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let data = TrackData::curve(vec![0.0, 1.0], vec![0.0_f32, 1.0], linear, None)?;
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), data)?;
/// let clip = Animation::new(vec![track]);
/// let sampled = resample(Document::single(clip), 4.0, &Settings::default())?.value;
/// assert_eq!(sampled.clips[0].tracks[0].data().len(), 5);
/// assert_eq!(sampled.clips[0].frame_rate, Some(4.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn resample(
    document: Document,
    rate: f64,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    check_number("resample", "a positive frame rate such as 30", rate, rate > 0.0)?;
    let work = Work::on(&document, settings);
    work.clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            Ok((target, resample_track(data, rate, work)?))
        })?;
        clip.frame_rate = Some(rate);
        Ok(clip)
    })
}

fn resample_track(data: TrackData, rate: f64, work: &mut Work<'_>) -> Result<TrackData, EditError> {
    if data.is_empty() || !data.plays() {
        return Ok(data);
    }
    let Some(frames) = enclosing_frames(&data, rate) else {
        let end = data.end().unwrap_or_default();
        return Err(EditError::Frames { path: work.path(), rate, end });
    };
    let baked = bake_at_rate(&data, rate, frames, work.rules, &mut work.budget.lock());
    let baked = work.baking(baked)?;
    let keys = Keys::of(data.clone());
    let steps = (0..keys.times.len()).all(|key| keys.way(key) == Way::Hold);
    let (sampled, error) = if steps {
        let Shape::Curve { times, .. } = baked.data.shape() else { return Ok(baked.data) };
        let sampled = TrackData::stepped(times.clone(), baked.data.values().clone())?;
        let error = missed_jump(&keys, &sampled);
        (sampled, error)
    } else {
        (baked.data, baked.max_error)
    };
    let early = keys.times.partition_point(|time| *time < 0.0);
    if early > 0 {
        work.say(shared::NEGATIVE_TIMES_CUT, format!("{early} keys"));
    }
    if sampled == data {
        return Ok(data);
    }
    let (before, after) = (data.len(), sampled.len());
    if early == 0 && error == 0.0 {
        let message = format!("{before} keys became {after}, which play the same");
        work.say(shared::SHAPE_CHANGED, message);
        return Ok(sampled);
    }
    let message = format!("{before} keys became {after}, off by at most {error:.3e}");
    work.say(shared::RESAMPLED, message);
    Ok(sampled)
}

/// Returns the largest jump that comes between two frames, and so shows late, or at the first key.
fn missed_jump(keys: &Keys, sampled: &TrackData) -> f64 {
    let Shape::Stepped { times: frames } = sampled.shape() else { return 0.0 };
    let on_frame = |time: f64| frames.binary_search_by(|frame| frame.total_cmp(&time)).is_ok();
    // What shows before the first key, no frame shows.
    let first = keys.times.first();
    let missed = |time: &f64| !on_frame(*time) || Some(time) == first;
    let jumps = keys.times.iter().enumerate().skip(1).filter(|(_, time)| missed(time));
    let errors = jumps.filter_map(|(key, _)| {
        let before = keys.values.get(key.checked_sub(1)?)?;
        Some(value_error(&before, &keys.values.get(key)?))
    });
    errors.fold(0.0, f64::max)
}
