//! Replacing curves by keys that every format can hold.

use core::fmt;
use core::ops::RangeInclusive;

use crate::memory::{self, OutOfMemory};
use crate::num::{len_from_u64, u64_from_len};
use crate::playback::{Column, Cursor, Interpolate, Reader, with_clock};
use crate::report::RAISE_DECODED;
use crate::{
    Budget, Element, EulerOrder, Interpolation, Interpolations, Quat, ReadErrorKind, Real, Rules,
    Slerp, Strings, TrackData, Value, ValueKind, Values, kind_table,
};

/// Keys that stand for a track, one a frame.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Baked {
    /// A linear curve with a key at each frame.
    pub data: TrackData,
    /// The largest [`value_error`] between the track as its engine shows it and these keys as
    /// [`Rules::LINEAR`] shows them.
    ///
    /// It is measured from the first frame to the last one, at each key of the track, just before
    /// it, and at four times between two frames; and before the first frame where the first key is
    /// on it. A track that jumps at a key thus has an error as
    /// large as the jump, even where a frame is at the key.
    pub max_error: f64,
}

/// Replaces the keys of a track by one key a frame, at frame / `rate` seconds.
///
/// The values are those that `rules` gives at these times, of the same kind. A track without
/// keys and a range without frames give no keys.
///
/// # Errors
///
/// When `rate` is not a positive finite number or so low that frames have no finite time, and
/// when the budget is smaller than the keys; nothing is allocated then.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Budget, Rules, Limits, TrackData, Values, bake_at_rate};
///
/// let source = TrackData::stepped(vec![0.0, 1.0], vec![0.0_f32, 3.0])?;
/// let mut budget = Budget::new(&Limits::default(), source.heap_bytes());
/// let baked = bake_at_rate(&source, 2.0, 0..=2, Rules::LINEAR, &mut budget)?;
/// assert_eq!(*baked.data.values(), Values::from(vec![0.0_f32, 0.0, 3.0]));
/// assert_eq!(baked.data.time(1), Some(0.5));
/// assert_eq!(baked.max_error, 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bake_at_rate(
    data: &TrackData,
    rate: f64,
    frames: RangeInclusive<u32>,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    let grid = Grid::new(rate, frames)?;
    with_clock!(rules, bake(data, &grid, budget))
}

/// Replaces Euler angles by quaternions, one key a frame, at frame / `rate` seconds.
///
/// `float3` gives `floatQ` and `double3` gives `doubleQ`. Between the keys of the track it is the
/// angles that `rules` follows, so that `max_error`, in radians of rotation, shows what of
/// the way the frames miss. The first quaternion has a positive w, and each of the others the
/// sign that brings it nearer to the one before.
///
/// # Errors
///
/// As [`bake_at_rate`], and when the values are neither `float3` nor `double3`.
pub fn bake_euler_at_rate(
    data: &TrackData,
    order: EulerOrder,
    rate: f64,
    frames: RangeInclusive<u32>,
    rules: Rules,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    let grid = Grid::new(rate, frames)?;
    with_clock!(rules, bake_euler(data, order, &grid, budget))
}

