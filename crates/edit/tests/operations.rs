//! The math of each operation, computed by hand.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use std::f64::consts::FRAC_1_SQRT_2;

use inbetween_core::{
    Animation, Axes, Axis, BlendMode, BlendOverride, Bone, BoneRole, Clock, Coordinates, Document,
    Handedness, Handle, Interpolation, Interpolations, Looping, Marker, Outcome, Property, Quat,
    Rules, Shape, Skeleton, Tangents, Target, Track, TrackData, Unit, Value, ValueKind, Values,
    codes as shared,
};
use inbetween_edit::{
    AxesChoice, EditError, MapOptions, ReduceBounds, Rig, Route, Settings, SplitAt, Time,
    TimeRange, TrackPattern, change_axes, close_loop, codes, drop, drop_constant, fill,
    first_frame, give_skeleton, join, map_coordinates, measure_reduction, merge, merge_clips,
    play_frames_at, put_on, reduce, rename, resample, resolve, retime, retime_to, reverse,
    sample_looped, scale, scale_values, select, shift, split, to_f32, to_f64, trim,
};
use inbetween_testing::documents::X4_ORDER;

fn settings() -> Settings {
    Settings::default()
}

fn curve(times: &[f64], values: impl Into<Values>, each: Interpolation) -> TrackData {
    TrackData::curve(times.to_vec(), values, Interpolations::Shared(each), None).unwrap()
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    curve(times, values, Interpolation::Linear)
}

fn level(data: TrackData) -> Track {
    Track::new(Target::new("lamp", Property::Custom(Some("Level".into()))), data).unwrap()
}

fn track(node: &str, property: Property, data: TrackData) -> Track {
    Track::new(Target::new(node, property), data).unwrap()
}

fn clip(tracks: Vec<Track>) -> Animation {
    Animation::new(tracks)
}

fn document(tracks: Vec<Track>) -> Document {
    Document::single(clip(tracks))
}

fn range(start: Option<f64>, end: Option<f64>) -> TimeRange {
    TimeRange::new(start, end).unwrap()
}

/// Returns the keys of the first track.
fn first(outcome: &Outcome<Document>) -> &TrackData {
    outcome.value.clips.first().unwrap().tracks.first().unwrap().data()
}

fn times(data: &TrackData) -> Vec<f64> {
    (0..data.len()).filter_map(|key| data.time(key)).collect()
}

fn codes_of(outcome: &Outcome<Document>) -> Vec<&'static str> {
    outcome.findings.iter().map(|finding| finding.code.id()).collect()
}

fn points(left: Vec<f32>, right: Vec<f32>) -> Tangents {
    Tangents::Values { left: left.into(), right: right.into() }
}

#[test]
fn a_trimmed_bezier_has_the_points_of_its_half() {
    // 0 4 6 8 in halves: 0 2 3.5 4.75 and 4.75 6 7 8.
    let data = TrackData::curve(
        vec![0.0, 2.0],
        vec![0.0_f32, 8.0],
        Interpolations::Shared(Interpolation::Bezier),
        Some(points(vec![0.0, 6.0], vec![4.0, 0.0])),
    );
    let half = range(Some(1.0), Some(2.0));
    let trimmed = trim(document(vec![level(data.unwrap())]), half, &settings()).unwrap();
    let data = first(&trimmed);
    assert_eq!((times(data), data.values()), (vec![0.0, 1.0], &Values::from(vec![4.75_f32, 8.0])));
    let Some(Tangents::Values { left, right }) = data.tangents() else { panic!("no tangents") };
    assert_eq!((right.get(0), left.get(1)), (Some(Value::Float(6.0)), Some(Value::Float(7.0))));
    assert_eq!(codes_of(&trimmed), ["edit/cut"]);
}

/// Handles of two keys at one time.
fn handles(time: f64, values: [f64; 2]) -> Vec<Handle> {
    values.map(|value| Handle { time, value }).to_vec()
}

#[test]
fn trimmed_handles_are_at_thirds_of_their_segment() {
    let tangents =
        Tangents::Handles { left: handles(1.0, [0.0, 6.0]), right: handles(1.0, [4.0, 0.0]) };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![0.0, 6.0], vec![0.0_f32, 8.0], bezier, Some(tangents));
    let half = range(None, Some(3.0));
    let trimmed = trim(document(vec![level(data.unwrap())]), half, &settings()).unwrap();
    let Some(Tangents::Handles { left, right }) = first(&trimmed).tangents() else {
        panic!("no handles")
    };
    assert_eq!(right.first(), Some(&Handle { time: 1.0, value: 2.0 }));
    assert_eq!(left.last(), Some(&Handle { time: 2.0, value: 3.5 }));
    // X4 shows the handle of the last key, so the handle equals the key.
    assert_eq!(right.last(), Some(&Handle { time: 3.0, value: 4.75 }));
}

#[test]
fn handles_after_a_new_last_key_move_onto_it() {
    let tangents =
        Tangents::Handles { left: handles(1.0, [0.0, 6.0]), right: handles(1.0, [4.0, 8.0]) };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![2.0, 4.0], vec![3.0_f32, 8.0], bezier, Some(tangents));
    let data = data.unwrap();
    let behind = |outcome: &Outcome<Document>| match first(outcome).tangents() {
        Some(Tangents::Handles { right, .. }) => right.last().copied(),
        _ => None,
    };
    let source = || document(vec![level(data.clone())]);
    for range in [range(None, Some(2.0)), range(None, Some(1.5))] {
        let trimmed = trim(source(), range, &settings()).unwrap();
        let time = range.end();
        assert_eq!(
            (times(first(&trimmed)), behind(&trimmed)),
            (vec![time.unwrap()], time.map(|time| Handle { time, value: 3.0 }))
        );
    }
    let reversed = reverse(source(), &settings()).unwrap();
    assert_eq!(behind(&reversed), Some(Handle { time: 2.0, value: 3.0 }));
    // A last key that stays last keeps its value.
    let trimmed = trim(source(), range(Some(1.0), None), &settings()).unwrap();
    assert_eq!(behind(&trimmed), Some(Handle { time: 0.0, value: 8.0 }));
}

