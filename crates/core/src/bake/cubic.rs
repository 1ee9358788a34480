//! Cubic curves of one number over a segment, and their distance from a line.

#![expect(
    clippy::many_single_char_names,
    reason = "control points a to d, as the literature has them"
)]

use core::ops::Range;

/// A cubic polynomial over the normalized time 0 to 1, as its four Bezier control points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cubic {
    points: [f64; 4],
    /// Whether it is a line, which is evaluated as in playback; four points would round.
    line: bool,
}

impl Cubic {
    /// Creates a constant.
    pub(crate) const fn constant(value: f64) -> Self {
        Self { points: [value; 4], line: true }
    }

    /// Creates a Bezier curve from its control points.
    pub(crate) const fn bezier(points: [f64; 4]) -> Self {
        Self { points, line: false }
    }

    /// Returns the control points.
    pub(crate) const fn points(self) -> [f64; 4] {
        self.points
    }

    /// Creates a line.
    pub(crate) fn line(from: f64, to: f64) -> Self {
        let third = (to - from) / 3.0;
        Self { points: [from, from + third, to - third, to], line: true }
    }

    /// Creates a Hermite curve from its values and its slopes per segment.
    pub(crate) fn hermite(from: f64, right: f64, left: f64, to: f64) -> Self {
        Self::bezier([from, from + right / 3.0, to - left / 3.0, to])
    }

    /// Returns the value at a normalized time. It is exact at the ends and for a constant.
    pub(crate) fn at(self, t: f64) -> f64 {
        let [a, b, c, d] = self.points;
        if t <= 0.0 || (a == b && b == c && c == d) {
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

    /// Returns the part between two normalized times as a curve of its own (blossoming).
    pub(crate) fn part(self, Range { start, end }: Range<f64>) -> Self {
        if start <= 0.0 && end >= 1.0 {
            return self;
        }
        let [a, b, c, d] = self.points;
        if a == b && b == c && c == d {
            return self;
        }
        if self.line {
            return Self::line(self.at(start), self.at(end));
        }
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

    /// Returns the largest distance from a line over the same normalized time. It occurs at the
    /// ends or at an extremum of the difference.
    ///
    /// Two NaN do not differ, nor do infinities of the same sign.
    pub(crate) fn distance_to_line(self, from: f64, to: f64) -> f64 {
        self.distance(Self::line(from, to))
    }

    /// Returns the largest distance from another curve at the same normalized time.
    pub(crate) fn distance(self, other: Self) -> f64 {
        let mut difference = [0.0; 4];
        for ((difference, a), b) in difference.iter_mut().zip(self.points).zip(other.points) {
            *difference = if a == b || (a.is_nan() && b.is_nan()) { 0.0 } else { a - b };
        }
        Self::bezier(difference).largest()
    }

    /// Returns the largest magnitude; infinite if a value is NaN.
    pub(crate) fn largest(self) -> f64 {
        let [a, b, c, d] = self.points;
        let ends = or_infinite(a.abs()).max(or_infinite(d.abs()));
        let roots = extrema(self.points).map(|t| or_infinite(self.at(t).abs()));
        let bend = or_infinite(b.abs()).max(or_infinite(c.abs()));
        // If the control points are no larger than the ends, neither is the curve.
        if bend <= ends { ends } else { roots.into_iter().fold(ends, f64::max) }
    }

    /// Returns bounds of the magnitudes of the first and the second derivative.
    pub(crate) fn speed_and_bend(self) -> (f64, f64) {
        let [a, b, c, d] = self.points;
        let (p, q, r) = (3.0 * (b - a), 3.0 * (c - b), 3.0 * (d - c));
        let speed = p.abs().max(q.abs()).max(r.abs());
        (speed, (2.0 * (q - p)).abs().max((2.0 * (r - q)).abs()))
    }
}

/// Returns the normalized times between 0 and 1 at which the derivative is 0, or 0 if there are
/// none.
fn extrema([a, b, c, d]: [f64; 4]) -> [f64; 2] {
    // The derivative is p (1 - t)² + 2 q t (1 - t) + r t², up to a factor.
    let (p, q, r) = (b - a, c - b, d - c);
    let (square, half, constant) = (p - 2.0 * q + r, q - p, p);
    let inside = |t: f64| if t > 0.0 && t < 1.0 { t } else { 0.0 };
    let discriminant = half * half - square * constant;
    if discriminant.is_nan() || discriminant < 0.0 {
        return [0.0; 2];
    }
    // The stable form of the quadratic formula avoids the difference of nearly equal numbers.
    let sum = -(half + discriminant.sqrt().copysign(half));
    [inside(sum / square), inside(constant / sum)]
}

/// Returns a distance, or infinity for NaN.
pub(crate) fn or_infinite(distance: f64) -> f64 {
    if distance.is_nan() { f64::INFINITY } else { distance }
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
    fn the_distance_of_a_curve_to_a_line_is_its_extremum() {
        // t² from 0 to 1 as a cubic: t - t² is largest at 1/2.
        let square = Cubic::bezier([0.0, 0.0, 1.0 / 3.0, 1.0]);
        assert!((square.distance_to_line(0.0, 1.0) - 0.25).abs() < 1e-15);
        assert_eq!(Cubic::line(3.0, 7.0).distance_to_line(3.0, 7.0), 0.0);
        assert_eq!(Cubic::constant(2.0).distance_to_line(2.0, 5.0), 3.0);
    }

    #[test]
    fn an_s_curve_has_an_extremum_on_each_side_of_the_middle() {
        // 3t² - 2t³ - t is 0 at 0, 1/2 and 1, and largest at (3 ± sqrt 3) / 6: sqrt 3 / 18.
        let ease = Cubic::bezier([0.0, 0.0, 1.0, 1.0]);
        assert!((ease.distance_to_line(0.0, 1.0) - 3.0_f64.sqrt() / 18.0).abs() < 1e-15);
    }

    #[test]
    fn nan_differs_from_numbers_and_not_from_nan() {
        let nan = Cubic::constant(f64::NAN);
        assert_eq!(nan.distance_to_line(f64::NAN, f64::NAN), 0.0);
        assert_eq!(nan.distance_to_line(0.0, 1.0), f64::INFINITY);
        let infinite = Cubic::constant(f64::INFINITY);
        assert_eq!(infinite.distance_to_line(f64::INFINITY, f64::INFINITY), 0.0);
    }
}
