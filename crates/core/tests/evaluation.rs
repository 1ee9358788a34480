//! Values between keys, compared with values computed by hand.

#![expect(clippy::unwrap_used, reason = "the tracks of these tests are sound")]

mod engines;

use engines::{ALL, RESONITE};
use inbetween_core::{
    Color, Color32, Handle, Interpolation, Interpolations, Quat, Rules, Slerp, Strings, Tangents,
    Text, TrackData, Value, ValueKind, Values, value_error,
};
use inbetween_testing::properties;
use proptest::prelude::*;

const BOTH: [Rules; 2] = [RESONITE, Rules::LINEAR];

fn bare(times: &[f64], values: impl Into<Values>, interpolation: Interpolation) -> TrackData {
    let shared = Interpolations::Shared(interpolation);
    TrackData::curve(times.to_vec(), values, shared, None).unwrap()
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    bare(times, values, Interpolation::Linear)
}

fn curve(
    times: &[f64],
    values: impl Into<Values>,
    interpolation: Interpolation,
    tangents: Tangents,
) -> TrackData {
    let shared = Interpolations::Shared(interpolation);
    TrackData::curve(times.to_vec(), values, shared, Some(tangents)).unwrap()
}

fn sides(left: impl Into<Values>, right: impl Into<Values>) -> Tangents {
    Tangents::Values { left: left.into(), right: right.into() }
}

fn both(data: &TrackData, time: f64) -> Value {
    let [resonite, linear] = BOTH.map(|rules| rules.sample(data, time).unwrap());
    assert_eq!(resonite, linear);
    resonite
}

#[test]
fn hold_stays_until_the_next_key() {
    let stepped = TrackData::stepped(vec![1.0, 2.0], vec![5.0_f32, 7.0]).unwrap();
    let held = bare(&[1.0, 2.0], vec![5.0_f32, 7.0], Interpolation::Hold);
    for data in [stepped, held] {
        assert_eq!(both(&data, 1.999), Value::Float(5.0));
        assert_eq!(both(&data, 2.0), Value::Float(7.0));
    }
}

#[test]
fn values_hold_before_the_first_and_after_the_last_key() {
    let data = linear(&[1.0, 2.0], vec![5.0_f32, 7.0]);
    for (time, value) in
        [(0.0, 5.0), (f64::NEG_INFINITY, 5.0), (f64::NAN, 5.0), (9.0, 7.0), (f64::INFINITY, 7.0)]
    {
        assert_eq!(both(&data, time), Value::Float(value), "at {time}");
    }
}

#[test]
fn one_key_plays_at_all_times_and_an_empty_track_never() {
    let data = linear(&[1.0], vec![5.0_f32]);
    for time in [0.0, 1.0, 2.0] {
        assert_eq!(both(&data, time), Value::Float(5.0));
    }
    for kind in ValueKind::ALL {
        assert_eq!(RESONITE.sample(&TrackData::empty(kind), 0.0), None);
    }
}

#[test]
fn the_last_of_several_keys_at_one_time_is_active() {
    let data = linear(&[0.0, 1.0, 1.0, 1.0, 2.0], vec![0.0_f32, 8.0, 100.0, 20.0, 30.0]);
    assert_eq!(both(&data, 0.5), Value::Float(4.0));
    assert_eq!(both(&data, 1.0), Value::Float(20.0));
    assert_eq!(both(&data, 1.5), Value::Float(25.0));
}

#[test]
fn the_first_key_of_a_segment_sets_its_interpolation() {
    let each = Interpolations::PerKey(vec![Interpolation::Linear, Interpolation::Hold]);
    let data = TrackData::curve(vec![0.0, 2.0, 4.0], vec![0_i32, 10, 20], each, None);
    assert!(data.is_err());
    let each = vec![Interpolation::Linear, Interpolation::Hold, Interpolation::Linear];
    let each = Interpolations::PerKey(each);
    let data = TrackData::curve(vec![0.0, 2.0, 4.0], vec![0_i32, 10, 20], each, None).unwrap();
    assert_eq!((both(&data, 1.0), both(&data, 3.0)), (Value::Int(5), Value::Int(10)));
}

