//! The exact text form of SEAnim.

#![cfg(feature = "text")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Format, Limits, TextForm};
use inbetween_seanim::{Seanim, SeanimFile};
use inbetween_testing::text_laws::{self, TextTrip};
use inbetween_testing::{ByteBuilder, Peak, peak::PeakAlloc, rewriter};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn pack(text: &str) -> Result<Vec<u8>, String> {
    let packed = Seanim::default().pack(text.as_bytes(), &Limits::default());
    packed.map_err(|error| error.to_string())
}

fn unpack(bytes: &[u8]) -> String {
    String::from_utf8(Seanim::default().unpack(bytes, &Limits::default()).unwrap()).unwrap()
}

const WAVE: &str = r#"{
  "format": "seanim",
  "text_version": 1,
  "anim_type": "relative",
  "anim_flags": ["looped", 4],
  "presence": ["locations", "rotations", "notes", "custom"],
  "frame_rate": 30.0,
  "frame_count": 3,
  "bones": [
    {
      "name": "tag_origin",
      "locations": [
        {"frame": 0, "value": [0.0, -0.0, 0.1]},
        {"frame": 2, "value": ["Infinity", "NaN(0xffc00001)", 1.0]}
      ],
      "rotations": []
    },
    {
      "name": {"hex": "e9"},
      "flags": 1,
      "locations": [],
      "rotations": [
        {"frame": 1, "value": [0.0, 0.0, 0.0, 1.0]}
      ]
    }
  ],
  "modifiers": [
    {"bone": 1, "anim_type": "absolute"}
  ],
  "notes": [
    {"frame": 1, "name": "sndnt#step"}
  ],
  "custom": "c0de",
  "trailing": "00"
}
"#;

fn wave() -> Vec<u8> {
    let head = ByteBuilder::new().bytes("SEAnim").u16(1).u16(28).u8s(&[2, 5, 0xc3, 0, 0, 0]);
    let head = head.f32(30.0).u32(3).u32(2).u8s(&[1, 0, 0, 0]).u32(1);
    let names = head.cstr("tag_origin").cstr([0xe9]).u8s(&[1, 0]);
    let first = names.u8(0).u8(2).u8(0).f32s(&[0.0, -0.0, 0.1]).u8(2).f32(f32::INFINITY);
    let first = first.u32(0xffc0_0001).f32(1.0).u8(0);
    let second = first.u8(1).u8(0).u8(1).u8(1).f32s(&[0.0, 0.0, 0.0, 1.0]);
    second.u8(1).cstr("sndnt#step").u32(2).u8s(&[0xc0, 0xde, 0]).build()
}

#[test]
fn the_text_matches_the_file_exactly() {
    let _meter = Peak::begin();
    assert_eq!(unpack(&wave()), WAVE);
    assert_eq!(pack(WAVE), Ok(wave()));
}

#[test]
fn one_number_changes_its_four_bytes() {
    let _meter = Peak::begin();
    // The first location: after the header, the names, the modifier, flags, count and frame.
    let at = 36 + 11 + 2 + 2 + 3;
    let mut expected = wave();
    expected[at + 8..at + 12].copy_from_slice(&0.7_f32.to_le_bytes());
    assert_eq!(pack(&WAVE.replace("-0.0, 0.1", "-0.0, 0.7")), Ok(expected));
    assert!(text_laws::every_number_changes_only_its_bytes(&Seanim::default(), &wave()) >= 10);
}

#[test]
fn every_fixture_survives_byte_for_byte() {
    let _meter = Peak::begin();
    for (name, trip) in
        text_laws::replay(&Seanim::default(), &rewriter!(SeanimFile::parse), |_| true)
    {
        assert_eq!(trip, TextTrip::Same, "{name}");
    }
}

#[test]
fn mistakes_are_reported_with_line_column_pointer_and_expectation() {
    let _meter = Peak::begin();
    for (from, to, expected) in [
        (
            "\"relative\"",
            "\"relativ\"",
            "seanim: /anim_type: expected \"absolute\", \"additive\", \"relative\", \"delta\" or \
             a number up to 255, found string \"relativ\" (line 4, column 16)",
        ),
        (
            "\"frame\": 2",
            "\"frame\": -2",
            "seanim: /bones/0/locations/1/frame: expected a whole number from 0 to 4294967295, \
             found integer -2 (line 14, column 19)",
        ),
        (
            "0.0, 0.0, 0.0, 1.0]",
            "0.0, 0.0, 1.0]",
            "seanim: /bones/1/rotations/0/value: expected an array of length 4, found 3 items \
             (line 23, column 31)",
        ),
        (
            "\"frame\": 2",
            "\"frame\": 256",
            "seanim: /bones/0/locations: frame 256 cannot be written: at most 255 fits (line 12, \
             column 20)",
        ),
        (
            "\"rotations\": []\n",
            "\"scales\": []\n",
            "seanim: /bones/0: the presence bit is set, but the bone has no such channel (line \
             10, column 5)",
        ),
        (
            "\"rotations\": []\n",
            "\"rotations\": 7\n",
            "seanim: /bones/0/rotations: expected a list of keys, found integer 7 (line 16, column 20)",
        ),
        (
            "\"bones\"",
            "\"bone_count\": 3, \"bones\"",
            "seanim: /bone_count: expected 2, as many as are listed, or no such member, found 3 \
             (line 9, column 17)",
        ),
        (
            "\"trailing\": \"00\"",
            "\"property\": [\"high_precision\"]",
            "seanim: /property: expected the member property before the member bones, found it \
             after them (line 34, column 15)",
        ),
        (
            "  \"frame_count\": 3,\n",
            "",
            "seanim: expected the member \"frame_count\", found none (line 1, column 1)",
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
    let (start, _) = WAVE.split_once("\"presence\"").unwrap();
    let text = |presence: &str, member: &str, item: &str| {
        let items = vec![item; 100_000].join(",");
        format!(
            "{start}\"presence\":[{presence}],\"frame_rate\":1,\"frame_count\":3,\
             {member}{items}"
        )
    };
    let bones = text("", "\"blocks\":\"counts\",\"bones\":[", "{\"name\":\"\"}") + "]}";
    let notes = text("\"notes\"", "\"notes\":[", "{\"frame\":0,\"name\":\"\"}") + "]}";
    let one = "\"bones\":[{\"name\":\"\",\"locations\":[";
    let keys = text("\"locations\"", one, "{\"frame\":0,\"value\":[0,0,0]}") + "]}]}";
    let keys = keys.replace("\"frame_count\":3", "\"frame_count\":100000");
    for text in [bones, notes, keys] {
        let pack = || Seanim::default().pack(text.as_bytes(), &Limits::default());
        let (packed, peak) = meter.measure(pack);
        assert!(peak < 48 * text.len(), "{peak} bytes for {} of text", text.len());
        let packed = packed.unwrap();
        let unpack = || Seanim::default().unpack(&packed, &Limits::default());
        let (unpacked, peak) = meter.measure(unpack);
        let length = unpacked.unwrap().len();
        assert!(peak < 3 * length, "{peak} bytes for {length} of text");
    }
}

#[test]
fn any_change_of_a_text_keeps_the_law() {
    let _meter = Peak::begin();
    text_laws::every_change_of_a_text(&Seanim::default(), &rewriter!(SeanimFile::parse), WAVE);
}

#[test]
fn the_format_has_the_text_form() {
    let _meter = Peak::begin();
    assert!(Seanim::default().text().is_some());
}
