//! Prints mirror types as text.

use std::io;

use serde::Serialize;
use serde_json::Serializer;

use super::Layout;
use super::layout::Breaker;
use crate::num::u64_from_len;
use crate::{Limits, ReadError, ReadErrorKind};

/// The allowed bytes of text per decoded byte: a float of four bytes takes up to sixteen
/// characters.
const TEXT: u64 = 4;

/// The initial capacity of a text.
const SMALL: usize = 1024;

/// Prints the mirror type of a file of `input` bytes.
///
/// # Errors
///
/// [`ReadErrorKind::Limit`] if the text is longer than four times the allowed decoded bytes.
pub fn print(
    mirror: &impl Serialize,
    layout: Layout,
    input: usize,
    limits: &Limits,
) -> Result<Vec<u8>, ReadError> {
    let limit = limits.decoded_for(input).saturating_mul(TEXT);
    let mut sink = Sink { text: Vec::new(), limit, refused: false };
    let mut serializer = Serializer::with_formatter(&mut sink, Breaker::new(layout));
    let printed = mirror.serialize(&mut serializer);
    if sink.refused || u64_from_len(sink.text.len()) > limit {
        return Err(ReadError::limit("bytes of text", limit.saturating_add(1), limit));
    }
    if let Err(error) = printed {
        let message = error.to_string().into();
        return Err(ReadError::new(ReadErrorKind::Json { message }));
    }
    sink.text.push(b'\n');
    Ok(sink.text)
}

/// A text with a size limit.
struct Sink {
    text: Vec<u8>,
    limit: u64,
    refused: bool,
}

impl io::Write for Sink {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes).map(|()| bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.text.spare_capacity_mut().len() < bytes.len() {
            self.make_room(bytes.len())?;
        }
        self.text.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    /// The limit is checked only when the text grows, so the text may exceed it by the spare
    /// capacity.
    #[cold]
    fn make_room(&mut self, more: usize) -> io::Result<()> {
        if u64_from_len(self.text.len().saturating_add(more)) > self.limit {
            self.refused = true;
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        // Grows by half: doubling would hold more memory, and growing by an eighth would copy too
        // often.
        self.text.reserve_exact(more.max(self.text.len() / 2).max(SMALL));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const LAYOUT: Layout = Layout { open: &["bones"], lines: &["keys"] };

    fn printed(value: &serde_json::Value) -> String {
        String::from_utf8(print(value, LAYOUT, 0, &Limits::default()).unwrap()).unwrap()
    }

    #[test]
    fn a_key_takes_one_line_and_a_bone_several() {
        let bone =
            json!({"keys": [{"time": 0, "value": [1, 2]}, {}], "name": "keys", "open": [[1]]});
        let text = printed(&json!({"bones": [bone, {}], "keys": [], "size": {"keys": [1]}}));
        let expected = r#"{
  "bones": [
    {
      "keys": [
        {"time": 0, "value": [1, 2]},
        {}
      ],
      "name": "keys",
      "open": [[1]]
    },
    {}
  ],
  "keys": [],
  "size": {"keys": [1]}
}
"#;
        assert_eq!(text, expected);
    }

    #[test]
    fn hidden_characters_are_visible_wherever_they_are() {
        for length in 0..20 {
            for at in 0..=length {
                for hidden in ["\u{7f}", "\u{200b}", "\u{202e}"] {
                    let string = format!("{}{hidden}{}", "~".repeat(at), " ".repeat(length - at));
                    // As a name, as a member of the root, and as a value.
                    let value = json!({ &string: { &string: &string } });
                    let text = printed(&value);
                    assert!(!text.contains(hidden), "{text:?}");
                    assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), value);
                }
            }
        }
        assert_eq!(printed(&json!("~ é \"\n")), "\"~ é \\\"\\n\"\n");
    }

    #[test]
    fn rejects_a_text_beyond_the_limit() {
        let limits = Limits { decoded_bytes: Some(100), ..Limits::default() };
        let long = json!({"a": "x".repeat(1000)});
        let error = print(&long, LAYOUT, 0, &limits).unwrap_err();
        assert_eq!(error.to_string(), "401 bytes of text requested, the limit is 400");
        assert!(print(&json!({"a": 1}), LAYOUT, 0, &limits).is_ok());
    }
}
