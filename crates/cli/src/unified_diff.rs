//! Differences between two texts in the unified format.

use std::fmt::Write;

use inbetween::core::printable;

/// The unchanged lines around a change.
const CONTEXT: usize = 3;

/// The largest number of changed lines that are compared; more are one change.
const MOST: usize = 1000;

/// Returns the unified diff of a file; empty if nothing changes.
pub(crate) fn of(name: &str, old: &[u8], new: &[u8]) -> String {
    let (old, new) = (String::from_utf8_lossy(old), String::from_utf8_lossy(new));
    let (old, new): (Vec<&str>, Vec<&str>) =
        (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let lines = compare(&old, &new);
    let mut text = String::new();
    for hunk in hunks(&lines) {
        if text.is_empty() {
            let name = printable(name);
            // Writing to a String does not fail.
            let _ = write!(text, "--- {name}\n+++ {name}\n");
        }
        write_hunk(hunk, &lines, &mut text);
    }
    text
}

/// A line of both texts, or of one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line<'t> {
    Same(&'t str),
    Old(&'t str),
    New(&'t str),
}

/// Finds the lines that both texts have, in order.
fn compare<'t>(old: &[&'t str], new: &[&'t str]) -> Vec<Line<'t>> {
    let start = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let (head, old) = old.split_at(start);
    let (_, new) = new.split_at(start);
    let end =
        old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (old, tail) = old.split_at(old.len() - end);
    let (new, _) = new.split_at(new.len() - end);
    let mut lines: Vec<Line<'t>> = head.iter().map(|line| Line::Same(line)).collect();
    if old.len() > MOST || new.len() > MOST {
        lines.extend(old.iter().map(|line| Line::Old(line)));
        lines.extend(new.iter().map(|line| Line::New(line)));
    } else {
        align(old, new, &mut lines);
    }
    lines.extend(tail.iter().map(|line| Line::Same(line)));
    lines
}

/// Aligns two short texts by their longest common subsequence.
fn align<'t>(old: &[&'t str], new: &[&'t str], lines: &mut Vec<Line<'t>>) {
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    let at = |row: usize, column: usize| row * width + column;
    let get = |table: &[u32], row, column| table.get(at(row, column)).copied().unwrap_or_default();
    for (row, one) in old.iter().enumerate().rev() {
        for (column, other) in new.iter().enumerate().rev() {
            let (below, right) = (row + 1, column + 1);
            let length = if one == other {
                get(&common, below, right) + 1
            } else {
                get(&common, below, column).max(get(&common, row, right))
            };
            if let Some(cell) = common.get_mut(at(row, column)) {
                *cell = length;
            }
        }
    }
    let (mut row, mut column) = (0_usize, 0_usize);
    loop {
        let (below, right) = (row + 1, column + 1);
        match (old.get(row), new.get(column)) {
            (Some(one), Some(other)) if one == other => {
                lines.push(Line::Same(one));
                (row, column) = (below, right);
            }
            (Some(one), other)
                if other.is_none() || get(&common, below, column) >= get(&common, row, right) =>
            {
                lines.push(Line::Old(one));
                row = below;
            }
            (_, Some(other)) => {
                lines.push(Line::New(other));
                column = right;
            }
            _ => return,
        }
    }
}

/// Returns the ranges of lines around changes.
fn hunks(lines: &[Line<'_>]) -> Vec<core::ops::Range<usize>> {
    let mut hunks: Vec<core::ops::Range<usize>> = Vec::new();
    let changes = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Same(_)));
    for (at, _) in changes {
        let start = at.saturating_sub(CONTEXT);
        let end = (at + CONTEXT + 1).min(lines.len());
        match hunks.last_mut() {
            Some(last) if start <= last.end => last.end = end,
            _ => hunks.push(start..end),
        }
    }
    hunks
}

fn write_hunk(hunk: core::ops::Range<usize>, lines: &[Line<'_>], text: &mut String) {
    let count = |lines: &[Line<'_>], is_new: bool| {
        let counts = |line: &&Line<'_>| match line {
            Line::Same(_) => true,
            Line::Old(_) => !is_new,
            Line::New(_) => is_new,
        };
        lines.iter().filter(counts).count()
    };
    let before = lines.get(..hunk.start).unwrap_or_default();
    let inside = lines.get(hunk).unwrap_or_default();
    let range = |is_new| {
        let length = count(inside, is_new);
        // An empty range is at the line before it.
        let start = count(before, is_new) + usize::from(length > 0);
        format!("{start},{length}")
    };
    let _ = writeln!(text, "@@ -{} +{} @@", range(false), range(true));
    for line in inside {
        let (sign, line) = match line {
            Line::Same(line) => (' ', line),
            Line::Old(line) => ('-', line),
            Line::New(line) => ('+', line),
        };
        let _ = writeln!(text, "{sign}{}", printable(line.trim_end_matches('\n')));
        if !line.ends_with('\n') {
            text.push_str("\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_three_lines_around_them() {
        let old = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";
        let new = old.replace("2\n3", "two\n3").replace("11\n", "");
        assert_eq!(
            of("a", old.as_bytes(), new.as_bytes()),
            "--- a\n+++ a\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n\
             @@ -8,5 +8,4 @@\n 8\n 9\n 10\n-11\n 12\n"
        );
        assert_eq!(of("a", b"same", b"same"), "");
    }

    #[test]
    fn hidden_characters_are_escaped() {
        assert_eq!(
            of("a\u{1b}", "x\u{202e}\n".as_bytes(), b"y\n"),
            "--- a\\u{1b}\n+++ a\\u{1b}\n@@ -1,1 +1,1 @@\n-x\\u{202e}\n+y\n"
        );
    }

    #[test]
    fn a_missing_line_break_at_the_end_is_named() {
        assert_eq!(
            of("a", b"x", b"y\n"),
            "--- a\n+++ a\n@@ -1,1 +1,1 @@\n-x\n\\ No newline at end of file\n+y\n"
        );
    }
}
