//! The keys of a track: times, interpolation and values.

use crate::rows::is_float_vector;
use crate::{KeysError, Value, ValueKind, Values};

/// How the values change from a key to the next one.
///
/// The interpolation of a key applies to the segment that begins at it. Engines differ in how they
/// evaluate curves, so the formulas belong to [`Rules`](crate::Rules).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interpolation {
    /// The value stays until the next key.
    #[default]
    Hold,
    /// Linear from key to key; quaternions on the shorter arc.
    Linear,
    /// A Hermite curve through the keys, from the tangents of both.
    Hermite,
    /// A cubic Bezier curve, from the control points of both keys.
    Bezier,
}

impl Interpolation {
    /// Returns whether the segment needs the tangents of its two keys.
    pub const fn needs_tangents(self) -> bool {
        matches!(self, Self::Hermite | Self::Bezier)
    }

    /// Returns whether tangents shape the segment between two values of a kind.
    ///
    /// Hermite curves exist for numbers and vectors of `float` and `double`, Bezier curves also for
    /// quaternions, matrices and colors. Other values are linear or hold.
    pub const fn uses_tangents(self, kind: ValueKind) -> bool {
        match self {
            Self::Hermite => is_float_vector(kind),
            Self::Bezier => kind.is_float() || matches!(kind, ValueKind::Color32),
            Self::Hold | Self::Linear => false,
        }
    }
}

/// The interpolation of the keys of a curve: one for all, or one per key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolations {
    /// Every key has this one.
    Shared(Interpolation),
    /// Key `i` has entry `i`.
    PerKey(Vec<Interpolation>),
}

impl Interpolations {
    /// Returns the interpolation of key `index`; Hold past the end.
    pub fn get(&self, index: usize) -> Interpolation {
        match self {
            Self::Shared(shared) => *shared,
            Self::PerKey(each) => each.get(index).copied().unwrap_or_default(),
        }
    }

    /// Returns the one entry that all keys share, or an entry for each key.
    pub fn as_slice(&self) -> &[Interpolation] {
        match self {
            Self::Shared(shared) => core::slice::from_ref(shared),
            Self::PerKey(each) => each,
        }
    }

    /// Returns the entries to change: the one that all keys share, or those of the keys.
    pub fn as_mut_slice(&mut self) -> &mut [Interpolation] {
        match self {
            Self::Shared(shared) => core::slice::from_mut(shared),
            Self::PerKey(each) => each,
        }
    }

    /// Returns a list with one entry for each of `keys` keys.
    pub fn into_vec(self, keys: usize) -> Vec<Interpolation> {
        match self {
            Self::Shared(shared) => vec![shared; keys],
            Self::PerKey(each) => each,
        }
    }

    /// Returns the interpolations of the keys at these indices, in this order.
    #[must_use]
    pub fn gather(&self, indices: &[usize]) -> Self {
        match self {
            Self::Shared(shared) => Self::Shared(*shared),
            Self::PerKey(_) => Self::PerKey(indices.iter().map(|&index| self.get(index)).collect()),
        }
    }

    /// Returns the one interpolation that the first `keys` keys share, if they do.
    pub fn shared(&self, keys: usize) -> Option<Interpolation> {
        let first = self.get(0);
        match self {
            Self::Shared(shared) => Some(*shared),
            Self::PerKey(each) => {
                each.iter().take(keys).all(|&other| other == first).then_some(first)
            }
        }
    }
}

/// A Bezier handle as in X4: an absolute point in time and value.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Handle {
    /// Seconds, on the same clock as the key times.
    pub time: f64,
    /// The value, in the unit of the track's values.
    pub value: f64,
}

/// The left and right tangents of the keys of a curve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Tangents {
    /// As in Resonite: values of the track's own kind, one left and one right per key.
    Values {
        /// Entry `i` shapes the end of the segment that ends at key `i`.
        left: Values,
        /// Entry `i` shapes the start of the segment that begins at key `i`.
        right: Values,
    },
    /// As in X4: absolute (time, value) points, one left and one right per key and component. In a
    /// track of `float3`, key `i` has the entries `3 i`, `3 i + 1` and `3 i + 2`.
    Handles {
        /// The handles toward the previous key.
        left: Vec<Handle>,
        /// The handles toward the next key.
        right: Vec<Handle>,
    },
}

impl Tangents {
    /// Returns the tangents of the keys at these indices, in this order.
    ///
    /// `keys` is the number of keys, from which the number of handles per key follows.
    #[must_use]
    pub fn gather(&self, indices: &[usize], keys: usize) -> Self {
        match self {
            Self::Values { left, right } => {
                Self::Values { left: left.gather(indices), right: right.gather(indices) }
            }
            Self::Handles { left, right } => Self::Handles {
                left: gather_handles(left, indices, keys),
                right: gather_handles(right, indices, keys),
            },
        }
    }
}

