//! Tests of baking: the resulting keys, and whether the stated error is the largest one.

#![expect(clippy::unwrap_used, reason = "the tracks of these tests are sound")]

use std::f64::consts::{FRAC_PI_2, PI, TAU};

mod engines;

use engines::{RESONITE, X4_ORDER};
use inbetween_core::{
    BakeError, Baked, Baker, Budget, Clock, Color, EulerOrder, FrameKeys, Grid, Interpolation,
    Interpolations, Limits, Property, Quat, Remedy, Rules, Strings, TrackData, Value, ValueKind,
    Values, value_error,
};
use inbetween_testing::properties;
use proptest::prelude::*;

fn budget() -> Budget {
    Budget::new(&Limits::default(), 0)
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    let shared = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times.to_vec(), values, shared, None).unwrap()
}

fn bake_at_rate(
    data: &TrackData,
    rate: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    Baker::new(Grid::Frames(rate, FrameKeys::Every)).same_kind(data, rules, budget)
}

fn bake_euler_at_rate(
    data: &TrackData,
    order: EulerOrder,
    rate: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    Baker::new(Grid::Frames(rate, FrameKeys::Every)).quaternions(data, order, rules, budget)
}

fn bake(data: &TrackData, rate: f64) -> Baked {
    bake_at_rate(data, rate, Rules::LINEAR, &mut budget()).unwrap()
}

fn spin(times: &[f64], angles: &[f64]) -> TrackData {
    linear(times, angles.iter().map(|&y| [0.0, y, 0.0]).collect::<Vec<_>>())
}

fn bake_euler(data: &TrackData, rate: f64) -> Baked {
    let order = X4_ORDER;
    bake_euler_at_rate(data, order, rate, Rules::LINEAR, &mut budget()).unwrap()
}

#[test]
fn keys_are_at_frame_over_rate() {
    let baked = bake(&linear(&[0.75, 1.25], vec![3.0_f64, 5.0]), 4.0);
    assert_eq!(baked.data, linear(&[0.75, 1.0, 1.25], vec![3.0_f64, 4.0, 5.0]));
    assert_eq!(baked.difference.value, 0.0);
}

#[test]
fn a_linear_track_with_its_keys_on_frames_has_no_error() {
    let data = linear(&[0.0, 0.25, 1.0], vec![0.0_f32, 1.0, -2.0]);
    let baked = bake(&data, 4.0);
    assert_eq!(*baked.data.values(), Values::from(vec![0.0_f32, 1.0, 0.0, -1.0, -2.0]));
    assert!(baked.difference.value < 1e-15, "{}", baked.difference.value);
}

#[test]
fn times_rounded_to_f32_give_exactly_the_values_of_their_keys() {
    let times: Vec<f64> = (0_u8..=60).map(|frame| f64::from(f32::from(frame) / 60.0)).collect();
    let values: Vec<f64> = times.iter().map(|time| time.sin() * 1e6).collect();
    let data = linear(&times, values.clone());
    let baked = bake_at_rate(&data, 60.0, RESONITE, &mut budget()).unwrap();
    assert_eq!(*baked.data.values(), Values::from(values));
}

#[test]
fn the_error_at_a_key_between_frames_is_measured() {
    // The frames give 0, 2/3, 0; at 0.25 they give 1/3 where the key is 1.
    let baked = bake(&linear(&[0.0, 0.25, 1.0], vec![0.0_f64, 1.0, 0.0]), 2.0);
    assert!((baked.difference.value - 2.0 / 3.0).abs() < 1e-15);
}

#[test]
fn the_error_of_a_curve_between_frames_is_measured() {
    // From 0 to 1 with tangents 0: at 1/4 the curve is 5/32, a linear segment 1/4. The largest
    // difference is 0.0962 at 0.2113.
    let tangents = inbetween_core::Tangents::Values {
        left: vec![0.0_f64; 2].into(),
        right: vec![0.0_f64; 2].into(),
    };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let data = TrackData::curve(vec![0.0, 1.0], vec![0.0_f64, 1.0], hermite, Some(tangents));
    let baked = bake(&data.unwrap(), 1.0);
    assert!((0.09375..0.0963).contains(&baked.difference.value), "{}", baked.difference.value);
}

#[test]
fn a_jump_between_frames_is_an_error_before_and_after_it() {
    // Just before 0.125 the frames give 1 and the track 0; at 0.125 the track gives 4.
    let data = TrackData::stepped(vec![0.0, 0.125], vec![0.0_f32, 4.0]).unwrap();
    assert_eq!(bake(&data, 2.0).difference.value, 3.0);
    let data = TrackData::stepped(vec![0.0, 0.375], vec![0.0_f32, 4.0]).unwrap();
    assert_eq!(bake(&data, 2.0).difference.value, 3.0);
}

