//! Names: fields of 64 bytes in the file, text everywhere else.

use core::fmt;

use inbetween_core::{Text, WriteError, shown};

use crate::layout::ID;

/// A name field of a record: 64 bytes; the name ends at the first NUL.
///
/// The bytes after the NUL are often left over from a longer name, and are kept.
///
/// # Examples
///
/// ```
/// use inbetween_x4_ani::X4aniName;
///
/// let name = X4aniName::new("cockpit_opening")?;
/// assert_eq!(name.bytes(), b"cockpit_opening");
/// assert!(name.matches("Cockpit_Opening"));
/// assert!(X4aniName::new(&"x".repeat(64)).is_err());
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct X4aniName(pub [u8; Self::SIZE]);

impl X4aniName {
    /// The size of the field in bytes.
    pub const SIZE: usize = 64;

    /// The length of the longest name, since a NUL must follow it.
    pub const LONGEST: usize = Self::SIZE.saturating_sub(1);

    /// Creates the field of a name, padded with zeros.
    ///
    /// # Errors
    ///
    /// If the name is longer than 63 bytes or contains a NUL.
    pub fn new(name: &str) -> Result<Self, WriteError> {
        let what = || format!("the name \"{}\"", shown(name));
        let refused = |what: String, limit: String| {
            Err(WriteError::not_representable(what, limit).in_format(ID))
        };
        if name.contains('\0') {
            return refused(what(), "names cannot contain NUL bytes".into());
        }
        if name.len() > Self::LONGEST {
            let what = format!("{} of {} bytes", what(), name.len());
            let limit = format!("at most {} bytes are allowed; shorten it", Self::LONGEST);
            return refused(what, limit);
        }
        let mut field = [0; Self::SIZE];
        for (to, from) in field.iter_mut().zip(name.bytes()) {
            *to = from;
        }
        Ok(Self(field))
    }

    /// Returns the name: the bytes before the first NUL, or all 64 if there is none.
    pub fn bytes(&self) -> &[u8] {
        self.0.split(|&byte| byte == 0).next().unwrap_or_default()
    }

    /// Returns the bytes after the first NUL; empty if there is none.
    pub fn tail(&self) -> &[u8] {
        self.0.get(self.bytes().len().saturating_add(1)..).unwrap_or_default()
    }

    /// Returns whether any byte after the first NUL is not 0.
    pub fn has_garbage(&self) -> bool {
        self.tail().iter().any(|&byte| byte != 0)
    }

    /// Returns whether a NUL ends the name, as X4 expects.
    pub fn is_terminated(&self) -> bool {
        self.0.contains(&0)
    }

    /// Returns whether two names are equal as X4 compares them: case-insensitive in ASCII.
    pub fn matches(&self, name: &str) -> bool {
        self.bytes().eq_ignore_ascii_case(name.as_bytes())
    }

    /// Returns whether the field holds exactly this text, and zeros after it.
    pub(crate) fn is_plain(&self, text: &str) -> bool {
        let (name, padding) = self.0.split_at(text.len().min(Self::SIZE));
        name == text.as_bytes() && padding.iter().all(|&byte| byte == 0)
    }

    /// Returns the name in lowercase, as names are compared.
    pub(crate) fn folded(&self) -> Vec<u8> {
        self.bytes().to_ascii_lowercase()
    }

    /// Returns the name as text, and whether it is valid UTF-8; otherwise it is read as Latin-1.
    pub(crate) fn text(&self) -> (Text, bool) {
        if let Ok(name) = core::str::from_utf8(self.bytes()) {
            return (name.into(), true);
        }
        let latin: String = self.bytes().iter().copied().map(char::from).collect();
        (latin.into(), false)
    }
}

impl Default for X4aniName {
    /// The empty name.
    fn default() -> Self {
        Self([0; Self::SIZE])
    }
}

impl fmt::Debug for X4aniName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", self.bytes().escape_ascii())?;
        if self.has_garbage() {
            write!(f, " (then \"{}\")", self.tail().trim_ascii_end().escape_ascii())?;
        }
        Ok(())
    }
}

/// Prints the name in quotes, for messages.
impl fmt::Display for X4aniName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", shown(&self.text().0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_ends_at_the_first_nul_and_keeps_the_bytes_after_it() {
        let mut name = X4aniName::new("opening").unwrap();
        assert!(!name.has_garbage());
        name.0[9] = b'x';
        assert_eq!((name.bytes(), name.tail()[1]), (&b"opening"[..], b'x'));
        assert!(name.has_garbage());
    }

    #[test]
    fn a_full_field_has_a_name_of_64_bytes_and_no_tail() {
        let name = X4aniName([b'a'; 64]);
        assert_eq!((name.bytes().len(), name.tail().len()), (64, 0));
        assert!(!name.is_terminated());
    }

    #[test]
    fn names_that_are_too_long_report_the_limit() {
        let error = X4aniName::new(&"n".repeat(64)).unwrap_err().to_string();
        assert!(
            error.ends_with(
                "of 64 bytes cannot be written: at most 63 bytes are allowed; shorten it"
            )
        );
        assert!(X4aniName::new("a\0b").is_err());
        assert!(X4aniName::new(&"n".repeat(63)).is_ok());
    }

    #[test]
    fn invalid_utf8_is_read_as_latin1() {
        let mut name = X4aniName::default();
        name.0[0] = 0xe9;
        assert_eq!(name.text(), ("\u{e9}".into(), false));
    }
}
