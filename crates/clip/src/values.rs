//! Decoding single values, for building clips and for their animations. Playback decodes rows.

use crate::clip::{Column, Storage};
use crate::rotation;
use crate::rows::{self, KeySet};

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
        match self {
            Self::Halves { offset, scale } => {
                let mut numbers = [0.0; 4];
                let ranges = offset.iter().zip(scale);
                for ((number, word), (offset, scale)) in numbers.iter_mut().zip(words).zip(ranges) {
                    *number = offset + scale * rows::half(*word);
                }
                numbers
            }
            Self::Rotations => match *words {
                [a, b, c] => rotation::decode([a, b, c]),
                _ => rotation::IDENTITY,
            },
            Self::FullRotations | Self::Floats => rows::floats(words),
        }
    }
}

impl KeySet {
    /// Returns the words of one value; empty after the last key.
    pub(crate) fn value(&self, column: &Column, width: usize, key: usize) -> &[u16] {
        let start = self.layout.start(column.storage.section(), column.place);
        let end = start + column.storage.words(width);
        self.row_words(key).and_then(|words| words.get(start..end)).unwrap_or_default()
    }
}
