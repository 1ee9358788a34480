//! Bringing tracks to what most formats can hold.
//!
//! Formats that know whole vectors, quaternions and value tangents alone get their tracks
//! through here: scalar tracks of one property are joined, Euler angles become quaternions,
//! and curves with handles become linear keys.

use core::ops::RangeInclusive;
use std::collections::HashMap;

use crate::{
    Axis, BakeError, Baked, Budget, Code, EulerOrder, Evaluator, Finding, Findings, Interpolation,
    Interpolations, Path, Property, Shape, Tangents, Target, Track, TrackData, Value, ValueKind,
    Values, bake_at_rate, bake_euler_at_rate, bake_euler_to_bound, bake_to_bound, codes, num,
};

/// Where keys are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grid {
    /// On the frames from 0 on, so many a second.
    Frames(f64),
    /// Where they are needed for an error of at most this: radians for rotations, the unit of the
    /// values for others.
    Bound(f64),
}

/// How to bring tracks down.
#[derive(Debug)]
pub struct Lowering<'b> {
    /// Where keys are made.
    pub grid: Grid,
    /// How the engine of the tracks evaluates them.
    pub evaluator: Evaluator,
    /// What the keys that are made may cost.
    pub budget: &'b mut Budget,
}

impl Lowering<'_> {
    /// Returns the tracks without components, Euler angles and handles, and reports each that
    /// changes.
    ///
    /// A joined track stands where the first of its components stood.
    ///
    /// # Errors
    ///
    /// When the keys that must be made cost more than the budget has, or the rate or the bound
    /// is no positive number.
    pub fn lower(
        &mut self,
        tracks: Vec<Track>,
        findings: &mut Findings,
    ) -> Result<Vec<Track>, BakeError> {
        if !tracks.iter().any(needs_lowering) {
            return Ok(tracks);
        }
        let mut lowered = Vec::with_capacity(tracks.len());
        for (index, track) in self.join(tracks, findings)? {
            findings.begin_scope();
            lowered.push(self.track(track, &Path::item("tracks", index), findings)?);
        }
        findings.begin_scope();
        Ok(lowered)
    }

    /// Replaces the keys of a track by linear ones on the grid, and reports it.
    ///
    /// `what` describes the keys. Returns `None` without keys, or where the last one is beyond
    /// the last frame.
    ///
    /// # Errors
    ///
    /// When the keys cost more than the budget has, or the rate or the bound is no positive
    /// number.
    pub fn bake(
        &mut self,
        data: &TrackData,
        code: Code,
        what: &str,
        path: &Path,
        findings: &mut Findings,
    ) -> Result<Option<TrackData>, BakeError> {
        let baked = match self.grid {
            Grid::Bound(_) if data.is_empty() => return Ok(None),
            Grid::Bound(bound) => bake_to_bound(data, bound, self.evaluator, self.budget)?,
            Grid::Frames(rate) => {
                let Some(range) = enclosing_frames(data, rate) else { return Ok(None) };
                bake_at_rate(data, rate, range, self.evaluator, self.budget)?
            }
        };
        Ok(Some(self.report(code, what, data, baked, path, findings)))
    }

    /// Joins the components of each property of each node; keeps the number of the first track.
    fn join(
        &mut self,
        tracks: Vec<Track>,
        findings: &mut Findings,
    ) -> Result<Vec<(usize, Track)>, BakeError> {
        let mut joined: Vec<(usize, Joint)> = Vec::with_capacity(tracks.len());
        let mut open: HashMap<Target, usize> = HashMap::new();
        for (index, track) in tracks.into_iter().enumerate() {
            let (target, data) = track.into_parts();
            let Some(axis) = target.component else {
                joined.push((index, Joint::Whole(Box::new((target, data)))));
                continue;
            };
            let whole = Target { component: None, ..target };
            let known = open.get(&whole).and_then(|&known| joined.get_mut(known));
            if let Some(slot) = known.and_then(|(_, joint)| joint.free_slot(axis)) {
                *slot = Some(data);
                continue;
            }
            let mut parts = Joint::Parts(whole.clone(), Box::default());
            if let Some(slot) = parts.free_slot(axis) {
                *slot = Some(data);
            }
            open.insert(whole, joined.len());
            joined.push((index, parts));
        }
        let tracks = joined.into_iter().map(|(index, joint)| match joint {
            Joint::Whole(track) => Ok((index, Track::trusted(track.0, track.1))),
            Joint::Parts(target, parts) => {
                findings.begin_scope();
                let path = Path::item("tracks", index);
                let data = self.join_parts(&target.property, &parts, &path, findings)?;
                Ok((index, Track::trusted(target, data)))
            }
        });
        tracks.collect()
    }

    /// Joins up to three tracks of numbers, one an axis, into one of vectors, and reports it.
    ///
    /// What is missing is 1 for a scale and 0 otherwise. The keys are where any of the tracks has
    /// one, and on the grid where one of them is not straight.
    ///
    /// # Errors
    ///
    /// As [`lower`](Self::lower).
    pub fn join_parts(
        &mut self,
        property: &Property,
        parts: &[Option<TrackData>; 3],
        path: &Path,
        findings: &mut Findings,
    ) -> Result<TrackData, BakeError> {
        let straight = self.straightened(parts)?;
        let mut times = self.common_times(&straight)?;
        let double = parts.iter().flatten().any(|part| part.kind() == ValueKind::Double);
        let missing = if *property == Property::Scale { 1.0 } else { 0.0 };
        let sample = |time: f64| {
            parts.each_ref().map(|part| {
                let value = part.as_ref().and_then(|part| self.evaluator.sample(part, time));
                value.as_ref().and_then(number).unwrap_or(missing)
            })
        };
        let mut vectors: Vec<[f64; 3]> = times.iter().map(|&time| sample(time)).collect();
        if let Grid::Bound(_) = self.grid {
            let before = |time| straight.each_ref().map(|part| arrival(part.as_ref(), time));
            (times, vectors) = with_jumps(&times, &vectors, before);
        }
        let error = worst_between(&times, &vectors, sample);
        let message = format!(
            "{} tracks of {} keys became {} keys, off by at most {error:.3e}",
            parts.iter().flatten().count(),
            parts.iter().flatten().map(TrackData::len).max().unwrap_or(0),
            times.len()
        );
        findings.push(Finding::new(codes::COMPONENTS_JOINED, message).at(path.clone()));
        let values = if double {
            Values::from(vectors)
        } else {
            let narrow = |vector: &[f64; 3]| vector.map(num::f32_from_f64);
            Values::from(vectors.iter().map(narrow).collect::<Vec<_>>())
        };
        let linear = Interpolations::Shared(Interpolation::Linear);
        // The times are finite and sorted, and there is a value for each.
        TrackData::curve(times, values, linear, None).map_err(|_| self.grid.unusable())
    }

    /// Returns the parts with straight segments alone where keys are made to a bound.
    fn straightened(
        &mut self,
        parts: &[Option<TrackData>; 3],
    ) -> Result<[Option<TrackData>; 3], BakeError> {
        let mut straight = parts.clone();
        if let Grid::Bound(bound) = self.grid {
            for part in straight.iter_mut().flatten().filter(|part| !is_straight(part)) {
                *part = bake_to_bound(part, bound, self.evaluator, self.budget)?.data;
            }
        }
        Ok(straight)
    }

    /// Returns the times of all keys, and of all frames between them where a part is curved.
    fn common_times(&mut self, parts: &[Option<TrackData>; 3]) -> Result<Vec<f64>, BakeError> {
        let keys = parts.iter().flatten().flat_map(|part| {
            (0..part.len()).filter_map(|key| part.time(key)).filter(|time| time.is_finite())
        });
        let mut times: Vec<f64> = keys.collect();
        let straight = parts.iter().flatten().all(is_straight);
        let rate = match self.grid {
            Grid::Frames(rate) => rate,
            Grid::Bound(_) => return Ok(sorted(times)),
        };
        let range = parts.iter().flatten().filter_map(|part| enclosing_frames(part, rate));
        let range = range.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()));
        if let (false, Some(range)) = (straight, range) {
            let count = u64::from(range.end().saturating_sub(*range.start())).saturating_add(1);
            let (frames, bytes) = (count, count.saturating_mul(32));
            let left = self.budget.bytes_left();
            let charged = self.budget.charge_bytes(num::len_from_u64(bytes));
            charged.map_err(|_| BakeError::Limit { frames, bytes, left })?;
            times.extend(range.map(|frame| f64::from(frame) / rate));
        }
        Ok(sorted(times))
    }

    /// Bakes what the track cannot keep.
    fn track(
        &mut self,
        track: Track,
        path: &Path,
        findings: &mut Findings,
    ) -> Result<Track, BakeError> {
        let (target, data) = track.into_parts();
        let handles = matches!(data.tangents(), Some(Tangents::Handles { .. }));
        let order = match &target.property {
            Property::RotationEuler(order) => *order,
            _ if handles => {
                let baked = self.bake(&data, codes::CURVE_BAKED, "of a curve", path, findings)?;
                return Ok(Track::trusted(target, baked.unwrap_or(data)));
            }
            _ => return Ok(Track::trusted(target, data)),
        };
        let target = Target { property: Property::Rotation, ..target };
        let Some(baked) = self.rotations(&data, order)? else {
            let kind = match data.kind() {
                ValueKind::Double3 => ValueKind::DoubleQ,
                _ => ValueKind::FloatQ,
            };
            return Ok(Track::trusted(target, TrackData::empty(kind)));
        };
        let what = "of angles (error in radians)";
        let baked = self.report(codes::EULER_BAKED, what, &data, baked, path, findings);
        Ok(Track::trusted(target, baked))
    }

    /// Replaces Euler angles by quaternions; `None` without keys.
    fn rotations(
        &mut self,
        data: &TrackData,
        order: EulerOrder,
    ) -> Result<Option<Baked>, BakeError> {
        let evaluator = self.evaluator;
        match self.grid {
            Grid::Bound(_) if data.is_empty() => Ok(None),
            Grid::Bound(bound) => {
                bake_euler_to_bound(data, order, bound, evaluator, self.budget).map(Some)
            }
            Grid::Frames(rate) => enclosing_frames(data, rate)
                .map(|range| bake_euler_at_rate(data, order, rate, range, evaluator, self.budget))
                .transpose(),
        }
    }

    /// Reports what baking did and returns its keys.
    fn report(
        &self,
        code: Code,
        what: &str,
        data: &TrackData,
        baked: Baked,
        path: &Path,
        findings: &mut Findings,
    ) -> TrackData {
        let (before, after) = (data.len(), baked.data.len());
        let message =
            format!("{before} keys {what} became {after}, off by at most {:.3e}", baked.max_error);
        findings.push(Finding::new(code, message).at(path.clone()));
        let early = (0..before).filter(|&key| data.time(key).is_some_and(|time| time < 0.0));
        let early = early.count();
        // Only frames begin at 0.
        if early > 0 && matches!(self.grid, Grid::Frames(_)) {
            let finding = Finding::new(codes::NEGATIVE_TIMES_CUT, format!("{early} keys"));
            findings.push(finding.at(path.clone()).count(num::u64_from_len(early)));
        }
        baked.data
    }
}

