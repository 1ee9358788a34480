//! Tests of the examples.

#![cfg(all(feature = "animj", feature = "seanim"))]
#![expect(dead_code, reason = "the examples have a main of their own")]

use inbetween::core::Confidence;
use inbetween::{Hint, Registry, TrackData};

#[path = "../examples/convert.rs"]
mod convert;
#[path = "../examples/own_document.rs"]
mod own_document;
#[path = "../examples/own_format.rs"]
mod own_format;
#[path = "../examples/read_any.rs"]
mod read_any;

/// The tracks with the interpolation and the values that a file must keep.
fn keys(data: &TrackData) -> Vec<(Option<f64>, Option<inbetween::Value>)> {
    (0..data.len()).map(|key| (data.time(key), data.value(key))).collect()
}

#[test]
fn a_document_made_in_memory_reads_back_from_both_formats() {
    let made = own_document::door().unwrap();
    let files = own_document::write_to_both().unwrap();
    assert_eq!(files.len(), 2);
    for (name, bytes, _) in files {
        let read = inbetween::read(&bytes).unwrap().value;
        let (made, read) = (&made.clips[0], &read.clips[0]);
        for track in &made.tracks {
            let found = read.tracks.iter().find(|found| found.target() == track.target());
            let found = found.unwrap_or_else(|| panic!("{name} keeps {:?}", track.target()));
            assert_eq!(keys(found.data()), keys(track.data()), "{name}");
        }
        assert_eq!(read.markers, made.markers, "{name}");
        assert_eq!(read.effective_duration(), 1.0, "{name}");
    }
}

#[test]
fn seanim_keeps_the_frame_rate_and_animj_reports_that_it_cannot() {
    for (name, bytes, findings) in own_document::write_to_both().unwrap() {
        let read = inbetween::read(&bytes).unwrap().value;
        let kept = read.clips[0].frame_rate == Some(30.0);
        let reported = findings.iter().any(|loss| loss.code.id() == "convert/frame-rate-dropped");
        assert_eq!((kept, reported), (name == "SEAnim", name == "AnimJ"), "{name}");
    }
}

#[test]
fn a_custom_format_works_next_to_the_built_in_ones() {
    let registry = Registry::with_builtin().push(Box::new(own_format::Steps));
    let bytes = b"steps\n0 1\n0.5 -2\n";
    let found = registry.detect(bytes, &Hint::default()).unwrap();
    assert_eq!((found.format.info().id, found.confidence), ("steps", Confidence::Certain));
    let to = registry.by_id("animj").unwrap();
    let converted = registry.convert(bytes, &Hint::default(), to).unwrap();
    let back = registry.convert(&converted.bytes, &Hint::default(), found.format).unwrap();
    assert_eq!(back.bytes, bytes);
    let error = registry.read(b"steps\n0 1\nx\n", &Hint::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "steps: expected a time and a value, found something else (line 3, column 1)"
    );
}

#[test]
fn files_are_described_and_converted() {
    // A folder of its own, so that two runs of the tests do not write the same files.
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, _) in own_document::write_to_both().unwrap() {
        let to = if name == "AnimJ" { "seanim" } else { "animj" };
        let old = folder.path().join(format!("door.{}", name.to_lowercase()));
        let new = folder.path().join(format!("from-{name}.{to}"));
        std::fs::write(&old, bytes).unwrap();
        convert::convert(&old, &new).unwrap();
        for path in [old, new] {
            let text = read_any::describe(&path).unwrap();
            assert!(text.contains("door Rotation: 2 keys of floatQ\n"), "{text}");
            assert!(text.contains("latch Position: 2 keys of float3\n"), "{text}");
        }
    }
}
