//! Repairs text that is not JSON but has one obvious meaning.

use std::borrow::Cow;

use super::error::looks_like_number;
use super::{Json, JsonError, JsonResult, Literal, Recovery, Tolerance};
use crate::{Code, ReadErrorKind, shown};

/// Text that is not JSON, and the JSON that it means.
#[derive(Clone, Debug)]
pub struct Repair {
    /// The offset of its first byte.
    pub start: usize,
    /// The offset after its last byte.
    pub end: usize,
    /// The code of the finding that reports it.
    pub code: Code,
    /// What is wrong.
    pub message: Cow<'static, str>,
    /// The replacement, if it is obvious.
    pub replacement: Option<Cow<'static, str>>,
}

/// The repairs since the caller last took them.
#[derive(Debug, Default)]
pub struct Repairs {
    /// The repairs, in the order of the text.
    pub list: Vec<Repair>,
    /// While this is set, no repair is listed, since it was listed before.
    pub muted: bool,
}

/// The number of repairs listed for one value; fixing these reveals more.
const MOST: usize = 10_000;

impl Repairs {
    pub(super) fn push(&mut self, repair: impl FnOnce() -> Repair) {
        if !self.muted && self.list.len() < MOST {
            self.list.push(repair());
        }
    }
}

impl Json<'_> {
    /// Leaves an object or array after a trailing comma.
    #[cold]
    pub(super) fn trailing_comma(&mut self) -> JsonResult<bool> {
        let message = format!("a comma before {}", self.found()).into();
        self.repair(Repair {
            start: self.comma(),
            end: self.comma().saturating_add(1),
            code: self.codes.trailing_comma,
            message,
            replacement: Some("".into()),
        })?;
        self.leave(self.rest.get(1..).unwrap_or_default());
        Ok(false)
    }

    /// Skips a comment and returns whether there was one.
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
        self.repairs.push(|| Repair {
            start,
            end: start.saturating_add(length),
            code: self.codes.comment,
            message: "a comment".into(),
            replacement: Some("".into()),
        });
        true
    }

    /// Returns the next literal, case-insensitively, or in Python spelling.
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

    pub(super) fn repair_literal(&mut self, expected: &'static str) -> JsonResult<Literal> {
        let Some(literal) = self.peek_literal() else {
            return self.quoted_literal().ok_or_else(|| self.unexpected(expected));
        };
        let replacement = match literal {
            Literal::True => "true",
            Literal::False => "false",
            Literal::Null => "null",
        };
        let (start, length) = (self.offset(), self.word().len());
        let message = format!("{} instead of {replacement}", shown(self.word())).into();
        let end = start.saturating_add(length);
        let replacement = Some(replacement.into());
        self.repair(Repair { start, end, code: self.codes.literal_case, message, replacement })?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Ok(literal)
    }

    /// Skips a word that is not a value.
    pub(super) fn skip_word(&mut self) -> JsonResult<()> {
        let (start, length) = (self.offset(), self.word().len());
        if length == 0 || self.tolerance == Tolerance::Strict {
            return Err(self.unexpected("a value"));
        }
        let message = format!("{} is no value", shown(self.word())).into();
        let end = start.saturating_add(length);
        let number = looks_like_number(self.word());
        let code = if number { self.codes.number_syntax } else { self.codes.not_json };
        self.repair(Repair { start, end, code, message, replacement: None })?;
        self.rest = self.rest.get(length..).unwrap_or_default();
        Ok(())
    }

    fn repair(&mut self, repair: Repair) -> JsonResult<()> {
        match self.tolerance {
            Tolerance::Repair => {
                self.repairs.push(|| repair);
                Ok(())
            }
            Tolerance::Strict => {
                let kind = ReadErrorKind::Json { message: repair.message };
                Err(JsonError::new(repair.start, repair.code, kind, Recovery::Stop).fixable())
            }
        }
    }
}
