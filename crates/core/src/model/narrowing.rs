//! Conversion of numbers to `f32`.

use core::fmt::Display;

use crate::codes::{TIMES_ROUNDED, VALUES_NARROWED};
use crate::{Finding, Findings, Path, Quat, StatedError, WriteError, num};

/// Converts the numbers of a track to `f32`, and records the changes.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Narrowing, Path};
///
/// let mut narrowing = Narrowing::default();
/// assert_eq!(narrowing.number(0.5), 0.5);
/// assert!(narrowing.finding("numbers", &Path::default()).is_none());
///
/// assert_eq!(narrowing.number(1e300), f32::MAX);
/// let finding = narrowing.finding("numbers", &Path::default()).unwrap();
/// assert_eq!(finding.message, "1 of 2 numbers, off by at most 1e300");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Narrowing {
    numbers: u64,
    changed: u64,
    error: f64,
}

impl Narrowing {
    /// Returns the nearest `f32`, which is finite for finite numbers.
    pub fn number(&mut self, wide: f64) -> f32 {
        let narrow = num::finite_f32_from_f64(wide);
        let off = (f64::from(narrow) - wide).abs();
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

    /// Returns whether any number changed.
    pub const fn changes(&self) -> bool {
        self.changed > 0
    }

    /// Returns the finding with the number of changes and the largest one; `None` without changes.
    ///
    /// `what` names the numbers in the plural.
    pub fn finding(&self, what: impl Display, path: &Path) -> Option<Finding> {
        let Self { numbers, changed, error } = *self;
        let error = StatedError::of_value(error);
        let message = || format!("{changed} of {numbers} {what}, {error}");
        let finding = || Finding::new(VALUES_NARROWED, message()).at(path.clone());
        self.changes().then(|| finding().count(changed).error(error))
    }

    fn add(&mut self, off: f64) {
        self.numbers += 1;
        self.changed += u64::from(off > 0.0);
        self.error = self.error.max(off);
    }
}

/// Rounds times in seconds to `f32`, and reports how many changed and by how much.
///
/// # Errors
///
/// If a finite time is beyond the range of `f32`. The error names the format with the id `format`.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Findings, Limits, Path, narrow_times};
///
/// let mut findings = Findings::new(&Limits::default());
/// let times = narrow_times([0.5, 0.1].into_iter(), "mine", &Path::default(), &mut findings)?;
/// assert_eq!(times, [0.5, 0.1]);
/// assert_eq!(findings.into_vec()[0].message, "by up to 1.5e-9 s");
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
pub fn narrow_times(
    times: impl Iterator<Item = f64> + Clone,
    format: &'static str,
    path: &Path,
    findings: &mut Findings,
) -> Result<Vec<f32>, WriteError> {
    let mut changed = 0_usize;
    let narrow = |time| {
        let narrow = num::f32_from_f64(time);
        // Counting all of them is faster than stopping at the first.
        changed += usize::from(f64::from(narrow) != time);
        narrow
    };
    let narrow = times.clone().map(narrow).collect();
    if changed > 0 {
        report_changed_times(times, format, path, findings)?;
    }
    Ok(narrow)
}

/// Reports how many times in seconds change when they are rounded to `f32`, and by how much.
///
/// Writers call it before they round times one by one; [`narrow_times`] makes a column of them.
///
/// # Errors
///
/// Like [`narrow_times`].
pub fn report_narrowed_times(
    times: impl Iterator<Item = f64> + Clone,
    format: &'static str,
    path: &Path,
    findings: &mut Findings,
) -> Result<(), WriteError> {
    let changes = |time: &f64| f64::from(num::f32_from_f64(*time)) != *time;
    if times.clone().filter(changes).count() == 0 {
        return Ok(());
    }
    report_changed_times(times, format, path, findings)
}

fn report_changed_times(
    times: impl Iterator<Item = f64>,
    format: &'static str,
    path: &Path,
    findings: &mut Findings,
) -> Result<(), WriteError> {
    let (mut count, mut worst) = (0_u64, 0.0_f64);
    for time in times.filter(|time| time.is_finite()) {
        let narrow = num::f32_from_f64(time);
        if narrow.is_infinite() {
            let what = format!("a time of {time} s");
            return Err(WriteError::time_out_of_range(format, what).at_path(path.clone()));
        }
        let error = (f64::from(narrow) - time).abs();
        count += u64::from(error > 0.0);
        worst = worst.max(error);
    }
    if count > 0 {
        let message = format!("by up to {worst:.1e} s");
        findings.push(Finding::new(TIMES_ROUNDED, message).at(path.clone()).count(count));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn times_are_reported_alike_with_and_without_a_column_of_them() {
        let path = Path::field("times");
        for times in [vec![0.5, -0.0], vec![0.1, 0.25, f64::NAN, 0.2], vec![f64::INFINITY, 1e300]] {
            let mut findings = [(); 2].map(|()| Findings::new(&Limits::default()));
            let [first, second] = &mut findings;
            let column = narrow_times(times.iter().copied(), "test", &path, first);
            let reported = report_narrowed_times(times.iter().copied(), "test", &path, second);
            let message = |error: WriteError| error.to_string();
            assert_eq!(
                column.as_ref().map(|_| ()).map_err(ToString::to_string),
                reported.map_err(message)
            );
            let [first, second] = findings.map(Findings::into_vec);
            assert_eq!(first, second);
            let narrow = |time: &f64| num::f32_from_f64(*time).to_bits();
            let bits = |column: Vec<f32>| column.into_iter().map(f32::to_bits).collect::<Vec<_>>();
            if let Ok(column) = column {
                assert_eq!(bits(column), times.iter().map(narrow).collect::<Vec<_>>());
            }
        }
    }
}