fn gather_handles(handles: &[Handle], indices: &[usize], keys: usize) -> Vec<Handle> {
    let components = handles.len().checked_div(keys).unwrap_or(0).max(1);
    let groups = handles.chunks_exact(components);
    indices.iter().filter_map(|&index| groups.clone().nth(index)).flatten().copied().collect()
}

/// The times of the keys and how they are interpolated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Key `i` is at `i * interval` seconds; linear between keys.
    ///
    /// The interval is the value in the file. If it is not a positive finite number, only the first
    /// key ever plays.
    Uniform {
        /// Seconds between two keys.
        interval: f64,
    },
    /// Each key has its own time; values hold until the next key.
    Stepped {
        /// The times in seconds.
        times: Vec<f64>,
    },
    /// Each key has its own time and interpolation.
    Curve {
        /// The times in seconds.
        times: Vec<f64>,
        /// The interpolation of each key.
        interpolation: Interpolations,
        /// The tangents of all keys, if the curve has any. Few curves do, and a box keeps the
        /// others small.
        tangents: Option<Box<Tangents>>,
    },
}

impl Shape {
    /// The name of uniform keys.
    pub const UNIFORM: &str = "uniform";
    /// The name of stepped keys.
    pub const STEPPED: &str = "stepped";
    /// The name of the keys of a curve.
    pub const CURVE: &str = "curve";

    /// Returns `uniform`, `stepped` or `curve`.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Uniform { .. } => Self::UNIFORM,
            Self::Stepped { .. } => Self::STEPPED,
            Self::Curve { .. } => Self::CURVE,
        }
    }
}

/// The keys of a track.
///
/// Invariants, checked by the constructors:
/// 1. There are as many times as values, and as many interpolations if there is one per key.
/// 2. Times are finite and never decrease. They may be negative or after the end of the clip, and
///    two keys may share a time.
/// 3. Value tangents have the kind and the number of the values; handles have one entry per
///    component and key.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Interpolation, Interpolations, TrackData, ValueKind};
///
/// let data = TrackData::curve(
///     vec![0.0, 0.5],
///     vec![[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0]],
///     Interpolations::Shared(Interpolation::Linear),
///     None,
/// )?;
/// assert_eq!(data.kind(), ValueKind::Float3);
/// assert_eq!(data.len(), 2);
/// assert!(TrackData::stepped(vec![1.0, 0.0], vec![true, false]).is_err());
/// # Ok::<(), inbetween_core::KeysError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TrackData {
    shape: Shape,
    values: Values,
}

impl TrackData {
    /// Creates keys that are `interval` seconds apart, the first at 0.
    pub fn uniform(interval: f64, values: impl Into<Values>) -> Self {
        Self { shape: Shape::Uniform { interval }, values: values.into() }
    }

    /// Creates keys that hold until the next one; times in seconds.
    ///
    /// # Errors
    ///
    /// If an invariant of the type does not hold.
    pub fn stepped(times: Vec<f64>, values: impl Into<Values>) -> Result<Self, KeysError> {
        let values = values.into();
        check_times(&times, &values)?;
        Ok(Self { shape: Shape::Stepped { times }, values })
    }

    /// Creates keys of a curve; times in seconds.
    ///
    /// # Errors
    ///
    /// If an invariant of the type does not hold.
    pub fn curve(
        times: Vec<f64>,
        values: impl Into<Values>,
        interpolation: Interpolations,
        tangents: Option<Tangents>,
    ) -> Result<Self, KeysError> {
        let values = values.into();
        check_times(&times, &values)?;
        if let Interpolations::PerKey(each) = &interpolation {
            check_length("interpolations", each.len(), values.len())?;
        }
        if let Some(tangents) = &tangents {
            check_tangents(tangents, &values)?;
        }
        let tangents = tangents.map(Box::new);
        Ok(Self { shape: Shape::Curve { times, interpolation, tangents }, values })
    }

    /// Creates a track without keys: a curve of length 0.
    pub fn empty(kind: ValueKind) -> Self {
        let shape = Shape::Curve {
            times: Vec::new(),
            interpolation: Interpolations::Shared(Interpolation::Linear),
            tangents: None,
        };
        Self { shape, values: Values::empty(kind) }
    }

    /// Returns the kind of the values.
    pub const fn kind(&self) -> ValueKind {
        self.values.kind()
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        // There are as many times as values, and the length of values depends on their kind.
        match &self.shape {
            Shape::Uniform { .. } => self.values.len(),
            Shape::Stepped { times } | Shape::Curve { times, .. } => times.len(),
        }
    }

