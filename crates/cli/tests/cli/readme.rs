//! The commands of the README run.

use std::fs;
use std::path::Path;

use crate::bench::{Bench, LIGHT, fixture, walk};

#[test]
fn every_command_of_the_readme_runs() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = fs::read_to_string(path).unwrap();
    let component = "<components><component name=\"ship\"/></components>";
    let mut ran = 0;
    for line in readme.lines().filter_map(|line| line.strip_prefix("inbetween ")) {
        let command = line.split('#').next().unwrap_or_default();
        let arguments: Vec<&str> = command.split_whitespace().collect();
        let bench = Bench::new()
            .with("new.seanim", walk())
            .with("anims/steps/run.seanim", walk())
            .with("a.animj", LIGHT.replace("\"light\"", "\"on\""))
            .with("b.animj", LIGHT)
            .with("ship.ani", fixture("x4-ani", "two-clips"))
            .with("ship.xml", component)
            .with("spin.ani", fixture("x4-ani", "spin"));
        let clips = bench.run(&["info", "ship.ani", "--json"]).json();
        let clip = clips.pointer("/0/clips/0/name").unwrap().as_str().unwrap().to_owned();
        let given = |argument: &&str| {
            if *argument == "opening" { clip.clone() } else { (*argument).to_owned() }
        };
        let arguments: Vec<String> = arguments.iter().map(given).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let result = bench.run(&arguments);
        assert_eq!(result.code, 0, "{line}: {}{}", result.text(), result.err);
        ran += 1;
    }
    assert!(ran >= 10, "only {ran} commands");
}
