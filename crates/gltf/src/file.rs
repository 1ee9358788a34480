//! The exact model: the bytes of a glTF file and an index of its chunks.

use core::ops::Range;
use std::borrow::Cow;

use crate::layout::Container;

/// A chunk of a binary file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk<'a> {
    /// The type: [`JSON`](Self::JSON), [`BIN`](Self::BIN), or another one, which readers skip.
    pub kind: u32,
    /// The content, with its padding.
    pub data: &'a [u8],
}

impl Chunk<'_> {
    /// The type of the first chunk: `JSON`.
    pub const JSON: u32 = 0x4E4F_534A;
    /// The type of the chunk with the bytes of the first buffer: `BIN` and a NUL.
    pub const BIN: u32 = 0x004E_4942;
}

/// The range of a chunk: at most 16 bytes per item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) kind: u32,
    pub(crate) length: u32,
    pub(crate) offset: usize,
}

const _: () = assert!(size_of::<Entry>() <= 16);

/// A glTF file: its bytes and an index of its chunks.
///
/// `to_bytes` returns the parsed bytes unchanged, also for a text file: its values, their order,
/// unknown members, URIs and the text of numbers are kept.
#[derive(Clone, Debug)]
pub struct GltfFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) container: Container,
    /// The range of the JSON.
    pub(crate) json: Range<usize>,
    pub(crate) chunks: Vec<Entry>,
    /// The end of the last chunk.
    pub(crate) end: usize,
}

impl GltfFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the container.
    pub const fn container(&self) -> Container {
        self.container
    }

    /// Returns the bytes after the last chunk, which no program reads.
    pub fn trailing(&self) -> &[u8] {
        self.bytes.get(self.end..).unwrap_or_default()
    }

    /// Returns the length of the file that the header of a binary file states.
    pub fn stated_length(&self) -> Option<u32> {
        let length = self.bytes.get(8..12).filter(|_| self.container == Container::Glb)?;
        length.first_chunk().copied().map(u32::from_le_bytes)
    }

    /// Returns the JSON, with the spaces that fill its chunk but without NUL bytes.
    pub fn json(&self) -> &str {
        let text = self.bytes.get(self.json.clone()).unwrap_or_default();
        // The UTF-8 was checked when the file was parsed.
        core::str::from_utf8(text).unwrap_or_default()
    }

    /// Returns a part of the JSON. Unlike [`json`](Self::json), it checks the UTF-8 of this part alone.
    pub(crate) fn json_part(&self, range: Range<usize>) -> &str {
        let text = self.bytes.get(self.json.clone()).and_then(|json| json.get(range));
        core::str::from_utf8(text.unwrap_or_default()).unwrap_or_default()
    }

    /// Returns the chunks of a binary file; a text file has none.
    pub fn chunks(&self) -> impl ExactSizeIterator<Item = Chunk<'_>> {
        self.chunks.iter().map(|entry| {
            let length = inbetween_core::num::len_from_u64(entry.length.into());
            let end = entry.offset.saturating_add(length);
            Chunk { kind: entry.kind, data: self.bytes.get(entry.offset..end).unwrap_or_default() }
        })
    }

    /// Returns the content of the binary chunk, which is the first buffer.
    pub fn binary(&self) -> Option<&[u8]> {
        self.chunks().find(|chunk| chunk.kind == Chunk::BIN).map(|chunk| chunk.data)
    }

    /// Returns the offset of the JSON in the file.
    pub(crate) const fn json_start(&self) -> usize {
        self.json.start
    }
}
