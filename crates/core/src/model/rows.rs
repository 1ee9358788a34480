//! Values of any kind as rows of `f64` numbers.
//!
//! Components of vectors, quaternions (x y z w), matrices (row by row) and colors (r g b a) are in
//! the order of the kind.

use crate::{Component, Components, Element, Scalar as _, Value, ValueKind, Values};
use crate::{with_column, with_kind};

/// The largest number of components of a value: a 4x4 matrix.
const LONGEST: usize = 16;

#[inline]
fn get<T: Components>(value: T, row: &mut [f64]) {
    let mut slots = row.iter_mut();
    value.visit(&mut |scalar| {
        if let Some(slot) = slots.next() {
            *slot = scalar.component().number();
        }
    });
}

#[inline]
fn set<T: Components>(value: &mut T, row: &[f64]) {
    let mut numbers = row.iter();
    value.visit_mut(&mut |scalar| {
        if let Some(number) = numbers.next() {
            *scalar = T::Scalar::from_number(*number);
        }
    });
}

/// Changes every value as a row of numbers; does nothing to kinds that do not consist of floats.
pub fn each_row(values: &mut Values, mut change: impl FnMut(usize, &mut [f64])) {
    with_column!(values, column => each_in_column(column, &mut change), else ());
}

fn each_in_column<T: Element>(column: &mut [T], change: &mut impl FnMut(usize, &mut [f64])) {
    let mut buffer = [0.0; LONGEST];
    let Some(row) = buffer.get_mut(..T::WIDTH).filter(|_| T::Scalar::IS_FLOAT) else { return };
    for (index, value) in column.iter_mut().enumerate() {
        get(*value, row);
        change(index, row);
        set(value, row);
    }
}

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
    row.clear();
    value.visit(|component: Component| row.push(component.number()));
}

/// Returns the numbers of a value, or `None` past the end and for kinds that do not consist of
/// floats.
pub fn numbers(values: &Values, index: usize) -> Option<Vec<f64>> {
    fn numbers<T: Element>(column: &[T], index: usize) -> Option<Vec<f64>> {
        let mut row = vec![0.0; T::WIDTH];
        get(*column.get(index).filter(|_| T::Scalar::IS_FLOAT)?, &mut row);
        Some(row)
    }
    with_column!(values, column => numbers(column, index), else None)
}

/// Returns the values that contain NaN or an infinity: the index of each, and its first such
/// number.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Values, rows};
///
/// let values = Values::from(vec![[0.0_f32, 1.0], [f32::INFINITY, 2.0]]);
/// assert!(rows::not_finite(&values).eq([(1, f64::INFINITY)]));
/// ```
pub fn not_finite(values: &Values) -> impl Iterator<Item = (usize, f64)> {
    /// The number of values to test at once, which is faster than to stop at the first.
    const BLOCK: usize = 64;
    fn first<T: Element>(column: &[T], start: usize) -> Option<(usize, f64)> {
        let mut blocks = column.get(start..)?.chunks(BLOCK).zip((start..).step_by(BLOCK));
        blocks.find_map(|(block, start)| {
            let mut finite = true;
            for value in block {
                value.visit(&mut |scalar| finite &= scalar.component().is_finite());
            }
            if finite { None } else { first_of(block, start) }
        })
    }
    fn first_of<T: Element>(block: &[T], start: usize) -> Option<(usize, f64)> {
        block.iter().zip(start..).find_map(|(value, index)| {
            let mut found = None;
            value.visit(&mut |scalar| {
                let number = scalar.component().number();
                if !number.is_finite() {
                    found = found.or(Some(number));
                }
            });
            found.map(|number| (index, number))
        })
    }
    // Integers and flags are always finite, so they are not searched.
    let mut start = values.kind().is_float().then_some(0);
    core::iter::from_fn(move || {
        let found = with_column!(values, column => first(column, start?), else None);
        start = found.map(|(index, _)| index + 1);
        found
    })
}

/// Returns whether all numbers of all values are finite.
pub fn are_finite(values: &Values) -> bool {
    not_finite(values).next().is_none()
}

/// Replaces the numbers of a value; does nothing to kinds that do not consist of floats.
pub fn set_row(values: &mut Values, index: usize, row: &[f64]) {
    fn replace<T: Element>(column: &mut [T], index: usize, row: &[f64]) {
        if let Some(value) = column.get_mut(index).filter(|_| T::Scalar::IS_FLOAT) {
            set(value, row);
        }
    }
    with_column!(values, column => replace(column, index, row), else ());
}

/// Returns the values as another kind with as many components, each rounded to it. Values without
/// components, and values of the kind already, are unchanged.
///
/// # Examples
///
/// ```
/// use inbetween_core::{ValueKind, Values, rows};
///
/// let narrow = rows::converted(vec![[0.5_f64, 0.1]].into(), ValueKind::Float2);
/// assert_eq!(narrow, Values::from(vec![[0.5_f32, 0.1]]));
/// ```
pub fn converted(values: Values, kind: ValueKind) -> Values {
    fn rows<T: Element>(column: &[T], kind: ValueKind) -> Values {
        self::column(
            kind,
            column.iter().map(|value| {
                let mut row = [0.0; LONGEST];
                get(*value, &mut row);
                row
            }),
        )
    }
    if values.kind() == kind {
        return values;
    }
    with_column!(&values, column => rows(column, kind), else values)
}

/// Returns the number of components of a kind; 0 for `bool` and strings.
pub fn width(kind: ValueKind) -> usize {
    if !kind.interpolates() {
        return 0;
    }
    with_kind!(kind, T => T::WIDTH, else 0)
}

/// Returns the first `N` numbers of a value; zeros past the end, and for `bool` and strings.
///
/// 64-bit integers are rounded to `f64`.
pub fn row<const N: usize>(values: &Values, index: usize) -> [f64; N] {
    fn row<T: Element, const N: usize>(column: &[T], index: usize) -> [f64; N] {
        let mut row = [0.0; N];
        if let Some(value) = column.get(index) {
            get(*value, &mut row);
        }
        row
    }
    if !values.kind().interpolates() {
        return [0.0; N];
    }
    with_column!(values, column => row(column, index), else [0.0; N])
}

/// Creates a column of a kind from rows of numbers, each rounded to the kind; an empty one for
/// `bool` and strings. Numbers beyond the width of the kind are ignored, and missing ones are 0.
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
    fn column<T: Element>(rows: impl Iterator<Item: AsRef<[f64]>>) -> Values {
        let value = |row: &[f64]| {
            let mut value = T::default();
            set(&mut value, row);
            value
        };
        rows.map(|row| value(row.as_ref())).collect::<Vec<T>>().into()
    }
    if !kind.interpolates() {
        return Values::empty(kind);
    }
    with_kind!(kind, T => column::<T>(rows), else Values::empty(kind))
}

/// Returns whether a kind is a float or a vector of floats, the kinds that Hermite curves support.
pub const fn is_float_vector(kind: ValueKind) -> bool {
    use ValueKind::{Double, Double2, Double3, Double4, Float, Float2, Float3, Float4};
    matches!(kind, Float | Float2 | Float3 | Float4 | Double | Double2 | Double3 | Double4)
}
