//! Text of a picture: how wide it is, and how names from files are spelled.
//!
//! All fonts of a picture are monospace, so that the width of text is known without a font.

use inbetween_core::num::f64_from_index;
use inbetween_core::printable;
use unicode_segmentation::UnicodeSegmentation as _;
use unicode_width::UnicodeWidthStr as _;

/// The fonts of a picture, best first, as the value of an attribute.
pub(super) const FONTS: &str = "'DejaVu Sans Mono', Menlo, Consolas, monospace";

/// The width of a column in ems: that of the first two fonts. It is a little less in most other
/// monospace fonts.
pub(super) const COLUMN: f64 = 0.602;

/// The distance from the top of a capital to the baseline in ems.
pub(super) const CAPITAL: f64 = 0.729;

/// The largest number of characters that are drawn in one place. No language stacks as many marks,
/// but a hostile name may have millions.
const STACKED: usize = 16;

/// Returns text without hidden characters, which are spelled as in Rust: `\u{202e}`.
pub(super) fn visible(text: &str) -> String {
    let mut out = printable(text).to_string();
    // XML does not allow these two code points.
    for c in ['\u{fffe}', '\u{ffff}'] {
        if out.contains(c) {
            out = out.replace(c, &c.escape_unicode().to_string());
        }
    }
    out
}

/// Returns the number of columns that a text takes; letters of East Asia take two each.
pub(super) fn columns(text: &str) -> f64 {
    visible(text).graphemes(true).map(columns_of).sum()
}

fn columns_of(grapheme: &str) -> f64 {
    f64_from_index(grapheme.width().max(1))
}

/// Returns visible text, cut and followed by an ellipsis if it takes more than `widest` columns.
pub(super) fn fitted(text: &str, widest: f64) -> String {
    let mut text = visible(text);
    let (mut used, mut end) = (0.0, None);
    let mut cut = None;
    for (start, grapheme) in text.grapheme_indices(true) {
        if used + 1.0 <= widest {
            end = Some(start);
        }
        used += columns_of(grapheme);
        if used > widest || grapheme.chars().nth(STACKED).is_some() {
            cut = Some(end);
            break;
        }
    }
    match cut {
        None => {}
        Some(None) => text.clear(),
        Some(Some(end)) => {
            text.truncate(end);
            text.push('…');
        }
    }
    text
}

/// Escapes visible text for XML.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_the_picture() {
        assert_eq!(escaped("<img onerror=1>"), "&lt;img onerror=1&gt;");
        assert_eq!(escaped("</title>&\u{0}\u{ffff}"), "&lt;/title&gt;&amp;\\u{0}\\u{ffff}");
        assert_eq!(escaped("a\u{202e}b\u{2067}\t\"'"), "a\\u{202e}b\\u{2067}\\t\"'");
    }

    #[test]
    fn letters_of_east_asia_take_two_columns_and_marks_none() {
        let counts = ["", "hips", "腰", "Größe", "Gro\u{308}ße", "가", "\u{1112}\u{1161}\u{11ab}"];
        assert_eq!(counts.map(columns), [0.0, 4.0, 2.0, 5.0, 5.0, 2.0, 2.0]);
        assert_eq!(columns("\u{202e}"), 8.0);
    }

    #[test]
    fn cuts_text_that_is_too_wide() {
        assert_eq!(fitted("abc", 3.0), "abc");
        assert_eq!(fitted("abcd", 3.9), "ab…");
        assert_eq!(fitted("左手首", 6.0), "左手首");
        assert_eq!(fitted("左手首", 5.0), "左手…");
        assert_eq!(fitted("左手首", 4.0), "左…");
        assert_eq!([fitted("abc", 1.0), fitted("abc", 0.9)], ["…", ""]);
    }

    #[test]
    fn a_cut_does_not_separate_a_letter_from_its_marks() {
        assert_eq!(fitted("ae\u{301}\u{323}io", 3.0), "ae\u{301}\u{323}…");
        assert_eq!(fitted("ae\u{301}\u{323}io", 2.0), "a…");
        assert_eq!(fitted("कि कि", 2.0).chars().last(), Some('…'));
        assert!(!fitted("aकि कि", 2.0).contains('क'));
        assert_eq!(fitted("🇩🇪🇫🇷", 3.0), "🇩🇪…");
    }

    #[test]
    fn millions_of_marks_are_cut() {
        let stacked = format!("ab{}", "\u{301}".repeat(1_000_000));
        assert_eq!(fitted(&stacked, 40.0), "a…");
        // Medial vowels of Hangul have no width.
        let vowels = "\u{11a8}\u{1161}".repeat(1_000_000);
        assert!(fitted(&vowels, 40.0).len() < 400);
    }
}
