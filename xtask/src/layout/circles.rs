//! Proves that the folders of core import each other in one direction.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::shell::{read, tracked_files};

const CORE: &str = "crates/core/src";

/// The folders that a folder imports, each with a file that does.
type Imports = BTreeMap<String, BTreeMap<String, String>>;

/// Lists the imports between folders that form a circle, as `file imports folder`.
pub(super) fn find() -> Result<Vec<String>, String> {
    let exports = exports(&read(&Path::new(CORE).join("lib.rs"))?);
    let mut imports = Imports::new();
    for path in tracked_files()? {
        let Ok(inside) = path.strip_prefix(CORE) else { continue };
        let Some(folder) = folder(inside).filter(|folder| *folder != "lib") else { continue };
        let text = read(&path)?;
        for name in names(&text) {
            let Some(target) = exports.get(name).filter(|target| *target != folder) else {
                continue;
            };
            let files = imports.entry(folder.to_owned()).or_default();
            files.entry(target.clone()).or_insert_with(|| inside.display().to_string());
        }
    }
    Ok(circles(imports))
}

/// Returns the folder of a file, or the name of a module that is a single file.
fn folder(inside: &Path) -> Option<&str> {
    inside.components().next()?.as_os_str().to_str().map(|first| first.trim_end_matches(".rs"))
}

/// Returns the folder of every name at the root of the crate: its modules and what it re-exports.
fn exports(lib: &str) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for statement in lib.split(';').map(str::trim) {
        let code = statement.rsplit("]\n").next().unwrap_or(statement);
        if let Some((_, module)) = code.split_once("mod ") {
            exports.insert(module.to_owned(), module.to_owned());
        } else if let Some((module, names)) =
            code.strip_prefix("pub use ").and_then(|path| path.split_once("::"))
        {
            let names = names.trim_matches(['{', '}']).split(',').map(str::trim);
            exports.extend(names.map(|name| (name.to_owned(), module.to_owned())));
        }
    }
    exports
}

/// Returns the names after `crate::` in the code of a file, without its unit tests.
fn names(text: &str) -> BTreeSet<&str> {
    let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let lines = code.split_inclusive('\n').scan(0, |start, line| {
        let at = *start;
        *start += line.len();
        Some((at, line))
    });
    let mut names = BTreeSet::new();
    for (at, line) in lines.filter(|(_, line)| !line.trim_start().starts_with("//")) {
        for (found, prefix) in line.match_indices("crate::") {
            let path = code.get(at + found + prefix.len()..).unwrap_or_default();
            match path.strip_prefix('{') {
                Some(group) => names.extend(top_level(group)),
                None => names.extend(first_name(path)),
            }
        }
    }
    names
}

/// Returns the names of an import group up to its closing brace, without those of inner groups.
fn top_level(group: &str) -> Vec<&str> {
    let (mut depth, mut names, mut start) = (0_usize, Vec::new(), 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            ',' if depth == 0 => {
                names.extend(first_name(group.get(start..at).unwrap_or_default()));
                start = at + 1;
            }
            '}' if depth == 0 => {
                names.extend(first_name(group.get(start..at).unwrap_or_default()));
                break;
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    names
}

fn first_name(path: &str) -> Option<&str> {
    let path = path.trim_start();
    let end = path.find(|letter: char| !letter.is_alphanumeric() && letter != '_');
    path.get(..end.unwrap_or(path.len())).filter(|name| !name.is_empty())
}

/// Removes folders that no circle passes through, until only circles remain.
fn circles(mut imports: Imports) -> Vec<String> {
    loop {
        let before = imports.len();
        let imported: BTreeSet<String> =
            imports.values().flat_map(BTreeMap::keys).cloned().collect();
        imports.retain(|folder, _| imported.contains(folder));
        let importing: BTreeSet<String> = imports.keys().cloned().collect();
        for targets in imports.values_mut() {
            targets.retain(|target, _| importing.contains(target));
        }
        imports.retain(|_, targets| !targets.is_empty());
        if imports.len() == before {
            break;
        }
    }
    let remaining = imports.into_values().flatten();
    remaining.map(|(target, file)| format!("{file} imports {target}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(pairs: &[(&str, &str)]) -> Imports {
        let mut imports = Imports::new();
        for (from, to) in pairs {
            let targets = imports.entry((*from).to_owned()).or_default();
            targets.insert((*to).to_owned(), format!("{from}.rs"));
        }
        imports
    }

    #[test]
    fn only_circles_remain() {
        let chain = imports(&[("bake", "model"), ("model", "report"), ("bake", "report")]);
        assert!(circles(chain).is_empty());
        let circle =
            [("bake", "model"), ("model", "report"), ("report", "model"), ("report", "num")];
        assert_eq!(
            circles(imports(&circle)),
            ["model.rs imports report", "report.rs imports model"]
        );
    }

    #[test]
    fn names_are_those_of_code_and_not_of_comments_and_tests() {
        let text = "use crate::{\n    Budget, rows::{row, width},\n};\n/// [`crate::Hidden`]\n\
                    fn f() -> crate::Quat<f32> {}\n#[cfg(test)]\nmod tests { use crate::Test; }\n";
        assert_eq!(names(text).into_iter().collect::<Vec<_>>(), ["Budget", "Quat", "rows"]);
    }

    #[test]
    fn names_belong_to_the_folder_that_exports_them() {
        let lib = "mod bake;\n#[cfg(feature = \"json\")]\npub mod json;\n\
                   pub use bake::{Baker,\n    cut};\npub use model::Quat;\n";
        let exports = exports(lib);
        let of = |name: &str| exports.get(name).map(String::as_str);
        assert_eq!(
            [of("json"), of("cut"), of("Quat"), of("f")],
            [Some("json"), Some("bake"), Some("model"), None]
        );
    }
}
