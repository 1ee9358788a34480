//! Replacing curves by linear keys that are as many as an error bound asks for.

use crate::bake::PROBES;
use crate::num::u64_from_len;
use crate::playback::{Column, Interpolate, Place, Segments, with_clock};
use crate::{
    BakeError, Baked, Budget, Element, EulerOrder, Interpolation, Interpolations, Quat, Real,
    Rules, Slerp, Strings, TrackData, Values, kind_table,
};

/// 0.01 degrees in radians: how far rotations may be off where nobody says otherwise.
pub const DEFAULT_BOUND: f64 = 0.01_f64.to_radians();

/// The shortest part of a segment between two keys: halved 12 times, so 4,096 keys or 2,000 turns.
const SHORTEST: f64 = 1.0 / 4096.0;

/// How many spans of a segment may stay as wrong as they were before it counts as noise: a value
/// that jumps on its way leaves one or two, and numbers that are rounded too coarsely all of them.
const STUCK: usize = 16;

/// Replaces the keys of a track by linear keys, as many as it takes to stay within `bound` of
/// what `rules` shows.
///
/// The bound and `max_error` are in the unit of [`value_error`](crate::value_error). The keys of
/// the track stay; where a value jumps there are two keys at the same time. A segment is halved
/// until it is near enough, but at most 12 times, and less where halving is of no use, as with
/// angles that `f32` cannot tell apart; so `max_error` may be above the bound.
///
/// # Errors
///
/// When `bound` is not a positive finite number, and when the budget is smaller than the keys.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Rules, Limits, TrackData, bake_to_bound};
///
/// let steps = TrackData::stepped(vec![0.0, 1.0], vec![0.0_f32, 3.0])?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let baked = bake_to_bound(&steps, 0.001, Rules::LINEAR, &mut budget)?;
/// let times: Vec<_> = (0..3).filter_map(|key| baked.data.time(key)).collect();
/// assert_eq!((times, baked.max_error), (vec![0.0, 1.0, 1.0], 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake_to_bound(
    data: &TrackData,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    with_clock!(rules, bake(data, bound, budget))
}

/// Replaces Euler angles by quaternions, as many as it takes to stay within `bound` radians of
/// the rotation that the angles go through.
///
/// `float3` gives `floatQ` and `double3` gives `doubleQ`. Between two keys no angle changes by
/// more than a quarter turn, so that a whole turn stays one. The signs are as with
/// [`bake_euler_at_rate`](crate::bake_euler_at_rate).
///
/// # Errors
///
/// As [`bake_to_bound`], and when the values are neither `float3` nor `double3`.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, DEFAULT_BOUND, EulerOrder, Rules, Interpolation};
/// use inbetween_core::{Interpolations, Limits, TrackData, bake_euler_to_bound};
///
/// // A whole turn about z: the two keys are the same rotation.
/// let values = vec![[0.0_f64; 3], [0.0, 0.0, std::f64::consts::TAU]];
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let angles = TrackData::curve(vec![0.0, 60.0], values, linear, None)?;
/// let (mut budget, linear) = (Budget::new(&Limits::default(), 0), Rules::LINEAR);
/// let order = EulerOrder::XYZ;
/// let baked = bake_euler_to_bound(&angles, order, DEFAULT_BOUND, linear, &mut budget)?;
/// assert_eq!((baked.data.len(), baked.data.time(1)), (5, Some(15.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake_euler_to_bound(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    with_clock!(rules, from_euler(data, order, bound, budget))
}

/// Replaces quaternions by Euler angles in radians, as many keys as it takes for straight lines
/// between the angles to stay within `bound` radians of the rotation.
///
/// `floatQ` gives `float3` and `doubleQ` gives `double3`. Angles go on from key to key and may
/// pass pi: see [`EulerOrder::angles`]. A quaternion that is no rotation repeats the angles of
/// the key before.
///
/// # Errors
///
/// As [`bake_to_bound`], and when the values are no quaternions.
pub fn bake_to_euler(
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    with_clock!(rules, to_euler(data, order, bound, budget))
}