    /// Returns whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the times and the interpolation of the keys.
    pub const fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns the times of keys that have a column of them.
    pub(crate) const fn times_mut(&mut self) -> Option<&mut Vec<f64>> {
        match &mut self.shape {
            Shape::Uniform { .. } => None,
            Shape::Stepped { times } | Shape::Curve { times, .. } => Some(times),
        }
    }

    /// Returns the value column.
    pub const fn values(&self) -> &Values {
        &self.values
    }

    /// Splits the keys into their parts without copying them.
    pub fn into_parts(self) -> (Shape, Values) {
        (self.shape, self.values)
    }

    /// Maps the values, and the tangents that are values.
    ///
    /// # Errors
    ///
    /// If the columns no longer match.
    pub fn map_columns(self, mut change: impl FnMut(Values) -> Values) -> Result<Self, KeysError> {
        let (shape, values) = self.into_parts();
        let values = change(values);
        match shape {
            Shape::Uniform { interval } => Ok(Self::uniform(interval, values)),
            Shape::Stepped { times } => Self::stepped(times, values),
            Shape::Curve { times, interpolation, tangents } => {
                let tangents = tangents.map(|tangents| match *tangents {
                    Tangents::Values { left, right } => {
                        Tangents::Values { left: change(left), right: change(right) }
                    }
                    handles @ Tangents::Handles { .. } => handles,
                });
                Self::curve(times, values, interpolation, tangents)
            }
        }
    }

    /// Returns the time of key `index` in seconds, or `None` past the end.
    ///
    /// For uniform keys this is `index * interval`, for any interval.
    pub fn time(&self, index: usize) -> Option<f64> {
        if index >= self.len() {
            return None;
        }
        match &self.shape {
            Shape::Uniform { interval } => Some(crate::num::f64_from_index(index) * interval),
            Shape::Stepped { times } | Shape::Curve { times, .. } => times.get(index).copied(),
        }
    }

    /// Returns the value of key `index`, or `None` past the end.
    pub fn value(&self, index: usize) -> Option<Value> {
        self.values.get(index)
    }

    /// Returns the times of the keys in seconds, in their order.
    pub fn times(&self) -> impl Iterator<Item = f64> + Clone {
        let (listed, uniform, interval): (&[f64], _, _) = match &self.shape {
            Shape::Uniform { interval } => (&[], self.len(), *interval),
            Shape::Stepped { times } | Shape::Curve { times, .. } => (times, 0, 0.0),
        };
        let computed = (0..uniform).map(move |key| crate::num::f64_from_index(key) * interval);
        listed.iter().copied().chain(computed)
    }

    /// Returns the times of the keys in seconds, with their values.
    ///
    /// Use [`values`](Self::values) for the whole column of values in its own type.
    pub fn keys(&self) -> impl Iterator<Item = (f64, Value)> {
        (0..self.len()).filter_map(|key| Some((self.time(key)?, self.value(key)?)))
    }

    /// Returns the interpolation of the segment that begins at key `index`.
    ///
    /// Uniform keys are linear and stepped keys hold.
    pub fn interpolation(&self, index: usize) -> Interpolation {
        match &self.shape {
            Shape::Uniform { .. } => Interpolation::Linear,
            Shape::Stepped { .. } => Interpolation::Hold,
            Shape::Curve { interpolation, .. } => interpolation.get(index),
        }
    }

    /// Returns the tangents of a curve that has them.
    pub fn tangents(&self) -> Option<&Tangents> {
        match &self.shape {
            Shape::Curve { tangents, .. } => tangents.as_deref(),
            _ => None,
        }
    }

    /// Returns the time of the last key in seconds; `None` without keys or if the interval of
    /// uniform keys is not finite.
    pub fn end(&self) -> Option<f64> {
        self.time(self.len().checked_sub(1)?).filter(|time| time.is_finite())
    }

    /// Returns whether keys after the first one ever play: uniform keys need a positive interval
    /// and finite times.
    pub fn plays(&self) -> bool {
        match self.shape {
            Shape::Uniform { interval } => {
                interval > 0.0 && (self.is_empty() || self.end().is_some())
            }
            Shape::Stepped { .. } | Shape::Curve { .. } => true,
        }
    }