#[test]
fn trimming_within_one_segment_keeps_its_slope() {
    let data = linear(&[0.0, 4.0], vec![0.0_f32, 8.0]);
    let within = range(Some(1.0), Some(3.0));
    let trimmed = trim(document(vec![level(data)]), within, &settings()).unwrap();
    assert_eq!(*first(&trimmed), linear(&[0.0, 2.0], vec![2.0_f32, 6.0]));
}

#[test]
fn trimming_outside_the_keys_leaves_the_held_pose() {
    let data = || linear(&[1.0, 2.0], vec![3.0_f32, 5.0]);
    let after = range(Some(4.0), Some(5.0));
    let trimmed = trim(document(vec![level(data())]), after, &settings()).unwrap();
    assert_eq!(*first(&trimmed), linear(&[0.0], vec![5.0_f32]));
    assert_eq!(trimmed.value.clips.first().unwrap().duration, Some(1.0));
    let before = range(Some(0.0), Some(0.5));
    let trimmed = trim(document(vec![level(data())]), before, &settings()).unwrap();
    assert_eq!(*first(&trimmed), linear(&[0.5], vec![3.0_f32]));
}

#[test]
fn a_held_value_needs_no_key_at_the_end_of_a_trim() {
    let data = TrackData::stepped(vec![0.0, 1.0, 2.0], vec![1_i32, 2, 3]).unwrap();
    let trimmed = trim(document(vec![level(data)]), range(Some(0.5), Some(1.5)), &settings());
    let expected = TrackData::stepped(vec![0.0, 0.5], vec![1_i32, 2]).unwrap();
    assert_eq!(*first(&trimmed.unwrap()), expected);
}

#[test]
fn uniform_keys_stay_uniform_if_cut_at_keys() {
    let data = TrackData::uniform(0.5, vec![0.0_f32, 1.0, 2.0, 3.0]);
    let at_keys = range(Some(0.5), Some(1.0));
    let trimmed = trim(document(vec![level(data.clone())]), at_keys, &settings()).unwrap();
    assert_eq!(*first(&trimmed), TrackData::uniform(0.5, vec![1.0_f32, 2.0]));
    let between = range(Some(0.25), None);
    let trimmed = trim(document(vec![level(data)]), between, &settings()).unwrap();
    let expected = linear(&[0.0, 0.25, 0.75, 1.25], vec![0.5_f32, 1.0, 2.0, 3.0]);
    assert_eq!(*first(&trimmed), expected);
    assert_eq!(codes_of(&trimmed), [shared::SHAPE_CHANGED.id(), "edit/cut"]);
}

#[test]
fn retiming_scales_times_handles_and_durations_but_not_value_tangents() {
    let handles = |time| vec![Handle { time, value: 1.0 }; 2];
    let tangents = Tangents::Handles { left: handles(0.5), right: handles(1.0) };
    let bezier = || Interpolations::Shared(Interpolation::Bezier);
    let values = || vec![0.0_f32, 1.0];
    let x4 = TrackData::curve(vec![0.0, 2.0], values(), bezier(), Some(tangents)).unwrap();
    let sides = Some(points(vec![1.0, 2.0], vec![3.0, 4.0]));
    let resonite = TrackData::curve(vec![0.0, 2.0], values(), bezier(), sides.clone()).unwrap();
    let uniform = TrackData::uniform(0.5, values());
    let mut clip = clip(vec![level(x4), level(resonite), level(uniform)]);
    (clip.duration, clip.frame_rate) = (Some(4.0), Some(30.0));
    clip.markers = vec![Marker { time: 1.0, name: "step".into() }];
    let slow = retime(Document::single(clip), 3.0, &settings()).unwrap();
    let clip = slow.value.clips.first().unwrap();
    assert_eq!((clip.duration, clip.frame_rate), (Some(12.0), Some(30.0)));
    assert_eq!(clip.markers.first().unwrap().time, 3.0);
    let data = |index: usize| clip.tracks.get(index).unwrap().data();
    let Some(Tangents::Handles { left, .. }) = data(0).tangents() else { panic!("no handles") };
    assert_eq!(left.first(), Some(&Handle { time: 1.5, value: 1.0 }));
    assert_eq!((times(data(1)), data(1).tangents()), (vec![0.0, 6.0], sides.as_ref()));
    assert_eq!(*data(2), TrackData::uniform(1.5, values()));
    assert!(slow.findings.is_empty());
}

#[test]
fn an_interval_that_retiming_makes_0_for_an_engine_becomes_times() {
    let smallest = f64::from(f32::from_bits(1));
    for (rules, interval) in
        [(Rules::LINEAR.with_clock(Clock::F32), smallest), (Rules::LINEAR, f64::from_bits(1))]
    {
        let clip = clip(vec![level(TrackData::uniform(interval, vec![0.0_f32, 1.0]))]);
        let fast = retime(Document::single(clip.with_rules(rules)), 0.25, &settings()).unwrap();
        assert!(matches!(first(&fast).shape(), Shape::Curve { .. }));
        assert_eq!(rules.sample(first(&fast), 1.0), Some(Value::Float(1.0)));
        assert_eq!(codes_of(&fast)[0], shared::SHAPE_CHANGED.id());
    }
}

