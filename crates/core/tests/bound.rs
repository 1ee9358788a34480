//! Tests of keys within an error bound.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use std::f64::consts::TAU;

mod engines;

use engines::X4_ORDER;
use inbetween_core::{
    BakeError, Baked, Baker, Budget, DEFAULT_BOUND, EulerOrder, Grid, Interpolation,
    Interpolations, Limits, Quat, Rules, Tangents, TrackData, Value, Values, WriteError,
};

const LINEAR: Interpolations = Interpolations::Shared(Interpolation::Linear);

fn budget() -> Budget {
    Budget::new(&Limits::default(), 0)
}

type Result = core::result::Result<Baked, BakeError>;

fn bake_to_bound(data: &TrackData, bound: f64, rules: Rules, budget: &mut Budget) -> Result {
    Baker::new(Grid::Bound(bound), budget).linear(data, rules)
}

fn bake_euler_to_bound(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result {
    Baker::new(Grid::Bound(bound), budget).quaternions(data, order, rules)
}

fn bake_to_euler(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result {
    Baker::new(Grid::Bound(bound), budget).angles(data, order, rules)
}

fn angles(values: Vec<[f64; 3]>) -> TrackData {
    let times = (0..values.len()).map(inbetween_core::num::f64_from_index).collect();
    TrackData::curve(times, values, LINEAR, None).unwrap()
}

#[test]
fn linear_segments_keep_their_keys() {
    let data = TrackData::uniform(0.5, vec![0.0_f32, 3.0, 1.0]);
    let baked = bake_to_bound(&data, 1e-3, Rules::LINEAR, &mut budget()).unwrap();
    assert_eq!(baked.data.values(), data.values());
    assert_eq!(baked.data.time(2), Some(1.0));
    assert_eq!(baked.error.value, 0.0);
}

#[test]
fn a_curve_gets_keys_until_the_error_is_within_the_bound() {
    let side = |value: f64| Values::from(vec![value; 2]);
    let tangents = Tangents::Values { left: side(0.0), right: side(0.0) };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let data = TrackData::curve(vec![0.0, 1.0], vec![0.0, 1.0], hermite, Some(tangents)).unwrap();
    for bound in [1e-1, 1e-3, 1e-5] {
        let baked = bake_to_bound(&data, bound, Rules::LINEAR, &mut budget()).unwrap();
        assert!(baked.error.value <= bound);
        for step in 0..=100 {
            let time = f64::from(step) / 100.0;
            let expected = 3.0 * time * time - 2.0 * time * time * time;
            let Some(Value::Double(found)) = Rules::LINEAR.sample(&baked.data, time) else {
                panic!("no value at {time}")
            };
            assert!((found - expected).abs() <= bound * 1.5, "{found} at {time}, bound {bound}");
        }
    }
}

#[test]
fn whole_turns_stay_whole_turns() {
    for turns in [1.0, 2.0, 4.0, 100.0] {
        let data = angles(vec![[0.0; 3], [TAU * turns, 0.0, 0.0]]);
        let order = X4_ORDER;
        let linear = Rules::LINEAR;
        let baked =
            bake_euler_to_bound(&data, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
        assert!(baked.error.value <= DEFAULT_BOUND);
        for step in 0..1000 {
            let time = f64::from(step) / 1000.0;
            let expected = order.quaternion([TAU * turns * time, 0.0, 0.0]);
            let Some(Value::DoubleQ(found)) = linear.sample(&baked.data, time) else {
                panic!("no rotation at {time}")
            };
            assert!(found.angle_to(expected) <= DEFAULT_BOUND, "{turns} turns at {time}");
        }
    }
}

#[test]
fn quaternions_become_angles_within_the_bound() {
    let order = X4_ORDER;
    let turn = |angles| order.quaternion(angles);
    let values: Vec<Quat<f64>> =
        vec![turn([0.1, 0.2, 0.3]), turn([1.5, -1.0, 0.9]), turn([2.9, 0.4, -1.2])];
    let data = TrackData::curve(vec![0.0, 1.0, 2.0], values, LINEAR, None).unwrap();
    let linear = Rules::LINEAR;
    let baked = bake_to_euler(&data, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
    assert!(baked.error.value <= DEFAULT_BOUND);
    for step in 0..=200 {
        let time = f64::from(step) / 100.0;
        let (Some(Value::Double3(angles)), Some(Value::DoubleQ(expected))) =
            (linear.sample(&baked.data, time), linear.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        assert!(order.quaternion(angles).angle_to(expected) <= DEFAULT_BOUND * 1.5);
    }
}

#[test]
fn baking_noise_stops() {
    let data = angles(vec![[0.0; 3], [1e30, f64::NAN, 1e30]]);
    let order = X4_ORDER;
    let baked = bake_euler_to_bound(&data, order, 1e-300, Rules::LINEAR, &mut budget());
    // Its own keys, 12 halvings, and the spans that halving does not improve.
    assert!(baked.unwrap().data.len() <= 2 + 12 + 32);
}

#[test]
fn angles_too_large_for_f32_get_few_keys() {
    for angle in [1e5, 1e9, 1e22, 1e300] {
        let data = angles(vec![[0.0; 3], [angle, -angle, angle * 0.7]]);
        let linear = Rules::LINEAR;
        let order = X4_ORDER;
        let baked = bake_euler_to_bound(&data, order, DEFAULT_BOUND, linear, &mut budget());
        let baked = baked.unwrap();
        assert!(baked.data.len() <= 2 + 12 + 32, "{} keys for {angle}", baked.data.len());
        assert!(baked.error.value > 1.0, "{} for {angle}", baked.error.value);
    }
}

#[test]
fn a_segment_is_halved_at_most_twelve_times() {
    let spin = angles(vec![[0.0; 3], [0.0, 0.0, TAU * 2_000.0]]);
    let (order, linear) = (X4_ORDER, Rules::LINEAR);
    let baked = bake_euler_to_bound(&spin, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
    assert_eq!(baked.data.len(), 4097);
    assert!(baked.error.value <= DEFAULT_BOUND, "{}", baked.error.value);
}

#[test]
fn a_jump_does_not_spoil_the_remaining_segment() {
    // Directly over the pole, where two of the angles change by half a turn at once.
    let order = X4_ORDER;
    let values = vec![order.quaternion([0.0, 0.3, 1.2]), order.quaternion([0.0, 0.3, 2.2])];
    let data = TrackData::curve(vec![0.0, 1.0], values, LINEAR, None).unwrap();
    let linear = Rules::LINEAR;
    let baked = bake_to_euler(&data, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
    for step in 0..=1000 {
        let time = f64::from(step) / 1000.0;
        let (Some(Value::Double3(angles)), Some(Value::DoubleQ(expected))) =
            (linear.sample(&baked.data, time), linear.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        let off = order.quaternion(angles).angle_to(expected);
        // The pole is at 0.371 of the segment.
        assert!(off <= DEFAULT_BOUND * 1.5 || (time - 0.371).abs() < 0.002, "{off} at {time}");
    }
}

#[test]
fn empty_tracks_stay_empty_and_invalid_bounds_are_rejected() {
    let none = angles(Vec::new());
    let baked = bake_to_bound(&none, 1.0, Rules::LINEAR, &mut budget()).unwrap();
    assert!(baked.data.is_empty());
    for bound in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = bake_to_bound(&none, bound, Rules::LINEAR, &mut budget()).unwrap_err();
        assert!(matches!(error, BakeError::Bound { .. }));
    }
}

#[test]
fn rejects_keys_beyond_the_budget() {
    let limits = Limits::default().with_decoded_bytes(100);
    let mut small = Budget::new(&limits, 0);
    let data = angles(vec![[0.0; 3], [TAU, 0.0, 0.0]]);
    let order = X4_ORDER;
    let error = bake_euler_to_bound(&data, order, DEFAULT_BOUND, Rules::LINEAR, &mut small);
    // A key takes 40 bytes.
    let error = error.unwrap_err();
    assert!(matches!(error, BakeError::Keys { keys: 3, left: 100, .. }), "{error}");
    assert_eq!(
        WriteError::from_bake("x4-ani", &error).to_string(),
        "x4-ani: 3 baked keys needed, 2 remain within the limit; raise the limit on decoded bytes, with \
         --max-decoded"
    );
}
