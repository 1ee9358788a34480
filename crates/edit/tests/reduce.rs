//! Reductions: which keys are removed, and that the bound holds for every animation.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a panic is how a broken law shows"
)]

use inbetween_core::{
    Animation, Axis, Channel, Color32, Document, Interpolation, Interpolations, Property, Quat,
    Rules, Slerp, Strings, Tangents, Target, Track, TrackData, Values, value_error,
};
use inbetween_edit::{EditError, ReduceBounds, Settings, reduce};
use inbetween_testing::properties;
use proptest::prelude::*;

fn curve(times: &[f64], values: impl Into<Values>, interpolation: Interpolation) -> TrackData {
    let shared = Interpolations::Shared(interpolation);
    TrackData::curve(times.to_vec(), values, shared, None).unwrap()
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    curve(times, values, Interpolation::Linear)
}

fn document(property: Property, data: TrackData) -> Document {
    let track = Track::new(Target::new("node", property), data).unwrap();
    Document::single(Animation::new(vec![track]))
}

/// Reduces a track by the rules of `Linear`; returns it and the reported codes.
fn reduced(property: Property, data: TrackData, bound: f64) -> (TrackData, Vec<&'static str>) {
    let bounds = ReduceBounds::all(bound);
    let outcome = reduce(document(property, data), bounds, &Settings::default()).unwrap();
    let codes = outcome.findings.iter().map(|finding| finding.code.id()).collect();
    (outcome.value.clips[0].tracks[0].data().clone(), codes)
}

/// Returns the times of the remaining keys of a custom track.
fn times(data: TrackData, bound: f64) -> Vec<f64> {
    let (data, _) = reduced(Property::Custom(None), data, bound);
    (0..data.len()).filter_map(|key| data.time(key)).collect()
}

#[test]
fn keys_within_a_line_are_removed_and_those_at_bends_kept() {
    let data = linear(&[0.0, 1.0, 2.0, 4.0, 5.0], vec![0.0_f64, 2.0, 4.0, 8.0, 0.0]);
    assert_eq!(times(data.clone(), 0.0), [0.0, 4.0, 5.0]);
    let (_, codes) = reduced(Property::Custom(None), data, 0.0);
    assert_eq!(codes, ["edit/redundant-keys-removed"]);
}

#[test]
fn a_key_within_the_bound_is_removed() {
    let data = || linear(&[0.0, 1.0, 2.0], vec![0.0_f64, 0.25, 0.0]);
    assert_eq!(times(data(), 0.25), [0.0, 2.0]);
    assert_eq!(times(data(), 0.249), [0.0, 1.0, 2.0]);
    let (_, codes) = reduced(Property::Custom(None), data(), 0.25);
    assert_eq!(codes, ["edit/reduced"]);
    let outcome = reduce(
        document(Property::Custom(None), data()),
        ReduceBounds::all(0.5),
        &Settings::default(),
    );
    let message = outcome.unwrap().findings[0].message.clone();
    assert_eq!(message, "3 keys became 2, off by at most 0.28 (bound 0.5)");
}

#[test]
fn without_a_bound_nothing_changes() {
    let data = linear(&[0.0, 1.0, 2.0], vec![[1.0_f32; 3]; 3]);
    for (property, bounds) in [
        (Property::Translation, ReduceBounds::default()),
        (Property::Translation, ReduceBounds { scale: Some(1.0), ..ReduceBounds::default() }),
        (Property::Scale, ReduceBounds { position: Some(1.0), ..ReduceBounds::default() }),
    ] {
        let before = document(property, data.clone());
        let after = reduce(before.clone(), bounds, &Settings::default()).unwrap();
        assert_eq!((after.value, after.findings), (before, vec![]));
    }
}

#[test]
fn held_values_keep_the_keys_at_changes() {
    let stepped = |values: Values| {
        let times = (0..values.len()).map(inbetween_core::num::f64_from_index).collect();
        TrackData::stepped(times, values).unwrap()
    };
    let bools = stepped(vec![true, true, false, true, true, true].into());
    // For any bound, true is not false.
    assert_eq!(times(bools, 9.0), [0.0, 2.0, 3.0, 5.0]);
    let texts: Strings =
        [Some("a"), Some("a"), None, Some(""), Some(""), Some("")].into_iter().collect();
    assert_eq!(times(stepped(texts.into()), 9.0), [0.0, 2.0, 3.0, 5.0]);
    let (kept, _) = reduced(Property::Custom(None), stepped(vec![1.0_f32; 4].into()), 0.0);
    assert_eq!(kept, TrackData::stepped(vec![0.0], vec![1.0_f32]).unwrap());
}

