//! Files in the folder of the file that is read.

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};

use crate::ReadError;

/// Loads files next to the file that is read, since formats open no files themselves.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Neighbors, ReadError, ReadErrorKind};
///
/// /// One file, in memory.
/// #[derive(Debug)]
/// struct One(&'static str, Vec<u8>);
///
/// impl Neighbors for One {
///     fn load(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
///         let missing = || ReadErrorKind::Missing { what: format!("{path} is missing").into() };
///         if path == self.0 { Ok(self.1.clone()) } else { Err(ReadError::new(missing())) }
///     }
/// }
///
/// let folder = One("walk.bin", vec![0; 12]);
/// assert!(folder.load("walk.bin", 12).is_ok() && folder.load("run.bin", 12).is_err());
/// ```
pub trait Neighbors: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Returns the content of a file, of which the caller uses at most `limit` bytes.
    ///
    /// `path` is relative to the folder of the file that is read. Its parts are separated by `/`;
    /// none of them is `..`, and it names no drive and no server.
    ///
    /// # Errors
    ///
    /// [`Missing`](crate::ReadErrorKind::Missing) if there is no such file, or access to it is not
    /// allowed; other errors if it cannot be read.
    fn load(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;
}
