//! The format with its options.

use inbetween_core::Document;
use inbetween_core::resonite::EmptyTracks;

use crate::layout::ID;
use crate::write::Style;

/// The AnimJ format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_animj::{Animj, Style};
/// use inbetween_core::{Animation, Document, Format, Limits};
///
/// let clip = Animation::default().with_name("walk").with_duration(1.5);
/// let compact = Animj::default().style(Style::Compact);
/// let text = compact.write(Document::single(clip), &Limits::default())?.value;
/// assert_eq!(text, br#"{"name":"walk","globalDuration":1.5,"tracks":[]}"#);
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Animj {
    style: Style,
    matrices: Matrices,
    empty_tracks: Option<EmptyTracks>,
    nan: Option<Nan>,
}

/// What takes the place of a number that is NaN or infinite when a file is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Nan {
    /// The number of the key before. In a tangent, 0.
    Previous,
    /// 0. A time cannot be replaced.
    Zero,
    /// Nothing: the key is dropped. Raw tracks keep it.
    Drop,
}

/// How to write matrices, which Resonite reads as zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matrices {
    /// Drop their tracks, with a finding.
    #[default]
    Drop,
    /// Write them as arrays of rows.
    Rows,
}

impl Animj {
    /// Returns the format with a style for written text.
    #[must_use]
    pub const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Returns the format with a rule for matrices in documents.
    #[must_use]
    pub const fn matrices(mut self, matrices: Matrices) -> Self {
        self.matrices = matrices;
        self
    }

    /// Returns the format with a rule for tracks without keys in documents. By default, a document
    /// that was read from AnimJ keeps them, and those of other documents are dropped.
    #[must_use]
    pub const fn empty_tracks(mut self, empty_tracks: EmptyTracks) -> Self {
        self.empty_tracks = Some(empty_tracks);
        self
    }

    /// Returns the format with what takes the place of numbers that are NaN or infinite when a file is
    /// fixed. By default, they remain errors.
    #[must_use]
    pub const fn nan(mut self, nan: Nan) -> Self {
        self.nan = Some(nan);
        self
    }

    pub(crate) const fn nan_rule(&self) -> Option<Nan> {
        self.nan
    }

    pub(crate) const fn written_style(&self) -> Style {
        self.style
    }

    pub(crate) const fn matrix_rule(&self) -> Matrices {
        self.matrices
    }

    pub(crate) fn empty_track_rule(&self, document: &Document) -> EmptyTracks {
        self.empty_tracks.unwrap_or_else(|| EmptyTracks::for_document(document, ID))
    }
}
