//! The known formats.

use std::io::Read;
use std::path::Path;

use inbetween_core::{
    Code, Confidence, Document, Format, Hint, Limits, OptionError, Outcome, ReadErrorKind, Remedy,
    WriteError, num,
};

use crate::convert::{Conversion, convert_as};
use crate::error::{DetectError, Error, SetOptionError};
use crate::file_kind::FileKind;
use crate::files::beside;
use crate::load::{Expected, load_judged, load_stream};

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
            #[cfg(feature = "bvh")]
            Box::new(inbetween_bvh::Bvh::default()),
            #[cfg(feature = "cast")]
            Box::new(inbetween_cast::Cast::default()),
            #[cfg(feature = "gltf")]
            Box::new(inbetween_gltf::Gltf::default()),
            #[cfg(feature = "seanim")]
            Box::new(inbetween_seanim::Seanim::default()),
            #[cfg(feature = "unity-anim")]
            Box::new(inbetween_unity_anim::UnityAnim::default()),
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

    /// Returns the format with this id, otherwise that with this file name extension,
    /// case-insensitively.
    pub fn by_name(&self, name: &str) -> Option<&dyn Format> {
        self.by_id(name).or_else(|| self.by_extension(name))
    }

    /// Returns every code of findings once: those of the model, of conversions, of edits and of all
    /// formats.
    pub fn codes(&self) -> Vec<Code> {
        let shared = inbetween_core::codes::ALL.iter().chain(inbetween_edit::codes::ALL);
        let mut codes: Vec<Code> = Vec::new();
        for code in shared.chain(self.formats().flat_map(|format| format.info().codes)) {
            if !codes.contains(code) {
                codes.push(*code);
            }
        }
        codes
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

    /// Checks whether an input can begin with `head`. Returns the offset where its data ends, if every
    /// format whose files begin like this shows it.
    fn check_start(
        &self,
        head: &[u8],
        hint: &Hint<'_>,
        expected: Expected<'_>,
    ) -> Result<Option<u64>, Error> {
        let judge = |format: &dyn Format| match format.check_start(head) {
            Err(error) if matches!(error.kind(), ReadErrorKind::UnexpectedEnd { .. }) => Ok(None),
            judged => judged,
        };
        match expected {
            Expected::Format(format) => return Ok(judge(format)?),
            #[cfg(feature = "text")]
            Expected::TextForm => return self.format_of_text(head).map(|_| None),
            Expected::AnyFormat => {}
        }
        let possible: Vec<Option<u64>> = self.formats().filter_map(|it| judge(it).ok()).collect();
        if possible.is_empty() {
            return Ok(judge(self.detect(head, hint)?.format)?);
        }
        let ends: Option<Vec<u64>> = possible.into_iter().collect();
        Ok(ends.and_then(|ends| ends.into_iter().max()))
    }

    /// Reads a file into memory. If its first 64 KiB show that it is not what is expected, the rest
    /// is not read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is longer than [`Limits::input_bytes`], or begins like no expected
    /// file.
    pub fn load(&self, path: impl AsRef<Path>, expected: Expected<'_>) -> Result<Vec<u8>, Error> {
        let path = path.as_ref();
        let judge = |head: &[u8]| self.check_start(head, &hint_of(path), expected);
        load_judged(path, &self.limits, judge).map_err(with_remedy)
    }

    /// Reads a stream like [`load`](Self::load). `name` is used in messages in place of a path.
    ///
    /// # Errors
    ///
    /// Fails like [`load`](Self::load).
    pub fn load_from(
        &self,
        reader: impl Read,
        name: impl AsRef<Path>,
        expected: Expected<'_>,
    ) -> Result<Vec<u8>, Error> {
        let judge = |head: &[u8]| self.check_start(head, &Hint::default(), expected);
        load_stream(reader, name.as_ref(), &self.limits, judge).map_err(with_remedy)
    }

    /// Fails like [`load`](Self::load) for bytes in memory that are more than
    /// [`Limits::input_bytes`].
    ///
    /// # Errors
    ///
    /// Fails like [`load`](Self::load).
    pub fn check_length(&self, bytes: &[u8], expected: Expected<'_>) -> Result<(), Error> {
        if num::u64_from_len(bytes.len()) > self.limits.input_bytes {
            self.load_from(bytes, "bytes", expected)?;
        }
        Ok(())
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
        let bytes = self.load(path, Expected::AnyFormat)?;
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

/// Adds the remedy to the error of an input that is too long.
fn with_remedy(error: Error) -> Error {
    match error {
        Error::Read(error) if matches!(error.kind(), ReadErrorKind::Limit { .. }) => {
            let error = error.with_hint("raise the limit on bytes of input");
            Error::Read(error.with_remedy(Remedy::RaiseInputLimit))
        }
        other => other,
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