macro_rules! define_bake {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        fn bake<F: Real>(
            rules: Rules,
            data: &TrackData,
            grid: &Grid,
            budget: &mut Budget,
        ) -> Result<Baked, BakeError> {
            match data.values() {
                $(Values::$variant(values) => {
                    let column = Column::new(values, data.tangents(), rules);
                    let keys = follow::<F, $type, $type>(data, column, |value| value, grid, budget)?;
                    keys.into_baked(grid, <$type>::into_values)
                })*
                Values::$pooled(strings) => bake_strings::<F>(data, strings, grid, budget),
            }
        }

        /// Returns how far apart two values are.
        ///
        /// * Numbers: the difference.
        /// * Vectors, colours and matrices: the Euclidean length of the differences by component,
        ///   so of positions the distance in their unit.
        /// * Quaternions: the angle of the rotation between the two, 0 to pi radians.
        /// * `bool` and `string`: 1 if they differ.
        ///
        /// It is infinite between NaN and a number, between a quaternion that is no rotation (zero
        /// or not finite) and one that is, and between values of two kinds. Two NaN do not differ,
        /// nor do two quaternions that are no rotations.
        ///
        /// # Examples
        ///
        /// ```
        /// use inbetween_core::{Value, value_error};
        ///
        /// let error = value_error(&Value::Float2([1.0, 1.0]), &Value::Float2([4.0, 5.0]));
        /// assert_eq!(error, 5.0);
        /// ```
        pub fn value_error(one: &Value, other: &Value) -> f64 {
            match (one, other) {
                $((Value::$variant(one), Value::$variant(other)) => one.distance(*other),)*
                (Value::$pooled(one), Value::$pooled(other)) => {
                    one.as_deref().distance(other.as_deref())
                }
                _ => f64::INFINITY,
            }
        }
    };
}
kind_table!(define_bake);

/// Returns how far apart two values are whose type is known, by the rules of [`value_error`].
pub fn element_error<T: Element>(one: T, other: T) -> f64 {
    one.distance(other)
}

fn bake_strings<F: Real>(
    data: &TrackData,
    strings: &Strings,
    grid: &Grid,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    let values: Vec<Option<&str>> = strings.iter().collect();
    let keys = follow::<F, _, _>(data, Column::plain(&values), |value| value, grid, budget)?;
    let lengths = keys.values.iter().flatten().map(|text| text.len());
    grid.charge(u64_from_len(lengths.fold(0, usize::saturating_add)), budget)?;
    keys.into_baked(grid, |values| values.into_iter().collect::<Strings>().into())
}

fn bake_euler<F: Real>(
    rules: Rules,
    data: &TrackData,
    order: EulerOrder,
    grid: &Grid,
    budget: &mut Budget,
) -> Result<Baked, BakeError> {
    match data.values() {
        Values::Float3(values) => rotate::<F, f32>(rules, data, values, order, grid, budget),
        Values::Double3(values) => rotate::<F, f64>(rules, data, values, order, grid, budget),
        _ => Err(BakeError::NotEuler { kind: data.kind() }),
    }
}

fn rotate<F: Real, T: Real>(
    rules: Rules,
    data: &TrackData,
    values: &[[T; 3]],
    order: EulerOrder,
    grid: &Grid,
    budget: &mut Budget,
) -> Result<Baked, BakeError>
where
    [T; 3]: Element,
    Quat<T>: Element,
{
    let column = Column::new(values, data.tangents(), rules);
    let rotation = |angles: [T; 3]| order.quaternion(angles.map(T::to_f64)).cast();
    let mut keys = follow::<F, [T; 3], Quat<T>>(data, column, rotation, grid, budget)?;
    let mut last = Quat::IDENTITY;
    for key in &mut keys.values {
        *key = key.aligned_to(last);
        last = *key;
    }
    keys.into_baked(grid, Quat::into_values)
}

/// Frames at a rate.
struct Grid {
    rate: f64,
    frames: RangeInclusive<u32>,
}

impl Grid {
    fn new(rate: f64, frames: RangeInclusive<u32>) -> Result<Self, BakeError> {
        let grid = Self { rate, frames };
        let usable = rate > 0.0 && rate.is_finite() && grid.time(*grid.frames.end()).is_finite();
        if usable { Ok(grid) } else { Err(BakeError::Rate { rate }) }
    }

    fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.rate
    }

    fn len(&self) -> u64 {
        let (start, end) = (u64::from(*self.frames.start()), u64::from(*self.frames.end()));
        end.saturating_add(1).saturating_sub(start)
    }

    fn charge(&self, bytes: u64, budget: &mut Budget) -> Result<(), BakeError> {
        let left = budget.bytes_left();
        budget.charge_bytes(len_from_u64(bytes)).map_err(|_| BakeError::Limit {
            frames: self.len(),
            bytes,
            left,
        })
    }
}

