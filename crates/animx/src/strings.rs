//! Encoded strings and string values.

use inbetween_core::shown;
use std::borrow::Cow;

use inbetween_core::num::u64_from_len;
use inbetween_core::parse::{PResult, bytes, claimed, record};
use inbetween_core::{SevenBit, Strings};

use crate::wire::TimeAt;

/// A string with its length: usually UTF-8, but any bytes are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnimxText<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) padding: u8,
}

impl<'a> AnimxText<'a> {
    /// Returns the encoded bytes.
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the text, with U+FFFD for invalid UTF-8.
    pub fn to_str_lossy(self) -> Cow<'a, str> {
        // Almost all names are valid, and the check alone is faster.
        let valid = core::str::from_utf8(self.bytes).map(Cow::Borrowed);
        valid.unwrap_or_else(|_| String::from_utf8_lossy(self.bytes))
    }

    /// Returns the number of bytes by which the length exceeds its shortest form; usually 0.
    pub const fn length_padding(self) -> u8 {
        self.padding
    }

    /// Returns the number of bytes of the string in the file, including its length.
    pub(crate) fn size(self) -> usize {
        let length = SevenBit::new(u64_from_len(self.bytes.len())).size();
        self.bytes.len().saturating_add(usize::from(length)).saturating_add(self.padding.into())
    }

    /// Returns whether the string is valid UTF-8.
    pub(crate) fn is_utf8(self) -> bool {
        // Most strings are ASCII, which takes a fraction of the time to check.
        self.bytes.is_ascii() || core::str::from_utf8(self.bytes).is_ok()
    }

    /// Returns the string in quotes for messages.
    pub(crate) fn quoted(self) -> String {
        format!("\"{}\"", shown(&String::from_utf8_lossy(self.bytes)))
    }

    /// Reads a string.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "returning a string through memory takes longer than reading it"
    )]
    pub(crate) fn parse(input: &'a [u8]) -> PResult<'a, Self> {
        let (rest, length) = SevenBit::parse(input)?;
        let (rest, text) = claimed(length.value())(rest)?;
        Ok((rest, Self { bytes: text, padding: length.padding() }))
    }
}

/// A value of a track of strings: null or a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AnimxString<'a> {
    pub(crate) not_null: u8,
    pub(crate) text: AnimxText<'a>,
}

impl<'a> From<&'a str> for AnimxString<'a> {
    fn from(text: &'a str) -> Self {
        Self { not_null: 1, text: AnimxText { bytes: text.as_bytes(), padding: 0 } }
    }
}

impl<'a> AnimxString<'a> {
    /// Returns the string, or `None` for null.
    pub fn text(self) -> Option<AnimxText<'a>> {
        (self.not_null != 0).then_some(self.text)
    }

    /// Returns the null byte: 0 for null; usually 1 for a string.
    pub const fn not_null(self) -> u8 {
        self.not_null
    }

    /// Reads a value.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for a string")]
    pub(crate) fn parse(input: &'a [u8]) -> PResult<'a, Self> {
        let (rest, block) = bytes(1)(input)?;
        let not_null = block.first().copied().unwrap_or_default();
        if not_null == 0 {
            return Ok((rest, Self::default()));
        }
        let (rest, text) = AnimxText::parse(rest)?;
        Ok((rest, Self { not_null, text }))
    }
}

/// Reads a string value, and the time before or after it.
#[inline(always)]
#[expect(clippy::inline_always, reason = "as for a string")]
pub(crate) fn string_key(
    input: &[u8],
    time: Option<TimeAt>,
) -> PResult<'_, (Option<f32>, AnimxString<'_>)> {
    let (rest, front) = match time {
        Some(TimeAt::Front) => record(input).map(|(rest, time)| (rest, Some(time)))?,
        _ => (input, None),
    };
    let (rest, value) = AnimxString::parse(rest)?;
    match time {
        Some(TimeAt::Back) => record(rest).map(|(rest, time)| (rest, (Some(time), value))),
        _ => Ok((rest, (front, value))),
    }
}

/// Iterates over string values.
#[derive(Clone, Debug)]
pub(crate) struct Texts<'a> {
    /// The values, from the first key of the track.
    pub(crate) whole: &'a [u8],
    /// The bytes of the remaining values.
    pub(crate) rest: &'a [u8],
    /// The number of remaining values.
    pub(crate) left: usize,
    /// The position of the times; `None` in Raw tracks and for tangents.
    pub(crate) time: Option<TimeAt>,
}

/// An encoded string value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextKey<'a> {
    /// Its offset from the first key.
    pub(crate) at: usize,
    /// Its time; `None` in Raw tracks and for tangents.
    pub(crate) time: Option<f32>,
    pub(crate) value: AnimxString<'a>,
}

