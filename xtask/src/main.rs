//! The tasks of the workspace: `cargo xtask` lists them.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::print_stdout,
    reason = "tasks count files and say what they do"
)]

mod campaign;
mod ci;
mod compat;
mod figures;
mod fixtures;
mod fuzz;
mod hygiene;
mod perf;
#[cfg(test)]
mod replay;
mod rooms;
mod shell;
mod tables;

use std::process::ExitCode;

/// What a task comes to; the text says what went wrong.
type Outcome = Result<(), String>;

/// A task: its name, its arguments, what it does, and how.
struct Task {
    name: &'static str,
    arguments: &'static str,
    help: &'static str,
    run: fn(&[String]) -> Outcome,
}

const TASKS: &[Task] = &[
    Task {
        name: "ci",
        arguments: "[STEP...] [--except STEP...]",
        help: "runs all that a change must pass, or some steps of it",
        run: ci::run,
    },
    Task {
        name: "fixtures",
        arguments: "[--check]",
        help: "writes the fixture files from their cases, or says which differ",
        run: fixtures::run,
    },
    Task {
        name: "tables",
        arguments: "[--check]",
        help: "writes the generated blocks of the documents, or says which are out of date",
        run: tables::run,
    },
    Task {
        name: "figures",
        arguments: "[--check]",
        help: "draws the figures of the documents, or says which are out of date",
        run: figures::run,
    },
    Task {
        name: "fuzz",
        arguments: "--smoke | TARGET [--seconds N]",
        help: "fuzzes each target for 20 seconds, or one for longer",
        run: fuzz::run,
    },
    Task {
        name: "campaign",
        arguments: "conversions|edits [--minutes N]",
        help: "runs property tests with random seeds, 10,000 animations each or for N minutes",
        run: campaign::run,
    },
    Task {
        name: "perf",
        arguments: "[MEASURE...]",
        help: "measures speed as ratios, and says which targets are missed",
        run: perf::run,
    },
    Task {
        name: "compat",
        arguments: "DIR [--allow-refused]",
        help: "puts every file below a folder through all laws and conversions",
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
            None => Err(format!("there is no task {name}\n{}", usage())),
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

/// Says whether the only argument is `flag`; others are refused.
fn only_flag(arguments: &[String], flag: &str) -> Result<bool, String> {
    match arguments {
        [] => Ok(false),
        [one] if one == flag => Ok(true),
        other => Err(format!("expected {flag} or nothing, found {}", other.join(" "))),
    }
}
