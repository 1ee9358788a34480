//! Finds the keys to keep.

use std::borrow::Cow;

use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Element, Interpolation, Quat, Rules, Shape, Slerp, Strings, TrackData, Values, element_error,
    is_unit, with_column,
};

/// The number of steps between two keys at whose ends the error is tested, as where it is measured
/// later.
const STEPS: u8 = 8;

/// Half a turn in radians, minus possible rounding.
const HALF_TURN: f64 = core::f64::consts::PI - 1e-3;

/// Returns the keys to keep for an error of at most `bound`.
pub(super) fn keep(data: &TrackData, bound: f64, rules: Rules) -> Vec<usize> {
    // Integers are choices or counts, so no integer is close to another.
    let bound = if data.kind().is_float() { bound } else { 0.0 };
    with_column!(data.values(), values => Reduction::new(data, values, bound, rules).run(), else {
        let Some(texts) = data.values().as_strings() else {
            // A kind unknown to this crate keeps its keys.
            return (0..data.len()).collect();
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
}

impl<'a, T: Element> Reduction<'a, T> {
    fn new(data: &'a TrackData, values: &'a [T], bound: f64, rules: Rules) -> Self {
        let times = match data.shape() {
            Shape::Stepped { times } | Shape::Curve { times, .. } => Cow::Borrowed(&**times),
            _ => (0..data.len()).map(|key| data.time(key).unwrap_or(f64::NAN)).collect(),
        };
        let (turned, unit) = match data.values() {
            Values::FloatQ(rotations) => {
                let mut wide = rotations.iter().map(|rotation| Quat::<f64>::from(*rotation));
                (turns(rotations), wide.all(is_unit))
            }
            Values::DoubleQ(rotations) => {
                (turns(rotations), rotations.iter().all(|it| is_unit(*it)))
            }
            _ => (Vec::new(), false),
        };
        // On unit rotations, the slerps of all engines count as alike.
        let rules = if unit { rules.with_slerp(Slerp::Directions) } else { rules };
        let whole = !data.kind().is_float();
        Self { times, values, data, bound, rules, whole, turned }
    }

    fn run(&self) -> Vec<usize> {
        let mut kept = Vec::new();
        let Some(last) = self.values.len().checked_sub(1) else { return kept };
        kept.push(0);
        if self.is_constant() {
            return kept;
        }
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

    /// Returns whether all values are the same.
    fn is_constant(&self) -> bool {
        let Some((_, first)) = self.key(0) else { return false };
        let plain =
            |key| matches!(self.interpolation(key), Interpolation::Hold | Interpolation::Linear);
        // An invalid rotation has no angle.
        let turns = self.turned.last().is_some_and(|turned| *turned > 0.0);
        let same = |value: &T| first.identical(value);
        !turns && self.values.iter().all(same) && (0..self.values.len()).all(plain)
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
        (from..to).map(|key| self.error_after_key(from, to, key)).fold(0.0, f64::max)
    }

    /// Returns the largest error of a segment from a key to the next one.
    fn error_after_key(&self, from: usize, to: usize, key: usize) -> f64 {
        let ends = (self.key(key), self.key(key + 1));
        let (Some(start), Some(end)) = ends else { return 0.0 };
        if self.interpolation(from) == Interpolation::Hold {
            return self.error(from, to, start.0, start.1);
        }
        let errors = (0..STEPS).map(|step| {
            let time = start.0 + (end.0 - start.0) * (f64::from(step) / f64::from(STEPS));
            self.error(from, to, time, self.rules.between(start, end, time))
        });
        errors.fold(0.0, f64::max)
    }

    /// Appends the key at the end of a segment, and before it the keys needed to stay within the
    /// bound between keys too.
    fn settle(&self, from: usize, to: usize, kept: &mut Vec<usize>) {
        let mut ends = vec![to];
        let mut start = from;
        while let Some(&end) = ends.last() {
            let alone = end <= start + 1;
            let error = if alone { 0.0 } else { self.measure(start, end) };
            if error > self.bound {
                ends.push(usize::midpoint(start, end));
                continue;
            }
            kept.push(end);
            ends.pop();
            start = end;
        }
    }
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
