//! Builds the bytes of files field by field.

/// Builds little-endian bytes, one field after the other.
///
/// Fixtures are built with it, not with our writers, because tests would not notice an error that
/// the reader and the writer share.
///
/// # Examples
///
/// ```
/// use inbetween_testing::ByteBuilder;
///
/// let bytes = ByteBuilder::new().bytes(b"ab").u16(0x102).cstr("c").build();
/// assert_eq!(bytes, [b'a', b'b', 2, 1, b'c', 0]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ByteBuilder {
    bytes: Vec<u8>,
}

macro_rules! numbers {
    ($($name:ident, $many:ident: $type:ty;)*) => {$(
        #[doc = concat!("Appends a `", stringify!($type), "`.")]
        #[must_use]
        pub fn $name(mut self, value: $type) -> Self {
            self.bytes.extend_from_slice(&value.to_le_bytes());
            self
        }

        #[doc = concat!("Appends some `", stringify!($type), "`, one after the other.")]
        #[must_use]
        pub fn $many(self, values: &[$type]) -> Self {
            self.each(values, |builder, &value| builder.$name(value))
        }
    )*};
}

impl ByteBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    numbers! {
        u8, u8s: u8;
        u16, u16s: u16;
        u32, u32s: u32;
        u64, u64s: u64;
        i8, i8s: i8;
        i16, i16s: i16;
        i32, i32s: i32;
        i64, i64s: i64;
        f32, f32s: f32;
        f64, f64s: f64;
    }

    /// Appends bytes unchanged.
    #[must_use]
    pub fn bytes(mut self, bytes: impl AsRef<[u8]>) -> Self {
        self.bytes.extend_from_slice(bytes.as_ref());
        self
    }

    /// Appends some zero bytes.
    #[must_use]
    pub fn zeros(mut self, count: usize) -> Self {
        self.bytes.resize(self.bytes.len() + count, 0);
        self
    }

    /// Appends text or raw name bytes, and a NUL.
    #[must_use]
    pub fn cstr(self, text: impl AsRef<[u8]>) -> Self {
        self.bytes(text).u8(0)
    }

    /// Appends text in a field of `size` bytes, padded with zeros.
    #[must_use]
    pub fn padded_str(self, text: impl AsRef<[u8]>, size: usize) -> Self {
        let text = text.as_ref();
        assert!(text.len() <= size, "{} bytes of text in a field of {size}", text.len());
        self.bytes(text).zeros(size - text.len())
    }

    /// Appends a number with seven bits per byte, the lowest first, as .NET writes lengths.
    #[must_use]
    pub fn seven_bit(self, value: u64) -> Self {
        let bits = 64 - value.leading_zeros();
        self.seven_bit_in(value, usize::try_from(bits.div_ceil(7).max(1)).unwrap_or(1))
    }

    /// Like [`seven_bit`](Self::seven_bit), in exactly `size` bytes. An overlong form is one that
    /// readers accept and writers must keep.
    #[must_use]
    pub fn seven_bit_in(mut self, value: u64, size: usize) -> Self {
        let mut rest = value;
        for index in 0..size {
            let more = if index + 1 < size { 0x80 } else { 0 };
            let [low, ..] = rest.to_le_bytes();
            self.bytes.push(low & 0x7f | more);
            rest >>= 7;
        }
        assert_eq!(rest, 0, "{value} does not fit into {size} bytes of seven bits");
        self
    }

    /// Appends the length of a text in bytes, with seven bits per byte, and the text.
    #[must_use]
    pub fn dotnet_string(self, text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let length = inbetween_core::num::u64_from_len(text.len());
        self.seven_bit(length).bytes(text)
    }

    /// Calls `append` for each item.
    #[must_use]
    pub fn each<T>(
        self,
        items: impl IntoIterator<Item = T>,
        append: impl FnMut(Self, T) -> Self,
    ) -> Self {
        items.into_iter().fold(self, append)
    }

    /// Calls a function that appends a part.
    #[must_use]
    pub fn with(self, append: impl FnOnce(Self) -> Self) -> Self {
        append(self)
    }

    /// Overwrites the bytes at `offset`, to change a field of an existing file.
    #[must_use]
    pub fn patch(mut self, offset: usize, bytes: impl AsRef<[u8]>) -> Self {
        let bytes = bytes.as_ref();
        self.bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Keeps the first `length` bytes, to truncate a file.
    #[must_use]
    pub fn cut(mut self, length: usize) -> Self {
        assert!(length <= self.bytes.len(), "{length} bytes of {} to keep", self.bytes.len());
        self.bytes.truncate(length);
        self
    }

    /// Returns the number of bytes so far, which is the offset of the next one.
    pub fn offset(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes.
    pub fn build(self) -> Vec<u8> {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::ByteBuilder;

    #[test]
    fn seven_bit_numbers_match_dotnet() {
        let encoded = |value| ByteBuilder::new().seven_bit(value).build();
        assert_eq!(encoded(0), [0]);
        assert_eq!(encoded(127), [0x7f]);
        assert_eq!(encoded(128), [0x80, 0x01]);
        assert_eq!(encoded(300), [0xac, 0x02]);
        assert_eq!(encoded(u64::MAX).len(), 10);
    }

    #[test]
    fn padded_numbers_have_the_same_value_in_more_bytes() {
        assert_eq!(ByteBuilder::new().seven_bit_in(5, 3).build(), [0x85, 0x80, 0x00]);
    }

    #[test]
    #[should_panic(expected = "does not fit")]
    fn a_number_that_does_not_fit_is_refused() {
        let _ = ByteBuilder::new().seven_bit_in(128, 1);
    }

    #[test]
    fn patches_keep_the_length() {
        let bytes = ByteBuilder::new().u32(1).patch(1, [9, 9]).build();
        assert_eq!(bytes, [1, 9, 9, 0]);
    }
}
