//! The files on disk after a run, also after failures.

use std::fs;

use crate::bench::{Bench, LIGHT, walk};

#[test]
fn an_existing_file_needs_force() {
    let bench = Bench::new().with("there.seanim", "old");
    let convert: &[&str] = &["convert", "walk.seanim", "there.seanim"];
    bench
        .run(convert)
        .fails(3, "error: there.seanim: already exists; use --force to overwrite it\n");
    assert_eq!(bench.get("there.seanim"), b"old");
    assert_eq!(bench.run(&[convert, &["--force"]].concat()).code, 0);
    assert_eq!(bench.get("there.seanim"), walk());
    assert_eq!(bench.names(), ["there.seanim", "walk.seanim"]);
}

#[test]
fn the_input_can_be_the_output_only_with_force() {
    let bench = Bench::new();
    let convert: &[&str] = &["convert", "walk.seanim", "./walk.seanim"];
    bench
        .run(convert)
        .fails(3, "error: ./walk.seanim: is also the input; use --force to overwrite it\n");
    assert_eq!(bench.run(&[convert, &["--force"]].concat()).code, 0);
    assert_eq!(bench.get("walk.seanim"), walk());
    assert_eq!(bench.names(), ["walk.seanim"]);
}

#[test]
fn a_failed_conversion_leaves_the_old_file_and_nothing_else() {
    let bench = Bench::empty().with("cut.seanim", &walk()[..100]).with("out.animj", "old");
    assert_eq!(bench.run(&["convert", "--force", "cut.seanim", "out.animj"]).code, 3);
    assert_eq!(bench.get("out.animj"), b"old");
    assert_eq!(bench.names(), ["cut.seanim", "out.animj"]);
}

#[test]
fn no_temporary_file_remains_after_success() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj"]).code, 0);
    assert_eq!(bench.names(), ["walk.animj", "walk.seanim"]);
}

#[test]
fn a_missing_directory_is_named() {
    let bench = Bench::new();
    bench
        .run(&["convert", "walk.seanim", "no/walk.animj"])
        .fails(3, "error: no: no such directory; create it first\n");
    assert_eq!(bench.names(), ["walk.seanim"]);
}

#[test]
fn the_output_directory_is_created() {
    let bench = Bench::new().with("file", "x");
    let convert = ["convert", "walk.seanim", "--to", "animj", "--out-dir"];
    assert_eq!(bench.run(&[&convert[..], &["new/deep"]].concat()).code, 0);
    assert_eq!(bench.names(), ["file", "new/deep/walk.animj", "walk.seanim"]);
    bench.run(&[&convert[..], &["file"]].concat()).fails(3, "error: file: is not a directory\n");
    // Nothing is created by a command with wrong usage.
    assert_eq!(bench.run(&[&convert[..], &["unused", "--allow", "x"]].concat()).code, 2);
    assert!(!bench.path("unused").exists());
}

