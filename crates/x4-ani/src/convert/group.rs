//! The keys of a group, which are encoded from the columns of tracks.

use core::ops::Range;
use std::borrow::Cow;

use inbetween_core::wire::interleave;
use inbetween_core::{
    Context, Handle, Interpolation, Interpolations, Narrowing, Record, Shape, Tangents, TrackData,
    Values, WriteError, codes as shared, counted, num, report_narrowed_times,
};

use super::keys::{shows_handle, starts_at_two_pi};
use crate::evaluate::counts_as_zero;
use crate::{ControlPoints, Group, KeyType, X4aniKey, codes};

/// The keys of a group, as the tracks that they are encoded from.
pub(super) enum GroupKeys {
    /// A track of vectors.
    Vectors(TrackData),
    /// A track of numbers for each axis, all with the same times.
    Numbers(Box<[TrackData; 3]>),
}

impl GroupKeys {
    /// Creates the keys of a track of vectors, and reports how the file changes them.
    pub(super) fn of_vectors(
        data: TrackData,
        context: &mut Context<'_>,
    ) -> Result<Self, WriteError> {
        Curve::new(&data, 3, 0).report(context)?;
        if data.plays() || data.is_empty() {
            return Ok(Self::Vectors(data));
        }
        // Only the first key ever plays, at 0.
        Ok(Self::Vectors(TrackData::uniform(1.0, data.values().gather(&[0]))))
    }

    /// Creates the keys of a track of vectors that was made for the format, and reports rounding.
    pub(super) fn of_baked(data: TrackData, context: &mut Context<'_>) -> Result<Self, WriteError> {
        report_narrowed_times(data.times(), &mut context.findings)?;
        Curve::new(&data, 3, 0).report_kind(context);
        Ok(Self::Vectors(data))
    }

    /// Creates the keys of three tracks of numbers with the same times, which were reported.
    pub(super) fn of_numbers(axes: [TrackData; 3], context: &mut Context<'_>) -> Self {
        let keys = Self::Numbers(Box::new(axes));
        let curves = keys.curves();
        let joined = (0..keys.len()).all(|key| {
            let [x, y, z] = curves.map(|curve| curve.key_type(key));
            x == y && y == z
        });
        if joined {
            let message =
                format!("3 tracks of {} with the same interpolation", counted(keys.len(), "key"));
            context.say(shared::COMPONENTS_JOINED, message);
        }
        keys
    }

    /// Returns the number of keys.
    pub(super) fn len(&self) -> usize {
        let [first, ..] = self.curves();
        first.data.len()
    }

    /// Returns whether X4 shows the CP1 value of the last key, and it differs from the key's value.
    pub(super) fn shows_handle(&self) -> bool {
        let curved = |key| self.curves().iter().any(|curve| curve.key_type(key) == KeyType::BEZIER);
        let last = self.len().checked_sub(1).filter(|last| curved(*last));
        last.is_some_and(|last| shows_handle(&self.key(last)))
    }

    /// Returns whether X4 treats an angle of 2 pi as 0 in any segment of the group.
    pub(super) fn starts_at_two_pi(&self, group: Group) -> bool {
        if group != Group::Rotation {
            return false;
        }
        if let Some(Plain { vectors, key_type, .. }) = self.plain() {
            let (from, to) = (vectors.as_flattened(), vectors.get(1..).unwrap_or_default());
            let angles = from.iter().zip(to.as_flattened());
            let counts = |(from, to): &(&f32, &f32)| counts_as_zero(group, **from, **to);
            // Counting all of them is faster than stopping at the first.
            return key_type == KeyType::LINEAR && angles.filter(counts).count() > 0;
        }
        let mut before = None;
        (0..self.len()).map(|key| self.key(key)).any(|key| {
            let from = before.replace(key);
            from.is_some_and(|from| starts_at_two_pi(group, &from, &key))
        })
    }

    /// Appends the encoded keys.
    pub(super) fn append(&self, out: &mut Vec<u8>) {
        if let Some(Plain { times, vectors, key_type }) = self.plain() {
            // Zeros as an array of their own go into the bytes directly. As fields of a key they would
            // be filled in and then copied.
            let types = [key_type.0; 3];
            let key = |time, vector| ((vector, (types, num::f32_from_f64(time))), [0_u32; 25]);
            interleave(&times, vectors, key, out);
        } else {
            (0..self.len()).for_each(|key| self.key(key).encode((), out));
        }
    }

    fn key(&self, key: usize) -> X4aniKey {
        let curves = self.curves();
        let [first, ..] = curves;
        X4aniKey {
            time: first.time(key),
            value: curves.map(|curve| curve.value(key)),
            types: curves.map(|curve| curve.key_type(key)),
            control_points: curves.map(|curve| curve.points(key)),
            ..X4aniKey::default()
        }
    }

