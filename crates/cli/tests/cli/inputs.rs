//! Inputs that are too long, not files, or nothing that the command reads.

use std::fs::{File, OpenOptions};

use crate::bench::{Bench, LIGHT, fixture, walk};
use crate::formats;
use crate::memory::run_with_little;

/// Three GiB, of which only the written bytes need space on the disk.
const LONG: u64 = 3 << 30;

/// Runs `info` on a file of three GiB with little memory, and returns the error.
fn info_of_long(name: &str, start: &[u8]) -> String {
    let bench = Bench::empty().with(name, start);
    let file = OpenOptions::new().write(true).open(bench.path(name)).unwrap();
    file.set_len(LONG).unwrap();
    let ran = run_with_little(&bench, &format!("info {name}"));
    let err = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(3), "{name}: {err}");
    err
}

#[test]
fn a_long_file_is_not_read_if_no_format_begins_like_it() {
    let expected = format!(
        "error: zeros.ani: not a file of {}: it looks like nothing but zero bytes, as after a broken \
         download\n",
        formats::names()
    );
    assert_eq!(info_of_long("zeros.ani", b""), expected);
    let err = info_of_long("x.animj", b"{\"name\":\"x\"");
    assert!(err.contains("animj: expected a JSON object, found byte 0x00"), "{err}");
    let err = info_of_long("x.seanim", b"SEAnim");
    assert!(err.contains("version 0 is not supported"), "{err}");
}

#[test]
fn a_long_file_is_not_read_if_its_data_ends_early() {
    let files = [
        ("seanim", "walk", "seanim"),
        ("animx", "layout-disagrees", "animx"),
        ("cast", "relative", "cast"),
        ("x4-ani", "capitals", "ani"),
        ("gltf", "weights", "glb"),
    ];
    for (format, case, extension) in files {
        let err = info_of_long(&format!("x.{extension}"), &fixture(format, case));
        assert!(err.contains("expected the end of the file near byte"), "{err}");
    }
}

#[test]
fn an_endless_pipe_ends_after_its_start() {
    for (start, expected) in [("", "it looks like plain text"), ("SEAnim", "is not supported")] {
        let endless = format!("{start}{}", "y\n".repeat(4 << 20));
        let ran = Bench::empty().run_with(&["info", "-"], endless.as_bytes());
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains(expected), "{}", ran.err);
    }
}

#[test]
fn max_input_limits_files_and_pipes() {
    let bench = Bench::new();
    for (input, name) in [("walk.seanim", "walk.seanim"), ("-", "standard input")] {
        let ran = bench.run_with(&["info", input, "--max-input", "100"], &walk());
        assert_eq!(ran.code, 3);
        let expected = format!("error: {name}: ");
        assert!(ran.err.starts_with(&expected), "{}", ran.err);
        assert!(
            ran.err
                .ends_with("the limit is 100; raise the limit on bytes of input (--max-input)\n"),
            "{}",
            ran.err
        );
    }
    assert_eq!(bench.run(&["info", "walk.seanim", "--max-input", "1K"]).code, 0);
}

#[test]
fn a_long_file_of_another_kind_is_skipped_in_a_folder() {
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(100_000, 0);
    let bench = Bench::empty().with("in/light.animj", LIGHT).with("in/picture.png", &picture);
    let ran = bench.run(&["info", "in", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 file of unknown formats skipped\n"));
    let ran = bench.run(&["pack", "in"]);
    assert_eq!(ran.code, 3, "{}", ran.text());
    assert!(ran.err.contains("2 files of unknown formats skipped"), "{}", ran.err);
}

#[test]
fn devices_are_refused_but_streams_are_read() {
    let bench = Bench::new();
    bench.run(&["info", "/dev/zero"]).fails(3, "error: /dev/zero: is a device, not a file\n");
    let mut command = bench.command(&["info", "/dev/stdin"]);
    let output = command.stdin(File::open(bench.path("walk.seanim")).unwrap()).output().unwrap();
    assert!(output.status.success());
}
