//! Files that must be rejected.

use super::{CUSTOM, Case, Head, LOC, NOTES, ROT, SCALE, bad, head, one_bone};
use crate::ByteBuilder;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = headers();
    cases.extend(bones());
    cases.extend(keys());
    cases.extend(after_the_bones());
    cases
}

fn headers() -> Vec<Case> {
    let version = |version: u16| ByteBuilder::new().bytes(b"SEAnim").u16(version).zeros(28);
    let whole = || head(LOC, 1, 1).build();
    vec![
        bad("empty", ByteBuilder::new()),
        bad("magic-cut", whole().cut(3)),
        bad("other-magic", ByteBuilder::new().bytes(b"SEModel\x01\x00")),
        bad("another-format", ByteBuilder::new().bytes(b"cast\x01\0\0\0\x01\0\0\0\0\0\0\0")),
        bad("version-cut", whole().cut(7)),
        bad("version-0", version(0)),
        bad("version-2", version(2)),
        bad("version-max", version(u16::MAX)),
        bad("header-cut", whole().cut(20)),
        bad("header-cut-before-its-last-field", whole().cut(32)),
        bad("header-size-0", Head { size: 0, ..head(LOC, 1, 1) }.build()),
        bad("header-size-12", Head { size: 12, ..head(LOC, 1, 1) }.build()),
        bad("header-size-beyond-file", Head { size: 999, ..head(LOC, 1, 1) }.build()),
        bad("header-size-max", Head { size: u16::MAX, ..head(LOC, 1, 1) }.build()),
    ]
}

fn bones() -> Vec<Case> {
    let modifiers = |modifiers| Head { modifiers, ..head(LOC, 1, 1) }.build().cstr("a");
    // Two names and no more bytes, which are as many as two bones need at least.
    let flags = head(LOC, 1, 2).build().cstr("spine").cstr("");
    vec![
        bad("bone-count-max", head(LOC, 1, u32::MAX).build()),
        bad("bone-count-max-of-wide-frames", head(LOC | ROT | SCALE, u32::MAX, u32::MAX).build()),
        bad("name-unterminated", head(LOC, 1, 1).build().bytes(b"tag_origin")),
        bad("modifiers-cut", modifiers(9).u8(0).u8(0)),
        bad("modifier-count-max", modifiers(u8::MAX).zeros(3)),
        bad("flags-cut", flags),
    ]
}

fn keys() -> Vec<Case> {
    let bone = |presence, frames| head(presence, frames, 1).build().cstr("bone").u8(0);
    let double = Head { property: 1, ..head(LOC, 70_000, 1) }.build().cstr("bone").u8(0);
    vec![
        bad("key-count-cut", bone(LOC, 70_000).u16(1)),
        bad("key-count-beyond-file", head(LOC, 1, 1).build().cstr("a").u8(0).u8(200)),
        bad("key-count-max", bone(LOC, 70_000).u32(u32::MAX)),
        bad("key-count-max-of-doubles", double.u32(u32::MAX)),
        bad("keys-cut", one_bone(head(LOC, 11, 1)).cut(60)),
        bad("rotations-cut", bone(LOC | ROT, 2).u8(0).u8s(&[1, 0]).f32s(&[0.0; 3])),
        bad("scales-cut", bone(ROT | SCALE, 2).u8(0).u8s(&[2, 0]).f32s(&[1.0; 3])),
    ]
}

fn after_the_bones() -> Vec<Case> {
    let notes = |notes| Head { notes, ..head(NOTES, 1, 0) }.build();
    let custom = || one_bone(head(LOC | CUSTOM, 11, 1));
    vec![
        bad("note-count-max", notes(u32::MAX)),
        bad("note-cut", notes(2).u8(0).cstr("ab")),
        bad("note-unterminated", notes(1).u8(0).bytes(b"hit")),
        bad("custom-cut", custom().u8s(&[5, 0])),
        bad("custom-size-max", custom().u32(u32::MAX).bytes([1])),
    ]
}