#[test]
fn the_error_of_a_jump_on_a_frame_is_its_height() {
    for rules in [Rules::LINEAR, RESONITE] {
        let data = TrackData::stepped(vec![0.0, 0.1], vec![0.0_f32, 4.0]).unwrap();
        let baked = bake_at_rate(&data, 10.0, rules, &mut budget()).unwrap();
        assert_eq!(*baked.data.values(), Values::from(vec![0.0_f32, 4.0]));
        assert_eq!(baked.difference.value, 4.0);
    }
}

#[test]
fn measures_the_value_before_a_first_key_on_a_frame() {
    let data = TrackData::stepped(vec![1.0, 1.0, 2.0], vec![0.0_f32, 5.0, 5.0]).unwrap();
    assert_eq!(bake(&data, 1.0).difference.value, 5.0);
}

#[test]
fn keys_hidden_by_others_at_the_same_time_cause_no_error() {
    let data = linear(&[0.0, 1.0, 1.0, 1.0, 2.0], vec![0.0_f64, 5.0, 900.0, 5.0, 5.0]);
    assert_eq!(bake(&data, 1.0).difference.value, 0.0);
}

#[test]
fn keys_before_frame_0_cause_no_error() {
    let data = linear(&[-1.0, 0.0, 1.0], vec![9.0_f64, 0.0, 1.0]);
    assert_eq!(bake(&data, 1.0).difference.value, 0.0);
}

#[test]
fn uniform_keys_are_followed() {
    let baked = bake(&TrackData::uniform(0.5, vec![0.0_f32, 8.0, 0.0]), 1.0);
    assert_eq!(*baked.data.values(), Values::from(vec![0.0_f32, 0.0]));
    assert_eq!(baked.difference.value, 8.0);
    let stuck = bake(&TrackData::uniform(f64::NAN, vec![3.0_f32, 8.0]), 1.0);
    assert_eq!(*stuck.data.values(), Values::from(vec![3.0_f32]));
    assert_eq!(stuck.difference.value, 0.0);
}

#[test]
fn a_quaternion_error_is_an_angle() {
    let turn = |angle| Quat::from_axis_angle([0.0, 0.0, 1.0], angle);
    let data = linear(&[0.0, 0.5, 1.0], vec![Quat::IDENTITY, turn(FRAC_PI_2), Quat::IDENTITY]);
    let baked = bake(&data, 1.0);
    // Errors of rotations are bounds by subdivision, which stops once they are tight enough.
    assert!(
        (FRAC_PI_2..1.5 * FRAC_PI_2).contains(&baked.difference.value),
        "{}",
        baked.difference.value
    );
}

#[test]
fn strings_and_bools_are_baked_as_they_hold() {
    let strings: Strings = [Some("a"), None, Some("")].into_iter().collect();
    let data = linear(&[0.0, 1.0, 1.5], strings);
    let baked = bake(&data, 1.0);
    let expected: Strings = [Some("a"), None, Some("")].into_iter().collect();
    assert_eq!(*baked.data.values(), Values::from(expected));
    assert_eq!(baked.difference.value, 1.0);
    let baked = bake(&linear(&[0.0, 1.5], vec![false, true]), 1.0);
    assert_eq!(*baked.data.values(), Values::from(vec![false, false, true]));
}

#[test]
fn stepped_keys_on_frames_have_no_error() {
    let baked = bake(&linear(&[0.0, 1.0, 2.0], vec![false, true, false]), 2.0);
    let expected = vec![false, false, true, true, false];
    assert_eq!(*baked.data.values(), Values::from(expected));
    assert_eq!(baked.difference.value, 0.0);
}

#[test]
fn a_track_without_keys_gives_no_keys() {
    for kind in ValueKind::ALL {
        let baked = bake(&TrackData::empty(kind), 30.0);
        assert_eq!((baked.data.len(), baked.data.kind(), baked.difference.value), (0, kind, 0.0));
    }
}

#[test]
fn rejects_keys_beyond_the_last_frame() {
    let late = linear(&[1e12], vec![1.0_f32]);
    let error = bake_at_rate(&late, 30.0, Rules::LINEAR, &mut budget()).unwrap_err();
    assert_eq!(error, BakeError::Frames { rate: 30.0, end: 1e12 });
    let held = TrackData::stepped(vec![0.0, 1e12], vec![true, false]).unwrap();
    let error = Baker::new(Grid::Frames(30.0, FrameKeys::Every))
        .steps(&held, &Property::Scale, &mut budget())
        .unwrap_err();
    assert_eq!(error, BakeError::Frames { rate: 30.0, end: 1e12 });
}