#[test]
fn reversing_a_hermite_swaps_tangents_and_negates_them() {
    let hermite = || Interpolations::Shared(Interpolation::Hermite);
    let sides = Some(points(vec![1.0, 2.0], vec![3.0, 4.0]));
    let data = TrackData::curve(vec![0.0, 2.0], vec![5.0_f32, 6.0], hermite(), sides).unwrap();
    let reversed = reverse(document(vec![level(data)]), &settings()).unwrap();
    // Unused tangents outside the first and the last key keep their sign.
    let sides = Some(points(vec![4.0, -3.0], vec![-2.0, 1.0]));
    let data = TrackData::curve(vec![0.0, 2.0], vec![6.0_f32, 5.0], hermite(), sides).unwrap();
    assert_eq!(*first(&reversed), data);
}

#[test]
fn reversing_a_bezier_swaps_its_points() {
    let bezier = || Interpolations::Shared(Interpolation::Bezier);
    let sides = Some(points(vec![1.0, 2.0], vec![3.0, 4.0]));
    let data = TrackData::curve(vec![0.0, 2.0], vec![5.0_f32, 6.0], bezier(), sides).unwrap();
    let reversed = reverse(document(vec![level(data)]), &settings()).unwrap();
    let sides = Some(points(vec![4.0, 3.0], vec![2.0, 1.0]));
    let data = TrackData::curve(vec![0.0, 2.0], vec![6.0_f32, 5.0], bezier(), sides).unwrap();
    assert_eq!(*first(&reversed), data);
}

/// Rotations so close to each other that Resonite shows the second at once if they are `f32`.
fn near_rotations() -> Vec<Quat<f32>> {
    [(-0.111_841_98, -0.149_122_64, 0.982_473_3), (-0.111_979_71, -0.149_306_27, 0.982_429_74)]
        .map(|(x, z, w)| Quat { x, y: 0.0, z, w })
        .to_vec()
}

/// The slerps of engines count as alike on unit rotations.
#[test]
fn close_rotations_are_widened_and_reversed_without_a_finding() {
    for data in [linear(&[0.0, 1.0], near_rotations()), TrackData::uniform(1.0, near_rotations())] {
        let track = track("hips", Property::Rotation, data);
        let clip = clip(vec![track]).with_rules(inbetween_core::resonite::RULES);
        let widened = to_f64(Document::single(clip), &settings()).unwrap();
        assert_eq!(widened.findings, []);
        assert_eq!(reverse(widened.value, &settings()).unwrap().findings, []);
    }
}

/// The slerp shows the later rotation from the first key on, because the dot product is 1 or more.
#[test]
fn a_leap_between_long_rotations_is_held_in_reverse() {
    let (short, long) = (Quat::IDENTITY, Quat { x: 0.0, y: 0.6, z: 0.0, w: 1.4375_f32 });
    let keys = vec![short, long, long];
    for data in [linear(&[0.0, 1.0, 2.0], keys.clone()), TrackData::uniform(1.0, keys)] {
        let track = track("hips", Property::Rotation, data);
        let clip = clip(vec![track]).with_rules(inbetween_core::resonite::RULES);
        let reversed = reverse(Document::single(clip), &settings()).unwrap();
        let data = first(&reversed);
        assert_eq!(
            (times(data), data.values()),
            (vec![0.0, 1.0, 2.0], &vec![long, long, short].into())
        );
        let rules = inbetween_core::resonite::RULES;
        assert_eq!(rules.sample(data, 1.9), Some(Value::FloatQ(long)));
        assert_eq!(rules.sample(data, 2.0), Some(Value::FloatQ(short)));
    }
}

#[test]
fn reversed_steps_have_the_value_of_the_step_before() {
    // 1 to 0.5 s, 2 to 1.5 s, 3 to the end at 2 s.
    let data = TrackData::stepped(vec![0.0, 0.5, 1.5], vec![1_i32, 2, 3]).unwrap();
    let clip = clip(vec![level(data)]).with_duration(2.0);
    let reversed = reverse(Document::single(clip), &settings()).unwrap();
    let expected = TrackData::stepped(vec![0.0, 0.5, 1.5], vec![3_i32, 2, 1]).unwrap();
    assert_eq!(*first(&reversed), expected);
    assert_eq!(codes_of(&reversed), [codes::JUMP_INSTANTS.id()]);
    assert_eq!(reversed.findings.first().unwrap().message, "2 jumps");
}

#[test]
fn a_hold_after_a_linear_segment_gets_a_key_at_its_end() {
    // A linear segment from 0 to 4, then 4 held for a second, then a linear segment from 6 to 7.
    let each = [Interpolation::Linear, Interpolation::Hold, Interpolation::Linear];
    let each = Interpolations::PerKey([&each[..], &[Interpolation::Linear]].concat());
    let data = TrackData::curve(vec![0.0, 1.0, 2.0, 3.0], vec![0.0_f32, 4.0, 6.0, 7.0], each, None);
    let reversed = reverse(document(vec![level(data.unwrap())]), &settings()).unwrap();
    let data = first(&reversed);
    assert_eq!(times(data), [0.0, 1.0, 1.0, 2.0, 3.0]);
    assert_eq!(*data.values(), Values::from(vec![7.0_f32, 6.0, 4.0, 4.0, 0.0]));
    let sample = |time| Rules::LINEAR.sample(data, time);
    assert_eq!(sample(0.5), Some(Value::Float(6.5)));
    assert_eq!(sample(1.5), Some(Value::Float(4.0)));
    assert_eq!(sample(2.5), Some(Value::Float(2.0)));
}

