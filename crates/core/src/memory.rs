//! Memory that may not be there.

use std::hint::black_box;

use crate::num::u64_from_len;
use crate::{ReadError, ReadErrorKind, WriteErrorKind};

/// Buffers up to this size are not worth asking for.
const SMALL: usize = 1 << 20;

/// The system has less memory than a buffer takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// Bytes that were asked for.
    pub bytes: u64,
}

/// What [`OutOfMemory`] counts, in an error of kind `Limit`.
pub(crate) const WHAT: &str = "bytes of memory";

impl From<OutOfMemory> for ReadErrorKind {
    fn from(error: OutOfMemory) -> Self {
        Self::Limit { what: WHAT, requested: error.bytes, limit: 0 }
    }
}

impl From<OutOfMemory> for ReadError {
    fn from(error: OutOfMemory) -> Self {
        Self::new(error.into())
    }
}

impl From<OutOfMemory> for WriteErrorKind {
    fn from(error: OutOfMemory) -> Self {
        Self::Limit { what: WHAT, requested: error.bytes, limit: 0 }
    }
}

/// Checks that the system has memory for the buffers that are made next, of `bytes` in total.
///
/// A collection that cannot be allocated ends the process. This asks for the memory first, where
/// there is an error to return, and gives it back at once. Up to 1 MiB is never asked for.
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
/// assert_eq!(memory::ensure(usize::MAX).unwrap_err().bytes, u64::MAX);
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
pub fn ensure(bytes: usize) -> Result<(), OutOfMemory> {
    if bytes > SMALL {
        let mut room = Vec::<u8>::new();
        reserve(&mut room, bytes)?;
        // The compiler may leave out memory that nobody looks at.
        black_box(room);
    }
    Ok(())
}

/// Makes room for exactly `more` values at the end of a column.
///
/// # Errors
///
/// If the system has less memory.
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
    fn memory_that_nobody_has_is_an_error_and_not_the_end() {
        let error = ReadError::from(ensure(usize::MAX >> 1).unwrap_err());
        let message = "9223372036854775807 bytes of memory needed, the system has less";
        assert_eq!(error.to_string(), message);
        assert_eq!(reserve(&mut vec![1_u64], usize::MAX).unwrap_err().bytes, u64::MAX);
    }
}
