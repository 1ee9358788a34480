//! Replaces the keys of a track by keys that a target can store: on frames or within a bound, of
//! the same kind or another. The stated error is an upper bound.

mod apart;
mod cubic;
mod curve;
mod cut;
mod difference;
mod driver;
mod error;
pub mod frames;
mod insert;
pub mod lower;
mod rotation;
mod slerp;
mod source;
mod translate;

use core::f64::consts::TAU;

use crate::model::rows;
use crate::{
    Budget, EulerOrder, Handle, Interpolation, Interpolations, Property, Quat, Rules, Shape,
    StatedError, Tangents, TrackData, Value, ValueKind, memory, num,
};
pub use cut::{BakedSegments, CutTrack, cut, cut_before_zero};
pub use difference::{KeySlerp, slerps_apart};
use driver::{FollowedKeys, Path, follow};
pub use error::{BakeError, LowerError, element_error, value_error};
use rotation::Turn;
use source::{Angles, Joined, Rotations, Rows, Segments, Total, Width};
pub use translate::{Translated, leaps, translate};

/// The default error bound of rotations: 0.01 degrees, in radians.
pub const DEFAULT_BOUND: f64 = 0.01_f64.to_radians();

/// The times at which keys are created.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Grid {
    /// On frames from 0 on, so many per second: the frames that enclose all keys.
    Frames(f64),
    /// As needed for an error of at most this bound: radians for rotations, the unit of the values
    /// for others.
    ///
    /// A segment is halved until its error is small enough, but at most 12 times, and fewer if
    /// halving is of no use, as with angles that `f32` cannot distinguish. The error may then
    /// exceed the bound.
    Bound(f64),
}

/// The keys that replace a track.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Baked {
    /// A linear curve. Within a bound, a jump becomes two keys at the same time.
    pub data: TrackData,
    /// The largest difference of these keys from the track: an upper bound, in radians for
    /// rotations.
    ///
    /// Frames are compared from the first one to the last.
    pub error: StatedError,
}

/// Creates keys on a grid.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Baker, Budget, Grid, Limits, Rules, TrackData};
///
/// let steps = TrackData::stepped(vec![0.0, 1.0], vec![0.0_f32, 3.0])?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let mut baker = Baker::new(Grid::Bound(0.001), &mut budget);
/// let baked = baker.linear(&steps, Rules::LINEAR)?;
/// let times: Vec<_> = baked.data.times().collect();
/// assert_eq!((times, baked.error.value), (vec![0.0, 1.0, 1.0], 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Baker<'b> {
    /// The times at which keys are created.
    pub grid: Grid,
    /// The rules by which the new keys will play.
    pub target: Rules,
    /// The budget for the new keys.
    pub budget: &'b mut Budget,
    /// How the errors of the components combine.
    total: Total,
}

impl<'b> Baker<'b> {
    /// Creates a baker of keys that play by [`Rules::LINEAR`].
    pub const fn new(grid: Grid, budget: &'b mut Budget) -> Self {
        Self { grid, target: Rules::LINEAR, budget, total: Total::Largest }
    }

    /// Returns the baker for other rules of the new keys.
    #[must_use]
    pub const fn for_target(mut self, target: Rules) -> Self {
        self.target = target;
        self
    }

    /// Returns the baker for tracks of a property: for Euler angles the error is the angle of the
    /// rotation.
    #[must_use]
    pub const fn for_property(mut self, property: &Property) -> Self {
        self.total = Total::of(property);
        self
    }

