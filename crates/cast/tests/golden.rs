//! The fixtures of Cast against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_cast::{Cast, Store};
use inbetween_core::{
    Animation, Document, Interpolation, Interpolations, Marker, Property, Target, Track, TrackData,
};
use inbetween_testing::{documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Cast::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Cast::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("UnsupportedVersion", "every version is read, and a check reports it"),
        ("Unsupported", "the file needs 4,294,967,295 nodes"),
        ("Missing", "a broken reference is a finding"),
        ("Json", "the format is binary"),
    ];
    golden::every_error_has_a_file(&Cast::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = || documents::all().into_iter().map(|(_, document)| document);
    let written = documents().flat_map(|document| golden::writing(&Cast::default(), document));
    // Only a rate requested by the caller resamples.
    let resampled = documents()
        .flat_map(|document| golden::writing(&Cast::default().frame_rate(10.1), document));
    let closed = documents()
        .flat_map(|document| golden::writing(&Cast::default().with_end(Store::Keep), document));
    let rounded = of_weights(vec![0.0, f64::from(0.1_f32)], vec![0.0, 1.0]);
    let rounded = golden::writing(&Cast::default(), rounded);
    let reordered = golden::writing(&Cast::default(), of_markers(&["b", "a", "b"]));
    let uneven = of_weights(vec![0.0, 0.49, 1.7], vec![0.0, 1.0, 0.0]);
    let uneven = golden::writing(&Cast::default(), uneven);
    let extra =
        written.chain(uneven).chain(reordered).chain(resampled).chain(closed).chain(rounded);
    golden::every_code_is_triggered(&Cast::default(), extra);
}

/// A clip of markers at 0, 1 and 1 seconds.
fn of_markers(names: &[&str]) -> Document {
    let times = [0.0, 1.0, 1.0];
    let marker = |(name, time): (&&str, f64)| Marker { time, name: (*name).into() };
    let markers = names.iter().zip(times).map(marker).collect();
    Document::single(Animation::default().with_frame_rate(30.0).with_markers(markers))
}

/// A clip without a frame rate, with the weights of a blend shape.
fn of_weights(times: Vec<f64>, weights: Vec<f64>) -> Document {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, weights, linear, None).unwrap();
    let target = Target::of(None, Property::Weight("smile".into()));
    let tracks = vec![Track::new(target, data).unwrap()];
    Document::single(Animation::new(tracks))
}
