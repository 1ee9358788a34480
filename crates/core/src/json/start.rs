//! Judges text by its first bytes.

use crate::num::u64_from_len;
use crate::{Position, ReadError};

const UTF_8_MARK: &[u8] = b"\xef\xbb\xbf";
const UTF_16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Checks that text with a JSON object can begin with `head`: the first character begins an object
/// or a comment, and no byte is a control character that JSON does not allow.
///
/// Mistakes within the object are left to the reader, which may repair them, and so is UTF-16, whose
/// error says what to do.
///
/// # Errors
///
/// If it cannot.
///
/// # Examples
///
/// ```
/// use inbetween_core::json::check_start;
///
/// assert!(check_start(b"\n{\"name\": \"wal").is_ok());
/// let error = check_start(b"GIF89a").unwrap_err();
/// assert_eq!(error.to_string(), "expected a JSON object, found byte 0x47 (at byte 0x0)");
/// ```
pub fn check_start(head: &[u8]) -> Result<(), ReadError> {
    if UTF_16_MARKS.iter().any(|mark| head.starts_with(mark)) {
        return Ok(());
    }
    let text = head.strip_prefix(UTF_8_MARK).unwrap_or(head).trim_ascii_start();
    let is_control = |byte: &u8| *byte < b' ' && !byte.is_ascii_whitespace();
    let wrong = match text.first() {
        None | Some(b'{' | b'/') => {
            text.iter().position(is_control).or_else(|| without_names(text))
        }
        Some(_) => Some(0),
    };
    let Some(wrong) = wrong else { return Ok(()) };
    let found = text.get(wrong).map_or_else(String::new, |byte| format!("byte {byte:#04x}"));
    let at = head.len().saturating_sub(text.len()).saturating_add(wrong);
    let error = ReadError::invalid("a JSON object", found);
    Err(error.at_position(Position::byte(u64_from_len(at))))
}

/// Returns the offset of what follows the brace of a long text in which no name begins.
fn without_names(text: &[u8]) -> Option<usize> {
    const LONG: usize = 1 << 15;
    let inside = text.strip_prefix(b"{").filter(|_| text.len() > LONG && !text.contains(&b'"'))?;
    inside.iter().position(|byte| !byte.is_ascii_whitespace()).map(|at| at.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::check_start;

    #[test]
    fn accepts_the_start_of_an_object_and_nothing_else() {
        for start in ["{", "\u{feff}\r\n\t{\"a\":", "// comment\n{", "{\"caf\u{e9}\u{7f}", "  "] {
            assert!(check_start(start.as_bytes()).is_ok(), "{start:?}");
        }
        let noise = format!("{{{}", "y\n".repeat(20_000));
        for start in ["[", "y\ny\n", "{\"a\0b\"", &noise] {
            assert!(check_start(start.as_bytes()).is_err(), "{start:?}");
        }
        let blank = format!("{{{}", " ".repeat(40_000));
        assert!(check_start(blank.as_bytes()).is_ok());
    }
}
