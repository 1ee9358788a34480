//! Compressed sections.
//!
//! The compressed data comes from other programs: the LZ4 blocks from the Python package `lz4` 4.4,
//! the LZMA streams from `pylzma` 0.5 without an end marker and from Python's `lzma` with one.

use super::{Case, DISCRETE, FLOAT3, STRING, head, named, ok, text};
use crate::ByteBuilder;

/// The compressed track: eight Discrete keys of `door`/`Position`.
fn door() -> ByteBuilder {
    let bytes = ByteBuilder::new().u8s(&[DISCRETE, FLOAT3]);
    let bytes = bytes.dotnet_string("door").dotnet_string("Position").seven_bit(8);
    bytes.each(0..8_u8, |bytes, key| bytes.f32s(&[f32::from(key) * 0.5, f32::from(key), 0.0, 1.0]))
}

/// The number of bytes of [`door`].
const DOOR: u64 = 145;

const DOOR_LZ4: &[u8] = b"\
    \xf9\x03\x01\x17\x04door\x08Position\x08\x00\x01\x00\x63\x80\x3f\x00\x00\x00\x3f\x08\x00\x12\
    \x00\x08\x00\x01\x14\x00\x11\x40\x0f\x00\xa7\x00\x80\x3f\x00\x00\xc0\x3f\x00\x00\x40\x10\x00\
    \x57\x00\x40\x00\x00\x80\x10\x00\x57\x20\x40\x00\x00\xa0\x10\x00\x57\x40\x40\x00\x00\xc0\x10\
    \x00\xe0\x60\x40\x00\x00\xe0\x40\x00\x00\x00\x00\x00\x00\x80\x3f";

const DOOR_LZ4_HIGH: &[u8] = b"\
    \xf9\x03\x01\x17\x04door\x08Position\x08\x00\x01\x00\x63\x80\x3f\x00\x00\x00\x3f\x08\x00\x03\
    \x10\x00\x01\x0c\x00\x16\x40\x10\x00\x57\xc0\x3f\x00\x00\x40\x10\x00\x00\x1c\x00\x17\x80\x10\
    \x00\x57\x20\x40\x00\x00\xa0\x10\x00\x00\x2c\x00\x17\xc0\x10\x00\xe0\x60\x40\x00\x00\xe0\x40\
    \x00\x00\x00\x00\x00\x00\x80\x3f";

/// The header that Resonite writes before a stream: lc 3, lp 0, pb 2, a dictionary of 2 MiB.
pub(super) const PROPERTIES: [u8; 5] = [0x5d, 0, 0, 0x20, 0];

pub(super) const DOOR_LZMA: &[u8] = b"\
    \x00\x00\x86\x60\xaf\x4e\xdd\x77\x6f\x60\x9a\x54\x4a\x8c\xec\x59\x53\x96\xd1\x78\x03\xb3\xd2\
    \x48\x6b\x83\x7b\x2d\x28\xb1\x03\xec\x1a\x3e\x2b\x88\x2f\x20\xa2\x56\xff\xd2\xb9\x0b\x50\xbb\
    \x7c\x24\xdf\x1a\x4c\xe0\xb7\x29\x0d\xf3\xd8";

/// The same with an end marker.
const DOOR_LZMA_MARKED: &[u8] = b"\
    \x00\x00\x86\x60\xaf\x4e\xdd\x77\x6f\x60\x9a\x54\x4a\x8c\xec\x59\x53\x96\xd1\x78\x03\xb3\xd2\
    \x48\x6b\x83\x7b\x2d\x28\xb1\x03\xec\x1a\x3e\x2b\x88\x2f\x20\xa2\x56\xff\xd2\xb9\x0b\x50\xbb\
    \x7c\x24\xdf\x1a\x4c\xe0\xb7\x29\xaf\x7c\x77\xbf\xff\xa2\x33\x00\x00";

/// The same with lc 0, lp 2, pb 1 and a dictionary of 64 KiB.
const DOOR_LZMA_OTHER: &[u8] = b"\
    \x00\x00\x85\xbe\x73\xa5\x6f\xa0\x2d\x38\x3a\x91\x8c\x83\xc6\x2f\xf3\x23\x9e\x0d\x68\xcc\xa8\
    \x3a\xc0\x09\xd7\x84\x93\xf3\x18\xe0\x78\xf3\x98\xc5\x20\x8e\xf0\xb6\x2c\x46\x97\xf3\x49\x8a\
    \x06\x34\x2b\xbf\x00\xcc\xbe\xd2\x8d\xe8\xbc\xa0";

pub(super) fn cases() -> Vec<Case> {
    let mut cases = lz4();
    cases.extend(lzma());
    cases
}

