//! Runs the fuzz targets as ordinary tests: on every fixture, and on every input in
//! `fuzz/regressions` that once broke a law.

use std::fs;
use std::panic::catch_unwind;

use inbetween_testing::{cases, fixtures};

use crate::fuzz::targets;
use crate::shell::root;

#[path = "../../fuzz/src/targets.rs"]
mod laws;

/// Returns the target and the name of the input if a law is broken.
fn replay(target: &str, name: &str, bytes: &[u8]) -> Option<String> {
    let held = catch_unwind(|| laws::run(target, bytes)).is_ok();
    (!held).then(|| format!("target {target} breaks on {name}"))
}

#[test]
fn every_fuzz_target_passes_on_every_fixture() {
    let fixtures: Vec<_> = cases::formats().flat_map(fixtures::of).collect();
    let mut broken = Vec::new();
    for target in targets().unwrap() {
        broken.extend(fixtures.iter().filter_map(|fixture| {
            replay(&target, &fixture.path.display().to_string(), &fixture.bytes)
        }));
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn past_failures_stay_fixed() {
    let targets = targets().unwrap();
    let mut broken = Vec::new();
    for folder in fs::read_dir(root().join("fuzz/regressions")).unwrap() {
        let folder = folder.unwrap();
        let target = folder.file_name().into_string().unwrap();
        if folder.file_type().unwrap().is_dir() {
            assert!(targets.contains(&target), "regressions of {target}, which is no target");
            for input in fs::read_dir(folder.path()).unwrap() {
                let path = input.unwrap().path();
                let bytes = fs::read(&path).unwrap();
                broken.extend(replay(&target, &path.display().to_string(), &bytes));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