macro_rules! define_bake {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        fn bake<F: Real>(
            rules: Rules,
            data: &TrackData,
            bound: f64,
            budget: &mut Budget,
        ) -> Result<Baked, BakeError> {
            match data.values() {
                $(Values::$variant(values) => {
                    let column = Column::new(values, data.tangents(), rules);
                    let keys = Fit::<F, _>::new(data, column, bound, budget)?.same()?;
                    keys.into_baked(bound, <$type>::into_values)
                })*
                Values::$pooled(strings) => {
                    let texts: Vec<Option<&str>> = strings.iter().collect();
                    let column = Column::plain(&texts);
                    let keys = Fit::<F, _>::new(data, column, bound, budget)?.same()?;
                    keys.into_baked(bound, |texts| texts.into_iter().collect::<Strings>().into())
                }
            }
        }
    };
}
kind_table!(define_bake);

fn from_euler<F: Real>(
    rules: Rules,
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    match data.values() {
        Values::Float3(values) => rotations::<F, f32>(rules, data, values, order, bound, budget),
        Values::Double3(values) => rotations::<F, f64>(rules, data, values, order, bound, budget),
        _ => Err(BakeError::NotEuler { kind: data.kind() }),
    }
}

fn rotations<F: Real, T: Real>(
    rules: Rules,
    data: &TrackData,
    values: &[[T; 3]],
    order: EulerOrder,
    bound: f64,
    budget: &mut Budget,
) -> Result<Baked, BakeError>
where
    [T; 3]: Element,
    Quat<T>: Element,
{
    let column = Column::new(values, data.tangents(), rules);
    let rotation = |angles: [T; 3]| -> Quat<T> { order.quaternion(angles.map(T::to_f64)).cast() };
    let rules = Fitting {
        key: |angles, before: Option<Quat<T>>| {
            rotation(angles).aligned_to(before.unwrap_or(Quat::IDENTITY))
        },
        error: |from, to, part, angles| {
            Quat::linear::<f64>(from, to, part, Slerp::Directions).distance(rotation(angles))
        },
        far: |from: [T; 3], to: [T; 3]| {
            let turns = from.into_iter().zip(to).map(|(a, b)| (a.to_f64() - b.to_f64()).abs());
            turns.fold(0.0, f64::max) > std::f64::consts::FRAC_PI_2 * (1.0 + 1e-6)
        },
    };
    let keys = Fit::<F, _>::new(data, column, bound, budget)?.keys(&rules)?;
    keys.into_baked(bound, Quat::into_values)
}

fn to_euler<F: Real>(
    rules: Rules,
    data: &TrackData,
    order: EulerOrder,
    bound: f64,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    match data.values() {
        Values::FloatQ(values) => angles::<F, f32>(rules, data, values, order, bound, budget),
        Values::DoubleQ(values) => angles::<F, f64>(rules, data, values, order, bound, budget),
        _ => Err(BakeError::NotRotation { kind: data.kind() }),
    }
}

fn angles<F: Real, T: Real>(
    rules: Rules,
    data: &TrackData,
    values: &[Quat<T>],
    order: EulerOrder,
    bound: f64,
    budget: &mut Budget,
) -> Result<Baked, BakeError>
where
    [T; 3]: Element,
    Quat<T>: Element,
{
    let column = Column::new(values, data.tangents(), rules);
    let wide = |rotation: Quat<T>| -> Quat<f64> { rotation.cast() };
    let rules = Fitting {
        key: |rotation, before: Option<[T; 3]>| {
            let near = before.map(|angles| angles.map(T::to_f64));
            order.angles(wide(rotation), near).map(T::from_f64)
        },
        error: |from: [T; 3], to: [T; 3], part, rotation| {
            let angles = <[T; 3]>::linear::<f64>(from, to, part, Slerp::Directions).map(T::to_f64);
            let off = order.quaternion(angles).distance(wide(rotation));
            // What is no rotation has no angles either, and is not waited for.
            if off.is_finite() { off } else { 0.0 }
        },
        far: |_, _| false,
    };
    let keys = Fit::<F, _>::new(data, column, bound, budget)?.keys(&rules)?;
    keys.into_baked(bound, <[T; 3]>::into_values)
}