impl<'a> Iterator for Texts<'a> {
    type Item = TextKey<'a>;

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "as for a string")]
    fn next(&mut self) -> Option<TextKey<'a>> {
        self.left = self.left.checked_sub(1)?;
        let at = self.whole.len().saturating_sub(self.rest.len());
        let (rest, (time, value)) = string_key(self.rest, self.time).ok()?;
        self.rest = rest;
        Some(TextKey { at, time, value })
    }
}

/// What is known of the strings of a track after one pass over them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextSurvey {
    /// The number of bytes of the texts in a column.
    pub(crate) bytes: usize,
    /// Whether a length is longer than needed.
    pub(crate) padded: bool,
    /// Whether a text is not UTF-8.
    pub(crate) invalid: bool,
    /// Whether a null byte is neither 0 nor 1.
    pub(crate) unusual_null: bool,
    /// The number of values that are null.
    pub(crate) nulls: usize,
}

impl TextSurvey {
    /// Scans strings.
    pub(crate) fn new<'a>(texts: impl Iterator<Item = TextKey<'a>>) -> Self {
        texts.fold(Self::default(), |survey, TextKey { value, .. }| {
            // The text of null is empty.
            let valid = value.text.is_utf8();
            let bytes = value.text.bytes;
            let bytes = if valid { bytes.len() } else { Strings::lossy_len(bytes) };
            Self {
                bytes: survey.bytes.saturating_add(bytes),
                padded: survey.padded || value.text.padding > 0,
                invalid: survey.invalid || !valid,
                unusual_null: survey.unusual_null || value.not_null > 1,
                nulls: survey.nulls.saturating_add(usize::from(value.not_null == 0)),
            }
        })
    }
}

/// String values with access by index, although only a scan finds their offsets.
pub(crate) struct TextIndex<'a> {
    texts: Texts<'a>,
    /// The offset of every [`STEP`](Self::STEP)th string.
    marks: Vec<usize>,
}

impl<'a> TextIndex<'a> {
    /// The number of strings per stored offset; large enough that offsets take little memory.
    const STEP: usize = 16;

    /// Scans the strings.
    pub(crate) fn new(texts: Texts<'a>) -> Self {
        let mut marks = Vec::with_capacity(texts.left.div_ceil(Self::STEP));
        marks.extend(texts.clone().step_by(Self::STEP).map(|key| key.at));
        Self { texts, marks }
    }

    /// Returns a string, or `None` if the index is out of range.
    pub(crate) fn get(&self, index: usize) -> Option<TextKey<'a>> {
        let at = *self.marks.get(index / Self::STEP)?;
        let behind = index % Self::STEP;
        let left = self.texts.left.saturating_sub(index.saturating_sub(behind));
        let rest = self.texts.whole.get(at..)?;
        Texts { rest, left, ..self.texts.clone() }.nth(behind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_takes_one_byte_and_the_empty_string_two() {
        let (rest, null) = AnimxString::parse(&[0, 0]).unwrap();
        assert_eq!((null.text(), rest.len()), (None, 1));
        let (rest, empty) = AnimxString::parse(&[1, 0]).unwrap();
        assert_eq!((empty.text().map(AnimxText::bytes), rest.len()), (Some(&[][..]), 0));
    }

    #[test]
    fn long_strings_are_cut_in_messages() {
        let text = AnimxText { bytes: &[b'a'; 100], padding: 0 };
        assert_eq!(text.quoted(), format!("\"{}… ({} bytes)\"", "a".repeat(64), text.bytes.len()));
        assert_eq!(AnimxText { bytes: b"a\"\xff", padding: 0 }.quoted(), "\"a\\\"\u{fffd}\"");
    }

    #[test]
    fn strings_are_found_by_index() {
        let mut bytes = vec![9, 9];
        for number in 0..40 {
            // A time, and a string whose length equals its index.
            bytes.extend(f32::from(number).to_le_bytes());
            bytes.extend([1, number]);
            bytes.extend(vec![b'a'; number.into()]);
        }
        bytes.extend([0; 9]);
        let texts = Texts { whole: &bytes, rest: &bytes[2..], left: 40, time: Some(TimeAt::Front) };
        let index = TextIndex::new(texts.clone());
        for (number, text) in texts.enumerate() {
            let found = index.get(number).unwrap();
            assert_eq!((found.at, found.time, found.value), (text.at, text.time, text.value));
            assert_eq!(found.value.text().unwrap().bytes().len(), number);
        }
        assert!(index.get(40).is_none() && index.get(1000).is_none());
    }
}