#[test]
fn rejects_invalid_rates() {
    let data = linear(&[0.0], vec![1.0_f32]);
    for rate in [0.0, -30.0, f64::NAN, f64::INFINITY] {
        let error = bake_at_rate(&data, rate, Rules::LINEAR, &mut budget()).unwrap_err();
        assert!(matches!(error, BakeError::Rate { .. }), "{rate}");
    }
    let error = bake_at_rate(&data, -1.0, Rules::LINEAR, &mut budget()).unwrap_err();
    assert_eq!(error.to_string(), "expected a positive frame rate such as 30, found -1");
}

#[test]
fn rejects_more_frames_than_the_budget_holds() {
    let data = |end| linear(&[0.0, end], vec![1.0_f32, 2.0]);
    let limits = Limits::default().with_decoded_bytes(1_000);
    let mut budget = Budget::new(&limits, 0);
    let error = bake_at_rate(&data(4_294_967_295.0), 1.0, Rules::LINEAR, &mut budget);
    // Each frame has an f64 time and an f32 value.
    let (frames, bytes) = (1 << 32, 12 << 32);
    assert_eq!(error.unwrap_err(), BakeError::Limit { frames, bytes, left: 1_000 });
    // 80 frames fit; after they are spent, 80 more do not.
    assert!(bake_at_rate(&data(79.0), 1.0, Rules::LINEAR, &mut budget).is_ok());
    let error = bake_at_rate(&data(79.0), 1.0, Rules::LINEAR, &mut budget).unwrap_err();
    assert_eq!(error, BakeError::Limit { frames: 80, bytes: 960, left: 40 });
    assert_eq!(
        error.to_string(),
        "80 frames need 960 bytes, the limit leaves 40; use a lower frame rate or raise the limit on \
         decoded bytes"
    );
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
}

#[test]
fn rejects_strings_that_repeat_beyond_the_budget() {
    let strings: Strings = [Some("x".repeat(1_000).as_str())].into_iter().collect();
    let limits = Limits::default().with_decoded_bytes(10_000);
    let mut budget = Budget::new(&limits, 0);
    let data = linear(&[0.0, 19.0], [strings.get(0).unwrap(); 2].into_iter().collect::<Strings>());
    let error = bake_at_rate(&data, 1.0, Rules::LINEAR, &mut budget).unwrap_err();
    assert_eq!(error, BakeError::Limit { frames: 20, bytes: 20_000, left: 9_520 });
}

#[test]
fn euler_angles_become_quaternions() {
    let baked = bake_euler(&spin(&[0.0, 1.0], &[0.0, TAU]), 4.0);
    let keys = baked.data.values().as_slice::<Quat<f64>>().unwrap();
    let half = FRAC_PI_2 / 2.0;
    for (key, turns) in keys.iter().zip([0.0, 1.0, 2.0, 3.0, 4.0]) {
        let expected = Quat { x: 0.0, y: (turns * half).sin(), z: 0.0, w: (turns * half).cos() };
        assert!(key.angle_to(expected) < 1e-7);
    }
    assert!(baked.difference.value < 1e-7, "{}", baked.difference.value);
    // After a whole turn, the quaternion is the negated one: there is no jump to the other sign.
    assert!(keys.windows(2).all(|pair| pair[0].dot(pair[1]) > 0.7));
    assert!((keys[4].w + 1.0).abs() < 1e-15);
}

#[test]
fn whole_turns_between_frames_are_an_error() {
    // At 1, 2 and 4 turns per frame, the quaternions are all equal.
    for (turns, expected) in [(1.0, PI), (2.0, PI), (4.0, 2.96)] {
        let baked = bake_euler(&spin(&[0.0, 1.0], &[0.0, turns * TAU]), 1.0);
        assert!(baked.difference.value >= expected - 0.5, "{turns}: {}", baked.difference.value);
    }
}

/// The frame before it keeps the value before the first time.
#[test]
fn a_jump_at_the_first_time_has_a_key_before_it() {
    let held = TrackData::stepped(vec![0.5, 0.5, 0.75], vec![1.0_f32, 2.0, 3.0]).unwrap();
    let maker = Baker::new(Grid::Frames(4.0, FrameKeys::Every));
    let baked = maker.steps(&held, &Property::Custom(None), &mut budget()).unwrap();
    let kept = TrackData::stepped(vec![0.25, 0.5, 0.75], vec![1.0_f32, 2.0, 3.0]).unwrap();
    assert_eq!((baked.data, baked.difference.value), (kept, 0.0));
}