#[test]
fn old_temporary_files_of_a_killed_run_are_removed() {
    let bench = Bench::new().with(".inbetween-a1B2c3.tmp", "").with(".inbetween-d4E5f6.tmp", "");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 60 * 60);
    let file = fs::OpenOptions::new().write(true).open(bench.path(".inbetween-a1B2c3.tmp"));
    file.unwrap().set_modified(old).unwrap();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj"]).code, 0);
    assert_eq!(bench.names(), [".inbetween-d4E5f6.tmp", "walk.animj", "walk.seanim"]);
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_written_to_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new().with("locked/there", "");
    let locked = bench.path("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write anywhere.
    if fs::write(locked.join("probe"), "").is_err() {
        bench
            .run(&["convert", "walk.seanim", "locked/walk.animj"])
            .fails(3, "error: locked/walk.animj: permission denied\n");
    }
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_not_replaced() {
    let ran = Bench::new().run(&["convert", "walk.seanim", "/dev/null", "--to", "animj"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let kind = fs::metadata("/dev/null").unwrap().file_type();
    assert!(std::os::unix::fs::FileTypeExt::is_char_device(&kind));
}

#[test]
fn reading_commands_write_nothing() {
    let bench = Bench::new().with("light.animj", LIGHT);
    for command in ["info", "check"] {
        assert_eq!(bench.run(&[command, "walk.seanim", "light.animj"]).code, 0);
    }
    assert_eq!(bench.names(), ["light.animj", "walk.seanim"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_missing_file_is_rejected_before_the_conversion() {
    let bench = Bench::new();
    std::os::unix::fs::symlink("gone.animj", bench.path("link.animj")).unwrap();
    for force in [&[][..], &["--force"]] {
        bench.run(&[&["convert", "walk.seanim", "link.animj"][..], force].concat()).fails(
            3,
            "error: link.animj: is a link to a missing file; create the file or remove the link\n",
        );
    }
    assert!(!bench.path("gone.animj").exists());
}

#[cfg(unix)]
#[test]
fn a_path_that_cannot_be_examined_is_not_replaced() {
    let bench = Bench::new();
    // Following the link never ends, so the system does not tell whether there is a file.
    std::os::unix::fs::symlink("loop.animj", bench.path("loop.animj")).unwrap();
    let ran = bench.run(&["convert", "walk.seanim", "loop.animj", "--force"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.starts_with("error: loop.animj: "), "{}", ran.err);
    assert!(!ran.err.contains("missing"), "{}", ran.err);
    assert!(fs::symlink_metadata(bench.path("loop.animj")).unwrap().is_symlink());
}

#[cfg(target_os = "linux")]
#[test]
fn a_kill_leaves_the_old_file_or_the_new_one() {
    let bench = Bench::new().with("big.animj", "old");
    let sample = ["sample", "walk.seanim", "--fps", "20000", "-o", "big.animj", "--force"];
    assert_eq!(bench.run(&sample).code, 0);
    let new = bench.get("big.animj");
    let mut killed = 0;
    for attempt in 0..20_u64 {
        let bench = Bench::new().with("big.animj", "old");
        let mut child = bench.command(&sample).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(10 * attempt));
        // The signal is SIGKILL.
        child.kill().unwrap();
        killed += u32::from(child.wait().unwrap().code().is_none());
        let left = bench.get("big.animj");
        assert!(left == b"old" || left == new, "{} bytes are left", left.len());
    }
    assert!(killed > 0, "every run ended before its signal");
}

/// Runs the command with a limit that simulates a full disk: writes beyond these KiB of a file fail.
#[cfg(target_os = "linux")]
fn on_full_disk(bench: &Bench, kib: u32, arguments: &str) -> std::process::Output {
    let limited = format!("trap '' XFSZ; ulimit -f {kib}; exec \"$0\" {arguments}");
    let mut command = std::process::Command::new("bash");
    command.args(["-c", &limited, env!("CARGO_BIN_EXE_inbetween")]);
    command.current_dir(bench.path("")).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_an_error_after_all_files() {
    let bench = Bench::new();
    fs::copy(bench.path("walk.seanim"), bench.path("again.seanim")).unwrap();
    let ran = on_full_disk(&bench, 0, "check again.seanim walk.seanim --report report.jsonl");
    let [out, err] = [&ran.stdout, &ran.stderr].map(|text| String::from_utf8_lossy(text));
    assert_eq!(ran.status.code(), Some(3), "{err}");
    assert!(err.contains("error: report.jsonl: "), "{err}");
    assert!(
        out.contains("again.seanim (SEAnim): ") && out.contains("walk.seanim (SEAnim): "),
        "{out}"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_keeps_the_old_file() {
    let bench = Bench::new().with("big.csv", "old");
    let ran = on_full_disk(&bench, 64, "sample walk.seanim --fps 20000 -o big.csv --force");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{err}");
    assert!(err.starts_with("error: big.csv: "), "{err}");
    assert_eq!(bench.get("big.csv"), b"old");
    assert_eq!(bench.names(), ["big.csv", "walk.seanim"]);
}

#[test]
fn two_concurrent_writers_leave_one_complete_file() {
    for force in [false, true] {
        let bench = Bench::new();
        let convert: &[&str] = &["convert", "walk.seanim", "out.animj"];
        let forced = [convert, &["--force"]].concat();
        let arguments = if force { forced.as_slice() } else { convert };
        let start = || {
            let mut command = bench.command(arguments);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            command.spawn().unwrap()
        };
        let mut runs = [start(), start()];
        let codes = runs.each_mut().map(|run| run.wait().unwrap().code());
        assert!(codes.contains(&Some(0)), "{codes:?}");
        assert!(codes.iter().all(|code| matches!(code, Some(0 | 3))), "{codes:?}");
        let single = Bench::new();
        assert_eq!(single.run(convert).code, 0);
        assert_eq!(bench.get("out.animj"), single.get("out.animj"));
        assert_eq!(bench.names(), ["out.animj", "walk.seanim"]);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ran = Bench::empty().command(&["convert", "--help"]).stdout(full).output().unwrap();
    assert_eq!(ran.status.code(), Some(3));
}
