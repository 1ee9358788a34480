//! The exact text form of Cast.

#![cfg(feature = "text")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_cast::{Cast, CastFile};
use inbetween_core::{Format, Limits, TextForm};
use inbetween_testing::text_laws::{self, TextTrip};
use inbetween_testing::{ByteBuilder, Peak, peak::PeakAlloc, rewriter};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn pack(text: &str) -> Result<Vec<u8>, String> {
    let packed = Cast::default().pack(text.as_bytes(), &Limits::default());
    packed.map_err(|error| error.to_string())
}

fn unpack(bytes: &[u8]) -> String {
    String::from_utf8(Cast::default().unpack(bytes, &Limits::default()).unwrap()).unwrap()
}

const WAVE: &str = r#"{
  "format": "cast",
  "text_version": 1,
  "flags": 3,
  "nodes": [
    {
      "id": "root",
      "children": 1,
      "stated_size": 7,
      "hash": 18446744073709551615
    },
    {
      "id": {"hex": "616e69ff"},
      "properties": [
        {"name": "n", "type": "s", "array_length": 0, "value": "wave"},
        {"name": {"hex": "ff"}, "type": "s", "value": {"hex": "e9"}},
        {"name": "fr", "type": "f", "value": 30.0},
        {"name": "kb", "type": "h", "values": [0, 300]},
        {"name": "kv", "type": "4v", "values": []},
        {"name": "l", "type": "l", "value": 5},
        {"name": "lp", "type": "3v", "value": [-0.0, "Infinity", "NaN(0x7f800001)"]}
      ]
    }
  ],
  "trailing": "00"
}
"#;

fn wave() -> Vec<u8> {
    let property = |bytes: ByteBuilder, kind: &str, name: &[u8], count: u32| {
        let size = u16::try_from(name.len()).unwrap();
        bytes.padded_str(kind, 2).u16(size).u32(count).bytes(name)
    };
    let bytes = ByteBuilder::new().bytes("cast").u32(1).u32(1).u32(3);
    let bytes = bytes.bytes("root").u32(7).u64(u64::MAX).u32(0).u32(1);
    // The head of a node, seven of properties, their names, and 5 + 2 + 4 + 4 + 8 + 12 bytes.
    let bytes = bytes.bytes(b"ani\xff").u32(24 + 56 + 11 + 35).u64(0).u32(7).u32(0);
    let bytes = property(bytes, "s", b"n", 0).cstr("wave");
    let bytes = property(bytes, "s", b"\xff", 1).cstr(b"\xe9");
    let bytes = property(bytes, "f", b"fr", 1).f32(30.0);
    let bytes = property(bytes, "h", b"kb", 2).u16s(&[0, 300]);
    let bytes = property(bytes, "4v", b"kv", 0);
    let bytes = property(bytes, "l", b"l", 1).u64(5);
    let bytes = property(bytes, "3v", b"lp", 1).f32s(&[-0.0, f32::INFINITY]).u32(0x7f80_0001);
    bytes.u8(0).build()
}

#[test]
fn the_text_matches_the_file_exactly() {
    let _meter = Peak::begin();
    assert_eq!(unpack(&wave()), WAVE);
    assert_eq!(pack(WAVE), Ok(wave()));
}

#[test]
fn one_number_changes_only_its_bytes() {
    let _meter = Peak::begin();
    let mut expected = wave();
    let at = expected.windows(4).position(|bytes| bytes == 30.0_f32.to_le_bytes()).unwrap();
    expected[at..at + 4].copy_from_slice(&24.0_f32.to_le_bytes());
    assert_eq!(pack(&WAVE.replace("30.0", "24.0")), Ok(expected));
    assert!(text_laws::every_number_changes_only_its_bytes(&Cast::default(), &wave()) >= 6);
}

#[test]
fn every_fixture_survives_byte_for_byte() {
    let _meter = Peak::begin();
    for (name, trip) in text_laws::replay(&Cast::default(), &rewriter!(CastFile::parse), |_| true) {
        // A file of which an animation is broken has no exact model.
        let expected =
            if name.contains("-animation-of-a") { TextTrip::Refused } else { TextTrip::Same };
        assert_eq!(trip, expected, "{name}");
    }
}

