//! The values of properties.

use inbetween_core::View;

/// The type of the values of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyType {
    /// `b`: unsigned, one byte.
    U8,
    /// `h`: unsigned, two bytes.
    U16,
    /// `i`: unsigned, four bytes.
    U32,
    /// `l`: unsigned, eight bytes; also the hash of a node.
    U64,
    /// `f`: four bytes.
    F32,
    /// `d`: eight bytes.
    F64,
    /// `s`: one string, terminated by a NUL byte.
    String,
    /// `2v`: two `f32`.
    Vector2,
    /// `3v`: three `f32`.
    Vector3,
    /// `4v`: four `f32`.
    Vector4,
}

impl PropertyType {
    /// Every type.
    pub const ALL: [Self; 10] = [
        Self::U8,
        Self::U16,
        Self::U32,
        Self::U64,
        Self::F32,
        Self::F64,
        Self::String,
        Self::Vector2,
        Self::Vector3,
        Self::Vector4,
    ];

    /// Returns the name in the specification: `h`, `3v`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "b",
            Self::U16 => "h",
            Self::U32 => "i",
            Self::U64 => "l",
            Self::F32 => "f",
            Self::F64 => "d",
            Self::String => "s",
            Self::Vector2 => "2v",
            Self::Vector3 => "3v",
            Self::Vector4 => "4v",
        }
    }

    /// Returns the type with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|each| each.name() == name)
    }

    /// Returns the number in the file: the bytes of the name, padded with NUL.
    pub(crate) const fn code(self) -> u16 {
        match self {
            Self::U8 => 0x62,
            Self::U16 => 0x68,
            Self::U32 => 0x69,
            Self::U64 => 0x6c,
            Self::F32 => 0x66,
            Self::F64 => 0x64,
            Self::String => 0x73,
            Self::Vector2 => 0x7632,
            Self::Vector3 => 0x7633,
            Self::Vector4 => 0x7634,
        }
    }

    /// Returns the type of a number in the file.
    #[inline]
    pub(crate) const fn from_code(code: u16) -> Option<Self> {
        Some(match code {
            0x62 => Self::U8,
            0x68 => Self::U16,
            0x69 => Self::U32,
            0x6c => Self::U64,
            0x66 => Self::F32,
            0x64 => Self::F64,
            0x73 => Self::String,
            0x7632 => Self::Vector2,
            0x7633 => Self::Vector3,
            0x7634 => Self::Vector4,
            _ => return None,
        })
    }

    /// Returns the size of a value in bytes, or `None` for a string, which ends with a NUL byte.
    pub const fn size(self) -> Option<usize> {
        match self {
            Self::U8 => Some(1),
            Self::U16 => Some(2),
            Self::U32 | Self::F32 => Some(4),
            Self::U64 | Self::F64 | Self::Vector2 => Some(8),
            Self::Vector3 => Some(12),
            Self::Vector4 => Some(16),
            Self::String => None,
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_of_types_agree() {
        for kind in PropertyType::ALL {
            let mut bytes = kind.name().as_bytes().to_vec();
            bytes.resize(2, 0);
            assert_eq!(kind.code().to_le_bytes(), *bytes);
            assert_eq!(PropertyType::from_code(kind.code()), Some(kind));
            assert_eq!(PropertyType::from_name(kind.name()), Some(kind));
        }
        assert_eq!(PropertyType::from_code(0x7631), None);
    }
}
