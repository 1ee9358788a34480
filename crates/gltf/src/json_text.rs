//! Prints JSON.

use core::fmt::{Debug, Write};

use inbetween_core::json::push_string;

/// A JSON text under construction.
#[derive(Debug, Default)]
pub(crate) struct JsonText {
    out: String,
    /// Whether the next item needs a comma before it.
    comma: bool,
}

impl JsonText {
    pub(crate) fn into_string(self) -> String {
        self.out
    }

    fn item(&mut self) {
        if self.comma {
            self.out.push(',');
        }
        self.comma = true;
    }

    /// Prints an object.
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut Self)) {
        self.nested(['{', '}'], members);
    }

    /// Prints an array.
    pub(crate) fn array(&mut self, items: impl FnOnce(&mut Self)) {
        self.nested(['[', ']'], items);
    }

    fn nested(&mut self, [open, close]: [char; 2], content: impl FnOnce(&mut Self)) {
        self.item();
        self.out.push(open);
        self.comma = false;
        content(self);
        self.out.push(close);
        self.comma = true;
    }

    /// Prints the name of the member whose value comes next. No name needs an escape.
    pub(crate) fn name(&mut self, name: &'static str) -> &mut Self {
        self.item();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.comma = false;
        self
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.item();
        push_string(&mut self.out, text);
    }

    /// Prints a string, or null.
    pub(crate) fn nullable(&mut self, text: Option<&str>) {
        if let Some(text) = text {
            return self.string(text);
        }
        self.item();
        self.out.push_str("null");
    }

    /// Prints a finite number with the fewest digits that read back to the same number.
    pub(crate) fn number(&mut self, number: impl Debug) {
        self.item();
        // Printing to a string does not fail.
        let _ = write!(self.out, "{number:?}");
    }

    pub(crate) fn index(&mut self, index: usize) {
        self.item();
        push_digits(&mut self.out, index);
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.item();
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Prints an array of numbers.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>) {
        self.array(|json| numbers.into_iter().for_each(|number| json.number(number)));
    }

    /// Prints an array of indices.
    pub(crate) fn indices(&mut self, indices: impl IntoIterator<Item = usize>) {
        self.array(|json| indices.into_iter().for_each(|index| json.index(index)));
    }
}

/// Appends an integer. Half of the numbers of a file are indices, and the machinery of `write!` costs
/// more than their digits.
fn push_digits(out: &mut String, number: usize) {
    if number > 9 {
        push_digits(out, number / 10);
    }
    let digit = u32::try_from(number % 10).ok().and_then(|digit| char::from_digit(digit, 10));
    out.extend(digit);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_printed_as_by_display() {
        for index in [0, 9, 10, 99, 100, 1_234_567_890, usize::MAX] {
            let mut json = JsonText::default();
            json.index(index);
            assert_eq!(json.into_string(), index.to_string());
        }
    }
}
