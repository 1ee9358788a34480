//! Evaluates keys as X4 does.
//!
//! The rules come from one trace of the engine (`docs/formats/x4-ani.md`). Each axis is
//! interpolated on its own between the active key, with value a, and the next key, with value b. f
//! is the normalized time within the segment, 0 to 1:
//!
//! | type | value |
//! |---|---|
//! | 1 step | a |
//! | 2 linear | a + (b - a) f; on rotations a counts as 0 if it is 2 pi as `f32`, of either sign, and differs from b |
//! | 5 bezier | a cubic Bezier curve over a, CP1 value of a, CP2 value of b, b |
//! | 7 tcb, 6 | a Kochanek-Bartels spline; nearly, as the engine's own rule is not known |
//! | others | 0 |

use core::f32::consts::TAU;

use inbetween_core::{Axis, FullTurn, Record, View};

use crate::{Group, KeyType, RULES, X4aniKey, X4aniRecord};

impl X4aniRecord<'_> {
    /// Returns the value of a group at a time in seconds, or `None` without keys.
    ///
    /// Before the first key its value holds, and after the last key its value; a last or only key
    /// of type 5 shows the value of its CP1. Without keys, X4 uses position 0, the part's own
    /// rotation, and scale 1.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_x4_ani::{Group, KeyType, RecordPart, X4aniFile, X4aniKey, X4aniParts};
    ///
    /// let mut record = RecordPart::default();
    /// *record.keys_mut(Group::Scale) = vec![
    ///     X4aniKey::new(0.0, [1.0; 3], KeyType::LINEAR),
    ///     X4aniKey::new(2.0, [3.0; 3], KeyType::STEP),
    /// ];
    /// let parts = X4aniParts { records: vec![record], ..X4aniParts::default() };
    /// let file = X4aniFile::from_parts(&parts)?;
    /// let record = file.record(0).ok_or("no record")?;
    /// assert_eq!(record.sample(Group::Scale, 0.5), Some([1.5; 3]));
    /// assert_eq!(record.sample(Group::Scale, 9.0), Some([3.0; 3]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sample(&self, group: Group, time: f32) -> Option<[f32; 3]> {
        sample(self.keys(group), group, time)
    }
}

fn sample(keys: View<'_, X4aniKey>, group: Group, time: f32) -> Option<[f32; 3]> {
    let (index, next) = active(keys, time);
    let key = keys.get(index)?;
    let Some(next) = next.and_then(|next| keys.get(next)) else {
        return Some(Axis::ALL.map(|axis| alone(&key, axis)));
    };
    let span = Span { keys, index, from: key, to: next, time };
    Some(Axis::ALL.map(|axis| span.at(axis, group)))
}

/// Returns the active key at a time, and the next key.
fn active(keys: View<'_, X4aniKey>, time: f32) -> (usize, Option<usize>) {
    let mut times = keys.bytes().chunks_exact(X4aniKey::SIZE).map(key_time);
    let last = keys.len().saturating_sub(1);
    let Some(first) = times.next().filter(|_| last > 0) else { return (0, None) };
    let index = if time <= first { Some(0) } else { times.position(|next| time < next) };
    match index {
        Some(index) => (index, Some(index.saturating_add(1))),
        None => (last, None),
    }
}

fn key_time(key: &[u8]) -> f32 {
    key.get(24..).and_then(|time| f32::decode(time, ())).unwrap_or(f32::NAN)
}

/// Returns the value after the last key, or of the only key.
fn alone(key: &X4aniKey, axis: Axis) -> f32 {
    let (value, key_type, points) = key.axis(axis);
    match ruling_type(key, axis) {
        KeyType::BEZIER => points.out_value,
        _ if key_type.is_zero() => 0.0,
        _ => value,
    }
}

/// Returns the effective type of an axis: a spline on X applies to all axes.
pub(crate) fn ruling_type(key: &X4aniKey, axis: Axis) -> KeyType {
    let [x, _, _] = key.types;
    if x == KeyType::TCB { x } else { key.axis(axis).1 }
}

/// Returns whether the engine uses 0 as the start value of a linear segment.
pub(crate) fn counts_as_zero(group: Group, from: f32, to: f32) -> bool {
    group == Group::Rotation && from != to && is_two_pi(from)
}

/// Returns whether an angle is a full turn.
pub(crate) fn is_two_pi(angle: f32) -> bool {
    angle.abs() == TAU
}

