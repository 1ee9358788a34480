//! The formats that are known, and what can be done by them.

use std::path::Path;

use inbetween_core::{
    Confidence, Document, Format, Hint, Limits, OptionError, Outcome, WriteError,
};

use crate::convert::{Conversion, convert_as};
use crate::looks::Looks;
use crate::{DetectError, Error, SetOptionError, load};

/// Formats in the order of their registration, and the limits that files are read with.
///
/// Where two formats claim a file with the same confidence, or share an id or an
/// extension, the later one wins; so a format of your own can stand in for a built-in one.
///
/// # Examples
///
/// ```
/// use inbetween::{Hint, Registry};
///
/// let registry = Registry::with_builtin();
/// let error = registry.detect(b"\x89PNG\r\n\x1a\n", &Hint::default()).unwrap_err();
/// assert_eq!(error.looks_like(), "a PNG image");
/// ```
#[derive(Debug, Default)]
pub struct Registry {
    formats: Vec<Box<dyn Format>>,
    limits: Limits,
}

/// A format that claims a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Detection<'r> {
    /// The format.
    pub format: &'r dyn Format,
    /// How sure its probe is; less than [`Confidence::Likely`] where the extension of the
    /// file name decided.
    pub confidence: Confidence,
}

impl Registry {
    /// Makes a registry without formats.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Makes a registry of the formats that the features of this crate switch on.
    pub fn with_builtin() -> Self {
        let formats: Vec<Box<dyn Format>> = vec![
            #[cfg(feature = "animj")]
            Box::new(inbetween_animj::Animj::default()),
            #[cfg(feature = "animx")]
            Box::new(inbetween_animx::Animx::default()),
            #[cfg(feature = "seanim")]
            Box::new(inbetween_seanim::Seanim::default()),
            #[cfg(feature = "x4-ani")]
            Box::new(inbetween_x4_ani::X4ani::default()),
        ];
        Self { formats, limits: Limits::default() }
    }

    /// Returns the registry with one more format.
    #[must_use]
    pub fn push(mut self, format: Box<dyn Format>) -> Self {
        self.formats.push(format);
        self
    }

    /// Returns the registry with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the registry with an option set in every format that has it.
    ///
    /// # Errors
    ///
    /// When no format has the option, or one of them does not take the value.
    pub fn with_option(mut self, name: &str, value: &str) -> Result<Self, SetOptionError> {
        let failed = |format, source| SetOptionError {
            format,
            option: name.to_owned(),
            value: value.to_owned(),
            source,
        };
        let mut known = false;
        for format in &mut self.formats {
            let info = format.info();
            if info.options.iter().any(|option| option.name == name) {
                known = true;
                *format = format
                    .with_option(name, value)
                    .map_err(|error| failed(Some(info.id), error))?;
            }
        }
        if known { Ok(self) } else { Err(failed(None, OptionError::Unknown)) }
    }

    /// Returns the limits that files are read with.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the formats in the order of their registration.
    pub fn formats(&self) -> impl DoubleEndedIterator<Item = &dyn Format> + ExactSizeIterator {
        self.formats.iter().map(AsRef::as_ref)
    }

    /// Returns the format with this id, in any case.
    pub fn by_id(&self, id: &str) -> Option<&dyn Format> {
        self.formats().rev().find(|format| format.info().id.eq_ignore_ascii_case(id))
    }

    /// Returns the format that this file name extension belongs to, in any case.
    pub fn by_extension(&self, extension: &str) -> Option<&dyn Format> {
        let hint = Hint { extension: Some(extension) };
        self.formats().rev().find(|format| hint.names(format.info()))
    }

    /// Finds the format of a whole file.
    ///
    /// The surest probe that is at least [`Confidence::Likely`] decides. Where there is none, a
    /// file goes to the format of its extension, whose reader then says what is wrong with it,
    /// unless it looks like something else altogether.
    ///
    /// # Errors
    ///
    /// When no format fits; the error says what the file looks like instead.
    pub fn detect(&self, bytes: &[u8], hint: &Hint<'_>) -> Result<Detection<'_>, DetectError> {
        #[cfg(feature = "text")]
        if self.by_text(bytes).is_some() {
            return Err(self.not_known("the text form of a binary file: pack it first"));
        }
        let probed = self
            .formats()
            .map(|format| Detection { format, confidence: format.probe(bytes, hint) })
            .filter(|detection| detection.confidence >= Confidence::Likely)
            // The last one of several equals.
            .max_by_key(|detection| detection.confidence);
        if let Some(detection) = probed {
            return Ok(detection);
        }
        let looks = Looks::of(bytes);
        let named = hint.extension.and_then(|extension| self.by_extension(extension));
        if let (Looks::Unclear(_), Some(format)) = (looks, named) {
            return Ok(Detection { format, confidence: format.probe(bytes, hint) });
        }
        Err(self.not_known(looks.what()))
    }

    fn not_known(&self, looks_like: &'static str) -> DetectError {
        let known = self.formats().map(|format| format.info().name).collect();
        DetectError::new(looks_like, known)
    }

    /// Reads a file of any known format.
    ///
    /// # Errors
    ///
    /// When no format fits, or the bytes are not a sound file of their format.
    pub fn read(&self, bytes: &[u8], hint: &Hint<'_>) -> Result<Outcome<Document>, Error> {
        Ok(self.detect(bytes, hint)?.format.read(bytes, &self.limits)?)
    }

    /// Reads the file at a path.
    ///
    /// # Errors
    ///
    /// When it cannot be opened, or as [`read`](Self::read).
    pub fn read_path(&self, path: impl AsRef<Path>) -> Result<Outcome<Document>, Error> {
        let path = path.as_ref();
        let bytes = load(path, &self.limits)?;
        self.read(&bytes, &hint_of(path))
    }

    /// Writes a document in a format.
    ///
    /// # Errors
    ///
    /// When the format has no bytes for something that cannot be left out.
    pub fn write(
        &self,
        document: Document,
        to: &dyn Format,
    ) -> Result<Outcome<Vec<u8>>, WriteError> {
        to.write(document, &self.limits)
    }

    /// Converts a file of any known format.
    ///
    /// # Errors
    ///
    /// When no format fits, the bytes are not a sound file of their format, or the target
    /// has no bytes for something that cannot be left out.
    pub fn convert(
        &self,
        bytes: &[u8],
        hint: &Hint<'_>,
        to: &dyn Format,
    ) -> Result<Conversion, Error> {
        convert_as(self.detect(bytes, hint)?.format, bytes, to, &self.limits)
    }
}

/// Returns what the name of a file says about its format.
///
/// # Examples
///
/// ```
/// let hint = inbetween::hint_of("walks/hero.seanim".as_ref());
/// assert_eq!(hint.extension, Some("seanim"));
/// ```
pub fn hint_of(path: &Path) -> Hint<'_> {
    Hint { extension: path.extension().and_then(|extension| extension.to_str()) }
}
