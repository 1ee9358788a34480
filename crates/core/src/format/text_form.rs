//! Files as text that says everything, and back.

use crate::{Limits, ReadError};

/// The exact text form of a format: JSON that holds every byte of a file, made to be edited.
///
/// Packing what was unpacked gives back the file byte for byte. Of a file whose content is
/// compressed, it gives back the same content.
///
/// `docs/text-form.md` says what the texts look like.
pub trait TextForm {
    /// Returns a file as UTF-8 text.
    ///
    /// # Errors
    ///
    /// When the bytes are not a file of the format, or they or the text cost more than the
    /// limits allow. A text may have four bytes for each decoded byte that the limits allow.
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;

    /// Returns the file that a text says.
    ///
    /// # Errors
    ///
    /// When the text is not the text form of a file of this format, or costs more than the
    /// limits allow. The error has the line and the column, the JSON pointer, and what was
    /// expected there.
    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;
}
