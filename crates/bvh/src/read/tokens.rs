//! Splits text into words.

/// A word of a text, with its byte offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) at: usize,
    pub(crate) text: &'t str,
}

impl Token<'_> {
    /// Returns whether the word is a keyword, in any case.
    pub(crate) fn is(self, keyword: &str) -> bool {
        self.text.eq_ignore_ascii_case(keyword)
    }

    /// Returns the number that the word is, which may be NaN or infinite; `None` for other text.
    ///
    /// One comma and no point is a decimal comma, which programs write in some locales.
    pub(crate) fn number(self) -> Option<f64> {
        let number = self.text.parse().ok();
        // Few numbers have a comma, so it is looked for last.
        number.or_else(|| self.text.replace(',', ".").parse().ok().filter(|_| self.has_comma()))
    }

    /// Returns whether the word has a decimal comma.
    pub(crate) fn has_comma(self) -> bool {
        self.text.split(',').count() == 2 && !self.text.contains('.')
    }
}

/// The words of a text from a byte on: braces, and what is between white space and braces.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) const fn new(text: &'t str, at: usize) -> Self {
        Self { text, at }
    }

    /// Returns the byte offset of what follows.
    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    /// Returns the number of words that follow.
    pub(crate) fn remaining(&self) -> usize {
        let mut is_inside = false;
        let starts = |byte: &&u8| {
            let was_inside = is_inside;
            is_inside = !is_space(**byte) && !is_brace(**byte);
            is_brace(**byte) || (is_inside && !was_inside)
        };
        self.rest().as_bytes().iter().filter(starts).count()
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn pass(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    /// Skips the bytes of one kind.
    fn skip_bytes(&mut self, skipped: impl Fn(u8) -> bool) {
        let rest = self.rest().as_bytes();
        let end = rest.iter().position(|byte| !skipped(*byte));
        self.pass(end.unwrap_or(rest.len()));
    }

    /// Takes the rest of the line up to a brace.
    pub(crate) fn line(&mut self) -> Token<'t> {
        let line = self.rest().split(['\n', '\r', '{', '}']).next().unwrap_or_default();
        let at = self.at;
        self.pass(line.len());
        Token { at, text: line.trim() }
    }

    /// Takes some words in any case and a colon, and the word after them in the same line, which may
    /// be empty. Takes nothing if other words follow.
    pub(crate) fn field(&mut self, words: &[&str]) -> Option<Token<'t>> {
        let mut ahead = self.clone();
        for word in words {
            ahead.skip_bytes(is_space);
            let found = ahead.rest().get(..word.len())?;
            if !found.eq_ignore_ascii_case(word) {
                return None;
            }
            ahead.pass(word.len());
        }
        ahead.skip_bytes(is_blank);
        if ahead.rest().starts_with(':') {
            ahead.pass(1);
        }
        ahead.skip_bytes(is_blank);
        let at = ahead.at;
        ahead.skip_bytes(|byte| !is_space(byte));
        let text = ahead.text.get(at..ahead.at).unwrap_or_default();
        *self = ahead;
        Some(Token { at, text })
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = Token<'t>;

    fn next(&mut self) -> Option<Token<'t>> {
        self.skip_bytes(is_space);
        let (rest, at) = (self.rest(), self.at);
        let ends = |byte: &u8| is_space(*byte) || is_brace(*byte);
        let length = match rest.as_bytes() {
            [] => return None,
            [first, ..] if is_brace(*first) => 1,
            bytes => bytes.iter().position(ends).unwrap_or(bytes.len()),
        };
        self.pass(length);
        Some(Token { at, text: rest.get(..length).unwrap_or_default() })
    }
}

/// Returns whether a byte separates words.
pub(super) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0b' | b'\x0c')
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

const fn is_brace(byte: u8) -> bool {
    matches!(byte, b'{' | b'}')
}

#[cfg(test)]
mod tests {
    use super::{Token, Tokens};

    #[test]
    fn braces_and_words_are_tokens() {
        let words: Vec<&str> = Tokens::new("a{b\r\n}\tc", 0).map(|token| token.text).collect();
        assert_eq!(words, ["a", "{", "b", "}", "c"]);
        assert_eq!(Tokens::new("a{b\r\n}\tc", 0).remaining(), 5);
    }

    #[test]
    fn numbers_may_have_a_decimal_comma() {
        let number = |text| Token { at: 0, text }.number();
        assert_eq!(number("0,5"), Some(0.5));
        assert_eq!(number("-8.88178e-016"), Some(-8.88178e-16));
        assert_eq!(number(".0083333"), Some(0.008_333_3));
        assert_eq!((number("1,2.5"), number("1,2,5"), number("x")), (None, None, None));
    }

    #[test]
    fn a_field_without_a_value_is_empty() {
        let mut tokens = Tokens::new(" frame  TIME :\n1", 0);
        assert!(tokens.field(&["Frames"]).is_none());
        assert_eq!(tokens.field(&["Frame", "Time"]).map(|token| token.text), Some(""));
        assert_eq!(tokens.next().map(|token| token.text), Some("1"));
    }
}
