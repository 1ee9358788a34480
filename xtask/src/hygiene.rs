//! Texts that no file of the repository may contain.

mod words;

use std::path::Path;

use crate::shell::{complain, read, root, tracked_files};
use crate::{Outcome, engine_names, format_crates};

/// A banned text, in two halves so that this file does not contain it.
struct Ban {
    halves: [&'static str; 2],
    reason: &'static str,
}

const BANS: &[Ban] = &[
    Ban { halves: ["TO", "DO"], reason: "open ends belong in issues" },
    Ban { halves: ["FIX", "ME"], reason: "open ends belong in issues" },
    Ban { halves: ["XX", "X:"], reason: "open ends belong in issues" },
    Ban { halves: ["todo", "!("], reason: "unfinished code" },
    Ban { halves: ["unimplemented", "!("], reason: "unfinished code" },
    Ban { halves: ["/ro", "ot/"], reason: "a path of one machine" },
    Ban { halves: ["/ho", "me/"], reason: "a path of one machine" },
    Ban { halves: ["/wo", "rk/"], reason: "a path of one machine" },
    Ban { halves: ["C:\\", "Users"], reason: "a path of one machine" },
];

/// Checks every text file that git tracks.
pub(crate) fn check() -> Outcome {
    let formats = format_crates::all()?;
    let mut complaints = Vec::new();
    for path in tracked_files()? {
        if path.starts_with("fixtures") || path.starts_with("fuzz/regressions") {
            continue;
        }
        // Other files are binary.
        if let Ok(text) = std::fs::read_to_string(root().join(&path)) {
            complaints.extend(banned(&path, &text));
            complaints.extend(undetermined(&path, &text));
            complaints.extend(engine_names::complaints(&formats, &path, &text));
            complaints.extend(words::retired(&path, &text));
        }
    }
    complaints.extend(foreign_sources()?);
    complain(&complaints, "remove or reword these")
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

/// Lists blocks of property tests without the shared settings, which give `cargo test` the same
/// result in every run.
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

/// Lists packages of the lock files that do not come from a package registry.
fn foreign_sources() -> Result<Vec<String>, String> {
    const SOURCE: &str = "source = \"registry+";
    let mut complaints = Vec::new();
    for lock in ["Cargo.lock", "fuzz/Cargo.lock", "crates/python/Cargo.lock"] {
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
    fn rejects_property_tests_without_the_shared_settings() {
        let block = |first: &str| format!("{}! {{\n{first}\n    #[test]\n}}\n", "proptest");
        let complaints = |first| undetermined(Path::new("a.rs"), &block(first)).len();
        assert_eq!(complaints("    #![proptest_config(properties::cases(9))]"), 0);
        assert_eq!(complaints("    // Few.\n    #![proptest_config(properties::cases(9))]"), 0);
        assert_eq!(complaints("    #![proptest_config(ProptestConfig::with_cases(9))]"), 1);
        assert_eq!(complaints(""), 1);
    }

    #[test]
    fn crates_take_the_lints_of_the_workspace() {
        let workspace = read(Path::new("Cargo.toml")).unwrap();
        assert!(workspace.contains("\nunsafe_code = \"forbid\"\n"));
        for lint in ["unwrap_used", "expect_used", "indexing_slicing", "as_conversions"] {
            assert!(workspace.contains(&format!("\n{lint} = \"warn\"\n")), "{lint}");
        }
        let mut manifests = 0;
        for path in tracked_files().unwrap() {
            // These are workspaces of their own.
            let is_apart = path.starts_with("crates/python") || path.starts_with("crates/web/bind");
            if path.starts_with("crates") && path.ends_with("Cargo.toml") && !is_apart {
                let manifest = read(&path).unwrap();
                assert!(manifest.contains("[lints]\nworkspace = true\n"), "{}", path.display());
                manifests += 1;
            }
        }
        assert!(manifests > 10, "{manifests} manifests");
    }

    #[test]
    fn unsafe_code_is_in_one_module() {
        let marks = ["{", "fn", "impl"].map(|mark| format!("unsafe {mark}"));
        let sources = tracked_files().unwrap().into_iter().filter(|path| {
            path.starts_with("crates") && path.extension().is_some_and(|ending| ending == "rs")
        });
        let found = sources.filter(|path| {
            let text = read(path).unwrap();
            marks.iter().any(|mark| text.contains(mark))
        });
        assert_eq!(found.collect::<Vec<_>>(), [Path::new("crates/python/src/arrays.rs")]);
    }
}
