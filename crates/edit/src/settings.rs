//! The settings of all edits.

use inbetween_core::{Budget, DEFAULT_BOUND, Document, Limits, SharedBudget};

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
    /// How many findings are listed, and what the keys that an edit makes may cost where no budget
    /// is shared.
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
    /// Without one, each edit has a budget of its own, as for an input of the size of its document.
    /// So share one where several edits are made of a file that nobody has vouched for.
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
