//! Builds the WebAssembly module, the npm package and the page, and tests them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Outcome;
use crate::licenses::{self, Program};
use crate::shell::{built_command, cargo, copy, root, run, runs};

/// The package, below the root.
const FOLDER: &str = "crates/web";

const TARGET: &str = "wasm32-unknown-unknown";

/// The most bytes that the module may allocate. A hostile file ends with an error then, and does not
/// take all memory of the machine.
const MEMORY: u32 = 1 << 30;

/// The packages of Debian that build for WebAssembly where rustup has no standard library for it.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld-19"];

/// Checks the types, and tests the parts of the page that need no browser.
pub(crate) fn check_logic() -> Outcome {
    install()?;
    npm(&["run", "--silent", "check"])?;
    npm(&["test", "--silent"])
}

/// Builds everything, and tests the package in Node and the page in Chromium.
pub(crate) fn check() -> Outcome {
    build(&[])?;
    let declared = ["npm/src/inbetween.d.ts", "npm/dist/inbetween.d.ts"];
    let [kept, made] = declared.map(|file| fs::read_to_string(folder().join(file)));
    if kept.ok() != made.ok() {
        return Err(format!("{FOLDER}/{} is not a copy of {}", declared[0], declared[1]));
    }
    let command = built_command()?;
    let package = folder().join("npm");
    run(Command::new("npm")
        .args(["test", "--silent"])
        .current_dir(package)
        .env("INBETWEEN", &command))?;
    run(node(&["browser/run.mjs", "--page", "build/page"])
        .env("INBETWEEN", &command)
        .env("CHROMIUM", chromium()?))
}

/// Builds the module, the package in `npm/dist`, and the page in `build/page`.
pub(crate) fn build(_: &[String]) -> Outcome {
    install()?;
    let dist = folder().join("npm/dist");
    let _ = fs::remove_dir_all(&dist);
    bind(&module()?, &dist)?;
    let program = Program {
        package: "inbetween-web",
        manifest: "Cargo.toml",
        target: TARGET,
        has_font: false,
    };
    licenses::write_texts(&dist.join("licenses"), &program.parts()?)?;
    for license in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root().join(license), &folder().join("npm").join(license))?;
    }
    run(&mut node(&["node_modules/typescript/bin/tsc", "--project", "npm"]))?;
    run(&mut node(&["build.mjs"]))
}

fn folder() -> PathBuf {
    root().join(FOLDER)
}

/// Returns the folder of all builds for the web.
fn target() -> PathBuf {
    root().join("target/web")
}

fn node(arguments: &[&str]) -> Command {
    let mut command = Command::new("node");
    command.args(arguments).current_dir(folder());
    command
}

fn npm(arguments: &[&str]) -> Outcome {
    run(Command::new("npm").args(arguments).current_dir(folder()))
}

/// Installs the packages of the lock file, unless they are there.
fn install() -> Outcome {
    let lock = |path: &str| fs::read(folder().join(path)).ok();
    let known = folder().join("node_modules/.installed-lock.json");
    if fs::read(&known).ok() != lock("package-lock.json") {
        npm(&["ci", "--no-audit", "--no-fund", "--ignore-scripts"])?;
        copy(&folder().join("package-lock.json"), &known)?;
    }
    Ok(())
}

/// Builds the module; returns its path.
fn module() -> Result<PathBuf, String> {
    let has_target = || {
        let mut printed = Command::new("rustc");
        printed.args(["--target", TARGET, "--print", "target-libdir"]);
        let folder = crate::shell::output(&mut printed).unwrap_or_default();
        Path::new(folder.trim()).is_dir()
    };
    let is_ready = has_target() || runs(Command::new("rustup").args(["target", "add", TARGET]));
    let mut build = if is_ready { cargo(["rustc"]) } else { debian()? };
    build.args(["--package", "inbetween-web", "--profile", "web", "--locked", "--target", TARGET]);
    build.args(["--", "-C"]).arg(format!("link-arg=--max-memory={MEMORY}"));
    build.env("CARGO_TARGET_DIR", target());
    run(&mut build)?;
    Ok(target().join(TARGET).join("web/inbetween_web.wasm"))
}

/// Returns the command of Debian's compiler, which builds the standard library too.
fn debian() -> Result<Command, String> {
    apt(&DEBIAN)?;
    let mut build = Command::new("/usr/bin/cargo");
    build.args(["rustc", "-Zbuild-std=std,panic_abort"]).current_dir(root());
    build.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1");
    build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "/usr/lib/llvm-19/bin/wasm-ld");
    Ok(build)
}

/// Writes the JavaScript around the module.
fn bind(module: &Path, dist: &Path) -> Outcome {
    let mut command = cargo(["run", "--quiet", "--locked", "--manifest-path"]);
    command.arg(folder().join("bind/Cargo.toml")).arg("--").args([module, dist]);
    run(command.env("CARGO_TARGET_DIR", target()))
}

/// Returns the path of Chromium, which is installed if it is not there.
fn chromium() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return Ok(path.into());
    }
    let path = PathBuf::from("/usr/bin/chromium");
    if !path.exists() {
        apt(&["chromium"])?;
    }
    Ok(path)
}

/// Installs packages of Debian.
fn apt(packages: &[&str]) -> Outcome {
    let as_root = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        if runs(Command::new("sudo").arg("--version")) {
            command = Command::new("sudo");
            command.arg("apt-get");
        }
        run(command.args(arguments))
    };
    as_root(&["update", "--quiet"])?;
    as_root(&[&["install", "--quiet", "--yes", "--no-install-recommends"][..], packages].concat())
}
