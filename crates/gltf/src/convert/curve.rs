//! Keys during their conversion to a sampler.

use inbetween_core::{Interpolation, Quat, Shape, Tangents, TrackData, Values, num};

use super::keys::Quantity;
use crate::scene::Mode;

/// The components of a value; missing ones are 0.
pub(super) type Row = [f64; 4];

/// The interpolation of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Hold,
    Line,
    /// A cubic curve with the tangents of its two keys.
    Curve,
}

/// The keys of a track as numbers that `f32` represents exactly, and their tangents per segment.
#[derive(Clone, Debug)]
pub(super) struct Curve {
    pub(super) quantity: Quantity,
    pub(super) times: Vec<f64>,
    pub(super) rows: Vec<Row>,
    pub(super) segments: Vec<Segment>,
    /// The tangents before and after each key: the change of the value over the whole segment at
    /// the slope next to the key.
    pub(super) sides: Option<[Vec<Row>; 2]>,
}

impl Curve {
    /// Converts the keys of a track of numbers, vectors or quaternions; curves have value tangents.
    pub(super) fn of(data: &TrackData) -> Option<Self> {
        let (quantity, rows) = rows(data.values())?;
        let keys = if data.plays() { rows.len() } else { rows.len().min(1) };
        let time = |key: usize| if data.plays() { data.time(key).unwrap_or(0.0) } else { 0.0 };
        let tangents = match data.tangents() {
            Some(Tangents::Values { left, right }) => {
                self::rows(left).zip(self::rows(right)).map(|((_, left), (_, right))| [left, right])
            }
            _ => None,
        };
        let segment = |key: usize| match (data.interpolation(key), quantity) {
            (Interpolation::Hold, _) => Segment::Hold,
            (Interpolation::Bezier, _) if tangents.is_some() => Segment::Curve,
            (Interpolation::Hermite, Quantity::Number | Quantity::Vector) if tangents.is_some() => {
                Segment::Curve
            }
            _ => Segment::Line,
        };
        let mut curve = Self {
            quantity,
            times: (0..keys).map(time).collect(),
            segments: (0..keys).map(segment).collect(),
            sides: None,
            rows,
        };
        curve.rows.truncate(keys);
        let last = keys.saturating_sub(1);
        if curve.segments.iter().take(last).any(|segment| *segment == Segment::Curve) {
            curve.sides = tangents.map(|sides| curve.tangents(data, sides));
        }
        Some(curve)
    }

    /// Returns tangents; those of control points are three times the distance to them.
    fn tangents(&self, data: &TrackData, [left, right]: [Vec<Row>; 2]) -> [Vec<Row>; 2] {
        let is_points = |key: usize| data.interpolation(key) == Interpolation::Bezier;
        let three = |from: &Row, to: &Row| {
            let mut row = [0.0; 4];
            for ((slot, from), to) in row.iter_mut().zip(from).zip(to) {
                *slot = 3.0 * (to - from);
            }
            row
        };
        let both = self.rows.iter().enumerate();
        let before = both.clone().zip(left).map(|((key, row), side)| {
            if key.checked_sub(1).is_some_and(is_points) { three(&side, row) } else { side }
        });
        let after = both.zip(right).map(
            |((key, row), side)| {
                if is_points(key) { three(row, &side) } else { side }
            },
        );
        [before.collect(), after.collect()]
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Returns the simplest mode that plays all segments.
    pub(super) fn mode(&self, shape: &Shape) -> Mode {
        let has = |wanted: Segment| self.lasting().any(|segment| segment == wanted);
        if has(Segment::Curve) {
            Mode::Cubic
        } else if has(Segment::Line) {
            Mode::Linear
        } else if has(Segment::Hold) || matches!(shape, Shape::Stepped { .. }) {
            Mode::Step
        } else {
            Mode::Linear
        }
    }

    /// Returns whether there are both slerps and curves, which no single spline can play.
    pub(super) fn mixes_slerps(&self) -> bool {
        let has = |wanted: Segment| self.lasting().any(|segment| segment == wanted);
        self.quantity == Quantity::Rotation && has(Segment::Curve) && has(Segment::Line)
    }

    /// Returns the segments between keys at different times.
    fn lasting(&self) -> impl Iterator<Item = Segment> {
        let next = self.times.iter().skip(1);
        let pairs = self.times.iter().zip(next).zip(&self.segments);
        let lasting = pairs.filter(|((start, end), _)| narrow(**start) != narrow(**end));
        lasting.map(|(_, segment)| *segment)
    }

    pub(super) fn segment(&self, key: usize) -> Segment {
        self.segments.get(key).copied().unwrap_or(Segment::Hold)
    }

    pub(super) fn row(&self, key: usize) -> Row {
        self.rows.get(key).copied().unwrap_or_default()
    }

    pub(super) fn time(&self, key: usize) -> f64 {
        self.times.get(key).copied().unwrap_or(0.0)
    }

    /// Returns the tangents before and after a key.
    pub(super) fn side(&self, key: usize) -> [Row; 2] {
        let Some([left, right]) = &self.sides else { return [[0.0; 4]; 2] };
        let of = |side: &[Row]| side.get(key).copied().unwrap_or_default();
        [of(left), of(right)]
    }
}

/// Returns the components of values, and their quantity.
fn rows(values: &Values) -> Option<(Quantity, Vec<Row>)> {
    let one = |x: f64| [x, 0.0, 0.0, 0.0];
    let three = |[x, y, z]: [f64; 3]| [x, y, z, 0.0];
    let narrow = |q: &Quat<f32>| q.to_array().map(f64::from);
    Some(match values {
        Values::Float(column) => {
            (Quantity::Number, column.iter().map(|x| one(f64::from(*x))).collect())
        }
        Values::Double(column) => (Quantity::Number, column.iter().map(|x| one(*x)).collect()),
        Values::Float3(column) => {
            (Quantity::Vector, column.iter().map(|v| three(v.map(f64::from))).collect())
        }
        Values::Double3(column) => (Quantity::Vector, column.iter().map(|v| three(*v)).collect()),
        Values::FloatQ(column) => (Quantity::Rotation, column.iter().map(narrow).collect()),
        Values::DoubleQ(column) => {
            (Quantity::Rotation, column.iter().map(|q| q.to_array()).collect())
        }
        _ => return None,
    })
}

/// Returns the nearest number that `f32` represents; numbers out of range become the largest.
pub(super) fn narrow(number: f64) -> f64 {
    f64::from(num::finite_f32_from_f64(number))
}
