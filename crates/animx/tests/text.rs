//! The exact text form of AnimX.

#![cfg(all(feature = "lzma", feature = "text"))]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_animx::{Animx, AnimxFile};
use inbetween_core::text::Hex;
use inbetween_core::{Format, Limits, TextForm};
use inbetween_testing::text_laws::{self, TextTrip};
use inbetween_testing::{ByteBuilder, Peak, peak::PeakAlloc, rewriter};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn pack(text: &str) -> Result<Vec<u8>, String> {
    let packed = Animx::default().pack(text.as_bytes(), &Limits::default());
    packed.map_err(|error| error.to_string())
}

fn unpack(bytes: &[u8]) -> String {
    String::from_utf8(Animx::default().unpack(bytes, &Limits::default()).unwrap()).unwrap()
}

const LAMP: &str = r#"{
  "format": "animx",
  "text_version": 1,
  "version": 1,
  "global_duration": 2.0,
  "name": "lamp",
  "encoding": "plain",
  "curve_key_order": "value-first",
  "tangent_order": "left-right",
  "tracks": [
    {
      "track_type": "Raw",
      "value_type": "bool2",
      "node": "Lamp",
      "property": "On",
      "interval": 0.5,
      "values": [
        [true, false],
        255
      ]
    },
    {
      "track_type": "Discrete",
      "value_type": "string",
      "node": {"text": "Lamp", "length_padding": 1},
      "property": {"text": {"hex": "e9"}},
      "keys": [
        {"time": 0.0, "value": null},
        {"time": 0.25, "value": "on"},
        {"time": 0.5, "value": {"text": "off", "not_null": 2}}
      ]
    },
    {
      "track_type": "Curve",
      "value_type": "float",
      "node": "Lamp",
      "property": "Range",
      "tangents": true,
      "keys": [
        {"time": 0.0, "value": 1.5, "interpolation": "CubicBezier", "left": 0.0, "right": -0.0},
        {"time": 2.0, "value": "NaN(0xffc00001)", "interpolation": 7, "left": 3.0, "right": 4.0}
      ]
    }
  ]
}
"#;

fn lamp() -> Vec<u8> {
    let head = ByteBuilder::new().dotnet_string("AnimX").i32(1).u8(3).f32(2.0);
    let head = head.dotnet_string("lamp").u8(0);
    let raw = head.u8s(&[0, 1]).dotnet_string("Lamp").dotnet_string("On").u8(2);
    let raw = raw.f32(0.5).u8s(&[0b01, 0xff]);
    let texts = raw.u8s(&[1, 39]).u8s(&[0x84, 0]).bytes("Lamp").u8s(&[1, 0xe9]).u8(3);
    let texts = texts.f32(0.0).u8(0).f32(0.25).u8(1).dotnet_string("on");
    let texts = texts.f32(0.5).u8(2).dotnet_string("off");
    let curve = texts.u8s(&[2, 21]).dotnet_string("Lamp").dotnet_string("Range").u8(2);
    let keys = curve.u8(3).u8s(&[3, 7]).f32s(&[1.5, 0.0]).u32(0xffc0_0001).f32(2.0);
    keys.f32s(&[0.0, -0.0, 3.0, 4.0]).build()
}

#[test]
fn the_text_matches_the_file_exactly() {
    let _meter = Peak::begin();
    // Only the layout could be detected differently, because of the NaN among the values.
    assert_eq!(unpack(&lamp()), LAMP);
    assert_eq!(pack(LAMP), Ok(lamp()));
}

#[test]
fn one_number_changes_its_four_bytes() {
    let _meter = Peak::begin();
    let mut expected = lamp();
    let at = expected.len() - 8;
    expected[at..at + 4].copy_from_slice(&0.1_f32.to_le_bytes());
    assert_eq!(pack(&LAMP.replace("\"left\": 3.0", "\"left\": 0.1")), Ok(expected));
    assert!(text_laws::every_number_changes_only_its_bytes(&Animx::default(), &lamp()) >= 8);
}

#[test]
fn every_fixture_survives_byte_for_byte() {
    let _meter = Peak::begin();
    for (name, trip) in
        text_laws::replay(&Animx::default(), &rewriter!(AnimxFile::parse), |name| !is_packed(name))
    {
        assert_eq!(trip, TextTrip::Same, "{name}");
    }
}

/// LZMA compression takes too long to change each byte of a file.
fn is_packed(name: &str) -> bool {
    let bytes = std::fs::read(name).unwrap();
    let file = AnimxFile::parse(bytes, &Limits::default());
    file.is_ok_and(|file| file.header().encoding != inbetween_animx::Encoding::Plain)
}

