//! The format, and its implementation of `Format`.

use inbetween_core::parse::ByteCursor;
use inbetween_core::{
    Budget, ClipCount, ClipReader, ClipSummary, Companion, CompanionInfo, Confidence, Context,
    Document, FileEncoding, Finding, Format, FormatInfo, Hint, Inspection, Limits, OptionError,
    Outcome, ReadError, Record, WriteError, Written, each_clip, num,
};

use crate::layout::{ID, VERSION};
use crate::read::parse_header;
use crate::{X4aniFile, X4aniHeader, X4aniKey, check, codes, convert, lint};

/// The X4 .ANI format.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Document, Format, Limits};
/// use inbetween_x4_ani::X4ani;
///
/// let bytes = X4ani::default().write(Document::default(), &Limits::default())?.value;
/// assert_eq!(bytes.len(), 16);
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct X4ani {}

static INFO: FormatInfo = FormatInfo::new(ID, "X4 ANI", FileEncoding::Binary)
    .with_extensions(&["ani"])
    .with_summary(
        "Part animations of X4 and X Rebirth (Egosoft): position, Euler rotation and scale",
    )
    .with_promise("byte-identical")
    .with_clips(ClipCount::Many)
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(convert::COORDINATES)
    .with_codes(&codes::USED)
    .with_fields(convert::FIELDS);

impl Format for X4ani {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        let Some(header) = X4aniHeader::decode(bytes, ()).filter(is_header) else {
            return Confidence::No;
        };
        // The format has no magic number, so the whole table must be consistent.
        let limits = Limits::default().with_items(u64::MAX);
        match X4aniFile::parse_sound(bytes, &limits) {
            Ok((file, None)) if file.trailing().is_empty() && header.padding == 0 => {
                Confidence::Likely
            }
            Ok(_) => Confidence::Possible,
            Err(_) if hint.names(&INFO) => Confidence::Possible,
            Err(_) => Confidence::No,
        }
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        parse_header(&mut ByteCursor::new(ID, head))?;
        let file = X4aniFile::parse(head, &Limits::default()).ok();
        Ok(file.map(|file| num::u64_from_len(file.trailing_offset())))
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let read = X4aniFile::parse_sound(bytes, limits)?;
        let facts = facts(&read.0);
        let (mut clips, mut budget) = (Vec::new(), Budget::new(limits, bytes.len()));
        let mut reader = convert::Clips::new(read, limits);
        each_clip(&mut reader, &mut budget, |_, read| {
            clips.extend(read.value.clips.iter().map(ClipSummary::from));
        })?;
        Ok(Inspection { layout: String::new(), facts, clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        let (file, broken) = X4aniFile::parse_sound(bytes, limits)?;
        Ok(check::check(&file, broken.as_ref(), limits))
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = X4aniFile::parse_sound(bytes, budget.limits())?;
        Ok(Box::new(convert::Clips::new(read, budget.limits())))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, *self, context))
    }

    fn companion(&self) -> Option<&dyn Companion> {
        Some(&ComponentXml)
    }

    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> {
        Err(OptionError::Unknown)
    }

    #[cfg(feature = "text")]
    fn text(&self) -> Option<&dyn inbetween_core::TextForm> {
        Some(self)
    }
}

/// The component XML that names the animations of a file.
#[derive(Debug)]
struct ComponentXml;

static COMPONENT: CompanionInfo = CompanionInfo {
    name: "component",
    value: "FILE.xml",
    help: "Compare the file with the component XML that it belongs to",
};

impl Companion for ComponentXml {
    fn info(&self) -> &'static CompanionInfo {
        &COMPONENT
    }

    fn check(
        &self,
        bytes: &[u8],
        companion: &[u8],
        limits: &Limits,
    ) -> Result<Vec<Finding>, ReadError> {
        lint(&X4aniFile::parse(bytes, limits)?, companion, limits)
    }
}

/// Returns whether a header is one of this format, regardless of the bytes after it.
fn is_header(header: &X4aniHeader) -> bool {
    let expected = header.record_count.checked_mul(160).and_then(|table| table.checked_add(16));
    header.version == VERSION && header.record_count >= 0 && expected == Some(header.key_offset)
}

/// Lists the facts that the common model does not store.
fn facts(file: &X4aniFile<'_>) -> Vec<(&'static str, String)> {
    let end = file.trailing_offset().saturating_sub(file.starts.first().copied().unwrap_or(0));
    let keys = num::u64_from_len(end.checked_div(X4aniKey::SIZE).unwrap_or(0));
    let mut facts = vec![("records", file.record_count().to_string()), ("keys", keys.to_string())];
    if !file.trailing().is_empty() {
        facts.push(("trailing", format!("{} bytes", file.trailing().len())));
    }
    facts
}