#[test]
fn resonite_computes_f32_values_in_f32() {
    // 0.1 + (1.4 - 0.1) * 0.3, once with every step rounded to f32 and once with only the sum
    // rounded.
    let data = linear(&[0.0, 10.0], vec![0.1_f32, 1.4]);
    assert_eq!(RESONITE.sample(&data, 3.0), Some(Value::Float(0.49)));
    assert_eq!(Rules::LINEAR.sample(&data, 3.0), Some(Value::Float(0.489_999_98)));
}

#[test]
fn resonite_computes_t_in_f32_for_f64_values_too() {
    // The f32 nearest to 1/3 is 0.3333333432674408.
    let data = linear(&[0.0, 3.0], vec![0.0_f64, 3.0]);
    let third = RESONITE.sample(&data, 1.0);
    assert_eq!(third, Some(Value::Double(1.000_000_029_802_322_4)));
    assert_eq!(Rules::LINEAR.sample(&data, 1.0), Some(Value::Double(1.0)));
}

#[test]
fn resonite_finds_a_key_whose_time_was_rounded_to_f32() {
    // 1/60 rounded to f32 is larger than 1/60.
    let rounded = f64::from(1.0_f32 / 60.0);
    assert!(rounded > 1.0 / 60.0);
    let data = linear(&[0.0, rounded, 1.0], vec![0.0_f64, 0.1, 5.0]);
    assert_eq!(RESONITE.sample(&data, 1.0 / 60.0), Some(Value::Double(0.1)));
}

