//! Decoding columns and single values, for the animations of clips and for building them. Playback
//! decodes rows.

use inbetween_core::{Quat, Values};

use crate::column::{Column, Storage};
use crate::num::index;
use crate::rotation;
use crate::rows::{self, Layout, ROWS, Word};

impl Storage {
    /// Returns the number of words of a value with `width` components.
    pub(crate) const fn words(&self, width: usize) -> usize {
        match self {
            Self::Halves { .. } => width,
            Self::Rotations => 3,
            Self::FullRotations => 8,
            Self::Floats => width * 2,
        }
    }

    /// Returns the components of a value; missing words count as 0.
    pub(crate) fn numbers(&self, words: &[u16]) -> [f32; 4] {
        let mut padded = [0; 8];
        for (slot, word) in padded.iter_mut().zip(words) {
            *slot = *word;
        }
        match (self, padded) {
            (Self::Rotations, [a, b, c, ..]) => rotation::decode([a, b, c]),
            (Self::Halves { offset, scale }, [words @ .., _, _, _, _]) => {
                numbers(&words, offset, scale)
            }
            _ => rows::floats(&padded),
        }
    }
}

impl Column {
    /// Appends the values of rows to a column with the type of the track, and returns whether the
    /// builder makes all of them.
    pub(crate) fn decode<W: Word>(&self, layout: &Layout, rows: &[W], values: &mut Values) -> bool {
        let start = layout.start(self.storage.section(), self.place);
        let rows = Rows { words: rows, stride: index(layout.words()).max(1), start };
        match values {
            Values::Float(values) => self.vectors(rows, values),
            Values::Float2(values) => self.vectors(rows, values),
            Values::Float3(values) => self.vectors(rows, values),
            Values::Float4(values) => self.vectors(rows, values),
            Values::FloatQ(values) if self.storage == Storage::Rotations => rotations(rows, values),
            Values::FloatQ(values) => {
                let are_normalized = |rotations: &[Quat<f32>]| {
                    rotations.iter().all(|rotation| rows::is_normalized(rotation.to_array()))
                };
                append(rows.each(8), values, |words| quat(rows::floats(words)), are_normalized)
            }
            _ => true,
        }
    }

    /// Appends vectors of `N` components, and returns whether all of them are sound.
    fn vectors<const N: usize, V: Vector<N>, W: Word>(
        &self,
        rows: Rows<'_, W>,
        values: &mut Vec<V>,
    ) -> bool {
        let Storage::Halves { offset, scale } = &self.storage else {
            let floats = |words: &[W]| V::of(rows::floats(words));
            return append(rows.each(2 * N), values, floats, |values| are_small(V::flat(values)));
        };
        let ranges = offset.first_chunk::<N>().zip(scale.first_chunk::<N>());
        let Some((offset, scale)) = ranges else { return true };
        let words = rows.each(N).flatten();
        let sound = words.fold(true, |sound, word| sound & rows::is_up_to_one(word.get()));
        sound & append(rows.each(N), values, |words| V::of(numbers(words, offset, scale)), |_| true)
    }
}

/// A value of `N` components in a column.
trait Vector<const N: usize>: Sized {
    fn of(numbers: [f32; N]) -> Self;

    /// Returns the components of all values.
    fn flat(values: &[Self]) -> &[f32];
}

impl Vector<1> for f32 {
    fn of([number]: [f32; 1]) -> Self {
        number
    }

    fn flat(values: &[Self]) -> &[f32] {
        values
    }
}

impl<const N: usize> Vector<N> for [f32; N] {
    fn of(numbers: [f32; N]) -> Self {
        numbers
    }

    fn flat(values: &[Self]) -> &[f32] {
        values.as_flattened()
    }
}

/// The rows that hold the words of a track from a place on.
#[derive(Clone, Copy)]
struct Rows<'a, W> {
    words: &'a [W],
    stride: usize,
    start: usize,
}

impl<'a, W> Rows<'a, W> {
    /// Returns this many words of each row.
    #[inline]
    fn each(self, count: usize) -> impl ExactSizeIterator<Item = &'a [W]> {
        let range = self.start..self.start.saturating_add(count);
        let rows = self.words.chunks_exact(self.stride);
        rows.map(move |row| row.get(range.clone()).unwrap_or_default())
    }
}

/// Appends what a function makes of the words of rows, and returns whether these values are sound.
#[inline]
fn append<'a, T, W: 'a>(
    rows: impl Iterator<Item = &'a [W]>,
    values: &mut Vec<T>,
    of: impl Fn(&[W]) -> T,
    are_sound: impl Fn(&[T]) -> bool,
) -> bool {
    let before = values.len();
    values.extend(rows.map(of));
    are_sound(values.get(before..).unwrap_or_default())
}

fn are_small(numbers: &[f32]) -> bool {
    numbers.iter().fold(true, |sound, number| sound & rows::is_small(*number))
}

