//! The bridge to nom: parsers for small items, and a cursor that adds locations to errors.
//!
//! nom reads headers, strings, counts and records. Blocks of keys are taken whole and decoded
//! through a [`View`](crate::View), which is many times faster.
//!
//! nom types are part of this module's API, so a new major version of nom is a breaking change of
//! this crate.

use nom::bytes::complete::take;
use nom::error::{ErrorKind, ParseError};

use crate::num::{len_from_u64, u64_from_len};
use crate::{Count, Path, Position, ReadError, ReadErrorKind, Record, Space};

/// The result of a parser over bytes.
pub type PResult<'a, T> = nom::IResult<&'a [u8], T, Fault<'a>>;

/// The error of a parser: where it stopped, and what it expected.
#[derive(Clone, Debug)]
pub struct Fault<'a> {
    at: &'a [u8],
    kind: Option<Box<ReadErrorKind>>,
}

impl<'a> Fault<'a> {
    /// Creates an error at the start of `at`.
    pub fn new(at: &'a [u8], kind: ReadErrorKind) -> Self {
        Self { at, kind: Some(Box::new(kind)) }
    }

    #[cold]
    fn end(at: &'a [u8], needed: u64) -> nom::Err<Self> {
        let available = u64_from_len(at.len());
        nom::Err::Error(Self::new(at, ReadErrorKind::UnexpectedEnd { needed, available }))
    }
}

impl<'a> ParseError<&'a [u8]> for Fault<'a> {
    fn from_error_kind(at: &'a [u8], _: ErrorKind) -> Self {
        Self { at, kind: None }
    }

    fn append(_: &'a [u8], _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Takes `count` bytes.
///
/// # Errors
///
/// If fewer bytes remain.
pub fn bytes(count: usize) -> impl for<'a> Fn(&'a [u8]) -> PResult<'a, &'a [u8]> {
    claimed(u64_from_len(count))
}

/// Takes as many bytes as the file claims, which may be more than the machine can address.
///
/// # Errors
///
/// If fewer bytes remain.
pub fn claimed(count: u64) -> impl for<'a> Fn(&'a [u8]) -> PResult<'a, &'a [u8]> {
    move |input| {
        let taken = take::<_, _, Fault<'_>>(len_from_u64(count))(input);
        taken.map_err(|_| Fault::end(input, count))
    }
}

/// Takes a record of fixed layout, such as a number, a vector or a quaternion.
///
/// # Errors
///
/// If too few bytes remain.
pub fn record<R: Record<Layout = ()>>(input: &[u8]) -> PResult<'_, R> {
    let (rest, block) = bytes(R::SIZE)(input)?;
    R::decode(block, ())
        .map(|record| (rest, record))
        .ok_or_else(|| Fault::end(input, u64_from_len(R::SIZE)))
}

/// Takes a string up to a NUL byte, and the NUL; returns the string.
///
/// # Errors
///
/// If there is no NUL.
#[inline]
pub fn until_nul(input: &[u8]) -> PResult<'_, &[u8]> {
    // nom's `take_until` searches for substrings; searching for a byte is faster.
    let length = position_of_nul(input);
    match length.and_then(|length| input.split_at_checked(length)) {
        Some((text, [_, rest @ ..])) => Ok((rest, text)),
        _ => Err(no_nul(input)),
    }
}

/// Returns the index of the first NUL byte, comparing eight bytes at a time.
#[inline]
fn position_of_nul(input: &[u8]) -> Option<usize> {
    let (words, tail) = input.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        // Subtracting 1 from each byte borrows from the highest bit of the first byte that is 0, and
        // of none below it.
        let word = u64::from_le_bytes(*word);
        let nul = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
        if nul != 0 {
            let within = len_from_u64(u64::from(nul.trailing_zeros() / u8::BITS));
            return index.checked_mul(8)?.checked_add(within);
        }
    }
    let before = input.len().saturating_sub(tail.len());
    tail.iter().position(|&byte| byte == 0)?.checked_add(before)
}

#[cold]
fn no_nul(input: &[u8]) -> nom::Err<Fault<'_>> {
    let kind = ReadErrorKind::Invalid {
        expected: "a name that ends with a NUL byte".into(),
        found: "the end of the file".into(),
    };
    nom::Err::Error(Fault::new(input, kind))
}

/// Reads bytes from start to end and adds locations to errors.
///
/// # Examples
///
/// ```
/// use inbetween_core::parse::{self, ByteCursor};
///
/// let mut cursor = ByteCursor::new("mine", &[3, 0, 7]);
/// let count: u16 = cursor.parse("count", parse::record)?;
/// assert_eq!((count, cursor.offset()), (3, 2));
/// let error = cursor.parse("size", parse::record::<u32>).unwrap_err();
/// assert_eq!(error.to_string(), "mine: size: need 4 bytes, 1 left (at byte 0x2)");
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByteCursor<'a> {
    format: &'static str,
    space: Space,
    whole: &'a [u8],
    rest: &'a [u8],
}