#[test]
fn reversing_mirrors_at_the_stated_end() {
    // Keys that bracket the clip, as in X4.
    let data = linear(&[-0.5, 1.5], vec![0.0_f32, 8.0]);
    let rules = Rules::LINEAR.with_stated_duration(inbetween_core::StatedDuration::Exact);
    let clip = clip(vec![level(data)]).with_duration(1.0).with_rules(rules);
    let reversed = reverse(Document::single(clip), &settings()).unwrap();
    assert_eq!(*first(&reversed), linear(&[-0.5, 1.5], vec![8.0_f32, 0.0]));
    assert!(reversed.findings.is_empty());
}

#[test]
fn steps_on_frames_are_resampled_without_loss() {
    let data = TrackData::stepped(vec![0.0, 0.5], vec![1.0_f32, 2.0]).unwrap();
    let sampled = resample(document(vec![level(data.clone())]), 4.0, &settings()).unwrap();
    let expected = TrackData::stepped(vec![0.0, 0.25, 0.5], vec![1.0_f32, 1.0, 2.0]).unwrap();
    assert_eq!(*first(&sampled), expected);
    assert_eq!(codes_of(&sampled), [shared::SHAPE_CHANGED.id()]);
    // At 3 frames per second the jump by 1 comes a sixth of a second late, which is a loss.
    let sampled = resample(document(vec![level(data)]), 3.0, &settings()).unwrap();
    assert_eq!(codes_of(&sampled), [shared::RESAMPLED.id(), shared::BOUND_EXCEEDED.id()]);
    let error = sampled.findings.first().unwrap().error.unwrap();
    assert!(error.value == 1.1 && (error.time_shift - 1.0 / 6.0).abs() < 1e-12, "{error:?}");
}

#[test]
fn a_value_shown_only_before_the_first_key_is_on_the_frame_before_it() {
    let data = TrackData::stepped(vec![1.0, 1.0], vec![0.0_f32, 5.0]).unwrap();
    let sampled = resample(document(vec![level(data)]), 4.0, &settings()).unwrap();
    let expected = TrackData::stepped(vec![0.75, 1.0], vec![0.0_f32, 5.0]).unwrap();
    assert_eq!(*first(&sampled), expected);
    assert_eq!(codes_of(&sampled), [shared::SHAPE_CHANGED.id()]);
}

#[test]
fn a_looping_clip_repeats_and_another_one_holds() {
    let lamp = level(linear(&[0.0, 2.0], vec![0.0_f32, 4.0]));
    let looping = clip(vec![lamp.clone()]).with_looping(Looping::Loop);
    let sample = |clip: &Animation, time| sample_looped(clip, &lamp, time);
    assert_eq!(sample(&looping, 5.0), Some(Value::Float(2.0)));
    assert_eq!(sample(&looping, -0.5), Some(Value::Float(3.0)));
    let once = looping.with_looping(Looping::Once);
    assert_eq!(sample(&once, 5.0), Some(Value::Float(4.0)));
}

#[test]
fn a_quarter_turn_follows_its_axis() {
    // A quarter turn about z; with x,z,-y, the old z is the new y.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let turn = Quat { x: 0.0, y: 0.0, z: half, w: half };
    let data = TrackData::uniform(1.0, vec![turn]);
    let up: Axes = "x,z,-y".parse().unwrap();
    let turned =
        change_axes(document(vec![track("a", Property::Rotation, data.clone())]), up, &settings());
    let expected = Quat { x: 0.0, y: half, z: -0.0, w: half };
    assert_eq!(first(&turned.unwrap()).value(0), Some(Value::FloatQ(expected)));
    // In a mirror without z, x to y is still x to y; in one without x, the direction is reversed.
    let mirror = |axes: &str| {
        let axes = axes.parse().unwrap();
        let document = document(vec![track("a", Property::Rotation, data.clone())]);
        change_axes(document, axes, &settings()).unwrap()
    };
    let same = Quat { x: -0.0, y: -0.0, z: half, w: half };
    assert_eq!(first(&mirror("x,y,-z")).value(0), Some(Value::FloatQ(same)));
    let other = Quat { x: 0.0, y: -0.0, z: -half, w: half };
    assert_eq!(first(&mirror("-x,y,z")).value(0), Some(Value::FloatQ(other)));
}

#[test]
fn rotating_and_changing_axes_commute() {
    let turn = Quat::from_array([0.1, -0.7, 0.3, 0.6]).normalized();
    let angles = [0.4, -0.9, 1.7];
    let vector = [1.0, -2.0, 0.5];
    for axes in ["x,z,-y", "z,x,y", "x,y,-z", "-y,x,z", "y,x,z", "-x,-y,-z", "z,-y,x"] {
        let axes: Axes = axes.parse().unwrap();
        let euler = Property::RotationEuler(X4_ORDER);
        let tracks = vec![
            track("a", Property::Rotation, TrackData::uniform(1.0, vec![turn])),
            track("a", euler, TrackData::uniform(1.0, vec![angles])),
        ];
        let changed = change_axes(document(tracks), axes, &settings()).unwrap();
        let tracks = &changed.value.clips.first().unwrap().tracks;
        let Some(Value::DoubleQ(new)) = first(&changed).value(0) else { panic!("no rotation") };
        let second = tracks.get(1).unwrap();
        let (Property::RotationEuler(order), Some(Value::Double3(new_angles))) =
            (&second.target().property, second.data().value(0))
        else {
            panic!("no angles")
        };
        let pairs = [(turn, new), (X4_ORDER.quaternion(angles), order.quaternion(new_angles))];
        for (old, new) in pairs {
            let one = axes.apply(old.rotate(vector));
            let other = new.rotate(axes.apply(vector));
            for (a, b) in one.into_iter().zip(other) {
                assert!((a - b).abs() < 1e-12, "{axes}: {one:?} {other:?}");
            }
        }
    }
}

