//! From the bytes of one format to those of another.

use inbetween_core::num::u64_from_len;
use inbetween_core::{Document, Finding, Format, FormatInfo, Limits};

use crate::{Error, Reading};

/// A converted file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conversion {
    /// The format that was read.
    pub from: &'static FormatInfo,
    /// The format that was written.
    pub to: &'static FormatInfo,
    /// The new file.
    pub bytes: Vec<u8>,
    /// What reading and writing lost, and what else they noticed.
    pub losses: Vec<Finding>,
    /// How much went through.
    pub extent: Extent,
}

impl Conversion {
    /// Says whether the new file lacks something that the old one had.
    pub fn is_lossy(&self) -> bool {
        self.losses.iter().any(|finding| finding.code.is_loss())
    }
}

/// How much there is in a document.
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

impl From<&Document> for Extent {
    fn from(document: &Document) -> Self {
        document.clips.iter().fold(Self::default(), |sum, clip| {
            let keys = clip.tracks.iter().map(|track| u64_from_len(track.data().len()));
            Self {
                clips: sum.clips.saturating_add(1),
                tracks: sum.tracks.saturating_add(clip.tracks.len()),
                keys: keys.fold(sum.keys, u64::saturating_add),
                markers: sum.markers.saturating_add(clip.markers.len()),
                duration: sum.duration.max(clip.effective_duration()),
            }
        })
    }
}

/// Converts a file whose format is known.
///
/// # Errors
///
/// When the bytes are not a sound file of `from`, or `to` has no bytes for something that
/// cannot be left out.
pub fn convert_as(
    from: &dyn Format,
    bytes: &[u8],
    to: &dyn Format,
    limits: &Limits,
) -> Result<Conversion, Error> {
    Ok(Reading::new(from, bytes, limits)?.write(to, limits)?)
}
