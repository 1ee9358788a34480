//! Mending a file until nothing is left to mend.

use std::borrow::Cow;

use inbetween_core::{Finding, Format, Limits, ReadError, fix as edits};

/// A file after its mechanical faults were mended.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Mended {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many edits were made.
    pub edits: u64,
    /// What a check still finds.
    pub findings: Vec<Finding>,
}

impl Mended {
    /// Returns how many findings still carry edits.
    pub fn left(&self) -> u64 {
        edits::fixable(&self.findings)
    }
}

/// Edits may uncover further findings; a format whose edits never end stops here.
const ROUNDS: usize = 64;

/// Checks a file and makes the edits of the findings that `wanted` accepts, again and
/// again until there are no more, at most 64 times.
///
/// # Errors
///
/// When the bytes are so far from a file of the format that there is nothing to check.
pub fn fix(
    format: &dyn Format,
    bytes: &[u8],
    limits: &Limits,
    wanted: impl Fn(&Finding) -> bool,
) -> Result<Mended, ReadError> {
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
    Ok(Mended { bytes: bytes.into_owned(), edits: made, findings })
}
