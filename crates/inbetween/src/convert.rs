//! Converts the bytes of one format to another.

use inbetween_core::{Extent, Finding, Format, FormatInfo, Limits};
use inbetween_edit::MapOptions;

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
    /// The findings of reading and writing.
    pub findings: Vec<Finding>,
    /// The content of the new file.
    pub extent: Extent,
}

impl Conversion {
    /// Returns whether the new file lacks something from the old one.
    pub fn is_lossy(&self) -> bool {
        self.findings.iter().any(|finding| finding.code.is_loss())
    }
}

/// Converts a file of a known format.
///
/// Axes and lengths become those of the format to write, where both are known; a finding says how. To
/// choose, or to keep them, use [`Reading::mapped`] or [`Reading::write`] alone.
///
/// If both formats are the same, options that the caller did not set are [those of the
/// file](inbetween_core::Document::origin).
///
/// # Errors
///
/// If the bytes are not a valid file of `from`, or `to` cannot represent a value that it requires.
pub fn convert_as(
    from: &dyn Format,
    bytes: &[u8],
    to: &dyn Format,
    limits: &Limits,
) -> Result<Conversion, Error> {
    let reading = Reading::new(from, bytes, limits)?;
    Ok(reading.mapped(to.info(), MapOptions::default())?.write(to)?)
}
