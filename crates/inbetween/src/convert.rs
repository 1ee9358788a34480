//! From the bytes of one format to those of another.

use inbetween_core::{Extent, Finding, Format, FormatInfo, Limits};

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
    /// What the new file holds.
    pub extent: Extent,
}

impl Conversion {
    /// Says whether the new file lacks something that the old one had.
    pub fn is_lossy(&self) -> bool {
        self.losses.iter().any(|finding| finding.code.is_loss())
    }
}

/// Converts a file whose format is known.
///
/// Where both formats are the same, options that nobody set are [those of the file](Format::options_of).
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
    Ok(Reading::new(from, bytes, limits)?.write(to)?)
}
