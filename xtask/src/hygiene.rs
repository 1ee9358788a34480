//! What must not stand in any file of the repository.

use std::path::Path;

use crate::Outcome;
use crate::shell::{complain, read, root, tracked_files};

/// A text that must not stand anywhere, in two halves so that it does not stand here.
struct Ban {
    halves: [&'static str; 2],
    reason: &'static str,
}

const BANS: &[Ban] = &[
    Ban { halves: ["TO", "DO"], reason: "open ends belong into issues" },
    Ban { halves: ["FIX", "ME"], reason: "open ends belong into issues" },
    Ban { halves: ["XX", "X:"], reason: "open ends belong into issues" },
    Ban { halves: ["todo", "!("], reason: "nothing is left unwritten" },
    Ban { halves: ["unimplemented", "!("], reason: "nothing is left unwritten" },
    Ban { halves: ["/ro", "ot/"], reason: "a path of one machine" },
    Ban { halves: ["/ho", "me/"], reason: "a path of one machine" },
    Ban { halves: ["/wo", "rk/"], reason: "a path of one machine" },
    Ban { halves: ["C:\\", "Users"], reason: "a path of one machine" },
];

/// Looks at every text file that git knows.
pub(crate) fn check() -> Outcome {
    let mut complaints = Vec::new();
    for path in tracked_files()? {
        if path.starts_with("fixtures") || path.starts_with("fuzz/regressions") {
            continue;
        }
        // What is not UTF-8 is no text.
        if let Ok(text) = std::fs::read_to_string(root().join(&path)) {
            complaints.extend(banned(&path, &text));
            complaints.extend(undetermined(&path, &text));
        }
    }
    complaints.extend(foreign_sources()?);
    complain(&complaints, "take these out")
}

fn banned(path: &Path, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for Ban { halves, reason } in BANS {
            let word = halves.concat();
            if line.contains(&word) {
                complaints.push(format!("{}:{number}: {word:?}: {reason}", path.display()));
            }
        }
    }
    complaints
}

/// Every block of property tests draws its values by the settings that all share, so that
/// `cargo test` gives the same result at every run.
fn undetermined(path: &Path, text: &str) -> Vec<String> {
    const SETTINGS: &str = "#![proptest_config(properties::cases(";
    let mut complaints = Vec::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        if line.trim_start() != concat!("proptest", "! {") {
            continue;
        }
        let mut first = lines.by_ref().map(|(_, line)| line.trim_start());
        let first = first.find(|line| !line.is_empty() && !line.starts_with("//"));
        if !first.is_some_and(|line| line.starts_with(SETTINGS)) {
            let place = path.display();
            complaints.push(format!("{place}:{number}: property tests begin with {SETTINGS}N))]"));
        }
    }
    complaints
}

/// Every package of the lock files must come from a package registry, and none from elsewhere.
fn foreign_sources() -> Result<Vec<String>, String> {
    const SOURCE: &str = "source = \"registry+";
    let mut complaints = Vec::new();
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        for line in read(Path::new(lock))?.lines() {
            if line.starts_with("source = ") && !line.starts_with(SOURCE) {
                complaints.push(format!("{lock}: {line}"));
            }
        }
    }
    Ok(complaints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_tests_without_the_shared_settings_are_refused() {
        let block = |first: &str| format!("{}! {{\n{first}\n    #[test]\n}}\n", "proptest");
        let complaints = |first| undetermined(Path::new("a.rs"), &block(first)).len();
        assert_eq!(complaints("    #![proptest_config(properties::cases(9))]"), 0);
        assert_eq!(complaints("    // Few.\n    #![proptest_config(properties::cases(9))]"), 0);
        assert_eq!(complaints("    #![proptest_config(ProptestConfig::with_cases(9))]"), 1);
        assert_eq!(complaints(""), 1);
    }
}
