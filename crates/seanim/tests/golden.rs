//! The fixtures of SEAnim against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, BlendMode, BlendOverride, Document, Interpolation, Interpolations, Property, Target,
    Track, TrackData,
};
use inbetween_seanim::Seanim;
use inbetween_testing::{documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Seanim::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Seanim::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("Unsupported", "every version that is known is read"),
        ("Missing", "a file refers to nothing outside of itself"),
        ("Limit", "the file needs a million bones or notes"),
        ("Json", "the format is binary"),
    ];
    golden::every_error_has_a_file(&Seanim::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().map(|(_, document)| document);
    let written = documents.flat_map(|document| golden::writing(&Seanim::default(), document));
    // Only a rate requested by the caller resamples.
    let resampled = documents::all()
        .into_iter()
        .flat_map(|(_, document)| golden::writing(&Seanim::default().frame_rate(10.1), document));
    let precise = golden::writing(&Seanim::default(), of_weights(vec![0.0, 1e-3], vec![0.1, 0.2]));
    let rounded = of_weights(vec![0.0, f64::from(0.1_f32)], vec![0.0, 1.0]);
    let rounded = golden::writing(&Seanim::default(), rounded);
    let shared = golden::writing(&Seanim::default(), of_one_name());
    let uneven = of_weights(vec![0.0, 0.49, 1.7], vec![0.0, 1.0, 0.0]);
    let uneven = golden::writing(&Seanim::default(), uneven);
    let extra = written.chain(uneven).chain(resampled).chain(precise).chain(rounded).chain(shared);
    golden::every_code_is_triggered(&Seanim::default(), extra);
}

/// A clip with two position tracks of one node, which become two bones of one name.
fn of_one_name() -> Document {
    let position = || {
        let data = TrackData::uniform(1.0, vec![[0.0_f32, 1.0, 0.0]]);
        Track::new(Target::new("hips", Property::Translation), data).unwrap()
    };
    let mode = BlendOverride { node: "hips".into(), mode: BlendMode::Relative };
    let clip = Animation::new(vec![position(), position()]);
    Document::single(clip.with_blend_overrides(vec![mode]))
}

/// A clip without a frame rate, with the weights of a blend shape.
fn of_weights(times: Vec<f64>, weights: Vec<f64>) -> Document {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times, weights, linear, None).unwrap();
    let target = Target::of(None, Property::Weight("smile".into()));
    let tracks = vec![Track::new(target, data).unwrap()];
    Document::single(Animation::new(tracks))
}
