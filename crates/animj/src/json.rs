//! A pull reader of JSON that always knows where it is.
//!
//! It reads strict JSON. Where it is asked to mend, it also gets over slips that have one
//! obvious meaning (`True`, a trailing comma, a comment) and keeps a list of them.

mod fault;
mod number;
mod skip;
mod slip;
mod string;

use std::borrow::Cow;

use inbetween_core::ReadErrorKind;
use inbetween_core::num::u64_from_len;

use crate::codes;
pub(crate) use fault::{Cause, Fault, Parsed, WayOn};
pub(crate) use number::Number;
pub(crate) use slip::{Slip, Slips};
use string::StringToken;

/// What to do about a slip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tolerance {
    /// Refuse it.
    Strict,
    /// Note it and read on.
    Mend,
}

/// What stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Literal {
    True,
    False,
    Null,
}

/// What comes next in an object.
#[derive(Clone, Debug)]
pub(crate) enum Next<'t> {
    /// A member with a known name, by its number.
    Known(usize),
    /// A member with another name.
    Other(Cow<'t, str>),
    /// The end of the object.
    End,
}

/// A place to come back to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark<'t> {
    rest: &'t [u8],
    depth: usize,
}

/// The reader.
#[derive(Debug)]
pub(crate) struct Json<'t> {
    text: &'t str,
    rest: &'t [u8],
    depth: usize,
    depth_limit: usize,
    tolerance: Tolerance,
    /// The slips since they were last taken.
    pub(crate) slips: Slips,
    /// Where the last name begins and ends, quotes included.
    pub(crate) name: (usize, usize),
    /// Where the last comma is.
    pub(crate) comma: usize,
}

impl<'t> Json<'t> {
    pub(crate) fn new(text: &'t str, depth_limit: usize, tolerance: Tolerance) -> Self {
        let rest = text.as_bytes();
        let slips = Slips::default();
        Self { text, rest, depth: 0, depth_limit, tolerance, slips, name: (0, 0), comma: 0 }
    }

    /// Returns the offset of the next byte.
    pub(crate) const fn offset(&self) -> usize {
        self.text.len().saturating_sub(self.rest.len())
    }

