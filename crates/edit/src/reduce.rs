//! Removes redundant keys within an error bound.

use std::borrow::Cow;

use inbetween_core::num::f32_from_f64;
use inbetween_core::{
    Document, Element, Finding, Interpolation, KeySlerp, Outcome, Property, Quat, Rules, Shape,
    StatedError, Strings, Target, TrackData, ValueKind, Values, counted, element_error,
    significant, slerps_apart, with_column,
};

use crate::keys::EditedKeys;
use crate::work::{Work, check_number};
use crate::{EditError, Settings};

/// The largest allowed error after removing keys, per category of tracks.
///
/// `None`, the default, leaves the tracks unchanged. A bound of 0 removes only keys that make no
/// difference, bit for bit. Each bound applies to a property as a whole: tracks of single
/// components share it.
///
/// # Examples
///
/// ```
/// use inbetween_edit::ReduceBounds;
///
/// let bounds = ReduceBounds { angle: Some(0.1_f64.to_radians()), ..ReduceBounds::default() };
/// assert_eq!(bounds.position, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReduceBounds {
    /// For positions: the distance, in the unit of the values.
    pub position: Option<f64>,
    /// For rotations: the angle between them in radians.
    pub angle: Option<f64>,
    /// For scales: the length of the difference.
    pub scale: Option<f64>,
    /// For weights and for custom numbers, vectors and colors:
    /// [`value_error`](inbetween_core::value_error).
    pub scalar: Option<f64>,
}

impl ReduceBounds {
    /// Returns the same bound for all categories: units, and radians for rotations.
    pub const fn all(bound: f64) -> Self {
        let bound = Some(bound);
        Self { position: bound, angle: bound, scale: bound, scalar: bound }
    }

    /// Returns the bounds of this reduction followed by another one: errors add up.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_edit::ReduceBounds;
    ///
    /// let first = ReduceBounds { position: Some(0.25), ..ReduceBounds::default() };
    /// let both = first.and_then(ReduceBounds::all(0.5));
    /// assert_eq!((both.position, both.angle), (Some(0.75), Some(0.5)));
    /// ```
    #[must_use]
    pub fn and_then(self, next: Self) -> Self {
        let sum = |one: Option<f64>, other: Option<f64>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Self {
            position: sum(self.position, next.position),
            angle: sum(self.angle, next.angle),
            scale: sum(self.scale, next.scale),
            scalar: sum(self.scalar, next.scalar),
        }
    }

    fn check(self) -> Result<(), EditError> {
        let names = ["reduce: position", "reduce: angle", "reduce: scale", "reduce: scalar"];
        for (what, category) in names.into_iter().zip(Category::ALL) {
            let bound = self.get(category).unwrap_or(0.0);
            check_number(what, "a bound of 0 or more such as 0.001", bound, bound >= 0.0)?;
        }
        Ok(())
    }

    pub(crate) const fn get(self, category: Category) -> Option<f64> {
        match category {
            Category::Position => self.position,
            Category::Angle => self.angle,
            Category::Scale => self.scale,
            Category::Scalar => self.scalar,
        }
    }

    /// Returns the bound of a track, and the factor by which the error of the whole property may
    /// exceed that of the track.
    fn of(self, target: &Target, kind: ValueKind) -> Option<(f64, f64)> {
        let one = target.component.is_some();
        let share = match target.property {
            Property::Translation | Property::Scale if one => 3.0_f64.sqrt(),
            // The angles of rotations about three axes add up at most.
            Property::RotationEuler(_) => {
                if one {
                    3.0
                } else {
                    3.0_f64.sqrt()
                }
            }
            _ => 1.0,
        };
        // Two strings or switches are either equal or different.
        let bound = self.get(Category::of(&target.property, kind));
        bound.map(|bound| (if kind.interpolates() { bound } else { 0.0 }, share))
    }
}

/// The category that a bound applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    Position,
    Angle,
    Scale,
    Scalar,
}

impl Category {
    pub(crate) const ALL: [Self; 4] = [Self::Position, Self::Angle, Self::Scale, Self::Scalar];

    pub(crate) fn of(property: &Property, kind: ValueKind) -> Self {
        match property {
            Property::Translation => Self::Position,
            Property::Scale => Self::Scale,
            Property::Rotation | Property::RotationEuler(_) => Self::Angle,
            _ if kind.is_quaternion() => Self::Angle,
            _ => Self::Scalar,
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Angle => "angle",
            Self::Scale => "scale",
            Self::Scalar => "scalar",
        }
    }

    /// The unit after a number; other numbers have the unit of the file.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Self::Angle => " rad",
            _ => "",
        }
    }
}