    /// Replaces a track by linear keys of the same kind.
    ///
    /// Returns no keys for a track without keys.
    ///
    /// # Errors
    ///
    /// If the keys cost more than the budget has, the last key is beyond the last frame that `u32`
    /// can count, the rate or the bound is not a positive finite number, or values that are not
    /// numbers would be baked within a bound.
    pub fn linear(&mut self, data: &TrackData, rules: Rules) -> Result<Baked, BakeError> {
        ensure_times(data)?;
        let segments = Segments::new(data, rules);
        match data.kind() {
            ValueKind::FloatQ | ValueKind::DoubleQ => {
                let (width, slerp) = (Width::of(data.kind()), self.target.slerp);
                let curve = |key| Rotations { turn: segments.turn(key), width, slerp };
                let keys = self.follow(segments.times(), curve, curve(0), data.kind())?;
                baked(data.kind(), keys, Quat::to_array)
            }
            kind if !kind.interpolates() => self.held(data),
            kind => match rows::width(kind) {
                1 => self.rows::<1>(data, &segments),
                2 => self.rows::<2>(data, &segments),
                3 => self.rows::<3>(data, &segments),
                4 => self.rows::<4>(data, &segments),
                9 => self.rows::<9>(data, &segments),
                _ => self.rows::<16>(data, &segments),
            },
        }
    }

    fn rows<const N: usize>(
        &mut self,
        data: &TrackData,
        segments: &Segments<'_>,
    ) -> Result<Baked, BakeError> {
        let width = Width::of(data.kind());
        let total = self.total;
        let curve = |key| Rows { components: segments.rows::<N>(key), width, total };
        let keys = self.follow(segments.times(), curve, curve(0), data.kind())?;
        baked(data.kind(), keys, |row| row)
    }

