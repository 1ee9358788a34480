//! Values of the 40 kinds in the text form.

use core::fmt;

use inbetween_core::text::Float;
use inbetween_core::{Color, Color32, Element, Quat, ValueKind, Values};
use serde::de::{DeserializeOwned, Error, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::strings::StringText;
use crate::wire::spare_bits;
use crate::{StringPart, ValuesPart};

/// Converts the values of a kind to and from cells of a text.
pub(super) trait Cell {
    /// A value for printing and parsing.
    type Text: Serialize + DeserializeOwned;

    /// The parsed values.
    type Column: Default;

    /// Returns a value of a column of the kind, or `None` if the index is out of range.
    fn get(values: &ValuesPart, index: usize) -> Option<Self::Text>;

    /// Appends a value.
    fn push(column: &mut Self::Column, value: Self::Text);

    /// Returns the column of a kind.
    fn part(kind: ValueKind, column: Self::Column) -> ValuesPart;
}

macro_rules! fixed {
    ($($type:ty as $text:ty: $to:expr, $from:expr;)*) => {$(
        impl Cell for $type {
            type Text = $text;
            type Column = Vec<$type>;

            fn get(values: &ValuesPart, index: usize) -> Option<$text> {
                let ValuesPart::Values(values) = values else { return None };
                values.as_slice::<$type>()?.get(index).copied().map($to)
            }

            fn push(column: &mut Vec<$type>, value: $text) {
                column.push($from(value));
            }

            fn part(_: ValueKind, column: Vec<$type>) -> ValuesPart {
                ValuesPart::Values(column.into())
            }
        }
    )*};
}

fn same<T>(value: T) -> T {
    value
}

fn floats<T, const N: usize>(values: [T; N]) -> [Float<T>; N] {
    values.map(Float)
}

fn numbers<T, const N: usize>(values: [Float<T>; N]) -> [T; N] {
    values.map(|float| float.0)
}

fixed! {
    u8 as u8: same, same;
    u16 as u16: same, same;
    u32 as u32: same, same;
    u64 as u64: same, same;
    i8 as i8: same, same;
    i16 as i16: same, same;
    i32 as i32: same, same;
    i64 as i64: same, same;
    [i32; 2] as [i32; 2]: same, same;
    [i32; 3] as [i32; 3]: same, same;
    [i32; 4] as [i32; 4]: same, same;
    [u32; 2] as [u32; 2]: same, same;
    [u32; 3] as [u32; 3]: same, same;
    [u32; 4] as [u32; 4]: same, same;
    [i64; 2] as [i64; 2]: same, same;
    [i64; 3] as [i64; 3]: same, same;
    [i64; 4] as [i64; 4]: same, same;
    f32 as Float<f32>: Float, |float: Float<f32>| float.0;
    [f32; 2] as [Float<f32>; 2]: floats, numbers;
    [f32; 3] as [Float<f32>; 3]: floats, numbers;
    [f32; 4] as [Float<f32>; 4]: floats, numbers;
    Quat<f32> as [Float<f32>; 4]: |quat: Quat<f32>| floats(quat.to_array()),
        |parts| Quat::from_array(numbers(parts));
    [[f32; 2]; 2] as [[Float<f32>; 2]; 2]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    [[f32; 3]; 3] as [[Float<f32>; 3]; 3]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    [[f32; 4]; 4] as [[Float<f32>; 4]; 4]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    f64 as Float<f64>: Float, |float: Float<f64>| float.0;
    [f64; 2] as [Float<f64>; 2]: floats, numbers;
    [f64; 3] as [Float<f64>; 3]: floats, numbers;
    [f64; 4] as [Float<f64>; 4]: floats, numbers;
    Quat<f64> as [Float<f64>; 4]: |quat: Quat<f64>| floats(quat.to_array()),
        |parts| Quat::from_array(numbers(parts));
    [[f64; 2]; 2] as [[Float<f64>; 2]; 2]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    [[f64; 3]; 3] as [[Float<f64>; 3]; 3]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    [[f64; 4]; 4] as [[Float<f64>; 4]; 4]: |rows: Self| rows.map(floats),
        |rows: Self::Text| rows.map(numbers);
    Color as [Float<f32>; 4]: |color: Color| floats(color.to_array()),
        |parts| Color::from_array(numbers(parts));
    Color32 as [u8; 4]: Color32::to_array, Color32::from_array;
}

/// Values of `bool` to `bool4` by their bytes; a byte with unused bits set is a number.
macro_rules! flags {
    ($($type:ty, $count:literal, $byte:expr;)*) => {$(
        impl Cell for $type {
            type Text = Flags<$count>;
            type Column = Vec<u8>;

            fn get(values: &ValuesPart, index: usize) -> Option<Flags<$count>> {
                let byte = match values {
                    ValuesPart::Flags { bytes, .. } => bytes.get(index).copied(),
                    ValuesPart::Values(values) => {
                        values.as_slice::<$type>()?.get(index).copied().map($byte)
                    }
                    ValuesPart::Strings(_) => None,
                };
                byte.map(Flags)
            }

            fn push(column: &mut Vec<u8>, value: Flags<$count>) {
                column.push(value.0);
            }

            fn part(kind: ValueKind, bytes: Vec<u8>) -> ValuesPart {
                ValuesPart::Flags { kind, bytes }
            }
        }
    )*};
}

fn byte_of<const N: usize>(flags: [bool; N]) -> u8 {
    flags.iter().rev().fold(0, |byte, &flag| byte << 1 | u8::from(flag))
}

flags! {
    bool, 1, u8::from;
    [bool; 2], 2, byte_of;
    [bool; 3], 3, byte_of;
    [bool; 4], 4, byte_of;
}

/// A byte of `COUNT` flags: a boolean, a list of them, or a number if unused bits are set.
pub(super) struct Flags<const COUNT: usize>(u8);

impl<const COUNT: usize> Flags<COUNT> {
    fn kind() -> ValueKind {
        match COUNT {
            1 => <bool as Element>::KIND,
            2 => <[bool; 2] as Element>::KIND,
            3 => <[bool; 3] as Element>::KIND,
            _ => <[bool; 4] as Element>::KIND,
        }
    }
}

impl<const COUNT: usize> Serialize for Flags<COUNT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(byte) = *self;
        if byte & spare_bits(Self::kind()) != 0 {
            serializer.serialize_u8(byte)
        } else if COUNT == 1 {
            serializer.serialize_bool(byte != 0)
        } else {
            serializer.collect_seq((0..COUNT).map(|bit| byte >> bit & 1 != 0))
        }
    }
}

