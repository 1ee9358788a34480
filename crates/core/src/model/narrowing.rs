//! Conversion of numbers to `f32`.

use core::cell::Cell;
use core::fmt::Display;

use crate::codes::{TIMES_ROUNDED, VALUE_UNDEFINED, VALUES_NARROWED};
use crate::{Finding, Findings, Quat, StatedError, Values, WriteError, num, value_error};

/// Converts the numbers of a track to `f32`, and records the changes.
///
/// # Examples
///
/// ```
/// use inbetween_core::Narrowing;
///
/// let mut narrowing = Narrowing::default();
/// assert_eq!(narrowing.number(0.5), 0.5);
/// assert!(!narrowing.changes());
///
/// assert_eq!(narrowing.number(0.1), 0.1);
/// let findings = narrowing.findings("numbers");
/// assert_eq!(findings[0].message, "1 of 2 numbers, off by at most 1.5e-9");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Narrowing {
    numbers: u64,
    /// The number of changes with an error.
    changed: u64,
    /// The largest error.
    error: f64,
    /// The number of changes without one.
    undefined: u64,
}

impl Narrowing {
    /// Returns the nearest `f32`, which is finite for finite numbers.
    ///
    /// A number beyond the range of `f32` has no error, because engines that compute in `f32` show
    /// infinities between two such numbers.
    pub fn number(&mut self, wide: f64) -> f32 {
        let narrow = num::finite_f32_from_f64(wide);
        let off = (f64::from(num::f32_from_f64(wide)) - wide).abs();
        // NaN and infinities are the same in both widths.
        self.add(if off.is_nan() { 0.0 } else { off });
        narrow
    }

    /// Returns the rotation with each component rounded to `f32`; the error is the angle in
    /// radians.
    pub fn rotation(&mut self, wide: Quat<f64>) -> Quat<f32> {
        let narrow = Quat::from_array(wide.to_array().map(num::finite_f32_from_f64));
        let stored = Quat::<f64>::from(narrow);
        let angle = wide.angle_to(stored);
        let invalid = |rotation: Quat<f64>| rotation.angle_to(rotation).is_nan();
        let same = stored == wide || (invalid(wide) && invalid(stored));
        // No rotation is near an invalid one.
        let off = if angle.is_nan() { f64::INFINITY } else { angle.max(f64::MIN_POSITIVE) };
        self.add(if same { 0.0 } else { off });
        narrow
    }

    /// Returns the values as `f32`.
    pub fn values(&mut self, wide: Values) -> Values {
        let kind = wide.kind().narrowed();
        if kind == wide.kind() {
            return wide;
        }
        let narrow = crate::rows::converted(wide.clone(), kind);
        let back = crate::rows::converted(narrow.clone(), wide.kind());
        if back == wide {
            self.numbers += num::u64_from_len(wide.len());
            return narrow;
        }
        let numbers = |values, key| crate::rows::numbers(values, key).unwrap_or_default();
        for key in 0..wide.len() {
            let values = wide.get(key).zip(back.get(key));
            let error = values.map_or(0.0, |(wide, back)| value_error(&wide, &back));
            let mut pairs = core::iter::zip(numbers(&wide, key), numbers(&back, key));
            let overflows = pairs.any(|(wide, back)| wide.is_finite() && back.is_infinite());
            self.add(if overflows { f64::INFINITY } else { error });
        }
        narrow
    }

    /// Returns whether any number changed.
    pub const fn changes(&self) -> bool {
        self.changed > 0 || self.undefined > 0
    }

    /// Returns the findings about the changes: how many with the largest error, and how many have
    /// none because `f32` cannot hold the number, or not the direction of the rotation.
    ///
    /// `what` names the numbers in the plural.
    pub fn findings(&self, what: impl Display) -> Vec<Finding> {
        let Self { numbers, changed, error, undefined } = *self;
        let error = StatedError::of_value(error);
        let narrowed = (changed > 0).then(|| {
            let message = format!("{changed} of {numbers} {what}, {error}");
            let finding = Finding::new(VALUES_NARROWED, message);
            finding.count(changed).error(error)
        });
        let undefined = (undefined > 0).then(|| {
            let message = format!("{undefined} of {numbers} {what}, which f32 cannot hold");
            Finding::new(VALUE_UNDEFINED, message).count(undefined)
        });
        narrowed.into_iter().chain(undefined).collect()
    }

    fn add(&mut self, off: f64) {
        self.numbers += 1;
        if off.is_finite() {
            self.changed += u64::from(off > 0.0);
            self.error = self.error.max(off);
        } else {
            self.undefined += 1;
        }
    }
}

/// Rounds times in seconds to `f32` one by one, in a loop that does other work as well, and notices
/// whether one of them may have changed.
///
/// # Examples
///
/// ```
/// use inbetween_core::TimeRounder;
///
/// let rounder = TimeRounder::default();
/// assert_eq!(rounder.round(0.5), 0.5);
/// assert!(!rounder.may_have_changed(&[0.5]));
/// assert_eq!(rounder.round(0.1), 0.1);
/// assert!(rounder.may_have_changed(&[0.5, 0.1]));
/// ```
#[derive(Clone, Debug, Default)]
pub struct TimeRounder {
    /// The bits of all times. Collecting them is faster than comparing each time with the `f32`.
    bits: Cell<u64>,
}

impl TimeRounder {
    /// The last bits of an `f64`, which an `f32` lacks.
    const LOST: u64 = (1 << 29) - 1;

