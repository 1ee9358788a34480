//! The times of keys, and the search for the segment at a time.

use alloc::vec;
use alloc::vec::Vec;

use crate::num::{self, f32_from_f64, f64_from_len, f64_from_u64, index, index_from_f64};

/// How many keys a context visits one by one before it searches.
const STEPS: usize = 4;

/// The float in which times are compared, as in the engine that the animation was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// `f32`.
    F32,
    /// `f64`.
    F64,
}

/// What turns a key's entry into seconds: the float of the clock, and frames per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimeBase {
    pub(crate) clock: Clock,
    pub(crate) rate: f64,
}

impl TimeBase {
    /// Returns a time as the clock has it.
    pub(crate) fn round(self, time: f64) -> f64 {
        match self.clock {
            Clock::F32 => f64::from(f32_from_f64(time)),
            Clock::F64 => time,
        }
    }

    /// Returns the time of a frame.
    fn frame(self, frame: f64) -> f64 {
        self.round(frame / self.rate)
    }

    /// Returns the time of a key `step` frames after the one before.
    fn even(self, first: u32, step: u32, key: u32) -> f64 {
        // Products of two `u32` leave room for one more in `u64`.
        self.frame(f64_from_u64(u64::from(first) + u64::from(step) * u64::from(key)))
    }
}

/// Returns the normalized time within a segment, from 0 to 1.
fn part(start: f64, end: f64, now: f64) -> f32 {
    let part = f32_from_f64((now - start) / (end - start));
    // It is negative before the first key, and NaN between times of infinite distance.
    if part > 0.0 { part.min(1.0) } else { 0.0 }
}

/// When keys are. Times never decrease; two keys may share one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Times {
    /// Every `step` frames from frame `first` on.
    Even { first: u32, step: u32, count: u32 },
    /// On these frames.
    Frames(Vec<u16>),
    /// At these seconds.
    Seconds(Vec<f32>),
    /// At these seconds, whatever the clock is. `f32` would move a jump, or a key of a curve that
    /// moves fast, too far.
    Wide(Vec<f64>),
}

impl Times {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Even { count, .. } => index(*count),
            Self::Frames(frames) => frames.len(),
            Self::Seconds(seconds) => seconds.len(),
            Self::Wide(seconds) => seconds.len(),
        }
    }

    /// Returns the time of a key in seconds, or `None` after the last key. All but `f64` times are
    /// as the clock has them.
    #[inline]
    pub(crate) fn get(&self, key: usize, base: TimeBase) -> Option<f64> {
        Some(match self {
            Self::Even { first, step, count } => {
                let key = u32::try_from(key).ok().filter(|key| key < count)?;
                base.even(*first, *step, key)
            }
            Self::Frames(frames) => base.frame(f64::from(*frames.get(key)?)),
            Self::Seconds(seconds) => base.round(f64::from(*seconds.get(key)?)),
            Self::Wide(seconds) => *seconds.get(key)?,
        })
    }

    /// Returns the times of all keys in seconds.
    #[cfg(feature = "build")]
    pub(crate) fn seconds(&self, base: TimeBase) -> Vec<f64> {
        match self {
            Self::Even { first, step, count } => {
                (0..*count).map(|key| base.even(*first, *step, key)).collect()
            }
            Self::Frames(frames) => {
                frames.iter().map(|frame| base.frame(f64::from(*frame))).collect()
            }
            Self::Seconds(times) => times.iter().map(|time| base.round(f64::from(*time))).collect(),
            Self::Wide(times) => times.clone(),
        }
    }

    /// Returns the kind and the numbers, which are equal for equal times alone.
    #[cfg(feature = "build")]
    pub(crate) fn bits(&self) -> Vec<u64> {
        let all = |kind: u64, numbers: &mut dyn Iterator<Item = u64>| {
            core::iter::once(kind).chain(numbers).collect()
        };
        match self {
            Self::Even { first, step, count } => {
                all(0, &mut [*first, *step, *count].into_iter().map(u64::from))
            }
            Self::Frames(frames) => all(1, &mut frames.iter().map(|&frame| u64::from(frame))),
            Self::Seconds(seconds) => {
                all(2, &mut seconds.iter().map(|time| u64::from(time.to_bits())))
            }
            Self::Wide(seconds) => all(3, &mut seconds.iter().map(|time| time.to_bits())),
        }
    }
}

