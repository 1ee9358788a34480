//! Columns whose memory is used again.

use core::any::{Any, TypeId};
use std::collections::{HashMap, VecDeque};

/// Columns that are no longer needed, in the order in which they were given.
///
/// Files of the same shape need columns of the same lengths in the same order, so each column is
/// taken for what it held before. A clone has no columns, since memory belongs to one owner.
///
/// # Examples
///
/// ```
/// use inbetween_core::memory::SpareColumns;
///
/// let mut spare = SpareColumns::default();
/// spare.give(vec![1.0_f32, 2.0]);
/// let column: Vec<f32> = spare.take(2);
/// assert!(column.is_empty() && column.capacity() == 2);
/// ```
#[derive(Debug, Default)]
pub struct SpareColumns {
    /// For each type of values, a `VecDeque<Vec<T>>`.
    of_types: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Clone for SpareColumns {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl SpareColumns {
    /// Adds a column, so that its memory is used again.
    pub fn give<T: Send + Sync + 'static>(&mut self, column: Vec<T>) {
        let new = || Box::new(VecDeque::<Vec<T>>::new());
        let columns = self.of_types.entry(TypeId::of::<T>()).or_insert_with(|| new());
        if let Some(columns) = columns.downcast_mut::<VecDeque<Vec<T>>>() {
            columns.push_back(column);
        }
    }

    /// Returns an empty column with capacity for `length` values: the next spare column, or a new
    /// one if that is too small or would waste more than half of its memory. Charge a
    /// [`Budget`](crate::Budget) for the values first.
    pub fn take<T: Send + Sync + 'static>(&mut self, length: usize) -> Vec<T> {
        let spare = self.take_any();
        if spare.capacity() < length || spare.capacity() / 2 > length {
            return Vec::with_capacity(length);
        }
        spare
    }

    /// Returns the next spare column, empty, or a new one without capacity: for values whose number
    /// nobody knows yet. Shrink it at the end.
    pub fn take_any<T: Send + Sync + 'static>(&mut self) -> Vec<T> {
        let columns = self.of_types.get_mut(&TypeId::of::<T>());
        let columns = columns.and_then(|columns| columns.downcast_mut::<VecDeque<Vec<T>>>());
        let mut spare = columns.and_then(VecDeque::pop_front).unwrap_or_default();
        spare.clear();
        spare
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_is_used_again_for_about_as_many_values_of_its_type() {
        let mut spare = SpareColumns::default();
        let columns = [vec![1_u32; 10], vec![2; 10], vec![3; 10], vec![4; 10]];
        let memory = columns.each_ref().map(Vec::as_ptr);
        for column in columns {
            spare.give(column);
        }
        assert!(spare.take::<f32>(10).is_empty());
        for (length, memory) in [10, 5, 11, 4].into_iter().zip(memory) {
            let column = spare.take::<u32>(length);
            assert!(column.is_empty() && column.capacity() >= length);
            assert_eq!(column.as_ptr() == memory, length == 10 || length == 5, "{length}");
        }
        assert!(spare.take::<u32>(0).is_empty());
    }

    #[test]
    fn a_clone_has_no_columns() {
        let mut spare = SpareColumns::default();
        spare.give(vec![1_u8; 100]);
        assert_eq!(spare.clone().take::<u8>(0).capacity(), 0);
    }
}
