//! Values and interpolations of keys.

use inbetween_core::{Interpolation, Property, Shape, Tangents, Track, ValueKind, Values, num};

use super::targets::is_euler;

pub(super) const fn is_uniform(track: &Track) -> bool {
    matches!(track.data().shape(), Shape::Uniform { .. })
}

pub(super) fn has_odd_interval(track: &Track) -> bool {
    matches!(track.data().shape(), Shape::Uniform { interval } if !interval.is_finite())
}

pub(super) fn has_handles(track: &Track) -> bool {
    matches!(track.data().tangents(), Some(Tangents::Handles { .. })) && !track.data().is_empty()
}

/// Returns whether a track has handles, and none of its segments is a curve.
pub(super) fn ignores_handles(track: &Track) -> bool {
    let data = track.data();
    let curved = |key| data.interpolation(key).uses_tangents(data.kind());
    has_handles(track) && !(0..data.len().saturating_sub(1)).any(curved)
}

/// Returns whether a track has rotations of length 0.
pub(super) fn has_zero_rotations(track: &Track) -> bool {
    match track.data().values() {
        Values::FloatQ(column) => column.iter().any(|rotation| rotation.length() == 0.0),
        Values::DoubleQ(column) => column.iter().any(|rotation| rotation.length() == 0.0),
        _ => false,
    }
}

/// Returns whether a value is NaN or infinite, or a tangent that a key uses.
pub(super) fn has_odd_values(track: &Track) -> bool {
    let data = track.data();
    let odd = |values: &Values| {
        values.kind() != ValueKind::String && {
            let text = format!("{values:?}");
            text.contains("NaN") || text.contains("inf")
        }
    };
    let tangents = match data.tangents() {
        Some(Tangents::Values { left, right }) if uses_tangents(track) => odd(left) || odd(right),
        _ => false,
    };
    odd(data.values()) || tangents
}

pub(super) fn uses_tangents(track: &Track) -> bool {
    let data = track.data();
    (0..data.len()).any(|key| data.interpolation(key).uses_tangents(data.kind()))
}

/// Returns whether unused tangents are other than 0; `None` without unused tangents.
pub(super) fn unused_tangents(track: &Track) -> Option<bool> {
    match track.data().tangents() {
        Some(Tangents::Values { left, right }) if !uses_tangents(track) => {
            let zeros = |values: &Values| {
                let text = format!("{values:?}");
                let (_, numbers) = text.split_once('(').expect("the kind stands in front");
                !numbers.contains(|c: char| matches!(c, '-' | '1'..='9' | 't'))
            };
            Some(!(zeros(left) && zeros(right)))
        }
        _ => None,
    }
}

/// Returns whether a track has curved segments, and no other reason to be baked.
pub(super) fn is_curved(track: &Track, angles: bool) -> bool {
    let data = track.data();
    let other = is_euler(track) || track.target().component.is_some() || has_handles(track);
    let angles = angles && track.target().property == Property::Rotation;
    let straight = |key| data.interpolation(key) == Interpolation::Linear;
    !other && !angles && !(0..data.len().saturating_sub(1)).all(straight)
}

/// Returns whether a track of whole Euler angles has curves or steps.
pub(super) fn has_curved_angles(track: &Track) -> bool {
    let (data, target) = (track.data(), track.target());
    let whole = is_euler(track) && target.component.is_none() && !has_handles(track);
    let straight = |key| data.interpolation(key) == Interpolation::Linear;
    whole && !(0..data.len().saturating_sub(1)).all(straight)
}

/// Returns whether a track keeps its keys in formats with frames.
pub(super) fn is_lines(track: &Track) -> bool {
    let whole = track.target().component.is_none() && !is_euler(track) && !has_handles(track);
    whole && !is_curved(track, false)
}

pub(super) fn is_wide(track: &Track) -> bool {
    let wide =
        |number: &f64| number.is_finite() && f64::from(num::f32_from_f64(*number)) != *number;
    match track.data().values() {
        Values::Double(numbers) => numbers.iter().any(wide),
        Values::Double3(vectors) => vectors.iter().flatten().any(wide),
        _ => false,
    }
}
