//! Frame rates.

use crate::num;

/// Frames per second if neither the file nor the caller gives a rate.
pub const DEFAULT_RATE: f64 = 30.0;

/// Returns whether a number can be the frame rate of a file that stores it as `f32`.
pub fn valid_rate(rate: f64) -> bool {
    let stored = num::f32_from_f64(rate);
    stored.is_finite() && stored > 0.0
}

/// Returns whether times are on frames that follow each other, up to rounding.
pub fn on_every_frame(mut times: impl Iterator<Item = f64>, rate: f64) -> bool {
    let Some(mut last) = times.next().filter(|time| num::is_on_frame(*time, rate)) else {
        return false;
    };
    times.all(|time| {
        let is_next = (time * rate).round() == (last * rate).round() + 1.0;
        last = time;
        is_next && num::is_on_frame(time, rate)
    })
}
