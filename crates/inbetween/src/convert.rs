//! Converts the bytes of one format to another.

use inbetween_core::stores::Head;
use inbetween_core::{Coordinates, Document, Extent, Finding, Format, FormatInfo, Limits, Outcome};
use inbetween_edit::{Case, EditError, MapOptions, NamePattern, Route, Settings, map_coordinates};

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

/// Writes a document in a format, with the axes and lengths of that format where both are known.
///
/// # Errors
///
/// If a number of the options is out of range, or the format cannot represent a value that it requires.
pub fn write_mapped(
    document: Document,
    from: Coordinates,
    to: &dyn Format,
    options: MapOptions,
    limits: &Limits,
) -> Result<Outcome<Vec<u8>>, Error> {
    let has_node = to.info().stores.has(Head::Placement);
    let route = Route { from, to: to.info().coordinates, has_node };
    let settings = Settings::default().limits(limits.clone());
    let mapped = map_coordinates(document, route, options, &settings)?;
    let mut written = to.write(mapped.value, limits)?;
    let mut findings = mapped.findings;
    findings.append(&mut written.findings);
    Ok(Outcome { value: written.value, findings })
}

/// Returns the losses that patterns of codes, such as `convert/*`, do not accept.
///
/// # Errors
///
/// If a pattern is not valid.
pub fn refused_losses<'f>(
    findings: &'f [Finding],
    accepted: &[String],
) -> Result<Vec<&'f Finding>, EditError> {
    let patterns = accepted.iter().map(|code| NamePattern::new(code, Case::Sensitive));
    let patterns = patterns.collect::<Result<Vec<_>, _>>()?;
    let is_accepted = |id: &str| patterns.iter().any(|pattern| pattern.matches(id));
    let refused = |it: &&Finding| it.code.is_loss() && !is_accepted(it.code.id());
    Ok(findings.iter().filter(refused).collect())
}