#[test]
fn changing_signs_keeps_the_order_of_angles() {
    let euler = Property::RotationEuler(X4_ORDER);
    let data = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
    let mirror = "x,y,-z".parse().unwrap();
    let changed = change_axes(document(vec![track("a", euler.clone(), data)]), mirror, &settings());
    let changed = changed.unwrap();
    let track = changed.value.clips.first().unwrap().tracks.first().unwrap();
    assert_eq!(track.target().property, euler);
    assert_eq!(track.data().value(0), Some(Value::Float3([-1.0, -2.0, 3.0])));
}

#[test]
fn single_components_and_scales_move_to_their_new_axis() {
    let component = |property, axis| {
        let target = Target { component: Some(axis), ..Target::new("a", property) };
        Track::new(target, TrackData::uniform(1.0, vec![2.0_f32])).unwrap()
    };
    let scales = TrackData::uniform(1.0, vec![[1.0_f32, 2.0, 3.0]]);
    let tracks = vec![
        component(Property::Translation, Axis::Y),
        component(Property::Scale, Axis::Y),
        track("b", Property::Scale, scales),
    ];
    let changed = change_axes(document(tracks), "x,z,-y".parse().unwrap(), &settings()).unwrap();
    let tracks = &changed.value.clips.first().unwrap().tracks;
    let of = |index: usize| tracks.get(index).unwrap();
    assert_eq!(of(0).target().component, Some(Axis::Z));
    assert_eq!(of(0).data().value(0), Some(Value::Float(-2.0)));
    assert_eq!(of(1).data().value(0), Some(Value::Float(2.0)));
    assert_eq!(of(2).data().value(0), Some(Value::Float3([1.0, 3.0, 2.0])));
}

#[test]
fn scaling_multiplies_tangents_and_handles_of_positions_only() {
    let side = |x: f32| Values::from(vec![[x; 3]; 2]);
    let tangents = Tangents::Values { left: side(1.0), right: side(2.0) };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let data =
        TrackData::curve(vec![0.0, 1.0], vec![[3.0_f32; 3]; 2], hermite, Some(tangents)).unwrap();
    let tracks = vec![
        track("a", Property::Translation, data.clone()),
        track("a", Property::Scale, data.clone()),
    ];
    let scaled = scale(document(tracks), 100.0, &settings()).unwrap();
    let positions = first(&scaled);
    assert_eq!(positions.value(0), Some(Value::Float3([300.0; 3])));
    let expected = Tangents::Values { left: side(100.0), right: side(200.0) };
    assert_eq!(positions.tangents(), Some(&expected));
    assert_eq!(*scaled.value.clips.first().unwrap().tracks.get(1).unwrap().data(), data);
}

fn bone(node: &str, parent: Option<&str>) -> Bone {
    let half = FRAC_1_SQRT_2;
    Bone {
        node: node.into(),
        parent: parent.map(Into::into),
        translation: Some([1.0, 2.0, 3.0]),
        rotation: Some(Quat { x: 0.0, y: 0.0, z: half, w: half }),
        scale: None,
        ..Bone::default()
    }
}

#[test]
fn an_additive_rotation_applies_before_the_rest_rotation() {
    // A quarter turn about x, then the rest pose's quarter turn about z: half of (1, 1, 1, 1) by
    // Hamilton.
    let half = FRAC_1_SQRT_2;
    let key = Quat { x: half, y: 0.0, z: 0.0, w: half };
    let rotation = TrackData::uniform(1.0, vec![key]);
    let position = TrackData::uniform(1.0, vec![[10.0_f32, 0.0, 0.0]]);
    let tracks = vec![
        track("hips", Property::Rotation, rotation),
        track("hips", Property::Translation, position),
    ];
    let clip = clip(tracks).with_blend(BlendMode::Additive);
    let skeleton = Skeleton::new(vec![bone("hips", None)]).unwrap();
    let pose = resolve(Document::single(clip), &skeleton, &settings()).unwrap();
    let Some(Value::DoubleQ(found)) = first(&pose).value(0) else { panic!("no rotation") };
    assert!(found.to_array().iter().all(|part| (part - 0.5).abs() < 1e-15), "{found:?}");
    let clip = pose.value.clips.first().unwrap();
    let position = clip.tracks.get(1).unwrap().data();
    assert_eq!(position.value(0), Some(Value::Float3([11.0, 2.0, 3.0])));
    assert_eq!(clip.blend, BlendMode::Absolute);
    assert!(pose.findings.is_empty());
}

#[test]
fn an_override_applies_to_descendants() {
    let position = || TrackData::uniform(1.0, vec![[10.0_f32, 0.0, 0.0]]);
    let tracks = ["hips", "spine", "head", "arm"]
        .map(|node| track(node, Property::Translation, position()))
        .to_vec();
    let mode = |node: &str, mode| BlendOverride { node: node.into(), mode };
    let blend_overrides =
        vec![mode("spine", BlendMode::Relative), mode("head", BlendMode::Absolute)];
    let clip = clip(tracks).with_blend_overrides(blend_overrides);
    let bones = vec![
        bone("arm", Some("spine")),
        bone("hips", None),
        bone("spine", Some("hips")),
        bone("head", Some("spine")),
    ];
    let pose =
        resolve(Document::single(clip), &Skeleton::new(bones).unwrap(), &settings()).unwrap();
    let clip = pose.value.clips.first().unwrap();
    let xs: Vec<Option<Value>> = clip.tracks.iter().map(|track| track.data().value(0)).collect();
    let (own, added) = (Value::Float3([10.0, 0.0, 0.0]), Value::Float3([11.0, 2.0, 3.0]));
    assert_eq!(xs, [Some(own.clone()), Some(added.clone()), Some(own), Some(added)]);
    assert!(clip.blend_overrides.is_empty());
}

