//! Compares the crate with `resonite-core`, which another author wrote.
//!
//! It reads and writes uncompressed files with time-first Curve keys. It reads other ids below 21
//! than it writes, so only the kinds from `float` on are used.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_animx::{Animx, AnimxFile, AnimxLayout, CurveKeyOrder, Evidence};
use inbetween_core::{
    Animation, Document, Format, Interpolation, Interpolations, Limits, Property, Quat, Strings,
    Tangents, Target, Track, TrackData, ValueKind, Values,
};
use resonite_core::animation::Animation as Theirs;

const TIME_FIRST: AnimxLayout =
    AnimxLayout { curve_key: CurveKeyOrder::TimeFirst, ..AnimxLayout::DEFAULT };

/// Writes a file from AnimJ with `resonite-core`.
fn written_by_resonite_core(text: &str) -> Vec<u8> {
    let animation: Theirs = serde_json::from_str(text).unwrap();
    let mut bytes = Vec::new();
    animation.write_animx(&mut bytes);
    bytes
}

const TEXT: &str = r#"{"name": "A", "globalDuration": 2, "tracks": [
    {"trackType": "Raw", "valueType": "float", "data": {"node": "n", "property": "p",
        "interval": 0.5, "keyframes": [1.5, -2.5, 0]}},
    {"trackType": "Discrete", "valueType": "string", "data": {"node": "n", "property": "q",
        "keyframes": [{"time": 0, "value": "one"}, {"time": 1, "value": "two"}]}},
    {"trackType": "Curve", "valueType": "float3", "data": {"node": "n", "property": "Position",
        "keyframes": [
            {"time": 0, "value": {"x": 5, "y": -1, "z": 2}, "interpolation": "Linear"},
            {"time": 1.5, "value": {"x": -3, "y": 0.25, "z": 7}, "interpolation": "Hold"}]}},
    {"trackType": "Curve", "valueType": "floatq", "data": {"node": "n", "property": "Rotation",
        "keyframes": [
            {"time": 0, "value": {"x": -0.6, "y": 0, "z": 0, "w": 0.8}, "interpolation": "Hold"},
            {"time": 2, "value": {"x": 0, "y": 0, "z": 0, "w": 1}, "interpolation": "Linear"}]}},
    {"trackType": "Curve", "valueType": "double", "data": {"node": "n", "property": "r",
        "keyframes": [
            {"time": 0.5, "value": -1, "interpolation": "Tangent",
                "leftTangent": 3, "rightTangent": 4},
            {"time": 1, "value": 2, "interpolation": "CubicBezier",
                "leftTangent": 5, "rightTangent": 6}]}},
    {"trackType": "Raw", "valueType": "color32", "data": {"node": "n", "property": "s",
        "interval": 1, "keyframes": [{"r": 1, "g": 2, "b": 3, "a": 4}]}}]}"#;

/// Checks that a file has the content of [`TEXT`].
fn document() -> Document {
    let custom = |name: &str| Property::Custom(Some(name.into()));
    let of = |property, data| Track::new(Target::new("n", property), data).unwrap();
    let curve = |times: [f64; 2], values: Values, each: [Interpolation; 2], tangents| {
        let each = Interpolations::PerKey(each.to_vec());
        TrackData::curve(times.to_vec(), values, each, tangents).unwrap()
    };
    let (hold, line) = (Interpolation::Hold, Interpolation::Linear);
    let texts: Strings = [Some("one"), Some("two")].into_iter().collect();
    let vectors = vec![[5.0_f32, -1.0, 2.0], [-3.0, 0.25, 7.0]];
    let quats = [[-0.6_f32, 0.0, 0.0, 0.8], [0.0, 0.0, 0.0, 1.0]].map(Quat::from_array).to_vec();
    let sides = Tangents::Values { left: vec![3.0, 5.0].into(), right: vec![4.0, 6.0].into() };
    let curves = [Interpolation::Hermite, Interpolation::Bezier];
    let colors = vec![inbetween_core::Color32 { r: 1, g: 2, b: 3, a: 4 }];
    let tracks = vec![
        of(custom("p"), TrackData::uniform(0.5, vec![1.5_f32, -2.5, 0.0])),
        of(custom("q"), TrackData::stepped(vec![0.0, 1.0], texts).unwrap()),
        of(Property::Translation, curve([0.0, 1.5], vectors.into(), [line, hold], None)),
        of(Property::Rotation, curve([0.0, 2.0], quats.into(), [hold, line], None)),
        of(custom("r"), curve([0.5, 1.0], vec![-1.0, 2.0].into(), curves, Some(sides))),
        of(custom("s"), TrackData::uniform(1.0, colors)),
    ];
    let clip = Animation::new(tracks).with_name("A").with_duration(2.0);
    Document::single(clip)
}

