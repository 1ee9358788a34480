//! Names: raw bytes in the file, text everywhere else.

use inbetween_core::Text;
use inbetween_core::shown;

/// The detected encoding of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Valid UTF-8, including ASCII.
    Utf8,
    /// Anything else, read as Latin-1.
    Latin1,
}

/// Returns a name as text: decoded as UTF-8 if valid, else as Latin-1.
pub(crate) fn text(name: &[u8]) -> (Text, Encoding) {
    if let Ok(name) = core::str::from_utf8(name) {
        return (name.into(), Encoding::Utf8);
    }
    let latin: String = name.iter().copied().map(char::from).collect();
    (latin.into(), Encoding::Latin1)
}

/// Returns a name in quotes for a message.
pub(crate) fn show(name: &[u8]) -> String {
    format!("\"{}\"", shown(&text(name).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_utf8_is_read_as_latin1() {
        assert_eq!(text("j_\u{e9}".as_bytes()), ("j_\u{e9}".into(), Encoding::Utf8));
        assert_eq!(text(b"j_\xe9"), ("j_\u{e9}".into(), Encoding::Latin1));
    }
}
