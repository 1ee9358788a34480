//! Resamples tracks to one key per frame.

use inbetween_core::{
    Baker, Document, FrameKeys, FullTurn, Grid, KeyColumns, Outcome, SegmentKind, StatedError,
    Target, TrackData, codes as shared, counted,
};

use crate::work::{Work, check_number};
use crate::{EditError, Settings};

/// Replaces the keys of every track by one key per frame, and sets the frame rate to `rate`.
///
/// The frames extend from the last one before the first key to the first one after the last key,
/// starting at 0 or later. With several keys at the first time, the frame before it has the value of
/// the first one. The values are those that the track plays. A track that holds stays
/// stepped, so it is exact if its keys are on frames; the others become linear. The largest error
/// is reported. Tracks whose keys are on these frames already, without curves between them, are
/// unchanged, which is not a loss.
///
/// # Errors
///
/// If the rate is not a positive finite number, or there are more frames than can be counted or
/// than the limits allow; nothing is allocated then.
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
            let data = resample_track(&target, data, rate, work)?;
            Ok((target, data))
        })?;
        clip.frame_rate = Some(rate);
        Ok(clip)
    })
}

fn resample_track(
    target: &Target,
    data: TrackData,
    rate: f64,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    if data.is_empty() || !data.plays() {
        return Ok(data);
    }
    let keys = KeyColumns::of(data.clone());
    let holds = (0..keys.times.len()).all(|key| keys.segment(key) == SegmentKind::Hold);
    let rules = work.rules;
    let maker = Baker::new(Grid::Frames(rate, FrameKeys::Every)).for_target(rules);
    let baked = if holds {
        maker.steps(&data, &target.property, &mut work.budget.lock())
    } else {
        maker.same_property(&data, &target.property, rules, &mut work.budget.lock())
    };
    let baked = work.baking(baked)?;
    let early = keys.times.partition_point(|time| *time < 0.0);
    if early > 0 {
        work.say(shared::NEGATIVE_TIMES_CUT, counted(early, "key"));
    }
    if baked.data == data {
        return Ok(data);
    }
    let (before, after) = (data.len(), baked.data.len());
    let compared = baked.difference.undefined.or(baked.difference.unmeasured).is_none();
    if early == 0 && compared && baked.error() == StatedError::default() {
        let message = format!("{} became {after}, which play the same", counted(before, "key"));
        work.say(shared::SHAPE_CHANGED, message);
    } else {
        work.say_baked(shared::RESAMPLED, before, &baked);
    }
    // A frame may fall on a full turn anywhere.
    let plain = rules.with_full_turn(FullTurn::Kept);
    work.translate(target, baked.data, (plain, rules))
}
