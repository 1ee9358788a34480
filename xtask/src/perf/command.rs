//! The command line: converting 1,000 files with two jobs compared with one, and the time of a
//! command that does nothing.
//!
//! Files of 1 KB show the limit: the system creates and renames files in one directory
//! sequentially.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use super::{Report, Target, seanim};
use crate::Outcome;
use crate::shell::{cargo, root, run};

const FILES: usize = 1000;

/// The number of starts, of which the fastest counts.
const STARTS: usize = 20;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    run(&mut cargo(["build", "--release", "--package", "inbetween-cli", "--locked"]))?;
    let binary =
        root().join("target/release").join(format!("inbetween{}", std::env::consts::EXE_SUFFIX));
    let folder = root().join("target/perf-command");
    let failed = |error| format!("{}: {error}", folder.display());
    let convert = |jobs: &str| {
        let mut command = Command::new(&binary);
        command.args(["convert", "in", "--to", "animj", "--out-dir", "out", "--force", "--quiet"]);
        start(command.args(["--jobs", jobs]).current_dir(&folder));
    };
    let kinds = [
        ("24 bones and 30 frames", seanim::file(24, 30), Target::Least(1.7)),
        ("1 bone and 30 frames", seanim::file(1, 30), Target::None),
    ];
    for (kind, file, target) in kinds {
        make_files(&folder, &file).map_err(failed)?;
        let name = format!("command: 1,000 files of {kind} with 2 jobs, to 1 job");
        report.faster(&name, target, || convert("2"), || convert("1"));
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    let mut fastest = f64::INFINITY;
    for _ in 0..STARTS {
        let clock = Instant::now();
        start(Command::new(&binary).arg("--version"));
        fastest = fastest.min(clock.elapsed().as_secs_f64());
    }
    report.add("command: cold start", fastest * 1e3, " ms", Target::Most(20.0));
    Ok(())
}

fn make_files(folder: &Path, content: &[u8]) -> std::io::Result<()> {
    fs::create_dir_all(folder.join("in"))?;
    for number in 0..FILES {
        fs::write(folder.join(format!("in/{number}.seanim")), content)?;
    }
    Ok(())
}

/// Runs a command to its end; panics on failure, which would otherwise show as a very short time.
fn start(command: &mut Command) {
    let status = command.stdout(Stdio::null()).status();
    assert!(status.as_ref().is_ok_and(std::process::ExitStatus::success), "{status:?}");
}
