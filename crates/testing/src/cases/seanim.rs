//! The cases of SEAnim: one per feature of real files (`docs/formats/seanim.md`).

mod bad;
mod fates;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "seanim",
    extension: "seanim",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

const LOC: u8 = 0x01;
const ROT: u8 = 0x02;
const SCALE: u8 = 0x04;
const NOTES: u8 = 0x40;
const CUSTOM: u8 = 0x80;

/// The first 36 bytes of a file; fields that a case does not set are 0.
#[derive(Clone, Copy)]
struct Head {
    size: u16,
    anim_type: u8,
    flags: u8,
    presence: u8,
    property: u8,
    reserved1: [u8; 2],
    framerate: f32,
    frames: u32,
    bones: u32,
    modifiers: u8,
    reserved2: [u8; 3],
    notes: u32,
}

/// An absolute animation of `frames` frames at 30 frames per second.
fn head(presence: u8, frames: u32, bones: u32) -> Head {
    Head {
        size: 28,
        anim_type: 0,
        flags: 0,
        presence,
        property: 0,
        reserved1: [0; 2],
        framerate: 30.0,
        frames,
        bones,
        modifiers: 0,
        reserved2: [0; 3],
        notes: 0,
    }
}

impl Head {
    fn build(self) -> ByteBuilder {
        ByteBuilder::new()
            .bytes(b"SEAnim")
            .u16(1)
            .u16(self.size)
            .u8s(&[self.anim_type, self.flags, self.presence, self.property])
            .bytes(self.reserved1)
            .f32(self.framerate)
            .u32(self.frames)
            .u32(self.bones)
            .u8(self.modifiers)
            .bytes(self.reserved2)
            .u32(self.notes)
    }
}

const IDENTITY: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
/// A quarter turn about Z.
const QUARTER: [f32; 4] = [0.0, 0.0, 0.707_106_77, 0.707_106_77];

/// Keys with frames of one byte.
fn keys<const N: usize>(bytes: ByteBuilder, keys: &[(u8, [f32; N])]) -> ByteBuilder {
    let count = u8::try_from(keys.len()).expect("a case has few keys");
    bytes.u8(count).each(keys, |bytes, (frame, value)| bytes.u8(*frame).f32s(value))
}

/// A file of one bone with two locations, up to where the notes would be.
fn one_bone(head: Head) -> ByteBuilder {
    let bytes = head.build().cstr("tag_origin").u8(0);
    keys(bytes, &[(0, [0.0, 0.0, 0.0]), (10, [1.0, 2.0, 3.0])])
}

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("seanim", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("seanim", name, bytes.build())
}

pub(crate) fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(widths());
    cases.extend(blocks());
    cases.extend(programs());
    cases.extend(names());
    cases.extend(values());
    cases.extend(bad::cases());
    cases.extend(wrapped());
    cases
}

/// A walk as from an exporter: two bones, three channels, notes, looped.
fn walk() -> ByteBuilder {
    let head = Head { flags: 1, notes: 2, ..head(LOC | ROT | SCALE | NOTES, 31, 2) };
    let bytes = head.build().cstr("tag_origin").cstr("j_hip_le").u8(0);
    let bytes =
        keys(bytes, &[(0, [0.0, 0.0, 0.0]), (15, [0.0, 32.5, 1.0]), (30, [0.0, 65.0, 0.0])]);
    let bytes = keys(bytes, &[(0, IDENTITY)]);
    let bytes = keys::<3>(bytes, &[]).u8(0);
    let bytes = keys(bytes, &[(0, [4.25, 0.0, 38.0])]);
    let bytes = keys(bytes, &[(0, IDENTITY), (15, QUARTER), (30, IDENTITY)]);
    let bytes = keys(bytes, &[(0, [1.0, 1.0, 1.0])]);
    bytes.u8(7).cstr("sndnt#step_left").u8(22).cstr("sndnt#step_right")
}

