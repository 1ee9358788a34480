//! What the values of new keys are, and how segments between them play.

use core::f64::consts::FRAC_PI_2;
use core::ops::Range;

use super::cubic::Cubic;
use super::measure::Piece;
use super::rotation::{Turn, angle_rates, is_unit};
use super::source::{Row, Width};
use crate::{EulerOrder, Quat, Slerp};

/// The values that new keys have, and how they play.
pub(super) trait Space<const N: usize>: Copy {
    /// What plays over a segment, of the source and of the result.
    type Piece: Piece;

    /// Returns the key at a normalized time, rounded to the kind of the result; `before` is the
    /// previous key.
    fn key(&self, piece: &Self::Piece, t: f64, before: Option<[f64; N]>) -> [f64; N];

    /// Returns the slope of the components at a key, per unit of normalized time.
    fn slope(&self, piece: &Self::Piece, t: f64, key: [f64; N]) -> [f64; N];

    /// Returns whether an angle turns by more than a quarter turn in a segment.
    fn is_far(&self, piece: &Self::Piece, part: &Range<f64>, keys: [[f64; N]; 2]) -> bool;

    /// Returns the largest slope per second that a curve follows.
    fn steepest(&self) -> f64 {
        f64::INFINITY
    }

    /// Returns whether a linear segment plays exactly like a part that does not turn far.
    fn is_line(&self, _: &Self::Piece) -> bool {
        false
    }

    /// Returns whether a linear segment moves in a straight line.
    fn has_lines(&self) -> bool {
        true
    }

    /// Returns the segment that plays exactly like a whole piece; `None` if there is none.
    fn exact(&self, piece: &Self::Piece) -> Option<Segment<N>>;

    /// Returns what a segment of the result plays.
    fn play(&self, from: [f64; N], segment: Segment<N>, to: [f64; N]) -> Self::Piece;
}

/// What plays from a key of the result to the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Segment<const N: usize> {
    Hold,
    Line,
    /// A Bezier curve with these two control points.
    Curve([[f64; N]; 2]),
}

/// The largest slope of an Euler angle in radians per second that a curve follows. Near gimbal lock
/// slopes have no limit.
const STEEPEST: f64 = 1e3;

/// A quarter turn in radians, and possible rounding.
const QUARTER: f64 = FRAC_PI_2 * (1.0 + 1e-6);

/// Numbers of any meaning.
#[derive(Clone, Copy)]
pub(super) struct Numbers(pub(super) Width);

impl<const N: usize> Space<N> for Numbers {
    type Piece = Row<N>;

    fn key(&self, piece: &Row<N>, t: f64, _: Option<[f64; N]>) -> [f64; N] {
        piece.curves.map(|curve| self.0.round(curve.at(t)))
    }

    fn slope(&self, piece: &Row<N>, t: f64, _: [f64; N]) -> [f64; N] {
        piece.curves.map(|curve| curve.slope(t))
    }

    fn is_far(&self, _: &Row<N>, _: &Range<f64>, _: [[f64; N]; 2]) -> bool {
        false
    }

    fn exact(&self, piece: &Row<N>) -> Option<Segment<N>> {
        Some(exact_cubics(&piece.curves, self.0))
    }

    fn play(&self, from: [f64; N], segment: Segment<N>, to: [f64; N]) -> Row<N> {
        Row { curves: cubics(from, segment, to), width: self.0 }
    }
}

/// Quaternions that play by a slerp.
#[derive(Clone, Copy)]
pub(super) struct Quaternions {
    pub(super) width: Width,
    pub(super) slerp: Slerp,
    pub(super) keys: QuaternionKeys,
}

/// The keys that a target stores.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum QuaternionKeys {
    /// Any, so whole curves and slerps keep theirs.
    Any,
    /// Unit quaternions that are less than a half turn apart.
    Unit,
}

/// The largest dot product of unit quaternions that are nearly a half turn apart.
const HALF_TURN: f64 = 0.01;

impl Quaternions {
    fn round(self, rotation: Quat<f64>) -> [f64; 4] {
        rotation.to_array().map(|part| self.width.round(part))
    }
}

impl Space<4> for Quaternions {
    type Piece = Turn;

    fn key(&self, piece: &Turn, t: f64, before: Option<[f64; 4]>) -> [f64; 4] {
        let keeps = self.keys == QuaternionKeys::Any;
        match piece {
            // Keys of the source keep their bits.
            Turn::Arc { from, .. } | Turn::Bezier([from, ..]) if keeps && t <= 0.0 => {
                self.round(*from)
            }
            Turn::Arc { to, .. } | Turn::Bezier([.., to]) if keeps && t >= 1.0 => self.round(*to),
            // Other rotations have no sign of their own. The first one gets a positive w, and each
            // of the others the sign that is nearer to the previous one.
            _ => {
                let before = before.map_or(Quat::IDENTITY, Quat::from_array);
                self.round(piece.at(t).normalized().aligned_to(before))
            }
        }
    }

    fn slope(&self, piece: &Turn, t: f64, key: [f64; 4]) -> [f64; 4] {
        let [x, y, z] = piece.spin(t).map(|part| part / 2.0);
        (Quat { x, y, z, w: 0.0 } * Quat::from_array(key)).to_array()
    }