#[test]
fn the_rest_pose_is_the_first_frame_of_an_absolute_clip() {
    let component = Target { component: Some(Axis::Y), ..Target::new("b", Property::Scale) };
    let tracks = vec![
        track("a", Property::Translation, linear(&[0.0, 1.0], vec![[1.0_f32; 3], [2.0; 3]])),
        Track::new(component, TrackData::uniform(1.0, vec![4.0_f32])).unwrap(),
    ];
    let skeleton = first_frame(&clip(tracks.clone())).unwrap();
    assert_eq!(skeleton.bone("a").unwrap().translation, Some([1.0; 3]));
    assert_eq!(skeleton.bone("b").unwrap().scale, Some([1.0, 4.0, 1.0]));
    let additive = clip(tracks).with_blend(BlendMode::Additive);
    let error = first_frame(&additive).unwrap_err();
    assert!(error.to_string().ends_with("this one is additive; take another file"), "{error}");
}

#[test]
fn bones_without_keys_get_neutral_values() {
    let skeleton = Skeleton::new(vec![bone("hips", None)]).unwrap();
    let filled = |blend, tracks| {
        let clip = clip(tracks).with_blend(blend);
        let filled = fill(Document::single(clip), &skeleton, &settings()).unwrap();
        let tracks = filled.value.clips.into_iter().next().unwrap().tracks;
        tracks.iter().map(|track| track.data().value(0).unwrap()).collect::<Vec<_>>()
    };
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rest = Value::FloatQ(Quat { x: 0.0, y: 0.0, z: half, w: half });
    let position = Value::Float3([1.0, 2.0, 3.0]);
    assert_eq!(filled(BlendMode::Absolute, vec![]), [position.clone(), rest.clone()]);
    let zero = Value::Float3([0.0; 3]);
    assert_eq!(filled(BlendMode::Relative, vec![]), [zero.clone(), rest.clone()]);
    assert_eq!(filled(BlendMode::Additive, vec![]), [zero, Value::FloatQ(Quat::IDENTITY)]);
    // A track without keys is filled in place; one with keys is unchanged.
    let empty = track("hips", Property::Rotation, TrackData::empty(ValueKind::FloatQ));
    let moved = track("hips", Property::Translation, TrackData::uniform(1.0, vec![[9.0_f32; 3]]));
    let values = filled(BlendMode::Absolute, vec![empty, moved]);
    assert_eq!(values, [rest, Value::Float3([9.0; 3])]);
}

#[test]
fn merged_markers_are_sorted_by_time() {
    let marked = |name: &str, times: &[f64]| {
        let marker = |(index, &time)| Marker { time, name: format!("{name}{index}").into() };
        let markers = times.iter().enumerate().map(marker).collect();
        Document::single(Animation::default().with_markers(markers))
    };
    let merged = merge(marked("a", &[1.0, 2.5, 2.5, 4.0]), marked("b", &[0.5, 2.5]), &settings());
    let markers = merged.unwrap().value.clips.remove(0).markers;
    let names: Vec<&str> = markers.iter().map(|marker| marker.name.as_ref()).collect();
    assert_eq!(names, ["b0", "a0", "a1", "a2", "b1", "a3"]);
}

#[test]
fn a_component_conflicts_with_the_whole_property() {
    let component = Target { component: Some(Axis::X), ..Target::new("a", Property::Scale) };
    let part = Track::new(component, TrackData::uniform(1.0, vec![1.0_f32])).unwrap();
    let whole = track("a", Property::Scale, TrackData::uniform(1.0, vec![[1.0_f32; 3]]));
    let error = merge(document(vec![part.clone()]), document(vec![whole]), &settings());
    assert!(matches!(error, Err(EditError::Conflict { .. })));
    let component = Target { component: Some(Axis::Y), ..part.target().clone() };
    let other = Track::new(component, part.data().clone()).unwrap();
    assert!(merge(document(vec![part]), document(vec![other]), &settings()).is_ok());
}

#[test]
fn clips_with_different_blend_modes_merge_with_overrides() {
    let of = |node: &str, blend| {
        let data = TrackData::uniform(1.0, vec![[1.0_f32; 3]]);
        let tracks = vec![track(node, Property::Translation, data)];
        Document::single(clip(tracks).with_blend(blend))
    };
    let second = of("b", BlendMode::Additive);
    let merged = merge(of("a", BlendMode::Absolute), second, &settings()).unwrap();
    // Every node has an override, so that none inherits the mode of another.
    let mode = |node: &str, mode| BlendOverride { node: node.into(), mode };
    let expected = [mode("a", BlendMode::Absolute), mode("b", BlendMode::Additive)];
    assert_eq!(merged.value.clips.first().unwrap().blend_overrides, expected);
}

#[test]
fn markers_name_the_parts_that_start_at_them() {
    let mut clip = clip(vec![level(linear(&[0.0, 4.0], vec![0.0_f32, 4.0]))]);
    clip.markers =
        vec![Marker { time: 1.0, name: "step".into() }, Marker { time: 3.0, name: "step".into() }];
    let parts = split(Document::single(clip), &SplitAt::Markers, &settings()).unwrap().value;
    let names: Vec<Option<&str>> = parts.clips.iter().map(|clip| clip.name.as_deref()).collect();
    assert_eq!(names, [None, Some("step"), Some("step_2")]);
    let markers: Vec<usize> = parts.clips.iter().map(|clip| clip.markers.len()).collect();
    assert_eq!(markers, [0, 1, 1]);
    let durations: Vec<f64> = parts.clips.iter().map(Animation::effective_duration).collect();
    assert_eq!(durations, [1.0, 2.0, 1.0]);
}

