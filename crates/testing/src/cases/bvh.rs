//! The cases of Bvh: one per feature of files (`docs/formats/bvh.md`).

mod fates;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases =
    FormatCases { id: "bvh", extension: "bvh", cases, stores: fates::stores, fates: fates::FATES };

const TRANSLATION: u8 = 0;
const ROTATION: u8 = 1;
const SCALE: u8 = 2;

/// A header at 30 frames per second.
fn head(duration: f64, tracks: u32) -> ByteBuilder {
    ByteBuilder::new().bytes(b"BVH0").u16(1).u16(0).f32(30.0).f64(duration).u32(tracks)
}

fn track<const N: usize>(
    bytes: ByteBuilder,
    name: &str,
    channel: u8,
    keys: &[(u32, [f32; N])],
) -> ByteBuilder {
    let count = u32::try_from(keys.len()).expect("a case has few keys");
    let bytes = bytes.cstr(name).u8(channel).u32(count);
    bytes.each(keys, |bytes, (frame, value)| bytes.u32(*frame).f32s(value))
}

/// A file with one track of two translations.
fn one_track() -> ByteBuilder {
    let keys = [(0, [0.0; 3]), (30, [1.0, 2.0, 3.0])];
    track(head(1.0, 1), "root", TRANSLATION, &keys)
}

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("bvh", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("bvh", name, bytes.build())
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(odd());
    cases.extend(refused());
    cases
}

/// Files as an exporter writes them.
fn plain() -> Vec<Case> {
    let turn = [(0, [0.0, 0.0, 0.0, 1.0]), (30, [0.0, 0.0, 1.0, 0.0])];
    let walk = track(head(1.0, 3), "hips", TRANSLATION, &[(0, [0.0; 3]), (30, [0.0, 1.0, 0.0])]);
    let walk = track(track(walk, "hips", ROTATION, &turn), "head", SCALE, &[(0, [1.0; 3])]);
    vec![
        ok("walk", walk),
        ok("one-track", one_track()),
        ok("no-tracks", head(0.0, 0)),
        ok("no-keys", track::<3>(head(1.0, 1), "root", TRANSLATION, &[])),
    ]
}

/// Files with unusual content.
fn odd() -> Vec<Case> {
    let unsorted = [(30, [1.0; 3]), (0, [0.0; 3])];
    let nan = [(0, [f32::NAN, f32::INFINITY, -0.0])];
    vec![
        ok("reserved", one_track().patch(6, [7, 0])).reports(&["reserved-not-zero"]),
        ok("rate-0", one_track().patch(8, [0; 4])).reports(&["frame-rate-invalid"]),
        ok("unsorted", track(head(1.0, 1), "root", TRANSLATION, &unsorted))
            .reports(&["keys-unsorted"]),
        ok("trailing", one_track().bytes("junk")).reports(&["trailing-bytes"]),
        ok("early-end", track(head(0.5, 1), "root", SCALE, &unsorted)),
        ok("negative-duration", head(-1.0, 0)),
        ok("odd-values", track(head(0.0, 1), "root", TRANSLATION, &nan)),
    ]
}

/// Files that the reader rejects.
fn refused() -> Vec<Case> {
    vec![
        bad("empty", ByteBuilder::new()),
        bad("version-2", one_track().patch(4, [2])),
        bad("truncated", one_track().cut(40)),
        bad("too-many-tracks", one_track().patch(20, [0xff; 4])),
        bad("unknown-channel", track(head(1.0, 1), "root", 3, &[(0, [0.0; 3])])),
        bad("name-not-utf8", head(1.0, 1).cstr(b"\xe9").u8(0).u32(0)),
    ]
}
