//! Fuzzing on the stable toolchain.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::{fs, iter, thread};

use inbetween_testing::cases::{self, CaseKind};
use inbetween_testing::fixtures;

use crate::Outcome;
use crate::shell::{cargo, complain, failed, install, root, run as shell, runs};

/// The CI step uses the same inputs in every run of one build, so that a failure can be repeated. So
/// it has no time limit, does not read its folder of inputs again, as the fuzzer otherwise does once
/// a second, and takes nothing from comparisons, which may be of addresses. A checkout in another
/// folder is another build, with other inputs. Longer runs draw their own inputs.
const SMOKE: [&str; 3] = ["-seed=1", "-reload=0", "-use_cmp=0"];
const SECONDS: u32 = 600;
/// The log of campaigns, with a line for each run of a target: its name, executions, edges, inputs, and
/// how it ended.
pub(crate) const LOG: &str = "fuzz/campaigns.tsv";
/// How a run without a failure ends.
pub(crate) const FINE: &str = "fine";
/// How many targets run at the same time in that step.
const WORKERS: usize = 2;
/// The longest input of a campaign in bytes. Twice as many inputs run in the same time, and hardly any
/// code needs longer ones; the CI step has those.
const LONGEST: &str = "-max_len=2048";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["--smoke"] => smoke(),
        ["--campaign", minutes] => {
            let number = minutes.parse();
            campaign(number.map_err(|_| format!("expected minutes, found {minutes}"))?)
        }
        [target] => some(target, SECONDS),
        [target, "--seconds", seconds] => {
            let number = seconds.parse();
            some(target, number.map_err(|_| format!("expected seconds, found {seconds}"))?)
        }
        _ => {
            Err(format!("expected --smoke, --campaign, --all or one of {}", targets()?.join(", ")))
        }
    }
}

/// Builds all targets and runs each briefly, with the same inputs every time.
pub(crate) fn smoke() -> Outcome {
    install_cargo_fuzz()?;
    shell(&mut cargo(["fuzz", "build", "--sanitizer", "none"]))?;
    each(targets()?, smoke_target)
}

/// Runs a task for each target, two at the same time.
fn each(targets: Vec<String>, task: impl Fn(&str) -> Outcome + Sync) -> Outcome {
    let targets = Mutex::new(targets.into_iter());
    let next = || targets.lock().ok()?.next();
    let work = || iter::from_fn(next).try_for_each(|target| task(&target));
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let mut outcomes = workers.into_iter().map(thread::ScopedJoinHandle::join);
        let stopped = |_| Err("a target was stopped".to_owned());
        outcomes.try_for_each(|outcome| outcome.unwrap_or_else(stopped))
    })
}

/// Runs all targets for some minutes in all. Each starts with the inputs that earlier campaigns found, so
/// that a campaign goes on where the last one ended. A failure stops its target alone.
fn campaign(minutes: usize) -> Outcome {
    let targets = targets()?;
    install_cargo_fuzz()?;
    shell(&mut cargo(["fuzz", "build", "--sanitizer", "none"]))?;
    let seconds = minutes.saturating_mul(60 * WORKERS) / targets.len().max(1);
    let failed = Mutex::new(Vec::new());
    let log = Mutex::new(());
    each(targets, |target| {
        let corpus = root().join("fuzz/corpus").join(target);
        let time = format!("-max_total_time={}", seconds.max(1));
        let mut command = fuzz(target, &corpus)?;
        let output = command.args([LONGEST, &time]).output();
        let output = output.map_err(|error| format!("cannot run {target}: {error}"))?;
        let ran = Ran::of(&String::from_utf8_lossy(&output.stderr));
        let outcome = if output.status.success() { FINE } else { "failed" };
        let Ran { executions, edges, inputs } = ran;
        let line = format!("{target}\t{executions}\t{edges}\t{inputs}\t{outcome}\n");
        print!("{line}");
        if !output.status.success()
            && let Ok(mut failed) = failed.lock()
        {
            failed.push(target.to_owned());
        }
        let _one_at_a_time = log.lock();
        append(&line)
    })?;
    let failed = failed.into_inner().unwrap_or_default();
    complain(&failed, "these targets failed; their inputs lie in fuzz/artifacts")
}