#[test]
fn a_joined_track_jumps_at_the_start_of_the_next_clip() {
    let part = |values: [f32; 2]| {
        let data = linear(&[0.0, 1.0], values.to_vec());
        clip(vec![level(data)]).with_duration(2.0)
    };
    let clips = vec![part([0.0, 1.0]), part([5.0, 6.0])];
    let joined = join(Document::new(clips), &settings()).unwrap();
    let data = first(&joined);
    let sample = |time| Rules::LINEAR.sample(data, time);
    for (time, value) in [(0.5, 0.5), (1.9, 1.0), (2.0, 5.0), (2.5, 5.5), (9.0, 6.0)] {
        assert_eq!(sample(time), Some(Value::Float(value)), "at {time}");
    }
    assert_eq!(joined.value.clips.first().unwrap().duration, Some(4.0));
}

fn measured(before: &Document, after: &Document) -> Outcome<Document> {
    let findings = measure_reduction(before, after, ReduceBounds::all(0.0), &settings());
    Outcome { value: after.clone(), findings }
}

#[test]
fn dropped_clip_metadata_is_reported() {
    let named = |name: Option<&str>, rate| {
        let mut clip = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 1.0]))]);
        clip.name = name.map(Into::into);
        clip.with_frame_rate(rate)
    };
    let looped = named(Some("b\n"), 24.0).with_looping(Looping::Loop);
    let clips = vec![named(Some("a"), 30.0), looped, named(Some("a"), 30.0), named(None, 30.0)];
    let joined = join(Document::new(clips), &settings()).unwrap();
    assert_eq!(joined.value.clips.first().unwrap().name.as_deref(), Some("a"));
    let heads =
        joined.findings.iter().filter(|finding| finding.code == codes::CLIP_METADATA_DROPPED);
    let heads: Vec<_> = heads.map(|head| (head.place.to_string(), head.message.as_ref())).collect();
    let lost = "dropped: the name \"b\\n\", the frame rate 24, repeating";
    assert_eq!(heads, [("clip 'b\\n'".to_owned(), lost)]);
}

/// Returns documents and edits that report each code.
fn findings() -> Vec<Outcome<Document>> {
    let set = settings();
    let line = || level(linear(&[0.0, 1.0], vec![0.0_f32, 1.0]));
    let whole = || level(linear(&[0.0, 1.0], vec![0_i32, 7]));
    let turn = |x| Quat { x, y: 0.0, z: 0.0, w: 1.0_f32 }.normalized();
    let side = || Values::from(vec![turn(0.5); 2]);
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let sides = Some(Tangents::Values { left: side(), right: side() });
    let curved = TrackData::curve(vec![0.0, 1.0], vec![turn(0.0), turn(1.0)], bezier, sides);
    let curved = track("a", Property::Rotation, curved.unwrap());
    let half = || range(None, Some(0.3));
    let steps = level(TrackData::stepped(vec![0.0, 1.0], vec![1_i32, 2]).unwrap());
    let position =
        |x: f32| track("a", Property::Translation, TrackData::uniform(1.0, vec![[x; 3]]));
    let map = |names: [&str; 2]| [(names[0].into(), names[1].into())];
    let hips = || Skeleton::new(vec![Bone { parent: None, ..bone("hips", None) }]).unwrap();
    let blended = |blend, tracks| Document::single(clip(tracks).with_blend(blend));
    let named = |name: &str| clip(vec![]).with_name(name);
    let angle = Target {
        component: Some(Axis::X),
        ..Target::new("hips", Property::RotationEuler(X4_ORDER))
    };
    let angle = Track::new(angle, TrackData::uniform(1.0, vec![1.0_f32])).unwrap();
    let overridden = BlendOverride { node: "a".into(), mode: BlendMode::Relative };
    let overridden = clip(vec![position(1.0)]).with_blend_overrides(vec![overridden]);
    let custom = Property::Custom(Some("Aim".into()));
    let custom = track("a", custom, TrackData::uniform(1.0, vec![[1.0_f32; 3]]));
    let twins =
        vec![position(1.0), track("b", Property::Translation, position(1.0).data().clone())];
    let bent = |middle| level(linear(&[0.0, 1.0, 2.0], vec![0.0_f32, middle, 2.0]));
    let gap = vec![clip(vec![line()]).with_duration(1.0), named("second")];
    let [from, to] = [Axis::Z, Axis::Y].map(|up| Coordinates::new(Handedness::Right, up));
    let (turn_up, options) = (Route { from, to, has_node: false }, MapOptions::default());
    let to_meters = Route {
        from: from.with_unit(Unit::Assumed(0.01)),
        to: to.with_unit(Unit::Stated(1.0)),
        has_node: true,
    };
    let still = TrackData::uniform(1.0, vec![[1.0_f32; 3]]);
    let constants = vec![track("a", Property::Scale, still), position(1.0)];
    let keep = MapOptions { axes: AxesChoice::Keep, ..options };
    let high = TrackData::uniform(1.0, vec![[0.0_f32, 0.0, 38.5]]);
    let hips_in_inches = track("j_mainroot", Property::Translation, high);
    let scale_of_node = Some([1.0, 2.0, 1.0]);
    let node = Bone { scale: scale_of_node, role: BoneRole::Above, ..bone("node", None) };
    let uneven = Skeleton::new(vec![node]).unwrap();
    let uneven = document(vec![position(1.0)]).with_skeleton(uneven);
    let strange = document(vec![
        position(1.0),
        track("x", Property::Scale, TrackData::uniform(1.0, vec![[1.0_f32; 3]])),
    ]);
    let rig_bones = Skeleton::new(vec![bone("a", None)]).unwrap();
    let rig = Rig { document: Document::default().with_skeleton(rig_bones), coordinates: to };
    vec![
        play_frames_at(Document::single(named("fast").with_frame_rate(30.0)), 60.0, &set).unwrap(),
        trim(document(vec![line()]), half(), &set).unwrap(),
        trim(document(vec![line()]), range(None, Some(1e3)), &set).unwrap(),
        reduce(document(vec![bent(1.0)]), ReduceBounds::all(0.0), &set).unwrap(),
        reduce(document(vec![bent(1.25)]), ReduceBounds::all(0.5), &set).unwrap(),
        measured(&document(vec![bent(1.25)]), &document(vec![line()])),
        trim(document(vec![curved.clone()]), half(), &set).unwrap(),
        trim(document(vec![whole()]), half(), &set).unwrap(),
        shift(document(vec![line()]), -0.5, &set).unwrap(),
        shift(document(vec![line()]), 1e300, &set).unwrap(),
        reverse(document(vec![steps]), &set).unwrap(),
        split(document(vec![line()]), &SplitAt::Markers, &set).unwrap(),
        join(Document::new(gap), &set).unwrap(),
        merge(Document::single(named("a")), Document::single(named("b")), &set).unwrap(),
        select(document(vec![line()]), &[TrackPattern::new("x").unwrap()], &set),
        drop(document(vec![line()]), &[TrackPattern::new("x").unwrap()], &set),
        rename(document(vec![line()]), &map(["x", "y"]), &set).unwrap(),
        rename(document(twins), &map(["b", "a"]), &set).unwrap(),
        scale(document(vec![position(1e38)]), 100.0, &set).unwrap(),
        change_axes(document(vec![custom]), "y,x,z".parse().unwrap(), &set).unwrap(),
        fill(document(vec![]), &hips(), &set).unwrap(),
        give_skeleton(document(vec![position(1.0)]), &hips()),
        resolve(Document::single(overridden), &hips(), &set).unwrap(),
        resolve(blended(BlendMode::Relative, vec![position(1.0)]), &hips(), &set).unwrap(),
        resolve(blended(BlendMode::Other(9), vec![position(1.0)]), &hips(), &set).unwrap(),
        resolve(blended(BlendMode::Additive, vec![angle.clone(), angle]), &hips(), &set).unwrap(),
        to_f32(to_f64(document(vec![line()]), &set).unwrap().value, &set).unwrap(),
        map_coordinates(document(vec![position(1.0)]), turn_up, options, &set).unwrap(),
        map_coordinates(uneven, turn_up, options, &set).unwrap(),
        put_on(strange, from, &rig, options, &set).unwrap(),
        map_coordinates(document(vec![position(1.0)]), to_meters, options, &set).unwrap(),
        close_loop(document(vec![line()]), &set).unwrap(),
        drop_constant(document(constants), &set).unwrap(),
        merge_clips(Document::new(vec![named("a"), named("b")]), &set).unwrap(),
        scale_values(document(vec![curved]), &[], 2.0, &set).unwrap(),
        map_coordinates(document(vec![hips_in_inches]), to_meters, options, &set).unwrap(),
        map_coordinates(document(vec![position(1.0)]), to_meters, keep, &set).unwrap(),
    ]
}

