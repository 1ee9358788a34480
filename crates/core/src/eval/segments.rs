//! Finding the segment of a track that a time falls into.

use core::marker::PhantomData;

use crate::{Interpolation, Real, Shape, TrackData};

/// The segments of a track on the clock of an engine, which counts in `F`.
///
/// All times are rounded to `F` before they are compared, so that a time that an engine cannot
/// tell from the time of a key finds this key.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segments<'a, F> {
    data: &'a TrackData,
    /// How many keys ever play.
    keys: usize,
    float: PhantomData<F>,
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
        let keys = match data.shape() {
            Shape::Uniform { interval } if !plays::<F>(*interval) => data.len().min(1),
            _ => data.len(),
        };
        Self { data, keys, float: PhantomData }
    }

    /// Returns when a key comes; `None` past the last one.
    pub(crate) fn time(&self, key: usize) -> Option<F> {
        if key < self.keys { self.data.time(key).map(F::from_f64) } else { None }
    }

    /// Returns the place of a time in seconds; `None` without keys.
    pub(crate) fn at(&self, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        self.place(self.passed(now).saturating_sub(1), now)
    }

    /// As [`at`](Self::at), but walks on from a key instead of searching, if this key has passed.
    pub(crate) fn at_from(&self, mut key: usize, time: f64) -> Option<Place<F>> {
        let now = F::from_f64(time);
        let passed = |key| self.time(key).is_some_and(|time| time <= now);
        if !passed(key) {
            return self.at(time);
        }
        while passed(key.saturating_add(1)) {
            key = key.saturating_add(1);
        }
        self.place(key, now)
    }

    /// Returns the place that a time reaches from below when the key after `key` comes.
    pub(crate) fn end_of(&self, key: usize) -> Place<F> {
        Place { key, t: F::ONE, interpolation: self.data.interpolation(key) }
    }

    /// Returns the place of a key itself.
    pub(crate) fn start_of(&self, key: usize) -> Place<F> {
        Place { t: F::ZERO, ..self.end_of(key) }
    }

    /// Returns how many keys have come at a time.
    pub(crate) fn passed(&self, now: F) -> usize {
        if let Shape::Stepped { times } | Shape::Curve { times, .. } = self.data.shape() {
            return times.partition_point(|&time| F::from_f64(time) <= now);
        }
        let (mut low, mut high) = (0, self.keys);
        while low < high {
            let middle = usize::midpoint(low, high);
            if self.time(middle).is_some_and(|time| time <= now) {
                low = middle.saturating_add(1);
            } else {
                high = middle;
            }
        }
        low
    }

    #[expect(clippy::arithmetic_side_effects, reason = "floats neither panic nor wrap")]
    fn place(&self, key: usize, now: F) -> Option<Place<F>> {
        let start = self.time(key)?;
        let t = match self.time(key.saturating_add(1)) {
            Some(end) => (now - start) / (end - start),
            None => F::ZERO,
        };
        // Before the first key `t` is negative, and between times of infinite distance NaN.
        let t = if t > F::ZERO { t } else { F::ZERO };
        Some(Place { key, t, interpolation: self.data.interpolation(key) })
    }
}

/// Says whether uniform keys of this interval follow each other.
fn plays<F: Real>(interval: f64) -> bool {
    let interval = F::from_f64(interval);
    interval > F::ZERO && interval.to_f64().is_finite()
}
