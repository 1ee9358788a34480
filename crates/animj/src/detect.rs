//! Detects AnimJ and its white space without parsing the JSON.

use inbetween_core::Confidence;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The number of bytes to look at.
const HEAD: usize = 4096;

/// Returns how likely a file is AnimJ.
pub(crate) fn probe(bytes: &[u8], named: bool) -> Confidence {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes).trim_ascii_start();
    if text.first() != Some(&b'{') {
        return Confidence::No;
    }
    let head = text.get(..HEAD).unwrap_or(text);
    let has = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
    if has(b"\"tracks\"") && has(b"\"trackType\"") {
        Confidence::Certain
    } else if named || has(b"\"tracks\"") || has(b"\"globalDuration\"") || has(b"\"name\"") {
        Confidence::Likely
    } else {
        Confidence::Possible
    }
}

/// Describes the white space of a text: `indented by 2 spaces, LF`.
pub(crate) fn describe(bytes: &[u8]) -> String {
    let (mark, text) = match bytes.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (", byte order mark", text),
        None => ("", bytes),
    };
    let mut lines = text.trim_ascii_end().split(|byte| *byte == b'\n');
    let ending = match lines.next() {
        Some([.., b'\r']) => "CRLF",
        _ => "LF",
    };
    let mut indents = lines.map(|line| line.iter().take_while(|byte| **byte == b' ').count());
    let Some(first) = indents.next() else { return format!("one line{mark}") };
    let indented = indents.chain([first]).filter(|indent| *indent > 0).min();
    let tabs = text.windows(2).any(|pair| pair == b"\n\t");
    match indented {
        _ if tabs => format!("indented by tabs, {ending}{mark}"),
        None => format!("not indented, {ending}{mark}"),
        Some(1) => format!("indented by 1 space, {ending}{mark}"),
        Some(spaces) => format!("indented by {spaces} spaces, {ending}{mark}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_is_more_confident_the_more_members_it_finds() {
        assert_eq!(probe(b"{\"tracks\":[{\"trackType\":", false), Confidence::Certain);
        assert_eq!(probe(b"\xef\xbb\xbf\n{ \"globalDuration\"", false), Confidence::Likely);
        assert_eq!(probe(b"{}", true), Confidence::Likely);
        assert_eq!(probe(b"{}", false), Confidence::Possible);
        assert_eq!(probe(b"[\"tracks\"]", true), Confidence::No);
        assert_eq!(probe(b"", true), Confidence::No);
    }

    #[test]
    fn white_space_is_described() {
        assert_eq!(describe(b"{}\n"), "one line");
        assert_eq!(describe(b"{\r\n    \"a\": {\r\n        1}\r\n}"), "indented by 4 spaces, CRLF");
        assert_eq!(describe(b"\xef\xbb\xbf{\n\t1\n}"), "indented by tabs, LF, byte order mark");
        assert_eq!(describe(b"{\n}"), "not indented, LF");
        assert_eq!(describe(b"{\n 1\n}"), "indented by 1 space, LF");
    }
}
