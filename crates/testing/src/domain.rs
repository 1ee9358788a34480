//! The domain of the laws: what animations hold.
//!
//! Random draws stay in it, except for one in twenty. Beyond it no law asks for digits; see
//! [`meaning::check_drawn`](crate::meaning::check_drawn).

use inbetween_core::{Animation, Tangents, Track, Value, Values};
use proptest::prelude::*;
use proptest::sample::select;

use crate::meaning::numbers;

/// The largest magnitude of a time, in seconds.
pub const LARGEST_TIME: f64 = 1e6;
/// The largest magnitude of a value. NaN and infinities may occur as bad values.
pub const LARGEST_VALUE: f64 = 1e9;
/// The longest rotation; the shortest is its reciprocal. Between rotations of very different
/// lengths, raw slerps leap within a small part of the segment, which no measurement sees.
pub const LONGEST_ROTATION: f64 = 8.0;

/// Values that a program wrote by mistake.
pub(crate) const BAD_VALUES: [f64; 5] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MIN_POSITIVE / 4.0, 1e-40];

/// How far the keys of a draw reach.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// The frame from which keys are counted, at 30 frames per second.
    pub(crate) start: f64,
    /// The factor of values, whose magnitudes are below 64 without it.
    pub(crate) factor: f64,
}

/// Returns a strategy for the reach of a draw: usually near 0, sometimes up to the limits of the
/// domain, and one in twenty beyond them.
pub(crate) fn reach() -> impl Strategy<Value = Reach> {
    let start = prop_oneof![
        12 => Just(0.0),
        1 => select(vec![9e3, -9e3, 9e4, -9e4, 2.9e7]),
    ];
    let factor = prop_oneof![12 => Just(1.0), 1 => select(vec![1e-7, 1e3, 1e7])];
    let inside = (start, factor).prop_map(|(start, factor)| Reach { start, factor });
    let starts = select(vec![0.0, 1e9, 1e20, -1e20, 1e36]);
    let factors = select(vec![1e10, 1e30, 1e37, 1e100, 1e306]);
    let outside = (starts, factors).prop_map(|(start, factor)| Reach { start, factor });
    prop_oneof![19 => inside, 1 => outside]
}

/// Returns whether all times and values of a clip are in the domain.
pub fn holds(clip: &Animation) -> bool {
    let is_time = |time: f64| time.is_nan() || time.abs() <= LARGEST_TIME;
    let is_value = |value: f64| !value.is_finite() || value.abs() <= LARGEST_VALUE;
    let is_rate = |rate: f64| is_time(1.0 / rate) && is_value(rate);
    let mut stated = clip.markers.iter().map(|marker| marker.time).chain(clip.duration);
    let of_track = |track: &Track| {
        let data = track.data();
        let is_column = |column: &Values| numbers(column).into_iter().all(is_value);
        let lengths = || (0..data.len()).filter_map(|key| length(data.values(), key));
        let is_rotation = |length: f64| {
            let longer = length.max(length.recip());
            !longer.is_finite() || longer <= LONGEST_ROTATION
        };
        lengths().all(is_rotation)
            && data.times().all(is_time)
            && is_column(data.values())
            && match data.tangents() {
                Some(Tangents::Values { left, right }) => is_column(left) && is_column(right),
                Some(Tangents::Handles { left, right }) => {
                    let mut handles = left.iter().chain(right);
                    handles.all(|handle| is_time(handle.time) && is_value(handle.value))
                }
                _ => true,
            }
    };
    stated.all(is_time) && clip.frame_rate.is_none_or(is_rate) && clip.tracks.iter().all(of_track)
}

/// Returns the length of a rotation.
fn length(values: &Values, key: usize) -> Option<f64> {
    match values.get(key)? {
        Value::FloatQ(rotation) => Some(f64::from(rotation.length())),
        Value::DoubleQ(rotation) => Some(rotation.length()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Property, Target, TrackData};
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;
    use crate::hard::{Suits, animations};
    use crate::properties;

    #[test]
    fn one_draw_in_twenty_is_outside() {
        let mut runner = TestRunner::new(properties::cases(1));
        let draw = |_| animations(Suits::Anything).new_tree(&mut runner).expect("a draw").current();
        let outside = (0..1_000).map(draw).filter(|clip| !holds(clip)).count();
        assert!((25..75).contains(&outside), "{outside} of 1000");
    }

    #[test]
    fn bad_values_are_inside_and_large_ones_are_not() {
        let holds = |value: f64| {
            let data = TrackData::uniform(1.0, vec![value]);
            let target = Target::new("lamp", Property::Custom(None));
            holds(&Animation::new(vec![Track::new(target, data).expect("a number")]))
        };
        assert!(BAD_VALUES.into_iter().chain([0.0, -LARGEST_VALUE]).all(holds));
        assert!(!holds(LARGEST_VALUE * 1.01));
    }
}
