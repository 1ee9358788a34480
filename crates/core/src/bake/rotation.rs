//! Rotations that move over a segment, and bounds of their motion.

use core::ops::Range;

use super::cubic::Cubic;
use super::slerp::{NEARLY_EVEN, Pace, angle, arc_acceleration, uneven_lengths, uneven_slerp};
use crate::{EulerOrder, Identical as _, Quat};

/// A rotation that moves over the normalized time 0 to 1.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// A slerp from one quaternion to another; twice the same for a constant rotation.
    Arc { from: Quat<f64>, to: Quat<f64>, pace: Pace },
    /// A Bezier curve of quaternions, normalized.
    Bezier([Quat<f64>; 4]),
    /// Euler angles, with a curve per angle.
    Euler { angles: [Cubic; 3], order: EulerOrder },
}

impl Turn {
    /// Creates a constant rotation.
    pub(crate) const fn constant(rotation: Quat<f64>) -> Self {
        Self::Arc { from: rotation, to: rotation, pace: Pace::Even }
    }

    /// Returns the rotation at a normalized time; its length may differ from 1.
    pub(crate) fn at(&self, t: f64) -> Quat<f64> {
        match self {
            Self::Arc { from, .. } if t <= 0.0 => *from,
            Self::Arc { to, .. } if t >= 1.0 => *to,
            Self::Arc { from, to, pace: Pace::Even } => from.slerp_directions(*to, t),
            Self::Arc { from, to, .. } => from.slerp(*to, t),
            Self::Bezier(points) => {
                Quat::from_array(numbers(points, &(0.0..1.0)).map(|curve| curve.at(t))).normalized()
            }
            Self::Euler { angles, order } => order.quaternion(angles.map(|angle| angle.at(t))),
        }
    }

    /// Returns the rotation with arcs at even speed.
    pub(super) const fn evenly(self) -> Self {
        match self {
            Self::Arc { from, to, .. } => Self::Arc { from, to, pace: Pace::Even },
            other => other,
        }
    }

    /// Returns a bound of the angular speed, in radians per segment.
    pub(crate) fn speed(&self) -> f64 {
        match self {
            Self::Arc { from, to, .. } => {
                let angle = angle(*from, *to);
                // A constant rotation has no speed, for any quaternions.
                if angle > 0.0 { angle * uneven_lengths(*from, *to) } else { 0.0 }
            }
            Self::Euler { angles, .. } => angles.iter().map(|angle| angle.speed_and_bend().0).sum(),
            // The polynomial moves by at most this much; normalizing scales that up where it is
            // short.
            Self::Bezier(points) => {
                let [a, b, c, d] = *points;
                3.0 * (angle(a, b) + angle(b, c) + angle(c, d))
            }
        }
    }

    /// Returns bounds of the motion in a part of the segment.
    pub(super) fn motion(&self, part: &Range<f64>) -> Motion {
        match self {
            Self::Arc { from, to, .. } => self.motion_on_arc(*from, *to, part),
            Self::Euler { angles, .. } => {
                let [x, y, z] = angles.map(|angle| angle.part(part.clone()).speed_and_bend());
                Motion {
                    turns: x.0 + y.0 + z.0,
                    // The axes of the outer factors rotate with the inner ones.
                    accelerates: x.1 + y.1 + z.1 + x.0 * y.0 + y.0 * z.0 + z.0 * x.0,
                    leaves: 0.0,
                }
            }
            Self::Bezier(points) => {
                // With P the polynomial and S = P / |P|, S' is at most |P'| / |P|, and both the
                // normal and the tangential part of S'' are at most |P''| / |P| + 4 (|P'| / |P|)².
                // Angles are twice that.
                let curves = numbers(points, part);
                let bends = curves.map(|curve| curve.speed_and_bend().1);
                let smallest = shortest(&curves);
                let (speed, bend) = (fastest(&curves) / smallest, norm(bends) / smallest);
                let accelerates = 2.0 * (bend + 4.0 * speed * speed);
                Motion { turns: 2.0 * speed, accelerates, leaves: 0.0 }
            }
        }
    }

