//! Creates samplers of keys that keep their values, as most keys do.

use std::rc::Rc;

use inbetween_core::{Finding, Interpolation, Interpolations, Quat, Shape, TrackData, Values, num};

use super::keys::{Quantity, Samples};
use super::rising::times_rounded;
use crate::scene::Mode;

/// The mode and the times of keys that keep their values; their times may be rounded.
#[derive(Debug, PartialEq)]
pub(super) struct PlainKeys {
    mode: Mode,
    times: Rc<[f32]>,
    /// The number of rounded times.
    rounded: usize,
}

impl PlainKeys {
    /// Returns the keys of a track if the sampler is read back as the same track, apart from rounded
    /// times; `None` if they need another change, or may need one.
    ///
    /// `last` are the times of the last such keys. Most tracks have the times of the one before, so
    /// samplers share them.
    pub(super) fn of(data: &TrackData, last: &mut Option<Rc<[f32]>>) -> Option<Self> {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let (mode, times) = match data.shape() {
            Shape::Stepped { times } => (Mode::Step, times),
            Shape::Curve { times, interpolation, tangents: None } if *interpolation == linear => {
                (Mode::Linear, times)
            }
            _ => return None,
        };
        let shared = last.as_ref().filter(|last| round_to(times, last)).cloned();
        let narrow = shared.or_else(|| rising_times(times))?;
        let is_plain = match data.values() {
            Values::Float(column) => are_finite(column),
            Values::Float3(column) => are_finite(column.as_flattened()),
            Values::FloatQ(column) => are_units(column),
            _ => false,
        };
        if !is_plain {
            return None;
        }
        *last = Some(Rc::clone(&narrow));
        Some(Self { mode, rounded: rounded(times, &narrow), times: narrow })
    }

    /// Returns the finding about rounded times.
    pub(super) fn finding(&self) -> Option<Finding> {
        times_rounded(self.rounded)
    }

    /// Creates the sampler of the keys, in the memory of their values; `None` for kinds whose keys
    /// always need a change.
    pub(super) fn sampler(self, data: TrackData) -> Option<Samples> {
        let (_, values) = data.into_parts();
        let (quantity, output) = match values {
            Values::Float(column) => (Quantity::Number, column),
            Values::Float3(column) => (Quantity::Vector, column.into_flattened()),
            Values::FloatQ(column) => {
                // Collecting items of the same size keeps the memory.
                let rows = column.into_iter().map(Quat::to_array).collect::<Vec<_>>();
                (Quantity::Rotation, rows.into_flattened())
            }
            _ => return None,
        };
        let Self { mode, times, .. } = self;
        Some(Samples { mode, width: quantity.width(), times, output })
    }
}

/// Returns whether times are these `f32` times when they are rounded.
fn round_to(times: &[f64], narrow: &[f32]) -> bool {
    // Without an early exit the comparisons are vectorized.
    let pairs = times.iter().zip(narrow);
    let bits = pairs.map(|(wide, narrow)| num::f32_from_f64(*wide).to_bits() ^ narrow.to_bits());
    times.len() == narrow.len() && bits.fold(0, |all, bits| all | bits) == 0
}

/// Returns the number of times that are not exact.
fn rounded(times: &[f64], narrow: &[f32]) -> usize {
    times.iter().zip(narrow).filter(|(wide, narrow)| **wide != f64::from(**narrow)).count()
}

/// Returns times as `f32` if these increase and are not negative.
fn rising_times(times: &[f64]) -> Option<Rc<[f32]>> {
    let narrow: Rc<[f32]> = times.iter().copied().map(num::f32_from_f64).collect();
    let is_first = narrow.first().is_none_or(|first| first.is_sign_positive());
    let is_last = narrow.last().is_none_or(|last| *last < f32::MAX);
    let rise = narrow.is_sorted_by(|one, next| one < next);
    (!times.is_empty() && is_first && is_last && rise).then_some(narrow)
}

fn are_finite(numbers: &[f32]) -> bool {
    numbers.iter().fold(true, |finite, number| finite & (number.abs() <= f32::MAX))
}

