//! Joining tracks of one component each into tracks of vectors.

use std::collections::HashMap;

use super::{Grid, Lowering, enclosing_frames, is_straight};
use crate::bake::PROBES;
use crate::{
    Axis, BakeError, Cursor, Finding, Findings, Interpolation, Interpolations, Path, Property,
    Rules, Shape, Target, Track, TrackData, Value, ValueKind, bake_to_bound, codes, num,
    value_error,
};

impl Lowering<'_> {
    /// Joins the components of each property of each node; keeps the number of the first track.
    pub(super) fn join(
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
    /// one; on frames alone where the grid is of frames and one of the tracks is not straight.
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
        let missing = property.component_at_rest();
        let exact = Vectors { parts, missing, rules: self.rules };
        let (times, vectors) = self.keys(&exact)?;
        let linear = Interpolations::Shared(Interpolation::Linear);
        // The times are finite and sorted, and there is a value for each.
        let joined = TrackData::curve(times.clone(), vectors.clone(), linear.clone(), None)
            .map_err(|_| self.grid.unusable())?;
        let message = format!(
            "{} tracks of {} keys became {} keys, off by at most {:.3e}",
            parts.iter().flatten().count(),
            parts.iter().flatten().map(TrackData::len).max().unwrap_or(0),
            joined.len(),
            exact.largest_error(&joined)
        );
        findings.push(Finding::new(codes::COMPONENTS_JOINED, message).at(path.clone()));
        if parts.iter().flatten().any(|part| part.kind() == ValueKind::Double) {
            return Ok(joined);
        }
        let narrow = |vector: &[f64; 3]| vector.map(num::f32_from_f64);
        let vectors: Vec<[f32; 3]> = vectors.iter().map(narrow).collect();
        TrackData::curve(times, vectors, linear, None).map_err(|_| self.grid.unusable())
    }

    /// Returns the times of the keys to make, and their vectors.
    fn keys(&mut self, exact: &Vectors<'_>) -> Result<(Vec<f64>, Vec<[f64; 3]>), BakeError> {
        let keys = match self.grid {
            Grid::Frames(rate) => {
                let frames = self.frames(rate, exact.parts)?;
                let times = frames.unwrap_or_else(|| exact.key_times());
                times.into_iter().map(|time| (time, exact.at(time))).collect()
            }
            Grid::Bound(bound) => {
                let parts = &self.straightened(exact.parts, bound)?;
                let straight = Vectors { parts, ..*exact };
                let keys = straight.key_times().into_iter().flat_map(|time| {
                    let (before, at) = (straight.before(time), exact.at(time));
                    let arrival = before.map(|before| (time, before));
                    arrival.into_iter().chain([(time, at)])
                });
                keys.collect::<Vec<_>>()
            }
        };
        Ok(keys.into_iter().unzip())
    }

    /// Returns the parts with straight segments alone.
    fn straightened(
        &mut self,
        parts: &[Option<TrackData>; 3],
        bound: f64,
    ) -> Result<[Option<TrackData>; 3], BakeError> {
        let mut straight = parts.clone();
        for part in straight.iter_mut().flatten().filter(|part| !is_straight(part)) {
            *part = bake_to_bound(part, bound, self.rules, self.budget)?.data;
        }
        Ok(straight)
    }

    /// Returns the times of the frames that enclose all keys where a part is not straight.
    ///
    /// Keys that are on a frame but for rounding are then no keys of their own.
    fn frames(
        &mut self,
        rate: f64,
        parts: &[Option<TrackData>; 3],
    ) -> Result<Option<Vec<f64>>, BakeError> {
        if parts.iter().flatten().all(is_straight) {
            return Ok(None);
        }
        let range = parts.iter().flatten().filter_map(|part| enclosing_frames(part, rate));
        let range = range.reduce(|a, b| *a.start().min(b.start())..=*a.end().max(b.end()));
        let Some(range) = range else { return Ok(None) };
        let frames = u64::from(range.end().saturating_sub(*range.start())).saturating_add(1);
        let bytes = frames.saturating_mul(32);
        let left = self.budget.bytes_left();
        let charged = self.budget.charge_bytes(num::len_from_u64(bytes));
        charged.map_err(|_| BakeError::Limit { frames, bytes, left })?;
        Ok(Some(range.map(|frame| f64::from(frame) / rate).collect()))
    }
}