    /// Converts Euler angles to quaternions: `float3` to `floatQ`, `double3` to `doubleQ`.
    ///
    /// Within a bound, no angle changes by more than a quarter turn between two keys, so a whole
    /// turn is preserved. The first quaternion has a positive w, and each of the others the sign
    /// that is nearer to the previous one.
    ///
    /// # Errors
    ///
    /// Same as [`linear`](Self::linear), and if the values are neither `float3` nor `double3`.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{Baker, Budget, EulerOrder, Grid, Interpolation, Interpolations,
    /// Limits}; use inbetween_core::{DEFAULT_BOUND, Rules, TrackData};
    ///
    /// // A whole turn about z: the two keys are the same rotation.
    /// let values = vec![[0.0_f64; 3], [0.0, 0.0, std::f64::consts::TAU]];
    /// let linear = Interpolations::Shared(Interpolation::Linear);
    /// let angles = TrackData::curve(vec![0.0, 60.0], values, linear, None)?;
    /// let mut budget = Budget::new(&Limits::default(), 0);
    /// let mut baker = Baker::new(Grid::Bound(DEFAULT_BOUND), &mut budget);
    /// let baked = baker.quaternions(&angles, EulerOrder::XYZ, Rules::LINEAR)?;
    /// assert_eq!((baked.data.len(), baked.data.time(1)), (5, Some(15.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quaternions(
        &mut self,
        data: &TrackData,
        order: EulerOrder,
        rules: Rules,
    ) -> Result<Baked, BakeError> {
        ensure_times(data)?;
        let kind = match data.kind() {
            ValueKind::Float3 => ValueKind::FloatQ,
            ValueKind::Double3 => ValueKind::DoubleQ,
            kind => return Err(BakeError::NotEuler { kind }),
        };
        let (segments, width, slerp) =
            (Segments::new(data, rules), Width::of(kind), self.target.slerp);
        let curve = |key| {
            let turn = Turn::Euler { angles: segments.rows::<3>(key), order };
            Rotations { turn, width, slerp }
        };
        let keys = self.follow(segments.times(), curve, curve(0), kind)?;
        baked(kind, keys, Quat::to_array)
    }

    /// Converts quaternions to Euler angles in radians: `floatQ` to `float3`, `doubleQ` to
    /// `double3`.
    ///
    /// Angles continue from key to key and may pass pi: see [`EulerOrder::angles`]. An invalid
    /// rotation repeats the angles of the previous key.
    ///
    /// # Errors
    ///
    /// Same as [`linear`](Self::linear), and if the values are not quaternions.
    pub fn angles(
        &mut self,
        data: &TrackData,
        order: EulerOrder,
        rules: Rules,
    ) -> Result<Baked, BakeError> {
        ensure_times(data)?;
        let kind = match data.kind() {
            ValueKind::FloatQ => ValueKind::Float3,
            ValueKind::DoubleQ => ValueKind::Double3,
            kind => return Err(BakeError::NotRotation { kind }),
        };
        let (segments, width) = (Segments::new(data, rules), Width::of(kind));
        let curve = |key| Angles { turn: segments.turn(key), order, width };
        let keys = self.follow(segments.times(), curve, curve(0), kind)?;
        baked(kind, keys, |row| row)
    }

    /// Joins up to three tracks of numbers, one per axis, into one of vectors.
    ///
    /// A missing axis is 1 for a scale and 0 otherwise. If all parts are linear, the keys are at
    /// the times of all their keys, on a grid of frames too.
    ///
    /// # Errors
    ///
    /// Same as [`linear`](Self::linear).
    pub fn join(
        &mut self,
        property: &Property,
        parts: &[Option<TrackData>; 3],
        rules: Rules,
    ) -> Result<Baked, BakeError> {
        let kind = if is_wide(parts) { ValueKind::Double3 } else { ValueKind::Float3 };
        let joined = Joined::new(parts, property.component_at_rest(), rules);
        let (times, grid, width) = (joined.times(), self.grid, Width::of(kind));
        if joined.is_straight() {
            // Linear segments have only a rounding error, for any bound.
            self.grid = Grid::Bound(f64::MAX);
        }
        let total = Total::of(property);
        let rows = |components| Rows { components, width, total };
        let keys =
            self.follow(times, |piece| rows(joined.curve(piece)), rows(joined.early()), kind);
        self.grid = grid;
        baked(kind, keys?, |row| row)
    }

    /// Joins up to three tracks of Euler angles, one per axis, into one of quaternions. A missing
    /// angle is 0.
    ///
    /// # Errors
    ///
    /// Same as [`linear`](Self::linear).
    pub fn join_quaternions(
        &mut self,
        order: EulerOrder,
        parts: &[Option<TrackData>; 3],
        rules: Rules,
    ) -> Result<Baked, BakeError> {
        let kind = if is_wide(parts) { ValueKind::DoubleQ } else { ValueKind::FloatQ };
        let joined = Joined::new(parts, 0.0, rules);
        let (width, slerp) = (Width::of(kind), self.target.slerp);
        let turn = |angles| Rotations { turn: Turn::Euler { angles, order }, width, slerp };
        let curve = |piece| turn(joined.curve(piece));
        let keys = self.follow(joined.times(), curve, turn(joined.early()), kind)?;
        baked(kind, keys, Quat::to_array)
    }

    fn follow<C: source::Curve>(
        &mut self,
        times: Vec<f64>,
        curve: impl Fn(usize) -> C,
        early: C,
        kind: ValueKind,
    ) -> Result<FollowedKeys<C::Key>, BakeError> {
        let size = size_of::<f64>() + kind.encoded_size().unwrap_or(0);
        follow(&Path { times, curve, early }, self.grid, size, self.budget)
    }

    /// Replaces the keys of a track that holds by one per frame; these hold too.
    ///
    /// A jump between two frames shows at the later one. The error is the height of the jump, and
    /// the time shift is its delay.
    ///
    /// # Errors
    ///
    /// Same as [`linear`](Self::linear), and if the grid is not one of frames.
    pub fn steps(&mut self, data: &TrackData) -> Result<Baked, BakeError> {
        let Grid::Frames(rate) = self.grid else {
            return Err(BakeError::Held { kind: data.kind() });
        };
        let times = Segments::new(data, Rules::LINEAR).times();
        let size = size_of::<f64>() + data.kind().encoded_size().unwrap_or(16);
        let steps = driver::steps(&times, rate, size, self.budget)?;
        if let Some(texts) = data.values().as_strings() {
            let lengths = steps.keys.iter().filter_map(|&key| texts.get(key)?).map(str::len);
            let bytes = num::u64_from_len(lengths.fold(0, usize::saturating_add));
            let (left, frames) = (self.budget.bytes_left(), num::u64_from_len(steps.keys.len()));
            let charged = self.budget.charge_bytes(num::len_from_u64(bytes));
            charged.map_err(|_| BakeError::Limit { frames, bytes, left })?;
        }
        let mut error = StatedError::default();
        // Before the first frame, the key of that frame shows, which need not be the first key.
        let first = steps.keys.first().and_then(|&key| data.value(key));
        if let (Some(before), Some(after)) = (data.value(0), first)
            // Nothing shows before time 0.
            && times.first().is_some_and(|key| *key > 0.0)
        {
            error.value = self.height(&before, &after);
        }
        for (key, late) in steps.late {
            let before = key.checked_sub(1).and_then(|before| data.value(before));
            if let (Some(before), Some(after)) = (before, data.value(key)) {
                let height = self.height(&before, &after);
                if height > 0.0 {
                    error = error.max(StatedError { value: height, time_shift: late });
                }
            }
        }
        let key = data.kind().encoded_size().unwrap_or(0);
        memory::ensure(steps.keys.len().saturating_mul(key))?;
        let values = data.values().gather(&steps.keys);
        let data = TrackData::stepped(steps.times, values).map_err(|_| BakeError::Times)?;
        Ok(Baked { data, error })
    }

    /// Returns the difference between two values; for angles, that between the rotations.
    fn height(&self, before: &Value, after: &Value) -> f64 {
        let Total::Angles(order) = self.total else { return value_error(before, after) };
        let rotation = |value: &Value| match value {
            Value::Float3(angles) => Some(order.quaternion(angles.map(f64::from))),
            Value::Double3(angles) => Some(order.quaternion(*angles)),
            _ => None,
        };
        if let (Some(before), Some(after)) = (rotation(before), rotation(after)) {
            return element_error(before, after);
        }
        let off = value_error(before, after);
        if !off.is_finite() {
            return off;
        }
        // Whole turns are the same rotation.
        let rest = off % TAU;
        rest.min(TAU - rest)
    }

    /// Like [`steps`](Self::steps), for values that hold with any interpolation.
    fn held(&mut self, data: &TrackData) -> Result<Baked, BakeError> {
        let Baked { data, error } = self.steps(data)?;
        let (shape, values) = data.into_parts();
        let Shape::Stepped { times } = shape else { return Err(BakeError::Times) };
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(times, values, linear, None).map_err(|_| BakeError::Times)?;
        Ok(Baked { data, error })
    }
}

