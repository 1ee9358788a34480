//! Finds the position of a value in a JSON text.

use crate::num::u64_from_len;
use crate::{Position, Segment};

/// Returns the offset of the value at the end of a path, and the number of steps of the path that
/// exist in the text.
pub(super) fn locate(text: &[u8], path: &[Segment]) -> (usize, usize) {
    let mut scan = Scan { text, at: 0 };
    scan.space();
    let mut found = scan.at;
    for (steps, segment) in path.iter().enumerate() {
        let entered = match segment {
            Segment::Index(index) => scan.enter_item(*index),
            Segment::Field(name) => scan.enter_member(name),
            Segment::Name(name) => scan.enter_member(name),
        };
        match entered {
            Some(at) => found = at,
            None => return (found, steps),
        }
    }
    (found, path.len())
}

/// Returns the line and the column of a byte.
pub(super) fn position(text: &[u8], offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let mut lines = before.split(|&byte| byte == b'\n');
    let line = lines.clone().count();
    let in_line = lines.next_back().unwrap_or_default();
    let column = String::from_utf8_lossy(in_line).chars().count().saturating_add(1);
    let [line, column, offset] = [line, column, before.len()].map(u64_from_len);
    Position::Text { line, column, offset }
}

/// Converts a line and column of `serde_json`, which counts bytes, to an offset.
pub(super) fn offset(text: &[u8], line: usize, column: usize) -> usize {
    let before = text.split_inclusive(|&byte| byte == b'\n').take(line.saturating_sub(1));
    let start = before.map(<[u8]>::len).fold(0, usize::saturating_add);
    start.saturating_add(column.saturating_sub(1)).min(text.len())
}

/// A position in a text that is valid JSON up to there.
#[derive(Clone, Copy)]
struct Scan<'t> {
    text: &'t [u8],
    at: usize,
}

impl Scan<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn step(&mut self) {
        self.at = self.at.saturating_add(1);
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.step();
        }
    }

    /// Skips a byte and the white space around it, if it comes next.
    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let next = self.peek() == Some(byte);
        if next {
            self.step();
            self.space();
        }
        next
    }

    /// Moves to an item of the list that starts here.
    fn enter_item(&mut self, index: u64) -> Option<usize> {
        if !self.takes(b'[') {
            return None;
        }
        for _ in 0..index {
            self.value();
            if !self.takes(b',') {
                return None;
            }
        }
        Some(self.at)
    }

    /// Moves to a member of the object that starts here.
    fn enter_member(&mut self, name: &str) -> Option<usize> {
        if !self.takes(b'{') {
            return None;
        }
        loop {
            let start = self.at;
            self.value();
            let key = self.text.get(start..self.at)?;
            if !self.takes(b':') {
                return None;
            }
            if serde_json::from_slice::<String>(key).is_ok_and(|key| key == name) {
                return Some(self.at);
            }
            self.value();
            if !self.takes(b',') {
                return None;
            }
        }
    }

    /// Skips a value.
    fn value(&mut self) {
        let mut depth: usize = 0;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => self.string(),
                b'[' | b'{' => {
                    depth = depth.saturating_add(1);
                    self.step();
                }
                b']' | b'}' | b',' | b':' if depth == 0 => return,
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    self.step();
                }
                _ if depth == 0 && byte.is_ascii_whitespace() => return,
                _ => {
                    self.step();
                    continue;
                }
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.step();
        while let Some(byte) = self.peek() {
            self.step();
            match byte {
                b'"' => return,
                b'\\' => self.step(),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = br#" {"a\"b": [1, "]\\", {"x": {}}] , "n" : -5}"#;

    fn at(path: &[Segment]) -> (&'static str, usize) {
        let (offset, steps) = locate(TEXT, path);
        (str::from_utf8(&TEXT[offset..]).unwrap(), steps)
    }

    #[test]
    fn values_are_found_by_path() {
        let list = || Segment::Name("a\"b".into());
        assert!(at(&[Segment::Name("n".into())]).0.starts_with("-5"));
        assert!(at(&[list(), Segment::Index(1)]).0.starts_with("\"]"));
        assert!(at(&[list(), Segment::Index(2), Segment::Field("x")]).0.starts_with("{}}]"));
        assert!(at(&[]).0.starts_with("{\"a"));
    }

    #[test]
    fn a_missing_value_gives_its_container() {
        let (text, steps) = at(&[Segment::Name("a\"b".into()), Segment::Index(3)]);
        assert!(text.starts_with("[1"));
        assert_eq!(steps, 1);
        assert_eq!(at(&[Segment::Field("x"), Segment::Index(0)]).1, 0);
        for broken in [&b""[..], b"{", b"{\"x\"", b"{\"x\":", b"[", b"[1,", b"\"", b"{1"] {
            let _ = locate(broken, &[Segment::Field("x"), Segment::Index(2)]);
            let _ = locate(broken, &[Segment::Index(2)]);
        }
    }

    #[test]
    fn columns_count_characters() {
        let text = "a\né\"x".as_bytes();
        let Position::Text { line, column, offset } = position(text, 4) else { panic!() };
        assert_eq!((line, column, offset), (2, 2, 4));
        assert_eq!(super::offset(text, 2, 3), 4);
        assert_eq!(super::offset(text, 9, 9), text.len());
    }
}
