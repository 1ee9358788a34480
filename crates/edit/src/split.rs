//! Splits a clip into consecutive clips.

use inbetween_core::clip_names::Unique;
use inbetween_core::{Animation, Document, Marker, Outcome, Text, Track, num, significant};

use crate::time_range::TimeRange;
use crate::trim::{moved, trim_clip};
use crate::work::{Work, check_number};
use crate::{EditError, Settings, codes};

/// The times at which to split a clip.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SplitAt {
    /// At each marker; the part that starts at a marker gets its name.
    Markers,
    /// At these times in seconds; the parts are numbered.
    Times(Vec<f64>),
}

/// Splits every clip into clips that each start at 0, cut as by [`trim`](crate::trim).
///
/// Times at or before the start of the clip, and at or after its end, split nothing. Names are made
/// unique. A marker at a cut belongs to the part that starts there.
///
/// # Errors
///
/// If a time is not finite, or the parts need more memory than the limits allow.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document};
/// use inbetween_edit::{Settings, SplitAt, split};
///
/// let clip = Animation::default().with_duration(3.0).with_name("walk");
/// let parts = split(Document::single(clip), &SplitAt::Times(vec![1.0]), &Settings::default())?;
/// let names: Vec<_> = parts.value.clips.iter().filter_map(|clip| clip.name.as_deref()).collect();
/// assert_eq!(names, ["walk-1", "walk-2"]);
/// assert_eq!(parts.value.clips[1].duration, Some(2.0));
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
pub fn split(
    mut document: Document,
    at: &SplitAt,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    let mut work = Work::on(&document, settings);
    let (mut clips, mut names) = (Vec::new(), Unique::default());
    let many = document.clips.len() > 1;
    for (index, mut clip) in core::mem::take(&mut document.clips).into_iter().enumerate() {
        work.enter_clip(many.then_some(index), &clip);
        let cuts = cuts(&clip, at)?;
        if cuts.is_empty() {
            work.say(
                codes::NO_SPLIT_POINT,
                format!("the clip ends at {} s", significant(clip.effective_duration())),
            );
            clip.name = clip.name.as_deref().map(|name| names.take(name));
            clips.push(clip);
            continue;
        }
        charge(&clip, cuts.len(), &mut work)?;
        let mut parts = parts(&clip, &cuts, &mut work)?;
        for (index, part) in parts.iter_mut().enumerate() {
            let from = index.checked_sub(1).and_then(|cut| cuts.get(cut));
            let name = match (from.and_then(|cut| cut.name.clone()), at) {
                (None, SplitAt::Times(_)) => Some(numbered(clip.name.as_deref(), index)),
                (None, SplitAt::Markers) => clip.name.clone(),
                (name, _) => name,
            };
            part.name = name.map(|name| names.take(&name));
        }
        clips.append(&mut parts);
    }
    document.clips = clips;
    Ok(Outcome::new(document, work.findings))
}

/// Returns the parts of a clip, each with its markers.
fn parts(clip: &Animation, cuts: &[Cut], work: &mut Work<'_>) -> Result<Vec<Animation>, EditError> {
    let mut parts = Vec::with_capacity(cuts.len() + 1);
    let mut start = None;
    for end in cuts.iter().map(|cut| Some(cut.time)).chain([None]) {
        let range = TimeRange::new(start, end)?;
        let (mut part, _) = trim_clip(clip, range, work)?;
        if end.is_none() {
            part.duration.get_or_insert((clip.effective_duration() - range.offset()).max(0.0));
        }
        parts.push(part);
        start = end;
    }
    for marker in &clip.markers {
        // A marker at a cut belongs to the part that starts there.
        let place = cuts.partition_point(|cut| cut.time <= marker.time);
        let start = place.checked_sub(1).and_then(|cut| cuts.get(cut)).map_or(0.0, |cut| cut.time);
        if let Some(part) = parts.get_mut(place) {
            part.markers.push(moved(marker.clone(), -start));
        }
    }
    Ok(parts)
}

fn numbered(name: Option<&str>, index: usize) -> Text {
    let number = index + 1;
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}-{number}").into(),
        None => number.to_string().into(),
    }
}

/// A cut of a clip.
#[derive(Clone, Debug)]
struct Cut {
    time: f64,
    /// The name of the part after the cut.
    name: Option<Text>,
}

/// Returns the sorted cuts strictly within a clip.
fn cuts(clip: &Animation, at: &SplitAt) -> Result<Vec<Cut>, EditError> {
    let mut cuts: Vec<Cut> = match at {
        SplitAt::Markers => {
            let cut = |marker: &Marker| Cut { time: marker.time, name: Some(marker.name.clone()) };
            clip.markers.iter().map(cut).collect()
        }
        SplitAt::Times(times) => {
            for time in times {
                check_number("split", "finite seconds such as 0.5", *time, true)?;
            }
            times.iter().map(|&time| Cut { time, name: None }).collect()
        }
    };
    let end = clip.effective_duration();
    cuts.retain(|cut| cut.time > 0.0 && cut.time < end);
    cuts.sort_by(|a, b| a.time.total_cmp(&b.time));
    cuts.dedup_by(|b, a| a.time == b.time);
    Ok(cuts)
}

/// Charges the memory of the parts except that of their keys.
fn charge(clip: &Animation, cuts: usize, work: &mut Work<'_>) -> Result<(), EditError> {
    let items = clip.tracks.len() + clip.blend_overrides.len() + 1;
    let tracks = items.saturating_mul(size_of::<Track>());
    // The parts do not exist yet, so their size may exceed the address space.
    let bytes = cuts.saturating_mul(tracks);
    let left = work.budget.lock().bytes_left();
    work.budget.lock().charge_bytes(bytes).map_err(|_| EditError::Limit {
        what: "the parts of the clip",
        bytes: num::u64_from_len(bytes),
        left,
    })
}
