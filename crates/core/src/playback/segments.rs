//! Finding the segment of a track that a time falls into.

use core::marker::PhantomData;
use core::ops::Range;

use super::Cursor;
use crate::num::{f64_from_index, index_from_f64, u32_from_f64};
use crate::{Interpolation, Interpolations, Real, Shape, TrackData};

/// How many keys a cursor looks at one by one, before it searches.
const STEPS: usize = 4;

/// The segments of a track on the clock of an engine, which counts in `F`.
///
/// All times are rounded to `F` before they are compared, so that a time that an engine cannot
/// tell from the time of a key finds this key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<'a, F> {
    times: Times<'a>,
    /// The times without the first one: when the ways from the keys end.
    ends: &'a [f64],
    ways: Ways<'a>,
    /// How many keys ever play.
    keys: usize,
    float: PhantomData<F>,
}

#[derive(Clone, Copy, Debug)]
enum Times<'a> {
    Even(f64),
    Each(&'a [f64]),
}

#[derive(Clone, Copy, Debug)]
enum Ways<'a> {
    Shared(Interpolation),
    Each(&'a [Interpolation]),
}

/// A place in a track.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place<F> {
    /// The active key.
    pub(crate) key: usize,
    /// The way to the next key, 0 to 1; 0 is exactly the key.
    pub(crate) t: F,
    /// How the active key leads to the next one.
    pub(crate) interpolation: Interpolation,
}

