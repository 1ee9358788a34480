//! The settings of all edits.

use inbetween_core::{Budget, DEFAULT_BOUND, Document, Limits};

/// How far approximations may go, and what edits may cost.
///
/// # Examples
///
/// ```
/// use inbetween_edit::Settings;
///
/// let settings = Settings::default().bound(1e-4);
/// assert_eq!(settings.bound, 1e-4);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// How far linear keys may be from a curve that they replace: radians for rotations, the unit
    /// of the values for others. By default [`DEFAULT_BOUND`].
    pub bound: f64,
    /// What keys that are made may cost, and how many findings are listed.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self { bound: DEFAULT_BOUND, limits: Limits::default() }
    }
}

impl Settings {
    /// Returns the settings with another error bound.
    #[must_use]
    pub fn bound(mut self, bound: f64) -> Self {
        self.bound = bound;
        self
    }

    /// Returns the settings with other limits.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Makes the budget for the keys that an edit of a document makes.
    pub(crate) fn budget(&self, document: &Document) -> Budget {
        Budget::for_baking(&self.limits, document.heap_bytes())
    }
}
