//! Converts tracks to the keys of a group.

use core::ops::Range;

use inbetween_core::{
    Axis, Finding, Findings, Handle, Interpolation, Interpolations, Narrowing, Path, Shape,
    Tangents, TrackData, Values, WriteError, codes as shared, counted, memory, narrow_times, num,
};

use crate::read::ID;
use crate::{ControlPoints, KeyType, X4aniKey, codes};

/// Converts a track of vectors to keys, and reports the changes.
pub(super) fn of_vectors(
    data: &TrackData,
    path: &Path,
    findings: &mut Findings,
) -> Result<Vec<X4aniKey>, WriteError> {
    ensure_memory(data.len(), path)?;
    let curve = Curve::new(data, 3, path, findings)?;
    let merged = || merge(&curve.times, [(&curve, 0), (&curve, 1), (&curve, 2)]);
    Ok(curve.plain_keys().unwrap_or_else(merged))
}

/// Converts three tracks of numbers with the same times to keys, and reports the changes.
pub(super) fn of_numbers(
    axes: [&TrackData; 3],
    path: &Path,
    findings: &mut Findings,
) -> Result<Vec<X4aniKey>, WriteError> {
    let [x, y, z] = axes;
    ensure_memory(x.len(), path)?;
    let x = Curve::new(x, 1, path, findings)?;
    let y = Curve::new(y, 1, path, findings)?;
    let z = Curve::new(z, 1, path, findings)?;
    let keys = merge(&x.times, [(&x, 0), (&y, 0), (&z, 0)]);
    let joined = keys.iter().all(|key| {
        let [x, y, z] = key.types;
        x == y && y == z
    });
    if joined {
        let message =
            format!("3 tracks of {} with the same interpolation", counted(keys.len(), "key"));
        findings.push(Finding::new(shared::COMPONENTS_JOINED, message).at(path.clone()));
    }
    Ok(keys)
}

/// Returns whether three tracks have their keys at the same times, so that no key must be added.
pub(super) fn share_times(axes: [&TrackData; 3]) -> bool {
    let [x, y, z] = axes;
    let same = |other: &TrackData| {
        x.len() == other.len() && (0..x.len()).all(|key| x.time(key) == other.time(key))
    };
    axes.into_iter().all(TrackData::plays) && same(y) && same(z)
}

/// Returns the sorted times of the keys of all tracks. A time occurs as often as in the track with
/// the most keys at this time.
pub(super) fn times_of_all(tracks: &[TrackData]) -> Vec<f64> {
    let mut times: Vec<(f64, usize)> = Vec::new();
    for track in tracks {
        let mut last = None;
        let own = track.times();
        times.extend(own.filter(|time| time.is_finite()).map(|time| {
            let before = last.filter(|(other, _): &(f64, usize)| *other == time);
            let nth = before.map_or(0_usize, |(_, nth)| nth.saturating_add(1));
            last = Some((time, nth));
            (time, nth)
        }));
    }
    times.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    times.dedup();
    times.into_iter().map(|(time, _)| time).collect()
}

