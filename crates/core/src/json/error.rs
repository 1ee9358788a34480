//! Errors that stop the reader.

use std::borrow::Cow;

use crate::{Code, ReadErrorKind, Remedy, shown};

use super::number::is_number;
use super::{Json, Literal};

/// A value, or the error that stops the reader.
pub type JsonResult<T> = Result<T, JsonError>;

/// An error that stops the reader, boxed so that results stay small.
#[derive(Debug)]
pub struct JsonError(pub Box<JsonErrorCause>);

/// The position and the kind of an error.
#[derive(Debug)]
pub struct JsonErrorCause {
    /// The offset in bytes.
    pub at: usize,
    /// The code of the finding that a check reports.
    pub code: Code,
    /// What is wrong.
    pub kind: ReadErrorKind,
    /// The likely cause, or what to do.
    pub hint: Option<Cow<'static, str>>,
    /// What the user can do about it, if the format fixes repairable JSON.
    pub remedy: Option<Remedy>,
    /// Whether a check can continue.
    pub recovery: Recovery,
}

/// Whether a check can continue after an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// Yes, after the invalid value.
    Skip,
    /// No.
    Stop,
}

impl JsonError {
    /// Creates an error without a hint.
    pub fn new(at: usize, code: Code, kind: ReadErrorKind, recovery: Recovery) -> Self {
        Self(Box::new(JsonErrorCause { at, code, kind, hint: None, remedy: None, recovery }))
    }

    /// Creates an error after which nothing can be read.
    pub fn stop(at: usize, code: Code, kind: ReadErrorKind) -> Self {
        Self::new(at, code, kind, Recovery::Stop)
    }

    /// Creates the error of one value, after which a check can continue.
    pub fn value(
        at: usize,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let kind = ReadErrorKind::Invalid { expected: expected.into(), found: found.into() };
        Self::new(at, code, kind, Recovery::Skip)
    }

    /// Returns the error with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the error with what the user can do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.0.remedy = Some(remedy);
        self
    }

    /// Returns the error with a suggestion for an unknown word, if there is one.
    #[must_use]
    pub fn suggesting(self, word: Option<&str>) -> Self {
        match word {
            Some(word) => self.hint(format!("did you mean \"{word}\"?")),
            None => self,
        }
    }

    /// Returns the error with the hint that it can be fixed automatically.
    #[must_use]
    pub fn fixable(self) -> Self {
        self.hint("it can be fixed automatically").remedy(Remedy::Fix)
    }
}

impl Json<'_> {
    /// Creates the error of text that is not JSON.
    #[cold]
    pub(super) fn not_json(&self, expected: &'static str) -> JsonError {
        let message = format!("expected {expected}, found {}", self.found());
        let kind = ReadErrorKind::Json { message: message.into() };
        let error = JsonError::stop(self.offset(), self.codes.not_json, kind);
        match self.peek() {
            Some(b'\'') => error.hint("JSON strings use double quotes"),
            Some(b'/') => {
                let hint = "JSON has no comments; they can be removed automatically";
                error.hint(hint).remedy(Remedy::Fix)
            }
            _ => error,
        }
    }

    /// Creates the error of a value of the wrong type.
    #[cold]
    pub fn unexpected(&self, expected: &'static str) -> JsonError {
        let at = self.offset();
        match self.peek() {
            Some(b'{' | b'[' | b'"') => {
                JsonError::value(at, self.codes.wrong_type, expected, self.found())
            }
            _ => match self.peek_literal() {
                Some(Literal::Null) => {
                    JsonError::value(at, self.codes.null_value, expected, "null")
                }
                Some(_) => JsonError::value(at, self.codes.wrong_type, expected, self.found()),
                None => self.unexpected_word(expected),
            },
        }
    }

    /// Creates the error of a word that is not the expected value, or not a value at all.
    fn unexpected_word(&self, expected: &'static str) -> JsonError {
        let (at, word) = (self.offset(), self.word());
        if word.is_empty() {
            return self.not_json(expected);
        }
        if is_number(word) {
            return JsonError::value(at, self.codes.wrong_type, expected, shown(word).to_string());
        }
        let message = format!("expected {expected}, found {}", shown(word));
        let kind = ReadErrorKind::Json { message: message.into() };
        if looks_like_number(word) {
            let error = JsonError::new(at, self.codes.number_syntax, kind, Recovery::Skip);
            error.hint("JSON numbers are like -1.5 or 2e-7, with digits on both sides of a point")
        } else {
            let error = JsonError::new(at, self.codes.not_json, kind, Recovery::Skip);
            error.hint("text stands in double quotes")
        }
    }

    /// Describes the next value, for messages.
    pub fn found(&self) -> String {
        match self.peek() {
            None => "the end of the file".into(),
            Some(b'{') => "an object".into(),
            Some(b'[') => "an array".into(),
            Some(b'"') => {
                let string = self.text.get(self.offset().saturating_add(1)..).unwrap_or_default();
                let end = string.find(['"', '\\', '\n']).unwrap_or(string.len());
                format!("\"{}\"", shown(string.get(..end).unwrap_or_default()))
            }
            Some(_) if !self.word().is_empty() => shown(self.word()).to_string(),
            Some(_) => {
                let rest = self.text.get(self.offset()..).unwrap_or_default();
                rest.chars().next().map_or_else(String::new, |next| format!("{next:?}"))
            }
        }
    }

    /// Returns the letters, digits and signs at the start of the remaining text.
    pub(super) fn word(&self) -> &str {
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        let length = self.rest.iter().take_while(|byte| part(byte)).count();
        self.slice(self.offset(), self.offset().saturating_add(length))
    }
}

/// Returns whether a word is an attempt at a number.
pub(super) fn looks_like_number(word: &str) -> bool {
    let unsigned = word.trim_start_matches(['+', '-']);
    let begins = |name: &str| {
        unsigned.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') || begins("nan") || begins("inf")
}