/// What a run of the fuzzer says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
struct Ran {
    executions: u64,
    /// The edges of the code that were reached.
    edges: u64,
    /// The inputs that reach them.
    inputs: u64,
}

impl Ran {
    fn of(text: &str) -> Self {
        let number = |text: &str| text.split(['/', ' ']).next()?.parse().ok();
        let after = |line: &str, word: &str| {
            number(line.split_once(word).map(|(_, rest)| rest.trim_start())?)
        };
        let last = |word| text.lines().rev().find_map(|line| after(line, word)).unwrap_or_default();
        Self {
            executions: last("stat::number_of_executed_units:"),
            edges: last(" cov:"),
            inputs: last(" corp:"),
        }
    }
}

/// Adds a line to the log of campaigns.
fn append(line: &str) -> Outcome {
    let path = root().join(LOG);
    let file = fs::OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(line.as_bytes()));
    written.map_err(|error| failed(&path, &error))
}

/// Runs a target briefly on the fixtures.
fn smoke_target(target: &str) -> Outcome {
    let corpus = root().join("fuzz/corpus/smoke").join(target);
    // Inputs found by other runs differ each time.
    fs::remove_dir_all(&corpus).or_else(|error| {
        let message = format!("{}: {error}", corpus.display());
        if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(message) }
    })?;
    let runs = format!("-runs={}", smoke_runs(target));
    quietly(target, fuzz(target, &corpus)?.args(SMOKE).arg(runs))
}

/// Returns the number of runs of a target in the CI step; some laws are slow.
fn smoke_runs(target: &str) -> u32 {
    match target {
        "animx_tracks" | "edit" | "facade" => 20_000,
        _ => 50_000,
    }
}

/// Runs a target, or all of them one after the other, on random inputs.
fn some(target: &str, seconds: u32) -> Outcome {
    let mut targets = targets()?;
    if target != "--all" {
        if !targets.iter().any(|known| known == target) {
            return Err(format!("there is no target {target}, only {}", targets.join(", ")));
        }
        targets.retain(|known| known == target);
    }
    install_cargo_fuzz()?;
    targets.iter().try_for_each(|target| {
        let corpus = root().join("fuzz/corpus").join(target);
        let time = format!("-max_total_time={seconds}");
        shell(fuzz(target, &corpus)?.args([&time, "-use_value_profile=1"]))
    })
}

fn install_cargo_fuzz() -> Outcome {
    if runs(&mut cargo(["fuzz", "--version"])) {
        return Ok(());
    }
    install("cargo-fuzz")
}

/// Runs a target, and prints its output only if it fails.
fn quietly(target: &str, command: &mut Command) -> Outcome {
    let output = command.output().map_err(|error| format!("cannot run {target}: {error}"))?;
    let text = String::from_utf8_lossy(&output.stderr);
    let told = |line: &&str| !output.status.success() || line.starts_with("Done ");
    let lines = [format!("== {target}")].into_iter();
    let lines: Vec<String> = lines.chain(text.lines().filter(told).map(str::to_owned)).collect();
    println!("{}", lines.join("\n"));
    if output.status.success() {
        return Ok(());
    }
    Err(format!(
        "target {target} failed; the input lies in fuzz/artifacts/{target}, and belongs into \
         fuzz/regressions/{target} when its cause is fixed"
    ))
}

