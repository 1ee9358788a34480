//! The format, and its implementation of `Format`.

use inbetween_core::{
    Budget, ClipReader, ClipSummary, Confidence, Context, Document, FileEncoding, Finding, Format,
    FormatInfo, Hint, Inspection, Limits, OptionError, Outcome, ReadError, WholeFile, WriteError,
    Written,
};

use crate::layout::{ID, MAGIC};
use crate::{BvhFile, check, codes, convert};

/// The Bvh format.
///
/// # Examples
///
/// ```
/// use inbetween_core::{Document, Format, Limits};
/// use inbetween_bvh::Bvh;
///
/// let document = Document::single(Default::default());
/// let bytes = Bvh::default().write(document, &Limits::default())?.value;
/// assert!(bytes.starts_with(b"BVH0"));
/// # Ok::<(), inbetween_core::WriteError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bvh {}

static INFO: FormatInfo = FormatInfo::new(ID, "Bvh", FileEncoding::Binary)
    .with_extensions(&["bvh"])
    .with_summary("Translations, rotations and scales of nodes, with keys on frames")
    .with_promise("byte-identical")
    .with_rules(crate::RULES)
    .with_stores(convert::STORES)
    .with_codes(codes::USED)
    .with_fields(convert::FIELDS);

impl Format for Bvh {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        Confidence::of_magic(bytes, MAGIC, hint, &INFO)
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let file = BvhFile::parse(bytes, limits)?;
        let mut budget = Budget::new(limits, bytes.len());
        let document = convert::to_document(&file, &mut budget)?.value;
        let facts = vec![("tracks", file.tracks().len().to_string())];
        let clips = document.clips.iter().map(ClipSummary::from).collect();
        Ok(Inspection { layout: String::new(), facts, clips })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        Ok(check::check(&BvhFile::parse(bytes, limits)?, limits))
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let read = convert::to_document(&BvhFile::parse(bytes, budget.limits())?, budget)?;
        Ok(Box::new(WholeFile::new(read)))
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

    #[cfg(feature = "text")]
    fn text(&self) -> Option<&dyn inbetween_core::TextForm> {
        Some(self)
    }
}
