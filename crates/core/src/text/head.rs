//! The first members of a text form: its format and the version of the text.

use core::fmt;
use std::borrow::Cow;

use serde::de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{serde_error, without_mark};
use crate::{ReadError, ReadErrorKind, shown};

/// The member `format`, which comes first: the id of the format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tag(pub &'static str);

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

impl<'de> Deserialize<'de> for Tag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // It was checked before anything else was parsed.
        IgnoredAny::deserialize(deserializer).map(|_| Self(""))
    }
}

/// The member `text_version`: 1, the only version of the text forms.
#[derive(Clone, Copy, Debug, Default)]
pub struct Version;

const VERSION: u64 = 1;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u64::deserialize(deserializer)? {
            VERSION => Ok(Self),
            other => Err(D::Error::invalid_value(
                Unexpected::Unsigned(other),
                &"1, the version of the text form that this build packs",
            )),
        }
    }
}

/// Returns the id of the format of a text form: the string value of the first member, `format`.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::format_of;
///
/// assert_eq!(format_of(br#"{"format": "seanim", "text_version": 1}"#), Some("seanim".into()));
/// assert_eq!(format_of(br#"{"name": "walk", "tracks": []}"#), None);
/// ```
pub fn format_of(text: &[u8]) -> Option<String> {
    const FORMAT: &str = "format";
    let text = without_mark(text);
    let mut first = true;
    let mut found = None;
    let stop = |key: &str| !core::mem::take(&mut first) || key != FORMAT;
    members(text, FORMAT, stop, &mut found);
    found
}

/// Returns a member of the root object, if it comes before another member.
///
/// For values that must be known before the rest is parsed; mistakes in the text are reported when
/// the rest is parsed.
pub fn peek<'t, T: Deserialize<'t>>(text: &'t [u8], name: &str, before: &str) -> Option<T> {
    let mut found = None;
    members(without_mark(text), name, |key| key == before, &mut found);
    found
}

/// Visits the members of an object up to a stop condition, and keeps the one with a given name.
fn members<'t, T: Deserialize<'t>>(
    text: &'t [u8],
    name: &str,
    stop: impl FnMut(&str) -> bool,
    found: &mut Option<T>,
) {
    struct Members<'a, T, F> {
        name: &'a str,
        stop: F,
        found: &'a mut Option<T>,
    }

    impl<'t, T: Deserialize<'t>, F: FnMut(&str) -> bool> Visitor<'t> for Members<'_, T, F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<(), A::Error> {
            while let Some(key) = map.next_key::<Cow<'_, str>>()? {
                if (self.stop)(&key) {
                    break;
                }
                if key == self.name {
                    *self.found = Some(map.next_value()?);
                    break;
                }
                map.next_value::<IgnoredAny>()?;
            }
            // The rest is not read; serde_json would report it as trailing characters.
            Ok(())
        }
    }

    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let _ = deserializer.deserialize_map(Members { name, stop, found });
}

/// Returns an error if a text is not the text form of a format.
pub(crate) fn check(text: &[u8], format: &'static str) -> Result<(), ReadError> {
    let expected = format!("a text form of {format}, whose first member is \"format\"");
    let found: Cow<'static, str> = match format_of(text) {
        Some(found) if found == format => return Ok(()),
        Some(found) => format!("that of \"{}\"", shown(&found)).into(),
        None => return Err(serde_error::of_no_text_form(text, expected).in_format(format)),
    };
    let kind = ReadErrorKind::Invalid { expected: expected.into(), found };
    Err(ReadError::new(kind).in_format(format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_comes_first() {
        assert_eq!(format_of(b"\xef\xbb\xbf {\"format\":\"a\\u0062\", broken"), Some("ab".into()));
        for text in [
            &b""[..],
            b"{}",
            b"[]",
            b"{\"a\": 1, \"format\": \"x\"}",
            b"{\"format\": 1}",
            b"{\"format\": \"x",
            b"\x05Other",
        ] {
            assert_eq!(format_of(text), None, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn a_member_is_found_only_before_another_one() {
        let text = br#"{"format": "x", "deep": [[{"b": 2}]], "a": 1, "b": 5, "c": 7}"#;
        assert_eq!(peek::<u32>(text, "b", "c"), Some(5));
        assert_eq!(peek::<u32>(text, "c", "b"), None);
        assert_eq!(peek::<u32>(text, "deep", "c"), None);
    }
}
