//! Finds the keys to keep.

use std::borrow::Cow;

use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Element, FullTurn, Interpolation, KeySlerp, Quat, Rules, Shape, Slerp, Strings, TrackData,
    Values, element_error, slerps_apart, with_column,
};

/// The normalized times between two keys at which the error is measured.
///
/// One is just after a key: Resonite switches formulas for rotations that are very close to each
/// other, and has the largest error there.
pub(crate) const PROBES: [f64; 4] = [1.0 / 64.0, 0.25, 0.5, 0.75];

/// The normalized time at which lines are measured between their ends, where they are farthest
/// apart: the numbers between very large ones may not be finite.
const MIDDLE: [f64; 1] = [0.5];

/// The largest distance between two probes, or a probe and a key.
const WIDEST_GAP: f64 = 0.25;

/// Two rotations that turn evenly, and by at most this much together in radians, are farthest apart
/// at a key, up to a thousandth: they need no probes.
const CALM_TURN: f64 = 0.25;

/// The part of the largest measured error from which an error is bounded between probes too: an
/// error that is smaller cannot grow beyond the largest one there, since a rotation turns by less
/// than half a turn between two keys.
const NEAR: f64 = 0.9;

/// Half a turn in radians, minus possible rounding.
const HALF_TURN: f64 = core::f64::consts::PI - 1e-3;

pub(crate) fn inside(start: f64, end: f64, part: f64) -> f64 {
    start + (end - start) * part
}

/// The keys to keep, and the largest error.
pub(super) struct Kept {
    pub(super) keys: Vec<usize>,
    pub(super) error: f64,
}

pub(super) fn keep(data: &TrackData, bound: f64, rules: Rules) -> Kept {
    // Integers are choices or counts, so no integer is close to another.
    let bound = if data.kind().is_float() { bound } else { 0.0 };
    with_column!(data.values(), values => Reduction::new(data, values, bound, rules).run(), else {
        let Some(texts) = data.values().as_strings() else {
            // A kind unknown to this crate keeps its keys.
            return Kept { keys: (0..data.len()).collect(), error: 0.0 };
        };
        Reduction::new(data, &numbered(texts), 0.0, rules).run()
    })
}

/// Numbers strings so that adjacent equal strings have equal numbers.
fn numbered(texts: &Strings) -> Vec<u64> {
    let mut number = 0_u64;
    let mut last = None;
    let number_of = |text| {
        number += u64::from(last.is_some_and(|last| last != text));
        last = Some(text);
        number
    };
    texts.iter().map(number_of).collect()
}

/// The data that a reduction needs about a track.
struct Reduction<'a, T> {
    times: Cow<'a, [f64]>,
    values: &'a [T],
    data: &'a TrackData,
    bound: f64,
    rules: Rules,
    /// Whether the values are integers or another kind without floats.
    whole: bool,
    /// The accumulated rotation up to each key in radians; empty if the track has no rotations.
    turned: Vec<f64>,
    /// Whether rotations turn evenly from key to key, up to the rounding of their `f32` values.
    even: bool,
}

impl<'a, T: Element> Reduction<'a, T> {
    fn new(data: &'a TrackData, values: &'a [T], bound: f64, rules: Rules) -> Self {
        let times = match data.shape() {
            Shape::Stepped { times } | Shape::Curve { times, .. } => Cow::Borrowed(&**times),
            _ => (0..data.len()).map(|key| data.time(key).unwrap_or(f64::NAN)).collect(),
        };
        let turned = match data.values() {
            Values::FloatQ(rotations) => turns(rotations),
            Values::DoubleQ(rotations) => turns(rotations),
            _ => Vec::new(),
        };
        let even = match data.values() {
            Values::FloatQ(rotations) if rules.slerp == Slerp::Directions => {
                rotations.iter().all(is_unit)
            }
            _ => false,
        };
        let whole = !data.kind().is_float();
        Self { times, values, data, bound, rules, whole, turned, even }
    }

    fn run(&self) -> Kept {
        let mut kept = Kept { keys: Vec::new(), error: 0.0 };
        let Some(last) = self.values.len().checked_sub(1) else { return kept };
        kept.keys.push(0);
        let (mut from, mut wall) = (0, 0);
        while from < last {
            if wall <= from {
                let mut free = from + 1..last;
                wall = free.find(|&key| !self.may_go(key)).unwrap_or(last);
            }
            let to = self.farthest(from, wall);
            self.settle(from, to, &mut kept);
            from = to;
        }
        kept
    }

