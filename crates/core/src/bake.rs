//! Replaces the keys of a track by keys that a target can store: on frames or within a bound, of
//! the same kind or another. The error is measured.

mod channel;
mod cubic;
mod cut;
mod error;
mod fit;
mod frames;
mod grid;
pub mod lower;
mod measure;
mod new_keys;
mod on_frames;
mod rotation;
mod source;
mod space;
mod translate;
mod unit;

use crate::model::frames::on_every_frame;
use crate::model::rows;
use crate::{
    Budget, Code, EulerOrder, Finding, FullTurn, Handle, Identical as _, Interpolation,
    Interpolations, KeyColumns, Property, Rules, StatedError, Tangents, TrackData, ValueKind,
    codes, memory, num,
};
pub use channel::{Channel, ChannelTracks};
pub use cut::{CutTrack, KeptPart, cut};
pub use error::BakeError;
use fit::within_bound;
pub use frames::Framer;
pub(crate) use frames::choose_rate;
pub use grid::{Bound, Curves, DEFAULT_BOUND, FrameKeys, Grid};
pub use measure::Difference;
use measure::Signal;
use new_keys::Costs;
use on_frames::{Frames, Shown, on_frames};
pub use rotation::is_unit;
use source::{Joined, Segments, Width};
use space::{Angles, Numbers, QuaternionKeys, Quaternions, Space};
pub use translate::{Translated, translate};
pub use unit::{Normalized, normalize};

/// The keys that replace a track.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Baked {
    /// The keys. In linear curves, a jump becomes two keys at the same time if they are not on
    /// frames.
    pub data: TrackData,
    /// The measured difference of these keys from the track, in radians for rotations.
    ///
    /// Nothing is measured before time 0 on frames.
    pub difference: Difference,
    /// The largest time in seconds by which a jump moved.
    pub time_shift: f64,
    /// The bound that the keys had to meet. Keys on frames have the default one, or none if every
    /// frame has a key of the track.
    bound: f64,
}

impl Baked {
    /// Returns the error to state.
    pub const fn error(&self) -> StatedError {
        StatedError { time_shift: self.time_shift, ..self.difference.error() }
    }

    /// Returns the finding that keys were replaced, with the code and the message for that, and
    /// those for a bound that is not met and for values that cannot be measured.
    pub fn findings(&self, code: Code, message: &str) -> impl Iterator<Item = Finding> + use<> {
        let error = self.error();
        let message = format!("{message}{}", error.and_text());
        let baked = Finding::new(code, message).error(error);
        let beyond = (error.value > self.bound).then(|| {
            let at = crate::significant(self.difference.time);
            Finding::new(codes::BOUND_EXCEEDED, format!("{error}, first at {at} s"))
        });
        [baked].into_iter().chain(beyond).chain(self.difference.findings())
    }
}

impl Difference {
    /// Returns the findings about values that cannot be measured.
    pub fn findings(&self) -> impl Iterator<Item = Finding> + use<> {
        let at = |time: f64| format!("at {} s", crate::significant(time));
        let undefined = self.undefined.map(|time| Finding::new(codes::VALUE_UNDEFINED, at(time)));
        let unmeasured = self.unmeasured.map(|time| {
            Finding::new(codes::ERROR_NOT_MEASURED, format!("the segment {}", at(time)))
        });
        undefined.into_iter().chain(unmeasured)
    }
}

/// Creates keys on a grid.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Baker, Bound, Budget, Curves, Grid, Limits, Rules, TrackData};
///
/// let steps = TrackData::stepped(vec![0.0, 1.0], vec![0.0_f32, 3.0])?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let baker = Baker::new(Grid::Bound(Bound::new(Curves::Linear)));
/// let baked = baker.same_kind(&steps, Rules::LINEAR, &mut budget)?;
/// let times: Vec<_> = baked.data.times().collect();
/// assert_eq!((times, baked.error().value), (vec![0.0, 1.0, 1.0], 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Baker {
    /// The times at which keys are created.
    pub grid: Grid,
    /// The rules by which the new keys will play.
    pub target: Rules,
}

