//! What is compiled into a program, and under which licenses. Most licenses require that their text is
//! distributed with the program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::Outcome;
use crate::shell::{copy, failed, metadata, output, root, write};

/// How the names of license files begin, in uppercase.
const NAMES: [&str; 6] = ["LICENSE", "LICENCE", "UNLICENSE", "COPYING", "COPYRIGHT", "NOTICE"];

/// The text of the license of the font.
const FONT: &str = "crates/cli/fonts/LICENSE";

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

/// Everything that is compiled into a program.
#[derive(Debug)]
pub(crate) struct Parts {
    /// The package of the program, and those that it needs, by their Cargo ids.
    pub(crate) packages: BTreeMap<String, Package>,
    /// The id of the package of the program.
    pub(crate) program: String,
    /// What Cargo does not know.
    pub(crate) others: Vec<Other>,
    /// The lock file of the packages.
    pub(crate) lock: PathBuf,
}

/// A package that is compiled in.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    /// Its license as an SPDX expression.
    pub(crate) license: String,
    pub(crate) folder: PathBuf,
    /// Whether it comes from outside the workspace.
    pub(crate) is_foreign: bool,
    /// The ids of the packages that it needs.
    pub(crate) needs: Vec<String>,
}

impl Package {
    fn title(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }
}

/// A part that is not a package of Cargo.
#[derive(Debug)]
pub(crate) struct Other {
    pub(crate) name: &'static str,
    pub(crate) version: Option<String>,
    /// Its license as an SPDX expression.
    pub(crate) license: &'static str,
    /// What it is, for people.
    note: &'static str,
    /// What it is in `CycloneDX`.
    pub(crate) kind: &'static str,
    /// Its license text, below the root.
    text: Option<&'static str>,
}

/// Copies the license texts of all packages and of the font, and lists them.
pub(crate) fn write_texts(folder: &Path, parts: &Parts) -> Outcome {
    let mut list = String::new();
    for package in parts.foreign() {
        let title = package.title();
        let _ = writeln!(list, "{title}: {}", package.license);
        for text in texts(&package.folder)? {
            copy(&text, &folder.join(&title).join(text.file_name().unwrap_or_default()))?;
        }
    }
    for Other { name, version, license, note, text, .. } in &parts.others {
        let title = version.iter().fold((*name).to_owned(), |name, version| name + "-" + version);
        let _ = writeln!(list, "{title}: {license} ({note})");
        if let Some(text) = text {
            copy(&root().join(text), &folder.join(title).join("LICENSE"))?;
        }
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

impl Parts {
    /// Returns the packages outside the workspace, sorted by name.
    fn foreign(&self) -> Vec<&Package> {
        let mut foreign: Vec<_> = self.packages.values().filter(|it| it.is_foreign).collect();
        foreign.sort_by_key(|package| (&package.name, &package.version));
        foreign
    }
}

impl Program<'_> {
    /// Returns everything that is compiled into the program.
    pub(crate) fn parts(self) -> Result<Parts, String> {
        let manifest = root().join(self.manifest).display().to_string();
        let platform = ["--locked", "--filter-platform", self.target];
        let metadata = metadata(&[&platform[..], &["--manifest-path", &manifest]].concat())?;
        let own = list(&metadata, "/packages")
            .find(|package| text(package, "name").is_ok_and(|name| name == self.package))
            .ok_or_else(|| format!("the workspace has no {}", self.package))?;
        let program = text(own, "id")?.to_owned();
        Ok(Parts {
            packages: packages(&metadata, &program)?,
            program,
            others: self.others()?,
            lock: Path::new(text(&metadata, "workspace_root")?).join("Cargo.lock"),
        })
    }

    fn others(self) -> Result<Vec<Other>, String> {
        let library = Other {
            name: "rust-std",
            version: Some(rust_version()?),
            license: "MIT OR Apache-2.0",
            note: "the standard library of Rust",
            kind: "library",
            text: None,
        };
        let musl = Other {
            name: "musl",
            version: None,
            license: "MIT",
            note: "the C library",
            kind: "library",
            text: None,
        };
        let font = Other {
            name: "DejaVuSansMono",
            version: Some("2.37".to_owned()),
            license: "Bitstream-Vera",
            note: "a font",
            kind: "data",
            text: Some(FONT),
        };
        let mut others = vec![library];
        others.extend(self.target.ends_with("-musl").then_some(musl));
        others.extend(self.has_font.then_some(font));
        Ok(others)
    }
}

/// Returns the version of the compiler, which is that of its standard library.
fn rust_version() -> Result<String, String> {
    let printed = output(Command::new("rustc").arg("--version"))?;
    let version = printed.split_whitespace().nth(1);
    version.map(str::to_owned).ok_or_else(|| format!("rustc has no version: {printed}"))
}

/// Returns a package and those that it needs, by their ids.
fn packages(metadata: &Value, program: &str) -> Result<BTreeMap<String, Package>, String> {
    let mut waiting = vec![program.to_owned()];
    let mut found = BTreeMap::new();
    while let Some(id) = waiting.pop() {
        if found.contains_key(&id) {
            continue;
        }
        let with_id = |item: &&Value| text(item, "id").is_ok_and(|other| other == id);
        let node = list(metadata, "/resolve/nodes").find(with_id);
        let needed = node.into_iter().flat_map(|node| list(node, "/deps"));
        let needed = needed.filter(|package| is_compiled_in(package));
        let needs: Result<Vec<_>, _> =
            needed.map(|it| text(it, "pkg").map(str::to_owned)).collect();
        let needs = needs?;
        waiting.extend_from_slice(&needs);
        let package = list(metadata, "/packages").find(with_id);
        let package = package.ok_or_else(|| format!("Cargo names no package {id}"))?;
        found.insert(id, Package::new(package, needs)?);
    }
    Ok(found)
}

/// Returns the items of the list at a JSON pointer.
fn list<'v>(value: &'v Value, pointer: &str) -> impl Iterator<Item = &'v Value> + use<'v> {
    value.pointer(pointer).and_then(Value::as_array).into_iter().flatten()
}

