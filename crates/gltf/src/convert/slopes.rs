//! Converts tangents to the slopes that samplers store.

use inbetween_core::{
    Channel, Interpolation, Interpolations, Property, Quat, Tangents, TrackData, num,
};

use super::curve::{Curve, Row, Segment};
use super::keys::Quantity;
use crate::RULES;

/// The slopes before and after each key, and their error compared to the tangents.
#[derive(Debug)]
pub(super) struct Slopes {
    pub(super) left: Vec<[f32; 4]>,
    pub(super) right: Vec<[f32; 4]>,
    /// Whether a reader computes other tangents from some slopes.
    pub(super) is_inexact: bool,
    /// The largest error in the unit of the values; for rotations in radians.
    pub(super) error: f64,
}

/// The distance that a cubic curve moves if a tangent changes by 1.
const REACH: f64 = 4.0 / 27.0;

impl Curve {
    /// Returns the slopes of all keys; `None` if one exceeds the range of `f32`.
    pub(super) fn slopes(&self) -> Option<Slopes> {
        let zeros = || vec![[0.0; 4]; self.len()];
        let mut slopes = Slopes { left: zeros(), right: zeros(), is_inexact: false, error: 0.0 };
        for key in 0..self.len().saturating_sub(1) {
            slopes.error = slopes.error.max(self.segment_slopes(key, &mut slopes)?);
        }
        Some(slopes)
    }

    /// Sets the slopes of a segment, and returns their error; `None` if one exceeds the range of
    /// `f32`.
    fn segment_slopes(&self, key: usize, slopes: &mut Slopes) -> Option<f64> {
        let next = key.saturating_add(1);
        let seconds = self.time(next) - self.time(key);
        let (from, to) = (self.row(key), self.row(next));
        let (begins, ends) = match self.segment(key) {
            Segment::Curve => (self.side(key)[1], self.side(next)[0]),
            Segment::Hold | Segment::Line => {
                let line = difference(&from, &to);
                (line, line)
            }
        };
        let is_curve = self.segment(key) == Segment::Curve;
        let mut off = 0.0_f64;
        let mut is_inexact = false;
        let mut read = ([0.0; 4], [0.0; 4]);
        for part in 0..self.quantity.width() {
            let at = |row: &Row| row.get(part).copied().unwrap_or(0.0);
            let right = Fit { quantity: self.quantity, value: at(&from), seconds, sign: 1.0 };
            let left = Fit { value: at(&to), sign: -1.0, ..right };
            let (right, left) = (right.slope(at(&begins))?, left.slope(at(&ends))?);
            is_inexact |= is_curve && !(right.is_exact && left.is_exact);
            off = off.max(REACH * (right.off + left.off));
            *slopes.right.get_mut(key)?.get_mut(part)? = right.slope;
            *slopes.left.get_mut(next)?.get_mut(part)? = left.slope;
            *read.0.get_mut(part)? = right.side;
            *read.1.get_mut(part)? = left.side;
        }
        if is_inexact && self.quantity == Quantity::Rotation {
            let points = (third(&from, &begins, 1.0), third(&to, &ends, -1.0));
            off = turned(&from, points, read, &to);
        }
        slopes.is_inexact |= is_inexact;
        Some(if is_curve { off } else { 0.0 })
    }
}

fn difference(from: &Row, to: &Row) -> Row {
    let mut row = [0.0; 4];
    for ((slot, from), to) in row.iter_mut().zip(from).zip(to) {
        *slot = to - from;
    }
    row
}

/// Returns the control point of a tangent.
fn third(value: &Row, tangent: &Row, sign: f64) -> Row {
    let mut row = [0.0; 4];
    for ((slot, value), tangent) in row.iter_mut().zip(value).zip(tangent) {
        *slot = value + sign * tangent / 3.0;
    }
    row
}

/// Returns the angle in radians between two curves of rotations with the same ends.
fn turned(from: &Row, before: (Row, Row), after: (Row, Row), to: &Row) -> f64 {
    let quats =
        |first: &Row, second: &Row| vec![Quat::from_array(*first), Quat::from_array(*second)];
    let curve = |(right, left): (Row, Row)| {
        let tangents =
            Tangents::Values { left: quats(from, &left).into(), right: quats(&right, to).into() };
        let bezier = Interpolations::Shared(Interpolation::Bezier);
        TrackData::curve(vec![0.0, 1.0], quats(from, to), bezier, Some(tangents))
    };
    let (Ok(before), Ok(after)) = (curve(before), curve(after)) else { return f64::INFINITY };
    let channel = |data| Channel::of_track(&Property::Rotation, data, RULES);
    let difference = channel(&before).difference(&channel(&after));
    difference.map_or(f64::INFINITY, |difference| difference.value)
}

/// The search for the slope of a tangent.
#[derive(Clone, Copy)]
struct Fit {
    quantity: Quantity,
    value: f64,
    seconds: f64,
    /// -1 for the tangent before a key, 1 for the one after it.
    sign: f64,
}

struct Found {
    slope: f32,
    /// The tangent that a reader computes from the slope.
    side: f64,
    is_exact: bool,
    /// The difference from the requested tangent.
    off: f64,
}

impl Fit {
    /// Returns the slope from which a reader computes exactly the tangent, or the nearest one.
    fn slope(self, tangent: f64) -> Option<Found> {
        let value = num::f32_from_f64(self.value);
        let read = |slope: f32| {
            f64::from(if self.sign < 0.0 {
                self.quantity.left(value, slope, self.seconds)
            } else {
                self.quantity.right(value, slope, self.seconds)
            })
        };
        let wanted = match self.quantity {
            Quantity::Rotation => {
                f64::from(num::f32_from_f64(self.value + self.sign * tangent / 3.0))
            }
            _ => tangent,
        };
        let nearest = num::f32_from_f64(tangent / self.seconds);
        if !nearest.is_finite() || !read(nearest).is_finite() {
            return None;
        }
        let (up, down) = (nearest.next_up(), nearest.next_down());
        let near = [nearest, up, down, up.next_up(), down.next_down()];
        let mut near = near.into_iter().filter(|slope| slope.is_finite());
        let exact = near.find(|slope| read(*slope) == wanted);
        let slope = exact.unwrap_or(nearest);
        let side = read(slope);
        let off = (side - wanted).abs();
        Some(Found { slope, side, is_exact: exact.is_some(), off })
    }
}