#[test]
fn vectors_matrices_and_colors_interpolate_per_component() {
    let data = linear(&[0.0, 1.0], vec![[1.0_f32, 2.0, 3.0], [3.0, -2.0, 3.0]]);
    assert_eq!(both(&data, 0.25), Value::Float3([1.5, 1.0, 3.0]));
    let data = linear(&[0.0, 1.0], vec![[[0.0_f64, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]]);
    assert_eq!(both(&data, 0.25), Value::Double2x2([[1.0, 2.0], [3.0, 4.0]]));
    let colors = [[0.0, 1.0, -2.0, 8.0], [4.0, 1.0, 2.0, 0.0]].map(Color::from_array);
    let middle = Color { r: 2.0, g: 1.0, b: 0.0, a: 4.0 };
    assert_eq!(both(&linear(&[0.0, 1.0], colors.to_vec()), 0.5), Value::Color(middle));
}

#[test]
fn integers_round_halves_away_from_zero() {
    for (from, to, t, expected) in [
        (1, 2, 0.5, 2),
        (2, 1, 0.5, 2),
        (-1, -2, 0.5, -2),
        (-2, -1, 0.5, -2),
        (0, -1, 0.5, -1),
        (-1, 0, 0.5, -1),
        (-1, 1, 0.25, -1),
        (-1, 1, 0.75, 1),
        (0, 10, 0.0625, 1),
        (0, 10, 0.03125, 0),
        (10, -10, 0.25, 5),
    ] {
        let data = linear(&[0.0, 1.0], vec![from, to]);
        assert_eq!(both(&data, t), Value::Int(expected), "{from} to {to} at {t}");
    }
}

#[test]
fn extreme_integers_neither_wrap_nor_lose_digits() {
    let long = |from: i64, to: i64, t| both(&linear(&[0.0, 1.0], vec![from, to]), t);
    // The distance 2^64 - 1 rounds to 2^64 in f64.
    assert_eq!(long(i64::MIN, i64::MAX, 0.5), Value::Long(0));
    assert_eq!(long(i64::MIN, i64::MAX, 0.25), Value::Long(-(1 << 62)));
    assert_eq!(long(i64::MAX, i64::MIN, 0.25), Value::Long(1 << 62));
    assert_eq!(long(i64::MIN, i64::MIN + 1, 0.5), Value::Long(i64::MIN));
    assert_eq!(long((1 << 53) + 1, (1 << 53) + 3, 0.5), Value::Long((1 << 53) + 2));
    let ulong = |from: u64, to: u64, t| both(&linear(&[0.0, 1.0], vec![from, to]), t);
    assert_eq!(ulong(0, u64::MAX, 0.5), Value::ULong(1 << 63));
    assert_eq!(ulong(u64::MAX - 1, u64::MAX, 0.5), Value::ULong(u64::MAX));
    assert_eq!(ulong(u64::MAX, 0, 0.75), Value::ULong(1 << 62));
    let ends = linear(&[0.0, 1.0], vec![u64::MAX - 1, u64::MAX]);
    assert_eq!(both(&ends, 0.0), Value::ULong(u64::MAX - 1));
    assert_eq!(both(&ends, 1.0), Value::ULong(u64::MAX));
}

#[test]
fn color32_channels_are_integers() {
    let colors = [[0, 255, 10, 1], [255, 0, 10, 2]].map(Color32::from_array);
    let data = linear(&[0.0, 1.0], colors.to_vec());
    // 127.5, 127.5, 10, 1.5
    let half = Color32 { r: 128, g: 128, b: 10, a: 2 };
    assert_eq!(both(&data, 0.5), Value::Color32(half));
    // 63.75, 191.25, 10, 1.25
    let quarter = Color32 { r: 64, g: 191, b: 10, a: 1 };
    assert_eq!(both(&data, 0.25), Value::Color32(quarter));
}

fn turn_about_z(half: f64) -> Quat<f64> {
    Quat { x: 0.0, y: 0.0, z: half.sin(), w: half.cos() }
}

#[test]
fn quaternions_slerp_on_the_shorter_arc() {
    let eighth = core::f64::consts::FRAC_PI_4;
    let data = linear(&[0.0, 1.0], vec![Quat::IDENTITY, -turn_about_z(eighth)]);
    for rules in BOTH {
        let Some(Value::DoubleQ(half)) = rules.sample(&data, 0.5) else { panic!() };
        assert!(half.angle_to(turn_about_z(eighth / 2.0)) < 1e-15 && half.w > 0.0);
    }
}

#[test]
fn only_resonite_jumps_between_rotations_longer_than_1() {
    let long = 1.0_f32.next_up();
    let (from, to) =
        (Quat { x: 0.0, y: 0.0, z: 0.0, w: long }, Quat { x: 0.0, y: 0.0, z: 1e-4_f32, w: long });
    let data = linear(&[0.0, 1.0], vec![from, to]);
    assert_eq!(RESONITE.sample(&data, 0.5), Some(Value::FloatQ(to)));
    let Some(Value::FloatQ(half)) = Rules::LINEAR.sample(&data, 0.5) else { panic!() };
    assert!((half.z - 0.5e-4).abs() < 1e-9);
}

#[test]
fn hermite_tangents_are_not_scaled_by_the_key_distance() {
    // At 1/4 the weights are 27/32, 9/64, 5/32 and -3/64, for any distance of the keys.
    let tangents = || sides(vec![99.0_f32, -1.0], vec![2.0_f32, 99.0]);
    let data = curve(&[0.0, 10.0], vec![0.0_f32, 1.0], Interpolation::Hermite, tangents());
    assert_eq!(both(&data, 2.5), Value::Float(0.484_375));
    assert_eq!(both(&data, 5.0), Value::Float(0.875));
    let tangents = sides(vec![[0.0_f64; 2], [-1.0, 0.0]], vec![[2.0_f64, 0.0], [0.0; 2]]);
    let values = vec![[0.0_f64, 4.0], [1.0, 8.0]];
    let data = curve(&[0.0, 1.0], values, Interpolation::Hermite, tangents);
    assert_eq!(both(&data, 0.25), Value::Double2([0.484_375, 4.625]));
}

#[test]
fn before_two_keys_at_zero_the_first_one_shows() {
    for second in [0.0, -0.0] {
        let data = linear(&[0.0, second], vec![5_i32, 7]);
        let shown = [-0.25, 0.0, 0.25].map(|time| both(&data, time));
        assert_eq!(shown, [5, 7, 7].map(Value::Int), "{second:?}");
    }
}

#[test]
fn a_hermite_curve_of_f32_is_exact_to_the_last_place() {
    let flat = sides(vec![0.0_f32; 2], vec![0.0_f32; 2]);
    let end = -0.842_563_33_f32;
    let data = curve(&[0.0, 1.0], vec![0.0, end], Interpolation::Hermite, flat);
    for step in 1..4096_u16 {
        let t = f64::from(step) / 4096.0;
        let exact = t * t * (3.0 - 2.0 * t) * f64::from(end);
        let exact = inbetween_core::num::f32_from_f64(exact);
        assert_eq!(both(&data, t), Value::Float(exact), "at {t}");
    }
}

#[test]
fn hermite_is_linear_for_kinds_without_tangents() {
    let middle = |data: &TrackData| both(data, 0.25);
    let hermite = Interpolation::Hermite;
    let integers = curve(&[0.0, 1.0], vec![0_i32, 8], hermite, sides(vec![90; 2], vec![90; 2]));
    assert_eq!(middle(&integers), Value::Int(2));
    let matrix = |a: f32| [[a; 2]; 2];
    let high = || vec![matrix(90.0); 2];
    let matrices =
        curve(&[0.0, 1.0], vec![matrix(0.0), matrix(8.0)], hermite, sides(high(), high()));
    assert_eq!(middle(&matrices), Value::Float2x2(matrix(2.0)));
    let color = |a: f32| Color::from_array([a; 4]);
    let high = || vec![color(90.0); 2];
    let colors = curve(&[0.0, 1.0], vec![color(0.0), color(8.0)], hermite, sides(high(), high()));
    assert_eq!(middle(&colors), Value::Color(color(2.0)));
    let bare = bare(&[0.0, 1.0], vec![0.0_f32, 8.0], hermite);
    assert_eq!(middle(&bare), Value::Float(2.0));
}

#[test]
fn bezier_tangents_are_control_points() {
    // (27 * 1 + 27 * 2 + 9 * 4 + 1 * 3) / 64
    let tangents = sides(vec![99.0_f32, 4.0], vec![2.0_f32, 99.0]);
    let data = curve(&[0.0, 2.0], vec![1.0_f32, 3.0], Interpolation::Bezier, tangents);
    assert_eq!(both(&data, 0.5), Value::Float(1.875));
    let matrix = |a: f64| [[a, 0.0], [0.0, -a]];
    let tangents = sides(vec![matrix(0.0), matrix(4.0)], vec![matrix(2.0), matrix(0.0)]);
    let values = vec![matrix(1.0), matrix(3.0)];
    let data = curve(&[0.0, 2.0], values, Interpolation::Bezier, tangents);
    assert_eq!(both(&data, 0.5), Value::Double2x2(matrix(1.875)));
}

#[test]
fn bezier_normalizes_quaternions() {
    let (one, k) =
        (Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 1.0 }, Quat { x: 0.0, y: 0.0, z: 1.0, w: 0.0 });
    let data =
        curve(&[0.0, 1.0], vec![one, k], Interpolation::Bezier, sides(vec![one, k], vec![one, k]));
    let half = core::f32::consts::FRAC_1_SQRT_2;
    for rules in BOTH {
        let Some(Value::FloatQ(middle)) = rules.sample(&data, 0.5) else { panic!() };
        assert!(middle.x == 0.0 && middle.y == 0.0);
        assert!((middle.z - half).abs() < 1e-7 && (middle.w - half).abs() < 1e-7);
    }
}

