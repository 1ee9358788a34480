//! What text forms are printed and parsed with (feature `text`).
//!
//! A format mirrors the parts of its files in plain types with serde derives, made of the types
//! here: [`Float`] keeps every bit, [`Hex`] and [`Name`] every byte. [`print()`] and [`parse`] do
//! the rest: the layout of the lines, the limits, and errors with line, column, JSON pointer and
//! what was expected.

mod bytes;
mod fault;
mod float;
mod head;
mod layout;
mod locate;
mod named;
mod print;
mod skip;

pub use bytes::{Hex, HexArray, Name};
pub use fault::{contradicted, refused};
pub use float::{Float, Number};
pub use head::{Tag, Version, format_of, peek};
pub use layout::Layout;
pub use named::{Bits, Named, Names};
pub use print::print;
pub use skip::{Each, Skip, is_default, present};

use serde::Deserialize;
use serde_json::Deserializer;

use crate::num::u64_from_len;
use crate::{Limits, ReadError, ReadErrorKind};

/// What editors of Windows put in front of UTF-8 text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the text without the mark that some editors put in front.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

/// Parses a text form into mirror types.
///
/// Memory is bounded by the mirror types: those that ask for every member that costs memory
/// take a small multiple of the text. Nesting is bounded by them too.
///
/// # Errors
///
/// When the text is longer than the limits allow, is not the text form of `format`, or does not
/// fit the types.
pub fn parse<'t, T: Deserialize<'t>>(
    text: &'t [u8],
    format: &'static str,
    limits: &Limits,
) -> Result<T, ReadError> {
    let length = u64_from_len(text.len());
    if length > limits.input_bytes {
        let (requested, limit) = (length, limits.input_bytes);
        let kind = ReadErrorKind::Limit { what: "bytes of text", requested, limit };
        return Err(ReadError::new(kind).in_format(format));
    }
    let text = without_mark(text);
    head::check(text, format)?;
    // Keeping track of the path costs time, so it is found only where something is wrong.
    serde_json::from_slice(text).map_err(|error| {
        let mut again = Deserializer::from_slice(text);
        let traced = serde_path_to_error::deserialize::<_, T>(&mut again).err();
        fault::of_json(text, traced, error).in_format(format)
    })
}