    /// Returns the columns of keys that need no other one, as most do. They are encoded by a loop
    /// without branches.
    fn plain(&self) -> Option<Plain<'_>> {
        let [curve, ..] = self.curves();
        let vectors = curve.data.values().as_slice()?;
        if curve.distinct().len() > 1 || curve.data.tangents().is_some() {
            return None;
        }
        let times = match curve.data.shape() {
            Shape::Stepped { times } | Shape::Curve { times, .. } => times.into(),
            _ => curve.data.times().collect(),
        };
        Some(Plain { times, vectors, key_type: curve.key_type(0) })
    }

    /// Returns the curves of the axes.
    fn curves(&self) -> [Curve<'_>; 3] {
        match self {
            Self::Vectors(data) => [0, 1, 2].map(|component| Curve::new(data, 3, component)),
            Self::Numbers(axes) => axes.each_ref().map(|data| Curve::new(data, 1, 0)),
        }
    }
}

/// Keys of `f32` vectors that share their interpolation and have no tangents.
struct Plain<'d> {
    times: Cow<'d, [f64]>,
    vectors: &'d [[f32; 3]],
    key_type: KeyType,
}

/// Reports how the file changes the keys of a track of numbers.
pub(super) fn report_numbers(
    data: &TrackData,
    context: &mut Context<'_>,
) -> Result<(), WriteError> {
    Curve::new(data, 1, 0).report(context)
}

/// Returns whether three tracks have their keys at the same times, so that no key must be added.
pub(super) fn share_times(axes: [&TrackData; 3]) -> bool {
    let [x, y, z] = axes;
    let same = |other: &TrackData| {
        x.len() == other.len() && (0..x.len()).all(|key| x.time(key) == other.time(key))
    };
    axes.into_iter().all(TrackData::plays) && same(y) && same(z)
}

/// One axis of the keys: a component of a track.
#[derive(Clone, Copy)]
struct Curve<'d> {
    data: &'d TrackData,
    /// The number of components that each key of the track has.
    components: usize,
    component: usize,
}

impl<'d> Curve<'d> {
    const fn new(data: &'d TrackData, components: usize, component: usize) -> Self {
        Self { data, components, component }
    }