impl<'a, F: Real> Segments<'a, F> {
    pub(crate) fn new(data: &'a TrackData) -> Self {
        let keys = data.len();
        let (times, ways) = match data.shape() {
            Shape::Uniform { interval } => {
                (Times::Even(*interval), Ways::Shared(Interpolation::Linear))
            }
            Shape::Stepped { times } => (Times::Each(times), Ways::Shared(Interpolation::Hold)),
            Shape::Curve { times, interpolation, .. } => {
                let ways = match interpolation {
                    Interpolations::Shared(shared) => Ways::Shared(*shared),
                    Interpolations::PerKey(each) => Ways::Each(each),
                };
                (Times::Each(times), ways)
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
        Self { times, ends, ways, keys, float: PhantomData }
    }

    /// Returns when a key comes; `None` past the last one.
    #[inline]
    pub(crate) fn time(&self, key: usize) -> Option<F> {
        match self.times {
            Times::Even(interval) => {
                (key < self.keys).then(|| F::from_f64(f64_from_index(key) * interval))
            }
            Times::Each(times) => times.get(key).map(|&time| F::from_f64(time)),
        }
    }

    /// Returns the place of a time in seconds; `None` without keys.
    pub(crate) fn at(&self, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        let key = match self.times {
            Times::Even(interval) => self.walk_or_seek(index_from_f64(time / interval), now),
            Times::Each(_) => self.last_of(0..self.keys, now),
        };
        self.place(key, now)
    }

    /// As [`at`](Self::at), but walks on from where the cursor is.
    ///
    /// What is likely, that it is a few steps from where the cursor is, becomes part of the loops
    /// that sample; what is not is kept out of them, so that their sums stay in registers.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "left to itself it costs as much as a sample")]
    pub(crate) fn at_cursor(&self, cursor: &mut Cursor, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        for key in cursor.key..cursor.key.saturating_add(STEPS) {
            if let Some(place) = self.between(key, now) {
                cursor.key = key;
                return Some(place);
            }
        }
        cursor.key = self.walk_or_seek(cursor.key, now);
        self.place(cursor.key, now)
    }

    #[inline]
    fn way(&self, key: usize) -> Interpolation {
        match self.ways {
            Ways::Shared(shared) => shared,
            Ways::Each(each) => each.get(key).copied().unwrap_or_default(),
        }
    }

    #[inline]
    fn has_come(&self, key: usize, now: F) -> bool {
        self.time(key).is_some_and(|time| time <= now)
    }

    /// Returns the last key that has come, or the first one where none has.
    #[cold]
    fn walk_or_seek(&self, near: usize, now: F) -> usize {
        if self.has_come(near, now) {
            self.walk(near, now)
        } else {
            self.last_of(0..near.min(self.keys), now)
        }
    }

    /// Returns the last key that has come, where `key` has: in as many steps as the logarithm of
    /// the way, so that a forward play costs a step a key at most.
    fn walk(&self, key: usize, now: F) -> usize {
        let (mut low, mut step) = (key, 1_usize);
        loop {
            let probe = low.saturating_add(step);
            if !self.has_come(probe, now) {
                let rest = low.saturating_add(1)..probe.min(self.keys);
                return if step == 1 { low } else { self.last_of(rest, now) };
            }
            low = probe;
            step = low.saturating_sub(key);
        }
    }

    /// Returns the last key of a range that has come, or the one before the range.
    fn last_of(&self, range: Range<usize>, now: F) -> usize {
        let Range { start, end } = range;
        let come = match self.times {
            Times::Each(times) => {
                // Rounding keeps the order, so what has come as `f64` has come; and comparing is
                // much quicker without it.
                let (times, exact) = (times.get(start..end).unwrap_or_default(), now.to_f64());
                let sure = times.partition_point(|&time| time <= exact);
                let rest = times.get(sure..).unwrap_or_default();
                let equal = |&time: &f64| F::from_f64(time) <= now;
                match rest.first() {
                    Some(next) if equal(next) => sure.saturating_add(rest.partition_point(equal)),
                    _ => sure,
                }
            }
            Times::Even(_) => {
                let (mut low, mut high) = (start, end);
                while low < high {
                    let middle = usize::midpoint(low, high);
                    if self.has_come(middle, now) {
                        low = middle.saturating_add(1);
                    } else {
                        high = middle;
                    }
                }
                low.saturating_sub(start)
            }
        };
        start.saturating_add(come).saturating_sub(1)
    }

    /// Returns the place of a time if it falls between a key and the next one.
    #[inline]
    fn between(&self, key: usize, now: F) -> Option<Place<F>> {
        let (start, end) = match self.times {
            Times::Even(_) => (self.time(key)?, self.time(key.saturating_add(1))?),
            Times::Each(times) => {
                (F::from_f64(*times.get(key)?), F::from_f64(*self.ends.get(key)?))
            }
        };
        let within = start <= now && now < end;
        within.then(|| Place { key, t: part(start, end, now), interpolation: self.way(key) })
    }

    /// Returns the place of a time whose active key is known.
    #[cold]
    fn place(&self, key: usize, now: F) -> Option<Place<F>> {
        let start = self.time(key)?;
        let t = self.time(key.saturating_add(1)).map_or(F::ZERO, |end| part(start, end, now));
        Some(Place { key, t, interpolation: self.way(key) })
    }
}

/// Returns which part of the way from one time to another has gone.
#[inline]
#[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
fn part<F: Real>(start: F, end: F, now: F) -> F {
    let part = (now - start) / (end - start);
    // Before the first key it is negative, and between times of infinite distance NaN.
    if part > F::ZERO { part } else { F::ZERO }
}

/// Says whether uniform keys of this interval follow each other.
fn plays<F: Real>(interval: f64) -> bool {
    let interval = F::from_f64(interval);
    interval > F::ZERO && interval.to_f64().is_finite()
}

/// Guesses which key is active at a time.
///
/// A track is divided into as many equal parts as it has keys, so that few keys are in a part and
/// a seek costs the same however many there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// When the first part begins.
    first: f64,
    /// Parts a second.
    rate: f64,
    /// How many keys come before each part; empty where each part is the way from a key.
    keys: Box<[u32]>,
}

impl Index {
    /// Makes the index of a track: four bytes a key, and nothing where the keys are uniform.
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
        // An index would do, but one of 32 bits is made in half the time.
        usize::try_from(u32_from_f64((time - self.first) * self.rate)).unwrap_or(usize::MAX)
    }

    /// Returns a cursor at the active key of a time, or near it.
    #[inline]
    pub(crate) fn cursor<F: Real>(&self, segments: &Segments<'_, F>, time: f64) -> Cursor {
        let part = self.part(time);
        let before = match self.keys.get(part) {
            Some(&keys) => usize::try_from(keys).unwrap_or(usize::MAX),
            None => part,
        };
        // Which of two keys it is, no processor can foresee: a number does not branch.
        let come = usize::from(segments.has_come(before, F::from_f64(time)));
        Cursor { key: before.saturating_add(come).saturating_sub(1) }
    }
}
