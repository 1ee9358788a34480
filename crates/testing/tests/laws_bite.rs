//! Tests of the laws: a correct format obeys them, and each defect breaks the law that covers it.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "helpers of tests are tests as well"
)]

use std::panic::catch_unwind;

use inbetween_core::{
    Animation, Budget, ClipReader, ClipSummary, Confidence, Document, Extent, FileEncoding,
    Finding, Findings, Format, FormatInfo, Hint, Inspection, Limits, OptionError, Origin, Outcome,
    Property, ReadError, ReadErrorKind, Target, Track, TrackData, WholeFile, WriteError, Written,
    codes,
};
use inbetween_testing::laws::{self, Rewriter};

/// A format whose files are `T` and one byte per key of their only track.
#[derive(Clone, Copy, Debug)]
struct Toy(Defect);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Defect {
    None,
    ReadingPanics,
    CheckRefuses,
    CodeUnlisted,
    ProbeDenies,
    StartEndsEarly,
    ExtensionUnsettles,
    RewriteChanges,
    RebuildChanges,
    WriterIsSilent,
    WriterIsUnread,
    WriterDrifts,
    LimitsAreIgnored,
    LimitsGiveOtherErrors,
}

static INFO: FormatInfo = FormatInfo::new("toy", "Toy", FileEncoding::Binary)
    .with_extensions(&["toy"])
    .with_codes(&[codes::TRACK_DROPPED]);

impl Toy {
    fn has(self, defect: Defect) -> bool {
        self.0 == defect
    }

    fn keys<'a>(self, bytes: &'a [u8], limits: &Limits) -> Result<&'a [u8], ReadError> {
        let keys = bytes.strip_prefix(b"T").ok_or_else(|| ReadError::invalid("T", "no T"))?;
        assert!(!(self.has(Defect::ReadingPanics) && keys.contains(&7)), "seven");
        let limit = limits.items.min(limits.decoded_bytes.unwrap_or(u64::MAX));
        if keys.is_empty() || limit > 100 || self.has(Defect::LimitsAreIgnored) {
            return Ok(keys);
        }
        if self.has(Defect::LimitsGiveOtherErrors) {
            return Err(ReadError::invalid("fewer keys", "more"));
        }
        Err(ReadError::new(ReadErrorKind::Limit { what: "keys", requested: 1, limit }))
    }

    fn copy(self, bytes: &[u8], limits: &Limits, defect: Defect) -> Result<Vec<u8>, ReadError> {
        self.keys(bytes, limits)?;
        let length = if self.has(defect) { 1 } else { bytes.len() };
        Ok(bytes[..length].to_vec())
    }
}

impl Format for Toy {
    fn info(&self) -> &'static FormatInfo {
        &INFO
    }

    fn probe(&self, bytes: &[u8], hint: &Hint<'_>) -> Confidence {
        let unsettled = self.has(Defect::ExtensionUnsettles) && hint.extension.is_some();
        match bytes.first() {
            Some(b'T') if self.has(Defect::ProbeDenies) => Confidence::No,
            Some(b'T') if unsettled => Confidence::Possible,
            Some(b'T') => Confidence::Certain,
            _ => Confidence::No,
        }
    }

    fn check_start(&self, _: &[u8]) -> Result<Option<u64>, ReadError> {
        Ok(self.has(Defect::StartEndsEarly).then_some(0))
    }

    fn inspect(&self, bytes: &[u8], limits: &Limits) -> Result<Inspection, ReadError> {
        let clips = self.read(bytes, limits)?.value.clips;
        Ok(Inspection {
            clips: clips.iter().map(ClipSummary::from).collect(),
            ..Inspection::default()
        })
    }

    fn check(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, ReadError> {
        self.keys(bytes, limits)?;
        match self.0 {
            Defect::CheckRefuses => Err(ReadError::invalid("nothing", "something")),
            Defect::CodeUnlisted => Ok(vec![Finding::new(codes::TIMES_SORTED, "sorted")]),
            _ => Ok(Vec::new()),
        }
    }

    fn open<'b>(
        &self,
        bytes: &'b [u8],
        budget: &mut Budget,
    ) -> Result<Box<dyn ClipReader + 'b>, ReadError> {
        let keys = self.keys(bytes, budget.limits())?.to_vec();
        let target = Target::new("toy", Property::Custom(None));
        let track = Track::new(target, TrackData::uniform(1.0, keys)).unwrap();
        let clip = Animation::new(vec![track]);
        let document = Document::single(clip).with_origin(Origin::new(INFO.id));
        let read = Outcome::new(document, Findings::new(budget.limits()));
        Ok(Box::new(WholeFile::new(read)))
    }

    fn write_within(
        &self,
        document: Document,
        budget: &mut Budget,
    ) -> Result<Outcome<Written>, WriteError> {
        let mut findings = Findings::new(budget.limits());
        let mut bytes = b"T".to_vec();
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        for keys in tracks.filter_map(|track| track.data().values().as_slice::<u8>()) {
            bytes.extend(keys);
        }
        match self.0 {
            Defect::WriterIsSilent => bytes.truncate(1),
            Defect::WriterIsUnread => bytes.insert(0, b'?'),
            Defect::WriterDrifts => {
                findings.push(Finding::new(codes::TRACK_DROPPED, "a key"));
                bytes.push(0);
            }
            _ => {}
        }
        let written = Written::new(bytes, vec![Extent::from(&document)]);
        Ok(Outcome::new(written, findings))
    }

    fn with_option(&self, _: &str, _: &str) -> Result<Box<dyn Format>, OptionError> {
        Err(OptionError::Unknown)
    }
}

