//! Fixes a file until nothing fixable remains.

use std::borrow::Cow;

use inbetween_core::{Finding, Format, Limits, ReadError, fix as edits};

/// A file after its fixable problems were fixed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fixed {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The number of applied edits.
    pub edits: u64,
    /// The remaining findings.
    pub findings: Vec<Finding>,
}

impl Fixed {
    /// Returns the number of findings that still have edits.
    pub fn left(&self) -> u64 {
        edits::fixable(&self.findings)
    }
}

/// Edits may reveal further findings; this stops a format whose edits never end.
const ROUNDS: usize = 64;

/// Checks a file and applies the edits of the findings that `wanted` accepts, repeatedly until
/// there are none, at most 64 times.
///
/// # Errors
///
/// If the bytes are too far from a file of the format to be checked.
pub fn fix(
    format: &dyn Format,
    bytes: &[u8],
    limits: &Limits,
    wanted: impl Fn(&Finding) -> bool,
) -> Result<Fixed, ReadError> {
    let mut bytes = Cow::Borrowed(bytes);
    let mut findings = format.check(&bytes, limits)?;
    let mut made: u64 = 0;
    for _ in 0..ROUNDS {
        let chosen: Vec<Finding> = findings
            .iter()
            .filter(|finding| finding.fix.is_some() && wanted(finding))
            .cloned()
            .collect();
        let fixed = edits::apply(&bytes, &chosen);
        if fixed.edits == 0 || fixed.bytes == *bytes {
            break;
        }
        made = made.saturating_add(fixed.edits);
        bytes = Cow::Owned(fixed.bytes);
        findings = format.check(&bytes, limits)?;
    }
    Ok(Fixed { bytes: bytes.into_owned(), edits: made, findings })
}
