//! Files that must be rejected.

use super::packed::{DOOR_LZMA, PROPERTIES, chunk, lzma_head};
use super::{
    CURVE, Case, DISCRETE, FLOAT, FLOAT3, INT, RAW, STRING, bad, head, named, text, track,
};
use crate::ByteBuilder;

/// The value type `float4x4`.
const MATRIX: u8 = 28;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(tracks());
    cases.extend(packed());
    cases
}

fn headers() -> Vec<Case> {
    let magic = || ByteBuilder::new().dotnet_string("AnimX");
    let name = magic().i32(1).u8(0).f32(1.0).seven_bit(1 << 63);
    vec![
        bad("empty", ByteBuilder::new()),
        bad("other-magic", ByteBuilder::new().dotnet_string("AnimJ").zeros(20)),
        bad("magic-cut", magic().cut(4)),
        bad("another-format", ByteBuilder::new().bytes(b"SEAnim\x01\0\x1c\0").zeros(26)),
        bad("magic-without-its-length", ByteBuilder::new().bytes("AnimX").zeros(20)),
        bad("version-max", magic().i32(i32::MAX).zeros(20)),
        bad("track-count-cut", magic().i32(1).u8s(&[0x80, 0x80])),
        bad("duration-cut", magic().i32(1).u8(0).u8(0)),
        bad("name-length-cut", magic().i32(1).u8(0).f32(1.0).u8(0xff)),
        bad("encoding-cut", magic().i32(1).u8(0).f32(1.0).dotnet_string("a")),
        bad("encoding-255", named("a", 0, 1.0, 255)),
        bad("version-cut", magic().u8(1)),
        bad("version-2", magic().i32(2).zeros(20)),
        bad("version-negative", magic().i32(-1).zeros(20)),
        bad("track-count-too-long", magic().i32(1).u8s(&[0x80; 11]).zeros(20)),
        bad("track-count-beyond-64-bits", magic().i32(1).u8s(&[0xff; 9]).u8(2).zeros(20)),
        bad("track-count-of-2-to-the-63", head(1 << 63, 1.0, 0).zeros(20)),
        bad("track-count-beyond-file", head(3, 1.0, 0).u8s(&[1, 0, 0, 0, 0, 1, 0])),
        bad("name-of-2-to-the-63", name.zeros(20)),
        bad("name-cut", magic().i32(1).u8(0).f32(1.0).u8(9).bytes("abc")),
        bad("encoding-3", named("a", 0, 1.0, 3)),
    ]
}

fn tracks() -> Vec<Case> {
    let of_type = |track_type, id| track(head(1, 1.0, 0), track_type, id, "p", 1).zeros(40);
    let node = head(1, 1.0, 0).u8s(&[DISCRETE, INT]).seven_bit(1 << 63).zeros(20);
    let version_0 = ByteBuilder::new().dotnet_string("AnimX").i32(0).seven_bit(1).f32(1.0).u8(0);
    let curve = || track(head(1, 1.0, 0), CURVE, FLOAT, "p", 3);
    let texts = track(head(1, 1.0, 0), CURVE, STRING, "p", 2).u8s(&[0, 0]);
    let texts = text(text(texts, Some("a")).f32(0.0), Some("b"));
    let beyond = head(1, 1.0, 0).u8s(&[RAW, FLOAT, 0, 0]);
    let second = track(head(2, 1.0, 0), DISCRETE, INT, "p", 1).f32(0.0).i32(1);
    let tangents = track(head(1, 1.0, 0), CURVE, STRING, "p", 1).u8s(&[2, 0]);
    let tangents = text(tangents, Some("a")).f32(1.0);
    let length = track(head(1, 1.0, 0), RAW, STRING, "p", 1).f32(1.0).u8(1).seven_bit(1 << 63);
    vec![
        bad("value-type-cut", head(2, 1.0, 0).u8s(&[RAW, FLOAT, 0, 0, 0]).f32(1.0).u8(RAW)),
        bad("node-cut", head(1, 1.0, 0).u8s(&[RAW, FLOAT]).u8(9).bytes("abcd")),
        bad("property-cut", head(1, 1.0, 0).u8s(&[RAW, FLOAT, 0]).u8(9).bytes("abc")),
        bad("key-count-cut", head(1, 1.0, 0).u8s(&[RAW, FLOAT, 0, 0]).u8(0x80)),
        bad("key-count-beyond-64-bits", beyond.u8s(&[0xff; 9]).u8(2).zeros(20)),
        bad("raw-values-cut", track(head(1, 1.0, 0), RAW, FLOAT3, "p", 2).f32(1.0).zeros(20)),
        bad("matrices-cut", track(head(1, 1.0, 0), RAW, MATRIX, "p", 2).f32(1.0).zeros(127)),
        bad("discrete-keys-cut", track(head(1, 1.0, 0), DISCRETE, FLOAT3, "p", 2).zeros(31)),
        bad("bool-keys-cut", track(head(1, 1.0, 0), DISCRETE, 0, "p", 2).zeros(9)),
        bad("second-track-cut", track(second, DISCRETE, INT, "q", 1).f32(0.0).u8s(&[1, 2])),
        bad("interpolation-of-a-shared-curve-cut", curve().u8(0)),
        bad("text-keys-cut", track(head(1, 1.0, 0), DISCRETE, STRING, "p", 2).f32(0.0).u8(1)),
        bad("text-tangents-cut", tangents.u8(0)),
        bad("track-type-255", of_type(255, FLOAT)),
        bad("track-type-3", of_type(3, FLOAT)),
        bad("track-type-9", of_type(9, FLOAT)),
        bad("value-type-40", of_type(DISCRETE, 40)),
        bad("value-type-255", of_type(DISCRETE, 255)),
        bad("version-0-value-type-40", version_0.u8(0).u8(80).zeros(20)),
        bad("node-of-2-to-the-63", node),
        bad("key-count-of-2-to-the-63", track(head(1, 1.0, 0), DISCRETE, FLOAT3, "p", 1 << 63)),
        bad("key-count-beyond-file", track(head(1, 1.0, 0), DISCRETE, FLOAT3, "p", 9).zeros(40)),
        bad("interval-cut", track(head(1, 1.0, 0), RAW, FLOAT, "p", 1).u8(0)),
        bad("flags-cut", curve()),
        bad("interpolation-cut", curve().u8s(&[1, 0])),
        bad("curve-keys-cut", curve().u8s(&[0, 0]).zeros(20)),
        bad("tangents-cut", curve().u8s(&[2, 0]).zeros(24).zeros(20)),
        bad("texts-cut", track(head(1, 1.0, 0), RAW, STRING, "p", 9).f32(1.0).zeros(8)),
        bad("text-of-2-to-the-63", length),
        bad("texts-in-neither-order", texts),
    ]
}

