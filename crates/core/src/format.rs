//! What every format crate offers: one object-safe trait.

mod clip_reader;
mod companion;
mod text_form;
mod written;

use core::fmt;
use std::borrow::Cow;

pub use clip_reader::ClipReader;
pub use companion::{Companion, CompanionInfo};
pub use text_form::TextForm;
pub use written::{Extent, Written};

use self::clip_reader::WholeFile;
use crate::{
    Animation, Budget, Code, Document, Finding, Limits, Outcome, ReadError, Rules, WriteError,
};

/// What there is to know about a format without a file.
///
/// A format crate makes it as a constant:
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
    /// The id that commands and findings use: `seanim`.
    pub id: &'static str,
    /// The name as its users write it: `SEAnim`.
    pub name: &'static str,
    /// File name extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Which program reads the format, and what for.
    pub summary: &'static str,
    /// What `rewrite` promises.
    pub promise: &'static str,
    /// Whether the files are text.
    pub encoding: FileEncoding,
    /// How many clips a file holds.
    pub clips: ClipCount,
    /// The rules by which the engine of the format plays its files: readers give them to clips, and
    /// writers make keys for them.
    pub rules: Rules,
    /// Every code that its checks and conversions use.
    pub codes: &'static [Code],
    /// The options that [`Format::with_option`] knows.
    pub options: &'static [OptionInfo],
    /// Every documented field, and what becomes of it on the way to the common model.
    pub fields: &'static [FieldInfo],
}

impl FormatInfo {
    /// Makes the description of a format that holds one clip and plays by [`Rules::LINEAR`], with
    /// nothing else known of it.
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
            codes: &[],
            options: &[],
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

    /// Returns the description with what rewriting promises.
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

/// How many clips a file of a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClipCount {
    /// Exactly one.
    One,
    /// Any number.
    Many,
}

/// An option of a format: a flag of the command line.
#[derive(Debug)]
pub struct OptionInfo {
    /// The name, without dashes.
    pub name: &'static str,
    /// What the value is, for the help text: `RATE`.
    pub value: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
    /// When it has an effect.
    pub applies: Applies,
}

/// When an option has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Applies {
    /// When a file of the format is read.
    Reading,
    /// When a file of the format is written.
    Writing,
    /// Both.
    Both,
}

/// A documented field of a format and what becomes of it in the common model.
#[derive(Debug)]
pub struct FieldInfo {
    /// The name in the specification.
    pub name: &'static str,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a field on the way from a file to the common model and back.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// The common model has a word for it: this one.
    Kept(&'static str),
    /// It follows from what is kept.
    Derived(&'static str),
    /// It is lost, with a finding of this code.
    Reported(Code),
}

/// How sure a probe is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// It is not a file of the format.
    #[default]
    No,
    /// Nothing speaks against it.
    Possible,
    /// The structure speaks for it.
    Likely,
    /// It says itself that it is one.
    Certain,
}

impl Confidence {
    /// Says how sure a probe is of a format whose files begin with `magic`: a file that is cut off
    /// within it may be one if its name says so.
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

/// What a probe may use beside the bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hint<'a> {
    /// The file name extension without the dot.
    pub extension: Option<&'a str>,
}

impl Hint<'_> {
    /// Says whether the extension is one of the format's, in any case.
    pub fn names(&self, info: &FormatInfo) -> bool {
        self.extension.is_some_and(|extension| {
            info.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension))
        })
    }
}

/// What is in a file, for people to look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspection {
    /// How the reader took the file where the bytes leave a choice.
    pub layout: String,
    /// Facts of the format, as name and value.
    pub facts: Vec<(&'static str, String)>,
    /// What the clips hold.
    pub clips: Vec<ClipSummary>,
}

/// What a clip holds, without its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct ClipSummary {
    /// The name of the clip.
    pub name: Option<String>,
    /// Seconds that play.
    pub duration: f64,
    /// Seconds as the file states them.
    pub stated_duration: Option<f64>,
    /// Frames a second.
    pub frame_rate: Option<f64>,
    /// Whether the clip repeats.
    pub looping: crate::Looping,
    /// How the values apply.
    pub blend: crate::BlendMode,
    /// The tracks.
    pub tracks: Vec<TrackSummary>,
    /// The markers.
    pub markers: Vec<crate::Marker>,
}

/// What a track holds, without its keys.
#[derive(Clone, Debug, PartialEq)]
pub struct TrackSummary {
    /// The node.
    pub node: Option<String>,
    /// The property, as [`Property::name`](crate::Property::name) spells it.
    pub property: Option<String>,
    /// The component, where the track has only one.
    pub component: Option<crate::Axis>,
    /// The kind of the values.
    pub kind: crate::ValueKind,
    /// `uniform`, `stepped` or `curve`.
    pub shape: &'static str,
    /// The number of keys.
    pub keys: usize,
}

