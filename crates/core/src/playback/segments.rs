//! Finds the segment of a track at a time.

use core::ops::Range;

use super::PlaybackCursor;
use crate::num::{f64_from_index, index_from_f64, u32_from_f64};
use crate::{FirstTime, Interpolation, Interpolations, Real, Rules, Shape, TrackData};

/// The number of keys that a cursor visits one by one before it searches.
const STEPS: usize = 4;

/// The segments of a track, with times rounded to the clock `F` of an engine.
///
/// All times are rounded to `F` before they are compared, so a time that an engine cannot
/// distinguish from that of a key finds this key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<'a, F> {
    times: Times<'a>,
    /// The times without the first one: the end times of the segments.
    ends: &'a [f64],
    modes: SegmentModes<'a>,
    /// The number of keys that ever play.
    keys: usize,
    /// Until this time the first key shows; NaN where no rule says so.
    until: F,
}

#[derive(Clone, Copy, Debug)]
enum Times<'a> {
    Even(f64),
    Each(&'a [f64]),
}

#[derive(Clone, Copy, Debug)]
enum SegmentModes<'a> {
    Shared(Interpolation),
    Each(&'a [Interpolation]),
}

/// A position in a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlaybackPosition<F> {
    /// The active key.
    pub(crate) key: usize,
    /// The normalized time within the segment, 0 to 1; 0 is exactly the key.
    pub(crate) t: F,
    /// The interpolation of the active key.
    pub(crate) interpolation: Interpolation,
}

impl<'a, F: Real> Segments<'a, F> {
    pub(crate) fn new(data: &'a TrackData, rules: Rules) -> Self {
        let keys = data.len();
        let (times, modes) = match data.shape() {
            Shape::Uniform { interval } => {
                (Times::Even(*interval), SegmentModes::Shared(Interpolation::Linear))
            }
            Shape::Stepped { times } => {
                (Times::Each(times), SegmentModes::Shared(Interpolation::Hold))
            }
            Shape::Curve { times, interpolation, .. } => {
                let modes = match interpolation {
                    Interpolations::Shared(shared) => SegmentModes::Shared(*shared),
                    Interpolations::PerKey(each) => SegmentModes::Each(each),
                };
                (Times::Each(times), modes)
            }
        };
        let keys = match times {
            Times::Even(interval) if !plays::<F>(interval) => keys.min(1),
            _ => keys,
        };
        let ends = match times {
            Times::Each(times) => times.get(1..).unwrap_or_default(),
            Times::Even(_) => &[],
        };
        let until = match (rules.first_time, times) {
            (FirstTime::FirstKey, Times::Each([first, ..])) => *first,
            _ => f64::NAN,
        };
        Self { times, ends, modes, keys, until: F::from_f64(until) }
    }

    /// Returns the time of a key, or `None` after the last one.
    #[inline]
    pub(crate) fn time(&self, key: usize) -> Option<F> {
        match self.times {
            Times::Even(interval) => {
                (key < self.keys).then(|| F::from_f64(f64_from_index(key) * interval))
            }
            Times::Each(times) => times.get(key).map(|&time| F::from_f64(time)),
        }
    }

    /// Returns the position of a time in seconds, or `None` without keys.
    pub(crate) fn at(&self, time: f64) -> Option<PlaybackPosition<F>> {
        let now = F::from_f64(time);
        if now <= self.until {
            return self.place(0, now);
        }
        let key = match self.times {
            Times::Even(interval) => self.walk_or_seek(index_from_f64(time / interval), now),
            Times::Each(_) => self.last_of(0..self.keys, now),
        };
        self.place(key, now)
    }

    /// Like [`at`](Self::at), but starts at the cursor.
    ///
    /// The likely case, a few steps from the cursor, is inlined into sampling loops. The unlikely
    /// case is kept out of them, so that their accumulators stay in registers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "left to itself it costs as much as a sample")]
    pub(crate) fn at_cursor(
        &self,
        cursor: &mut PlaybackCursor,
        time: f64,
    ) -> Option<PlaybackPosition<F>> {
        let now = F::from_f64(time);
        if now <= self.until {
            return self.place(0, now);
        }
        // Most samples stay in their segment, which costs no loop.
        if let Some(place) = self.between(cursor.key, now) {
            return Some(place);
        }
        for key in cursor.key.saturating_add(1)..cursor.key.saturating_add(STEPS) {
            if let Some(place) = self.between(key, now) {
                cursor.key = key;
                return Some(place);
            }
        }
        cursor.key = self.walk_or_seek(cursor.key, now);
        self.place(cursor.key, now)
    }

