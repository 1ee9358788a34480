//! Members that the format does not know.

use inbetween_core::{ReadError, Text};

use crate::json::{Json, Tolerance};
use crate::place::locate;

/// A member of the root or of a track's `data` that the format does not know.
///
/// Its value is kept as text without white space, so that numbers and the order of inner
/// members stay what they are.
///
/// # Examples
///
/// ```
/// use inbetween_animj::Member;
///
/// let member = Member::new("author", "{ \"name\": \"me\",  \"since\": 2.50 }")?;
/// assert_eq!(member.json(), r#"{"name":"me","since":2.50}"#);
/// assert!(Member::new("author", "me").is_err());
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    name: Text,
    json: Box<str>,
}

/// How deep the value of a member may nest: what the default of
/// [`Limits::depth`](inbetween_core::Limits) leaves below `data`.
const DEPTH: usize = 60;

impl Member {
    /// Makes a member of a name and a JSON text.
    ///
    /// # Errors
    ///
    /// When `json` is not one JSON value, or nests more than 60 deep.
    pub fn new(name: impl Into<Text>, json: &str) -> Result<Self, ReadError> {
        let mut reader = Json::new(json, DEPTH, Tolerance::Strict);
        reader.space();
        match reader.skip_value().and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => Ok(Self::of_valid(name, value)),
            Err(fault) => Err(ReadError::new(fault.0.kind).at_position(locate(json, fault.0.at))),
        }
    }

    /// Makes a member of text that was read as JSON before.
    pub(crate) fn of_valid(name: impl Into<Text>, json: &str) -> Self {
        Self { name: name.into(), json: compact(json) }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value as JSON text without white space.
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// Strips white space outside strings.
fn compact(json: &str) -> Box<str> {
    let mut compact = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(quote) = rest.find('"') {
        let (between, string) = rest.split_at(quote);
        let string = string.get(..string_length(string)).unwrap_or(string);
        compact.extend(between.split_ascii_whitespace());
        compact.push_str(string);
        rest = rest.get(quote.saturating_add(string.len())..).unwrap_or_default();
    }
    compact.extend(rest.split_ascii_whitespace());
    compact.into_boxed_str()
}

/// The length of the string at the start of a text, quotes included.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |inside| inside.saturating_add(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_inside_strings_stays() {
        let member = Member::new("a", "\n[ \"x \\\" y\" , \t\"\\\\\", 1.0 ]").unwrap();
        assert_eq!(member.json(), "[\"x \\\" y\",\"\\\\\",1.0]");
    }

    #[test]
    fn nesting_is_limited() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Member::new("a", &nested(60)).is_ok());
        assert!(Member::new("a", &nested(61)).is_err());
    }
}
