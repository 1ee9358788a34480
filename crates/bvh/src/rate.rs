//! Frame rates, and the seconds from row to row that files state.

use inbetween_core::{frames, num};

/// Returns the frames per second of some seconds from row to row; `None` if they are not positive.
///
/// Programs round the seconds. A whole number counts if its reciprocal, rounded to the digits of the
/// text, is the text: 0.0333 and 0.033333 are 30. Other rates are rounded to `f32`, like those of the
/// formats that store a rate.
pub(crate) fn frame_rate(seconds: f64) -> Option<f64> {
    let rate = f64::from(num::f32_from_f64(1.0 / seconds));
    if !(seconds > 0.0 && frames::valid_rate(rate)) {
        return None;
    }
    let whole = (1.0 / seconds).round();
    let digits = seconds.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
    let is_whole = whole >= 1.0 && decimal(1.0 / whole, digits).to_bits() == seconds.to_bits();
    Some(if is_whole { whole } else { rate })
}

/// Returns the seconds from row to row to write for a rate: a decimal of at least seven digits, as
/// fewer drift by a frame within minutes.
pub(crate) fn frame_time(rate: f64) -> f64 {
    let exact = 1.0 / rate;
    let mut decimals = (7..40).map(|digits| decimal(exact, digits));
    let found = decimals
        .find(|seconds| frame_rate(*seconds).is_some_and(|read| read.to_bits() == rate.to_bits()));
    found.unwrap_or(exact)
}

/// Returns a number rounded to a number of decimals.
fn decimal(number: f64, digits: usize) -> f64 {
    format!("{number:.digits$}").parse().unwrap_or(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_rates_are_recognized_at_any_precision() {
        for (seconds, rate) in [
            (0.0333, 30.0),
            (0.033_333, 30.0),
            (0.033_333_3, 30.0),
            (0.008_333_3, 120.0),
            (0.04, 25.0),
            (0.041_667, 24.0),
            (1.0, 1.0),
        ] {
            assert_eq!(frame_rate(seconds), Some(rate), "{seconds}");
        }
        assert!(frame_rate(0.033_367).is_some_and(|rate| (rate - 29.97).abs() < 1e-3));
        for invalid in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-300] {
            assert_eq!(frame_rate(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn the_seconds_of_a_rate_give_the_rate() {
        for rate in [1.0_f32, 24.0, 29.97, 30.0, 59.94, 60.0, 120.0, 1000.0, 0.1, 1e6] {
            let rate = f64::from(rate);
            assert_eq!(frame_rate(frame_time(rate)), Some(rate));
        }
        assert_eq!(frame_time(30.0).to_string(), "0.0333333");
        assert_eq!(frame_time(120.0).to_string(), "0.0083333");
    }
}
