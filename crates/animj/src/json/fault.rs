//! What stops the reader.

use std::borrow::Cow;

use inbetween_core::{Code, ReadErrorKind, shown};

use super::{Json, Literal};
use crate::codes;

pub(crate) type Parsed<T> = Result<T, Fault>;

/// A reason not to read on, boxed so that results stay small.
#[derive(Debug)]
pub(crate) struct Fault(pub(crate) Box<Cause>);

/// Where and why.
#[derive(Debug)]
pub(crate) struct Cause {
    /// The byte.
    pub(crate) at: usize,
    /// The code of the finding that a check makes of it.
    pub(crate) code: Code,
    pub(crate) kind: ReadErrorKind,
    pub(crate) hint: Option<Cow<'static, str>>,
    pub(crate) way_on: WayOn,
}

/// Whether a check can read on behind a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WayOn {
    /// Behind the value that is wrong.
    Skip,
    /// Nowhere.
    Stop,
}

/// The way out that a check offers.
const MENDS: &str = "`inbetween check --fix` mends it";

impl Fault {
    pub(crate) fn new(at: usize, code: Code, kind: ReadErrorKind, way_on: WayOn) -> Self {
        Self(Box::new(Cause { at, code, kind, hint: None, way_on }))
    }

    /// Makes a fault behind which nothing can be read.
    pub(crate) fn stop(at: usize, code: Code, kind: ReadErrorKind) -> Self {
        Self::new(at, code, kind, WayOn::Stop)
    }

    /// Makes a fault of one value.
    pub(crate) fn value(
        at: usize,
        code: Code,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let kind = ReadErrorKind::Invalid { expected: expected.into(), found: found.into() };
        Self::new(at, code, kind, WayOn::Skip)
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    #[must_use]
    pub(crate) fn mendable(self) -> Self {
        self.hint(MENDS)
    }
}

impl Json<'_> {
    /// Makes the fault of text that is not JSON.
    #[cold]
    pub(super) fn not_json(&self, expected: &'static str) -> Fault {
        let message = format!("expected {expected}, found {}", self.found());
        let kind = ReadErrorKind::Json { message: message.into() };
        let fault = Fault::stop(self.offset(), codes::NOT_JSON, kind);
        match self.peek() {
            Some(b'\'') => fault.hint("JSON strings stand in double quotes"),
            Some(b'/') => fault.hint("JSON has no comments; `inbetween check --fix` removes them"),
            _ => fault,
        }
    }

    /// Makes the fault of a value of another type than it must be.
    #[cold]
    pub(crate) fn unexpected(&self, expected: &'static str) -> Fault {
        let at = self.offset();
        match self.peek() {
            Some(b'{' | b'[' | b'"') => Fault::value(at, codes::WRONG_TYPE, expected, self.found()),
            _ => match self.peek_literal() {
                Some(Literal::Null) => Fault::value(at, codes::NULL_VALUE, expected, "null"),
                Some(_) => Fault::value(at, codes::WRONG_TYPE, expected, self.found()),
                None => self.unexpected_word(expected),
            },
        }
    }

    /// Makes the fault of something like a number, or of what is no value at all.
    fn unexpected_word(&self, expected: &'static str) -> Fault {
        let (at, word) = (self.offset(), self.word());
        if word.is_empty() {
            return self.not_json(expected);
        }
        if Json::new(word, 0, super::Tolerance::Strict).is_number() {
            return Fault::value(at, codes::WRONG_TYPE, expected, shown(word).to_string());
        }
        let message = format!("expected {expected}, found {}", shown(word));
        let kind = ReadErrorKind::Json { message: message.into() };
        if looks_like_number(word) {
            let fault = Fault::new(at, codes::NUMBER_SYNTAX, kind, WayOn::Skip);
            fault.hint("JSON numbers are like -1.5 or 2e-7, with digits on both sides of a point")
        } else {
            let fault = Fault::new(at, codes::NOT_JSON, kind, WayOn::Skip);
            fault.hint("text stands in double quotes")
        }
    }

    /// Says in words what comes next.
    pub(crate) fn found(&self) -> String {
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

    /// Returns the letters, digits and signs that come next.
    pub(super) fn word(&self) -> &str {
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-._".contains(byte);
        let length = self.rest.iter().take_while(|byte| part(byte)).count();
        self.slice(self.offset(), self.offset().saturating_add(length))
    }
}

/// Says whether a word is an attempt at a number.
pub(super) fn looks_like_number(word: &str) -> bool {
    let unsigned = word.trim_start_matches(['+', '-']);
    let begins = |name: &str| {
        unsigned.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') || begins("nan") || begins("inf")
}
