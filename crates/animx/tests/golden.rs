//! The fixtures of AnimX against their goldens.

#![cfg(feature = "lzma")]
#![expect(clippy::expect_used, reason = "a test may end where it fails")]

use inbetween_animx::{Animx, AnimxLayout, CurveKeyOrder, EmptyTracks};
use inbetween_core::{
    Animation, Axis, Document, Format, Handle, Interpolation, Interpolations, Limits, Property,
    Strings, Tangents, Target, Track, TrackData, ValueKind, Values,
};
use inbetween_testing::{ByteBuilder, documents, golden};

#[test]
fn fixtures_match_their_goldens() {
    golden::golden(&Animx::default());
}

#[test]
fn format_info_is_consistent() {
    golden::info_is_consistent(&Animx::default());
}

#[test]
fn every_error_has_a_file() {
    let never = [("Missing", "a file refers to nothing"), ("Json", "the format is binary")];
    golden::every_error_has_a_file(&Animx::default(), &never);
}

fn custom(name: &str, component: Option<Axis>, data: TrackData) -> Document {
    let property = Property::Custom(Some(name.into()));
    let target = Target { component, ..Target::new("node", property) };
    let tracks = vec![Track::new(target, data).expect("any values")];
    Document::single(Animation::new(tracks).with_duration(1.0))
}

fn linear(times: Vec<f64>, values: impl Into<Values>, tangents: Option<Tangents>) -> TrackData {
    let linear = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times, values, linear, tangents).expect("a curve")
}

/// A curve whose values look like times and whose times look like values.
fn misleading() -> Document {
    custom("Float", None, linear(vec![5.0, 6.0], vec![0.0_f32, 1.0], None))
}

/// Documents for codes that no file triggers.
fn unusual() -> [Document; 4] {
    let vectors = || linear(vec![0.0], vec![[-1.0_f32; 3]], None);
    let handles = Vec::<Handle>::new();
    let handles = Tangents::Handles { left: handles.clone(), right: handles };
    [
        misleading(),
        custom("Position", None, vectors()),
        custom("Flags", Some(Axis::Y), TrackData::uniform(1.0, vec![true])),
        custom("Float", None, linear(Vec::new(), Vec::<f32>::new(), Some(handles))),
    ]
}

#[test]
fn every_code_has_a_file_or_a_document_that_triggers_it() {
    let documents = documents::all().into_iter().map(|(_, document)| document);
    let written = documents.chain(unusual());
    let written = written.flat_map(|document| golden::writing(&Animx::default(), document));
    let dropping = Animx::default().empty_tracks(EmptyTracks::Drop);
    let empty = custom("Float", None, TrackData::empty(ValueKind::Float));
    let dropped = golden::writing(&dropping, empty);
    golden::every_code_is_triggered(&Animx::default(), written.chain(dropped));
}

#[test]
fn writing_a_file_that_detection_would_misread_warns() {
    let warns = |format: &Animx| {
        let findings = golden::writing(format, misleading());
        findings.iter().any(|finding| finding.code.id() == "animx/layout-misleads")
    };
    let time_first = AnimxLayout { curve_key: CurveKeyOrder::TimeFirst, ..AnimxLayout::DEFAULT };
    assert!(warns(&Animx::default()));
    assert!(!warns(&Animx::default().layout(AnimxLayout::DEFAULT)));
    assert!(warns(&Animx::default().reading_layout(time_first)));
}

#[test]
fn a_warning_about_detection_is_given_exactly_if_detection_fails() {
    let floats = |times: [f64; 2], values: [f32; 2]| linear(times.to_vec(), values.to_vec(), None);
    let texts =
        |times: [f64; 2]| linear(times.to_vec(), Strings::from_iter([Some("a"), Some("b")]), None);
    let possible = || floats([5.0, 6.0], [0.0, 1.0]);
    let refuting = || floats([0.0, 1.0], [1.0, 0.0]);
    let lists = [
        vec![possible(), possible()],
        vec![possible(), refuting()],
        vec![possible(), texts([5.0, 6.0])],
        vec![possible(), texts([0.0, 0.5]), refuting()],
        vec![refuting(), texts([5.0, 6.0]), possible()],
        vec![TrackData::stepped(vec![5.0], vec![0.0_f32]).expect("a track"), possible()],
    ];
    let mut warned = Vec::new();
    for tracks in lists {
        let property = || Property::Custom(Some("Float".into()));
        let track = |data| Track::new(Target::new("node", property()), data).expect("any values");
        let clip = Animation::new(tracks.into_iter().map(track).collect()).with_duration(1.0);
        let limits = Limits::default();
        let written = Animx::default().write(Document::single(clip), &limits).expect("a file");
        let warns =
            written.findings.iter().any(|finding| finding.code.id() == "animx/layout-misleads");
        let read = Animx::default().inspect(&written.value, &limits).expect("a file").layout;
        assert_eq!(warns, !read.starts_with("value-first"), "{read}");
        warned.push(warns);
    }
    assert_eq!(warned, [true, false, true, false, false, true]);
}

#[test]
fn a_check_reports_tangents_that_are_not_finite_if_a_segment_uses_them() {
    let codes = |interpolation: u8| {
        let bytes = ByteBuilder::new().dotnet_string("AnimX").i32(1).u8(1).f32(1.0).u8s(&[0, 0]);
        // A Curve track of floats with tangents and one interpolation for all of its two keys.
        let bytes = bytes.u8s(&[2, 21, 0, 0, 2, 2, interpolation]).f32s(&[-1.0, 0.0, 1.0, 1.0]);
        let bytes = bytes.f32s(&[0.0, f32::NAN, f32::INFINITY, 0.0]).build();
        let findings = Animx::default().check(&bytes, &Limits::default()).expect("it is read");
        findings.iter().map(|finding| finding.code.id()).collect::<Vec<_>>()
    };
    assert_eq!(codes(2), ["number-not-finite"]);
    assert!(!codes(1).contains(&"number-not-finite"));
}