    /// Reports how the file changes the keys of the track, in all of its components.
    fn report(&self, context: &mut Context<'_>) -> Result<(), WriteError> {
        if self.data.plays() {
            report_narrowed_times(self.data.times(), &mut context.findings)?;
        }
        self.report_shape(context);
        self.report_tangents(context);
        self.report_kind(context);
        Ok(())
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

    fn value(&self, key: usize) -> f32 {
        single(self.data.values(), key, self.component)
    }

    fn points(&self, key: usize) -> ControlPoints {
        match self.data.tangents() {
            Some(Tangents::Handles { left, right }) => {
                let at = key.saturating_mul(self.components).saturating_add(self.component);
                let number = |side: &[Handle]| {
                    let handle = side.get(at).copied().unwrap_or_default();
                    [handle.time, handle.value].map(num::finite_f32_from_f64)
                };
                let ([out_time, out_value], [in_time, in_value]) = (number(right), number(left));
                ControlPoints { out_time, out_value, in_time, in_value }
            }
            Some(Tangents::Values { left, right }) => self.handles(key, left, right),
            _ => ControlPoints::default(),
        }
    }

    /// Returns the control points of the curve that value tangents define, at thirds of the
    /// segments to the next and the previous key.
    fn handles(&self, key: usize, left: &Values, right: &Values) -> ControlPoints {
        let before = key.checked_sub(1).filter(|&before| self.is_curved(before));
        if before.is_none() && !self.is_curved(key) {
            return ControlPoints::default();
        }
        let (time, value) = (self.time(key), self.value(key));
        let mut points =
            ControlPoints { out_time: time, out_value: value, in_time: time, in_value: value };
        let next = key.saturating_add(1);
        if self.is_curved(key) && next < self.data.len() {
            let tangent = single(right, key, self.component);
            points.out_time = time + (self.time(next) - time) / 3.0;
            points.out_value = match self.interpolation(key) {
                Interpolation::Hermite => value + tangent / 3.0,
                _ => tangent,
            };
        }
        if let Some(before) = before {
            let tangent = single(left, key, self.component);
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
        self.data.time(key).map(num::f32_from_f64).unwrap_or_default()
    }

    fn report_shape(&self, context: &mut Context<'_>) {
        let (keys, name) = (self.data.len(), self.data.shape().name());
        if keys > 1 && !self.data.plays() {
            let message = format!("{} without an interval became 1", counted(keys, "key"));
            context.say(shared::CURVE_BAKED, message);
        } else if !matches!(self.data.shape(), Shape::Curve { .. }) {
            context.say(shared::SHAPE_CHANGED, format!("{name} keys became a curve"));
        } else if self.distinct().any(|key| self.interpolation(key) != self.data.interpolation(key))
        {
            context.say(shared::SHAPE_CHANGED, "a curve without tangents became linear");
        }
    }

    fn report_tangents(&self, context: &mut Context<'_>) {
        let curved = self.distinct().any(|key| self.is_curved(key));
        match self.data.tangents() {
            Some(Tangents::Handles { left, right }) => {
                let handles = || left.iter().chain(right);
                let mut numbers = handles().flat_map(|each| [each.time, each.value]);
                let set = numbers.any(|number| num::f32_from_f64(number).to_bits() != 0);
                if !set && !curved {
                    context.say(shared::TANGENTS_DROPPED, "unused handles of 0");
                    return;
                }
                let mut narrowing = Narrowing::default();
                for handle in handles() {
                    narrowing.number(handle.value);
                }
                // Rounding a time to `f32` is not a loss unless the time is out of range.
                let beyond = |time: f64| time.is_finite() && num::f32_from_f64(time).is_infinite();
                if narrowing.changes() {
                    context.findings.extend(narrowing.findings("values of handles"));
                } else if handles().any(|handle| beyond(handle.time)) {
                    context.say(shared::VALUE_UNDEFINED, "times of handles, which f32 cannot hold");
                }
            }
            Some(Tangents::Values { left, right }) => {
                if curved {
                    context.say(codes::TANGENTS_AS_HANDLES, "they are values");
                }
                if !curved || self.has_unused(left, right) {
                    context.say(shared::TANGENTS_DROPPED, "of segments that are not curved");
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
        let last = self.data.len().saturating_sub(1);
        (0..self.data.len()).any(|key| {
            let goes_out = self.is_curved(key) && key < last;
            let comes_in = key.checked_sub(1).is_some_and(|before| self.is_curved(before));
            (!goes_out && set(right, key)) || (!comes_in && set(left, key))
        })
    }

    fn report_kind(&self, context: &mut Context<'_>) {
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
        if narrowing.changes() {
            context.findings.extend(narrowing.findings(format_args!("numbers of {kind} values")));
        } else {
            context.say(shared::KIND_NARROWED, format!("{kind} values"));
        }
    }
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
    use inbetween_core::{Budget, Limits, ValueKind, wire};

    use super::*;

    #[test]
    fn keys_encoded_from_columns_equal_those_created_one_by_one() {
        let turn = core::f32::consts::TAU;
        let times = vec![0.0, 0.5, 2.0];
        let values = vec![[1.0, -0.0, turn], [3.0, 2.0, turn], [4.0; 3]];
        let curve = |interpolations| {
            TrackData::curve(times.clone(), values.clone(), interpolations, None).unwrap()
        };
        let tracks = [
            (curve(Interpolations::Shared(Interpolation::Linear)), true),
            (curve(Interpolations::Shared(Interpolation::Hermite)), true),
            (TrackData::stepped(times.clone(), values.clone()).unwrap(), true),
            (TrackData::uniform(0.25, values.clone()), true),
            (TrackData::uniform(0.0, values.clone()), true),
            (TrackData::uniform(f64::NAN, vec![[1.0_f32; 3]]), true),
            (TrackData::empty(ValueKind::Float3), true),
            (curve(Interpolations::PerKey(vec![Interpolation::Hold; 3])), false),
            (curve(Interpolations::PerKey(vec![Interpolation::Linear; 3])), false),
        ];
        for (data, plain) in tracks {
            let mut budget = Budget::new(&Limits::default(), 0);
            let keys = GroupKeys::of_vectors(data, &mut Context::new(&mut budget)).unwrap();
            assert_eq!(keys.plain().is_some(), plain);
            let each: Vec<X4aniKey> = (0..keys.len()).map(|key| keys.key(key)).collect();
            let (mut bytes, mut expected) = (Vec::new(), Vec::new());
            keys.append(&mut bytes);
            wire::append(&each, &mut expected);
            assert_eq!(bytes, expected);
            let starts = |keys: &[X4aniKey]| starts_at_two_pi(Group::Rotation, &keys[0], &keys[1]);
            assert_eq!(keys.starts_at_two_pi(Group::Rotation), each.windows(2).any(starts));
        }
    }
}