#[test]
fn jumps_and_curves_are_kept() {
    let jump = linear(&[0.0, 1.0, 1.0, 2.0], vec![0.0_f64, 1.0, 1.0, 2.0]);
    assert_eq!(times(jump, 1.0).len(), 4);
    let side = || Values::from(vec![0.0_f64; 5]);
    let tangents = Tangents::Values { left: side(), right: side() };
    let each = [Interpolation::Linear, Interpolation::Linear, Interpolation::Bezier];
    let each = Interpolations::PerKey([each.as_slice(), &[Interpolation::Linear; 2]].concat());
    let at = vec![0.0, 1.0, 2.0, 3.0, 4.0];
    let data = TrackData::curve(at, vec![0.0_f64; 5], each, Some(tangents)).unwrap();
    assert_eq!(times(data, 1.0), [0.0, 2.0, 3.0, 4.0]);
}

#[test]
fn integers_keep_every_key_that_makes_a_difference() {
    let peak: Values = vec![0_i32, 1, 0].into();
    assert_eq!(times(linear(&[0.0, 1.0, 2.0], peak), 1.0), [0.0, 1.0, 2.0]);
    let level: Values = vec![5_i32; 3].into();
    assert_eq!(times(linear(&[0.0, 1.0, 2.0], level), 1.0), [0.0]);
    let gray = |level| Color32 { r: level, g: level, b: level, a: 255 };
    let peak: Values = vec![gray(0), gray(1), gray(0)].into();
    assert_eq!(times(linear(&[0.0, 1.0, 2.0], peak), 1.0), [0.0, 1.0, 2.0]);
}

fn turn(degrees: f64) -> Quat<f64> {
    Quat::from_axis_angle([0.0, 0.0, 1.0], degrees.to_radians())
}

