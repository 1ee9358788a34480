//! Reduces lines through many points to those that a picture shows.

/// An x in pixels, and a value that is not yet scaled.
type Point = (f64, f64);

/// The number of columns of points per pixel.
const COLUMNS: f64 = 2.0;

/// Larger values are drawn as this one, so that their differences stay finite.
pub(super) const LARGEST: f64 = 1e300;

/// The points of a curve from left to right, at most four per column: the first, the smallest, the
/// largest and the last. Drawn, they look like all of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    pieces: Vec<Vec<Point>>,
    column: Vec<Point>,
}

impl Trace {
    /// Adds a point. A value that is not finite ends the line, and the next point starts a new one.
    pub(super) fn push(&mut self, x: f64, value: f64) {
        if !value.is_finite() {
            self.flush();
            if self.pieces.last().is_some_and(|piece| !piece.is_empty()) {
                self.pieces.push(Vec::new());
            }
            return;
        }
        let value = value.clamp(-LARGEST, LARGEST);
        let column = |x: f64| (x * COLUMNS).floor();
        if self.column.first().is_some_and(|(first, _)| column(*first) != column(x)) {
            self.flush();
        }
        if let [_, low, high, last] = self.column.as_mut_slice() {
            // The order of the two is not visible within a column of half a pixel.
            if value < low.1 {
                *low = (x, value);
            }
            if value > high.1 {
                *high = (x, value);
            }
            *last = (x, value);
        } else {
            self.column.push((x, value));
            if self.column.len() == 4 {
                self.sort_column();
            }
        }
    }

    /// Sorts a full column into first, smallest, largest and last.
    fn sort_column(&mut self) {
        let (Some(&first), Some(&last)) = (self.column.first(), self.column.last()) else { return };
        let by_value = |a: &&Point, b: &&Point| a.1.total_cmp(&b.1);
        let low = self.column.iter().min_by(by_value).copied().unwrap_or(first);
        let high = self.column.iter().max_by(by_value).copied().unwrap_or(first);
        self.column = vec![first, low, high, last];
    }

    fn flush(&mut self) {
        if self.pieces.is_empty() {
            self.pieces.push(Vec::new());
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.append(&mut self.column);
        }
    }

    /// Returns the lines.
    pub(super) fn finish(mut self) -> Vec<Vec<Point>> {
        self.flush();
        self.pieces.retain(|piece| !piece.is_empty());
        self.pieces
    }
}

/// The largest distance of a line from its points, in pixels.
const TOLERANCE: f64 = 0.06;

/// Returns the points that a line needs, by the algorithm of Ramer, Douglas and Peucker.
pub(super) fn simplified(points: &[Point]) -> Vec<Point> {
    let mut kept = vec![false; points.len()];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((start, end)) = open.pop() {
        for ends in [start, end] {
            if let Some(kept) = kept.get_mut(ends) {
                *kept = true;
            }
        }
        let (Some(&a), Some(&b)) = (points.get(start), points.get(end)) else { continue };
        let inner = points.iter().enumerate().take(end).skip(start.saturating_add(1));
        let apart = inner.map(|(index, point)| (distance(*point, a, b), index));
        let farthest =
            apart.fold((0.0, start), |far, this| if this.0 > far.0 { this } else { far });
        if farthest.0 > TOLERANCE {
            open.extend([(start, farthest.1), (farthest.1, end)]);
        }
    }
    let kept = points.iter().zip(kept).filter(|(_, kept)| *kept);
    kept.map(|(point, _)| *point).collect()
}

/// Returns the distance of a point from the line between two others.
fn distance(point: Point, a: Point, b: Point) -> f64 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let length = dx.hypot(dy);
    let (px, py) = (point.0 - a.0, point.1 - a.1);
    if length > 0.0 { ((dx * py - dy * px) / length).abs() } else { px.hypot(py) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_keeps_its_ends_and_its_extremes() {
        let mut trace = Trace::default();
        for (index, value) in [3.0, 9.0, 4.0, -2.0, 8.0, 5.0].into_iter().enumerate() {
            trace.push(10.0 + 0.01 * f64::from(u8::try_from(index).unwrap()), value);
        }
        trace.push(11.0, 7.0);
        let lines = trace.finish();
        let values: Vec<f64> = lines.concat().iter().map(|(_, value)| *value).collect();
        assert_eq!(values, [3.0, -2.0, 9.0, 5.0, 7.0]);
    }

    #[test]
    fn values_that_are_not_finite_leave_a_gap() {
        let mut trace = Trace::default();
        for (x, value) in [(0.0, 1.0), (1.0, f64::NAN), (2.0, f64::INFINITY), (3.0, 2.0)] {
            trace.push(x, value);
        }
        assert_eq!(trace.finish(), [vec![(0.0, 1.0)], vec![(3.0, 2.0)]]);
    }

    #[test]
    fn a_straight_line_needs_only_its_ends() {
        let line: Vec<Point> = (0..100_u8).map(|x| (f64::from(x), 2.0 * f64::from(x))).collect();
        assert_eq!(simplified(&line), [(0.0, 0.0), (99.0, 198.0)]);
        let corner = [(0.0, 0.0), (5.0, 0.0), (5.0, 9.0)];
        assert_eq!(simplified(&corner), corner);
        assert_eq!(simplified(&[(1.0, 1.0)]), [(1.0, 1.0)]);
    }
}
