//! Converts the tracks of a clip to a form that samplers can store.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Axis, BakeError, Baker, Bound, Code, Context, Curves, Finding, Grid, Property,
    Rules, Skeleton, StatedDuration, Target, Text, Track, TrackData, WriteError, codes as shared,
    cut, shown,
};

use super::finite::finite;
use super::keys::Samples;
use super::plain::PlainKeys;
use crate::RULES;

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
    context: &mut Context<'_>,
) -> Result<Vec<Prepared>, WriteError> {
    let bound = Bound::new(Curves::Cubic).with_frame_rate(clip.frame_rate);
    let Kept { plain: mut prepared, others } = kept(clip, bound, context)?;
    let others = translate_tracks(others, (clip.rules, RULES), context)?;
    let baker = Baker::new(Grid::Bound(bound)).for_target(RULES);
    let lowered = Lowering { baker, skeleton }.lower(others, context)?;
    for (index, track) in lowered {
        let (target, data) = track.into_parts();
        let data = context.track(index, &target, |context| {
            let (window, code) = ((Some(0.0), None), shared::NEGATIVE_TIMES_CUT);
            Ok(cut_to(data, window, (RULES, bound), code, context)?)
        })?;
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
fn kept(clip: &mut Animation, bound: Bound, context: &mut Context<'_>) -> Result<Kept, WriteError> {
    let (rules, end) = (clip.rules, exact_end(clip));
    let tracks = core::mem::take(&mut clip.tracks);
    let mut kept = Kept { plain: Vec::with_capacity(tracks.len()), others: Vec::new() };
    let mut filter = Filter { rules, end, bound, taken: Taken::default() };
    let mut times = None;
    for (index, track) in tracks.into_iter().enumerate() {
        let plain = plain_keys(&track, rules, end, &mut times);
        let (target, data) = track.into_parts();
        let keys =
            context.track(index, &target, |context| filter.keys(&target, data, plain, context))?;
        match keys {
            Some(Keys::Data(data)) => {
                kept.others.push((index, Track::new(target, data)?));
            }
            Some(keys) => kept.plain.push(Prepared { index, target, keys }),
            None => {}
        }
    }
    Ok(kept)
}

/// Drops the keys of a clip that the file cannot store.
struct Filter {
    rules: Rules,
    /// The time at which playback ends, if the stated duration is exact.
    end: Option<f64>,
    bound: Bound,
    taken: Taken,
}

impl Filter {
    /// Returns the keys to write of a track, and reports the others.
    fn keys(
        &mut self,
        target: &Target,
        mut data: TrackData,
        plain: Option<PlainKeys>,
        context: &mut Context<'_>,
    ) -> Result<Option<Keys>, WriteError> {
        if plain.is_none() {
            data = finite(data, (&target.property, self.rules), context)?;
        }
        let is_channel = !matches!(target.property, Property::Custom(_)) && !data.is_empty();
        if is_channel && !self.taken.take(target) {
            context.findings.push(second_track(target));
            return Ok(None);
        }
        if let Some(keys) = plain {
            context.findings.extend(keys.finding());
            return Ok(keys.sampler(data).map(Keys::Plain));
        }
        let (window, rules) = ((None, self.end), self.rules.of(&target.property));
        let code = shared::KEYS_AFTER_END_CUT;
        Ok(Some(Keys::Data(cut_to(data, window, (rules, self.bound), code, context)?)))
    }
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
    Finding::new(shared::SECOND_TRACK_DROPPED, message)
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
    context: &mut Context<'_>,
) -> Result<TrackData, BakeError> {
    let (start, end) = window;
    let early = start.is_some_and(|start| data.time(0).is_some_and(|time| time < start));
    let late = end.is_some_and(|end| data.end().is_some_and(|time| time > end));
    if !early && !late {
        return Ok(data);
    }
    let cut = cut(&data, window, rules, bound, context.budget)?;
    context.findings.extend(cut.findings(code));
    Ok(cut.data)
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Interpolation, Interpolations, Limits, Quat, Values};

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
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let tracks = tracks(clip, None, &mut context).unwrap();
        let indices = tracks.iter().map(|it| (it.index, matches!(it.keys, Keys::Plain(_))));
        let findings = context.findings.into_vec();
        let findings = findings.iter().map(|it| {
            let track = it.place.track.as_ref().unwrap();
            format!("{} {} {track}", it.code.id(), track.index)
        });
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
            "convert/second-track-dropped 2 b/Position",
            "convert/second-track-dropped 7 a/Position",
            "convert/axes-missing 5 d/Position",
            "convert/components-joined 5 d/Position",
            "convert/negative-times-cut 0 a/Position",
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
