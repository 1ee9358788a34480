//! Keys that play by other rules as they did by theirs.

use super::curve::Curve;
use super::slerp::{Pace, angle, uneven_slerp};
use super::{BakeError, Baker};
use crate::model::rows;
use crate::{
    BlendReach, Budget, Clock, DEFAULT_BOUND, FullTurn, Grid, Interpolation, Interpolations,
    LastBezier, Property, Quat, Rules, Shape, Slerp, StatedError, Tangents, TrackData, memory, num,
};

/// Up to this angle in radians, what two rules make of a slerp is a note; beyond it the segments
/// are baked.
const UNEVEN: f64 = 1e-3;

/// A track for other rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Translated {
    /// The keys.
    pub data: TrackData,
    /// How many keys were added or changed, so that the track plays as before.
    pub rewritten: usize,
    /// How far the keys play from what they did.
    pub error: StatedError,
}

/// Changes the keys of a track that plays by one set of rules so that it plays the same by
/// another.
///
/// Where both sets agree nothing changes. Else, for a track of `property`:
///
/// | rule | becomes |
/// |---|---|
/// | a last key that shows its right handle | a key with the value of the handle, at the same time |
/// | a segment that begins at 0 instead of a full turn | a key at 0, at the same time |
/// | a full turn that would begin at 0 | the next smaller `f32`, which is stated for `f64` |
/// | a last Bezier key whose right handle would show | a handle with the value of the key |
/// | a slerp that the other rules play differently | stays where that is up to 0.001 radians, which is stated; else linear keys within [`DEFAULT_BOUND`] |
///
/// # Errors
///
/// When baking costs more than the budget has.
pub fn translate(
    data: TrackData,
    property: &Property,
    from: Rules,
    to: Rules,
    budget: &mut Budget,
) -> Result<Translated, BakeError> {
    let (from, to) = (from.of(property), to.of(property));
    let mut result = Translated { data, rewritten: 0, error: StatedError::default() };
    let keys = |rules: Rules| rules.with_clock(Clock::F64).with_blend_reach(BlendReach::Node);
    if keys(from) == keys(to) || result.data.is_empty() {
        return Ok(result);
    }
    // A copy of the keys, and the list of those that it is made of.
    let lists = result.data.len().saturating_mul(size_of::<[usize; 3]>());
    memory::ensure(result.data.heap_bytes().saturating_add(lists))?;
    if from.slerp != to.slerp && result.data.kind().is_quaternion() {
        let uneven = largest_unevenness(&result.data);
        if uneven > UNEVEN {
            let mut baker = Baker::new(Grid::Bound(DEFAULT_BOUND), budget).for_target(to);
            let lines = baker.linear(&result.data, from)?;
            result.rewritten = lines.data.len();
            (result.data, result.error) = (lines.data, lines.error);
        } else {
            result.error = StatedError::of_value(uneven);
        }
    }
    if from.last_bezier != to.last_bezier {
        result = match from.last_bezier {
            LastBezier::RightHandle => show_handle(result)?,
            LastBezier::Value => hide_handle(result)?,
        };
    }
    if from.full_turn != to.full_turn {
        result = match from.full_turn {
            FullTurn::BeginsAtZero => begin_at_zero(result)?,
            FullTurn::Kept => avoid_full_turns(result)?,
        };
    }
    Ok(result)
}

/// Returns the largest angle between what two rules make of the slerps of a track.
fn largest_unevenness(data: &TrackData) -> f64 {
    let pace = Pace::of(Slerp::Raw, data.kind().is_wide());
    let uneven = slerps(data).map(|(_, from, to)| uneven_slerp(from, to, pace));
    uneven.fold(0.0, f64::max)
}

/// Returns the slerps of a track that take time and turn, each with the key that it begins at.
fn slerps(data: &TrackData) -> impl Iterator<Item = (usize, Quat<f64>, Quat<f64>)> {
    let tangents = matches!(data.tangents(), Some(Tangents::Values { .. }));
    let rotation = |key| Quat::from_array(rows::row::<4>(data.values(), key));
    (0..data.len().saturating_sub(1)).filter_map(move |key| {
        let is_slerp = match data.interpolation(key) {
            Interpolation::Hold => false,
            Interpolation::Bezier => !tangents,
            _ => true,
        };
        let next = key.saturating_add(1);
        let (from, to) = (rotation(key), rotation(next));
        let plays = is_slerp && data.time(key) != data.time(next) && from != to;
        plays.then_some((key, from, to))
    })
}

