//! The settings of all edits.

use inbetween_core::{Budget, DEFAULT_BOUND, Document, Limits, SharedBudget};

/// The error bound of approximations, and the limits of edits.
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
    /// The largest error of linear keys that replace a curve: radians for rotations, the unit of
    /// the values for others. By default [`DEFAULT_BOUND`].
    pub bound: f64,
    /// The number of listed findings, and without a shared budget, the memory of new keys.
    pub limits: Limits,
    budget: Option<SharedBudget>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { bound: DEFAULT_BOUND, limits: Limits::default(), budget: None }
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

    /// Returns the settings with a budget that all edits spend, and with its limits.
    ///
    /// Without one, each edit has its own budget, as for an input of the size of its document. For
    /// several edits of an untrusted file, share one.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Budget, Document, Limits, SharedBudget};
    /// use inbetween_edit::{Settings, reverse};
    ///
    /// let bytes = b"the file";
    /// let budget = SharedBudget::new(Budget::new(&Limits::default(), bytes.len()));
    /// let settings = Settings::default().budget(budget);
    /// let reversed = reverse(Document::default(), &settings)?.value;
    /// assert_eq!(reverse(reversed, &settings)?.value, Document::default());
    /// # Ok::<(), inbetween_edit::EditError>(())
    /// ```
    #[must_use]
    pub fn budget(mut self, budget: SharedBudget) -> Self {
        self.limits = budget.lock().limits().clone();
        self.budget = Some(budget);
        self
    }

    /// Returns the budget of an edit of a document.
    pub(crate) fn budget_for(&self, document: &Document) -> SharedBudget {
        let own = || SharedBudget::new(Budget::new(&self.limits, document.heap_bytes()));
        self.budget.clone().unwrap_or_else(own)
    }
}