fn merge(times: &[f32], axes: [(&Curve<'_>, usize); 3]) -> Vec<X4aniKey> {
    let key = |&time: &f32| X4aniKey { time, ..X4aniKey::default() };
    let mut keys: Vec<X4aniKey> = times.iter().map(key).collect();
    for (axis, (curve, component)) in Axis::ALL.into_iter().zip(axes) {
        curve.fill(&mut keys, axis.index(), component);
    }
    keys
}

/// Fails if the system does not have memory for this many keys.
fn ensure_memory(keys: usize, path: &Path) -> Result<(), WriteError> {
    let room = memory::ensure(keys.saturating_mul(size_of::<X4aniKey>()));
    room.map_err(|error| WriteError::new(ID, error.into()).at_path(path.clone()))
}

/// A track during its conversion to keys.
struct Curve<'d> {
    data: &'d TrackData,
    times: Vec<f32>,
    components: usize,
}

impl<'d> Curve<'d> {
    fn new(
        data: &'d TrackData,
        components: usize,
        path: &Path,
        findings: &mut Findings,
    ) -> Result<Self, WriteError> {
        let mut curve = Self { data, times: Vec::new(), components };
        curve.times = curve.times(path, findings)?;
        curve.report_shape(path, findings);
        curve.report_tangents(path, findings);
        curve.report_kind(path, findings);
        Ok(curve)
    }

    fn times(&self, path: &Path, findings: &mut Findings) -> Result<Vec<f32>, WriteError> {
        if !self.data.plays() {
            return Ok(vec![0.0; self.data.len().min(1)]);
        }
        narrow_times(self.data.times(), ID, path, findings)
    }

    /// Returns the interpolation of a segment; curves without tangents are linear.
    fn interpolation(&self, key: usize) -> Interpolation {
        match (self.data.interpolation(key), self.data.tangents()) {
            (Interpolation::Hermite, Some(Tangents::Handles { .. }))
            | (Interpolation::Hermite | Interpolation::Bezier, None) => Interpolation::Linear,
            (interpolation, _) => interpolation,
        }
    }

    /// Returns the keys whose interpolations may differ: the first one if it stands for all.
    fn distinct(&self) -> Range<usize> {
        let keys = self.data.len();
        match self.data.shape() {
            Shape::Curve { interpolation: Interpolations::PerKey(_), .. } => 0..keys,
            _ => 0..keys.min(1),
        }
    }

    fn key_type(&self, key: usize) -> KeyType {
        match self.interpolation(key) {
            Interpolation::Hold => KeyType::STEP,
            Interpolation::Linear => KeyType::LINEAR,
            _ => KeyType::BEZIER,
        }
    }

    /// Returns the keys of `f32` vectors that share their interpolation and have no tangents. One
    /// pass writes whole keys, where [`merge`] passes over them seven times.
    fn plain_keys(&self) -> Option<Vec<X4aniKey>> {
        let vectors = self.data.values().as_slice::<[f32; 3]>()?;
        if self.distinct().len() > 1 || self.data.tangents().is_some() {
            return None;
        }
        let key_type = self.key_type(0);
        let keys = self.times.iter().zip(vectors);
        Some(keys.map(|(time, vector)| X4aniKey::new(*time, *vector, key_type)).collect())
    }

    /// Fills an axis of keys from a component of the track, one column at a time.
    fn fill(&self, keys: &mut [X4aniKey], axis: usize, component: usize) {
        let values = keys.iter_mut().filter_map(|key| key.value.get_mut(axis));
        let part = |vector: &[f32; 3]| vector.get(component).copied().unwrap_or_default();
        match self.data.values() {
            Values::Float(numbers) => put(values, numbers.iter().copied()),
            Values::Float3(vectors) => put(values, vectors.iter().map(part)),
            _ => put(values, (0..self.data.len()).map(|key| self.value(key, component))),
        }
        let types = keys.iter_mut().filter_map(|key| key.types.get_mut(axis));
        if self.distinct().len() > 1 {
            put(types, (0..self.data.len()).map(|key| self.key_type(key)));
        } else {
            put(types, core::iter::repeat(self.key_type(0)));
        }
        if self.data.tangents().is_some() {
            let points = keys.iter_mut().filter_map(|key| key.control_points.get_mut(axis));
            put(points, (0..self.data.len()).map(|key| self.points(key, component)));
        }
    }

    fn value(&self, key: usize, component: usize) -> f32 {
        single(self.data.values(), key, component)
    }

    fn points(&self, key: usize, component: usize) -> ControlPoints {
        match self.data.tangents() {
            Some(Tangents::Handles { left, right }) => {
                let at = key.saturating_mul(self.components).saturating_add(component);
                let number = |side: &[Handle]| {
                    let handle = side.get(at).copied().unwrap_or_default();
                    [handle.time, handle.value].map(num::finite_f32_from_f64)
                };
                let ([out_time, out_value], [in_time, in_value]) = (number(right), number(left));
                ControlPoints { out_time, out_value, in_time, in_value }
            }
            Some(Tangents::Values { left, right }) => self.handles(key, component, left, right),
            _ => ControlPoints::default(),
        }
    }

    /// Returns the control points of the curve that value tangents define, at thirds of the
    /// segments to the next and the previous key.
    fn handles(
        &self,
        key: usize,
        component: usize,
        left: &Values,
        right: &Values,
    ) -> ControlPoints {
        let before = key.checked_sub(1).filter(|&before| self.is_curved(before));
        if before.is_none() && !self.is_curved(key) {
            return ControlPoints::default();
        }
        let (time, value) = (self.time(key), self.value(key, component));
        let mut points =
            ControlPoints { out_time: time, out_value: value, in_time: time, in_value: value };
        let next = key.saturating_add(1);
        if self.is_curved(key) && next < self.times.len() {
            let tangent = single(right, key, component);
            points.out_time = time + (self.time(next) - time) / 3.0;
            points.out_value = match self.interpolation(key) {
                Interpolation::Hermite => value + tangent / 3.0,
                _ => tangent,
            };
        }
        if let Some(before) = before {
            let tangent = single(left, key, component);
            points.in_time = time - (time - self.time(before)) / 3.0;
            points.in_value = match self.interpolation(before) {
                Interpolation::Hermite => value - tangent / 3.0,
                _ => tangent,
            };
        }
        points
    }

    fn is_curved(&self, key: usize) -> bool {
        self.interpolation(key).needs_tangents()
    }

    fn time(&self, key: usize) -> f32 {
        self.times.get(key).copied().unwrap_or_default()
    }

    fn report_shape(&self, path: &Path, findings: &mut Findings) {
        let mut say = |code, message| findings.push(Finding::new(code, message).at(path.clone()));
        let (keys, name) = (self.data.len(), self.data.shape().name());
        if keys > self.times.len() {
            say(
                shared::CURVE_BAKED,
                format!("{} without an interval became 1", counted(keys, "key")),
            );
        } else if !matches!(self.data.shape(), Shape::Curve { .. }) {
            say(shared::SHAPE_CHANGED, format!("{name} keys became a curve"));
        } else if self.distinct().any(|key| self.interpolation(key) != self.data.interpolation(key))
        {
            say(shared::SHAPE_CHANGED, "a curve without tangents became linear".into());
        }
    }

    fn report_tangents(&self, path: &Path, findings: &mut Findings) {
        let mut say = |code, message: &str| {
            findings.push(Finding::new(code, message.to_owned()).at(path.clone()));
        };
        let curved = self.distinct().any(|key| self.is_curved(key));
        match self.data.tangents() {
            Some(Tangents::Handles { left, right }) => {
                let handles = || left.iter().chain(right);
                let mut numbers = handles().flat_map(|each| [each.time, each.value]);
                let set = numbers.any(|number| num::f32_from_f64(number).to_bits() != 0);
                if !set && !curved {
                    say(shared::TANGENTS_DROPPED, "unused handles of 0");
                    return;
                }
                let mut narrowing = Narrowing::default();
                for handle in handles() {
                    narrowing.number(handle.value);
                }
                // Rounding a time to `f32` is not a loss unless the time is out of range.
                let beyond = |time: f64| time.is_finite() && num::f32_from_f64(time).is_infinite();
                if let Some(finding) = narrowing.finding("values of handles", path) {
                    findings.push(finding);
                } else if handles().any(|handle| beyond(handle.time)) {
                    say(shared::VALUES_NARROWED, "times of handles");
                }
            }
            Some(Tangents::Values { left, right }) => {
                if curved {
                    say(codes::TANGENTS_AS_HANDLES, "they are values");
                }
                if !curved || self.has_unused(left, right) {
                    say(shared::TANGENTS_DROPPED, "of segments that are not curved");
                }
            }
            _ => {}
        }
    }

    /// Returns whether a tangent that no segment uses is not 0.
    fn has_unused(&self, left: &Values, right: &Values) -> bool {
        let set = |side: &Values, key: usize| {
            (0..self.components).any(|component| single(side, key, component) != 0.0)
        };
        let last = self.times.len().saturating_sub(1);
        (0..self.times.len()).any(|key| {
            let goes_out = self.is_curved(key) && key < last;
            let comes_in = key.checked_sub(1).is_some_and(|before| self.is_curved(before));
            (!goes_out && set(right, key)) || (!comes_in && set(left, key))
        })
    }

    fn report_kind(&self, path: &Path, findings: &mut Findings) {
        let numbers: &[f64] = match self.data.values() {
            Values::Double(numbers) => numbers,
            Values::Double3(vectors) => vectors.as_flattened(),
            _ => return,
        };
        let mut narrowing = Narrowing::default();
        for number in numbers {
            narrowing.number(*number);
        }
        let kind = self.data.kind();
        let finding = narrowing.finding(format_args!("numbers of {kind} values"), path);
        findings.push(finding.unwrap_or_else(|| {
            let message = format!("{kind} values became f32, and did not change");
            Finding::new(shared::KIND_CHANGED, message).at(path.clone())
        }));
    }
}

fn put<'k, T: 'k>(slots: impl Iterator<Item = &'k mut T>, values: impl Iterator<Item = T>) {
    slots.zip(values).for_each(|(slot, value)| *slot = value);
}

/// Returns a component of a value as `f32`.
fn single(values: &Values, key: usize, component: usize) -> f32 {
    let number = match values {
        Values::Float(numbers) => numbers.get(key).copied(),
        Values::Double(numbers) => numbers.get(key).copied().map(num::finite_f32_from_f64),
        Values::Float3(vectors) => vectors.get(key).and_then(|each| each.get(component).copied()),
        Values::Double3(vectors) => {
            let number = vectors.get(key).and_then(|each| each.get(component).copied());
            number.map(num::finite_f32_from_f64)
        }
        _ => None,
    };
    number.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use inbetween_core::Limits;

    use super::*;

    #[test]
    fn keys_made_in_one_pass_equal_those_merged_by_axis() {
        let (times, values) = (vec![0.0, 0.5, 2.0], vec![[1.0_f32, -0.0, 2.0], [3.0; 3], [4.0; 3]]);
        let curve = |interpolations| {
            TrackData::curve(times.clone(), values.clone(), interpolations, None).unwrap()
        };
        let held = Interpolations::PerKey(vec![Interpolation::Hold; 3]);
        let tracks = [
            (curve(Interpolations::Shared(Interpolation::Linear)), true),
            (curve(Interpolations::Shared(Interpolation::Hermite)), true),
            (TrackData::stepped(times.clone(), values.clone()).unwrap(), true),
            (TrackData::uniform(0.25, values.clone()), true),
            (TrackData::uniform(0.0, values.clone()), true),
            (TrackData::empty(inbetween_core::ValueKind::Float3), true),
            (curve(held), false),
        ];
        for (data, plain) in tracks {
            let mut findings = Findings::new(&Limits::default());
            let curve = Curve::new(&data, 3, &Path::field("track"), &mut findings).unwrap();
            let merged = merge(&curve.times, [(&curve, 0), (&curve, 1), (&curve, 2)]);
            assert_eq!(curve.plain_keys(), plain.then_some(merged), "{data:?}");
        }
    }
}
