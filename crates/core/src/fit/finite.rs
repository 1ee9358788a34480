//! Drops numbers that a format does not store.

use crate::model::rows;
use crate::stores::Stores;
use crate::{
    BakeError, Code, Context, Finding, Handle, Interpolation, KeyColumns, LastBezier, Property,
    Quat, Rules, Shape, Tangents, TrackData, Values, codes, counted, num, translate,
};

/// Returns whether a format with finite numbers stores all numbers of a track.
pub(super) fn is_sound(data: &TrackData, stores: Stores) -> bool {
    let tangents = match data.tangents() {
        Some(Tangents::Values { left, right }) => rows::are_finite(left) && rows::are_finite(right),
        Some(Tangents::Handles { left, right }) => {
            left.iter().chain(right).all(|handle| handle.value.is_finite())
        }
        _ => true,
    };
    let interval = match data.shape() {
        Shape::Uniform { interval } => interval.is_finite(),
        _ => true,
    };
    tangents && interval && rows::are_finite(data.values()) && are_directions(data, stores)
}

fn are_directions(data: &TrackData, stores: Stores) -> bool {
    let checked = stores.rotations.need_direction() && data.kind().is_quaternion();
    !checked || (0..data.len()).all(|key| has_direction(data.values(), key))
}

fn has_direction(values: &Values, key: usize) -> bool {
    !values.kind().is_quaternion() || Quat::from_array(rows::row::<4>(values, key)).has_direction()
}

/// Drops keys with values that are NaN or infinite, and rotations without direction; makes tangents
/// flat that are NaN or infinite, and intervals 0.
pub(super) fn keep(
    data: TrackData,
    (property, rules): (&Property, Rules),
    stores: Stores,
    context: &mut Context<'_>,
) -> Result<TrackData, BakeError> {
    if is_sound(&data, stores) {
        return Ok(data);
    }
    let mut say = |code: Code, message: String, count: usize| {
        if count > 0 {
            let finding = Finding::new(code, message);
            context.findings.push(finding.count(num::u64_from_len(count)));
        }
    };
    let data = finite_interval(data, &mut say);
    let keys = data.len();
    let infinite = marked(data.values());
    let is_finite = |key: &usize| infinite.get(*key) == Some(&false);
    let directed =
        |key: &usize| !stores.rotations.need_direction() || has_direction(data.values(), *key);
    let finite = (0..keys).filter(is_finite).count();
    let kept: Vec<usize> = (0..keys).filter(is_finite).filter(directed).collect();
    let dropped = |count: usize| format!("{} dropped", counted(count, "key"));
    say(codes::VALUE_NOT_FINITE, dropped(keys - finite), keys - finite);
    say(codes::ROTATION_DROPPED, dropped(finite - kept.len()), finite - kept.len());
    let loses_end = kept.last().copied() != keys.checked_sub(1);
    let data = if kept.len() == keys { data } else { gathered(data, &kept, rules)? };
    let data = flat(data, &mut say)?;
    if !loses_end {
        return Ok(data);
    }
    // The new last key shaped the segment to a dropped key. It must not show its handle as a last
    // key does by some rules.
    let hidden = rules.with_last_bezier(LastBezier::Value);
    Ok(translate(data, property, hidden, rules)?.data)
}

/// Marks the keys with values that are not finite.
fn marked(values: &Values) -> Vec<bool> {
    let mut marks = vec![false; values.len()];
    for (key, _) in rows::not_finite(values) {
        if let Some(mark) = marks.get_mut(key) {
            *mark = true;
        }
    }
    marks
}

/// Replaces an interval that is not finite by 0, which plays the same.
fn finite_interval(data: TrackData, say: &mut impl FnMut(Code, String, usize)) -> TrackData {
    match data.shape() {
        Shape::Uniform { interval } if !interval.is_finite() => {
            say(codes::VALUE_NOT_FINITE, format!("an interval of {interval} s"), 1);
            TrackData::uniform(0.0, data.into_parts().1)
        }
        _ => data,
    }
}

/// Returns the keys at the given indices, which play by the rules of the source.
fn gathered(data: TrackData, indices: &[usize], rules: Rules) -> Result<TrackData, BakeError> {
    match data.shape() {
        // Only the first key shows. With times the last one would.
        Shape::Uniform { interval } if !rules.plays_interval(*interval) => {
            Ok(TrackData::uniform(*interval, data.values().gather(indices)))
        }
        _ => Ok(KeyColumns::of(data).gather(indices).into_data()?),
    }
}

