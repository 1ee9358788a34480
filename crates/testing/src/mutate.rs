//! Mutations of the files of the cases.

use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::cases::{self, Case};

/// Files up to this length are changed at every byte.
const EVERY_BYTE: usize = 512;
/// The number of bytes of a longer file that are changed.
const POSITIONS: usize = 2_000;

/// A byte of a file and the byte that replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) at: usize,
    pub(crate) value: u8,
}

/// Returns the positions to change in a file: all in a short one, otherwise 2,000 that are the same
/// in every run.
pub(crate) fn positions(length: usize) -> Vec<usize> {
    if length <= EVERY_BYTE {
        return (0..length).collect();
    }
    let mut random = Random(1);
    let mut positions: Vec<usize> = (0..POSITIONS).map(|_| random.below(length)).collect();
    positions.sort_unstable();
    positions.dedup();
    positions
}

/// Returns the changes to try in a file: several per byte in a short one, otherwise one per byte.
pub(crate) fn single_byte_changes(bytes: &[u8]) -> Vec<Change> {
    let short = bytes.len() <= EVERY_BYTE;
    let mut random = Random(2);
    let mut changes = Vec::new();
    for at in positions(bytes.len()) {
        let was = bytes[at];
        let values = [0, 0xff, was ^ 1, was ^ 0x80, was.wrapping_add(1), was.wrapping_sub(1)];
        let mut values = values.to_vec();
        if !short {
            values = vec![values[random.below(values.len())]];
        }
        values.sort_unstable();
        values.dedup();
        values.retain(|&value| value != was);
        changes.extend(values.into_iter().map(|value| Change { at, value }));
    }
    changes
}

/// A generator of numbers that are the same in every run (xorshift64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let end = inbetween_core::num::u64_from_len(end.max(1));
        inbetween_core::num::len_from_u64(self.0 % end)
    }
}

/// A random change of a file.
#[derive(Clone, Debug)]
enum Mutation {
    Set(Index, u8),
    SetWord(Index, u32),
    Insert(Index, Vec<u8>),
    Remove(Index, Index),
    Repeat(Index, Index),
    Truncate(Index),
    Splice(Index, Vec<u8>, Index),
}

/// Returns a strategy for files of a format with one to eight changes.
///
/// # Panics
///
/// If the format has no cases.
pub fn mutated(format: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    let files: Vec<Vec<u8>> =
        cases::of(format).into_iter().map(|Case { bytes, .. }| bytes).collect();
    let mutations = prop::collection::vec(mutation(files.clone()), 1..=8);
    (select(files), mutations).prop_map(|(file, mutations)| {
        mutations.iter().fold(file, |file, mutation| mutation.apply(file))
    })
}

fn mutation(files: Vec<Vec<u8>>) -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    let word = prop_oneof![Just(u32::MAX), Just(0x7fff_ffff), Just(0x100), any::<u32>()];
    prop_oneof![
        4 => (index(), any::<u8>()).prop_map(|(at, value)| Mutation::Set(at, value)),
        2 => (index(), word).prop_map(|(at, value)| Mutation::SetWord(at, value)),
        1 => (index(), prop::collection::vec(any::<u8>(), 1..16))
            .prop_map(|(at, bytes)| Mutation::Insert(at, bytes)),
        1 => (index(), index()).prop_map(|(a, b)| Mutation::Remove(a, b)),
        1 => (index(), index()).prop_map(|(a, b)| Mutation::Repeat(a, b)),
        1 => index().prop_map(Mutation::Truncate),
        1 => (index(), select(files), index())
            .prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
    ]
}

impl Mutation {
    fn apply(&self, mut file: Vec<u8>) -> Vec<u8> {
        let end = file.len() + 1;
        let range = |a: &Index, b: &Index| {
            let (a, b) = (a.index(end), b.index(end));
            a.min(b)..a.max(b)
        };
        match self {
            Self::Set(at, value) => {
                if let Some(byte) = file.get_mut(at.index(end)) {
                    *byte = *value;
                }
            }
            Self::SetWord(at, value) => {
                let bytes = value.to_le_bytes();
                for (byte, new) in file.iter_mut().skip(at.index(end)).zip(bytes) {
                    *byte = new;
                }
            }
            Self::Insert(at, bytes) => {
                let at = at.index(end);
                file.splice(at..at, bytes.iter().copied());
            }
            Self::Remove(a, b) => {
                file.drain(range(a, b));
            }
            Self::Repeat(a, b) => {
                let part = file[range(a, b)].to_vec();
                file.extend(part);
            }
            Self::Truncate(at) => file.truncate(at.index(end)),
            Self::Splice(at, other, from) => {
                file.truncate(at.index(end));
                file.extend_from_slice(&other[from.index(other.len() + 1)..]);
            }
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_files_are_changed_at_every_byte_and_long_ones_at_some() {
        assert_eq!(positions(512).len(), 512);
        let long = positions(100_000);
        assert!(long.len() > 1_900 && long.len() <= POSITIONS);
        assert_eq!(long, positions(100_000));
    }

    #[test]
    fn a_change_changes_something() {
        for change in single_byte_changes(&[0, 0xff, 0x7f]) {
            assert_ne!([0, 0xff, 0x7f][change.at], change.value);
        }
        assert_eq!(single_byte_changes(&[0]).len(), 3);
    }
}
