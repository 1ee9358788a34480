//! Conversion of numbers to `f32`.

use core::fmt::Display;

use crate::codes::VALUES_NARROWED;
use crate::{Finding, Path, Quat, StatedError, num};

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
        self.numbers = self.numbers.saturating_add(1);
        self.changed = self.changed.saturating_add(u64::from(off > 0.0));
        self.error = self.error.max(off);
    }
}
