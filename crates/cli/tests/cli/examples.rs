//! The examples in the help of each command run without error.

use std::fs;
use std::path::Path;

use crate::bench::{Bench, LIGHT, fixture, seanim};

/// Returns the names of all commands, as `inbetween --help` lists them.
fn commands(bench: &Bench) -> Vec<String> {
    let help = bench.run(&["--help"]);
    let lines = help.text().lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    // A wrapped description continues further to the right.
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = lines.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Splits an example at spaces, keeping quoted parts whole.
fn words(example: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in example.split('\'').enumerate() {
        if index % 2 == 0 {
            words.extend(part.split_whitespace().map(str::to_owned));
        } else {
            words.push(part.to_owned());
        }
    }
    words
}

/// Makes a directory with every file that the examples name.
fn directory() -> Bench {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/x4-modding.md");
    let guide = fs::read_to_string(guide).unwrap();
    let component = guide.split("```xml cockpit.xml\n").nth(1).unwrap();
    let component = component.split("```").next().unwrap();
    let bench = Bench::new()
        .with("anims/run.seanim", seanim("walk"))
        .with("out/notes.txt", "")
        .with("door.animj", LIGHT)
        .with("cockpit.ani", fixture("x4-ani", "cockpit"))
        .with("cockpit.xml", component);
    let unpacked = bench.run(&["unpack", "cockpit.ani", "-o", "cockpit.ani.json"]);
    assert_eq!(unpacked.code, 0, "{}", unpacked.err);
    bench
}

#[test]
fn every_command_has_examples_that_run() {
    let commands = commands(&directory());
    assert!(commands.iter().any(|name| name == "convert"), "{commands:?}");
    for command in commands {
        let help = directory().run(&[&command, "--help"]);
        let examples = help.text().lines().skip_while(|line| *line != "Examples:").skip(1);
        let examples: Vec<Vec<String>> = examples.map(words).collect();
        assert!((2..=4).contains(&examples.len()), "{command}: {examples:?}");
        for example in examples {
            let [program, arguments @ ..] = example.as_slice() else {
                panic!("{command}: an empty example");
            };
            assert_eq!(program, "inbetween");
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let ran = directory().run(&arguments);
            assert_eq!(ran.code, 0, "{example:?}: {}", ran.err);
        }
    }
}
