//! Runs the property tests with random seeds, longer than `cargo test` does.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::shell::{cargo, read, tracked_files};

/// The number of animations per property if no time is given.
const CASES: u32 = 10_000;
/// The number of animations per property and seed if a time is given.
const CASES_IN_TIME: u32 = 1_000;

/// A file of property tests.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Tests {
    package: String,
    target: String,
}

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (subject, minutes) = match arguments.as_slice() {
        [subject] => (*subject, None),
        [subject, "--minutes", minutes] => {
            let number = minutes.parse::<u64>();
            (*subject, Some(number.map_err(|_| format!("expected minutes, found {minutes}"))?))
        }
        _ => return Err("expected conversions or edits, and --minutes N or nothing".into()),
    };
    let of_edits = match subject {
        "conversions" => false,
        "edits" => true,
        other => return Err(format!("expected conversions or edits, found {other}")),
    };
    let tests = property_tests()?;
    let tests = tests.into_iter().filter(|tests| (tests.package == "inbetween-edit") == of_edits);
    let tests: Vec<Tests> = tests.collect();
    let failures = match minutes {
        None => round(&tests, CASES, None)?,
        Some(minutes) => rounds(&tests, Duration::from_secs(minutes.saturating_mul(60)))?,
    };
    if failures == 0 {
        return Ok(());
    }
    Err(format!(
        "{failures} runs failed; write each value out as a test beside the property that it \
         broke, then fix the cause"
    ))
}

/// Runs all tests repeatedly with other seeds until the time is up.
fn rounds(tests: &[Tests], time: Duration) -> Result<usize, String> {
    let end = Instant::now() + time;
    let mut failures = 0;
    while Instant::now() < end {
        failures += round(tests, CASES_IN_TIME, Some(end))?;
    }
    Ok(failures)
}

/// Runs all tests once, each with its own seed; returns the number of failed tests.
fn round(tests: &[Tests], cases: u32, end: Option<Instant>) -> Result<usize, String> {
    let mut failures = 0;
    for each in tests {
        if end.is_some_and(|end| Instant::now() >= end) {
            break;
        }
        // Two hasher states have different random keys, which is enough randomness here.
        let seed = RandomState::new().build_hasher().finish();
        failures += usize::from(!holds(each, seed, cases)?);
    }
    Ok(failures)
}

/// Runs a file of tests, and prints how to repeat a failure.
fn holds(tests: &Tests, seed: u64, cases: u32) -> Result<bool, String> {
    let Tests { package, target } = tests;
    let arguments = ["test", "--quiet", "--locked", "--no-fail-fast", "--all-features"];
    let output = cargo(arguments)
        .args(["--package", package, "--test", target])
        .env("PROPTEST_RNG_SEED", seed.to_string())
        .env("PROPTEST_CASES", cases.to_string())
        .env("RUST_BACKTRACE", "0")
        .output()
        .map_err(|error| format!("cannot run the tests of {package}: {error}"))?;
    let outcome = if output.status.success() { "holds" } else { "FAILED" };
    println!("{package} {target}, {cases} cases, seed {seed}: {outcome}");
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        let found = findings(&text);
        // Without a finding, the file did not build, or ended before its tests.
        let other = String::from_utf8_lossy(&output.stderr);
        println!("{}", if found.is_empty() { other.trim_end() } else { found.trim_end() });
        println!(
            "to repeat: PROPTEST_RNG_SEED={seed} PROPTEST_CASES={cases} \
             cargo test --all-features --package {package} --test {target}"
        );
    }
    Ok(output.status.success())
}

/// Returns the names of the failed tests, each with its last output: the shrunk value.
fn findings(output: &str) -> String {
    let finding = |section: &str| {
        let name = section.split(' ').next().unwrap_or_default();
        let last = section.rfind("Test failed: ").and_then(|start| section.get(start..));
        let last = last.unwrap_or(section);
        let last = last.split("\n\tsuccesses:").next().unwrap_or(last);
        let last = last.split("\nfailures:\n").next().unwrap_or(last);
        format!("{name}: {}", last.trim_end())
    };
    output.split("\n---- ").skip(1).map(finding).collect::<Vec<String>>().join("\n")
}

/// Returns the files with property tests, in order.
fn property_tests() -> Result<Vec<Tests>, String> {
    let mut tests = Vec::new();
    for path in tracked_files()? {
        let Some((package, target)) = package_and_target(&path) else { continue };
        let text = read(&path)?;
        if ["properties::", "meaning::cases"].iter().any(|sign| text.contains(sign)) {
            let package = match package {
                "inbetween" => package.to_owned(),
                folder => format!("inbetween-{folder}"),
            };
            tests.push(Tests { package, target: target.to_owned() });
        }
    }
    tests.sort();
    Ok(tests)
}

/// Returns the folder of the crate and the name of the test of `crates/FOLDER/tests/NAME.rs`.
fn package_and_target(path: &Path) -> Option<(&str, &str)> {
    let parts: Vec<&str> = path.iter().map(|part| part.to_str()).collect::<Option<_>>()?;
    match parts.as_slice() {
        ["crates", folder, "tests", file] => Some((folder, file.strip_suffix(".rs")?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn campaigns_find_the_property_tests_of_formats_and_edits() {
        let tests = property_tests().unwrap();
        for (package, target) in [
            ("inbetween-seanim", "laws"),
            ("inbetween-edit", "laws"),
            ("inbetween", "meaning"),
            ("inbetween-edit", "meaning"),
        ] {
            let expected = Tests { package: package.into(), target: target.into() };
            assert!(tests.contains(&expected), "{tests:?} lack {expected:?}");
        }
    }

    #[test]
    fn a_failed_test_is_named_with_its_shrunk_value() {
        let output = "running 2 tests\n\n---- stays stdout ----\nthread panicked\nTest failed: 3.\n\
            minimal failing input: a = 3\n\tsuccesses: 5\n\nfailures:\n    stays\n";
        assert_eq!(findings(output), "stays: Test failed: 3.\nminimal failing input: a = 3");
    }
}
