//! Quaternions and Euler angles, compared with values computed from the definitions.

use core::ops::Mul;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_3, FRAC_PI_4, FRAC_PI_6, PI, TAU};

mod engines;

use engines::X4_ORDER;
use inbetween_core::{Axis, EulerOrder, Quat};
use inbetween_testing::properties;
use proptest::prelude::*;

type Q = Quat<f64>;

fn quat(x: f64, y: f64, z: f64, w: f64) -> Q {
    Quat { x, y, z, w }
}

fn about_z(angle: f64) -> Q {
    quat(0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos())
}

/// Compares by component, including signs.
fn assert_near(found: Q, expected: Q) {
    let parts = found.to_array().into_iter().zip(expected.to_array());
    for (one, other) in parts {
        assert!((one - other).abs() < 1e-15, "{found:?} is not {expected:?}");
    }
}

fn assert_angles(found: [f64; 3], expected: [f64; 3]) {
    for (one, other) in found.into_iter().zip(expected) {
        assert!((one - other).abs() < 1e-6, "{found:?} is not {expected:?}");
    }
}

#[test]
fn products_are_hamilton_products() {
    let (i, j, k) = (quat(1.0, 0.0, 0.0, 0.0), quat(0.0, 1.0, 0.0, 0.0), quat(0.0, 0.0, 1.0, 0.0));
    let minus_one = quat(0.0, 0.0, 0.0, -1.0);
    assert_eq!((i * j, j * k, k * i), (k, i, j));
    assert_eq!((j * i, k * j, i * k), (-k, -i, -j));
    assert_eq!((i * i, j * j, k * k, i * j * k), (minus_one, minus_one, minus_one, minus_one));
    // (1 + 2i + 3j + 4k)(5 + 6i + 7j + 8k) = -60 + 12i + 30j + 24k
    let product = quat(2.0, 3.0, 4.0, 1.0) * quat(6.0, 7.0, 8.0, 5.0);
    assert_eq!(product, quat(12.0, 30.0, 24.0, -60.0));
}

#[test]
fn a_rotation_about_z_turns_x_to_y_and_cyclically() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (from, about, to) in [(0, 2, 1), (1, 0, 2), (2, 1, 0)] {
        let rotated = Q::from_axis_angle(axes[about], FRAC_PI_2).rotate(axes[from]);
        for (found, expected) in rotated.into_iter().zip(axes[to]) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}

#[test]
fn a_product_rotates_by_its_right_factor_first() {
    let about_x = Q::from_axis_angle([1.0, 0.0, 0.0], FRAC_PI_2);
    // About x, y goes to z; then about z, z stays. In the opposite order y would go to -x.
    let [x, y, z] = (about_z(FRAC_PI_2) * about_x).rotate([0.0, 1.0, 0.0]);
    assert!(x.abs() < 1e-15 && y.abs() < 1e-15 && (z - 1.0).abs() < 1e-15);
}

#[test]
fn the_conjugate_rotates_back() {
    let q = quat(0.5, -0.5, 0.5, 0.5);
    assert_eq!(q.conjugate(), quat(-0.5, 0.5, -0.5, 0.5));
    assert_eq!(q * q.conjugate(), Q::IDENTITY);
}

