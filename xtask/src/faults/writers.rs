//! The commands that write files.

use super::strace::Threads;

/// A command that writes files. Without `--force`, which is added where it is needed.
pub(super) struct Writer {
    pub(super) arguments: &'static str,
    pub(super) threads: Threads,
    /// Whether it replaces files.
    pub(super) force: bool,
    /// A fault in every run, which changes the calls that follow.
    pub(super) always: &'static str,
}

const fn first(arguments: &'static str) -> Writer {
    Writer { arguments, threads: Threads::First, force: true, always: "" }
}

const fn all(arguments: &'static str) -> Writer {
    Writer { threads: Threads::All, ..first(arguments) }
}

impl Writer {
    const fn new_files(self) -> Self {
        Self { force: false, ..self }
    }

    const fn always(self, fault: &'static str) -> Self {
        Self { always: fault, ..self }
    }

    pub(super) fn line(&self, force: bool) -> String {
        let force = if force { " --force" } else { "" };
        let jobs = if self.threads == Threads::All { " --jobs 1" } else { "" };
        format!("{} --quiet{force}{jobs}", self.arguments)
    }
}

/// At least one for each way in which a command writes a file.
pub(super) const WRITERS: &[Writer] = &[
    first("sample DIR/walk.seanim --fps 60 -o DIR/out.csv"),
    first("sample DIR/walk.seanim --fps 60 -o DIR/new.csv").new_files(),
    // This is the way without the flag of renaming that keeps existing files, as on some file systems.
    first("sample DIR/walk.seanim -o DIR/new.csv").new_files().always("renameat2:error=EINVAL"),
    // The temporary file is removed.
    first("sample DIR/walk.seanim -o DIR/out.csv").always("fsync:error=ENOSPC"),
    first("plot DIR/walk.seanim -o DIR/out.svg"),
    first("clip DIR/walk.seanim -o DIR/out.clip"),
    first("skeleton DIR/walk.seanim -o DIR/out.json"),
    first("convert DIR/walk.seanim DIR/run.seanim -o DIR/out.cast"),
    first("edit DIR/walk.seanim DIR/run.seanim --join -o DIR/out.animj"),
    all("convert DIR/walk.seanim DIR/out.animj"),
    all("convert DIR/walk.seanim DIR/new.animj").new_files(),
    all("convert DIR/clips.glb --to animj --out-dir DIR/out"),
    all("convert DIR/in --to animj --out-dir DIR/out"),
    all("edit DIR/walk.seanim -o DIR/walk.seanim --reverse"),
    all("check --fix DIR/bad.animj"),
    all("check --fix DIR/bad.animj --backup"),
    all("unpack DIR/walk.seanim -o DIR/out.json"),
    all("pack DIR/walk.seanim.json -o DIR/run.seanim"),
];
