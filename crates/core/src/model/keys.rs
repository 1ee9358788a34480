//! What conversions do to the keys of a file before they make a track of them.

use crate::num::u64_from_len;
use crate::{
    BakeError, Baked, Baker, Budget, DEFAULT_BOUND, Finding, Findings, Grid, Interpolation,
    KeysError, Path, Rules, Shape, StatedError, TrackData, ValueKind, Values, codes,
};

/// Which keys of a file to keep, in which order, and when they are.
///
/// The times of a track are finite and never decrease, those of a file may do anything. The
/// order is found before anything else is decoded, and takes the room of the times, so that
/// keys in a wrong order cost no more memory than others: the other columns are made
/// [in the order](column()) at once, and then [the times](Self::into_times) in its place.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::{KeyOrder, column};
///
/// let keys = [(2.0, 'a'), (f64::NAN, 'b'), (1.0, 'c'), (2.0, 'd')];
/// let time = |index: usize| keys[index].0;
/// let order = KeyOrder::of(vec![2.0, f64::NAN, 1.0, 2.0], time);
/// assert_eq!(order, KeyOrder::Gather { indices: vec![2, 0, 3], moved: 2, dropped: 1 });
/// assert_eq!(column(&keys, order.indices(), |key| key.1), ['c', 'a', 'd']);
/// assert_eq!(order.into_times(time), [1.0, 2.0, 2.0]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum KeyOrder {
    /// All keys, as they are.
    AsIs {
        /// When they are, in seconds.
        times: Vec<f64>,
    },
    /// Some keys, in the order of their times; equal times keep the order of the file.
    Gather {
        /// The keys of the file to take.
        indices: Vec<usize>,
        /// How many kept keys are not where they were among the kept ones.
        moved: usize,
        /// How many keys have no finite time.
        dropped: usize,
    },
}

impl KeyOrder {
    /// Finds the order of keys by their times in seconds; `time` tells each of them again.
    pub fn of(times: Vec<f64>, time: impl Fn(usize) -> f64) -> Self {
        if are_sorted(&times) {
            return Self::AsIs { times };
        }
        let keys = times.len();
        drop(times);
        Self::gather(keys, time)
    }

    /// Finds the order of keys by their times in seconds, which are held until it is found.
    pub fn of_times(times: Vec<f64>) -> Self {
        if are_sorted(&times) {
            return Self::AsIs { times };
        }
        Self::gather(times.len(), |index| times.get(index).copied().unwrap_or(f64::NAN))
    }

    fn gather(keys: usize, time: impl Fn(usize) -> f64) -> Self {
        let finite = || (0..keys).filter(|index| time(*index).is_finite());
        let mut indices = Vec::with_capacity(finite().count());
        indices.extend(finite());
        // Total on finite numbers; -0.0 and 0.0 are the same time. The indices make it what a
        // stable sort would do, without the memory that one takes.
        indices.sort_unstable_by(|a, b| {
            time(*a).partial_cmp(&time(*b)).unwrap_or(core::cmp::Ordering::Equal).then(a.cmp(b))
        });
        let moved = indices.iter().zip(finite()).filter(|(after, before)| **after != *before);
        let (moved, dropped) = (moved.count(), keys.saturating_sub(indices.len()));
        Self::Gather { indices, moved, dropped }
    }

    /// Returns the keys of the file to take, in order; `None` for all as they are.
    pub fn indices(&self) -> Option<&[usize]> {
        match self {
            Self::AsIs { .. } => None,
            Self::Gather { indices, .. } => Some(indices),
        }
    }

    /// Brings a column of the file into this order.
    #[must_use]
    pub fn apply(&self, values: Values) -> Values {
        match self.indices() {
            None => values,
            Some(indices) => values.gather(indices),
        }
    }

    /// Returns the times in this order, in the memory that the order takes; `time` is that of a
    /// key of the file.
    pub fn into_times(self, time: impl Fn(usize) -> f64) -> Vec<f64> {
        match self {
            Self::AsIs { times } => times,
            // Collecting what a vector held into elements of the same size keeps its memory.
            Self::Gather { indices, .. } => indices.into_iter().map(time).collect(),
        }
    }

    /// Reports what the order changes about the track at `path`.
    pub fn report(&self, path: impl Fn() -> Path, findings: &mut Findings) {
        let Self::Gather { moved, dropped, .. } = self else { return };
        if *dropped > 0 {
            findings.add(codes::TIME_NOT_FINITE, || {
                Finding::new(codes::TIME_NOT_FINITE, format!("{dropped} keys are dropped"))
                    .at(path())
                    .count(u64_from_len(*dropped))
            });
        }
        if *moved > 0 {
            findings.add(codes::TIMES_SORTED, || {
                Finding::new(codes::TIMES_SORTED, format!("{moved} keys changed places"))
                    .at(path())
                    .count(u64_from_len(*moved))
            });
        }
    }
}

