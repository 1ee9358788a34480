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
        let inside = self.rest.get(1..).unwrap_or_default();
        let plain = plain_length(inside);
        let Some([b'"', rest @ ..]) = inside.get(plain..) else { return self.escaped_token() };
        let start = self.text.len().saturating_sub(inside.len());
        self.rest = rest;
        let raw = self.slice(start, start.saturating_add(plain));
        Ok(StringToken { raw, start, escapes: Escapes::None })
    }

    #[inline(never)]
    fn escaped_token(&mut self) -> JsonResult<StringToken<'t>> {
        let mut rest = self.rest.get(1..).unwrap_or_default();
        let start = self.text.len().saturating_sub(rest.len());
        let mut escapes = Escapes::None;
        loop {
            rest = rest.get(plain_length(rest)..).unwrap_or_default();
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
                _ => return Err(self.bad_string(rest)),
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

/// Returns the number of bytes before the first one that JSON does not allow in a string as it is: a
/// quote, a backslash or a control character. It looks at eight bytes at once.
#[inline]
pub(super) fn plain_length(text: &[u8]) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let mut rest = text;
    while let Some((eight, tail)) = rest.split_first_chunk() {
        let bytes = u64::from_le_bytes(*eight);
        // Subtracting `n` from a byte below `n` borrows and sets its top bit. The borrow changes only
        // later bytes.
        let below = |bytes: u64, n: u64| bytes.wrapping_sub(EACH.wrapping_mul(n)) & !bytes;
        let equal = |byte: u8| below(bytes ^ EACH.wrapping_mul(byte.into()), 1);
        let special = (below(bytes, 0x20) | equal(b'"') | equal(b'\\')) & (0x80 * EACH);
        if special != 0 {
            let plain = usize::try_from(special.trailing_zeros() >> 3).unwrap_or_default();
            return text.len().saturating_sub(rest.len()).saturating_add(plain);
        }
        rest = tail;
    }
    let plain = rest.iter().take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)).count();
    text.len().saturating_sub(rest.len()).saturating_add(plain)
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
    use super::{Escapes, plain_length};

    #[test]
    fn every_special_byte_is_found_at_every_position() {
        for special in 0..=u8::MAX {
            let is_plain = !matches!(special, b'"' | b'\\' | 0..0x20);
            for at in 0..20 {
                let mut text = if special % 2 == 0 { [0xc3; 20] } else { [b'~'; 20] };
                text[at] = special;
                assert_eq!(
                    plain_length(&text),
                    if is_plain { 20 } else { at },
                    "{special} at {at}"
                );
            }
        }
        assert_eq!((plain_length(b""), plain_length(b"ab\"\\\n012345")), (0, 2));
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
