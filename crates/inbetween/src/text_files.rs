//! Exact text forms (feature `text`).

use std::borrow::Cow;

use inbetween_core::text::format_of;
use inbetween_core::{Format, FormatInfo, Hint, ReadError, ReadErrorKind, TextForm, shown};

use crate::{Error, Registry};

/// Returns the exact text form of a file of any built-in format.
///
/// # Errors
///
/// Fails like [`Registry::unpack`].
///
/// # Examples
///
/// ```
/// # #[cfg(feature = "x4-ani")] {
/// let file = [0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0];
/// let text = inbetween::unpack(&file)?;
/// assert!(text.starts_with(b"{\n  \"format\": \"x4-ani\",\n"));
/// assert_eq!(inbetween::pack(&text)?, file);
/// # }
/// # Ok::<(), inbetween::Error>(())
/// ```
pub fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    Registry::with_builtin().unpack(bytes, &Hint::default())
}

/// Returns the file of a text form of any built-in format.
///
/// # Errors
///
/// Fails like [`Registry::pack`].
pub fn pack(text: &[u8]) -> Result<Vec<u8>, Error> {
    Registry::with_builtin().pack(text)
}

/// Returns the text form of a format.
///
/// # Errors
///
/// If its files are text already, or it has no text form.
pub fn text_form(format: &dyn Format) -> Result<&dyn TextForm, Error> {
    let FormatInfo { id, name, encoding, .. } = format.info();
    format.text().ok_or_else(|| {
        let what = match encoding {
            inbetween_core::FileEncoding::Text => {
                format!("{name} files are already text; edit them directly")
            }
            inbetween_core::FileEncoding::Binary => format!("{name} files have no text form"),
        };
        let kind = ReadErrorKind::Refused { what: what.into() };
        Error::Read(ReadError::new(kind).in_format(id))
    })
}

impl Registry {
    /// Returns the exact text form of a file of any known format.
    ///
    /// # Errors
    ///
    /// If no format matches, the bytes are not a valid file of their format, or the format has no
    /// text form because its files are text already.
    pub fn unpack(&self, bytes: &[u8], hint: &Hint<'_>) -> Result<Vec<u8>, Error> {
        let format = self.detect(bytes, hint)?.format;
        Ok(text_form(format)?.unpack(bytes, self.limits())?)
    }

    /// Returns the file of a text form, whose first member names the format.
    ///
    /// # Errors
    ///
    /// If the text does not start with a format, or is invalid; the error has the position and the
    /// expected value.
    pub fn pack(&self, text: &[u8]) -> Result<Vec<u8>, Error> {
        let format = self.format_of_text(text)?;
        Ok(text_form(format)?.pack(text, self.limits())?)
    }

    /// Returns the format of a text form.
    ///
    /// # Errors
    ///
    /// If the first member of the text does not name a known format with a text form.
    pub fn format_of_text(&self, text: &[u8]) -> Result<&dyn Format, Error> {
        self.by_text(text).ok_or_else(|| {
            let with_text = self.formats().filter(|format| format.text().is_some());
            let ids: Vec<&str> = with_text.map(|format| format.info().id).collect();
            let known = ids.join(", ");
            let expected = format!("a text form whose first member \"format\" is one of {known}");
            let found: Cow<'static, str> = match format_of(text) {
                Some(id) => format!("\"{}\"", shown(&id)).into(),
                None if text.trim_ascii_start().starts_with(b"{") => "none".into(),
                None => "something other than a JSON object".into(),
            };
            Error::Read(ReadError::invalid(expected, found))
        })
    }

    /// Returns the format that the text names.
    pub(crate) fn by_text(&self, text: &[u8]) -> Option<&dyn Format> {
        let id = format_of(text)?;
        self.formats().rev().find(|format| format.info().id == id && format.text().is_some())
    }
}
