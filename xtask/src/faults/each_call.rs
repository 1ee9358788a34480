//! The command is killed at each of its calls that concern a file, and each of them fails.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

use super::errors::{EACCES, EINVAL, Errno, cause, errors};
use super::folder::{self, File, Files, has_temporary};
use super::strace::{Call, Ran, Threads, Tool};
use super::writers::{WRITERS, Writer};
use super::{Figures, Outcome};
use crate::shell::complain;

/// What a command does undisturbed.
struct Undisturbed<'a> {
    tool: &'a Tool,
    writer: &'a Writer,
    before: &'a Files,
    after: Files,
    ran: Ran,
}

/// The number of commands at once, each in a folder of its own.
const AT_ONCE: usize = 2;

/// Runs all commands on these files with faults at each of their calls.
pub(super) fn run(program: &Path, before: &Files, figures: &mut Figures) -> Outcome {
    let mut complaints = Vec::new();
    let shares = thread::scope(|scope| {
        let start = |share| {
            scope.spawn(move || {
                let (mut figures, mut complaints) = (Figures::default(), Vec::new());
                let tool = Tool::new(program)?;
                for writer in WRITERS.iter().skip(share).step_by(AT_ONCE) {
                    strike(&tool, writer, before, &mut figures, &mut complaints)?;
                }
                Ok((figures, complaints))
            })
        };
        let started: Vec<_> = (0..AT_ONCE).map(start).collect();
        started.into_iter().map(ScopedJoinHandle::join).collect::<Vec<_>>()
    });
    for share in shares {
        let share: Result<_, String> = share.map_err(|_| "a thread panicked".to_owned())?;
        let (more, complaining) = share?;
        figures.add(&more);
        complaints.extend(complaining);
    }
    complain(&complaints, "a command must write completely or not at all, and say why")
}

/// Runs a command with faults at each of its calls.
fn strike(
    tool: &Tool,
    writer: &Writer,
    before: &Files,
    figures: &mut Figures,
    complaints: &mut Vec<String>,
) -> Outcome {
    let line = writer.line(writer.force);
    let ran = trace(tool, writer, &line, before, None)?;
    let undisturbed = Undisturbed { tool, writer, before, after: tool.read()?, ran };
    if let Err(error) = undisturbed.check() {
        complaints.push(error);
        return Ok(());
    }
    figures.commands += 1;
    for call in undisturbed.calls() {
        let at = |error| format!("{line}: {}({}: {error}", call.name, call.line);
        let mut outcomes = vec![undisturbed.kill(call, figures)];
        for &error in errors(&call.name) {
            outcomes.push(undisturbed.fail(call, error, figures));
        }
        outcomes.push(undisturbed.interrupt(call, figures));
        if call.name == "write" {
            outcomes.push(undisturbed.cut_short(call, figures));
        }
        complaints.extend(outcomes.into_iter().filter_map(Result::err).map(at));
    }
    Ok(())
}

fn trace(
    tool: &Tool,
    writer: &Writer,
    line: &str,
    before: &Files,
    fault: Option<String>,
) -> Result<Ran, String> {
    tool.fill(before)?;
    let always = (!writer.always.is_empty()).then(|| format!("--inject={}", writer.always));
    let options: Vec<String> = always.into_iter().chain(fault).collect();
    tool.trace(line, writer.threads, &options)
}