impl Baker {
    /// Creates a baker of keys that play by [`Rules::LINEAR`].
    pub const fn new(grid: Grid) -> Self {
        Self { grid, target: Rules::LINEAR }
    }

    /// Returns the baker for other rules of the new keys.
    #[must_use]
    pub const fn for_target(mut self, target: Rules) -> Self {
        self.target = target;
        self
    }

    /// Creates keys of the kind of a track.
    ///
    /// Returns no keys for a track without keys.
    ///
    /// # Errors
    ///
    /// If the keys cost more than the budget has, the last key is beyond the last frame that `u32`
    /// can count, or the rate or the bound is not a positive finite number.
    pub fn same_kind(
        &self,
        data: &TrackData,
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let (kind, segments) = (data.kind(), Segments::new(data, rules));
        match rows::width(kind) {
            _ if kind.is_quaternion() => self.quaternion_keys(&segments.turns(), kind, budget),
            0 => self.steps(data, &Property::Custom(None), budget),
            1 => self.rows::<1>(&segments.signal(), kind, budget),
            2 | 3 => self.rows::<3>(&segments.signal(), kind, budget),
            4 => self.rows::<4>(&segments.signal(), kind, budget),
            _ => self.rows::<16>(&segments.signal(), kind, budget),
        }
    }

    /// Like [`same_kind`](Self::same_kind) for a property: the errors of Euler angles are those of
    /// the rotation.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind).
    pub fn same_property(
        &self,
        data: &TrackData,
        property: &Property,
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        match property {
            Property::RotationEuler(order) if data.kind().is_vector3() => self.angle_keys(
                &Segments::new(data, rules).angles(*order),
                *order,
                data.kind(),
                budget,
            ),
            // One angle alone turns by as much as the whole rotation.
            Property::RotationEuler(_) => {
                let mut baked = self.same_kind(data, rules, budget)?;
                let one = Channel::of_track(property, data, rules);
                // New keys play without the rule for full turns.
                let plain = self.target.with_full_turn(FullTurn::Kept);
                let other = Channel::of_track(property, &baked.data, plain);
                baked.difference = one.difference(&other).unwrap_or_default();
                Ok(baked)
            }
            _ => self.same_kind(data, rules, budget),
        }
    }

    fn rows<const N: usize>(
        &self,
        signal: &Signal<'_, source::Row<N>>,
        kind: ValueKind,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        self.keys(signal, Numbers(Width::of(kind)), kind, budget)
    }

    fn quaternion_keys(
        &self,
        signal: &Signal<'_, rotation::Turn>,
        kind: ValueKind,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let (width, slerp) = (Width::of(kind), self.target.slerp);
        self.keys(signal, Quaternions { width, slerp, keys: QuaternionKeys::Any }, kind, budget)
    }

    /// Replaces quaternions by unit quaternions that are less than a half turn apart, and all
    /// segments by those of the grid.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind), and if the values are not quaternions.
    pub fn unit_rotations(
        &self,
        data: &TrackData,
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let kind = data.kind();
        if !kind.is_quaternion() {
            return Err(BakeError::NotRotation { kind });
        }
        self.unit_quaternions(&Segments::new(data, rules).turns(), kind, budget)
    }

    fn unit_quaternions(
        &self,
        signal: &Signal<'_, rotation::Turn>,
        kind: ValueKind,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let (width, slerp) = (Width::of(kind), self.target.slerp);
        self.keys(signal, Quaternions { width, slerp, keys: QuaternionKeys::Unit }, kind, budget)
    }

    fn angle_keys(
        &self,
        signal: &Signal<'_, rotation::Turn>,
        order: EulerOrder,
        kind: ValueKind,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        self.keys(signal, Angles { order, width: Width::of(kind) }, kind, budget)
    }

