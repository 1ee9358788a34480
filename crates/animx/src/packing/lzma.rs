//! One LZMA stream after its properties and sizes.

use inbetween_core::parse::ByteCursor;
use inbetween_core::{Budget, ReadError, Record};

use crate::file::Section;

/// The advice for a section that this build cannot decompress.
pub(crate) const NO_LZMA: &str =
    "build inbetween-animx with its feature `lzma`, or save the file uncompressed";

/// The size of the header: properties, uncompressed size and compressed size.
pub(crate) const HEAD: usize = 21;

/// The first invalid property byte: `(pb * 5 + lp) * 9 + lc` is always below it.
const FIRST_IMPOSSIBLE: u8 = 225;

/// The header of a stream.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "lzma"), expect(dead_code, reason = "only unpacking needs the fields"))]
pub(crate) struct LzmaHead {
    properties: u8,
    dictionary: u32,
    /// The uncompressed size.
    unpacked: u64,
    /// The stated size of the stream.
    pub(crate) packed: u64,
}

impl LzmaHead {
    /// Reads the header of a stream, or returns the reason why this cannot be LZMA.
    pub(crate) fn of(section: &[u8]) -> Result<Self, &'static str> {
        let short = "it is shorter than 22 bytes";
        let properties = *section.first().ok_or(short)?;
        let number = |from: usize| section.get(from..).and_then(|rest| i64::decode(rest, ()));
        let dictionary = section.get(1..).and_then(|rest| u32::decode(rest, ())).ok_or(short)?;
        let (unpacked, packed) = number(5).zip(number(13)).ok_or(short)?;
        let stream = section.get(HEAD..).unwrap_or_default();
        let first = *stream.first().ok_or(short)?;
        let left = inbetween_core::num::u64_from_len(stream.len());
        let unpacked = u64::try_from(unpacked).map_err(|_| "its size is negative")?;
        let packed = u64::try_from(packed).ok().filter(|packed| *packed <= left);
        let packed = packed.ok_or("its packed size is negative or beyond the file")?;
        if properties >= FIRST_IMPOSSIBLE {
            return Err("its property byte is above 224");
        }
        if first != 0 {
            return Err("its stream does not begin with 0");
        }
        Ok(Self { properties, dictionary, unpacked, packed })
    }
}

#[cfg(not(feature = "lzma"))]
#[expect(clippy::unnecessary_wraps, reason = "with the feature it can fail")]
pub(super) fn unpack(
    _: LzmaHead,
    _: &mut ByteCursor<'_>,
    _: &mut Budget,
) -> Result<Section, ReadError> {
    Ok(Section::Sealed)
}

#[cfg(not(feature = "lzma"))]
pub(super) fn pack(_: &[u8]) -> Result<Vec<u8>, &'static str> {
    Err(NO_LZMA)
}

#[cfg(feature = "lzma")]
pub(super) use with_feature::{pack, unpack};

#[cfg(feature = "lzma")]
mod with_feature {
    use std::io::{self, Read, Write};

    use inbetween_core::memory::OutOfMemory;
    use inbetween_core::num::{len_from_u64, u64_from_len};
    use inbetween_core::{grow, parse};
    use lzma_rust2::{DICT_SIZE_MAX, DICT_SIZE_MIN, LzmaOptions, LzmaReader, LzmaWriter};

    use crate::file::{Packing, Unpacked};
    use crate::packing::lzma::{Budget, ByteCursor, HEAD, LzmaHead, ReadError, Section};

    /// The number of bytes to decompress at a time.
    const STEP: usize = 16 << 10;

    /// The dictionary size that Resonite writes.
    const DICTIONARY: u32 = 1 << 21;

