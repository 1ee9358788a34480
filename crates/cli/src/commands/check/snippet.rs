//! Shows a line of a text file with a mark at a finding.

use inbetween::Finding;
use inbetween::core::{Position, printable};

use crate::console::Paint;

/// A source line and the column of a finding in it.
#[derive(Debug)]
pub(super) struct Snippet {
    line: u64,
    /// The line, or the part of it around the finding.
    text: String,
    /// The number of characters before the finding.
    before: usize,
}

/// The number of characters before and after a finding that are shown of a long line.
const AROUND: usize = 60;

impl Snippet {
    /// Returns the line of a finding; `None` without a position in a text.
    pub(super) fn of(finding: &Finding, bytes: &[u8]) -> Option<Self> {
        let Some(Position::Text { line, offset, .. }) = finding.position else { return None };
        let (before, after) = bytes.split_at_checked(usize::try_from(offset).ok()?)?;
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
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

    /// Formats the line with its number, and a mark below it.
    pub(super) fn format(&self, paint: Paint) -> String {
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let space = " ".repeat(self.before);
        let mark = paint.error("^");
        let bar = paint.quiet("|");
        format!("{} {bar} {}\n{margin} {bar} {space}{mark}", paint.quiet(&number), self.text)
    }
}