    /// Returns the `f32` nearest to a time.
    #[inline]
    pub fn round(&self, time: f64) -> f32 {
        self.bits.set(self.bits.get() | time.to_bits());
        num::f32_from_f64(time)
    }

    /// Adds what another rounder noticed. A loop is faster with a rounder of its own, which can stay
    /// in a register.
    pub fn add(&self, other: &Self) {
        self.bits.set(self.bits.get() | other.bits.get());
    }

    /// Returns whether rounding may have changed a time. `times` are all times that were rounded,
    /// finite and in order. The result is always true if one of them is before 0.
    pub fn may_have_changed(&self, times: &[f64]) -> bool {
        let range = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
        // All others that are not 0 lie between these two.
        let ends = [times.iter().find(|time| **time != 0.0), times.last()];
        let fits = |end: Option<&f64>| end.is_none_or(|time| *time == 0.0 || range.contains(time));
        self.bits.get() & Self::LOST != 0 || !ends.into_iter().all(fits)
    }
}

/// Reports how many times in seconds change when they are rounded to `f32`, and by how much.
///
/// Writers call it before they round times one by one.
///
/// # Errors
///
/// If a time is beyond the range of `f32`.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Findings, Limits, report_narrowed_times};
///
/// let mut findings = Findings::new(&Limits::default());
/// report_narrowed_times([0.1, 0.5].into_iter(), &mut findings)?;
/// assert_eq!(findings.into_vec()[0].message, "by up to 1.5e-9 s");
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
pub fn report_narrowed_times(
    times: impl Iterator<Item = f64> + Clone,
    findings: &mut Findings,
) -> Result<(), WriteError> {
    let changes = |time: &f64| f64::from(num::f32_from_f64(*time)) != *time;
    if times.clone().filter(changes).count() == 0 {
        return Ok(());
    }
    report_changed_times(times, findings)
}

fn report_changed_times(
    times: impl Iterator<Item = f64>,
    findings: &mut Findings,
) -> Result<(), WriteError> {
    let (mut count, mut worst) = (0_u64, 0.0_f64);
    // An interval may be infinite.
    for time in times.filter(|time| time.is_finite()) {
        let narrow = num::f32_from_f64(time);
        if narrow.is_infinite() {
            let what = format!("a time of {time} s");
            return Err(WriteError::time_out_of_range(what));
        }
        let error = (f64::from(narrow) - time).abs();
        count += u64::from(error > 0.0);
        worst = worst.max(error);
    }
    if count > 0 {
        let message = format!("by up to {worst:.1e} s");
        findings.push(Finding::new(TIMES_ROUNDED, message).count(count));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn a_number_beyond_the_range_is_finite_and_named() {
        let largest = f64::from(f32::MAX);
        // Half a unit in the last place above the largest `f32` is the first number beyond.
        let beyond = largest + (largest - f64::from(f32::MAX.next_down())) / 2.0;
        for (wide, error) in [
            (largest, Some(0.0)),
            (beyond.next_down(), Some(beyond.next_down() - largest)),
            (beyond, None),
            (-1e300, None),
        ] {
            let mut narrowing = Narrowing::default();
            assert_eq!(narrowing.number(wide), f32::MAX.copysign(num::f32_from_f64(wide)));
            let findings = narrowing.findings("numbers");
            let undefined = findings.iter().filter(|it| it.code == VALUE_UNDEFINED).count();
            assert_eq!(undefined, usize::from(error.is_none()), "{wide}");
            let stated = findings.into_iter().find_map(|finding| finding.error);
            assert_eq!(stated.map_or(0.0, |it| it.value), error.unwrap_or_default(), "{wide}");
        }
        let mut narrowing = Narrowing::default();
        assert_eq!(narrowing.number(f64::INFINITY), f32::INFINITY);
        assert!(!narrowing.changes());
    }

    #[test]
    fn a_rounder_notices_all_changes_that_are_reported() {
        // The smallest number of an `f32` times 1.5 has few digits, but no `f32` is equal to it.
        let tiny = f64::from(f32::from_bits(1)) * 1.5;
        let huge = f64::from(f32::MAX) * 2.0;
        for times in [
            vec![],
            vec![0.5],
            vec![-0.0, 0.0, 0.5],
            vec![0.1, 0.2, 0.25],
            vec![-0.5, -tiny, -0.0, 1.0],
            vec![-0.5, -0.0, tiny, 1.0],
            vec![0.0, f64::from(f32::from_bits(3)), 1.0],
            vec![-huge, 0.0, 1.0],
            vec![0.0, 1.0, huge],
        ] {
            let mut findings = Findings::new(&Limits::default());
            let fits = report_narrowed_times(times.iter().copied(), &mut findings).is_ok();
            let rounder = TimeRounder::default();
            for time in &times {
                let expected = num::f32_from_f64(*time).to_bits();
                assert_eq!(rounder.round(*time).to_bits(), expected);
            }
            let is_silent = fits && findings.into_vec().is_empty();
            assert!(is_silent || rounder.may_have_changed(&times), "{times:?}");
        }
    }

    #[test]
    fn exact_times_have_not_changed() {
        for times in [vec![], vec![-0.0, 0.0, 0.25, 3.5], vec![f64::from(f32::MAX)]] {
            let rounder = TimeRounder::default();
            for time in &times {
                rounder.round(*time);
            }
            assert!(!rounder.may_have_changed(&times), "{times:?}");
        }
    }
}
