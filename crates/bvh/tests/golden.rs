//! The fixtures of Bvh against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_bvh::Bvh;
use inbetween_core::{
    Animation, Document, Interpolation, Interpolations, Marker, Property, Rules, Slerp, Target,
    Track, TrackData,
};
use inbetween_testing::{documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Bvh::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Bvh::default());
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().map(|(_, document)| document);
    let without_keys = Document::single(Animation::default());
    let others = [without_keys, of_markers(), between_frames(1e-9), uneven()];
    let written = documents.chain(others);
    let findings = written.flat_map(|document| golden::writing(&Bvh::default(), document));
    golden::every_code_is_triggered(&Bvh::default(), findings);
}

/// A clip with a marker and a rate that `f32` cannot store.
fn of_markers() -> Document {
    let marker = Marker { time: 0.5, name: "step".into() };
    let clip = Animation::default().with_frame_rate(29.97).with_markers(vec![marker]);
    Document::single(clip)
}

/// A clip with a key at a distance from a frame.
fn between_frames(seconds: f64) -> Document {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(vec![0.0, 1.0 + seconds], vec![[0.0_f32; 3]; 2], linear, None);
    let track = Track::new(Target::new("hips", Property::Translation), data.unwrap()).unwrap();
    let rules = Rules::LINEAR.with_slerp(Slerp::Raw);
    Document::single(Animation::new(vec![track]).with_rules(rules).with_frame_rate(30.0))
}

/// A clip whose keys are on the frames of no rate.
fn uneven() -> Document {
    let data = TrackData::stepped(vec![0.0, 0.333, 0.667, 1.0], vec![[0.0_f32; 3]; 4]);
    let track = Track::new(Target::new("hips", Property::Translation), data.unwrap()).unwrap();
    Document::single(Animation::new(vec![track]))
}
