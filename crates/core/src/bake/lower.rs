//! Converts tracks to a form that most formats can store.
//!
//! Formats that store only whole vectors, quaternions and value tangents use it: scalar tracks of
//! one property are joined, Euler angles become quaternions, and handles become control points.

mod components;

use std::rc::Rc;

pub use components::{GroupedKeys, Rest, TrackGroup, group_components};

use crate::stores::{CurveForm, Stores};
use crate::{
    BakeError, Baked, Baker, Code, Context, Finding, Grid, Property, Rules, Skeleton, Tangents,
    Target, Track, TrackData, WriteError, codes, counted, num,
};

/// Converts tracks to whole vectors, quaternions and value tangents.
#[derive(Clone, Debug)]
pub struct Lowering {
    /// Creates the keys: on which grid and for which rules.
    pub baker: Baker,
    /// The rest pose, which axes without a track hold.
    pub skeleton: Option<Rc<Skeleton>>,
    /// What the target stores.
    pub stores: Stores,
}

/// Changes keys that were made for one set of rules so that they play the same by another, and
/// reports the changes. Each track comes with its index in the clip.
///
/// # Errors
///
/// Same as [`translate`](crate::translate).
pub fn translate_tracks(
    tracks: Vec<(usize, Track)>,
    (from, to): (Rules, Rules),
    context: &mut Context<'_>,
) -> Result<Vec<(usize, Track)>, WriteError> {
    if from == to {
        return Ok(tracks);
    }
    context.tracks(tracks, |context, target, data| {
        let translated = super::translate(data, &target.property, from, to)?;
        context.findings.extend(translated.findings());
        Ok(translated.data)
    })
}

impl Lowering {
    /// Returns the tracks without the components, Euler angles and handles that the target does not
    /// store, and reports each that changes. They must already play by the rules of the baker's
    /// target.
    ///
    /// Each track comes with its index in the clip; a joined track has that of its first component.
    ///
    /// # Errors
    ///
    /// If the new keys cost more than the budget has, the last key is beyond the last frame that
    /// `u32` can count, or the rate or the bound is not a positive number.
    pub fn lower(
        &self,
        tracks: Vec<(usize, Track)>,
        context: &mut Context<'_>,
    ) -> Result<Vec<(usize, Track)>, WriteError> {
        if !tracks.iter().any(|(_, track)| self.changes(track)) {
            return Ok(tracks);
        }
        let joined = self.join(tracks, context)?.into_iter().map(|(index, track)| {
            let (target, data) = track.into_parts();
            let place = target.clone();
            let lowered =
                context.track(index, &place, |context| Ok(self.track(target, data, context)?));
            Ok((index, lowered?))
        });
        joined.collect()
    }

    fn changes(&self, track: &Track) -> bool {
        let target = track.target();
        let stores = &self.stores;
        let angles = matches!(target.property, Property::RotationEuler(_));
        (target.component.is_some() && !(stores.component)(target))
            || (angles && !stores.rotations.has_angles())
            || self.converts_handles(track.data())
    }

    /// Returns whether the keys of a track have handles that become control points. On frames, the
    /// curves are sampled anyway.
    fn converts_handles(&self, data: &TrackData) -> bool {
        self.stores.curves == CurveForm::Tangents
            && matches!(data.tangents(), Some(Tangents::Handles { .. }))
    }

    /// Replaces the keys of a track, and reports it.
    ///
    /// `what` describes the keys.
    ///
    /// # Errors
    ///
    /// If the keys cost more than the budget has, the last key is beyond the last frame that `u32`
    /// can count, or the rate or the bound is not a positive number.
    pub fn bake(
        &self,
        data: &TrackData,
        code: Code,
        what: &str,
        context: &mut Context<'_>,
    ) -> Result<TrackData, BakeError> {
        let baked = self.baker.same_kind(data, self.baker.target, context.budget)?;
        Ok(self.report(code, what, data, baked, context))
    }

