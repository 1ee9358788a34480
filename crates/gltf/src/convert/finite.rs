//! Drops keys whose numbers the file cannot store.

use inbetween_core::{
    BakeError, Context, Finding, Interpolation, Interpolations, LastBezier, Property, Quat, Rules,
    Shape, Tangents, TrackData, Values, codes as shared, counted, num, rows, translate,
};

use crate::codes;

/// Drops keys with numbers that JSON or programs do not support: values and tangents that are NaN
/// or infinite, and rotations of the length 0. Tangents that no segment uses become zeros instead.
pub(super) fn finite(
    data: TrackData,
    (property, rules): (&Property, Rules),
    context: &mut Context<'_>,
) -> Result<TrackData, BakeError> {
    let has_numbers = data.tangents().is_none() && rows::are_finite(data.values());
    if has_numbers && (0..data.len()).all(|key| rotates(data.values(), key)) {
        return Ok(data);
    }
    let (mut sound, mut not_finite, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
    for key in 0..data.len() {
        let list = if !is_finite(&data, sound.last().copied(), key) {
            &mut not_finite
        } else if rotates(data.values(), key) {
            &mut sound
        } else {
            &mut invalid
        };
        list.push(key);
    }
    if sound.len() == data.len() {
        return Ok(clear_unused(data, context));
    }
    for (code, gone) in [(shared::VALUE_NOT_FINITE, not_finite), (codes::ROTATION_INVALID, invalid)]
    {
        if !gone.is_empty() {
            let message = format!("{} dropped", counted(gone.len(), "key"));
            let finding = Finding::new(code, message);
            context.findings.push(finding.count(num::u64_from_len(gone.len())));
        }
    }
    let loses_end = sound.last().copied() != data.len().checked_sub(1);
    let kept = clear_unused(gathered(data, &sound, rules), context);
    if !loses_end {
        return Ok(kept);
    }
    // The new last key shaped the segment to a dropped key. It must not show its handle as a last
    // key does by some rules.
    let hidden = rules.with_last_bezier(LastBezier::Value);
    Ok(translate(kept, property, hidden, rules)?.data)
}

/// Returns whether a value is a rotation with a direction, or no rotation at all.
fn rotates(values: &Values, key: usize) -> bool {
    match values {
        Values::FloatQ(column) => {
            column.get(key).is_some_and(|it| Quat::<f64>::from(*it).has_direction())
        }
        Values::DoubleQ(column) => column.get(key).is_some_and(|it| it.has_direction()),
        _ => true,
    }
}

/// Returns whether a segment uses the right tangent of a key. A last key may show its handle.
fn uses_right(data: &TrackData, key: usize) -> bool {
    let has_handles = matches!(data.tangents(), Some(Tangents::Handles { .. }));
    (has_handles || key.saturating_add(1) < data.len()) && uses_tangents(data, key)
}

fn uses_tangents(data: &TrackData, key: usize) -> bool {
    data.interpolation(key).uses_tangents(data.kind())
}

/// Replaces unused tangents that are NaN or infinite by zeros, and reports that. A track without any
/// used tangents loses them all later.
fn clear_unused(data: TrackData, context: &mut Context<'_>) -> TrackData {
    let Some(Tangents::Values { left, right }) = data.tangents() else { return data };
    if !(0..data.len()).any(|key| uses_tangents(&data, key)) {
        return data;
    }
    let unused = |side: &Values, is_used: &dyn Fn(usize) -> bool| -> Vec<usize> {
        rows::not_finite(side).map(|(key, _)| key).filter(|key| !is_used(*key)).collect()
    };
    let begins = |key: usize| uses_tangents(&data, key);
    let on_left = unused(left, &|key| key.checked_sub(1).is_some_and(begins));
    let on_right = unused(right, &|key| uses_right(&data, key));
    let count = on_left.len().saturating_add(on_right.len());
    if count == 0 {
        return data;
    }
    let message = format!("{}, NaN or infinite", counted(count, "unused tangent"));
    context.say(shared::TANGENTS_DROPPED, message);
    let (kind, zeros) = (data.kind(), vec![0.0; rows::width(data.kind())]);
    let cleared = |mut side: Values, keys: &[usize]| {
        for key in keys {
            rows::set_row(&mut side, *key, &zeros);
        }
        side
    };
    let (shape, values) = data.into_parts();
    let made = match shape {
        Shape::Curve { times, interpolation, tangents } => {
            let tangents = tangents.map(|tangents| match *tangents {
                Tangents::Values { left, right } => Tangents::Values {
                    left: cleared(left, &on_left),
                    right: cleared(right, &on_right),
                },
                other => other,
            });
            TrackData::curve(times, values, interpolation, tangents)
        }
        _ => return TrackData::empty(kind),
    };
    made.unwrap_or_else(|_| TrackData::empty(kind))
}

/// Returns whether the value of a key and the tangents that segments use are finite; `before` is the
/// key at which the segment to it begins.
fn is_finite(data: &TrackData, before: Option<usize>, key: usize) -> bool {
    let finite = |values: &Values| {
        rows::numbers(values, key).is_none_or(|row| row.iter().all(|number| number.is_finite()))
    };
    let uses_left = before.is_some_and(|before| uses_tangents(data, before));
    let uses_right = uses_right(data, key);
    let sides = match data.tangents() {
        Some(Tangents::Values { left, right }) => {
            (!uses_left || finite(left)) && (!uses_right || finite(right))
        }
        Some(Tangents::Handles { left, right }) => {
            let width = left.len().checked_div(data.len()).unwrap_or(0);
            let own = key.saturating_mul(width)..key.saturating_add(1).saturating_mul(width);
            let left = left.get(own.clone()).filter(|_| uses_left);
            let right = right.get(own).filter(|_| uses_right);
            let mut handles = left.into_iter().chain(right).flatten();
            handles.all(|handle| handle.value.is_finite())
        }
        _ => true,
    };
    finite(data.values()) && sides
}

/// Returns the keys at the given indices, which play by the rules of the source.
fn gathered(data: TrackData, indices: &[usize], rules: Rules) -> TrackData {
    let keys = data.len();
    let kind = data.kind();
    let times = indices.iter().map(|key| data.time(*key).unwrap_or(0.0)).collect();
    let (shape, values) = data.into_parts();
    let values = values.gather(indices);
    let made = match shape {
        Shape::Stepped { .. } => TrackData::stepped(times, values),
        Shape::Curve { interpolation, tangents, .. } => {
            let tangents = tangents.map(|tangents| tangents.gather(indices, keys));
            TrackData::curve(times, values, interpolation.gather(indices), tangents)
        }
        // Only the first key shows. With times the last one would.
        Shape::Uniform { interval } if !rules.plays_interval(interval) => {
            return TrackData::uniform(interval, values);
        }
        _ => {
            let linear = Interpolations::Shared(Interpolation::Linear);
            TrackData::curve(times, values, linear, None)
        }
    };
    made.unwrap_or_else(|_| TrackData::empty(kind))
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Clock, Handle, Limits, Value};

    use super::*;

    #[test]
    fn tangents_that_are_not_finite_become_zeros_where_no_segment_uses_them() {
        let (hold, curved) = (Interpolation::Hold, Interpolation::Hermite);
        let each = Interpolations::PerKey(vec![hold, curved, hold, curved]);
        let left = vec![f32::NAN, f32::INFINITY, 2.0, 3.0];
        let right = vec![0.5, 1.0, f32::NAN, f32::NAN];
        let tangents = Tangents::Values { left: left.into(), right: right.into() };
        let (times, values) = (vec![0.0, 1.0, 2.0, 3.0], vec![1.0_f32; 4]);
        let data = TrackData::curve(times, values, each, Some(tangents)).unwrap();
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let rules = (&Property::Translation, Rules::LINEAR);
        let kept = finite(data, rules, &mut context).unwrap();
        let Some(Tangents::Values { left, right }) = kept.tangents() else { panic!("no tangents") };
        assert_eq!(*left, vec![0.0_f32, 0.0, 2.0, 3.0].into());
        assert_eq!(*right, vec![0.5_f32, 1.0, 0.0, 0.0].into());
        let findings = context.findings.into_vec();
        assert_eq!(findings[0].message, "4 unused tangents, NaN or infinite");
        assert_eq!((findings.len(), findings[0].code), (1, shared::TANGENTS_DROPPED));
    }

    #[test]
    fn a_key_is_dropped_only_for_a_tangent_that_a_segment_uses() {
        let each = Interpolations::PerKey(vec![Interpolation::Hermite, Interpolation::Hold]);
        let data = |left: Vec<f32>| {
            let tangents = Tangents::Values { left: left.into(), right: vec![1.0_f32; 2].into() };
            let values = vec![1.0_f32, 2.0];
            TrackData::curve(vec![0.0, 1.0], values, each.clone(), Some(tangents)).unwrap()
        };
        let kept = |data| {
            let mut budget = Budget::new(&Limits::default(), 0);
            let mut context = Context::new(&mut budget);
            let rules = (&Property::Translation, Rules::LINEAR);
            finite(data, rules, &mut context).unwrap()
        };
        assert_eq!(kept(data(vec![f32::NAN, 1.0])).len(), 2);
        let dropped = kept(data(vec![1.0, f32::NAN]));
        assert_eq!((dropped.len(), dropped.value(0)), (1, Some(Value::Float(1.0))));
    }

    #[test]
    fn an_interval_that_the_engine_plays_as_0_stays_one() {
        let data = TrackData::uniform(1e-50, vec![1.0, f64::NAN, 3.0]);
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let rules = Rules::LINEAR.with_clock(Clock::F32);
        let track = (&Property::Translation, rules);
        let kept = finite(data, track, &mut context).unwrap();
        assert_eq!(kept.len(), 2);
        assert_eq!(rules.sample(&kept, 1.0), Some(Value::Double(1.0)));
    }

    #[test]
    fn a_segment_across_a_dropped_key_uses_the_tangents_of_its_new_ends() {
        let (hold, curved) = (Interpolation::Hold, Interpolation::Bezier);
        let each = Interpolations::PerKey(vec![curved, hold, hold, hold]);
        let handles = |values: [f64; 4]| values.map(|value| Handle { time: 0.0, value }).to_vec();
        let left = handles([0.0, 0.0, f64::NAN, 0.0]);
        let tangents = Tangents::Handles { left, right: handles([0.0; 4]) };
        let (times, values) = (vec![0.0, 1.0, 2.0, 3.0], vec![0.0, f32::NAN, 2.0, 3.0]);
        let data = TrackData::curve(times, values, each, Some(tangents)).unwrap();
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let rules = (&Property::Translation, Rules::LINEAR);
        let kept = finite(data, rules, &mut context).unwrap();
        assert_eq!(kept.times().collect::<Vec<_>>(), [0.0, 3.0]);
        assert_eq!(context.findings.into_vec()[0].message, "2 keys dropped");
    }
}
