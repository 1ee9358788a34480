//! The interface of a format crate: one object-safe trait.

mod clip_reader;
mod companion;
mod context;
mod inspection;
pub mod stores;
mod text_form;
mod written;

use core::fmt;
use std::borrow::Cow;
use std::sync::Arc;

pub use clip_reader::{ClipReader, Skipped, WholeFile, each_clip};
pub use companion::{Companion, CompanionInfo};
pub use context::Context;
pub use inspection::{ClipSummary, Inspection, TrackSummary, inspect_fully};
pub use text_form::TextForm;
pub use written::{Extent, Written, read_only};

use self::stores::Stores;
use crate::{
    Budget, Code, Coordinates, Document, Finding, Limits, Neighbors, Outcome, ReadError, Rules,
    WriteError,
};

/// Static facts about a format.
///
/// A format crate defines it as a constant:
///
/// ```
/// use inbetween_core::{FileEncoding, FormatInfo};
///
/// static INFO: FormatInfo = FormatInfo::new("mine", "Mine", FileEncoding::Binary)
///     .with_extensions(&["mine"])
///     .with_summary("The animations of my engine");
/// assert_eq!(INFO.id, "mine");
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct FormatInfo {
    /// The id used in commands and findings: `seanim`.
    pub id: &'static str,
    /// The name as its users write it: `SEAnim`.
    pub name: &'static str,
    /// File name extensions without the dot, the most common one first.
    pub extensions: &'static [&'static str],
    /// Which program reads the format, and for what.
    pub summary: &'static str,
    /// What writing a file again preserves.
    pub promise: &'static str,
    /// Whether the files are text.
    pub encoding: FileEncoding,
    /// The number of clips in a file.
    pub clips: ClipCount,
    /// The rules by which the engine of the format plays its files. Readers set them on clips, and
    /// writers make keys for them.
    pub rules: Rules,
    /// What its files store.
    pub stores: Stores,
    /// What the axes and lengths of its files mean.
    pub coordinates: Coordinates,
    /// Every code that checks and conversions of the format use.
    pub codes: &'static [Code],
    /// The options that [`Format::with_option`] accepts.
    pub options: &'static [OptionInfo],
    /// The name of the option whose values are the extensions of the files that it writes.
    pub extension_option: Option<&'static str>,
    /// Every documented field, and how the common model represents it.
    pub fields: &'static [FieldInfo],
}

impl FormatInfo {
    /// Describes a format that stores one clip and everything in it, and plays by
    /// [`Rules::LINEAR`]; its coordinates are unknown, and all other facts are empty.
    pub const fn new(id: &'static str, name: &'static str, encoding: FileEncoding) -> Self {
        Self {
            id,
            name,
            extensions: &[],
            summary: "",
            promise: "",
            encoding,
            clips: ClipCount::One,
            rules: Rules::LINEAR,
            stores: Stores::ALL,
            coordinates: Coordinates::UNKNOWN,
            codes: &[],
            options: &[],
            extension_option: None,
            fields: &[],
        }
    }

    /// Returns the description with file name extensions.
    #[must_use]
    pub const fn with_extensions(mut self, extensions: &'static [&'static str]) -> Self {
        self.extensions = extensions;
        self
    }

    /// Returns the description with a summary.
    #[must_use]
    pub const fn with_summary(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Returns the description with the guarantee for rewritten files.
    #[must_use]
    pub const fn with_promise(mut self, promise: &'static str) -> Self {
        self.promise = promise;
        self
    }

    /// Returns the description with another number of clips.
    #[must_use]
    pub const fn with_clips(mut self, clips: ClipCount) -> Self {
        self.clips = clips;
        self
    }

    /// Returns the description with other rules.
    #[must_use]
    pub const fn with_rules(mut self, rules: Rules) -> Self {
        self.rules = rules;
        self
    }

    /// Returns the description with what the files store.
    #[must_use]
    pub const fn with_stores(mut self, stores: Stores) -> Self {
        self.stores = stores;
        self
    }

    /// Returns what the axes and lengths of a document of this format mean: what its file states, else
    /// what the format states.
    pub fn coordinates_of(&self, document: &Document) -> Coordinates {
        let stated = document.origin.as_ref().and_then(|origin| origin.coordinates);
        stated.unwrap_or(self.coordinates)
    }

    /// Returns the description with what the axes and lengths of the files mean.
    #[must_use]
    pub const fn with_coordinates(mut self, coordinates: Coordinates) -> Self {
        self.coordinates = coordinates;
        self
    }

    /// Returns the description with the codes that checks and conversions use.
    #[must_use]
    pub const fn with_codes(mut self, codes: &'static [Code]) -> Self {
        self.codes = codes;
        self
    }

    /// Returns the description with options.
    #[must_use]
    pub const fn with_options(mut self, options: &'static [OptionInfo]) -> Self {
        self.options = options;
        self
    }

    /// Returns the description with the option whose values are the extensions of the files that it
    /// writes.
    #[must_use]
    pub const fn with_extension_option(mut self, option: &'static str) -> Self {
        self.extension_option = Some(option);
        self
    }

    /// Returns the description with its fields.
    #[must_use]
    pub const fn with_fields(mut self, fields: &'static [FieldInfo]) -> Self {
        self.fields = fields;
        self
    }
}

