//! The laws of the exact text forms, for every format that has one.

use core::ops::Range;

use inbetween_core::{Format, Limits, ReadErrorKind, TextForm};

use crate::cases::CaseKind;
use crate::fixtures;
use crate::laws::{Rewriter, in_context};
use crate::mutate::{Change, single_byte_changes};

/// The result of packing an unpacked file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextTrip {
    /// The file is refused.
    Refused,
    /// The same bytes.
    Same,
    /// Other bytes that unpack to the same text.
    SameText,
}

fn text_form(format: &dyn Format) -> &dyn TextForm {
    format.text().unwrap_or_else(|| panic!("{} has no text form", format.info().id))
}

/// Checks that a file that can be rewritten is unpacked to UTF-8 text, which packs to a file with
/// the same text, and that a rejected file is rejected for the same reason.
pub fn text_round_trip(format: &dyn Format, rewriter: Rewriter<'_>, bytes: &[u8]) -> TextTrip {
    let limits = Limits::default();
    let form = text_form(format);
    let text = match (rewriter(bytes, &limits), form.unpack(bytes, &limits)) {
        (Ok(_), Ok(text)) => text,
        (Ok(_), Err(error)) => panic!("rewritten, but not unpacked: {error}"),
        (Err(expected), found) => {
            assert_eq!(found.err(), Some(expected), "what refuses the file");
            return TextTrip::Refused;
        }
    };
    let shown = core::str::from_utf8(&text).expect("a text form is UTF-8");
    assert!(shown.starts_with("{\n  \"format\": \""), "the format stands first: {shown}");
    let packed = form.pack(&text, &limits);
    let packed =
        packed.unwrap_or_else(|error| panic!("unpacked, but not packed: {error}\n{shown}"));
    if packed == bytes {
        return TextTrip::Same;
    }
    let again = form.unpack(&packed, &limits);
    let again = again.unwrap_or_else(|error| panic!("packed, but not unpacked: {error}\n{shown}"));
    assert_eq!(String::from_utf8_lossy(&again), shown, "the text of the packed file");
    TextTrip::SameText
}

/// Checks that any text is packed to a file or rejected, and that small limits give a limit error
/// or the same file.
pub fn packing(format: &dyn Format, rewriter: Rewriter<'_>, text: &[u8]) {
    let form = text_form(format);
    let Ok(packed) = form.pack(text, &Limits::default()) else { return };
    if rewriter(&packed, &Limits::default()).is_ok() {
        text_round_trip(format, rewriter, &packed);
    }

    let small = [
        Limits::default().with_items(0),
        Limits::default().with_decoded_bytes(1),
        Limits::default().with_input_bytes(1),
    ];
    for limits in small {
        match form.pack(text, &limits) {
            Ok(within) => assert!(within == packed, "{limits:?} change the file"),
            Err(error) => {
                let limit = matches!(error.kind(), ReadErrorKind::Limit { .. });
                assert!(limit, "{limits:?} give another error than a limit: {error}");
            }
        }
    }
}

/// Checks the law of [`packing`] for every change of a byte of a text, and for every truncation.
pub fn every_change_of_a_text(format: &dyn Format, rewriter: Rewriter<'_>, text: &str) {
    let mut changed = text.as_bytes().to_vec();
    for Change { at, value } in single_byte_changes(text.as_bytes()) {
        let old = core::mem::replace(&mut changed[at], value);
        let shown = || String::from_utf8_lossy(&changed).into_owned();
        in_context(|| packing(format, rewriter, &changed), shown);
        changed[at] = old;
    }
    for length in crate::mutate::positions(text.len()) {
        packing(format, rewriter, &text.as_bytes()[..length]);
    }
}

/// Checks that every valid fixture, and every file with a single changed byte of it, survives its
/// text form; returns the results of the fixtures themselves.
///
/// `matches` selects files by a part of their path.
pub fn replay(
    format: &dyn Format,
    rewriter: Rewriter<'_>,
    matches: impl Fn(&str) -> bool,
) -> Vec<(String, TextTrip)> {
    let mut trips = Vec::new();
    for fixture in fixtures::of(format.info().id) {
        let name = fixture.path.display().to_string();
        if fixture.kind == CaseKind::Ok && matches(&name) {
            let mut trip = TextTrip::Refused;
            in_context(
                || trip = text_round_trip(format, rewriter, &fixture.bytes),
                || name.clone(),
            );
            every_number_changes_only_its_bytes(format, &fixture.bytes);
            let mut changed = fixture.bytes.clone();
            for Change { at, value } in single_byte_changes(&fixture.bytes) {
                changed[at] = value;
                in_context(
                    || _ = text_round_trip(format, rewriter, &changed),
                    || format!("{name} with byte {at:#x} set to {value:#04x}"),
                );
                changed[at] = fixture.bytes[at];
            }
            trips.push((name, trip));
        }
    }
    assert!(!trips.is_empty(), "no fixture of {} fits", format.info().id);
    trips
}

/// Checks [`every_number_of_a_text`] for the text of a file.
pub fn every_number_changes_only_its_bytes(format: &dyn Format, bytes: &[u8]) -> usize {
    let text = text_form(format).unpack(bytes, &Limits::default());
    text.map_or(0, |text| every_number_of_a_text(format, &text))
}

/// Checks that another number in the text changes at most the eight bytes of that number, or twelve
/// if it applies to three axes. Numbers that contradict a helper member are rejected. Numbers that
/// state a length are rejected or give a file of another length.
///
/// Returns how many numbers changed bytes, so that tests can require some.
pub fn every_number_of_a_text(format: &dyn Format, text: &[u8]) -> usize {
    let limits = Limits::default();
    let form = text_form(format);
    let original = form.pack(text, &limits).expect("the text packs");
    let mut changed = 0;
    for range in numbers(text) {
        let number = &text[range.clone()];
        let other: &[u8] = match number.contains(&b'.') {
            true if number == b"0.5" => b"0.25",
            true => b"0.5",
            false if number == b"1" => b"0",
            false => b"1",
        };
        let edited = [&text[..range.start], other, &text[range.end..]].concat();
        let Ok(packed) = form.pack(&edited, &limits) else { continue };
        if packed.len() != original.len() || packed == original {
            continue;
        }
        let differs = |at: &usize| packed[*at] != original[*at];
        let first = (0..packed.len()).find(differs).unwrap_or(0);
        let last = (0..packed.len()).rfind(differs).unwrap_or(0);
        let number = String::from_utf8_lossy(number);
        assert!(last - first < 12, "{number} became another one: bytes {first:#x} to {last:#x}");
        changed += 1;
    }
    changed
}

/// Returns the ranges of the numbers in a JSON text.
pub fn numbers(text: &[u8]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let start = at;
        match text[at] {
            b'"' => {
                at += 1;
                while at < text.len() && text[at] != b'"' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            b'-' | b'0'..=b'9' => {
                let digit = |byte: &u8| b"+-.eE".contains(byte) || byte.is_ascii_digit();
                while text.get(at).is_some_and(digit) {
                    at += 1;
                }
                found.push(start..at);
            }
            _ => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_found_only_outside_strings() {
        let text = br#"{"a1": [-0.5, "2\"3", 1e-4], "b": 7}"#;
        let found: Vec<&[u8]> = super::numbers(text).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, [&b"-0.5"[..], b"1e-4", b"7"]);
    }
}
