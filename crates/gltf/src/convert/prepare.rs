//! Converts the tracks of a clip to a form that samplers can store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Axis, Baker, Budget, Code, DEFAULT_BOUND, Finding, Findings, Grid, Interpolation,
    Interpolations, LastBezier, Path, Property, Quat, Rules, Shape, StatedDuration, Tangents,
    Target, Text, Track, TrackData, Values, WriteError, codes as shared, counted, cut, num, rows,
    shown, translate,
};

use crate::read::ID;
use crate::{RULES, codes};

/// Returns the tracks to write, each with its original index.
pub(super) fn tracks(
    clip: &mut Animation,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Vec<(usize, Track)>, WriteError> {
    let kept = kept(clip, budget, findings)?;
    findings.begin_scope();
    let (numbers, tracks): (Vec<usize>, Vec<Track>) = kept.into_iter().unzip();
    let number = |place: usize| numbers.get(place).copied().unwrap_or(place);
    let failed = |error| WriteError::from_bake(ID, &error);
    // Findings use indices among the remaining tracks, which differ from those of the clip only if
    // tracks were dropped.
    let path = |place: usize| Path::item("tracks", number(place));
    let tracks =
        translate_tracks(tracks, (clip.rules, RULES), path, budget, findings).map_err(failed)?;
    let mut own = Findings::new(budget.limits());
    let baker = Baker::new(Grid::Bound(DEFAULT_BOUND), budget).for_target(RULES);
    let lowered = Lowering { baker }.lower(tracks, &mut own).map_err(failed)?;
    for finding in own.into_vec() {
        findings.begin_scope();
        findings.push(renumbered(finding, &number));
    }
    let lowered = lowered.numbered().map(|(place, track)| (number(place), track));
    cut_before_0(lowered, budget, findings)
}

/// Returns the tracks that the file can store, with the keys that it can store.
fn kept(
    clip: &mut Animation,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Vec<(usize, Track)>, WriteError> {
    let (rules, end) = (clip.rules, exact_end(clip));
    let tracks = core::mem::take(&mut clip.tracks);
    let mut kept = Vec::with_capacity(tracks.len());
    let mut taken = Taken::default();
    for (index, track) in tracks.into_iter().enumerate() {
        findings.begin_scope();
        let path = Path::item("tracks", index);
        let (target, data) = track.into_parts();
        let data = finite(data, (&target.property, rules), &path, budget, findings)?;
        let rules = rules.of(&target.property);
        let is_channel = !matches!(target.property, Property::Custom(_)) && !data.is_empty();
        if is_channel && !taken.take(&target) {
            let node = shown(target.node.as_deref().unwrap_or_default()).to_string();
            let message = format!("{} of node \"{node}\"", target.property.name());
            let finding = Finding::new(codes::SECOND_TRACK_DROPPED, message);
            findings.push(finding.at(path));
            continue;
        }
        let window = (None, end);
        let data =
            cut_to(data, window, rules, shared::KEYS_AFTER_END_CUT, &path, budget, findings)?;
        let track = Track::new(target, data).map_err(|error| inconsistent(&error.to_string()))?;
        kept.push((index, track));
    }
    Ok(kept)
}

/// Cuts the part of tracks before time 0.
fn cut_before_0(
    tracks: impl ExactSizeIterator<Item = (usize, Track)>,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Vec<(usize, Track)>, WriteError> {
    let mut cut = Vec::with_capacity(tracks.len());
    for (index, track) in tracks {
        findings.begin_scope();
        let (target, data) = track.into_parts();
        let (path, window) = (Path::item("tracks", index), (Some(0.0), None));
        let code = shared::NEGATIVE_TIMES_CUT;
        let data = cut_to(data, window, RULES, code, &path, budget, findings)?;
        let track = Track::new(target, data).map_err(|error| inconsistent(&error.to_string()))?;
        cut.push((index, track));
    }
    Ok(cut)
}

/// The targets that have a track already: a channel has one track, or the components of one.
#[derive(Default)]
struct Taken(HashMap<(Text, Property), (Target, [bool; 3])>);

impl Taken {
    /// Returns whether a track is the first one of its target.
    fn take(&mut self, target: &Target) -> bool {
        let property = match &target.property {
            Property::RotationEuler(_) => Property::Rotation,
            property => property.clone(),
        };
        let axes = Axis::ALL.map(|axis| target.component.is_none_or(|own| own == axis));
        let name = target.node.clone().unwrap_or_default();
        match self.0.entry((name, property)) {
            Entry::Vacant(entry) => {
                entry.insert((target.clone(), axes));
                true
            }
            Entry::Occupied(mut entry) => {
                let (first, known) = entry.get_mut();
                // The components of one vector are joined.
                let joins = first.property == target.property && first.blend == target.blend;
                let is_free = !known.iter().zip(axes).any(|(known, own)| *known && own);
                if joins && is_free {
                    for (known, own) in known.iter_mut().zip(axes) {
                        *known |= own;
                    }
                }
                joins && is_free
            }
        }
    }
}

pub(super) fn inconsistent(what: &str) -> WriteError {
    let kind = inbetween_core::WriteErrorKind::Inconsistent { what: what.to_owned().into() };
    WriteError::new(ID, kind)
}

/// Replaces the index in a finding about the n-th of several tracks by the original index of that
/// track.
fn renumbered(finding: Finding, number: &impl Fn(usize) -> usize) -> Finding {
    use inbetween_core::Segment;
    let place = match finding.path.segments() {
        [Segment::Field("tracks"), Segment::Index(place)] => num::len_from_u64(*place),
        _ => return finding,
    };
    finding.at(Path::item("tracks", number(place)))
}

/// Returns the time at which playback ends, if the stated duration is exact.
fn exact_end(clip: &Animation) -> Option<f64> {
    let exact = clip.rules.stated_duration == StatedDuration::Exact;
    clip.duration.filter(|end| exact && *end > 0.0 && end.is_finite())
}

/// Cuts a track to the part that a sampler plays, and reports it.
fn cut_to(
    data: TrackData,
    window: (Option<f64>, Option<f64>),
    rules: Rules,
    code: Code,
    path: &Path,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<TrackData, WriteError> {
    let (start, end) = window;
    let early = start.is_some_and(|start| data.time(0).is_some_and(|time| time < start));
    let late = end.is_some_and(|end| data.end().is_some_and(|time| time > end));
    if !early && !late {
        return Ok(data);
    }
    let cut = cut(&data, window, rules, DEFAULT_BOUND, budget);
    let cut = cut.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
    findings.extend(cut.finding(code, path));
    Ok(cut.data)
}

/// Drops keys with numbers that JSON or programs do not support: values and tangents that are NaN
/// or infinite, and rotations of the length 0.
fn finite(
    data: TrackData,
    (property, rules): (&Property, Rules),
    path: &Path,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<TrackData, WriteError> {
    let rotates = |key: &usize| match data.values() {
        Values::FloatQ(column) => column.get(*key).is_some_and(|it| has_length(Quat::from(*it))),
        Values::DoubleQ(column) => column.get(*key).is_some_and(|it| has_length(*it)),
        _ => true,
    };
    let keys = 0..data.len();
    let has_numbers = data.tangents().is_none() && rows::are_finite(data.values());
    if has_numbers && keys.clone().all(|key| rotates(&key)) {
        return Ok(data);
    }
    let kept: Vec<usize> = keys.filter(|key| is_finite(&data, *key)).collect();
    let sound: Vec<usize> = kept.iter().copied().filter(rotates).collect();
    if sound.len() == data.len() {
        return Ok(data);
    }
    for (code, gone) in [
        (shared::VALUE_NOT_FINITE, data.len().saturating_sub(kept.len())),
        (codes::ROTATION_INVALID, kept.len().saturating_sub(sound.len())),
    ] {
        if gone > 0 {
            let finding = Finding::new(code, format!("{} dropped", counted(gone, "key")));
            findings.push(finding.at(path.clone()).count(num::u64_from_len(gone)));
        }
    }
    let loses_end = sound.last().copied() != data.len().checked_sub(1);
    let kept = gathered(data, &sound);
    if !loses_end {
        return Ok(kept);
    }
    // The new last key shaped the segment to a dropped key. It must not show its handle as a last
    // key does by some rules.
    let hidden = rules.with_last_bezier(LastBezier::Value);
    let ended = translate(kept, property, hidden, rules, budget);
    let failed = |error| WriteError::from_bake(ID, &error).at_path(path.clone());
    Ok(ended.map_err(failed)?.data)
}

fn has_length(rotation: Quat<f64>) -> bool {
    let length = rotation.length();
    length > 0.0 && length.is_finite()
}

fn is_finite(data: &TrackData, key: usize) -> bool {
    let finite = |values: &Values| {
        rows::numbers(values, key).is_none_or(|row| row.iter().all(|number| number.is_finite()))
    };
    let curves =
        |key: Option<usize>| key.is_some_and(|key| data.interpolation(key).needs_tangents());
    let used = curves(Some(key)) || curves(key.checked_sub(1));
    let sides = match data.tangents() {
        Some(Tangents::Values { left, right }) if used => finite(left) && finite(right),
        Some(Tangents::Handles { left, right }) if used => {
            let width = left.len().checked_div(data.len()).unwrap_or(0);
            let own = key.saturating_mul(width)..key.saturating_add(1).saturating_mul(width);
            let handles = [left.get(own.clone()), right.get(own)].into_iter().flatten().flatten();
            handles.into_iter().all(|handle| handle.value.is_finite())
        }
        _ => true,
    };
    finite(data.values()) && sides
}

/// Returns the keys at the given indices.
fn gathered(data: TrackData, indices: &[usize]) -> TrackData {
    let keys = data.len();
    let kind = data.kind();
    let times = indices.iter().map(|key| data.time(*key).unwrap_or(0.0)).collect();
    let (shape, values) = data.into_parts();
    let values = values.gather(indices);
    let made = match shape {
        Shape::Stepped { .. } => TrackData::stepped(times, values),
        Shape::Curve { interpolation, tangents, .. } => {
            let tangents = tangents.map(|tangents| tangents.gather(indices, keys));
            TrackData::curve(times, values, interpolation.gather(indices), tangents)
        }
        // An interval that is not a positive number shows only the first key.
        Shape::Uniform { interval } if !(interval > 0.0 && interval.is_finite()) => {
            return TrackData::uniform(interval, values);
        }
        _ => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
    };
    made.unwrap_or_else(|_| TrackData::empty(kind))
}
