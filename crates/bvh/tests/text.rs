//! The exact text form of Bvh.

#![cfg(feature = "text")]

use inbetween_bvh::{Bvh, BvhFile};
use inbetween_core::{Format, Limits, TextForm};
use inbetween_testing::text_laws::{self, TextTrip};
use inbetween_testing::{ByteBuilder, Peak, peak::PeakAlloc, rewriter};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn pack(text: &str) -> Result<Vec<u8>, String> {
    let packed = Bvh::default().pack(text.as_bytes(), &Limits::default());
    packed.map_err(|error| error.to_string())
}

const NOD: &str = r#"{
  "format": "bvh",
  "text_version": 1,
  "frame_rate": 30.0,
  "duration": 0.5,
  "tracks": [
    {
      "name": "head",
      "rotations": [
        {"frame": 0, "value": [0.0, 0.0, 0.0, 1.0]},
        {"frame": 15, "value": [-0.0, "Infinity", "NaN(0xffc00001)", 0.1]}
      ]
    },
    {
      "name": "",
      "scales": []
    }
  ],
  "trailing": "c0de"
}
"#;

#[test]
fn the_text_is_the_documented_one() {
    let head = ByteBuilder::new().bytes(b"BVH0").u16(1).u16(0).f32(30.0).f64(0.5).u32(2);
    let first = head.cstr("head").u8(1).u32(2).u32(0).f32s(&[0.0, 0.0, 0.0, 1.0]).u32(15);
    let first = first.f32s(&[-0.0, f32::INFINITY, f32::from_bits(0xffc0_0001), 0.1]);
    let bytes = first.cstr("").u8(2).u32(0).bytes([0xc0, 0xde]).build();
    let text = Bvh::default().unpack(&bytes, &Limits::default()).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), NOD);
    assert_eq!(pack(NOD), Ok(bytes));
}

#[test]
fn fixtures_survive_their_text_form() {
    let trips = text_laws::replay(&Bvh::default(), &rewriter!(BvhFile::parse), |_| true);
    assert!(trips.iter().all(|(_, trip)| *trip == TextTrip::Same), "{trips:?}");
}

#[test]
fn mistakes_are_reported_with_their_place() {
    for (from, to, expected) in [
        (
            "\"frame\": 15",
            "\"frame\": -2",
            "bvh: /tracks/0/rotations/1/frame: expected a whole number from 0 to 4294967295, \
             found integer -2 (line 11, column 19)",
        ),
        (
            "0.0, 0.0, 0.0, 1.0]",
            "0.0, 0.0, 1.0]",
            "bvh: /tracks/0/rotations/0/value: expected an array of length 4, found 3 items \
             (line 10, column 31)",
        ),
        (
            "\"scales\": []",
            "\"scales\": [], \"rotations\": []",
            "bvh: /tracks/1: a track has exactly one list of keys (line 14, column 5)",
        ),
    ] {
        let edited = NOD.replacen(from, to, 1);
        assert_ne!(edited, NOD, "{from}");
        assert_eq!(pack(&edited), Err(expected.to_owned()), "{edited}");
    }
}

#[test]
fn packing_and_unpacking_use_a_small_multiple_of_the_text() {
    let meter = Peak::begin();
    let (start, _) = NOD.split_once("\"tracks\"").unwrap();
    let list = |item: &str| vec![item; 100_000].join(",");
    let tracks = list("{\"name\":\"\",\"scales\":[]}");
    let keys = list("{\"frame\":0,\"value\":[0,0,0]}");
    for tracks in [tracks, format!("{{\"name\":\"\",\"scales\":[{keys}]}}")] {
        let text = format!("{start}\"tracks\":[{tracks}]}}");
        let (packed, peak) =
            meter.measure(|| Bvh::default().pack(text.as_bytes(), &Limits::default()));
        assert!(peak < 48 * text.len(), "{peak} bytes for {} of text", text.len());
        let packed = packed.unwrap();
        let (unpacked, peak) = meter.measure(|| Bvh::default().unpack(&packed, &Limits::default()));
        let length = unpacked.unwrap().len();
        assert!(peak < 3 * length, "{peak} bytes for {length} of text");
    }
}

#[test]
fn any_change_of_a_text_keeps_the_law() {
    text_laws::every_change_of_a_text(&Bvh::default(), &rewriter!(BvhFile::parse), NOD);
}

#[test]
fn the_format_has_the_text_form() {
    assert!(Bvh::default().text().is_some());
}
