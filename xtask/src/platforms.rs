//! Runs the tests on other processors: one with 32 bits, and one with the other byte order.

use crate::Outcome;
use crate::shell::{cargo, run, runs};

/// A platform whose programs this machine can run.
struct Platform {
    target: &'static str,
    linker: &'static str,
    /// The program that runs its programs, and options of it; none if this processor does.
    runner: &'static str,
    /// What is tested: options of `cargo test`.
    tests: &'static [&'static str],
}

const PLATFORMS: [Platform; 2] = [
    Platform {
        target: "i686-unknown-linux-musl",
        linker: "i686-linux-gnu-gcc",
        runner: "",
        // The tool and its page have programs of their own.
        tests: &["--workspace", "--exclude", "xtask", "--exclude", "inbetween-web"],
    },
    Platform {
        target: "s390x-unknown-linux-gnu",
        linker: "s390x-linux-gnu-gcc",
        runner: "qemu-s390x-static -L /usr/s390x-linux-gnu",
        // Emulation is slow: every fixture is read, checked, written and compared with its golden.
        tests: &[
            "--workspace",
            "--exclude",
            "xtask",
            "--exclude",
            "inbetween-web",
            "--test",
            "golden",
        ],
    },
];

/// Returns whether the linkers and the emulator are installed.
pub(crate) fn can_run() -> bool {
    let programs = PLATFORMS.iter().flat_map(|platform| {
        [platform.linker, platform.runner.split(' ').next().unwrap_or_default()]
    });
    let mut programs = programs.filter(|program| !program.is_empty());
    programs.all(|program| runs(std::process::Command::new(program).arg("--version")))
}

/// Runs the tests on each platform.
pub(crate) fn check() -> Outcome {
    for Platform { target, linker, runner, tests } in PLATFORMS {
        run(std::process::Command::new("rustup").args(["target", "add", target]))?;
        let variable =
            |name: &str| format!("CARGO_TARGET_{}_{name}", target.to_uppercase().replace('-', "_"));
        let mut test = cargo(["test", "--quiet", "--locked", "--target", target]);
        test.args(tests).env(variable("LINKER"), linker);
        if !runner.is_empty() {
            test.env(variable("RUNNER"), runner);
        }
        run(&mut test)?;
    }
    Ok(())
}
