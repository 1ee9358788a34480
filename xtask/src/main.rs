//! The tasks of the workspace: `cargo xtask` lists them.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "tasks count files and print progress"
)]

mod campaign;
mod ci;
mod compat;
mod costs;
mod dist;
mod engine_names;
mod faults;
mod figures;
mod fixtures;
mod format_crates;
mod fuzz;
mod gltf;
mod hygiene;
mod inputs;
mod layout;
mod licenses;
mod mutants;
mod new_format;
#[expect(
    clippy::format_push_string,
    clippy::indexing_slicing,
    reason = "measuring stops where it is wrong, and prints little"
)]
mod perf;
mod platforms;
mod promises;
mod python;
#[cfg(test)]
mod replay;
#[path = "../../fuzz/src/rewriters.rs"]
mod rewriters;
mod sbom;
mod shell;
mod tables;
mod web;

use std::process::ExitCode;

/// The result of a task; the error is a message.
type Outcome = Result<(), String>;

/// A task of `cargo xtask`.
struct Task {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task {
        name: "ci",
        arguments: "[--full] [STEP...] [--except STEP...]",
        help: "run the steps that every change must pass, or some of them; --full adds those that take long",
        run: ci::run,
    },
    Task {
        name: "fixtures",
        arguments: "[--check]",
        help: "write the fixture files from their cases, or list those that differ",
        run: fixtures::run,
    },
    Task {
        name: "tables",
        arguments: "[--check]",
        help: "write the generated blocks of documents, manifests and code and count the code, or list stale blocks",
        run: tables::run,
    },
    Task {
        name: "new-format",
        arguments: "ID",
        help: "add a crate for a new format that works, to be edited as docs/adding-a-format.md says",
        run: new_format::run,
    },
    Task {
        name: "dist",
        arguments: "[--twice]",
        help: "build the archive of a release in target/dist, with its checksum; --twice builds it again in another folder and compares",
        run: dist::dist,
    },
    Task {
        name: "web",
        arguments: "",
        help: "build the npm package in crates/web/npm/dist and the web page in crates/web/build/page",
        run: web::build,
    },
    Task {
        name: "wheel-licenses",
        arguments: "",
        help: "collect what the wheel of a release says of its packages: licenses and a bill of materials",
        run: python::licenses,
    },
    Task {
        name: "figures",
        arguments: "[--check]",
        help: "draw the figures of the documents, or list those that are out of date",
        run: figures::run,
    },
    Task {
        name: "fuzz",
        arguments: "--smoke | --campaign MINUTES | --all [--seconds N] | TARGET [--seconds N]",
        help: "fuzz each target shortly on the same inputs every time, or all or one for longer on random ones; a campaign goes on where the last one ended, and adds to fuzz/campaigns.tsv",
        run: fuzz::run,
    },
    Task {
        name: "python-fuzz",
        arguments: "CALLS [SEED]",
        help: "call the functions of the Python package with bytes and arguments that a fuzzer draws",
        run: python::fuzz,
    },
    Task {
        name: "mutants",
        arguments: "[CRATE...]",
        help: "change the code in small ways, and count how often the tests notice",
        run: mutants::run,
    },
    Task {
        name: "campaign",
        arguments: "conversions|edits [--minutes N]",
        help: "run property tests with random seeds, 10,000 animations each or for N minutes",
        run: campaign::run,
    },
    Task {
        name: "perf",
        arguments: "[--json | --page]",
        help: "measure speed as ratios, and print a table or JSON, or write docs/benchmarks.md",
        run: perf::run,
    },
    Task {
        name: "costs",
        arguments: "[WORD...]",
        help: "count instructions, and fail where doubling an input costs more than 2.3 times as many",
        run: costs::run,
    },
    Task {
        name: "compat",
        arguments: "DIR [--allow-refused]",
        help: "run all laws and conversions on every file in a directory",
        run: compat::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        None => {
            println!("{}", usage());
            return ExitCode::SUCCESS;
        }
        Some((name, rest)) => match TASKS.iter().find(|task| task.name == name) {
            Some(task) => (task.run)(rest),
            None => Err(format!("unknown task {name}\n{}", usage())),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let line = |task: &Task| {
        format!("\n  cargo xtask {} {}\n      {}", task.name, task.arguments, task.help)
    };
    format!("tasks:{}", TASKS.iter().map(line).collect::<String>())
}

/// Returns whether the only argument is `flag`; others are refused.
fn only_flag(arguments: &[String], flag: &str) -> Result<bool, String> {
    match arguments {
        [] => Ok(false),
        [one] if one == flag => Ok(true),
        other => Err(format!("expected {flag} or nothing, found {}", other.join(" "))),
    }
}
