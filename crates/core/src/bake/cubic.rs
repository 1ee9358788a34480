//! Cubic curves of one number over a segment.

#![expect(
    clippy::many_single_char_names,
    reason = "control points a to d, as the literature has them"
)]

use core::ops::Range;

/// A cubic polynomial over the normalized time 0 to 1, as its four Bezier control points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cubic {
    points: [f64; 4],
    /// Whether it is a line, which is evaluated as in playback; four points would round.
    line: bool,
}

impl Cubic {
    /// Creates a constant.
    pub(super) const fn constant(value: f64) -> Self {
        Self { points: [value; 4], line: true }
    }

    /// Creates a Bezier curve from its control points.
    pub(super) const fn bezier(points: [f64; 4]) -> Self {
        Self { points, line: false }
    }

    /// Creates a line.
    pub(super) fn line(from: f64, to: f64) -> Self {
        let third = (to - from) / 3.0;
        Self { points: [from, from + third, to - third, to], line: true }
    }

    /// Creates a Hermite curve from its values and its slopes per segment.
    pub(super) fn hermite(from: f64, right: f64, left: f64, to: f64) -> Self {
        Self::bezier([from, from + right / 3.0, to - left / 3.0, to])
    }

    /// Returns the control points.
    pub(super) const fn points(self) -> [f64; 4] {
        self.points
    }

    /// Returns whether it is a line; a constant is one too.
    pub(super) const fn is_line(self) -> bool {
        self.line
    }

    fn is_constant(self) -> bool {
        let [a, b, c, d] = self.points;
        a == b && b == c && c == d
    }

    /// Returns the value at a normalized time. It is exact at the ends and for a constant.
    pub(super) fn at(self, t: f64) -> f64 {
        let [a, b, c, d] = self.points;
        if t <= 0.0 || self.is_constant() {
            return a;
        }
        if t >= 1.0 {
            return d;
        }
        if self.line {
            return a + (d - a) * t;
        }
        let u = 1.0 - t;
        u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
    }

    /// Returns the slope at a normalized time, per unit of it.
    pub(super) fn slope(self, t: f64) -> f64 {
        let [a, b, c, d] = self.points;
        let u = 1.0 - t;
        3.0 * (u * u * (b - a) + 2.0 * u * t * (c - b) + t * t * (d - c))
    }

    /// Returns a bound of the slope, and so of the distance that the curve moves.
    pub(super) fn steepest(self) -> f64 {
        let [a, b, c, d] = self.points;
        3.0 * (b - a).abs().max((c - b).abs()).max((d - c).abs())
    }

    /// Returns the distance between the smallest and the largest control point.
    pub(super) fn spread(self) -> f64 {
        let (least, most) = (self.points.into_iter())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), point| {
                (least.min(point), most.max(point))
            });
        most - least
    }

    /// Returns the part between two normalized times as a curve of its own (blossoming).
    pub(super) fn part(self, Range { start, end }: Range<f64>) -> Self {
        if (start <= 0.0 && end >= 1.0) || self.is_constant() {
            return self;
        }
        if self.line {
            return Self::line(self.at(start), self.at(end));
        }
        let [a, b, c, d] = self.points;
        let mix = |a: f64, b: f64, t: f64| a * (1.0 - t) + b * t;
        let blossom = |s: f64, t: f64, u: f64| {
            let (ab, bc, cd) = (mix(a, b, s), mix(b, c, s), mix(c, d, s));
            mix(mix(ab, bc, t), mix(bc, cd, t), u)
        };
        Self::bezier([
            self.at(start),
            blossom(start, start, end),
            blossom(start, end, end),
            self.at(end),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_the_same_curve() {
        // Midpoints by hand: 0 4 6 8 -> 2 5 7 -> 3.5 6 -> 4.75.
        let curve = Cubic::bezier([0.0, 4.0, 6.0, 8.0]);
        assert_eq!(curve.part(0.0..0.5).points(), [0.0, 2.0, 3.5, 4.75]);
        assert_eq!(curve.part(0.5..1.0).points(), [4.75, 6.0, 7.0, 8.0]);
    }

    #[test]
    fn the_slope_of_a_square_is_twice_the_time() {
        // t² from 0 to 1 as a cubic.
        let square = Cubic::bezier([0.0, 0.0, 1.0 / 3.0, 1.0]);
        for t in [0.0, 0.25, 0.5, 1.0] {
            assert!((square.slope(t) - 2.0 * t).abs() < 1e-15);
        }
        assert_eq!((square.steepest(), square.spread()), (2.0, 1.0));
        assert!((Cubic::line(3.0, 9.0).slope(0.3) - 6.0).abs() < 1e-14);
    }
}
