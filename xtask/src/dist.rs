//! The archive of a release: the command, completions, manual pages, licenses and a checksum.

mod build;

use std::fs;
use std::path::Path;
use std::process::Command;

use self::build::Build;
use crate::Outcome;
use crate::licenses::{self, Program};
use crate::shell::{copy, failed, output, root, run, write};

/// The largest size of the command in bytes.
const LARGEST: u64 = 18 << 20;

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Builds the archive in `target/dist`.
pub(crate) fn dist(_: &[String]) -> Outcome {
    let build = Build::choose()?;
    let file = format!("inbetween{}", std::env::consts::EXE_SUFFIX);
    let binary = build.build(&file)?;
    let size = fs::metadata(&binary).map_err(|error| failed(&binary, &error))?.len();
    if size > LARGEST {
        return Err(format!("the command has {size} bytes, and may have {LARGEST}"));
    }
    println!("{file}: {:.1} MB", f64::from(u32::try_from(size).unwrap_or(u32::MAX)) / 1e6);
    build::try_out(&binary)?;
    let name = format!("inbetween-{}-{}", env!("CARGO_PKG_VERSION"), build.target);
    let folder = root().join("target/dist").join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
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
    let command = Program {
        package: "inbetween-cli",
        manifest: "Cargo.toml",
        target: &build.target,
        has_font: true,
    };
    licenses::collect(&folder.join("licenses"), command)?;
    archive(&name)
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

/// Packs the folder, and writes the checksum of the archive next to it.
fn archive(name: &str) -> Outcome {
    let dist = root().join("target/dist");
    let file = if cfg!(windows) { format!("{name}.zip") } else { format!("{name}.tar.gz") };
    // The tar of Windows writes a zip by its extension.
    let options = if cfg!(windows) { "-acf" } else { "-czf" };
    run(Command::new("tar").args([options, &file, name]).current_dir(&dist))?;
    let sum = output(Command::new("sha256sum").arg(&file).current_dir(&dist)).or_else(|_| {
        output(Command::new("shasum").args(["-a", "256", &file]).current_dir(&dist))
    })?;
    write(&dist.join(format!("{file}.sha256")), &sum)?;
    println!("target/dist/{file}\n{}", sum.trim_end());
    Ok(())
}
