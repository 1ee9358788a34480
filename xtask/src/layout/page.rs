//! Checks that the paths, commands and names in `docs/adding-a-format.md` exist.

use std::path::Path;

use crate::shell::{read, root, tracked_files};
use crate::{TASKS, ci};

pub(super) const PAGE: &str = "docs/adding-a-format.md";

/// The format whose files stand for those of any format.
const MODEL: &str = "seanim";

/// Lists the code spans of the page that name something that does not exist.
pub(super) fn outdated() -> Result<Vec<String>, String> {
    let sources = tracked_files()?.into_iter().filter(|path| {
        path.extension().is_some_and(|ending| ending == "rs") && !path.starts_with("xtask")
    });
    let sources = sources.map(|path| read(&path)).collect::<Result<String, _>>()?;
    let page = read(Path::new(PAGE))?;
    let spans = spans(&page).filter(|span| !exists(span, &sources));
    Ok(spans.map(|span| format!("{PAGE}: `{span}`")).collect())
}

/// Returns the code spans of a page, and the lines of its code blocks.
fn spans(page: &str) -> impl Iterator<Item = &str> {
    let mut in_block = false;
    page.lines().flat_map(move |line| {
        let fence = line.trim_start().starts_with("```");
        in_block ^= fence;
        let (whole, marked) = match (in_block, fence) {
            (_, true) => (None, ""),
            (true, false) => (Some(line.trim()), ""),
            (false, false) => (None, line),
        };
        whole.into_iter().chain(marked.split('`').skip(1).step_by(2))
    })
}

/// Returns whether something that a page names exists. `<id>` stands for the id of a format.
fn exists(span: &str, sources: &str) -> bool {
    let span = span.replace("<id>", MODEL).replace("<id_>", MODEL);
    let is_name = |c: char| c.is_ascii_alphanumeric() || "_:!".contains(c);
    let words: Vec<&str> = span.split(' ').collect();
    match words.as_slice() {
        ["cargo", "xtask", "ci", steps @ ..] => steps.iter().all(|step| ci::has_step(step)),
        ["cargo", "xtask", task, ..] => TASKS.iter().any(|known| known.name == *task),
        [path] if path.contains('/') => root().join(path).exists(),
        [file] if file.contains('.') && !file.starts_with('[') => {
            let found = |folder| root().join(folder).join(file).exists();
            ["", "crates/seanim", "crates/seanim/src", "crates/seanim/tests"].iter().any(found)
        }
        [name] if name.chars().all(is_name) => {
            let last = name.trim_end_matches('!').rsplit("::").next().unwrap_or_default();
            sources.contains(last)
        }
        // Other commands and fragments of manifests.
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_commands_and_names_must_exist() {
        let sources = "fn with_option() {} macro_rules! codes {}";
        for span in [
            "crates/<id>/src/lib.rs",
            "README.md",
            "format.rs",
            "cargo xtask tables --check",
            "cargo xtask ci layout tables",
            "cargo test -p inbetween-<id>",
            "Format::with_option",
            "codes!",
        ] {
            assert!(exists(span, sources), "{span}");
        }
        for span in [
            "crates/<id>/src/no.rs",
            "no.rs",
            "cargo xtask no",
            "cargo xtask ci layout no",
            "Format::without_option",
        ] {
            assert!(!exists(span, sources), "{span}");
        }
    }

    #[test]
    fn spans_are_those_of_lines_and_the_lines_of_blocks() {
        let page = "Run `a` and `b c`.\n\n```sh\nd e\n```\nThen `f`.\n";
        assert_eq!(spans(page).collect::<Vec<_>>(), ["a", "b c", "d e", "f"]);
    }
}
