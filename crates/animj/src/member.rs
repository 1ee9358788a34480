//! Unknown members.

use inbetween_core::json::{Json, Tolerance, locate};
use inbetween_core::{ReadError, Text};

use crate::codes;

/// An unknown member of the root or of a track's `data`.
///
/// Its value is kept as text without white space, so numbers and the order of inner members stay
/// unchanged.
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

/// The largest nesting depth of a member's value: the default of
/// [`Limits::depth`](inbetween_core::Limits) minus the levels above `data`.
const DEPTH: usize = 60;

impl Member {
    /// Creates a member from a name and JSON text.
    ///
    /// # Errors
    ///
    /// If `json` is not exactly one JSON value, or nests more than 60 levels deep.
    pub fn new(name: impl Into<Text>, json: &str) -> Result<Self, ReadError> {
        let mut reader = Json::new(json, DEPTH, Tolerance::Strict, &codes::JSON);
        reader.space();
        match reader.skip_value().and_then(|value| reader.end().map(|()| value)) {
            Ok(value) => Ok(Self::of_valid(name, value)),
            Err(fault) => Err(ReadError::new(fault.0.kind).at_position(locate(json, fault.0.at))),
        }
    }

    /// Creates a member from text that was parsed before.
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

/// Returns the length of the string at the start of a text, including quotes.
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
    fn white_space_inside_strings_is_kept() {
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
