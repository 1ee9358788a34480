//! Many files in one run.

use std::fs;

use crate::bench::{Bench, LIGHT, walk};

fn folder() -> Bench {
    Bench::empty()
        .with("in/walk.seanim", walk())
        .with("in/legs/walk.seanim", walk())
        .with("in/notes.txt", "not an animation")
        .with("in/.hidden.seanim", walk())
        .with("out/there", "")
}

#[test]
fn a_directory_stands_for_the_files_of_known_formats_in_it() {
    let ran = folder().run(&["info", "--json", "in"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 file of unknown formats skipped\n"));
    let paths: Vec<String> = ran.json().as_array().unwrap().iter().map(path).collect();
    assert_eq!(paths, ["in/walk.seanim", "in/legs/walk.seanim"]);
}

fn path(file: &serde_json::Value) -> String {
    file["path"].as_str().unwrap().replace('\\', "/")
}

#[test]
fn a_pattern_stands_for_the_files_that_fit_it() {
    let ran = folder().run(&["info", "--json", "in/**/*.*"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 file of unknown formats skipped\n"));
    assert_eq!(ran.json().as_array().unwrap().len(), 3);
}

#[test]
fn a_batch_keeps_the_folders_and_tells_of_each_file_in_order() {
    let bench = folder();
    let ran = bench.run(&["convert", "in", "--to", "animj", "--out-dir", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].replace('\\', "/").contains("-> out/walk.animj "), "{}", lines[0]);
    assert!(lines[1].replace('\\', "/").contains("-> out/legs/walk.animj "), "{}", lines[1]);
    assert!(ran.err.ends_with("2 files converted, 0 failed, 1 skipped\n"), "{}", ran.err);
    let out: Vec<String> =
        bench.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(out, ["out/legs/walk.animj", "out/there", "out/walk.animj"]);
}

#[test]
fn a_batch_goes_on_after_a_failure_and_the_worst_exit_code_wins() {
    let bench = folder().with("in/cut.seanim", &walk()[..100]).with("in/empty.seanim", "");
    let convert = ["convert", "in", "--to", "animj", "--out-dir", "out", "--strict"];
    let ran = bench.run(&convert);
    assert_eq!(ran.code, 3);
    let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 4, "{}", ran.err);
    assert!(errors[1].ends_with("it looks like an empty file"), "{}", errors[1]);
    assert!(ran.err.ends_with("no files converted, 4 failed, 1 skipped\n"), "{}", ran.err);
    let ran = bench.run(&convert[..6]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.ends_with("2 files converted, 2 failed, 1 skipped\n"), "{}", ran.err);
}

#[test]
fn two_inputs_of_one_output_are_a_mistake_before_anything_is_written() {
    let bench = Bench::new().with("light.animj", LIGHT).with("walk.animj", LIGHT);
    let bench = bench.with("out/there", "");
    let ran = bench.run(&[
        "convert",
        "light.animj",
        "walk.animj",
        "walk.seanim",
        "--to",
        "seanim",
        "--out-dir",
        "out",
    ]);
    assert_eq!((ran.code, ran.text()), (2, ""));
    assert!(
        ran.err.starts_with("error: walk.animj and walk.seanim would both be written to out"),
        "{}",
        ran.err
    );
    assert_eq!(bench.names(), ["light.animj", "out/there", "walk.animj", "walk.seanim"]);
}

#[test]
fn a_forced_format_leaves_out_the_others_of_a_directory() {
    let bench = folder().with("in/light.animj", LIGHT).with("in/empty.seanim", "");
    let ran = bench.run(&["info", "--json", "--from", "animj", "in"]);
    assert_eq!((ran.code, ran.json().as_array().unwrap().len()), (0, 1));
    assert_eq!(ran.err, "4 files of unknown formats skipped\n");
}

#[test]
fn the_output_directory_is_no_input_where_it_lies_in_one() {
    let bench = folder().with("in/done/old.seanim", walk());
    let ran = bench.run(&["convert", "in", "--to", "animj", "--out-dir", "in/done"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.text().lines().count(), 2);
    assert!(bench.names().contains(&"in/done/legs/walk.animj".to_owned()));
}

#[test]
fn a_directory_without_files_of_known_formats_is_a_failure() {
    let bench =
        Bench::empty().with("in/notes.txt", "x").with("in/picture.png", b"\x89PNG\r\n\x1a\n");
    bench
        .run(&["check", "in"])
        .fails(3, "error: nothing to do: 2 files of unknown formats skipped\n");
    let bench = Bench::empty();
    fs::create_dir(bench.path("in")).unwrap();
    bench.run(&["check", "in"]).fails(3, "error: nothing to do: no files found\n");
}

#[test]
fn an_ending_that_no_format_has_stays_in_the_name() {
    let bench = Bench::empty().with("walk.v2", walk()).with("out/there", "");
    let ran = bench.run(&["convert", "walk.v2", "--to", "animj", "--out-dir", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.names(), ["out/there", "out/walk.v2.animj", "walk.v2"]);
}

#[test]
fn more_files_than_one_round_of_a_batch_come_in_order() {
    let mut bench = Bench::empty();
    for number in 0..100 {
        bench = bench.with(&format!("in/{number:03}.seanim"), walk());
    }
    let ran = bench.run(&["check", "in"]);
    assert_eq!(ran.code, 0);
    let order: Vec<&str> = ran
        .text()
        .lines()
        .filter_map(|line| line.get(3..6))
        .filter(|n| n.parse::<u32>().is_ok())
        .collect();
    assert!(order.is_sorted() && order.len() >= 100, "{order:?}");
}
