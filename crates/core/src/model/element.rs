//! The Rust types behind the value kinds.

use super::interpolate::Interpolate as _;
use crate::{Components, Value, ValueKind, Values, kind_table};

/// A color with four `f32` channels, red first in memory; values outside 0 to 1 are normal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Color {
    /// Red.
    pub r: f32,
    /// Green.
    pub g: f32,
    /// Blue.
    pub b: f32,
    /// Opacity.
    pub a: f32,
}

/// A color with four `u8` channels, red first in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Color32 {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity.
    pub a: u8,
}

/// A Rust type that holds values of one [`ValueKind`] of fixed size.
///
/// Implemented only for the types of the kind table. Vectors are arrays `[x, y, z, w]`, matrices
/// arrays of rows.
pub trait Element:
    Components + Default + core::fmt::Debug + Identical + sealed::Sealed + 'static
{
    /// The kind of values that this type holds.
    const KIND: ValueKind;

    /// Wraps a column of this type.
    fn into_values(column: Vec<Self>) -> Values;

    /// Returns the column if `values` is of this type.
    fn column(values: &Values) -> Option<&Vec<Self>>;

    /// Returns the column if `values` is of this type.
    fn column_mut(values: &mut Values) -> Option<&mut Vec<Self>>;
}

/// Equality that compares floats by their bits.
///
/// NaN is identical to the same NaN, and 0.0 is not identical to -0.0.
pub trait Identical {
    /// Returns whether the two are equal bit for bit.
    fn identical(&self, other: &Self) -> bool;
}

macro_rules! identical_by_eq {
    ($($type:ty),*) => {$(
        impl Identical for $type {
            fn identical(&self, other: &Self) -> bool {
                self == other
            }
        }
    )*};
}
identical_by_eq!(bool, u8, u16, u32, u64, i8, i16, i32, i64, Color32);

macro_rules! identical_by_bits {
    ($($type:ty),*) => {$(
        impl Identical for $type {
            fn identical(&self, other: &Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    )*};
}
identical_by_bits!(f32, f64);

impl<T: Identical> Identical for [T] {
    fn identical(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(a, b)| a.identical(b))
    }
}

impl<T: Identical, const N: usize> Identical for [T; N] {
    fn identical(&self, other: &Self) -> bool {
        self.as_slice().identical(other.as_slice())
    }
}

impl Identical for Color {
    fn identical(&self, other: &Self) -> bool {
        self.to_array().identical(&other.to_array())
    }
}

impl Color {
    /// Returns the channels in the order r, g, b, a.
    pub const fn to_array(self) -> [f32; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Creates a color from channels in the order r, g, b, a.
    pub const fn from_array([r, g, b, a]: [f32; 4]) -> Self {
        Self { r, g, b, a }
    }
}

impl Color32 {
    /// Returns the channels in the order r, g, b, a.
    pub const fn to_array(self) -> [u8; 4] {
        [self.r, self.g, self.b, self.a]
    }

    /// Creates a color from channels in the order r, g, b, a.
    pub const fn from_array([r, g, b, a]: [u8; 4]) -> Self {
        Self { r, g, b, a }
    }
}

mod sealed {
    use super::super::interpolate::Interpolate;

    pub trait Sealed: Interpolate {}
}

macro_rules! define_elements {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $($pooled:tt)* }) => {$(
        impl sealed::Sealed for $type {}

        impl Element for $type {
            const KIND: ValueKind = ValueKind::$variant;

            fn into_values(column: Vec<Self>) -> Values {
                Values::$variant(column)
            }

            fn column(values: &Values) -> Option<&Vec<Self>> {
                match values {
                    Values::$variant(column) => Some(column),
                    _ => None,
                }
            }

            fn column_mut(values: &mut Values) -> Option<&mut Vec<Self>> {
                match values {
                    Values::$variant(column) => Some(column),
                    _ => None,
                }
            }
        }
    )*};
}
kind_table!(define_elements);

macro_rules! define_value_error {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// Returns the difference between two values.
        ///
        /// * Numbers: the absolute difference.
        /// * Vectors, colors and matrices: the Euclidean length of the differences by component, so
        ///   for positions the distance in their unit.
        /// * Quaternions: the angle of the rotation between the two, 0 to pi radians.
        /// * `bool` and `string`: 1 if they differ.
        ///
        /// It is infinite between NaN and a number, between an invalid quaternion (zero or not
        /// finite) and a valid one, and between values of two kinds. Two NaN do not differ, nor do
        /// two invalid quaternions.
        ///
        /// # Examples
        ///
        /// ```
        /// use inbetween_core::{Value, value_error};
        ///
        /// let error = value_error(&Value::Float2([1.0, 1.0]), &Value::Float2([4.0, 5.0]));
        /// assert_eq!(error, 5.0);
        /// ```
        pub fn value_error(one: &Value, other: &Value) -> f64 {
            match (one, other) {
                $((Value::$variant(one), Value::$variant(other)) => one.distance(*other),)*
                (Value::$pooled(one), Value::$pooled(other)) => {
                    one.as_deref().distance(other.as_deref())
                }
                _ => f64::INFINITY,
            }
        }
    };
}
kind_table!(define_value_error);

/// Returns the difference between two values of a known type, by the rules of [`value_error`].
pub fn element_error<T: Element>(one: T, other: T) -> f64 {
    one.distance(other)
}
