//! Hostile files and their memory use.

#![expect(clippy::arithmetic_side_effects, reason = "the sizes of a test file are small")]

use inbetween_bvh::{Bvh, BvhFile};
use inbetween_core::{Confidence, FileEncoding, Format, Hint, Limits, Remedy};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{Peak, documents};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const SIX: &str = "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation";

fn one(frames: &str, rows: &str) -> String {
    format!(
        "HIERARCHY\nROOT hips\n{{\nOFFSET 0 0 0\n{SIX}\n}}\nMOTION\nFrames: {frames}\n\
         Frame Time: 0.0333333\n{rows}"
    )
}

#[test]
fn an_empty_file_is_no_motion() {
    let _meter = Peak::begin();
    let hint = Hint { extension: Some("bvh") };
    assert_eq!(Bvh::default().probe(b"", &hint), Confidence::No);
    assert_eq!(Bvh::default().probe(b"HIERA", &hint), Confidence::Possible);
}

#[test]
fn frames_without_rows_cost_no_memory() {
    let meter = Peak::begin();
    for frames in ["1000000000", "18446744073709551615", "99999999999999999999999"] {
        let file = one(frames, "1 2 3 4 5 6\n");
        let read = meter.assert_read(&Bvh::default(), file.as_bytes()).unwrap().value;
        assert_eq!(read.clips[0].tracks[0].data().len(), 1);
    }
}

#[test]
fn many_rows_keep_the_memory_law() {
    let meter = Peak::begin();
    for row in ["1 2 3 4 5 6\n", "1 2 3 4 5 6 ", "10.123456 -2.5 3 4 5.25 600\n"] {
        let file = one("200000", &row.repeat(200_000));
        assert!(meter.assert_read(&Bvh::default(), file.as_bytes()).is_ok());
    }
}

/// A file of roots, each with joints inside each other, and of one row with zeros.
fn hierarchy(roots: usize, depth: usize, joint: impl Fn(usize) -> String, width: usize) -> String {
    let mut file = String::from("HIERARCHY\n");
    for root in 0..roots {
        for level in 0..depth {
            let word = if level == 0 { "ROOT" } else { "JOINT" };
            file.extend([word, " ", &joint(root * depth + level), "\n"]);
        }
        file.push_str(&"}".repeat(depth));
    }
    let row = "0 ".repeat(width * roots * depth);
    file + "\nMOTION\nFrames: 1\nFrame Time: 0.1\n" + &row
}

#[test]
fn many_joints_keep_the_memory_law() {
    let meter = Peak::begin();
    let still = |index: usize| format!("j{index} {{");
    let same_name = |_: usize| "j {".to_owned();
    let turning = |index: usize| format!("j{index} {{ CHANNELS 1 Xrotation");
    let moving = |index: usize| format!("j{index} {{ OFFSET 0 1 0 {SIX}");
    for (roots, depth) in [(1, 20_000), (20_000, 1)] {
        for file in [
            hierarchy(roots, depth, still, 0),
            hierarchy(roots, depth, same_name, 0),
            hierarchy(roots, depth, turning, 1),
            hierarchy(roots, depth, moving, 6),
        ] {
            let read = meter.assert_read(&Bvh::default(), file.as_bytes()).unwrap().value;
            assert_eq!(read.skeleton.unwrap().bones().len(), 20_000);
        }
    }
}

#[test]
fn many_end_sites_keep_the_memory_law() {
    let meter = Peak::begin();
    let tips = "End Site {}\n".repeat(100_000);
    let file = format!("HIERARCHY\nROOT hips\n{{\n{tips}}}\n");
    // The exact model has three numbers for each, and a list that grows holds them about twice.
    let law = Law::Document { columns: 100_000 * 24, tracks: 0, encoding: FileEncoding::Text };
    let read = || Bvh::default().read(file.as_bytes(), &Limits::default());
    assert!(meter.assert_memory_law(law, read).is_ok());
}

