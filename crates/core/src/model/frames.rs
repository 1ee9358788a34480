//! Frame rates.

use crate::num;

/// Frames per second if neither the file nor the caller gives a rate.
pub const DEFAULT_RATE: f64 = 30.0;

/// Returns whether a number can be the frame rate of a file that stores it as `f32`.
pub fn valid_rate(rate: f64) -> bool {
    let stored = num::f32_from_f64(rate);
    stored.is_finite() && stored > 0.0
}