#[test]
fn compressed_fixtures_keep_their_section() {
    let _meter = Peak::begin();
    let mut seen = Vec::new();
    for fixture in inbetween_testing::fixtures::of("animx") {
        let name = fixture.path.display().to_string();
        if fixture.kind == inbetween_testing::CaseKind::Ok && is_packed(&name) {
            let text = unpack(&fixture.bytes);
            let packed = pack(&text).unwrap();
            let [before, after] = [&fixture.bytes, &packed].map(|bytes| {
                let file = Animx::default().parse(bytes, &Limits::default()).unwrap();
                (*file.header(), file.section().unwrap().to_vec())
            });
            assert_eq!(before, after, "{name}");
            let rewriter = &rewriter!(AnimxFile::parse);
            let trip = text_laws::text_round_trip(&Animx::default(), rewriter, &fixture.bytes);
            assert_ne!(trip, TextTrip::Refused, "{name}");
            seen.push(name);
        }
    }
    assert!(seen.len() >= 3, "packed fixtures: {seen:?}");
}

#[test]
fn a_sealed_section_is_limited_when_decompressed() {
    let _meter = Peak::begin();
    // LZMA properties, dictionary and sizes: a claim of 1 GiB from a stream of one byte.
    let head = ByteBuilder::new().u8(0x5d).u32(1 << 20).u64(1 << 30).u64(1).u8(0).build();
    let hex = Hex(head.into());
    let (start, _) = LAMP.split_once("  \"tracks\"").unwrap();
    let sealed = format!("\"sealed\": {{\"track_count\": 1, \"bytes\": \"{hex}\"}}}}");
    let text = format!("{}{sealed}", start.replace("plain", "lzma"));
    let error = pack(&text).unwrap_err();
    assert!(error.contains("decoded bytes requested, the limit is 67108864"), "{error}");
}

#[test]
fn mistakes_are_reported_with_line_column_pointer_and_expectation() {
    let _meter = Peak::begin();
    for (from, to, expected) in [
        (
            "\"value\": 1.5",
            "\"value\": true",
            "animx: /tracks/2/keys/0/value: expected a number of 32 bits, \"Infinity\", \
             \"-Infinity\" or \"NaN(0x7fc00000)\", found true (line 40, column 32)",
        ),
        (
            "[true, false]",
            "[true]",
            "animx: /tracks/0/values/0: expected a list of 2 flags or the number of a byte, found \
             1 items (line 18, column 9)",
        ),
        (
            "\"value_type\": \"bool2\"",
            "\"value_type\": \"bool5\"",
            "animx: /tracks/0/value_type: expected the name of a value type, such as \"float3\" \
             or \"string\", found string \"bool5\" (line 13, column 21)",
        ),
        (
            "      \"value_type\": \"bool2\",\n",
            "",
            "animx: /tracks/0: expected track_type and value_type before values, found them \
             missing or after it (line 11, column 5)",
        ),
        (
            ", \"left\": 3.0",
            "",
            "animx: /tracks/2/keys: expected a member left, as in the keys before, found none \
             (line 39, column 15)",
        ),
        (
            "\"tangents\": true",
            "\"tangents\": false",
            "animx: /tracks/2: expected no left and right, since tangents is false, found them in \
             2 keys (line 33, column 5)",
        ),
        (
            "\"tangents\": true",
            "\"interval\": 1",
            "animx: /tracks/2: expected no member interval in a Curve track, found it (line 33, \
             column 5)",
        ),
        (
            "\"encoding\": \"plain\"",
            "\"encoding\": \"zip\"",
            "animx: /encoding: expected one of plain, lz4, lzma, found \"zip\" (line 7, column 15)",
        ),
        (
            "\"version\": 1",
            "\"version\": 0",
            "animx: /tracks/1: a Discrete track cannot be written: version 0 supports only Raw and \
             Curve tracks (line 22, column 5)",
        ),
    ] {
        let edited = LAMP.replacen(from, to, 1);
        assert_ne!(edited, LAMP, "{from}");
        assert_eq!(pack(&edited), Err(expected.to_owned()), "{edited}");
    }
}

#[test]
fn packing_and_unpacking_use_a_small_multiple_of_the_text() {
    let meter = Peak::begin();
    let text = |kind: &str, value: &str| {
        let (start, _) = LAMP.split_once("\"tracks\"").unwrap();
        let values = vec![value; 100_000].join(",");
        format!(
            "{start}\"tracks\":[{{\"track_type\":\"Raw\",\"value_type\":\"{kind}\",\"node\":\"\",\
             \"property\":\"\",\"interval\":0,\"values\":[{values}]}}]}}"
        )
    };
    for text in [text("double", "0"), text("string", "null"), text("bool", "1")] {
        let pack = || Animx::default().pack(text.as_bytes(), &Limits::default());
        let (packed, peak) = meter.measure(pack);
        assert!(peak < 32 * text.len(), "{peak} bytes for {} of text", text.len());
        let packed = packed.unwrap();
        let unpack = || Animx::default().unpack(&packed, &Limits::default());
        let (unpacked, peak) = meter.measure(unpack);
        let length = unpacked.unwrap().len();
        assert!(peak < 6 * length, "{peak} bytes for {length} of text");
    }
}

#[test]
fn any_change_of_a_text_keeps_the_law() {
    let _meter = Peak::begin();
    text_laws::every_change_of_a_text(&Animx::default(), &rewriter!(AnimxFile::parse), LAMP);
}

#[test]
fn the_format_has_the_text_form() {
    let _meter = Peak::begin();
    assert!(Animx::default().text().is_some());
}