impl Grid {
    /// Returns the error of keys that this grid gives no place.
    const fn unusable(self) -> BakeError {
        match self {
            Self::Frames(rate) => BakeError::Rate { rate },
            Self::Bound(bound) => BakeError::Bound { bound },
        }
    }
}

/// Returns each time once, in order.
fn sorted(mut times: Vec<f64>) -> Vec<f64> {
    times.sort_by(f64::total_cmp);
    times.dedup();
    times
}

/// Returns what a straight track of numbers reaches at the time of a key where it jumps.
fn arrival(part: Option<&TrackData>, time: f64) -> Option<f64> {
    let part = part?;
    let Shape::Curve { times, .. } = part.shape() else { return None };
    let key = times.partition_point(|&key| key < time);
    let next = part.time(key.saturating_add(1)).filter(|next| *next == time);
    next.and_then(|_| part.value(key)).as_ref().and_then(number)
}

/// Puts a second key in front of each at whose time a component jumps.
fn with_jumps(
    times: &[f64],
    vectors: &[[f64; 3]],
    before: impl Fn(f64) -> [Option<f64>; 3],
) -> (Vec<f64>, Vec<[f64; 3]>) {
    let keys = times.iter().zip(vectors).flat_map(|(&time, &vector)| {
        let mut arrived = vector;
        let mut jumps = false;
        for (component, value) in arrived.iter_mut().zip(before(time)) {
            if let Some(value) = value {
                *component = value;
                jumps = true;
            }
        }
        jumps.then_some((time, arrived)).into_iter().chain([(time, vector)])
    });
    keys.unzip()
}

