//! The licenses of the packages and the font that are compiled into a program. Most licenses require
//! that their text is distributed with the program.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::Outcome;
use crate::shell::{copy, failed, metadata, root, write};

/// How the names of license files begin, in uppercase.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"];

/// The font of PNG pictures, its license as an SPDX expression, and the text of the license.
const FONT: [&str; 3] = ["DejaVuSansMono-2.37", "Bitstream-Vera", "crates/cli/fonts/LICENSE"];

/// What a program is built from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Program<'a> {
    /// The package of the program.
    pub(crate) package: &'a str,
    /// Its manifest, below the root.
    pub(crate) manifest: &'a str,
    /// The triple of the platform.
    pub(crate) target: &'a str,
    /// Whether it draws pictures with the font.
    pub(crate) has_font: bool,
}

/// A package outside the workspace that is compiled in.
#[derive(Debug)]
struct Package {
    /// Its name and version.
    name: String,
    /// Its license as an SPDX expression.
    license: String,
    folder: PathBuf,
}

/// Copies the license texts of all packages and of the font, and lists them.
pub(crate) fn collect(folder: &Path, program: Program<'_>) -> Outcome {
    let mut list = String::new();
    for Package { name, license, folder: source } in packages(program)? {
        let _ = writeln!(list, "{name}: {license}");
        for text in texts(&source)? {
            copy(&text, &folder.join(&name).join(text.file_name().unwrap_or_default()))?;
        }
    }
    let _ = writeln!(list, "the standard library of Rust: MIT OR Apache-2.0");
    if program.target.ends_with("-musl") {
        let _ = writeln!(list, "musl, the C library: MIT");
    }
    if program.has_font {
        let [name, license, text] = FONT;
        let _ = writeln!(list, "{name}: {license} (a font)");
        copy(&root().join(text), &folder.join(name).join("LICENSE"))?;
    }
    write(&folder.join("packages.txt"), &list)
}

/// Returns the license files of a package. A few packages have none and only name their license.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| failed(folder, &error))?;
    let mut texts = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| failed(folder, &error))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        if path.is_file() && NAMES.iter().any(|start| name.starts_with(start)) {
            texts.push(path);
        }
    }
    texts.sort();
    Ok(texts)
}

/// Returns the packages outside the workspace that a program is built from, sorted by name.
fn packages(program: Program<'_>) -> Result<Vec<Package>, String> {
    let manifest = root().join(program.manifest).display().to_string();
    let platform = ["--locked", "--filter-platform", program.target];
    let metadata = metadata(&[&platform[..], &["--manifest-path", &manifest]].concat())?;
    let all = || list(&metadata, "/packages");
    let own = all().find(|package| text(package, "name") == Some(program.package));
    let id = own.and_then(|package| text(package, "id"));
    let id = id.ok_or_else(|| format!("the workspace has no {}", program.package))?;
    let mut waiting = vec![id];
    let mut seen = BTreeSet::new();
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            let node = list(&metadata, "/resolve/nodes").find(|node| text(node, "id") == Some(id));
            let needed = node.into_iter().flat_map(|node| list(node, "/deps"));
            let compiled = needed.filter(|package| is_compiled_in(package));
            waiting.extend(compiled.filter_map(|package| text(package, "pkg")));
        }
    }
    let is_in = |package: &Value| text(package, "id").is_some_and(|id| seen.contains(id));
    // Packages of the workspace have no source.
    let outside = all().filter(|package| is_in(package) && text(package, "source").is_some());
    let mut packages = outside.map(package).collect::<Result<Vec<_>, _>>()?;
    packages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(packages)
}

/// Returns the items of the list at a JSON pointer.
fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> Option<&'v str> {
    value.get(name)?.as_str()
}

/// Returns whether a dependency is compiled in: not if only tests or build scripts need it.
fn is_compiled_in(package: &Value) -> bool {
    list(package, "/dep_kinds").any(|kind| text(kind, "kind").is_none())
}

fn package(package: &Value) -> Result<Package, String> {
    let text = |name| text(package, name).ok_or_else(|| format!("a package has no {name}"));
    let folder = Path::new(text("manifest_path")?).parent().unwrap_or(Path::new(""));
    Ok(Package {
        name: format!("{}-{}", text("name")?, text("version")?),
        license: text("license")?.to_owned(),
        folder: folder.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_in_the_command_have_licenses() {
        let command = Program {
            package: "inbetween-cli",
            manifest: "Cargo.toml",
            target: "x86_64-unknown-linux-gnu",
            has_font: true,
        };
        let packages = packages(command).unwrap();
        let has = |name: &str| packages.iter().any(|package| package.name.starts_with(name));
        assert!(root().join(FONT[2]).is_file());
        assert!(has("nom-") && has("clap-") && has("half-"), "{packages:?}");
        // Only tests need proptest, and the license of the workspace is copied anyway.
        assert!(!has("proptest-") && !has("inbetween"), "{packages:?}");
        let (with, without): (Vec<_>, Vec<_>) =
            packages.iter().partition(|package| !texts(&package.folder).unwrap().is_empty());
        assert!(without.len() * 10 < with.len(), "{without:?}");
    }
}