#[test]
fn mistakes_are_reported_with_line_column_pointer_and_expectation() {
    let _meter = Peak::begin();
    for (from, to, expected) in [
        (
            "\"type\": \"f\"",
            "\"type\": \"x\"",
            "cast: /nodes/1/properties/2/type: expected \"b\", \"h\", \"i\", \"l\", \"f\", \"d\", \
             \"s\", \"2v\", \"3v\", \"4v\", found string \"x\" (line 17, column 32)",
        ),
        (
            "[0, 300]",
            "[0, 65536]",
            "cast: /nodes/1/properties/3/values/1: expected a whole number from 0 to 65535, found \
             integer 65536 (line 18, column 51)",
        ),
        (
            "\"children\": 1",
            "\"children\": 2",
            "cast: /nodes: expected as many nodes as root_count and children say, found 1 too few \
             (line 5, column 12)",
        ),
        (
            "\"children\": 1",
            "\"children\": 0",
            "cast: /nodes: expected no more nodes than the counts say, found one more (line 5, \
             column 12)",
        ),
        (
            "\"type\": \"f\", \"value\": 30.0",
            "\"value\": 30.0, \"type\": \"f\"",
            "cast: /nodes/1/properties/2: expected the member type before the values (line 17, \
             column 9)",
        ),
        (
            "\"value\": \"wave\"",
            "\"values\": [\"wave\"]",
            "cast: /nodes/1/properties/0: expected the member value, which is one string (line 15, \
             column 9)",
        ),
        (
            "\"id\": \"root\"",
            "\"id\": \"roots\"",
            "cast: nodes[0]: expected an id of four bytes, found 5 bytes",
        ),
        (
            "\"value\": \"wave\"",
            "\"value\": \"wa\\u0000ve\"",
            "cast: /nodes/1: the string \"wa\\u{0}ve\" cannot be written: a NUL byte ends a string \
             (line 12, column 5)",
        ),
    ] {
        let edited = WAVE.replacen(from, to, 1);
        assert_ne!(edited, WAVE, "{from}");
        assert_eq!(pack(&edited), Err(expected.to_owned()), "{edited}");
    }
}

#[test]
fn packing_and_unpacking_use_a_small_multiple_of_the_text() {
    let meter = Peak::begin();
    let text = |count: u32, nodes: String| {
        let start = "{\"format\":\"cast\",\"text_version\":1,\"root_count\":";
        format!("{start}{count},\"nodes\":[{nodes}]}}")
    };
    let many = |item: &str| vec![item; 100_000].join(",");
    let one = |property: &str| format!("{{\"id\":\"root\",\"properties\":[{property}]}}");
    let nodes = text(100_000, many("{\"id\":\"root\"}"));
    let properties = many("{\"name\":\"\",\"type\":\"b\",\"values\":[]}");
    let keys = format!("{{\"name\":\"kv\",\"type\":\"3v\",\"values\":[{}]}}", many("[0,0,0]"));
    for text in [nodes, text(1, one(&properties)), text(1, one(&keys))] {
        let pack = || Cast::default().pack(text.as_bytes(), &Limits::default());
        let (packed, peak) = meter.measure(pack);
        assert!(peak < 48 * text.len(), "{peak} bytes for {} of text", text.len());
        let packed = packed.unwrap();
        let unpack = || Cast::default().unpack(&packed, &Limits::default());
        let (unpacked, peak) = meter.measure(unpack);
        let length = unpacked.unwrap().len();
        assert!(peak < 3 * length, "{peak} bytes for {length} of text");
    }
}

#[test]
fn any_change_of_a_text_keeps_the_law() {
    let _meter = Peak::begin();
    text_laws::every_change_of_a_text(&Cast::default(), &rewriter!(CastFile::parse), WAVE);
}

#[test]
fn the_format_has_the_text_form() {
    let _meter = Peak::begin();
    assert!(Cast::default().text().is_some());
}
