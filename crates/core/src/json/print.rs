//! Printing strings.

use std::fmt::Write as _;

/// Appends a string in quotes, with the escapes that JSON requires.
///
/// # Examples
///
/// ```
/// let mut out = String::new();
/// inbetween_core::json::push_string(&mut out, "a\"b");
/// assert_eq!(out, r#""a\"b""#);
/// ```
#[inline]
pub fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(needs_escape) {
        let (plain, special) = rest.split_at(at);
        out.push_str(plain);
        let mut chars = special.chars();
        push_escape(out, chars.next().unwrap_or_default());
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Returns whether JSON requires an escape. All such characters are ASCII.
#[inline]
const fn needs_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | 0..0x20)
}

fn push_escape(out: &mut String, char: char) {
    match char {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        control => {
            // Writing to a string does not fail.
            let _ = write!(out, "\\u{:04x}", u32::from(control));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_escape_what_json_requires() {
        let mut out = String::new();
        push_string(&mut out, "\"\\\n\u{1}\u{7f}\u{e9}/");
        assert_eq!(out, "\"\\\"\\\\\\n\\u0001\u{7f}\u{e9}/\"");
    }
}
