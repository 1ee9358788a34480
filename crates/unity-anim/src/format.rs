//! The format, and its implementation of `Format`.

use inbetween_core::{
    Budget, ClipCount, ClipReader, ClipSummary, Confidence, Context, Document, FileEncoding,
    Finding, Format, FormatInfo, Hint, Inspection, Limits, OptionError, Outcome, ReadError,
    ReadErrorKind, WriteError, Written,
};

use crate::file::UnityAnimFile;
use crate::layout::{COORDINATES, ID};
use crate::{check, codes, convert, read};

/// The format of clips of Unity.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Animation, Document, Format, Limits};
/// use inbetween_unity_anim::UnityAnim;
///
/// let document = Document::single(Animation::default().with_name("walk"));
/// let text = UnityAnim::default().write(document, &Limits::default())?.value;
/// assert!(text.starts_with(b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\n"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnityAnim {}

static INFO: FormatInfo = FormatInfo::new(ID, "Unity .anim", FileEncoding::Text)
    .with_extensions(&["anim"])
    .with_summary(
        "Clips of Unity as text: curves of transforms, blend shapes and any other numbers",
    )
    .with_promise("byte-identical where nothing changed")
    .with_clips(ClipCount::Many)
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_coordinates(COORDINATES)
    .with_codes(&codes::USED)
    .with_fields(convert::FIELDS);

impl Format for UnityAnim {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        let cut = |error: &ReadError| matches!(error.kind(), ReadErrorKind::UnexpectedEnd { .. });
        match read::check_start(bytes) {
            Ok(()) => Confidence::Certain,
            Err(error) if cut(&error) && hint.names(&INFO) && !bytes.is_empty() => {
                Confidence::Possible
            }
            Err(_) => Confidence::No,
        }
    }

    fn check_start(&self, head: &[u8]) -> Result<Option<u64>, ReadError> {
        read::check_start(head).map(|()| None)
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let file = UnityAnimFile::parse(bytes, limits)?.value;
        let mut budget = Budget::new(limits, bytes.len());
        let document = convert::to_document(&file, &mut budget)?.document;
        let facts = vec![("objects", file.objects().len().to_string())];
        let clips = document.clips.iter().map(ClipSummary::from).collect();
        Ok(Inspection { layout: String::new(), facts, clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        check::check(bytes, limits)
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let file = UnityAnimFile::parse(bytes, budget.limits())?.value;
        let read = convert::to_document(&file, budget)?;
        Ok(Box::new(convert::Clips::new(file, read)))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        Context::writing(ID, budget, |context| convert::from_document(document, *self, context))
    }

    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> {
        Err(OptionError::Unknown)
    }
}