#[test]
fn no_segment_turns_by_half_a_turn_or_more() {
    let rotations: Vec<_> = (0..13_u8).map(|key| turn(f64::from(key) * 60.0)).collect();
    let at: Vec<f64> = (0..13_u8).map(f64::from).collect();
    // Any rotation is within 4 radians of any other.
    let (kept, _) = reduced(Property::Rotation, linear(&at, rotations), 4.0);
    let kept: Vec<f64> = (0..kept.len()).filter_map(|key| kept.time(key)).collect();
    assert_eq!(kept, [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
}

#[test]
fn components_share_the_bound_of_their_property() {
    let reduced = |axis, bound| {
        let target = Target { component: Some(axis), ..Target::new("node", Property::Translation) };
        let data = linear(&[0.0, 1.0, 2.0], vec![0.0_f64, 1.0, 0.0]);
        let track = Track::new(target, data).unwrap();
        let clip = Animation::new(vec![track]);
        let bounds = ReduceBounds::all(bound);
        let outcome = reduce(Document::single(clip), bounds, &Settings::default()).unwrap();
        outcome.value.clips[0].tracks[0].data().len()
    };
    // Three components with an error of 1 have an error of 1.73 together.
    assert_eq!((reduced(Axis::X, 1.73), reduced(Axis::X, 1.74)), (3, 2));
}

#[test]
fn invalid_bounds_are_rejected_and_invalid_values_kept() {
    let data = || linear(&[0.0, 1.0, 2.0], vec![1.0_f32, f32::NAN, f32::INFINITY]);
    for bound in [-1.0, f64::NAN, f64::INFINITY] {
        let bounds = ReduceBounds::all(bound);
        let error = reduce(document(Property::Custom(None), data()), bounds, &Settings::default());
        assert!(matches!(error, Err(EditError::Number { .. })));
    }
    assert_eq!(times(data(), 1.0).len(), 3);
    let nothing = vec![Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 0.0 }; 3];
    assert_eq!(times(linear(&[0.0, 1.0, 2.0], nothing), 4.0).len(), 3);
    assert_eq!(times(linear(&[-1e300, 0.0, 1e300], vec![0.0_f64, 5.0, 9.0]), 0.1).len(), 3);
    assert!(times(TrackData::empty(inbetween_core::ValueKind::Float), 1.0).is_empty());
    let never = TrackData::uniform(f64::NAN, vec![1.0_f32; 5]);
    assert_eq!(reduced(Property::Custom(None), never.clone(), 1.0).0.len(), never.len());
}

#[test]
fn the_error_just_after_a_key_of_two_close_rotations_is_stated() {
    // Resonite shows the second of two very close rotations as soon as their segment begins.
    let rules = inbetween_core::resonite::RULES;
    let rotation = |x, z, w| Quat { x, y: 0.0_f32, z, w };
    let close =
        [(0.236_943_68, 0.315_924_9, 0.918_721_5), (0.237_043_71, 0.316_058_28, 0.918_649_8)];
    let [first, second] = close.map(|(x, z, w)| rotation(x, z, w));
    let data = linear(&[0.0, 1.0 / 15.0, 0.1], vec![rotation(0.0, 0.0, 1.0), first, second]);
    let mut clip = document(Property::Rotation, data.clone());
    clip.clips[0].rules = rules;
    let outcome = reduce(clip, ReduceBounds::all(0.3), &Settings::default()).unwrap();
    let stated = outcome.findings[0].error.unwrap().value;
    let after = outcome.value.clips[0].tracks[0].data();
    assert_eq!(after.len(), 2);
    let shown = |data| rules.sample(data, 1.0 / 15.0 + 1e-8).unwrap();
    let error = value_error(&shown(&data), &shown(after));
    assert!(error > 0.2707 && error <= stated + 1e-6, "{error}, stated {stated}");
}

#[test]
fn many_equal_keys_become_one() {
    let data = TrackData::uniform(1.0 / 30.0, vec![[1.0_f32, 2.0, 3.0]; 200_000]);
    assert_eq!(times(data, 0.0).len(), 1);
}

/// Returns the measured difference between two tracks; infinite if they cannot be compared.
fn track_error(before: &TrackData, after: &TrackData, rules: Rules) -> f64 {
    let channel = |data| Channel::of_track(&Property::Custom(None), data, rules);
    let found = channel(before).difference(&channel(after));
    found.map_or(f64::INFINITY, |found| found.value)
}

#[test]
fn the_error_of_a_track_is_measured_at_keys_and_between_them() {
    let before = linear(&[0.0, 1.0, 2.0], vec![0.0_f64, 3.0, 0.0]);
    let after = linear(&[0.0, 2.0], vec![0.0_f64, 0.0]);
    assert_eq!(track_error(&before, &after, Rules::LINEAR), 3.0);
    let held = TrackData::stepped(vec![0.0, 1.0], vec![0.0_f64, 0.0]).unwrap();
    // From 1 to 2, the segment goes from 3 to 0, and the other holds 0; at a quarter, the
    // difference is 2.25.
    assert_eq!(track_error(&after, &held, Rules::LINEAR), 0.0);
    let other = linear(&[0.0], vec![[0.0_f32; 2]]);
    assert_eq!(track_error(&before, &other, Rules::LINEAR), f64::INFINITY);
}

/// A random walk in small and large steps, on frames or at arbitrary times.
fn walks() -> impl Strategy<Value = (Vec<f64>, Vec<[f64; 4]>)> {
    let step = prop_oneof![
        4 => prop::array::uniform4(-1e-3..1e-3_f64),
        2 => Just([0.0; 4]),
        1 => prop::array::uniform4(-1.0..1.0_f64),
    ];
    let wait = prop_oneof![6 => Just(1.0 / 30.0), 2 => 1e-4..0.5_f64, 1 => Just(0.0)];
    prop::collection::vec((wait, step), 1..40).prop_map(|steps| {
        let (mut time, mut place, mut speed) = (0.0, [0.3, -0.2, 0.5, 0.9], [0.0; 4]);
        let mut keys = (Vec::new(), Vec::new());
        for (wait, step) in steps {
            time += wait;
            for ((place, speed), step) in place.iter_mut().zip(&mut speed).zip(step) {
                *speed = *speed * 0.5 + step;
                *place += *speed;
            }
            keys.0.push(time);
            keys.1.push(place);
        }
        keys
    })
}

/// Reduces a track, and checks the bound at the measured times, and nearly at others.
fn check_bound(property: Property, data: &TrackData, bound: f64, rules: Rules) {
    let mut before = document(property, data.clone());
    before.clips[0].rules = rules;
    let outcome = reduce(before, ReduceBounds::all(bound), &Settings::default()).unwrap();
    let after = outcome.value.clips[0].tracks[0].data();
    let error = track_error(data, after, rules);
    // The values between keys are rounded to `f32`.
    let rounding = if bound > 0.0 { 1e-6 } else { 0.0 };
    assert!(error <= bound + rounding, "{error} above {bound}");
    assert_eq!(outcome.findings.is_empty(), after.len() == data.len());
    let end = data.end().unwrap();
    for step in 0..97_u8 {
        let time = end * f64::from(step) / 96.0;
        let [old, new] = [data, after].map(|data| rules.sample(data, time).unwrap());
        let error = value_error(&old, &new);
        // On unit rotations, the slerps of engines differ by up to 2e-3.
        let raw = rules.slerp == Slerp::Raw && data.kind().is_quaternion();
        let slerps = if raw { 2e-3 } else { 0.0 };
        assert!(error <= bound * 1.05 + 1e-6 + slerps, "{error} above {bound} at {time}");
    }
}

fn bounds() -> impl Strategy<Value = f64> {
    prop_oneof![1 => Just(0.0), 4 => 1e-6..1e-2_f64, 2 => 1e-2..2.0_f64]
}

fn rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(vec![Rules::LINEAR, inbetween_core::resonite::RULES])
}