/// Removes keys as long as every track stays within its bound, as the clip plays.
///
/// The remaining keys are unchanged, so nothing is rounded again. The first and the last key of a
/// track are kept, and so are keys that start or end a curve, keys with equal times, and keys
/// without which a rotation would turn by 180 degrees or more. Integers and `color32` lose only
/// keys that make no difference. The error is measured at all original keys and at four times
/// between adjacent ones. The finding states the largest error of each track, and
/// [`measure_reduction`](crate::measure_reduction) measures the written file. Uniform keys get
/// individual times if some are removed.
///
/// # Errors
///
/// If a bound is negative or not finite.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Property, Target, Track, TrackData};
/// use inbetween_edit::{ReduceBounds, Settings, reduce};
///
/// let line = TrackData::uniform(0.5, vec![0.0_f32, 1.0, 2.0, 3.0, 0.0]);
/// let track = Track::new(Target::new("lamp", Property::Custom(None)), line)?;
/// let clip = Animation::new(vec![track]);
/// let bounds = ReduceBounds::all(1e-6);
/// let reduced = reduce(Document::single(clip), bounds, &Settings::default())?;
/// let keys = reduced.value.clips[0].tracks[0].data();
/// let times: Vec<_> = keys.times().collect();
/// assert_eq!(times, [0.0, 1.5, 2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn reduce(
    document: Document,
    bounds: ReduceBounds,
    settings: &Settings,
) -> Result<Outcome<Document>, EditError> {
    bounds.check()?;
    Work::on(&document, settings).clips(document, |work, mut clip| {
        clip.tracks = work.tracks(clip.tracks, |work, target, data| {
            let data = reduce_track(&target, data, bounds, work)?;
            Ok((target, data))
        })?;
        Ok(clip)
    })
}

fn reduce_track(
    target: &Target,
    data: TrackData,
    bounds: ReduceBounds,
    work: &mut Work<'_>,
) -> Result<TrackData, EditError> {
    let Some((bound, share)) = bounds.of(target, data.kind()) else { return Ok(data) };
    if !data.plays() {
        return Ok(data);
    }
    let Kept { keys, error } = keep(&data, bound / share, work.rules);
    let before = data.len();
    if keys.len() == before {
        return Ok(data);
    }
    let reduced = EditedKeys::of(data).gather(&keys).into_data()?;
    let counts = format!("{} became {}", counted(before, "key"), keys.len());
    if error > 0.0 {
        // The message is about the property as a whole, and the error about this track.
        let own = if target.component.is_some() { error } else { error * share };
        let (error, bound) = (significant(error * share), significant(bound));
        let message = format!("{counts}, off by at most {error} (bound {bound})");
        let finding = Finding::new(crate::codes::REDUCED, message).at(work.path());
        work.findings.push(finding.error(StatedError::of_value(own)));
    } else {
        work.say(crate::codes::REDUNDANT_KEYS_REMOVED, counts);
    }
    Ok(reduced)
}

/// The normalized times between two keys at which the error is measured.
///
/// One is just after a key: Resonite switches formulas for rotations that are very close to each
/// other, and has the largest error there.
pub(crate) const PROBES: [f64; 4] = [1.0 / 64.0, 0.25, 0.5, 0.75];

/// The largest distance between two probes, or a probe and a key.
const WIDEST_GAP: f64 = 0.25;

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
struct Kept {
    keys: Vec<usize>,
    error: f64,
}

fn keep(data: &TrackData, bound: f64, rules: Rules) -> Kept {
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
        let whole = !data.kind().is_float();
        Self { times, values, data, bound, rules, whole, turned }
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
                before.max(at_next).max(self.error_after_key(from, to, key))
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
        for part in PROBES {
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

    /// Returns an upper bound of the error of a segment from a key to the next one, from the
    /// largest one at the probed times. Lines are farthest apart at their ends, rotations may be
    /// farther apart between probes.
    fn error_between(&self, from: usize, to: usize, key: usize, measured: f64) -> f64 {
        let next = key + 1;
        let is_slerp = !self.turned.is_empty() && self.interpolation(from) != Interpolation::Hold;
        if !is_slerp || self.bound == 0.0 || measured == 0.0 {
            return measured;
        }
        let share = (self.time(next) - self.time(key)) / (self.time(to) - self.time(from));
        let slerp = |from, to, step| KeySlerp { from, to, step };
        let slerps = [slerp(key, next, WIDEST_GAP), slerp(from, to, share * WIDEST_GAP)];
        slerps_apart(self.data, measured, slerps)
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
