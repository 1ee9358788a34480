//! Runs the tasks as a program. These tests also let `cargo test` build it, which `.ci/run` uses.

use std::process::Command;

#[test]
fn unknown_tasks_and_steps_are_refused_with_a_list_of_the_known_ones() {
    let refused = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_xtask")).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let error = refused(&["nonsense"]);
    assert!(error.contains("unknown task nonsense") && error.contains("new-format"), "{error}");
    for arguments in [&["ci", "nonsense"][..], &["ci", "--except", "nonsense"]] {
        let error = refused(arguments);
        assert!(error.contains("unknown step nonsense; the steps are fmt, "), "{error}");
    }
}
