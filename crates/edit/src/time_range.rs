//! A range of time.

use crate::EditError;
use crate::work::check_number;

/// A range of time in seconds, open at either end.
///
/// # Examples
///
/// ```
/// use inbetween_edit::TimeRange;
///
/// let range = TimeRange::new(Some(0.5), None)?;
/// assert_eq!((range.start(), range.end()), (Some(0.5), None));
/// assert!(TimeRange::new(Some(2.0), Some(1.0)).is_err());
/// # Ok::<(), inbetween_edit::EditError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimeRange {
    start: Option<f64>,
    end: Option<f64>,
}

impl TimeRange {
    /// Creates a range; `None` keeps everything before the start or after the end.
    ///
    /// # Errors
    ///
    /// If a time is not finite, or the end is before the start.
    pub fn new(start: Option<f64>, end: Option<f64>) -> Result<Self, EditError> {
        for time in [start, end].into_iter().flatten() {
            check_number("range", "finite seconds such as 0.5", time, true)?;
        }
        match (start, end) {
            (Some(start), Some(end)) if end < start => Err(EditError::Range { start, end }),
            _ => Ok(Self { start, end }),
        }
    }

    /// Returns the start in seconds, or `None` if nothing is cut there.
    pub const fn start(self) -> Option<f64> {
        self.start
    }

    /// Returns the end in seconds, or `None` if nothing is cut there.
    pub const fn end(self) -> Option<f64> {
        self.end
    }

    /// Returns the offset that moves the start of the range to 0.
    pub(crate) fn offset(self) -> f64 {
        self.start.unwrap_or(0.0)
    }

    pub(crate) fn contains(self, time: f64) -> bool {
        self.start.is_none_or(|start| start <= time) && self.end.is_none_or(|end| time <= end)
    }
}
