//! Builds the wheel, installs it into an empty environment, and runs the checks of the Python package.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::licenses::{self, Program};
use crate::shell::{cargo, host, root, run, runs};
use crate::{Outcome, sbom};

/// The package, below the root.
const PACKAGE: &str = "crates/python";

/// The bill of materials that the wheel of a release carries, in the folder of the package.
const BILL: &str = "inbetween.cdx.json";

/// Interpreters that the tests may use, the best first.
const INTERPRETERS: [&str; 5] = ["python3.11", "python3.12", "python3.10", "python3", "python"];

/// The lists of packages of the engines; that of the tests has the local one.
const ENGINES: [&str; 3] = ["test", "ray", "spark"];

/// Another version for the same wheel.
const OTHER: &str = "python3.13";

/// Returns whether there is an interpreter of Python.
pub(crate) fn can_run() -> bool {
    interpreter().is_ok()
}

fn interpreter() -> Result<&'static str, String> {
    let works = |name: &&str| runs(Command::new(name).args(["-m", "venv", "--help"]));
    INTERPRETERS.into_iter().find(works).ok_or_else(|| "there is no Python 3 with venv".to_owned())
}

/// Checks the package with a wheel that is built in little time.
pub(crate) fn check() -> Outcome {
    lint_crate()?;
    let wheel = build("dev", &[])?;
    let test = Environment::with_wheel("test", &wheel)?;
    test.lint()?;
    test.pytest(&["-m", "not heavy"])
}

/// Checks the wheel of a release: with another version of Python, and with the engines.
pub(crate) fn check_release() -> Outcome {
    let wheel = build_release()?;
    for engine in ENGINES {
        let marked = if engine == "test" { "heavy or not heavy" } else { "heavy" };
        Environment::with_wheel(engine, &wheel)?.pytest(&["-m", marked])?;
    }
    let Some(other) = other() else { return Ok(()) };
    let environment = Environment::new("other", other)?;
    environment.install(&["--requirement".as_ref(), &package().join("requirements/other.txt")])?;
    environment.install_wheel(&wheel)?;
    environment.pytest(&["-m", "not heavy"])
}

/// Checks batches of 10,000 files on each engine, killed half way and started again.
pub(crate) fn check_batches() -> Outcome {
    let wheel = build_release()?;
    for engine in ENGINES {
        let environment = Environment::with_wheel(engine, &wheel)?;
        let mut test = environment.python(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
        test.args(["-m", "heavy", "tests/test_engines.py"]);
        run(test.env("INBETWEEN_BATCH_FILES", "10000"))?;
    }
    Ok(())
}

/// Checks the extension in the oldest and the newest Blender, one after the other: each takes 1 GB.
pub(crate) fn check_blender() -> Outcome {
    let wheel = build_release()?;
    let oldest = Some(PathBuf::from(interpreter()?));
    for (list, python) in [("blender-4.5", oldest), ("blender-5.3", other())] {
        let Some(python) = python else { continue };
        let environment = Environment::new(list, python)?;
        let file = package().join(format!("requirements/{list}.txt"));
        environment.install(&["--requirement".as_ref(), &file])?;
        environment.install_wheel(&wheel)?;
        let mut test = environment.python(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]);
        run(test.arg("tests/blender").env("INBETWEEN_WHEEL", &wheel))?;
        let removed = fs::remove_dir_all(&environment.0);
        removed.map_err(|error| format!("{}: {error}", environment.0.display()))?;
    }
    Ok(())
}

/// Fuzzes the boundary of the package, with the same calls in every run with the same seed.
pub(crate) fn fuzz(arguments: &[String]) -> Outcome {
    let (runs, seed) = match arguments {
        [runs] => (runs, "1"),
        [runs, seed] => (runs, seed.as_str()),
        _ => return Err("expected the number of calls, and perhaps a seed".to_owned()),
    };
    for number in [runs, seed] {
        number.parse::<u32>().map_err(|_| format!("expected a number, found {number}"))?;
    }
    let environment = Environment::with_wheel("fuzz", &build("dev", &[])?)?;
    let folder = target("fuzz");
    // The inputs of an earlier run would change the calls.
    let _ = fs::remove_dir_all(&folder);
    let mut fuzz = environment.python(&["fuzz/boundary.py"]);
    fuzz.arg(folder).args([format!("-runs={runs}"), format!("-seed={seed}")]);
    run(&mut fuzz)
}

/// Returns an interpreter of the other version: in the path, or one that pyenv keeps.
fn other() -> Option<PathBuf> {
    let works = |path: &PathBuf| runs(Command::new(path).arg("--version"));
    let root = env::var_os("PYENV_ROOT").map(PathBuf::from);
    let kept = root.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".pyenv")))?;
    let versions = fs::read_dir(kept.join("versions")).into_iter().flatten().flatten();
    let kept = versions.map(|version| version.path().join("bin").join(OTHER));
    let found = std::iter::once(PathBuf::from(OTHER)).chain(kept).find(works);
    if found.is_none() {
        println!("{OTHER} is not installed: nothing is tested with it");
    }
    found
}

