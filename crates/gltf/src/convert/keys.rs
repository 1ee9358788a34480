//! The keys of samplers, and their conversion to keys of tracks.

use std::rc::Rc;

use inbetween_core::{
    Interpolation, Interpolations, KeysError, Quat, Tangents, TrackData, ValueKind, Values, num,
};

use crate::scene::Mode;

/// The type of the values of a sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quantity {
    /// One number.
    Number,
    /// Three numbers.
    Vector,
    /// A quaternion x y z w.
    Rotation,
}

impl Quantity {
    /// Returns the number of components of a value.
    pub(super) const fn width(self) -> usize {
        match self {
            Self::Number => 1,
            Self::Vector => 3,
            Self::Rotation => 4,
        }
    }

    /// Returns the kind of the values in the common model.
    pub(super) const fn kind(self) -> ValueKind {
        match self {
            Self::Number => ValueKind::Float,
            Self::Vector => ValueKind::Float3,
            Self::Rotation => ValueKind::FloatQ,
        }
    }

    /// Returns the interpolation in the common model of a cubic spline of such values.
    pub(super) const fn spline(self) -> Interpolation {
        match self {
            Self::Rotation => Interpolation::Bezier,
            _ => Interpolation::Hermite,
        }
    }

    /// Returns the right tangent of a key from its slope and the seconds to the next key; for
    /// rotations, the control point.
    pub(super) fn right(self, value: f32, slope: f32, seconds: f64) -> f32 {
        let tangent = f64::from(slope) * seconds;
        num::f32_from_f64(match self {
            Self::Rotation => f64::from(value) + tangent / 3.0,
            _ => tangent,
        })
    }

    /// Returns the left tangent of a key.
    pub(super) fn left(self, value: f32, slope: f32, seconds: f64) -> f32 {
        match self {
            Self::Rotation => self.right(value, -slope, seconds),
            _ => self.right(value, slope, seconds),
        }
    }

    /// Returns a tangent that no segment uses.
    const fn unused(self, value: f32) -> f32 {
        match self {
            Self::Rotation => value,
            _ => 0.0,
        }
    }
}

/// The times and values of a sampler.
#[derive(Debug, PartialEq)]
pub(super) struct Samples {
    pub(super) mode: Mode,
    /// The number of components per value, or of weights per key.
    pub(super) width: usize,
    /// Most samplers have the times of the one before.
    pub(super) times: Rc<[f32]>,
    pub(super) output: Vec<f32>,
}

/// The rows of a sampler: values, and for splines the slopes before and after each key.
#[derive(Debug)]
pub(super) struct Rows<const N: usize> {
    pub(super) values: Vec<[f32; N]>,
    pub(super) slopes: Option<[Vec<[f32; N]>; 2]>,
}

impl<const N: usize> Rows<N> {
    /// Creates the keys of a track.
    pub(super) fn into_data(
        self,
        mode: Mode,
        quantity: Quantity,
        times: Vec<f64>,
    ) -> Result<TrackData, KeysError> {
        let tangents = self.slopes.map(|slopes| sides(&self.values, slopes, quantity, &times));
        let tangents = tangents.map(|[left, right]| Tangents::Values {
            left: column(left, quantity),
            right: column(right, quantity),
        });
        let values = column(self.values, quantity);
        match mode {
            Mode::Step => TrackData::stepped(times, values),
            Mode::Linear => {
                let linear = Interpolations::Shared(Interpolation::Linear);
                TrackData::curve(times, values, linear, None)
            }
            Mode::Cubic => {
                let spline = Interpolations::Shared(quantity.spline());
                TrackData::curve(times, values, spline, tangents)
            }
        }
    }
}

/// Converts slopes to tangents.
fn sides<const N: usize>(
    values: &[[f32; N]],
    [mut left, mut right]: [Vec<[f32; N]>; 2],
    quantity: Quantity,
    times: &[f64],
) -> [Vec<[f32; N]>; 2] {
    let time = |key: Option<usize>| times.get(key?).copied();
    for (key, value) in values.iter().enumerate() {
        let own = time(Some(key)).unwrap_or(0.0);
        let before = time(key.checked_sub(1)).map(|time| own - time);
        let after = time(key.checked_add(1)).map(|time| time - own);
        let both = left.get_mut(key).zip(right.get_mut(key));
        let Some((left, right)) = both else { continue };
        for ((left, right), value) in left.iter_mut().zip(right).zip(value) {
            let unused = quantity.unused(*value);
            *left = before.map_or(unused, |seconds| quantity.left(*value, *left, seconds));
            *right = after.map_or(unused, |seconds| quantity.right(*value, *right, seconds));
        }
    }
    [left, right]
}

/// Creates a column from rows, in the same buffer.
fn column<const N: usize>(rows: Vec<[f32; N]>, quantity: Quantity) -> Values {
    let part = |row: &[f32; N], index: usize| row.get(index).copied().unwrap_or(0.0);
    let three = |row: [f32; N]| [part(&row, 0), part(&row, 1), part(&row, 2)];
    match quantity {
        Quantity::Number => rows.into_iter().map(|row| part(&row, 0)).collect::<Vec<f32>>().into(),
        Quantity::Vector => rows.into_iter().map(three).collect::<Vec<_>>().into(),
        Quantity::Rotation => {
            let quat = |row: [f32; N]| {
                let [x, y, z] = three(row);
                Quat { x, y, z, w: part(&row, 3) }
            };
            rows.into_iter().map(quat).collect::<Vec<_>>().into()
        }
    }
}