proptest! {
    // 10,000 animations in all.
    #![proptest_config(properties::cases(2_500))]

    #[test]
    fn positions_stay_within_the_bound(
        (times, places) in walks(),
        bound in bounds(),
        rules in rules(),
        hold in any::<bool>(),
    ) {
        let narrow = |place: &[f64; 4]| -> [f32; 3] {
            let [x, y, z, _] = *place;
            [x, y, z].map(inbetween_core::num::f32_from_f64)
        };
        let values: Vec<[f32; 3]> = places.iter().map(narrow).collect();
        let way = if hold { Interpolation::Hold } else { Interpolation::Linear };
        check_bound(Property::Translation, &curve(&times, values, way), bound, rules);
    }

    #[test]
    fn rotations_stay_within_the_bound(
        (times, places) in walks(),
        bound in bounds(),
        rules in rules(),
        wide in any::<bool>(),
    ) {
        let rotations: Vec<Quat<f64>> =
            places.iter().map(|place| Quat::from_array(*place).normalized()).collect();
        let narrow = |rotation: &Quat<f64>| {
            Quat::from_array(rotation.to_array().map(inbetween_core::num::f32_from_f64))
        };
        let values: Values = if wide {
            rotations.into()
        } else {
            rotations.iter().map(narrow).collect::<Vec<Quat<f32>>>().into()
        };
        check_bound(Property::Rotation, &linear(&times, values), bound, rules);
    }

    #[test]
    fn numbers_stay_within_the_bound(
        (times, places) in walks(),
        bound in bounds(),
        rules in rules(),
        whole in any::<bool>(),
    ) {
        let values: Values = if whole {
            let rounded = |place: &[f64; 4]| -> i32 {
                i32::try_from(inbetween_core::num::i128_from_f64(place[0] * 8.0)).unwrap()
            };
            places.iter().map(rounded).collect::<Vec<_>>().into()
        } else {
            places.iter().map(|place| place[0]).collect::<Vec<f64>>().into()
        };
        check_bound(Property::Custom(None), &linear(&times, values), bound, rules);
    }

    #[test]
    fn angles_stay_within_the_bound_as_rotations(
        (times, places) in walks(),
        bound in 1e-6..1.0_f64,
    ) {
        let order = inbetween_testing::documents::X4_ORDER;
        let values: Vec<[f64; 3]> = places.iter().map(|&[x, y, z, _]| [x, y, z]).collect();
        let data = linear(&times, values);
        let property = Property::RotationEuler(order);
        let (after, _) = reduced(property, data.clone(), bound);
        for time in times {
            let rotations = [&data, &after].map(|data| {
                match Rules::LINEAR.sample(data, time).unwrap() {
                    inbetween_core::Value::Double3(angles) => order.quaternion(angles),
                    other => panic!("{other:?}"),
                }
            });
            let [old, new] = rotations;
            prop_assert!(old.angle_to(new) <= bound * 1.000_001 + 1e-12);
        }
    }
}