/// A time in the segment between a key and the next one.
struct Span<'a> {
    keys: View<'a, X4aniKey>,
    index: usize,
    from: X4aniKey,
    to: X4aniKey,
    time: f32,
}

impl Span<'_> {
    fn at(&self, axis: Axis, group: Group) -> f32 {
        let ((a, _, from), (b, _, to)) = (self.from.axis(axis), self.to.axis(axis));
        let (start, end) = ((self.from.time.into(), a), (self.to.time.into(), b));
        let bezier = |handles| RULES.bezier_between(start, handles, end, self.time.into());
        match ruling_type(&self.from, axis) {
            KeyType::STEP => a,
            KeyType::LINEAR if group == Group::Rotation => {
                RULES.between(start, end, self.time.into())
            }
            KeyType::LINEAR => {
                RULES.with_full_turn(FullTurn::Kept).between(start, end, self.time.into())
            }
            KeyType::BEZIER => bezier([from.out_value, to.in_value]),
            each if each.is_approximate() => bezier(spline_points(self.keys, self.index, axis)),
            _ => 0.0,
        }
    }
}

/// Returns the Bezier values equivalent to the Kochanek-Bartels spline from key `index` to the next
/// one: a third of the tangent away from either end.
pub(crate) fn spline_points(keys: View<'_, X4aniKey>, index: usize, axis: Axis) -> [f32; 2] {
    let next = index.saturating_add(1);
    let (Some(from), Some(to)) = (keys.get(index), keys.get(next)) else { return [0.0; 2] };
    let before = index.checked_sub(1).and_then(|before| keys.get(before));
    let after = keys.get(next.saturating_add(1));
    let way = |a: &X4aniKey, b: &X4aniKey| (b.axis(axis).0 - a.axis(axis).0, b.time - a.time);
    let here = way(&from, &to);
    let out = tangent(&from, before.map(|before| way(&before, &from)), here, 1.0);
    let into = tangent(&to, after.map(|after| way(&to, &after)), here, -1.0);
    [from.axis(axis).0 + out / 3.0, to.axis(axis).0 - into / 3.0]
}

