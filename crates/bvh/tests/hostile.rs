//! Hostile files and their memory use.

use inbetween_bvh::{Bvh, BvhFile};
use inbetween_core::{Format, Limits};
use inbetween_testing::Peak;
use inbetween_testing::peak::PeakAlloc;

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
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let limits = Limits::default().with_items(3);
    let error = Bvh::default().read(one("1", "1 2 3 4 5 6").as_bytes(), &limits).unwrap_err();
    assert!(error.is_limit(), "{error}");
}