/// Returns the segments that are at their end as soon as they begin, as the keys that they begin at
/// and the angles in radians.
///
/// A slerp by [`Slerp::Raw`] does this between rotations whose dot product rounds to 1, so it
/// depends on the width of the values.
pub fn leaps(data: &TrackData, rules: Rules) -> Vec<(usize, f64)> {
    if !data.kind().is_quaternion() {
        return Vec::new();
    }
    let pace = Pace::of(rules.slerp, data.kind().is_wide());
    let leaps = slerps(data).filter(|(_, from, to)| pace.leaps(*from, *to));
    leaps.map(|(key, from, to)| (key, angle(from, to))).collect()
}

/// Replaces the value of the last key by the value that it shows.
fn show_handle(mut result: Translated) -> Result<Translated, BakeError> {
    let mut curve = match Curve::of(result.data) {
        Ok(curve) => curve,
        Err(data) => return Ok(Translated { data: *data, ..result }),
    };
    let last = curve.times.len().saturating_sub(1);
    let shown = curve.last_handles().filter(|shown| *shown != curve.row(last));
    if let Some(shown) = shown {
        result.rewritten = result.rewritten.saturating_add(1);
        let mut at = last;
        if last > 0 {
            let keys: Vec<usize> = (0..=last).chain([last]).collect();
            curve = curve.gather(&keys);
            curve.hold(last);
            at = last.saturating_add(1);
        }
        rows::set_row(&mut curve.values, at, &shown);
        curve.hold(at);
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

/// Makes the right handles of the last key show its value.
fn hide_handle(mut result: Translated) -> Result<Translated, BakeError> {
    let mut curve = match Curve::of(result.data) {
        Ok(curve) => curve,
        Err(data) => return Ok(Translated { data: *data, ..result }),
    };
    let last = curve.times.len().saturating_sub(1);
    let row = curve.row(last);
    if curve.last_handles().is_some_and(|shown| shown != row) {
        result.rewritten = result.rewritten.saturating_add(1);
        curve.hide_last_handle();
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

/// Returns whether an angle is a full turn as an `f32`, and the segment leads to another angle.
fn is_full_turn(from: f64, to: f64) -> bool {
    num::f32_from_f64(from).abs() == core::f32::consts::TAU && from != to
}

/// Says whether a segment is a line: the other interpolations do not ask where it begins.
fn is_line(curve: &Curve, key: usize) -> bool {
    match curve.interpolation.get(key) {
        Interpolation::Hold => false,
        Interpolation::Linear => true,
        Interpolation::Bezier => curve.tangents.is_none(),
        Interpolation::Hermite => !matches!(curve.tangents, Some(Tangents::Values { .. })),
    }
}

/// Adds a key at 0 where a line of an angle begins at a full turn.
fn begin_at_zero(result: Translated) -> Result<Translated, BakeError> {
    rewrite_starts(result, |numbers| numbers.iter_mut().for_each(|number| *number = 0.0), true)
}

/// Makes full turns that would begin at 0 a little smaller. For `f64` that is more than rounding,
/// so it is stated.
fn avoid_full_turns(result: Translated) -> Result<Translated, BakeError> {
    let smaller = f64::from(core::f32::consts::TAU.next_down());
    rewrite_starts(
        result,
        |numbers| numbers.iter_mut().for_each(|number| *number = smaller.copysign(*number)),
        false,
    )
}

/// Changes the numbers of keys that are full turns at the start of a line; with a key of its own
/// where the segment before arrives at the full turn.
fn rewrite_starts(
    mut result: Translated,
    change: impl Fn(&mut [f64]),
    adds: bool,
) -> Result<Translated, BakeError> {
    let curve = match Curve::of(result.data) {
        Ok(curve) => curve,
        Err(data) => return uniform_starts(Translated { data: *data, ..result }, change, adds),
    };
    let mut largest = 0.0_f64;
    let mut rows: Vec<Option<Vec<f64>>> = Vec::with_capacity(curve.times.len());
    let mut to = curve.row(curve.times.len().saturating_sub(1));
    // From the end on: a full turn that is avoided is another value for the segment before it.
    for key in (0..curve.times.len()).rev() {
        let next = key.saturating_add(1);
        let lasts = curve.times.get(key) != curve.times.get(next);
        // The first key shows before its time, even if its segment takes none.
        let plays = (key == 0 || lasts) && next < curve.times.len();
        // A curve without tangents plays as a line, but for the rule it is none.
        let line = if adds {
            curve.interpolation.get(key) == Interpolation::Linear
        } else {
            is_line(&curve, key)
        };
        let before = curve.row(key);
        let mut row = before.clone();
        for (number, to) in row.iter_mut().zip(&to).filter(|_| plays && line) {
            if is_full_turn(*number, *to) {
                change(core::slice::from_mut(number));
            }
        }
        // Nothing shows before 0.
        if lasts || curve.times.first().is_some_and(|first| *first > 0.0) {
            let moved = row.iter().zip(&before).map(|(after, before)| (after - before).abs());
            largest = largest.max(moved.filter(|moved| !moved.is_nan()).sum());
        }
        let differs =
            row.iter().zip(&before).any(|(after, before)| after != before && !before.is_nan());
        to = if adds { before } else { row.clone() };
        rows.push(differs.then_some(row));
    }
    let (mut indices, mut changed) = (Vec::new(), Vec::new());
    for (key, row) in rows.into_iter().rev().enumerate() {
        let arrives = curve.times.get(key.wrapping_sub(1)) != curve.times.get(key);
        if row.is_some() && adds && key > 0 && arrives {
            indices.push(key);
            changed.push((indices.len().saturating_sub(1), None));
        }
        indices.push(key);
        if let Some(row) = row {
            changed.push((indices.len().saturating_sub(1), Some(row)));
        }
    }
    if changed.is_empty() {
        return Ok(Translated { data: curve.into_data()?, ..result });
    }
    result.rewritten = result.rewritten.saturating_add(changed.len());
    if !adds && curve.values.kind().is_wide() {
        result.error.value += largest;
    }
    let mut curve = curve.gather(&indices);
    for (key, row) in changed {
        match row {
            Some(row) => rows::set_row(&mut curve.values, key, &row),
            // The key that is arrived at leads nowhere.
            None => curve.hold(key),
        }
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

/// As [`rewrite_starts`] for keys at an interval, which become a curve where one of them changes.
fn uniform_starts(
    result: Translated,
    change: impl Fn(&mut [f64]),
    adds: bool,
) -> Result<Translated, BakeError> {
    let data = &result.data;
    let turns = |key: usize| {
        let (from, to) = (
            rows::numbers(data.values(), key),
            rows::numbers(data.values(), key.saturating_add(1)),
        );
        let pairs = from.into_iter().flatten().zip(to.into_iter().flatten());
        pairs.into_iter().any(|(from, to)| is_full_turn(from, to))
    };
    let uniform = matches!(data.shape(), Shape::Uniform { .. }) && data.plays();
    if !uniform || !(0..data.len()).any(turns) {
        return Ok(result);
    }
    let times = data.times().collect();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let curve = TrackData::curve(times, data.values().clone(), linear, None);
    let data = curve.map_err(|_| BakeError::Times)?;
    rewrite_starts(Translated { data, ..result }, change, adds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EulerOrder, Handle, Limits, Slerp, Value};

    const QUIRKS: Rules = Rules::LINEAR
        .with_last_bezier(LastBezier::RightHandle)
        .with_full_turn(FullTurn::BeginsAtZero);
    const TAU: f32 = core::f32::consts::TAU;

    fn angles() -> Property {
        Property::RotationEuler(EulerOrder::XYZ)
    }

    fn line(values: Vec<f32>) -> TrackData {
        let times = (0..values.len()).map(num::f64_from_index).collect();
        let linear = Interpolations::Shared(Interpolation::Linear);
        TrackData::curve(times, values, linear, None).unwrap()
    }

    fn there(data: &TrackData, property: &Property, from: Rules, to: Rules) -> Translated {
        let mut budget = Budget::new(&Limits::default(), 0);
        let translated = translate(data.clone(), property, from, to, &mut budget).unwrap();
        let end = data.end().unwrap();
        for step in 0..=64_u8 {
            let time = end * f64::from(step) / 64.0;
            let before = from.of(property).sample(data, time).unwrap().number().unwrap();
            let after = to.of(property).sample(&translated.data, time).unwrap().number().unwrap();
            assert!((before - after).abs() < 1e-6, "{before} became {after} at {time}");
        }
        translated
    }

    #[test]
    fn a_line_from_a_full_turn_gets_a_key_at_zero() {
        let data = line(vec![1.0, TAU, 3.0]);
        let found = there(&data, &angles(), QUIRKS, Rules::LINEAR);
        let times: Vec<_> = (0..4).filter_map(|key| found.data.time(key)).collect();
        assert_eq!(times, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(found.data.value(2), Some(Value::Float(0.0)));
    }

    #[test]
    fn a_first_key_at_a_full_turn_is_at_zero() {
        let found = there(&line(vec![TAU, 3.0]), &angles(), QUIRKS, Rules::LINEAR);
        assert_eq!(found.data, line(vec![0.0, 3.0]));
    }

    #[test]
    fn a_first_key_whose_segment_takes_no_time_is_at_zero_too() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.5, 0.5], vec![TAU, 1.0], linear, None).unwrap();
        let found = there(&data, &angles(), QUIRKS, Rules::LINEAR);
        assert_eq!(found.data.value(0), Some(Value::Float(0.0)));
        let found = there(&data, &angles(), Rules::LINEAR, QUIRKS);
        assert_eq!(found.data.value(0), Some(Value::Float(TAU.next_down())));
    }

    #[test]
    fn a_key_that_no_other_follows_in_time_shows_its_full_turn() {
        let data = TrackData::uniform(0.0, vec![TAU, 1.0]);
        assert_eq!(QUIRKS.of(&angles()).sample(&data, 0.0), Some(Value::Float(TAU)));
        assert_eq!(there(&data, &angles(), QUIRKS, Rules::LINEAR).data, data);
        assert_eq!(there(&data, &angles(), Rules::LINEAR, QUIRKS).data, data);
    }

    #[test]
    fn a_full_turn_that_would_begin_at_zero_is_avoided() {
        let found = there(&line(vec![0.0, TAU, 0.0]), &angles(), Rules::LINEAR, QUIRKS);
        assert_eq!(found.data.value(1), Some(Value::Float(TAU.next_down())));
    }

    #[test]
    fn full_turns_before_one_that_is_avoided_are_avoided_too() {
        let found = there(&line(vec![TAU, TAU, 0.0]), &angles(), Rules::LINEAR, QUIRKS);
        let smaller = TAU.next_down();
        assert_eq!(*found.data.values(), vec![smaller, smaller, 0.0].into());
        assert_eq!(found.error.value, 0.0);
    }

    #[test]
    fn a_full_turn_of_f64_that_is_avoided_states_by_how_much() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let turn = core::f64::consts::TAU;
        let data = TrackData::curve(vec![0.0, 1.0], vec![turn, 1.0], linear, None).unwrap();
        let found = there(&data, &angles(), Rules::LINEAR, QUIRKS);
        assert_eq!(found.error.value, turn - f64::from(TAU.next_down()));
        // A key that never shows.
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.0, 0.0], vec![turn, 1.0], linear, None).unwrap();
        let found = there(&data, &angles(), Rules::LINEAR, QUIRKS);
        assert_eq!(found.error.value, 0.0);
    }

    #[test]
    fn a_position_at_two_pi_stays() {
        let data = line(vec![TAU, 3.0]);
        let found = there(&data, &Property::Translation, QUIRKS, Rules::LINEAR);
        assert_eq!((found.data, found.rewritten), (data, 0));
    }

    #[test]
    fn a_last_handle_that_shows_becomes_a_key() {
        let handle = |value| Handle { time: 0.0, value };
        let side = |a, b| vec![handle(a), handle(b)];
        let tangents = Tangents::Handles { left: side(0.0, 2.0), right: side(1.0, 9.0) };
        let bezier = Interpolations::Shared(Interpolation::Bezier);
        let data =
            TrackData::curve(vec![0.0, 1.0], vec![0.0_f32, 4.0], bezier, Some(tangents)).unwrap();
        let found = there(&data, &Property::Translation, QUIRKS, Rules::LINEAR);
        assert_eq!(found.data.value(2), Some(Value::Float(9.0)));
        there(&data, &Property::Translation, Rules::LINEAR, QUIRKS);
    }

    #[test]
    fn near_rotations_state_how_far_the_rules_differ() {
        let turn = |angle: f64| {
            let q = Quat::from_axis_angle([0.0, 0.0, 1.0], angle);
            Quat { w: q.w * (1.0 + 1e-7), ..q }
        };
        let linear = Interpolations::Shared(Interpolation::Linear);
        let values = vec![turn(0.0), turn(1e-4), turn(1.0)];
        let data = TrackData::curve(vec![0.0, 1.0, 2.0], values, linear, None).unwrap();
        let mut budget = Budget::new(&Limits::default(), 0);
        let raw = Rules::LINEAR.with_slerp(Slerp::Raw);
        let found =
            translate(data.clone(), &Property::Rotation, Rules::LINEAR, raw, &mut budget).unwrap();
        assert_eq!(found.data, data);
        assert!((found.error.value - 1e-4).abs() < 1e-6);
    }
}
