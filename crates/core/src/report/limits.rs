//! Limits on the cost of a file, and the budget that tracks their use.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::num::{len_from_u64, u64_from_len};
use crate::{ReadError, ReadErrorKind, Remedy, memory};

/// The largest allowed cost of a file.
///
/// # Examples
///
/// ```
/// use inbetween_core::Limits;
///
/// let small = Limits::default().with_items(1_000);
/// assert_eq!(small.findings, 10_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Items in a file: bones, tracks, records, notes, modifiers, shapes. Default 1,048,576.
    pub items: u64,
    /// Bytes of decoded columns, or of a decompressed section. `None`, the default, is
    /// 16 times the input, at least 64 MiB and at most 8 GiB.
    pub decoded_bytes: Option<u64>,
    /// Findings listed by a check or a conversion. Default 10,000.
    pub findings: usize,
    /// Nesting depth of JSON. Default 64.
    pub depth: usize,
    /// Bytes of a file that the facade reads from disk. Default 4 GiB.
    pub input_bytes: u64,
}

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;

impl Default for Limits {
    fn default() -> Self {
        Self {
            items: 1 << 20,
            decoded_bytes: None,
            findings: 10_000,
            depth: 64,
            input_bytes: 4 * GIB,
        }
    }
}

impl Limits {
    /// Returns the limits with another number of items.
    #[must_use]
    pub const fn with_items(mut self, items: u64) -> Self {
        self.items = items;
        self
    }

    /// Returns the limits with another number of decoded bytes.
    #[must_use]
    pub const fn with_decoded_bytes(mut self, bytes: u64) -> Self {
        self.decoded_bytes = Some(bytes);
        self
    }

    /// Returns the limits with another number of listed findings.
    #[must_use]
    pub const fn with_findings(mut self, findings: usize) -> Self {
        self.findings = findings;
        self
    }

    /// Returns the limits with another depth of JSON.
    #[must_use]
    pub const fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// Returns the limits with another number of bytes that are read from disk.
    #[must_use]
    pub const fn with_input_bytes(mut self, bytes: u64) -> Self {
        self.input_bytes = bytes;
        self
    }

    /// Returns the limit on decoded bytes for an input of this length.
    pub fn decoded_for(&self, input: usize) -> u64 {
        let by_input = u64_from_len(input).saturating_mul(16).clamp(64 * MIB, 8 * GIB);
        self.decoded_bytes.unwrap_or(by_input)
    }
}

/// The unspent limits of an input.
///
/// Every item and every decoded byte is charged before memory is allocated for it, so many small
/// claims exhaust the budget just like one large claim. An input has one budget for everything made
/// from it: reading, edits, and writing, for all its clips and outputs.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Limits, Remedy};
///
/// let limits = Limits::default().with_decoded_bytes(100);
/// let mut budget = Budget::new(&limits, 8);
/// budget.charge_bytes(60)?;
/// let error = budget.charge_bytes(60).unwrap_err();
/// assert_eq!(error.hint(), Some("raise the limit on decoded bytes"));
/// assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    items: u64,
    decoded: u64,
    decoded_limit: u64,
}

impl Budget {
    /// Creates the budget for an input of this length.
    pub fn new(limits: &Limits, input: usize) -> Self {
        let decoded = limits.decoded_for(input);
        Self { limits: limits.clone(), items: limits.items, decoded, decoded_limit: decoded }
    }

    /// Returns the limits of the budget.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Raises the limit on decoded bytes to that of an input of `length` bytes, if that is higher.
    ///
    /// A decompressed section is an input from which keys are decoded.
    pub fn allow_for(&mut self, length: usize) {
        let limit = self.limits.decoded_for(length).max(self.decoded_limit);
        let more = limit.saturating_sub(self.decoded_limit);
        (self.decoded, self.decoded_limit) = (self.decoded.saturating_add(more), limit);
    }

    /// Adds the unspent rest of another budget, when several inputs become one output.
    pub fn absorb(&mut self, other: &Self) {
        self.items = self.items.saturating_add(other.items);
        self.decoded = self.decoded.saturating_add(other.decoded);
        self.decoded_limit = self.decoded_limit.saturating_add(other.decoded_limit);
    }

    /// Charges items.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] if fewer remain.
    pub fn charge_items(&mut self, count: u64) -> Result<(), ReadError> {
        match self.items.checked_sub(count) {
            Some(left) => {
                self.items = left;
                Ok(())
            }
            None => Err(limit_error("items", count, self.items, self.limits.items)),
        }
    }

