//! Columns of values as numpy arrays: the only unsafe code of the project.
#![expect(
    unsafe_code,
    reason = "numpy shows memory that Rust owns, and some types are cast to numbers"
)]

use core::mem::ManuallyDrop;

use inbetween::core::{Color, Color32, with_column};
use inbetween::{Quat, ValueKind, Values};
use numpy::ndarray::{ArrayView, IxDyn};
use numpy::{
    Element as Number, PyArray1, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods,
    PyReadonlyArrayDyn, PyUntypedArrayMethods,
};
use pyo3::prelude::*;

use crate::track::{Column, Track};

/// A type of values that is made of numbers.
pub(crate) trait Cell: inbetween::core::Element {
    /// The type of the numbers.
    type Number: Number + Copy;

    /// The lengths of the axes after that of the keys.
    const SHAPE: &'static [usize];

    /// Returns the numbers of a column, value after value.
    fn numbers(column: &[Self]) -> &[Self::Number];

    /// Returns the numbers of a column of its own, without a copy.
    fn into_numbers(column: Vec<Self>) -> Vec<Self::Number>;

    /// Returns the column of numbers. Numbers of an incomplete value at the end are left out.
    fn of_numbers(numbers: &[Self::Number]) -> Vec<Self>;
}

macro_rules! scalars {
    ($($type:ty),*) => {$(
        impl Cell for $type {
            type Number = Self;
            const SHAPE: &'static [usize] = &[];

            fn numbers(column: &[Self]) -> &[Self] {
                column
            }

            fn into_numbers(column: Vec<Self>) -> Vec<Self> {
                column
            }

            fn of_numbers(numbers: &[Self]) -> Vec<Self> {
                numbers.to_vec()
            }
        }
    )*};
}
scalars!(bool, u8, u16, u32, u64, i8, i16, i32, i64, f32, f64);

macro_rules! vectors {
    ($($type:ty, $length:literal;)*) => {$(
        impl Cell for [$type; $length] {
            type Number = $type;
            const SHAPE: &'static [usize] = &[$length];

            fn numbers(column: &[Self]) -> &[$type] {
                column.as_flattened()
            }

            fn into_numbers(column: Vec<Self>) -> Vec<$type> {
                column.into_flattened()
            }

            fn of_numbers(numbers: &[$type]) -> Vec<Self> {
                numbers.as_chunks().0.to_vec()
            }
        }
    )*};
}
vectors! {
    bool, 2; bool, 3; bool, 4; i32, 2; i32, 3; i32, 4; u32, 2; u32, 3; u32, 4; i64, 2; i64, 3; i64, 4;
    f32, 2; f32, 3; f32, 4; f64, 2; f64, 3; f64, 4;
}

macro_rules! matrices {
    ($($type:ty, $length:literal;)*) => {$(
        impl Cell for [[$type; $length]; $length] {
            type Number = $type;
            const SHAPE: &'static [usize] = &[$length, $length];

            fn numbers(column: &[Self]) -> &[$type] {
                column.as_flattened().as_flattened()
            }

            fn into_numbers(column: Vec<Self>) -> Vec<$type> {
                column.into_flattened().into_flattened()
            }

            fn of_numbers(numbers: &[$type]) -> Vec<Self> {
                numbers.as_chunks().0.as_chunks().0.to_vec()
            }
        }
    )*};
}
matrices! { f32, 2; f32, 3; f32, 4; f64, 2; f64, 3; f64, 4; }

macro_rules! structs_of_four {
    ($($type:ty, $number:ty;)*) => {$(
        impl Cell for $type {
            type Number = $number;
            const SHAPE: &'static [usize] = &[4];

            fn numbers(column: &[Self]) -> &[$number] {
                const { assert!(size_of::<$type>() == 4 * size_of::<$number>()) };
                const { assert!(align_of::<$type>() == align_of::<$number>()) };
                // SAFETY: the type is `repr(C)` with four fields of the number and nothing else, so
                // that a column of it is four times as many numbers, without padding. The length in
                // bytes stays the same, and the result borrows the column.
                unsafe { core::slice::from_raw_parts(column.as_ptr().cast(), column.len().saturating_mul(4)) }
            }

            fn into_numbers(column: Vec<Self>) -> Vec<$number> {
                const { assert!(size_of::<$type>() == 4 * size_of::<$number>()) };
                const { assert!(align_of::<$type>() == align_of::<$number>()) };
                let mut column = ManuallyDrop::new(column);
                let [length, capacity] =
                    [column.len(), column.capacity()].map(|count| count.saturating_mul(4));
                // SAFETY: as in `numbers`; the memory has the same size and alignment for the
                // allocator, and the old owner does not free it.
                unsafe { Vec::from_raw_parts(column.as_mut_ptr().cast(), length, capacity) }
            }

            fn of_numbers(numbers: &[$number]) -> Vec<Self> {
                numbers.as_chunks().0.iter().map(|four| Self::from_array(*four)).collect()
            }
        }
    )*};
}
structs_of_four! { Quat<f32>, f32; Quat<f64>, f64; Color, f32; Color32, u8; }