/// Makes tangents flat that are not finite, or drops all of them if no segment uses any.
fn flat(
    data: TrackData,
    say: &mut impl FnMut(Code, String, usize),
) -> Result<TrackData, BakeError> {
    let Shape::Curve { tangents: Some(_), .. } = data.shape() else { return Ok(data) };
    let mut curve = KeyColumns::of(data);
    let Some(mut tangents) = curve.tangents.take() else { return Ok(curve.into_data()?) };
    let (keys, kind) = (curve.values.len(), curve.values.kind());
    let has_handles = matches!(tangents, Tangents::Handles { .. });
    let is_curved = |key: usize| key < keys && curve.interpolation.get(key).uses_tangents(kind);
    let segment = |key: usize, side: Side| match side {
        Side::Left => key.checked_sub(1),
        // A last key may show its handle.
        Side::Right => Some(key).filter(|_| has_handles || key + 1 < keys),
    };
    let (mut used, mut unused) = (0_usize, 0_usize);
    for (key, side) in not_finite(&tangents, keys) {
        let start = segment(key, side);
        // A flat control point has the value of its key.
        let bezier = start.is_some_and(|it| curve.interpolation.get(it) == Interpolation::Bezier);
        let row = if bezier { curve.row(key) } else { vec![0.0; rows::width(kind)] };
        set(&mut tangents, (key, side), &row);
        let count = if start.is_some_and(is_curved) { &mut used } else { &mut unused };
        *count += 1;
    }
    say(codes::VALUE_NOT_FINITE, "tangents became flat".into(), used);
    let is_used = (0..keys).any(is_curved);
    let lost = if is_used || unused == 0 { unused } else { keys };
    say(codes::TANGENTS_DROPPED, "numbers that are not finite".into(), lost);
    curve.tangents = Some(tangents).filter(|_| is_used || unused == 0);
    Ok(curve.into_data()?)
}

/// A side of a key.
#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

/// Returns the tangents that are not finite.
fn not_finite(tangents: &Tangents, keys: usize) -> Vec<(usize, Side)> {
    let handles = |side: &[Handle]| -> Vec<usize> {
        let width = side.len().checked_div(keys).unwrap_or(0).max(1);
        let rows = side.chunks(width).enumerate();
        let bad = rows.filter(|(_, row)| row.iter().any(|handle| !handle.value.is_finite()));
        bad.map(|(key, _)| key).collect()
    };
    let values =
        |side: &Values| -> Vec<usize> { rows::not_finite(side).map(|(key, _)| key).collect() };
    let (left, right) = match tangents {
        Tangents::Values { left, right } => (values(left), values(right)),
        Tangents::Handles { left, right } => (handles(left), handles(right)),
    };
    let sides = left.into_iter().map(|key| (key, Side::Left));
    sides.chain(right.into_iter().map(|key| (key, Side::Right))).collect()
}