/// The vectors that up to three tracks of numbers make.
#[derive(Clone, Copy, Debug)]
struct Vectors<'a> {
    parts: &'a [Option<TrackData>; 3],
    /// What stands where there is no track.
    missing: f64,
    rules: Rules,
}

impl Vectors<'_> {
    /// Returns the finite times of all keys, each once, in order.
    fn key_times(&self) -> Vec<f64> {
        let times = self.parts.iter().flatten().flat_map(|part| {
            (0..part.len()).filter_map(|key| part.time(key)).filter(|time| time.is_finite())
        });
        let mut times: Vec<f64> = times.collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    fn at(&self, time: f64) -> [f64; 3] {
        self.parts.each_ref().map(|part| {
            let value = part.as_ref().and_then(|part| self.rules.sample(part, time));
            value.as_ref().and_then(Value::number).unwrap_or(self.missing)
        })
    }

    /// Returns the vector just before the keys at a time where a part jumps there.
    fn before(&self, time: f64) -> Option<[f64; 3]> {
        let arrivals = self.parts.each_ref().map(|part| arrival(part.as_ref()?, time));
        let jumps = arrivals.iter().any(Option::is_some);
        jumps.then(|| {
            let mut vector = self.at(time);
            for (component, arrival) in vector.iter_mut().zip(&arrivals) {
                *component = arrival.as_ref().and_then(Value::number).unwrap_or(*component);
            }
            vector
        })
    }

    /// Returns the largest distance from what straight lines between keys show: at and just before
    /// all keys, and at four times between two of those that were made.
    fn largest_error(&self, joined: &TrackData) -> f64 {
        let times: Vec<f64> = (0..joined.len()).filter_map(|key| joined.time(key)).collect();
        let spans = times.iter().zip(times.iter().skip(1)).filter(|(from, to)| from < to);
        let probes = spans.flat_map(|(from, to)| PROBES.map(|part| from + (to - from) * part));
        let mut cursor = Cursor::default();
        let mut line = |time| Rules::LINEAR.sample_from(joined, &mut cursor, time);
        let distance = |exact, shown: Option<Value>| {
            shown.map_or(0.0, |shown| value_error(&Value::Double3(exact), &shown))
        };
        let between = probes.map(|time| distance(self.at(time), line(time))).fold(0.0, f64::max);
        let first = times.first().copied().unwrap_or(f64::INFINITY);
        let keys = self.key_times().into_iter().filter(|time| *time >= first);
        let at_keys = keys.map(|time| {
            let shown = line(time);
            let before = self
                .before(time)
                .map(|before| distance(before, arrival(joined, time).or_else(|| shown.clone())));
            distance(self.at(time), shown).max(before.unwrap_or(0.0))
        });
        at_keys.fold(between, f64::max)
    }
}

/// Returns what a track shows just before the keys at a time, where it jumps there.
fn arrival(part: &TrackData, time: f64) -> Option<Value> {
    let (Shape::Stepped { times } | Shape::Curve { times, .. }) = part.shape() else { return None };
    let key = times.partition_point(|&key| key < time);
    let comes = |key: usize| times.get(key) == Some(&time);
    if !comes(key) {
        return None;
    }
    match key.checked_sub(1) {
        Some(before) if part.interpolation(before) == Interpolation::Hold => part.value(before),
        _ => part.value(key).filter(|_| comes(key.saturating_add(1))),
    }
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
            Self::Parts(_, parts) => parts.get_mut(axis.index()).filter(|slot| slot.is_none()),
            Self::Whole(_) => None,
        }
    }
}
