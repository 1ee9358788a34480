//! Counts lines of code: without unit tests, comments and blank lines.

use std::path::Path;

use crate::shell::{read, tracked_files};

/// The numbers of code lines.
#[derive(Default)]
pub(super) struct Lines {
    /// In the sources of the published crates.
    pub(super) shipped: usize,
    /// In all Rust files outside folders called `tests`.
    pub(super) all: usize,
}

/// Counts the code lines of the repository.
pub(super) fn count() -> Result<Lines, String> {
    let mut lines = Lines::default();
    for path in tracked_files()? {
        if is_outside_tests(&path) {
            let count = code_lines(&read(&path)?);
            lines.all += count;
            lines.shipped += if is_shipped(&path) { count } else { 0 };
        }
    }
    Ok(lines)
}

fn is_outside_tests(path: &Path) -> bool {
    let is_rust = path.extension().is_some_and(|extension| extension == "rs");
    is_rust && path.iter().all(|part| part != "tests")
}

/// Returns whether a Rust file is in the sources of a published crate.
fn is_shipped(path: &Path) -> bool {
    let parts: Vec<&str> = path.iter().filter_map(|part| part.to_str()).collect();
    match parts.as_slice() {
        // Test modules that are files are called `tests.rs`.
        ["crates", name, "src", .., file] => *name != "testing" && *file != "tests.rs",
        _ => false,
    }
}

/// Counts the lines of code in the text of a file.
fn code_lines(text: &str) -> usize {
    let mut count = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        if code == "#[cfg(test)]" {
            let indent = line.len() - code.len();
            if skip_item(&mut lines, indent) == Skipped::Tests {
                break;
            }
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

#[derive(PartialEq)]
enum Skipped {
    Item,
    /// The module of unit tests. It is the last item of its file: a lint of Clippy demands that.
    Tests,
}

/// Skips an item after its first attribute; rustfmt ends it at its own indent.
fn skip_item<'t>(lines: &mut impl Iterator<Item = &'t str>, indent: usize) -> Skipped {
    for line in lines {
        let line = line.get(indent..).unwrap_or_default();
        if line.starts_with("mod ") && line.ends_with('{') {
            return Skipped::Tests;
        }
        if !line.starts_with([' ', '#']) && line.ends_with([';', '}']) {
            break;
        }
    }
    Skipped::Item
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_neither_comments_nor_blank_lines() {
        assert_eq!(code_lines("//! Docs.\n\nfn a() {\n    // Why.\n    b(); // Here.\n}\n"), 3);
    }

    #[test]
    fn counts_no_test_items() {
        let item = "impl A {\n    #[cfg(test)]\n    #[inline]\n    fn a() {\n        b();\n    }\n\n    fn c() {}\n}\n";
        assert_eq!(code_lines(item), 3);
        assert_eq!(code_lines("#[cfg(test)]\nmod replay;\nmod a;\n"), 1);
        assert_eq!(code_lines("fn a() {}\n#[cfg(test)]\nmod tests {\n    a(\"\n}\n\");\n}\n"), 1);
    }

    #[test]
    fn counts_only_sources_of_published_crates() {
        let shipped = |path: &str| is_shipped(Path::new(path));
        assert!(shipped("crates/core/src/model/kind.rs"));
        assert!(!shipped("crates/core/tests/kind.rs"));
        assert!(!shipped("crates/core/src/model/tests.rs"));
        assert!(!shipped("crates/testing/src/lib.rs"));
        assert!(!shipped("xtask/src/main.rs"));
    }

    #[test]
    fn counts_all_rust_files_outside_tests_folders() {
        let counted = |path: &str| is_outside_tests(Path::new(path));
        for path in ["crates/testing/src/lib.rs", "xtask/src/main.rs", "fuzz/src/lib.rs"] {
            assert!(counted(path), "{path}");
        }
        assert!(!counted("crates/core/tests/engines/mod.rs"));
        assert!(!counted("docs/clip.md"));
    }
}
