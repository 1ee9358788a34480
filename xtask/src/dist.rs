//! The archive of a release: the command, completions, manual pages, licenses, the bill of materials and
//! a checksum.

mod archive;
mod build;
mod twice;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::build::Build;
use crate::licenses::{self, Program};
use crate::shell::{copy, failed, output, root, write};
use crate::{Outcome, only_flag, sbom};

/// The largest size of the command in bytes.
const LARGEST: u64 = 18 << 20;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// The variable with the time of the sources in seconds since 1970, as other tools that make the same
/// bytes again know it.
const SOURCE_TIME: &str = "SOURCE_DATE_EPOCH";

/// Builds the archive in `target/dist`; with `--twice`, once more in another folder to compare them.
pub(crate) fn dist(arguments: &[String]) -> Outcome {
    let is_twice = only_flag(arguments, "--twice")?;
    let time = source_time()?;
    let build = Build::choose()?;
    let name = format!("inbetween-{}-{}", env!("CARGO_PKG_VERSION"), build.target);
    fill(&build, &dist_folder(&root()).join(&name))?;
    let archive = pack(&name, time)?;
    if is_twice { twice::check(&name, &archive, time) } else { Ok(()) }
}

/// Returns the folder of archives of a workspace.
fn dist_folder(root: &Path) -> PathBuf {
    root.join("target/dist")
}

/// Returns the time of the last commit, unless the variable says another. All files of the archive have
/// it: a constant would hide from indexes of manual pages that a page has changed.
fn source_time() -> Result<u64, String> {
    let last_commit = ["log", "-1", "--format=%ct"];
    let time = env::var(SOURCE_TIME)
        .or_else(|_| output(Command::new("git").args(last_commit).current_dir(root())))?;
    let time = time.trim();
    time.parse().map_err(|_| format!("{time:?} is not a time; set {SOURCE_TIME}"))
}

/// Builds the command and everything that comes with it in a folder.
fn fill(build: &Build, folder: &Path) -> Outcome {
    let command = Program {
        package: "inbetween-cli",
        manifest: "Cargo.toml",
        target: &build.target,
        has_font: true,
    };
    let parts = command.parts()?;
    let file = format!("inbetween{}", env::consts::EXE_SUFFIX);
    let binary = build.build(&file, &parts)?;
    let size = fs::metadata(&binary).map_err(|error| failed(&binary, &error))?.len();
    if size > LARGEST {
        return Err(format!("the command has {size} bytes, and may have {LARGEST}"));
    }
    println!("{file}: {:.1} MB", f64::from(u32::try_from(size).unwrap_or(u32::MAX)) / 1e6);
    build::try_out(&binary)?;
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    copy(&binary, &folder.join(&file))?;
    for shell in SHELLS {
        let printed = output(Command::new(&binary).args(["completions", shell]))?;
        write(&folder.join("completions").join(completion_file(shell)), &printed)?;
    }
    manual(&binary, &folder.join("man"))?;
    for file in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md"] {
        copy(&root().join(file), &folder.join(file))?;
    }
    copy(&root().join("crates/cli/README.md"), &folder.join("README.md"))?;
    licenses::write_texts(&folder.join("licenses"), &parts)?;
    sbom::write(&folder.join("inbetween.cdx.json"), &parts)
}

/// Writes the manual page of the command and of each subcommand.
fn manual(binary: &Path, folder: &Path) -> Outcome {
    write(&folder.join("inbetween.1"), &output(Command::new(binary).arg("man"))?)?;
    let help = output(Command::new(binary).arg("--help"))?;
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    // A wrapped description continues further to the right.
    let commands = commands.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for command in commands.filter_map(|line| line.split_whitespace().next()) {
        if command != "help" {
            let page = output(Command::new(binary).args(["man", command]))?;
            write(&folder.join(format!("inbetween-{command}.1")), &page)?;
        }
    }
    Ok(())
}

fn completion_file(shell: &str) -> String {
    match shell {
        "bash" => "inbetween.bash".to_owned(),
        "zsh" => "_inbetween".to_owned(),
        "powershell" => "_inbetween.ps1".to_owned(),
        "elvish" => "inbetween.elv".to_owned(),
        other => format!("inbetween.{other}"),
    }
}

/// Packs the folder, and writes the checksum of the archive next to it; returns the archive's name.
fn pack(name: &str, time: u64) -> Result<String, String> {
    let dist = dist_folder(&root());
    let file = archive::pack(&dist, name, time)?;
    let sum = output(Command::new("sha256sum").arg(&file).current_dir(&dist)).or_else(|_| {
        output(Command::new("shasum").args(["-a", "256", &file]).current_dir(&dist))
    })?;
    write(&dist.join(format!("{file}.sha256")), &sum)?;
    println!("target/dist/{file}\n{}", sum.trim_end());
    Ok(file)
}