    fn is_far(&self, piece: &Turn, part: &Range<f64>, keys: [[f64; 4]; 2]) -> bool {
        let [from, to] = keys.map(Quat::from_array);
        // Of a half turn, rounding decides which way is the shorter one.
        let half = self.keys == QuaternionKeys::Unit && from.dot(to).abs() < HALF_TURN;
        half || turns_far(piece, part)
    }

    fn is_line(&self, piece: &Turn) -> bool {
        // A turn about one axis is a slerp.
        let Turn::Euler { angles, .. } = piece else { return false };
        let turning = angles.iter().filter(|angle| angle.spread() > 0.0);
        self.keys == QuaternionKeys::Any
            && angles.iter().all(|angle| angle.is_line())
            && turning.count() <= 1
    }

    fn has_lines(&self) -> bool {
        false
    }

    fn exact(&self, piece: &Turn) -> Option<Segment<4>> {
        let keeps = self.keys == QuaternionKeys::Any;
        match piece {
            _ if piece.is_constant() => Some(Segment::Hold),
            Turn::Arc { .. } if keeps => Some(Segment::Line),
            Turn::Bezier([from, right, left, to])
                if keeps || [from, to].into_iter().all(|key| is_unit(*key)) =>
            {
                Some(Segment::Curve([right, left].map(|point| self.round(*point))))
            }
            _ => None,
        }
    }

    fn play(&self, from: [f64; 4], segment: Segment<4>, to: [f64; 4]) -> Turn {
        let [from, to] = [from, to].map(Quat::from_array);
        match segment {
            Segment::Hold => Turn::constant(from),
            Segment::Line => Turn::arc(from, to, self.slerp),
            Segment::Curve([right, left]) => {
                Turn::Bezier([from, Quat::from_array(right), Quat::from_array(left), to])
            }
        }
    }
}

/// Euler angles of an order.
#[derive(Clone, Copy)]
pub(super) struct Angles {
    pub(super) order: EulerOrder,
    pub(super) width: Width,
}

impl Space<3> for Angles {
    type Piece = Turn;

    fn key(&self, piece: &Turn, t: f64, before: Option<[f64; 3]>) -> [f64; 3] {
        let angles = match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                angles.map(|angle| angle.at(t))
            }
            _ => self.order.angles(piece.at(t), before),
        };
        angles.map(|angle| self.width.round(angle))
    }

    fn slope(&self, piece: &Turn, t: f64, key: [f64; 3]) -> [f64; 3] {
        match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                angles.map(|angle| angle.slope(t))
            }
            _ => angle_rates(self.order, key, piece.spin(t)),
        }
    }

    fn is_far(&self, piece: &Turn, part: &Range<f64>, [from, to]: [[f64; 3]; 2]) -> bool {
        let mut turned = from.iter().zip(to).map(|(from, to)| (to - from).abs());
        turned.any(|angle| angle > QUARTER) || turns_far(piece, part)
    }

    fn steepest(&self) -> f64 {
        STEEPEST
    }

    fn exact(&self, piece: &Turn) -> Option<Segment<3>> {
        match piece {
            Turn::Euler { angles, order } if *order == self.order => {
                Some(exact_cubics(angles, self.width))
            }
            _ => piece.is_constant().then_some(Segment::Hold),
        }
    }

    fn play(&self, from: [f64; 3], segment: Segment<3>, to: [f64; 3]) -> Turn {
        Turn::Euler { angles: cubics(from, segment, to), order: self.order }
    }
}

/// Returns whether an Euler angle turns by more than a quarter turn. Between two equal rotations, a
/// whole turn would be lost.
fn turns_far(piece: &Turn, part: &Range<f64>) -> bool {
    let Turn::Euler { angles, .. } = piece else { return false };
    angles.iter().any(|angle| angle.part(part.clone()).spread() > QUARTER)
}

/// Returns the segment that plays curves of numbers.
fn exact_cubics<const N: usize>(curves: &[Cubic; N], width: Width) -> Segment<N> {
    if curves.iter().all(|curve| curve.spread() == 0.0) {
        return Segment::Hold;
    }
    if curves.iter().all(|curve| curve.is_line()) {
        return Segment::Line;
    }
    let points = curves.map(|curve| curve.points().map(|point| width.round(point)));
    Segment::Curve([points.map(|[_, right, ..]| right), points.map(|[.., left, _]| left)])
}

/// Returns the curves of a segment of numbers.
fn cubics<const N: usize>(from: [f64; N], segment: Segment<N>, to: [f64; N]) -> [Cubic; N] {
    let mut curves = from.map(Cubic::constant);
    let Segment::Curve([right, left]) = segment else {
        if segment == Segment::Line {
            let ends = from.into_iter().zip(to);
            curves
                .iter_mut()
                .zip(ends)
                .for_each(|(curve, (from, to))| *curve = Cubic::line(from, to));
        }
        return curves;
    };
    let points = from.into_iter().zip(right).zip(left).zip(to);
    for (curve, (((from, right), left), to)) in curves.iter_mut().zip(points) {
        *curve = Cubic::bezier([from, right, left, to]);
    }
    curves
}
