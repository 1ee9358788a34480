//! Ctrl-C.

#![cfg(unix)]

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use crate::bench::Bench;

#[test]
fn an_interrupt_ends_with_130_and_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        let bench = Bench::empty();
        let pipe = bench.path("pipe.seanim");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let mut command = bench.command(&["convert", "pipe.seanim", "out.animj"]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        // This returns once the command has opened the other end and waits for bytes.
        let writer = OpenOptions::new().write(true).open(&pipe).unwrap();
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let status = child.wait().unwrap();
        drop(writer);
        assert_eq!(status.code(), Some(130));
        assert_eq!(bench.names(), ["pipe.seanim"]);
    }
}
