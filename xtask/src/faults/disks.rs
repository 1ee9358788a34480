//! File systems that are full or read-only.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::errors::{ENOSPC, EROFS, Errno, cause};
use super::folder::{self, Files};
use super::strace::{Ran, Tool};
use super::writers::WRITERS;
use super::{Figures, Outcome, batches};
use crate::shell::failed;

/// A small file system in memory, which only the processes of its own name space see. It vanishes with
/// the process that holds it.
struct Disk<'a> {
    tool: &'a Tool,
    holder: Child,
}

impl<'a> Disk<'a> {
    /// Mounts it in the folder of the tool; `None` if this is not possible here.
    fn mount(tool: &'a Tool) -> Option<Self> {
        let script = "mount -t tmpfs -o size=4m none \"$0\" && echo mounted && read end";
        let mut holder = Command::new("unshare")
            .args(["--mount", "--map-root-user", "sh", "-c", script])
            .arg(tool.folder())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let read = BufReader::new(holder.stdout.as_mut()?).read_line(&mut line);
        let is_mounted = read.is_ok() && line == "mounted\n";
        let disk = Self { tool, holder };
        (is_mounted && disk.run("--version").is_ok_and(|ran| ran.code == Some(0))).then_some(disk)
    }

    /// Returns the folder as other processes see it.
    fn folder(&self) -> PathBuf {
        let process = self.holder.id();
        PathBuf::from(format!("/proc/{process}/root{}", self.tool.folder().display()))
    }

    /// Runs a command where the disk is mounted; `command` gets the words before it.
    fn enter(&self, command: impl FnOnce(&[&str]) -> Command) -> Result<Ran, String> {
        let holder = self.holder.id().to_string();
        let nsenter = ["nsenter", "--preserve-credentials", "--user", "--mount", "--target"];
        let output = command(&[&nsenter[..], &[&holder]].concat()).output();
        output.map(|output| Ran::from(&output)).map_err(|error| format!("nsenter: {error}"))
    }

    fn run(&self, arguments: &str) -> Result<Ran, String> {
        self.enter(|before| self.tool.command(before, arguments))
    }

    /// Writes zeros until `left` bytes are free.
    fn fill_up(&self, left: usize) -> Outcome {
        let path = self.folder().join("zeros");
        let mut file = fs::File::create(&path).map_err(|error| failed(&path, &error))?;
        let mut length = 0;
        while let Ok(written @ 1..) = file.write(&[0; 4096]) {
            length += written;
        }
        let length = u64::try_from(length - left).unwrap_or_default();
        file.set_len(length).map_err(|error| failed(&path, &error))
    }

    fn make_read_only(&self) -> Outcome {
        let mount = ["mount", "-o", "remount,ro", "none"];
        let ran = self.enter(|before| {
            let mut command = Command::new("env");
            command.args(before).args(mount).arg(self.tool.folder());
            command
        })?;
        if ran.code == Some(0) { Ok(()) } else { Err(ran.errors.join("\n")) }
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        // The shell ends at the end of its input.
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

/// Runs the commands where nothing can be written.
pub(super) fn run(tool: &Tool, before: &Files, figures: &mut Figures) -> Outcome {
    tool.fill(&Files::new())?;
    let Some(disk) = Disk::mount(tool) else {
        println!("faults: nothing can be mounted here, so no disk was full or read-only");
        return Ok(());
    };
    folder::fill(&disk.folder(), before)?;
    continues_without_space(&disk, figures)?;
    folder::fill(&disk.folder(), before)?;
    disk.fill_up(0)?;
    nothing_is_written(&disk, ENOSPC, figures)?;
    folder::fill(&disk.folder(), before)?;
    disk.make_read_only()?;
    nothing_is_written(&disk, EROFS, figures)
}

/// Runs all commands on a disk to which nothing can be written.
fn nothing_is_written(disk: &Disk<'_>, error: Errno, figures: &mut Figures) -> Outcome {
    let before = folder::read(&disk.folder())?;
    let folder = disk.tool.folder().display().to_string();
    for writer in WRITERS.iter().filter(|writer| writer.always.is_empty()) {
        let line = writer.line(writer.force);
        let ran = disk.run(&line)?;
        figures.disks += 1;
        let is_named = |line: &String| {
            line.starts_with(&format!("error: {folder}/")) && line.ends_with(&cause(error))
        };
        let is_reported = !ran.errors.is_empty() && ran.errors.iter().all(is_named);
        if ran.code != Some(3) || !is_reported || folder::read(&disk.folder())? != before {
            let errors = ran.errors.join("\n");
            return Err(format!("{line}: {}: exit code {:?}\n{errors}", error.0, ran.code));
        }
    }
    Ok(())
}

/// Converts a folder to a disk that has no space for one of the files.
fn continues_without_space(disk: &Disk<'_>, figures: &mut Figures) -> Outcome {
    disk.fill_up(64 << 10)?;
    let ran = disk.run(batches::CONVERT)?;
    figures.disks += 1;
    batches::check(disk.tool, &ran, &folder::read(&disk.folder())?, "long.animj", &cause(ENOSPC))
}