    #[inline]
    fn interpolation(&self, key: usize) -> Interpolation {
        match self.modes {
            SegmentModes::Shared(shared) => shared,
            SegmentModes::Each(each) => each.get(key).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn has_come(&self, key: usize, now: F) -> bool {
        self.time(key).is_some_and(|time| time <= now)
    }

    /// Returns the last key at or before a time, or the first one if there is none.
    #[cold]
    fn walk_or_seek(&self, near: usize, now: F) -> usize {
        if self.has_come(near, now) {
            self.walk(near, now)
        } else {
            self.last_of(0..near.min(self.keys), now)
        }
    }

    /// Returns the last key at or before a time, given that `key` is. The number of steps is
    /// logarithmic in the distance, so forward playback costs at most one step per key.
    fn walk(&self, key: usize, now: F) -> usize {
        let (mut low, mut step) = (key, 1_usize);
        loop {
            let probe = low + step;
            if !self.has_come(probe, now) {
                let rest = low + 1..probe.min(self.keys);
                return if step == 1 { low } else { self.last_of(rest, now) };
            }
            low = probe;
            step = low - key;
        }
    }

    /// Returns the last key of a range at or before a time, or the one before the range.
    fn last_of(&self, range: Range<usize>, now: F) -> usize {
        let Range { start, end } = range;
        let come = match self.times {
            Times::Each(times) => {
                // Rounding keeps the order, so a key before the time in `f64` is before it after
                // rounding too. Comparing without rounding is much faster.
                let (times, exact) = (times.get(start..end).unwrap_or_default(), now.to_f64());
                let sure = times.partition_point(|&time| time <= exact);
                let rest = times.get(sure..).unwrap_or_default();
                let equal = |&time: &f64| F::from_f64(time) <= now;
                match rest.first() {
                    Some(next) if equal(next) => sure + rest.partition_point(equal),
                    _ => sure,
                }
            }
            Times::Even(_) => {
                let (mut low, mut high) = (start, end);
                while low < high {
                    let middle = usize::midpoint(low, high);
                    if self.has_come(middle, now) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                low - start
            }
        };
        (start + come).saturating_sub(1)
    }

    /// Returns the position of a time if it falls between a key and the next one.
    #[inline]
    fn between(&self, key: usize, now: F) -> Option<PlaybackPosition<F>> {
        let (start, end) = match self.times {
            Times::Even(_) => (self.time(key)?, self.time(key + 1)?),
            Times::Each(times) => {
                (F::from_f64(*times.get(key)?), F::from_f64(*self.ends.get(key)?))
            }
        };
        let within = start <= now && now < end;
        within.then(|| PlaybackPosition {
            key,
            t: part(start, end, now),
            interpolation: self.interpolation(key),
        })
    }

    /// Returns the position of a time whose active key is known.
    #[cold]
    fn place(&self, key: usize, now: F) -> Option<PlaybackPosition<F>> {
        let start = self.time(key)?;
        // Before the first key, a distance of -0.0 to the second one would give a positive part.
        let end = self.time(key + 1).filter(|_| now > start);
        let t = end.map_or(F::ZERO, |end| part(start, end, now));
        Some(PlaybackPosition { key, t, interpolation: self.interpolation(key) })
    }
}

/// Returns the normalized time within the segment, 0 to 1.
#[inline]
fn part<F: Real>(start: F, end: F, now: F) -> F {
    let part = (now - start) / (end - start);
    // It is negative before the first key, and NaN between times of infinite distance.
    if part > F::ZERO { part } else { F::ZERO }
}

/// Returns whether uniform keys with this interval are in sequence.
pub(super) fn plays<F: Real>(interval: f64) -> bool {
    let interval = F::from_f64(interval);
    interval > F::ZERO && interval.to_f64().is_finite()
}

/// Estimates which key is active at a time.
///
/// A track is divided into as many equal parts as it has keys, so parts have few keys and a seek
/// costs the same for any number of keys.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// The start of the first part.
    first: f64,
    /// Parts per second.
    rate: f64,
    /// The number of keys before each part; empty if each part is one segment.
    keys: Box<[u32]>,
}

impl Index {
    /// Builds the index of a track: four bytes per key, or nothing for uniform keys.
    pub(crate) fn new<F: Real>(segments: &Segments<'_, F>) -> Self {
        let times = match segments.times {
            Times::Even(interval) => {
                return Self { first: 0.0, rate: 1.0 / interval, keys: Box::default() };
            }
            Times::Each(times) => times,
        };
        let (first, last) = (times.first().copied(), times.last().copied());
        let (first, last) = (first.unwrap_or(0.0), last.unwrap_or(0.0));
        let rate = f64_from_index(times.len()) / (last - first);
        let mut index = Self { first, rate, keys: Box::default() };
        let mut waiting = times.iter().map(|&time| index.part(time)).peekable();
        let mut before = 0_u32;
        let count_before = |part| {
            while waiting.next_if(|&other| other < part).is_some() {
                before = before.saturating_add(1);
            }
            before
        };
        index.keys = (0..times.len()).map(count_before).collect();
        index
    }

    #[inline]
    fn part(&self, time: f64) -> usize {
        // An index of type `usize` would work, but building one of 32 bits takes half the time.
        usize::try_from(u32_from_f64((time - self.first) * self.rate)).unwrap_or(usize::MAX)
    }

    /// Returns a cursor at or near the active key of a time.
    #[inline]
    pub(crate) fn cursor<F: Real>(&self, segments: &Segments<'_, F>, time: f64) -> PlaybackCursor {
        let part = self.part(time);
        let before = match self.keys.get(part) {
            Some(&keys) => usize::try_from(keys).unwrap_or(usize::MAX),
            None => part,
        };
        // The branch between the two keys is unpredictable, so this adds a number instead.
        let come = usize::from(segments.has_come(before, F::from_f64(time)));
        PlaybackCursor { key: (before + come).saturating_sub(1) }
    }
}
