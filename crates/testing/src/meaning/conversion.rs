//! The law for a clip that a format writes and reads.

use inbetween_core::{Animation, Document, Format, Limits};

use super::{Kept, Promise, Reports, check_reports};

/// Writes a clip as a file of a format, reads it again and checks the law; `None` if the format
/// refuses the clip.
///
/// # Errors
///
/// The first thing that is lost without being named, or named too small, with all findings.
pub fn conversion(
    to: &dyn Format,
    clip: &Animation,
    limits: &Limits,
) -> Result<Option<Vec<Kept>>, String> {
    let Ok(written) = to.write(Document::single(clip.clone()), limits) else { return Ok(None) };
    let read = to.read(&written.value, limits);
    let read = read.map_err(|error| format!("what was written is not read: {error}"))?;
    let (of_source, of_result) = (written.findings, read.findings);
    let findings = || of_source.iter().chain(&of_result);
    // Then reading the file needs an option, without which its keys mean something else.
    if findings().any(|finding| finding.code.id() == "animx/layout-misleads") {
        return Ok(None);
    }
    let Some(result) = read.value.clips.first() else {
        // A format whose clips are named by their records stores no clip that has none.
        let named = findings().any(|finding| finding.code.id().ends_with("/clip-dropped"));
        return if named {
            Ok(None)
        } else {
            Err("the clip is gone, and no finding names it".into())
        };
    };
    let reports = Reports { source: &of_source, result: &of_result };
    let kept = check_reports(clip, &Promise::NOTHING_CHANGES, result, reports);
    kept.map(Some)
        .map_err(|error| format!("{error}\n  reported: {:?}", findings().collect::<Vec<_>>()))
}
