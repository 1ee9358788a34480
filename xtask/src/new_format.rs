//! Adds a format: a crate that works, to be edited into another one.
//!
//! The files in `xtask/skeleton` are laid out like the repository. They are those of a small format
//! named Sketch, and its names are replaced by those of the new one.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::{ROOT, cargo, read, root, run as shell, runs, tracked_files, write};
use crate::{Outcome, tables};

const SKELETON: &str = "xtask/skeleton";

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let [id] = arguments else { return Err(format!("expected an id, {RULE}")) };
    let names = Names::new(id)?;
    if root().join("crates").join(id).exists() {
        return Err(format!("crates/{id} exists already"));
    }
    let files = instantiate(&names)?;
    let sources = files.iter().filter(|path| path.extension().is_some_and(|it| it == "rs"));
    // The lengths of names change where lines break.
    let format = ["--edition", "2024"];
    shell(Command::new("rustfmt").args(format).args(sources).current_dir(root()))?;
    tables::run(&[])?;
    shell(&mut cargo(["xtask", "fixtures"]))?;
    let package = format!("inbetween-{id}");
    let mut golden = cargo(["test", "--quiet", "--package", &package]);
    golden.args(FACADE).args(["--test", "golden"]);
    shell(golden.env("INBETWEEN_BLESS", "1"))?;
    // Adds the crate to the lock file of the fuzz targets.
    let fuzz = ["metadata", "--quiet", "--format-version=1", "--manifest-path", "fuzz/Cargo.toml"];
    if !runs(&mut cargo(fuzz)) {
        println!("fuzz/Cargo.lock lacks the crate until the fuzz targets are built");
    }
    Ok(())
}

/// Arguments that build the tests of the facade together with those of the format. Apart, each would
/// build the crates below with other features.
const FACADE: [&str; 3] = ["--package", "inbetween", "--all-features"];

const RULE: &str = "of lowercase letters, digits and hyphens that begins with a letter";

/// What the names of the skeleton become.
struct Names {
    id: String,
    /// The id as a Rust identifier.
    module: String,
    /// The type of the format value.
    type_name: String,
    /// The magic number: four letters or digits.
    magic: String,
}

impl Names {
    fn new(id: &str) -> Result<Self, String> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let begins = id.starts_with(|c: char| c.is_ascii_lowercase());
        if !begins || !id.chars().all(fits) || id.ends_with('-') || id.contains("--") {
            return Err(format!("{id:?} is not an id {RULE}"));
        }
        let letters = id.replace('-', "");
        let (first, rest) = letters.split_at(1);
        Ok(Self {
            id: id.to_owned(),
            module: id.replace('-', "_"),
            type_name: first.to_ascii_uppercase() + rest,
            magic: format!("{:0<4.4}", letters.to_ascii_uppercase()),
        })
    }

    /// Returns the text of a file with the names of the format.
    fn rename(&self, text: &str) -> String {
        text.replace("inbetween_sketch", &format!("inbetween_{}", self.module))
            .replace("Sketch", &self.type_name)
            .replace("SKET", &self.magic)
            .replace("sketch", &self.id)
    }

    /// Returns the path of a file of the skeleton with the names of the format.
    fn path(&self, inside: &Path) -> PathBuf {
        // The list of cases declares modules.
        let is_module = inside.starts_with("crates/testing");
        let name = if is_module { &self.module } else { &self.id };
        inside.to_string_lossy().replace("sketch", name).into()
    }
}

/// Writes the files of the skeleton with the names of a format; returns their paths.
fn instantiate(names: &Names) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for template in tracked_files()? {
        let Ok(inside) = template.strip_prefix(SKELETON) else { continue };
        let path = names.path(inside);
        let folder = root().join(path.parent().unwrap_or(Path::new("")));
        let failed = |error| format!("{}: {error}", folder.display());
        std::fs::create_dir_all(&folder).map_err(failed)?;
        write(&path, &names.rename(&read(&template)?))?;
        println!("{}", path.display());
        files.push(path);
    }
    Ok(files)
}

/// Adds the format Sketch to a copy of the repository, and checks it like every other format.
pub(crate) fn check() -> Outcome {
    let copy = env::temp_dir().join(format!("inbetween-format-{}", std::process::id()));
    let checked = copy_to(&copy).and_then(|()| check_in(&copy));
    if let Err(error) = std::fs::remove_dir_all(&copy) {
        println!("cannot remove {}: {error}", copy.display());
    }
    checked
}

fn copy_to(copy: &Path) -> Outcome {
    for path in tracked_files()? {
        let target = copy.join(&path);
        let failed = |error| format!("{}: {error}", target.display());
        std::fs::create_dir_all(target.parent().unwrap_or(copy)).map_err(failed)?;
        std::fs::copy(root().join(&path), &target).map_err(failed)?;
    }
    // The tasks ask git for the files of the repository.
    shell(Command::new("git").args(["init", "--quiet"]).current_dir(copy))
}

fn check_in(copy: &Path) -> Outcome {
    // The packages of others need not be built twice.
    let target = root().join("target");
    let here = |command: &mut Command| {
        shell(command.current_dir(copy).env(ROOT, copy).env("CARGO_TARGET_DIR", &target))
    };
    // This program need not be built for the copy before it has the format.
    let this = env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    here(Command::new(this).args(["new-format", "sketch"]))?;
    let lints = ["clippy", "--package", "inbetween-sketch", "--all-targets", "--all-features"];
    here(cargo(lints).args(["--", "--deny", "warnings"]))?;
    let of_facade = ["--test", "conversions", "--test", "fixtures", "--test", "meaning"];
    let test = || {
        let mut test = cargo(["test", "--package", "inbetween-sketch"]);
        test.args(FACADE);
        test
    };
    let mut tests = test();
    tests.arg("--lib").args(of_facade);
    for name in skeleton_tests()? {
        tests.args(["--test", &name]);
    }
    here(&mut tests)?;
    here(test().arg("--doc"))?;
    here(&mut cargo(["xtask", "ci", "fmt", "hygiene", "fixtures", "tables", "layout"]))
}

/// Returns the names of the integration tests of the skeleton.
fn skeleton_tests() -> Result<Vec<String>, String> {
    let folder = Path::new(SKELETON).join("crates/sketch/tests");
    let files = tracked_files()?.into_iter().filter(|path| path.parent() == Some(&folder));
    Ok(files.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_from_the_id() {
        let names = Names::new("x4-rig").unwrap();
        assert_eq!(
            names.rename("use inbetween_sketch::Sketch; // `sketch`, b\"SKET\""),
            "use inbetween_x4_rig::X4rig; // `x4-rig`, b\"X4RI\""
        );
        let path = |inside: &str| names.path(Path::new(inside)).display().to_string();
        assert_eq!(path("crates/sketch/tests/sketch.rs"), "crates/x4-rig/tests/x4-rig.rs");
        assert_eq!(
            path("crates/testing/src/cases/sketch.rs"),
            "crates/testing/src/cases/x4_rig.rs"
        );
        assert_eq!(Names::new("ab").unwrap().magic, "AB00");
    }

    #[test]
    fn all_tests_of_the_skeleton_run() {
        let mut names = skeleton_tests().unwrap();
        names.sort();
        assert_eq!(names, ["fields", "golden", "hostile", "laws", "text"]);
    }

    #[test]
    fn rejects_ids_that_are_no_names_of_crates() {
        for id in ["", "4x", "Rig", "rig_2", "rig-", "a--b", "../a"] {
            assert!(Names::new(id).is_err(), "{id}");
        }
    }
}