/// The active key at a time, and the normalized time to the next one; 0 is exactly the key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Place {
    pub(crate) key: usize,
    pub(crate) t: f32,
}

/// The times that several tracks share, with an index for searches.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timeline {
    times: Times,
    base: TimeBase,
    buckets: Buckets,
}

impl Timeline {
    pub(crate) fn new(times: Times, base: TimeBase) -> Self {
        let buckets = Buckets::new(&times, base);
        Self { times, base, buckets }
    }

    pub(crate) const fn times(&self) -> &Times {
        &self.times
    }

    fn time(&self, key: usize) -> Option<f64> {
        self.times.get(key, self.base)
    }

    /// Returns the place of a time in seconds, found from the last active key, which it updates.
    #[inline]
    pub(crate) fn place(&self, last: &mut u32, time: f64) -> Place {
        let now = self.base.round(time);
        let near = index(*last);
        let stepped = (near..near.saturating_add(STEPS)).find(|&key| self.is_active(key, now));
        let key = stepped.unwrap_or_else(|| self.seek(now).0);
        *last = num::number(key);
        let segment = self.time(key).zip(self.time(key + 1));
        let t = segment.map_or(0.0, |(start, end)| part(start, end, now));
        Place { key, t }
    }

    fn is_active(&self, key: usize, now: f64) -> bool {
        let started = self.time(key).is_some_and(|start| start <= now);
        started && self.time(key + 1).is_none_or(|next| now < next)
    }

    /// Returns the last key at or before a time, or the first one if there is none, and how many
    /// keys it looked at.
    fn seek(&self, now: f64) -> (usize, usize) {
        if let Times::Even { first, step, .. } = &self.times {
            // Rounding may give the key before or after the active one.
            let frames = now * self.base.rate - f64::from(*first);
            let guess = index_from_f64(frames / f64::from(*step));
            let guess = guess.min(self.times.len().saturating_sub(1));
            let near = [guess, guess.saturating_sub(1), guess + 1];
            for (probes, key) in (1..).zip(near) {
                if self.is_active(key, now) {
                    return (key, probes);
                }
            }
            if self.time(0).is_none_or(|start| now < start || now.is_nan()) {
                return (0, near.len());
            }
        }
        let (start, end) = self.buckets.range(now, self.times.len());
        let (key, probes) = self.last_of(start, end, now);
        (key.saturating_sub(1), probes)
    }

    /// Returns the number of keys up to `end` that are at or before a time, given that all before
    /// `start` are, and the number of probes.
    fn last_of(&self, start: usize, end: usize, now: f64) -> (usize, usize) {
        let (mut low, mut high, mut probes) = (start, end, 0_usize);
        while low < high {
            let middle = usize::midpoint(low, high);
            probes += 1;
            if self.time(middle).is_some_and(|time| time <= now) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (low, probes)
    }
}

/// Divides the time from the first key to the last into equal parts, each with its first key.
///
/// The part of a time never decreases with the time, whatever rounding does, so the keys of
/// earlier parts are before a time and those of later parts are after it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Buckets {
    start: f64,
    per_second: f64,
    /// Entry `i` is the first key of part `i` or of a later one; the last entry is the number of
    /// keys.
    first: Vec<u32>,
}

impl Buckets {
    fn new(times: &Times, base: TimeBase) -> Self {
        let keys = times.len();
        let ends = times.get(0, base).zip(times.get(keys.saturating_sub(1), base));
        let ends = ends.filter(|_| !matches!(times, Times::Even { .. }));
        let Some((start, end)) = ends else { return Self::default() };
        // Two keys in each on average: more parts would cost more memory than they save probes.
        let parts = keys.div_ceil(2).max(1);
        let per_second = f64_from_len(parts) / (end - start);
        let per_second = if per_second.is_finite() { per_second } else { 0.0 };
        let mut buckets = Self { start, per_second, first: vec![num::number(keys); parts + 1] };
        let each = (0..keys).rev().filter_map(|key| Some((key, times.get(key, base)?)));
        for (key, time) in each {
            let part = buckets.part(time);
            if let Some(first) = buckets.first.get_mut(part) {
                *first = num::number(key);
            }
        }
        // Parts without keys begin where the next one does.
        let mut next = num::number(keys);
        for first in buckets.first.iter_mut().rev() {
            next = next.min(*first);
            *first = next;
        }
        buckets
    }

