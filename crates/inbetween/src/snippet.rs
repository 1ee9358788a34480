//! The line of a text file around a finding.

use inbetween_core::{Finding, Position, printable};

/// A line of a text file, and the place of a finding in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Snippet {
    /// The number of the line, from 1.
    pub line: u64,
    /// The line, or the part of it around the finding, without control characters.
    pub text: String,
    /// The number of characters before the finding.
    pub before: usize,
}

/// The number of characters before and after a finding that are shown of a long line.
const AROUND: usize = 60;

impl Snippet {
    /// Returns the line of a finding; `None` without a position in a text.
    pub fn of(finding: &Finding, bytes: &[u8]) -> Option<Self> {
        let Some(Position::Text { line, offset, .. }) = finding.position else { return None };
        let (before, after) = bytes.split_at_checked(usize::try_from(offset).ok()?)?;
        let start =
            before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at.saturating_add(1));
        let end =
            after.iter().position(|&byte| matches!(byte, b'\n' | b'\r')).unwrap_or(after.len());
        let before = String::from_utf8_lossy(before.get(start..)?);
        let after = String::from_utf8_lossy(after.get(..end)?);
        // Control characters are escaped, and a tab takes one column.
        let shown = |text: &str| printable(&text.replace('\t', " ")).to_string();
        let head: Vec<char> = shown(&before).chars().collect();
        let cut = head.len().saturating_sub(AROUND);
        let mut text = if cut > 0 { "...".to_owned() } else { String::new() };
        text.extend(head.iter().skip(cut));
        let before = text.chars().count();
        let tail = shown(&after);
        text.extend(tail.chars().take(AROUND));
        if tail.chars().count() > AROUND {
            text.push_str("...");
        }
        Some(Self { line, text, before })
    }
}