#[test]
fn bezier_rounds_color32_and_leaves_integers_linear() {
    let color = |a: u8| Color32::from_array([a; 4]);
    let tangents = sides(vec![color(0), color(255)], vec![color(0), color(0)]);
    let data = curve(&[0.0, 1.0], vec![color(0), color(255)], Interpolation::Bezier, tangents);
    // 255 * (9 + 1) / 64 = 39.84
    assert_eq!(both(&data, 0.25), Value::Color32(color(40)));
    let tangents = sides(vec![90_u16; 2], vec![90_u16; 2]);
    let data = curve(&[0.0, 1.0], vec![0_u16, 8], Interpolation::Bezier, tangents);
    assert_eq!(both(&data, 0.25), Value::UShort(2));
}

#[test]
fn handles_are_control_points_per_component() {
    let at = |value: f64| Handle { time: 0.7, value };
    let unused = [at(99.0); 3];
    let left = [unused, [at(4.0), at(0.0), at(-4.0)]].concat();
    let right = [[at(2.0), at(0.0), at(-2.0)], unused].concat();
    let values = || vec![[1.0_f32, 0.0, -1.0], [3.0, 64.0, -3.0]];
    let handles = || Tangents::Handles { left: left.clone(), right: right.clone() };
    let data = curve(&[0.0, 2.0], values(), Interpolation::Bezier, handles());
    assert_eq!(both(&data, 0.5), Value::Float3([1.875, 1.0, -1.875]));
    let data = curve(&[0.0, 2.0], values(), Interpolation::Hermite, handles());
    assert_eq!(both(&data, 0.5), Value::Float3([1.5, 16.0, -1.5]));
    let (left, right) = (vec![at(99.0), at(4.0)], vec![at(2.0), at(99.0)]);
    let scalar = Tangents::Handles { left, right };
    let data = curve(&[0.0, 2.0], vec![1.0_f64, 3.0], Interpolation::Bezier, scalar);
    assert_eq!(both(&data, 0.5), Value::Double(1.875));
}

