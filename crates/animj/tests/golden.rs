//! The fixtures of AnimJ against their goldens.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_animj::{Animj, EmptyTracks};
use inbetween_core::{
    Animation, Axis, Document, Finding, Format, Handle, Interpolation, Interpolations, LastBezier,
    Limits, Marker, Property, Rules, Tangents, Target, Track, TrackData, Values,
};
use inbetween_testing::{cases, documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Animj::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Animj::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [
        ("BadMagic", "files have no magic number"),
        ("UnexpectedEnd", "text that ends early is invalid"),
        ("UnsupportedVersion", "files have no version"),
        ("Missing", "a file refers to nothing"),
    ];
    golden::every_error_has_a_file(&Animj::default(), &never);
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = || documents::all().into_iter().map(|(_, document)| document);
    let dropping = Animj::default().empty_tracks(EmptyTracks::Drop);
    let written = documents().flat_map(|document| golden::writing(&Animj::default(), document));
    let dropped = documents().flat_map(|document| golden::writing(&dropping, document));
    let extra = written.chain(dropped).chain(golden::writing(&Animj::default(), odd()));
    golden::every_code_is_triggered(&Animj::default(), extra.chain(truncated()));
}

/// A document with the features that no other document of the tests has.
fn odd() -> Document {
    let component = Target {
        component: Some(Axis::Y),
        ..Target::new("a", Property::Custom(Some("Visible".into())))
    };
    let visible = TrackData::stepped(vec![0.0], vec![true]).unwrap();
    let taken = Target::new("a", Property::Custom(Some("Position".into())));
    let side = || Values::from(vec![[0.0_f32; 3]]);
    let unused = TrackData::curve(
        vec![0.0],
        vec![[1.0_f32; 3]],
        Interpolations::Shared(Interpolation::Linear),
        Some(Tangents::Values { left: side(), right: side() }),
    );
    // A last handle that shows, and that the values cannot hold.
    let handle = |value| vec![Handle { time: 0.0, value }];
    let shown = TrackData::curve(
        vec![0.0],
        vec![1.0_f32],
        Interpolations::Shared(Interpolation::Bezier),
        Some(Tangents::Handles { left: handle(0.0), right: handle(1e39) }),
    );
    let glow = Target::new("b", Property::Custom(Some("Glow".into())));
    let tracks = vec![
        Track::new(component, visible).unwrap(),
        Track::new(taken, unused.unwrap()).unwrap(),
        Track::new(glow, shown.unwrap()).unwrap(),
    ];
    let markers = vec![Marker { time: f64::NAN, name: "never".into() }];
    let rules = Rules::LINEAR.with_last_bezier(LastBezier::RightHandle);
    Document::single(Animation::new(tracks).with_markers(markers).with_rules(rules))
}

fn truncated() -> Vec<Finding> {
    let limits = Limits::default().with_findings(1);
    let slips = cases::of("animj").into_iter().find(|case| case.name == "many-slips").unwrap();
    Animj::default().check(&slips.bytes, &limits).unwrap()
}
