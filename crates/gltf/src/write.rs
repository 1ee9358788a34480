//! Encodes parts as bytes.

use inbetween_core::{Record, WriteError, memory, num};

use crate::file::Chunk;
use crate::layout::{CHUNK_HEAD, Container, HEADER, ID, MAGIC, VERSION};
use crate::parts::GltfParts;

impl GltfParts {
    /// Writes the file of the parts, without an index of it.
    ///
    /// # Errors
    ///
    /// Like [`GltfFile::from_parts`](crate::GltfFile::from_parts), except for JSON that is not
    /// valid.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        let is_binary =
            !self.chunks.is_empty() || !self.trailing.is_empty() || self.stated_length.is_some();
        if self.container == Container::Gltf && is_binary {
            let what = format!("{} chunks or a length", self.chunks.len());
            let error = WriteError::not_representable(what, "a text file has none");
            return Err(error.in_format(ID));
        }
        encode(self).map_err(|error| error.in_format(ID))
    }
}

/// Encodes parts as a file; the content of chunks is written unchanged.
fn encode(parts: &GltfParts) -> Result<Vec<u8>, WriteError> {
    if parts.container == Container::Gltf {
        return Ok(parts.json.clone());
    }
    let mut out = binary(&parts.json, parts.chunks.iter().map(|part| part.data.len()))?;
    for part in &parts.chunks {
        begin_chunk(part.kind, part.data.len(), &mut out);
        out.extend_from_slice(&part.data);
    }
    if let (Some(length), Some(field)) = (parts.stated_length, out.get_mut(8..HEADER)) {
        field.copy_from_slice(&length.to_le_bytes());
    }
    out.extend_from_slice(&parts.trailing);
    Ok(out)
}

/// Begins a binary file: its header, its JSON, and room for other chunks of the given lengths.
///
/// # Errors
///
/// If the file is longer than its header can state, or the system has less memory than the file
/// needs.
pub(crate) fn binary(
    json: &[u8],
    chunks: impl Iterator<Item = usize>,
) -> Result<Vec<u8>, WriteError> {
    let length = chunks
        .chain([json.len()])
        .fold(HEADER, |sum, length| sum.saturating_add(CHUNK_HEAD).saturating_add(length));
    let total = u32::try_from(length).map_err(|_| {
        WriteError::not_representable(format!("{length} bytes"), "at most 4294967295 fit")
    })?;
    let mut out = Vec::new();
    memory::reserve(&mut out, length)?;
    out.extend_from_slice(MAGIC);
    VERSION.encode((), &mut out);
    total.encode((), &mut out);
    begin_chunk(Chunk::JSON, json.len(), &mut out);
    out.extend_from_slice(json);
    Ok(out)
}

/// Appends the length and the type of a chunk.
pub(crate) fn begin_chunk(kind: u32, length: usize, out: &mut Vec<u8>) {
    // The total length fits, so each part of it does.
    u32::try_from(length).unwrap_or(u32::MAX).encode((), out);
    kind.encode((), out);
}

/// Appends bytes until the length is a multiple of four.
pub(crate) fn pad(bytes: &mut Vec<u8>, padding: u8) {
    let length = bytes.len().next_multiple_of(4);
    bytes.resize(length, padding);
}

/// Returns the base64 text of bytes.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3).saturating_mul(4));
    for group in bytes.chunks(3) {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4_usize {
            let shift = [18_u32, 12, 6, 0].get(digit).copied().unwrap_or(0);
            let place = num::len_from_u64(u64::from(bits >> shift & 63));
            let used = digit <= group.len();
            text.push(char::from(if used { *DIGITS.get(place).unwrap_or(&b'=') } else { b'=' }));
        }
    }
    text
}