/// Appends the 48-bit rotations of rows, and returns whether all are sound.
///
/// The words of a few rows are first copied to a list for each of the three, from which the compiler
/// decodes several rotations at a time.
fn rotations(rows: Rows<'_, impl Word>, values: &mut Vec<Quat<f32>>) -> bool {
    let [mut first, mut second, mut third] = [[0; ROWS]; 3];
    let mut sound = true;
    for words in rows.words.chunks(rows.stride.saturating_mul(ROWS)) {
        let rows = Rows { words, ..rows }.each(3);
        let count = rows.len();
        let slots = first.iter_mut().zip(&mut second).zip(&mut third);
        for (((first, second), third), row) in slots.zip(rows) {
            let words = row.first_chunk().map(|words| words.map(Word::get));
            [*first, *second, *third] = words.unwrap_or_default();
        }
        let words = first.iter().zip(&second).zip(&third).take(count);
        let words = words.map(|((&first, &second), &third)| [first, second, third]);
        values.extend(words.clone().map(|words| quat(rotation::decode(words))));
        sound &= words.fold(true, |sound, words| sound & rows::is_rotation(words));
    }
    sound
}

/// Returns the numbers of half floats in their ranges.
#[inline]
fn numbers<const N: usize>(words: &[impl Word], offset: &[f32; N], scale: &[f32; N]) -> [f32; N] {
    let mut numbers = *offset;
    for ((number, scale), word) in numbers.iter_mut().zip(scale).zip(words) {
        *number += scale * rows::half(word.get());
    }
    numbers
}

const fn quat([x, y, z, w]: [f32; 4]) -> Quat<f32> {
    Quat { x, y, z, w }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::column::Segments;
    use crate::four::LANES;
    use crate::rotation::Rotation;
    use crate::rows::{KeySet, Lanes};
    use crate::times::{Clock, TimeBase, Timeline, Times};

    /// Tracks of every storage and width, each twice, and a set whose last rows are fewer than those
    /// that are decoded at once.
    fn set() -> (KeySet, Vec<(Column, usize)>) {
        let ranges = Storage::Halves { offset: [0.5, 1.0, -2.0, 0.0], scale: [1.0, 3.0, 0.1, 7.0] };
        let each = (1..=4).flat_map(|width| [(ranges, width), (Storage::Floats, width)]);
        let turns = [(Storage::Rotations, 4), (Storage::FullRotations, 4)];
        let each: Vec<_> = each.chain(turns).collect();
        let (mut layout, mut lanes) = (Layout::default(), Lanes::default());
        let column = |(storage, width): &(Storage, usize)| {
            let segments = Segments::Linear;
            let place = layout.add(storage.section(), *width).unwrap();
            let column = Column { set: 0, place, storage: *storage, segments };
            lanes.add(&column, *width);
            (column, *width)
        };
        let columns = each.iter().chain(&each).map(column).collect();
        let count = u32::try_from(2 * ROWS + 5).unwrap();
        let words = (0..count * layout.words()).map(|word| {
            let word = word.wrapping_mul(2_654_435_761) >> 16;
            // Small enough for a half float and for the high half of a float.
            u16::try_from(word & 0x3bff).unwrap()
        });
        let (times, words) = (Times::Even { first: 0, step: 1, count }, words.collect());
        let base = TimeBase { clock: Clock::F64, rate: 60.0 };
        (KeySet { timeline: Timeline::new(times, base), layout, lanes, words }, columns)
    }

    #[test]
    fn columns_have_the_values_that_playback_decodes() {
        let (set, columns) = set();
        let stride = index(set.layout.words());
        for (column, width) in columns {
            let is_rotation = matches!(column.storage, Storage::Rotations | Storage::FullRotations);
            let mut values = match width {
                _ if is_rotation => Values::FloatQ(Vec::new()),
                1 => Values::Float(Vec::new()),
                2 => Values::Float2(Vec::new()),
                3 => Values::Float3(Vec::new()),
                _ => Values::Float4(Vec::new()),
            };
            // Rotations are decoded a few rows at a time; the first block has more of them.
            for rows in set.words.chunks((ROWS + 9) * stride) {
                column.decode(&set.layout, rows, &mut values);
            }
            assert_eq!(values.len(), set.timeline.times().len());
            let lane = set.layout.lane(column.storage.section(), column.place);
            let mut row = set.row();
            for key in 0..values.len() {
                set.decode(key, &mut row);
                let mut played: Rotation = [0.0; 4];
                if is_rotation {
                    played = row.rotations[lane / LANES].lanes()[lane % LANES];
                } else {
                    played[..width].copy_from_slice(&row.numbers[lane..lane + width]);
                }
                let decoded: [f64; 4] = inbetween_core::rows::row(&values, key);
                assert_eq!(decoded, played.map(f64::from), "key {key} of {column:?}");
            }
        }
    }

    #[test]
    fn a_single_value_is_decoded_like_a_column() {
        let halves = Storage::Halves { offset: [1.0, 2.0, 0.0, 0.0], scale: [0.5, 4.0, 0.0, 0.0] };
        assert_eq!(halves.numbers(&[0x3c00, 0xbc00]), [1.5, -2.0, 0.0, 0.0]);
        assert_eq!(Storage::Floats.numbers(&[0, 0x3f80]), [1.0, 0.0, 0.0, 0.0]);
        let words = rotation::encode([0.0, 0.6, 0.0, 0.8]);
        assert_eq!(Storage::Rotations.numbers(&words), rotation::decode(words));
    }
}
