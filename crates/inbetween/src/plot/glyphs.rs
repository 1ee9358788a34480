//! Letters as strokes, so that pictures look the same everywhere without a font.
//!
//! A glyph is a list of strokes, separated by blanks; a stroke is a list of points, each two
//! hexadecimal digits: x from the left, and y downwards with capitals from 0 to the baseline at 9.

use std::fmt::Write;

/// The distance from the top of a capital to the baseline.
pub(super) const CAPITAL: f64 = 9.0;

/// The gap between two glyphs.
const GAP: u32 = 3;

/// The width of a blank.
const BLANK: u32 = 4;

/// The glyphs of the printable ASCII characters from `!` on.
const ASCII: [&str; 94] = [
    "0006 0809",
    "0002 2022",
    "2118 5148 0363 0666",
    "514010010314445558491908 302a",
    "0960 01102122130201 47566768594847",
    "691311203041420608193965",
    "0002",
    "2003072a",
    "0023270a",
    "2125 0244 4204",
    "0545 2327",
    "190b",
    "0545",
    "0809",
    "400a",
    "104051584919080110",
    "123039 1959",
    "0201104051530959",
    "01104051534424 445558491908",
    "49400656",
    "500004445558491908",
    "40200208194958554404",
    "005029",
    "104051534414030110 1405081949585544",
    "193957514010010414 1455",
    "0405 0809",
    "1415 190b",
    "420548",
    "0444 0747",
    "024508",
    "01103041422426 2829",
    "434323264643 466662402002072959",
    "093069 1656",
    "09004051534404 4455584909",
    "6150200207295968",
    "00406267490900",
    "50000959 0444",
    "500009 0444",
    "61502002072959686535",
    "0009 6069 0464",
    "0020 1019 0929",
    "4048391908",
    "0009 5005 2359",
    "000959",
    "0900356069",
    "09006960",
    "204062674929070220",
    "09004051544505",
    "204062674929070220 4769",
    "09004051544505 3559",
    "514010010314445558491908",
    "0060 3039",
    "000729496760",
    "003960",
    "0019335960",
    "0069 6009",
    "003460 3439",
    "00600969",
    "20000a2a",
    "004a",
    "00202a0a",
    "022042",
    "0a5a",
    "0012",
    "5359 5443130408194958",
    "0009 0413435458491908",
    "5443130408194958",
    "5059 5443130408194958",
    "06565443130408194958",
    "30201119 0333",
    "535b4c1c0b 5443130408194958",
    "0009 0413435459",
    "0309 0001",
    "232b1c0c 2021",
    "0009 4307 2549",
    "000819",
    "0309 0413233439 3443536469",
    "0309 0413435459",
    "134354584919080413",
    "030c 0413435458491908",
    "535c 5443130408194958",
    "0309 052333",
    "544313040516465758491908",
    "10182939 0333",
    "0308194958 5359",
    "032943",
    "0319345963",
    "0349 4309",
    "0329 431c0c",
    "03430949",
    "302011140516192a3a",
    "000b",
    "001021243526291a0a",
    "061525364655",
];

fn glyph(c: char) -> Option<&'static str> {
    match c {
        '°' => Some("1021120110"),
        '…' => Some("0809 2829 4849"),
        _ => {
            let index = u32::from(c).checked_sub(u32::from('!'))?;
            ASCII.get(usize::try_from(index).ok()?).copied()
        }
    }
}

/// Returns the points of a stroke.
fn points(stroke: &str) -> impl Iterator<Item = (u32, u32)> {
    let mut digits = stroke.chars().filter_map(|digit| digit.to_digit(16));
    std::iter::from_fn(move || Some((digits.next()?, digits.next()?)))
}

fn width(glyph: &str) -> u32 {
    glyph.split(' ').flat_map(points).map(|(x, _)| x).max().unwrap_or(0)
}

/// Returns the characters of a text; those without a glyph are escaped as in Rust, `\u{624b}`.
fn spelled(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(|c| {
        let known = c == ' ' || glyph(c).is_some();
        let escaped = (!known).then(|| c.escape_unicode()).into_iter().flatten();
        known.then_some(c).into_iter().chain(escaped)
    })
}

/// Returns the width of a text in units of the grid.
pub(super) fn text_width(text: &str) -> f64 {
    let advances = spelled(text).map(|c| f64::from(advance(c)));
    (advances.sum::<f64>() - f64::from(GAP)).max(0.0)
}

fn advance(c: char) -> u32 {
    glyph(c).map_or(BLANK, |glyph| width(glyph).saturating_add(GAP))
}

/// Returns the SVG path of a text; the upper left corner of its first glyph is at 0, 0.
pub(super) fn path(text: &str) -> String {
    let mut path = String::new();
    let mut left = 0_u32;
    for c in spelled(text) {
        for stroke in glyph(c).unwrap_or_default().split(' ') {
            for (index, (x, y)) in points(stroke).enumerate() {
                let command = if index == 0 { 'M' } else { 'L' };
                // Writing to a String does not fail.
                let _ = write!(path, "{command}{} {y}", left.saturating_add(x));
            }
        }
        left = left.saturating_add(advance(c));
    }
    path
}

/// Returns the text, cut and followed by an ellipsis if it is wider than `widest` units.
pub(super) fn fitted(text: &str, widest: f64) -> String {
    if text_width(text) <= widest {
        return text.to_owned();
    }
    let mut kept: String = spelled(text).collect();
    while kept.pop().is_some() {
        let cut = format!("{kept}…");
        if text_width(&cut) <= widest {
            return cut;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_strokes_within_its_box() {
        for c in ('!'..='~').chain(['°', '…']) {
            let glyph = glyph(c).unwrap();
            for stroke in glyph.split(' ') {
                assert_eq!(stroke.len() % 2, 0, "{c}");
                assert!(points(stroke).count() >= 2, "{c}");
                assert!(points(stroke).all(|(x, y)| x <= 6 && y <= 12), "{c}");
            }
        }
    }

    #[test]
    fn glyphs_differ_from_each_other() {
        let mut glyphs = ASCII.to_vec();
        glyphs.sort_unstable();
        glyphs.dedup();
        assert_eq!(glyphs.len(), ASCII.len());
    }

    #[test]
    fn spells_characters_without_a_glyph_by_their_code() {
        assert_eq!(spelled("手 a").collect::<String>(), "\\u{624b} a");
        assert_eq!(path("L"), "M0 0L0 9L5 9");
    }

    #[test]
    fn cuts_text_that_is_too_wide() {
        assert_eq!(fitted("abc", 100.0), "abc");
        let cut = fitted("a long name of a node", 60.0);
        assert!(cut.ends_with('…') && text_width(&cut) <= 60.0, "{cut}");
        assert_eq!(fitted("abc", 1.0), "");
    }
}
