//! How the command of an archive is built and tried out.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{copy, failed};
use crate::Outcome;
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
        Ok(Self { target: host, flags: Some("-C target-feature=+crt-static") })
    }

    /// Builds the command; returns its path.
    pub(super) fn build(&self, file: &str) -> Result<PathBuf, String> {
        // A named target keeps the flags away from build scripts, which load libraries.
        let package = ["build", "--release", "--package", "inbetween-cli", "--locked", "--target"];
        let mut build = cargo(package);
        build.arg(&self.target).env("CARGO_PROFILE_RELEASE_STRIP", "symbols");
        if let Some(flags) = self.flags {
            build.env("RUSTFLAGS", flags);
        }
        run(&mut build)?;
        Ok(root().join("target").join(&self.target).join("release").join(file))
    }
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