    fn interpolation(&self, key: usize) -> Interpolation {
        if self.data.kind().interpolates() {
            self.data.interpolation(key)
        } else {
            Interpolation::Hold
        }
    }

    fn time(&self, key: usize) -> f64 {
        self.times.get(key).copied().unwrap_or(f64::NAN)
    }

    fn key(&self, key: usize) -> Option<(f64, T)> {
        Some((self.time(key), *self.values.get(key)?))
    }

    /// Returns whether a key has linear or held segments on both sides, and a time of its own.
    fn may_go(&self, key: usize) -> bool {
        let Some(before) = key.checked_sub(1) else { return false };
        // Engines that use f32 times cannot distinguish times that round to the same value.
        let clock = |key| f32_from_f64(self.time(key));
        let apart = clock(before) < clock(key) && clock(key) < clock(key + 1);
        let interpolation = self.interpolation(key);
        let plain = matches!(interpolation, Interpolation::Hold | Interpolation::Linear);
        apart && plain && interpolation == self.interpolation(before)
    }

    /// Returns the last key up to `wall` to which a segment from `from` may lead.
    ///
    /// The length of the segment is doubled until it does not fit, then halved, so each key is
    /// visited a logarithmic number of times.
    fn farthest(&self, from: usize, wall: usize) -> usize {
        let mut good = from + 1;
        let mut step = 2_usize;
        while good < wall {
            let probe = (from + step).min(wall);
            if self.fits(from, probe) {
                good = probe;
                step *= 2;
                continue;
            }
            let mut bad = probe;
            while good + 1 < bad {
                let middle = usize::midpoint(good, bad);
                if self.fits(from, middle) { good = middle } else { bad = middle }
            }
            break;
        }
        good
    }

    /// Returns whether the keys between two others may be removed, judging by the errors at the
    /// keys.
    fn fits(&self, from: usize, to: usize) -> bool {
        let near = |key| self.error_at_key(from, to, key) <= self.bound;
        let mut between = from + 1..to;
        !self.turns_round(from, to) && near(usize::midpoint(from, to)) && between.all(near)
    }

    /// Returns whether a rotation turns by 180 degrees or more between two keys.
    fn turns_round(&self, from: usize, to: usize) -> bool {
        match (self.turned.get(from), self.turned.get(to)) {
            // An invalid rotation has no angle.
            (Some(start), Some(end)) => {
                (end - start).partial_cmp(&HALF_TURN) != Some(core::cmp::Ordering::Less)
            }
            _ => false,
        }
    }

    /// Returns the error of a segment at a removed key.
    fn error_at_key(&self, from: usize, to: usize, key: usize) -> f64 {
        match self.values.get(key) {
            Some(&value) => self.error(from, to, self.time(key), value),
            None => 0.0,
        }
    }

    /// Returns the error of a segment at a time with a known original value.
    fn error(&self, from: usize, to: usize, time: f64, value: T) -> f64 {
        let (Some(start), Some(end)) = (self.key(from), self.key(to)) else { return f64::INFINITY };
        let shown = match self.interpolation(from) {
            Interpolation::Hold => start.1,
            // A linear segment of integers steps at times that depend on its start.
            _ if self.whole && !start.1.identical(&end.1) => return f64::INFINITY,
            _ => self.rules.between(start, end, time),
        };
        if self.bound == 0.0 && !shown.identical(&value) {
            return f64::INFINITY;
        }
        element_error(shown, value)
    }

    /// Returns the largest error of a segment, including times between the removed keys.
    fn measure(&self, from: usize, to: usize) -> f64 {
        let mut at_key = self.error_at_key(from, to, from);
        let measured: Vec<f64> = (from..to)
            .map(|key| {
                let next = key + 1;
                // The last key stays.
                let at_next = if next < to { self.error_at_key(from, to, next) } else { 0.0 };
                let before = core::mem::replace(&mut at_key, at_next);
                let ends = before.max(at_next);
                if self.is_calm(from, to, key) {
                    ends
                } else {
                    ends.max(self.error_after_key(from, to, key))
                }
            })
            .collect();
        let largest = measured.iter().copied().fold(0.0, f64::max);
        let near = measured.into_iter().zip(from..).filter(|(each, _)| *each >= NEAR * largest);
        let between = near.map(|(each, key)| self.error_between(from, to, key, each));
        between.fold(largest, f64::max)
    }