fn plain() -> Vec<Case> {
    let double = Head { property: 1, anim_type: 3, ..head(LOC | ROT, 11, 1) };
    let double = double.build().cstr("tag_origin").u8(0);
    let double = double.u8(2).u8(0).f64s(&[0.0, 0.1, 0.2]).u8(10).f64s(&[1.5, -2.5, 1e300]);
    let double = double.u8(1).u8(0).f64s(&[0.0, 0.0, 0.6, 0.8]);
    let modified = Head { anim_type: 2, modifiers: 2, ..head(LOC, 11, 2) };
    let modified = modified.build().cstr("root").cstr("hand").u8s(&[0, 1, 1, 3]).u8(0);
    let modified = keys(modified, &[(0, [0.0; 3])]).u8(1);
    let modified = keys(modified, &[(0, [1.0; 3])]);
    let notes = Head { notes: 1, ..head(NOTES, 4, 0) };
    vec![
        ok("walk", walk()),
        ok("one-bone", one_bone(head(LOC, 11, 1))),
        ok("precision-high", double),
        ok("modifiers", modified),
        ok("notes-only", notes.build().u8(3).cstr("end")),
        ok("additive", one_bone(Head { anim_type: 1, ..head(LOC, 11, 1) })),
        ok("relative", one_bone(Head { anim_type: 2, ..head(LOC, 11, 1) })),
        ok("custom-block", one_bone(head(LOC | CUSTOM, 11, 1)).u32(5).bytes(b"hello")),
        ok("nothing", head(0, 0, 0).build()).reports(&["seanim/no-data-block"]),
        ok("only-custom", head(CUSTOM, 0, 0).build().u32(2).bytes([1, 2]))
            .reports(&["seanim/no-data-block"]),
    ]
}

/// Frames and bone indices of one, two and four bytes, by both rules.
fn widths() -> Vec<Case> {
    let two = head(LOC, 300, 1).build().cstr("a").u8(0).u16(2);
    let two = two.u16(0).f32s(&[0.0; 3]).u16(299).f32s(&[1.0; 3]);
    let four = head(LOC, 70_000, 1).build().cstr("a").u8(0).u32(2);
    let four = four.u32(0).f32s(&[0.0; 3]).u32(69_999).f32s(&[1.0; 3]);
    let at_256 = head(LOC, 256, 1).build().cstr("a").u8(0).u16(1).u16(255).f32s(&[1.0; 3]);
    let legacy = keys(head(LOC, 256, 1).build().cstr("a").u8(0), &[(0, [0.0; 3]), (255, [1.0; 3])]);
    let legacy_4 = head(LOC, 65_536, 1).build().cstr("a").u8(0).u16(1).u16(65_535).f32s(&[1.0; 3]);
    let notes = Head { notes: 1, ..head(NOTES, 256, 0) };
    let many = Head { modifiers: 1, ..head(ROT, 2, 256) };
    let many = many.build().each(0..256, |bytes, _| bytes.cstr("b")).u16(255).u8(3);
    let many = many.each(0..256, |bytes, _| keys::<4>(bytes.u8(0), &[]));
    vec![
        ok("frames-u16", two),
        ok("frames-u32", four),
        ok("frames-256-standard", at_256).reports(&["seanim/first-key-late"]),
        ok("legacy-256", legacy).reports(&["seanim/legacy-widths"]),
        ok("legacy-65536", legacy_4).reports(&["seanim/legacy-widths"]),
        ok("notes-256-either-width", notes.build().u16(9).cstr("x")),
        ok("bones-u16", many).reports(&["duplicate-bone", "seanim/bone-without-keys"]),
    ]
}

/// Presence bits and counts that disagree, and bytes after the last block.
fn blocks() -> Vec<Case> {
    let hidden = Head { modifiers: 1, ..head(0, 5, 2) };
    let hidden = hidden.build().cstr("a").cstr("b").u8s(&[1, 2]).u8s(&[0, 1]);
    let hidden_notes = Head { notes: 1, ..head(LOC, 11, 1) };
    let absent = Head { notes: 3, ..head(LOC, 11, 1) };
    let extra = Head { size: 32, ..head(LOC, 11, 1) };
    let extra = extra.build().bytes([0xde, 0xad, 0xbe, 0xef]).cstr("tag_origin").u8(0);
    let extra = keys(extra, &[(0, [0.0; 3])]);
    let reserved = Head {
        flags: 0x80,
        property: 0x02,
        reserved1: [1, 2],
        reserved2: [3, 4, 5],
        ..head(LOC | 0x08, 11, 1)
    };
    vec![
        ok("bones-by-count", hidden).reports(&["seanim/presence-disagrees"]),
        ok("notes-by-count", one_bone(hidden_notes).u8(4).cstr("hit"))
            .reports(&["seanim/presence-disagrees"]),
        ok("notes-counted-but-absent", one_bone(absent)).reports(&["seanim/presence-disagrees"]),
        ok("header-extra", extra).reports(&["seanim/header-extra"]),
        ok("header-size-26", one_bone(Head { size: 26, ..head(LOC, 11, 1) }))
            .reports(&["seanim/header-size-26"]),
        ok("reserved", one_bone(reserved)).reports(&["reserved-not-zero"]),
        ok("trailing", one_bone(head(LOC, 11, 1)).bytes(b"junk"))
            .reports(&["trailing-bytes"]),
        ok("custom-missing", one_bone(head(LOC | CUSTOM, 11, 1)))
            .reports(&["seanim/custom-missing"]),
    ]
}

