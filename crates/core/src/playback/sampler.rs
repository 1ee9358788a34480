//! Samples one track many times.

use super::segments::Index;
use super::{Column, Reader};
use crate::{Clock, Element, Rules, TrackData};

/// A playback position within a track.
///
/// It makes forward playback cheap and changes no value: a cursor that is elsewhere, or comes from
/// another track, only costs a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlaybackCursor {
    /// The last active key.
    pub(super) key: usize,
}

/// A track with values of type `T`, prepared for sampling: no sample allocates or checks the kind
/// of the values.
///
/// Created by [`Rules::sampler`], which builds an index of four bytes per key (none for uniform
/// keys). The values are those of [`Rules::sample`], bit for bit.
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

/// Applies an expression to the track reader of either clock.
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
        let column = Column::new(data.values().as_slice()?, data, rules);
        let reader = match rules.clock {
            Clock::F32 => Readers::Narrow(Reader::new(data, column)),
            Clock::F64 => Readers::Wide(Reader::new(data, column)),
        };
        let mut sampler = Self { reader, index: Index::default() };
        sampler.index = with_reader!(sampler, |reader| Index::new(&reader.segments));
        Some(sampler)
    }

    /// Returns the value at a time in seconds, or `None` without keys.
    ///
    /// The index gives the segment, or one near it if keys are very dense there; the rest is found
    /// by a search in logarithmic time.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as the rest of a sample")]
    pub fn sample(&self, time: f64) -> Option<T> {
        with_reader!(self, |reader| {
            reader.at_from(&mut self.index.cursor(&reader.segments, time), time)
        })
    }

    /// Like [`sample`](Self::sample), but starts at the cursor.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{PlaybackCursor, Rules, TrackData};
    ///
    /// let data = TrackData::uniform(1.0, vec![0.0_f32, 4.0, 6.0]);
    /// let height = Rules::LINEAR.sampler::<f32>(&data).ok_or("not float")?;
    /// let mut cursor = PlaybackCursor::default();
    /// let played: Vec<_> = [0.0, 0.5, 1.0, 1.5]
    ///     .iter()
    ///     .filter_map(|&time| height.sample_from(&mut cursor, time))
    ///     .collect();
    /// assert_eq!(played, [0.0, 2.0, 4.0, 5.0]);
    /// # Ok::<(), &str>(())
    /// ```
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call costs as much as the rest of a sample")]
    pub fn sample_from(&self, cursor: &mut PlaybackCursor, time: f64) -> Option<T> {
        with_reader!(self, |reader| reader.at_from(cursor, time))
    }
}