/// How values become keys `K`, and when two of them are too far apart.
struct Fitting<Make, Error, Far> {
    /// Makes a key of a value, near the key before.
    key: Make,
    /// How far a value is from the line between two keys, at a part of the way.
    error: Error,
    /// Whether two values are too far apart for a line, whatever the error is.
    far: Far,
}

/// The keys that were made.
struct Keys<K> {
    times: Vec<f64>,
    values: Vec<K>,
    max_error: f64,
}

impl<K> Keys<K> {
    fn into_baked(
        self,
        bound: f64,
        values: impl FnOnce(Vec<K>) -> Values,
    ) -> Result<Baked, BakeError> {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(self.times, values(self.values), linear, None)
            // The times are those of a track, and what lies between them in order.
            .map_err(|_| BakeError::Bound { bound })?;
        Ok(Baked { data, max_error: self.max_error })
    }
}

/// A segment between two keys that is halved where it is not near enough.
struct Halving {
    /// How far the segment is done, as a part of it.
    start: f64,
    /// The spans that follow, the next one last.
    waiting: Vec<Waiting>,
    /// How many spans stayed as wrong as they were.
    stuck: usize,
}

/// A span that is not done.
#[derive(Clone, Copy)]
struct Waiting {
    end: f64,
    /// The errors of the span that this one is half of, and of the one that that is half of.
    errors: [f64; 2],
}

impl Default for Halving {
    fn default() -> Self {
        let whole = Waiting { end: 1.0, errors: [f64::INFINITY; 2] };
        Self { start: 0.0, waiting: vec![whole], stuck: 0 }
    }
}

impl Halving {
    /// Halves the next span, whose error is too large; returns whether it did.
    ///
    /// It does not where the span is as short as may be, nor where halving has been of no use: a
    /// quarter of a curve is 16 times nearer to its line, and a quarter of noise is not.
    fn halve(&mut self, error: f64) -> bool {
        let Some(span) = self.waiting.last_mut() else { return false };
        let [parent, grandparent] = span.errors;
        let stuck = error >= grandparent / 2.0;
        let whole = span.end - self.start;
        if whole <= SHORTEST || (stuck && self.stuck >= STUCK) {
            self.stuck = self.stuck.saturating_add(usize::from(stuck));
            return false;
        }
        span.errors = [error, parent];
        let half = Waiting { end: self.start + whole / 2.0, ..*span };
        self.waiting.push(half);
        true
    }

    /// Goes on to the span after the next one.
    fn finish(&mut self) {
        if let Some(done) = self.waiting.pop() {
            self.start = done.end;
        }
    }
}

/// A track that is followed from key to key.
struct Fit<'a, 'b, F: Real, T> {
    data: &'a TrackData,
    segments: Segments<'a, F>,
    column: Column<'a, T>,
    bound: f64,
    budget: &'b mut Budget,
    /// What the budget had left before the first key.
    left: u64,
}

impl<'a, 'b, F: Real, T: Interpolate> Fit<'a, 'b, F, T> {
    fn new(
        data: &'a TrackData,
        column: Column<'a, T>,
        bound: f64,
        budget: &'b mut Budget,
    ) -> Result<Self, BakeError> {
        if !(bound > 0.0 && bound.is_finite()) {
            return Err(BakeError::Bound { bound });
        }
        let left = budget.bytes_left();
        Ok(Self { data, segments: Segments::new(data), column, bound, budget, left })
    }

