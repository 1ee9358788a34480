//! Strings.

use std::borrow::Cow;
use std::str::Chars;

use super::{Json, JsonError, JsonResult};
use crate::ReadErrorKind;

/// The text between two quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct StringToken<'t> {
    raw: &'t str,
    /// The offset after the opening quote.
    start: usize,
    escapes: Escapes,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escapes {
    None,
    Some,
}

impl<'t> Json<'t> {
    /// Reads a string.
    ///
    /// # Errors
    ///
    /// If the next value is not a string.
    pub fn string(&mut self, expected: &'static str) -> JsonResult<Cow<'t, str>> {
        match self.rest {
            [b'"', ..] => {
                let token = self.string_token()?;
                self.decode(token)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Takes a string without decoding its escapes.
    #[inline]
    pub(super) fn string_token(&mut self) -> JsonResult<StringToken<'t>> {
        let mut rest = self.rest.get(1..).unwrap_or_default();
        let start = self.text.len().saturating_sub(rest.len());
        let mut escapes = Escapes::None;
        loop {
            rest = after_plain(rest);
            match rest {
                [b'"', tail @ ..] => {
                    let end = self.text.len().saturating_sub(rest.len());
                    self.rest = tail;
                    return Ok(StringToken { raw: self.slice(start, end), start, escapes });
                }
                [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', tail @ ..] => {
                    escapes = Escapes::Some;
                    rest = tail;
                }
                [b'\\', b'u', a, b, c, d, tail @ ..]
                    if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) =>
                {
                    escapes = Escapes::Some;
                    rest = tail;
                }
                [] | [b'\\' | 0..0x20, ..] => return Err(self.bad_string(rest)),
                [_, tail @ ..] => rest = tail,
            }
        }
    }

    /// Decodes the escapes of a string.
    #[inline]
    pub(super) fn decode(&self, token: StringToken<'t>) -> JsonResult<Cow<'t, str>> {
        match token.escapes {
            Escapes::None => Ok(Cow::Borrowed(token.raw)),
            Escapes::Some => self.unescape(token).map(Cow::Owned),
        }
    }

    fn unescape(&self, token: StringToken<'t>) -> JsonResult<String> {
        let chars = || Unescape { rest: token.raw.chars() };
        // The length is computed first, since the escaped text is up to six times as long.
        let length = chars().flatten().map(char::len_utf8).fold(0, usize::saturating_add);
        let mut decoded = String::with_capacity(length);
        for char in chars() {
            let Some(char) = char else {
                let message = "half of a surrogate pair in a string".into();
                let kind = ReadErrorKind::Json { message };
                return Err(JsonError::stop(token.start, self.codes.not_json, kind));
            };
            decoded.push(char);
        }
        Ok(decoded)
    }

    #[cold]
    fn bad_string(&self, rest: &[u8]) -> JsonError {
        let message = match rest {
            [] => "a string without an end",
            [b'\\', ..] => "an escape that JSON does not have; a backslash is written as \\\\",
            _ => "a control character in a string; a line break is written as \\n",
        };
        let at = match rest {
            [] => self.offset(),
            _ => self.text.len().saturating_sub(rest.len()),
        };
        JsonError::stop(at, self.codes.not_json, ReadErrorKind::Json { message: message.into() })
    }
}

/// Skips the bytes of a string, eight at a time, up to one that ends the string, begins an escape or
/// is not allowed. It may stop before the last seven bytes of a text.
#[inline]
fn after_plain(mut rest: &[u8]) -> &[u8] {
    while let Some((eight, tail)) = rest.split_first_chunk() {
        let plain = plain_bytes(*eight);
        if plain < eight.len() {
            return rest.get(plain..).unwrap_or_default();
        }
        rest = tail;
    }
    rest
}

/// Returns how many of eight bytes come before a quotation mark, a backslash or a control
/// character.
#[inline]
fn plain_bytes(text: [u8; 8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let word = u64::from_le_bytes(text);
    // Subtracting sets the top bit of a byte that is below the number and has no top bit itself.
    // What it borrows changes only later bytes.
    let below = |word: u64, least: u64| word.wrapping_sub(least) & !word;
    let is = |byte: u8| below(word ^ u64::from(byte).wrapping_mul(EACH), EACH);
    let others = (is(b'"') | is(b'\\') | below(word, 0x20 * EACH)) & (0x80 * EACH);
    usize::try_from(others.trailing_zeros() >> 3).unwrap_or_default()
}

/// The characters of an escaped string; an item is `None` for half of a surrogate pair.
struct Unescape<'t> {
    rest: Chars<'t>,
}

impl Unescape<'_> {
    fn unit(&mut self) -> Option<u32> {
        (0..4).try_fold(0_u32, |unit, _| {
            let digit = self.rest.next()?.to_digit(16)?;
            Some(unit << 4 | digit)
        })
    }

    fn code_point(&mut self) -> Option<char> {
        let first = self.unit()?;
        if let Some(high) = first.checked_sub(0xd800).filter(|high| *high < 0x400) {
            let mut ahead = Self { rest: self.rest.clone() };
            let escape = (ahead.rest.next(), ahead.rest.next());
            if escape != (Some('\\'), Some('u')) {
                return None;
            }
            let low = ahead.unit()?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
            self.rest = ahead.rest;
            return char::from_u32((high << 10 | low).saturating_add(0x1_0000));
        }
        char::from_u32(first)
    }
}

impl Iterator for Unescape<'_> {
    type Item = Option<char>;

    fn next(&mut self) -> Option<Self::Item> {
        let char = self.rest.next()?;
        if char != '\\' {
            return Some(Some(char));
        }
        Some(match self.rest.next()? {
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            'u' => self.code_point(),
            itself => Some(itself),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::json;
    use super::{Escapes, plain_bytes};

    #[test]
    fn plain_bytes_end_at_the_first_byte_with_a_meaning() {
        for byte in u8::MIN..=u8::MAX {
            for filler in [b' ', b'~', 0x7f, 0x80, 0xff] {
                for at in 0..8 {
                    let mut text = [filler; 8];
                    text[at] = byte;
                    let special = matches!(byte, b'"' | b'\\' | 0..0x20);
                    assert_eq!(plain_bytes(text), if special { at } else { 8 }, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn strings_of_every_length_end_at_their_quotation_mark() {
        for length in 0..20 {
            for escape in ["", "\\n", "\\\"", "\\u0041"] {
                let inner =
                    format!("{}{escape}{}", "\u{e9}".repeat(length / 2), "z".repeat(length));
                let text = format!("\"{inner}\",");
                let mut json = json(&text);
                let token = json.string_token().unwrap();
                assert_eq!((token.raw, json.peek()), (inner.as_str(), Some(b',')));
                assert_eq!(token.escapes == Escapes::Some, !escape.is_empty());
            }
        }
    }
}
