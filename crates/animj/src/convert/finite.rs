//! Handles numbers that JSON cannot represent.

use inbetween_core::keys::column;
use inbetween_core::num::u64_from_len;
use inbetween_core::resonite::ResoniteKeys;
use inbetween_core::{Context, Finding, Interpolation, Values, codes as shared, rows};

/// Drops keys whose values are not finite, and makes tangents flat that are not. Values with an
/// interval cannot have gaps: it returns false if the whole track must be dropped.
pub(super) fn keep_finite(keys: &mut ResoniteKeys, context: &mut Context<'_>) -> bool {
    let mut report = |code, message: &str, count: usize| {
        let finding = Finding::new(code, message.to_owned());
        context.findings.push(finding.count(u64_from_len(count)));
    };
    let bad = marked(keys.values());
    let dropped = bad.iter().filter(|bad| **bad).count();
    if dropped > 0 {
        if matches!(keys, ResoniteKeys::Raw { .. }) {
            let message = "NaN or infinite values in a track with an interval";
            report(shared::TRACK_DROPPED, message, dropped);
            return false;
        }
        report(shared::VALUE_NOT_FINITE, "keys dropped", dropped);
        let kept: Vec<usize> = (0..bad.len()).filter(|key| bad.get(*key) == Some(&false)).collect();
        gather(keys, &kept);
    }
    match keys {
        ResoniteKeys::Raw { interval, .. } if !interval.is_finite() => {
            report(shared::VALUE_NOT_FINITE, &format!("an interval of {interval}"), 1);
            *interval = 0.0;
        }
        _ => flatten_tangents(keys, &mut report),
    }
    true
}

/// Keeps only the keys at these indices.
fn gather(keys: &mut ResoniteKeys, kept: &[usize]) {
    let gather = |column: &mut Values| *column = column.gather(kept);
    match keys {
        ResoniteKeys::Raw { values, .. } => gather(values),
        ResoniteKeys::Discrete { times, values } => {
            *times = column(times, Some(kept), |time| *time);
            gather(values);
        }
        ResoniteKeys::Curve { times, values, interpolation, tangents } => {
            *times = column(times, Some(kept), |time| *time);
            gather(values);
            *interpolation = interpolation.gather(kept);
            if let Some((left, right)) = tangents {
                gather(left);
                gather(right);
            }
        }
    }
}

/// Returns whether all numbers can be written.
pub(super) fn are_finite(keys: &ResoniteKeys) -> bool {
    let others = match keys {
        ResoniteKeys::Raw { interval, .. } => interval.is_finite(),
        ResoniteKeys::Curve { tangents: Some((left, right)), .. } => {
            rows::are_finite(left) && rows::are_finite(right)
        }
        _ => true,
    };
    others && rows::are_finite(keys.values())
}

/// Marks the keys whose values cannot be written.
fn marked(values: &Values) -> Vec<bool> {
    let mut marks = vec![false; values.len()];
    for (key, _) in rows::not_finite(values) {
        if let Some(mark) = marks.get_mut(key) {
            *mark = true;
        }
    }
    marks
}

