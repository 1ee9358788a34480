//! Printing strings.

use std::fmt::Write as _;

use super::string::plain_length;

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
    loop {
        // All characters that need an escape are ASCII.
        let (plain, special) = rest.split_at(plain_length(rest.as_bytes()));
        out.push_str(plain);
        let mut chars = special.chars();
        let Some(next) = chars.next() else { break };
        push_escape(out, next);
        rest = chars.as_str();
    }
    out.push('"');
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
