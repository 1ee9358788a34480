//! The steps that every change must pass.

use std::time::Instant;

use serde_json::Value;

use crate::shell::{cargo, install, metadata, run as shell, runs};
use crate::{
    Outcome, costs, dist, faults, figures, fixtures, fuzz, gltf, hygiene, layout, new_format,
    platforms, promises, python, tables, web,
};

/// A step; the fast ones come first.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
    /// A program that it cannot do without.
    needs: Option<Program>,
    when: When,
}

/// When a step runs without being named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    Always,
    /// With `--full`, because it takes long.
    Full,
    /// Never.
    Named,
}

impl Step {
    const fn new(name: &'static str, run: fn() -> Outcome) -> Self {
        Self { name, run, needs: None, when: When::Always }
    }

    const fn heavy(self) -> Self {
        Self { when: When::Full, ..self }
    }

    const fn named(self) -> Self {
        Self { when: When::Named, ..self }
    }

    const fn needing(self, program: Program) -> Self {
        Self { needs: Some(program), ..self }
    }
}

/// A program that is not on every machine. Without it a step is skipped, except where `CI=true`.
struct Program {
    name: &'static str,
    is_here: fn() -> bool,
    /// Installs it where `CI=true`; without this, `.ci/run` must have installed it.
    install: Option<fn() -> Outcome>,
}

const VALGRIND: Program = Program { name: "valgrind", is_here: costs::can_count, install: None };

const STRACE: Program = Program { name: "strace", is_here: faults::can_run, install: None };

const OTHER_PROCESSORS: Program = Program {
    name: "a linker for i686 or powerpc64, or qemu",
    is_here: platforms::can_run,
    install: None,
};

const CARGO_DENY: Program = Program {
    name: "cargo-deny",
    is_here: || runs(&mut cargo(["deny", "--version"])),
    install: Some(|| install("cargo-deny")),
};

const NODE: Program = Program { name: "node with npm", is_here: gltf::can_run, install: None };

const PYTHON: Program = Program { name: "Python 3", is_here: python::can_run, install: None };

const STEPS: &[Step] = &[
    Step::new("fmt", || shell(&mut cargo(["fmt", "--all", "--check"]))),
    Step::new("hygiene", hygiene::check),
    Step::new("fixtures", fixtures::check),
    Step::new("tables", tables::check),
    Step::new("figures", figures::check),
    Step::new("layout", layout::check),
    Step::new("promises", promises::check),
    Step::new("clippy", clippy),
    Step::new("features", features),
    Step::new("docs", docs),
    Step::new("test", || shell(&mut cargo(["test", "--workspace", "--locked"]))),
    Step::new("gltf", gltf::check).needing(NODE),
    Step::new("python", python::check).needing(PYTHON),
    Step::new("page", web::check_logic).needing(NODE),
    Step::new("tool", tool),
    Step::new("new-format", new_format::check),
    Step::new("package", package),
    Step::new("deny", || check_packages(&["bans", "licenses", "sources"])).needing(CARGO_DENY),
    Step::new("costs", || costs::run(&[])).needing(VALGRIND),
    Step::new("fuzz", fuzz::smoke),
    Step::new("engines", python::check_release).needing(PYTHON).heavy(),
    Step::new("blender", python::check_blender).needing(PYTHON).heavy(),
    Step::new("web", web::check).needing(NODE).heavy(),
    Step::new("faults", faults::check).needing(STRACE).heavy(),
    Step::new("msrv", platforms::check_oldest_rust).heavy(),
    Step::new("platforms", platforms::check).needing(OTHER_PROCESSORS).heavy(),
    Step::new("dist", || dist::dist(&[])).heavy(),
    Step::new("batches", python::check_batches).needing(PYTHON).named(),
    // It asks the network for the advisories of the day.
    Step::new("advisories", || check_packages(&["advisories"])).needing(CARGO_DENY).named(),
];

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let steps = chosen(arguments)?;
    let mut lines = Vec::new();
    for step in &steps {
        println!("== {}", step.name);
        let start = Instant::now();
        let failed = |error| format!("step {} failed: {error}", step.name);
        let outcome = match &step.needs {
            Some(program) if !is_ready(program).map_err(failed)? => {
                println!("== {} skipped: {} is not installed", step.name, program.name);
                "skipped"
            }
            _ => {
                (step.run)().map_err(failed)?;
                println!("== {} passed in {} s", step.name, start.elapsed().as_secs());
                "passed"
            }
        };
        lines.push(format!("{outcome:7} {:10} {:5} s", step.name, start.elapsed().as_secs()));
    }
    println!("{}", lines.join("\n"));
    let is_left_out = |step: &&Step| !steps.iter().any(|run| run.name == step.name);
    let left_out: Vec<&str> = STEPS.iter().filter(is_left_out).map(|step| step.name).collect();
    if !left_out.is_empty() {
        println!("left out: {}", left_out.join(", "));
    }
    Ok(())
}

