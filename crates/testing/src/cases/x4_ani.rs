//! The cases of X4 .ANI: one per feature of files (`docs/formats/x4-ani.md`).

mod bad;
mod fates;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "x4-ani",
    extension: "ani",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

const STEP: u32 = 1;
const LINEAR: u32 = 2;
const BEZIER: u32 = 5;
const TCB: u32 = 7;
const TAU: f32 = core::f32::consts::TAU;

/// A header of `records` records.
fn head(records: i32) -> ByteBuilder {
    ByteBuilder::new().i32s(&[records, 16 + 160 * records, 1, 0])
}

/// A name and the leftover bytes after its NUL.
fn name(bytes: ByteBuilder, text: &str, garbage: &str) -> ByteBuilder {
    let start = bytes.offset();
    let bytes = bytes.cstr(text).bytes(garbage);
    let length = bytes.offset() - start;
    bytes.zeros(64 - length)
}

/// A record of the table, with the leftover bytes of the game's exporter if requested.
fn record(
    bytes: ByteBuilder,
    part: &str,
    subname: &str,
    counts: [i32; 5],
    duration: f32,
) -> ByteBuilder {
    let bytes = bytes.padded_str(part, 64).padded_str(subname, 64);
    bytes.i32s(&counts).f32(duration).i32s(&[0, 0])
}

/// A key with the same interpolation on all axes and no bytes after its time.
fn key(bytes: ByteBuilder, value: [f32; 3], how: u32, time: f32) -> ByteBuilder {
    bytes.f32s(&value).u32s(&[how; 3]).f32(time).zeros(100)
}

fn keys(bytes: ByteBuilder, keys: &[([f32; 3], u32, f32)]) -> ByteBuilder {
    bytes.each(keys, |bytes, &(value, how, time)| key(bytes, value, how, time))
}

/// A file of one record with only position keys.
fn positions(keys_of: &[([f32; 3], u32, f32)]) -> ByteBuilder {
    let count = i32::try_from(keys_of.len()).expect("a case has few keys");
    keys(record(head(1), "anim_door", "opening", [count, 0, 0, 0, 0], 1.0), keys_of)
}

/// A file of one record with only rotation keys.
fn rotations(keys_of: &[([f32; 3], u32, f32)]) -> ByteBuilder {
    let count = i32::try_from(keys_of.len()).expect("a case has few keys");
    keys(record(head(1), "anim_dish", "spin", [0, count, 0, 0, 0], 8.0), keys_of)
}

const TWO: [([f32; 3], u32, f32); 2] = [([0.0; 3], LINEAR, 0.0), ([1.0, 2.0, 3.0], STEP, 1.0)];

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("x4-ani", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("x4-ani", name, bytes.build())
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(interpolations());
    cases.extend(tables());
    cases.extend(names());
    cases.extend(odd());
    cases.extend(broken());
    cases.extend(bad::cases());
    cases
}

/// The keys that the modder's text shows, byte for byte, in its record of the ladder board.
fn ladder() -> ByteBuilder {
    let bytes = name(head(1), "anim_ladder_board", "ch_02");
    let bytes = name(bytes, "cockpit_opening", "ive");
    let bytes = bytes.i32s(&[1, 1, 1, 0, 0]).f32(1.0).i32s(&[0, 0]);
    let position = [f32::from_bits(0xbf42_a27c), f32::from_bits(0xbe1c_8970), 0.0];
    let bytes = bytes.f32s(&position).u32s(&[LINEAR; 3]).f32(f32::from_bits(0x3f2a_aaab));
    let bytes = bytes.zeros(32).f32s(&[0.0, -0.0, 0.0, -0.0]).zeros(52);
    let quarter = f32::from_bits(0x3fc9_0fdb);
    let bytes = bytes.f32s(&[quarter, -0.0, 0.0]).u32s(&[STEP; 3]).f32(2.0).zeros(100);
    let bytes = bytes.f32s(&[f32::from_bits(0x4055_5556), 1.0, 1.0]).u32s(&[BEZIER; 3]);
    let bytes = bytes.u32(0x3f2a_aaab);
    let bytes = bytes.u32s(&[0x3f47_152a, 0x40aa_9a48, 0x3f1c_756c, 0x4015_65b8]);
    let straight = [0x3f47_152a, 0x3f80_0000, 0x3f1c_756c, 0x3f80_0000];
    bytes.u32s(&straight).u32s(&straight).zeros(52)
}

