//! Values of any kind as rows of `f64` numbers.
//!
//! Components of vectors, quaternions (x y z w), matrices (row by row) and colors (r g b a) are in
//! the order of the kind.

use crate::num::{f32_from_f64, f64_from_i128, i128_from_f64};
use crate::{Color, Color32, Quat, Value, ValueKind, Values, kind_table};

/// A value that consists of one or more floats.
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

/// The largest number of components of a value: a 4x4 matrix.
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

impl Floats for Color32 {
    const LEN: usize = <[u8; 4]>::LEN;

    fn read(self, row: &mut [f64]) {
        self.to_array().read(row);
    }

    fn write(&mut self, row: &[f64]) {
        let mut channels = self.to_array();
        channels.write(row);
        *self = Self::from_array(channels);
    }
}

impl Floats for bool {
    const LEN: usize = 1;

    fn read(self, row: &mut [f64]) {
        row.fill(f64::from(u8::from(self)));
    }

    fn write(&mut self, row: &[f64]) {
        if let [number] = row {
            *self = *number != 0.0;
        }
    }
}

macro_rules! whole_numbers {
    ($($integer:ty)*) => {$(
        impl Floats for $integer {
            const LEN: usize = 1;

            fn read(self, row: &mut [f64]) {
                row.fill(f64_from_i128(i128::from(self)));
            }

            fn write(&mut self, row: &[f64]) {
                if let [number] = row {
                    let whole = i128_from_f64(*number);
                    let nearest = whole.clamp(Self::MIN.into(), Self::MAX.into());
                    *self = Self::try_from(nearest).unwrap_or_default();
                }
            }
        }
    )*};
}
whole_numbers!(u8 u16 u32 u64 i8 i16 i32 i64);

/// Like [`with_floats`], but also for integers.
macro_rules! with_numbers {
    ($values:expr, $column:ident => $result:expr, $other:expr) => {
        match $values {
            Values::Byte($column) => $result,
            Values::UShort($column) => $result,
            Values::UInt($column) => $result,
            Values::ULong($column) => $result,
            Values::SByte($column) => $result,
            Values::Short($column) => $result,
            Values::Int($column) => $result,
            Values::Long($column) => $result,
            Values::Int2($column) => $result,
            Values::Int3($column) => $result,
            Values::Int4($column) => $result,
            Values::UInt2($column) => $result,
            Values::UInt3($column) => $result,
            Values::UInt4($column) => $result,
            Values::Long2($column) => $result,
            Values::Long3($column) => $result,
            Values::Long4($column) => $result,
            Values::Color32($column) => $result,
            values => with_floats!(values, $column => $result, $other),
        }
    };
}

/// Calls a function with the column of a kind that consists of floats.
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

/// Changes every value as a row of numbers; does nothing to kinds that do not consist of floats.
pub fn each_row(values: &mut Values, change: impl FnMut(usize, &mut [f64])) {
    with_floats!(values, column => rows(column, change), ());
}

macro_rules! define_read {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// Replaces `row` by the numbers of a value: 0 or 1 for `bool`, none for strings.
        ///
        /// 64-bit integers are rounded to `f64`.
        ///
        /// # Examples
        ///
        /// ```
        /// use inbetween_core::{Value, rows};
        ///
        /// let mut row = Vec::new();
        /// rows::read(&Value::Float2([1.0, 2.5]), &mut row);
        /// assert_eq!(row, [1.0, 2.5]);
        /// rows::read(&Value::Bool(true), &mut row);
        /// assert_eq!(row, [1.0]);
        /// ```
        pub fn read(value: &Value, row: &mut Vec<f64>) {
            fn fill<T: Floats>(value: T, row: &mut Vec<f64>) {
                row.clear();
                row.resize(T::LEN, 0.0);
                value.read(row);
            }
            match value {
                $(Value::$variant(value) => fill(*value, row),)*
                Value::$pooled(_) => row.clear(),
            }
        }
    };
}
kind_table!(define_read);

