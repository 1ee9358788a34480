//! The format with its options.

use inbetween_core::{Limits, ReadError};

use crate::file::SeanimFile;
use crate::layout::Reading;

/// The SEAnim format with its options.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Document, Format, Limits};
/// use inbetween_seanim::Seanim;
///
/// let document = Document::single(Default::default());
/// let bytes = Seanim::default().frame_rate(60.0).write(document, &Limits::default())?.value;
/// assert!(bytes.starts_with(b"SEAnim"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Seanim {
    rate: Option<f64>,
    reading: Option<Reading>,
}

impl Seanim {
    /// Returns the format with a frame rate in frames per second.
    ///
    /// When writing, it replaces the document's rate, and keys that are not on frames are
    /// resampled. When reading, it is used if the file's rate is not a positive number.
    #[must_use]
    pub fn frame_rate(mut self, rate: f64) -> Self {
        self.rate = Some(rate);
        self
    }

    /// Returns the format with a fixed reading instead of detection.
    #[must_use]
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = Some(reading);
        self
    }

    /// Returns the requested frame rate.
    pub(crate) const fn rate(&self) -> Option<f64> {
        self.rate
    }

    /// Reads a file into the exact model with these options.
    ///
    /// # Errors
    ///
    /// Fails like [`SeanimFile::parse`].
    pub fn parse<'a>(&self, bytes: &'a [u8], limits: &Limits) -> Result<SeanimFile<'a>, ReadError> {
        match self.reading {
            None => SeanimFile::parse(bytes, limits),
            Some(reading) => SeanimFile::parse_as(bytes, reading, limits),
        }
    }
}
