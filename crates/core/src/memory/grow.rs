//! Reserves memory for columns of unknown length.
//!
//! `Vec` doubles, so while it moves it holds up to three times its content. These functions reserve
//! an eighth more instead, which holds about 2.1 times the content and keeps readers of text within
//! the memory law (`docs/threat-model.md`).

use crate::memory::{self, OutOfMemory};
use crate::num::u64_from_len;

/// Below this many bytes, doubling is cheap enough.
const SMALL: usize = 4096;

/// Reserves memory for `more` values at the end of a column.
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

/// Like [`column()`], but returns an error if memory runs out. For every column whose length comes
/// from a file.
///
/// # Errors
///
/// If the system cannot provide the memory.
#[inline]
pub fn try_column<T>(column: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    if column.capacity().saturating_sub(column.len()) < more {
        lengthen(column, more)
    } else {
        Ok(())
    }
}

#[cold]
fn lengthen<T>(column: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    memory::reserve(column, room(column.len(), more, size_of::<T>()))
}

/// Like [`text()`], but returns an error if memory runs out.
///
/// # Errors
///
/// If the system cannot provide the memory.
#[inline]
pub fn try_text(text: &mut String, more: usize) -> Result<(), OutOfMemory> {
    if text.capacity().saturating_sub(text.len()) < more {
        let room = room(text.len(), more, 1);
        let bytes = u64_from_len(text.len().saturating_add(room));
        text.try_reserve_exact(room).map_err(|_| OutOfMemory { bytes })?;
    }
    Ok(())
}

/// Reserves memory for `more` bytes at the end of a string.
pub fn text(text: &mut String, more: usize) {
    if text.capacity().saturating_sub(text.len()) < more {
        text.reserve_exact(room(text.len(), more, 1));
    }
}

/// Returns the number of values to reserve after `length` values of `size` bytes.
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
    fn the_requested_memory_is_always_reserved() {
        let mut text = String::new();
        super::text(&mut text, 10_000);
        assert!(text.capacity() >= 10_000);
        text.push_str(&"x".repeat(10_000));
        super::text(&mut text, 1);
        assert!((10_001..=11_250).contains(&text.capacity()));
    }
}
