//! Axes: the mapping from numbers to pixels, and ticks.

/// Maps a range of numbers to a range of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
}

impl Scale {
    pub(super) fn at(self, number: f64) -> f64 {
        let (start, end) = self.from;
        let part = (number - start) / (end - start);
        // Far outside the picture the position does not matter, but it would need many digits.
        (self.to.0 + part * (self.to.1 - self.to.0)).clamp(-1e5, 1e5)
    }
}

/// The unit of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Number,
    Degrees,
    Whole,
}

/// The ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ticks {
    pub(super) at: Vec<f64>,
    step: f64,
}

/// The largest number of ticks on an axis, also if rounding goes wrong.
const MOST: usize = 64;

impl Ticks {
    /// Returns about `count` round numbers within a range, and at least two if there are any,
    /// because a single one shows no scale.
    pub(super) fn new(range: (f64, f64), count: f64, unit: Unit) -> Self {
        if !(range.1 - range.0).is_finite() {
            return Self { at: Vec::new(), step: 1.0 };
        }
        let ticks = Self::at_most(range, count, unit);
        if ticks.at.len() >= 2 {
            return ticks;
        }
        let finer = |factor| Self::at_most(range, count.max(1.0) * factor, unit);
        let mut finer = [2.0, 4.0].into_iter().map(finer);
        finer.find(|ticks| ticks.at.len() >= 2).unwrap_or(ticks)
    }

    /// Returns at most about `count` round numbers within a range.
    fn at_most((start, end): (f64, f64), count: f64, unit: Unit) -> Self {
        let step = step((end - start) / count.max(1.0), unit);
        let first = (start / step).ceil();
        let at = (0_u32..).map(|index| (first + f64::from(index)) * step);
        let at = at.take(MOST).take_while(|tick| *tick <= end + step * 1e-9).collect();
        Self { at, step }
    }

    /// Returns the label of a tick, with enough digits to distinguish it from the next one.
    pub(super) fn label(&self, tick: f64) -> String {
        let (_, exponent) = scientific(self.step);
        let largest = self.at.iter().fold(0.0_f64, |most, tick| most.max(tick.abs()));
        let (_, magnitude) = scientific(largest);
        if tick == 0.0 || tick.abs() < self.step * 1e-6 {
            return "0".to_owned();
        }
        if !(-4..6).contains(&magnitude) {
            let decimals = magnitude.saturating_sub(exponent).clamp(0, 9);
            let decimals = usize::try_from(decimals).unwrap_or(0);
            let text = format!("{tick:.decimals$e}");
            return match text.split_once('e') {
                Some((number, power)) if number.contains('.') => {
                    format!("{}e{power}", number.trim_end_matches('0').trim_end_matches('.'))
                }
                _ => text,
            };
        }
        let decimals = exponent.saturating_neg().clamp(0, 9);
        format!("{:.*}", usize::try_from(decimals).unwrap_or(0), tick)
    }
}

/// Returns the smallest round step that is at least `least`.
fn step(least: f64, unit: Unit) -> f64 {
    if !(least > f64::MIN_POSITIVE && least < f64::MAX / 1e3) {
        return 1.0;
    }
    if unit == Unit::Degrees && least > 10.0 && least <= 720.0 {
        let steps = [15.0, 30.0, 45.0, 90.0, 180.0, 360.0, 720.0];
        return steps.into_iter().find(|step| *step >= least).unwrap_or(720.0);
    }
    let (digits, exponent) = scientific(least);
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| *factor >= digits - 1e-9);
    let step = factor.unwrap_or(10.0) * power_of_ten(exponent);
    if unit == Unit::Whole { step.max(1.0) } else { step }
}

/// Splits a number into digits from 1 to 10 and an exponent.
///
/// It uses the decimal text, since logarithms differ between platforms.
fn scientific(number: f64) -> (f64, i32) {
    let text = format!("{:e}", number.abs());
    let parts = text.split_once('e');
    let parts = parts.and_then(|(digits, power)| Some((digits.parse().ok()?, power.parse().ok()?)));
    parts.unwrap_or((0.0, 0))
}

fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(range: (f64, f64), count: f64, unit: Unit) -> Vec<String> {
        let ticks = Ticks::new(range, count, unit);
        ticks.at.iter().map(|tick| ticks.label(*tick)).collect()
    }

    #[test]
    fn an_axis_has_two_ticks_to_show_its_scale() {
        // A step of 10 has only 0 in this range.
        assert_eq!(labels((-8.6, 9.4), 2.0, Unit::Number), ["-5", "0", "5"]);
        assert_eq!(labels((12.0, 19.0), 1.0, Unit::Number), ["12", "14", "16", "18"]);
        assert_eq!(labels((0.3, 0.7), 3.0, Unit::Whole), [""; 0]);
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(labels((0.0, 1.0), 5.0, Unit::Number), ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(labels((-1.5, 1.2), 3.0, Unit::Number), ["-1", "0", "1"]);
        assert_eq!(labels((0.1, 0.13), 3.0, Unit::Number), ["0.10", "0.11", "0.12", "0.13"]);
        assert_eq!(labels((0.0, 30.0), 7.0, Unit::Whole), ["0", "5", "10", "15", "20", "25", "30"]);
        assert_eq!(labels((0.0, 2.0), 9.0, Unit::Whole), ["0", "1", "2"]);
    }

    #[test]
    fn angles_have_ticks_that_divide_a_turn() {
        assert_eq!(labels((0.0, 360.0), 4.0, Unit::Degrees), ["0", "90", "180", "270", "360"]);
    }

    #[test]
    fn large_and_small_numbers_have_an_exponent() {
        assert_eq!(labels((0.0, 4e7), 2.0, Unit::Number), ["0", "2e7", "4e7"]);
        assert_eq!(labels((0.0, 3e-6), 3.0, Unit::Number), ["0", "1e-6", "2e-6", "3e-6"]);
        assert_eq!(labels((1e6, 1.000_002e6), 2.0, Unit::Number).len(), 3);
    }

    #[test]
    fn the_number_of_ticks_is_limited_for_any_range() {
        for range in [(0.0, 0.0), (0.0, f64::NAN), (f64::MAX, f64::MAX), (1e300, 1.1e300)] {
            assert!(Ticks::new(range, 5.0, Unit::Number).at.len() <= MOST, "{range:?}");
        }
    }
}
