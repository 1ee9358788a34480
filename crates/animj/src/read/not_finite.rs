//! Numbers that are NaN or infinite.

use std::borrow::Cow;

use inbetween_core::{Edit, Remedy, shown};

use super::Reader;
use crate::codes;
use crate::options::Nan;
use inbetween_core::json::{JsonError, JsonResult, Number};

/// Where the next number is, and the numbers of the key before.
#[derive(Debug, Default)]
pub(super) struct NumberPlace<'t> {
    pub(super) role: Role,
    /// The index of the member of a value: 0 for x.
    pub(super) component: usize,
    /// The texts of the last finite numbers of values, by component.
    last: [Option<&'t str>; 4],
    /// Whether the current key is to be dropped.
    pub(super) drops_key: bool,
}

/// What a number means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// The duration of the file, or an interval.
    #[default]
    Other,
    Time,
    /// A value of a key with a time.
    Value,
    /// A key of a Raw track.
    RawValue,
    Tangent,
}

impl NumberPlace<'_> {
    pub(super) fn is_value(&self) -> bool {
        matches!(self.role, Role::Value | Role::RawValue)
    }
}

impl<'t> Reader<'t> {
    /// Reads a number, in a check also one that is not finite, if the caller chose what takes its
    /// place.
    #[inline]
    pub(super) fn finite_number(&mut self) -> JsonResult<Number<'t>> {
        match self.json.number() {
            Ok(number) => {
                if self.nan.is_some() && self.number.is_value() {
                    self.remember(number.text());
                }
                Ok(number)
            }
            Err(fault) => self.replace_number(fault),
        }
    }

    fn remember(&mut self, text: &'t str) {
        if let Some(last) = self.number.last.get_mut(self.number.component) {
            *last = Some(text);
        }
    }

    #[cold]
    fn replace_number(&mut self, fault: JsonError) -> JsonResult<Number<'t>> {
        let start = self.json.offset();
        let Some(end) = self.end_of_not_finite() else {
            return Err(if self.json.means_number() { fault.fixable() } else { fault });
        };
        let found = shown(self.json.slice(start, end).trim_matches('"')).to_string();
        let message = format!("{found} instead of a finite number");
        let error = JsonError::value(start, codes::NUMBER_NOT_FINITE, "a finite number", found);
        let last = self.number.last.get(self.number.component).copied().flatten();
        let text = match (self.nan, self.number.role) {
            (None, _) => {
                let hint = "choose what takes its place: the number before, 0 or nothing";
                return Err(error.hint(hint).remedy(Remedy::Option("nan")));
            }
            (Some(Nan::Drop), Role::Time | Role::Value | Role::Tangent) => {
                self.number.drops_key = true;
                return Err(error);
            }
            (Some(Nan::Drop), Role::RawValue) => {
                return Err(
                    error.hint("a Raw track cannot drop a key, because the others would move")
                );
            }
            (Some(Nan::Previous), Role::Value | Role::RawValue) => match last {
                Some(text) if Number::of_text(text).is_some() => text,
                _ => return Err(error.hint("no key before it has a number")),
            },
            (Some(Nan::Zero), Role::Value | Role::RawValue | Role::Tangent)
            | (Some(Nan::Previous), Role::Tangent) => "0",
            (Some(_), Role::Time | Role::Other) => {
                return Err(error.hint("a time has no such replacement; write it by hand"));
            }
        };
        let Some(number) = Number::of_text(text).filter(|_| self.checks()) else {
            return Err(error);
        };
        self.json.skip_to(end);
        let place = self.place;
        let edits = vec![Edit { start, end, replacement: text.as_bytes().to_vec().into() }];
        let fix = ("replace numbers that are not finite", edits);
        self.notes.add_fixable(
            codes::NUMBER_NOT_FINITE,
            start,
            || place.path(),
            || message.into(),
            fix,
        );
        Ok(number)
    }

    /// Returns the offset after the next value, if it is NaN or infinite in the words of a program.
    fn end_of_not_finite(&self) -> Option<usize> {
        let (text, end) = self.json.plain_string().or_else(|| self.json.plain_word())?;
        let word = text.trim_start_matches(['+', '-']);
        let is = |known: &&str| known.eq_ignore_ascii_case(word);
        ["nan", "inf", "infinity"].iter().any(is).then_some(end)
    }

    /// Offers to remove a key with a number that is not finite: the item of a list from `start`, with
    /// the comma before it unless it is the first.
    pub(super) fn drop_key(&mut self, index: usize, comma: usize, start: usize) {
        if !core::mem::take(&mut self.number.drops_key) || !self.checks() {
            return;
        }
        let end = self.json.offset();
        let (start, end) = if index > 0 {
            (comma, end)
        } else {
            let after = self.json.mark();
            let next = self.json.look_at(after, |json| {
                json.space();
                json.take(b",", ()).map(|()| json.offset())
            });
            (start, next.unwrap_or(end))
        };
        let edits = vec![Edit { start, end, replacement: Cow::Borrowed(b"") }];
        self.notes.fix(
            codes::NUMBER_NOT_FINITE,
            "drop keys with numbers that are not finite",
            edits,
        );
    }
}
