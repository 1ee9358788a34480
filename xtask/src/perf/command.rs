//! The command line: a batch of 1,000 small files, what two jobs and two threads gain, and the time
//! of a command that does nothing.

use std::fs::{self, File};
use std::io::Write as _;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::files::{Files, Shape, Size, text};
use super::row::{Row, Taken, turns};
use crate::shell::{cargo, output, root};

const FILES: usize = 1000;

pub(crate) fn rows() -> [Row; 4] {
    let batch = "command: batch of 1,000 files of 1 KiB, to temporary write, fsync and rename";
    [
        Row::at_most(batch, 1.2, batch_to_bare_loop),
        Row::at_least("command: batch with 2 jobs, times as fast as with 1", 1.7, |files| {
            let batch = Batch::new(files)?;
            Ok(turns(|| batch.convert(&["--jobs", "2"]), || batch.convert(&["--jobs", "1"]))
                .faster())
        }),
        Row::ratio(
            "command: read, temporary write, fsync and rename by 2 threads, times as fast as by 1",
            two_bare_loops,
        ),
        Row::ratio("command: `inbetween --version`, to `true`", |_| {
            let binary = binary()?;
            let version = || start(Command::new(&binary).arg("--version"));
            Ok(turns(version, || start(&mut Command::new("true"))).slower())
        }),
    ]
}

/// Compares the whole process with a loop that makes as many files of the same bytes durable.
///
/// Both replace the same files, because how long `fsync` takes depends on where the file system puts
/// them: in two folders, each of the two was at times several times as slow as the other.
fn batch_to_bare_loop(files: &mut Files) -> Taken {
    let batch = Batch::new(files)?;
    batch.convert(&[])?;
    let folder = batch.folder.join("out");
    let written = fs::read(folder.join("0.animx")).map_err(text)?;
    bare_loop(&folder, &written).map_err(text)?;
    Ok(turns(|| batch.convert(&[]), || bare_loop(&folder, &written)).slower())
}

/// Compares two threads that copy half of the files each with one that copies all of them.
fn two_bare_loops(files: &mut Files) -> Taken {
    let batch = Batch::new(files)?;
    let folder = &batch.folder;
    let half = |mut files: Range<usize>| {
        files.try_for_each(|number| {
            let bytes = fs::read(folder.join(format!("in/{number}.seanim")))?;
            make_durable(folder, number, &bytes)
        })?;
        File::open(folder)?.sync_all()
    };
    half(0..FILES).map_err(text)?;
    let both = || {
        std::thread::scope(|scope| {
            let other = scope.spawn(|| half(0..FILES / 2));
            let own = half(FILES / 2..FILES);
            other.join().map(|done| done.and(own))
        })
    };
    both().map_err(|_| "a thread panicked")?.map_err(text)?;
    Ok(turns(both, || half(0..FILES)).faster())
}

/// Writes each file under a temporary name, syncs it and renames it, and syncs the directory at the
/// end.
fn bare_loop(folder: &Path, bytes: &[u8]) -> std::io::Result<()> {
    (0..FILES).try_for_each(|number| make_durable(folder, number, bytes))?;
    File::open(folder)?.sync_all()
}

fn make_durable(folder: &Path, number: usize, bytes: &[u8]) -> std::io::Result<()> {
    let temporary = folder.join(format!("{number}.tmp"));
    let mut file = File::create(&temporary)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&temporary, folder.join(format!("{number}.animx")))
}

/// A folder of files to convert; removed at the end.
struct Batch {
    binary: PathBuf,
    folder: PathBuf,
}

impl Batch {
    fn new(files: &mut Files) -> Result<Self, String> {
        let file = files.get("seanim", Shape::Tiny, Size::Kib1)?;
        // Below `target`, the same writes and `fsync` calls took four times as long as here.
        let folder = std::env::temp_dir().join(format!("inbetween-perf-{}", std::process::id()));
        let batch = Self { binary: binary()?, folder };
        fs::create_dir_all(batch.folder.join("in")).map_err(text)?;
        for number in 0..FILES {
            let path = batch.folder.join(format!("in/{number}.seanim"));
            fs::write(path, &file.bytes).map_err(text)?;
        }
        Ok(batch)
    }

    fn convert(&self, more: &[&str]) -> Result<(), String> {
        let mut command = Command::new(&self.binary);
        command.args(["convert", "in", "--to", "animx", "--out-dir", "out", "--force", "--quiet"]);
        start(command.args(more).current_dir(&self.folder))
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The system removes temporary files that remain.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Builds the command, and returns its path.
fn binary() -> Result<PathBuf, String> {
    output(&mut cargo([
        "build",
        "--release",
        "--quiet",
        "--package",
        "inbetween-cli",
        "--locked",
    ]))?;
    Ok(root().join("target/release").join(format!("inbetween{}", std::env::consts::EXE_SUFFIX)))
}

/// Runs a command to its end. A failure must not show as a very short time.
fn start(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).status().map_err(text)?;
    assert!(status.success(), "{status:?}");
    Ok(())
}