fn packed() -> Vec<Case> {
    let lz4 = || head(1, 1.0, 1);
    let large = i64::MAX / 8;
    let cut = lzma_head(PROPERTIES, 145, 30).bytes(&DOOR_LZMA[..30]);
    let longer = lzma_head(PROPERTIES, 146, 57).bytes(DOOR_LZMA);
    let mut broken = DOOR_LZMA.to_vec();
    broken[20] ^= 0xff;
    let broken = lzma_head(PROPERTIES, 145, 57).bytes(broken);
    let first = lzma_head(PROPERTIES, 145, 9).bytes([9; 9]);
    vec![
        bad("lz4-flags-cut", lz4().u8(0x81)),
        bad("lz4-length-cut", lz4().u8(1)),
        bad("lz4-data-cut", lz4().u8s(&[0, 9, 1, 2])),
        bad("lz4-passes", lz4().u8s(&[0x05, 1, 1, 0])),
        bad("lz4-longer-than-original", lz4().u8s(&[1, 2, 3, 0x20, 1, 2])),
        bad("lz4-bomb", lz4().seven_bit(1).seven_bit(1 << 40).seven_bit(4).zeros(4)),
        bad("lz4-stored-bomb", lz4().seven_bit(0).seven_bit(1 << 63).zeros(4)),
        bad("lz4-block-broken", chunk(lz4(), 1, 20, &[0x1f, b'a', 9, 0, 0])),
        bad("lz4-block-short", chunk(lz4(), 1, 9, &[0x50, b'a', b'b', b'c', b'd', b'e'])),
        bad("lz4-tracks-cut", chunk(lz4(), 1, 5, &[0x50, 1, 10, 0, 0, 3])),
        bad("lzma-size-of-2-to-the-60", lzma_head(PROPERTIES, large, 57).bytes(DOOR_LZMA)),
        bad("lzma-cut", cut),
        bad("lzma-longer-than-stream", longer),
        bad("lzma-broken", broken),
        bad("lzma-tracks-cut", lzma_head(PROPERTIES, 100, 57).bytes(DOOR_LZMA)),
        bad("lzma-neither", first),
        bad("lzma-size-negative", lzma_head(PROPERTIES, -1, 57).bytes(DOOR_LZMA)),
        bad("lzma-packed-size-beyond-file", lzma_head(PROPERTIES, 145, 99).bytes(DOOR_LZMA)),
        bad("lzma-properties-of-225", lzma_head([225, 0, 0, 1, 0], 145, 57).bytes(DOOR_LZMA)),
        bad("lzma-nothing", head(1, 1.0, 2)),
    ]
}