    /// Returns the largest error of a segment at the probed times between a key and the next one.
    fn error_after_key(&self, from: usize, to: usize, key: usize) -> f64 {
        let mut worst = 0.0_f64;
        let ends = (self.key(key), self.key(key + 1));
        let (Some(start), Some(end)) = ends else { return worst };
        if self.interpolation(from) == Interpolation::Hold {
            return worst;
        }
        for &part in self.probes() {
            let time = inside(start.0, end.0, part);
            let value = self.rules.between(start, end, time);
            worst = worst.max(self.error(from, to, time, value));
            // Between rotations that are very close to each other, Resonite shows the second one as
            // soon as the segment begins.
            if part == PROBES[0] && value.identical(&end.1) {
                worst = worst.max(self.error(from, to, start.0, value));
            }
        }
        worst
    }

    /// Returns the normalized times to measure between two keys.
    fn probes(&self) -> &'static [f64] {
        // With a bound of 0, rounding counts. An angle of a full turn jumps after its key.
        let exact = self.bound == 0.0 || self.rules.full_turn != FullTurn::Kept;
        if exact || !self.turned.is_empty() { &PROBES } else { &MIDDLE }
    }

    /// Returns an upper bound of the error of a segment from a key to the next one, from the
    /// largest one at the probed times. Lines are farthest apart at their ends, rotations may be
    /// farther apart between probes.
    fn error_between(&self, from: usize, to: usize, key: usize, measured: f64) -> f64 {
        let next = key + 1;
        let is_slerp = !self.turned.is_empty() && self.interpolation(from) != Interpolation::Hold;
        if !is_slerp || self.bound == 0.0 || measured == 0.0 {
            return measured;
        }
        let gap = if self.is_calm(from, to, key) { 1.0 } else { WIDEST_GAP };
        let slerp = |from, to, step| KeySlerp { from, to, step };
        let share = self.share(from, to, key);
        let slerps = [slerp(key, next, gap), slerp(from, to, share * gap)];
        slerps_apart(self.data, measured, slerps)
    }

    /// Returns whether the rotation from a key to the next one, and that of a segment during this
    /// time, are even and short.
    fn is_calm(&self, from: usize, to: usize, key: usize) -> bool {
        let turn = |from: usize, to: usize| match (self.turned.get(from), self.turned.get(to)) {
            (Some(start), Some(end)) => end - start,
            _ => f64::INFINITY,
        };
        let turns = turn(key, key + 1) + turn(from, to) * self.share(from, to, key);
        self.even && self.bound > 0.0 && turns <= CALM_TURN
    }

    /// Returns the part of a segment's time from a key to the next one.
    fn share(&self, from: usize, to: usize, key: usize) -> f64 {
        (self.time(key + 1) - self.time(key)) / (self.time(to) - self.time(from))
    }

    /// Appends the key at the end of a segment, and before it the keys needed to stay within the
    /// bound between keys too.
    fn settle(&self, from: usize, to: usize, kept: &mut Kept) {
        let mut ends = vec![to];
        let mut start = from;
        while let Some(&end) = ends.last() {
            let alone = end <= start + 1;
            let error = if alone { 0.0 } else { self.measure(start, end) };
            if error > self.bound {
                ends.push(usize::midpoint(start, end));
                continue;
            }
            kept.error = kept.error.max(error);
            kept.keys.push(end);
            ends.pop();
            start = end;
        }
    }
}

/// Returns whether a rotation has the length 1, up to the rounding of its numbers.
fn is_unit(rotation: &Quat<f32>) -> bool {
    (Quat::<f64>::from(*rotation).length() - 1.0).abs() <= 1e-6
}

/// Returns the accumulated rotation up to each key in radians.
fn turns<T: inbetween_core::Real>(rotations: &[Quat<T>]) -> Vec<f64> {
    let mut last: Option<Quat<T>> = None;
    let mut turned = 0.0;
    let turned_at = |&rotation: &Quat<T>| {
        let step = last.map_or(0.0, |last| last.angle_to(rotation));
        // Next to an invalid rotation, no key may be removed.
        turned += if step.is_nan() { core::f64::consts::PI } else { step };
        last = Some(rotation);
        turned
    };
    rotations.iter().map(turned_at).collect()
}
