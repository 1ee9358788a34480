//! Standard output that nobody reads, that is full, or that is read slowly.

use std::fs::OpenOptions;
use std::io::{self, PipeReader, Read};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use super::strace::{Ran, Tool};
use super::{Figures, Outcome};

/// Commands that print, which end in less than a minute.
const PRINTERS: &[&str] = &[
    "info DIR/walk.seanim",
    "info DIR/in --json",
    "check DIR/walk.seanim",
    "check DIR/in --json-lines",
    "check --fix --dry-run DIR/bad.animj",
    "check --fix DIR/bad.animj -o -",
    "convert DIR/walk.seanim - --to seanim",
    "convert DIR/walk.seanim DIR/out.animj --force",
    "convert DIR/in --to animj --out-dir DIR/out --force --json",
    "edit DIR/walk.seanim -o - --to seanim --reverse",
    "unpack DIR/walk.seanim -o -",
    "pack DIR/walk.seanim.json -o -",
    "sample DIR/walk.seanim",
    "sample DIR/walk.seanim --json",
    LONG,
    "diff DIR/walk.seanim DIR/run.seanim",
    "plot DIR/walk.seanim -o -",
    "skeleton DIR/walk.seanim -o -",
    "formats",
    "formats --json",
    "explain convert/looping-dropped",
    "completions bash",
    "man",
    "--help",
    "convert --help",
    "--version",
];

/// A command that prints more than a pipe holds.
const LONG: &str = "sample DIR/walk.seanim --fps 2000";

pub(super) fn run(tool: &Tool, figures: &mut Figures) -> Outcome {
    for line in PRINTERS {
        let undisturbed = finish(start(tool, line, Stdio::null())?)?;
        if !matches!(undisturbed.code, Some(0 | 1)) {
            return Err(described(line, "nothing is wrong", &undisturbed));
        }
        let (reader, writer) = pipe()?;
        drop(reader);
        let unread = finish(start(tool, line, writer.into())?)?;
        figures.streams += 1;
        let failed = unread.errors.iter().any(|error| error.starts_with("error"));
        if unread.code != undisturbed.code || failed {
            return Err(described(line, "its output is not read", &unread));
        }
        let full = OpenOptions::new().write(true).open("/dev/full");
        let full = full.map_err(|error| format!("/dev/full: {error}"))?;
        let full = finish(start(tool, line, full.into())?)?;
        figures.streams += 1;
        let errors = full.errors.iter().filter(|error| error.starts_with("error"));
        let is_named = |error: &&String| error.starts_with("error: standard output: No space");
        let named = errors.clone().filter(is_named).count();
        if full.code != Some(3) || named != 1 || errors.count() != 1 {
            return Err(described(line, "its output is full", &full));
        }
    }
    a_reader_leaves(tool, figures)?;
    a_slow_reader_gets_everything(tool, figures)
}

/// Stops reading while the command waits for a full pipe.
fn a_reader_leaves(tool: &Tool, figures: &mut Figures) -> Outcome {
    let (mut reader, writer) = pipe()?;
    let child = start(tool, LONG, writer.into())?;
    read_piece(&mut reader)?;
    thread::sleep(Duration::from_millis(200));
    drop(reader);
    let ran = finish(child)?;
    figures.streams += 1;
    let is_quiet = ran.code == Some(0) && ran.errors.is_empty();
    if is_quiet { Ok(()) } else { Err(described(LONG, "its reader left", &ran)) }
}

fn a_slow_reader_gets_everything(tool: &Tool, figures: &mut Figures) -> Outcome {
    let output = tool.command(&[], LONG).output();
    let expected = output.map_err(|error| format!("cannot run {LONG}: {error}"))?.stdout;
    let (mut reader, writer) = pipe()?;
    let child = start(tool, LONG, writer.into())?;
    let mut all = Vec::new();
    loop {
        let piece = read_piece(&mut reader)?;
        if piece.is_empty() {
            break;
        }
        all.extend(piece);
        thread::sleep(Duration::from_millis(1));
    }
    let ran = finish(child)?;
    figures.streams += 1;
    let is_complete = ran.code == Some(0) && all == expected && all.len() > 1 << 17;
    if is_complete { Ok(()) } else { Err(described(LONG, "its reader was slow", &ran)) }
}

fn pipe() -> Result<(PipeReader, io::PipeWriter), String> {
    io::pipe().map_err(|error| format!("a pipe: {error}"))
}

fn read_piece(reader: &mut PipeReader) -> Result<Vec<u8>, String> {
    let mut piece = vec![0; 4096];
    let length = reader.read(&mut piece).map_err(|error| format!("a pipe: {error}"))?;
    piece.truncate(length);
    Ok(piece)
}

/// Starts a command, which is ended after a minute.
fn start(tool: &Tool, line: &str, out: Stdio) -> Result<Child, String> {
    let mut command = tool.command(&["timeout", "60"], line);
    let child = command.stdin(Stdio::null()).stdout(out).stderr(Stdio::piped()).spawn();
    child.map_err(|error| format!("cannot run {line}: {error}"))
}

fn finish(child: Child) -> Result<Ran, String> {
    child.wait_with_output().map(|output| Ran::from(&output)).map_err(|error| error.to_string())
}

fn described(line: &str, what: &str, ran: &Ran) -> String {
    format!("{line}: {what}: exit code {:?}\n{}", ran.code, ran.errors.join("\n"))
}