fn package() -> PathBuf {
    root().join(PACKAGE)
}

fn target(name: &str) -> PathBuf {
    root().join("target/python").join(name)
}

/// Checks the crate of the native part, which is no member of the workspace.
fn lint_crate() -> Outcome {
    let with = |arguments: &[&str], more: &[&str]| {
        let mut command = cargo(arguments);
        command.arg("--manifest-path").arg(package().join("Cargo.toml")).args(more);
        command.env("CARGO_TARGET_DIR", target("build"));
        command
    };
    run(&mut with(&["fmt"], &["--check"]))?;
    run(&mut with(&["clippy", "--locked", "--all-targets"], &["--", "--deny", "warnings"]))
}

/// Builds the wheel of a release, and returns its path.
fn build_release() -> Result<PathBuf, String> {
    licenses(&[])?;
    build("release", &["--sbom-include", BILL])
}

/// Collects the licenses of all that is compiled into the wheel, and lists it.
pub(crate) fn licenses(_: &[String]) -> Outcome {
    let program = Program {
        package: "inbetween-python",
        manifest: &format!("{PACKAGE}/Cargo.toml"),
        target: &host()?,
        has_font: true,
    };
    let folder = package().join("licenses");
    let _ = fs::remove_dir_all(&folder);
    let parts = program.parts()?;
    licenses::write_texts(&folder, &parts)?;
    sbom::write(&package().join(BILL), &parts)
}

/// Builds a wheel with a profile and options, and returns its path.
fn build(profile: &str, options: &[&str]) -> Result<PathBuf, String> {
    let tools = Environment::new("tools", interpreter()?)?;
    tools.install(&["--requirement".as_ref(), &package().join("requirements/build.txt")])?;
    let folder = target(&format!("wheels-{profile}"));
    let _ = fs::remove_dir_all(&folder);
    let mut command = Command::new(tools.program("maturin"));
    command.args(["build", "--locked", "--profile", profile, "--out"]).arg(&folder).args(options);
    command.current_dir(package()).env("CARGO_TARGET_DIR", target("build"));
    // The profile of the package says what its tests need.
    command.env_remove("CARGO_PROFILE_DEV_DEBUG");
    run(&mut command)?;
    let mut files = fs::read_dir(&folder).into_iter().flatten().flatten();
    let wheel = files.next().map(|file| file.path());
    wheel.ok_or_else(|| format!("{}: no wheel was built", folder.display()))
}

/// A virtual environment of Python.
struct Environment(PathBuf);

impl Environment {
    /// Makes an environment, or takes the one that was made before.
    fn new(name: &str, python: impl AsRef<std::ffi::OsStr>) -> Result<Self, String> {
        let folder = target("environments").join(name);
        let environment = Self(folder);
        if !runs(Command::new(environment.program("python")).arg("--version")) {
            run(Command::new(python).args(["-m", "venv"]).arg(&environment.0))?;
        }
        Ok(environment)
    }

    /// Makes an environment with a list of packages and a wheel.
    fn with_wheel(name: &str, wheel: &Path) -> Result<Self, String> {
        let environment = Self::new(name, interpreter()?)?;
        let list = package().join(format!("requirements/{name}.txt"));
        environment.install(&["--requirement".as_ref(), &list])?;
        environment.install_wheel(wheel)?;
        Ok(environment)
    }

    fn program(&self, name: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.0.join(folder).join(name)
    }

    fn python(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.program("python"));
        command.args(arguments).current_dir(package());
        command
    }

    fn install(&self, arguments: &[&Path]) -> Outcome {
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        run(self.python(&pip).args(arguments))
    }

    /// Installs a wheel in place of an earlier one.
    fn install_wheel(&self, wheel: &Path) -> Outcome {
        self.install(&["--no-deps".as_ref(), "--force-reinstall".as_ref(), wheel])
    }

    /// Checks the Python code and its types, which must be those of the native part.
    fn lint(&self) -> Outcome {
        run(&mut self.python(&["-m", "ruff", "check", "."]))?;
        run(&mut self.python(&["-m", "ruff", "format", "--check", "."]))?;
        run(&mut self.python(&["-m", "mypy", "python", "tests"]))?;
        run(&mut self.python(&["-m", "mypy.stubtest", "inbetween._native", "--concise"]))
    }

    fn pytest(&self, arguments: &[&str]) -> Outcome {
        run(self.python(&["-m", "pytest", "--quiet", "-p", "no:cacheprovider"]).args(arguments))
    }
}
