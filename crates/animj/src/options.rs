//! The format with its options.

use inbetween_core::resonite::EmptyTracks;

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

    /// Returns the format with a rule for tracks without keys in documents.
    #[must_use]
    pub const fn empty_tracks(mut self, empty_tracks: EmptyTracks) -> Self {
        self.empty_tracks = Some(empty_tracks);
        self
    }

    pub(crate) const fn written_style(&self) -> Style {
        self.style
    }

    pub(crate) const fn matrix_rule(&self) -> Matrices {
        self.matrices
    }

    pub(crate) const fn empty_track_rule(&self) -> EmptyTracks {
        match self.empty_tracks {
            Some(rule) => rule,
            None => EmptyTracks::Keep,
        }
    }

    /// Returns whether a rule for tracks without keys was chosen.
    pub(crate) const fn has_empty_track_rule(&self) -> bool {
        self.empty_tracks.is_some()
    }
}
