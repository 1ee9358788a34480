//! The offsets of the items of a file.

use core::ops::Range;

/// The offsets of items; at most 16 bytes per track.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The range of the name in the file, including its length.
    pub(crate) name: Range<usize>,
    /// The offset of the section of the tracks in the file.
    pub(crate) section: usize,
    /// The ranges of the tracks in `AnimxFile::body`.
    pub(crate) tracks: TrackRanges,
}

/// The start of each track and the end of the last one, in `AnimxFile::body`.
#[derive(Clone, Debug, Default)]
pub(crate) struct TrackRanges {
    pub(crate) starts: Vec<usize>,
    pub(crate) end: usize,
}

impl TrackRanges {
    /// Returns the number of tracks.
    pub(crate) const fn len(&self) -> usize {
        self.starts.len()
    }

    /// Returns the range of a track, or `None` if the index is out of range.
    pub(crate) fn get(&self, index: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(index)?;
        let next = self.starts.get(index.checked_add(1)?).copied();
        Some(start..next.unwrap_or(self.end))
    }

    /// Returns the ranges of the tracks in file order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}