/// Returns something of each key: of all, or of those at `indices` in their order.
///
/// Indices past the end are left out. The column takes the memory that it needs and no more.
pub fn column<K, T>(keys: &[K], indices: Option<&[usize]>, of: impl Fn(&K) -> T) -> Vec<T> {
    let Some(indices) = indices else { return keys.iter().map(of).collect() };
    let mut column = Vec::with_capacity(indices.len());
    column.extend(indices.iter().filter_map(|&index| keys.get(index)).map(of));
    column
}

/// A track without what was before time 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct CutTrack {
    /// The keys.
    pub data: TrackData,
    /// How many keys were before 0.
    pub early: usize,
    /// How far the rest plays from what it did.
    pub error: StatedError,
}

/// Cuts what is before time 0: the value at 0 becomes the first key, and earlier keys are dropped.
///
/// What remains plays as before: a curve through 0 gets the tangents of its part. Two kinds of
/// segments have no part of their own kind: a Bezier curve of quaternions or of `color32` becomes
/// linear keys within [`DEFAULT_BOUND`](crate::DEFAULT_BOUND), and a line of integers may round
/// differently, by 1. Uniform keys are never before 0.
///
/// # Errors
///
/// When baking costs more than the budget has.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::cut_before_zero;
/// use inbetween_core::{Budget, Interpolation, Interpolations, Limits, Rules, TrackData, Values};
///
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let data = TrackData::curve(vec![-1.0, 1.0], vec![0.0_f32, 4.0], linear, None)?;
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let cut = cut_before_zero(data, Rules::LINEAR, &mut budget)?;
/// assert_eq!(*cut.data.values(), Values::from(vec![2.0_f32, 4.0]));
/// assert_eq!((cut.data.time(0), cut.early), (Some(0.0), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cut_before_zero(
    data: TrackData,
    rules: Rules,
    budget: &mut Budget,
) -> Result<CutTrack, BakeError> {
    let early = match data.shape() {
        Shape::Uniform { .. } => 0,
        Shape::Stepped { times } | Shape::Curve { times, .. } => {
            times.partition_point(|&time| time < 0.0)
        }
    };
    let mut cut = CutTrack { data, early, error: StatedError::default() };
    let Some(last_early) = early.checked_sub(1) else { return Ok(cut) };
    let data = &cut.data;
    let shaped = data.kind().is_quaternion() || data.kind() == ValueKind::Color32;
    let curved = data.interpolation(last_early).needs_tangents() && data.tangents().is_some();
    let crosses = early < data.len() && data.time(early) != Some(0.0);
    if crosses && curved && shaped {
        let mut baker = Baker::new(Grid::Bound(DEFAULT_BOUND), budget).for_target(rules);
        let Baked { data, error, .. } = baker.linear(data, rules)?;
        return Ok(CutTrack { early, error, ..cut_before_zero(data, rules, budget)? });
    }
    let whole = data.kind().interpolates() && !data.kind().is_float();
    if crosses && whole && data.interpolation(last_early) != Interpolation::Hold {
        cut.error = StatedError::of_value(1.0);
    }
    cut.data = from_zero(cut.data, last_early, rules).map_err(|_| BakeError::Times)?;
    Ok(cut)
}

/// Returns the keys from 0 on, the last one before it moved to 0 where there is none at 0.
fn from_zero(data: TrackData, last_early: usize, rules: Rules) -> Result<TrackData, KeysError> {
    let first = last_early.saturating_add(1);
    // A key at 0 shows by itself what is there; otherwise the last early key moves to 0.
    let moved = data.time(first) != Some(0.0);
    let at_zero = rules.sample(&data, 0.0);
    let part = if moved { crate::bake::part_from(&data, last_early, rules) } else { None };
    let indices: Vec<usize> = (if moved { last_early } else { first }..data.len()).collect();
    let (shape, values) = data.into_parts();
    let mut values = values.gather(&indices);
    if let (true, Some(value)) = (moved, at_zero) {
        values.set(0, value);
    }
    let gather = |times: &[f64]| -> Vec<f64> {
        indices.iter().filter_map(|&index| times.get(index)).map(|time| time.max(0.0)).collect()
    };
    match shape {
        Shape::Stepped { times } => TrackData::stepped(gather(&times), values),
        Shape::Curve { times, interpolation, tangents } => {
            let hermite = interpolation.get(last_early) == Interpolation::Hermite;
            let mut tangents = tangents.map(|tangents| tangents.gather(&indices, times.len()));
            if let (Some(part), Some(tangents)) = (part, &mut tangents) {
                tangents.shape_first(&part, hermite);
            }
            let times = gather(&times);
            TrackData::curve(times, values, interpolation.gather(&indices), tangents)
        }
        Shape::Uniform { interval } => Ok(TrackData::uniform(interval, values)),
    }
}

