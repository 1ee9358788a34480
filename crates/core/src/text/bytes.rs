//! Bytes as text.

use core::fmt;
use std::borrow::Cow;

use serde::de::{Error, IgnoredAny, MapAccess, Unexpected, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Skip;

/// Bytes as a string of two hexadecimal digits each.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::Hex;
///
/// let text = serde_json::to_string(&Hex(vec![0, 0xfe].into()))?;
/// assert_eq!(text, r#""00fe""#);
/// assert_eq!(serde_json::from_str::<Hex>(&text)?.0, [0, 0xfe].as_slice());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hex<'a>(pub Cow<'a, [u8]>);

impl Skip for Hex<'_> {
    fn skips(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Hex<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Hex<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: [char; 16] =
            ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
        let digit = |half: u8| DIGITS.get(usize::from(half)).copied().unwrap_or('0');
        // Formatting bytes one by one is slower than formatting a block of them.
        let mut digits = String::with_capacity(256);
        for block in self.0.chunks(128) {
            digits.clear();
            digits.extend(block.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0x0f)]));
            f.write_str(&digits)?;
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Hex<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct HexVisitor;

        impl Visitor<'_> for HexVisitor {
            type Value = Vec<u8>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string of two hexadecimal digits for each byte")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
                let refused = || E::invalid_value(Unexpected::Str(text), &self);
                let (pairs, rest) = text.as_bytes().as_chunks::<2>();
                let byte = |[high, low]: &[u8; 2]| Some(value(*high)? << 4 | value(*low)?);
                let mut bytes = Vec::with_capacity(pairs.len());
                for pair in pairs {
                    bytes.push(byte(pair).ok_or_else(refused)?);
                }
                if rest.is_empty() { Ok(bytes) } else { Err(refused()) }
            }
        }

        deserializer.deserialize_str(HexVisitor).map(Cow::Owned).map(Self)
    }
}

/// Like [`Hex`], for a field of `N` bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexArray<const N: usize>(pub [u8; N]);

impl<const N: usize> Default for HexArray<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Skip for HexArray<N> {
    fn skips(&self) -> bool {
        self.0.iter().all(|&byte| byte == 0)
    }
}

impl<const N: usize> Serialize for HexArray<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Hex(Cow::Borrowed(&self.0)).serialize(serializer)
    }
}

impl<'de, const N: usize> Deserialize<'de> for HexArray<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = Hex::deserialize(deserializer)?.0;
        let array = <[u8; N]>::try_from(&*bytes);
        array.map(Self).map_err(|_| {
            D::Error::custom(format_args!("expected {N} bytes in hex, found {}", bytes.len()))
        })
    }
}

/// Returns the value of a hexadecimal digit.
fn value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// A name: a string if the bytes are valid UTF-8, otherwise an object with the member `hex`.
///
/// # Examples
///
/// ```
/// use inbetween_core::text::Name;
///
/// let names = [Name(b"tag_origin".into()), Name(b"\xe9t\xe9".into())];
/// let text = serde_json::to_string(&names)?;
/// assert_eq!(text, r#"["tag_origin",{"hex":"e974e9"}]"#);
/// assert_eq!(serde_json::from_str::<[Name; 2]>(&text)?, names);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Name<'a>(pub Cow<'a, [u8]>);

impl Serialize for Name<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Ok(text) = core::str::from_utf8(&self.0) {
            return serializer.serialize_str(text);
        }
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(HEX, &Hex(Cow::Borrowed(&self.0)))?;
        map.end()
    }
}

const HEX: &str = "hex";

impl<'de> Deserialize<'de> for Name<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameVisitor).map(Cow::Owned).map(Self)
    }
}

struct NameVisitor;

impl<'de> Visitor<'de> for NameVisitor {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string, or an object with the member hex")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<u8>, E> {
        Ok(text.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<u8>, A::Error> {
        let mut bytes = None;
        while let Some(key) = map.next_key::<Cow<'_, str>>()? {
            if key != HEX {
                map.next_value::<IgnoredAny>()?;
                return Err(A::Error::unknown_field(&key, &[HEX]));
            }
            if bytes.replace(map.next_value::<Hex<'_>>()?).is_some() {
                return Err(A::Error::duplicate_field(HEX));
            }
        }
        Ok(bytes.ok_or_else(|| A::Error::missing_field(HEX))?.0.into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_hex_digits_of_either_case_and_nothing_else() {
        let bytes = |text: &str| serde_json::from_str::<Hex<'_>>(text).ok().map(|hex| hex.0);
        assert_eq!(bytes("\"0aF0\""), Some(vec![0x0a, 0xf0].into()));
        assert_eq!(bytes("\"\""), Some(vec![].into()));
        for text in ["\"0\"", "\"0g\"", "\"+1\"", "\"é\"", "12", "null"] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }

    #[test]
    fn long_bytes_keep_their_order() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let text = serde_json::to_string(&Hex(bytes.as_slice().into())).unwrap();
        assert_eq!(text.len(), 2002);
        assert_eq!(serde_json::from_str::<Hex<'_>>(&text).unwrap().0, bytes);
    }

    #[test]
    fn a_name_object_has_one_member() {
        let error = |text: &str| serde_json::from_str::<Name<'_>>(text).unwrap_err().to_string();
        assert!(error("{}").starts_with("missing field `hex`"));
        assert!(error("{\"hax\": \"\"}").starts_with("unknown field `hax`, expected `hex`"));
        assert!(error("{\"hex\": \"\", \"hex\": \"\"}").starts_with("duplicate field `hex`"));
        assert!(error("3").contains("expected a string, or an object with the member hex"));
    }
}
