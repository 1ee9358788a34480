//! Numbers and literals that are written in another way, and have one meaning.

use std::borrow::Cow;

use super::number::Number;
use super::{Json, JsonResult, Literal, Repair, Tolerance};
use crate::shown;

impl<'t> Json<'t> {
    /// Reads a number that is in quotes, or in the syntax of another language, and lists its repair.
    #[cold]
    pub(super) fn meant_number(&mut self) -> JsonResult<Number<'t>> {
        let start = self.offset();
        let meant = if self.tolerance == Tolerance::Strict {
            None
        } else if let Some((inside, end)) = self.plain_string() {
            let number = Number::of_text(inside).map(|number| (number, Cow::Borrowed(inside)));
            let meant = number.or_else(|| loose(inside));
            let found = format!("\"{}\"", shown(inside));
            meant.map(|(number, text)| (number, text, found, (end, self.codes.quoted)))
        } else if let Some((word, end)) = self.plain_word() {
            let found = shown(word).to_string();
            loose(word).map(|(number, text)| (number, text, found, (end, self.codes.number_syntax)))
        } else {
            None
        };
        let Some((number, text, found, (end, code))) = meant else {
            return Err(self.unexpected("a number"));
        };
        let message = format!("{found} instead of {text}").into();
        let replacement = Some(text.into_owned().into());
        self.repairs.push(|| Repair { start, end, code, message, replacement });
        self.skip_to(end);
        Ok(number)
    }

    /// Returns whether the next value is a number that is written in another way.
    pub fn means_number(&self) -> bool {
        let is = |text| Number::of_text(text).is_some() || loose(text).is_some();
        self.plain_string().or_else(|| self.plain_word()).is_some_and(|(text, _)| is(text))
    }

    /// Reads a literal in quotes and lists its repair.
    pub(super) fn quoted_literal(&mut self) -> Option<Literal> {
        if self.tolerance == Tolerance::Strict {
            return None;
        }
        let (start, (inside, end)) = (self.offset(), self.plain_string()?);
        let is = |word: &str| inside.eq_ignore_ascii_case(word);
        let (literal, text) = match () {
            () if is("true") => (Literal::True, "true"),
            () if is("false") => (Literal::False, "false"),
            () => return None,
        };
        let message = format!("{} instead of {text}", self.slice(start, end)).into();
        let (code, replacement) = (self.codes.quoted, Some(text.into()));
        self.repairs.push(|| Repair { start, end, code, message, replacement });
        self.skip_to(end);
        Some(literal)
    }

    /// Returns the text of the next value without white space around it, and the offset of its end,
    /// if it is a short string without escapes.
    pub fn plain_string(&self) -> Option<(&'t str, usize)> {
        const LONGEST: usize = 64;
        let start = self.offset().checked_add(1).filter(|_| self.peek() == Some(b'"'))?;
        let rest = self.text.get(start..)?;
        let length = rest.bytes().take(LONGEST).position(|byte| byte == b'"' || byte == b'\\')?;
        let end = start.checked_add(length)?;
        let closed = self.text.as_bytes().get(end) == Some(&b'"');
        closed.then(|| (self.slice(start, end).trim_ascii(), end.saturating_add(1)))
    }

    /// Returns the letters, digits and signs that come next, and the offset of their end.
    pub fn plain_word(&self) -> Option<(&'t str, usize)> {
        let start = self.offset();
        let end = start.saturating_add(self.word().len());
        (end > start).then(|| (self.slice(start, end), end))
    }

    /// Moves to an offset after this one.
    pub fn skip_to(&mut self, end: usize) {
        let length = end.saturating_sub(self.offset());
        self.rest = self.rest.get(length..).unwrap_or_default();
    }
}

/// Returns the number that a word means in other languages, and its text in JSON: `+1`, `.5`, `1.`
/// and `1.5f` have one meaning. Leading zeros and other bases have none.
fn loose(word: &str) -> Option<(Number<'_>, Cow<'_, str>)> {
    let decimal =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.".contains(&byte));
    let word = word.strip_suffix(['f', 'F']).filter(|text| decimal(text)).unwrap_or(word);
    let word = word.strip_prefix('+').filter(|text| !text.starts_with(['+', '-'])).unwrap_or(word);
    if let Some(number) = Number::of_text(word) {
        return Some((number, Cow::Borrowed(word)));
    }
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word),
    };
    let (whole, fraction) = digits.split_once('.')?;
    let (places, exponent) = fraction.split_at(fraction.find(['e', 'E']).unwrap_or(fraction.len()));
    if whole.is_empty() && places.is_empty() {
        return None;
    }
    let or_zero = |digits: &str| if digits.is_empty() { "0".to_owned() } else { digits.to_owned() };
    let text = format!("{sign}{}.{}{exponent}", or_zero(whole), or_zero(places));
    Number::of_text(&text)?;
    Some((Number::by_library(word), text.into()))
}

#[cfg(test)]
mod tests {
    use super::super::{Json, JsonCodes, Literal, Tolerance};

    static CODES: JsonCodes = JsonCodes::all(crate::codes::TIMES_SORTED);

    /// Returns the number that a text means, and its repair.
    fn meant(text: &str) -> Option<(f64, String)> {
        let mut json = Json::new(text, 4, Tolerance::Repair, &CODES);
        let number = json.number().ok()?.to_f64()?;
        assert_eq!(json.offset(), text.trim_end_matches(']').len());
        let repair = json.repairs.list.pop()?;
        assert_eq!((repair.start, repair.end), (0, json.offset()));
        Some((number, repair.replacement?.into_owned()))
    }

    #[test]
    fn numbers_of_one_meaning_are_repaired() {
        for (text, number, repaired) in [
            ("\"1.5\"", 1.5, "1.5"),
            ("\" -2e3 \"]", -2e3, "-2e3"),
            ("\"+.5\"", 0.5, "0.5"),
            ("+1", 1.0, "1"),
            (".5]", 0.5, "0.5"),
            ("-.25e1", -2.5, "-0.25e1"),
            ("1.", 1.0, "1.0"),
            ("1.5f", 1.5, "1.5"),
            ("2.e1", 20.0, "2.0e1"),
        ] {
            assert_eq!(meant(text), Some((number, repaired.to_owned())), "{text}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        let texts =
            ["\"\"", "\"x\"", "\"1", "\"1\\u0030\"", "\"1 2\"", "01", "\"01\"", "0x1f", "."];
        for text in texts.into_iter().chain(["+", "-", "--1", "+-1", "1f1", "e5", "NaN", "1,5"]) {
            if text != "1,5" {
                assert_eq!(meant(text), None, "{text}");
            }
            let mut json = Json::new(text, 4, Tolerance::Strict, &CODES);
            assert!(json.number().is_err() || text == "1,5", "{text}");
        }
    }

    #[test]
    fn literals_lose_their_quotes() {
        let mut json = Json::new("\"True\"", 4, Tolerance::Repair, &CODES);
        assert_eq!(json.literal("true or false").unwrap(), Literal::True);
        assert_eq!(json.repairs.list.pop().unwrap().replacement.as_deref(), Some("true"));
        for text in ["\"yes\"", "\"null\""] {
            assert!(Json::new(text, 4, Tolerance::Repair, &CODES).literal("x").is_err());
        }
    }
}
