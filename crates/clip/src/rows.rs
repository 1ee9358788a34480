//! The rows of a key set: the order of their words, and decoding them.

use alloc::vec;
use alloc::vec::Vec;

use crate::column::{Column, Section, Segments, Storage};
use crate::four::LANES;
use crate::layout::LARGEST;
use crate::num::index;
use crate::rotation::{IDENTITY_WORDS, LARGEST_WORD, Rotation, Rotations};
use crate::times::Timeline;

/// The number of rows that are read at once. It is large enough to make the work per track small,
/// and small enough that the next track finds its words of wide rows in the cache.
pub(crate) const ROWS: usize = 32;

/// Key times that several tracks share, and a row of words for each.
///
/// A row holds the values of all tracks at a key, those of one encoding next to each other, so
/// that a few loops without branches decode it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeySet {
    pub(crate) timeline: Timeline,
    pub(crate) layout: Layout,
    pub(crate) lanes: Lanes,
    /// The rows of all keys.
    pub(crate) words: Vec<u16>,
}

/// A word of a row in memory, or its bytes in a file.
pub(crate) trait Word: Copy {
    fn get(self) -> u16;
}

impl Word for u16 {
    #[inline]
    fn get(self) -> u16 {
        self
    }
}

impl Word for [u8; 2] {
    #[inline]
    fn get(self) -> u16 {
        u16::from_le_bytes(self)
    }
}

/// The words of a row.
struct Sections<'a> {
    rotations: &'a [u16],
    halves: &'a [u16],
    full_rotations: &'a [u16],
    floats: &'a [u16],
}

/// How many values the sections of a row have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Layout {
    rotations: u32,
    /// Components, like `floats`.
    halves: u32,
    full_rotations: u32,
    floats: u32,
    /// Words per row, which `add` keeps within `u32`.
    words: u32,
}

/// What playback needs for the values of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lanes {
    /// The ranges of the half floats.
    offsets: Vec<f32>,
    scales: Vec<f32>,
    /// The rotations or components that hold until the next key.
    held: Vec<(Section, u32)>,
}

impl Lanes {
    /// Adds the values of a track after those of the same section.
    pub(crate) fn add(&mut self, column: &Column, width: usize) {
        if let Storage::Halves { offset, scale } = &column.storage {
            self.offsets.extend(offset.iter().take(width));
            self.scales.extend(scale.iter().take(width));
        }
        if column.segments == Segments::Hold {
            let section = column.storage.section();
            let places = (column.place..).take(section.places(width));
            self.held.extend(places.map(|place| (section, place)));
        }
    }

    /// Returns the rotations or components that hold until the next key.
    pub(crate) fn held(&self) -> &[(Section, u32)] {
        &self.held
    }
}

impl Layout {
    /// Adds a track after those of the same section, and returns its place there; `None` if a row
    /// would have more words than `u32` can count.
    pub(crate) fn add(&mut self, section: Section, width: usize) -> Option<u32> {
        let (count, size) = match section {
            Section::Rotations => (&mut self.rotations, 3),
            Section::Halves => (&mut self.halves, 1),
            Section::FullRotations => (&mut self.full_rotations, 8),
            Section::Floats => (&mut self.floats, 2),
        };
        let added = u32::try_from(section.places(width)).ok()?;
        self.words = self.words.checked_add(added.checked_mul(size)?)?;
        let first = *count;
        *count = first.checked_add(added)?;
        Some(first)
    }

    /// Returns the number of words of a row.
    pub(crate) const fn words(&self) -> u32 {
        self.words
    }

    /// Returns the number of words of several rows, at least 1.
    pub(crate) fn words_of(&self, rows: usize) -> usize {
        index(self.words).saturating_mul(rows).max(1)
    }

    /// Returns the number of words before a value of a section.
    #[expect(clippy::arithmetic_side_effects, reason = "`add` has counted all words of a row")]
    pub(crate) fn start(&self, section: Section, place: u32) -> usize {
        let [rotations, halves, full] =
            [self.rotations, self.halves, self.full_rotations].map(index);
        let place = index(place);
        match section {
            Section::Rotations => place * 3,
            Section::Halves => rotations * 3 + place,
            Section::FullRotations => rotations * 3 + halves + place * 8,
            Section::Floats => rotations * 3 + halves + full * 8 + place * 2,
        }
    }