/// Says whether times are finite and never decrease.
pub(crate) fn are_sorted(times: &[f64]) -> bool {
    // Without an early end the comparisons run side by side. NaN is not in order with
    // anything, and between two finite ends in order nothing is infinite.
    let next = times.get(1..).unwrap_or_default();
    let in_order = |(time, next): (&f64, &f64)| time <= next;
    let sorted = times.iter().zip(next).fold(true, |sorted, pair| sorted & in_order(pair));
    let ends = [times.first(), times.last()].into_iter().flatten();
    sorted && ends.copied().all(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::{CutTrack, KeyOrder, are_sorted};
    use crate::{
        Budget, Interpolation, Interpolations, Limits, Rules, Tangents, TrackData, Values,
    };

    fn cut(data: TrackData) -> (TrackData, usize) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let CutTrack { data, early, .. } =
            super::cut_before_zero(data, Rules::LINEAR, &mut budget).unwrap();
        (data, early)
    }

    #[test]
    fn a_curve_through_zero_plays_the_rest_as_before() {
        for interpolation in [Interpolation::Hermite, Interpolation::Bezier] {
            let side = |a: f64, b: f64| Values::from(vec![a, b]);
            let tangents = Tangents::Values { left: side(0.0, 2.0), right: side(7.0, 0.0) };
            let shared = Interpolations::Shared(interpolation);
            let data =
                TrackData::curve(vec![-1.0, 2.0], vec![1.0, 5.0], shared, Some(tangents)).unwrap();
            let (rest, _) = cut(data.clone());
            for step in 0..=16_u8 {
                let time = f64::from(step) / 8.0;
                let sample = |data| Rules::LINEAR.sample(data, time).unwrap().number().unwrap();
                assert!((sample(&data) - sample(&rest)).abs() < 1e-14, "{interpolation:?} {time}");
            }
        }
    }

    #[test]
    fn a_held_value_reaches_from_before_zero_to_zero() {
        let data = TrackData::stepped(vec![-2.0, -1.0, 3.0], vec![1_i32, 2, 3]).unwrap();
        let (cut, gone) = cut(data);
        assert_eq!((cut.time(0), cut.time(1), gone), (Some(0.0), Some(3.0), 2));
        assert_eq!(*cut.values(), Values::from(vec![2_i32, 3]));
    }

    #[test]
    fn a_key_at_zero_stays_as_it_is() {
        let data = TrackData::stepped(vec![-2.0, 0.0], vec![1_i32, 2]).unwrap();
        let (cut, gone) = cut(data);
        assert_eq!((cut.len(), gone), (1, 1));
        assert_eq!(*cut.values(), Values::from(vec![2_i32]));
    }

    #[test]
    fn keys_that_are_all_early_leave_their_last_value() {
        let data = TrackData::stepped(vec![-2.0, -1.0], vec![1_i32, 2]).unwrap();
        let (cut, _) = cut(data);
        assert_eq!((cut.time(0), cut.value(0)), (Some(0.0), Some(crate::Value::Int(2))));
    }

    #[test]
    fn equal_times_keep_the_order_of_the_file() {
        let times = [1.0, -0.0, 1.0, 0.0];
        let order = KeyOrder::of(times.to_vec(), |index| times[index]);
        assert_eq!(order, KeyOrder::Gather { indices: vec![1, 3, 0, 2], moved: 4, dropped: 0 });
        let sorted = order.into_times(|index| times[index]);
        assert_eq!(
            sorted.iter().map(|time| time.to_bits()).collect::<Vec<_>>(),
            [-0.0_f64, 0.0, 1.0, 1.0].map(f64::to_bits)
        );
    }

    #[test]
    fn the_times_take_the_place_of_the_order() {
        let times = [2.0, 1.0, f64::NAN];
        let order = KeyOrder::of(times.to_vec(), |index| times[index]);
        let place = order.indices().map(|indices| indices.as_ptr().addr());
        let sorted = order.into_times(|index| times[index]);
        assert_eq!((&*sorted, sorted.capacity()), (&[1.0, 2.0][..], 2));
        assert_eq!(place, Some(sorted.as_ptr().addr()));
    }

    #[test]
    fn times_that_are_not_finite_are_never_in_order() {
        for times in
            [[0.0, 1.0, f64::INFINITY], [f64::NEG_INFINITY, 0.0, 1.0], [0.0, f64::NAN, 1.0]]
        {
            assert!(!are_sorted(&times), "{times:?}");
        }
        assert!(!are_sorted(&[f64::NAN]));
        assert!(are_sorted(&[-1.0, -0.0, 0.0, 0.0, 2.0]));
    }

    #[test]
    fn no_keys_are_in_order() {
        assert_eq!(KeyOrder::of(Vec::new(), |_| f64::NAN), KeyOrder::AsIs { times: Vec::new() });
    }
}
