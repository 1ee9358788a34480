//! A pull reader for JSON that tracks the position of every value, and a printer of strings
//! (feature `json`).
//!
//! The reader accepts strict JSON. With [`Tolerance::Repair`] it also accepts text that is not JSON
//! but has one obvious meaning (`True`, a trailing comma, a comment), and lists the repairs.
//!
//! # Examples
//!
//! ```
//! use inbetween_core::json::{Json, JsonCodes, Tolerance};
//!
//! inbetween_core::codes! {
//!     /// The text is not JSON.
//!     NOT_JSON = "mine/not-json", Error, Observation;
//! }
//!
//! static CODES: JsonCodes = JsonCodes::all(NOT_JSON);
//! let mut json = Json::new(r#"{"fps": 30.0}"#, 64, Tolerance::Strict, &CODES);
//! json.begin_object("an object").unwrap();
//! let mut first = true;
//! while let Some(name) = json.next_name(&mut first).unwrap() {
//!     assert_eq!((&*name, json.offset()), ("fps", 8));
//!     assert_eq!(json.number().unwrap().text(), "30.0");
//! }
//! ```

mod error;
mod meant;
mod members;
mod number;
mod position;
mod print;
mod repair;
mod skip;
mod start;
mod string;

use crate::num::u64_from_len;
use crate::{Code, ReadErrorKind};

pub use error::{JsonError, JsonErrorCause, JsonResult, Recovery};
pub use number::Number;
pub use position::{locate, resolve, unresolved, utf8};
pub use print::push_string;
pub use repair::{Repair, Repairs};
pub use start::check_start;

/// How to treat text that is not JSON but has one obvious meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tolerance {
    /// Reject it.
    Strict,
    /// List the repair and continue.
    Repair,
}

/// A JSON literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Literal {
    /// `true`.
    True,
    /// `false`.
    False,
    /// `null`.
    Null,
}

/// A position in the text that the reader can return to.
#[derive(Clone, Copy, Debug)]
pub struct Mark<'t> {
    rest: &'t [u8],
    depth: usize,
}

/// The codes of the findings that a format reports for errors in JSON.
#[derive(Clone, Copy, Debug)]
pub struct JsonCodes {
    /// The text is not JSON.
    pub not_json: Code,
    /// A value has the wrong JSON type.
    pub wrong_type: Code,
    /// A value is null.
    pub null_value: Code,
    /// A number is not in JSON syntax.
    pub number_syntax: Code,
    /// A comma follows the last item.
    pub trailing_comma: Code,
    /// The text has a comment.
    pub comment: Code,
    /// A literal is not in lower case.
    pub literal_case: Code,
    /// A number or a literal is in quotes.
    pub quoted: Code,
}

impl JsonCodes {
    /// Returns the codes of a format that has one code for all errors.
    pub const fn all(code: Code) -> Self {
        Self {
            not_json: code,
            wrong_type: code,
            null_value: code,
            number_syntax: code,
            trailing_comma: code,
            comment: code,
            literal_case: code,
            quoted: code,
        }
    }
}

/// The reader. Its methods read one value after the other, in the order of the text.
#[derive(Debug)]
pub struct Json<'t> {
    text: &'t str,
    rest: &'t [u8],
    depth: usize,
    depth_limit: usize,
    tolerance: Tolerance,
    codes: &'static JsonCodes,
    /// The repairs since the caller last took them.
    pub repairs: Repairs,
    /// The last name and the last comma, by the number of bytes that follow their starts and the end
    /// of the name.
    name: (usize, usize),
    comma: usize,
}

impl<'t> Json<'t> {
    /// Creates a reader of a text whose objects and arrays nest at most `depth_limit` deep.
    pub fn new(
        text: &'t str,
        depth_limit: usize,
        tolerance: Tolerance,
        codes: &'static JsonCodes,
    ) -> Self {
        let rest = text.as_bytes();
        let repairs = Repairs::default();
        Self {
            text,
            rest,
            depth: 0,
            depth_limit,
            tolerance,
            codes,
            repairs,
            name: (text.len(), text.len()),
            comma: text.len(),
        }
    }

    /// Returns the range of the last member name, quotes included.
    pub const fn name(&self) -> (usize, usize) {
        let (start, end) = self.name;
        (self.text.len().saturating_sub(start), self.text.len().saturating_sub(end))
    }