#[test]
fn a_deep_hierarchy_is_read_and_written_without_recursion() {
    let _meter = Peak::begin();
    let depth = 100_000;
    let open = |index: usize| {
        let word = if index == 0 { "ROOT" } else { "JOINT" };
        format!("{word} j{index}\n{{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n")
    };
    let mut file: String = (0..depth).map(open).collect();
    file.insert_str(0, "HIERARCHY\n");
    file.push_str(&"}\n".repeat(depth));
    file.push_str("MOTION\nFrames: 1\nFrame Time: 0.1\n");
    file.push_str(&"1 ".repeat(depth));
    let limits = Limits::default();
    let read = Bvh::default().read(file.as_bytes(), &limits).unwrap().value;
    assert_eq!(read.clips[0].tracks.len(), depth);
    assert!(Bvh::default().check(file.as_bytes(), &limits).is_ok());
    let written = Bvh::default().write(read, &limits).unwrap().value;
    assert!(written.len() < 100 * file.len());
    assert_eq!(BvhFile::parse(&written, &limits).unwrap().value.joints().len(), depth);
}

#[test]
fn braces_alone_are_rejected_immediately() {
    let meter = Peak::begin();
    let file = format!("HIERARCHY\nROOT a {}", "{".repeat(1_000_000));
    assert!(meter.assert_read(&Bvh::default(), file.as_bytes()).is_err());
}

#[test]
fn rows_that_are_not_in_the_file_are_not_written() {
    let _meter = Peak::begin();
    let file = "HIERARCHY\nROOT a\n{\nCHANNELS 0\n}\nMOTION\nFrames: 4000000000\nFrame Time: 0.1\n";
    let read = Bvh::default().read(file.as_bytes(), &Limits::default()).unwrap().value;
    assert!(Bvh::default().write(read, &Limits::default()).is_err());
}

#[test]
fn distant_keys_do_not_exhaust_memory() {
    let meter = Peak::begin();
    for document in documents::distant() {
        let document = documents::suited(document, &Bvh::default());
        let (result, peak) = meter.measure(|| Bvh::default().write(document, &Limits::default()));
        let error = result.unwrap_err();
        assert!(matches!(error.remedy(), Some(Remedy::RaiseLimit)), "{error}");
        assert!(peak < 64 * 1024, "{peak} bytes");
    }
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_items(3);
    let joints = "HIERARCHY\nROOT a {JOINT b {JOINT c {JOINT d {}}}}".to_owned();
    let tips = "HIERARCHY\nROOT a {End Site {} End Site {} End Site {}}".to_owned();
    for (file, place) in [
        (joints, "line 2, column 27"),
        (tips, "line 2, column 37"),
        (one("1", "1 2 3 4 5 6"), "line 5, column 41"),
    ] {
        let error = Bvh::default().read(file.as_bytes(), &limits).unwrap_err().to_string();
        assert_eq!(error, format!("bvh: 4 items requested, the limit is 3 ({place})"));
        assert!(Bvh::default().check(file.as_bytes(), &limits).is_err());
    }
}

#[test]
fn exceeding_the_limit_on_decoded_bytes_names_it() {
    let _meter = Peak::begin();
    // A row of six numbers becomes a position and angles, with a time each.
    let file = one("4", &"1 2 3 4 5 6\n".repeat(4));
    let limits = |bytes| Limits::default().with_decoded_bytes(bytes);
    assert!(Bvh::default().read(file.as_bytes(), &limits(160)).is_ok());
    let error = Bvh::default().read(file.as_bytes(), &limits(159)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "bvh: 160 decoded bytes requested, the limit is 159; raise the limit on decoded bytes"
    );
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
    assert!(Bvh::default().check(file.as_bytes(), &limits(159)).is_err());
}

#[test]
fn findings_do_not_exhaust_memory() {
    let meter = Peak::begin();
    let joint = |index: usize| format!("j{index} {{ CHANNELS 1 Xrotation");
    let file = hierarchy(1, 50_000, joint, 1).replace("0 0 0", "x x x");
    let limits = Limits::default();
    let (read, reading) = meter.measure(|| Bvh::default().read(file.as_bytes(), &limits).unwrap());
    let (found, check) = meter.measure(|| Bvh::default().check(file.as_bytes(), &limits).unwrap());
    assert_eq!((read.findings.len(), found.len()), (10_001, 10_001));
    let bones = Law::of_document(&read.value, FileEncoding::Text).allowed();
    let listed = 10_001 * 512;
    assert!(reading.max(check) < bones + file.len() + listed, "{reading} and {check} bytes");
}
