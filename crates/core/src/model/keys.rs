//! Puts the keys of a file in order before a conversion makes a track of them.

use crate::num::u64_from_len;
use crate::{Finding, Findings, Values, codes, counted};

/// The keys of a file to keep, in their order, with their times.
///
/// The times of a track are finite and never decrease; those of a file can be anything. The order
/// is computed before the values are decoded and stored in the buffer of the times, so that sorting
/// needs no extra memory: the other columns are decoded [in this order](column()), and then
/// [the times](Self::into_times) replace the order in its buffer.
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
    /// All keys in the order of the file.
    AsIs {
        /// The times in seconds.
        times: Vec<f64>,
    },
    /// Some keys, sorted by time; keys at equal times keep the order of the file.
    Gather {
        /// The indices of the kept keys in the file.
        indices: Vec<usize>,
        /// The number of kept keys whose position among the kept ones changed.
        moved: usize,
        /// The number of keys without a finite time.
        dropped: usize,
    },
}

impl KeyOrder {
    /// Computes the order of keys from their times in seconds; `time` must return the same times by
    /// index.
    pub fn of(times: Vec<f64>, time: impl Fn(usize) -> f64) -> Self {
        Self::of_columns(times, (), time).0
    }

    /// Like [`of`](Self::of), for keys whose other columns were decoded with the times. If keys move
    /// or are dropped, it frees these columns, because sorting needs the memory, and returns `None`:
    /// the caller decodes them again in the new order.
    pub fn of_columns<C>(
        times: Vec<f64>,
        columns: C,
        time: impl Fn(usize) -> f64,
    ) -> (Self, Option<C>) {
        if are_sorted(&times) {
            return (Self::AsIs { times }, Some(columns));
        }
        drop(columns);
        let keys = times.len();
        drop(times);
        (Self::gather(keys, time), None)
    }

    /// Like [`of`](Self::of), but keeps the times while it sorts, in place of a function.
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
        // This order is total on finite numbers; -0.0 and 0.0 are the same time. Comparing the
        // indices too makes the result that of a stable sort, without the memory that a stable sort
        // takes.
        indices.sort_unstable_by(|a, b| {
            time(*a).partial_cmp(&time(*b)).unwrap_or(core::cmp::Ordering::Equal).then(a.cmp(b))
        });
        let moved = indices.iter().zip(finite()).filter(|(after, before)| **after != *before);
        let (moved, dropped) = (moved.count(), keys - indices.len());
        Self::Gather { indices, moved, dropped }
    }

    /// Returns the indices of the kept keys in order; `None` for all keys in the order of the file.
    pub fn indices(&self) -> Option<&[usize]> {
        match self {
            Self::AsIs { .. } => None,
            Self::Gather { indices, .. } => Some(indices),
        }
    }

    /// Returns a column of the file in this order.
    #[must_use]
    pub fn apply(&self, values: Values) -> Values {
        match self.indices() {
            None => values,
            Some(indices) => values.gather(indices),
        }
    }

    /// Returns the times in this order, in the buffer that held the order; `time` returns the time
    /// of a key of the file by its index.
    pub fn into_times(self, time: impl Fn(usize) -> f64) -> Vec<f64> {
        match self {
            Self::AsIs { times } => times,
            // Collecting from a vector into elements of the same size reuses its buffer.
            Self::Gather { indices, .. } => indices.into_iter().map(time).collect(),
        }
    }

    /// Reports how the order changes the keys of the current track.
    pub fn report(&self, findings: &mut Findings) {
        let Self::Gather { moved, dropped, .. } = self else { return };
        if *dropped > 0 {
            findings.add(codes::TIME_NOT_FINITE, || {
                Finding::new(codes::TIME_NOT_FINITE, format!("{} dropped", counted(dropped, "key")))
                    .count(u64_from_len(*dropped))
            });
        }
        if *moved > 0 {
            findings.add(codes::TIMES_SORTED, || {
                Finding::new(codes::TIMES_SORTED, format!("{} moved", counted(moved, "key")))
                    .count(u64_from_len(*moved))
            });
        }
    }
}

/// Decodes a column with one item per key: of all keys, or of those at `indices` in their order.
///
/// Indices out of range are skipped. The column allocates exactly the memory that it needs.
pub fn column<K, T>(keys: &[K], indices: Option<&[usize]>, of: impl Fn(&K) -> T) -> Vec<T> {
    let Some(indices) = indices else { return keys.iter().map(of).collect() };
    let mut column = Vec::with_capacity(indices.len());
    column.extend(indices.iter().filter_map(|&index| keys.get(index)).map(of));
    column
}

/// Returns whether times are finite and never decrease.
pub fn are_sorted(times: &[f64]) -> bool {
    // Without an early exit the comparisons are vectorized. A comparison with NaN is false, and
    // between two finite ends in order no time is infinite.
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
    fn columns_are_kept_if_no_key_moves() {
        let of = |times: &[f64]| KeyOrder::of_columns(times.to_vec(), "values", |key| times[key]);
        let as_is = KeyOrder::AsIs { times: vec![0.0, 1.0] };
        assert_eq!(of(&[0.0, 1.0]), (as_is, Some("values")));
        let gather = KeyOrder::Gather { indices: vec![1, 0], moved: 2, dropped: 0 };
        assert_eq!(of(&[1.0, 0.0]), (gather, None));
    }

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

    // Indices are smaller than times with 32 bits, and get a buffer of their own.
    #[cfg(target_pointer_width = "64")]
    #[test]
    fn the_times_reuse_the_buffer_of_the_order() {
        let times = [2.0, 1.0, f64::NAN];
        let order = KeyOrder::of(times.to_vec(), |index| times[index]);
        let place = order.indices().map(|indices| indices.as_ptr().addr());
        let sorted = order.into_times(|index| times[index]);
        assert_eq!((&*sorted, sorted.capacity()), (&[1.0, 2.0][..], 2));
        assert_eq!(place, Some(sorted.as_ptr().addr()));
    }

    #[test]
    fn times_that_are_not_finite_are_never_sorted() {
        for times in
            [[0.0, 1.0, f64::INFINITY], [f64::NEG_INFINITY, 0.0, 1.0], [0.0, f64::NAN, 1.0]]
        {
            assert!(!are_sorted(&times), "{times:?}");
        }
        assert!(!are_sorted(&[f64::NAN]));
        assert!(are_sorted(&[-1.0, -0.0, 0.0, 0.0, 2.0]));
    }

    #[test]
    fn an_empty_list_of_times_is_sorted() {
        assert_eq!(KeyOrder::of(Vec::new(), |_| f64::NAN), KeyOrder::AsIs { times: Vec::new() });
    }
}