/// Joined axes have each time once, also where one of them jumps.
#[test]
fn a_jump_of_one_axis_at_the_first_time_has_a_key_before_it() {
    let held = |times: &[f64], values: &[f32]| {
        Some(TrackData::stepped(times.to_vec(), values.to_vec()).unwrap())
    };
    // The last time is on no frame, so every frame gets a key.
    let axes = [
        held(&[0.5], &[7.0]),
        // The first key is within rounding of the jump.
        held(&[0.5_f64.next_down(), 0.5, 0.5], &[1.0, 1.0, 2.0]),
        held(&[0.5, 0.6], &[3.0, 4.0]),
    ];
    let baker = Baker::new(Grid::Frames(4.0, FrameKeys::Needed));
    let joined = baker.join(&axes, [0.0; 3], Rules::LINEAR, &mut budget()).unwrap();
    let keys: Vec<_> = joined.data.keys().collect();
    let shown = |y, z| Value::Float3([7.0, y, z]);
    assert_eq!(keys, [(0.25, shown(1.0, 3.0)), (0.5, shown(2.0, 3.0)), (0.75, shown(2.0, 4.0))]);
}

#[test]
fn an_angle_that_is_no_number_and_not_kept_is_an_error() {
    let data = linear(&[0.0, 0.125, 0.25], vec![0.0, f32::NAN, 0.0]);
    let angle = Property::RotationEuler(EulerOrder::XYZ);
    let maker = Baker::new(Grid::Frames(4.0, FrameKeys::Every));
    let baked = maker.same_property(&data, &angle, Rules::LINEAR, &mut budget()).unwrap();
    // The first time that is measured inside the first segment.
    assert_eq!((baked.data.len(), baked.difference.undefined), (2, Some(0.125 / 8.0)));
}

#[test]
fn float3_angles_give_float_quaternions_and_other_kinds_are_rejected() {
    let data = linear(&[0.0, 1.0], vec![[0.3_f32, 0.5, 0.7]; 2]);
    let baked = bake_euler(&data, 1.0);
    let keys = baked.data.values().as_slice::<Quat<f32>>().unwrap();
    let expected = [-0.219_895_77_f32, 0.279_443_9, -0.293_777_17, 0.887_272_2];
    for (found, expected) in keys[1].to_array().into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7);
    }
    let data = linear(&[0.0], vec![1.0_f32]);
    let (order, rules) = (X4_ORDER, Rules::LINEAR);
    let error = bake_euler_at_rate(&data, order, 1.0, rules, &mut budget()).unwrap_err();
    assert_eq!(error, BakeError::NotEuler { kind: ValueKind::Float });
}

#[test]
fn the_error_of_a_jump_of_angles_is_the_angle_between_the_rotations() {
    let property = Property::RotationEuler(X4_ORDER);
    let maker = Baker::new(Grid::Frames(30.0, FrameKeys::Every));
    // The value between two jumps shows on no frame.
    let (times, angles) = (vec![0.0, 0.01, 0.01, 0.02, 0.02], vec![2.0_f64, 2.0, -3.0, -3.0, 2.0]);
    let held = TrackData::stepped(times.clone(), angles.clone()).unwrap();
    let straight = Interpolations::Shared(Interpolation::Linear);
    let line = TrackData::curve(times, angles, straight, None).unwrap();
    for baked in [
        maker.steps(&held, &property, &mut budget()).unwrap(),
        maker.same_property(&line, &property, Rules::LINEAR, &mut budget()).unwrap(),
    ] {
        assert!((baked.difference.value - (TAU - 5.0)).abs() < 1e-9, "{baked:?}");
    }
}

#[test]
fn value_errors_are_distances() {
    let error = |a: Value, b: Value| value_error(&a, &b);
    assert_eq!(error(Value::Float(1.5), Value::Float(-0.5)), 2.0);
    assert_eq!(error(Value::Float3([1.0, 2.0, 3.0]), Value::Float3([3.0, 5.0, 9.0])), 7.0);
    assert_eq!(error(Value::ULong(0), Value::ULong(u64::MAX)), 18_446_744_073_709_551_615.0);
    assert_eq!(error(Value::Double2x2([[0.0; 2]; 2]), Value::Double2x2([[1.0; 2]; 2])), 2.0);
    let color = Color::from_array;
    assert_eq!(error(Value::Color(color([0.0; 4])), Value::Color(color([0.5; 4]))), 1.0);
    assert_eq!(error(Value::Bool(true), Value::Bool(false)), 1.0);
    assert_eq!(error(Value::String(None), Value::String(Some("".into()))), 1.0);
    // Squares of these numbers overflow.
    let far = |part: f64| part * 2.0_f64.powi(600);
    assert_eq!(error(Value::Double2([0.0; 2]), Value::Double2([far(3.0), far(4.0)])), far(5.0));
}

