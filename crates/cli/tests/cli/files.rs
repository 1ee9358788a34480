//! What stands on the disk after a run, whatever happened.

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
fn the_input_can_be_the_output_by_force_only() {
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
fn no_temporary_file_stays_after_success() {
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
    // Nothing is created for a command that does not start.
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
