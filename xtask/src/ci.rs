//! All that a change must pass.

use std::time::Instant;

use serde_json::Value;

use crate::shell::{cargo, output, run as shell, runs};
use crate::{Outcome, figures, fixtures, fuzz, hygiene, rooms, tables};

/// A step, the quick ones first.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", run: || shell(&mut cargo(["fmt", "--all", "--check"])) },
    Step { name: "hygiene", run: hygiene::check },
    Step { name: "fixtures", run: fixtures::check },
    Step { name: "tables", run: tables::check },
    Step { name: "figures", run: figures::check },
    Step { name: "rooms", run: rooms::check },
    Step { name: "clippy", run: clippy },
    Step { name: "features", run: features },
    Step { name: "docs", run: docs },
    Step { name: "test", run: || shell(&mut cargo(["test", "--workspace", "--locked"])) },
    Step { name: "benches", run: benches },
    Step { name: "tool", run: tool },
    Step { name: "package", run: package },
    Step { name: "deny", run: deny },
    Step { name: "fuzz", run: fuzz::smoke },
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let steps = chosen(arguments)?;
    let mut times = Vec::new();
    for step in steps {
        println!("== {}", step.name);
        let start = Instant::now();
        (step.run)().map_err(|error| format!("step {} failed: {error}", step.name))?;
        let seconds = start.elapsed().as_secs();
        println!("== {} passed in {seconds} s", step.name);
        times.push((step.name, seconds));
    }
    for (name, seconds) in times {
        println!("passed {name:10} {seconds:5} s");
    }
    Ok(())
}

/// All steps, those that are named, or all except those that are named after `--except`.
fn chosen(arguments: &[String]) -> Result<Vec<&'static Step>, String> {
    let (except, names) = match arguments.split_first() {
        Some((first, rest)) if first == "--except" => (true, rest),
        _ => (arguments.is_empty(), arguments),
    };
    if let Some(name) = names.iter().find(|name| !STEPS.iter().any(|step| step.name == **name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("there is no step {name}, only {}", known.join(", ")));
    }
    let chosen = |step: &&Step| names.iter().any(|name| name == step.name) != except;
    Ok(STEPS.iter().filter(chosen).collect())
}

fn clippy() -> Outcome {
    let workspace = ["clippy", "--workspace", "--all-targets", "--all-features", "--locked"];
    shell(cargo(workspace).args(["--", "--deny", "warnings"]))
}

/// Every package with features builds without them, with each alone, and with all.
fn features() -> Outcome {
    let metadata = output(&mut cargo(["metadata", "--no-deps", "--format-version=1"]))?;
    let metadata: Value = serde_json::from_str(&metadata).map_err(|error| error.to_string())?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    for package in packages.into_iter().flatten() {
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let features = package.get("features").and_then(Value::as_object);
        let features: Vec<&String> = features.into_iter().flat_map(|map| map.keys()).collect();
        if features.is_empty() {
            continue;
        }
        let base = ["clippy", "--package", name, "--all-targets", "--locked"];
        let check =
            |extra: &[&str]| shell(cargo(base).args(extra).args(["--", "--deny", "warnings"]));
        check(&["--no-default-features"])?;
        for feature in features {
            check(&["--no-default-features", "--features", feature])?;
        }
        check(&["--all-features"])?;
    }
    Ok(())
}

fn docs() -> Outcome {
    // Libraries only: the tool and the facade would write to the same file.
    let workspace = ["doc", "--workspace", "--lib", "--no-deps", "--all-features", "--locked"];
    shell(cargo(workspace).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Runs every benchmark once, which takes no measure but proves that it works.
fn benches() -> Outcome {
    shell(&mut cargo(["test", "--workspace", "--bench", "*", "--locked"]))
}

/// Runs the first command of the README.
fn tool() -> Outcome {
    let target = std::env::temp_dir().join(format!("inbetween-walk-{}.animj", std::process::id()));
    let convert = ["run", "--release", "--locked", "--", "convert"];
    shell(cargo(convert).arg("fixtures/seanim/ok/walk.seanim").arg(&target))?;
    std::fs::remove_file(&target).map_err(|error| format!("{}: {error}", target.display()))
}

/// Builds the packages as the Rust package registry would get them.
///
/// Cargo takes a package of one version for one that never changes, and keeps what it unpacked and
/// built by the folder that it was in. So each run has a folder of its own.
fn package() -> Outcome {
    let private = ["--exclude", "xtask", "--exclude", "inbetween-testing"];
    let workspace = ["package", "--workspace", "--allow-dirty", "--locked", "--target-dir"];
    let folder = std::env::temp_dir().join(format!("inbetween-packages-{}", std::process::id()));
    let built = shell(cargo(workspace).arg(&folder).args(private));
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        println!("{} stays: {error}", folder.display());
    }
    built
}

fn deny() -> Outcome {
    if !runs(&mut cargo(["deny", "--version"])) {
        println!("cargo-deny is not installed; the licences are not looked at here");
        return Ok(());
    }
    shell(&mut cargo(["deny", "--locked", "check", "bans", "licenses", "sources"]))
}
