//! Members that are left out.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What is left out of a text when it holds nothing: zeros to the bit, empty lists.
///
/// For `#[serde(default, skip_serializing_if = "Skip::skips")]`: what is left out is the default
/// of its type.
pub trait Skip {
    /// Says whether the member is left out.
    fn skips(&self) -> bool;
}

macro_rules! skip_zero {
    ($($type:ty),*) => {$(
        impl Skip for $type {
            fn skips(&self) -> bool {
                *self == Self::default()
            }
        }
    )*};
}
skip_zero!(bool, u8, u16, u32, u64, i8, i16, i32, i64);

impl<T> Skip for Option<T> {
    fn skips(&self) -> bool {
        self.is_none()
    }
}

impl<T> Skip for Vec<T> {
    fn skips(&self) -> bool {
        self.is_empty()
    }
}

impl<T: Skip, const N: usize> Skip for [T; N] {
    fn skips(&self) -> bool {
        self.iter().all(Skip::skips)
    }
}

/// Says whether a member is left out because it is what its type begins with.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A list that is printed item by item, as a function makes them, and never held.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::Each;
///
/// assert_eq!(serde_json::to_string(&Each(|| (1..4).map(|number| number * 2)))?, "[2,4,6]");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Each<F>(pub F);

impl<F: Fn() -> I, I: Iterator<Item: Serialize>> Serialize for Each<F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

impl<F: Fn() -> I, I: Iterator> Skip for Each<F> {
    fn skips(&self) -> bool {
        (self.0)().next().is_none()
    }
}

/// Parses an optional member whose value `null` is not the same as leaving it out.
///
/// For `#[serde(default, deserialize_with = "present")]`.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::present;
///
/// #[derive(serde::Deserialize)]
/// struct Key {
///     #[serde(default, deserialize_with = "present")]
///     frame: Option<f64>,
/// }
///
/// let key: Key = serde_json::from_str("{}")?;
/// assert_eq!(key.frame, None);
/// assert!(serde_json::from_str::<Key>(r#"{"frame": null}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// If the value is not a `T`.
pub fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    value: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(value).map(Some)
}