#[test]
fn slerp_of_a_quarter_turn_divides_the_angle() {
    let (from, to) = (Q::IDENTITY, about_z(FRAC_PI_2));
    // The sine and cosine of 22.5 and of 15 degrees.
    assert_near(
        from.slerp(to, 0.5),
        quat(0.0, 0.0, 0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    );
    let third = quat(0.0, 0.0, 0.258_819_045_102_520_76, 0.965_925_826_289_068_3);
    assert_near(from.slerp(to, 1.0 / 3.0), third);
}

#[test]
fn slerp_takes_the_shorter_arc() {
    let (from, to) = (Q::IDENTITY, -about_z(FRAC_PI_2));
    let half = quat(0.0, 0.0, 0.382_683_432_365_089_8, 0.923_879_532_511_286_7);
    assert_near(from.slerp(to, 0.5), half);
    assert_eq!(from.slerp(to, 1.0), -to);
}

#[test]
fn slerp_returns_the_end_if_the_dot_product_is_one_or_more() {
    let (from, to) = (quat(0.0, 0.0, 0.0, 2.0), quat(0.0, 0.0, 0.6, 0.8));
    assert_eq!(from.slerp(to, 0.25), to);
    assert_eq!(from.slerp(to, 0.0), from);
    assert_eq!(from.slerp(-to, 0.25), to);
}

#[test]
fn slerp_does_not_normalize() {
    // The dot product 1/2 means 60 degrees: both weights are sin 30 / sin 60.
    let middle = Q::IDENTITY.slerp(quat(0.0, 0.0, 0.0, 0.5), 0.5);
    assert_near(middle, quat(0.0, 0.0, 0.0, 0.866_025_403_784_438_6));
}

#[test]
fn slerp_in_f32_is_computed_in_f32() {
    let to = Quat::<f32>::from_axis_angle([0.0, 0.0, 1.0], core::f32::consts::FRAC_PI_2);
    let half = Quat::IDENTITY.slerp(to, 0.5_f32);
    assert!((half.z - 0.382_683_43).abs() < 3e-7 && (half.w - 0.923_879_5).abs() < 3e-7);
}

#[test]
fn the_angle_between_rotations_ignores_signs_and_lengths() {
    let quarter = about_z(FRAC_PI_2);
    assert!((Q::IDENTITY.angle_to(quarter) - FRAC_PI_2).abs() < 1e-15);
    assert!((Q::IDENTITY.angle_to(-quarter) - FRAC_PI_2).abs() < 1e-15);
    let long = Quat::from_array(quarter.to_array().map(|part| part * 3.0));
    assert!((Q::IDENTITY.angle_to(long) - FRAC_PI_2).abs() < 1e-15);
    assert!((Q::IDENTITY.angle_to(quat(1.0, 0.0, 0.0, 0.0)) - PI).abs() < 1e-15);
    assert_eq!(quarter.angle_to(-quarter), 0.0);
}

#[test]
fn the_angle_between_rotations_is_accurate_near_zero() {
    // The cosine of half of it rounds to 1 even in f64.
    let tiny = Quat { x: 0.5e-6_f32, y: 0.0, z: 0.0, w: 1.0 };
    let angle = Quat::<f32>::IDENTITY.angle_to(tiny);
    assert!((angle - 1e-6).abs() < 1e-13);
}

#[test]
fn the_angle_to_an_invalid_rotation_is_nan() {
    assert!(Q::IDENTITY.angle_to(Q::default()).is_nan());
    assert!(Q::IDENTITY.angle_to(quat(f64::NAN, 0.0, 0.0, 1.0)).is_nan());
    assert!(Q::IDENTITY.angle_to(quat(f64::INFINITY, 0.0, 0.0, 1.0)).is_nan());
}

#[test]
fn quaternions_without_a_direction_are_not_normalized() {
    assert_eq!(quat(0.0, 3.0, 0.0, 4.0).normalized(), quat(0.0, 0.6, 0.0, 0.8));
    assert_eq!(Q::default().normalized(), Q::default());
    let infinite = quat(f64::INFINITY, 0.0, 0.0, 1.0);
    assert_eq!(infinite.normalized(), infinite);
}

#[test]
fn the_order_of_x4_is_y_minus_z_minus_x() {
    // qY(0.5) qZ(-0.7) qX(-0.3), multiplied out with 30 digits.
    let expected = quat(
        -0.219_895_766_329_104_6,
        0.279_443_894_078_474_3,
        -0.293_777_172_330_968_6,
        0.887_272_187_679_752_9,
    );
    assert_near(X4_ORDER.quaternion([0.3, 0.5, 0.7]), expected);
    assert_near(X4_ORDER.quaternion([0.0, 0.0, FRAC_PI_2]), about_z(-FRAC_PI_2));
}

#[test]
fn the_leftmost_axis_comes_first() {
    let order = EulerOrder::new([Axis::X, Axis::Y, Axis::Z], [1, 1, 1]).unwrap();
    // qX(0.3) qY(0.5) qZ(0.7), multiplied out with 30 digits.
    let expected = quat(
        0.219_895_766_329_104_6,
        0.180_145_857_996_885_57,
        0.363_237_369_728_235_9,
        0.887_272_187_679_752_9,
    );
    assert_near(order.quaternion([0.3, 0.5, 0.7]), expected);
}

#[test]
fn an_order_has_three_axes_and_signs() {
    assert_eq!(EulerOrder::new([Axis::X, Axis::Y, Axis::X], [1, 1, 1]), None);
    assert_eq!(EulerOrder::new([Axis::X, Axis::Y, Axis::Z], [1, 0, 1]), None);
    assert_eq!(EulerOrder::new(X4_ORDER.axes(), X4_ORDER.signs()), Some(X4_ORDER));
}

#[test]
fn angles_follow_a_rotation_past_pi() {
    let mut last = [0.0; 3];
    for step in 1..=100_u32 {
        let angle = f64::from(step) * 0.3;
        last = X4_ORDER.angles(X4_ORDER.quaternion([0.0, angle, 0.0]), Some(last));
        assert_angles(last, [0.0, angle, 0.0]);
    }
}

#[test]
fn angles_follow_the_second_axis_past_gimbal_lock() {
    // z is the second axis of X4 and locks at a quarter turn, which steps of 15 degrees hit.
    let mut last = [0.2, 0.1, 0.0];
    for step in 0..=48_u32 {
        let angles = [0.2, 0.1, f64::from(step) * PI / 12.0];
        last = X4_ORDER.angles(X4_ORDER.quaternion(angles), Some(last));
        assert_angles(last, angles);
    }
}

#[test]
fn at_gimbal_lock_without_a_previous_key_the_third_angle_is_0() {
    // A quarter turn about -z moves x to -y, so qZ(-90) qX(-x) is qY(x) qZ(-90), and after qY(y)
    // only the sum of x and y matters.
    let locked = X4_ORDER.quaternion([0.25, 0.75, FRAC_PI_2]);
    assert_angles(X4_ORDER.angles(locked, None), [0.0, 1.0, FRAC_PI_2]);
}

#[test]
fn at_gimbal_lock_the_first_and_the_last_angle_move_equally_far() {
    let locked = X4_ORDER.quaternion([0.25, 0.75, FRAC_PI_2]);
    let near = Some([0.5, 0.75, 1.5]);
    assert_angles(X4_ORDER.angles(locked, near), [0.375, 0.625, FRAC_PI_2]);
}

#[test]
fn noise_of_f32_does_not_move_the_free_angle_at_gimbal_lock() {
    let near = [0.4, -0.3, 1.5];
    let exact = X4_ORDER.quaternion([0.4, -0.3, FRAC_PI_2]);
    let narrow =
        exact.to_array().map(|part| f64::from(format!("{part:e}").parse::<f32>().unwrap()));
    let found = X4_ORDER.angles(Quat::from_array(narrow), Some(near));
    assert_angles(found, [0.4, -0.3, FRAC_PI_2]);
}

#[test]
fn an_invalid_rotation_keeps_the_previous_angles() {
    let near = [1.0, 2.0, 3.0];
    assert_eq!(X4_ORDER.angles(Q::default(), Some(near)), near);
    assert_eq!(X4_ORDER.angles(quat(f64::NAN, 0.0, 0.0, 1.0), None), [0.0; 3]);
    let not_finite = Some([f64::INFINITY, 0.0, 0.0]);
    assert_eq!(X4_ORDER.angles(Q::IDENTITY, not_finite), [0.0; 3]);
}

fn rotations() -> impl Strategy<Value = Q> {
    let axis = [-1.0..1.0_f64, -1.0..1.0, -1.0..1.0];
    (axis, -TAU..TAU)
        .prop_filter("an axis", |(axis, _)| axis.iter().map(|part| part * part).sum::<f64>() > 0.01)
        .prop_map(|([x, y, z], angle)| {
            let length = (x * x + y * y + z * z).sqrt();
            Quat::from_axis_angle([x / length, y / length, z / length], angle)
        })
}

fn orders() -> impl Strategy<Value = EulerOrder> {
    use Axis::{X, Y, Z};
    let axes = vec![[X, Y, Z], [X, Z, Y], [Y, X, Z], [Y, Z, X], [Z, X, Y], [Z, Y, X]];
    let sign = prop::sample::select(vec![-1_i8, 1]);
    (prop::sample::select(axes), [sign.clone(), sign.clone(), sign])
        .prop_filter_map("three axes", |(axes, signs)| EulerOrder::new(axes, signs))
}

/// Angles that hit gimbal lock and the ends of the range much more often than by chance.
fn angle() -> impl Strategy<Value = f64> {
    let special = vec![
        0.0,
        FRAC_PI_6,
        FRAC_PI_4,
        FRAC_PI_3,
        FRAC_PI_2,
        PI,
        TAU,
        -FRAC_PI_2,
        -PI,
        -3.0 * FRAC_PI_2,
    ];
    prop_oneof![-7.0..7.0_f64, prop::sample::select(special)]
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn angles_of_a_quaternion_are_the_same_rotation(
        order in orders(),
        angles in [angle(), angle(), angle()],
        near in prop::option::of([angle(), angle(), angle()]),
    ) {
        let rotation = order.quaternion(angles);
        let found = order.angles(rotation, near);
        prop_assert!(order.quaternion(found).angle_to(rotation) < 1e-6, "{found:?}");
        if let Some(near) = near {
            let steps = found.into_iter().zip(near).map(|(one, other)| (one - other).abs());
            prop_assert!(steps.fold(0.0, f64::max) <= PI + 1e-9, "{found:?}");
        }
    }

    #[test]
    fn angles_survive_a_round_trip(
        order in orders(),
        mut angles in [-10.0..10.0_f64, -10.0..10.0, -10.0..10.0],
        (middle, half_turns) in (-1.0..1.0_f64, -3_i8..=3),
        step in [-0.1..0.1_f64, -0.1..0.1, -0.1..0.1],
    ) {
        // Away from gimbal lock, the nearest angles are those that made the rotation.
        let [_, axis, _] = order.axes();
        angles[match axis { Axis::X => 0, Axis::Y => 1, Axis::Z => 2 }] = middle + f64::from(half_turns) * PI;
        let near = [angles[0] + step[0], angles[1] + step[1], angles[2] + step[2]];
        let found = order.angles(order.quaternion(angles), Some(near));
        for (found, expected) in found.into_iter().zip(angles) {
            prop_assert!((found - expected).abs() < 1e-9);
        }
    }

    #[test]
    fn slerp_stays_on_the_unit_sphere_and_reaches_both_ends(
        from in rotations(),
        to in rotations(),
        t in 0.0..=1.0_f64,
    ) {
        prop_assert!((from.slerp(to, t).length() - 1.0).abs() < 1e-7);
        prop_assert_eq!(from.slerp(to, 0.0), from);
        prop_assert_eq!(from.slerp(to, 1.0), to.aligned_to(from));
    }

    #[test]
    fn slerp_divides_the_angle(from in rotations(), to in rotations(), t in 0.0..=1.0_f64) {
        let whole = from.angle_to(to);
        prop_assert!((from.angle_to(from.slerp(to, t)) - whole * t).abs() < 1e-7);
    }

    #[test]
    fn rotating_by_a_product_is_rotating_twice(
        a in rotations(),
        b in rotations(),
        v in [-9.0..9.0_f64, -9.0..9.0, -9.0..9.0],
    ) {
        let (once, twice) = (a.mul(b).rotate(v), a.rotate(b.rotate(v)));
        for (one, other) in once.into_iter().zip(twice) {
            prop_assert!((one - other).abs() < 1e-12);
        }
    }
}