    /// Returns the index of a value among all rotations, or of a component among all numbers.
    #[expect(clippy::arithmetic_side_effects, reason = "`add` has counted all words of a row")]
    pub(crate) fn lane(&self, section: Section, place: u32) -> usize {
        let before = match section {
            Section::Rotations | Section::Halves => 0,
            Section::FullRotations => self.rotations,
            Section::Floats => self.halves,
        };
        index(before) + index(place)
    }

    /// Divides the words of a row.
    fn split<'a>(&self, words: &'a [u16]) -> Sections<'a> {
        let mut rest = words;
        let mut take = |count: u32, size: usize| {
            let length = index(count).saturating_mul(size);
            let (words, after) = rest.split_at_checked(length).unwrap_or_default();
            rest = after;
            words
        };
        Sections {
            rotations: take(self.rotations, 3),
            halves: take(self.halves, 1),
            full_rotations: take(self.full_rotations, 8),
            floats: take(self.floats, 2),
        }
    }

    /// Returns the index of a word of the first value in rows that the builder never makes.
    pub(crate) fn first_unsound(&self, rows: &[u16]) -> Option<usize> {
        let length = self.words_of(1);
        rows.chunks(length).enumerate().find_map(|(row, words)| {
            row.checked_mul(length)?.checked_add(self.first_unsound_of_row(words)?)
        })
    }

    fn first_unsound_of_row(&self, words: &[u16]) -> Option<usize> {
        let Sections { rotations, halves, full_rotations, floats } = self.split(words);
        unsound(rotations, is_rotation)
            .map(|place| (Section::Rotations, place))
            .or_else(|| Some((Section::Halves, unsound(halves, |[word]| is_up_to_one(word))?)))
            .or_else(|| Some((Section::FullRotations, unsound(full_rotations, is_full_rotation)?)))
            .or_else(|| Some((Section::Floats, unsound(floats, |pair| is_small(float(pair)))?)))
            .map(|(section, place)| self.start(section, place))
    }
}

/// A decoded row.
#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// All rotations, four to an item.
    pub(crate) rotations: Vec<Rotations>,
    /// The components of all other values.
    pub(crate) numbers: Vec<f32>,
}

impl Row {
    /// Copies a rotation or a component from another row.
    pub(crate) fn copy(&mut self, other: &Self, section: Section, lane: usize) {
        if matches!(section, Section::Rotations | Section::FullRotations) {
            let lanes = other.rotations.get(lane / LANES).map(Rotations::lanes);
            if let Some(&rotation) = lanes.as_ref().and_then(|lanes| lanes.get(lane % LANES)) {
                self.set(lane, rotation);
            }
        } else if let Some((own, other)) = self.numbers.get_mut(lane).zip(other.numbers.get(lane)) {
            *own = *other;
        }
    }

    /// Replaces one of the rotations.
    fn set(&mut self, lane: usize, rotation: Rotation) {
        if let Some(four) = self.rotations.get_mut(lane / LANES) {
            four.set(lane % LANES, rotation);
        }
    }
}

impl KeySet {
    /// Returns an empty row of this set.
    #[expect(clippy::arithmetic_side_effects, reason = "`add` has counted all words of a row")]
    pub(crate) fn row(&self) -> Row {
        let layout = &self.layout;
        let rotations = index(layout.rotations) + index(layout.full_rotations);
        let numbers = index(layout.halves) + index(layout.floats);
        Row {
            rotations: vec![Rotations::default(); rotations.div_ceil(LANES)],
            numbers: vec![0.0; numbers],
        }
    }

