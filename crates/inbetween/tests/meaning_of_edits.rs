//! The law of meaning for edits of a file that is written in its own format again.

#![cfg(feature = "formats")]

use inbetween::core::Axis;
use inbetween::edit::{self, EditError, ReduceBounds, Settings};
use inbetween::{Animation, Document, Limits, Outcome, Registry};
use inbetween_testing::documents::suited;
use inbetween_testing::hard::Suits;
use inbetween_testing::meaning::cases::{Case, Verdict, run};
use inbetween_testing::meaning::{Promise, Stays, TimeMap, View, check_drawn};

/// The number of animations per edit and format in `cargo test`.
const ANIMATIONS: u32 = 100;

type Edit = fn(Document, &Settings) -> Result<Outcome<Document>, EditError>;
type PromiseFor = fn(&Animation) -> Promise;

const OTHER_HEAD: Promise = Promise { head: Stays::Changes, ..Promise::NOTHING_CHANGES };
const OTHER_STORAGE: Promise = Promise { storage: Stays::Changes, ..OTHER_HEAD };

/// Writes a random clip as a file of a format, reads it, edits it and writes it again.
fn edited(id: &str, clip: &Animation, edit: Edit, promise: PromiseFor) -> Result<Verdict, String> {
    let registry = Registry::with_builtin();
    let format = registry.by_id(id).ok_or("no such format")?;
    let limits = Limits::default();
    let written = |document| {
        let written = format.write(suited(document, format), &limits).ok()?;
        let mut read = format.read(&written.value, &limits).ok()?;
        read.findings.splice(0..0, written.findings);
        Some(read)
    };
    let Some(source) = written(Document::single(clip.clone().with_rules(format.info().rules)))
    else {
        return Ok(Verdict::Refused);
    };
    let Some(source) = source.value.clips.first() else { return Ok(Verdict::Refused) };
    let Ok(outcome) = edit(Document::single(source.clone()), &Settings::default()) else {
        return Ok(Verdict::Refused);
    };
    let mut findings = outcome.findings;
    let Some(result) = written(outcome.value) else { return Ok(Verdict::Refused) };
    findings.extend(result.findings);
    if findings.iter().any(|finding| finding.code.id() == "animx/layout-misleads") {
        return Ok(Verdict::Refused);
    }
    let Some(after) = result.value.clips.first() else { return Ok(Verdict::Refused) };
    let kept = check_drawn(source, &promise(source), after, &findings);
    kept.map(|()| Verdict::Kept).map_err(|error| format!("{error}\n  reported: {findings:?}"))
}

fn run_edit(name: &str, edit: Edit, promise: PromiseFor) {
    let registry = Registry::with_builtin();
    let case = |id: &'static str| {
        Case::new(format!("{name}, {id}"), Suits::format(id), move |clip| {
            edited(id, clip, edit, promise)
        })
    };
    let cases: Vec<Case<'_>> = registry.formats().map(|format| case(format.info().id)).collect();
    run(&cases, ANIMATIONS);
}

#[test]
fn another_order_of_axes_keeps_playback() {
    let edit: Edit = |clip, settings| edit::change_axes(clip, "y,z,x".parse().unwrap(), settings);
    run_edit("axes y,z,x", edit, |_| {
        let axes = [(Axis::Z, 1.0), (Axis::X, 1.0), (Axis::Y, 1.0)];
        Promise { view: View { axes, ..View::IDENTITY }, ..OTHER_STORAGE }
    });
}

#[test]
fn a_shift_to_earlier_keeps_playback() {
    let edit: Edit = |clip, settings| edit::shift(clip, -0.13, settings);
    run_edit("shift to earlier", edit, |_| {
        let time = TimeMap { offset: 0.13, ..TimeMap::IDENTITY };
        Promise { time, ..OTHER_HEAD }
    });
}

#[test]
fn a_retime_keeps_playback() {
    let edit: Edit = |clip, settings| edit::retime(clip, 2.0, settings);
    run_edit("retime", edit, |_| {
        let time = TimeMap { factor: 0.5, ..TimeMap::IDENTITY };
        Promise { time, ..OTHER_HEAD }
    });
}

#[test]
fn a_reverse_keeps_playback() {
    run_edit("reverse", edit::reverse, |clip| {
        let offset = clip.effective_duration();
        let time = TimeMap { offset, factor: -1.0, duration: None };
        Promise { time, ..OTHER_HEAD }
    });
}

#[test]
fn a_reduction_keeps_playback() {
    let edit: Edit = |clip, settings| edit::reduce(clip, ReduceBounds::all(0.01), settings);
    run_edit("reduce", edit, |_| OTHER_HEAD);
}