/// Whether files of a format are text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileEncoding {
    /// Bytes; positions are offsets.
    Binary,
    /// UTF-8; positions are lines and columns.
    Text,
}

/// The number of clips in a file of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipCount {
    /// Exactly one.
    One,
    /// Any number.
    Many,
}

/// An option of a format, which becomes a flag of the command line.
#[derive(Debug)]
pub struct OptionInfo {
    /// The name, without dashes.
    pub name: &'static str,
    /// A placeholder for the value in help texts: `RATE`.
    pub value: &'static str,
    /// What it does, as one imperative sentence.
    pub help: &'static str,
    /// Whether it affects reading, writing, or both.
    pub applies: Applies,
}

/// What an option affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applies {
    /// Reading a file of the format.
    Reading,
    /// Writing a file of the format.
    Writing,
    /// Both.
    Both,
    /// Checking a file for fixes.
    Fixing,
}

impl Applies {
    /// Returns the name in reports: `reading`, `writing`, `both` or `fixing`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reading => "reading",
            Self::Writing => "writing",
            Self::Both => "both",
            Self::Fixing => "fixing",
        }
    }

    /// Returns whether it affects reading.
    pub const fn affects_reading(self) -> bool {
        matches!(self, Self::Reading | Self::Both)
    }

    /// Returns whether it affects writing.
    pub const fn affects_writing(self) -> bool {
        matches!(self, Self::Writing | Self::Both)
    }
}

/// A documented field of a format, and how the common model represents it.
#[derive(Debug)]
pub struct FieldInfo {
    /// The name in the specification.
    pub name: &'static str,
    /// How the common model represents it.
    pub fate: Fate,
}

/// How a field survives a conversion to the common model and back.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// The common model stores it as the named item.
    Kept(&'static str),
    /// It is computed from other fields.
    Derived(&'static str),
    /// It is lost, with a finding of this code.
    Reported(Code),
}

/// The confidence of a probe.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// The bytes are not a file of the format.
    #[default]
    No,
    /// The bytes do not contradict the format.
    Possible,
    /// The structure of the bytes matches the format.
    Likely,
    /// The bytes name the format, for example by a magic number.
    Certain,
}

impl Confidence {
    /// Returns the confidence for a format with the magic number `magic`. A file truncated within
    /// it may be of the format if its extension says so.
    pub fn of_magic(bytes: &[u8], magic: &[u8], hint: &Hint<'_>, info: &FormatInfo) -> Self {
        if bytes.starts_with(magic) {
            Self::Certain
        } else if hint.names(info) && !bytes.is_empty() && magic.starts_with(bytes) {
            Self::Possible
        } else {
            Self::No
        }
    }
}

/// Information for detection in addition to the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// The file name extension without the dot.
    pub extension: Option<&'a str>,
}

impl Hint<'_> {
    /// Returns whether the extension is one of the format's, case-insensitively.
    pub fn names(&self, info: &FormatInfo) -> bool {
        self.extension.is_some_and(|extension| {
            info.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }
}

/// Returns the format that writes the kind of files with an extension, or `None` if it writes one
/// kind; see [`FormatInfo::extension_option`]. It replaces an option that was chosen.
pub fn for_extension(format: &dyn Format, extension: &str) -> Option<Box<dyn Format>> {
    let option = format.info().extension_option?;
    format.with_option(option, &extension.to_ascii_lowercase()).ok()
}

/// The reason why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// The format has no option of this name.
    Unknown,
    /// The option does not take this value.
    BadValue {
        /// The accepted values.
        expected: Cow<'static, str>,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no such option"),
            Self::BadValue { expected } => write!(f, "expected {expected}"),
        }
    }
}

