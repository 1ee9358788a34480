//! How the command of an archive is built and tried out.

use std::collections::BTreeSet;
use std::fs;
use std::iter;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::process::Command;

use super::{copy, failed};
use crate::Outcome;
use crate::licenses::Parts;
use crate::shell::{cargo, host, output, root, run, runs};

/// A build for a target. On Linux it needs no libraries of the system.
pub(super) struct Build {
    pub(super) target: String,
    flags: Option<&'static str>,
}

impl Build {
    /// Chooses the target: on Linux the one with musl, or that of the compiler with a static C library
    /// if musl cannot be had.
    pub(super) fn choose() -> Result<Self, String> {
        let host = host()?;
        if !host.contains("linux") {
            return Ok(Self { target: host, flags: None });
        }
        let musl = host.replace("-gnu", "-musl");
        if is_installed(&musl) || runs(Command::new("rustup").args(["target", "add", &musl])) {
            return Ok(Self { target: musl, flags: None });
        }
        Ok(Self { target: host, flags: Some("-Ctarget-feature=+crt-static") })
    }

    /// Builds the command, which names no folder of this machine; returns its path.
    pub(super) fn build(&self, file: &str, parts: &Parts) -> Result<PathBuf, String> {
        // Not the folder of CARGO_TARGET_DIR: another build may take place there at the same time.
        let target = root().join("target");
        // A named target keeps the flags away from build scripts, which load libraries.
        let package = ["build", "--release", "--package", "inbetween-cli", "--locked", "--target"];
        let mut build = cargo(package);
        build.arg(&self.target).arg("--target-dir").arg(&target);
        build.env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
        let folders = source_folders(parts);
        let flags = self.flags.map(str::to_owned).into_iter();
        let flags = flags.chain(folders.iter().zip(1..).map(|(folder, number)| {
            format!("--remap-path-prefix={}=/sources-{number}", folder.display())
        }));
        // Unlike RUSTFLAGS, this variable allows spaces in paths.
        let flags = flags.collect::<Vec<_>>().join("\x1f");
        build.env("CARGO_ENCODED_RUSTFLAGS", flags).env_remove("RUSTFLAGS");
        run(&mut build)?;
        let binary = target.join(&self.target).join("release").join(file);
        names_no_folder(&binary, &folders)?;
        Ok(binary)
    }
}

/// Returns the folders that the compiler takes sources from: the workspace, and those with the packages
/// from outside.
fn source_folders(parts: &Parts) -> Vec<PathBuf> {
    let foreign = parts.packages.values().filter(|package| package.is_foreign);
    let parents = foreign.filter_map(|package| package.folder.parent());
    let parents: BTreeSet<PathBuf> = parents.map(Path::to_owned).collect();
    iter::once(root()).chain(parents).collect()
}

/// Fails if a program contains the path of one of these folders.
fn names_no_folder(binary: &Path, folders: &[PathBuf]) -> Outcome {
    let bytes = fs::read(binary).map_err(|error| failed(binary, &error))?;
    for folder in folders {
        let path = format!("{}{MAIN_SEPARATOR}", folder.display());
        if bytes.windows(path.len()).any(|window| window == path.as_bytes()) {
            return Err(format!("the command contains {path}, a path of this machine"));
        }
    }
    Ok(())
}

/// Runs the command where there are no other files, to show that it needs none. Only Linux has such a
/// place, and only for root.
pub(super) fn try_out(binary: &Path) -> Outcome {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    copy(binary, &folder.path().join("inbetween"))?;
    copy(&root().join("fixtures/seanim/ok/walk.seanim"), &folder.path().join("walk.seanim"))?;
    let is_root = output(Command::new("id").arg("-u"))?.trim() == "0";
    let with_sudo = || runs(Command::new("sudo").args(["-n", "true"]));
    let mut command = match is_root {
        true => Command::new("chroot"),
        false if with_sudo() => {
            let mut sudo = Command::new("sudo");
            sudo.args(["-n", "chroot"]);
            sudo
        }
        false => {
            println!("not tried in an empty root file system, which needs root");
            return Ok(());
        }
    };
    command.arg(folder.path()).args(["/inbetween", "convert", "/walk.seanim", "/walk.animj"]);
    run(&mut command)?;
    let written = folder.path().join("walk.animj");
    let size = fs::metadata(&written).map_err(|error| failed(&written, &error))?.len();
    println!("converted walk.seanim in an empty root file system: {size} bytes");
    Ok(())
}

/// Returns whether the compiler has the library of a target.
fn is_installed(target: &str) -> bool {
    let folder =
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_in_the_command_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("inbetween");
        let folders = [PathBuf::from("a-b"), PathBuf::from("no-such")];
        fs::write(&binary, format!("\0a-b{MAIN_SEPARATOR}x.rs\0")).unwrap();
        let error = names_no_folder(&binary, &folders).unwrap_err();
        assert!(error.contains(&format!("a-b{MAIN_SEPARATOR}")), "{error}");
        fs::write(&binary, "\0a-bc\0").unwrap();
        names_no_folder(&binary, &folders).unwrap();
    }
}
