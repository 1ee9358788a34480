//! Measures speed as ratios of times in one process; `docs/benchmarks.md` describes the rows.

mod command;
mod others;
mod plain_loop;
mod rows;
mod set;
mod table;
mod worst;

use std::path::Path;
use std::process::Command;

use inbetween::Registry;
use serde_json::Value;

use self::set::Sets;
use self::table::{Row, markdown};
use crate::Outcome;
use crate::shell::{cargo, output, read, root, write};
use crate::tables::replace_block;

/// The generated blocks that are written here and not by `cargo xtask tables`, and their documents.
pub(crate) const BLOCKS: [(&str, &str); 2] =
    [("benchmarks", "docs/benchmarks.md"), ("speed", "README.md")];

/// The lines of the README: how the name of a row begins, and a sentence around its figure.
const LINES: [[&str; 3]; 3] = [
    ["seanim to cast, to", "SEAnim to Cast takes ", "x the time of reading and writing."],
    ["read animj, times", "Reading AnimJ is ", "x as fast as typed `serde_json`."],
    ["read gltf, times", "Reading all keys of a `.glb` is ", "x as fast as the `gltf` crate."],
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let flags: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if !matches!(flags.as_slice(), [] | ["--json" | "--page"]) {
        return Err(format!("expected --json, --page or nothing, found {}", flags.join(" ")));
    }
    if cfg!(debug_assertions) {
        return in_release(arguments);
    }
    let rows = rows()?;
    match flags.as_slice() {
        ["--json"] => println!("{}", rows.iter().map(Row::json).collect::<Value>()),
        ["--page"] => write_page(&rows)?,
        _ => print!("{}", markdown(&rows)),
    }
    Ok(())
}

/// Keeps freed memory, and copies blocks in a time that does not depend on where they are.
const TUNABLES: &str = "glibc.malloc.mmap_threshold=33554432:glibc.malloc.trim_threshold=536870912:\
    glibc.malloc.top_pad=67108864:glibc.cpu.x86_rep_movsb_threshold=1099511627776";

/// Runs the release build of this program.
fn in_release(arguments: &[String]) -> Outcome {
    let program = ["run", "--quiet", "--release", "--package", "xtask", "--", "perf"];
    let mut command = cargo(program);
    let status = command.args(arguments).env("GLIBC_TUNABLES", TUNABLES).status();
    let status = status.map_err(|error| format!("measuring: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("measuring: {status}")) }
}

/// Measures all rows.
fn rows() -> Result<Vec<Row>, String> {
    let registry = Registry::with_builtin();
    let sets = Sets::new(&registry)?;
    let rows = [
        rows::conversions(&sets)?,
        rows::edits(&sets)?,
        rows::loops(sets.files("seanim"))?,
        command::rows(&sets)?,
        rows::copies(&sets)?,
        rows::others(&sets)?,
        rows::texts(&registry, &sets)?,
        worst::rows(&registry)?,
    ];
    Ok(rows.into_iter().flatten().collect())
}

/// Writes the page and the lines of the README.
fn write_page(rows: &[Row]) -> Outcome {
    let commit = ["rev-parse", "--short=12", "HEAD"];
    let commit = output(Command::new("git").args(commit).current_dir(root()))?;
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name\t: "));
    let (commit, machine) = (commit.trim(), model.unwrap_or(std::env::consts::ARCH));
    let page = format!("Commit `{commit}` on {machine}: {}", markdown(rows));
    let mut readme = String::new();
    for [name, before, after] in LINES {
        let row = rows.iter().find(|row| row.name.starts_with(name));
        let row = row.ok_or_else(|| format!("no row is named {name}"))?;
        readme += &format!("- {before}{:.1}{after}\n", row.figure.0);
    }
    for ((block, path), body) in BLOCKS.into_iter().zip([page, readme]) {
        let text = replace_block(&read(Path::new(path))?, block, &body)?;
        write(Path::new(path), &text)?;
    }
    Ok(())
}
