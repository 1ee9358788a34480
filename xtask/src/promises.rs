//! Checks that every guarantee in `docs/threat-model.md` and every promise of the README names its tests,
//! and that they exist.
//!
//! Below a line "Tested by:", each item of the list names a file and its tests, or steps of
//! `cargo xtask ci`:
//!
//! ```text
//! Tested by:
//! * `crates/{id}/tests/laws.rs`: `the_laws_hold_on_documents_of_other_formats`
//! * `crates/web/browser/names.mjs`: "requests no address in a file"
//! * `cargo xtask ci costs`
//! ```

use std::ffi::OsStr;
use std::path::Path;

use inbetween::Registry;

use crate::shell::{complain, read};
use crate::{Outcome, ci};

const PAGE: &str = "docs/threat-model.md";

/// Names the tests of what the README promises, whose readers do not look for tests.
const PROMISES: &str = "docs/reliability.md";

/// The heading of the README above what it promises, in the bold words of a list.
const README: &str = "## What it does for you";

/// The line above a list.
const HEADING: &str = "Tested by:";

/// The beginning of an item that names steps.
const STEPS: &str = "cargo xtask ci ";

/// Lists guarantees without tests, and tests that do not exist.
pub(crate) fn check() -> Outcome {
    let registry = Registry::with_builtin();
    let ids: Vec<&str> = registry.formats().map(|format| format.info().id).collect();
    let mut complaints = Vec::new();
    for path in [PAGE, PROMISES] {
        let page = read(Path::new(path))?;
        let guarantees = guarantees(&page);
        if guarantees.is_empty() {
            complaints.push(format!("{path}: it has no guarantees"));
        }
        for Guarantee { title, items } in guarantees {
            if items.is_empty() {
                complaints.push(format!("{path}: {title}: no tests"));
            }
            let outdated = items.iter().flat_map(|item| outdated(item, &ids));
            complaints.extend(outdated.map(|complaint| format!("{path}: {complaint}")));
        }
    }
    complaints.extend(unnamed(&read(Path::new("README.md"))?, &read(Path::new(PROMISES))?));
    complain(&complaints, "every promise must name tests that exist")
}

/// Returns complaints about promises of the README that the page does not list.
fn unnamed(readme: &str, page: &str) -> Vec<String> {
    let listed: Vec<&str> = guarantees(page).iter().map(|guarantee| guarantee.title).collect();
    let promised = promised(readme);
    if promised.is_empty() {
        return vec![format!("README.md promises nothing under {README:?}")];
    }
    let unnamed = promised.into_iter().filter(|title| !listed.contains(title));
    unnamed.map(|title| format!("{PROMISES} does not list {title:?} of the README")).collect()
}

/// Returns the bold words at the beginning of each item of the README.
fn promised(readme: &str) -> Vec<&str> {
    let lines = readme.lines().skip_while(|line| *line != README).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.strip_prefix("* **")?.split("**").next()).collect()
}

/// A numbered guarantee of the page, with the items of all lists below it.
#[derive(Debug, PartialEq, Eq)]
struct Guarantee<'p> {
    title: &'p str,
    items: Vec<String>,
}

/// Returns the guarantees of a page. An item may continue on the next lines.
fn guarantees(page: &str) -> Vec<Guarantee<'_>> {
    let mut guarantees: Vec<Guarantee<'_>> = Vec::new();
    let mut in_list = false;
    for line in page.lines() {
        let title = line.split_once(". **").filter(|(number, _)| number.parse::<u32>().is_ok());
        if let Some((_, title)) = title {
            let title = title.split("**").next().unwrap_or(title);
            guarantees.push(Guarantee { title, items: Vec::new() });
            in_list = false;
        }
        let line = line.trim();
        let Some(guarantee) = guarantees.last_mut() else { continue };
        if line == HEADING {
            in_list = true;
        } else if line.is_empty() {
            in_list = false;
        } else if in_list {
            if let Some(item) = line.strip_prefix("* ") {
                guarantee.items.push(item.to_owned());
            } else {
                let before = guarantee.items.pop().unwrap_or_default();
                guarantee.items.push(format!("{before} {line}"));
            }
        }
    }
    guarantees
}

/// Returns complaints about an item. `{id}` in a path stands for each of the ids.
fn outdated(item: &str, ids: &[&str]) -> Vec<String> {
    let Some((place, names)) = parse(item) else {
        return vec![format!("cannot read the item {item}")];
    };
    match (place.strip_prefix(STEPS), names.as_slice()) {
        (Some(steps), []) => {
            let unknown = steps.split(' ').filter(|step| !ci::has_step(step));
            unknown.map(|step| format!("cargo xtask ci has no step {step}")).collect()
        }
        (None, [_, ..]) if place.contains("{id}") => {
            ids.iter().flat_map(|id| missing(&place.replace("{id}", id), &names)).collect()
        }
        (None, [_, ..]) => missing(place, &names),
        _ => vec![format!("cannot read the item {item}")],
    }
}