    /// Decompresses a stream up to the uncompressed size in its header.
    ///
    /// The decoder holds a dictionary of at most the uncompressed size, and up to 6 MiB of
    /// probabilities for the largest properties.
    pub(crate) fn unpack(
        head: LzmaHead,
        cursor: &mut ByteCursor<'_>,
        budget: &mut Budget,
    ) -> Result<Section, ReadError> {
        cursor.parse("lzmaHeader", parse::bytes(HEAD))?;
        let size = head.unpacked;
        let charged = budget.charge_claimed(size);
        charged.map_err(|error| cursor.place(error, "decompressedSize"))?;
        let mut out = Vec::new();
        let unpacked = stream(head, cursor.rest(), &mut out);
        let left =
            unpacked.map_err(|failure| cursor.place(failure.of_stream(size), "lzmaStream"))?;
        Ok(Section::Unpacked(Unpacked { bytes: out, packing: Packing::Lzma { left } }))
    }

    /// The reason why a stream cannot be decompressed.
    enum Failure {
        Broken(io::Error),
        Memory(OutOfMemory),
    }

    impl From<io::Error> for Failure {
        fn from(error: io::Error) -> Self {
            Self::Broken(error)
        }
    }

    impl From<OutOfMemory> for Failure {
        fn from(error: OutOfMemory) -> Self {
            Self::Memory(error)
        }
    }

    impl Failure {
        fn of_stream(self, size: u64) -> ReadError {
            let found = match self {
                Self::Memory(error) => return error.into(),
                // The decoder reserves its dictionary fallibly, as far as the output reaches.
                Self::Broken(error) if error.kind() == io::ErrorKind::OutOfMemory => {
                    return OutOfMemory { bytes: size }.into();
                }
                Self::Broken(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    "a truncated stream"
                }
                Self::Broken(_) => "a broken one",
            };
            ReadError::invalid(format!("a stream of {size} bytes"), found)
        }
    }

    /// Decompresses a stream; returns the number of bytes after its end.
    fn stream(head: LzmaHead, stream: &[u8], out: &mut Vec<u8>) -> Result<usize, Failure> {
        let LzmaHead { properties, dictionary, unpacked: size, .. } = head;
        let needed = u32::try_from(size).unwrap_or(u32::MAX).max(DICT_SIZE_MIN);
        let dictionary = dictionary.min(needed).min(DICT_SIZE_MAX);
        let mut reader = LzmaReader::new_with_props(stream, size, properties, dictionary, None)?;
        let mut step = [0; STEP];
        loop {
            let left = size.saturating_sub(u64_from_len(out.len()));
            let room = step.len().min(len_from_u64(left));
            let count = reader.read(step.get_mut(..room).unwrap_or_default())?;
            if count == 0 {
                break;
            }
            grow::try_column(out, count)?;
            out.extend_from_slice(step.get(..count).unwrap_or_default());
        }
        if u64_from_len(out.len()) != size {
            return Err(Failure::Broken(io::ErrorKind::UnexpectedEof.into()));
        }
        let (rest, unused) = reader.into_parts();
        Ok(rest.len().saturating_add(unused.len()))
    }

    /// Compresses a section as Resonite does: the same properties, no end marker.
    pub(crate) fn pack(section: &[u8]) -> Result<Vec<u8>, &'static str> {
        let options = LzmaOptions { dict_size: DICTIONARY, ..LzmaOptions::with_preset(6) };
        let packed = || -> io::Result<(u8, Vec<u8>)> {
            let mut writer = LzmaWriter::new_no_header(Vec::new(), &options, false)?;
            writer.write_all(section)?;
            let properties = writer.props();
            Ok((properties, writer.finish()?))
        };
        let (properties, packed) = packed().map_err(|_| "the LZMA encoder failed")?;
        let mut out = Vec::with_capacity(HEAD.saturating_add(packed.len()));
        out.push(properties);
        out.extend_from_slice(&DICTIONARY.to_le_bytes());
        out.extend_from_slice(&u64_from_len(section.len()).to_le_bytes());
        out.extend_from_slice(&u64_from_len(packed.len()).to_le_bytes());
        out.extend_from_slice(&packed);
        Ok(out)
    }
}
