//! Plays one property of a node, however its tracks store it.

use inbetween::num::ulp_f32;
use inbetween::{
    Animation, Axis, PlaybackCursor, Property, Quat, Rules, Track, TrackData, Value, ValueKind,
    rows,
};

use super::{Measure, Played};

/// The tracks of one property of one node.
#[derive(Debug)]
pub(super) struct Channel<'d> {
    parts: Vec<Part<'d>>,
}

#[derive(Debug)]
struct Part<'d> {
    track: &'d Track,
    rules: Rules,
    cursor: PlaybackCursor,
}

/// The value of a channel at a time.
#[derive(Clone, Debug, PartialEq)]
enum Shown {
    Nothing,
    Numbers(Vec<f64>),
    Rotation(Quat<f64>),
    Text(Option<String>),
}

impl<'d> Channel<'d> {
    pub(super) fn new() -> Self {
        Self { parts: Vec::new() }
    }

    pub(super) fn push(&mut self, clip: &Animation, track: &'d Track) {
        let rules = clip.rules.of(&track.target().property);
        self.parts.push(Part { track, rules, cursor: PlaybackCursor::default() });
    }

    pub(super) fn tracks(&self) -> impl Iterator<Item = &'d Track> {
        self.parts.iter().map(|part| part.track)
    }

    pub(super) fn keys(&self) -> usize {
        self.tracks().map(|track| track.data().len()).sum()
    }

    pub(super) fn kind(&self) -> Option<ValueKind> {
        self.tracks().next().map(|track| track.data().kind())
    }

    /// Returns the times of the keys that play.
    pub(super) fn times(&self) -> impl Iterator<Item = f64> {
        let all = self.tracks().map(Track::data).filter(|data| data.plays());
        all.flat_map(TrackData::times)
    }

    fn shown(&mut self, time: f64) -> Shown {
        let mut whole = Shown::Nothing;
        let mut row = Vec::new();
        for Part { track, rules, cursor } in &mut self.parts {
            let target = track.target();
            let Some(value) = rules.sample_from(track.data(), cursor, time) else { continue };
            if let Value::String(text) = &value {
                return Shown::Text(text.as_deref().map(str::to_owned));
            }
            rows::read(&value, &mut row);
            match target.component {
                None => {
                    whole = Shown::Numbers(std::mem::take(&mut row));
                    break;
                }
                Some(axis) => whole.set(axis, &row, target.property.component_at_rest()),
            }
        }
        self.turned(whole)
    }

    /// Converts angles, and the four components of a quaternion, to a rotation.
    fn turned(&self, shown: Shown) -> Shown {
        let property = self.tracks().next().map(|track| &track.target().property);
        match (property, shown) {
            (Some(Property::RotationEuler(order)), Shown::Numbers(row)) => match *row.as_slice() {
                [x, y, z] => Shown::Rotation(order.quaternion([x, y, z])),
                _ => Shown::Numbers(row),
            },
            (Some(Property::Rotation), Shown::Numbers(row)) => match *row.as_slice() {
                [x, y, z, w] => Shown::Rotation(Quat::from_array([x, y, z, w])),
                _ => Shown::Numbers(row),
            },
            (_, shown) => shown,
        }
    }
}

impl Shown {
    /// Sets one of three components.
    fn set(&mut self, axis: Axis, row: &[f64], at_rest: f64) {
        if !matches!(self, Self::Numbers(_)) {
            *self = Self::Numbers(vec![at_rest; 3]);
        }
        if let (Self::Numbers(numbers), Some(number)) = (self, row.first())
            && let Some(slot) = numbers.get_mut(axis.index())
        {
            *slot = *number;
        }
    }

    fn measure(&self) -> Measure {
        match self {
            Self::Rotation(_) => Measure::Angle,
            Self::Text(_) => Measure::Text,
            Self::Numbers(_) | Self::Nothing => Measure::Value,
        }
    }

    /// Returns the difference between two values; infinite if they cannot be compared.
    fn distance(&self, other: &Self) -> f64 {
        match (self, other) {
            (Self::Numbers(one), Self::Numbers(other)) if one.len() == other.len() => {
                let apart = one.iter().zip(other).map(|(one, other)| number(*one, *other));
                apart.fold(0.0, f64::max)
            }
            (Self::Rotation(one), Self::Rotation(other)) => rotation(*one, *other),
            (Self::Text(one), Self::Text(other)) => f64::from(u8::from(one != other)),
            (Self::Nothing, Self::Nothing) => 0.0,
            _ => f64::INFINITY,
        }
    }
}

/// Returns 0 for equal values and for two NaN, and infinity for NaN and a number.
fn number(one: f64, other: f64) -> f64 {
    if one == other || (one.is_nan() && other.is_nan()) {
        return 0.0;
    }
    let apart = (one - other).abs();
    if apart.is_nan() { f64::INFINITY } else { apart }
}

fn rotation(one: Quat<f64>, other: Quat<f64>) -> f64 {
    let is_rotation = |quat: Quat<f64>| quat.length().is_finite() && quat.length() > 0.0;
    match (is_rotation(one), is_rotation(other)) {
        // The computed angle between equal rotations is only approximately 0.
        (true, true) if one == other => 0.0,
        (true, true) => one.angle_to(other),
        (false, false) => 0.0,
        _ => f64::INFINITY,
    }
}

/// The number of times that are played between two keys.
const BETWEEN: u8 = 8;

