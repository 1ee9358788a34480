//! The exact text form of X4 .ANI.

#![cfg(feature = "text")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Format, Limits, TextForm};
use inbetween_testing::text_laws::{self, TextTrip};
use inbetween_testing::{ByteBuilder, Peak, peak::PeakAlloc, rewriter};
use inbetween_x4_ani::{X4ani, X4aniFile};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn pack(text: &str) -> Result<Vec<u8>, String> {
    let packed = X4ani::default().pack(text.as_bytes(), &Limits::default());
    packed.map_err(|error| error.to_string())
}

fn unpack(bytes: &[u8]) -> String {
    String::from_utf8(X4ani::default().unpack(bytes, &Limits::default()).unwrap()).unwrap()
}

/// A ring that turns once, as in the file that the description of the format uses.
const RING: &str = r#"{
  "format": "x4-ani",
  "text_version": 1,
  "records": [
    {
      "part": "anim_ring",
      "subname": "loop",
      "duration": 666.667,
      "rotations": [
        {"time": 0.0, "frame": 0.0, "value": [0.0, -0.0, 0.0], "degrees": [0.0, -0.0, 0.0], "interpolation": "linear"},
        {"time": 666.667, "frame": 20000.01, "value": [0.0, 0.0, 6.2831855], "degrees": [0.0, 0.0, 360.0], "interpolation": ["step", "linear", 9], "control_points": {"y": {"out": [0.5, 1.0], "in": [0.25, 0.0]}}, "angle_key": 1}
      ]
    }
  ],
  "trailing": "00ff"
}
"#;

fn ring() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[1, 176, 1, 0]);
    let record = head.padded_str("anim_ring", 64).padded_str("loop", 64).i32s(&[0, 2, 0, 0, 0]);
    let record = record.f32(666.667).zeros(8);
    let first = record.f32s(&[0.0, -0.0, 0.0]).u32s(&[2; 3]).zeros(4 + 48 + 52);
    let second = first.f32s(&[0.0, 0.0, 6.283_185_5]).u32s(&[1, 2, 9]).f32(666.667);
    let points = second.zeros(16).f32s(&[0.5, 1.0, 0.25, 0.0]).zeros(16 + 48).u32(1);
    points.u8s(&[0, 0xff]).build()
}

#[test]
fn a_whole_turn_is_shown_in_degrees_and_frames() {
    let _meter = Peak::begin();
    assert_eq!(unpack(&ring()), RING);
    assert_eq!(pack(RING), Ok(ring()));
}

/// The text of the ring without its helper members.
fn without_helpers() -> String {
    let without = |text: &str, from: &str, to: &str| {
        let mut parts = text.split(from);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |text, part| text + part.split_once(to).unwrap().1)
    };
    without(&without(RING, "\"frame\": ", ", "), "\"degrees\": ", "], ")
}

#[test]
fn helpers_may_be_missing() {
    let _meter = Peak::begin();
    assert!(!without_helpers().contains("frame") && !without_helpers().contains("degrees"));
    assert_eq!(pack(&without_helpers()), Ok(ring()));
    // The sign of a zero is in the value; the helper need not repeat it.
    let unsigned = RING.replace("\"degrees\": [0.0, -0.0, 0.0]", "\"degrees\": [0, 0, 0]");
    assert_eq!(pack(&unsigned), Ok(ring()));
}

#[test]
fn degrees_alone_set_the_value() {
    let _meter = Peak::begin();
    let text = RING.replace("\"value\": [0.0, 0.0, 6.2831855], ", "");
    assert_eq!(pack(&text), Ok(ring()));
    // The value of the second key: after the header, the record and the first key.
    let at = 16 + 160 + 128;
    let packed = pack(&text.replace("360.0]", "-45]")).unwrap();
    assert_eq!(packed[at + 8..at + 12], (-core::f32::consts::FRAC_PI_4).to_le_bytes());
}

