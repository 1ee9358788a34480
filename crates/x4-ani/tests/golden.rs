//! The fixtures of X4 .ANI against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Document, Finding, Interpolation, Interpolations, Limits, Property, Target, Track,
    TrackData,
};
use inbetween_testing::{documents, golden};
use inbetween_x4_ani::{RecordPart, X4ani, X4aniFile, X4aniName, X4aniParts, lint};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&X4ani::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&X4ani::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("BadMagic", "files have no magic number"),
        ("Unsupported", "every key is read"),
        ("Missing", "a file refers to nothing"),
        ("Limit", "the file needs a million records"),
        ("Json", "the format is binary"),
    ];
    golden::every_error_has_a_file(&X4ani::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().map(|(_, document)| document);
    let written = documents.flat_map(|document| golden::writing(&X4ani::default(), document));
    golden::every_code_is_triggered(
        &X4ani::default(),
        written.chain(empty_scale()).chain(component()),
    );
}

/// Returns the findings of writing a node with positions and a scale without keys.
fn empty_scale() -> Vec<Finding> {
    let linear = || Interpolations::Shared(Interpolation::Linear);
    let keys = TrackData::curve(vec![0.0], vec![[1.0_f32; 3]], linear(), None).unwrap();
    let none = TrackData::curve(vec![], Vec::<[f32; 3]>::new(), linear(), None).unwrap();
    let tracks = vec![
        Track::new(Target::new("a", Property::Translation), keys).unwrap(),
        Track::new(Target::new("a", Property::Scale), none).unwrap(),
    ];
    let clip = Animation::new(tracks).with_name("open");
    golden::writing(&X4ani::default(), Document::single(clip))
}

/// Returns the findings of comparing a file with a component.
fn component() -> Vec<Finding> {
    let record = |part: &str, subname: &str| RecordPart {
        part: X4aniName::new(part).unwrap(),
        subname: X4aniName::new(subname).unwrap(),
        duration: 9.0,
        ..RecordPart::default()
    };
    let records = vec![record("a", "open"), record("a", "close"), record("b", "open")];
    let parts = X4aniParts { records, ..X4aniParts::default() };
    let component =
        b"<components><connection name=\"x\"><animation name=\"open\" start=\"1\" end=\"2\"/>\
        <animation name=\"loop\"/><part name=\"a\"/></connection></components>";
    lint(&X4aniFile::from_parts(&parts).unwrap(), component, &Limits::default()).unwrap()
}
