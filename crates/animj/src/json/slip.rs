//! Slips that have one obvious meaning.

use std::borrow::Cow;

use inbetween_core::{Code, ReadErrorKind, shown};

use super::fault::looks_like_number;
use super::{Fault, Json, Literal, Parsed, Tolerance, WayOn};
use crate::codes;

/// Text that is not JSON, and the JSON that is meant.
#[derive(Clone, Debug)]
pub(crate) struct Slip {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) code: Code,
    pub(crate) message: Cow<'static, str>,
    /// The JSON that is meant, if that is obvious.
    pub(crate) replacement: Option<&'static str>,
}

/// The slips since they were last taken.
#[derive(Debug, Default)]
pub(crate) struct Slips {
    pub(crate) list: Vec<Slip>,
    /// While this is set nothing is noted, since it was before.
    pub(crate) muted: bool,
}

/// More slips than this in one value are not listed; mending the first ones shows the next.
const MOST: usize = 10_000;

impl Slips {
    fn push(&mut self, slip: impl FnOnce() -> Slip) {
        if !self.muted && self.list.len() < MOST {
            self.list.push(slip());
        }
    }
}

impl Json<'_> {
    /// Leaves an object or array behind a comma that should not be there.
    #[cold]
    pub(super) fn trailing_comma(&mut self) -> Parsed<bool> {
        let message = format!("a comma before {}", self.found()).into();
        self.slip(Slip {
            start: self.comma,
            end: self.comma.saturating_add(1),
            code: codes::TRAILING_COMMA,
            message,
            replacement: Some(""),
        })?;
        self.leave(self.rest.get(1..).unwrap_or_default());
        Ok(false)
    }

    /// Skips a comment; says whether there was one.
    pub(super) fn comment(&mut self) -> bool {
        let start = self.offset();
        let comment = self.text.get(start..).unwrap_or_default();
        let length = if comment.starts_with("//") {
            comment.find('\n').unwrap_or(comment.len())
        } else if let Some(inside) = comment.strip_prefix("/*") {
            match inside.find("*/") {
                Some(length) => length.saturating_add(4),
                None => return false,
            }
        } else {
            return false;
        };
        self.rest = self.rest.get(length..).unwrap_or_default();
        self.slips.push(|| Slip {
            start,
            end: start.saturating_add(length),
            code: codes::COMMENT,
            message: "a comment".into(),
            replacement: Some(""),
        });
        true
    }

    /// Returns the literal that comes next, in whatever case and language.
    pub(super) fn peek_literal(&self) -> Option<Literal> {
        let word = self.word();
        let is = |literal: &str| word.eq_ignore_ascii_case(literal);
        if is("true") {
            Some(Literal::True)
        } else if is("false") {
            Some(Literal::False)
        } else if is("null") || is("none") {
            Some(Literal::Null)
        } else {
            None
        }
    }

    pub(super) fn literal_slip(&mut self, expected: &'static str) -> Parsed<Literal> {
        let Some(literal) = self.peek_literal() else { return Err(self.unexpected(expected)) };
        let replacement = match literal {
            Literal::True => "true",
            Literal::False => "false",
            Literal::Null => "null",
        };
        let (start, length) = (self.offset(), self.word().len());
        let message = format!("{} instead of {replacement}", shown(self.word())).into();
        let end = start.saturating_add(length);
        let replacement = Some(replacement);
        self.slip(Slip { start, end, code: codes::LITERAL_CASE, message, replacement })?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Ok(literal)
    }

    /// Skips what looks like a number and is none.
    pub(super) fn skip_word(&mut self) -> Parsed<()> {
        let (start, length) = (self.offset(), self.word().len());
        if length == 0 || self.tolerance == Tolerance::Strict {
            return Err(self.unexpected("a value"));
        }
        let message = format!("{} is no value", shown(self.word())).into();
        let end = start.saturating_add(length);
        let number = looks_like_number(self.word());
        let code = if number { codes::NUMBER_SYNTAX } else { codes::NOT_JSON };
        self.slip(Slip { start, end, code, message, replacement: None })?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Ok(())
    }

    fn slip(&mut self, slip: Slip) -> Parsed<()> {
        match self.tolerance {
            Tolerance::Mend => {
                self.slips.push(|| slip);
                Ok(())
            }
            Tolerance::Strict => {
                let kind = ReadErrorKind::Json { message: slip.message };
                Err(Fault::new(slip.start, slip.code, kind, WayOn::Stop).mendable())
            }
        }
    }
}