    /// Returns keys of the same type as the values.
    fn same(self) -> Result<Keys<T>, BakeError> {
        self.keys(&Fitting {
            key: |value, _: Option<T>| value,
            error: |from, to, part, value: T| {
                T::linear::<f64>(from, to, part, Slerp::Directions).distance(value)
            },
            far: |_, _| false,
        })
    }

    fn keys<K: Copy>(
        mut self,
        rules: &Fitting<
            impl Fn(T, Option<K>) -> K,
            impl Fn(K, K, f64, T) -> f64,
            impl Fn(T, T) -> bool,
        >,
    ) -> Result<Keys<K>, BakeError> {
        let mut keys = Keys { times: Vec::new(), values: Vec::new(), max_error: 0.0 };
        let mut key = 0;
        while let (Some(time), Some(value)) = (self.time(key), self.value(key, 0.0)) {
            let arrived = key.checked_sub(1).and_then(|last| self.value(last, 1.0));
            if arrived.is_none_or(|arrived| arrived.distance(value) != 0.0) {
                let made = (rules.key)(value, keys.values.last().copied());
                self.push(&mut keys, time, made)?;
            }
            if self.time(key.saturating_add(1)).is_some() {
                self.segment(key, &mut keys, rules)?;
            }
            key = key.saturating_add(1);
        }
        Ok(keys)
    }

    /// Appends the keys behind one key up to the next one.
    fn segment<K: Copy>(
        &mut self,
        key: usize,
        keys: &mut Keys<K>,
        rules: &Fitting<
            impl Fn(T, Option<K>) -> K,
            impl Fn(K, K, f64, T) -> f64,
            impl Fn(T, T) -> bool,
        >,
    ) -> Result<(), BakeError> {
        let mut halving = Halving::default();
        while let (Some(&Waiting { end, .. }), Some(&from)) =
            (halving.waiting.last(), keys.values.last())
        {
            let start = halving.start;
            let (Some(first), Some(last)) = (self.value(key, start), self.value(key, end)) else {
                break;
            };
            let to = (rules.key)(last, Some(from));
            let errors = PROBES.map(|part| {
                let value = self.value(key, start + (end - start) * part);
                value.map_or(0.0, |value| (rules.error)(from, to, part, value))
            });
            let error = errors.into_iter().fold(0.0, f64::max);
            let too_far = (error > self.bound && error.is_finite()) || (rules.far)(first, last);
            if too_far && halving.halve(error) {
                continue;
            }
            keys.max_error = keys.max_error.max(error);
            let (Some(before), Some(after)) = (self.time(key), self.time(key.saturating_add(1)))
            else {
                break;
            };
            let time = if end < 1.0 { before + (after - before) * end } else { after };
            self.push(keys, time, to)?;
            halving.finish();
        }
        Ok(())
    }

    fn push<K>(&mut self, keys: &mut Keys<K>, time: f64, value: K) -> Result<(), BakeError> {
        let size = size_of::<f64>().saturating_add(size_of::<K>());
        self.budget.charge_bytes(size).map_err(|_| {
            let keys = u64_from_len(keys.times.len()).saturating_add(1);
            BakeError::Keys { keys, bound: self.bound, left: self.left }
        })?;
        crate::grow::try_column(&mut keys.times, 1)?;
        crate::grow::try_column(&mut keys.values, 1)?;
        // Rounding must not move a key before the last one.
        let last = keys.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        keys.times.push(time.max(last));
        keys.values.push(value);
        Ok(())
    }

    /// Returns when a key that plays comes.
    fn time(&self, key: usize) -> Option<f64> {
        self.segments.time(key).and_then(|_| self.data.time(key))
    }

    /// Returns the value at a part of the way from a key to the next one.
    fn value(&self, key: usize, part: f64) -> Option<T> {
        let t = F::from_f64(part);
        self.column.at::<F>(Place { key, t, interpolation: self.data.interpolation(key) })
    }
}
