//! Changes keys so that they play the same by the rules of another engine.

use super::{BakeError, Normalized, is_unit, normalize};
use crate::model::rows;
use crate::{
    BlendReach, Clock, Finding, FirstTime, FullTurn, Interpolation, KeyColumns, LastBezier,
    Property, Rules, Shape, StatedError, Tangents, TrackData, codes, counted, memory, num,
};

/// A track whose keys were changed for other rules.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Translated {
    /// The keys.
    pub data: TrackData,
    /// The number of keys that were added or changed so that the track plays as before.
    pub rewritten: usize,
    /// The error of the added or changed keys.
    pub error: StatedError,
    /// The finding about rotations that were normalized.
    normalized: Option<Finding>,
    /// Whether a handle that shows is beyond the numbers of the values.
    overflows: bool,
}

impl Translated {
    /// Returns the findings about the changes.
    pub fn findings(&self) -> impl Iterator<Item = Finding> + use<> {
        let keys = (self.rewritten > 0).then(|| {
            let message = format!("{}{}", counted(self.rewritten, "key"), self.error.and_text());
            let finding = Finding::new(codes::KEYS_TRANSLATED, message).error(self.error);
            finding.count(num::u64_from_len(self.rewritten))
        });
        let beyond = self.overflows.then(|| {
            let message = "the right handle of the last key becomes infinite";
            Finding::new(codes::VALUE_UNDEFINED, message)
        });
        self.normalized.clone().into_iter().chain(keys).chain(beyond)
    }
}

