//! Finding the segment of a track that a time falls into.

use core::marker::PhantomData;
use core::ops::Range;

use super::Cursor;
use crate::num::{f64_from_index, index_from_f64};
use crate::{Interpolation, Interpolations, Real, Shape, TrackData};

/// The segments of a track on the clock of an engine, which counts in `F`.
///
/// All times are rounded to `F` before they are compared, so that a time that an engine cannot
/// tell from the time of a key finds this key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<'a, F> {
    times: Times<'a>,
    ways: Ways<'a>,
    /// How many keys ever play.
    keys: usize,
    /// When the first key comes.
    first: f64,
    /// Keys a second on average: how the search guesses where a time is.
    rate: f64,
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
        let (keys, first, rate) = match times {
            Times::Even(interval) if plays::<F>(interval) => (keys, 0.0, 1.0 / interval),
            Times::Even(_) => (keys.min(1), 0.0, 0.0),
            Times::Each(times) => {
                let (first, last) = (times.first().copied(), times.last().copied());
                let (first, last) = (first.unwrap_or(0.0), last.unwrap_or(0.0));
                (keys, first, f64_from_index(keys.saturating_sub(1)) / (last - first))
            }
        };
        Self { times, ways, keys, first, rate, float: PhantomData }
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
    ///
    /// Where the keys are evenly spaced, as those that were baked are, the guess is right but for
    /// rounding, and the search costs the same however many keys there are.
    #[inline]
    pub(crate) fn at(&self, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        let guess = index_from_f64((time - self.first) * self.rate);
        self.place(self.active(guess, now), now)
    }

    /// As [`at`](Self::at), but walks on from where the cursor is.
    #[inline]
    pub(crate) fn at_cursor(&self, cursor: &mut Cursor, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        cursor.key = self.active(cursor.key, now);
        self.place(cursor.key, now)
    }

    /// Returns the place that a time reaches from below when the key after `key` comes.
    pub(crate) fn end_of(&self, key: usize) -> Place<F> {
        Place { key, t: F::ONE, interpolation: self.interpolation(key) }
    }

    /// Returns the place of a key itself.
    pub(crate) fn start_of(&self, key: usize) -> Place<F> {
        Place { t: F::ZERO, ..self.end_of(key) }
    }

    /// Returns how many keys have come at a time.
    pub(crate) fn passed(&self, now: F) -> usize {
        let active = self.active(0, now);
        if self.has_come(active, now) { active.saturating_add(1) } else { 0 }
    }

    #[inline]
    fn interpolation(&self, key: usize) -> Interpolation {
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
    ///
    /// What is likely, that it is the key `near` or the next one, is small enough to become part
    /// of the loops that sample. What it returns fits into a register: a place that goes through
    /// memory costs as much as all the rest.
    #[inline]
    fn active(&self, near: usize, now: F) -> usize {
        let next = near.saturating_add(1);
        if self.has_come(near, now)
            && let Some(end) = self.time(next)
        {
            if now < end {
                return near;
            }
            if self.time(next.saturating_add(1)).is_some_and(|end| now < end) {
                return next;
            }
        }
        self.walk_or_seek(near, now)
    }

    #[inline(never)]
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

    /// Returns the place of a time whose active key is known.
    #[inline]
    #[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
    fn place(&self, key: usize, now: F) -> Option<Place<F>> {
        let start = self.time(key)?;
        let t = match self.time(key.saturating_add(1)) {
            Some(end) => (now - start) / (end - start),
            None => F::ZERO,
        };
        // Before the first key `t` is negative, and between times of infinite distance NaN.
        let t = if t > F::ZERO { t } else { F::ZERO };
        Some(Place { key, t, interpolation: self.interpolation(key) })
    }
}

/// Says whether uniform keys of this interval follow each other.
fn plays<F: Real>(interval: f64) -> bool {
    let interval = F::from_f64(interval);
    interval > F::ZERO && interval.to_f64().is_finite()
}
