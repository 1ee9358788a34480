//! The float types, for math that is written once for both.

/// A float type of values.
///
/// Implemented only for `f32` and `f64`.
pub trait Real: sealed::Float {}

impl Real for f32 {}
impl Real for f64 {}

pub(crate) mod sealed {
    use core::fmt::Debug;
    use core::ops::{Add, Div, Mul, Neg, Sub};

    use super::Real;
    use crate::Identical;

    /// The operations that the math needs.
    pub trait Float:
        Copy
        + Debug
        + Default
        + PartialOrd
        + Identical
        + Add<Output = Self>
        + Sub<Output = Self>
        + Mul<Output = Self>
        + Div<Output = Self>
        + Neg<Output = Self>
        + 'static
    {
        /// The wider of this type and `F`, which represents values of both without rounding.
        type Wider<F: Real>: Real;

        const ZERO: Self;
        const ONE: Self;

        fn from_f64(value: f64) -> Self;
        fn to_f64(self) -> f64;
        fn is_normal(self) -> bool;
        fn abs(self) -> Self;
        fn sqrt(self) -> Self;
        fn sin(self) -> Self;
        fn cos(self) -> Self;
        fn acos(self) -> Self;

        /// Returns the nearest number of another float type.
        fn cast<F: Real>(self) -> F {
            F::from_f64(self.to_f64())
        }
    }
}

macro_rules! forward {
    ($float:ident: $($function:ident)*) => {$(
        fn $function(self) -> Self {
            $float::$function(self)
        }
    )*};
}

macro_rules! define_float {
    ($float:ident, $other:ident => $wider:ty, $from_f64:expr) => {
        impl sealed::Float for $float {
            type Wider<$other: Real> = $wider;

            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;

            fn from_f64(value: f64) -> Self {
                $from_f64(value)
            }

            fn to_f64(self) -> f64 {
                f64::from(self)
            }

            fn is_normal(self) -> bool {
                $float::is_normal(self)
            }

            forward!($float: abs sqrt sin cos acos);
        }
    };
}
define_float!(f32, F => F, crate::num::f32_from_f64);
define_float!(f64, F => f64, core::convert::identity);