impl core::error::Error for OptionError {}

/// A file format: detects, checks, reads and writes its files.
///
/// Its fields are the options: `Seanim::default().frame_rate(60.0)` is a format that writes 60
/// frames per second. A registry holds configured formats.
pub trait Format: fmt::Debug + Send + Sync {
    /// Returns the static facts about the format.
    fn info(&self) -> &'static FormatInfo;

    /// Returns how likely `bytes`, a whole file, is of this format. Pure and cheap.
    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence;

    /// Checks whether a file of this format can begin with `head`, before the rest of a long file is
    /// read. Returns the offset where the data of the file ends, if `head` shows it; readers may accept
    /// more bytes after it.
    ///
    /// The default accepts everything.
    ///
    /// # Errors
    ///
    /// If no file of this format begins like this. The kind is
    /// [`UnexpectedEnd`](crate::ReadErrorKind::UnexpectedEnd) if more bytes are needed to decide.
    fn check_start(&self, _head: &[u8]) -> Result<Option<u64>, ReadError> {
        Ok(None)
    }

    /// Returns the contents of a file. Formats whose tracks state their kinds and their numbers of
    /// keys do not decode the keys.
    ///
    /// # Errors
    ///
    /// If the bytes are not a file of this format, or exceed the limits.
    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError>;

    /// Returns the findings about a file.
    ///
    /// # Errors
    ///
    /// If the bytes are too far from a file of this format to be checked.
    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError>;

    /// Opens a file to read its clips one at a time, and charges a budget.
    ///
    /// A format whose files have many clips decodes them on request, so that converting a large file
    /// holds one clip in memory. Other formats return a [`WholeFile`].
    ///
    /// # Errors
    ///
    /// If the bytes are not a file of this format, or exceed the budget.
    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError>;

    /// Writes a document and charges a budget for the keys that it makes.
    ///
    /// Where the caller chose no option, the document decides: one of this format is written with
    /// the options of [its file](Document::origin).
    ///
    /// # Errors
    ///
    /// If the format cannot represent a value that it requires, or the new keys exceed the budget.
    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError>;

    /// Reads all clips of a file with its own budget.
    ///
    /// # Errors
    ///
    /// Fails like [`open`](Self::open).
    fn read(&self, bytes: &[u8], limits: &Limits) -> Result<Outcome<Document>, ReadError> {
        let mut budget = Budget::new(limits, bytes.len());
        self.open(bytes, &mut budget)?.read_all(&mut budget)
    }

    /// Writes a document with its own budget, as large as that of an input of its size.
    ///
    /// # Errors
    ///
    /// Fails like [`write_within`](Self::write_within).
    fn write(&self, document: Document, limits: &Limits) -> Result<Outcome<Vec<u8>>, WriteError> {
        let mut budget = Budget::new(limits, document.heap_bytes());
        let Outcome { value, findings } = self.write_within(document, &mut budget)?;
        Ok(Outcome { value: value.bytes, findings })
    }

    /// Returns the extension of the files that the format writes.
    fn extension(&self) -> &'static str {
        self.info().extensions.first().copied().unwrap_or(self.info().id)
    }

    /// Returns the format that reads files which refer to others beside them, or `None` if no file
    /// of the format does.
    fn beside(&self, _neighbors: Arc<dyn Neighbors>) -> Option<Box<dyn Format>> {
        None
    }

    /// Returns the kind of companion files of this format, if there is one.
    fn companion(&self) -> Option<&dyn Companion> {
        None
    }

    /// Returns the format with one of [`FormatInfo::options`] set.
    ///
    /// # Errors
    ///
    /// If there is no such option, or it does not accept the value.
    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError>;

    /// Returns the exact text form of the format's files, or `None` if they are text already, or if
    /// the format's crate is built without its feature `text`.
    fn text(&self) -> Option<&dyn TextForm> {
        None
    }
}
