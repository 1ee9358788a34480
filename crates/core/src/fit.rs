//! Makes clips fit what a format stores, for all formats in one way.

mod finite;
mod head;
mod once;

use std::rc::Rc;

pub use self::head::{dropped_scene, dropped_skeleton};
use self::once::Once;
use crate::bake::choose_rate;
use crate::bake::lower::{Lowering, translate_tracks};
use crate::stores::{CurveForm, Head, Numbers, Stores, Times};
use crate::{
    Animation, Baker, Bound, Context, Curves, Document, Finding, FrameKeys, Framer, Grid,
    Narrowing, RateGuess, Rules, Skeleton, Track, TrackData, Values, WriteError, codes, counted,
    cut,
};

/// Makes the clips of a document fit what a format stores, and reports what changes or is lost.
///
/// What fits already passes through untouched. A clip is changed in this order:
///
/// 1. The parts of its head without a place are dropped.
/// 2. Tracks without a place are dropped.
/// 3. Keys with numbers that the format does not store are dropped.
/// 4. Second tracks of a target are dropped, if only one has a place.
/// 5. The part after the end is cut, if the engine of the format would play it. A format with frames
///    plays longer instead, since the end is rarely on a frame.
/// 6. Keys are translated to the rules of that engine.
/// 7. Components are joined, and Euler angles and handles are converted.
/// 8. The part before 0 is cut, if it has no place.
/// 9. Tracks without keys are dropped, if they have no place.
///
/// # Examples
///
/// ```
/// use inbetween_core::stores::{Head, Stores};
/// use inbetween_core::{Animation, Budget, Context, Document, Fit, Limits, Rules};
///
/// let stores = Stores { head: &[Head::FrameRate], ..Stores::ALL };
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let mut context = Context::new(&mut budget);
/// let mut document = Document::single(Animation::default().with_name("walk"));
/// let fit = Fit::new(stores, Rules::LINEAR, &mut document, &mut context);
/// let fitted = fit.clip(document.into_single()?, &mut context)?;
/// assert_eq!(fitted.head.name, None);
/// assert_eq!(context.findings.into_vec()[0].code.id(), "convert/name-dropped");
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Fit {
    stores: Stores,
    rules: Rules,
    skeleton: Option<Rc<Skeleton>>,
    /// The frame rate for clips that state none.
    rate: RateGuess,
}

/// A clip that fits a format.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The clip without its tracks.
    pub head: Animation,
    /// The tracks, each with its index in the clip; a joined track has that of its first component.
    pub tracks: Vec<(usize, Track)>,
    /// For how many seconds the clip plays.
    pub plays: f64,
}

impl Fit {
    /// Starts with what a format stores, the rules by which its engine plays, and the document to
    /// write. Takes the skeleton of the document: the rest pose, which axes without a track hold. It
    /// is reported if the format stores none, and so are the other parts of the file that the
    /// document comes from. If the format stores frames, clips without a frame rate get one
    /// [rate](RateGuess) that fits all of them.
    pub fn new(
        stores: Stores,
        rules: Rules,
        document: &mut Document,
        context: &mut Context<'_>,
    ) -> Self {
        context.findings.extend(dropped_scene(document.origin.as_ref(), stores));
        let skeleton = document.skeleton.take();
        if let Some(skeleton) = skeleton.as_ref().filter(|_| !stores.has(Head::Skeleton)) {
            context.findings.push(dropped_skeleton(skeleton));
        }
        let rate = document.rate_guess.take().unwrap_or_else(|| {
            let mut guess = RateGuess::default();
            stores.guess_rate(&document.clips, &mut guess);
            guess
        });
        Self { stores, rules, skeleton: skeleton.map(Rc::new), rate }
    }

    /// Returns the fit for other rules, if the writer changes the keys once more.
    #[must_use]
    pub fn with_rules(&self, rules: Rules) -> Self {
        Self { rules, ..self.clone() }
    }

    /// Returns the skeleton of the document.
    pub fn skeleton(&self) -> Option<&Skeleton> {
        self.skeleton.as_deref()
    }

    /// Makes a clip fit a format with times in seconds.
    ///
    /// # Errors
    ///
    /// If the new keys cost more than the budget has, or the system has no memory for them.
    pub fn clip(&self, clip: Animation, context: &mut Context<'_>) -> Result<Fitted, WriteError> {
        let bound = self.bound(&clip);
        Ok(self.fit(clip, Grid::Bound(bound), context)?.0)
    }

