//! Strings of a file as text.

use inbetween_core::{Text, shown};

/// The detected encoding of a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Valid UTF-8, including ASCII.
    Utf8,
    /// Anything else, read as Latin-1.
    Latin1,
}

/// Returns a string as text: decoded as UTF-8 if valid, otherwise as Latin-1.
pub(crate) fn text(bytes: &[u8]) -> (Text, Encoding) {
    if let Ok(text) = core::str::from_utf8(bytes) {
        return (text.into(), Encoding::Utf8);
    }
    let latin: String = bytes.iter().copied().map(char::from).collect();
    (latin.into(), Encoding::Latin1)
}

/// Returns a string in quotes for a message.
pub(crate) fn show(bytes: &[u8]) -> String {
    format!("\"{}\"", shown(&text(bytes).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_that_are_not_utf8_are_latin1() {
        assert_eq!(text("j_\u{e9}".as_bytes()), ("j_\u{e9}".into(), Encoding::Utf8));
        assert_eq!(text(b"j_\xe9"), ("j_\u{e9}".into(), Encoding::Latin1));
    }
}
