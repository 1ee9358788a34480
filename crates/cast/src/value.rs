//! The values of properties.

use inbetween_core::View;

use crate::layout::PropertyType;

/// The encoded values of a property.
#[derive(Clone, Copy, Debug)]
pub enum PropertyValues<'a> {
    /// `b`.
    U8(View<'a, u8>),
    /// `h`.
    U16(View<'a, u16>),
    /// `i`.
    U32(View<'a, u32>),
    /// `l`.
    U64(View<'a, u64>),
    /// `f`.
    F32(View<'a, f32>),
    /// `d`.
    F64(View<'a, f64>),
    /// `s`: the string without its NUL.
    String(&'a [u8]),
    /// `2v`.
    Vector2(View<'a, [f32; 2]>),
    /// `3v`.
    Vector3(View<'a, [f32; 3]>),
    /// `4v`.
    Vector4(View<'a, [f32; 4]>),
}

impl<'a> PropertyValues<'a> {
    /// Creates values from their bytes, for a string without the NUL.
    pub(crate) fn new(kind: PropertyType, data: &'a [u8]) -> Self {
        match kind {
            PropertyType::U8 => Self::U8(View::new(data, ())),
            PropertyType::U16 => Self::U16(View::new(data, ())),
            PropertyType::U32 => Self::U32(View::new(data, ())),
            PropertyType::U64 => Self::U64(View::new(data, ())),
            PropertyType::F32 => Self::F32(View::new(data, ())),
            PropertyType::F64 => Self::F64(View::new(data, ())),
            PropertyType::String => Self::String(data),
            PropertyType::Vector2 => Self::Vector2(View::new(data, ())),
            PropertyType::Vector3 => Self::Vector3(View::new(data, ())),
            PropertyType::Vector4 => Self::Vector4(View::new(data, ())),
        }
    }

    /// Returns the number of values; 1 for a string.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(view) => view.len(),
            Self::U16(view) => view.len(),
            Self::U32(view) => view.len(),
            Self::U64(view) => view.len(),
            Self::F32(view) => view.len(),
            Self::F64(view) => view.len(),
            Self::String(_) => 1,
            Self::Vector2(view) => view.len(),
            Self::Vector3(view) => view.len(),
            Self::Vector4(view) => view.len(),
        }
    }

    /// Returns whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies the values.
    pub fn to_part(&self) -> ValuesPart {
        match self {
            Self::U8(view) => ValuesPart::U8(view.bytes().to_vec()),
            Self::U16(view) => ValuesPart::U16(view.column(None, |value| value)),
            Self::U32(view) => ValuesPart::U32(view.column(None, |value| value)),
            Self::U64(view) => ValuesPart::U64(view.column(None, |value| value)),
            Self::F32(view) => ValuesPart::F32(view.column(None, |value| value)),
            Self::F64(view) => ValuesPart::F64(view.column(None, |value| value)),
            Self::String(text) => ValuesPart::String(text.to_vec()),
            Self::Vector2(view) => ValuesPart::Vector2(view.column(None, |value| value)),
            Self::Vector3(view) => ValuesPart::Vector3(view.column(None, |value| value)),
            Self::Vector4(view) => ValuesPart::Vector4(view.column(None, |value| value)),
        }
    }
}

/// The values of a property as owned data.
#[derive(Clone, Debug, PartialEq)]
pub enum ValuesPart {
    /// `b`.
    U8(Vec<u8>),
    /// `h`.
    U16(Vec<u16>),
    /// `i`.
    U32(Vec<u32>),
    /// `l`.
    U64(Vec<u64>),
    /// `f`.
    F32(Vec<f32>),
    /// `d`.
    F64(Vec<f64>),
    /// `s`: any bytes but NUL.
    String(Vec<u8>),
    /// `2v`.
    Vector2(Vec<[f32; 2]>),
    /// `3v`.
    Vector3(Vec<[f32; 3]>),
    /// `4v`.
    Vector4(Vec<[f32; 4]>),
}

impl ValuesPart {
    /// Returns the type of the values.
    pub const fn kind(&self) -> PropertyType {
        match self {
            Self::U8(_) => PropertyType::U8,
            Self::U16(_) => PropertyType::U16,
            Self::U32(_) => PropertyType::U32,
            Self::U64(_) => PropertyType::U64,
            Self::F32(_) => PropertyType::F32,
            Self::F64(_) => PropertyType::F64,
            Self::String(_) => PropertyType::String,
            Self::Vector2(_) => PropertyType::Vector2,
            Self::Vector3(_) => PropertyType::Vector3,
            Self::Vector4(_) => PropertyType::Vector4,
        }
    }

    /// Returns the number of values; 1 for a string.
    pub const fn len(&self) -> usize {
        match self {
            Self::U8(values) => values.len(),
            Self::U16(values) => values.len(),
            Self::U32(values) => values.len(),
            Self::U64(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::String(_) => 1,
            Self::Vector2(values) => values.len(),
            Self::Vector3(values) => values.len(),
            Self::Vector4(values) => values.len(),
        }
    }

    /// Returns whether there are no values.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