/// A compressed chunk.
pub(super) fn chunk(bytes: ByteBuilder, flags: u64, original: u64, block: &[u8]) -> ByteBuilder {
    let length = inbetween_core::num::u64_from_len(block.len());
    bytes.seven_bit(flags).seven_bit(original).seven_bit(length).bytes(block)
}

/// A chunk that is stored uncompressed.
fn stored(bytes: ByteBuilder, data: &[u8]) -> ByteBuilder {
    bytes.seven_bit(0).seven_bit(inbetween_core::num::u64_from_len(data.len())).bytes(data)
}

fn lz4() -> Vec<Case> {
    let one = || head(1, 3.5, 1);
    let door = door().build();
    let (front, back) = door.split_at(60);
    let split = stored(stored(stored(one(), front), &[]), back);
    // A second track, of a repetitive string: "ab" and then 20 bytes from two back.
    let again = [0x2e, b'a', b'b', 0x02, 0x00, 0x50, b'.', b'.', b'.', b'.', b'.'];
    let two = chunk(head(2, 3.5, 1), 1, DOOR, DOOR_LZ4);
    let value = ByteBuilder::new().u8s(&[DISCRETE, STRING]).dotnet_string("n").dotnet_string("t");
    let two = stored(two, &value.seven_bit(1).f32(0.0).u8(1).seven_bit(25).build());
    let two = chunk(two, 1, 25, &again);
    let padded = one().seven_bit_in(1, 2).seven_bit_in(DOOR, 4);
    let padded = padded.seven_bit_in(inbetween_core::num::u64_from_len(DOOR_LZ4.len()), 2);
    let trailing = stored(chunk(one(), 1, DOOR, DOOR_LZ4), b"junk");
    vec![
        ok("lz4", chunk(one(), 1, DOOR, DOOR_LZ4)),
        ok("lz4-high-compression", chunk(one(), 3, DOOR, DOOR_LZ4_HIGH)),
        ok("lz4-stored", stored(one(), &door)),
        ok("lz4-stored-in-parts", split),
        ok("lz4-chunks", two),
        ok("lz4-no-tracks", named("", 0, 0.0, 1)),
        ok("lz4-unknown-flags", chunk(one(), 0x21, DOOR, DOOR_LZ4)).reports(&["animx/lz4-flags"]),
        ok("lz4-padded-numbers", padded.bytes(DOOR_LZ4)).reports(&["animx/overlong-length"]),
        ok("lz4-trailing", trailing).reports(&["trailing-bytes"]),
    ]
}

/// The header before a stream.
pub(super) fn lzma_head(properties: [u8; 5], unpacked: i64, packed: i64) -> ByteBuilder {
    head(1, 3.5, 2).bytes(properties).i64(unpacked).i64(packed)
}

fn lzma() -> Vec<Case> {
    let length = |stream: &[u8]| i64::try_from(stream.len()).expect("a short stream");
    let door = |properties, stream: &[u8]| lzma_head(properties, 145, length(stream)).bytes(stream);
    let other = [0x3f, 0, 0, 1, 0];
    let huge = [0x5d, 0xff, 0xff, 0xff, 0xff];
    let none = named("", 0, 0.0, 2).bytes(PROPERTIES).i64(0).i64(5).zeros(5);
    let longer = lzma_head(PROPERTIES, 145, length(DOOR_LZMA)).bytes(DOOR_LZMA).bytes(b"junk");
    let values = text(ByteBuilder::new(), None).build();
    let fallback =
        ByteBuilder::new().u8s(&[DISCRETE, STRING]).dotnet_string("n").dotnet_string("t");
    let fallback = fallback.seven_bit(1).f32(0.0).bytes(values).build();
    vec![
        ok("lzma", door(PROPERTIES, DOOR_LZMA)),
        ok("lzma-end-marker", door(PROPERTIES, DOOR_LZMA_MARKED)).reports(&["animx/lzma-tail"]),
        ok("lzma-other-properties", door(other, DOOR_LZMA_OTHER)),
        ok("lzma-dictionary-of-4-gib", door(huge, DOOR_LZMA)),
        ok("lzma-no-tracks", none),
        ok("lzma-trailing", longer).reports(&["animx/compressed-size", "animx/lzma-tail"]),
        ok("lzma-that-is-lz4", chunk(head(1, 3.5, 2), 1, DOOR, DOOR_LZ4))
            .reports(&["animx/lzma-is-lz4"]),
        ok("lzma-that-is-short-lz4", stored(head(1, 0.0, 2), &fallback))
            .reports(&["animx/lzma-is-lz4"]),
    ]
}