fn text<'v>(value: &'v Value, name: &str) -> Result<&'v str, String> {
    let text = value.get(name).and_then(Value::as_str);
    text.ok_or_else(|| format!("cargo metadata has no {name} where it was expected"))
}

/// Returns whether a dependency is compiled in: not if only tests or build scripts need it.
fn is_compiled_in(package: &Value) -> bool {
    list(package, "/dep_kinds").any(|kind| text(kind, "kind").is_err())
}

impl Package {
    fn new(package: &Value, needs: Vec<String>) -> Result<Self, String> {
        let text = |name| text(package, name);
        let folder = Path::new(text("manifest_path")?).parent().unwrap_or(Path::new(""));
        Ok(Self {
            name: text("name")?.to_owned(),
            version: text("version")?.to_owned(),
            license: text("license")?.to_owned(),
            folder: folder.to_owned(),
            // Packages of the workspace have no source.
            is_foreign: text("source").is_ok(),
            needs,
        })
    }
}

#[cfg(test)]
pub(crate) const COMMAND: Program<'_> = Program {
    package: "inbetween-cli",
    manifest: "Cargo.toml",
    target: "x86_64-unknown-linux-gnu",
    has_font: true,
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_in_the_command_have_licenses() {
        let parts = COMMAND.parts().unwrap();
        let packages = parts.foreign();
        let has = |name: &str| packages.iter().any(|package| package.name.starts_with(name));
        assert!(root().join(FONT).is_file());
        assert!(has("nom") && has("clap") && has("half"), "{packages:?}");
        // Only tests need proptest, and the license of the workspace is copied anyway.
        assert!(!has("proptest") && !has("inbetween"), "{packages:?}");
        let (with, without): (Vec<_>, Vec<_>) =
            packages.into_iter().partition(|package| !texts(&package.folder).unwrap().is_empty());
        assert!(without.len() * 10 < with.len(), "{without:?}");
    }

    #[test]
    fn published_packages_carry_the_license_texts() {
        let parts = COMMAND.parts().unwrap();
        for package in parts.packages.values().filter(|package| !package.is_foreign) {
            for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
                let text = fs::read(package.folder.join(name)).unwrap_or_default();
                assert!(text == fs::read(root().join(name)).unwrap(), "{}: {name}", package.name);
            }
        }
    }
}
