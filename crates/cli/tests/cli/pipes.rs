//! `-`, and readers that close the pipe.

use std::process::Stdio;

use crate::bench::{Bench, LIGHT, Ran, feed, walk};
use crate::formats;

#[test]
fn standard_input_is_read_and_its_format_detected() {
    let ran = Bench::empty().run_with(&["info", "--json", "-"], &walk());
    assert_eq!(ran.code, 0);
    assert_eq!((&ran.json()[0]["path"], &ran.json()[0]["format"]), (&"-".into(), &"seanim".into()));
    let ran = Bench::empty().run_with(&["check", "-"], LIGHT.as_bytes());
    assert_eq!(ran.code, 0);
    assert!(ran.text().contains("standard input (AnimJ): "), "{}", ran.text());
}

#[test]
fn a_conversion_reads_and_writes_pipes() {
    let ran = Bench::empty().run_with(&["convert", "-", "-", "--to", "seanim"], &walk());
    assert_eq!((ran.code, ran.out), (0, walk()));
    let did = "standard input (SEAnim) -> standard output (SEAnim): 6 tracks, 9 keys, 2 markers, \
               1 s, no losses\n";
    assert_eq!(ran.err, did);
}

#[test]
fn standard_input_can_be_one_of_several_inputs() {
    let bench = Bench::new().with("out/there", "");
    let convert = ["convert", "-", "walk.seanim", "--to", "animj", "--out-dir", "out"];
    assert_eq!(bench.run_with(&convert, &walk()).code, 0);
    assert_eq!(bench.names(), ["out/stdin.animj", "out/there", "out/walk.animj", "walk.seanim"]);
    bench
        .run_with(&["info", "-", "-"], &walk())
        .fails(2, "error: standard input can be read only once\n");
}

#[test]
fn an_empty_standard_input_is_an_error() {
    Bench::empty().run_with(&["info", "-"], b"").fails(
        3,
        &format!(
            "error: standard input: not a file of {}: it is an empty file\n",
            formats::names()
        ),
    );
}

#[cfg(unix)]
#[test]
fn named_pipes_are_read_only_once() {
    let bench = Bench::new();
    let pipe = bench.path("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut command = bench.command(&["info", "--json", "pipe", "walk.seanim"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::fs::write(&pipe, walk()).unwrap();
    let ran = Ran::of(&["info"], child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(ran.json().as_array().unwrap().len(), 2);
}

/// Runs the command with a standard output whose reader has closed it.
fn unread(bench: &Bench, arguments: &[&str], stdin: &[u8]) -> Ran {
    let mut command = bench.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The command waits for its input, so the pipe is closed before anything is printed.
    drop(child.stdout.take());
    feed(&mut child, stdin);
    Ran::of(arguments, child.wait_with_output().unwrap())
}

#[test]
fn a_closed_pipe_is_quiet() {
    let bench = Bench::empty();
    for arguments in [&["info", "-"][..], &["info", "--json", "-"], &["check", "-"]] {
        let ran = unread(&bench, arguments, &walk());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
    }
    let ran = unread(&bench, &["convert", "-", "-", "--to", "seanim"], &walk());
    assert_eq!(ran.code, 0);
    assert!(!ran.err.contains("error"), "{}", ran.err);
}

#[test]
fn a_closed_pipe_does_not_stop_a_conversion() {
    let bench = Bench::new().with("out/there", "");
    let convert = ["convert", "-", "walk.seanim", "--to", "animj", "--out-dir", "out"];
    assert_eq!(unread(&bench, &convert, &walk()).code, 0);
    assert!(bench.names().contains(&"out/walk.animj".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_output_is_a_failure() {
    let bench = Bench::new();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let commands = [
        &["info", "walk.seanim"][..],
        &["formats"],
        &["man"],
        &["--help"],
        &["check", "--help"],
        &["--version"],
    ];
    for arguments in commands {
        let output = bench.command(arguments).stdout(full()).output().unwrap();
        let ran = Ran::of(arguments, output);
        assert_eq!(ran.code, 3);
        assert!(ran.err.starts_with("error: standard output: "), "{}", ran.err);
    }
}