/// A ladder that folds out with a board that slides out: the file that `docs/guides/x4-modding.md`
/// edits.
fn cockpit() -> ByteBuilder {
    let bytes = record(head(2), "anim_ladder", "cockpit_opening", [0, 2, 0, 0, 0], 1.0);
    let bytes = name(bytes, "anim_ladder_board", "ch_02");
    let bytes = bytes.padded_str("cockpit_opening", 64).i32s(&[2, 0, 0, 0, 0]).f32(1.0).zeros(8);
    let quarter = core::f32::consts::FRAC_PI_2;
    let bytes = keys(bytes, &[([0.0; 3], LINEAR, 0.0), ([quarter, 0.0, 0.0], STEP, 1.0)]);
    let bytes = bytes.f32s(&[0.0; 3]).u32s(&[BEZIER; 3]).f32(0.0);
    let bytes = bytes.f32s(&[1.0 / 3.0, -0.25, 0.0, 0.0]).zeros(32 + 52);
    let bytes = bytes.f32s(&[-0.75, 0.0, 0.0]).u32s(&[STEP; 3]).f32(1.0);
    bytes.f32s(&[0.0, 0.0, 2.0 / 3.0, -0.75]).zeros(32 + 52)
}

fn plain() -> Vec<Case> {
    let spin = [([0.0; 3], LINEAR, 0.0), ([0.0, 0.0, TAU], STEP, 8.0)];
    let five = record(head(1), "anim_all", "loop", [1, 1, 1, 1, 1], 2.0);
    let five = keys(five, &[([1.0, 2.0, 3.0], STEP, 0.0), ([0.1, 0.2, 0.3], STEP, 0.0)]);
    let five =
        keys(five, &[([1.0; 3], STEP, 0.0), ([4.0; 3], LINEAR, 0.0), ([4.0; 3], LINEAR, 0.0)]);
    let outside = [([0.0; 3], LINEAR, -0.5), ([1.0; 3], LINEAR, 0.5), ([2.0; 3], STEP, 1.5)];
    vec![
        ok("ladder-board", ladder()).reports(&["x4-ani/name-garbage", "x4-ani/last-key-handle"]),
        ok("two-positions", positions(&TWO)),
        ok("spin", rotations(&spin)),
        ok("five-groups", five).reports(&["x4-ani/pre-post-scale"]),
        ok("cockpit", cockpit()).reports(&["x4-ani/name-garbage"]),
        ok("no-records", head(0)),
        ok("keys-outside-duration", positions(&outside)).reports(&["x4-ani/time-outside-duration"]),
        ok("empty-record", record(head(1), "anim_rest", "opening", [0; 5], 0.5))
            .reports(&["x4-ani/record-empty"]),
    ]
}

/// A Bezier curve on all axes with control points at thirds of the segment.
fn bezier() -> ByteBuilder {
    let bytes = record(head(1), "anim_door", "opening", [2, 0, 0, 0, 0], 3.0);
    let first = [1.0, 0.5, 0.0, 0.0];
    let last = [3.0, 4.0, 2.0, 3.5];
    let bytes = bytes.f32s(&[0.0; 3]).u32s(&[BEZIER; 3]).f32(0.0).each(0..3, |b, _| b.f32s(&first));
    let bytes = bytes.zeros(52).f32s(&[4.0; 3]).u32s(&[BEZIER; 3]).f32(3.0);
    bytes.each(0..3, |bytes, _| bytes.f32s(&last)).zeros(52)
}

fn interpolations() -> Vec<Case> {
    let mixed = record(head(1), "anim_door", "opening", [2, 0, 0, 0, 0], 1.0);
    let mixed = mixed.f32s(&[1.0, 2.0, 3.0]).u32s(&[STEP, LINEAR, BEZIER]).f32(0.0).zeros(32);
    let mixed = mixed.f32s(&[0.333, 5.0, 0.0, 3.0]).zeros(52);
    let mixed = key(mixed, [4.0, 5.0, 6.0], STEP, 1.0);
    let zero = [([1.0; 3], 0, 0.0), ([2.0; 3], 3, 0.5), ([3.0; 3], 9, 1.0)];
    let spline = record(head(1), "anim_door", "opening", [3, 0, 0, 0, 0], 2.0);
    let spline = key(spline, [0.0; 3], TCB, 0.0);
    let spline = spline.f32s(&[1.0; 3]).u32s(&[TCB, STEP, STEP]).f32(1.0).zeros(48);
    let spline = spline.f32s(&[0.5, -0.25, 0.25, 0.0, 0.0]).zeros(32);
    let spline = key(spline, [3.0; 3], 6, 2.0);
    let two_pi = [([TAU, 0.0, 0.0], LINEAR, 0.0), ([1.0, 0.0, 0.0], STEP, 1.0)];
    vec![
        ok("bezier", bezier()),
        ok("mixed-axes", mixed),
        ok("types-that-show-zero", positions(&zero)).reports(&["x4-ani/type-shows-zero"]),
        ok("splines", spline).reports(&["x4-ani/spline-approximated", "x4-ani/key-extra"]),
        ok("starts-at-two-pi", rotations(&two_pi)).reports(&["x4-ani/starts-at-two-pi"]),
    ]
}

