//! Converts the tracks of a clip to a form that samplers can store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Axis, Baker, Bound, Budget, Code, Curves, Finding, Findings, Grid, Path, Property,
    Rules, Skeleton, StatedDuration, Target, Text, Track, TrackData, WriteError, codes as shared,
    cut, num, shown,
};

use super::finite::finite;
use super::keys::Samples;
use super::plain::PlainKeys;
use crate::layout::ID;
use crate::{RULES, codes};

/// A track to write.
pub(super) struct Prepared {
    /// The index in the clip.
    pub(super) index: usize,
    pub(super) target: Target,
    pub(super) keys: Keys,
}

/// The keys of a track to write.
pub(super) enum Keys {
    /// Keys that keep their values.
    Plain(Samples),
    /// Keys that a sampler may store only in another form.
    Data(TrackData),
}

/// Returns the tracks to write.
pub(super) fn tracks(
    clip: &mut Animation,
    skeleton: Option<Skeleton>,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Vec<Prepared>, WriteError> {
    let bound = Bound::new(Curves::Cubic).with_frame_rate(clip.frame_rate);
    let Kept { plain: mut prepared, others } = kept(clip, bound, budget, findings)?;
    findings.begin_scope();
    let (numbers, tracks): (Vec<usize>, Vec<Track>) = others.into_iter().unzip();
    let number = |place: usize| numbers.get(place).copied().unwrap_or(place);
    // Findings use indices among the remaining tracks, which differ from those of the clip only if
    // tracks were dropped or need no change.
    let path = |place: usize| Path::item("tracks", number(place));
    let failed = |error| WriteError::from_track(ID, &error, path);
    let tracks = translate_tracks(tracks, (clip.rules, RULES), path, findings).map_err(failed)?;
    let mut own = Findings::new(budget.limits());
    let baker = Baker::new(Grid::Bound(bound), budget).for_target(RULES);
    let lowered = Lowering { baker, skeleton }.lower(tracks, &mut own).map_err(failed)?;
    for finding in own.into_vec() {
        findings.begin_scope();
        findings.push(renumbered(finding, &number));
    }
    for (place, track) in lowered.numbered() {
        findings.begin_scope();
        let (target, data) = track.into_parts();
        let (index, window) = (number(place), (Some(0.0), None));
        let (path, code) = (Path::item("tracks", index), shared::NEGATIVE_TIMES_CUT);
        let data = cut_to(data, window, (RULES, bound), code, &path, budget, findings)?;
        prepared.push(Prepared { index, target, keys: Keys::Data(data) });
    }
    prepared.sort_by_key(|track| track.index);
    Ok(prepared)
}

/// The tracks that the file can store, with the keys that it can store.
struct Kept {
    /// Those whose keys keep their values.
    plain: Vec<Prepared>,
    /// All others, each with its index in the clip.
    others: Vec<(usize, Track)>,
}

/// Returns the tracks that the file can store.
fn kept(
    clip: &mut Animation,
    bound: Bound,
    budget: &mut Budget,
    findings: &mut Findings,
) -> Result<Kept, WriteError> {
    let (rules, end) = (clip.rules, exact_end(clip));
    let tracks = core::mem::take(&mut clip.tracks);
    let mut kept = Kept { plain: Vec::with_capacity(tracks.len()), others: Vec::new() };
    let (mut taken, mut times) = (Taken::default(), None);
    for (index, track) in tracks.into_iter().enumerate() {
        findings.begin_scope();
        let path = Path::item("tracks", index);
        let plain = plain_keys(&track, rules, end, &mut times);
        let (target, mut data) = track.into_parts();
        if plain.is_none() {
            data = finite(data, (&target.property, rules), &path, findings)?;
        }
        let is_channel = !matches!(target.property, Property::Custom(_)) && !data.is_empty();
        if is_channel && !taken.take(&target) {
            findings.push(second_track(&target).at(path));
            continue;
        }
        if let Some(keys) = plain {
            findings.extend(keys.finding(&path));
            let keys = keys.sampler(data).map(Keys::Plain);
            kept.plain.extend(keys.map(|keys| Prepared { index, target, keys }));
            continue;
        }
        let (window, rules) = ((None, end), rules.of(&target.property));
        let (rules, code) = ((rules, bound), shared::KEYS_AFTER_END_CUT);
        let data = cut_to(data, window, rules, code, &path, budget, findings)?;
        let track = Track::new(target, data).map_err(|error| inconsistent(&error.to_string()))?;
        kept.others.push((index, track));
    }
    Ok(kept)
}

/// Returns the keys of a track whose values no later step changes; `None` if one may.
///
/// `times` are those of the last such track.
fn plain_keys(
    track: &Track,
    rules: Rules,
    end: Option<f64>,
    times: &mut Option<Rc<[f32]>>,
) -> Option<PlainKeys> {
    let (target, data) = (track.target(), track.data());
    // Other rules play linear and held segments differently only if their slerp differs.
    let is_stored = match target.property {
        Property::Rotation => rules.slerp == RULES.slerp,
        Property::Translation | Property::Scale => target.component.is_none(),
        _ => false,
    };
    let is_late = end.zip(data.end()).is_some_and(|(end, last)| last > end);
    if is_stored && !is_late { PlainKeys::of(data, times) } else { None }
}

pub(super) fn second_track(target: &Target) -> Finding {
    let node = shown(target.node.as_deref().unwrap_or_default()).to_string();
    let message = format!("{} of node \"{node}\"", target.property.name());
    Finding::new(codes::SECOND_TRACK_DROPPED, message)
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
    (rules, bound): (Rules, Bound),
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
    let cut = cut(&data, window, rules, bound, budget);
    let cut = cut.map_err(|error| WriteError::from_bake(ID, &error).at_path(path.clone()))?;
    findings.extend(cut.findings(code, path));
    Ok(cut.data)
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Interpolation, Interpolations, Limits, Quat, Values};

    use super::*;

    fn track(node: &str, property: Property, times: &[f64], values: Values) -> Track {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(times.to_vec(), values, linear, None).unwrap();
        Track::new(Target::new(node, property), data).unwrap()
    }

    fn place(node: &str, times: &[f64]) -> Track {
        track(node, Property::Translation, times, vec![[0.0_f32; 3]; times.len()].into())
    }

    fn prepared(clip: &mut Animation) -> (Vec<(usize, bool)>, Vec<String>) {
        let mut findings = Findings::new(&Limits::default());
        let mut budget = Budget::new(&Limits::default(), 0);
        let tracks = tracks(clip, None, &mut budget, &mut findings).unwrap();
        let indices = tracks.iter().map(|it| (it.index, matches!(it.keys, Keys::Plain(_))));
        let findings = findings.into_vec();
        let findings = findings.iter().map(|it| format!("{} {}", it.code.id(), it.path));
        (indices.collect(), findings.collect())
    }

    #[test]
    fn tracks_that_stay_as_they_are_keep_their_places_among_others() {
        let turn = |w: f32| Values::from(vec![Quat { x: 0.0, y: 0.0, z: 0.0, w }]);
        let component = place("d", &[0.0]).into_parts().0.with_component(Axis::Y);
        let numbers = TrackData::stepped(vec![0.0], vec![1.0_f32]).unwrap();
        let tracks = vec![
            place("a", &[-1.0, 1.0]),
            place("b", &[0.0, 1.0]),
            place("b", &[0.0, 1.0]),
            track("b", Property::Rotation, &[0.0], turn(1.0)),
            track("c", Property::Rotation, &[0.0], turn(2.0)),
            Track::new(component, numbers).unwrap(),
            place("c", &[0.0, 9.0]),
            place("a", &[0.0]),
        ];
        let (indices, findings) = prepared(&mut Animation::new(tracks));
        let expected = [(0, false), (1, true), (3, true), (4, false), (5, false), (6, true)];
        assert_eq!(indices, expected);
        let expected = [
            "gltf/second-track-dropped tracks[2]",
            "gltf/second-track-dropped tracks[7]",
            "convert/axes-missing tracks[5]",
            "convert/components-joined tracks[5]",
            "convert/negative-times-cut tracks[0]",
        ];
        assert_eq!(findings, expected);
    }

    #[test]
    fn tracks_that_play_by_other_rules_or_end_late_do_not_stay() {
        let turn = || {
            let turns = vec![Quat::<f32>::IDENTITY; 2];
            track("a", Property::Rotation, &[0.0, 1.0], turns.into())
        };
        let tracks = || vec![turn(), place("a", &[0.0, 1.0])];
        let raw = Rules::LINEAR.with_slerp(inbetween_core::Slerp::Raw);
        let (indices, _) = prepared(&mut Animation::new(tracks()).with_rules(raw));
        assert_eq!(indices, [(0, false), (1, true)]);
        let exact = Rules::LINEAR.with_stated_duration(StatedDuration::Exact);
        let mut clip = Animation::new(tracks()).with_rules(exact);
        clip.duration = Some(0.5);
        let (indices, findings) = prepared(&mut clip);
        assert_eq!((indices, findings.len()), (vec![(0, false), (1, false)], 2));
    }
}
