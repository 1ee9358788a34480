//! Names in the text form.

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;

use inbetween_core::text::{Hex, Name, Skip};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::X4aniName;

/// A name field: a string if only zeros follow the name; else an object with the bytes after it.
#[derive(Clone, Copy)]
pub(super) struct NameText<'a> {
    pub(super) field: X4aniName,
    text: PhantomData<&'a str>,
}

impl From<X4aniName> for NameText<'_> {
    fn from(field: X4aniName) -> Self {
        Self { field, text: PhantomData }
    }
}

/// A name, and the unusual parts of its field.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct NameObject<'a> {
    text: Name<'a>,
    /// The bytes after the NUL, up to the last one that is not 0.
    #[serde(default, skip_serializing_if = "Skip::skips")]
    tail: Hex<'a>,
    /// Whether the name fills all 64 bytes without a NUL.
    #[serde(default, skip_serializing_if = "Skip::skips")]
    unterminated: bool,
}

impl Serialize for NameText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = &self.field;
        let plain = core::str::from_utf8(name.bytes());
        if let (Ok(plain), true, false) = (plain, name.is_terminated(), name.has_garbage()) {
            return serializer.serialize_str(plain);
        }
        let text = Name(Cow::Borrowed(name.bytes()));
        let end =
            name.tail().iter().rposition(|&byte| byte != 0).map_or(0, |at| at.saturating_add(1));
        let tail = name.tail().get(..end).unwrap_or_default();
        NameObject { text, tail: Hex(tail.into()), unterminated: !name.is_terminated() }
            .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for NameText<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NameVisitor;

        impl<'de> Visitor<'de> for NameVisitor {
            type Value = X4aniName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name of at most 63 bytes, or an object with text and tail")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<X4aniName, E> {
                field(text.as_bytes(), &[], false)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<X4aniName, A::Error> {
                let name = NameObject::deserialize(MapAccessDeserializer::new(map))?;
                field(&name.text.0, &name.tail.0, name.unterminated)
            }
        }

        deserializer.deserialize_any(NameVisitor).map(Self::from)
    }
}

/// Builds the field from a name and the bytes after its NUL.
fn field<E: Error>(name: &[u8], tail: &[u8], unterminated: bool) -> Result<X4aniName, E> {
    let refuse = |expected: &str, found: usize| {
        Err(E::custom(format_args!("expected {expected}, found {found} bytes")))
    };
    if name.contains(&0) {
        return Err(E::custom("expected a name without NUL, found one with a NUL in it"));
    }
    if unterminated && name.len() != X4aniName::SIZE {
        return refuse("an unterminated name of 64 bytes", name.len());
    }
    if !unterminated && name.len() > X4aniName::LONGEST {
        return refuse("a name of at most 63 bytes", name.len());
    }
    let room = X4aniName::LONGEST.saturating_sub(name.len());
    if tail.len() > room {
        return refuse(&format!("a tail of at most {room} bytes after the name"), tail.len());
    }
    let mut field = X4aniName::default();
    let after = name.len().saturating_add(1);
    let bytes = name.iter().copied().enumerate();
    let bytes = bytes.chain((after..).zip(tail.iter().copied()));
    for (at, byte) in bytes {
        if let Some(to) = field.0.get_mut(at) {
            *to = byte;
        }
    }
    Ok(field)
}