/// Returns the numbers of a value, or `None` past the end and for kinds that do not consist of
/// floats.
pub fn numbers(values: &Values, index: usize) -> Option<Vec<f64>> {
    fn read<T: Floats>(column: &[T], index: usize) -> Option<Vec<f64>> {
        let mut row = vec![0.0; T::LEN];
        column.get(index)?.read(&mut row);
        Some(row)
    }
    with_floats!(values, column => read(column, index), None)
}

/// Returns whether all numbers of all values are finite; always true for kinds that do not consist
/// of floats.
pub fn are_finite(values: &Values) -> bool {
    fn finite<T: Floats>(column: &[T]) -> bool {
        let mut buffer = [0.0; LONGEST];
        let Some(row) = buffer.get_mut(..T::LEN) else { return false };
        column.iter().all(|value| {
            value.read(row);
            row.iter().all(|number| number.is_finite())
        })
    }
    with_floats!(values, column => finite(column), true)
}

/// Replaces the numbers of a value.
pub fn set_row(values: &mut Values, index: usize, row: &[f64]) {
    fn set<T: Floats>(column: &mut [T], index: usize, row: &[f64]) {
        if let Some(value) = column.get_mut(index) {
            value.write(row);
        }
    }
    with_floats!(values, column => set(column, index, row), ());
}

/// Returns the number of components of a kind; 0 for `bool` and strings.
pub fn width(kind: ValueKind) -> usize {
    fn of<T: Floats>(_: &[T]) -> usize {
        T::LEN
    }
    with_numbers!(&Values::empty(kind), column => of(column), 0)
}

/// Returns the first `N` numbers of a value; zeros past the end, and for `bool` and strings.
///
/// 64-bit integers are rounded to `f64`.
pub fn row<const N: usize>(values: &Values, index: usize) -> [f64; N] {
    fn read<T: Floats, const N: usize>(column: &[T], index: usize) -> [f64; N] {
        let mut buffer = [0.0; LONGEST];
        if let (Some(value), Some(row)) = (column.get(index), buffer.get_mut(..T::LEN)) {
            value.read(row);
        }
        core::array::from_fn(|at| buffer.get(at).copied().unwrap_or_default())
    }
    with_numbers!(values, column => read(column, index), [0.0; N])
}

/// Creates a column of a kind from rows of numbers, each rounded to the kind. Numbers beyond the
/// width of the kind are ignored, and missing ones are 0.
///
/// # Examples
///
/// ```
/// use inbetween_core::{ValueKind, Values, rows};
///
/// let column = rows::column(ValueKind::Float2, [[1.0, 2.0, 0.0], [3.0, 4.0, 0.0]].iter());
/// assert_eq!(column, vec![[1.0_f32, 2.0], [3.0, 4.0]].into());
/// assert_eq!(rows::row(&column, 1), [3.0, 4.0]);
/// assert_eq!(rows::width(column.kind()), 2);
/// ```
pub fn column(kind: ValueKind, rows: impl Iterator<Item: AsRef<[f64]>>) -> Values {
    fn write<T: Floats + Default>(rows: impl Iterator<Item: AsRef<[f64]>>) -> Vec<T> {
        let value = |row: &[f64]| {
            let mut value = T::default();
            value.write(row.get(..T::LEN).unwrap_or_default());
            value
        };
        rows.map(|row| value(row.as_ref())).collect()
    }
    fn like<T: Floats + Default>(_: &[T], rows: impl Iterator<Item: AsRef<[f64]>>) -> Vec<T> {
        write::<T>(rows)
    }
    with_numbers!(&Values::empty(kind), empty => like(empty, rows).into(), Values::empty(kind))
}

/// Returns whether a kind is a float or a vector of floats, the kinds that Hermite curves support.
pub const fn is_float_vector(kind: ValueKind) -> bool {
    use ValueKind::{Double, Double2, Double3, Double4, Float, Float2, Float3, Float4};
    matches!(kind, Float | Float2 | Float3 | Float4 | Double | Double2 | Double3 | Double4)
}
