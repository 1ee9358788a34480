//! Runs the command under `strace`, which lists its calls to the system and makes some of them fail.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

use super::folder::{self, Files};
use crate::shell::failed;

/// The command, and a folder for its files.
pub(super) struct Tool {
    pub(super) program: PathBuf,
    scratch: TempDir,
}

/// Which threads of the command are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Threads {
    /// The first one alone. Commands with one input do all of their work there.
    First,
    /// All of them. `strace` counts the calls of each thread on their own.
    All,
}

/// A call to the system.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: String,
    /// Its number among the calls of this name in its thread, from 1.
    pub(super) number: usize,
    /// Its arguments and its result.
    pub(super) line: String,
}

/// A run of the command.
pub(super) struct Ran {
    /// The exit code; `None` after a signal.
    pub(super) code: Option<i32>,
    /// The lines on standard error.
    pub(super) errors: Vec<String>,
    pub(super) calls: Vec<Call>,
}

impl Tool {
    /// Takes a copy of the command, because a build at the same time may replace it.
    pub(super) fn new(built: &Path) -> Result<Self, String> {
        let scratch = tempfile::Builder::new().prefix("inbetween-faults-").tempdir();
        let scratch = scratch.map_err(|error| format!("a temporary folder: {error}"))?;
        let program = scratch.path().join("inbetween");
        fs::copy(built, &program).map_err(|error| failed(built, &error))?;
        let tool = Self { program, scratch };
        for folder in [tool.folder(), tool.traces()] {
            fs::create_dir(&folder).map_err(|error| failed(&folder, &error))?;
        }
        Ok(tool)
    }

    /// Returns the folder that `DIR` in the arguments stands for.
    pub(super) fn folder(&self) -> PathBuf {
        self.scratch.path().join("files")
    }

    fn traces(&self) -> PathBuf {
        self.scratch.path().join("traces")
    }

    pub(super) fn fill(&self, files: &Files) -> Result<(), String> {
        folder::fill(&self.folder(), files)
    }

    pub(super) fn read(&self) -> Result<Files, String> {
        folder::read(&self.folder())
    }

    /// Returns the command with arguments, which `before` runs.
    pub(super) fn command(&self, before: &[&str], arguments: &str) -> Command {
        let folder = self.folder().display().to_string();
        let program = self.program.display().to_string();
        let arguments = arguments.split(' ').map(|word| word.replace("DIR", &folder));
        let words = before.iter().map(|&word| word.to_owned()).chain([program]).chain(arguments);
        let mut command = Command::new("env");
        command.args(words).current_dir(self.scratch.path());
        command
    }

    /// Runs the command with these options of `strace`.
    pub(super) fn trace(
        &self,
        arguments: &str,
        threads: Threads,
        options: &[String],
    ) -> Result<Ran, String> {
        folder::fill(&self.traces(), &Files::new())?;
        let traces = self.traces().join("thread").display().to_string();
        let mut before = vec!["strace", "-y", "-o", &traces];
        if threads == Threads::All {
            before.extend(["-f", "-ff"]);
        }
        before.extend(options.iter().map(String::as_str));
        let output = self.command(&before, arguments).output();
        let output = output.map_err(|error| format!("cannot run strace: {error}"))?;
        Ok(Ran { calls: calls(&folder::read(&self.traces())?), ..Ran::from(&output) })
    }

    /// Returns whether a call concerns a file in the folder.
    pub(super) fn concerns(&self, call: &Call) -> bool {
        call.line.contains(&self.folder().display().to_string())
    }
}

impl From<&Output> for Ran {
    fn from(output: &Output) -> Self {
        let errors = String::from_utf8_lossy(&output.stderr);
        let errors = errors.lines().map(str::to_owned).collect();
        Self { code: output.status.code(), errors, calls: Vec::new() }
    }
}

/// Returns the calls in the traces of threads.
fn calls(traces: &Files) -> Vec<Call> {
    let mut calls = Vec::new();
    for trace in traces.values() {
        let mut numbers = BTreeMap::new();
        for line in String::from_utf8_lossy(&trace.bytes).lines() {
            let Some((name, line)) = line.split_once('(') else { continue };
            let number = numbers.entry(name.to_owned()).or_insert(0);
            *number += 1;
            calls.push(Call { name: name.to_owned(), number: *number, line: line.to_owned() });
        }
    }
    calls
}

impl Call {
    /// Returns the option of `strace` that gives the call this fault: `error=EIO`, `signal=KILL` or
    /// `retval=1`.
    pub(super) fn with(&self, fault: &str) -> String {
        format!("--inject={}:{fault}:when={}", self.name, self.number)
    }

    /// Returns the path that the call opens, or that its file has.
    pub(super) fn path(&self) -> &Path {
        let between = |start, end| self.line.split_once(start)?.1.split_once(end);
        let path = match self.name.as_str() {
            "openat" | "statx" => between('"', '"'),
            _ => between('<', '>'),
        };
        Path::new(path.map_or("", |(path, _)| path))
    }

    pub(super) fn is_injected(&self) -> bool {
        self.line.ends_with("(INJECTED)")
    }
}