/// Returns whether a program is installed; where `CI=true`, it is installed or an error returned.
fn is_ready(program: &Program) -> Result<bool, String> {
    if (program.is_here)() {
        return Ok(true);
    }
    if std::env::var_os("CI").is_none_or(|ci| ci != "true") {
        return Ok(false);
    }
    let install = program.install.ok_or_else(|| format!("{} is not installed", program.name))?;
    install().map(|()| true)
}

/// Returns all steps, the named ones, or all except those named after `--except`. Without names, those
/// that take long are left out unless `--full` comes first, and some always are.
fn chosen(arguments: &[String]) -> Result<Vec<&'static Step>, String> {
    let (full, arguments) = match arguments.split_first() {
        Some((first, rest)) if first == "--full" => (true, rest),
        _ => (false, arguments),
    };
    let (except, names) = match arguments.split_first() {
        Some((first, rest)) if first == "--except" => (true, rest),
        _ => (arguments.is_empty(), arguments),
    };
    if let Some(name) = names.iter().find(|name| !has_step(name)) {
        let known: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(format!("unknown step {name}; the steps are {}", known.join(", ")));
    }
    let chosen = |step: &&Step| {
        let is_named = names.iter().any(|name| name == step.name);
        let runs = match step.when {
            When::Always => true,
            When::Full => full,
            When::Named => false,
        };
        if except { !is_named && runs } else { is_named }
    };
    Ok(STEPS.iter().filter(chosen).collect())
}

/// Returns whether there is a step of this name.
pub(crate) fn has_step(name: &str) -> bool {
    STEPS.iter().any(|step| step.name == name)
}

fn clippy() -> Outcome {
    let workspace = ["clippy", "--workspace", "--all-targets", "--all-features", "--locked"];
    shell(cargo(workspace).args(["--", "--deny", "warnings"]))
}

/// Checks every package with features: without them, with each alone, and with all.
fn features() -> Outcome {
    let metadata = metadata(&["--no-deps"])?;
    let packages = metadata.get("packages").and_then(Value::as_array);
    for package in packages.into_iter().flatten() {
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        let features = package.get("features").and_then(Value::as_object);
        let features: Vec<&String> = features.into_iter().flat_map(|map| map.keys()).collect();
        if features.is_empty() {
            continue;
        }
        let base = ["clippy", "--package", name, "--all-targets", "--locked"];
        let check =
            |extra: &[&str]| shell(cargo(base).args(extra).args(["--", "--deny", "warnings"]));
        check(&["--no-default-features"])?;
        for feature in features {
            check(&["--no-default-features", "--features", feature])?;
        }
        check(&["--all-features"])?;
    }
    Ok(())
}

fn docs() -> Outcome {
    // Libraries only: the docs of the tool and of the facade have the same file name.
    let workspace = ["doc", "--workspace", "--lib", "--no-deps", "--all-features", "--locked"];
    shell(cargo(workspace).env("RUSTDOCFLAGS", "--deny warnings"))
}

/// Runs the first command of the README.
fn tool() -> Outcome {
    let target = std::env::temp_dir().join(format!("inbetween-walk-{}.animj", std::process::id()));
    let mut convert = cargo(["run", "--release", "--locked", "--", "convert"]);
    // Optimizations change only how fast the program is.
    convert.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0").env("CARGO_PROFILE_RELEASE_LTO", "off");
    convert.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    shell(convert.arg("fixtures/seanim/ok/walk.seanim").arg(&target))?;
    std::fs::remove_file(&target).map_err(|error| format!("{}: {error}", target.display()))
}

/// Builds the packages as they would be published.
///
/// Cargo assumes that a package version never changes, and caches its unpacked sources per target
/// directory. So each run has a target directory of its own.
fn package() -> Outcome {
    let private = ["--exclude", "xtask", "--exclude", "inbetween-testing"];
    let workspace = ["package", "--workspace", "--allow-dirty", "--locked", "--target-dir"];
    let folder = std::env::temp_dir().join(format!("inbetween-packages-{}", std::process::id()));
    let built = shell(cargo(workspace).arg(&folder).args(private));
    if let Err(error) = std::fs::remove_dir_all(&folder) {
        println!("cannot remove {}: {error}", folder.display());
    }
    built
}

/// Checks the packages of each lock file whose packages are given away.
fn check_packages(checks: &[&str]) -> Outcome {
    let manifests = ["Cargo.toml", "crates/python/Cargo.toml", "crates/web/bind/Cargo.toml"];
    let check = |manifest| {
        let deny = ["deny", "--manifest-path", manifest, "--locked", "check"];
        shell(cargo(deny).args(checks))
    };
    manifests.into_iter().try_for_each(check)
}