impl<'de, const COUNT: usize> Deserialize<'de> for Flags<COUNT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FlagsVisitor<const COUNT: usize>;

        impl<'de, const COUNT: usize> Visitor<'de> for FlagsVisitor<COUNT> {
            type Value = u8;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match COUNT {
                    1 => f.write_str("true, false or the number of a byte"),
                    _ => write!(f, "a list of {COUNT} flags or the number of a byte"),
                }
            }

            fn visit_bool<E: Error>(self, flag: bool) -> Result<u8, E> {
                match COUNT {
                    1 => Ok(u8::from(flag)),
                    _ => Err(E::invalid_type(Unexpected::Bool(flag), &self)),
                }
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<u8, E> {
                let byte = u8::try_from(number);
                byte.map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u8, A::Error> {
                if COUNT == 1 {
                    return Err(A::Error::invalid_type(Unexpected::Seq, &self));
                }
                let (mut byte, mut count) = (0, 0);
                while let Some(flag) = seq.next_element::<bool>()? {
                    if count == COUNT {
                        return Err(A::Error::invalid_length(COUNT.saturating_add(1), &self));
                    }
                    byte |= u8::from(flag) << count;
                    count = count.saturating_add(1);
                }
                if count == COUNT { Ok(byte) } else { Err(A::Error::invalid_length(count, &self)) }
            }
        }

        deserializer.deserialize_any(FlagsVisitor::<COUNT>).map(Self)
    }
}

/// Values of `string`.
pub(super) struct Strings;

impl Cell for Strings {
    type Text = StringText;
    type Column = Vec<StringPart>;

    fn get(values: &ValuesPart, index: usize) -> Option<StringText> {
        match values {
            ValuesPart::Strings(strings) => strings.get(index).cloned().map(StringText),
            ValuesPart::Values(Values::String(strings)) => strings.get(index).map(|text| {
                StringText(text.map_or_else(StringPart::default, |text| StringPart {
                    not_null: 1,
                    text: text.into(),
                }))
            }),
            _ => None,
        }
    }

    fn push(column: &mut Vec<StringPart>, value: StringText) {
        column.push(value.0);
    }

    fn part(_: ValueKind, column: Vec<StringPart>) -> ValuesPart {
        ValuesPart::Strings(column)
    }
}
