//! Writes files again through the exact model.

use crate::{Limits, ReadError};

/// The exact model of a format, which holds everything that is in a file.
///
/// Tests write files again through it, to see that nothing is lost.
/// [`FormatInfo::promise`](crate::FormatInfo::promise) says what the result preserves.
pub trait Exact {
    /// Reads a file into the exact model and writes it again.
    ///
    /// # Errors
    ///
    /// If the bytes are not a file of the format, or exceed the limits.
    fn rewrite(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;

    /// Like [`rewrite`](Self::rewrite), but through owned parts without the original bytes.
    ///
    /// # Errors
    ///
    /// Like `rewrite`. Parts that come from a file can always be written, so an error of writing is
    /// a mistake in the format's code.
    fn rebuild(
        &self,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Vec<u8>, Box<dyn core::error::Error>>;
}