/// Checks that the system has memory for the times of a track, and on frames for a copy of them.
fn ensure_times(data: &TrackData) -> Result<(), BakeError> {
    Ok(memory::ensure(data.len().saturating_mul(size_of::<[f64; 2]>()))?)
}

fn is_wide(parts: &[Option<TrackData>; 3]) -> bool {
    parts.iter().flatten().any(|part| part.kind() == ValueKind::Double)
}

/// Creates a linear curve of keys.
fn baked<K, R: AsRef<[f64]>>(
    kind: ValueKind,
    keys: FollowedKeys<K>,
    row: impl Fn(K) -> R,
) -> Result<Baked, BakeError> {
    let FollowedKeys { times, values, error } = keys;
    memory::ensure(values.len().saturating_mul(kind.encoded_size().unwrap_or(0)))?;
    let values = rows::column(kind, values.into_iter().map(row));
    let linear = Interpolations::Shared(Interpolation::Linear);
    // The times come from a track or from frames, so they are finite and sorted.
    let data = TrackData::curve(times, values, linear, None).map_err(|_| BakeError::Times)?;
    Ok(Baked { data, error })
}

/// Converts handles to control points of the kind of the values, and returns the number of them
/// that rounding changes. Curves with handles that play as linear segments become linear.
pub(crate) fn handles_to_values(data: TrackData) -> Result<(TrackData, usize), BakeError> {
    let Some(Tangents::Handles { left, right }) = data.tangents() else { return Ok((data, 0)) };
    let width = left.len().checked_div(data.len()).unwrap_or(0).max(1);
    let kind = data.kind();
    let last = data.len().saturating_sub(1);
    let curved = |key: usize| key < last && data.interpolation(key) == Interpolation::Bezier;
    // Tangents that no segment uses become zeros.
    let used = |side: &[Handle], uses: &dyn Fn(usize) -> bool| -> Vec<Vec<f64>> {
        let row = |(key, handles): (usize, &[Handle])| {
            handles.iter().map(|it| if uses(key) { it.value } else { 0.0 }).collect()
        };
        side.chunks(width).enumerate().map(row).collect()
    };
    let left = used(left, &|key| key.checked_sub(1).is_some_and(curved));
    let right = used(right, &curved);
    let wide = kind.is_wide();
    let rounds = |value: &&f64| !wide && f64::from(num::f32_from_f64(**value)) != **value;
    let values = || left.iter().chain(&right).flatten().filter(|value| !value.is_nan());
    let rounded = values().filter(rounds).count();
    let tangents = (0..last).any(curved).then(|| Tangents::Values {
        left: rows::column(kind, left.iter()),
        right: rows::column(kind, right.iter()),
    });
    let each = (0..data.len()).map(|key| match data.interpolation(key) {
        Interpolation::Hermite => Interpolation::Linear,
        other => other,
    });
    let each: Vec<Interpolation> = each.collect();
    let interpolation = match each.first() {
        Some(first) if each.iter().all(|other| other == first) => Interpolations::Shared(*first),
        _ => Interpolations::PerKey(each),
    };
    let (shape, values) = data.into_parts();
    let Shape::Curve { times, .. } = shape else { return Err(BakeError::Times) };
    let data = TrackData::curve(times, values, interpolation, tangents);
    Ok((data.map_err(|_| BakeError::Times)?, rounded))
}

