//! The cases of BVH: one per row of the table of quirks in `docs/formats/bvh.md`, and one per reason
//! to reject a file.

mod bad;
mod fates;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases =
    FormatCases { id: "bvh", extension: "bvh", cases, stores: fates::stores, fates: fates::FATES };

const SIX: &str = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";
const THREE: &str = "CHANNELS 3 Zrotation Xrotation Yrotation";

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("bvh", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("bvh", name, bytes.build())
}

/// A hierarchy of one root with some lines in it.
fn root(lines: &str) -> ByteBuilder {
    ByteBuilder::new().bytes(format!("HIERARCHY\nROOT hips\n{{\n{lines}\n}}\n"))
}

/// Rows at 30 frames per second.
fn motion(bytes: ByteBuilder, frames: &str, rows: &str) -> ByteBuilder {
    bytes.bytes(format!("MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n{rows}\n"))
}

/// A root with six channels, and its rows.
fn one(frames: &str, rows: &str) -> ByteBuilder {
    motion(root(&format!("OFFSET 0 0 0\n{SIX}")), frames, rows)
}

/// A root with these channels only, and one row.
fn channels(channels: &str, row: &str) -> ByteBuilder {
    motion(root(&format!("OFFSET 0 0 0\n{channels}")), "1", row)
}

pub(crate) fn cases() -> Vec<Case> {
    let lists = [plain(), spaces(), numbers(), counts(), hierarchies(), odd_channels(), bad::cases()];
    lists.into_iter().flatten().collect()
}

/// Files as exporters write them.
fn plain() -> Vec<Case> {
    let walk = ByteBuilder::new().bytes(
        "HIERARCHY\nROOT hips\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition \
         Zrotation Xrotation Yrotation\n\tJOINT spine\n\t{\n\t\tOFFSET 0 10 0\n\t\tCHANNELS 3 \
         Zrotation Xrotation Yrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 5 0.5\n\t\t}\n\t}\n}\n",
    );
    let walk = motion(walk, "3", "0 90 0 0 0 0 0 0 0\n0 91 1 90 90 0 0 45 0\n0 90 2 180 0 0 0 90 0");
    let six = format!("OFFSET 0 0 0\n{SIX}\nJOINT spine\n{{\nOFFSET 0 10 0\n{SIX}\n}}");
    let six = motion(root(&six), "2", "0 9 0 0 0 0 0 10 0 0 0 0\n0 9 1 0 0 0 0 10 0 9 0 0");
    let moving = format!("OFFSET 0 0 0\n{THREE}\nJOINT spine\n{{\nOFFSET 0 10 0\n{SIX}\n}}");
    let moving = motion(root(&moving), "2", "0 0 0 0 10 0 0 0 0\n0 0 0 0 12 0 9 0 0");
    vec![
        ok("walk", walk),
        ok("one-joint", one("2", "0 0 0 0 0 0\n1 2 3 30 20 10")),
        ok("positions-on-every-joint", six).reports(&["bvh/joint-positions"]),
        ok("moving-joint", moving).reports(&["bvh/joint-positions"]),
        ok("no-motion", root("OFFSET 1 2 3")),
        ok("no-rows", one("0", "")),
        ok("rate-60", replaced(one("1", "0 0 0 0 0 0"), "0.0333333", "0.016667")),
        ok("rate-not-whole", replaced(one("2", "0 0 0 0 0 0\n0 0 0 9 0 0"), "0.0333333", "0.033367")),
    ]
}

/// Returns a file with a part of its text replaced.
fn replaced(bytes: ByteBuilder, from: &str, to: &str) -> ByteBuilder {
    let text = String::from_utf8(bytes.build()).expect("the case is text");
    assert!(text.contains(from), "{from} is not in the case");
    ByteBuilder::new().bytes(text.replace(from, to))
}