/// Returns the first code span of an item, and the names after it in code spans or quotation marks.
fn parse(item: &str) -> Option<(&str, Vec<&str>)> {
    let (place, rest) = item.strip_prefix('`')?.split_once('`')?;
    let mut names = Vec::new();
    if rest.is_empty() {
        return Some((place, names));
    }
    let mut rest = rest.strip_prefix(": ")?;
    loop {
        let quote = rest.chars().next().filter(|quote| ['`', '"'].contains(quote))?;
        let (name, more) = rest.strip_prefix(quote)?.split_once(quote)?;
        names.push(name);
        if more.is_empty() {
            return Some((place, names));
        }
        rest = more.strip_prefix(", ")?;
    }
}

/// Returns complaints about a file without some of these tests.
fn missing(path: &str, names: &[&str]) -> Vec<String> {
    let text = match read(Path::new(path)) {
        Ok(text) => text,
        Err(error) => return vec![error],
    };
    let missing = names.iter().filter(|name| !has_test(path, &text, name));
    missing.map(|name| format!("{path} has no test {name}")).collect()
}

/// Returns whether the text of a file has a test: in Rust and Python a function with this name, in
/// JavaScript a title.
fn has_test(path: &str, text: &str, name: &str) -> bool {
    match Path::new(path).extension().and_then(OsStr::to_str) {
        Some("rs") => text.contains(&format!("fn {name}(")),
        Some("py") => text.contains(&format!("def {name}(")),
        Some("mjs" | "ts") => text.contains(&format!("\"{name}\"")),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_belong_to_the_guarantee_above_them() {
        let page = [
            "Tested by:\n* `none.rs`: `a`\n",
            "1. **First.** More.\n\n   Tested by:\n   * `a.rs`: `b`,\n     `c`\n   * `d`\n",
            "   * in no list\n\n   Tested by:\n   * `e`",
            "2. **Second.**\n\n   1. Text.\n",
        ];
        let page = page.join("\n");
        let items = |items: &[&str]| items.iter().map(|it| String::from(*it)).collect::<Vec<_>>();
        let expected = [
            Guarantee { title: "First.", items: items(&["`a.rs`: `b`, `c`", "`d`", "`e`"]) },
            Guarantee { title: "Second.", items: items(&[]) },
        ];
        assert_eq!(guarantees(&page), expected);
    }

    #[test]
    fn every_promise_of_the_readme_must_be_listed() {
        let readme = "* **Before.** a\n## What it does for you\n\n* **One?** a\n  **b**\n* **Two.**\n## C\n* **D**";
        assert_eq!(promised(readme), ["One?", "Two."]);
        assert_eq!(unnamed(readme, "1. **One?**\n2. **Two.** Text.\n"), Vec::<String>::new());
        assert_eq!(unnamed(readme, "1. **One?**\n").len(), 1);
        assert_eq!(unnamed("* **One?**", "1. **One?**\n").len(), 1);
    }

    #[test]
    fn an_item_has_a_place_and_names() {
        assert_eq!(parse("`a.rs`: `b`, `c`"), Some(("a.rs", vec!["b", "c"])));
        assert_eq!(parse("`a.mjs`: \"b, c\", \"d\""), Some(("a.mjs", vec!["b, c", "d"])));
        assert_eq!(parse("`cargo xtask ci costs`"), Some(("cargo xtask ci costs", vec![])));
        for wrong in ["", "a", "`a", "`a`:", "`a`: b", "`a`: `b`,", "`a`: `b` `c`", "`a`: `b`."] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn files_tests_and_steps_must_exist() {
        let wrong = |item: &str| outdated(item, &["seanim", "cast"]).len();
        let own = "`xtask/src/promises.rs`: `files_tests_and_steps_must_exist`";
        for right in [own, "`crates/{id}/tests/golden.rs`: `format_info_is_consistent`"] {
            assert_eq!(wrong(right), 0, "{right}");
        }
        assert_eq!(wrong("`cargo xtask ci costs clippy`"), 0);
        assert_eq!(wrong("`cargo xtask ci costs none`"), 1);
        assert_eq!(wrong("`cargo xtask ci costs`: `fast`"), 1);
        assert_eq!(wrong("`crates/{id}/tests/none.rs`: `a`"), 2);
        assert_eq!(wrong("`xtask/src/promises.rs`: `none`, `nothing`"), 2);
        assert_eq!(wrong("`xtask/src/promises.rs`"), 1);
    }

    #[test]
    fn tests_are_functions_or_titles() {
        assert!(has_test("a.rs", "    fn keeps_it(bytes in any()) {", "keeps_it"));
        assert!(has_test("a.py", "def test_it(walk: Path) -> None:", "test_it"));
        assert!(has_test("a.test.mjs", "test(\"keeps it\", () => {", "keeps it"));
        assert!(has_test("a.test.ts", "test(\"keeps it\", () => {", "keeps it"));
        assert!(!has_test("a.rs", "fn keeps_it_all() { keeps_it() }", "keeps_it"));
        assert!(!has_test("a.py", "# def test_it", "test_it"));
        assert!(!has_test("a.mjs", "test(\"keeps it all\", () => {", "keeps it"));
        assert!(!has_test("a.txt", "fn keeps_it() {", "keeps_it"));
    }

    #[test]
    fn the_page_names_tests_that_exist() {
        assert_eq!(check(), Ok(()));
    }
}
