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
    /// The JSON: the content of the first chunk of a binary file, with its padding.
    pub json: Vec<u8>,
    /// The other chunks of a binary file.
    pub chunks: Vec<ChunkPart>,
}

impl GltfFile<'_> {
    /// Returns the file as owned parts.
    pub fn into_parts(self) -> GltfParts {
        let chunk = |chunk: Chunk<'_>| ChunkPart { kind: chunk.kind, data: chunk.data.to_vec() };
        let chunks = self.chunks().skip(1).map(chunk).collect();
        let json = self.json().as_bytes().to_vec();
        GltfParts { container: self.container, json, chunks }
    }

    /// Builds a file from parts.
    ///
    /// # Errors
    ///
    /// If the JSON is not valid, chunks are too long or in the wrong order, or a text file has
    /// chunks.
    pub fn from_parts(parts: &GltfParts) -> Result<GltfFile<'static>, WriteError> {
        // The depth was checked if the parts come from a file.
        let limits = Limits::default().with_depth(usize::MAX).with_items(u64::MAX);
        GltfFile::parse(parts.to_bytes()?, &limits)
            .map_err(|error| WriteError::inconsistent(error.to_string()).in_format(ID))
    }
}