fn spaces() -> Vec<Case> {
    let row = || one("1", "1 2 3 4 5 6");
    let mixed = replaced(row(), "OFFSET 0 0 0\n", "\tOFFSET\t0.00   0.00\t 0.00 \r\n\n\r\n");
    vec![
        ok("mixed-white-space", replaced(mixed, "1 2 3", "  1\t2 \r\n 3")),
        ok("cr-only", replaced(row(), "\n", "\r")),
        ok("row-over-lines", replaced(row(), " 4 5 6", "\n4\n5\n6\n\n")),
        ok("frames-with-tab", replaced(row(), "Frames: 1", "Frames:\t1 ")),
        ok("byte-order-mark", ByteBuilder::new().bytes("\u{feff}").bytes(row().build()))
            .reports(&["bvh/byte-order-mark"]),
        ok("any-case", replaced(row(), "HIERARCHY\nROOT", "Hierarchy\nroot").with(|file| {
            replaced(replaced(file, "Xposition", "XPOSITION"), "MOTION\nFrames", "motion\nFRAMES")
        })),
        ok("vertical-tab-first", ByteBuilder::new().bytes("\u{b}\t\u{c}").bytes(row().build())),
        ok("brace-on-the-line", replaced(row(), "ROOT hips\n{", "ROOT hips {")),
    ]
}

fn numbers() -> Vec<Case> {
    vec![
        ok("short-numbers", one("1", ".5 -8.88178e-016 -0 +1 1e2 00.5")),
        ok("decimal-comma", replaced(one("1", "0,5 0 0 0 0 0"), "0.0333333", "0,0333"))
            .reports(&["bvh/decimal-comma"]),
        ok("nan-rotation", one("2", "0 1 0 0 0 0\n0 2 0 nan 0 0")).reports(&["part-skipped"]),
        ok("position-beyond-f32", one("2", "0 1 0 0 0 0\n0 1e39 0 9 0 0")).reports(&["part-skipped"]),
        ok("rotation-beyond-f32", one("2", "0 1 0 0 0 0\n0 2 0 -1e99 0 0")).reports(&["part-skipped"]),
        ok("offset-beyond-f32", motion(root("OFFSET 0 1e39 0\nCHANNELS 1 Xrotation"), "1", "90"))
            .reports(&["part-skipped"]),
        ok("infinite-position", one("2", "0 1 0 0 0 0\n0 -inf 0 9 0 0")).reports(&["part-skipped"]),
        ok("nan-offset", motion(root(&format!("OFFSET 0 0 nan\n{THREE}")), "1", "1 2 3"))
            .reports(&["part-skipped"]),
        ok("tip-not-finite", motion(
            root(&format!("OFFSET 0 0 0\n{THREE}\nEnd Site\n{{\nOFFSET nan inf 1e99\n}}")),
            "1",
            "1 2 3",
        ))
        .reports(&["number-not-finite"]),
        ok("text-position", one("2", "0 1 0 0 0 0\n0 x 0 0 9 0")).reports(&["part-skipped"]),
        ok("infinite-offset", motion(root(&format!("OFFSET 0 inf 0\n{THREE}")), "1", "1 2 3"))
            .reports(&["part-skipped"]),
        ok("frame-time-0", replaced(one("2", "0 0 0 0 0 0\n0 0 0 9 0 0"), "0.0333333", "0"))
            .reports(&["frame-rate-invalid"]),
        ok("frame-time-negative", replaced(one("1", "0 0 0 0 0 0"), "0.0333333", "-1"))
            .reports(&["frame-rate-invalid"]),
        ok("frame-time-nan", replaced(one("1", "0 0 0 0 0 0"), "0.0333333", "nan"))
            .reports(&["frame-rate-invalid"]),
        ok("frame-time-infinite", replaced(one("1", "0 0 0 0 0 0"), "0.0333333", "1e999"))
            .reports(&["frame-rate-invalid"]),
        ok("frame-time-of-text", replaced(one("1", "0 0 0 0 0 0"), "0.0333333", "fast"))
            .reports(&["frame-rate-invalid"]),
        ok("frame-time-missing", replaced(one("1", "0 0 0 0 0 0"), "Frame Time: 0.0333333\n", ""))
            .reports(&["frame-rate-invalid"]),
    ]
}