/// Returns an upper bound of the difference between two tracks of the same kind as they play: the
/// largest difference of a component, or for quaternions the angle in radians.
///
/// Both play by `rules`. At a jump, the values before and after it both count as right. The bound
/// is infinite for tracks of different kinds.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Rules, TrackData, largest_difference};
///
/// let one = TrackData::uniform(1.0, vec![0.0_f32, 1.0, 0.0]);
/// let other = TrackData::uniform(2.0, vec![0.0_f32, 0.0]);
/// assert_eq!(largest_difference(&one, &other, Rules::LINEAR), 1.0);
/// ```
pub fn largest_difference(one: &TrackData, other: &TrackData, rules: Rules) -> f64 {
    if one.kind() != other.kind() || one.is_empty() != other.is_empty() {
        return f64::INFINITY;
    }
    let (one, other) = (Segments::new(one, rules), Segments::new(other, rules));
    let kind = one.kind();
    if kind.is_quaternion() {
        return difference::of_turns(&one, &other);
    }
    match rows::width(kind) {
        0 => difference::of_held(&one, &other),
        1 => difference::of_rows::<1>(&one, &other),
        2 => difference::of_rows::<2>(&one, &other),
        3 => difference::of_rows::<3>(&one, &other),
        4 => difference::of_rows::<4>(&one, &other),
        9 => difference::of_rows::<9>(&one, &other),
        _ => difference::of_rows::<16>(&one, &other),
    }
}

/// Adds keys at the given times to a track of numbers without changing how it plays: curves are
/// divided, and linear and held segments get keys on them.
///
/// `times` must be sorted. Each of several equal times gets a key, so that a track can have as many
/// keys at a jump as another track. Times before the first key or after the last one get keys that
/// hold its value. The track plays by `rules`; full turns and last keys must have no special rule.
///
/// # Errors
///
/// If the track is not one of numbers.
pub fn insert_keys(data: &TrackData, times: &[f64], rules: Rules) -> Result<TrackData, BakeError> {
    insert::insert_keys(data, times, rules)
}
