//! Room for columns whose length shows only while they are read.
//!
//! `Vec` doubles, so that while it moves three times its content is held. These take an
//! eighth more instead: about 2.1 times, which keeps readers of text within the memory law
//! (`docs/architecture.md`).

use crate::memory::{self, OutOfMemory};

/// Below this many bytes doubling costs nothing worth saving.
const SMALL: usize = 4096;

/// Makes room for `more` values at the end of a column.
///
/// # Examples
///
/// ```
/// use inbetween_core::grow;
///
/// let mut column: Vec<u64> = vec![0; 8000];
/// grow::column(&mut column, 1);
/// assert!((8001..=9000).contains(&column.capacity()));
/// ```
pub fn column<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity().saturating_sub(column.len()) < more {
        column.reserve_exact(room(column.len(), more, size_of::<T>()));
    }
}

/// As [`column()`], where there is an error to return.
///
/// # Errors
///
/// If the system has less memory.
pub fn try_column<T>(column: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if column.capacity().saturating_sub(column.len()) < more {
        memory::reserve(column, room(column.len(), more, size_of::<T>()))?;
    }
    Ok(())
}

/// Makes room for `more` bytes at the end of a text.
pub fn text(text: &mut String, more: usize) {
    if text.capacity().saturating_sub(text.len()) < more {
        text.reserve_exact(room(text.len(), more, 1));
    }
}

/// How many values to reserve room for behind `length` values of `size` bytes.
fn room(length: usize, more: usize, size: usize) -> usize {
    let step = if length.saturating_mul(size) < SMALL { length } else { length / 8 };
    more.max(step).max(4)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_column_grows_by_an_eighth_and_a_short_one_doubles() {
        assert_eq!(super::room(8000, 1, 8), 1000);
        assert_eq!(super::room(100, 1, 8), 100);
        assert_eq!(super::room(0, 1, 8), 4);
        assert_eq!(super::room(8000, 5000, 1), 5000);
    }

    #[test]
    fn there_is_always_room_for_what_was_asked() {
        let mut text = String::new();
        super::text(&mut text, 10_000);
        assert!(text.capacity() >= 10_000);
        text.push_str(&"x".repeat(10_000));
        super::text(&mut text, 1);
        assert!((10_001..=11_250).contains(&text.capacity()));
    }
}