/// Blend shapes as Greyhound appends them.
fn shapes(bytes: ByteBuilder, unused: f32) -> ByteBuilder {
    let bytes = bytes.bytes(b"SEBlend\n").u64(2).cstr("smile").cstr("blink");
    let key =
        |bytes: ByteBuilder, frame: u32, weight: f32| bytes.u32(frame).f32s(&[weight, 0.0, unused]);
    let bytes = key(key(bytes.u32(2), 0, 0.0), 10, 0.75);
    key(bytes.u32(1), 5, 1.0)
}

/// Files with the quirks of single programs.
fn programs() -> Vec<Case> {
    let greyhound = one_bone(head(LOC, 11, 1)).bytes(b"SEBlend\n").u64(0);
    let redfox = one_bone(head(LOC, 10, 1));
    let fresh = head(LOC, 11, 2).build().cstr("a").cstr("b").u8s(&[0, 3]).u8(0);
    let fresh = keys(fresh, &[(0, [0.0; 3])]).u8(0);
    let fresh = keys(fresh, &[(0, [0.0; 3])]);
    vec![
        ok("greyhound-no-shapes", greyhound),
        ok("greyhound-shapes", shapes(one_bone(head(LOC, 11, 1)), 0.0)),
        ok("shapes-padding", shapes(one_bone(head(LOC, 11, 1)), 0.5)),
        ok("shape-count-max", one_bone(head(LOC, 11, 1)).bytes(b"SEBlend\n").u64(u64::MAX))
            .reports(&["trailing-bytes"]),
        ok("shapes-cut", shapes(one_bone(head(LOC, 11, 1)), 0.0).cut(100))
            .reports(&["trailing-bytes"]),
        ok("redfox-frame-count", redfox).reports(&["seanim/frame-beyond-count"]),
        ok("frame-count-0", one_bone(head(LOC, 0, 1))).reports(&["seanim/frame-beyond-count"]),
        bad("modifier-count-0", fresh),
    ]
}

fn names() -> Vec<Case> {
    let names = head(LOC, 2, 3).build().cstr(b"j_\xb0\xa1").cstr("\u{e9}t\u{e9}").cstr("");
    let names = names.each(0..3, |bytes, _| keys(bytes.u8(0), &[(0, [0.0; 3])]));
    let twice = head(LOC, 2, 2).build().cstr("a").cstr("a").u8(0);
    let twice = keys(twice, &[(0, [1.0; 3])]).u8(0);
    let twice = keys(twice, &[(0, [2.0; 3])]);
    let wrong = Head { modifiers: 2, ..head(LOC, 2, 1) };
    let wrong = wrong.build().cstr("a").u8s(&[7, 1, 0, 9]).u8(0);
    let wrong = keys(wrong, &[(0, [0.0; 3])]);
    // The NUL of the only name is lost, so the flags byte ends it and everything is off by one
    // byte.
    let lost = head(LOC, 11, 1).build().bytes("\u{e9}").u8(0);
    let lost = keys(lost, &[(0, [0.0; 3]), (10, [1.0; 3])]);
    let notes = Head { notes: 3, ..head(NOTES, 9, 0) };
    let notes = notes.build().u8(2).cstr("a").u8(8).cstr(b"b\xff").u8(2).cstr("a");
    // Characters that reverse the text around them, have no width, or control a terminal.
    let hidden = Head { notes: 1, ..head(LOC | NOTES, 2, 2) };
    let hidden = hidden.build().cstr("arm_\u{202e}tfel").cstr("\u{200b}\u{1b}[2J").u8(0);
    let hidden = keys(hidden, &[(0, [0.0; 3])]);
    let hidden = keys::<3>(hidden.u8(0), &[]).u8(1).cstr("\u{feff}step\u{2066}");
    vec![
        ok("names-hidden", hidden).reports(&["seanim/bone-without-keys"]),
        ok("names-not-ascii", names).reports(&["name-encoding"]),
        ok("duplicate-bones", twice).reports(&["duplicate-bone"]),
        ok("modifiers-wrong", wrong).reports(&["seanim/modifier-bone", "seanim/modifier-type"]),
        ok("name-lost-nul", lost).reports(&["seanim/name-lost-nul", "seanim/bone-without-keys"]),
        ok("duplicate-notes", notes).reports(&["seanim/duplicate-note", "name-encoding"]),
    ]
}