fn counts() -> Vec<Case> {
    let rows = "0 0 0 0 0 0\n0 1 0 0 0 0\n0 2 0 0 0 0";
    vec![
        ok("frames-fewer-than-rows", one("2", rows)).reports(&["bvh/frame-count"]),
        ok("frames-more-than-rows", one("9", rows)).reports(&["bvh/frame-count"]),
        ok("frames-missing", replaced(one("3", rows), "Frames: 3\n", "")).reports(&["bvh/frame-count"]),
        ok("frames-not-a-number", one("many", rows)).reports(&["bvh/frame-count"]),
        ok("frames-negative", one("-1", rows)).reports(&["bvh/frame-count"]),
        ok("frames-beyond-64-bits", one("18446744073709551616", rows)).reports(&["bvh/frame-count"]),
        ok("frames-max", one("18446744073709551615", rows)).reports(&["bvh/frame-count"]),
        ok("frames-billion", one("1000000000", rows)).reports(&["bvh/frame-count"]),
        ok("last-row-cut", one("3", "0 0 0 0 0 0\n0 1 0 0 0 0\n0 2"))
            .reports(&["bvh/row-incomplete", "bvh/frame-count"]),
    ]
}

fn hierarchies() -> Vec<Case> {
    let two = ByteBuilder::new().bytes(format!(
        "HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\n{THREE}\n}}\nROOT b\n{{\nOFFSET 5 0 0\n{THREE}\n}}\n"
    ));
    let same = format!(
        "OFFSET 0 0 0\n{THREE}\nJOINT arm\n{{\nOFFSET 1 0 0\n{THREE}\n}}\nJOINT arm\n{{\nOFFSET -1 0 0\n{THREE}\n}}"
    );
    let bare = "OFFSET 0 0 0\nCHANNELS 0\nJOINT arm\n{\nOFFSET 1 0 0\n}";
    let sites = format!("OFFSET 0 0 0\n{THREE}\nEnd Site tip\n{{\n}}\nEnd Site\n{{\nOFFSET 0 1 0\n}}");
    vec![
        ok("two-roots", motion(two, "1", "1 2 3 4 5 6")).reports(&["bvh/several-roots"]),
        ok("name-with-spaces", replaced(one("1", "0 0 0 0 0 0"), "hips", " left hip bone ")),
        ok("same-name-twice", motion(root(&same), "1", "0 0 0 9 0 0 0 0 9"))
            .reports(&["duplicate-bone"]),
        ok("no-channels", motion(root(bare), "5", "")),
        ok("end-sites", motion(root(&sites), "1", "1 2 3")),
        ok("root-offset", motion(root(&format!("OFFSET 0 102 0\n{SIX}")), "1", "0 96.4 0 0 0 0"))
            .reports(&["bvh/root-offset"]),
        ok("offset-missing", motion(root(THREE), "1", "1 2 3")),
        ok("no-joints", ByteBuilder::new().bytes("HIERARCHY\n")),
    ]
}

fn odd_channels() -> Vec<Case> {
    vec![
        ok("rotations-first", channels(
            "CHANNELS 6 Yrotation Xrotation Zrotation Zposition Yposition Xposition",
            "10 20 30 3 2 1",
        )),
        ok("one-rotation", channels("CHANNELS 1 Xrotation", "90")),
        ok("two-rotations", channels("CHANNELS 2 Zrotation Yrotation", "90 45")),
        ok("one-position", channels("CHANNELS 1 Yposition", "7")).reports(&["bvh/position-partial"]),
        ok("axis-twice", channels("CHANNELS 3 Zrotation Xrotation Zrotation", "90 90 0"))
            .reports(&["bvh/channel-repeated"]),
        ok("channel-count-low", channels("CHANNELS 2 Zrotation Xrotation Yrotation", "1 2 3"))
            .reports(&["bvh/channel-count"]),
        ok("channel-count-max", channels("CHANNELS 18446744073709551615 Zrotation", "1"))
            .reports(&["bvh/channel-count"]),
        ok("channel-count-high", channels("CHANNELS 6 Zrotation Xrotation Yrotation", "1 2 3"))
            .reports(&["bvh/channel-count"]),
    ]
}
