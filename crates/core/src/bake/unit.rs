//! Normalizes rotations for targets that play others differently.

use super::channel::Channel;
use super::measure::Difference;
use crate::model::rows;
use crate::{Finding, Property, Quat, Rules, TrackData, Values, codes, counted, num, significant};

/// The largest angle in radians between two ways of playing that is not a loss: that between the
/// slerps of engines on unit rotations.
const ALIKE: f64 = 2e-3;

/// A track whose rotations were normalized.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Normalized {
    /// The track.
    pub data: TrackData,
    /// The number of changed keys.
    pub count: usize,
    /// The length that is farthest from 1.
    pub length: f64,
    /// The measured difference of the track, each played by its rules.
    pub difference: Difference,
}

impl Normalized {
    /// Returns the finding about the change.
    pub fn finding(&self) -> Finding {
        let error = self.difference.error();
        let code = if error.value > ALIKE {
            codes::UNEVEN_ROTATIONS_NORMALIZED
        } else {
            codes::ROTATIONS_NORMALIZED
        };
        let (count, length) = (counted(self.count, "rotation"), significant(self.length));
        let message = format!("{count}, the farthest of length {length}{}", error.and_text());
        let finding = Finding::new(code, message).error(error);
        finding.count(num::u64_from_len(self.count))
    }
}

/// Normalizes the rotations of a track that `keeps` does not keep; `None` if it keeps all of them.
///
/// A rotation without direction is unchanged. The result plays by the second rules.
pub fn normalize(
    data: &TrackData,
    keeps: impl Fn(Quat<f64>) -> bool,
    (from, to): (Rules, Rules),
) -> Option<Normalized> {
    let rotation = |key: usize| Quat::from_array(rows::row::<4>(data.values(), key));
    let changes = |rotation: Quat<f64>| !keeps(rotation) && rotation.has_direction();
    let others = || (0..data.len()).map(rotation).filter(|rotation| changes(*rotation));
    if !data.kind().is_quaternion() || others().next().is_none() {
        return None;
    }
    let far = |length: f64| (length - 1.0).abs();
    let lengths = others().map(Quat::length);
    let length = lengths.fold(1.0, |one, other| if far(other) > far(one) { other } else { one });
    let factor = |key: usize| {
        let rotation = rotation(key);
        if changes(rotation) { 1.0 / rotation.length() } else { 1.0 }
    };
    // Control points keep their direction from the key.
    let scaled = |mut values: Values| {
        rows::each_row(&mut values, |key, row| {
            let factor = factor(key);
            for part in row {
                *part *= factor;
            }
        });
        values
    };
    let made = data.clone().map_columns(scaled).ok()?;
    let channel = |data, rules| Channel::of_track(&Property::Rotation, data, rules);
    let difference = channel(data, from).difference(&channel(&made, to)).unwrap_or_default();
    Some(Normalized { data: made, count: others().count(), length, difference })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Interpolation, Interpolations, Slerp, is_unit};

    #[test]
    fn rotations_of_unequal_lengths_state_the_angle_between_the_ways_of_playing() {
        let long = Quat { x: 0.0, y: 0.0, z: 0.0, w: 2.0_f64 };
        let turned = Quat::from_axis_angle([1.0, 0.0, 0.0], 1.0);
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.0, 1.0], vec![long, turned], linear, None).unwrap();
        let raw = Rules::LINEAR.with_slerp(Slerp::Raw);
        let made = normalize(&data, is_unit, (raw, Rules::LINEAR)).unwrap();
        assert_eq!((made.count, made.length), (1, 2.0));
        assert_eq!(made.data.value(0), Some(crate::Value::DoubleQ(Quat::IDENTITY)));
        // A raw dot product above 1 shows the end at once, 15/16 of a radian away at the first time
        // that is measured inside the segment.
        assert!((made.difference.value - 0.9375).abs() < 1e-12, "{:?}", made.difference);
        assert_eq!(made.finding().code, codes::UNEVEN_ROTATIONS_NORMALIZED);
        assert!(normalize(&made.data, is_unit, (raw, Rules::LINEAR)).is_none());
        assert!(normalize(&data, |_| true, (raw, Rules::LINEAR)).is_none());
    }
}
