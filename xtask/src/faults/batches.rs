//! Batches of which one file fails, inputs that cannot be read, and two commands at once.

use std::path::Path;
use std::process::{Child, Stdio};

use super::errors::{EIO, cause};
use super::folder::{File, Files, has_temporary};
use super::strace::{Call, Ran, Threads, Tool};
use super::{Figures, Outcome};

/// The command that converts the folder `batch`.
pub(super) const CONVERT: &str =
    "convert DIR/batch --to animj --out-dir DIR/batch/out --quiet --jobs 1";

/// The inputs of the batch, in the order in which they are converted.
const INPUTS: [&str; 4] = ["a.seanim", "long.animj", "m.seanim", "z.seanim"];

/// An input that is read in several pieces.
const LONG: &str = "DIR/batch/long.animj";

/// Commands that read an input, `IN`, and the input.
const READERS: &[(&str, &str)] = &[
    ("info IN", LONG),
    ("check IN", LONG),
    ("check --fix IN", LONG),
    ("convert IN DIR/new.animx", LONG),
    ("edit IN -o DIR/new.animj --reverse", LONG),
    ("diff IN DIR/walk.seanim", LONG),
    ("diff DIR/walk.seanim IN", LONG),
    ("sample IN -o DIR/new.csv", LONG),
    ("plot IN -o DIR/new.svg", LONG),
    ("clip IN -o DIR/new.clip", LONG),
    ("skeleton IN -o DIR/new.json", LONG),
    ("pack IN -o DIR/new.seanim", "DIR/walk.seanim.json"),
    ("unpack IN -o DIR/new.json", "DIR/walk.seanim"),
];

pub(super) fn run(tool: &Tool, before: &Files, figures: &mut Figures) -> Outcome {
    unreadable_inputs_are_named(tool, before, figures)?;
    a_batch_continues(tool, before, figures)?;
    two_commands_write_one_complete_file(tool, before, figures)
}

/// Lets each read of an input fail.
fn unreadable_inputs_are_named(tool: &Tool, before: &Files, figures: &mut Figures) -> Outcome {
    tool.fill(before)?;
    for (reader, input) in READERS {
        let line = reader.replace("IN", input) + " --quiet";
        let input = input.replace("DIR", &tool.folder().display().to_string());
        let mut number = 1;
        loop {
            let fault = format!("--inject=read:error=EIO:when={number}");
            let ran = tool.trace(&line, Threads::All, &["-P".to_owned(), input.clone(), fault])?;
            if !ran.calls.iter().any(Call::is_injected) {
                break;
            }
            figures.errors += 1;
            number += 1;
            let expected = format!("error: {input}: {}", cause(EIO));
            if ran.code != Some(3) || ran.errors != [expected] || tool.read()? != *before {
                let errors = ran.errors.join("\n");
                return Err(format!("{line}: read {number}: exit code {:?}\n{errors}", ran.code));
            }
        }
        if number == 1 {
            return Err(format!("{line}: nothing was read"));
        }
        tool.fill(before)?;
    }
    Ok(())
}

/// Lets the sync of each output, and the first read of each input, fail.
fn a_batch_continues(tool: &Tool, before: &Files, figures: &mut Figures) -> Outcome {
    for (index, input) in INPUTS.iter().enumerate() {
        let path = tool.folder().join("batch").join(input).display().to_string();
        let sync = vec![format!("--inject=fsync:error=EIO:when={}", index + 1)];
        let read = vec!["-P".to_owned(), path, "--inject=read:error=EIO:when=1".to_owned()];
        for options in [sync, read] {
            tool.fill(before)?;
            let ran = tool.trace(CONVERT, Threads::All, &options)?;
            figures.errors += 1;
            check(tool, &ran, &tool.read()?, input, &cause(EIO))?;
        }
    }
    Ok(())
}

/// Checks a batch in which one file failed.
pub(super) fn check(tool: &Tool, ran: &Ran, left: &Files, bad: &str, cause: &str) -> Outcome {
    let output = |input: &str| Path::new("batch/out").join(input).with_extension("animj");
    let is_right = |input: &&str| left.contains_key(&output(input)) == (*input != bad);
    let folder = tool.folder().display().to_string();
    let is_named = |line: &&String| {
        let stem = bad.split('.').next().unwrap_or(bad);
        line.starts_with(&format!("error: {folder}/")) && line.contains(&format!("/{stem}."))
    };
    let named: Vec<&String> = ran.errors.iter().filter(is_named).collect();
    let is_reported = matches!(named.as_slice(), [line] if line.contains(cause));
    if ran.code == Some(3) && is_reported && INPUTS.iter().all(is_right) && !has_temporary(left) {
        return Ok(());
    }
    let (errors, left) = (ran.errors.join("\n"), left.keys());
    Err(format!("{bad} failed in a batch: exit code {:?}\n{errors}\n{left:?}", ran.code))
}

/// Runs two conversions to the same file at once, which replace it or not.
fn two_commands_write_one_complete_file(
    tool: &Tool,
    before: &Files,
    figures: &mut Figures,
) -> Outcome {
    let line = |input: &str, force: &str| format!("convert DIR/{input} DIR/both.animj -q{force}");
    let inputs = ["batch/long.animj", "run.seanim"];
    let mut results = Vec::new();
    for input in inputs {
        tool.fill(before)?;
        wait(start(tool, &line(input, ""))?)?;
        results.extend(tool.read()?.remove(Path::new("both.animj")));
    }
    for round in 0..50 {
        let force = if round % 2 == 0 { "" } else { " --force" };
        tool.fill(before)?;
        let runs = inputs.map(|input| start(tool, &line(input, force)));
        let [first, second] = runs;
        let codes = [wait(first?)?, wait(second?)?];
        figures.rounds += 1;
        let left = tool.read()?;
        let written = left.get(Path::new("both.animj"));
        let winner = results.iter().position(|result| Some(result) == written);
        let expected = match winner {
            Some(_) if !force.is_empty() => [Some(0), Some(0)],
            Some(0) => [Some(0), Some(3)],
            _ => [Some(3), Some(0)],
        };
        if winner.is_none() || codes != expected || left.len() != before.len() + 1 {
            return Err(format!("two writers{force}: exit codes {codes:?}, {written:?}"));
        }
    }
    Ok(())
}

fn start(tool: &Tool, line: &str) -> Result<Child, String> {
    let mut command = tool.command(&[], line);
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    child.map_err(|error| format!("cannot run {line}: {error}"))
}

fn wait(mut child: Child) -> Result<Option<i32>, String> {
    child.wait().map(|status| status.code()).map_err(|error| error.to_string())
}

/// Returns an AnimJ file of more than 64 KiB, after which the command reads the rest of an input.
pub(super) fn long() -> File {
    let keys: Vec<String> =
        (0..4000).map(|key| format!("{{\"time\": {key}, \"value\": {}}}", key % 7)).collect();
    let text = format!(
        "{{\"name\": \"long\", \"globalDuration\": 3999, \"tracks\": [{{\"trackType\": \"Discrete\", \
         \"valueType\": \"float\", \"data\": {{\"node\": \"N\", \"property\": \"P\", \
         \"keyframes\": [{}]}}}}]}}",
        keys.join(", ")
    );
    File::new(text.into_bytes())
}