    fn part(&self, time: f64) -> usize {
        let part = index_from_f64((time - self.start) * self.per_second);
        part.min(self.first.len().saturating_sub(2))
    }

    /// Returns the keys of the part that a time is in.
    fn range(&self, time: f64, keys: usize) -> (usize, usize) {
        let part = self.part(time);
        let first = |part| self.first.get(part).map(|&key| index(key));
        (first(part).unwrap_or(0), first(part + 1).unwrap_or(keys))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: TimeBase = TimeBase { clock: Clock::F64, rate: 60.0 };
    const NARROW: TimeBase = TimeBase { clock: Clock::F32, rate: 60.0 };

    /// Times whose distances vary by a factor of nine.
    fn irregular(keys: u32) -> Vec<f64> {
        let mut time = -0.25;
        let each = (0..keys).map(|key| {
            time += f64::from(key.wrapping_mul(2_654_435_761) % 9) * 0.01 + 0.01;
            time
        });
        each.collect()
    }

    fn timelines() -> Vec<Timeline> {
        let wide = irregular(1000);
        let narrow: Vec<f32> = wide.iter().map(|&time| f32_from_f64(time)).collect();
        let frames = (0..500_u16).map(|frame| (frame * 3) & !1).collect();
        let times = [
            Times::Even { first: 7, step: 3, count: 900 },
            Times::Frames(frames),
            Times::Seconds(narrow),
            Times::Wide(wide),
            Times::Wide(vec![1.0, 1.0, 1.0, 2.0, 2.0]),
            Times::Wide(vec![-1e308, 0.0, 1e308]),
            Times::Even { first: 0, step: 1, count: 1 },
        ];
        let both = times
            .into_iter()
            .flat_map(|times| [WIDE, NARROW].map(|base| Timeline::new(times.clone(), base)));
        both.collect()
    }

    /// Returns the active key by looking at all of them.
    fn active(timeline: &Timeline, now: f64) -> usize {
        let keys = 0..timeline.times.len();
        keys.rev().find(|&key| timeline.time(key).is_some_and(|time| time <= now)).unwrap_or(0)
    }

    fn sampled(timeline: &Timeline) -> Vec<f64> {
        let keys = (0..timeline.times.len()).filter_map(|key| timeline.time(key));
        let near = keys.flat_map(|time| [time.next_down(), time, time.next_up(), time + 0.003]);
        near.chain([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e9, -1e9, 0.0]).collect()
    }

    #[test]
    fn a_search_finds_the_active_key() {
        for timeline in timelines() {
            for time in sampled(&timeline) {
                let now = timeline.base.round(time);
                let (key, _) = timeline.seek(now);
                assert_eq!(key, active(&timeline, now), "{time} in {:?}", timeline.times);
            }
        }
    }

    #[test]
    fn a_place_does_not_depend_on_the_last_key() {
        for timeline in timelines() {
            for time in sampled(&timeline) {
                let place = timeline.place(&mut 0, time);
                for last in [1, 3, 400, u32::MAX] {
                    assert_eq!(timeline.place(&mut { last }, time), place, "{time} from {last}");
                }
            }
        }
    }

    #[test]
    fn ordinary_times_take_at_most_eight_probes() {
        for timeline in timelines().iter().take(8) {
            let probes = sampled(timeline).into_iter().map(|time| timeline.seek(time).1);
            let most = probes.max().unwrap_or_default();
            assert!((1..=8).contains(&most), "{most} probes");
        }
    }

    #[test]
    fn even_times_take_at_most_three_probes() {
        let times = Times::Even { first: 7, step: 3, count: 1_400_000_000 };
        let timeline = Timeline::new(times, WIDE);
        for time in [0.0, 0.1, 1e3, 12_345.678_9, 7e7, 1e12] {
            assert!(timeline.seek(time).1 <= 3, "{time}");
        }
    }

    #[test]
    fn times_are_compared_in_the_float_of_the_clock() {
        let times = Times::Seconds(vec![0.0, 0.1]);
        let before = f64::from(0.1_f32).next_down();
        let place = |base| Timeline::new(times.clone(), base).place(&mut 0, before).key;
        assert_eq!([WIDE, NARROW].map(place), [0, 1]);
    }
}