    fn motion_on_arc(&self, from: Quat<f64>, to: Quat<f64>, part: &Range<f64>) -> Motion {
        let turns = self.travel(part);
        let turns = if turns.is_finite() { turns } else { 0.0 };
        let length = part.end - part.start;
        if length <= 0.0 {
            return Motion { turns, accelerates: 0.0, leaves: 0.0 };
        }
        let accelerates = arc_acceleration(from, to, part) * length * length;
        if uneven_lengths(from, to) <= NEARLY_EVEN {
            return Motion { turns, accelerates, leaves: 0.0 };
        }
        // It may be much faster than its average, but the even rotation is on the same arc.
        Motion { turns, accelerates: 0.0, leaves: (accelerates / 8.0).min(turns) }
    }

    /// Returns the additional error of a slerp by the raw dot product that does not
    /// [leap](Self::leap), compared to a slerp by directions.
    pub(super) fn unevenness(&self) -> f64 {
        match self {
            Self::Arc { from, to, pace } if self.leap().is_none() => {
                uneven_slerp(*from, *to, *pace)
            }
            _ => 0.0,
        }
    }

    /// Returns the ends of an arc that shows its end value at once.
    pub(super) fn leap(&self) -> Option<[Quat<f64>; 2]> {
        match self {
            Self::Arc { from, to, pace } if pace.leaps(*from, *to) => Some([*from, *to]),
            _ => None,
        }
    }

    pub(super) fn is_same_arc(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Arc { from, to, pace },
                Self::Arc { from: other_from, to: other_to, pace: other_pace },
            ) => pace == other_pace && from.identical(other_from) && to.identical(other_to),
            _ => false,
        }
    }

    /// Returns a bound of the angle that a part turns, in radians.
    pub(super) fn travel(&self, part: &Range<f64>) -> f64 {
        match self {
            Self::Euler { angles, .. } => {
                angles.iter().map(|angle| angle.part(part.clone()).speed_and_bend().0).sum()
            }
            // A rotation never reverses on its arc.
            Self::Arc { from, to, .. } if uneven_lengths(*from, *to) > NEARLY_EVEN => {
                let travel = angle(self.at(part.start), self.at(part.end));
                if travel.is_finite() { travel } else { 0.0 }
            }
            Self::Arc { .. } | Self::Bezier(_) => self.speed() * (part.end - part.start),
        }
    }
}

/// Bounds of the motion of a rotation in a part of its segment, with the part as the unit of time.
pub(super) struct Motion {
    /// The angular speed in radians, which is also a bound of the angle that the part turns.
    pub(super) turns: f64,
    /// The angular acceleration in radians.
    pub(super) accelerates: f64,
    /// The distance in radians from the rotation that the other two bounds describe.
    pub(super) leaves: f64,
}

/// Returns the four components of a Bezier curve of quaternions in a part of it.
pub(super) fn numbers(points: &[Quat<f64>; 4], part: &Range<f64>) -> [Cubic; 4] {
    let components = [
        points.map(|point| point.x),
        points.map(|point| point.y),
        points.map(|point| point.z),
        points.map(|point| point.w),
    ];
    components.map(|points| Cubic::bezier(points).part(part.clone()))
}

pub(super) fn norm(numbers: [f64; 4]) -> f64 {
    numbers.into_iter().fold(0.0, f64::hypot)
}

/// Returns a bound of the speed of a Bezier curve of quaternions.
fn fastest(curves: &[Cubic; 4]) -> f64 {
    norm(curves.map(|curve| curve.speed_and_bend().0))
}

/// Returns a lower bound of the lengths of a Bezier curve of quaternions.
pub(super) fn shortest(curves: &[Cubic; 4]) -> f64 {
    (norm(curves.map(|curve| curve.at(0.5))) - fastest(curves) / 2.0).max(0.0)
}