/// The keys of the frames.
struct Keys<T> {
    times: Vec<f64>,
    values: Vec<T>,
    max_error: f64,
}

impl<T> Keys<T> {
    fn into_baked(
        self,
        grid: &Grid,
        values: impl FnOnce(Vec<T>) -> Values,
    ) -> Result<Baked, BakeError> {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(self.times, values(self.values), linear, None)
            // The grid has only finite times, and they rise.
            .map_err(|_| BakeError::Rate { rate: grid.rate })?;
        Ok(Baked { data, max_error: self.max_error })
    }
}

/// Follows a track from frame to frame, converts its values and measures what the frames miss.
fn follow<F: Real, T: Interpolate, U: Interpolate>(
    data: &TrackData,
    column: Column<'_, T>,
    convert: impl Fn(T) -> U,
    grid: &Grid,
    budget: &mut Budget,
) -> Result<Keys<U>, BakeError> {
    let reader = Reader::<F, T>::new(data, column);
    let mut source = Source { reader, cursor: Cursor::default(), convert, next: 0 };
    let frames = if data.is_empty() { 0 } else { grid.len() };
    let key_size = u64_from_len(size_of::<f64>().saturating_add(size_of::<U>()));
    grid.charge(frames.saturating_mul(key_size), budget)?;
    let mut keys = Keys { times: Vec::new(), values: Vec::new(), max_error: 0.0 };
    memory::reserve(&mut keys.times, len_from_u64(frames))?;
    memory::reserve(&mut keys.values, len_from_u64(frames))?;
    let mut last: Option<(f64, U)> = None;
    for frame in grid.frames.clone() {
        let end = grid.time(frame);
        let probes = last.map(|(start, _)| source.probe(start, end));
        let Some(to) = source.at(end) else { break };
        match (last, probes) {
            (Some((start, from)), Some(probes)) => {
                let span = Span { start, end, from, to };
                keys.max_error = keys.max_error.max(source.error(&span, probes));
            }
            _ => keys.max_error = source.begin(end, to),
        }
        keys.times.push(end);
        keys.values.push(to);
        last = Some((end, to));
    }
    Ok(keys)
}

/// Where between two keys the error is measured, as parts of the way.
///
/// One is irrational: at even parts, angles that turn a whole number of times would go unseen.
pub(crate) const PROBES: [f64; 4] = [0.25, 0.381_966_011_250_105, 0.5, 0.75];

/// The way from one frame to the next.
struct Span<U> {
    start: f64,
    end: f64,
    from: U,
    to: U,
}

impl<U: Interpolate> Span<U> {
    fn part(&self, time: f64) -> f64 {
        ((time - self.start) / (self.end - self.start)).clamp(0.0, 1.0)
    }

    /// Returns how far a value of the source is from the one that the frames give.
    fn error(&self, part: f64, source: U) -> f64 {
        if part < 1.0 { self.error_before(part, source) } else { self.to.distance(source) }
    }

    /// As [`error`](Self::error) just before, where what holds has not reached the next frame.
    fn error_before(&self, part: f64, source: U) -> f64 {
        U::linear::<f64>(self.from, self.to, part, Slerp::Directions).distance(source)
    }
}

/// A track that is baked, its values converted.
struct Source<'a, F: Real, T, C> {
    reader: Reader<'a, F, T>,
    cursor: Cursor,
    convert: C,
    /// The first key that the frames have not reached.
    next: usize,
}

