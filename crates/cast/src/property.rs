//! A property of a node: its name and its encoded values.

use inbetween_core::{num, parse};

use crate::layout::{PROPERTY_HEAD, PropertyType};
use crate::value::PropertyValues;

/// A property of a node: its name and its encoded values.
#[derive(Clone, Copy, Debug)]
pub struct CastProperty<'f> {
    pub(crate) name: &'f [u8],
    pub(crate) kind: PropertyType,
    pub(crate) array_length: u32,
    pub(crate) data: &'f [u8],
}

impl<'f> CastProperty<'f> {
    /// Returns the name; UTF-8 in all known files.
    pub const fn name(&self) -> &'f [u8] {
        self.name
    }

    /// Returns the type of the values.
    pub const fn kind(&self) -> PropertyType {
        self.kind
    }

    /// Returns the number of values that the file states; for a string it should be 1.
    pub const fn array_length(&self) -> u32 {
        self.array_length
    }

    /// Returns the text if the property is a string.
    pub(crate) fn string(&self) -> Option<&'f [u8]> {
        match self.values() {
            PropertyValues::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the values.
    pub fn values(&self) -> PropertyValues<'f> {
        PropertyValues::new(self.kind, self.data)
    }
}

/// Parses a property; returns the bytes after it too, or `None` if the property is broken.
///
/// Every property is parsed at least twice, so this does not look for the place of an error, as
/// `Reader::broken` does.
// `inline`: a call returns its result through memory, and properties are parsed several times.
#[inline]
pub(crate) fn property(input: &[u8]) -> Option<(&[u8], CastProperty<'_>)> {
    let (head, rest) = input.split_first_chunk::<PROPERTY_HEAD>()?;
    let [code_low, code_high, name_low, name_high, count @ ..] = *head;
    let kind = PropertyType::from_code(u16::from_le_bytes([code_low, code_high]))?;
    let name = u16::from_le_bytes([name_low, name_high]);
    let (name, rest) = rest.split_at_checked(name.into())?;
    let array_length = u32::from_le_bytes(count);
    let (rest, data) = match kind.size() {
        None => parse::until_nul(rest).ok()?,
        Some(size) => {
            let size = num::len_from_u64(bytes_of(array_length, size));
            let (data, rest) = rest.split_at_checked(size)?;
            (rest, data)
        }
    };
    Some((rest, CastProperty { name, kind, array_length, data }))
}

/// Returns the number of bytes of values.
#[inline]
pub(crate) fn bytes_of(count: u32, size: usize) -> u64 {
    u64::from(count).saturating_mul(num::u64_from_len(size))
}
