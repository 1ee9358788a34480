//! Fixes a file by the edits in its findings.

use crate::num::u64_from_len;
use crate::{Edit, Finding};

/// A file after fixing some of its findings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// The number of applied edits.
    pub edits: u64,
    /// The number of edits that overlap an applied one; check again to apply them.
    pub left: u64,
}

/// Applies the edits of all findings that have edits.
///
/// An edit that overlaps an earlier one is left for another round.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Edit, Finding, Fix, codes, fix};
///
/// let edits = vec![Edit { start: 0, end: 4, replacement: b"true".as_slice().into() }];
/// let finding = Finding::new(codes::TIMES_SORTED, "True")
///     .fix(Fix { title: "write true".into(), edits });
/// assert_eq!(fix::apply(b"True,", &[finding]).bytes, b"true,");
/// ```
pub fn apply(bytes: &[u8], findings: &[Finding]) -> Fixed {
    let fixes = findings.iter().filter_map(|finding| finding.fix.as_ref());
    let mut edits: Vec<&Edit> = fixes.flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| (edit.start, edit.end));
    let mut result = Fixed { bytes: Vec::with_capacity(bytes.len()), edits: 0, left: 0 };
    let mut copied = 0;
    for edit in edits {
        let Some(between) = bytes.get(copied..edit.start) else {
            result.left = result.left.saturating_add(1);
            continue;
        };
        result.bytes.extend_from_slice(between);
        result.bytes.extend_from_slice(&edit.replacement);
        copied = edit.end.max(edit.start);
        result.edits = result.edits.saturating_add(1);
    }
    result.bytes.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    result
}

/// Returns the number of findings with edits.
pub fn fixable(findings: &[Finding]) -> u64 {
    u64_from_len(findings.iter().filter(|finding| finding.fix.is_some()).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Fix, codes};

    fn finding(edits: Vec<Edit>) -> Finding {
        Finding::new(codes::TIMES_SORTED, "x").fix(Fix { title: "y".into(), edits })
    }

    fn edit(start: usize, end: usize, replacement: &'static str) -> Edit {
        Edit { start, end, replacement: replacement.as_bytes().into() }
    }

    #[test]
    fn applies_edits_in_file_order() {
        let findings =
            [finding(vec![edit(4, 5, "E")]), finding(vec![edit(0, 1, ""), edit(2, 2, "+")])];
        let fixed = apply(b"abcdef", &findings);
        assert_eq!((fixed.bytes.as_slice(), fixed.edits, fixed.left), (&b"b+cdEf"[..], 3, 0));
    }

    #[test]
    fn skips_overlapping_and_invalid_edits() {
        let findings = [finding(vec![edit(0, 3, "x"), edit(2, 4, "y"), edit(9, 9, "z")])];
        let fixed = apply(b"abcdef", &findings);
        assert_eq!((fixed.bytes.as_slice(), fixed.edits, fixed.left), (&b"xdef"[..], 1, 2));
    }
}