    /// Returns the text between two offsets.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    pub(crate) const fn mark(&self) -> Mark<'t> {
        Mark { rest: self.rest, depth: self.depth }
    }

    /// Returns the offset of a place.
    pub(crate) const fn offset_of(&self, mark: Mark<'t>) -> usize {
        self.text.len().saturating_sub(mark.rest.len())
    }

    /// Returns the byte at a place.
    pub(crate) fn byte_at(mark: Mark<'t>) -> Option<u8> {
        mark.rest.first().copied()
    }

    /// Looks at another place and comes back; slips there are noted when they are read.
    pub(crate) fn look_at<T>(&mut self, mark: Mark<'t>, look: impl FnOnce(&mut Self) -> T) -> T {
        let (here, name, comma) = (self.mark(), self.name, self.comma);
        let muted = std::mem::replace(&mut self.slips.muted, true);
        self.go_to(mark);
        let seen = look(self);
        self.slips.muted = muted;
        (self.name, self.comma) = (name, comma);
        self.go_to(here);
        seen
    }

    pub(crate) const fn go_to(&mut self, mark: Mark<'t>) {
        self.rest = mark.rest;
        self.depth = mark.depth;
    }

    /// Returns the next byte.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Takes a text that means something if it comes next.
    #[inline]
    pub(crate) fn take<T>(&mut self, text: &[u8], meaning: T) -> Option<T> {
        self.rest = self.rest.strip_prefix(text)?;
        Some(meaning)
    }

    /// Skips a byte order mark and says whether there was one.
    pub(crate) fn byte_order_mark(&mut self) -> bool {
        match self.rest {
            [0xef, 0xbb, 0xbf, rest @ ..] => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Skips white space, and comments where they are mended.
    #[inline]
    pub(crate) fn space(&mut self) {
        // Mostly there is none, or one blank.
        match self.rest {
            [byte, ..] if is_token(*byte) => {}
            [b' ', byte, ..] if is_token(*byte) => {
                self.rest = self.rest.get(1..).unwrap_or_default();
            }
            _ => self.long_space(),
        }
    }

    fn long_space(&mut self) {
        loop {
            self.rest = blanks(self.rest);
            let comment = self.peek() == Some(b'/') && self.tolerance == Tolerance::Mend;
            if !comment || !self.comment() {
                return;
            }
        }
    }

    /// Enters an object.
    #[inline]
    pub(crate) fn begin_object(&mut self, expected: &'static str) -> Parsed<()> {
        match self.rest {
            [b'{', rest @ ..] => self.enter(rest),
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Enters an array.
    #[inline]
    pub(crate) fn begin_array(&mut self, expected: &'static str) -> Parsed<()> {
        match self.rest {
            [b'[', rest @ ..] => self.enter(rest),
            _ => Err(self.unexpected(expected)),
        }
    }

    #[inline]
    fn enter(&mut self, rest: &'t [u8]) -> Parsed<()> {
        if self.depth >= self.depth_limit {
            let requested = u64_from_len(self.depth).saturating_add(1);
            let limit = u64_from_len(self.depth_limit);
            let kind = ReadErrorKind::Limit { what: "levels of nesting", requested, limit };
            return Err(Fault::stop(self.offset(), codes::NOT_JSON, kind));
        }
        self.depth = self.depth.saturating_add(1);
        self.rest = rest;
        Ok(())
    }

    /// Goes on to the value of the next member and returns the member's name; leaves the
    /// object where there is none.
    #[inline]
    pub(crate) fn next_name(&mut self, first: &mut bool) -> Parsed<Option<Cow<'t, str>>> {
        match self.next_member(first)? {
            Some(token) => Self::decode(token).map(Some),
            None => Ok(None),
        }
    }

    /// As [`next_name`](Self::next_name), for names that are mostly known: `strip` takes such a
    /// name, quotes included, from the front of the text and returns its number.
    #[inline]
    pub(crate) fn next_known(
        &mut self,
        first: &mut bool,
        strip: impl FnOnce(&'t [u8]) -> Option<(usize, &'t [u8])>,
    ) -> Parsed<Next<'t>> {
        if !self.next_in(b'}', "',' or '}'", first)? {
            return Ok(Next::End);
        }
        let start = self.offset();
        if let Some((number, rest)) = strip(self.rest) {
            self.rest = rest;
            self.colon(start)?;
            return Ok(Next::Known(number));
        }
        let token = self.name_token(start)?;
        Self::decode(token).map(Next::Other)
    }

    #[inline]
    fn next_member(&mut self, first: &mut bool) -> Parsed<Option<StringToken<'t>>> {
        if !self.next_in(b'}', "',' or '}'", first)? {
            return Ok(None);
        }
        self.name_token(self.offset()).map(Some)
    }

    fn name_token(&mut self, start: usize) -> Parsed<StringToken<'t>> {
        let token = match self.rest {
            [b'"', ..] => self.string_token()?,
            _ => return Err(self.not_json("a name in double quotes")),
        };
        self.colon(start)?;
        Ok(token)
    }

    /// Goes from the end of a name to the beginning of its value.
    #[inline]
    fn colon(&mut self, start: usize) -> Parsed<()> {
        self.name = (start, self.offset());
        self.space();
        match self.rest {
            [b':', rest @ ..] => self.rest = rest,
            _ => return Err(self.not_json("':'")),
        }
        self.space();
        Ok(())
    }

    /// Goes on to the next item; leaves the array where there is none.
    #[inline]
    pub(crate) fn next_item(&mut self, first: &mut bool) -> Parsed<bool> {
        self.next_in(b']', "',' or ']'", first)
    }

    #[inline]
    fn next_in(&mut self, close: u8, expected: &'static str, first: &mut bool) -> Parsed<bool> {
        self.space();
        match self.rest {
            [byte, rest @ ..] if *byte == close => {
                self.leave(rest);
                Ok(false)
            }
            [b',', rest @ ..] if !*first => {
                self.comma = self.offset();
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

    /// Says whether the next value is null.
    #[inline]
    pub(crate) fn at_null(&self) -> bool {
        matches!(self.peek(), Some(b'n' | b'N')) && self.peek_literal() == Some(Literal::Null)
    }

    /// Reads `true`, `false` or `null`.
    #[inline]
    pub(crate) fn literal(&mut self, expected: &'static str) -> Parsed<Literal> {
        let (literal, rest) = match self.rest {
            [b't', b'r', b'u', b'e', rest @ ..] => (Literal::True, rest),
            [b'f', b'a', b'l', b's', b'e', rest @ ..] => (Literal::False, rest),
            [b'n', b'u', b'l', b'l', rest @ ..] => (Literal::Null, rest),
            _ => return self.literal_slip(expected),
        };
        self.rest = rest;
        Ok(literal)
    }

    /// Ends the text.
    pub(crate) fn end(&mut self) -> Parsed<()> {
        self.space();
        if self.rest.is_empty() { Ok(()) } else { Err(self.not_json("the end of the file")) }
    }
}

/// Says whether a byte is neither white space nor the start of a comment.
#[inline]
const fn is_token(byte: u8) -> bool {
    byte > b' ' && byte != b'/'
}

/// Skips white space; files are often half of it, so eight blanks go at once.
fn blanks(mut rest: &[u8]) -> &[u8] {
    loop {
        match rest {
            [b' ', b' ', b' ', b' ', b' ', b' ', b' ', b' ', tail @ ..]
            | [b' ' | b'\t' | b'\n' | b'\r', tail @ ..] => rest = tail,
            _ => return rest,
        }
    }
}