fn values() -> Vec<Case> {
    let unsorted = head(LOC, 11, 1).build().cstr("a").u8(0);
    let unsorted = keys(unsorted, &[(5, [5.0; 3]), (0, [0.0; 3]), (0, [1.0; 3])]);
    let flags = keys(head(LOC, 2, 1).build().cstr("a").u8(5), &[(0, [0.0; 3])]);
    let nan = head(LOC | ROT, 2, 1).build().cstr("a").u8(0);
    let nan = keys(nan, &[(0, [f32::NAN, f32::INFINITY, -0.0])]);
    let nan = keys(nan, &[(0, [0.0; 4]), (1, [0.0, 0.0, 0.0, 2.0])]);
    let rate = |framerate| one_bone(Head { framerate, ..head(LOC, 11, 1) });
    let wide = Head { property: 1, ..head(LOC | ROT | SCALE, 2, 1) }.build().cstr("a").u8(0);
    let wide = wide.u8s(&[2, 0]).f64s(&[0.0, f64::NAN, 0.0]).u8(1).f64s(&[0.5; 3]);
    let wide = wide.u8s(&[2, 0]).f64s(&[0.0, 0.0, f64::INFINITY, 1.0]);
    let wide = wide.u8(1).f64s(&[0.0, 0.0, 0.0, 1.0]);
    let wide = wide.u8s(&[2, 0]).f64s(&[f64::NEG_INFINITY, 1.0, 1.0]).u8(1).f64s(&[1.0; 3]);
    let scale = head(SCALE, 2, 1).build().cstr("a").u8(0);
    let scale = keys(scale, &[(0, [1.0, 1.0, f32::NAN]), (1, [1.0; 3])]);
    let weight = one_bone(head(LOC, 11, 1)).bytes(b"SEBlend\n").u64(1).cstr(b"smil\xe9");
    let weight = weight.u32(2).u32(0).f32s(&[f32::NEG_INFINITY, 0.0, 0.0]);
    let weight = weight.u32(10).f32s(&[0.5, 0.0, 0.0]);
    vec![
        ok("unsorted-keys", unsorted).reports(&["keys-unsorted", "duplicate-frame"]),
        ok("bone-flags", flags).reports(&["seanim/bone-flags"]),
        ok("odd-values", nan).reports(&["number-not-finite", "rotation-not-unit"]),
        ok("framerate-0", rate(0.0)).reports(&["frame-rate-invalid"]),
        ok("framerate-nan", rate(f32::NAN)).reports(&["frame-rate-invalid"]),
        ok("framerate-infinite", rate(f32::INFINITY)).reports(&["frame-rate-invalid"]),
        ok("framerate-negative", rate(-30.0)).reports(&["frame-rate-invalid"]),
        ok("doubles-not-finite", wide).reports(&["number-not-finite"]),
        ok("scale-not-finite", scale).reports(&["number-not-finite"]),
        ok("shape-not-finite-and-not-utf8", weight).reports(&["number-not-finite", "name-encoding"]),
        ok("framerate-29-97", rate(29.97)).reports(&["seanim/framerate-fractional"]),
        ok("anim-type-7", one_bone(Head { anim_type: 7, ..head(LOC, 11, 1) }))
            .reports(&["seanim/unknown-anim-type"]),
    ]
}

/// 256 keys up to frame 255, counted as 0 as RedFox does.
fn wrapped() -> Vec<Case> {
    let bytes = head(LOC, 255, 1).build().cstr("a").u8(0).u8(0);
    let wrapped = bytes.each(0..=255_u8, |bytes, frame| bytes.u8(frame).f32s(&[0.0; 3]));
    let fails = head(LOC, 255, 2).build().cstr("a").cstr("b").u8(0).u8(0);
    let fails = fails.each(0..=255_u8, |bytes, frame| bytes.u8(frame ^ 0xff).f32s(&[0.1; 3]));
    let short = one_bone(head(LOC, 255, 1)).bytes(b"junk");
    vec![
        bad("wrapped-key-count", wrapped),
        bad("wrapped-key-count-fails", fails.cut(60)),
        ok("frame-count-255-trailing", short).reports(&["trailing-bytes"]),
    ]
}
