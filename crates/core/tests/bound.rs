//! Tests of keys within an error bound.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use std::f64::consts::TAU;

mod engines;

use engines::X4_ORDER;
use inbetween_core::{
    BakeError, Baked, Baker, Bound, Budget, Curves, DEFAULT_BOUND, EulerOrder, Grid, Interpolation,
    Interpolations, Limits, Quat, Remedy, Rules, Tangents, TrackData, Value, Values, WriteError,
};

const LINEAR: Interpolations = Interpolations::Shared(Interpolation::Linear);

fn budget() -> Budget {
    Budget::new(&Limits::default(), 0)
}

type Result = core::result::Result<Baked, BakeError>;

fn bake_to_bound(data: &TrackData, bound: f64, rules: Rules, budget: &mut Budget) -> Result {
    Baker::new(Grid::Bound(Bound::new(Curves::Linear).with_error(bound)))
        .same_kind(data, rules, budget)
}

fn bake_euler_to_bound(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result {
    Baker::new(Grid::Bound(Bound::new(Curves::Linear).with_error(bound)))
        .quaternions(data, order, rules, budget)
}

fn bake_to_euler(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result {
    Baker::new(Grid::Bound(Bound::new(Curves::Linear).with_error(bound)))
        .angles(data, order, order, rules, budget)
}

/// Returns linear angles with a key every 100 s.
fn angles(values: Vec<[f64; 3]>) -> TrackData {
    let time = |key| 100.0 * inbetween_core::num::f64_from_index(key);
    let times = (0..values.len()).map(time).collect();
    TrackData::curve(times, values, LINEAR, None).unwrap()
}

#[test]
fn linear_segments_keep_their_keys() {
    let data = TrackData::uniform(0.5, vec![0.0_f32, 3.0, 1.0]);
    let baked = bake_to_bound(&data, 1e-3, Rules::LINEAR, &mut budget()).unwrap();
    assert_eq!(baked.data.values(), data.values());
    assert_eq!(baked.data.time(2), Some(1.0));
    assert_eq!(baked.difference.value, 0.0);
}

#[test]
fn a_curve_gets_keys_until_the_error_is_within_the_bound() {
    let side = |value: f64| Values::from(vec![value; 2]);
    let tangents = Tangents::Values { left: side(0.0), right: side(0.0) };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let data = TrackData::curve(vec![0.0, 100.0], vec![0.0, 1.0], hermite, Some(tangents)).unwrap();
    for bound in [1e-1, 1e-3, 1e-5] {
        let baked = bake_to_bound(&data, bound, Rules::LINEAR, &mut budget()).unwrap();
        assert!(baked.difference.value <= bound);
        for step in 0..=100 {
            let time = f64::from(step) / 100.0;
            let expected = 3.0 * time * time - 2.0 * time * time * time;
            let Some(Value::Double(found)) = Rules::LINEAR.sample(&baked.data, 100.0 * time) else {
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
        assert!(baked.difference.value <= DEFAULT_BOUND);
        for step in 0..1000 {
            let time = f64::from(step) / 1000.0;
            let expected = order.quaternion([TAU * turns * time, 0.0, 0.0]);
            let Some(Value::DoubleQ(found)) = linear.sample(&baked.data, 100.0 * time) else {
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
    let data = TrackData::curve(vec![0.0, 100.0, 200.0], values, LINEAR, None).unwrap();
    let linear = Rules::LINEAR;
    let baked = bake_to_euler(&data, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
    assert!(baked.difference.value <= DEFAULT_BOUND);
    for step in 0..=200 {
        let time = f64::from(step);
        let (Some(Value::Double3(angles)), Some(Value::DoubleQ(expected))) =
            (linear.sample(&baked.data, time), linear.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        assert!(order.quaternion(angles).angle_to(expected) <= DEFAULT_BOUND * 1.5);
    }
}

/// The most keys of a track of 100 s without a frame rate: segments are not shorter than half a frame
/// at 60 frames per second.
const MOST_KEYS: usize = 2 * 60 * 100 + 4;

#[test]
fn noise_gets_a_bounded_number_of_keys() {
    let data = angles(vec![[0.0; 3], [1e30, f64::NAN, 1e30]]);
    let order = X4_ORDER;
    let baked = bake_euler_to_bound(&data, order, 1e-300, Rules::LINEAR, &mut budget()).unwrap();
    assert!(baked.data.len() <= MOST_KEYS);
    assert!(baked.error().value.is_finite());
}

#[test]
fn angles_that_turn_too_fast_get_a_bounded_number_of_keys() {
    for angle in [1e5, 1e9, 1e22, 1e300] {
        let data = angles(vec![[0.0; 3], [angle, -angle, angle * 0.7]]);
        let linear = Rules::LINEAR;
        let order = X4_ORDER;
        let baked = bake_euler_to_bound(&data, order, DEFAULT_BOUND, linear, &mut budget());
        let baked = baked.unwrap();
        assert!(baked.data.len() <= MOST_KEYS, "{} keys for {angle}", baked.data.len());
        assert!(baked.difference.value > 1.0, "{} for {angle}", baked.difference.value);
    }
}

#[test]
fn segments_are_halved_down_to_half_a_frame() {
    let spin = angles(vec![[0.0; 3], [0.0, 0.0, TAU * 10_000.0]]);
    for (rate, slowest) in
        [(Some(30.0), 30.0), (Some(1.0), 30.0), (None, 60.0), (Some(1e9), 240.0_f64)]
    {
        let bound = Bound::new(Curves::Linear).with_frame_rate(rate);
        let maker = Baker::new(Grid::Bound(bound));
        let baked = maker.quaternions(&spin, X4_ORDER, Rules::LINEAR, &mut budget()).unwrap();
        let times: Vec<f64> = baked.data.times().collect();
        let shortest = times.windows(2).map(|ends| ends[1] - ends[0]).fold(100.0, f64::min);
        assert!(shortest >= 0.999 * 0.5 / slowest, "{rate:?}: {shortest}");
        // 100 turns per second: only segments of 3 ms turn by less than half a turn each.
        let meets = baked.error().value <= DEFAULT_BOUND;
        assert_eq!(meets, slowest == 240.0, "{rate:?}: {}", baked.error().value);
    }
}

fn cubic(rate: f64) -> Grid {
    Grid::Bound(Bound::new(Curves::Cubic).with_frame_rate(Some(rate)))
}

#[test]
fn slerps_become_curves_of_angles_within_the_bound() {
    let order = X4_ORDER;
    let turn = |angles| order.quaternion(angles);
    let values: Vec<Quat<f64>> =
        vec![turn([0.1, 0.2, 0.3]), turn([0.3, -0.1, 0.5]), turn([0.6, 0.1, 0.2])];
    let data = TrackData::curve(vec![0.0, 0.25, 0.5], values, LINEAR, None).unwrap();
    let maker = Baker::new(cubic(30.0));
    let baked = maker.angles(&data, order, order, Rules::LINEAR, &mut budget()).unwrap();
    assert!(baked.data.len() <= 5, "{}", baked.data.len());
    assert!(baked.error().value <= DEFAULT_BOUND);
    for step in 0..=200 {
        let time = f64::from(step) / 400.0;
        let (Some(Value::Double3(angles)), Some(Value::DoubleQ(expected))) =
            (Rules::LINEAR.sample(&baked.data, time), Rules::LINEAR.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        let off = order.quaternion(angles).angle_to(expected);
        assert!(off <= 1.25 * baked.error().value + 1e-9, "{off} at {time}");
    }
}

#[test]
fn curves_of_angles_become_curves_of_quaternions() {
    let side = |value: f64| Values::from(vec![[value, 0.0, 0.5 * value]; 2]);
    let tangents = Tangents::Values { left: side(0.2), right: side(-0.3) };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let values = vec![[0.1, 0.0, 0.4], [0.9, 0.3, 0.0]];
    let data = TrackData::curve(vec![0.0, 2.0], values, hermite, Some(tangents)).unwrap();
    let maker = Baker::new(cubic(30.0));
    let baked = maker.quaternions(&data, X4_ORDER, Rules::LINEAR, &mut budget()).unwrap();
    assert!(baked.data.len() <= 7, "{}", baked.data.len());
    assert!(baked.error().value <= DEFAULT_BOUND);
    for step in 0..=200 {
        let time = f64::from(step) / 100.0;
        let (Some(Value::DoubleQ(found)), Some(Value::Double3(angles))) =
            (Rules::LINEAR.sample(&baked.data, time), Rules::LINEAR.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        let off = X4_ORDER.quaternion(angles).angle_to(found);
        assert!(off <= 1.25 * baked.error().value + 1e-9, "{off} at {time}");
    }
}

#[test]
fn gimbal_lock_gets_linear_keys_at_half_frames() {
    // Directly over the pole, where two of the angles change by half a turn at once.
    let order = X4_ORDER;
    let values = vec![order.quaternion([0.0, 0.3, 1.2]), order.quaternion([0.0, 0.3, 2.2])];
    let data = TrackData::curve(vec![0.0, 1.0], values, LINEAR, None).unwrap();
    let maker = Baker::new(cubic(30.0));
    let baked = maker.angles(&data, order, order, Rules::LINEAR, &mut budget()).unwrap();
    assert!(baked.data.len() <= 2 * 30 + 4);
    assert!(baked.error().value.is_finite());
}

#[test]
fn a_jump_does_not_spoil_the_remaining_segment() {
    // Directly over the pole, where two of the angles change by half a turn at once.
    let order = X4_ORDER;
    let values = vec![order.quaternion([0.0, 0.3, 1.2]), order.quaternion([0.0, 0.3, 2.2])];
    let data = TrackData::curve(vec![0.0, 100.0], values, LINEAR, None).unwrap();
    let linear = Rules::LINEAR;
    let baked = bake_to_euler(&data, order, DEFAULT_BOUND, linear, &mut budget()).unwrap();
    for step in 0..=1000 {
        let time = f64::from(step) / 10.0;
        let (Some(Value::Double3(angles)), Some(Value::DoubleQ(expected))) =
            (linear.sample(&baked.data, time), linear.sample(&data, time))
        else {
            panic!("no rotation at {time}")
        };
        let off = order.quaternion(angles).angle_to(expected);
        // The pole is at 0.371 of the segment.
        assert!(off <= DEFAULT_BOUND * 1.5 || (time - 37.1).abs() < 0.2, "{off} at {time}");
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
    assert!(matches!(error, BakeError::Keys { keys: 3, left: 20 }), "{error}");
    let error = WriteError::from(error).in_format("x4-ani");
    assert_eq!(
        error.to_string(),
        "x4-ani: 3 baked keys needed, 2 remain within the limit; raise the limit on decoded bytes"
    );
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
}
