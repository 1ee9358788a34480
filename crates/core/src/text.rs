//! Printing and parsing of text forms (feature `text`).
//!
//! A format mirrors the parts of its files in plain types with serde derives, composed of the types
//! here: [`Float`] keeps every bit, [`Hex`] and [`Name`] every byte. [`print()`] and [`parse`] do
//! the rest: line layout, limits, and errors with line, column, JSON pointer and the expected
//! value.

mod bytes;
mod float;
mod head;
mod layout;
mod locate;
mod named;
mod print;
mod serde_error;
mod skip;

pub use bytes::{Hex, HexArray, Name};
pub use float::{Float, Number};
pub use head::{Tag, Version, format_of, peek};
pub use layout::Layout;
pub use named::{Bits, Named, Names};
pub use print::print;
pub use serde_error::{contradicted, refused};
pub use skip::{Each, Skip, is_default, present};

use serde::Deserialize;
use serde_json::Deserializer;

use crate::num::u64_from_len;
use crate::{Limits, ReadError};

/// The byte order mark that Windows editors put before UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the text without a leading byte order mark.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Parses a text form into mirror types.
///
/// The mirror types bound the memory: types that require every expensive member need a small
/// multiple of the text. They bound the nesting too.
///
/// # Errors
///
/// If the text is longer than the limits allow, is not the text form of `format`, or does not match
/// the types.
pub fn parse<'t, T: Deserialize<'t>>(
    text: &'t [u8],
    format: &'static str,
    limits: &Limits,
) -> Result<T, ReadError> {
    let length = u64_from_len(text.len());
    if length > limits.input_bytes {
        let error = ReadError::limit("bytes of text", length, limits.input_bytes);
        return Err(error.in_format(format));
    }
    let text = without_mark(text);
    head::check(text, format)?;
    // Strings of a text that is valid as a whole need no validation of their own.
    let parsed = match core::str::from_utf8(text) {
        Ok(valid) => serde_json::from_str(valid),
        Err(_) => serde_json::from_slice(text),
    };
    // Tracking the path costs time, so it is computed only after a failure.
    parsed.map_err(|error| {
        let mut again = Deserializer::from_slice(text);
        let traced = serde_path_to_error::deserialize::<_, T>(&mut again).err();
        serde_error::of_json(text, traced, error).in_format(format)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_forms_nest_at_most_127_levels_deep() {
        // The object around the lists is a level too.
        let parses = |lists: usize| {
            let (open, close) = ("[".repeat(lists), "]".repeat(lists));
            let text = format!("{{\"format\": \"mine\", \"deep\": {open}{close}}}");
            parse::<serde_json::Value>(text.as_bytes(), "mine", &Limits::default()).is_ok()
        };
        assert!(parses(126));
        assert!(!parses(127));
    }
}
