//! Exact text forms of files.

use crate::{Limits, ReadError};

/// The exact text form of a format: editable JSON that covers every byte of a file.
///
/// Packing an unpacked file returns the file byte for byte, or, if its content is compressed, the
/// same content.
///
/// `docs/text-form.md` describes the texts.
pub trait TextForm {
    /// Returns a file as UTF-8 text.
    ///
    /// # Errors
    ///
    /// If the bytes are not a file of the format, or the file or its text exceeds the limits. A
    /// text may have four bytes per decoded byte that the limits allow.
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;

    /// Returns the file of a text.
    ///
    /// # Errors
    ///
    /// If the text is not the text form of a file of this format, or exceeds the limits. The error
    /// has line, column, JSON pointer, and the expected value.
    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;
}