    /// Returns the offset of the last comma.
    pub const fn comma(&self) -> usize {
        self.text.len().saturating_sub(self.comma)
    }

    /// Returns the offset of the next byte.
    pub const fn offset(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    /// Returns the text between two offsets.
    pub fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the position of the reader, for [`go_to`](Self::go_to).
    pub const fn mark(&self) -> Mark<'t> {
        Mark { rest: self.rest, depth: self.depth }
    }

    /// Returns the offset of a mark.
    pub const fn offset_of(&self, mark: Mark<'t>) -> usize {
        self.text.len().saturating_sub(mark.rest.len())
    }

    /// Returns the byte at a mark.
    pub fn byte_at(mark: Mark<'t>) -> Option<u8> {
        mark.rest.first().copied()
    }

    /// Reads from a mark and returns to the current position. Repairs in that part are not listed,
    /// since the reader lists them when it reads that part itself.
    pub fn look_at<T>(&mut self, mark: Mark<'t>, look: impl FnOnce(&mut Self) -> T) -> T {
        let (here, name, comma) = (self.mark(), self.name, self.comma);
        let muted = std::mem::replace(&mut self.repairs.muted, true);
        self.go_to(mark);
        let seen = look(self);
        self.repairs.muted = muted;
        (self.name, self.comma) = (name, comma);
        self.go_to(here);
        seen
    }

    /// Moves to a mark, backward or forward.
    pub const fn go_to(&mut self, mark: Mark<'t>) {
        self.rest = mark.rest;
        self.depth = mark.depth;
    }