/// Returns whether all rotations are written unchanged. Those close to the tolerance of [`is_unit`]
/// may not be recognized: half of it covers the rounding of `f32`.
///
/// [`is_unit`]: super::samplers::is_unit
fn are_units(column: &[Quat<f32>]) -> bool {
    // Without an early exit the rotations are tested several at a time.
    // Unlike `f32::max`, it takes one instruction. The sum finds NaN.
    let larger = |one: f32, other: f32| if one > other { one } else { other };
    let is_unit = |rotation: &Quat<f32>| {
        let [x, y, z, w] = rotation.to_array().map(|part| part * part);
        let fits = larger(larger(x, y), larger(z, w)) <= 1.0;
        ((x + y + z + w - 1.0).abs() <= 1e-5) & fits
    };
    column.iter().fold(true, |units, rotation| units & is_unit(rotation))
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Context, Limits};

    use super::*;
    use crate::convert::samplers::{SamplerMaker, is_unit};
    use crate::options::Curves;

    fn plain(data: TrackData) -> Option<Samples> {
        PlainKeys::of(&data, &mut None)?.sampler(data)
    }

    fn linear(times: &[f64], values: Values) -> TrackData {
        let linear = Interpolations::Shared(Interpolation::Linear);
        TrackData::curve(times.to_vec(), values, linear, None).unwrap()
    }

    #[test]
    fn plain_samplers_are_those_of_a_conversion() {
        let turns = vec![Quat::IDENTITY, Quat { x: 0.6_f32, y: 0.0, z: 0.0, w: 0.8 }];
        let tracks = [
            linear(&[0.5, 1.25], turns.into()),
            linear(&[0.0, 1.0, 2.5], vec![[1.0_f32, 2.0, 3.0]; 3].into()),
            TrackData::stepped(vec![0.0, 3.0], vec![0.25_f32, f32::MIN]).unwrap(),
            linear(&[2.0], vec![7.0_f32].into()),
            linear(&[0.1, 0.2, 1.0], vec![7.0_f32, 8.0, 9.0].into()),
            linear(&[1e-50], vec![7.0_f32].into()),
        ];
        for data in tracks {
            let mut budget = Budget::new(&Limits::default(), 0);
            let mut context = Context::new(&mut budget);
            let maker = SamplerMaker { curves: Curves::Spline, gap: 0.0, frame_rate: None };
            let converted = maker.converted(&data, &mut context).unwrap();
            assert!(converted.is_some());
            let finding = PlainKeys::of(&data, &mut None).unwrap().finding();
            assert_eq!(context.findings.into_vec(), Vec::from_iter(finding), "{data:?}");
            assert_eq!(plain(data), converted);
        }
    }

    #[test]
    fn keys_that_may_need_changes_have_no_plain_sampler() {
        let one = || Values::from(vec![1.0_f32]);
        let two = || Values::from(vec![1.0_f32, 2.0]);
        for data in [
            linear(&[], Vec::<f32>::new().into()),
            linear(&[-1.0], one()),
            linear(&[-0.0], one()),
            linear(&[1e39], one()),
            linear(&[1.0, 1.0], two()),
            linear(&[1.0, 1.0 + 1e-12], two()),
            linear(&[0.0], vec![f32::NAN].into()),
            linear(&[0.0], vec![1.0_f64].into()),
            linear(&[0.0], vec![Quat { x: 0.0, y: 0.0, z: 0.0, w: 2.0_f32 }].into()),
            TrackData::uniform(1.0, two()),
        ] {
            assert_eq!(plain(data.clone()), None, "{data:?}");
        }
    }

    #[test]
    fn equal_times_are_shared() {
        let mut last = None;
        let mut times = |times: &[f64]| {
            let data = linear(times, vec![1.0_f32; times.len()].into());
            PlainKeys::of(&data, &mut last).map(|keys| keys.times)
        };
        let first = times(&[0.0, 1.0]).unwrap();
        assert!(Rc::ptr_eq(&first, &times(&[0.0, 1.0]).unwrap()));
        assert_eq!(times(&[-0.0, 1.0]), None);
        assert!(Rc::ptr_eq(&first, &times(&[0.0, 1.0 + 1e-12]).unwrap()));
        assert_eq!(*times(&[0.0, 1.0, 2.0]).unwrap(), [0.0, 1.0, 2.0]);
        assert_eq!(*times(&[0.0]).unwrap(), [0.0]);
    }

    #[test]
    fn rotations_that_certainly_are_unit_quaternions_are() {
        let turn = Quat { x: 0.5_f32, y: -0.5, z: 0.5, w: 0.5 };
        let scaled = |turn: Quat<f32>, by: f32| Quat::from_array(turn.to_array().map(|n| n * by));
        for steps in -300_i16..=300 {
            let by = 1.0 + f32::from(steps) * f32::EPSILON;
            for turn in [scaled(turn, by), scaled(Quat::IDENTITY, by)] {
                let unit = is_unit(&Quat::<f64>::from(turn).to_array());
                assert!(unit || !are_units(&[turn]), "{turn:?}");
            }
            // Normalized rotations are off by a few roundings.
            assert!(steps.abs() > 4 || are_units(&[scaled(turn, by)]), "{steps}");
        }
        assert!(!are_units(&[Quat::IDENTITY, scaled(Quat::IDENTITY, f32::NAN)]));
    }
}