#[test]
fn every_code_has_an_edit_that_reports_it() {
    let outcomes = findings();
    let found: Vec<_> = outcomes.iter().flat_map(|outcome| &outcome.findings).collect();
    for code in codes::ALL {
        assert!(found.iter().any(|finding| finding.code == *code), "{code} is never reported");
    }
}

#[test]
fn frames_play_at_another_rate() {
    let times = vec![0.0, 1.0 / 7.0, 10.0 / 7.0, 1.5];
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, vec![1.0_f32, 2.0, 3.0, 4.0], linear, None).unwrap();
    let track = Track::new(Target::new("lamp", Property::Custom(Some("x".into()))), data).unwrap();
    let clip = Animation::new(vec![track]).with_frame_rate(7.0).with_duration(3.0);
    let clip = clip.with_markers(vec![Marker { time: 2.0, name: "step".into() }]);
    let played =
        play_frames_at(Document::single(clip.clone()), 30.0, &Settings::default()).unwrap();
    let after = played.value.clips.first().unwrap();
    // The same bits as those of a reader that divides frames by the rate.
    let times: Vec<f64> = after.tracks.first().unwrap().data().times().collect();
    assert_eq!(times, [0.0, 1.0 / 30.0, 10.0 / 30.0, 10.5 / 30.0]);
    assert_eq!((after.duration, after.frame_rate), (Some(21.0 / 30.0), Some(30.0)));
    assert_eq!(after.markers.first().unwrap().time, 14.0 / 30.0);
    let named = played.findings.iter().map(|finding| finding.message.as_ref());
    assert_eq!(named.collect::<Vec<_>>(), ["7 frames per second became 30"]);
    let mut without = clip;
    without.frame_rate = None;
    let refused = play_frames_at(Document::single(without), 30.0, &Settings::default());
    assert!(matches!(refused, Err(EditError::NoStatedRate)));
}

#[test]
fn a_clip_gets_a_length() {
    let clip = |duration: f64| Document::single(Animation::default().with_duration(duration));
    let length = |clip, length| retime_to(clip, length, &Settings::default());
    let slow = length(clip(1.5), Time::Seconds(4.0)).unwrap().value;
    assert_eq!(slow.clips.first().unwrap().duration, Some(4.0));
    let counted = Document::single(Animation::default().with_duration(2.0).with_frame_rate(24.0));
    let counted = length(counted, Time::Frames(120.0)).unwrap().value;
    assert_eq!(counted.clips.first().unwrap().duration, Some(5.0));
    assert!(matches!(length(clip(0.0), Time::Seconds(4.0)), Err(EditError::NoLength)));
    assert!(matches!(length(clip(1.0), Time::Frames(4.0)), Err(EditError::NoFrameRate)));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = length(clip(1.0), Time::Seconds(bad));
        assert!(matches!(refused, Err(EditError::Number { .. })));
    }
}