impl From<&Animation> for ClipSummary {
    fn from(clip: &Animation) -> Self {
        Self {
            name: clip.name.as_deref().map(str::to_owned),
            duration: clip.effective_duration(),
            stated_duration: clip.duration,
            frame_rate: clip.frame_rate,
            looping: clip.looping,
            blend: clip.blend,
            tracks: clip.tracks.iter().map(TrackSummary::from).collect(),
            markers: clip.markers.clone(),
        }
    }
}

impl From<&crate::Track> for TrackSummary {
    fn from(track: &crate::Track) -> Self {
        let (target, data) = (track.target(), track.data());
        let property = match &target.property {
            crate::Property::Custom(None) => None,
            property => Some(property.name().into_owned()),
        };
        Self {
            node: target.node.as_deref().map(str::to_owned),
            property,
            component: target.component,
            kind: data.kind(),
            shape: data.shape().name(),
            keys: data.len(),
        }
    }
}

/// Why an option cannot be set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// The format has no option of this name.
    Unknown,
    /// The option does not take this value.
    BadValue {
        /// What it takes.
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

/// A file format: how to recognise, check, read and write its files.
///
/// The value is the options: `Seanim::default().frame_rate(60.0)` is a format that writes
/// at 60 frames a second. A registry holds configured values.
pub trait Format: fmt::Debug + Send + Sync {
    /// Returns what there is to know without a file.
    fn info(&self) -> &'static FormatInfo;

    /// Says how surely `bytes`, a whole file, is of this format; pure and cheap.
    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence;

    /// Returns what is in a file.
    ///
    /// # Errors
    ///
    /// When the bytes are not a file of this format, or cost more than the limits allow.
    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError>;

    /// Returns what is worth saying about a file.
    ///
    /// # Errors
    ///
    /// When the bytes are so far from a file of this format that there is nothing to check.
    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError>;

    /// Reads a file into the common model, spending a budget.
    ///
    /// # Errors
    ///
    /// When the bytes are not a file of this format, or cost more than the budget has.
    fn read_within(
        &self,
        bytes: &[u8],
        budget: &mut Budget,
    ) -> Result<Outcome<Document>, ReadError>;

    /// Opens a file to read its clips one at a time.
    ///
    /// Formats of many clips override this, so that a conversion of a large file holds one clip
    /// at a time. By default the whole file is read at once.
    ///
    /// # Errors
    ///
    /// As [`read_within`](Self::read_within).
    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        Ok(Box::new(WholeFile::new(self.read_within(bytes, budget)?)))
    }

    /// Writes a document, spending a budget for the keys that it makes.
    ///
    /// # Errors
    ///
    /// If the format cannot represent something that it requires, or the keys that must be made
    /// cost more than the budget has.
    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError>;

    /// Reads a file into the common model, with a budget of its own.
    ///
    /// # Errors
    ///
    /// As [`read_within`](Self::read_within).
    fn read(&self, bytes: &[u8], limits: &Limits) -> Result<Outcome<Document>, ReadError> {
        self.read_within(bytes, &mut Budget::new(limits, bytes.len()))
    }

    /// Writes a document, with a budget of its own: as for an input of its size.
    ///
    /// # Errors
    ///
    /// As [`write_within`](Self::write_within).
    fn write(&self, document: Document, limits: &Limits) -> Result<Outcome<Vec<u8>>, WriteError> {
        let mut budget = Budget::new(limits, document.heap_bytes());
        let Outcome { value, losses } = self.write_within(document, &mut budget)?;
        Ok(Outcome { value: value.bytes, losses })
    }

    /// Reads a file into the exact model and writes it again from there.
    ///
    /// What comes back is what [`FormatInfo::promise`] says.
    ///
    /// # Errors
    ///
    /// When the bytes are not a file of this format, or cost more than the limits allow.
    fn rewrite(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;

    /// As [`rewrite`](Self::rewrite), but through owned parts that know nothing of the bytes.
    ///
    /// # Errors
    ///
    /// As `rewrite`.
    fn rebuild(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError>;

    /// Returns the options, by name and value, that have a file written as this one is.
    ///
    /// A file that is read and written again in the same format so stays packed as it was, for
    /// example, unless [`is_set`](Self::is_set) says that the caller decided otherwise.
    fn options_of(&self, _bytes: &[u8]) -> Vec<(&'static str, &'static str)> {
        Vec::new()
    }

    /// Returns the options, by name and value, for what comes from a file of another format.
    ///
    /// They count unless [`is_set`](Self::is_set) says that the caller decided otherwise.
    fn options_for_others(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Says whether an option has been set that [`options_of`](Self::options_of) may name.
    fn is_set(&self, _option: &str) -> bool {
        false
    }

    /// Returns what kind of file belongs to files of this format, if there is one.
    fn companion(&self) -> Option<&dyn Companion> {
        None
    }

    /// Returns the format with an option of [`FormatInfo::options`] set.
    ///
    /// # Errors
    ///
    /// When there is no such option, or it does not take the value.
    fn with_option(&self, name: &str, value: &str) -> Result<Box<dyn Format>, OptionError>;

    /// Returns the exact text form of the format's files; `None` where they are text already, or
    /// the format's crate is built without its feature `text`.
    fn text(&self) -> Option<&dyn TextForm> {
        None
    }
}