    /// Makes a clip fit a format with times in frames, and returns what converts its tracks to
    /// frames: at the asked rate, at that of the clip, or at the guessed one.
    ///
    /// # Errors
    ///
    /// Same as [`clip`](Self::clip), and if the last key is beyond the last frame that `u32` can
    /// count.
    pub fn frames(
        &self,
        clip: Animation,
        asked: Option<f64>,
        context: &mut Context<'_>,
    ) -> Result<(Fitted, Framer), WriteError> {
        let rate = choose_rate(&clip, asked, &self.rate, context);
        let clock = clip.rules.clock;
        let grid = Grid::Frames(rate, FrameKeys::Needed);
        let (fitted, lowering) = self.fit(clip, grid, context)?;
        let framer = Framer::new(lowering, rate).resample(asked.is_some()).clock(clock);
        Ok((fitted, framer))
    }

    fn fit(
        &self,
        mut clip: Animation,
        grid: Grid,
        context: &mut Context<'_>,
    ) -> Result<(Fitted, Lowering), WriteError> {
        let plays = clip.effective_duration();
        head::drop_parts(&mut clip, self.stores, context);
        let tracks = self.with_place(clip.take_tracks(), context);
        let tracks = self.finite(tracks, clip.rules, context)?;
        let tracks = self.once(tracks, context);
        let tracks = self.until_end(tracks, (&clip, plays), context)?;
        let tracks = translate_tracks(tracks, (clip.rules, self.rules), context)?;
        let baker = Baker::new(grid).for_target(self.rules);
        let lowering = Lowering { baker, skeleton: self.skeleton.clone(), stores: self.stores };
        let tracks = lowering.lower(tracks, context)?;
        // Baking may overflow.
        let tracks = self.finite(tracks, self.rules, context)?;
        let tracks = self.since_zero(tracks, self.bound(&clip), context)?;
        let tracks = self.with_keys(tracks, context);
        Ok((Fitted { head: clip, tracks, plays }, lowering))
    }

    /// Returns the bound of new keys.
    fn bound(&self, clip: &Animation) -> Bound {
        let curves = match self.stores.curves {
            CurveForm::Lines => Curves::Linear,
            CurveForm::Tangents | CurveForm::Handles => Curves::Cubic,
        };
        Bound::new(curves).with_frame_rate(clip.frame_rate)
    }

    /// Drops tracks that have no place in the file.
    fn with_place(
        &self,
        tracks: Vec<(usize, Track)>,
        context: &mut Context<'_>,
    ) -> Vec<(usize, Track)> {
        without(tracks, context, |track| {
            (!self.stores.has_place(track)).then(|| dropped_track(track.data()))
        })
    }

    /// Drops second tracks of a target, if only one has a place.
    fn once(&self, tracks: Vec<(usize, Track)>, context: &mut Context<'_>) -> Vec<(usize, Track)> {
        let mut once = Once::new(self.stores.targets);
        without(tracks, context, |track| {
            let stays = track.data().is_empty() || once.take(track.target());
            let keys = counted(track.data().len(), "key");
            (!stays).then(|| Finding::new(codes::SECOND_TRACK_DROPPED, keys))
        })
    }

    /// Drops tracks without keys, if they have no place in the file.
    fn with_keys(
        &self,
        mut tracks: Vec<(usize, Track)>,
        context: &mut Context<'_>,
    ) -> Vec<(usize, Track)> {
        tracks.retain(|(index, track)| {
            let stays = !track.data().is_empty() || (self.stores.empty_track)(track.target());
            if !stays {
                // One finding about all of them, at the first one.
                context.findings.name_track(*index, track.target());
                context.say(codes::EMPTY_TRACKS_DROPPED, "a track without keys");
            }
            stays
        });
        context.findings.leave();
        tracks
    }

    /// Drops numbers that the format does not store.
    fn finite(
        &self,
        tracks: Vec<(usize, Track)>,
        rules: Rules,
        context: &mut Context<'_>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        let is_sound = |(_, track): &(usize, Track)| finite::is_sound(track.data(), self.stores);
        if self.stores.numbers == Numbers::All || tracks.iter().all(is_sound) {
            return Ok(tracks);
        }
        context.tracks(tracks, |context, target, data| {
            Ok(finite::keep(data, (&target.property, rules), self.stores, context)?)
        })
    }

