//! Numbers stored as seven bits per byte.

use crate::ReadErrorKind;
use crate::parse::{Fault, PResult, bytes};

/// A number stored as seven bits per byte, the lowest first, as .NET writes lengths (LEB128).
///
/// Readers accept overlong encodings, so the encoding is part of the number: writing it returns the
/// same bytes.
///
/// # Examples
///
/// ```
/// use inbetween_core::SevenBit;
///
/// let mut bytes = Vec::new();
/// SevenBit::new(300).encode(&mut bytes);
/// assert_eq!(bytes, [0xac, 0x02]);
///
/// let (rest, number) = SevenBit::parse(&[0x85, 0x00, 0xff])?;
/// assert_eq!((number.value(), number.padding(), rest), (5, 1, &[0xff][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct SevenBit {
    value: u64,
    padding: u8,
}

/// The size of the largest number in bytes.
const LONGEST: u8 = 10;

impl SevenBit {
    /// Creates a number in its shortest encoding.
    pub const fn new(value: u64) -> Self {
        Self { value, padding: 0 }
    }

    /// Creates a number with `padding` bytes beyond its shortest encoding, or returns `None` if
    /// that exceeds ten bytes in total.
    pub const fn padded(value: u64, padding: u8) -> Option<Self> {
        if padding == 0 || padding <= LONGEST.saturating_sub(shortest(value)) {
            Some(Self { value, padding })
        } else {
            None
        }
    }

    /// Returns the number.
    pub const fn value(self) -> u64 {
        self.value
    }

    /// Returns the number of bytes beyond its shortest encoding.
    pub const fn padding(self) -> u8 {
        self.padding
    }

    /// Returns the number of bytes, 1 to 10.
    pub const fn size(self) -> u8 {
        shortest(self.value).saturating_add(self.padding)
    }

    /// Parses a number.
    ///
    /// # Errors
    ///
    /// If the bytes end within the number, or it does not fit into 64 bits in ten bytes.
    #[inline]
    pub fn parse(input: &[u8]) -> PResult<'_, Self> {
        match input {
            [byte @ 0..0x80, rest @ ..] => Ok((rest, Self::new(u64::from(*byte)))),
            _ => Self::parse_long(input),
        }
    }

    fn parse_long(input: &[u8]) -> PResult<'_, Self> {
        let mut value: u64 = 0;
        let mut rest = input;
        for size in 1..=LONGEST {
            let (next, block) = bytes(1)(rest)?;
            let byte = block.first().copied().unwrap_or_default();
            rest = next;
            let shift = u32::from(size.saturating_sub(1)).saturating_mul(7);
            let bits = u64::from(byte & 0x7f);
            // The tenth byte can hold only one bit.
            if size == LONGEST && byte > 1 {
                break;
            }
            value |= bits.wrapping_shl(shift);
            if byte & 0x80 == 0 {
                let padding = size.saturating_sub(shortest(value));
                return Ok((rest, Self { value, padding }));
            }
        }
        let kind = ReadErrorKind::Invalid {
            expected: "a number of 64 bits in at most 10 bytes of seven bits".into(),
            found: "a longer one".into(),
        };
        Err(nom::Err::Error(Fault::new(input, kind)))
    }

    /// Appends the bytes of the number.
    #[inline]
    pub fn encode(self, out: &mut Vec<u8>) {
        match (u8::try_from(self.value), self.padding) {
            (Ok(byte @ 0..0x80), 0) => out.push(byte),
            _ => self.encode_long(out),
        }
    }

    fn encode_long(self, out: &mut Vec<u8>) {
        let mut rest = self.value;
        for _ in 1..self.size() {
            let [low, ..] = rest.to_le_bytes();
            out.push(low | 0x80);
            rest >>= 7;
        }
        let [low, ..] = rest.to_le_bytes();
        out.push(low & 0x7f);
    }
}

/// Returns the number of bytes of the shortest encoding of a number.
const fn shortest(value: u64) -> u8 {
    let mut rest = value >> 7;
    let mut size: u8 = 1;
    while rest > 0 {
        size = size.saturating_add(1);
        rest >>= 7;
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(number: SevenBit) -> Vec<u8> {
        let mut out = Vec::new();
        number.encode(&mut out);
        out
    }

    #[test]
    fn numbers_are_encoded_as_in_dotnet() {
        let shortest = |value| encoded(SevenBit::new(value));
        assert_eq!(shortest(0), [0]);
        assert_eq!(shortest(127), [0x7f]);
        assert_eq!(shortest(128), [0x80, 0x01]);
        assert_eq!(
            shortest(u64::MAX),
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]
        );
    }

    #[test]
    fn every_encoding_is_kept() {
        let numbers: [(&[u8], u8); 4] =
            [(&[0x85, 0x80, 0x00], 2), (&[0x80, 0x00], 1), (&[0xac, 0x82, 0x00], 1), (&[0x00], 0)];
        for (bytes, padding) in numbers {
            let (rest, number) = SevenBit::parse(bytes).unwrap();
            assert!(rest.is_empty());
            assert_eq!(number.padding(), padding);
            assert_eq!(encoded(number), bytes);
        }
    }

    #[test]
    fn ten_bytes_hold_exactly_sixty_four_bits() {
        let mut largest = [0xff; 10];
        largest[9] = 0x01;
        assert_eq!(SevenBit::parse(&largest).unwrap().1.value(), u64::MAX);
        largest[9] = 0x02;
        assert!(SevenBit::parse(&largest).is_err());
        largest[9] = 0x81;
        assert!(SevenBit::parse(&largest).is_err());
        assert!(SevenBit::parse(&[0x80; 11]).is_err());
        assert_eq!(SevenBit::padded(u64::MAX, 0).map(SevenBit::size), Some(10));
        assert_eq!(SevenBit::padded(0, 9).map(SevenBit::size), Some(10));
        assert_eq!(SevenBit::padded(0, 10), None);
        assert_eq!(SevenBit::padded(128, 9), None);
    }

    #[test]
    fn a_truncated_number_is_an_unexpected_end() {
        let mut cursor = crate::parse::ByteCursor::new("test", &[0x01, 0x80]);
        cursor.parse("first", SevenBit::parse).unwrap();
        let error = cursor.parse("second", SevenBit::parse).unwrap_err();
        assert_eq!(error.to_string(), "test: second: need 1 byte, 0 left (at byte 0x2)");
    }
}