#[test]
fn bools_hold_with_any_interpolation() {
    for interpolation in [Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier] {
        let tangents = || sides(vec![true; 2], vec![true; 2]);
        let data = curve(&[0.0, 1.0], vec![false, true], interpolation, tangents());
        assert_eq!(both(&data, 0.99), Value::Bool(false));
        assert_eq!(both(&data, 1.0), Value::Bool(true));
    }
    let data = linear(&[0.0, 1.0], vec![[false, true], [true, false]]);
    assert_eq!(both(&data, 0.99), Value::Bool2([false, true]));
}

#[test]
fn strings_hold_and_null_is_a_value() {
    let strings: Strings = [Some("a"), None, Some("")].into_iter().collect();
    let data = linear(&[0.0, 1.0, 2.0], strings);
    assert_eq!(both(&data, 0.99), Value::String(Some(Text::from("a"))));
    assert_eq!(both(&data, 1.5), Value::String(None));
    assert_eq!(both(&data, 2.5), Value::String(Some(Text::from(""))));
}

#[test]
fn uniform_keys_are_an_interval_apart() {
    let data = TrackData::uniform(0.25, vec![0.0_f32, 4.0, 0.0]);
    for (time, value) in
        [(-1.0, 0.0), (0.0625, 1.0), (0.25, 4.0), (0.375, 2.0), (0.5, 0.0), (9.0, 0.0)]
    {
        assert_eq!(both(&data, time), Value::Float(value), "at {time}");
    }
    let data = TrackData::uniform(0.25, vec![false, true]);
    assert_eq!((both(&data, 0.24), both(&data, 0.25)), (Value::Bool(false), Value::Bool(true)));
}

#[test]
fn uniform_keys_without_a_positive_interval_show_the_first_key() {
    for interval in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let data = TrackData::uniform(interval, vec![3_u8, 4, 5]);
        for time in [-1.0, 0.0, 1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(both(&data, time), Value::Byte(3), "{interval} at {time}");
        }
    }
}

#[test]
fn extreme_values_cause_no_panic() {
    let wild = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, f64::MIN, 0.0, -0.0, 5e-324];
    for rules in BOTH {
        for from in wild {
            for to in wild {
                let data = linear(&[-1e300, 1e300], vec![from, to]);
                for time in wild {
                    assert!(rules.sample(&data, time).is_some());
                }
                let quats = linear(
                    &[0.0, 1.0],
                    [from, to].map(|part| Quat::from_array([part; 4])).to_vec(),
                );
                assert!(rules.sample(&quats, 0.5).is_some());
            }
        }
    }
}

/// Times that are exact in `f32`, so all rules distinguish them.
fn times() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec((-800_i16..800, 1_u8..64), 1..12).prop_map(|keys| {
        let mut times: Vec<f64> = keys
            .into_iter()
            .map(|(count, parts)| f64::from(f32::from(count) / f32::from(parts)))
            .collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    })
}

fn units() -> impl Strategy<Value = Quat<f32>> {
    [-1.0..1.0_f32, -1.0..1.0, -1.0..1.0, -1.0..1.0]
        .prop_filter("a direction", |parts| {
            parts.iter().map(|part| part * part).sum::<f32>() > 0.01
        })
        .prop_map(|parts| Quat::from_array(parts).normalized())
}

fn interpolations() -> impl Strategy<Value = Interpolation> {
    prop::sample::select(vec![
        Interpolation::Hold,
        Interpolation::Linear,
        Interpolation::Hermite,
        Interpolation::Bezier,
    ])
}

