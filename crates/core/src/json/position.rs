//! Lines and columns of bytes in a text.

use crate::num::u64_from_len;
use crate::{Finding, Position, ReadError};

/// Returns the position of a byte without its line and column, which [`resolve`] finds later.
pub fn unresolved(offset: usize) -> Position {
    Position::Text { line: 0, column: 0, offset: u64_from_len(offset) }
}

/// Finds the lines and columns of all findings in one pass through the text.
pub fn resolve(text: &str, findings: &mut [Finding]) {
    let mut open: Vec<&mut Position> = findings
        .iter_mut()
        .filter_map(|finding| finding.position.as_mut())
        .filter(|position| matches!(position, Position::Text { line: 0, .. }))
        .collect();
    open.sort_by_key(|position| position.offset());
    let mut walk = Walk::new(text);
    for position in open {
        *position = walk.to(position.offset());
    }
}

/// Finds the line and column of a byte.
pub fn locate(text: &str, offset: usize) -> Position {
    Walk::new(text).to(u64_from_len(offset))
}

/// Returns the text of a file.
///
/// # Errors
///
/// If the bytes are not UTF-8, at the first one that is not.
pub fn utf8(bytes: &[u8]) -> Result<&str, ReadError> {
    let error = match core::str::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let end = error.valid_up_to();
    let valid = bytes.get(..end).and_then(|valid| core::str::from_utf8(valid).ok());
    let found = match bytes {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "UTF-16 text".to_owned(),
        _ => bytes.get(end).map_or_else(String::new, |byte| format!("byte {byte:#04x}")),
    };
    let error = ReadError::invalid("UTF-8 text", found).with_hint("save it as UTF-8");
    Err(error.at_position(locate(valid.unwrap_or_default(), end)))
}

/// A scan through a text that counts lines and characters.
struct Walk<'t> {
    text: &'t str,
    /// The current byte, and its line and column.
    offset: usize,
    line: u64,
    column: u64,
}

impl<'t> Walk<'t> {
    fn new(text: &'t str) -> Self {
        // Editors do not show a byte order mark.
        let offset = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, offset, line: 1, column: 1 }
    }

    /// Moves to a byte at or after the current one.
    fn to(&mut self, offset: u64) -> Position {
        let bytes = self.text.as_bytes();
        let end = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let passed = bytes.get(self.offset..end).unwrap_or_default();
        let lines = passed.split(|byte| *byte == b'\n').count().saturating_sub(1);
        let begins = |byte: &&u8| **byte & 0xc0 != 0x80;
        let new = match passed.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                self.column = 1;
                passed.get(last.saturating_add(1)..).unwrap_or_default()
            }
            None => passed,
        };
        let characters = new.iter().filter(begins).count();
        self.line = self.line.saturating_add(u64_from_len(lines));
        self.column = self.column.saturating_add(u64_from_len(characters));
        self.offset = end.max(self.offset);
        Position::Text { line: self.line, column: self.column, offset }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line_and_column(text: &str, offset: usize) -> (u64, u64) {
        match locate(text, offset) {
            Position::Text { line, column, .. } => (line, column),
            other => panic!("not a place in a text: {other:?}"),
        }
    }

    #[test]
    fn columns_count_characters_from_1() {
        assert_eq!(line_and_column("ab", 0), (1, 1));
        assert_eq!(line_and_column("\u{e9}\u{1f9b4}x", 6), (1, 3));
        assert_eq!(line_and_column("a\r\nbc\n", 4), (2, 2));
        assert_eq!(line_and_column("a\n", 2), (2, 1));
        assert_eq!(line_and_column("a", 99), (1, 2));
    }

    #[test]
    fn a_byte_order_mark_takes_no_column() {
        assert_eq!(line_and_column("\u{feff}{", 3), (1, 1));
        assert_eq!(line_and_column("\u{feff}{", 0), (1, 1));
    }

    #[test]
    fn findings_in_any_order_get_their_lines() {
        let text = "a\nb\nc";
        let finding =
            |offset| Finding::new(crate::codes::TIMES_SORTED, "").position(unresolved(offset));
        let mut findings = [finding(4), finding(0), finding(2), finding(2)];
        resolve(text, &mut findings);
        let lines = findings.map(|finding| match finding.position {
            Some(Position::Text { line, .. }) => line,
            _ => 0,
        });
        assert_eq!(lines, [3, 1, 2, 2]);
    }
}