/// The number of steps in the search for the time of the largest difference.
const REFINEMENTS: u8 = 24;

/// Plays two channels, and returns the largest difference if it exceeds the tolerance.
///
/// `ends` are the ends of the clips. Values are compared right before and after keys, but not
/// exactly at them, since a jump may have moved by the rounding of its time.
pub(super) fn play(
    before: &mut Channel<'_>,
    after: &mut Channel<'_>,
    ends: [f64; 2],
    tolerance: f64,
) -> Option<Played> {
    let times = times(before, after, ends);
    let last = times.last().copied().unwrap_or(0.0);
    // After the last time both hold, so they are compared there and reported at that time.
    let nexts = times.iter().skip(1).copied().chain([last + 1.0]);
    let mut search = Search { before, after, tolerance, worst: None, played: None };
    for (start, end) in times.iter().copied().zip(nexts) {
        let grain = (2.0 * ulp_f32(start.abs().max(end.abs()))).max(1e-6);
        if end - start > 2.0 * grain {
            search.interval(Interval { start, end, grain, last });
        }
    }
    search.worst
}

/// Returns the times at which the curve of either channel may bend or jump, and the ends of the
/// clips.
fn times(before: &Channel<'_>, after: &Channel<'_>, ends: [f64; 2]) -> Vec<f64> {
    let mut times: Vec<f64> =
        before.times().chain(after.times()).chain(ends).chain([0.0]).collect();
    times.retain(|time| time.is_finite());
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// The time between two keys, without its ends.
#[derive(Clone, Copy)]
struct Interval {
    start: f64,
    end: f64,
    /// The part at each end that is not compared.
    grain: f64,
    /// The latest time of all keys and ends of clips.
    last: f64,
}

impl Interval {
    /// Returns the time to report: that of a key if it is less than 0.1 ms away.
    fn reported(self, time: f64) -> f64 {
        let near = |key: &f64| (time - key).abs() <= (2.0 * self.grain).max(1e-4);
        let key = [self.start, self.end].into_iter().find(near);
        key.unwrap_or(time).min(self.last)
    }
}

/// The search for the largest difference.
struct Search<'c, 'b, 'a> {
    before: &'c mut Channel<'b>,
    after: &'c mut Channel<'a>,
    tolerance: f64,
    worst: Option<Played>,
    /// The last played time, and whether the channels differ there.
    played: Option<(f64, bool)>,
}

impl Search<'_, '_, '_> {
    fn apart(&mut self, time: f64) -> (Measure, f64) {
        let (before, after) = (self.before.shown(time), self.after.shown(time));
        (before.measure(), before.distance(&after))
    }

    fn interval(&mut self, interval: Interval) {
        let (start, end) = (interval.start + interval.grain, interval.end - interval.grain);
        let step = (end - start) / f64::from(BETWEEN);
        let mut largest: Option<(f64, f64)> = None;
        for index in 0..=BETWEEN {
            let time = start + step * f64::from(index);
            let (measure, size) = self.apart(time);
            if size > self.tolerance {
                let from = match self.played {
                    Some((equal, false)) => self.edge(equal, time),
                    _ => time,
                };
                self.note(measure, size, interval.reported(time), interval.reported(from));
                if largest.is_none_or(|(_, known)| size > known) {
                    largest = Some((time, size));
                }
            } else if let (Some(worst), Some((different, true))) = (self.worst, self.played) {
                let until = self.edge(time, different);
                self.note(worst.measure, worst.size, worst.at, interval.reported(until));
            }
            self.played = Some((time, size > self.tolerance));
        }
        if let Some((time, _)) = largest {
            self.refine((time - step).max(start), (time + step).min(end), interval);
        }
    }

    /// Records a difference at a time, and another time up to which it exceeds the tolerance.
    fn note(&mut self, measure: Measure, size: f64, at: f64, other: f64) {
        let found = Played { measure, size, at, span: [at.min(other), at.max(other)] };
        self.worst = Some(self.worst.map_or(found, |worst| worst.joined(found)));
    }

    /// Returns the time between an equal and a different one at which the difference exceeds the
    /// tolerance.
    fn edge(&mut self, mut equal: f64, mut different: f64) -> f64 {
        for _ in 0..REFINEMENTS {
            let middle = f64::midpoint(equal, different);
            if self.apart(middle).1 > self.tolerance {
                different = middle;
            } else {
                equal = middle;
            }
        }
        different
    }

    /// Searches for a larger difference between two times by dividing the interval into thirds.
    fn refine(&mut self, mut low: f64, mut high: f64, interval: Interval) {
        for _ in 0..REFINEMENTS {
            let third = (high - low) / 3.0;
            let (one, other) = (low + third, high - third);
            let ((measure, left), (_, right)) = (self.apart(one), self.apart(other));
            let (time, size) = if left < right { (other, right) } else { (one, left) };
            if self.worst.is_some_and(|worst| size > worst.size) {
                let at = interval.reported(time);
                self.note(measure, size, at, at);
            }
            if left < right {
                low = one;
            } else {
                high = other;
            }
        }
    }
}

impl Played {
    /// Returns the larger difference, with the range of both.
    fn joined(self, later: Self) -> Self {
        let span = [self.span[0].min(later.span[0]), self.span[1].max(later.span[1])];
        let larger = if later.size > self.size { later } else { self };
        Self { span, ..larger }
    }
}
