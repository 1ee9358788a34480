//! Playback clips as a format that is read, but not written by conversions.

use inbetween_core::num::u64_from_len;
use inbetween_core::{
    Budget, ClipCount, ClipReader, Confidence, Document, FileEncoding, Finding, Format, FormatInfo,
    Hint, Inspection, Limits, OptionError, Origin, Outcome, Position, ReadError, ReadErrorKind,
    WholeFile, WriteError, Written,
};

use crate::clip::{Clip, Encoding};
use crate::document::{read, summarize};
use crate::layout::{ID, MAGIC, VERSION};
use crate::load_error::{LoadError, LoadErrorKind};
use crate::stored::{StoredClip, parse};

static INFO: FormatInfo = FormatInfo::new(ID, "playback clip", FileEncoding::Binary)
    .with_extensions(&["clip"])
    .with_summary("Compact clips for game engines: read only, `inbetween clip` builds them")
    .with_promise("read only")
    .with_clips(ClipCount::Many)
    .with_codes(crate::codes::ALL);

/// Files of playback clips as a [`Format`], to inspect, sample and convert them with everything
/// that works on formats.
///
/// Writing through it is refused, because a conversion has no bounds: use
/// [`build_document`](crate::build_document) and [`save`](crate::save).
///
/// # Examples
///
/// ```
/// use inbetween_clip::{ClipFile, save};
/// use inbetween_core::{Document, Format, Limits};
///
/// assert!(ClipFile.read(&save(&[]), &Limits::default())?.value.clips.is_empty());
/// assert!(ClipFile.write(Document::default(), &Limits::default()).is_err());
/// # Ok::<(), inbetween_core::ReadError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClipFile;

impl ClipFile {
    /// Parses the structure of a file and charges a budget for its tracks.
    fn parse<'a>(bytes: &'a [u8], budget: &mut Budget) -> Result<Vec<StoredClip<'a>>, ReadError> {
        let clips = parse(bytes).map_err(|error| read_error(error, bytes.len()))?;
        for stored in &clips {
            budget.charge_items(u64_from_len(stored.track_count()))?;
        }
        Ok(clips)
    }

    /// Reads the clips of a file and charges a budget for what they decode to.
    fn load<'a, T>(
        bytes: &'a [u8],
        budget: &mut Budget,
        read: impl Fn(&StoredClip<'a>) -> Result<T, LoadError>,
    ) -> Result<Vec<T>, ReadError> {
        let mut clips = Vec::new();
        for stored in Self::parse(bytes, budget)? {
            budget.charge_columns(stored.decoded)?;
            clips.push(read(&stored).map_err(|error| read_error(error, bytes.len()))?);
        }
        Ok(clips)
    }

    /// Reads the clips of a file in their playback form.
    fn clips(bytes: &[u8], limits: &Limits) -> Result<Vec<Clip>, ReadError> {
        Self::load(bytes, &mut Budget::new(limits, bytes.len()), StoredClip::load)
    }
}

impl Format for ClipFile {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        Confidence::of_magic(bytes, MAGIC, hint, &INFO)
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        match parse(head) {
            Err(error) => Err(read_error(error, head.len())),
            Ok(_) => Ok(None),
        }
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let clips = Self::parse(bytes, &mut Budget::new(limits, bytes.len()))?;
        let encodings =
            || clips.iter().flat_map(StoredClip::tracks).map(|track| track.keys.encoding());
        let count = |encoding| encodings().filter(|other| *other == encoding).count().to_string();
        Ok(Inspection {
            layout: format!("version {VERSION}"),
            facts: vec![
                ("constant", count(Encoding::Constant)),
                ("half float", count(Encoding::Half)),
                ("48-bit rotation", count(Encoding::Rotation48)),
                ("f32", count(Encoding::Float)),
            ],
            clips: clips.iter().map(summarize).collect(),
        })
    }

    /// Files that load have no problems: loading checks everything.
    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        Self::clips(bytes, limits).map(|_| Vec::new())
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let document = Document::new(Self::load(bytes, budget, read)?).with_origin(Origin::new(ID));
        Ok(Box::new(WholeFile::new(Outcome { value: document, findings: Vec::new() })))
    }

    fn write_within(
        &self,
        _document: Document,
        _budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        let how = "build it within error bounds with `inbetween clip FILE -o OUT`";
        Err(WriteError::not_representable("a playback clip", how).in_format(ID))
    }

    fn with_option(&self, _name: &str, _value: &str) -> Result<Box<dyn Format>, OptionError> {
        Err(OptionError::Unknown)
    }
}

fn read_error(error: LoadError, length: usize) -> ReadError {
    let offset = u64_from_len(error.offset());
    let error = match error.kind() {
        LoadErrorKind::End { needed } => {
            let available = u64_from_len(length).saturating_sub(offset);
            let needed = u64_from_len(needed);
            ReadError::new(ReadErrorKind::UnexpectedEnd { needed, available })
        }
        LoadErrorKind::Version(version) => {
            let found = i64::from(version);
            ReadError::new(ReadErrorKind::UnsupportedVersion { found, supported: "1" })
        }
        LoadErrorKind::Magic => {
            let (expected, found) = ("the magic number INBCLIP", "other bytes".into());
            ReadError::new(ReadErrorKind::BadMagic { expected, found })
        }
        LoadErrorKind::Invalid { expected } => ReadError::invalid(expected, "something else"),
    };
    error.in_format(ID).at_position(Position::byte(offset))
}
