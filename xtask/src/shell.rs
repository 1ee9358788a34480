//! Runs other programs, and finds the files of the workspace.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Outcome;

/// The variable with the root of another workspace to work on.
pub(crate) const ROOT: &str = "INBETWEEN_ROOT";

/// Returns the root of the workspace: the one that this program was built from, if there is no
/// [`ROOT`].
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = || here.parent().unwrap_or(here).to_owned();
    env::var_os(ROOT).map_or_else(own, PathBuf::from)
}

/// Returns a `cargo` command with arguments, to run in the root of the workspace.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Runs a program, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Outcome {
    let line = line(command);
    println!("$ {line}");
    let status = command.status().map_err(|error| format!("cannot run {line}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{line}: {status}")) }
}

/// Runs a program and returns its output.
pub(crate) fn output(command: &mut Command) -> Result<String, String> {
    let line = line(command);
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run {line}: {error}"))?;
    if !output.status.success() {
        return Err(format!("{line}: {}", output.status));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{line}: {error}"))
}

/// Returns what Cargo tells about packages, with these options of `cargo metadata`.
pub(crate) fn metadata(options: &[&str]) -> Result<Value, String> {
    let printed = output(cargo(["metadata", "--format-version=1"]).args(options))?;
    serde_json::from_str(&printed).map_err(|error| format!("cargo metadata: {error}"))
}

/// Builds the command without optimizations and returns its path.
pub(crate) fn built_command() -> Result<PathBuf, String> {
    // With the features that the tests of the workspace have, so that nothing is built twice.
    run(&mut cargo(["build", "--workspace", "--bin", "inbetween", "--locked"]))?;
    let metadata = metadata(&["--no-deps", "--locked"])?;
    let target = metadata.get("target_directory").and_then(Value::as_str);
    let target = Path::new(target.ok_or("cargo names no target directory")?);
    Ok(target.join("debug").join(format!("inbetween{}", env::consts::EXE_SUFFIX)))
}

/// Returns whether a program can run; its output is discarded.
pub(crate) fn runs(command: &mut Command) -> bool {
    let quiet = command.stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Installs a tool of Cargo.
pub(crate) fn install(tool: &str) -> Outcome {
    // Not in the root, because the lints and profiles of the workspace do not apply to a tool. Building
    // it takes much longer than what it does.
    run(cargo(["install", tool, "--locked", "--debug"]).current_dir(env::temp_dir()))
}

fn line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or_default();
    let words = command.get_args().map(|word| format!(" {}", word.to_string_lossy()));
    words.fold(program.to_string_lossy().into_owned(), |line, word| line + &word)
}

/// Returns the files that git tracks or would track, as paths relative to the root.
pub(crate) fn tracked_files() -> Result<Vec<PathBuf>, String> {
    let arguments = ["ls-files", "--cached", "--others", "--exclude-standard"];
    let list = output(Command::new("git").args(arguments).current_dir(root()))?;
    let exists = |path: &PathBuf| root().join(path).is_file();
    Ok(list.lines().map(PathBuf::from).filter(exists).collect())
}

/// Reads a text file of the workspace.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{}: {error}", path.display()))
}

/// Writes a text file of the workspace, and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    let full = root().join(path);
    make_parent(&full)?;
    fs::write(full, text).map_err(|error| failed(path, &error))
}

/// Returns an error with a list of complaints, or success if there are none.
pub(crate) fn complain(complaints: &[String], way_out: &str) -> Outcome {
    if complaints.is_empty() {
        return Ok(());
    }
    Err(format!("{}\n{way_out}", complaints.join("\n")))
}

/// Copies a file, and makes the folders above its copy.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome {
    make_parent(to)?;
    fs::copy(from, to).map(drop).map_err(|error| failed(from, &error))
}

fn make_parent(path: &Path) -> Outcome {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(|error| failed(parent, &error))
}

/// Returns the message of an error of a path.
pub(crate) fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Returns the platform for which the compiler builds.
pub(crate) fn host() -> Result<String, String> {
    let version = output(Command::new("rustc").arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc -vV names no host".to_owned())
}
