//! Columns of floats, row by row and whatever their kind.

use inbetween_core::num::f32_from_f64;
use inbetween_core::{Color, Quat, ValueKind, Values};

/// A value that is one or more floats.
trait Floats: Copy {
    const LEN: usize;

    fn read(self, row: &mut [f64]);
    fn write(&mut self, row: &[f64]);
}

impl Floats for f32 {
    const LEN: usize = 1;

    fn read(self, row: &mut [f64]) {
        row.fill(f64::from(self));
    }

    fn write(&mut self, row: &[f64]) {
        if let [number] = row {
            *self = f32_from_f64(*number);
        }
    }
}

impl Floats for f64 {
    const LEN: usize = 1;

    fn read(self, row: &mut [f64]) {
        row.fill(self);
    }

    fn write(&mut self, row: &[f64]) {
        if let [number] = row {
            *self = *number;
        }
    }
}

impl<T: Floats, const N: usize> Floats for [T; N] {
    const LEN: usize = N.saturating_mul(T::LEN);

    fn read(self, row: &mut [f64]) {
        for (part, numbers) in self.into_iter().zip(row.chunks_mut(T::LEN)) {
            part.read(numbers);
        }
    }

    fn write(&mut self, row: &[f64]) {
        for (part, numbers) in self.iter_mut().zip(row.chunks(T::LEN)) {
            part.write(numbers);
        }
    }
}

impl<T: Floats> Floats for Quat<T> {
    const LEN: usize = <[T; 4]>::LEN;

    fn read(self, row: &mut [f64]) {
        self.to_array().read(row);
    }

    fn write(&mut self, row: &[f64]) {
        let mut parts = self.to_array();
        parts.write(row);
        *self = Self::from_array(parts);
    }
}

impl Floats for Color {
    const LEN: usize = <[f32; 4]>::LEN;

    fn read(self, row: &mut [f64]) {
        self.to_array().read(row);
    }

    fn write(&mut self, row: &[f64]) {
        let mut channels = self.to_array();
        channels.write(row);
        *self = Self::from_array(channels);
    }
}

/// The most numbers that a value has: those of a matrix of four rows.
const LONGEST: usize = 16;

fn rows<T: Floats>(column: &mut [T], mut change: impl FnMut(usize, &mut [f64])) {
    let mut buffer = [0.0; LONGEST];
    let Some(row) = buffer.get_mut(..T::LEN) else { return };
    for (index, value) in column.iter_mut().enumerate() {
        value.read(row);
        change(index, row);
        value.write(row);
    }
}

/// Calls a function with the column of a kind that is made of floats.
macro_rules! with_floats {
    ($values:expr, $column:ident => $result:expr, $other:expr) => {
        match $values {
            Values::Float($column) => $result,
            Values::Float2($column) => $result,
            Values::Float3($column) => $result,
            Values::Float4($column) => $result,
            Values::FloatQ($column) => $result,
            Values::Float2x2($column) => $result,
            Values::Float3x3($column) => $result,
            Values::Float4x4($column) => $result,
            Values::Double($column) => $result,
            Values::Double2($column) => $result,
            Values::Double3($column) => $result,
            Values::Double4($column) => $result,
            Values::DoubleQ($column) => $result,
            Values::Double2x2($column) => $result,
            Values::Double3x3($column) => $result,
            Values::Double4x4($column) => $result,
            Values::Color($column) => $result,
            _ => $other,
        }
    };
}

/// Changes every value as a row of numbers; does nothing to kinds that are not made of floats.
pub(crate) fn each_row(values: &mut Values, change: impl FnMut(usize, &mut [f64])) {
    with_floats!(values, column => rows(column, change), ());
}

/// Returns the numbers of a value; `None` past the end and for kinds that are not made of floats.
pub(crate) fn row(values: &Values, index: usize) -> Option<Vec<f64>> {
    fn numbers<T: Floats>(column: &[T], index: usize) -> Option<Vec<f64>> {
        let mut row = vec![0.0; T::LEN];
        column.get(index)?.read(&mut row);
        Some(row)
    }
    with_floats!(values, column => numbers(column, index), None)
}

/// Replaces the numbers of a value.
pub(crate) fn set_row(values: &mut Values, index: usize, row: &[f64]) {
    fn set<T: Floats>(column: &mut [T], index: usize, row: &[f64]) {
        if let Some(value) = column.get_mut(index) {
            value.write(row);
        }
    }
    with_floats!(values, column => set(column, index, row), ());
}

/// Says whether values of a kind are made of floats.
pub(crate) fn is_float(kind: ValueKind) -> bool {
    with_floats!(Values::empty(kind), _column => true, false)
}

/// Says whether values of a kind are single floats or vectors of them: what Hermite curves take.
pub(crate) const fn is_float_vector(kind: ValueKind) -> bool {
    use ValueKind::{Double, Double2, Double3, Double4, Float, Float2, Float3, Float4};
    matches!(kind, Float | Float2 | Float3 | Float4 | Double | Double2 | Double3 | Double4)
}
