//! Makes text from files safe to print.
//!
//! A name in a file can hold anything: characters that control a terminal, that change the
//! direction of the surrounding text, or that have no width, and millions of them. Everything that
//! prints a name uses this module.

use core::fmt;

/// The number of characters of a name in a message.
const LONGEST: usize = 64;

/// Returns a name for a message: hidden characters, quotes and backslashes are escaped, and a
/// name of more than 64 characters is cut and followed by its length.
///
/// # Examples
///
/// ```
/// use inbetween_core::shown;
///
/// assert_eq!(format!("\"{}\"", shown("a\"b\u{202e}")), r#""a\"b\u{202e}""#);
/// let long = "x".repeat(1000);
/// assert_eq!(shown(&long).to_string(), format!("{}… (1000 bytes)", &long[..64]));
/// ```
pub fn shown(name: &str) -> Shown<'_> {
    Shown { text: name, escape: Escape::Name, longest: Some(LONGEST) }
}

/// Returns text without quotes, such as a whole message or a file path: hidden characters are
/// escaped, and nothing is cut.
///
/// # Examples
///
/// ```
/// use inbetween_core::printable;
///
/// assert_eq!(printable("C:\\a\u{1b}[2J").to_string(), "C:\\a\\u{1b}[2J");
/// assert_eq!(printable("abc").at_most(2).to_string(), "ab… (3 bytes)");
/// ```
pub fn printable(text: &str) -> Shown<'_> {
    Shown { text, escape: Escape::Hidden, longest: None }
}

/// Returns JSON whose strings have their hidden characters escaped as `\u202e`.
///
/// The JSON value stays the same; its control characters are escaped already.
///
/// # Examples
///
/// ```
/// use inbetween_core::printable_json;
///
/// assert_eq!(printable_json("[\"\u{202e}\"]").to_string(), r#"["\u202e"]"#);
/// ```
pub fn printable_json(json: &str) -> Shown<'_> {
    Shown { text: json, escape: Escape::Json, longest: None }
}

/// Returns a token of a JSON pointer (RFC 6901), cut like a name unless `whole`.
pub(crate) fn pointer_token(name: &str, whole: bool) -> Shown<'_> {
    let longest = if whole { None } else { Some(LONGEST) };
    Shown { text: name, escape: if whole { Escape::Token } else { Escape::ShownToken }, longest }
}

/// Text from a file, formatted without hidden characters.
///
/// Created by [`shown`], [`printable`] and [`printable_json`].
#[derive(Clone, Copy, Debug)]
pub struct Shown<'t> {
    text: &'t str,
    escape: Escape,
    longest: Option<usize>,
}

impl Shown<'_> {
    /// Cuts the text after `characters`, and appends its length in bytes.
    #[must_use]
    pub fn at_most(self, characters: usize) -> Self {
        Self { longest: Some(characters), ..self }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut = self.longest.and_then(|longest| self.text.char_indices().nth(longest));
        let end = cut.map_or(self.text.len(), |(end, _)| end);
        let mut rest = self.text.get(..end).unwrap_or_default();
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| self.escape.applies_to(*c)) {
            let (before, after) = rest.split_at(at);
            f.write_str(before)?;
            self.escape.write(c, f)?;
            rest = after.get(c.len_utf8()..).unwrap_or_default();
        }
        f.write_str(rest)?;
        match cut {
            None => Ok(()),
            Some(_) => write!(f, "… ({} bytes)", self.text.len()),
        }
    }
}

/// The characters to escape, and the notation of escapes.
#[derive(Clone, Copy, Debug)]
enum Escape {
    /// Hidden characters, quotes and backslashes as in Rust.
    Name,
    /// Hidden characters as in Rust.
    Hidden,
    /// Hidden characters above ASCII as in JSON.
    Json,
    /// The characters that a token of a JSON pointer must escape.
    Token,
    /// Like `Token`, and hidden characters as in Rust.
    ShownToken,
}

