//! The law for a clip that is written and read in a format.

use inbetween_core::stores::Head;
use inbetween_core::{Animation, Document, Format, Limits};

use super::cases::Verdict;
use super::{Promise, Reports, RestPose, check_drawn_reports};
use crate::documents::suited;

/// Writes a clip as a file of a format, reads it back and checks the law
/// as [`check_drawn`](super::check_drawn) does.
///
/// # Errors
///
/// The first loss that is not reported, or whose reported error is too small, with all findings.
pub fn conversion(to: &dyn Format, clip: &Animation, limits: &Limits) -> Result<Verdict, String> {
    let Ok(written) = to.write(suited(Document::single(clip.clone()), to), limits) else {
        return Ok(Verdict::Refused);
    };
    let read = to.read(&written.value, limits);
    let read = read.map_err(|error| format!("what was written is not read: {error}"))?;
    let (of_source, of_result) = (written.findings, read.findings);
    let findings = || of_source.iter().chain(&of_result);
    // Reading this file needs an option; without it, the keys mean something else.
    if findings().any(|finding| finding.code.id() == "animx/layout-misleads") {
        return Ok(Verdict::Refused);
    }
    let Some(result) = read.value.clips.first() else {
        // A format that stores clip names in records stores no clip without records.
        let named = findings().any(|finding| finding.code.id() == "x4-ani/clip-dropped");
        return if named {
            Ok(Verdict::Refused)
        } else {
            Err("the clip is gone, and no finding names it".into())
        };
    };
    let reports = Reports { source: &of_source, result: &of_result };
    // Every joint of a hierarchy has numbers in every row, which show its rest pose without a track.
    let rest = to.info().stores.has(Head::Hierarchy).then_some(RestPose::IDENTITY);
    let promise = Promise { rest, ..Promise::NOTHING_CHANGES };
    let kept = check_drawn_reports(clip, &promise, result, reports);
    kept.map(|()| Verdict::Kept)
        .map_err(|error| format!("{error}\n  reported: {:?}", findings().collect::<Vec<_>>()))
}