fn rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(ALL.to_vec())
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn samples_hit_keys_exactly(
        rules in rules(),
        times in times(),
        seeds in prop::collection::vec(any::<[f32; 3]>(), 12),
        interpolation in interpolations(),
    ) {
        let values = seeds[..times.len()].to_vec();
        let tangents = sides(values.clone(), values.clone());
        let data = curve(&times, values.clone(), interpolation, tangents);
        for (time, value) in times.iter().zip(values) {
            prop_assert_eq!(rules.sample(&data, *time), Some(Value::Float3(value)));
        }
    }

    #[test]
    fn samples_hit_uniform_keys_exactly(
        rules in rules(),
        interval in 1e-3..10.0_f32,
        values in prop::collection::vec(any::<i64>(), 1..200),
    ) {
        let data = TrackData::uniform(f64::from(interval), values.clone());
        for (index, value) in values.into_iter().enumerate() {
            let time = data.time(index).unwrap();
            prop_assert_eq!(rules.sample(&data, time), Some(Value::Long(value)));
        }
    }

    #[test]
    fn hold_is_piecewise_constant(
        rules in rules(),
        times in times(),
        parts in prop::collection::vec(0.0..1.0_f64, 8),
    ) {
        let values: Vec<i32> = (0..).take(times.len()).collect();
        let data = TrackData::stepped(times.clone(), values).unwrap();
        for (index, pair) in times.windows(2).enumerate() {
            let held = data.value(index);
            for part in &parts {
                // Not near the end, where `f32` cannot distinguish the time from that of the next
                // key.
                let time = pair[0] + (pair[1] - pair[0]) * part * 0.99;
                prop_assert_eq!(rules.sample(&data, time), held.clone());
            }
        }
    }

    #[test]
    fn linear_stays_between_its_keys_and_reaches_them(
        rules in rules(),
        from in any::<i64>(),
        to in any::<i64>(),
        t in 0.0..=1.0_f64,
    ) {
        let data = linear(&[0.0, 1.0], vec![from, to]);
        let Some(Value::Long(between)) = rules.sample(&data, t) else { panic!() };
        prop_assert!((from.min(to)..=from.max(to)).contains(&between));
        prop_assert_eq!(rules.sample(&data, 1.0), Some(Value::Long(to)));
    }

    #[test]
    fn unit_quaternions_stay_unit(
        rules in rules(),
        from in units(),
        to in units(),
        t in 0.0..=1.0_f64,
        interpolation in interpolations(),
    ) {
        let tangents = sides(vec![from, to], vec![from, to]);
        let data = curve(&[0.0, 1.0], vec![from, to], interpolation, tangents);
        let Some(Value::FloatQ(between)) = rules.sample(&data, t) else { panic!() };
        prop_assert!((between.length() - 1.0).abs() < 1e-3, "{between:?}");
    }
}

/// Resonite shows the second of two rotations at once if their dot product rounds to 1 or more.
#[test]
fn slerps_of_engines_are_alike_on_unit_rotations() {
    let mut worst = 0.0_f64;
    let axes = [[1.0, 0.0, 0.0], [0.6, 0.0, 0.8], [0.36, -0.48, 0.8]];
    let pairs = (0..3_u8).flat_map(|one| (0..200_u16).map(move |step| (one, step)));
    for (one, step) in pairs {
        let about = axes[usize::from(one)];
        let from = Quat::<f64>::from_axis_angle([0.0, 0.8, 0.6], f64::from(step) * 0.1);
        let apart = 1e-5 * 1.05_f64.powi(i32::from(step));
        let to = from * Quat::from_axis_angle(about, apart);
        let single = |rotation: Quat<f64>| {
            Quat::from_array(
                rotation.normalized().to_array().map(inbetween_core::num::f32_from_f64),
            )
        };
        let linear = Interpolations::Shared(Interpolation::Linear);
        let keys = vec![single(from), single(to)];
        let data = TrackData::curve(vec![0.0, 1.0], keys, linear, None).unwrap();
        for part in 1..16_u8 {
            let time = f64::from(part) / 16.0;
            let shown = |slerp| Rules::LINEAR.with_slerp(slerp).sample(&data, time).unwrap();
            let off = value_error(&shown(Slerp::Raw), &shown(Slerp::Directions));
            worst = worst.max(off);
        }
    }
    assert!((1e-4..2e-3).contains(&worst), "{worst}");
}
