//! The components of values: one access to the numbers of every kind.

use crate::num::{f32_from_f64, f64_from_i128, i128_from_f64};
use crate::{Color, Color32, Element, Quat};

/// One component of a value, at its full width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Component {
    /// A flag of a `bool` kind.
    Bool(bool),
    /// A number of an integer kind, or a channel of a `color32`.
    Integer(i128),
    /// An `f32`.
    Float(f32),
    /// An `f64`.
    Double(f64),
}

impl Component {
    /// Returns the component as a number: 0 or 1 for a flag; 64-bit integers are rounded.
    #[inline]
    pub fn number(self) -> f64 {
        match self {
            Self::Bool(flag) => f64::from(u8::from(flag)),
            Self::Integer(integer) => f64_from_i128(integer),
            Self::Float(float) => f64::from(float),
            Self::Double(float) => float,
        }
    }

    /// Returns whether the component is not NaN or infinite.
    #[inline]
    pub const fn is_finite(self) -> bool {
        match self {
            Self::Bool(_) | Self::Integer(_) => true,
            Self::Float(float) => float.is_finite(),
            Self::Double(float) => float.is_finite(),
        }
    }
}

/// A type of components: `bool`, an integer type or a float type.
pub trait Scalar: Element {
    /// Whether this is `f32` or `f64`.
    const IS_FLOAT: bool;

    /// Returns the component, exactly.
    fn component(self) -> Component;

    /// Returns the nearest value to a number: integers are rounded and clamped, and every number
    /// but 0 is `true`.
    fn from_number(number: f64) -> Self;
}

/// Access to the components of a value.
///
/// Components of vectors and quaternions are in the order x y z w, those of colors r g b a, those
/// of matrices row by row.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Components, Quat};
///
/// let mut numbers = Vec::new();
/// Quat::<f32>::IDENTITY.visit(&mut |number| numbers.push(number));
/// assert_eq!(numbers, [0.0, 0.0, 0.0, 1.0]);
///
/// let mut matrix = [[1.0_f64, 2.0], [3.0, 4.0]];
/// matrix.visit_mut(&mut |number| *number *= 2.0);
/// assert_eq!(matrix, [[2.0, 4.0], [6.0, 8.0]]);
/// ```
pub trait Components: Copy {
    /// The type of the components.
    type Scalar: Scalar;

    /// The number of components.
    const WIDTH: usize;

    /// Calls a function with every component, to change it.
    fn visit_mut(&mut self, each: &mut impl FnMut(&mut Self::Scalar));

    /// Calls a function with every component.
    #[inline]
    fn visit(mut self, each: &mut impl FnMut(Self::Scalar)) {
        self.visit_mut(&mut |scalar| each(*scalar));
    }
}

macro_rules! scalars {
    ($($scalar:ty, $is_float:literal, $component:expr, $from_number:expr;)*) => {$(
        impl Scalar for $scalar {
            const IS_FLOAT: bool = $is_float;

            #[inline]
            fn component(self) -> Component {
                $component(self)
            }

            #[inline]
            fn from_number(number: f64) -> Self {
                $from_number(number)
            }
        }

        impl Components for $scalar {
            type Scalar = Self;

            const WIDTH: usize = 1;

            #[inline]
            fn visit_mut(&mut self, each: &mut impl FnMut(&mut Self)) {
                each(self);
            }
        }
    )*};
}
scalars! {
    bool, false, Component::Bool, |number| number != 0.0;
    f32, true, Component::Float, f32_from_f64;
    f64, true, Component::Double, core::convert::identity;
}

macro_rules! integers {
    ($($integer:ident)*) => {
        scalars! {$(
            $integer, false, |integer| Component::Integer(i128::from(integer)), |number| {
                let nearest = i128_from_f64(number);
                let limit = if nearest < 0 { $integer::MIN } else { $integer::MAX };
                $integer::try_from(nearest).unwrap_or(limit)
            };
        )*}
    };
}
integers!(u8 u16 u32 u64 i8 i16 i32 i64);

impl<T: Components, const N: usize> Components for [T; N] {
    type Scalar = T::Scalar;

    const WIDTH: usize = N * T::WIDTH;

    #[inline]
    fn visit_mut(&mut self, each: &mut impl FnMut(&mut T::Scalar)) {
        for part in self {
            part.visit_mut(each);
        }
    }
}

macro_rules! by_array {
    ($([$($scalar:ident)?] $type:ty, $array:ty;)*) => {$(
        impl<$($scalar: Scalar)?> Components for $type {
            type Scalar = <$array as Components>::Scalar;

            const WIDTH: usize = 4;

            #[inline]
            fn visit_mut(&mut self, each: &mut impl FnMut(&mut Self::Scalar)) {
                let mut parts = self.to_array();
                parts.visit_mut(each);
                *self = Self::from_array(parts);
            }
        }
    )*};
}
by_array! {
    [T] Quat<T>, [T; 4];
    [] Color, [f32; 4];
    [] Color32, [u8; 4];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ValueKind, with_kind};

    #[test]
    fn every_kind_has_as_many_components_as_it_visits() {
        for kind in ValueKind::ALL {
            let (width, visited) = with_kind!(kind, T => {
                let mut visited = Vec::new();
                T::default().visit(&mut |component| visited.push(component));
                (T::WIDTH, visited.len())
            }, else (0, 0));
            assert_eq!(width, visited, "{kind}");
        }
    }

    #[test]
    fn numbers_are_rounded_and_clamped_to_the_type() {
        assert_eq!((u8::from_number(1e9), i8::from_number(-1e9), i32::from_number(2.5)), {
            (255, -128, 3)
        });
        assert_eq!(f32::from_number(0.1), 0.1_f32);
        assert!(bool::from_number(-0.5) && !bool::from_number(0.0));
    }

    #[test]
    fn components_keep_64_bits() {
        assert_eq!(u64::MAX.component(), Component::Integer(i128::from(u64::MAX)));
        assert_eq!(Component::Bool(true).number(), 1.0);
    }
}