    /// Cuts the part of tracks after the end of a clip that plays for some seconds, if its engine
    /// stops there and that of the format plays on to the last key.
    fn until_end(
        &self,
        tracks: Vec<(usize, Track)>,
        (clip, end): (&Animation, f64),
        context: &mut Context<'_>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        let is_late = |data: &TrackData| data.end().is_some_and(|last| last > end);
        if self.stores.times == Times::Frames
            || clip.rules.stated_duration == self.rules.stated_duration
            || !tracks.iter().any(|(_, track)| is_late(track.data()))
        {
            return Ok(tracks);
        }
        let bound = self.bound(clip);
        context.tracks(tracks, |context, target, data| {
            if !is_late(&data) {
                return Ok(data);
            }
            let rules = clip.rules.of(&target.property);
            let cut = cut(&data, (None, Some(end)), rules, bound, context.budget)?;
            context.findings.extend(cut.findings(codes::KEYS_AFTER_END_CUT));
            Ok(cut.data)
        })
    }

    /// Cuts the part of tracks before 0, if it has no place in the file. On frames, that is part of
    /// moving keys to frames.
    fn since_zero(
        &self,
        tracks: Vec<(usize, Track)>,
        bound: Bound,
        context: &mut Context<'_>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        let is_early = |data: &TrackData| data.time(0).is_some_and(|time| time < 0.0);
        if self.stores.times != Times::FromZero
            || !tracks.iter().any(|(_, track)| is_early(track.data()))
        {
            return Ok(tracks);
        }
        context.tracks(tracks, |context, target, data| {
            if !is_early(&data) {
                return Ok(data);
            }
            let rules = self.rules.of(&target.property);
            let cut = cut(&data, (Some(0.0), None), rules, bound, context.budget)?;
            context.findings.extend(cut.findings(codes::NEGATIVE_TIMES_CUT));
            Ok(cut.data)
        })
    }
}

/// Drops the tracks of which `loss` is a finding, and reports it.
fn without(
    mut tracks: Vec<(usize, Track)>,
    context: &mut Context<'_>,
    mut loss: impl FnMut(&Track) -> Option<Finding>,
) -> Vec<(usize, Track)> {
    tracks.retain(|(index, track)| match loss(track) {
        None => true,
        Some(finding) => {
            context.findings.enter_track(*index, track.target());
            context.findings.push(finding);
            context.findings.leave();
            false
        }
    });
    tracks
}

/// Returns the finding about a track that has no place in a file.
pub fn dropped_track(data: &TrackData) -> Finding {
    let (kind, shape, keys) = (data.kind(), data.shape().name(), counted(data.len(), "key"));
    Finding::new(codes::TRACK_DROPPED, format!("{kind} {shape}, {keys}"))
}

