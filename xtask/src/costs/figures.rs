//! The committed figures: how many instructions each hot loop takes, in functions of this project.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use inbetween::num::f64_from_u64;

use crate::Outcome;
use crate::shell::{cargo, complain, output, read, root, write as write_file};

/// The toolchain of the figures. Another one compiles to other instructions.
pub(super) const TOOLCHAIN: &str = "rustc 1.95.0, x86_64 Linux";

/// The start of what that compiler says of itself.
const VERSION: &str = "rustc 1.95.0 ";

/// Whether this program was built like that of the figures: in the release profile, which compiles
/// each crate in one piece. In the profile of the tests, what the compiler inlines depends on the
/// folder of the checkout: a loop took 2.5 times the instructions in another one.
pub(super) const IS_THIS_BUILD: bool = cfg!(not(debug_assertions));

/// One line per hot loop: the number, a space, the name.
const FILE: &str = "xtask/src/costs/figures.txt";

/// The largest difference from the figure, in either direction. A loop that became cheaper needs a
/// new figure, or the next loss would not show.
const TOLERANCE: f64 = 0.05;

/// Returns this toolchain if it is not that of the figures.
pub(super) fn other_toolchain() -> Result<Option<String>, String> {
    let version = output(Command::new("rustc").arg("--version").current_dir(root()))?;
    let same =
        version.starts_with(VERSION) && cfg!(all(target_arch = "x86_64", target_os = "linux"));
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    Ok((!same).then(|| format!("{}, {arch} {os}", version.trim())))
}

/// Returns the command that does the same with a build like that of the figures.
pub(super) fn build(arguments: &[String]) -> Command {
    let mut command = cargo(["run", "--quiet", "--release", "--locked", "--package", "xtask"]);
    command.args(["--", "instructions"]).args(arguments);
    command
}

/// Parts of the names of this project's functions, and of the loops in `hot.rs`, into which samplers
/// are inlined.
const OWN: [&str; 3] = ["inbetween", "xtask::costs::hot", "5xtask5costs3hot"];

/// Returns the instructions in functions of this project, from a file that valgrind wrote.
pub(super) fn own(path: &Path) -> Result<u64, String> {
    let text = fs::read_to_string(path);
    own_of(&text.map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Sums up the lines of costs that follow the name of such a function. The line after `calls=` is
/// the cost of the called function, which is counted there.
///
/// Names are `(1) name` at first and `(1)` from then on.
fn own_of(text: &str) -> Result<u64, String> {
    let mut known: BTreeMap<&str, bool> = BTreeMap::new();
    let (mut own, mut sum) = (false, 0_u64);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(name) = line.strip_prefix("fn=").or_else(|| line.strip_prefix("cfn=")) {
            let (id, name) = name.split_once(' ').unwrap_or((name, ""));
            if !name.is_empty() {
                known.insert(id, OWN.iter().any(|own| name.contains(own)));
            }
            if line.starts_with("fn=") {
                own = known.get(id).copied().unwrap_or(false);
            }
        } else if line.starts_with("calls=") {
            lines.next();
        } else if own
            && line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first))
        {
            let cost = line.split_whitespace().nth(1).and_then(|cost| cost.parse::<u64>().ok());
            sum += cost.ok_or_else(|| format!("a line without cost: {line}"))?;
        }
    }
    if sum == 0 { Err("no function of this project was counted".into()) } else { Ok(sum) }
}

/// Writes the figures.
pub(super) fn write(found: &[(&str, u64)]) -> Outcome {
    let lines = found.iter().map(|(name, own)| format!("{own} {name}\n"));
    write_file(Path::new(FILE), &lines.collect::<String>())
}

/// Prints each loop beside its figure, and fails if one is off.
pub(super) fn compare(found: &[(&str, u64)]) -> Outcome {
    let committed = read(Path::new(FILE))?;
    println!("| hot loop | instructions | committed | |\n| --- | --- | --- | --- |");
    let off = differences(found, &figures(&committed)?);
    complain(
        &off,
        "if this is meant, run `cargo xtask instructions --write` and say why in the commit",
    )
}

fn figures(text: &str) -> Result<BTreeMap<&str, u64>, String> {
    let line = |line| {
        let (figure, name) = str::split_once(line, ' ').ok_or(line)?;
        Ok((name, figure.parse().map_err(|_| line)?))
    };
    let figures = text.lines().map(line).collect::<Result<_, &str>>();
    figures.map_err(|line| format!("{FILE}: expected a number and a name, found {line:?}"))
}

fn differences(found: &[(&str, u64)], committed: &BTreeMap<&str, u64>) -> Vec<String> {
    let mut off = Vec::new();
    for &(name, own) in found {
        let Some(&figure) = committed.get(name) else {
            off.push(format!("{name}: {own} instructions, and no figure"));
            continue;
        };
        let change = f64_from_u64(own) / f64_from_u64(figure) - 1.0;
        println!("| {name} | {own} | {figure} | {:+.1} % |", change * 100.0);
        if change.abs() > TOLERANCE {
            let percent = change * 100.0;
            off.push(format!("{name}: {own} instructions instead of {figure} ({percent:+.1} %)"));
        }
    }
    let gone = committed.keys().filter(|name| !found.iter().any(|(found, _)| found == *name));
    off.extend(gone.map(|name| format!("{name}: a figure without a loop")));
    off
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_only_functions_of_the_project_and_without_what_they_call() {
        let text = "events: Ir\n\nfl=(1) a.rs\nfn=(1) _RN9inbetween4read\n10 5\n+2 7\n\
                    cfn=(2) malloc\ncalls=1 0\n* 100\n\nfn=(2)\n3 100\n\nfn=(1)\n-4 1\n";
        assert_eq!(own_of(text), Ok(13));
        assert!(own_of("fn=(2) malloc\n3 100\n").is_err());
    }

    #[test]
    fn fails_above_and_below_five_percent() {
        let committed = figures("1000 read\n1000 write\n").unwrap();
        let off = |read, write| differences(&[("read", read), ("write", write)], &committed).len();
        assert_eq!(off(1049, 951), 0);
        assert_eq!(off(1051, 1000), 1);
        assert_eq!(off(1000, 949), 1);
    }

    #[test]
    fn a_new_loop_needs_a_figure_and_a_removed_one_loses_it() {
        let committed = figures("1000 read\n1000 write\n").unwrap();
        assert_eq!(differences(&[("read", 1000), ("scan", 5)], &committed).len(), 2);
    }
}
