//! Creates samplers of keys that need no change, as most keys do not.

use inbetween_core::{Interpolation, Interpolations, Quat, Shape, TrackData, Values, num};

use super::keys::Quantity;
use super::samplers::{Samples, is_unit};
use crate::scene::Mode;

impl Samples {
    /// Returns the sampler that is read back as the same track; `None` if the keys need a change,
    /// or may need one.
    pub(super) fn exact(data: &TrackData) -> Option<Self> {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let (mode, times) = match data.shape() {
            Shape::Stepped { times } => (Mode::Step, times),
            Shape::Curve { times, interpolation, tangents: None } if *interpolation == linear => {
                (Mode::Linear, times)
            }
            _ => return None,
        };
        let times = exact_times(times)?;
        let (quantity, output) = match data.values() {
            Values::Float(column) => (Quantity::Number, column.clone()),
            Values::Float3(column) => (Quantity::Vector, column.as_flattened().to_vec()),
            Values::FloatQ(column) => {
                let rows = column.iter().map(|rotation| rotation.to_array());
                (Quantity::Rotation, rows.collect::<Vec<_>>().into_flattened())
            }
            _ => return None,
        };
        let units = || match data.values() {
            Values::FloatQ(column) => {
                column.iter().all(|rotation| is_unit(&Quat::<f64>::from(*rotation).to_array()))
            }
            _ => output.iter().all(|number| number.is_finite()),
        };
        let is_exact = !times.is_empty() && units();
        is_exact.then_some(Self { mode, width: quantity.width(), times, output })
    }
}

/// Returns times as `f32` if they are exact, increase and are not negative.
fn exact_times(times: &[f64]) -> Option<Vec<f32>> {
    let narrow: Vec<f32> = times.iter().copied().map(num::f32_from_f64).collect();
    let same = |(wide, narrow): (&f64, &f32)| wide.to_bits() == f64::from(*narrow).to_bits();
    let is_first = narrow.first().is_none_or(|first| first.is_sign_positive());
    let is_last = narrow.last().is_none_or(|last| *last < f32::MAX);
    let rise = narrow.is_sorted_by(|one, next| one < next);
    let is_exact = is_first && is_last && rise && times.iter().zip(&narrow).all(same);
    is_exact.then_some(narrow)
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Findings, Limits, Path};

    use super::*;
    use crate::Curves;
    use crate::convert::samplers::SamplerMaker;

    fn linear(times: &[f64], values: Values) -> TrackData {
        let linear = Interpolations::Shared(Interpolation::Linear);
        TrackData::curve(times.to_vec(), values, linear, None).unwrap()
    }

    #[test]
    fn exact_samplers_are_those_of_a_conversion_without_findings() {
        let turns = vec![Quat::IDENTITY, Quat { x: 0.6_f32, y: 0.0, z: 0.0, w: 0.8 }];
        let tracks = [
            linear(&[0.5, 1.25], turns.into()),
            linear(&[0.0, 1.0, 2.5], vec![[1.0_f32, 2.0, 3.0]; 3].into()),
            TrackData::stepped(vec![0.0, 3.0], vec![0.25_f32, f32::MIN]).unwrap(),
            linear(&[2.0], vec![7.0_f32].into()),
        ];
        for data in tracks {
            let mut findings = Findings::new(&Limits::default());
            let mut budget = Budget::new(&Limits::default(), 0);
            let mut maker = SamplerMaker {
                curves: Curves::Spline,
                gap: 0.0,
                budget: &mut budget,
                findings: &mut findings,
            };
            let converted = maker.converted(&data, &Path::item("tracks", 0)).unwrap();
            assert!(converted.is_some());
            assert_eq!(Samples::exact(&data), converted);
            assert!(findings.into_vec().is_empty(), "{data:?}");
        }
    }

    #[test]
    fn keys_that_may_need_changes_have_no_exact_sampler() {
        let one = || Values::from(vec![1.0_f32]);
        let two = || Values::from(vec![1.0_f32, 2.0]);
        for data in [
            linear(&[], Vec::<f32>::new().into()),
            linear(&[0.1], one()),
            linear(&[-1.0], one()),
            linear(&[-0.0], one()),
            linear(&[1e39], one()),
            linear(&[1.0, 1.0], two()),
            linear(&[0.0], vec![f32::NAN].into()),
            linear(&[0.0], vec![1.0_f64].into()),
            linear(&[0.0], vec![Quat { x: 0.0, y: 0.0, z: 0.0, w: 2.0_f32 }].into()),
            TrackData::uniform(1.0, two()),
        ] {
            assert_eq!(Samples::exact(&data), None, "{data:?}");
        }
    }
}