impl Escape {
    fn applies_to(self, c: char) -> bool {
        match self {
            Self::Name => matches!(c, '"' | '\\') || is_hidden(c),
            Self::Hidden => is_hidden(c),
            // Control characters below this occur only between the tokens of JSON, never in its
            // strings.
            Self::Json => c > '\x1f' && is_hidden(c),
            Self::Token => matches!(c, '~' | '/'),
            Self::ShownToken => matches!(c, '~' | '/') || is_hidden(c),
        }
    }

    fn write(self, c: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self, c) {
            (Self::Json, _) => {
                let mut units = [0; 2];
                c.encode_utf16(&mut units).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))
            }
            (Self::Token | Self::ShownToken, '~') => f.write_str("~0"),
            (Self::Token | Self::ShownToken, '/') => f.write_str("~1"),
            _ => write!(f, "{}", c.escape_default()),
        }
    }
}

/// Returns whether a character is invisible: control characters, line and paragraph separators, and
/// those that Unicode calls bidirectional controls or default ignorable.
fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    matches!(c,
        '\u{80}'..='\u{9f}'
        | '\u{ad}' // soft hyphen
        | '\u{34f}' // combining grapheme joiner
        | '\u{61c}' // Arabic letter mark
        | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' // Hangul fillers
        | '\u{17b4}' | '\u{17b5}' // Khmer inherent vowels
        | '\u{180b}'..='\u{180f}' // Mongolian selectors
        | '\u{200b}'..='\u{200f}' // zero-width, marks of direction
        | '\u{2028}'..='\u{202e}' // separators, embeddings and overrides
        | '\u{2060}'..='\u{206f}' // word joiner, isolates
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' // variation selectors, byte order mark
        | '\u{fff0}'..='\u{fffb}'
        | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}' // tags, more variation selectors
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_control_characters() {
        assert_eq!(shown("\0\t\r\n\u{1b}\u{7f}\u{9b}").to_string(), {
            r"\u{0}\t\r\n\u{1b}\u{7f}\u{9b}"
        });
    }

    #[test]
    fn escapes_bidirectional_characters() {
        for c in ['\u{61c}', '\u{200e}', '\u{200f}']
            .into_iter()
            .chain('\u{202a}'..='\u{202e}')
            .chain('\u{2066}'..='\u{2069}')
        {
            assert_eq!(shown(&format!("a{c}b")).to_string(), format!("a{}b", c.escape_unicode()));
        }
    }

    #[test]
    fn escapes_zero_width_characters_and_separators() {
        for c in [
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{2060}',
            '\u{feff}',
            '\u{ad}',
            '\u{34f}',
            '\u{180e}',
            '\u{3164}',
            '\u{fe0f}',
            '\u{e0041}',
            '\u{2028}',
            '\u{2029}',
        ] {
            assert_eq!(printable(&c.to_string()).to_string(), c.escape_unicode().to_string());
        }
    }

    #[test]
    fn shows_letters_of_all_scripts_and_their_marks() {
        for text in ["Größe", "e\u{301}", "手の骨", "ज़ोर", "שלום", "it's 100 %", "🦴"]
        {
            assert_eq!(shown(text).to_string(), text);
        }
    }

    #[test]
    fn escapes_quotes_and_backslashes_only_in_names() {
        assert_eq!(shown("a\"\\u").to_string(), r#"a\"\\u"#);
        assert_eq!(printable("a\"\\u").to_string(), "a\"\\u");
    }

    #[test]
    fn cuts_names_after_64_characters() {
        let fits = "é".repeat(64);
        assert_eq!(shown(&fits).to_string(), fits);
        assert_eq!(shown(&format!("{fits}\u{202e}")).to_string(), format!("{fits}… (131 bytes)"));
        assert_eq!(shown(&"x".repeat(3_000_000)).to_string().chars().count(), 64 + 17);
    }

    #[cfg(feature = "text")]
    #[test]
    fn json_keeps_its_value() {
        let name = "\u{202e}a\u{7f}\u{e0041}\"\\\n";
        let json = format!("[\n{}\n]", serde_json::Value::from(name));
        let printed = printable_json(&json).to_string();
        assert_eq!(printed, "[\n\"\\u202ea\\u007f\\udb40\\udc41\\\"\\\\\\n\"\n]");
        let value: Vec<String> = serde_json::from_str(&printed).unwrap();
        assert_eq!(value, [name]);
    }
}