impl<'a> ByteCursor<'a> {
    /// Creates a cursor at the start of a file.
    pub const fn new(format: &'static str, whole: &'a [u8]) -> Self {
        Self { format, space: Space::File, whole, rest: whole }
    }

    /// Creates a cursor at the start of a decompressed section.
    pub const fn in_space(format: &'static str, space: Space, whole: &'a [u8]) -> Self {
        Self { format, space, whole, rest: whole }
    }

    /// Returns the number of bytes read.
    pub const fn offset(&self) -> usize {
        self.whole.len().saturating_sub(self.rest.len())
    }

    /// Returns the remaining bytes.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the position of the next byte.
    pub fn position(&self) -> Position {
        Position::Byte { space: self.space, offset: u64_from_len(self.offset()) }
    }

    /// Runs a parser on the remaining bytes and advances past what it consumed.
    ///
    /// # Errors
    ///
    /// The parser's error, with the field as path and the position of the byte.
    #[inline]
    pub fn parse<T>(
        &mut self,
        field: &'static str,
        parser: impl FnOnce(&'a [u8]) -> PResult<'a, T>,
    ) -> Result<T, ReadError> {
        match parser(self.rest) {
            Ok((rest, value)) => {
                self.rest = rest;
                Ok(value)
            }
            Err(error) => Err(self.failed(error, field)),
        }
    }

    /// Takes a block of `count` items of `size` bytes each.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::UnexpectedEnd`] if fewer bytes follow.
    pub fn block(
        &mut self,
        field: &'static str,
        count: u64,
        size: usize,
    ) -> Result<&'a [u8], ReadError> {
        let count = self.count(field, count, size)?;
        // `Count` was checked against the remaining bytes, so the product does not exceed them.
        self.parse(field, bytes(count.get().saturating_mul(size)))
    }

    /// Checks a count from the file against the bytes that follow.
    ///
    /// # Errors
    ///
    /// [`ReadErrorKind::UnexpectedEnd`] if they cannot hold this many items.
    pub fn count(
        &self,
        field: &'static str,
        claimed: u64,
        min_size: usize,
    ) -> Result<Count, ReadError> {
        Count::checked(claimed, min_size, self.rest.len()).map_err(|error| self.place(error, field))
    }

    /// Adds the format, the field and the position of the next byte to an error.
    pub fn place(&self, error: ReadError, field: &'static str) -> ReadError {
        error.in_format(self.format).at_path(Path::field(field)).at_position(self.position())
    }

    #[cold]
    fn failed(&self, error: nom::Err<Fault<'a>>, field: &'static str) -> ReadError {
        let (at, kind) = match error {
            nom::Err::Error(fault) | nom::Err::Failure(fault) => (fault.at, fault.kind),
            nom::Err::Incomplete(_) => (self.rest, None),
        };
        let offset = self.whole.len().saturating_sub(at.len());
        let position = Position::Byte { space: self.space, offset: u64_from_len(offset) };
        let kind = kind.map_or_else(
            || {
                let available = u64_from_len(at.len());
                ReadErrorKind::UnexpectedEnd { needed: available.saturating_add(1), available }
            },
            |kind| *kind,
        );
        ReadError::new(kind)
            .in_format(self.format)
            .at_path(Path::field(field))
            .at_position(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_incomplete_error_of_nom_is_an_unexpected_end() {
        let mut cursor = ByteCursor::new("test", &[1]);
        let error = cursor
            .parse("field", |_| -> PResult<'_, ()> {
                Err(nom::Err::Incomplete(nom::Needed::Unknown))
            })
            .unwrap_err();
        assert!(matches!(error.kind(), ReadErrorKind::UnexpectedEnd { .. }));
    }

    #[test]
    fn rejects_a_block_beyond_the_input_without_consuming_bytes() {
        let mut cursor = ByteCursor::new("test", &[0; 4]);
        assert!(cursor.block("keys", u64::MAX, usize::MAX).is_err());
        assert_eq!(cursor.offset(), 0);
    }

    #[test]
    fn a_name_ends_at_its_first_nul_at_any_place() {
        for start in 0..9 {
            for length in 0..20 {
                let mut bytes = vec![0x80; length];
                bytes.extend([0, 1, 0, 0xff]);
                bytes.extend(vec![b'x'; start]);
                let (rest, name) = until_nul(&bytes).unwrap();
                assert_eq!((name, rest), (&bytes[..length], &bytes[length + 1..]));
                assert!(until_nul(name).is_err());
            }
        }
    }

    #[test]
    fn an_unterminated_name_is_reported_at_its_start() {
        let mut cursor = ByteCursor::new("test", b"ab\0cd");
        assert_eq!(cursor.parse("names", until_nul).unwrap(), b"ab");
        let error = cursor.parse("names", until_nul).unwrap_err();
        assert_eq!(
            error.to_string(),
            "test: names: expected a name that ends with a NUL byte, found the end of the file \
             (at byte 0x3)"
        );
    }
}