/// Changes the keys of a track that plays by one set of rules so that it plays the same by another.
///
/// If both sets agree, nothing changes. Otherwise, for a track of `property`:
///
/// | keys | replaced by |
/// |---|---|
/// | a last key that shows its right handle | a key with the value of the handle, at the same time |
/// | a segment that begins at 0 instead of a full turn | a key at 0, at the same time |
/// | a full turn whose segment would begin at 0 | the next smaller `f32`, which is stated for `f64` |
/// | a last Bezier key whose right handle would show | a handle with the value of the key |
/// | a rotation that is not normalized, if the slerps differ | the normalized rotation |
///
/// # Errors
///
/// If the system has no memory for the keys.
pub fn translate(
    data: TrackData,
    property: &Property,
    from: Rules,
    to: Rules,
) -> Result<Translated, BakeError> {
    let (from, to) = (from.of(property), to.of(property));
    let mut result = Translated {
        data,
        rewritten: 0,
        error: StatedError::default(),
        normalized: None,
        overflows: false,
    };
    // What shows at one time only is not translated.
    let keys = |rules: Rules| {
        rules
            .with_clock(Clock::F64)
            .with_first_time(FirstTime::LastKey)
            .with_blend_reach(BlendReach::Node)
    };
    if keys(from) == keys(to) || result.data.is_empty() {
        return Ok(result);
    }
    // A copy of the keys, and the list of their indices.
    let lists = result.data.len().saturating_mul(size_of::<[usize; 3]>());
    memory::ensure(result.data.heap_bytes().saturating_add(lists))?;
    if from.slerp != to.slerp
        && let Some(normalized) = normalize(&result.data, is_unit, (from, to))
    {
        result.normalized = Some(normalized.finding());
        let Normalized { data, .. } = normalized;
        result.data = data;
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

/// Replaces the value of the last key by that of its right handle, which shows instead.
fn show_handle(mut result: Translated) -> Result<Translated, BakeError> {
    if !is_curve(&result.data) {
        return Ok(result);
    }
    let mut curve = KeyColumns::of(result.data);
    let last = curve.times.len().saturating_sub(1);
    let shown = curve.last_handles().filter(|shown| *shown != curve.row(last));
    if let Some(shown) = shown {
        result.rewritten += 1;
        let mut at = last;
        if last > 0 {
            let keys: Vec<usize> = (0..=last).chain([last]).collect();
            curve = curve.gather(&keys);
            curve.set_interpolation(last, Interpolation::Hold);
            at = last + 1;
        }
        rows::set_row(&mut curve.values, at, &shown);
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        result.overflows = finite(&shown) && !finite(&curve.row(at));
        curve.set_interpolation(at, Interpolation::Hold);
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

/// Sets the right handles of the last key to its value.
fn hide_handle(mut result: Translated) -> Result<Translated, BakeError> {
    if !is_curve(&result.data) {
        return Ok(result);
    }
    let mut curve = KeyColumns::of(result.data);
    let last = curve.times.len().saturating_sub(1);
    let row = curve.row(last);
    if curve.last_handles().is_some_and(|shown| shown != row) {
        result.rewritten += 1;
        curve.hide_last_handle();
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

const fn is_curve(data: &TrackData) -> bool {
    matches!(data.shape(), Shape::Curve { .. })
}

/// Returns whether an angle is a full turn as an `f32`, and the segment leads to another angle.
fn is_full_turn(from: f64, to: f64) -> bool {
    num::f32_from_f64(from).abs() == core::f32::consts::TAU && from != to
}

/// Returns whether a segment is linear; the rule for full turns applies only to those.
fn is_line(curve: &KeyColumns, key: usize) -> bool {
    match curve.interpolation.get(key) {
        Interpolation::Hold => false,
        Interpolation::Linear => true,
        Interpolation::Bezier => curve.tangents.is_none(),
        Interpolation::Hermite => !matches!(curve.tangents, Some(Tangents::Values { .. })),
    }
}

/// Adds a key at 0 where a linear segment of an angle begins at a full turn.
fn begin_at_zero(result: Translated) -> Result<Translated, BakeError> {
    rewrite_starts(result, |numbers| numbers.iter_mut().for_each(|number| *number = 0.0), true)
}

/// Replaces full turns that would begin at 0 by the next smaller `f32`. For `f64` values that is
/// more than rounding, so the error is stated.
fn avoid_full_turns(result: Translated) -> Result<Translated, BakeError> {
    let smaller = f64::from(core::f32::consts::TAU.next_down());
    rewrite_starts(
        result,
        |numbers| numbers.iter_mut().for_each(|number| *number = smaller.copysign(*number)),
        false,
    )
}

/// Changes the numbers of keys that are full turns at the start of a linear segment. If the
/// previous segment arrives at the full turn, the start gets a key of its own.
fn rewrite_starts(
    mut result: Translated,
    change: impl Fn(&mut [f64]),
    adds: bool,
) -> Result<Translated, BakeError> {
    if !is_curve(&result.data) {
        return uniform_starts(result, change, adds);
    }
    let curve = KeyColumns::of(result.data);
    let mut largest = 0.0_f64;
    let mut rows: Vec<Option<Vec<f64>>> = Vec::with_capacity(curve.times.len());
    let mut to = curve.row(curve.times.len().saturating_sub(1));
    // From the end, since avoiding a full turn also changes the end value of the previous segment.
    for key in (0..curve.times.len()).rev() {
        let next = key + 1;
        let lasts = curve.times.get(key) != curve.times.get(next);
        // The first key shows before its time, even if its segment takes no time.
        let plays = (key == 0 || lasts) && next < curve.times.len();
        // A curve without tangents plays linearly, but the rule does not apply to it.
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
        // Nothing shows before time 0.
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
            changed.push((indices.len(), None));
            indices.push(key);
        }
        if let Some(row) = row {
            changed.push((indices.len(), Some(row)));
        }
        indices.push(key);
    }
    if changed.is_empty() {
        return Ok(Translated { data: curve.into_data()?, ..result });
    }
    result.rewritten += changed.len();
    if !adds && curve.values.kind().is_wide() {
        result.error.value += largest;
    }
    let mut curve = curve.gather(&indices);
    for (key, row) in changed {
        match row {
            Some(row) => rows::set_row(&mut curve.values, key, &row),
            // No segment begins at the key that the previous segment arrives at.
            None => curve.set_interpolation(key, Interpolation::Hold),
        }
    }
    Ok(Translated { data: curve.into_data()?, ..result })
}

/// Like [`rewrite_starts`], for uniform keys, which become a curve if one of them changes.
fn uniform_starts(
    result: Translated,
    change: impl Fn(&mut [f64]),
    adds: bool,
) -> Result<Translated, BakeError> {
    let data = &result.data;
    let turns = |key: usize| {
        let (from, to) = (rows::numbers(data.values(), key), rows::numbers(data.values(), key + 1));
        let pairs = from.into_iter().flatten().zip(to.into_iter().flatten());
        pairs.into_iter().any(|(from, to)| is_full_turn(from, to))
    };
    let uniform = matches!(data.shape(), Shape::Uniform { .. }) && data.plays();
    if !uniform || !(0..data.len()).any(turns) {
        return Ok(result);
    }
    let data = KeyColumns::of(result.data).into_data()?;
    rewrite_starts(Translated { data, ..result }, change, adds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{EulerOrder, Handle, Interpolations, Value};

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
        let translated = translate(data.clone(), property, from, to).unwrap();
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
    fn a_linear_segment_from_a_full_turn_gets_a_key_at_zero() {
        let data = line(vec![1.0, TAU, 3.0]);
        let found = there(&data, &angles(), QUIRKS, Rules::LINEAR);
        let times: Vec<_> = found.data.times().take(4).collect();
        assert_eq!(times, [0.0, 1.0, 1.0, 2.0]);
        assert_eq!(found.data.value(2), Some(Value::Float(0.0)));
    }

    #[test]
    fn a_first_key_at_a_full_turn_becomes_zero() {
        let found = there(&line(vec![TAU, 3.0]), &angles(), QUIRKS, Rules::LINEAR);
        assert_eq!(found.data, line(vec![0.0, 3.0]));
    }

    #[test]
    fn a_first_key_whose_segment_takes_no_time_becomes_zero_too() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![0.5, 0.5], vec![TAU, 1.0], linear, None).unwrap();
        let found = there(&data, &angles(), QUIRKS, Rules::LINEAR);
        assert_eq!(found.data.value(0), Some(Value::Float(0.0)));
        let found = there(&data, &angles(), Rules::LINEAR, QUIRKS);
        assert_eq!(found.data.value(0), Some(Value::Float(TAU.next_down())));
    }

    #[test]
    fn a_full_turn_that_starts_no_segment_is_unchanged() {
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
    fn full_turns_before_an_avoided_one_are_avoided_too() {
        let found = there(&line(vec![TAU, TAU, 0.0]), &angles(), Rules::LINEAR, QUIRKS);
        let smaller = TAU.next_down();
        assert_eq!(*found.data.values(), vec![smaller, smaller, 0.0].into());
        assert_eq!(found.error.value, 0.0);
    }

    #[test]
    fn avoiding_a_full_turn_of_f64_states_the_error() {
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
    fn a_position_of_two_pi_is_unchanged() {
        let data = line(vec![TAU, 3.0]);
        let found = there(&data, &Property::Translation, QUIRKS, Rules::LINEAR);
        assert_eq!((found.data, found.rewritten), (data, 0));
    }

    #[test]
    fn a_shown_last_handle_becomes_a_key() {
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
}
