//! A long track with unsorted keys.

use inbetween_core::num::f32_from_f64;
use inbetween_core::{Format, codes};

use crate::difference::difference;
use crate::peak::Peak;

/// The number of keys. It is large, so that a second copy of them would show in the memory.
const KEYS: u32 = 100_000;

/// A key of a file to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileKey {
    /// The time in whole seconds or frames; two keys share each.
    pub time: u32,
    /// A number for the value, different for each key.
    pub number: u32,
}

impl FileKey {
    /// Returns the time as a number of seconds.
    pub fn seconds(self) -> f32 {
        f32_from_f64(self.time.into())
    }
}

impl Peak {
    /// Reads files of one track whose keys are reversed, shuffled or nearly sorted, and asserts
    /// that this obeys the memory law, is reported, and gives the document of the file with stably
    /// sorted keys.
    pub fn assert_sorts(&self, format: &dyn Format, file: impl Fn(&[FileKey]) -> Vec<u8>) {
        for (name, numbers) in orders() {
            let mut keys: Vec<FileKey> =
                numbers.into_iter().map(|number| FileKey { time: number / 2, number }).collect();
            let found = self.assert_read(format, &file(&keys));
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            let told = found.findings.iter().any(|loss| loss.code == codes::TIMES_SORTED);
            assert!(told, "{name}: {:?}", found.findings);
            keys.sort_by_key(|key| key.time);
            let expected = self.assert_read(format, &file(&keys));
            let expected = expected.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(difference(&expected.value, &found.value), None, "{name}");
        }
    }
}

/// The numbers from 0 on in several wrong orders.
fn orders() -> [(&'static str, Vec<u32>); 4] {
    let mut scattered: Vec<u32> = (0..KEYS).collect();
    scattered.sort_by_key(|number| number.wrapping_add(1).wrapping_mul(0x9e37_79b1));
    let mut nearly: Vec<u32> = (0..KEYS).collect();
    nearly.chunks_exact_mut(1000).for_each(|keys| keys.swap(100, 700));
    let late = (1..KEYS).chain([0]).collect();
    [
        ("backwards", (0..KEYS).rev().collect()),
        ("scattered", scattered),
        ("nearly sorted", nearly),
        ("the first key last", late),
    ]
}
