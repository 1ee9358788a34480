//! Number conversions for which Rust has no lossless functions.
//!
//! They are collected here so that `as` occurs nowhere else.

/// Returns the `f32` nearest to `value`, or infinity if it is out of range.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounds to nearest")]
pub const fn f32_from_f64(value: f64) -> f32 {
    value as f32
}

/// Returns the finite `f32` nearest to a finite `value`; values out of range become the largest
/// finite one. NaN and infinities are returned unchanged.
pub const fn finite_f32_from_f64(value: f64) -> f32 {
    let nearest = f32_from_f64(value);
    if nearest.is_infinite() && value.is_finite() { f32::MAX.copysign(nearest) } else { nearest }
}

/// Returns an index as a float; exact up to 2^53.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub const fn f64_from_index(index: usize) -> f64 {
    index as f64
}

/// Returns a number as a float; exact up to 2^53.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub const fn f64_from_u64(value: u64) -> f64 {
    value as f64
}

/// Returns the `f64` nearest to an integer.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "rounds to nearest")]
pub const fn f64_from_i128(value: i128) -> f64 {
    value as f64
}

/// Returns the integer nearest to `value`, halves away from zero. NaN gives 0, and values out of
/// range are clamped.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "saturates")]
pub fn i128_from_f64(value: f64) -> i128 {
    value.round() as i128
}

/// Returns the largest index that is at most `value`. NaN and negative values give 0, and large
/// values are clamped.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub const fn index_from_f64(value: f64) -> usize {
    value as usize
}

/// Returns the frame nearest to `value`, if it is from 0 to `u32::MAX`.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked first"
)]
pub fn frame_from_f64(value: f64) -> Option<u32> {
    let rounded = value.round();
    (rounded >= 0.0 && rounded <= f64::from(u32::MAX)).then_some(rounded as u32)
}

/// Returns the integer nearest to a number from 0 to 2^51, modulo 2^32. Other numbers give any
/// integer.
///
/// A float from 2^52 on has no room for a fraction, so adding 2^52 rounds the number, and the lowest
/// bits of the sum are the integer. Unlike a cast that clamps, this compiles to vector instructions.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "modulo 2^32")]
pub const fn nearest_u32(value: f64) -> u32 {
    const WITHOUT_FRACTION: f64 = 4_503_599_627_370_496.0;
    (value + WITHOUT_FRACTION).to_bits() as u32
}

/// Returns the integer part of a number. Values out of range are clamped, and NaN gives 0.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub const fn u32_from_f64(value: f64) -> u32 {
    value as u32
}

/// Returns whether a time in seconds is on a frame: within 1e-4 frames, or within two ulps of a
/// time stored as `f32`.
pub fn is_on_frame(time: f64, rate: f64) -> bool {
    let frame = time * rate;
    (frame - frame.round()).abs() <= (2.0 * ulp_f32(time) * rate).max(1e-4)
}

/// Returns a length as `u64`.
pub fn u64_from_len(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// Returns a number from a file as a length; numbers that are too large are clamped.
pub fn len_from_u64(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Returns the distance from `value` to the next `f32` of larger magnitude.
///
/// This is the ulp of a time stored as `f32`.
pub fn ulp_f32(value: f64) -> f64 {
    let near = f32_from_f64(value.abs()).min(f32::MAX);
    if near.is_nan() {
        return f64::NAN;
    }
    f64::from(near.next_up().min(f32::MAX)) - f64::from(near.min(f32::MAX.next_down()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_round_to_nearest_and_stay_in_range() {
        assert_eq!(frame_from_f64(1.5), Some(2));
        assert_eq!(frame_from_f64(-0.4), Some(0));
        assert_eq!(frame_from_f64(-0.6), None);
        assert_eq!(frame_from_f64(4_294_967_295.0), Some(u32::MAX));
        assert_eq!(frame_from_f64(4_294_967_296.0), None);
        assert_eq!(frame_from_f64(f64::NAN), None);
    }

    #[test]
    fn indices_are_truncated_and_clamped() {
        assert_eq!(index_from_f64(2.99), 2);
        assert_eq!((index_from_f64(-1.0), index_from_f64(f64::NAN)), (0, 0));
        assert_eq!(index_from_f64(1e300), usize::MAX);
    }

    #[test]
    fn the_nearest_integer_has_32_bits() {
        let numbers = [0.0, 0.4, 0.6, 7.000_000_1, 4_294_967_295.0, 4_294_967_297.2];
        assert_eq!(numbers.map(nearest_u32), [0, 0, 1, 7, u32::MAX, 1]);
        for frame in (0..=u32::MAX).step_by(65_521) {
            assert_eq!(nearest_u32(f64::from(frame) / 29.97 * 29.97), frame);
        }
    }

    #[test]
    fn the_integer_part_is_clamped() {
        assert_eq!([2.9, -1.0, f64::NAN, 1e300].map(u32_from_f64), [2, 0, 0, u32::MAX]);
    }

    #[test]
    fn a_time_is_on_a_frame_within_f32_precision() {
        assert!(is_on_frame(f64::from(0.1_f32), 30.0));
        assert!(is_on_frame(f64::from(1000.1_f32), 30.0));
        assert!(!is_on_frame(0.101, 30.0));
        assert!(!is_on_frame(f64::NAN, 30.0));
    }

    #[test]
    fn the_ulp_of_one_is_the_epsilon_of_f32() {
        assert_eq!(ulp_f32(1.0), f64::from(f32::EPSILON));
        assert_eq!(ulp_f32(-1.0), f64::from(f32::EPSILON));
        assert!(ulp_f32(1e300) > 0.0);
    }
}
