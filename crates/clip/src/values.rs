//! Decoding columns and single values, for the animations of clips and for building them. Playback
//! decodes rows.

use inbetween_core::{Quat, Values};

use crate::clip::{Column, Storage};
use crate::four::LANES;
use crate::num::index;
use crate::rotation::{self, IDENTITY_WORDS, Rotations};
use crate::rows::{self, Layout, ROWS};

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
            _ => self.vector(&padded),
        }
    }

    /// Returns the components of a value that is not a 48-bit rotation, from the start of words.
    #[inline]
    fn vector<const N: usize>(&self, words: &[u16]) -> [f32; N] {
        let Self::Halves { offset, scale } = self else { return rows::floats(words) };
        let ranges = offset.first_chunk::<N>().zip(scale.first_chunk::<N>());
        let Some(((offset, scale), words)) = ranges.zip(words.first_chunk::<N>()) else {
            return [0.0; N];
        };
        let mut numbers = *offset;
        for ((number, scale), word) in numbers.iter_mut().zip(scale).zip(words) {
            *number += scale * rows::half(*word);
        }
        numbers
    }
}

impl Column {
    /// Appends the values of up to [`ROWS`] rows to a column with the type of the track.
    pub(crate) fn decode(&self, layout: &Layout, rows: &[u16], values: &mut Values) {
        let start = layout.start(self.storage.section(), self.place);
        // From the first value on, a row is as far from the next one as before.
        let rows = rows.get(start..).unwrap_or_default().chunks(index(layout.words()).max(1));
        let storage = &self.storage;
        match values {
            Values::Float(values) => values.extend(rows.map(|row| {
                let [number] = storage.vector(row);
                number
            })),
            Values::Float2(values) => values.extend(rows.map(|row| storage.vector::<2>(row))),
            Values::Float3(values) => values.extend(rows.map(|row| storage.vector::<3>(row))),
            Values::Float4(values) => values.extend(rows.map(|row| storage.vector::<4>(row))),
            Values::FloatQ(values) if *storage == Storage::Rotations => rotations(rows, values),
            Values::FloatQ(values) => values.extend(rows.map(|row| quat(storage.vector(row)))),
            _ => {}
        }
    }
}

/// Appends the 48-bit rotations at the start of rows.
fn rotations<'a>(rows: impl ExactSizeIterator<Item = &'a [u16]>, values: &mut Vec<Quat<f32>>) {
    let mut words = [[IDENTITY_WORDS; LANES]; ROWS / LANES];
    let mut decoded = [[quat(rotation::IDENTITY); LANES]; ROWS / LANES];
    let count = rows.len();
    for (words, row) in words.as_flattened_mut().iter_mut().zip(rows) {
        *words = row.first_chunk().copied().unwrap_or(IDENTITY_WORDS);
    }
    for (decoded, words) in decoded.iter_mut().zip(&words).take(count.div_ceil(LANES)) {
        *decoded = four(words);
    }
    values.extend_from_slice(decoded.as_flattened().get(..count).unwrap_or_default());
}

/// Decodes four rotations. Inlined into a loop, the compiler would join several of its rounds, which
/// takes half as many instructions again.
#[inline(never)]
fn four(words: &[[u16; 3]; LANES]) -> [Quat<f32>; LANES] {
    Rotations::decode(words).lanes().map(quat)
}

const fn quat([x, y, z, w]: [f32; 4]) -> Quat<f32> {
    Quat { x, y, z, w }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::Segments;
    use crate::rotation::Rotation;
    use crate::rows::KeySet;
    use crate::times::{TimeBase, Timeline, Times};
    use crate::{Clock, rotation};

    /// Tracks of every storage and width, each twice, and a set whose last rows are fewer than those
    /// that are decoded at once.
    fn set() -> (KeySet, Vec<(Column, usize)>) {
        let ranges = Storage::Halves { offset: [0.5, 1.0, -2.0, 0.0], scale: [1.0, 3.0, 0.1, 7.0] };
        let each = (1..=4).flat_map(|width| [(ranges.clone(), width), (Storage::Floats, width)]);
        let turns = [(Storage::Rotations, 4), (Storage::FullRotations, 4)];
        let each: Vec<_> = each.chain(turns).collect();
        let mut layout = Layout::default();
        let column = |(storage, width): &(Storage, usize)| {
            let segments = Segments::Linear;
            let place = layout.add(storage, *width, segments).unwrap();
            (Column { set: 0, place, storage: storage.clone(), segments }, *width)
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
        (KeySet { timeline: Timeline::new(times, base), layout, words }, columns)
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
            for rows in set.words.chunks(ROWS * stride) {
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
