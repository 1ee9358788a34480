//! The result of writing a file.

use core::iter::Sum;

use crate::num::u64_from_len;
use crate::{Context, Document, WriteError};

/// A written file.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Extent, Written};
///
/// let document = Document::single(Animation::default());
/// let written = Written::new(b"no tracks".to_vec(), vec![Extent::from(&document)]);
/// assert_eq!((written.bytes.len(), written.extent().clips), (9, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Written {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The content written for each clip of the document, in order.
    pub clips: Vec<Extent>,
}

impl Written {
    /// Creates the result of writing: bytes, and the content of each clip.
    pub const fn new(bytes: Vec<u8>, clips: Vec<Extent>) -> Self {
        Self { bytes, clips }
    }

    /// Returns the content of all clips together.
    pub fn extent(&self) -> Extent {
        self.clips.iter().copied().sum()
    }
}

/// Writes nothing: the writer of a format crate that is built without its feature `write`.
///
/// # Errors
///
/// Always. The error names the feature.
pub fn read_only<T>(_: Document, _: T, _: &mut Context<'_>) -> Result<Written, WriteError> {
    let limit = "this build only reads the format; its crate has the feature `write`";
    Err(WriteError::not_representable("a document", limit))
}

/// The size of the content of a document or a file.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Extent {
    /// Clips.
    pub clips: usize,
    /// Tracks of all clips.
    pub tracks: usize,
    /// Keys of all tracks.
    pub keys: u64,
    /// Markers of all clips.
    pub markers: usize,
    /// The duration of the longest clip in seconds.
    pub duration: f64,
}

impl Extent {
    /// Adds a track.
    pub fn add_track(&mut self, keys: usize) {
        self.tracks = self.tracks.saturating_add(1);
        self.keys = self.keys.saturating_add(u64_from_len(keys));
    }

    /// Adds a clip with its markers; [`add_track`](Self::add_track) adds its tracks.
    pub fn add_clip(&mut self, markers: usize, duration: f64) {
        self.clips = self.clips.saturating_add(1);
        self.markers = self.markers.saturating_add(markers);
        self.duration = self.duration.max(duration);
    }
}

impl Sum for Extent {
    fn sum<I: Iterator<Item = Self>>(extents: I) -> Self {
        extents.fold(Self::default(), |sum, one| Self {
            clips: sum.clips.saturating_add(one.clips),
            tracks: sum.tracks.saturating_add(one.tracks),
            keys: sum.keys.saturating_add(one.keys),
            markers: sum.markers.saturating_add(one.markers),
            duration: sum.duration.max(one.duration),
        })
    }
}

impl From<&Document> for Extent {
    fn from(document: &Document) -> Self {
        let mut extent = Self::default();
        for clip in &document.clips {
            extent.add_clip(clip.markers.len(), clip.effective_duration());
            clip.tracks.iter().for_each(|track| extent.add_track(track.data().len()));
        }
        extent
    }
}