    /// Charges decoded bytes for columns that are allocated next. Like
    /// [`charge_bytes`](Self::charge_bytes), but the system must also [have the
    /// memory](crate::memory::ensure).
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] if fewer remain, or the system has less memory.
    pub fn charge_columns(&mut self, count: usize) -> Result<(), ReadError> {
        self.charge_bytes(count)?;
        Ok(memory::ensure(count)?)
    }

    /// Charges decoded bytes.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] if fewer remain.
    #[inline]
    pub fn charge_bytes(&mut self, count: usize) -> Result<(), ReadError> {
        self.charge_claimed(u64_from_len(count))
    }

    /// Charges decoded bytes that a file claims, which may be more than the machine can address.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] if fewer remain.
    #[inline]
    pub fn charge_claimed(&mut self, count: u64) -> Result<(), ReadError> {
        let Some(left) = self.decoded.checked_sub(count) else {
            return Err(self.too_many_bytes(count));
        };
        self.decoded = left;
        Ok(())
    }

    #[cold]
    fn too_many_bytes(&self, count: u64) -> ReadError {
        let error = limit_error("decoded bytes", count, self.decoded, self.decoded_limit);
        error.with_hint(RAISE_LIMIT).with_remedy(Remedy::RaiseLimit)
    }

    /// Returns the number of remaining decoded bytes.
    pub const fn bytes_left(&self) -> u64 {
        self.decoded
    }
}

/// The advice in errors with the remedy [`Remedy::RaiseLimit`].
pub(crate) const RAISE_LIMIT: &str = "raise the limit on decoded bytes";

/// A handle to the budget of an input. It is cheap to clone, and all clones spend the same budget.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Limits, SharedBudget};
///
/// let limits = Limits::default().with_decoded_bytes(100);
/// let shared = SharedBudget::new(Budget::new(&limits, 8));
/// shared.clone().lock().charge_bytes(60)?;
/// assert_eq!(shared.lock().bytes_left(), 40);
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SharedBudget(Arc<Mutex<Budget>>);

impl SharedBudget {
    /// Shares a budget.
    pub fn new(budget: Budget) -> Self {
        Self(Arc::new(Mutex::new(budget)))
    }

    /// Waits for other users, and returns the budget to spend from.
    pub fn lock(&self) -> MutexGuard<'_, Budget> {
        // Every charge is complete, even if the code around it panics.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn limit_error(what: &'static str, count: u64, left: u64, limit: u64) -> ReadError {
    let requested = limit.saturating_sub(left).saturating_add(count);
    ReadError::limit(what, requested, limit)
}

/// A number of items that the remaining bytes can actually hold.
///
/// This is the only way from a number in a file to a capacity.
///
/// # Examples
///
/// ```
/// use inbetween_core::Count;
///
/// assert_eq!(Count::checked(3, 2, 6).map(Count::get), Ok(3));
/// assert!(Count::checked(0xffff_ffff, 2, 6).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(usize);

impl Count {
    /// Checks that `claimed` items of at least `min_size` bytes fit into `remaining` bytes.
    ///
    /// An item of zero bytes counts as one byte.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::UnexpectedEnd`] if they do not fit.
    pub fn checked(claimed: u64, min_size: usize, remaining: usize) -> Result<Self, ReadError> {
        let needed = u128::from(claimed).saturating_mul(u128::from(u64_from_len(min_size.max(1))));
        let available = u64_from_len(remaining);
        if needed <= u128::from(available) {
            Ok(Self(len_from_u64(claimed)))
        } else {
            let needed = u64::try_from(needed).unwrap_or(u64::MAX);
            Err(ReadError::new(ReadErrorKind::UnexpectedEnd { needed, available }))
        }
    }

    /// Returns the number.
    pub const fn get(self) -> usize {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_charges_exhaust_the_budget() {
        let limits = Limits { items: 10, ..Limits::default() };
        let mut budget = Budget::new(&limits, 0);
        for _ in 0..5 {
            budget.charge_items(2).unwrap();
        }
        let error = budget.charge_items(1).unwrap_err();
        let expected = ReadErrorKind::Limit { what: "items", requested: 11, limit: 10 };
        assert_eq!(*error.kind(), expected);
    }

    #[test]
    fn a_decompressed_section_raises_the_limit_and_keeps_charges() {
        let mut budget = Budget::new(&Limits::default(), 0);
        budget.charge_bytes(1000).unwrap();
        budget.allow_for(8 << 20);
        assert_eq!(budget.bytes_left(), 128 * MIB - 1000);
        budget.allow_for(0);
        assert_eq!(budget.bytes_left(), 128 * MIB - 1000);
        let limits = Limits::default().with_decoded_bytes(10);
        let mut fixed = Budget::new(&limits, 0);
        fixed.allow_for(8 << 20);
        assert_eq!(fixed.bytes_left(), 10);
    }

    #[test]
    fn the_default_limits_are_those_of_the_threat_model() {
        let expected = Limits {
            items: 1_048_576,
            decoded_bytes: None,
            findings: 10_000,
            depth: 64,
            input_bytes: 4 * GIB,
        };
        assert_eq!(Limits::default(), expected);
    }

    #[test]
    fn the_decoded_limit_follows_the_input() {
        let limits = Limits::default();
        assert_eq!(limits.decoded_for(0), 64 * MIB);
        assert_eq!(limits.decoded_for(1 << 30), 8 * GIB);
        assert_eq!(limits.decoded_for(8 << 20), 128 * MIB);
    }

    #[test]
    fn a_count_of_empty_items_is_limited_by_the_bytes() {
        assert!(Count::checked(7, 0, 6).is_err());
        assert!(Count::checked(u64::MAX, 16, usize::MAX).is_err());
    }
}