#[test]
fn a_file_of_resonite_core_is_read_as_time_first() {
    let bytes = written_by_resonite_core(TEXT);
    let file = AnimxFile::parse(&bytes, &Limits::default()).unwrap();
    assert_eq!(file.layout(), TIME_FIRST);
    assert_eq!(file.evidence(), Evidence::OtherRefuted);
    let read = Animx::default().read(&bytes, &Limits::default()).unwrap();
    assert_eq!(inbetween_testing::difference(&read.value, &document()), None);
    assert_eq!(read.findings, []);
}

#[test]
fn the_same_content_is_also_detected_as_value_first() {
    let written = Animx::default().write(document(), &Limits::default()).unwrap();
    assert_eq!(written.findings, []);
    let file = AnimxFile::parse(&written.value, &Limits::default()).unwrap();
    assert_eq!(file.layout(), AnimxLayout::DEFAULT);
    assert_eq!(file.evidence(), Evidence::OtherRefuted);
    let read = Animx::default().read(&written.value, &Limits::default()).unwrap();
    assert_eq!(inbetween_testing::difference(&read.value, &document()), None);
}

#[test]
fn resonite_core_reads_the_values_that_we_wrote() {
    let writer = Animx::default().writing_layout(TIME_FIRST);
    let ours = writer.write(document(), &Limits::default()).unwrap().value;
    let mut theirs = Vec::new();
    Theirs::from_animx(ours.as_slice()).unwrap().write_animx(&mut theirs);
    let read = Animx::default().reading_layout(TIME_FIRST).read(&theirs, &Limits::default());
    assert_eq!(inbetween_testing::difference(&read.unwrap().value, &document()), None);
}

#[test]
fn every_kind_from_float_on_survives_resonite_core() {
    for kind in ValueKind::ALL.into_iter().filter(|kind| kind.id() >= 21) {
        let size = kind.encoded_size().unwrap_or(1);
        // Two Raw keys of counting bytes, in the layout that both programs share.
        let head = inbetween_testing::ByteBuilder::new().dotnet_string("AnimX").i32(1).u8(1);
        let head = head.f32(1.0).dotnet_string("A").u8(0).u8s(&[0, kind.id()]);
        let head = head.dotnet_string("n").dotnet_string("p").u8(2).f32(0.5);
        let bytes = if kind == ValueKind::String {
            head.u8(1).dotnet_string("a").u8(1).dotnet_string("b")
        } else {
            head.each(0..2 * size, |bytes, byte| bytes.u8(u8::try_from(byte % 100).unwrap()))
        };
        let bytes = bytes.build();
        let mut theirs = Vec::new();
        Theirs::from_animx(bytes.as_slice()).unwrap().write_animx(&mut theirs);
        assert_eq!(theirs, bytes, "{kind}");
        let read = Animx::default().read(&bytes, &Limits::default()).unwrap().value;
        let ours = Animx::default().write(read, &Limits::default()).unwrap().value;
        assert_eq!(ours, bytes, "{kind}");
    }
}
