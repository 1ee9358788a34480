//! Omitted members.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Values that a text omits if they are empty: zeros bit for bit, and empty lists.
///
/// For `#[serde(default, skip_serializing_if = "Skip::skips")]`: an omitted member has the default
/// of its type.
pub trait Skip {
    /// Returns whether the member is omitted.
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

/// Returns whether a member is omitted because it equals the type's default.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// A list that is printed item by item from a function, without being held in memory.
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

/// Parses an optional member for which `null` differs from omission.
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
