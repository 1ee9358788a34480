//! Chunks of LZ4, as lz4net's `LZ4Stream` writes them.

use inbetween_core::num::{len_from_u64, u64_from_len};
use inbetween_core::parse::ByteCursor;
use inbetween_core::{Budget, ReadError, ReadErrorKind, SevenBit, grow, memory};

/// Bit of a chunk's flags: the chunk is compressed.
const COMPRESSED: u64 = 0x01;

/// Bits of a chunk's flags that must be 0: the number of additional passes.
const PASSES: u64 = 0x1c;

/// The known flags: compressed, high compression, passes.
const KNOWN: u64 = 0x1f;

/// The largest number of bytes that one byte of an LZ4 block can expand to.
const LARGEST_RATIO: u64 = 255;

/// The usual upper limit of the compression ratio of a whole file.
const LIKELY_RATIO: usize = 4;

/// The size of the chunks that we write, as in lz4net.
const CHUNK: usize = 1 << 20;

/// A chunk of a section.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'a> {
    flags: SevenBit,
    original: SevenBit,
    /// The length of the compressed bytes, if the chunk is compressed.
    compressed: Option<SevenBit>,
    data: &'a [u8],
    /// The offset of the chunk in the file.
    pub(crate) at: usize,
}

impl Chunk<'_> {
    /// Returns the undocumented bits of the flags.
    pub(crate) const fn unknown_flags(&self) -> u64 {
        self.flags.value() & !KNOWN
    }

    /// Returns whether a number of the head is longer than necessary.
    pub(crate) fn is_padded(&self) -> bool {
        let numbers = [Some(self.flags), Some(self.original), self.compressed];
        numbers.into_iter().flatten().any(|number| number.padding() > 0)
    }
}

/// Iterates over the chunks of a section.
pub(crate) struct Chunks<'c, 'a> {
    cursor: &'c mut ByteCursor<'a>,
    index: usize,
}

impl<'c, 'a> Chunks<'c, 'a> {
    /// Starts at the cursor's next byte.
    pub(crate) fn new(cursor: &'c mut ByteCursor<'a>) -> Self {
        Self { cursor, index: 0 }
    }

    /// Returns the next chunk, its index, and a path for errors, or `None` at the end.
    fn next(&mut self) -> Result<Option<(Chunk<'a>, usize, ByteCursor<'a>)>, ReadError> {
        if self.cursor.rest().is_empty() {
            return Ok(None);
        }
        let (index, place) = (self.index, self.cursor.clone());
        self.index = index.saturating_add(1);
        let chunk = read(self.cursor).map_err(|error| error.within("chunks", index))?;
        Ok(Some((chunk, index, place)))
    }
}

impl<'a> Iterator for Chunks<'_, 'a> {
    type Item = Chunk<'a>;

    /// Returns the next chunk, or `None` at the end or at a broken chunk.
    fn next(&mut self) -> Option<Chunk<'a>> {
        Chunks::next(self).ok().flatten().map(|(chunk, ..)| chunk)
    }
}

fn read<'a>(cursor: &mut ByteCursor<'a>) -> Result<Chunk<'a>, ReadError> {
    let place = cursor.clone();
    let flags = cursor.parse("flags", SevenBit::parse)?;
    if flags.value() & PASSES != 0 {
        let what = "a chunk of several passes".into();
        return Err(place.place(ReadError::new(ReadErrorKind::Unsupported { what }), "flags"));
    }
    let original = cursor.parse("originalLength", SevenBit::parse)?;
    let at = place.offset();
    if flags.value() & COMPRESSED == 0 {
        let data = cursor.block("data", original.value(), 1)?;
        return Ok(Chunk { flags, original, compressed: None, data, at });
    }
    let place = cursor.clone();
    let compressed = cursor.parse("compressedLength", SevenBit::parse)?;
    let (most, length) = (original.value(), compressed.value());
    if length > most {
        let expected = format!("at most the {most} bytes of the original");
        let error = ReadError::invalid(expected, length.to_string());
        return Err(place.place(error, "compressedLength"));
    }
    let data = cursor.block("data", length, 1)?;
    Ok(Chunk { flags, original, compressed: Some(compressed), data, at })
}

/// Decompresses all remaining chunks.
pub(super) fn unpack(
    cursor: &mut ByteCursor<'_>,
    budget: &mut Budget,
) -> Result<Vec<u8>, ReadError> {
    let mut out = Vec::new();
    memory::reserve(&mut out, likely_length(cursor.clone(), budget))?;
    let mut chunks = Chunks::new(cursor);
    while let Some((chunk, index, place)) = Chunks::next(&mut chunks)? {
        unpack_chunk(&chunk, budget, &mut out)
            .map_err(|error| place.place(error, "originalLength").within("chunks", index))?;
    }
    Ok(out)
}

