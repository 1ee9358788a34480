//! Mutation testing: changes the code in small ways, and counts how often the tests notice.

use std::fs;

use inbetween_testing::cases;
use serde_json::Value;

use crate::Outcome;
use crate::shell::{cargo, complain, failed, install, output, read, root, runs};

/// How many changes are made in a crate, or a few more.
const CHANGES: usize = 40;
/// Which ones: those at this place among as many as there are between two that are made.
const SEED: usize = 7;
/// The least share of changes, in percent, that tests must notice.
const CAUGHT: u64 = 85;

/// What is changed, and the tests that must notice.
struct Scope {
    /// The name of a format, or of a module.
    name: &'static str,
    /// The folder and the package of the crate.
    folder: &'static str,
    package: String,
    /// Where in its folder changes are made.
    files: &'static [&'static str],
    /// Packages with tests besides its own.
    others: &'static [&'static str],
    /// The programs of tests; none for all.
    programs: &'static [&'static str],
}

/// Changes each crate, or the named ones, and runs its own tests on each change.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    if !runs(&mut cargo(["mutants", "--version"])) {
        install("cargo-mutants")?;
    }
    let scopes = scopes();
    let is_known = |name: &&String| scopes.iter().any(|scope| scope.name == *name);
    if let Some(name) = arguments.iter().find(|name| !is_known(name)) {
        let known: Vec<_> = scopes.iter().map(|scope| scope.name).collect();
        return Err(format!("{name} is not one of {}", known.join(", ")));
    }
    let mut weak = Vec::new();
    println!("crate\tcaught\tviable\tmissed");
    for scope in scopes {
        if arguments.is_empty() || arguments.iter().any(|name| name == scope.name) {
            let Counts { caught, missed } = scope.counts()?;
            let viable = caught + u64::try_from(missed.len()).unwrap_or(u64::MAX);
            println!("{}\t{caught}\t{viable}\t{}", scope.name, missed.join("; "));
            if viable == 0 {
                return Err(format!("{}: the tests fail without a change", scope.name));
            }
            if caught * 100 < viable * CAUGHT {
                weak.push(format!("{}: {caught} of {viable}", scope.name));
            }
        }
    }
    complain(&weak, &format!("tests must notice {CAUGHT} % of all changes"))
}

/// Returns what all readers need, what all writers need, the formats, and what compares clips.
fn scopes() -> Vec<Scope> {
    let core = Scope {
        name: "core",
        folder: "core",
        package: "inbetween-core".to_owned(),
        files: &["src/bytes*", "src/report*"],
        others: &[],
        programs: &[],
    };
    // What writers make of a document shows in their files.
    let fit = Scope {
        name: "fit",
        package: core.package.clone(),
        files: &["src/fit*"],
        others: &["inbetween"],
        programs: &["conversions", "losses", "meaning", "reported"],
        ..core
    };
    let comparison = Scope {
        name: "comparison",
        folder: "inbetween",
        package: "inbetween".to_owned(),
        files: &["src/comparison*"],
        others: &["inbetween-cli"],
        programs: &["cli"],
    };
    let formats = cases::formats().map(|format| Scope {
        name: format,
        folder: format,
        package: format!("inbetween-{format}"),
        files: &["src*"],
        ..core
    });
    let formats: Vec<_> = formats.collect();
    [core, fit].into_iter().chain(formats).chain([comparison]).collect()
}

/// What became of the changes that compile.
struct Counts {
    /// How many made a test fail or never end.
    caught: u64,
    /// What the others changed.
    missed: Vec<String>,
}

impl Scope {
    fn counts(&self) -> Result<Counts, String> {
        let listed = output(self.mutants().args(["--list", "--json"]))?;
        let listed: Value = parse(&listed)?;
        let number = listed.as_array().map_or(0, Vec::len);
        let step = (number / CHANGES).max(1);
        let folder = root().join("target/mutants").join(self.name);
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let shard = format!("{}/{step}", SEED % step);
        let mut command = self.mutants();
        command.args(["--shard", &shard, "--sharding", "round-robin", "--no-shuffle"]);
        command.args(["--test-package", &self.package, "--output"]).arg(&folder);
        command.args(self.others.iter().flat_map(|package| ["--test-package", package]));
        command.arg("--").args(self.programs.iter().flat_map(|program| ["--test", program]));
        // It fails if a change is missed; the counts tell.
        let finished = runs(&mut command);
        let outcomes = read(&folder.join("mutants.out/outcomes.json"))
            .map_err(|error| format!("{}: {error}, finished: {finished}", self.name))?;
        let outcomes: Value = parse(&outcomes)?;
        let count = |name: &str| outcomes.get(name).and_then(Value::as_u64).unwrap_or_default();
        let missed = read(&folder.join("mutants.out/missed.txt"))?;
        let missed = missed.lines().map(str::to_owned).collect();
        Ok(Counts { caught: count("caught") + count("timeout"), missed })
    }

    fn mutants(&self) -> std::process::Command {
        let mut command = cargo(["mutants", "--package", &self.package, "--all-features"]);
        // Building takes far longer than the tests.
        let profile = ["OPT_LEVEL", "DEBUG"].map(|name| (format!("CARGO_PROFILE_DEV_{name}"), "0"));
        command.envs(profile).env("CARGO_INCREMENTAL", "1");
        for files in self.files {
            for end in ["", "/**"] {
                let pattern = format!("crates/{}/{files}{end}", self.folder);
                command.args(["--file", &pattern]);
            }
        }
        command
    }
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("cargo mutants: {error}"))
}