/// Replaces the numbers of a tangent.
fn set(tangents: &mut Tangents, (key, side): (usize, Side), row: &[f64]) {
    match tangents {
        Tangents::Values { left, right } => {
            let side = match side {
                Side::Left => left,
                Side::Right => right,
            };
            rows::set_row(side, key, row);
        }
        Tangents::Handles { left, right } => {
            let side = match side {
                Side::Left => left,
                Side::Right => right,
            };
            let handles = side.iter_mut().skip(key * row.len());
            handles.zip(row).for_each(|(handle, value)| handle.value = *value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stores::{Numbers, Rotations};
    use crate::{Budget, Clock, Interpolations, Limits, Value};

    const STORES: Stores =
        Stores { numbers: Numbers::Finite, rotations: Rotations::Directions, ..Stores::ALL };

    fn kept_by(data: TrackData, rules: Rules) -> (TrackData, Vec<(&'static str, u64)>) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let sound = is_sound(&data, STORES);
        let kept = keep(data, (&Property::Translation, rules), STORES, &mut context).unwrap();
        assert!(is_sound(&kept, STORES));
        let findings = context.findings.into_vec();
        assert_eq!(sound, findings.is_empty());
        (kept, findings.iter().map(|finding| (finding.code.id(), finding.count)).collect())
    }

    fn kept(data: TrackData) -> (TrackData, Vec<(&'static str, u64)>) {
        kept_by(data, Rules::LINEAR)
    }

    fn curve(interpolation: Interpolation, left: f32) -> TrackData {
        let tangents =
            Tangents::Values { left: vec![0.0, left].into(), right: vec![0.0_f32; 2].into() };
        let shared = Interpolations::Shared(interpolation);
        TrackData::curve(vec![0.0, 1.0], vec![1.0_f32, 2.0], shared, Some(tangents)).unwrap()
    }

    #[test]
    fn keys_with_values_that_are_not_finite_are_dropped() {
        let values = vec![[0.0_f64, 0.0], [0.0, f64::NAN], [f64::INFINITY, 1.0], [2.0, 2.0]];
        let data = TrackData::stepped(vec![0.0, 1.0, 2.0, 3.0], values).unwrap();
        let left = TrackData::stepped(vec![0.0, 3.0], vec![[0.0_f64, 0.0], [2.0, 2.0]]).unwrap();
        assert_eq!(kept(data), (left, vec![("convert/value-not-finite", 2)]));
        let (data, _) = kept(TrackData::uniform(0.5, vec![1.0_f32, f32::NAN, 3.0]));
        let keys: Vec<_> = data.keys().collect();
        assert_eq!(keys, [(0.0, Value::Float(1.0)), (1.0, Value::Float(3.0))]);
    }

    #[test]
    fn rotations_without_direction_are_dropped() {
        let turns = vec![Quat::<f32>::IDENTITY, Quat { x: 0.0, y: 0.0, z: 0.0, w: 0.0 }];
        let data = TrackData::stepped(vec![0.0, 1.0], turns).unwrap();
        let (data, findings) = kept(data);
        assert_eq!((data.len(), findings), (1, vec![("convert/rotation-dropped", 1)]));
    }

    #[test]
    fn an_interval_that_never_plays_stays_one() {
        let still = TrackData::uniform(0.0, vec![1_u8, 2]);
        let data = TrackData::uniform(f64::INFINITY, vec![1_u8, 2]);
        assert_eq!(kept(data), (still, vec![("convert/value-not-finite", 1)]));
        let data = TrackData::uniform(1e-50, vec![1.0, f64::NAN, 3.0]);
        let rules = Rules::LINEAR.with_clock(Clock::F32);
        let (data, _) = kept_by(data, rules);
        assert_eq!((data.len(), rules.sample(&data, 1.0)), (2, Some(Value::Double(1.0))));
    }

    #[test]
    fn a_tangent_that_is_not_finite_loses_its_slope_and_keeps_its_key() {
        let flat = |interpolation, left| {
            let found = kept(curve(interpolation, f32::NAN));
            let findings = vec![("convert/value-not-finite", 1)];
            assert_eq!(found, (curve(interpolation, left), findings));
        };
        flat(Interpolation::Hermite, 0.0);
        flat(Interpolation::Bezier, 2.0);
        let (data, findings) = kept(curve(Interpolation::Linear, f32::NAN));
        assert_eq!((data.len(), data.tangents()), (2, None));
        assert_eq!(findings, [("convert/tangents-dropped", 2)]);
        let (data, findings) = kept(curve(Interpolation::Hermite, 3.0));
        assert_eq!((data, findings), (curve(Interpolation::Hermite, 3.0), vec![]));
    }

    #[test]
    fn unused_tangents_become_zeros() {
        let (hold, curved) = (Interpolation::Hold, Interpolation::Hermite);
        let each = Interpolations::PerKey(vec![hold, curved, hold, curved]);
        let left = vec![f32::NAN, f32::INFINITY, 2.0, 3.0];
        let right = vec![0.5, 1.0, f32::NAN, f32::NAN];
        let tangents = Tangents::Values { left: left.into(), right: right.into() };
        let times = vec![0.0, 1.0, 2.0, 3.0];
        let data = TrackData::curve(times, vec![1.0_f32; 4], each, Some(tangents)).unwrap();
        let (data, findings) = kept(data);
        let Some(Tangents::Values { left, right }) = data.tangents() else { panic!("no tangents") };
        assert_eq!(*left, vec![0.0_f32, 0.0, 2.0, 3.0].into());
        assert_eq!(*right, vec![0.5_f32, 1.0, 0.0, 0.0].into());
        assert_eq!(findings, [("convert/tangents-dropped", 4)]);
    }

    #[test]
    fn a_segment_across_a_dropped_key_uses_the_handles_of_its_new_ends() {
        let (hold, curved) = (Interpolation::Hold, Interpolation::Bezier);
        let each = Interpolations::PerKey(vec![curved, hold, hold]);
        let handles = |values: [f64; 3]| values.map(|value| Handle { time: 0.0, value }).to_vec();
        let left = handles([0.0, 0.0, f64::NAN]);
        let tangents = Tangents::Handles { left, right: handles([0.0; 3]) };
        let (times, values) = (vec![0.0, 1.0, 2.0], vec![0.0, f32::NAN, 2.0]);
        let data = TrackData::curve(times, values, each, Some(tangents)).unwrap();
        let (data, findings) = kept(data);
        assert_eq!(data.times().collect::<Vec<_>>(), [0.0, 2.0]);
        let Some(Tangents::Handles { left, .. }) = data.tangents() else { panic!("no handles") };
        assert_eq!(left.get(1).map(|handle| handle.value), Some(2.0));
        assert_eq!(findings, [("convert/value-not-finite", 2)]);
    }
}
