//! What conversions do to the keys of a file before they make a track of them.

use crate::num::u64_from_len;
use crate::{Finding, Findings, Path, Values, codes, counted};

/// Which keys of a file to keep, in which order, and when they are.
///
/// The times of a track are finite and never decrease, those of a file may do anything. The
/// order is found before anything else is decoded, and takes the room of the times, so that
/// keys in a wrong order cost no more memory than others: the other columns are made
/// [in the order](column()) at once, and then [the times](Self::into_times) in its place.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::{KeyOrder, column};
///
/// let keys = [(2.0, 'a'), (f64::NAN, 'b'), (1.0, 'c'), (2.0, 'd')];
/// let time = |index: usize| keys[index].0;
/// let order = KeyOrder::of(vec![2.0, f64::NAN, 1.0, 2.0], time);
/// assert_eq!(order, KeyOrder::Gather { indices: vec![2, 0, 3], moved: 2, dropped: 1 });
/// assert_eq!(column(&keys, order.indices(), |key| key.1), ['c', 'a', 'd']);
/// assert_eq!(order.into_times(time), [1.0, 2.0, 2.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOrder {
    /// All keys, as they are.
    AsIs {
        /// When they are, in seconds.
        times: Vec<f64>,
    },
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
    /// Finds the order of keys by their times in seconds; `time` tells each of them again.
    pub fn of(times: Vec<f64>, time: impl Fn(usize) -> f64) -> Self {
        if are_sorted(&times) {
            return Self::AsIs { times };
        }
        let keys = times.len();
        drop(times);
        Self::gather(keys, time)
    }

    /// Finds the order of keys by their times in seconds, which are held until it is found.
    pub fn of_times(times: Vec<f64>) -> Self {
        if are_sorted(&times) {
            return Self::AsIs { times };
        }
        Self::gather(times.len(), |index| times.get(index).copied().unwrap_or(f64::NAN))
    }

    fn gather(keys: usize, time: impl Fn(usize) -> f64) -> Self {
        let finite = || (0..keys).filter(|index| time(*index).is_finite());
        let mut indices = Vec::with_capacity(finite().count());
        indices.extend(finite());
        // Total on finite numbers; -0.0 and 0.0 are the same time. The indices make it what a
        // stable sort would do, without the memory that one takes.
        indices.sort_unstable_by(|a, b| {
            time(*a).partial_cmp(&time(*b)).unwrap_or(core::cmp::Ordering::Equal).then(a.cmp(b))
        });
        let moved = indices.iter().zip(finite()).filter(|(after, before)| **after != *before);
        let (moved, dropped) = (moved.count(), keys.saturating_sub(indices.len()));
        Self::Gather { indices, moved, dropped }
    }

    /// Returns the keys of the file to take, in order; `None` for all as they are.
    pub fn indices(&self) -> Option<&[usize]> {
        match self {
            Self::AsIs { .. } => None,
            Self::Gather { indices, .. } => Some(indices),
        }
    }

    /// Brings a column of the file into this order.
    #[must_use]
    pub fn apply(&self, values: Values) -> Values {
        match self.indices() {
            None => values,
            Some(indices) => values.gather(indices),
        }
    }

    /// Returns the times in this order, in the memory that the order takes; `time` is that of a
    /// key of the file.
    pub fn into_times(self, time: impl Fn(usize) -> f64) -> Vec<f64> {
        match self {
            Self::AsIs { times } => times,
            // Collecting what a vector held into elements of the same size keeps its memory.
            Self::Gather { indices, .. } => indices.into_iter().map(time).collect(),
        }
    }

    /// Reports what the order changes about the track at `path`.
    pub fn report(&self, path: impl Fn() -> Path, findings: &mut Findings) {
        let Self::Gather { moved, dropped, .. } = self else { return };
        if *dropped > 0 {
            findings.add(codes::TIME_NOT_FINITE, || {
                Finding::new(codes::TIME_NOT_FINITE, format!("{} dropped", counted(dropped, "key")))
                    .at(path())
                    .count(u64_from_len(*dropped))
            });
        }
        if *moved > 0 {
            findings.add(codes::TIMES_SORTED, || {
                Finding::new(codes::TIMES_SORTED, format!("{} moved", counted(moved, "key")))
                    .at(path())
                    .count(u64_from_len(*moved))
            });
        }
    }
}

/// Returns something of each key: of all, or of those at `indices` in their order.
///
/// Indices out of range are skipped. The column allocates exactly the memory that it needs.
pub fn column<K, T>(keys: &[K], indices: Option<&[usize]>, of: impl Fn(&K) -> T) -> Vec<T> {
    let Some(indices) = indices else { return keys.iter().map(of).collect() };
    let mut column = Vec::with_capacity(indices.len());
    column.extend(indices.iter().filter_map(|&index| keys.get(index)).map(of));
    column
}

/// Says whether times are finite and never decrease.
pub(crate) fn are_sorted(times: &[f64]) -> bool {
    // Without an early end the comparisons run side by side. NaN is not in order with
    // anything, and between two finite ends in order nothing is infinite.
    let next = times.get(1..).unwrap_or_default();
    let in_order = |(time, next): (&f64, &f64)| time <= next;
    let sorted = times.iter().zip(next).fold(true, |sorted, pair| sorted & in_order(pair));
    let ends = [times.first(), times.last()].into_iter().flatten();
    sorted && ends.copied().all(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::{KeyOrder, are_sorted};

    #[test]
    fn equal_times_keep_the_order_of_the_file() {
        let times = [1.0, -0.0, 1.0, 0.0];
        let order = KeyOrder::of(times.to_vec(), |index| times[index]);
        assert_eq!(order, KeyOrder::Gather { indices: vec![1, 3, 0, 2], moved: 4, dropped: 0 });
        let sorted = order.into_times(|index| times[index]);
        assert_eq!(
            sorted.iter().map(|time| time.to_bits()).collect::<Vec<_>>(),
            [-0.0_f64, 0.0, 1.0, 1.0].map(f64::to_bits)
        );
    }

    #[test]
    fn the_times_take_the_place_of_the_order() {
        let times = [2.0, 1.0, f64::NAN];
        let order = KeyOrder::of(times.to_vec(), |index| times[index]);
        let place = order.indices().map(|indices| indices.as_ptr().addr());
        let sorted = order.into_times(|index| times[index]);
        assert_eq!((&*sorted, sorted.capacity()), (&[1.0, 2.0][..], 2));
        assert_eq!(place, Some(sorted.as_ptr().addr()));
    }

    #[test]
    fn times_that_are_not_finite_are_never_in_order() {
        for times in
            [[0.0, 1.0, f64::INFINITY], [f64::NEG_INFINITY, 0.0, 1.0], [0.0, f64::NAN, 1.0]]
        {
            assert!(!are_sorted(&times), "{times:?}");
        }
        assert!(!are_sorted(&[f64::NAN]));
        assert!(are_sorted(&[-1.0, -0.0, 0.0, 0.0, 2.0]));
    }

    #[test]
    fn no_keys_are_in_order() {
        assert_eq!(KeyOrder::of(Vec::new(), |_| f64::NAN), KeyOrder::AsIs { times: Vec::new() });
    }
}