/// Returns the tangent of a key in the segment `here`, given the segment `there` on its other side.
///
/// Without another side, the segment itself is used. `side` is 1 at the start of the segment and -1
/// at its end.
fn tangent(key: &X4aniKey, there: Option<(f32, f32)>, here: (f32, f32), side: f32) -> f32 {
    let (other, other_time) = there.unwrap_or(here);
    let (continuity, bias) = (key.continuity * side, key.bias * side);
    let near = (1.0 - continuity) * (1.0 - bias) * here.0;
    let far = (1.0 + continuity) * (1.0 + bias) * other;
    let both = here.1 + other_time;
    let spacing = if both == 0.0 { 1.0 } else { 2.0 * here.1 / both };
    (1.0 - key.tension) * 0.5 * (near + far) * spacing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ControlPoints;

    fn at(keys: &[X4aniKey], group: Group, time: f32) -> [f32; 3] {
        let mut bytes = Vec::new();
        for key in keys {
            key.encode((), &mut bytes);
        }
        sample(View::new(&bytes, ()), group, time).unwrap()
    }

    fn line(points: &[(f32, f32)], key_type: KeyType) -> Vec<X4aniKey> {
        points.iter().map(|&(time, value)| X4aniKey::new(time, [value; 3], key_type)).collect()
    }

    #[test]
    fn a_group_without_keys_has_no_value() {
        assert_eq!(sample(View::new(&[], ()), Group::Position, 0.0), None);
    }

    #[test]
    fn each_axis_uses_its_own_type() {
        let mut keys = line(&[(0.0, 1.0), (2.0, 5.0)], KeyType::STEP);
        keys[0].types = [KeyType::STEP, KeyType::LINEAR, KeyType::QUADRATIC];
        assert_eq!(at(&keys, Group::Position, 0.5), [1.0, 2.0, 0.0]);
        assert_eq!(at(&keys, Group::Position, 2.0), [5.0; 3]);
    }

    #[test]
    fn the_first_and_last_values_hold_outside_the_keys() {
        let keys = line(&[(-1.0, 3.0), (1.0, 4.0)], KeyType::LINEAR);
        assert_eq!(at(&keys, Group::Position, -9.0), [3.0; 3]);
        assert_eq!(at(&keys, Group::Position, 0.0), [3.5; 3]);
        assert_eq!(at(&keys, Group::Position, 9.0), [4.0; 3]);
        let zero = line(&[(0.0, 3.0), (1.0, 4.0)], KeyType::CUBIC);
        assert_eq!(at(&zero, Group::Position, -9.0), [0.0; 3]);
        assert_eq!(at(&zero, Group::Position, 9.0), [0.0; 3]);
    }

    #[test]
    fn a_bezier_curve_uses_control_point_values_and_linear_time() {
        let mut keys = line(&[(0.0, 0.0), (2.0, 8.0)], KeyType::BEZIER);
        // The times of the control points have no effect.
        keys[0].control_points[0] =
            ControlPoints { out_time: 1.9, out_value: 4.0, ..Default::default() };
        keys[1].control_points[0] =
            ControlPoints { in_time: 0.1, in_value: 2.0, out_value: 7.0, out_time: 0.0 };
        // (0 + 3 * 4 + 3 * 2 + 8) / 8, and 8 / 8 without control points.
        assert_eq!(at(&keys, Group::Position, 1.0), [3.25, 1.0, 1.0]);
        assert_eq!(at(&keys, Group::Position, 2.0), [7.0, 0.0, 0.0]);
    }

    #[test]
    fn a_single_key_of_type_5_always_shows_its_cp1() {
        let mut keys = line(&[(0.0, 6.0)], KeyType::BEZIER);
        keys[0].control_points[1].out_value = 2.0;
        assert_eq!(at(&keys, Group::Scale, -1.0), [0.0, 2.0, 0.0]);
        assert_eq!(at(&line(&[(0.0, 6.0)], KeyType::STEP), Group::Scale, 5.0), [6.0; 3]);
    }

    #[test]
    fn a_linear_segment_from_two_pi_starts_at_zero_on_rotations_only() {
        let keys = line(&[(0.0, -TAU), (1.0, 1.0)], KeyType::LINEAR);
        assert_eq!(at(&keys, Group::Rotation, 0.0), [0.0; 3]);
        assert_eq!(at(&keys, Group::Rotation, 0.5), [0.5; 3]);
        assert_eq!(at(&keys, Group::Position, 0.0), [-TAU; 3]);
        let same = line(&[(0.0, TAU), (1.0, TAU)], KeyType::LINEAR);
        assert_eq!(at(&same, Group::Rotation, 0.5), [TAU; 3]);
        let spin = line(&[(0.0, 0.0), (1.0, TAU)], KeyType::LINEAR);
        assert_eq!(at(&spin, Group::Rotation, 0.5), [TAU / 2.0; 3]);
    }

    #[test]
    fn a_spline_without_parameters_is_a_catmull_rom_spline() {
        let keys = line(&[(0.0, 0.0), (1.0, 1.0), (2.0, 3.0), (3.0, 3.0)], KeyType::TCB);
        // Tangents 1.5 and 1: 0.5 * 1 + 0.5 * 3 + (1.5 - 1) / 8.
        assert_eq!(at(&keys, Group::Position, 1.5), [2.0625; 3]);
        assert_eq!(at(&keys, Group::Position, 3.0), [3.0; 3]);
    }

    #[test]
    fn tension_makes_a_spline_stop_at_its_keys() {
        let mut keys = line(&[(0.0, 0.0), (1.0, 1.0), (2.0, 3.0)], KeyType::BEZIER_LINEAR_TIME);
        for key in &mut keys {
            key.tension = 1.0;
        }
        // Without tangents, the value at a quarter of the segment is (3/16 - 2/64) of it.
        assert_eq!(at(&keys, Group::Position, 0.25), [0.156_25; 3]);
    }

    #[test]
    fn a_spline_on_x_applies_to_all_axes() {
        let mut keys = line(&[(0.0, 0.0), (1.0, 1.0)], KeyType::STEP);
        keys[0].types[0] = KeyType::TCB;
        // Both tangents equal the difference, so the spline is linear.
        assert_eq!(at(&keys, Group::Position, 0.5), [0.5; 3]);
    }

    #[test]
    fn the_first_key_whose_next_is_later_is_active() {
        let keys = line(&[(0.0, 1.0), (1.0, 2.0), (1.0, 3.0), (0.5, 4.0)], KeyType::STEP);
        assert_eq!(at(&keys, Group::Position, 0.9), [1.0; 3]);
        assert_eq!(at(&keys, Group::Position, 1.0), [4.0; 3]);
    }
}