/// Makes tangents flat that cannot be written, or drops all of them if no segment uses any.
fn flatten_tangents(
    keys: &mut ResoniteKeys,
    report: &mut dyn FnMut(inbetween_core::Code, &str, usize),
) {
    let ResoniteKeys::Curve { values, interpolation, tangents, .. } = keys else { return };
    let Some((left, right)) = tangents else { return };
    let label = |key: Option<usize>| key.map(|key| interpolation.get(key));
    let is_curved = |key| label(key).is_some_and(|label| label.uses_tangents(values.kind()));
    let (mut used, mut unused) = (0_usize, 0_usize);
    for (side, is_right) in [(left, false), (right, true)] {
        let bad: Vec<usize> = rows::not_finite(side).map(|(key, _)| key).collect();
        for key in bad {
            let ends = key.saturating_add(1) >= values.len();
            let start = if is_right { Some(key).filter(|_| !ends) } else { key.checked_sub(1) };
            // A flat control point has the value of its key.
            let row = match label(start) {
                Some(Interpolation::Bezier) => rows::numbers(values, key).unwrap_or_default(),
                _ => vec![0.0; rows::width(values.kind())],
            };
            rows::set_row(side, key, &row);
            let count = if is_curved(start) { &mut used } else { &mut unused };
            *count = count.saturating_add(1);
        }
    }
    if used > 0 {
        report(shared::VALUE_NOT_FINITE, "tangents became flat", used);
    }
    if unused > 0 {
        let keys = values.len();
        let is_used = (0..keys).any(|key| is_curved(Some(key)));
        report(
            shared::TANGENTS_DROPPED,
            "numbers that are not finite",
            if is_used { unused } else { keys },
        );
        if !is_used {
            *tangents = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use inbetween_core::{Budget, Interpolations, Limits};

    use super::*;

    fn kept(mut keys: ResoniteKeys) -> (Option<ResoniteKeys>, Vec<(&'static str, u64)>) {
        let mut budget = Budget::new(&Limits::default(), 0);
        let mut context = Context::new(&mut budget);
        let are_finite = are_finite(&keys);
        let is_kept = keep_finite(&mut keys, &mut context);
        let findings = context.findings.into_vec();
        assert_eq!(are_finite, findings.is_empty());
        (
            is_kept.then_some(keys),
            findings.iter().map(|finding| (finding.code.id(), finding.count)).collect(),
        )
    }

    fn curve(interpolation: Interpolation, left: f32) -> ResoniteKeys {
        ResoniteKeys::Curve {
            times: vec![0.0, 1.0],
            values: vec![1.0_f32, 2.0].into(),
            interpolation: Interpolations::Shared(interpolation),
            tangents: Some((vec![0.0, left].into(), vec![0.0_f32; 2].into())),
        }
    }

    #[test]
    fn keys_with_non_finite_numbers_are_dropped() {
        let values = vec![[0.0_f64, 0.0], [0.0, f64::NAN], [f64::INFINITY, 1.0], [2.0, 2.0]];
        let keys =
            ResoniteKeys::Discrete { times: vec![0.0, 1.0, 2.0, 3.0], values: values.into() };
        let left = ResoniteKeys::Discrete {
            times: vec![0.0, 3.0],
            values: vec![[0.0_f64, 0.0], [2.0, 2.0]].into(),
        };
        assert_eq!(kept(keys), (Some(left), vec![("convert/value-not-finite", 2)]));
    }

    #[test]
    fn values_with_an_interval_are_dropped_together() {
        let keys = ResoniteKeys::Raw { interval: 0.5, values: vec![1.0_f32, f32::NAN].into() };
        assert_eq!(kept(keys), (None, vec![("convert/track-dropped", 1)]));
        let keys = ResoniteKeys::Raw { interval: f32::INFINITY, values: vec![1_u8, 2].into() };
        let still = ResoniteKeys::Raw { interval: 0.0, values: vec![1_u8, 2].into() };
        assert_eq!(kept(keys), (Some(still), vec![("convert/value-not-finite", 1)]));
    }

    #[test]
    fn a_non_finite_tangent_loses_its_slope_and_keeps_its_key() {
        let kept_as = |interpolation, left| {
            let (keys, findings) = kept(curve(interpolation, f32::NAN));
            assert_eq!(keys, Some(curve(interpolation, left)));
            assert_eq!(findings, [("convert/value-not-finite", 1)]);
        };
        kept_as(Interpolation::Hermite, 0.0);
        kept_as(Interpolation::Bezier, 2.0);
        let (keys, findings) = kept(curve(Interpolation::Linear, f32::NAN));
        assert!(
            matches!(keys, Some(ResoniteKeys::Curve { tangents: None, values, .. }) if values.len() == 2)
        );
        assert_eq!(findings, [("convert/tangents-dropped", 2)]);
    }

    #[test]
    fn finite_keys_are_unchanged() {
        let keys = curve(Interpolation::Hermite, 3.0);
        assert_eq!(kept(keys.clone()), (Some(keys), Vec::new()));
    }
}
