//! The exact model as plain owned data that can be changed.

use inbetween_core::{Limits, WriteError};

use crate::file::{Chunk, GltfFile};
use crate::layout::{Container, ID};

/// A chunk of a binary file as an owned part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChunkPart {
    /// The type: see [`Chunk`].
    pub kind: u32,
    /// The content, with its padding.
    pub data: Vec<u8>,
}

/// A glTF file as owned parts.
///
/// # Examples
///
/// ```
/// use inbetween_gltf::{Container, GltfFile, GltfParts};
///
/// let json = br#"{"asset": {"version": "2.0"}}"#.to_vec();
/// let parts = GltfParts { container: Container::Gltf, json, ..GltfParts::default() };
/// let file = GltfFile::from_parts(&parts)?;
/// assert_eq!(file.into_parts(), parts);
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GltfParts {
    /// The container.
    pub container: Container,
    /// The JSON: the content of a text file, or of the first chunk of a binary file with its padding.
    pub json: Vec<u8>,
    /// The other chunks of a binary file.
    pub chunks: Vec<ChunkPart>,
    /// The length that the header of a binary file states, if it is not the end of the last chunk.
    pub stated_length: Option<u32>,
    /// The bytes after the last chunk.
    pub trailing: Vec<u8>,
}

impl GltfFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> GltfParts {
        let chunk = |chunk: Chunk<'_>| ChunkPart { kind: chunk.kind, data: chunk.data.to_vec() };
        let chunks = self.chunks().skip(1).map(chunk).collect();
        let json = match self.chunks().next() {
            Some(chunk) => chunk.data.to_vec(),
            None => self.bytes.to_vec(),
        };
        let trailing = self.trailing().to_vec();
        let end = u32::try_from(self.end).ok();
        let stated_length = self.stated_length().filter(|length| Some(*length) != end);
        GltfParts { container: self.container, json, chunks, stated_length, trailing }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the JSON is not valid, chunks are too long or in the wrong order, a text file has chunks or
    /// a length, or the bytes after the last chunk would be read as a chunk.
    pub fn from_parts(parts: &GltfParts) -> Result<GltfFile<'static>, WriteError> {
        // The depth was checked if the parts come from a file.
        let limits = Limits::default().with_depth(usize::MAX).with_items(u64::MAX);
        GltfFile::parse(parts.to_bytes()?, &limits)
            .map_err(|error| WriteError::inconsistent(error.to_string()).in_format(ID))
    }
}
