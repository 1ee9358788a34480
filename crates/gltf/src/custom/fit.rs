//! Converts tracks to a form that extras can store.

use inbetween_core::{Finding, Findings, Path, Shape, TrackData, codes as shared, counted};

/// Drops tangents that no segment uses, and an interval that is not a number, and reports both.
pub(crate) fn fit(data: TrackData, path: &Path, findings: &mut Findings) -> TrackData {
    let is_curve = |key| data.interpolation(key).uses_tangents(data.kind());
    let drops_tangents = data.tangents().is_some() && !(0..data.len()).any(is_curve);
    if drops_tangents {
        let message = format!("tangents of {}", counted(data.len(), "key"));
        findings.push(Finding::new(shared::TANGENTS_DROPPED, message).at(path.clone()));
    }
    let kind = data.kind();
    let (shape, values) = data.into_parts();
    let made = match shape {
        Shape::Uniform { interval } if !interval.is_finite() => {
            let finding =
                Finding::new(shared::VALUE_NOT_FINITE, format!("an interval of {interval} s"));
            findings.push(finding.at(path.clone()));
            return TrackData::uniform(0.0, values);
        }
        Shape::Uniform { interval } => return TrackData::uniform(interval, values),
        Shape::Curve { times, interpolation, tangents } => {
            let tangents = tangents.filter(|_| !drops_tangents).map(|tangents| *tangents);
            TrackData::curve(times, values, interpolation, tangents)
        }
        Shape::Stepped { times } => TrackData::stepped(times, values),
        _ => return TrackData::empty(kind),
    };
    made.unwrap_or_else(|_| TrackData::empty(kind))
}
