//! What conversions do to the keys of a file before they make a track of them.

use crate::num::u64_from_len;
use crate::{Evaluator, Finding, Findings, KeysError, Path, Shape, TrackData, Values, codes};

/// Which keys of a file to keep, and in which order.
///
/// The times of a track are finite and never decrease, those of a file may do anything.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::KeyOrder;
///
/// assert_eq!(KeyOrder::of(&[0.0, 1.0]), KeyOrder::AsIs);
/// let order = KeyOrder::of(&[2.0, f64::NAN, 1.0, 2.0]);
/// assert_eq!(order, KeyOrder::Gather { indices: vec![2, 0, 3], moved: 2, dropped: 1 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyOrder {
    /// All keys, as they are.
    AsIs,
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
    /// Finds the order for the times of a file.
    pub fn of(times: &[f64]) -> Self {
        let sorted = times.is_sorted() && times.iter().all(|time| time.is_finite());
        if sorted {
            return Self::AsIs;
        }
        let finite: Vec<(usize, f64)> =
            times.iter().copied().enumerate().filter(|(_, time)| time.is_finite()).collect();
        let dropped = times.len().saturating_sub(finite.len());
        let mut order = finite.clone();
        // Stable, and total on finite numbers; -0.0 and 0.0 are the same time.
        order.sort_by(|(_, a), (_, b)| a.partial_cmp(b).unwrap_or(core::cmp::Ordering::Equal));
        let moved = order.iter().zip(&finite).filter(|(after, before)| after.0 != before.0).count();
        Self::Gather {
            indices: order.into_iter().map(|(index, _)| index).collect(),
            moved,
            dropped,
        }
    }

    /// Brings the columns of a track into this order.
    pub fn apply(&self, times: Vec<f64>, values: Values) -> (Vec<f64>, Values) {
        match self {
            Self::AsIs => (times, values),
            Self::Gather { indices, .. } => {
                let sorted = indices.iter().filter_map(|&index| times.get(index).copied());
                (sorted.collect(), values.gather(indices))
            }
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

/// Cuts what is before time 0: the value at 0 becomes the first key, and earlier keys go.
///
/// Returns the track and how many keys were before 0. A line that is cut plays as before; a curve that
/// is cut keeps its interpolation and tangents, but not its way, so bake it first where that
/// matters. Uniform keys are never before 0.
///
/// # Errors
///
/// Never for keys that are a track; the type says so to callers that put columns together.
///
/// # Examples
///
/// ```
/// use inbetween_core::keys::cut_before_zero;
/// use inbetween_core::{Evaluator, Interpolation, Interpolations, TrackData, Values};
///
/// let linear = Interpolations::Shared(Interpolation::Linear);
/// let data = TrackData::curve(vec![-1.0, 1.0], vec![0.0_f32, 4.0], linear, None)?;
/// let (cut, gone) = cut_before_zero(data, Evaluator::Linear)?;
/// assert_eq!(*cut.values(), Values::from(vec![2.0_f32, 4.0]));
/// assert_eq!((cut.time(0), gone), (Some(0.0), 1));
/// # Ok::<(), inbetween_core::KeysError>(())
/// ```
pub fn cut_before_zero(
    data: TrackData,
    evaluator: Evaluator,
) -> Result<(TrackData, usize), KeysError> {
    let early = match data.shape() {
        Shape::Uniform { .. } => 0,
        Shape::Stepped { times } | Shape::Curve { times, .. } => {
            times.partition_point(|&time| time < 0.0)
        }
    };
    let Some(last_early) = early.checked_sub(1) else { return Ok((data, 0)) };
    let at_zero = evaluator.sample(&data, 0.0);
    // A key at 0 says itself what is there; otherwise the last early key moves to 0.
    let moved = data.time(early) != Some(0.0);
    let indices: Vec<usize> = (if moved { last_early } else { early }..data.len()).collect();
    let (shape, values) = data.into_parts();
    let mut values = values.gather(&indices);
    if let (true, Some(value)) = (moved, at_zero) {
        values.set_first(value);
    }
    let gather = |times: &[f64]| -> Vec<f64> {
        indices.iter().filter_map(|&index| times.get(index)).map(|time| time.max(0.0)).collect()
    };
    let cut = match shape {
        Shape::Stepped { times } => TrackData::stepped(gather(&times), values)?,
        Shape::Curve { times, interpolation, tangents } => TrackData::curve(
            gather(&times),
            values,
            interpolation.gather(&indices),
            tangents.map(|tangents| tangents.gather(&indices, times.len())),
        )?,
        Shape::Uniform { interval } => TrackData::uniform(interval, values),
    };
    Ok((cut, early))
}

#[cfg(test)]
mod tests {
    use super::{KeyOrder, cut_before_zero};
    use crate::{Evaluator, TrackData, Values};

    #[test]
    fn a_held_value_reaches_from_before_zero_to_zero() {
        let data = TrackData::stepped(vec![-2.0, -1.0, 3.0], vec![1_i32, 2, 3]).unwrap();
        let (cut, gone) = cut_before_zero(data, Evaluator::Resonite).unwrap();
        assert_eq!((cut.time(0), cut.time(1), gone), (Some(0.0), Some(3.0), 2));
        assert_eq!(*cut.values(), Values::from(vec![2_i32, 3]));
    }

    #[test]
    fn a_key_at_zero_stays_as_it_is() {
        let data = TrackData::stepped(vec![-2.0, 0.0], vec![1_i32, 2]).unwrap();
        let (cut, gone) = cut_before_zero(data, Evaluator::Resonite).unwrap();
        assert_eq!((cut.len(), gone), (1, 1));
        assert_eq!(*cut.values(), Values::from(vec![2_i32]));
    }

    #[test]
    fn keys_that_are_all_early_leave_their_last_value() {
        let data = TrackData::stepped(vec![-2.0, -1.0], vec![1_i32, 2]).unwrap();
        let (cut, _) = cut_before_zero(data, Evaluator::Resonite).unwrap();
        assert_eq!((cut.time(0), cut.value(0)), (Some(0.0), Some(crate::Value::Int(2))));
    }

    #[test]
    fn equal_times_keep_the_order_of_the_file() {
        let KeyOrder::Gather { indices, moved, dropped } = KeyOrder::of(&[1.0, 0.0, 1.0, 0.0])
        else {
            panic!("the times are not sorted")
        };
        assert_eq!((indices, moved, dropped), (vec![1, 3, 0, 2], 4, 0));
    }

    #[test]
    fn no_keys_are_in_order() {
        assert_eq!(KeyOrder::of(&[]), KeyOrder::AsIs);
    }
}