/// A track, or the components of one.
enum Joint {
    Whole(Box<(Target, TrackData)>),
    Parts(Target, Box<[Option<TrackData>; 3]>),
}

impl Joint {
    /// Returns the place of a component if nothing is there yet.
    fn free_slot(&mut self, axis: Axis) -> Option<&mut Option<TrackData>> {
        match self {
            Self::Parts(_, parts) => parts.get_mut(position(axis)).filter(|slot| slot.is_none()),
            Self::Whole(_) => None,
        }
    }
}

const fn position(axis: Axis) -> usize {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

fn needs_lowering(track: &Track) -> bool {
    let target = track.target();
    target.component.is_some()
        || matches!(target.property, Property::RotationEuler(_))
        || matches!(track.data().tangents(), Some(Tangents::Handles { .. }))
}

/// Says whether all segments are straight lines between the keys.
fn is_straight(data: &TrackData) -> bool {
    let segments = 0..data.len().saturating_sub(1);
    let mut interpolations = segments.map(|key| data.interpolation(key));
    interpolations.all(|each| each == Interpolation::Linear) && plays(data)
}

/// Says whether more than the first key ever shows: uniform keys need a positive interval.
fn plays(data: &TrackData) -> bool {
    match data.shape() {
        Shape::Uniform { interval } => interval.is_finite() && *interval > 0.0,
        _ => true,
    }
}

/// Returns the frames from 0 on that enclose all keys; `None` without keys, or where the last
/// one is beyond the last frame.
pub fn enclosing_frames(data: &TrackData, rate: f64) -> Option<RangeInclusive<u32>> {
    let start = data.time(0)?.max(0.0);
    let end = if plays(data) { data.end()? } else { start };
    let first = num::frame_from_f64(snapped(start, rate, f64::floor))?;
    let last = num::frame_from_f64(snapped(end.max(0.0), rate, f64::ceil))?;
    Some(first..=last)
}

/// Returns a time in frames: the nearest one if the time is on it, else what `round` gives.
fn snapped(time: f64, rate: f64, round: fn(f64) -> f64) -> f64 {
    let frame = time * rate;
    if num::is_on_frame(time, rate) { frame.round() } else { round(frame) }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Float(number) => Some(f64::from(*number)),
        Value::Double(number) => Some(*number),
        _ => None,
    }
}