    /// Decodes the row of a key; after the last key, it does nothing.
    pub(crate) fn decode(&self, key: usize, row: &mut Row) {
        let layout = &self.layout;
        let Some(words) = self.row_words(key) else { return };
        let sections = layout.split(words);
        let (rotations, _) = sections.rotations.as_chunks::<3>();
        let (fours, few) = rotations.as_chunks::<LANES>();
        let mut last = [IDENTITY_WORDS; LANES];
        for (slot, words) in last.iter_mut().zip(few) {
            *slot = *words;
        }
        for (four, words) in row.rotations.iter_mut().zip(fours.iter().chain([&last])) {
            *four = Rotations::decode(words);
        }
        let halves = sections.halves.iter().zip(self.lanes.offsets.iter().zip(&self.lanes.scales));
        for (number, (word, (offset, scale))) in row.numbers.iter_mut().zip(halves) {
            *number = offset + scale * half(*word);
        }
        let (full, _) = sections.full_rotations.as_chunks::<8>();
        for (place, words) in (0..).zip(full) {
            row.set(layout.lane(Section::FullRotations, place), floats(words));
        }
        let (pairs, _) = sections.floats.as_chunks::<2>();
        let numbers = row.numbers.get_mut(index(layout.halves)..).unwrap_or_default();
        for (number, pair) in numbers.iter_mut().zip(pairs) {
            *number = float(*pair);
        }
    }

    fn row_words(&self, key: usize) -> Option<&[u16]> {
        let length = index(self.layout.words());
        let start = key.checked_mul(length)?;
        self.words.get(start..start.checked_add(length)?)
    }
}

/// Returns the place of the first value of `N` words that is not sound.
///
/// A loop over them without branches finds that out much faster than a
/// search, because it compiles to vector instructions.
fn unsound<const N: usize>(words: &[u16], is_sound: impl Fn([u16; N]) -> bool) -> Option<u32> {
    let (values, _) = words.as_chunks::<N>();
    if values.iter().fold(true, |sound, value| sound & is_sound(*value)) {
        return None;
    }
    let place = values.iter().position(|value| !is_sound(*value))?;
    u32::try_from(place).ok()
}

/// Returns whether words are a rotation that the builder makes.
pub(crate) fn is_rotation([a, b, c]: [u16; 3]) -> bool {
    (a & 0x7fff).max(b & 0x7fff).max(c) <= LARGEST_WORD
}

/// Returns whether a half float is from -1 to 1.
pub(crate) const fn is_up_to_one(word: u16) -> bool {
    const ONE: u16 = 0x3c00;
    word & 0x7fff <= ONE
}

/// Returns whether words are a normalized quaternion in `f32`.
fn is_full_rotation(words: [u16; 8]) -> bool {
    is_normalized(floats(&words))
}

/// Returns whether a number is from -1e30 to 1e30.
pub(crate) const fn is_small(number: f32) -> bool {
    number.abs() <= LARGEST
}

/// Returns whether a quaternion from a file has a length of 1, up to rounding.
pub(crate) fn is_normalized(rotation: Rotation) -> bool {
    let square: f32 = rotation.iter().map(|part| part * part).sum();
    (square - 1.0).abs() < 1e-3
}

/// Returns the number of a half float from -1 to 1.
///
/// Shifted into place, its bits are those of an `f32` with an exponent that is too small by 112.
/// Unlike a conversion that knows infinity, this compiles to vector instructions.
#[inline]
pub(crate) fn half(word: u16) -> f32 {
    const SCALE: f32 = f32::from_bits((127 + 112) << 23);
    let magnitude = f32::from_bits(u32::from(word & 0x7fff) << 13) * SCALE;
    f32::from_bits(magnitude.to_bits() | u32::from(word & 0x8000) << 16)
}

/// Returns the `f32` with this low and high half.
#[inline]
pub(crate) fn float([low, high]: [u16; 2]) -> f32 {
    f32::from_bits(u32::from(low) | u32::from(high) << 16)
}

/// Returns the `f32` numbers at the start of words, two words for each; zeros if there are fewer.
pub(crate) fn floats<const N: usize>(words: &[impl Word]) -> [f32; N] {
    let (pairs, _) = words.as_chunks::<2>();
    pairs.first_chunk().map_or([0.0; N], |pairs| pairs.map(|pair| float(pair.map(Word::get))))
}

#[cfg(all(test, feature = "build"))]
mod tests {
    use half::f16;

    use super::half;

    #[test]
    fn half_floats_up_to_1_are_exact() {
        for bits in (0..=0x3c00).chain(0x8000..=0xbc00) {
            assert_eq!(half(bits).to_bits(), f16::from_bits(bits).to_f32().to_bits(), "{bits:#x}");
        }
    }
}
