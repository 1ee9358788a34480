//! Limits on what a file may cost, and the budget that spends them.

use crate::num::{len_from_u64, u64_from_len};
use crate::{ReadError, ReadErrorKind};

/// How much a file may cost.
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
    /// Findings that a check or a conversion lists. Default 10,000.
    pub findings: usize,
    /// How deep JSON may nest. Default 64.
    pub depth: usize,
    /// Bytes of a file that the facade reads from disk. Default 8 GiB.
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
            input_bytes: 8 * GIB,
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

/// What is left of the limits while a file is read.
///
/// Every item and every decoded byte is charged before memory is taken for it, so that
/// many small claims exhaust the budget just as one big one does.
#[derive(Clone, Debug)]
pub struct Budget {
    items: u64,
    items_limit: u64,
    decoded: u64,
    decoded_limit: u64,
}

impl Budget {
    /// Makes the budget for an input of this length.
    pub fn new(limits: &Limits, input: usize) -> Self {
        let decoded_limit = limits.decoded_for(input);
        Self {
            items: limits.items,
            items_limit: limits.items,
            decoded: decoded_limit,
            decoded_limit,
        }
    }

    /// Makes the budget for keys that a conversion makes of `source` bytes of keys: as for an
    /// input of that size.
    pub fn for_baking(limits: &Limits, source: usize) -> Self {
        Self::new(limits, source)
    }

    /// Spends items.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] when fewer are left.
    pub fn charge_items(&mut self, count: u64) -> Result<(), ReadError> {
        match self.items.checked_sub(count) {
            Some(left) => {
                self.items = left;
                Ok(())
            }
            None => Err(limit_error("items", count, self.items, self.items_limit)),
        }
    }

    /// Spends decoded bytes.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::Limit`] when fewer are left.
    pub fn charge_bytes(&mut self, count: usize) -> Result<(), ReadError> {
        let count = u64_from_len(count);
        match self.decoded.checked_sub(count) {
            Some(left) => {
                self.decoded = left;
                Ok(())
            }
            None => Err(limit_error("decoded bytes", count, self.decoded, self.decoded_limit)),
        }
    }

    /// Returns how many decoded bytes may still come.
    pub const fn bytes_left(&self) -> u64 {
        self.decoded
    }
}

fn limit_error(what: &'static str, count: u64, left: u64, limit: u64) -> ReadError {
    let requested = limit.saturating_sub(left).saturating_add(count);
    ReadError::new(ReadErrorKind::Limit { what, requested, limit })
}

/// A number of items that the bytes at hand can really hold.
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
    /// An item that could take no bytes is counted as one byte.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::UnexpectedEnd`] when they do not fit.
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
    fn the_decoded_limit_follows_the_input() {
        let limits = Limits::default();
        assert_eq!(limits.decoded_for(0), 64 * MIB);
        assert_eq!(limits.decoded_for(1 << 30), 8 * GIB);
        assert_eq!(limits.decoded_for(8 << 20), 128 * MIB);
    }

    #[test]
    fn a_count_of_empty_items_is_bounded_by_the_bytes() {
        assert!(Count::checked(7, 0, 6).is_err());
        assert!(Count::checked(u64::MAX, 16, usize::MAX).is_err());
    }
}