/// Returns a read-only array of memory that `owner` keeps.
///
/// # Safety
///
/// The numbers stay where they are and unchanged for as long as `owner` lives.
unsafe fn view<'py, N: Number>(
    numbers: &[N],
    shape: &[usize],
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = ArrayView::from_shape(IxDyn(shape), numbers);
    let view = view.map_err(|error| crate::errors::value_error(error.to_string()))?;
    // SAFETY: the caller guarantees that the memory lives as long as `owner`, of which the array holds
    // a reference. The array is made read-only before anyone else sees it, so that nothing writes
    // through the shared borrow.
    let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner) };
    let array = array.readwrite().make_nonwriteable();
    Ok(array.as_any().clone())
}

/// Returns a view of the times of a track, if it stores them.
pub(crate) fn times<'py>(track: &Bound<'py, Track>) -> Option<PyResult<Bound<'py, PyAny>>> {
    let times = track.get().stored_times()?;
    // SAFETY: a track is frozen and keeps its document in an `Arc` of which nobody takes a mutable
    // borrow, so that its columns neither move nor change while the track lives.
    Some(unsafe { view(times, &[times.len()], track.as_any().clone()) })
}

/// Returns a view of a column of a track, or an array of texts.
pub(crate) fn values<'py>(
    track: &Bound<'py, Track>,
    column: Column,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    fn typed<'py, T: Cell>(column: &[T], track: &Bound<'py, Track>) -> PyResult<Bound<'py, PyAny>> {
        let shape = [&[column.len()], T::SHAPE].concat();
        // SAFETY: the column is one of the track; see `times`.
        unsafe { view(T::numbers(column), &shape, track.as_any().clone()) }
    }
    let values = track.get().column(column)?;
    Some(with_column!(values, column => typed(column, track), else texts(track.py(), values)))
}

/// Returns values in an array of their own.
pub(crate) fn owned(py: Python<'_>, values: Values) -> PyResult<Bound<'_, PyAny>> {
    fn typed<T: Cell>(py: Python<'_>, column: Vec<T>) -> PyResult<Bound<'_, PyAny>> {
        let shape = [&[column.len()], T::SHAPE].concat();
        let array = PyArray1::from_vec(py, T::into_numbers(column)).reshape(IxDyn(&shape))?;
        Ok(array.as_any().clone())
    }
    if values.kind() == ValueKind::String {
        return texts(py, &values);
    }
    with_column!(values, column => typed(py, column), else Ok(py.None().into_bound(py)))
}

/// Returns texts as an array of objects: `str`, and `None` for null.
fn texts<'py>(py: Python<'py>, values: &Values) -> PyResult<Bound<'py, PyAny>> {
    let texts = values.as_strings().into_iter().flat_map(inbetween::core::Strings::iter);
    let list = pyo3::types::PyList::new(py, texts.collect::<Vec<_>>())?;
    let array = py.import("numpy")?.call_method1("array", (list, "object"))?;
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

/// Returns the numbers of anything that numpy makes an array of, in rows, with the shape.
pub(crate) fn numbers<N: Number + Copy>(
    value: &Bound<'_, PyAny>,
) -> PyResult<(Vec<N>, Vec<usize>)> {
    let numpy = value.py().import("numpy")?;
    let dtype = N::get_dtype(value.py());
    let mut array = numpy.call_method1("ascontiguousarray", (value, &dtype))?;
    if dtype.kind() == b'b' {
        // For numpy, every byte but 0 is true. A `bool` of Rust may only be 0 or 1.
        array = array.call_method1("view", ("u1",))?.call_method1("astype", ("?",))?;
    }
    let array: PyReadonlyArrayDyn<'_, N> = array.extract()?;
    Ok((array.as_slice()?.to_vec(), array.shape().to_vec()))
}