impl<F: Real, T: Interpolate, U: Interpolate, C: Fn(T) -> U> Source<'_, F, T, C> {
    fn at(&mut self, time: f64) -> Option<U> {
        self.reader.at_from(&mut self.cursor, time).map(&self.convert)
    }

    fn probe(&mut self, start: f64, end: f64) -> [Option<U>; PROBES.len()] {
        PROBES.map(|part| self.at(start + (end - start) * part))
    }

    /// Begins with a frame; returns how far it is from what shows before it, if the first key
    /// comes with it.
    fn begin(&mut self, time: f64, shown: U) -> f64 {
        let Reader { segments, column } = &self.reader;
        let now = F::from_f64(time);
        self.next = segments.passed(now);
        let first = (segments.time(0) == Some(now)).then(|| segments.start_of(0));
        let before = first.and_then(|place| column.at::<F>(place)).map(&self.convert);
        before.map_or(0.0, |before| before.distance(shown))
    }

    /// Returns the largest error between two frames.
    fn error(&mut self, span: &Span<U>, probes: [Option<U>; PROBES.len()]) -> f64 {
        let mut largest = 0.0_f64;
        for (part, value) in PROBES.into_iter().zip(probes) {
            largest = largest.max(value.map_or(0.0, |value| span.error(part, value)));
        }
        let end = F::from_f64(span.end);
        while let Some(time) = self.reader.segments.time(self.next).filter(|time| *time <= end) {
            largest = largest.max(self.error_at_key(span, self.next, time));
            self.next = self.next.saturating_add(1);
        }
        largest
    }

    /// Returns the larger error of the one just before a key and the one at it.
    ///
    /// Of keys at the same time only the first has a way before it, and only the last one shows.
    fn error_at_key(&self, span: &Span<U>, key: usize, time: F) -> f64 {
        let Reader { segments, column, .. } = &self.reader;
        let part = span.part(time.to_f64());
        let value = |place| column.at::<F>(place).map(&self.convert);
        let differs = |other: &usize| segments.time(*other) != Some(time);
        let before = key.checked_sub(1).filter(differs).and_then(|key| value(segments.end_of(key)));
        let next = key.saturating_add(1);
        let at = Some(next).filter(differs).and_then(|_| value(segments.start_of(key)));
        let before = before.map_or(0.0, |value| span.error_before(part, value));
        before.max(at.map_or(0.0, |value| span.error(part, value)))
    }
}

/// Why a track cannot be baked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BakeError {
    /// The frame rate gives frames no finite times that rise.
    Rate {
        /// Frames a second.
        rate: f64,
    },
    /// The keys would need more memory than the limits allow.
    Limit {
        /// How many frames there would be.
        frames: u64,
        /// Bytes that they need.
        bytes: u64,
        /// Bytes that the budget has left.
        left: u64,
    },
    /// The values are no Euler angles.
    NotEuler {
        /// Their kind.
        kind: ValueKind,
    },
    /// The values are no quaternions.
    NotRotation {
        /// Their kind.
        kind: ValueKind,
    },
    /// The bound of the error is no positive finite number.
    Bound {
        /// In the unit of the values.
        bound: f64,
    },
    /// The keys that keep the error within the bound would need more memory than the limits allow.
    Keys {
        /// How many keys there would be at least.
        keys: u64,
        /// In the unit of the values.
        bound: f64,
        /// Bytes that the budget had left for them.
        left: u64,
    },
    /// The system has less memory than the keys need.
    Memory(OutOfMemory),
}

impl From<OutOfMemory> for BakeError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { rate } => {
                write!(f, "expected a positive frame rate such as 30, found {rate}")
            }
            Self::Limit { frames, bytes, left } => write!(
                f,
                "{frames} frames need {bytes} bytes, the limit leaves {left}; take a lower frame \
                 rate or {RAISE_DECODED}"
            ),
            Self::NotEuler { kind } => {
                write!(f, "expected angles of kind float3 or double3, found {kind}")
            }
            Self::NotRotation { kind } => {
                write!(f, "expected rotations of kind floatQ or doubleQ, found {kind}")
            }
            Self::Bound { bound } => {
                write!(f, "expected a positive bound of the error such as 0.0001, found {bound}")
            }
            Self::Keys { keys, bound, left } => write!(
                f,
                "at least {keys} keys are needed for an error of at most {bound:.3e}, the limit \
                 leaves {left} bytes; take a larger bound or {RAISE_DECODED}"
            ),
            Self::Memory(error) => ReadErrorKind::from(*error).fmt(f),
        }
    }
}

impl core::error::Error for BakeError {}
