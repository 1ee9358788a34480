//! The helper members of keys: time and value in the units that animators use.
//!
//! They are printed next to the numbers that the file stores. When a text is packed they must match
//! these numbers; otherwise an edit of the wrong member would be lost silently.

use inbetween_core::num;
use serde::de::Error;

/// Frames per second of the helper member `frame`, as in X4.
const FRAMES: f64 = 30.0;

/// Returns the frame of a finite time; an integer if the time is within `f32` rounding of a frame.
pub(super) fn frame(time: f32) -> Option<f64> {
    let time = f64::from(time);
    let frame = time * FRAMES;
    let frame = if num::is_on_frame(time, FRAMES) { frame.round() } else { rounded(frame) };
    frame.is_finite().then_some(frame)
}

/// Returns angles in degrees if all of them are finite.
pub(super) fn degrees(value: [f32; 3]) -> Option<[f64; 3]> {
    let degrees = value.map(|angle| rounded(f64::from(angle).to_degrees()));
    degrees.iter().all(|angle| angle.is_finite()).then_some(degrees)
}

/// Rounds a number for display: an `f32` has no more digits to show.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Checks that the frame, if present, matches the time.
pub(super) fn check_frame<E: Error>(time: f32, found: Option<f64>) -> Result<(), E> {
    match (frame(time), found) {
        (_, None) => Ok(()),
        (None, Some(found)) => Err(E::custom(format_args!(
            "expected no frame, since time is not a number, found {found:?}; remove frame"
        ))),
        (Some(expected), Some(found)) if expected == found => Ok(()),
        (Some(expected), Some(found)) => Err(E::custom(format_args!(
            "expected frame {expected:?}, matching time, found {found:?}; change time and remove frame"
        ))),
    }
}

/// Returns the value of a key from its members `value` and `degrees`. Only rotations have degrees,
/// which must match the value or replace it.
pub(super) fn value<const ANGLES: bool, E: Error>(
    value: Option<[f32; 3]>,
    found: Option<[f64; 3]>,
) -> Result<[f32; 3], E> {
    match (value, found) {
        (_, Some(_)) if !ANGLES => {
            Err(E::custom("expected no degrees, which only rotations have, found them"))
        }
        (Some(value), None) => Ok(value),
        (Some(value), Some(found)) => agreeing(value, found),
        (None, Some(found)) => radians(found),
        (None, None) => Err(E::missing_field("value")),
    }
}

fn agreeing<E: Error>(value: [f32; 3], found: [f64; 3]) -> Result<[f32; 3], E> {
    let Some(expected) = degrees(value) else {
        let message = "expected no degrees, since value has no numbers, found them; remove degrees";
        return Err(E::custom(message));
    };
    let mut angles = ["X", "Y", "Z"].into_iter().zip(expected.into_iter().zip(found));
    match angles.find(|(_, (expected, found))| expected != found) {
        None => Ok(value),
        Some((axis, (expected, found))) => Err(E::custom(format_args!(
            "expected degrees {expected:?} on {axis}, matching value, found {found:?}; remove value or degrees"
        ))),
    }
}

fn radians<E: Error>(degrees: [f64; 3]) -> Result<[f32; 3], E> {
    let radians = degrees.map(|angle| num::f32_from_f64(angle.to_radians()));
    match degrees.into_iter().zip(radians).find(|(_, radians)| !radians.is_finite()) {
        None => Ok(radians),
        Some((found, _)) => Err(E::custom(format_args!(
            "expected degrees that 32 bits can hold in radians, found {found:?}"
        ))),
    }
}
