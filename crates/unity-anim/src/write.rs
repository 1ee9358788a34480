//! Writes the text of curves and scalars.

use std::fmt::Write as _;

use crate::layout::{DEFAULT_ORDER, THIRD};
use crate::read::curve::Keys;

/// Appends the keys of a curve, indented by six spaces.
pub(crate) fn keys<const N: usize>(keys: &Keys<N>, order: usize, out: &mut String) {
    out.push_str("    curve:\n      serializedVersion: 2\n");
    out.push_str(if keys.times.is_empty() { "      m_Curve: []\n" } else { "      m_Curve:\n" });
    let [before, after] = &keys.slopes;
    let rows = keys.values.iter().zip(before.iter().zip(after));
    for (time, (value, (into, onward))) in keys.times.iter().zip(rows) {
        let _ = write!(out, "      - serializedVersion: 3\n        time: {}\n", Number(*time));
        for (name, row) in [("value", value), ("inSlope", into), ("outSlope", onward)] {
            let _ = writeln!(out, "        {name}: {}", Row(row));
        }
        let third = Row(&[THIRD; N]);
        out.push_str("        tangentMode: 0\n        weightedMode: 0\n");
        let _ = write!(out, "        inWeight: {third}\n        outWeight: {third}\n");
    }
    let _ = write!(
        out,
        "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: {order}\n"
    );
}

/// The order that curves state that have none.
pub(crate) const NO_ORDER: usize = DEFAULT_ORDER;

/// Prints a number, or numbers by the names of their axes.
struct Row<'r, const N: usize>(&'r [f32; N]);

impl<const N: usize> std::fmt::Display for Row<'_, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let [one] = self.0.as_slice() {
            return Number(*one).fmt(f);
        }
        for (index, (name, number)) in ["x", "y", "z", "w"].iter().zip(self.0).enumerate() {
            let before = if index == 0 { "{" } else { ", " };
            write!(f, "{before}{name}: {}", Number(*number))?;
        }
        f.write_str("}")
    }
}

/// Prints the shortest decimal that reads back as the same number, as Unity does.
pub(crate) struct Number(pub(crate) f32);

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.0.abs();
        if self.0.is_infinite() {
            f.write_str(if self.0 > 0.0 { "Infinity" } else { "-Infinity" })
        } else if size == 0.0 || (1e-5..1e9).contains(&size) {
            self.0.fmt(f)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}

/// Returns a text as a scalar: plain, or in quotes if another reader could take it for something else.
pub(crate) fn scalar(text: &str) -> String {
    if !text.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
        return double_quoted(text);
    }
    let starts_plain = text.starts_with(|c: char| c.is_ascii_alphanumeric() || "_./(".contains(c));
    let is_plain = starts_plain
        && !text.ends_with([' ', ':'])
        && ![": ", " #"].iter().any(|part| text.contains(part));
    if is_plain || text.is_empty() {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "''"))
    }
}

fn double_quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
            _ => {
                for half in character.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{half:04X}");
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_the_shortest_and_read_back() {
        let texts = [0.083_333_336_f32, -0.0, 1e-7, f32::NEG_INFINITY, 2.544_443_8e-15, 3e9, -12.5]
            .map(|number| Number(number).to_string());
        assert_eq!(
            texts,
            ["0.083333336", "-0", "1e-7", "-Infinity", "2.5444438e-15", "3e9", "-12.5"]
        );
    }

    #[test]
    fn names_are_quoted_where_they_need_it() {
        let texts = ["Hips/Spine", "", "a: b", "- x", "it's: ", "口😀", " a", "{x}", "a\nb"];
        let expected = [
            "Hips/Spine",
            "",
            "'a: b'",
            "'- x'",
            "'it''s: '",
            "\"\\u53E3\\uD83D\\uDE00\"",
            "' a'",
            "'{x}'",
            "\"a\\u000Ab\"",
        ];
        assert_eq!(texts.map(scalar), expected);
    }
}