impl Undisturbed<'_> {
    /// Fails if the command did nothing, so that nothing could go wrong, or changed permissions.
    fn check(&self) -> Outcome {
        let changes = self.writer.always.starts_with("fsync") == (self.after == *self.before);
        let keeps = |(path, old): (&PathBuf, &File)| {
            self.after.get(path).is_some_and(|new| new.is_read_only == old.is_read_only)
        };
        let is_right = changes && self.before.iter().all(keeps) && !has_temporary(&self.after);
        if !is_right || self.calls().is_empty() {
            let (line, errors) = (self.writer.line(self.writer.force), self.ran.errors.join("\n"));
            return Err(format!(
                "{line}: exit code {:?}: {:?}\n{errors}",
                self.ran.code, self.after
            ));
        }
        Ok(())
    }

    /// Returns the calls that can be struck: those that concern a file in the folder.
    ///
    /// A fault strikes the calls of one number in all traced threads. So a call is left out if a fault
    /// would also strike, say, the loading of a library. Writing messages may fail.
    fn calls(&self) -> Vec<&Call> {
        let is_about_files = |call: &Call| {
            // The standard library panics if closing a folder fails.
            let closes = call.name == "close" && (call.path().is_dir() || !self.is_exact());
            let others = closes || ["execve", "fcntl"].contains(&call.name.as_str());
            !others && !call.is_injected() && self.tool.concerns(call)
        };
        let id = |call: &Call| (call.name.clone(), call.number);
        let elsewhere = |call: &&Call| !self.tool.concerns(call) && call.name != "write";
        let mut taken: BTreeSet<_> = self.ran.calls.iter().filter(elsewhere).map(id).collect();
        let calls = self.ran.calls.iter().filter(|call| is_about_files(call));
        calls.filter(|call| taken.insert(id(call))).collect()
    }

    fn run_with(&self, call: &Call, fault: &str) -> Result<Ran, String> {
        let line = self.writer.line(self.writer.force);
        let ran = trace(self.tool, self.writer, &line, self.before, Some(call.with(fault)))?;
        let kills = fault.starts_with("signal");
        if !kills && !ran.calls.iter().any(|call| call.is_injected() && self.tool.concerns(call)) {
            return Err(format!("{fault}: the call was not made"));
        }
        Ok(ran)
    }

    /// Kills the command at a call. Each file is then an old or a new one, and the next run removes
    /// the temporary file an hour later.
    fn kill(&self, call: &Call, figures: &mut Figures) -> Outcome {
        let ran = self.run_with(call, "signal=KILL")?;
        if let Some(code) = ran.code {
            return Err(format!("a kill did not end it, but it ended with {code}"));
        }
        figures.kills += 1;
        let left = self.tool.read()?;
        self.compare(&left, Whole::EachFile).map_err(|error| format!("killed: {error}"))?;
        let temporary = left.iter().filter(|(path, _)| folder::is_temporary(path));
        self.tool.fill(self.before)?;
        let mut remained = 0;
        for (path, file) in temporary {
            folder::write_old(&self.tool.folder().join(path), file)?;
            remained += 1;
        }
        figures.remained += remained;
        if remained > 0 {
            let next = self.tool.command(&[], &self.writer.line(true)).output();
            next.map_err(|error| format!("cannot run the command: {error}"))?;
            let left = self.tool.read()?;
            if has_temporary(&left) {
                return Err("a temporary file remained after the next run".to_owned());
            }
        }
        Ok(())
    }

    /// Makes a call fail. The command then names the file and the cause, and keeps the old file.
    fn fail(&self, call: &Call, error: Errno, figures: &mut Figures) -> Outcome {
        let ran = self.run_with(call, &format!("error={}", error.0))?;
        figures.errors += 1;
        let left = self.tool.read()?;
        let failed = |message: &str| {
            let printed = ran.errors.join("\n");
            Err(format!("{}: {message}; exit code {:?}\n{printed}", error.0, ran.code))
        };
        if !call.name.starts_with("unlink") && has_temporary(&left) {
            return failed("a temporary file remained");
        }
        let effect = self.effect(call, error);
        if ran.code == self.ran.code && effect != Effect::Failure {
            return self.compare(&left, Whole::New).or_else(|error| failed(&error));
        }
        if ran.code != Some(3) || effect == Effect::None {
            return failed("another exit code was expected");
        }
        // An error of a call that only concerns standard error hides the message.
        let hidden = |call: &Call| call.is_injected() && !self.tool.concerns(call);
        if !ran.calls.iter().any(hidden) && !self.is_reported(&ran.errors, call, error) {
            return failed("the message is not one line with the file and the cause");
        }
        let whole = match self.writer.threads {
            Threads::All => Whole::EachFile,
            Threads::First if self.is_after_the_rename(call) => Whole::New,
            Threads::First => Whole::Old,
        };
        self.compare(&left, whole).or_else(|error| failed(&error))
    }

    /// Interrupts a call. The command then repeats it.
    fn interrupt(&self, call: &Call, figures: &mut Figures) -> Outcome {
        if !["read", "write", "fsync"].contains(&call.name.as_str()) {
            return Ok(());
        }
        let ran = self.run_with(call, "error=EINTR")?;
        figures.errors += 1;
        if ran.code != self.ran.code {
            return Err(format!("EINTR: exit code {:?}", ran.code));
        }
        self.compare(&self.tool.read()?, Whole::New)
    }

    /// Makes a call claim that it wrote one byte. The command then writes all other bytes.
    fn cut_short(&self, call: &Call, figures: &mut Figures) -> Outcome {
        let mut expected = self.after.clone();
        let is_changed =
            |(path, file): &(&PathBuf, &mut File)| self.before.get(*path) != Some(*file);
        let mut changed: Vec<_> = expected.iter_mut().filter(is_changed).collect();
        let [(_, file)] = changed.as_mut_slice() else { return Ok(()) };
        let written = |call: &Call| call.line.rsplit(' ').next()?.parse::<usize>().ok();
        let earlier = self.ran.calls.iter().filter(|other| {
            let is_same = call.path() == other.path() && call.name == other.name;
            is_same && other.number < call.number
        });
        file.bytes.remove(earlier.filter_map(written).sum());
        self.run_with(call, "retval=1")?;
        figures.errors += 1;
        let is_continued = self.tool.read()? == expected;
        if is_continued { Ok(()) } else { Err("a short write was not continued".to_owned()) }
    }

    /// Returns whether the calls are those of one thread, so that a fault strikes one call.
    fn is_exact(&self) -> bool {
        self.writer.threads == Threads::First
    }

    /// Returns whether an output has its name before this call.
    fn is_after_the_rename(&self, call: &Call) -> bool {
        let is_this = |other: &&Call| (&other.name, other.number) == (&call.name, call.number);
        let mut earlier = self.ran.calls.iter().take_while(|other| !is_this(other));
        earlier.any(|other| {
            let renames = other.name.starts_with("rename") || other.name.starts_with("link");
            renames && !other.is_injected()
        })
    }

    /// Returns whether the lines on standard error name a file and the cause. A single input has one.
    fn is_reported(&self, lines: &[String], call: &Call, error: Errno) -> bool {
        let folder = self.tool.folder().display().to_string();
        // A file that cannot be examined is reported as another file, and the first error counts.
        let is_other = call.name == "statx" || self.ran.code == Some(3);
        let cause = if is_other { String::new() } else { cause(error) };
        let names = |line: &String| {
            let has_both = line.starts_with(&format!("error: {folder}")) && line.contains(&cause);
            has_both && !line.contains(".inbetween-")
        };
        !lines.is_empty() && lines.iter().all(names) && (lines.len() == 1 || !self.is_exact())
    }

    /// Returns what an error of a call does to the command.
    fn effect(&self, call: &Call, error: Errno) -> Effect {
        let effect = match call.name.as_str() {
            // Some folders cannot be read or synced, but written to.
            "openat" | "fsync" if [EACCES, EINVAL].contains(&error) && call.path().is_dir() => {
                Effect::None
            }
            // The search for old temporary files, and the end of a file that is synced.
            "close" | "newfstatat" | "getdents64" => Effect::None,
            "openat" if call.line.contains("O_DIRECTORY") => Effect::None,
            // Most files are examined more than once.
            "statx" | "readlink" | "unlink" | "unlinkat" => Effect::Any,
            _ => Effect::Failure,
        };
        // Several threads make calls of the same number.
        if effect == Effect::None && !self.is_exact() { Effect::Any } else { effect }
    }

    /// Fails if the files that are left are not as expected.
    fn compare(&self, left: &Files, whole: Whole) -> Outcome {
        let (before, after) = (self.before, &self.after);
        for path in before.keys().chain(after.keys()).chain(left.keys()) {
            let [old, new, left] = [before, after, left].map(|files| files.get(path));
            let is_right = match whole {
                _ if folder::is_temporary(path) => true,
                Whole::Old => left == old,
                Whole::New => left == new,
                Whole::EachFile => left == old || left == new,
            };
            if !is_right {
                return Err(format!("{} is {left:?}, and not {whole:?}", path.display()));
            }
        }
        Ok(())
    }
}

/// What the files must be.
#[derive(Clone, Copy, Debug)]
enum Whole {
    Old,
    New,
    /// Each file is an old or a new one.
    EachFile,
}

/// What an error of a call does to a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    None,
    /// It fails.
    Failure,
    /// Either.
    Any,
}