#[test]
fn value_errors_of_values_without_a_distance() {
    let error = |a: f32, b: f32| value_error(&Value::Float(a), &Value::Float(b));
    assert_eq!(error(f32::NAN, f32::NAN), 0.0);
    assert_eq!(error(f32::INFINITY, f32::INFINITY), 0.0);
    assert_eq!(error(f32::NAN, 1.0), f64::INFINITY);
    assert_eq!(error(f32::INFINITY, f32::NEG_INFINITY), f64::INFINITY);
    let quats = |a: Quat<f32>, b: Quat<f32>| value_error(&Value::FloatQ(a), &Value::FloatQ(b));
    assert_eq!(quats(Quat::default(), Quat::IDENTITY), f64::INFINITY);
    assert_eq!(quats(Quat::default(), Quat::default()), 0.0);
    assert_eq!(value_error(&Value::Float(1.0), &Value::Double(1.0)), f64::INFINITY);
}

/// Checks the frames of a baked track, with keys as times and values.
fn frames_play_the_same(
    resonite: bool,
    interpolation: Interpolation,
    keys: &[(f32, f64)],
    rate: f64,
) -> Result<(), TestCaseError> {
    let rules = if resonite { RESONITE } else { Rules::LINEAR };
    let mut times: Vec<f64> = keys.iter().map(|key| f64::from(key.0)).collect();
    times.sort_by(f64::total_cmp);
    let values: Values = keys.iter().map(|key| key.1).collect::<Vec<_>>().into();
    let tangents = inbetween_core::Tangents::Values { left: values.clone(), right: values.clone() };
    let shared = Interpolations::Shared(interpolation);
    let data = TrackData::curve(times.clone(), values, shared, Some(tangents)).unwrap();
    let baked = bake_at_rate(&data, rate, rules, &mut budget()).unwrap();
    // A key close to a frame is moved to it, which changes the segments around it.
    prop_assume!(interpolation == Interpolation::Hold || baked.time_shift == 0.0);
    let number = |time: f64| match rules.with_clock(Clock::F64).sample(&data, time) {
        Some(Value::Double(number)) => number,
        _ => f64::NAN,
    };
    // Baking follows curves in `f64`; an engine with an `f32` clock rounds times, which shows where
    // a curve is steep.
    let rounding = |time: f64| {
        let near = 4.0 * f64::from(f32::EPSILON) * time.abs();
        let moves = [time - near, time + near].map(|other| (number(other) - number(time)).abs());
        if resonite { 1e-4 + moves.iter().sum::<f64>() } else { 1e-9 }
    };
    for index in 0..baked.data.len() {
        let time = baked.data.time(index).unwrap();
        let near = times.iter().any(|key| (key - time).abs() < 1e-4);
        let (Some(Value::Double(found)), Some(Value::Double(expected))) =
            (baked.data.value(index), rules.sample(&data, time))
        else {
            return Err(TestCaseError::fail("not numbers"));
        };
        prop_assert!(near || (found - expected).abs() < rounding(time));
    }
    for step in 0..400_u32 {
        let time = baked.data.end().unwrap() * f64::from(step) / 400.0;
        if time < baked.data.time(0).unwrap() || times.iter().any(|key| (key - time).abs() < 1e-3) {
            continue;
        }
        let source = rules.sample(&data, time).unwrap();
        let frames = Rules::LINEAR.sample(&baked.data, time).unwrap();
        prop_assert!(value_error(&source, &frames) <= baked.difference.value + rounding(time));
    }
    Ok(())
}

#[test]
fn an_f32_clock_rounds_times_on_a_steep_segment() {
    let keys = [(2.765_871_3, 0.0), (2.770_127, 0.0), (0.0, 6.890_536_306_542_258)];
    frames_play_the_same(true, Interpolation::Linear, &keys, 9.760_761_931_911_661).unwrap();
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn frames_have_the_played_values_and_errors_are_upper_bounds(
        resonite in any::<bool>(),
        interpolation in prop::sample::select(vec![
            Interpolation::Hold, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier,
        ]),
        keys in prop::collection::vec((-3.0..3.0_f32, -9.0..9.0_f64), 1..12),
        rate in 0.5..20.0_f64,
    ) {
        frames_play_the_same(resonite, interpolation, &keys, rate)?;
    }
}
