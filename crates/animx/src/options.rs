//! The format with its options.

use inbetween_core::resonite::EmptyTracks;
use inbetween_core::{Document, Limits, ReadError};

use crate::file::AnimxFile;
use crate::layout::{AnimxLayout, Encoding, ID};
use crate::packing::packs;

/// The name of the option for the encoding of the tracks.
pub(crate) const ENCODING: &str = "encoding";

/// The AnimX format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_animx::{Animx, Encoding};
/// use inbetween_core::{Document, Format, Limits};
///
/// let document = Document::single(Default::default());
/// let packed = Animx::default().encoding(Encoding::Lz4);
/// let bytes = packed.write(document, &Limits::default())?.value;
/// assert!(bytes.starts_with(b"\x05AnimX"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Animx {
    encoding: Option<Encoding>,
    reading: Option<AnimxLayout>,
    writing: AnimxLayout,
    empty_tracks: Option<EmptyTracks>,
}

impl Animx {
    /// Returns the format with an encoding for written files. The default is that of the
    /// [file](inbetween_core::Document::origin) that the document was read from, or plain.
    #[must_use]
    pub const fn encoding(mut self, encoding: Encoding) -> Self {
        self.encoding = Some(encoding);
        self
    }

    /// Returns the format with a fixed layout of Curve tracks, for both reading and writing.
    #[must_use]
    pub const fn layout(self, layout: AnimxLayout) -> Self {
        self.reading_layout(layout).writing_layout(layout)
    }

    /// Returns the format with a fixed layout of Curve tracks for reading, instead of detection.
    #[must_use]
    pub const fn reading_layout(mut self, layout: AnimxLayout) -> Self {
        self.reading = Some(layout);
        self
    }

    /// Returns the format with a fixed layout of Curve tracks for writing.
    #[must_use]
    pub const fn writing_layout(mut self, layout: AnimxLayout) -> Self {
        self.writing = layout;
        self
    }

    /// Returns the format with a rule for documents' tracks without keys. By default, a document that
    /// was read from AnimX keeps them, and those of other documents are dropped.
    #[must_use]
    pub const fn empty_tracks(mut self, empty_tracks: EmptyTracks) -> Self {
        self.empty_tracks = Some(empty_tracks);
        self
    }

    pub(crate) fn empty_track_rule(self, document: &Document) -> EmptyTracks {
        self.empty_tracks.unwrap_or_else(|| EmptyTracks::for_document(document, ID))
    }

    pub(crate) fn written_encoding(self, document: &Document) -> Encoding {
        let of_file = || Encoding::of_name(document.origin_in(ID)?.option(ENCODING)?);
        self.encoding.or_else(|| of_file().filter(|found| packs(*found))).unwrap_or_default()
    }

    pub(crate) const fn written_layout(self) -> AnimxLayout {
        self.writing
    }

    pub(crate) const fn read_layout(self) -> Option<AnimxLayout> {
        self.reading
    }

    /// Reads a file into the exact model with these options.
    ///
    /// # Errors
    ///
    /// Fails like [`AnimxFile::parse`].
    pub fn parse<'a>(&self, bytes: &'a [u8], limits: &Limits) -> Result<AnimxFile<'a>, ReadError> {
        match self.reading {
            None => AnimxFile::parse(bytes, limits),
            Some(layout) => AnimxFile::parse_as(bytes, layout, limits),
        }
    }
}