    /// Bakes the properties of the track that the target cannot keep.
    fn track(
        &self,
        target: Target,
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<Track, BakeError> {
        let order = match &target.property {
            Property::RotationEuler(order) if !self.stores.rotations.has_angles() => *order,
            _ if self.converts_handles(&data) && !data.is_empty() => {
                let keys = data.len();
                let (data, rounded) = super::handles_to_values(data)?;
                let message = format!("handles of {} became control points", counted(keys, "key"));
                context.say(codes::HANDLES_CONVERTED, message);
                if rounded > 0 {
                    context.say(codes::VALUES_NARROWED, counted(rounded, "handle"));
                }
                return Ok(Track::trusted(target, data));
            }
            _ => return Ok(Track::trusted(target, data)),
        };
        let target = Target { property: Property::Rotation, ..target };
        let baked = self.baker.quaternions(&data, order, self.baker.target, context.budget)?;
        if data.is_empty() {
            return Ok(Track::trusted(target, baked.data));
        }
        let what = "of angles (error in radians)";
        let baked = self.report(codes::EULER_BAKED, what, &data, baked, context);
        Ok(Track::trusted(target, baked))
    }

    /// Reports the changes of baking and returns the new keys.
    fn report(
        &self,
        code: Code,
        what: &str,
        data: &TrackData,
        baked: Baked,
        context: &mut Context<'_>,
    ) -> TrackData {
        let (before, after) = (data.len(), baked.data.len());
        let message = format!("{} {what} became {after}", counted(before, "key"));
        context.findings.extend(baked.findings(code, &message));
        let early = (0..before).filter(|&key| data.time(key).is_some_and(|time| time < 0.0));
        let early = early.count();
        // Only frames start at 0.
        if early > 0 && matches!(self.baker.grid, Grid::Frames(..)) {
            let finding = Finding::new(codes::NEGATIVE_TIMES_CUT, counted(early, "key"));
            context.findings.push(finding.count(num::u64_from_len(early)));
        }
        baked.data
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::Rotations;
    use crate::{
        Axis, Bound, Budget, Curves, EulerOrder, FrameKeys, Handle, Interpolation, Interpolations,
        Limits, Quat, Value, ValueKind, Values,
    };

    const RULES: Rules = Rules::LINEAR
        .with_clock(crate::Clock::F32)
        .with_last_bezier(crate::LastBezier::RightHandle);

    const STORES: Stores = Stores {
        component: |_| false,
        rotations: Rotations::Quaternions,
        curves: CurveForm::Tangents,
        ..Stores::ALL
    };

    const BOUND: Grid = Grid::Bound(Bound::new(Curves::Linear).with_error(0.01));

    fn plain(tracks: Vec<Track>, context: &mut Context<'_>) -> Vec<(usize, Track)> {
        let tracks = tracks.into_iter().enumerate().collect();
        translate_tracks(tracks, (RULES, Rules::LINEAR), context).unwrap()
    }

    fn lower(tracks: Vec<Track>) -> (Vec<Track>, Vec<&'static str>) {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, 0);
        let mut context = Context::new(&mut budget);
        let tracks = plain(tracks, &mut context);
        let baker = Baker::new(Grid::Frames(30.0, FrameKeys::Needed));
        let tracks =
            Lowering { baker, skeleton: None, stores: STORES }.lower(tracks, &mut context).unwrap();
        let tracks = tracks.into_iter().map(|(_, track)| track).collect();
        let codes = context.findings.into_vec().iter().map(|finding| finding.code.id()).collect();
        (tracks, codes)
    }

    fn curve(times: Vec<f64>, values: impl Into<Values>, each: Interpolation) -> TrackData {
        TrackData::curve(times, values, Interpolations::Shared(each), None).unwrap()
    }

    fn component(axis: Axis, data: TrackData) -> Track {
        let target = Target { component: Some(axis), ..Target::new("a", Property::Scale) };
        Track::new(target, data).unwrap()
    }

    #[test]
    fn linear_components_get_keys_at_the_times_of_all_keys() {
        let x = curve(vec![0.0, 2.0], vec![0.0_f32, 4.0], Interpolation::Linear);
        let z = curve(vec![1.0], vec![7.0_f32], Interpolation::Linear);
        let (tracks, codes) = lower(vec![component(Axis::X, x), component(Axis::Z, z)]);
        assert_eq!(codes, ["convert/axes-missing", "convert/components-joined"]);
        let data = tracks[0].data();
        assert_eq!(
            *data.values(),
            vec![[0.0_f32, 1.0, 7.0], [2.0, 1.0, 7.0], [4.0, 1.0, 7.0]].into()
        );
        assert_eq!((tracks.len(), data.time(1)), (1, Some(1.0)));
    }

    #[test]
    fn a_jump_gets_a_key_on_the_frame_before_it() {
        let x = curve(vec![0.0, 0.1], vec![0.0_f32, 4.0], Interpolation::Hold);
        let (tracks, _) = lower(vec![component(Axis::X, x)]);
        let data = tracks[0].data();
        let keys: Vec<_> = data.keys().collect();
        let shown = |x| Value::Float3([x, 1.0, 1.0]);
        assert_eq!(keys, [(0.0, shown(0.0)), (2.0 / 30.0, shown(0.0)), (0.1, shown(4.0))]);
    }

    #[test]
    fn a_curved_component_gets_a_key_on_every_frame() {
        let handle = |value| Handle { time: 0.0, value };
        let side = |value| vec![handle(value), handle(value)];
        let handles = Tangents::Handles { left: side(4.0), right: side(0.0) };
        let bezier = Interpolations::Shared(Interpolation::Bezier);
        let x = TrackData::curve(vec![0.0, 0.1], vec![0.0_f32, 4.0], bezier, Some(handles));
        let rules = Rules::LINEAR;
        let mut budget = Budget::new(&Limits::default(), 0);
        let maker = Baker::new(Grid::Frames(30.0, FrameKeys::Needed));
        let baked = maker.same_kind(&x.unwrap(), rules, &mut budget).unwrap();
        // 3t² - 2t³ at thirds, times 4.
        let expected = [0.0, 4.0 * 7.0 / 27.0, 4.0 * 20.0 / 27.0, 4.0];
        assert_eq!(baked.data.len(), 4);
        for (key, expected) in expected.into_iter().enumerate() {
            let found = baked.data.value(key).unwrap().number().unwrap();
            assert!((found - expected).abs() < 1e-6);
        }
    }

    #[test]
    fn a_curved_component_gets_keys_only_on_frames() {
        // X4 stores times rounded to f32, so they are near frames and not on them.
        let times: Vec<f64> =
            (0..20_u8).map(|key| f64::from(num::f32_from_f64(f64::from(key) / 30.0))).collect();
        let values = |each: fn(u8) -> f32| (0..20_u8).map(each).collect::<Vec<f32>>();
        let x = curve(times.clone(), values(f32::from), Interpolation::Linear);
        let y = curve(times, values(|key| f32::from(key % 7)), Interpolation::Hold);
        let (tracks, _) = lower(vec![component(Axis::X, x), component(Axis::Y, y)]);
        let data = tracks[0].data();
        assert_eq!((data.len(), data.time(7)), (20, Some(7.0 / 30.0)));
        assert_eq!(data.value(7), Some(Value::Float3([7.0, 0.0, 1.0])));
    }

    fn joined(grid: Grid, y: TrackData) -> (TrackData, String) {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, 0);
        let tracks = plain(vec![component(Axis::Y, y)], &mut Context::new(&mut budget));
        let mut context = Context::new(&mut budget);
        let lowering = Lowering { baker: Baker::new(grid), skeleton: None, stores: STORES };
        let tracks = lowering.lower(tracks, &mut context).unwrap();
        (tracks[0].1.data().clone(), context.findings.into_vec()[1].message.to_string())
    }

    #[test]
    fn a_held_component_is_exact_within_a_bound_and_off_by_its_jump_on_frames() {
        let y = || curve(vec![0.0, 1.0, 2.0], vec![0.0_f32, 2.0, 7.0], Interpolation::Hold);
        let (data, message) = joined(BOUND, y());
        let key = |key| (data.time(key).unwrap(), data.value(key).unwrap());
        let shown = |y| Value::Float3([1.0, y, 1.0]);
        let expected = [(0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (2.0, 2.0), (2.0, 7.0)];
        assert_eq!(data.len(), expected.len());
        for (index, (time, y)) in expected.into_iter().enumerate() {
            assert_eq!(key(index), (time, shown(y)));
        }
        assert!(message.ends_with("became 5 keys"), "{message}");
        // A linear segment over one frame ends at the jump of 5, which is stated with a tenth more.
        let (_, message) = joined(Grid::Frames(2.0, FrameKeys::Needed), y());
        let stated = "became 5 keys, off by at most 5.5, jumps by up to 0.5 s";
        assert!(message.ends_with(stated), "{message}");
    }

    #[test]
    fn a_linear_segment_that_ends_at_a_handle_jumps_there() {
        let handle = |time, value| Handle { time, value };
        let side = |value| vec![handle(0.0, 0.0), handle(1.0, value)];
        let each = Interpolations::PerKey(vec![Interpolation::Linear, Interpolation::Bezier]);
        let handles = Tangents::Handles { left: side(0.0), right: side(9.0) };
        let y = TrackData::curve(vec![0.0, 1.0], vec![0.0_f32, 4.0], each, Some(handles)).unwrap();
        let (data, _) = joined(BOUND, y);
        let shown: Vec<_> = (0..data.len()).filter_map(|key| data.value(key)).collect();
        assert_eq!(shown, [0.0, 4.0, 9.0].map(|y| Value::Float3([1.0, y, 1.0])));
    }

    #[test]
    fn measures_the_value_before_several_keys_at_the_first_time() {
        let y = curve(vec![1.0, 1.0], vec![0.0_f32, 5.0], Interpolation::Hold);
        let (_, message) = joined(Grid::Frames(2.0, FrameKeys::Needed), y);
        assert!(message.ends_with("off by at most 5.5, jumps by up to 0.5 s"), "{message}");
    }

    #[test]
    fn a_second_track_of_a_component_stays_separate() {
        let track = || component(Axis::Y, curve(vec![0.0], vec![2.0_f64], Interpolation::Linear));
        let (tracks, _) = lower(vec![track(), track()]);
        assert_eq!(tracks.len(), 2);
        assert_eq!(tracks[1].data().value(0), Some(Value::Double3([1.0, 2.0, 1.0])));
    }

    #[test]
    fn angles_become_quaternions_and_empty_angles_stay_empty() {
        let property = Property::RotationEuler(EulerOrder::XYZ);
        let turn =
            curve(vec![0.0, 1.0], vec![[0.0_f32; 3], [0.0, 6.0, 0.0]], Interpolation::Linear);
        let euler = |data| Track::new(Target::new("a", property.clone()), data).unwrap();
        let (tracks, codes) = lower(vec![euler(turn), euler(TrackData::empty(ValueKind::Double3))]);
        assert_eq!(codes, ["convert/euler-baked"]);
        assert_eq!(tracks[0].target().property, Property::Rotation);
        assert_eq!(tracks[0].data().len(), 31);
        let identity = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        assert_eq!(tracks[0].data().value(0), Some(Value::FloatQ(identity)));
        assert_eq!(tracks[1].data().kind(), ValueKind::DoubleQ);
    }

    #[test]
    fn keys_beyond_the_last_frame_are_an_error_that_names_their_track() {
        let (end, angles) = (1e28, Property::RotationEuler(EulerOrder::XYZ));
        let axis = Target { component: Some(Axis::Y), ..Target::new("a", angles.clone()) };
        let each = Interpolation::Hold;
        let late_angles = curve(vec![0.0, end], vec![[0.0_f32; 3], [1.0; 3]], each);
        let late_number = || curve(vec![0.0, end], vec![0.0_f32, 1.0], each);
        for late in [
            Track::new(Target::new("a", angles), late_angles).unwrap(),
            Track::new(axis, late_number()).unwrap(),
            component(Axis::Y, late_number()),
        ] {
            let early = curve(vec![0.0], vec![[1.0_f32; 3]], each);
            let early = Track::new(Target::new("b", Property::Scale), early).unwrap();
            let limits = Limits::default();
            let mut budget = Budget::new(&limits, 0);
            let baker = Baker::new(Grid::Frames(30.0, FrameKeys::Needed));
            let lowering = Lowering { baker, skeleton: None, stores: STORES };
            let error = lowering.lower(vec![(0, early), (1, late)], &mut Context::new(&mut budget));
            let error = error.unwrap_err();
            let expected = WriteError::from(BakeError::Frames { rate: 30.0, end });
            let track = error.place().track.as_ref().map(|track| track.index);
            assert_eq!((error.kind(), track), (expected.kind(), Some(1)));
        }
    }

    #[test]
    fn whole_vectors_are_unchanged() {
        let data = curve(vec![0.0], vec![[1.0_f32; 3]], Interpolation::Bezier);
        let track = Track::new(Target::new("a", Property::Scale), data).unwrap();
        assert_eq!(lower(vec![track.clone()]), (vec![track], vec![]));
    }
}