/// Returns the largest distance between what `sample` gives and what lines between the vectors
/// give, half-way between the times.
fn worst_between(times: &[f64], vectors: &[[f64; 3]], sample: impl Fn(f64) -> [f64; 3]) -> f64 {
    let spans = times.windows(2).zip(vectors.windows(2));
    let errors = spans.filter_map(|(times, vectors)| {
        let ([from, to], [before, after]) = (times, vectors) else { return None };
        let exact = sample(f64::midpoint(*from, *to));
        let mut line = *before;
        for (component, end) in line.iter_mut().zip(after) {
            *component = f64::midpoint(*component, *end);
        }
        Some(crate::value_error(&Value::Double3(exact), &Value::Double3(line)))
    });
    errors.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EulerOrder, Limits, Quat};

    fn lower(tracks: Vec<Track>) -> (Vec<Track>, Vec<&'static str>) {
        let limits = Limits::default();
        let (mut budget, mut findings) = (Budget::new(&limits, 0), Findings::new(&limits));
        let mut lowering = Lowering {
            grid: Grid::Frames(30.0),
            evaluator: Evaluator::Linear,
            budget: &mut budget,
        };
        let tracks = lowering.lower(tracks, &mut findings).unwrap();
        let codes = findings.into_vec().iter().map(|finding| finding.code.id()).collect();
        (tracks, codes)
    }

    fn curve(times: Vec<f64>, values: impl Into<Values>, each: Interpolation) -> TrackData {
        TrackData::curve(times, values, Interpolations::Shared(each), None).unwrap()
    }

    fn component(axis: Axis, data: TrackData) -> Track {
        let target = Target { component: Some(axis), ..Target::new("a", Property::Scale) };
        Track::new(target, data).unwrap()
    }

    #[test]
    fn straight_components_meet_at_the_times_of_all_keys() {
        let x = curve(vec![0.0, 2.0], vec![0.0_f32, 4.0], Interpolation::Linear);
        let z = curve(vec![1.0], vec![7.0_f32], Interpolation::Linear);
        let (tracks, codes) = lower(vec![component(Axis::X, x), component(Axis::Z, z)]);
        assert_eq!(codes, ["convert/components-joined"]);
        let data = tracks[0].data();
        assert_eq!(
            *data.values(),
            vec![[0.0_f32, 1.0, 7.0], [2.0, 1.0, 7.0], [4.0, 1.0, 7.0]].into()
        );
        assert_eq!((tracks.len(), data.time(1)), (1, Some(1.0)));
    }

    #[test]
    fn curved_components_get_a_key_a_frame() {
        let x = curve(vec![0.0, 0.1], vec![0.0_f32, 4.0], Interpolation::Hold);
        let (tracks, _) = lower(vec![component(Axis::X, x)]);
        let data = tracks[0].data();
        assert_eq!(data.len(), 4);
        assert_eq!(data.value(2), Some(Value::Float3([0.0, 1.0, 1.0])));
        assert_eq!(data.value(3), Some(Value::Float3([4.0, 1.0, 1.0])));
    }

    #[test]
    fn a_second_track_of_a_component_makes_a_track_of_its_own() {
        let track = || component(Axis::Y, curve(vec![0.0], vec![2.0_f64], Interpolation::Linear));
        let (tracks, _) = lower(vec![track(), track()]);
        assert_eq!(tracks.len(), 2);
        assert_eq!(tracks[1].data().value(0), Some(Value::Double3([1.0, 2.0, 1.0])));
    }

    #[test]
    fn angles_become_quaternions_and_empty_angles_stay_empty() {
        let property = Property::RotationEuler(EulerOrder::X4);
        let turn =
            curve(vec![0.0, 1.0], vec![[0.0_f32; 3], [0.0, 6.0, 0.0]], Interpolation::Linear);
        let euler = |data| Track::new(Target::new("a", property.clone()), data).unwrap();
        let (tracks, codes) = lower(vec![euler(turn), euler(TrackData::empty(ValueKind::Double3))]);
        assert_eq!(codes, ["convert/euler-baked"]);
        assert_eq!(tracks[0].target().property, Property::Rotation);
        assert_eq!(tracks[0].data().len(), 31);
        let identity = Quat { x: 0.0, y: 0.0, z: 0.0, w: 1.0 };
        assert_eq!(tracks[0].data().value(0), Some(Value::FloatQ(identity)));
        assert_eq!(tracks[1].data().kind(), ValueKind::DoubleQ);
    }

    #[test]
    fn whole_vectors_pass_untouched() {
        let data = curve(vec![0.0], vec![[1.0_f32; 3]], Interpolation::Bezier);
        let track = Track::new(Target::new("a", Property::Scale), data).unwrap();
        assert_eq!(lower(vec![track.clone()]), (vec![track], vec![]));
    }
}
