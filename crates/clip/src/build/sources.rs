//! The tracks of an animation that a clip can store.

use inbetween_core::lower::{TrackGroup, group_components};
use inbetween_core::{
    Animation, Context, Property as SourceProperty, Shape, Tangents, TrackData, Values,
    codes as shared, dropped_track, rows, shown,
};

use super::keys::LINEAR;
use super::short;
use crate::codes;
use crate::layout::LARGEST;
use crate::num::f32_from_f64;
use crate::times::Clock;

/// Returns the tracks that a clip can store, with those of one component joined to the first one of
/// the same target.
pub(super) fn joined(
    animation: &Animation,
    clock: Clock,
    context: &mut Context<'_>,
) -> Vec<TrackGroup> {
    let usable = animation.tracks.iter().enumerate().filter_map(|(index, track)| {
        context.findings.enter_track(index, track.target());
        let data = usable(track, clock, context)?;
        let data = short::held(data, animation.rules.of(&track.target().property));
        Some((index, track.target().clone(), data))
    });
    group_components(usable, |_| false)
}

/// Returns the keys of a track as the clock of the engine has them; reports a track that cannot be
/// stored.
fn usable(
    track: &inbetween_core::Track,
    clock: Clock,
    context: &mut Context<'_>,
) -> Option<TrackData> {
    let (target, data) = (track.target(), track.data());
    let stored = match &target.property {
        SourceProperty::Custom(_) => {
            rows::is_float_vector(data.kind()) && target.component.is_none()
        }
        _ => true,
    };
    if !stored {
        context.findings.push(dropped_track(data));
        return None;
    }
    if data.is_empty() {
        let name = shown(&target.property.name()).to_string();
        context.say(shared::EMPTY_TRACKS_DROPPED, name);
        return None;
    }
    let kept = is_sound(data).then(|| on_clock(data, clock)).flatten();
    if kept.is_none() {
        let message = format!(
            "\"{}\" of node \"{}\"",
            shown(&target.property.name()),
            shown(target.node.as_deref().unwrap_or_default())
        );
        context.say(codes::NOT_FINITE, message);
    }
    kept
}

/// Returns whether a clip can hold all numbers that may play, and all rotations have a direction.
fn is_sound(data: &TrackData) -> bool {
    let has_direction = |row: Vec<f64>| {
        let length = row.iter().map(|part| part * part).sum::<f64>();
        length.is_normal() && f32_from_f64(length).is_normal()
    };
    let turns = |values: &Values| {
        let mut all = (0..values.len()).filter_map(|key| rows::numbers(values, key));
        !data.kind().is_quaternion() || all.all(has_direction)
    };
    let sides = match data.tangents() {
        Some(Tangents::Values { left, right }) => are_small(left) && are_small(right),
        Some(Tangents::Handles { left, right }) => {
            left.iter().chain(right).all(|handle| is_small(handle.value))
        }
        _ => true,
    };
    sides && are_small(data.values()) && turns(data.values())
}

fn are_small(values: &Values) -> bool {
    let mut rows = (0..values.len()).filter_map(|key| rows::numbers(values, key));
    rows.all(|row| row.into_iter().all(is_small))
}

fn is_small(number: f64) -> bool {
    number.abs() <= f64::from(LARGEST)
}

/// Returns the keys at the times that the clock has: an engine that counts in `f32` compares
/// rounded times. `None` if they are not finite then. Uniform keys that never play become one key.
fn on_clock(data: &TrackData, clock: Clock) -> Option<TrackData> {
    if !data.plays() || data.len() == 1 && matches!(data.shape(), Shape::Uniform { .. }) {
        return TrackData::stepped(vec![0.0], data.values().gather(&[0])).ok();
    }
    if clock == Clock::F64 {
        return Some(data.clone());
    }
    let round = |time: f64| f64::from(f32_from_f64(time));
    let times = data.times().map(round).collect();
    let (shape, values) = data.clone().into_parts();
    let rounded = match shape {
        Shape::Stepped { .. } => TrackData::stepped(times, values),
        Shape::Curve { interpolation, tangents, .. } => {
            TrackData::curve(times, values, interpolation, tangents.map(|tangents| *tangents))
        }
        _ => TrackData::curve(times, values, LINEAR, None),
    };
    rounded.ok()
}