/// Returns the values of transforms and weights as `f32`, for a format that stores no `f64`, and
/// reports it. Values of other kinds are unchanged.
pub fn narrow(values: Values, context: &mut Context<'_>) -> Values {
    let (kind, mut narrowing) = (values.kind(), Narrowing::default());
    let narrow: Values = match values {
        Values::Double(column) => {
            let narrow = |wide| narrowing.number(wide);
            column.into_iter().map(narrow).collect::<Vec<_>>().into()
        }
        Values::Double3(column) => {
            let narrow = |wide: [f64; 3]| wide.map(|wide| narrowing.number(wide));
            column.into_iter().map(narrow).collect::<Vec<_>>().into()
        }
        Values::DoubleQ(column) => {
            let narrow = |wide| narrowing.rotation(wide);
            column.into_iter().map(narrow).collect::<Vec<_>>().into()
        }
        stored => return stored,
    };
    if narrowing.changes() {
        context.findings.extend(narrowing.findings("values"));
    } else if !narrow.is_empty() {
        context.say(codes::KIND_NARROWED, format!("{kind} values"));
    }
    narrow
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::{Rotations, Targets};
    use crate::{
        Axis, Budget, Interpolation, Interpolations, Limits, Property, Quat, StatedDuration, Target,
    };

    const STORES: Stores = Stores {
        targets: Targets::Once,
        component: |_| false,
        rotations: Rotations::Directions,
        curves: CurveForm::Tangents,
        times: Times::FromZero,
        numbers: Numbers::Finite,
        ..Stores::ALL
    };

    fn track(node: &str, property: Property, times: &[f64], values: Values) -> Track {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(times.to_vec(), values, linear, None).unwrap();
        Track::new(Target::new(node, property), data).unwrap()
    }

    fn place(node: &str, times: &[f64]) -> Track {
        track(node, Property::Translation, times, vec![[0.0_f32; 3]; times.len()].into())
    }

    fn fitted(stores: Stores, clip: Animation) -> (Fitted, Vec<String>) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let mut document = Document::single(clip);
        let fit = Fit::new(stores, Rules::LINEAR, &mut document, &mut context);
        let fitted = fit.clip(document.into_single().unwrap(), &mut context).unwrap();
        let findings = context.findings.into_vec();
        let named = findings.iter().map(|it| format!("{} {}", it.code.id(), it.place));
        (fitted, named.collect())
    }

    #[test]
    fn tracks_keep_their_order_and_their_indices() {
        let turn = |w: f32| Values::from(vec![Quat { x: 0.0, y: 0.0, z: 0.0, w }]);
        let component = place("d", &[0.0]).into_parts().0.with_component(Axis::Y);
        let numbers = TrackData::stepped(vec![0.0], vec![1.0_f32]).unwrap();
        let tracks = vec![
            place("a", &[-1.0, 1.0]),
            place("b", &[0.0, 1.0]),
            place("b", &[0.0, 1.0]),
            track("b", Property::Rotation, &[0.0], turn(1.0)),
            Track::new(component, numbers).unwrap(),
            place("a", &[0.0]),
        ];
        let (fitted, findings) = fitted(STORES, Animation::new(tracks));
        let indices: Vec<_> = fitted.tracks.iter().map(|(index, _)| *index).collect();
        assert_eq!(indices, [0, 1, 3, 4]);
        let expected = [
            "convert/second-track-dropped b/Position",
            "convert/second-track-dropped a/Position",
            "convert/axes-missing d/Position",
            "convert/components-joined d/Position",
            "convert/negative-times-cut a/Position",
        ];
        assert_eq!(findings, expected);
    }

    #[test]
    fn components_of_a_node_in_two_spellings_are_not_joined() {
        let axis = |node: &str, axis| {
            let target = Target::new(node, Property::Scale).with_component(axis);
            Track::new(target, TrackData::stepped(vec![0.0], vec![1.0_f32]).unwrap()).unwrap()
        };
        let tracks = vec![axis("spine", Axis::X), axis("SPINE", Axis::Y), axis("spine", Axis::Y)];
        let kept = |targets| {
            let stores = Stores { targets, ..Stores::ALL };
            fitted(stores, Animation::new(tracks.clone())).0.tracks.len()
        };
        assert_eq!((kept(Targets::OnceInAnyCase), kept(Targets::Once)), (2, 3));
    }

    #[test]
    fn the_part_after_the_end_is_cut_if_only_the_source_stops_there() {
        let exact = Rules::LINEAR.with_stated_duration(StatedDuration::Exact);
        let clip = |rules| {
            let clip = Animation::new(vec![place("a", &[0.0, 1.0])]);
            clip.with_rules(rules).with_duration(0.5)
        };
        let ends = |rules| {
            let (fitted, findings) = fitted(STORES, clip(rules));
            (fitted.tracks[0].1.data().end(), fitted.plays, findings.len())
        };
        assert_eq!(ends(exact), (Some(0.5), 0.5, 1));
        assert_eq!(ends(Rules::LINEAR), (Some(1.0), 1.0, 0));
    }

    #[test]
    fn what_has_no_place_is_dropped() {
        let stores = Stores {
            head: &[],
            track: |target, _| target.property != Property::Scale,
            empty_track: |_| false,
            ..Stores::ALL
        };
        let scale = track("a", Property::Scale, &[0.0], vec![[1.0_f32; 3]].into());
        let clip = Animation::new(vec![scale, place("a", &[0.0]), place("b", &[])]);
        let clip = clip.with_name("walk").with_frame_rate(24.0);
        let (fitted, findings) = fitted(stores, clip);
        assert_eq!((fitted.tracks.len(), fitted.head.name), (1, None));
        let expected = [
            "convert/name-dropped ",
            "convert/frame-rate-dropped ",
            "convert/track-dropped a/Scale",
            "convert/empty-tracks-dropped b/Position",
        ];
        assert_eq!(findings, expected);
    }
}
