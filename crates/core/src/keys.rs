//! What conversions do to the keys of a file before they make a track of them.

use crate::num::u64_from_len;
use crate::{Finding, Findings, Path, codes};

/// Which keys of a file to keep, and in which order.
///
/// The times of a track are finite and never decrease, those of a file may do anything.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::KeyOrder;
///
/// assert_eq!(KeyOrder::of(&[0.0, 1.0]), KeyOrder::AsIs);
/// let order = KeyOrder::of(&[2.0, f64::NAN, 1.0, 2.0]);
/// assert_eq!(order, KeyOrder::Gather { indices: vec![2, 0, 3], moved: 2, dropped: 1 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// All keys, as they are.
    AsIs,
    /// Some keys, in the order of their times; equal times keep the order of the file.
    Gather {
        /// The keys of the file to take.
        indices: Vec<usize>,
        /// How many kept keys are not where they were among the kept ones.
        moved: usize,
        /// How many keys have no finite time.
        dropped: usize,
    },
}

impl KeyOrder {
    /// Finds the order for the times of a file.
    pub fn of(times: &[f64]) -> Self {
        let sorted = times.is_sorted() && times.iter().all(|time| time.is_finite());
        if sorted {
            return Self::AsIs;
        }
        let finite: Vec<(usize, f64)> =
            times.iter().copied().enumerate().filter(|(_, time)| time.is_finite()).collect();
        let dropped = times.len().saturating_sub(finite.len());
        let mut order = finite.clone();
        // Stable, and total on finite numbers; -0.0 and 0.0 are the same time.
        order.sort_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(core::cmp::Ordering::Equal));
        let moved = order.iter().zip(&finite).filter(|(after, before)| after.0 != before.0).count();
        Self::Gather { indices: order.into_iter().map(|(index, _)| index).collect(), moved, dropped }
    }

    /// Reports what the order changes about the track at `path`.
    pub fn report(&self, path: impl Fn() -> Path, findings: &mut Findings) {
        let Self::Gather { moved, dropped, .. } = self else { return };
        if *dropped > 0 {
            findings.add(codes::TIME_NOT_FINITE, || {
                Finding::new(codes::TIME_NOT_FINITE, format!("{dropped} keys are dropped"))
                    .at(path())
                    .count(u64_from_len(*dropped))
            });
        }
        if *moved > 0 {
            findings.add(codes::TIMES_SORTED, || {
                Finding::new(codes::TIMES_SORTED, format!("{moved} keys changed places"))
                    .at(path())
                    .count(u64_from_len(*moved))
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeyOrder;

    #[test]
    fn equal_times_keep_the_order_of_the_file() {
        let KeyOrder::Gather { indices, moved, dropped } = KeyOrder::of(&[1.0, 0.0, 1.0, 0.0])
        else {
            panic!("the times are not sorted")
        };
        assert_eq!((indices, moved, dropped), (vec![1, 3, 0, 2], 4, 0));
    }

    #[test]
    fn no_keys_are_in_order() {
        assert_eq!(KeyOrder::of(&[]), KeyOrder::AsIs);
    }
}