/// Prepares a run of a target on the fixtures and on the inputs in the folder, which git ignores.
fn fuzz(target: &str, corpus: &Path) -> Result<Command, String> {
    let beside = |extension: &str| corpus.with_extension(extension);
    let (seeds, list, words) = (beside("seeds"), beside("list"), beside("dict"));
    fs::create_dir_all(corpus)
        .and_then(|()| plant(target, &seeds))
        .and_then(|seeds| fs::write(&list, seeds.join(",")))
        .and_then(|()| dictionary(target, &words))
        .map_err(|error| format!("{}: {error}", corpus.display()))?;
    let mut command = cargo(["fuzz", "run", "--sanitizer", "none", target]);
    command.arg(corpus).args(["--", "-timeout=120", "-rss_limit_mb=4096"]);
    command.arg("-print_final_stats=1");
    // A list has an order. That of a folder depends on the file system.
    command.arg(format!("-seed_inputs=@{}", list.display()));
    command.arg(format!("-dict={}", words.display()));
    Ok(command)
}

/// Writes the first inputs of a target to a folder: the fixtures of all formats and their text
/// forms. Returns their paths.
fn plant(target: &str, folder: &Path) -> std::io::Result<Vec<String>> {
    let mut seeds = Vec::new();
    for format in cases::formats() {
        for fixture in fixtures::of(format) {
            let name = fixture.path.file_name().unwrap_or_default().to_string_lossy();
            if let Ok(text) = inbetween::unpack(&fixture.bytes) {
                seeds.push((format!("{name}.json"), text));
            }
            seeds.push((name.into_owned(), fixture.bytes));
        }
    }
    if target == "edit" {
        seeds.extend(edited());
    }
    fs::create_dir_all(folder)?;
    let write = |(name, bytes): &(String, Vec<u8>)| {
        let path = folder.join(name);
        fs::write(&path, bytes).map(|()| path.display().to_string())
    };
    seeds.iter().map(write).collect()
}

/// Returns the fixtures, each with two different edits before it.
fn edited() -> impl Iterator<Item = (String, Vec<u8>)> {
    let fixtures = cases::formats().flat_map(fixtures::of);
    let fixtures = fixtures.filter(|fixture| fixture.kind == CaseKind::Ok);
    fixtures.zip((0..=u8::MAX).cycle()).map(|(fixture, edit)| {
        let name = fixture.path.file_name().unwrap_or_default().to_string_lossy();
        let edits = [1, edit, 9, 11, edit.rotate_left(3), 24, 60];
        let seed = [edits.as_slice(), &fixture.bytes].concat();
        (format!("edited-{name}"), seed)
    })
}

/// Writes a dictionary with the words of the format in the target's name, or of all formats.
fn dictionary(target: &str, path: &Path) -> std::io::Result<()> {
    let file = |name: &str| root().join("fuzz/dictionaries").join(name).with_extension("dict");
    let own = file(target);
    let named = |format: &&str| target.ends_with(&format.replace('-', "_"));
    let formats: Vec<&str> = cases::formats().collect();
    let files = match formats.iter().find(|format| named(format)) {
        _ if own.is_file() => vec![own],
        Some(format) => vec![file(format)],
        None => formats.into_iter().map(file).collect(),
    };
    let words = files.into_iter().map(fs::read_to_string).collect::<Result<String, _>>()?;
    fs::write(path, words)
}

/// Returns the names of the targets, sorted.
pub(crate) fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let names = entries.flatten().filter_map(|entry| {
        let path = entry.path();
        Some(path.file_stem()?.to_str()?.to_owned())
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_last_numbers_of_a_run() {
        let text = "#2\tINITED cov: 10 ft: 20 corp: 3/9b\n\
                    #9\tNEW    cov: 44318 ft: 129560 corp: 1294/529Kb lim: 35 exec/s: 350 rss: 102Mb\n\
                    stat::number_of_executed_units: 4224\n\
                    stat::average_exec_per_sec:     324\n";
        assert_eq!(Ran::of(text), Ran { executions: 4224, edges: 44318, inputs: 1294 });
        assert_eq!(Ran::of("cannot start"), Ran::default());
    }
}
