//! Files that must be rejected.

use super::{Case, SIX, THREE, bad, one, root};
use crate::ByteBuilder;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = starts();
    cases.extend(braces());
    cases.extend(offsets());
    cases.extend(channels());
    cases.extend(ends());
    cases
}

fn text(text: &str) -> ByteBuilder {
    ByteBuilder::new().bytes(text)
}

fn starts() -> Vec<Case> {
    let utf16: Vec<u8> = "\u{feff}HIERARCHY".encode_utf16().flat_map(u16::to_le_bytes).collect();
    vec![
        bad("empty", ByteBuilder::new()),
        bad("blank", text(" \r\n\t")),
        bad("start-cut", text("HIERAR")),
        bad("other-start", text("HIERARCHIES\n")),
        bad("another-format", text("{\"asset\": {\"version\": \"2.0\"}}")),
        bad("motion-first", text("MOTION\nFrames: 1\nFrame Time: 0.1\n")),
        bad("binary", ByteBuilder::new().bytes(b"Kaydara FBX Binary  \0")),
        bad("utf-16", ByteBuilder::new().bytes(utf16)),
        bad("not-utf8", text("HIERARCHY\nROOT ").u8(0xe9).bytes("\n{\n}\n")),
        bad("not-utf8-in-the-rows", one("1", "0 0 0 0 0 ").u8(0xff).bytes("\n")),
    ]
}

fn braces() -> Vec<Case> {
    vec![
        bad("brace-missing", text("HIERARCHY\nROOT hips\nOFFSET 0 0 0\n}\n")),
        bad("brace-not-closed", text("HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\n")),
        bad("brace-too-many", root("OFFSET 0 0 0\n}")),
        bad("joint-first", text("HIERARCHY\nJOINT hips\n{\nOFFSET 0 0 0\n}\n")),
        bad("joint-after-the-root", root("OFFSET 0 0 0\n}\nJOINT a\n{")),
        bad("joint-not-closed", root("OFFSET 0 0 0\nJOINT a\n{").bytes("MOTION\nFrames: 0\n")),
        bad("joint-in-end-site", root("OFFSET 0 0 0\nEnd Site\n{\nJOINT a\n{\n}\n}")),
        bad("channels-in-end-site", root(&format!("OFFSET 0 0 0\nEnd Site\n{{\n{THREE}\n}}"))),
        bad("root-in-root", root("OFFSET 0 0 0\nROOT a\n{\n}")),
        bad("word-unknown", root("OFFSET 0 0 0\nSCALE 1 1 1")),
        bad("motion-in-root", text("HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nMOTION\nFrames: 0\n")),
    ]
}

fn offsets() -> Vec<Case> {
    vec![
        bad("offset-text", root("OFFSET 0 y 0")),
        bad("offset-short", root("OFFSET 0 0")),
        bad("offset-long", root("OFFSET 0 0 0 0")),
        bad("offset-of-two-commas", root("OFFSET 0 1,000,5 0")),
        bad("offset-of-an-end-site-text", root("OFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 y 0\n}")),
    ]
}

fn channels() -> Vec<Case> {
    let of = |channels: &str| root(&format!("OFFSET 0 0 0\n{channels}"));
    vec![
        bad("channel-unknown", of("CHANNELS 3 Zrotation Xrotation Wrotation")),
        bad("channels-without-a-number", of("CHANNELS Zrotation")),
        bad("channel-count-negative", of("CHANNELS -1 Zrotation")),
        bad("channel-count-beyond-64-bits", of("CHANNELS 18446744073709551616 Zrotation")),
        bad("channel-count-of-a-fraction", of("CHANNELS 1.5 Zrotation")),
        bad("channels-twice", of(&format!("{THREE}\n{THREE}"))),
        bad("end-without-site", of("End\n{\n}")),
    ]
}

/// Files that end within a part.
fn ends() -> Vec<Case> {
    let open = |lines: &str| text(&format!("HIERARCHY\nROOT hips\n{{\n{lines}"));
    vec![
        bad("root-cut", text("HIERARCHY\nROOT")),
        bad("name-cut", text("HIERARCHY\nROOT hip")),
        bad("offset-cut", open("OFFSET 0 1")),
        bad("channel-count-cut", open("OFFSET 0 0 0\nCHANNELS")),
        bad("channels-cut", open(&format!("OFFSET 0 0 0\n{}", &SIX[..30]))),
        bad("end-cut", open("OFFSET 0 0 0\nEnd")),
        bad("site-cut", open("OFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 0")),
        bad("site-not-closed", open("OFFSET 0 0 0\nEnd Site\n{\nOFFSET 0 0 1\n")),
    ]
}
