//! The known formats.

use std::path::Path;

use inbetween_core::{
    Confidence, Document, Format, Hint, Limits, OptionError, Outcome, WriteError,
};

use crate::convert::{Conversion, convert_as};
use crate::error::{DetectError, Error, SetOptionError};
use crate::file_kind::FileKind;
use crate::files::{beside, load};

/// Formats in the order of their registration, and the limits for reading files.
///
/// If two formats recognize a file with the same confidence, or share an id or an extension, the
/// later one wins. A custom format can therefore replace a built-in one.
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
#[derive(Debug)]
pub struct Registry {
    formats: Vec<Box<dyn Format>>,
    limits: Limits,
}

/// The detected format of a file.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Detection<'r> {
    /// The format.
    pub format: &'r dyn Format,
    /// The confidence of its probe; less than [`Confidence::Likely`] if the extension of the file
    /// name decided.
    pub confidence: Confidence,
}

/// The formats that are built in, as in [`Registry::with_builtin`].
impl Default for Registry {
    fn default() -> Self {
        Self::with_builtin()
    }
}

impl Registry {
    /// Creates a registry without formats.
    pub fn empty() -> Self {
        Self { formats: Vec::new(), limits: Limits::default() }
    }

    /// Creates a registry of the formats enabled by the features of this crate.
    pub fn with_builtin() -> Self {
        let formats: Vec<Box<dyn Format>> = vec![
            // begin generated: format values
            #[cfg(feature = "animj")]
            Box::new(inbetween_animj::Animj::default()),
            #[cfg(feature = "animx")]
            Box::new(inbetween_animx::Animx::default()),
            #[cfg(feature = "cast")]
            Box::new(inbetween_cast::Cast::default()),
            #[cfg(feature = "gltf")]
            Box::new(inbetween_gltf::Gltf::default()),
            #[cfg(feature = "seanim")]
            Box::new(inbetween_seanim::Seanim::default()),
            #[cfg(feature = "x4-ani")]
            Box::new(inbetween_x4_ani::X4ani::default()),
            // end generated: format values
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
    /// If no format has the option, or one of them rejects the value.
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

    /// Returns the limits for reading files.
    pub const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the formats in the order of their registration.
    pub fn formats(&self) -> impl DoubleEndedIterator<Item = &dyn Format> + ExactSizeIterator {
        self.formats.iter().map(AsRef::as_ref)
    }

    /// Returns the format with this id, case-insensitively.
    pub fn by_id(&self, id: &str) -> Option<&dyn Format> {
        self.formats().rev().find(|format| format.info().id.eq_ignore_ascii_case(id))
    }

    /// Returns the format with this file name extension, case-insensitively.
    pub fn by_extension(&self, extension: &str) -> Option<&dyn Format> {
        let hint = Hint { extension: Some(extension) };
        self.formats().rev().find(|format| hint.names(format.info()))
    }

    /// Detects the format of a whole file.
    ///
    /// The probe with the highest confidence of at least [`Confidence::Likely`] decides. If there
    /// is none, the format with the file's extension is chosen, and its reader reports the error,
    /// unless the file clearly has another format.
    ///
    /// # Errors
    ///
    /// If no format matches; the error describes the file instead.
    pub fn detect(&self, bytes: &[u8], hint: &Hint<'_>) -> Result<Detection<'_>, DetectError> {
        #[cfg(feature = "text")]
        if self.by_text(bytes).is_some() {
            return Err(self.not_known("the text form of a binary file: pack it first"));
        }
        let probed = self
            .formats()
            .map(|format| Detection { format, confidence: format.probe(bytes, hint) })
            .filter(|detection| detection.confidence >= Confidence::Likely)
            // `max_by_key` returns the last of several maxima.
            .max_by_key(|detection| detection.confidence);
        if let Some(detection) = probed {
            return Ok(detection);
        }
        let looks = FileKind::of(bytes);
        let named = hint.extension.and_then(|extension| self.by_extension(extension));
        if let (FileKind::Unclear(_), Some(format)) = (looks, named) {
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
    /// If no format matches, or the bytes are not a valid file of their format.
    pub fn read(&self, bytes: &[u8], hint: &Hint<'_>) -> Result<Outcome<Document>, Error> {
        Ok(self.detect(bytes, hint)?.format.read(bytes, &self.limits)?)
    }

    /// Reads a file from a path.
    ///
    /// # Errors
    ///
    /// If it cannot be opened, or for the reasons of [`read`](Self::read).
    pub fn read_path(&self, path: impl AsRef<Path>) -> Result<Outcome<Document>, Error> {
        let path = path.as_ref();
        let bytes = load(path, &self.limits)?;
        let format = self.detect(&bytes, &hint_of(path))?.format;
        let located = beside(format, path);
        Ok(located.as_deref().unwrap_or(format).read(&bytes, &self.limits)?)
    }

    /// Writes a document in a format.
    ///
    /// # Errors
    ///
    /// If the format cannot represent a value that it requires.
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
    /// If no format matches, the bytes are not a valid file of their format, or the target cannot
    /// represent a value that it requires.
    pub fn convert(
        &self,
        bytes: &[u8],
        hint: &Hint<'_>,
        to: &dyn Format,
    ) -> Result<Conversion, Error> {
        convert_as(self.detect(bytes, hint)?.format, bytes, to, &self.limits)
    }
}

/// Returns the hint about the format in a file name.
///
/// # Examples
///
/// ```
/// let hint = inbetween::files::hint_of("walks/hero.seanim".as_ref());
/// assert_eq!(hint.extension, Some("seanim"));
/// ```
pub fn hint_of(path: &Path) -> Hint<'_> {
    Hint { extension: path.extension().and_then(|extension| extension.to_str()) }
}