    /// Returns the next byte.
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Skips `text` and returns `meaning` if the text comes next.
    #[inline]
    pub fn take<T>(&mut self, text: &[u8], meaning: T) -> Option<T> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(meaning)
    }

    /// Skips a byte order mark and returns whether there was one.
    pub fn byte_order_mark(&mut self) -> bool {
        match self.rest {
            [0xef, 0xbb, 0xbf, rest @ ..] => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Skips white space, and comments if they are repaired.
    #[inline]
    pub fn space(&mut self) {
        self.rest = after_space(self.rest);
        if self.peek() == Some(b'/') {
            self.comments();
        }
    }

    #[cold]
    fn comments(&mut self) {
        while self.peek() == Some(b'/') && self.tolerance == Tolerance::Repair && self.comment() {
            self.rest = after_space(self.rest);
        }
    }

    /// Enters an object.
    ///
    /// # Errors
    ///
    /// If the next value is not an object, or nests too deep.
    #[inline]
    pub fn begin_object(&mut self, expected: &'static str) -> JsonResult<()> {
        match self.rest {
            [b'{', rest @ ..] => self.enter(rest),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Enters an array.
    ///
    /// # Errors
    ///
    /// If the next value is not an array, or nests too deep.
    #[inline]
    pub fn begin_array(&mut self, expected: &'static str) -> JsonResult<()> {
        match self.rest {
            [b'[', rest @ ..] => self.enter(rest),
            _ => Err(self.unexpected(expected)),
        }
    }

    #[inline]
    fn enter(&mut self, rest: &'t [u8]) -> JsonResult<()> {
        if self.depth >= self.depth_limit {
            let requested = u64_from_len(self.depth).saturating_add(1);
            let limit = u64_from_len(self.depth_limit);
            let kind = ReadErrorKind::Limit { what: "levels of nesting", requested, limit };
            return Err(JsonError::stop(self.offset(), self.codes.not_json, kind));
        }
        self.depth = self.depth.saturating_add(1);
        self.rest = rest;
        Ok(())
    }

    /// Moves to the next item and returns `true`; after the last item, leaves the array and returns
    /// `false`. `first` starts as `true`.
    ///
    /// # Errors
    ///
    /// If the text is not JSON.
    #[inline]
    pub fn next_item(&mut self, first: &mut bool) -> JsonResult<bool> {
        self.next_in(b']', "',' or ']'", first)
    }

    #[inline]
    fn next_in(&mut self, close: u8, expected: &'static str, first: &mut bool) -> JsonResult<bool> {
        self.space();
        match self.rest {
            [byte, rest @ ..] if *byte == close => {
                self.leave(rest);
                Ok(false)
            }
            [b',', rest @ ..] if !*first => {
                self.comma = self.rest.len();
                self.rest = rest;
                self.space();
                if self.peek() == Some(close) { self.trailing_comma() } else { Ok(true) }
            }
            [_, ..] if *first => {
                *first = false;
                Ok(true)
            }
            _ => Err(self.not_json(expected)),
        }
    }

    /// Leaves an object or array.
    #[inline]
    fn leave(&mut self, rest: &'t [u8]) {
        self.depth = self.depth.saturating_sub(1);
        self.rest = rest;
    }

    /// Returns whether the next value is null.
    #[inline]
    pub fn at_null(&self) -> bool {
        matches!(self.peek(), Some(b'n' | b'N')) && self.peek_literal() == Some(Literal::Null)
    }

    /// Reads `true`, `false` or `null`.
    ///
    /// # Errors
    ///
    /// If the next value is none of them.
    #[inline]
    pub fn literal(&mut self, expected: &'static str) -> JsonResult<Literal> {
        let (literal, rest) = match self.rest {
            [b't', b'r', b'u', b'e', rest @ ..] => (Literal::True, rest),
            [b'f', b'a', b'l', b's', b'e', rest @ ..] => (Literal::False, rest),
            [b'n', b'u', b'l', b'l', rest @ ..] => (Literal::Null, rest),
            _ => return self.repair_literal(expected),
        };
        self.rest = rest;
        Ok(literal)
    }

    /// Checks that only white space follows.
    ///
    /// # Errors
    ///
    /// If anything else follows.
    pub fn end(&mut self) -> JsonResult<()> {
        self.space();
        if self.rest.is_empty() { Ok(()) } else { Err(self.not_json("the end of the file")) }
    }
}

/// Returns whether a byte is neither white space nor the start of a comment.
#[inline]
const fn is_token(byte: u8) -> bool {
    byte > b' ' && byte != b'/'
}

/// Skips white space.
#[inline]
fn after_space(rest: &[u8]) -> &[u8] {
    // Usually there is no white space, or one blank.
    match rest {
        [b' ', tail @ ..] if tail.first().is_some_and(|byte| *byte > b' ') => tail,
        [byte, ..] if *byte > b' ' => rest,
        _ => blanks(rest),
    }
}

/// Skips white space, up to eight blanks at a time, since files are often half white space.
#[inline(never)]
fn blanks(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] = rest {
        rest = tail;
        while let Some((eight, tail)) = rest.split_first_chunk() {
            let others = u64::from_le_bytes(*eight) ^ u64::from_le_bytes(*b"        ");
            if others != 0 {
                let count = usize::try_from(others.trailing_zeros() >> 3).unwrap_or_default();
                rest = rest.get(count..).unwrap_or_default();
                break;
            }
            rest = tail;
        }
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::{Json, JsonCodes, Tolerance};

    static CODES: JsonCodes = JsonCodes::all(crate::codes::TIMES_SORTED);

    /// Returns a strict reader.
    pub(super) fn json(text: &str) -> Json<'_> {
        Json::new(text, 4, Tolerance::Strict, &CODES)
    }

    #[test]
    fn rejects_deeper_nesting_than_the_limit() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(json(&nested(4)).skip_value().is_ok());
        let error = json(&nested(100_000)).skip_value().unwrap_err();
        assert_eq!(error.0.kind.to_string(), "5 levels of nesting requested, the limit is 4");
        assert_eq!(error.0.at, 4);
    }

    #[test]
    fn repairs_are_listed_with_their_replacements() {
        let text = "[True, 1, /* x */ ]";
        assert!(json(text).skip_value().is_err());
        let mut json = Json::new(text, 4, Tolerance::Repair, &CODES);
        assert_eq!(json.skip_value().unwrap(), text);
        let repairs: Vec<_> =
            json.repairs.list.iter().map(|it| (it.start, it.replacement.as_deref())).collect();
        assert_eq!(repairs, [(1, Some("true")), (10, Some("")), (8, Some(""))]);
    }

    #[test]
    fn members_keep_their_order_and_duplicates() {
        let mut json = json("{\"b\": 1, \"a\": 2, \"b\": 3}");
        json.begin_object("an object").unwrap();
        let (mut first, mut seen) = (true, Vec::new());
        while let Some(name) = json.next_name(&mut first).unwrap() {
            seen.push((name.into_owned(), json.skip_value().unwrap()));
        }
        let expected = [("b", "1"), ("a", "2"), ("b", "3")];
        assert_eq!(seen, expected.map(|(name, value)| (name.to_owned(), value)));
    }
}
