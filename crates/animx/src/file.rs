//! The exact model: the bytes of an AnimX file and an index.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::{Identical, SevenBit, Space};

use crate::index::Index;
use crate::layout::{AnimxLayout, Encoding, Evidence, Version};
use crate::strings::AnimxText;
use crate::track::AnimxTrack;

/// The header without the name (`docs/formats/animx.md`).
#[derive(Clone, Copy, Debug, Default)]
pub struct AnimxHeader {
    /// The version.
    pub version: Version,
    /// The number of tracks.
    pub track_count: SevenBit,
    /// Seconds.
    pub global_duration: f32,
    /// The encoding of the tracks.
    pub encoding: Encoding,
}

/// Headers are equal if they are equal bit for bit, including a NaN duration.
impl PartialEq for AnimxHeader {
    fn eq(&self, other: &Self) -> bool {
        let Self { version, track_count, global_duration, encoding } = self;
        (version, track_count, encoding) == (&other.version, &other.track_count, &other.encoding)
            && global_duration.identical(&other.global_duration)
    }
}

/// An AnimX file: its bytes and an index.
///
/// Keys are decoded on request from the file, or from the section decompressed from it. `to_bytes`
/// returns the parsed bytes unchanged.
#[derive(Clone, Debug)]
pub struct AnimxFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: AnimxHeader,
    pub(crate) layout: AnimxLayout,
    pub(crate) evidence: Evidence,
    pub(crate) section: Section,
    pub(crate) index: Index,
}

/// The location of the tracks.
#[derive(Clone, Debug)]
pub(crate) enum Section {
    /// In the file.
    Plain,
    /// In these bytes, decompressed from the file.
    Unpacked(Unpacked),
    /// In a section of the file that this build cannot decompress.
    #[cfg_attr(feature = "lzma", expect(dead_code, reason = "this build unpacks all sections"))]
    Sealed,
}

/// A decompressed section.
#[derive(Clone, Debug)]
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) packing: Packing,
}

/// The compression that was actually used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Lz4,
    /// The number of bytes after the end of the stream.
    #[cfg(feature = "lzma")]
    Lzma {
        left: usize,
    },
}

impl AnimxFile<'_> {
    /// Returns the bytes of the file.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the header.
    pub const fn header(&self) -> &AnimxHeader {
        &self.header
    }

    /// Returns the name; a null name is stored as an empty one.
    pub fn name(&self) -> AnimxText<'_> {
        let name = self.bytes.get(self.index.name.clone()).unwrap_or_default();
        AnimxText::parse(name).map(|(_, name)| name).unwrap_or_default()
    }

    /// Returns the layout of the Curve tracks that was used.
    pub const fn layout(&self) -> AnimxLayout {
        self.layout
    }

    /// Returns the evidence for the order of the Curve keys.
    pub const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Returns whether the tracks cannot be read: an LZMA section in a build without the feature
    /// `lzma`. Such a file has its header and its bytes, but no tracks.
    pub const fn is_sealed(&self) -> bool {
        matches!(self.section, Section::Sealed)
    }

    /// Returns the section of the tracks as stored in the file.
    pub fn packed_section(&self) -> &[u8] {
        self.bytes.get(self.index.section..).unwrap_or_default()
    }

    /// Returns the decompressed section of the tracks, or `None` if it cannot be decompressed.
    pub fn section(&self) -> Option<&[u8]> {
        match &self.section {
            Section::Plain => Some(self.packed_section()),
            Section::Unpacked(unpacked) => Some(&unpacked.bytes),
            Section::Sealed => None,
        }
    }

    /// Returns a track, or `None` if the index is out of range.
    pub fn track(&self, index: usize) -> Option<AnimxTrack<'_>> {
        self.track_at(self.index.tracks.get(index)?, self.layout)
    }

    /// Returns the tracks in file order.
    pub fn tracks(&self) -> impl Iterator<Item = AnimxTrack<'_>> {
        self.index.tracks.iter().filter_map(|range| self.track_at(range, self.layout))
    }

    /// Returns the number of readable tracks.
    pub fn track_count(&self) -> usize {
        self.index.tracks.len()
    }

    /// Returns the bytes after the last track in the decompressed section.
    pub fn trailing(&self) -> &[u8] {
        self.body().get(self.index.tracks.end..).unwrap_or_default()
    }

    /// Copies the borrowed bytes, so that the file owns them.
    pub fn into_owned(self) -> AnimxFile<'static> {
        AnimxFile {
            bytes: Cow::Owned(self.bytes.into_owned()),
            header: self.header,
            layout: self.layout,
            evidence: self.evidence,
            section: self.section,
            index: self.index,
        }
    }

    /// Returns the bytes to which the offsets of the tracks refer.
    pub(crate) fn body(&self) -> &[u8] {
        match &self.section {
            Section::Plain => &self.bytes,
            Section::Unpacked(unpacked) => &unpacked.bytes,
            // The index of a sealed file is empty.
            Section::Sealed => &[],
        }
    }

    /// Returns the space in which track offsets count.
    pub(crate) const fn space(&self) -> Space {
        match self.section {
            Section::Plain | Section::Sealed => Space::File,
            Section::Unpacked(_) => Space::Decompressed,
        }
    }

    /// Returns the track in a range of the body, read with a layout.
    pub(crate) fn track_at(
        &self,
        range: Range<usize>,
        layout: AnimxLayout,
    ) -> Option<AnimxTrack<'_>> {
        let start = range.start;
        let bytes = self.body().get(range)?;
        AnimxTrack::parse(bytes, self.header.version, start, layout)
    }
}