    /// Returns how many bytes of memory the keys hold.
    pub fn heap_bytes(&self) -> usize {
        let shape = match &self.shape {
            Shape::Uniform { .. } => 0,
            Shape::Stepped { times } => size_of_val(times.as_slice()),
            Shape::Curve { times, interpolation, tangents } => {
                let each = match interpolation {
                    Interpolations::Shared(_) => 0,
                    Interpolations::PerKey(each) => each.len(),
                };
                let sides = match tangents.as_deref() {
                    None => 0,
                    Some(Tangents::Values { left, right }) => {
                        left.heap_bytes() + right.heap_bytes()
                    }
                    Some(Tangents::Handles { left, right }) => {
                        size_of_val(left.as_slice()) + size_of_val(right.as_slice())
                    }
                };
                size_of_val(times.as_slice()) + each + sides
            }
        };
        shape + self.values.heap_bytes()
    }
}

fn check_length(what: &'static str, found: usize, keys: usize) -> Result<(), KeysError> {
    if found == keys { Ok(()) } else { Err(KeysError::Length { what, found, keys }) }
}

fn check_times(times: &[f64], values: &Values) -> Result<(), KeysError> {
    check_length("times", times.len(), values.len())?;
    if crate::keys::are_sorted(times) {
        return Ok(());
    }
    let mut last = f64::NEG_INFINITY;
    for (index, &time) in times.iter().enumerate() {
        if !time.is_finite() {
            return Err(KeysError::TimeNotFinite { index });
        }
        if time < last {
            return Err(KeysError::NotSorted { index });
        }
        last = time;
    }
    Ok(())
}

fn check_tangents(tangents: &Tangents, values: &Values) -> Result<(), KeysError> {
    match tangents {
        Tangents::Values { left, right } => {
            for side in [left, right] {
                if side.kind() != values.kind() {
                    return Err(KeysError::TangentKind {
                        found: side.kind(),
                        values: values.kind(),
                    });
                }
                check_length("tangents", side.len(), values.len())?;
            }
        }
        Tangents::Handles { left, right } => {
            let components = match values.kind() {
                ValueKind::Float | ValueKind::Double => 1,
                ValueKind::Float3 | ValueKind::Double3 => 3,
                kind => return Err(KeysError::HandleKind { values: kind }),
            };
            let expected = values.len() * components;
            check_length("handles", left.len(), expected)?;
            check_length("handles", right.len(), expected)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_curves_of_kinds_that_bend_use_tangents() {
        let hermite = |kind| Interpolation::Hermite.uses_tangents(kind);
        let bezier = |kind| Interpolation::Bezier.uses_tangents(kind);
        assert!(hermite(ValueKind::Double3) && bezier(ValueKind::Double3));
        assert!(!hermite(ValueKind::FloatQ) && bezier(ValueKind::FloatQ));
        assert!(!hermite(ValueKind::Color32) && bezier(ValueKind::Color32));
        assert!(!hermite(ValueKind::Int) && !bezier(ValueKind::Int));
        assert!(!Interpolation::Linear.uses_tangents(ValueKind::Float));
    }

    #[test]
    fn rejects_columns_of_unequal_length() {
        let error = TrackData::stepped(vec![0.0], vec![1_i32, 2]).unwrap_err();
        assert_eq!(error, KeysError::Length { what: "times", found: 1, keys: 2 });
    }

    #[test]
    fn rejects_times_that_are_not_finite_or_decrease() {
        let nan = TrackData::stepped(vec![f64::NAN], vec![1_i32]).unwrap_err();
        assert_eq!(nan, KeysError::TimeNotFinite { index: 0 });
        let back = TrackData::stepped(vec![0.0, 2.0, 1.0], vec![1_i32, 2, 3]).unwrap_err();
        assert_eq!(back, KeysError::NotSorted { index: 2 });
    }

    #[test]
    fn keeps_negative_and_equal_times() {
        let data = TrackData::stepped(vec![-1.0, 2.0, 2.0], vec![1_i32, 2, 3]).unwrap();
        assert_eq!((data.time(0), data.end()), (Some(-1.0), Some(2.0)));
    }

    #[test]
    fn rejects_tangents_of_another_kind() {
        let tangents = Tangents::Values { left: vec![0_i32].into(), right: vec![0_i32].into() };
        let linear = Interpolations::Shared(Interpolation::Linear);
        let error = TrackData::curve(vec![0.0], vec![1.0_f32], linear, Some(tangents));
        assert!(matches!(error, Err(KeysError::TangentKind { .. })));
    }

    #[test]
    fn a_vector_of_three_has_three_handles_per_key() {
        let linear = || Interpolations::Shared(Interpolation::Bezier);
        let handles = |n| Tangents::Handles {
            left: vec![Handle::default(); n],
            right: vec![Handle::default(); n],
        };
        let values = || vec![[0.0_f32; 3]];
        assert!(TrackData::curve(vec![0.0], values(), linear(), Some(handles(3))).is_ok());
        assert!(TrackData::curve(vec![0.0], values(), linear(), Some(handles(1))).is_err());
    }
}
