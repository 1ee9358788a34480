//! How far values are apart, and why a track cannot be baked.

use core::fmt;

use crate::memory::OutOfMemory;
use crate::playback::Interpolate as _;
use crate::report::RAISE_DECODED;
use crate::{Element, ReadErrorKind, Value, ValueKind, kind_table};

macro_rules! define_value_error {
    (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
     pooled { $pid:literal $pooled:ident $pname:literal; }) => {
        /// Returns how far apart two values are.
        ///
        /// * Numbers: the difference.
        /// * Vectors, colors and matrices: the Euclidean length of the differences by component,
        ///   so of positions the distance in their unit.
        /// * Quaternions: the angle of the rotation between the two, 0 to pi radians.
        /// * `bool` and `string`: 1 if they differ.
        ///
        /// It is infinite between NaN and a number, between a quaternion that is no rotation (zero
        /// or not finite) and one that is, and between values of two kinds. Two NaN do not differ,
        /// nor do two quaternions that are no rotations.
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

/// Returns how far apart two values are whose type is known, by the rules of [`value_error`].
pub fn element_error<T: Element>(one: T, other: T) -> f64 {
    one.distance(other)
}

impl From<OutOfMemory> for BakeError {
    fn from(error: OutOfMemory) -> Self {
        Self::Memory(error)
    }
}

/// Why a track cannot be baked.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum BakeError {
    /// The frame rate gives frames no finite times that rise.
    Rate {
        /// Frames per second.
        rate: f64,
    },
    /// The keys would need more memory than the limits allow.
    Limit {
        /// How many frames there would be.
        frames: u64,
        /// Bytes that they need.
        bytes: u64,
        /// Bytes that the budget has left.
        left: u64,
    },
    /// The values are no Euler angles.
    NotEuler {
        /// Their kind.
        kind: ValueKind,
    },
    /// The values are no quaternions.
    NotRotation {
        /// Their kind.
        kind: ValueKind,
    },
    /// The bound of the error is no positive finite number.
    Bound {
        /// In the unit of the values.
        bound: f64,
    },
    /// The values are no single numbers.
    NotNumbers {
        /// Their kind.
        kind: ValueKind,
    },
    /// Values that hold are to be baked within a bound.
    Held {
        /// Their kind.
        kind: ValueKind,
    },
    /// The system has less memory than the keys need.
    Memory(OutOfMemory),
    /// Times are not finite or not in order.
    Times,
    /// The keys that keep the error within the bound would need more memory than the limits allow.
    Keys {
        /// How many keys there would be at least.
        keys: u64,
        /// In the unit of the values.
        bound: f64,
        /// Bytes that the budget had left for them.
        left: u64,
    },
}

impl fmt::Display for BakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rate { rate } => {
                write!(f, "expected a positive frame rate such as 30, found {rate}")
            }
            Self::Limit { frames, bytes, left } => write!(
                f,
                "{frames} frames need {bytes} bytes, the limit leaves {left}; use a lower frame \
                 rate or {RAISE_DECODED}"
            ),
            Self::NotEuler { kind } => {
                write!(f, "expected angles of kind float3 or double3, found {kind}")
            }
            Self::NotRotation { kind } => {
                write!(f, "expected rotations of kind floatQ or doubleQ, found {kind}")
            }
            Self::Bound { bound } => {
                write!(f, "expected a positive bound of the error such as 0.0001, found {bound}")
            }
            Self::Memory(error) => ReadErrorKind::from(*error).fmt(f),
            Self::NotNumbers { kind } => {
                write!(f, "expected values of kind float or double, found {kind}")
            }
            Self::Held { kind } => {
                write!(f, "values of kind {kind} hold, so they are baked on frames only")
            }
            Self::Times => f.write_str("expected finite times in order"),
            Self::Keys { keys, bound, left } => write!(
                f,
                "at least {keys} keys are needed for an error of at most {bound:.3e}, the limit \
                 leaves {left} bytes; use a larger bound or {RAISE_DECODED}"
            ),
        }
    }
}

impl core::error::Error for BakeError {}
