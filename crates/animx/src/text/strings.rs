//! Strings and string values in the text form.

use core::fmt;
use std::borrow::Cow;

use inbetween_core::text::{Name, Skip};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{AnimxString, AnimxText, StringPart, TextPart};

/// A string, or an object with the string and its unusual encoding.
pub(super) struct TextText<'a>(TextObject<'a>);

/// A string and the padding of its length.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TextObject<'a> {
    text: Name<'a>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    length_padding: u8,
}

impl<'a> From<AnimxText<'a>> for TextText<'a> {
    fn from(text: AnimxText<'a>) -> Self {
        let length_padding = text.length_padding();
        Self(TextObject { text: Name(text.bytes().into()), length_padding })
    }
}

impl From<TextText<'_>> for TextPart {
    fn from(TextText(text): TextText<'_>) -> Self {
        Self { bytes: text.text.0.into_owned(), length_padding: text.length_padding }
    }
}

impl Serialize for TextText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match core::str::from_utf8(&self.0.text.0) {
            Ok(text) if self.0.length_padding == 0 => serializer.serialize_str(text),
            _ => self.0.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for TextText<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;

        impl<'de> Visitor<'de> for TextVisitor {
            type Value = TextText<'static>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, or an object with text and length_padding")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                let text = Name(Cow::Owned(text.into()));
                Ok(TextText(TextObject { text, length_padding: 0 }))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                TextObject::deserialize(MapAccessDeserializer::new(map)).map(TextText)
            }
        }

        deserializer.deserialize_any(TextVisitor)
    }
}

/// A string value: null, a string, or an object with its unusual encoding.
pub(super) struct StringText(pub(super) StringPart);

impl From<AnimxString<'_>> for StringText {
    fn from(string: AnimxString<'_>) -> Self {
        let text = string.text().unwrap_or_default().into();
        Self(StringPart { not_null: string.not_null(), text })
    }
}

/// A string value and its encoding.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct StringObject<'a> {
    text: Name<'a>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    length_padding: u8,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    not_null: Option<u8>,
}

impl Serialize for StringText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StringPart { not_null, text: TextPart { bytes, length_padding } } = &self.0;
        match (not_null, core::str::from_utf8(bytes), length_padding) {
            (0, ..) => serializer.serialize_unit(),
            (1, Ok(text), 0) => serializer.serialize_str(text),
            _ => {
                let text = Name(Cow::Borrowed(bytes));
                let not_null = (*not_null != 1).then_some(*not_null);
                let object = StringObject { text, length_padding: *length_padding, not_null };
                object.serialize(serializer)
            }
        }
    }
}

impl<'de> Deserialize<'de> for StringText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct StringVisitor;

        impl<'de> Visitor<'de> for StringVisitor {
            type Value = StringPart;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string, null, or an object with text, length_padding and not_null")
            }

            fn visit_unit<E: Error>(self) -> Result<StringPart, E> {
                Ok(StringPart::default())
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<StringPart, E> {
                Ok(StringPart { not_null: 1, text: text.into() })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<StringPart, A::Error> {
                let object = StringObject::deserialize(MapAccessDeserializer::new(map))?;
                let not_null = object.not_null.unwrap_or(1);
                if not_null == 0 {
                    let message = "expected a not_null that is not 0, or null for the whole value";
                    return Err(A::Error::custom(format_args!("{message}, found 0")));
                }
                let bytes = object.text.0.into_owned();
                let text = TextPart { bytes, length_padding: object.length_padding };
                Ok(StringPart { not_null, text })
            }
        }

        deserializer.deserialize_any(StringVisitor).map(Self)
    }
}
