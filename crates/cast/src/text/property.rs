//! Properties in the text form, one per line.

use core::fmt;
use std::borrow::Cow;

use inbetween_core::text::{Each, Float, Name, Skip};
use inbetween_core::{Record, View};
use serde::de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{CastNode, CastProperty, PropertyPart, PropertyType, PropertyValues, ValuesPart};

const MEMBERS: &[&str] = &["name", "type", "array_length", "value", "values"];

/// The encoded properties of a node.
pub(super) struct Properties<'a>(pub(super) CastNode<'a>);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.properties().map(PropertyText))
    }
}

impl Skip for Properties<'_> {
    fn skips(&self) -> bool {
        self.0.properties().next().is_none()
    }
}

/// An encoded property.
///
/// `type` comes before the values because it determines their type. A single value is the member
/// `value`; any other number of values is the list `values`.
struct PropertyText<'a>(CastProperty<'a>);

impl Serialize for PropertyText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(property) = self;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &Name(property.name().into()))?;
        map.serialize_entry("type", property.kind().name())?;
        match property.values() {
            PropertyValues::String(text) => {
                if property.array_length() != 1 {
                    map.serialize_entry("array_length", &property.array_length())?;
                }
                map.serialize_entry("value", &Name(text.into()))?;
            }
            PropertyValues::U8(view) => entry(&mut map, view, |number| number)?,
            PropertyValues::U16(view) => entry(&mut map, view, |number| number)?,
            PropertyValues::U32(view) => entry(&mut map, view, |number| number)?,
            PropertyValues::U64(view) => entry(&mut map, view, |number| number)?,
            PropertyValues::F32(view) => entry(&mut map, view, Float)?,
            PropertyValues::F64(view) => entry(&mut map, view, Float)?,
            PropertyValues::Vector2(view) => entry(&mut map, view, |value| value.map(Float))?,
            PropertyValues::Vector3(view) => entry(&mut map, view, |value| value.map(Float))?,
            PropertyValues::Vector4(view) => entry(&mut map, view, |value| value.map(Float))?,
        }
        map.end()
    }
}

fn entry<M: SerializeMap, R: Record, T: Serialize>(
    map: &mut M,
    view: View<'_, R>,
    mirror: impl Fn(R) -> T,
) -> Result<(), M::Error> {
    match (view.len(), view.iter().next()) {
        (1, Some(value)) => map.serialize_entry("value", &mirror(value)),
        _ => map.serialize_entry("values", &Each(|| view.iter().map(&mirror))),
    }
}

/// A parsed property.
pub(super) struct ParsedProperty(pub(super) PropertyPart);

impl<'de> Deserialize<'de> for ParsedProperty {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PropertyVisitor)
    }
}

struct PropertyVisitor;

impl<'de> Visitor<'de> for PropertyVisitor {
    type Value = ParsedProperty;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a property with the members name, type and value or values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ParsedProperty, A::Error> {
        let (mut name, mut kind, mut array_length, mut values) = (None, None, None, None);
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            let again = match &*key {
                "name" => name.replace(map.next_value::<Name<'_>>()?).is_some(),
                "type" => kind.replace(map.next_value::<TypeText>()?.0).is_some(),
                "array_length" => array_length.replace(map.next_value()?).is_some(),
                "value" | "values" => {
                    let kind = kind.ok_or_else(|| {
                        A::Error::custom("expected the member type before the values")
                    })?;
                    let one = key == "value";
                    values.replace(next_values(&mut map, kind, one)?).is_some()
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                    return Err(A::Error::unknown_field(&key, MEMBERS));
                }
            };
            if again {
                return Err(A::Error::custom(format_args!("expected {key} once, found it twice")));
            }
        }
        let name = name.ok_or_else(|| A::Error::missing_field("name"))?;
        let values = values.ok_or_else(|| A::Error::missing_field("values"))?;
        let name = name.0.into_owned();
        Ok(ParsedProperty(PropertyPart { name, array_length, values }))
    }
}

/// Parses the values of a type: a single one or a list.
fn next_values<'de, A: MapAccess<'de>>(
    map: &mut A,
    kind: PropertyType,
    one: bool,
) -> Result<ValuesPart, A::Error> {
    fn plain<'de, A: MapAccess<'de>, T: Deserialize<'de>>(
        map: &mut A,
        one: bool,
    ) -> Result<Vec<T>, A::Error> {
        if one { Ok(vec![map.next_value()?]) } else { map.next_value() }
    }
    fn floats<'de, A: MapAccess<'de>, T>(map: &mut A, one: bool) -> Result<Vec<T>, A::Error>
    where
        Float<T>: Deserialize<'de>,
    {
        Ok(plain::<A, Float<T>>(map, one)?.into_iter().map(|float| float.0).collect())
    }
    fn vectors<'de, A: MapAccess<'de>, const N: usize>(
        map: &mut A,
        one: bool,
    ) -> Result<Vec<[f32; N]>, A::Error>
    where
        [Float<f32>; N]: Deserialize<'de>,
    {
        let vectors = plain::<A, [Float<f32>; N]>(map, one)?;
        Ok(vectors.into_iter().map(|vector| vector.map(|float| float.0)).collect())
    }
    Ok(match kind {
        PropertyType::U8 => ValuesPart::U8(plain(map, one)?),
        PropertyType::U16 => ValuesPart::U16(plain(map, one)?),
        PropertyType::U32 => ValuesPart::U32(plain(map, one)?),
        PropertyType::U64 => ValuesPart::U64(plain(map, one)?),
        PropertyType::F32 => ValuesPart::F32(floats(map, one)?),
        PropertyType::F64 => ValuesPart::F64(floats(map, one)?),
        PropertyType::Vector2 => ValuesPart::Vector2(vectors(map, one)?),
        PropertyType::Vector3 => ValuesPart::Vector3(vectors(map, one)?),
        PropertyType::Vector4 => ValuesPart::Vector4(vectors(map, one)?),
        PropertyType::String if one => {
            ValuesPart::String(map.next_value::<Name<'_>>()?.0.into_owned())
        }
        PropertyType::String => {
            return Err(A::Error::custom("expected the member value, which is one string"));
        }
    })
}

/// The name of a type.
struct TypeText(PropertyType);

impl<'de> Deserialize<'de> for TypeText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TypeVisitor;

        impl Visitor<'_> for TypeVisitor {
            type Value = TypeText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let names = PropertyType::ALL.map(|kind| format!("\"{}\"", kind.name()));
                f.write_str(&names.join(", "))
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<TypeText, E> {
                let kind = PropertyType::from_name(name);
                let refused = || E::invalid_value(Unexpected::Str(name), &self);
                kind.map(TypeText).ok_or_else(refused)
            }
        }

        deserializer.deserialize_str(TypeVisitor)
    }
}