/// Tables of several records.
fn tables() -> Vec<Case> {
    let two = |bytes, part, subname| record(bytes, part, subname, [1, 0, 0, 0, 0], 1.0);
    let still = |bytes| key(bytes, [1.0, 0.0, 0.0], STEP, 0.0);
    let clips =
        two(two(two(head(3), "anim_a", "opening"), "anim_b", "opening"), "anim_a", "closing");
    let mixed =
        two(two(two(head(3), "anim_a", "opening"), "anim_a", "closing"), "anim_b", "OPENING");
    let twice = two(two(head(2), "anim_a", "opening"), "Anim_A", "Opening");
    let case = two(two(head(2), "anim_a", "opening"), "Anim_A", "closing");
    let long = record(two(head(2), "anim_a", "opening"), "anim_b", "opening", [1, 0, 0, 0, 0], 2.5);
    vec![
        ok("two-clips", still(still(still(clips)))),
        ok("interleaved-clips", still(still(still(mixed)))),
        ok("duplicate-record", still(still(twice))).reports(&["x4-ani/duplicate-record"]),
        ok("capitals", still(still(case))),
        ok("durations-differ", still(still(long))),
    ]
}

fn names() -> Vec<Case> {
    let full = head(1).bytes([b'n'; 64]).bytes([b's'; 64]).i32s(&[0; 5]).f32(1.0).zeros(8);
    let longest = "p".repeat(63);
    let latin = head(1).bytes(b"t\xfcr").zeros(61).padded_str("auf", 64);
    let latin = latin.i32s(&[0; 5]).f32(1.0).zeros(8);
    vec![
        ok("names-of-64-bytes", full).reports(&["x4-ani/name-not-terminated"]),
        ok("names-of-63-bytes", record(head(1), &longest, &longest, [0; 5], 1.0)),
        ok("names-not-utf8", latin).reports(&["name-encoding"]),
        ok("names-empty", record(head(1), "", "", [0; 5], 1.0)).reports(&["x4-ani/name-empty"]),
    ]
}

fn odd() -> Vec<Case> {
    let file = || positions(&TWO);
    let first = 16 + 160;
    let number = |at: usize, number: f32| file().patch(at, number.to_le_bytes());
    let nan = |at: usize| number(at, f32::NAN);
    let quiet = file().patch(first + 28, 0x7f80_0001_u32.to_le_bytes());
    let unsorted = [([1.0; 3], LINEAR, 1.0), ([0.0; 3], LINEAR, 0.0), ([2.0; 3], STEP, 0.0)];
    let pre = record(head(1), "anim_door", "opening", [0, 0, 0, 1, 0], 1.0);
    vec![
        ok("padding", file().patch(12, [7]).patch(16 + 152, [1, 0, 0, 0, 2]))
            .reports(&["reserved-not-zero"]),
        ok("trailing", file().bytes(b"junk")).reports(&["trailing-bytes"]),
        ok("value-nan", nan(first)).reports(&["number-not-finite"]),
        ok("time-nan", nan(first + 24)).reports(&["time-invalid"]),
        ok("value-infinite", number(first + 8, f32::NEG_INFINITY)).reports(&["number-not-finite"]),
        ok("time-infinite", number(first + 24, f32::INFINITY)).reports(&["time-invalid"]),
        ok("duration-infinite", number(16 + 148, f32::INFINITY)).reports(&["duration-invalid"]),
        ok("duration-nan", nan(16 + 148)).reports(&["duration-invalid"]),
        ok("control-point-nan", quiet).reports(&["number-not-finite"]),
        ok("keys-unsorted", positions(&unsorted))
            .reports(&["keys-unsorted", "times-equal"]),
        ok("derivatives", file().patch(first + 96, [1]).patch(first + 100, 1.5_f32.to_le_bytes()))
            .reports(&["x4-ani/key-extra"]),
        ok("angle-key", file().patch(first + 124, [1])).reports(&["x4-ani/angle-key"]),
        ok("pre-scale-alone", key(pre, [2.0; 3], STEP, 0.0))
            .reports(&["x4-ani/pre-post-differ", "x4-ani/pre-post-scale"]),
    ]
}

/// Files with one record whose counts are wrong. The others are read.
fn broken() -> Vec<Case> {
    let two = |clips: [&str; 2]| {
        let table = record(head(2), "anim_door", clips[0], [2, 0, 0, 0, 0], 1.0);
        let table = record(table, "anim_lamp", clips[1], [2, 0, 0, 0, 0], 1.0);
        keys(keys(table, &TWO), &TWO)
    };
    let counts = 16 + 128;
    let one = || two(["opening", "opening"]);
    vec![
        ok("one-key-count-negative", one().patch(counts, (-1_i32).to_le_bytes()))
            .reports(&["part-skipped"]),
        ok("one-key-count-max", one().patch(counts, i32::MAX.to_le_bytes()))
            .reports(&["part-skipped"]),
        ok("last-keys-cut", one().cut(16 + 320 + 3 * 128 + 60)).reports(&["part-skipped"]),
        ok("a-clip-with-wrong-counts", two(["opening", "closing"]).patch(counts, [0xff; 4]))
            .reports(&["part-skipped"]),
    ]
}