    /// Converts Euler angles to quaternions: `float3` to `floatQ`, `double3` to `doubleQ`.
    ///
    /// Within a bound, no angle changes by more than a quarter turn between two keys if the keys
    /// are not closer than half a frame, so a whole turn is preserved. The first quaternion has a
    /// positive w, and each of the others the sign that is nearer to the previous one.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind), and if the values are neither `float3` nor
    /// `double3`.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_core::{
    ///     Baker, Bound, Budget, Curves, EulerOrder, Grid, Interpolation, Interpolations, Limits,
    ///     Rules, TrackData,
    /// };
    ///
    /// // A whole turn about z: the two keys are the same rotation.
    /// let values = vec![[0.0_f64; 3], [0.0, 0.0, std::f64::consts::TAU]];
    /// let linear = Interpolations::Shared(Interpolation::Linear);
    /// let angles = TrackData::curve(vec![0.0, 60.0], values, linear, None)?;
    /// let mut budget = Budget::new(&Limits::default(), 0);
    /// let baker = Baker::new(Grid::Bound(Bound::new(Curves::Linear)));
    /// let baked = baker.quaternions(&angles, EulerOrder::XYZ, Rules::LINEAR, &mut budget)?;
    /// assert_eq!((baked.data.len(), baked.data.time(1)), (5, Some(15.0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn quaternions(
        &self,
        data: &TrackData,
        order: EulerOrder,
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let kind = match data.kind() {
            ValueKind::Float3 => ValueKind::FloatQ,
            ValueKind::Double3 => ValueKind::DoubleQ,
            kind => return Err(BakeError::NotEuler { kind }),
        };
        self.quaternion_keys(&Segments::new(data, rules).angles(order), kind, budget)
    }

    /// Converts rotations to Euler angles in radians: quaternions, or angles of the order `from`.
    ///
    /// Angles continue from key to key and may pass pi: see [`EulerOrder::angles`]. A rotation
    /// without direction repeats the angles of the previous key.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind), and if the values are neither quaternions nor
    /// vectors of three numbers.
    pub fn angles(
        &self,
        data: &TrackData,
        from: EulerOrder,
        order: EulerOrder,
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let segments = Segments::new(data, rules);
        match data.kind() {
            ValueKind::FloatQ => {
                self.angle_keys(&segments.turns(), order, ValueKind::Float3, budget)
            }
            ValueKind::DoubleQ => {
                self.angle_keys(&segments.turns(), order, ValueKind::Double3, budget)
            }
            kind if kind.is_vector3() => {
                self.angle_keys(&segments.angles(from), order, kind, budget)
            }
            kind => Err(BakeError::NotRotation { kind }),
        }
    }

    /// Joins up to three tracks of numbers, one per axis, into one of vectors. An axis without a
    /// track has the value of `rest`.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind).
    pub fn join(
        &self,
        parts: &[Option<TrackData>; 3],
        rest: [f64; 3],
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let kind = if is_wide(parts) { ValueKind::Double3 } else { ValueKind::Float3 };
        let joined = Joined::new(parts.each_ref().map(Option::as_ref), rest, rules);
        let (mut baker, signal) = (*self, joined.signal::<3>());
        if is_straight(&signal) {
            // Lines need keys only at the times of their keys, on frames or not.
            baker.grid = Grid::Bound(Bound::new(Curves::Linear).with_error(f64::MAX));
        }
        baker.rows(&signal, kind, budget)
    }

    /// Joins up to three tracks of Euler angles, one per axis, into one of quaternions. A missing
    /// angle has the value of `rest`.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind).
    pub fn join_quaternions(
        &self,
        order: EulerOrder,
        parts: &[Option<TrackData>; 3],
        rest: [f64; 3],
        rules: Rules,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let kind = if is_wide(parts) { ValueKind::DoubleQ } else { ValueKind::FloatQ };
        let joined = Joined::new(parts.each_ref().map(Option::as_ref), rest, rules);
        self.quaternion_keys(&joined.angles(order), kind, budget)
    }

    fn keys<const N: usize, S: Space<N>>(
        &self,
        signal: &Signal<'_, S::Piece>,
        space: S,
        kind: ValueKind,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let key = size_of::<f64>() + kind.encoded_size().unwrap_or(0);
        let mut costs = Costs { budget, key };
        let (keys, bound) = match self.grid {
            Grid::Frames(rate, which) => {
                let keys = on_frames(signal, space, (rate, which), &mut costs)?;
                // If every frame has a key of the track already, no other keys can show more of it.
                let all = keys.shift == 0.0 && on_every_frame(signal.times.iter().copied(), rate);
                (keys, if all { f64::INFINITY } else { DEFAULT_BOUND })
            }
            Grid::Bound(bound) => (within_bound(signal, space, bound, &mut costs)?, bound.error),
        };
        let (difference, time_shift) = (keys.error, keys.shift);
        Ok(Baked { data: keys.into_data(kind)?, difference, time_shift, bound })
    }

    /// Replaces the keys of a track that holds by one per frame; these hold too.
    ///
    /// A jump between two frames shows at the later one. The error is the height of the jump, and
    /// the time shift is its delay.
    ///
    /// # Errors
    ///
    /// Same as [`same_kind`](Self::same_kind), and if the grid is not one of frames.
    pub fn steps(
        &self,
        data: &TrackData,
        property: &Property,
        budget: &mut Budget,
    ) -> Result<Baked, BakeError> {
        let Grid::Frames(rate, _) = self.grid else {
            return Err(BakeError::Held { kind: data.kind() });
        };
        let times = Segments::new(data, Rules::LINEAR).times();
        let mut shown = Shown { times: Vec::new(), keys: Vec::new(), late: 0.0 };
        let key = size_of::<f64>() + data.kind().encoded_size().unwrap_or(16);
        if let Some(mut frames) = Frames::enclosing(&times, rate)? {
            if frames.first_times(&times) > 1 {
                frames.begin_earlier();
            }
            Costs { budget, key }.charge_frames(frames.len())?;
            shown.find(&times, &frames);
        }
        let texts = data.values().as_strings();
        let lengths = shown.keys.iter().filter_map(|&key| texts?.get(key)?).map(str::len);
        let bytes = lengths.fold(0, usize::saturating_add);
        let left = budget.bytes_left();
        let frames = num::u64_from_len(shown.keys.len());
        let failed = |_| BakeError::Limit { frames, bytes: num::u64_from_len(bytes), left };
        budget.charge_bytes(bytes).map_err(failed)?;
        memory::ensure(bytes)?;
        let values = data.values().gather(&shown.keys);
        let baked = TrackData::stepped(shown.times, values)?;
        let channel = |data| Channel::of_track(property, data, Rules::LINEAR);
        let difference = channel(data).difference(&channel(&baked)).unwrap_or_default();
        let jumps = difference.value > 0.0 || difference.undefined.is_some();
        let time_shift = if jumps { shown.late } else { 0.0 };
        Ok(Baked { data: baked, difference, time_shift, bound: DEFAULT_BOUND })
    }
}

/// Returns whether all pieces are lines, each from the end of the one before.
fn is_straight(signal: &Signal<'_, source::Row<3>>) -> bool {
    let starts =
        signal.times.is_empty() || signal.early.at(0.0).identical(&(signal.piece)(0).at(0.0));
    starts
        && (1..signal.times.len()).all(|next| {
            let piece = (signal.piece)(next - 1);
            let begins = (signal.piece)(next).at(0.0);
            piece.curves.iter().all(|curve| curve.is_line()) && piece.at(1.0).identical(&begins)
        })
}

fn is_wide(parts: &[Option<TrackData>; 3]) -> bool {
    parts.iter().flatten().any(|part| part.kind() == ValueKind::Double)
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
    let keys = KeyColumns { interpolation, tangents, ..KeyColumns::of(data) };
    Ok((keys.into_data()?, rounded))
}
