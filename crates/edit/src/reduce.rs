//! Removes redundant keys within an error bound.

mod bounds;
mod keep;

use inbetween_core::{
    Channel, Document, Finding, KeyColumns, Outcome, Property, StatedError, Target, TrackData,
    counted, significant,
};

pub(crate) use self::bounds::Category;
pub use self::bounds::ReduceBounds;
use self::keep::keep;
use crate::work::Work;
use crate::{EditError, Settings};

/// Removes keys as long as every track stays within its bound, as the clip plays.
///
/// The remaining keys are unchanged, so nothing is rounded again. The first and the last key of a
/// track are kept, and so are keys that start or end a curve, keys with equal times, and keys
/// without which a rotation would turn by 180 degrees or more. Integers and `color32` lose only
/// keys that make no difference. A track of equal values gets one key, and the clip keeps its length. The finding states the largest measured error of each track, and
/// [`measure_reduction`](crate::measure_reduction) measures the written file. Uniform keys get
/// individual times if some are removed.
///
/// # Errors
///
/// If a bound is negative or not finite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{ReduceBounds, Settings, reduce};
///
/// let line = TrackData::uniform(0.5, vec![0.0_f32, 1.0, 2.0, 3.0, 0.0]);
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), line)?;
/// let clip = Animation::new(vec![track]);
/// let bounds = ReduceBounds::all(1e-6);
/// let reduced = reduce(Document::single(clip), bounds, &Settings::default())?;
/// let keys = reduced.value.clips[0].tracks[0].data();
/// let times: Vec<_> = keys.times().collect();
/// assert_eq!(times, [0.0, 1.5, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reduce(
    document: Document,
    bounds: ReduceBounds,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    bounds.check()?;
    Work::on(&document, settings).clips(document, |work, mut clip| {
        let end = clip.effective_duration();
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let data = reduce_track(&target, data, bounds, work)?;
            Ok((target, data))
        })?;
        // The last key of a constant track may have been the end of the clip.
        if clip.effective_duration() < end {
            clip.duration = Some(end);
        }
        Ok(clip)
    })
}

fn reduce_track(
    target: &Target,
    data: TrackData,
    bounds: ReduceBounds,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    let Some((bound, share)) = bounds.of(target, data.kind()) else { return Ok(data) };
    if !data.plays() {
        return Ok(data);
    }
    let keys = keep(&data, bound / share, work.rules);
    let before = data.len();
    if keys.len() == before {
        return Ok(data);
    }
    let reduced = KeyColumns::of(data.clone()).gather(&keys).into_data()?;
    let channel = |data| Channel::of_track(&Property::Custom(None), data, work.rules);
    let difference = channel(&data).difference(&channel(&reduced)).unwrap_or_default();
    // A bound of 0 keeps the bits that the engine shows.
    let error = if bound > 0.0 { difference.error().value } else { 0.0 };
    let counts = format!("{} became {}", counted(before, "key"), keys.len());
    if error > 0.0 {
        // The message is about the property as a whole, and the error about this track.
        let own = if target.component.is_some() { error } else { error * share };
        let (error, bound) = (StatedError::of_value(error * share), significant(bound));
        let message = format!("{counts}, {error} (bound {bound})");
        let finding = Finding::new(crate::codes::REDUCED, message);
        work.findings.push(finding.error(StatedError::of_value(own)));
    } else {
        work.say(crate::codes::REDUNDANT_KEYS_REMOVED, counts);
    }
    Ok(reduced)
}
