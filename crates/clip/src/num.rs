//! Number conversions for which Rust has no lossless functions.
//!
//! `inbetween-core` has some of these functions too. Playback without the feature `build` does not
//! depend on it.

/// Returns the square root. All processors and `libm` round it the same way; only that of the
/// standard library becomes a vector instruction.
#[inline]
pub(crate) fn sqrt(value: f32) -> f32 {
    #[cfg(feature = "build")]
    return value.sqrt();
    #[cfg(not(feature = "build"))]
    return libm::sqrtf(value);
}

/// Returns the `f32` nearest to `value`.
#[expect(clippy::as_conversions, clippy::cast_possible_truncation, reason = "rounds to nearest")]
pub(crate) const fn f32_from_f64(value: f64) -> f32 {
    value as f32
}

/// Returns a number of keys or frames as a float; exact up to 2^53.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub(crate) const fn f64_from_len(length: usize) -> f64 {
    length as f64
}

/// Returns the number of a frame as a float; exact up to 2^53.
#[expect(clippy::as_conversions, clippy::cast_precision_loss, reason = "exact up to 2^53")]
pub(crate) const fn f64_from_u64(value: u64) -> f64 {
    value as f64
}

/// Returns the largest index that is at most `value`; NaN and negative numbers give 0, and large
/// numbers are clamped.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub(crate) const fn index_from_f64(value: f64) -> usize {
    value as usize
}

/// Returns the integer nearest to a number from 0 to 65535; others are clamped.
#[cfg(feature = "build")]
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "saturates"
)]
pub(crate) fn u16_from_f32(value: f32) -> u16 {
    libm::roundf(value) as u16
}

/// Returns a number from a file as an index; every supported target has at least 32-bit addresses.
pub(crate) fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

/// Returns an index as a number of a file. Clips never hold more items than fit, which the builder
/// and the loader check.
pub(crate) fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