#[test]
fn helpers_that_contradict_the_numbers_of_the_file_are_errors() {
    let _meter = Peak::begin();
    let key = "x4-ani: /records/0/rotations/1";
    for (from, to, expected) in [
        (
            "360.0]",
            "180.0]",
            format!(
                "{key}: expected degrees 360.0 on Z, matching value, found 180.0; remove value or \
                 degrees (line 11, column 9)"
            ),
        ),
        (
            "6.2831855]",
            "3.1415927]",
            format!(
                "{key}: expected degrees 180.0 on Z, matching value, found 360.0; remove value or \
                 degrees (line 11, column 9)"
            ),
        ),
        (
            "6.2831855]",
            "\"Infinity\"]",
            format!(
                "{key}: expected no degrees, since value has no numbers, found them; remove \
                 degrees (line 11, column 9)"
            ),
        ),
        (
            "20000.01",
            "20000.02",
            format!(
                "{key}: expected frame 20000.01, matching time, found 20000.02; change time \
                 and remove frame (line 11, column 9)"
            ),
        ),
        (
            "\"time\": 666.667",
            "\"time\": \"NaN\"",
            format!(
                "{key}: expected no frame, since time is not a number, found 20000.01; remove \
                 frame (line 11, column 9)"
            ),
        ),
        (
            "20000.01",
            "\"late\"",
            format!("{key}/frame: expected a number, found string \"late\" (line 11, column 36)"),
        ),
        (
            "20000.01",
            "null",
            format!("{key}/frame: expected a number, found null (line 11, column 36)"),
        ),
        (
            "\"value\": [0.0, 0.0, 6.2831855], \"degrees\": [0.0, 0.0, 360.0]",
            "\"degrees\": [1e300, 0.0, 360.0]",
            format!(
                "{key}: expected degrees that 32 bits can hold in radians, found 1e300 (line 11, \
                 column 9)"
            ),
        ),
        (
            "\"value\": [0.0, 0.0, 6.2831855], \"degrees\": [0.0, 0.0, 360.0], ",
            "",
            format!("{key}: expected the member \"value\", found none (line 11, column 9)"),
        ),
        (
            "\"rotations\"",
            "\"positions\"",
            "x4-ani: /records/0/positions/0: expected no degrees, which only rotations have, \
             found them (line 10, column 9)"
                .to_owned(),
        ),
    ] {
        let edited = RING.replacen(from, to, 1);
        assert_ne!(edited, RING, "{from}");
        assert_eq!(pack(&edited), Err(expected), "{edited}");
    }
}

#[test]
fn every_fixture_survives_byte_for_byte() {
    let _meter = Peak::begin();
    for (name, trip) in text_laws::replay(&X4ani::default(), &rewriter!(X4aniFile::parse), |_| true)
    {
        // A file of which a record is broken has no exact model.
        let broken = ["one-key-count", "last-keys-cut", "wrong-counts"];
        let is_broken = broken.iter().any(|part| name.contains(part));
        let expected = if is_broken { TextTrip::Refused } else { TextTrip::Same };
        assert_eq!(trip, expected, "{name}");
    }
}

