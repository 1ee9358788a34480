//! Floats that keep every bit.

use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::Skip;

/// A float as a JSON number with the fewest digits that give it back. Non-finite values are
/// strings: `"Infinity"`, `"-Infinity"`, `"NaN(0x7fc00001)"` with its bits.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::Float;
///
/// let floats = [Float(0.1_f32), Float(-0.0), Float(f32::from_bits(0x7fc0_0001))];
/// let text = serde_json::to_string(&floats)?;
/// assert_eq!(text, r#"[0.1,-0.0,"NaN(0x7fc00001)"]"#);
/// let again: [Float<f32>; 3] = serde_json::from_str(&text)?;
/// assert_eq!(again.map(|float| float.0.to_bits()), floats.map(|float| float.0.to_bits()));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Float<T>(pub T);

/// A float that text forms support.
///
/// Implemented only for `f32` and `f64`.
pub trait Number: sealed::Number {}

impl Number for f32 {}
impl Number for f64 {}

mod sealed {
    use core::fmt::Debug;
    use core::str::FromStr;

    use serde::Serializer;

    /// The operations for printing and parsing a float.
    pub trait Number: Copy + Debug + Default + FromStr {
        const INFINITY: Self;
        const NEGATIVE_INFINITY: Self;
        /// The NaN that programs usually produce; Rust does not guarantee the sign of its constant.
        const NAN: Self;
        /// The expected value, for messages.
        const EXPECTED: &'static str;

        fn is_finite(self) -> bool;
        fn is_nan(self) -> bool;
        fn is_unset(self) -> bool;
        fn from_hex(bits: &str) -> Option<Self>;
        fn print<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error>;
    }
}

macro_rules! define_number {
    ($float:ident, $bits:ident, $nan:literal, $width:literal, $print:ident, $expected:literal) => {
        impl sealed::Number for $float {
            const INFINITY: Self = $float::INFINITY;
            const NEGATIVE_INFINITY: Self = $float::NEG_INFINITY;
            const NAN: Self = $float::from_bits($nan);
            const EXPECTED: &'static str = $expected;

            fn is_finite(self) -> bool {
                $float::is_finite(self)
            }

            fn is_nan(self) -> bool {
                $float::is_nan(self)
            }

            fn is_unset(self) -> bool {
                self.to_bits() == 0
            }

            fn from_hex(bits: &str) -> Option<Self> {
                let digits = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_hexdigit());
                let bits = digits.then(|| $bits::from_str_radix(bits, 16).ok()).flatten();
                bits.map($float::from_bits)
            }

            fn print<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
                if $float::is_finite(self) {
                    serializer.$print(self)
                } else if self == $float::INFINITY {
                    serializer.serialize_str(INFINITY)
                } else if self == $float::NEG_INFINITY {
                    serializer.serialize_str(NEGATIVE_INFINITY)
                } else {
                    let width = $width;
                    serializer.collect_str(&format_args!("NaN({:#0width$x})", self.to_bits()))
                }
            }
        }
    };
}
define_number!(
    f32,
    u32,
    0x7fc0_0000,
    10,
    serialize_f32,
    "a number of 32 bits, \"Infinity\", \"-Infinity\" or \"NaN(0x7fc00000)\""
);
define_number!(
    f64,
    u64,
    0x7ff8_0000_0000_0000,
    18,
    serialize_f64,
    "a number of 64 bits, \"Infinity\", \"-Infinity\" or \"NaN(0x7ff8000000000000)\""
);

const INFINITY: &str = "Infinity";
const NEGATIVE_INFINITY: &str = "-Infinity";

impl<T: Number> Serialize for Float<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.print(serializer)
    }
}

impl<'de, T: Number> Deserialize<'de> for Float<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Parsed from the digits: going through `f64` would round some `f32` twice.
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        of_json(raw).map(Self).ok_or_else(|| {
            let found = match raw.as_bytes().first() {
                Some(b'[') => Unexpected::Seq,
                Some(b'{') => Unexpected::Map,
                _ => Unexpected::Other(raw),
            };
            D::Error::invalid_value(found, &T::EXPECTED)
        })
    }
}

/// Returns the float of a JSON value, if it represents one.
fn of_json<T: Number>(raw: &str) -> Option<T> {
    if let Some(string) = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return of_string(string);
    }
    // In JSON, only numbers start with these characters.
    let number = raw.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    let value = number.then(|| raw.parse::<T>().ok()).flatten();
    value.filter(|value| value.is_finite())
}

fn of_string<T: Number>(string: &str) -> Option<T> {
    match string {
        INFINITY => return Some(T::INFINITY),
        NEGATIVE_INFINITY => return Some(T::NEGATIVE_INFINITY),
        "NaN" => return Some(T::NAN),
        _ => {}
    }
    let bits = string.strip_prefix("NaN(0x")?.strip_suffix(')')?;
    T::from_hex(bits).filter(|value| value.is_nan())
}

impl<T: Number> Skip for Float<T> {
    fn skips(&self) -> bool {
        self.0.is_unset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn single(text: &str) -> Result<u32, String> {
        let float = serde_json::from_str::<Float<f32>>(text);
        float.map(|float| float.0.to_bits()).map_err(|error| error.to_string())
    }

    #[test]
    fn numbers_are_rounded_once() {
        // Parsed as f64 first, this one comes out one bit too large.
        assert_eq!(single("7.038531e-26"), Ok(0x15ae_43fd));
        assert_eq!(single("-0"), Ok(0x8000_0000));
        assert_eq!(single("16777217"), Ok(0x4b80_0000));
        assert_eq!(single("1e-46"), Ok(0));
    }

    #[test]
    fn non_finite_values_keep_their_bits() {
        for (bits, text) in [
            (0x7fc0_0000, "\"NaN(0x7fc00000)\""),
            (0xff80_0001, "\"NaN(0xff800001)\""),
            (0x7f80_0000, "\"Infinity\""),
            (0xff80_0000, "\"-Infinity\""),
        ] {
            let printed = serde_json::to_string(&Float(f32::from_bits(bits))).unwrap();
            assert_eq!((printed.as_str(), single(text)), (text, Ok(bits)));
        }
        let double = Float(f64::from_bits(0x7ff0_0000_0000_0001));
        assert_eq!(serde_json::to_string(&double).unwrap(), "\"NaN(0x7ff0000000000001)\"");
        assert_eq!(single("\"NaN\""), Ok(0x7fc0_0000));
    }

    #[test]
    fn anything_else_is_rejected() {
        for text in [
            "\"1\"",
            "1e39",
            "true",
            "null",
            "[1]",
            "\"NaN(0x3f800000)\"",
            "\"NaN(0x)\"",
            "\"NaN(0x+fc00000)\"",
            "\"NaN(0x7ff8000000000000)\"",
            "\"infinity\"",
        ] {
            assert!(single(text).unwrap_err().contains(", expected a number of 32 bits"), "{text}");
        }
    }

    #[test]
    fn every_float_of_a_sample_survives_a_round_trip() {
        for bits in (0..=u32::MAX).step_by(104_729) {
            let text = serde_json::to_string(&Float(f32::from_bits(bits))).unwrap();
            assert_eq!(single(&text), Ok(bits), "{text}");
        }
    }
}
