//! Faults of the system: the command is killed, and its calls fail, on real file systems.

mod batches;
mod disks;
mod each_call;
mod errors;
mod folder;
mod strace;
mod streams;
mod writers;

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use self::folder::{File, Files};
use self::strace::Tool;
use crate::Outcome;
use crate::shell::{built_command, failed, root, run, runs};

/// What a run of this step did.
#[derive(Debug, Default)]
struct Figures {
    commands: usize,
    kills: usize,
    /// The temporary files that remained after a kill, and that the next run removed.
    remained: usize,
    errors: usize,
    /// The runs on a file system that is full or read-only.
    disks: usize,
    /// The runs whose standard output fails or is slow.
    streams: usize,
    /// How often two commands wrote the same file at once.
    rounds: usize,
}

impl Figures {
    /// Adds the figures of another run of [`each_call`].
    const fn add(&mut self, other: &Self) {
        self.commands += other.commands;
        self.kills += other.kills;
        self.remained += other.remained;
        self.errors += other.errors;
    }
}

/// Returns whether calls to the system can be traced here.
pub(crate) fn can_run() -> bool {
    runs(Command::new("strace").args(["-o", "/dev/null", "true"]))
}

pub(crate) fn check() -> Outcome {
    let tool = Tool::new(&built_command()?)?;
    let start = Instant::now();
    let mut figures = Figures::default();
    let mut files = files(&tool)?;
    disks::run(&tool, &files, &mut figures)?;
    batches::run(&tool, &files, &mut figures)?;
    tool.fill(&files)?;
    streams::run(&tool, &mut figures)?;
    // The files are written before each run.
    files.retain(|path, _| !path.starts_with("batch"));
    each_call::run(&tool.program, &files, &mut figures)?;
    let Figures { commands, kills, remained, errors, disks, streams, rounds } = figures;
    println!(
        "{commands} commands: {kills} kills, {remained} temporary files removed later, {errors} \
         errors of calls, {disks} runs on full and read-only disks, {streams} without a reader or \
         space for the output, {rounds} of two at once, in {} s",
        start.elapsed().as_secs()
    );
    Ok(())
}

/// The inputs of the commands, and what each is a copy of.
const INPUTS: &[(&str, &str)] = &[
    ("walk.seanim", "seanim/ok/walk.seanim"),
    ("run.seanim", "seanim/ok/bones-u16.seanim"),
    ("clips.glb", "gltf/ok/several-clips.glb"),
    ("bad.animj", "animj/ok/times-unsorted.animj"),
    ("in/a.seanim", "seanim/ok/walk.seanim"),
    ("in/b/c.seanim", "seanim/ok/additive.seanim"),
];

/// The outputs that exist. They are read-only, and replacing them keeps that.
const OLD: &[&str] = &["out.csv", "out.svg", "out.clip", "out.json", "out.cast", "out.animj"];

/// Returns the files before each run.
fn files(tool: &Tool) -> Result<Files, String> {
    let mut files = Files::new();
    for (name, fixture) in INPUTS {
        let path = root().join("fixtures").join(fixture);
        let bytes = std::fs::read(&path).map_err(|error| failed(&path, &error))?;
        files.insert(name.into(), File::new(bytes));
    }
    let old = File { is_read_only: true, ..File::new(b"old".to_vec()) };
    files.extend(OLD.iter().map(|name| (name.into(), old.clone())));
    for name in ["a.seanim", "m.seanim", "z.seanim"] {
        let walk = files.get(Path::new("walk.seanim")).cloned();
        files.extend(walk.map(|walk| (Path::new("batch").join(name), walk)));
    }
    files.insert("batch/long.animj".into(), batches::long());
    tool.fill(&files)?;
    run(&mut tool.command(&[], "unpack DIR/walk.seanim --quiet"))?;
    tool.read()
}
