//! The exact model: an AnimX file as its bytes and an index of what is where.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::{Identical, SevenBit, Space};

use crate::read::TrackRanges;
use crate::track::TrackHead;
use crate::{AnimxLayout, AnimxText, AnimxTrack, Evidence};

/// The version of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Version {
    /// 0: one byte says both the type and the values of a track. No such file is known.
    V0,
    /// 1, what the game writes.
    #[default]
    V1,
}

impl Version {
    /// Returns the number.
    pub const fn number(self) -> i32 {
        match self {
            Self::V0 => 0,
            Self::V1 => 1,
        }
    }
}

/// How the tracks of a file are stored, as its header says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// 0: as they are.
    #[default]
    Plain,
    /// 1: in chunks of LZ4.
    Lz4,
    /// 2: as one LZMA stream. The game saves so.
    Lzma,
}

impl Encoding {
    /// The encodings in the order of their bytes.
    pub const ALL: [Self; 3] = [Self::Plain, Self::Lz4, Self::Lzma];

    /// Returns the byte of the encoding.
    pub const fn byte(self) -> u8 {
        match self {
            Self::Plain => 0,
            Self::Lz4 => 1,
            Self::Lzma => 2,
        }
    }

    /// Returns the name that options use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Lz4 => "lz4",
            Self::Lzma => "lzma",
        }
    }
}

/// The header but for the name (`docs/formats/animx.md`).
#[derive(Clone, Copy, Debug, Default)]
pub struct AnimxHeader {
    /// The version.
    pub version: Version,
    /// How many tracks there are.
    pub track_count: SevenBit,
    /// Seconds.
    pub global_duration: f32,
    /// How the tracks are stored.
    pub encoding: Encoding,
}

/// Headers are equal when they are the same to the bit, a NaN duration included.
impl PartialEq for AnimxHeader {
    fn eq(&self, other: &Self) -> bool {
        let Self { version, track_count, global_duration, encoding } = self;
        (version, track_count, encoding) == (&other.version, &other.track_count, &other.encoding)
            && global_duration.identical(&other.global_duration)
    }
}

/// An AnimX file: all of its bytes, and an index of what is where.
///
/// Keys stay bytes until they are asked for: those of the file, or of the section that was
/// unpacked from it. `to_bytes` gives back what was parsed, byte for byte.
#[derive(Clone, Debug)]
pub struct AnimxFile<'a> {
    pub(crate) bytes: Cow<'a, [u8]>,
    pub(crate) header: AnimxHeader,
    pub(crate) layout: AnimxLayout,
    pub(crate) evidence: Evidence,
    pub(crate) section: Section,
    pub(crate) index: Index,
}

/// Where the tracks are.
#[derive(Clone, Debug)]
pub(crate) enum Section {
    /// In the file.
    Plain,
    /// In these bytes, which were unpacked from the file.
    Unpacked(Unpacked),
    /// In a section of the file that this build cannot unpack.
    #[cfg_attr(feature = "lzma", expect(dead_code, reason = "this build unpacks all sections"))]
    Sealed,
}

/// A section that was unpacked.
#[derive(Clone, Debug)]
pub(crate) struct Unpacked {
    pub(crate) bytes: Vec<u8>,
    pub(crate) packing: Packing,
}

/// What a section was really packed with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Lz4,
    /// With so many bytes behind the last one that was needed.
    #[cfg(feature = "lzma")]
    Lzma {
        left: usize,
    },
}

/// Where things are; at most 16 bytes a track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The length of the name and the name, in the file.
    pub(crate) name: Range<usize>,
    /// Where the section of the tracks begins in the file.
    pub(crate) section: usize,
    /// Where the tracks are, in [`AnimxFile::body`].
    pub(crate) tracks: TrackRanges,
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

    /// Returns the layout of the Curve tracks that was taken.
    pub const fn layout(&self) -> AnimxLayout {
        self.layout
    }

    /// Returns what spoke for the order of the Curve keys.
    pub const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Says whether the tracks are out of reach: an LZMA section in a build without the feature
    /// `lzma`. Such a file has its header and its bytes, and no tracks.
    pub const fn is_sealed(&self) -> bool {
        matches!(self.section, Section::Sealed)
    }

    /// Returns the section of the tracks, as it lies in the file.
    pub fn packed_section(&self) -> &[u8] {
        self.bytes.get(self.index.section..).unwrap_or_default()
    }

    /// Returns the section of the tracks, unpacked; `None` where that cannot be done.
    pub fn section(&self) -> Option<&[u8]> {
        match &self.section {
            Section::Plain => Some(self.packed_section()),
            Section::Unpacked(unpacked) => Some(&unpacked.bytes),
            Section::Sealed => None,
        }
    }

    /// Returns a track; `None` past the end.
    pub fn track(&self, index: usize) -> Option<AnimxTrack<'_>> {
        self.track_at(self.index.tracks.get(index)?, self.layout)
    }

    /// Returns the tracks in file order.
    pub fn tracks(&self) -> impl Iterator<Item = AnimxTrack<'_>> {
        self.index.tracks.iter().filter_map(|range| self.track_at(range, self.layout))
    }

    /// Returns the number of tracks that can be reached.
    pub fn track_count(&self) -> usize {
        self.index.tracks.len()
    }

    /// Returns what follows the last track in the unpacked section.
    pub fn trailing(&self) -> &[u8] {
        self.body().get(self.index.tracks.end..).unwrap_or_default()
    }

    /// Gives up the bytes that the file borrows, by copying them.
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

    /// Returns the bytes that the offsets of the tracks count in.
    pub(crate) fn body(&self) -> &[u8] {
        match &self.section {
            Section::Plain => &self.bytes,
            Section::Unpacked(unpacked) => &unpacked.bytes,
            // Its index ends at 0.
            Section::Sealed => &[],
        }
    }

    /// Returns what the offsets of the tracks count in.
    pub(crate) const fn space(&self) -> Space {
        match self.section {
            Section::Plain | Section::Sealed => Space::File,
            Section::Unpacked(_) => Space::Decompressed,
        }
    }

    /// Returns the track in a range of the body, as a layout has it.
    pub(crate) fn track_at(
        &self,
        range: Range<usize>,
        layout: AnimxLayout,
    ) -> Option<AnimxTrack<'_>> {
        let start = range.start;
        let bytes = self.body().get(range)?;
        let head = TrackHead::parse(bytes, self.header.version)?;
        AnimxTrack::new(head, bytes, start, layout)
    }
}