/// Returns whether a law holds for a file with keys, in all its forms.
fn holds(
    defect: Defect,
    law: impl Fn(&dyn Format, Rewriter<'_>, &[u8]) + std::panic::RefUnwindSafe,
) -> bool {
    let toy = Toy(defect);
    let rewriter = |bytes: &[u8], limits: &Limits| {
        let copy = |defect| toy.copy(bytes, limits, defect);
        Ok([copy(Defect::RewriteChanges)?, copy(Defect::RebuildChanges)?])
    };
    catch_unwind(|| law(&toy, &rewriter, b"T\x06\x02")).is_ok()
}

#[test]
fn all_laws_hold_for_a_correct_format() {
    assert!(holds(Defect::None, laws::reading));
    assert!(holds(Defect::None, laws::all));
    assert!(holds(Defect::None, laws::every_truncation));
    assert!(holds(Defect::None, laws::every_single_byte_change));
    assert!(holds(Defect::None, |format, _, bytes| {
        let kept = laws::conversion_round_trip(format, format, bytes);
        assert_eq!(kept, laws::RoundTrip::Kept);
    }));
}

#[test]
fn a_defect_of_reading_breaks_a_law() {
    for defect in [
        Defect::CheckRefuses,
        Defect::CodeUnlisted,
        Defect::ProbeDenies,
        Defect::StartEndsEarly,
        Defect::ExtensionUnsettles,
        Defect::LimitsAreIgnored,
        Defect::LimitsGiveOtherErrors,
    ] {
        assert!(!holds(defect, laws::reading), "{defect:?} passes");
    }
}

#[test]
fn a_defect_of_a_round_trip_breaks_a_law() {
    for defect in [
        Defect::RewriteChanges,
        Defect::RebuildChanges,
        Defect::WriterIsSilent,
        Defect::WriterIsUnread,
        Defect::WriterDrifts,
    ] {
        assert!(!holds(defect, laws::round_trips), "{defect:?} passes");
    }
}

#[test]
fn changing_one_byte_finds_defects_that_the_file_itself_hides() {
    assert!(holds(Defect::ReadingPanics, laws::all));
    assert!(!holds(Defect::ReadingPanics, laws::every_single_byte_change));
}

/// Returns whether the law of round trips holds for a clip with this name in a format without
/// names.
fn holds_for_name(name: &str) -> bool {
    let target = Target::new("toy", Property::Custom(None));
    let track = Track::new(target, TrackData::uniform(1.0, vec![6_u8])).unwrap();
    let document = Document::single(Animation::new(vec![track]).with_name(name));
    catch_unwind(|| laws::document_round_trip(&Toy(Defect::None), &document)).is_ok()
}

#[test]
fn only_an_empty_name_may_become_none_without_a_report() {
    assert!(holds_for_name(""));
    assert!(!holds_for_name("walk"));
}
