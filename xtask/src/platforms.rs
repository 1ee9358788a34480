//! Runs the tests on other processors, one with 32 bits and one with the other byte order, and checks the
//! code with the oldest Rust.

use std::process::Command;

use crate::Outcome;
use crate::shell::{cargo, root, run, runs};

/// The oldest version of Rust that the packages state.
const OLDEST_RUST: &str = env!("CARGO_PKG_RUST_VERSION");

/// A platform whose programs this machine can run.
struct Platform {
    target: &'static str,
    linker: &'static str,
    /// The program that runs its programs, and options of it; none if this processor does.
    runner: &'static str,
    /// Which tests: options of `cargo test`.
    tests: &'static [&'static str],
}

const PLATFORMS: [Platform; 2] = [
    Platform {
        target: "i686-unknown-linux-musl",
        linker: "i686-linux-gnu-gcc",
        runner: "",
        // All but what takes minutes and hardly depends on sizes.
        tests: &["--tests", "--", "--skip", "keeps_playback", "--skip", "every_format"],
    },
    Platform {
        target: "powerpc64-unknown-linux-gnu",
        linker: "powerpc64-linux-gnu-gcc",
        runner: "qemu-ppc64-static -L /usr/powerpc64-linux-gnu",
        // Not s390x: qemu before 8.0 computes wrongly when an f32 is multiplied by another to an f64.
        // Emulation is slow: the unit tests, and every fixture is read, checked, written and compared.
        tests: &["--lib", "--test", "golden"],
    },
];

/// The tested packages: all but the tasks and the page, which run programs of this machine.
const PACKAGES: [&str; 5] = ["--workspace", "--exclude", "xtask", "--exclude", "inbetween-web"];

/// Returns whether the linkers and the emulator are installed.
pub(crate) fn can_run() -> bool {
    let programs = PLATFORMS.iter().flat_map(|platform| {
        [platform.linker, platform.runner.split(' ').next().unwrap_or_default()]
    });
    let mut programs = programs.filter(|program| !program.is_empty());
    programs.all(|program| runs(Command::new(program).arg("--version")))
}

/// Runs the tests on each platform.
pub(crate) fn check() -> Outcome {
    for Platform { target, linker, runner, tests } in PLATFORMS {
        if !has(&["target", "add", target]) {
            continue;
        }
        let variable =
            |name: &str| format!("CARGO_TARGET_{}_{name}", target.to_uppercase().replace('-', "_"));
        let mut test = cargo(["test", "--quiet", "--locked", "--target", target]);
        test.args(PACKAGES).args(tests).env(variable("LINKER"), linker);
        if !runner.is_empty() {
            test.env(variable("RUNNER"), runner);
        }
        run(&mut test)?;
    }
    Ok(())
}

/// Checks the code with the oldest Rust.
pub(crate) fn check_oldest_rust() -> Outcome {
    if !has(&["toolchain", "install", OLDEST_RUST, "--profile", "minimal"]) {
        return Ok(());
    }
    let check = ["cargo", "check", "--workspace", "--all-targets", "--all-features", "--locked"];
    let mut command = Command::new("rustup");
    command.args(["run", OLDEST_RUST]).args(check).current_dir(root());
    // These name the toolchain that runs this program.
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    run(&mut command)
}

/// Lets rustup install something. It comes from a server that not every machine reaches.
fn has(arguments: &[&str]) -> bool {
    let installed = run(Command::new("rustup").args(arguments));
    if let Err(error) = &installed {
        println!("skipped, as it cannot be had: {error}");
    }
    installed.is_ok()
}
