//! Reserves memory that may not be available, and grows columns whose length nobody knows.

pub mod grow;

use std::hint::black_box;

use crate::num::u64_from_len;

/// Buffers up to this size are not checked.
const SMALL: usize = 1 << 20;

/// The system cannot provide the memory for a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The number of requested bytes.
    pub bytes: u64,
}

/// Checks that the system has memory for the buffers that are allocated next, of `bytes` in total.
///
/// A collection that fails to allocate aborts the process. This function reserves the memory first,
/// returns an error if that fails, and releases it at once. Up to 1 MiB is not checked.
///
/// # Errors
///
/// If the system has less.
///
/// # Examples
///
/// ```
/// use inbetween_core::memory;
///
/// memory::ensure(2_000_000)?;
/// let frames: Vec<u64> = (0..250_000).collect();
/// assert!(memory::ensure(usize::MAX).is_err());
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
pub fn ensure(bytes: usize) -> Result<(), OutOfMemory> {
    if bytes > SMALL {
        let mut room = Vec::<u8>::new();
        reserve(&mut room, bytes)?;
        // The compiler may remove an allocation that is never used.
        black_box(room);
    }
    Ok(())
}

/// Reserves memory for exactly `more` values at the end of a column.
///
/// # Errors
///
/// If the system cannot provide the memory.
pub fn reserve<T>(column: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    column.try_reserve_exact(more).map_err(|_| {
        let length = column.len().saturating_add(more);
        OutOfMemory { bytes: u64_from_len(length.saturating_mul(size_of::<T>())) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unavailable_memory_is_an_error_and_not_an_abort() {
        let all = u64_from_len(usize::MAX);
        assert_eq!(ensure(usize::MAX >> 1).unwrap_err().bytes, all >> 1);
        assert_eq!(reserve(&mut vec![1_u64], usize::MAX).unwrap_err().bytes, all);
    }
}