/// Returns the sum of the claimed lengths, up to a plausible ratio. A larger claim must be
/// decompressed before memory is reserved for it.
fn likely_length(mut cursor: ByteCursor<'_>, budget: &Budget) -> usize {
    let likely = cursor.rest().len().saturating_mul(LIKELY_RATIO);
    let claims = Chunks::new(&mut cursor).map(|chunk| chunk.original.value());
    let claimed = claims.fold(0, u64::saturating_add).min(budget.bytes_left());
    len_from_u64(claimed).min(likely)
}

fn unpack_chunk(
    chunk: &Chunk<'_>,
    budget: &mut Budget,
    out: &mut Vec<u8>,
) -> Result<(), ReadError> {
    let claimed = chunk.original.value();
    budget.charge_claimed(claimed)?;
    if chunk.compressed.is_none() {
        grow::try_column(out, chunk.data.len())?;
        out.extend_from_slice(chunk.data);
        return Ok(());
    }
    let length = u64_from_len(chunk.data.len());
    let most = length.saturating_mul(LARGEST_RATIO);
    if claimed > most {
        let expected = format!("at most {most} bytes from {length} of LZ4");
        return Err(ReadError::invalid(expected, claimed.to_string()));
    }
    if claimed == 0 {
        return Ok(());
    }
    let (start, original) = (out.len(), len_from_u64(claimed));
    grow::try_column(out, original)?;
    out.resize(start.saturating_add(original), 0);
    let room = out.get_mut(start..).unwrap_or_default();
    let expected = || format!("an LZ4 block of {claimed} bytes");
    match lz4_flex::block::decompress_into(chunk.data, room) {
        Ok(found) if found == original => Ok(()),
        Ok(found) => Err(ReadError::invalid(expected(), format!("one of {found}"))),
        Err(_) => Err(ReadError::invalid(expected(), "a broken one")),
    }
}

/// Compresses a section; a chunk that does not shrink is stored uncompressed.
pub(super) fn pack(section: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut room = vec![0; lz4_flex::block::get_maximum_output_size(section.len().min(CHUNK))];
    for chunk in section.chunks(CHUNK) {
        let packed = lz4_flex::block::compress_into(chunk, &mut room).ok();
        let packed = packed.and_then(|size| room.get(..size));
        let original = SevenBit::new(u64_from_len(chunk.len()));
        if let Some(packed) = packed.filter(|packed| packed.len() < chunk.len()) {
            SevenBit::new(COMPRESSED).encode(&mut out);
            original.encode(&mut out);
            SevenBit::new(u64_from_len(packed.len())).encode(&mut out);
            out.extend_from_slice(packed);
        } else {
            SevenBit::new(0).encode(&mut out);
            original.encode(&mut out);
            out.extend_from_slice(chunk);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use inbetween_core::Limits;

    fn unpacked(bytes: &[u8]) -> Result<Vec<u8>, String> {
        let mut budget = Budget::new(&Limits::default(), bytes.len());
        let unpacked = unpack(&mut ByteCursor::new("test", bytes), &mut budget);
        unpacked.map_err(|error| error.to_string())
    }

    /// Bytes without repetition (xorshift), so that nothing shrinks.
    fn noise(count: usize) -> Vec<u8> {
        let mut state: u32 = 1;
        let next = || {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            state.to_le_bytes()[0]
        };
        std::iter::repeat_with(next).take(count).collect()
    }

    #[test]
    fn chunks_have_one_mebibyte_and_are_stored_if_they_do_not_shrink() {
        let section: Vec<u8> = noise(CHUNK).into_iter().chain(vec![7; 300]).collect();
        let packed = pack(&section);
        assert_eq!(packed[..4], [0, 0x80, 0x80, 0x40]);
        assert_eq!(packed[4..4 + CHUNK], section[..CHUNK]);
        assert_eq!(packed[4 + CHUNK..][..3], [1, 0xac, 0x02]);
        assert_eq!(unpacked(&packed), Ok(section));
        assert!(pack(&[]).is_empty());
    }

    #[test]
    fn decompresses_a_block_made_by_hand() {
        // Four literals "abcd", then six bytes from four back, then five literals "efghi".
        let block = b"\x42abcd\x04\x00\x50efghi";
        let chunk = [&[1, 15, 13][..], block].concat();
        assert_eq!(unpacked(&chunk), Ok(b"abcdabcdabefghi".to_vec()));
    }

    #[test]
    fn a_chunk_that_claims_more_than_lz4_can_hold_reserves_nothing() {
        let bomb = [1, 0xff, 0xff, 0xff, 0x1f, 2, 0, 0];
        let error = "test: chunks[0].originalLength: expected at most 510 bytes from 2 of LZ4, \
                     found 67108863 (at byte 0x0)";
        assert_eq!(unpacked(&bomb), Err(error.to_owned()));
    }
}
