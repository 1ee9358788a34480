//! Sampling one track many times.

use super::segments::Index;
use super::{Column, Reader};
use crate::{Clock, Element, Rules, TrackData};

/// A playback position within a track.
///
/// It makes playing forward cheap and changes no value: a cursor that is elsewhere, or comes from
/// another track, costs a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The key that was active last.
    pub(super) key: usize,
}

/// A track with values of type `T`, ready to be sampled: no sample allocates, and the kind of
/// the values is not asked for again.
///
/// Made by [`Rules::sampler`], which makes an index of the keys: four bytes a key, nothing
/// where they are uniform. The values are those of [`Rules::sample`], to the bit.
#[derive(Clone, Debug)]
pub struct Sampler<'a, T> {
    reader: Readers<'a, T>,
    index: Index,
}

#[derive(Clone, Copy, Debug)]
enum Readers<'a, T> {
    Narrow(Reader<'a, f32, T>),
    Wide(Reader<'a, f64, T>),
}

/// Does the same with the reader of whichever engine.
macro_rules! with_reader {
    ($sampler:expr, |$reader:ident| $do:expr) => {
        match &$sampler.reader {
            Readers::Narrow($reader) => $do,
            Readers::Wide($reader) => $do,
        }
    };
}

impl<'a, T: Element> Sampler<'a, T> {
    pub(super) fn new(data: &'a TrackData, rules: Rules) -> Option<Self> {
        let column = Column::new(data.values().as_slice()?, data.tangents(), rules);
        let reader = match rules.clock {
            Clock::F32 => Readers::Narrow(Reader::new(data, column)),
            Clock::F64 => Readers::Wide(Reader::new(data, column)),
        };
        let mut sampler = Self { reader, index: Index::default() };
        sampler.index = with_reader!(sampler, |reader| Index::new(&reader.segments));
        Some(sampler)
    }

    /// Returns the value at a time in seconds; `None` without keys.
    ///
    /// The index leads to the segment, or near it where many keys are in a small part of the
    /// track; from there on it is searched for, in as many steps as the logarithm of the keys.
    #[inline]
    pub fn sample(&self, time: f64) -> Option<T> {
        with_reader!(self, |reader| {
            reader.at_from(&mut self.index.cursor(&reader.segments, time), time)
        })
    }

    /// As [`sample`](Self::sample), but walks on from where the cursor is.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Cursor, Rules, TrackData};
    ///
    /// let data = TrackData::uniform(1.0, vec![0.0_f32, 4.0, 6.0]);
    /// let height = Rules::LINEAR.sampler::<f32>(&data).ok_or("not float")?;
    /// let mut cursor = Cursor::default();
    /// let played: Vec<_> = [0.0, 0.5, 1.0, 1.5]
    ///     .iter()
    ///     .filter_map(|&time| height.sample_from(&mut cursor, time))
    ///     .collect();
    /// assert_eq!(played, [0.0, 2.0, 4.0, 5.0]);
    /// # Ok::<(), &str>(())
    /// ```
    #[inline]
    pub fn sample_from(&self, cursor: &mut Cursor, time: f64) -> Option<T> {
        with_reader!(self, |reader| reader.at_from(cursor, time))
    }
}