#[test]
fn unusual_names_are_kept_and_shown() {
    let _meter = Peak::begin();
    let field = |name: &str, tail: &[u8]| {
        let used = name.len() + 1 + tail.len();
        ByteBuilder::new().bytes(name).u8(0).bytes(tail).zeros(64 - used).build()
    };
    let file = |part: &[u8], subname: &[u8]| {
        let head = ByteBuilder::new().i32s(&[1, 176, 1, 0]).bytes(part).bytes(subname);
        head.zeros(32).build()
    };
    let bytes = file(&field("door", &[0, 0x41, 0xff]), &[b'n'; 64]);
    let text = unpack(&bytes);
    assert!(text.contains(r#""part": {"text": "door", "tail": "0041ff"}"#), "{text}");
    let name = format!(r#""subname": {{"text": "{}", "unterminated": true}}"#, "n".repeat(64));
    assert!(text.contains(&name), "{text}");
    assert_eq!(pack(&text), Ok(bytes));
    let bytes = file(&field("", &[]), &ByteBuilder::new().u8s(&[0xe9, 0]).zeros(62).build());
    let text = unpack(&bytes);
    assert!(text.contains(r#""subname": {"text": {"hex": "e9"}}"#), "{text}");
    assert_eq!(pack(&text), Ok(bytes));
}

#[test]
fn mistakes_are_reported_with_line_column_pointer_and_expectation() {
    let _meter = Peak::begin();
    let long = "n".repeat(64);
    let key = "/records/0/rotations/1";
    for (from, to, expected) in [
        (
            "\"time\": 666.667",
            "\"time\": \"soon\"",
            format!(
                "x4-ani: {key}/time: expected a number of 32 bits, \"Infinity\", \"-Infinity\" or \
                 \"NaN(0x7fc00000)\", found \"soon\" (line 11, column 18)"
            ),
        ),
        (
            "\"time\": 666.667, ",
            "",
            format!("x4-ani: {key}: expected the member \"time\", found none (line 11, column 9)"),
        ),
        (
            "\"angle_key\": 1",
            "\"angle\": 1",
            format!(
                "x4-ani: {key}/angle: expected one of time, frame, value, degrees, interpolation, \
                 control_points, tension, continuity, bias, ease_in, ease_out, \
                 derivatives_calculated, derivative_in, derivative_out, angle_key, found the \
                 member \"angle\" (line 11, column 222)"
            ),
        ),
        (
            "\"linear\", 9]",
            "\"linera\", 9]",
            format!(
                "x4-ani: {key}/interpolation/1: expected \"unknown\", \"step\", \"linear\", \
                 \"quadratic\", \"cubic\", \"bezier\", \"bezier, linear time\", \"tcb\" or a \
                 number up to 4294967295, found string \"linera\" (line 11, column 134)"
            ),
        ),
        (
            "\"linear\", 9]",
            "9]",
            format!(
                "x4-ani: {key}/interpolation: expected an array of length 3, found 2 items (line \
                 11, column 125)"
            ),
        ),
        (
            "\"anim_ring\"",
            &format!("\"{long}\""),
            "x4-ani: /records/0/part: expected a name of at most 63 bytes, found 64 bytes (line \
             6, column 15)"
                .to_owned(),
        ),
        (
            "666.667,\n",
            "666.667\n",
            "x4-ani: /records/0: not JSON: expected `,` or `}` (line 9, column 7)".to_owned(),
        ),
        (
            "\"text_version\": 1",
            "\"text_version\": 2",
            "x4-ani: /text_version: expected 1, the version of the text form that this build \
             packs, found integer 2 (line 3, column 19)"
                .to_owned(),
        ),
        (
            "\"x4-ani\"",
            "\"seanim\"",
            "x4-ani: expected a text form of x4-ani, whose first member is \"format\", found \
             that of \"seanim\""
                .to_owned(),
        ),
        (
            "\"00ff\"",
            "\"0ff\"",
            "x4-ani: /trailing: expected a string of two hexadecimal digits for each byte, found \
             string \"0ff\" (line 15, column 15)"
                .to_owned(),
        ),
    ] {
        let edited = RING.replacen(from, to, 1);
        assert_ne!(edited, RING, "{from}");
        assert_eq!(pack(&edited), Err(expected), "{edited}");
    }
}

#[test]
fn a_truncated_text_is_rejected_or_packed() {
    let _meter = Peak::begin();
    for length in 0..RING.len() - 2 {
        assert!(pack(&RING[..length]).is_err(), "{length}");
    }
}

#[test]
fn deep_nesting_is_rejected_without_stack_overflow() {
    let _meter = Peak::begin();
    let deep = "[".repeat(200_000);
    for member in ["records", "unknown", "padding"] {
        let text = format!("{{\"format\": \"x4-ani\", \"text_version\": 1, \"{member}\": {deep}");
        assert!(pack(&text).is_err());
    }
    let helper = format!("\"frame\": {deep}{}", "]".repeat(200_000));
    assert!(pack(&RING.replace("\"frame\": 0.0", &helper)).is_err());
}

#[test]
fn packing_and_unpacking_use_a_small_multiple_of_the_text() {
    let meter = Peak::begin();
    let key = r#"{"time":0,"value":[0,0,0],"interpolation":2},"#.repeat(100_000);
    let record = r#"{"part":"","subname":"","duration":0},"#.repeat(100_000);
    let root =
        |records: &str| format!(r#"{{"format":"x4-ani","text_version":1,"records":[{records}]}}"#);
    let keys = format!("{{\"part\":\"\",\"subname\":\"\",\"duration\":0,\"scales\":[{key}");
    let keys = root(&format!("{}]}}", keys.trim_end_matches(',')));
    for text in [keys, root(record.trim_end_matches(','))] {
        let pack = || X4ani::default().pack(text.as_bytes(), &Limits::default());
        let (packed, peak) = meter.measure(pack);
        assert!(peak < 24 * text.len(), "{peak} bytes for {} of text", text.len());
        let packed = packed.unwrap();
        let unpack = || X4ani::default().unpack(&packed, &Limits::default());
        let (unpacked, peak) = meter.measure(unpack);
        let length = unpacked.unwrap().len();
        assert!(peak < 3 * length, "{peak} bytes for {length} of text");
    }
}

#[test]
fn the_limits_hold_for_texts() {
    let _meter = Peak::begin();
    let small = |limits: &Limits| {
        let packed = X4ani::default().pack(RING.as_bytes(), limits);
        packed.unwrap_err().to_string()
    };
    let items = Limits::default().with_items(0);
    assert_eq!(small(&items), "x4-ani: 1 items requested, the limit is 0");
    let decoded = Limits::default().with_decoded_bytes(100);
    let error = small(&decoded);
    assert!(
        error.starts_with("x4-ani: 434 decoded bytes requested, the limit is 100; "),
        "{error}"
    );
    let error = X4ani::default().unpack(&ring(), &decoded).unwrap_err();
    assert!(error.to_string().ends_with("bytes of text requested, the limit is 400"), "{error}");
    let input = Limits::default().with_input_bytes(10);
    assert!(small(&input).ends_with("bytes of text requested, the limit is 10"));
}

#[test]
fn any_change_of_a_text_keeps_the_law() {
    let _meter = Peak::begin();
    text_laws::every_change_of_a_text(&X4ani::default(), &rewriter!(X4aniFile::parse), RING);
}

#[test]
fn the_format_has_the_text_form() {
    let _meter = Peak::begin();
    assert!(X4ani::default().text().is_some());
}
