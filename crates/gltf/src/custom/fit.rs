//! Converts tracks to a form that extras can store.

use inbetween_core::{Context, Shape, TrackData, codes as shared, counted};

/// Drops tangents that no segment uses, and an interval that is not a number, and reports both.
pub(crate) fn fit(data: TrackData, context: &mut Context<'_>) -> TrackData {
    let is_curve = |key| data.interpolation(key).uses_tangents(data.kind());
    let drops_tangents = data.tangents().is_some() && !(0..data.len()).any(is_curve);
    if drops_tangents {
        let message = format!("tangents of {}", counted(data.len(), "key"));
        context.say(shared::TANGENTS_DROPPED, message);
    }
    let kind = data.kind();
    let (shape, values) = data.into_parts();
    let made = match shape {
        Shape::Uniform { interval } if !interval.is_finite() => {
            context.say(shared::VALUE_NOT_FINITE, format!("an interval of {interval} s"));
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
