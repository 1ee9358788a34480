//! Documents: what was read from a file, or is to be written to one.

use crate::{Animation, WriteError, WriteErrorKind};

/// Everything that was read from a file, or is to be written to one.
///
/// X4 files hold many clips; the other formats hold one.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Interpolation, Interpolations};
/// use inbetween_core::{Property, Target, Track, TrackData};
///
/// let data = TrackData::curve(
///     vec![0.0, 1.0],
///     vec![[0.0_f32, 0.0, 0.0], [0.0, 2.0, 0.0]],
///     Interpolations::Shared(Interpolation::Linear),
///     None,
/// )?;
/// let track = Track::new(Target::new("door", Property::Translation), data)?;
/// let document = Document::single(Animation::new(vec![track]));
/// assert_eq!(document.clips[0].effective_duration(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Document {
    /// The clips, in file order.
    pub clips: Vec<Animation>,
}

impl Document {
    /// Makes a document of clips.
    pub const fn new(clips: Vec<Animation>) -> Self {
        Self { clips }
    }

    /// Makes a document of one clip.
    pub fn single(clip: Animation) -> Self {
        Self::new(vec![clip])
    }

    /// Returns the one clip of a document for a format that holds one; `format` is its id.
    ///
    /// # Errors
    ///
    /// [`WriteErrorKind::ClipCount`] when there are more clips or none.
    pub fn into_single(self, format: &'static str) -> Result<Animation, WriteError> {
        let found = self.clips.len();
        let mut clips = self.clips.into_iter();
        match (clips.next(), found) {
            (Some(clip), 1) => Ok(clip),
            _ => Err(WriteError::new(format, WriteErrorKind::ClipCount { found })),
        }
    }

    /// Returns the index of the clip with a name: of the one that is spelled so, else of the first
    /// one that is so in ASCII letters of any case, as X4 compares names.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Animation, Document};
    ///
    /// let clip = |name: &str| Animation::default().with_name(name);
    /// let document = Document::new(vec![clip("opening"), clip("Closing")]);
    /// assert_eq!(document.find_clip("CLOSING"), Some(1));
    /// assert_eq!(document.find_clip("close"), None);
    /// ```
    pub fn find_clip(&self, name: &str) -> Option<usize> {
        crate::clip_names::find(self.clips.iter().map(|clip| clip.name.as_deref()), name)
    }

    /// Returns how many bytes of memory the key columns, markers and names hold.
    pub fn heap_bytes(&self) -> usize {
        self.clips.iter().fold(0, |sum, clip| sum.saturating_add(clip.heap_bytes()))
    }
}
