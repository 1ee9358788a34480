//! Numbers with names.

use core::fmt;
use core::marker::PhantomData;

use serde::de::{Error, SeqAccess, Unexpected, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Skip;

/// The names of the values of a field.
pub trait Names {
    /// The largest value of the field.
    const LARGEST: u32;

    /// Values from here on have no names.
    const NAMED: u32;

    /// Returns the name of a number, if it has one.
    fn name(number: u32) -> Option<&'static str>;
}

/// Writes the expected values: `"absolute", "additive" or a number up to 255`.
fn write_names<N: Names>(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut before = "";
    for name in (0..N::NAMED).filter_map(N::name) {
        write!(f, "{before}\"{name}\"")?;
        before = ", ";
    }
    write!(f, " or a number up to {}", N::LARGEST)
}

/// A number printed as its name, or as the number if it has no name.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::{Named, Names};
///
/// struct Colors;
///
/// impl Names for Colors {
///     const LARGEST: u32 = 255;
///     const NAMED: u32 = 2;
///
///     fn name(number: u32) -> Option<&'static str> {
///         ["red", "blue"].get(usize::try_from(number).ok()?).copied()
///     }
/// }
///
/// let text = serde_json::to_string(&[1, 7].map(Named::<Colors>::new))?;
/// assert_eq!(text, r#"["blue",7]"#);
/// let numbers: [Named<Colors>; 2] = serde_json::from_str(&text)?;
/// assert_eq!(numbers.map(Named::number), [1, 7]);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Named<N> {
    number: u32,
    names: PhantomData<N>,
}

impl<N> Named<N> {
    /// Creates the text form of a number.
    pub const fn new(number: u32) -> Self {
        Self { number, names: PhantomData }
    }

    /// Returns the number.
    pub const fn number(self) -> u32 {
        self.number
    }

    /// Returns the number, which fits into a byte.
    pub fn byte(self) -> u8 {
        u8::try_from(self.number).unwrap_or(u8::MAX)
    }
}

impl<N> Clone for Named<N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<N> Copy for Named<N> {}

impl<N: Names> fmt::Debug for Named<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.number, N::name(self.number))
    }
}

impl<N: Names> Serialize for Named<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match N::name(self.number) {
            Some(name) => serializer.serialize_str(name),
            None => serializer.serialize_u32(self.number),
        }
    }
}

impl<'de, N: Names> Deserialize<'de> for Named<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamedVisitor<N>(PhantomData<N>);

        impl<N: Names> Visitor<'_> for NamedVisitor<N> {
            type Value = u32;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_names::<N>(f)
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<u32, E> {
                let known = (0..N::NAMED).find(|number| N::name(*number) == Some(name));
                known.ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<u32, E> {
                let small = u32::try_from(number).ok().filter(|number| *number <= N::LARGEST);
                small.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }
        }

        deserializer.deserialize_any(NamedVisitor::<N>(PhantomData)).map(Self::new)
    }
}

/// A byte of flags as a list of the set ones, lowest first: each as its name, or as its value if it
/// has no name. The names are those of bits 0 to 7.
#[derive(Clone, Copy, Debug)]
pub struct Bits<N> {
    /// The byte.
    pub byte: u8,
    names: PhantomData<N>,
}

impl<N> Bits<N> {
    /// Creates the text form of a byte.
    pub const fn new(byte: u8) -> Self {
        Self { byte, names: PhantomData }
    }
}

impl<N> Default for Bits<N> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<N> Skip for Bits<N> {
    fn skips(&self) -> bool {
        self.byte == 0
    }
}

impl<N: Names> Serialize for Bits<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for bit in (0..8_u32).filter(|bit| self.byte >> bit & 1 != 0) {
            match N::name(bit) {
                Some(name) => list.serialize_element(name)?,
                None => list.serialize_element(&(1_u32 << bit))?,
            }
        }
        list.end()
    }
}

/// One flag: its value.
struct Flag<N>(u8, PhantomData<N>);

impl<'de, N: Names> Deserialize<'de> for Flag<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FlagVisitor<N>(PhantomData<N>);

        impl<N: Names> Visitor<'_> for FlagVisitor<N> {
            type Value = u8;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for name in (0..8).filter_map(N::name) {
                    write!(f, "\"{name}\", ")?;
                }
                f.write_str("or a power of two up to 128")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<u8, E> {
                let known = (0..8_u32).find(|bit| N::name(*bit) == Some(name));
                let known = known.map(|bit| 1_u8 << bit);
                known.ok_or_else(|| E::invalid_value(Unexpected::Str(name), &self))
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<u8, E> {
                let flag = u8::try_from(number).ok().filter(|number| number.is_power_of_two());
                flag.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
            }
        }

        let flag = deserializer.deserialize_any(FlagVisitor::<N>(PhantomData))?;
        Ok(Self(flag, PhantomData))
    }
}

impl<'de, N: Names> Deserialize<'de> for Bits<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct BitsVisitor<N>(PhantomData<N>);

        impl<'de, N: Names> Visitor<'de> for BitsVisitor<N> {
            type Value = u8;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of flags")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<u8, A::Error> {
                let mut byte = 0;
                while let Some(Flag(flag, _)) = seq.next_element::<Flag<N>>()? {
                    if byte & flag != 0 {
                        return Err(A::Error::custom("expected each flag once, found one twice"));
                    }
                    byte |= flag;
                }
                Ok(byte)
            }
        }

        deserializer.deserialize_seq(BitsVisitor::<N>(PhantomData)).map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Flags;

    impl Names for Flags {
        const LARGEST: u32 = 255;
        const NAMED: u32 = 2;

        fn name(bit: u32) -> Option<&'static str> {
            ["looped", "paused"].get(usize::try_from(bit).ok()?).copied()
        }
    }

    #[test]
    fn flags_are_names_and_powers_of_two() {
        let text = serde_json::to_string(&Bits::<Flags>::new(0x85)).unwrap();
        assert_eq!(text, "[\"looped\",4,128]");
        let byte =
            |text: &str| serde_json::from_str::<Bits<Flags>>(text).ok().map(|bits| bits.byte);
        assert_eq!(byte(&text), Some(0x85));
        assert_eq!(byte("[2]"), Some(2));
        for text in ["[\"looped\", 1]", "[3]", "[0]", "[256]", "[\"loop\"]", "5", "[-1]"] {
            assert_eq!(byte(text), None, "{text}");
        }
    }

    #[test]
    fn a_wrong_name_is_reported_with_the_valid_ones() {
        let error = serde_json::from_str::<Named<Flags>>("\"x\"").unwrap_err().to_string();
        let expected = "expected \"looped\", \"paused\" or a number up to 255";
        assert!(error.contains(expected), "{error}");
        assert!(serde_json::from_str::<Named<Flags>>("256").is_err());
    }
}
