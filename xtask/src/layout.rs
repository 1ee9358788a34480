//! Checks that every format has the files that `docs/adding-a-format.md` lists, that the page names
//! what exists, that all source files use one module style, and that the folders of core import each
//! other in one direction.

mod circles;
mod page;

use inbetween::Registry;
use inbetween::core::FileEncoding;
use inbetween_testing::{CaseKind, fixtures};

use crate::Outcome;
use crate::shell::{complain, root, tracked_files};

/// The files and directories of a format. `{id}` stands for its id and `{id_}` for its id as a Rust
/// identifier.
const FILES: &[&str] = &[
    "crates/{id}/README.md",
    "crates/{id}/src/lib.rs",
    "crates/{id}/src/file.rs",
    "crates/{id}/src/read.rs",
    "crates/{id}/src/write.rs",
    "crates/{id}/src/convert.rs",
    "crates/{id}/src/check.rs",
    "crates/{id}/tests/fields.rs",
    "crates/{id}/tests/golden.rs",
    "crates/{id}/tests/laws.rs",
    "crates/{id}/tests/hostile.rs",
    "docs/formats/{id}.md",
    "fuzz/dictionaries/{id}.dict",
    "fuzz/fuzz_targets/read_{id_}.rs",
    "fuzz/fuzz_targets/round_trip_{id_}.rs",
];

/// Like [`FILES`], for binary formats.
const BINARY_FILES: &[&str] = &["crates/{id}/src/text.rs", "crates/{id}/tests/text.rs"];

/// Binary formats without a text form: the JSON of glTF is text already.
const WITHOUT_TEXT: &[&str] = &["gltf"];

/// Lists missing files.
pub(crate) fn check() -> Outcome {
    let mut missing = Vec::new();
    for format in Registry::with_builtin().formats() {
        let id = format.info().id;
        let is_binary =
            format.info().encoding == FileEncoding::Binary && !WITHOUT_TEXT.contains(&id);
        let binary = BINARY_FILES.iter().filter(|_| is_binary);
        for files in FILES.iter().chain(binary) {
            let files = files.replace("{id}", id).replace("{id_}", &id.replace('-', "_"));
            if !root().join(&files).exists() {
                missing.push(files);
            }
        }
        for kind in [CaseKind::Ok, CaseKind::Bad] {
            if !fixtures::of(id).iter().any(|fixture| fixture.kind == kind) {
                missing.push(format!("fixtures/{id}/{}: at least one file", kind.folder()));
            }
        }
    }
    complain(&missing, &format!("these are missing; see {}", page::PAGE))?;
    complain(&page::outdated()?, "these names, paths or commands on the page do not exist")?;
    complain(&second_style()?, "write these modules as NAME.rs beside the directory NAME")?;
    complain(&circles::find()?, "these imports between the folders of core form circles")
}

/// Lists source files with the other module style: `NAME/mod.rs` instead of `NAME.rs`.
fn second_style() -> Result<Vec<String>, String> {
    let sources = tracked_files()?.into_iter().filter(|path| {
        path.file_name().is_some_and(|name| name == "mod.rs")
            && path.components().any(|part| part.as_os_str() == "src")
    });
    Ok(sources.map(|path| path.display().to_string()).collect())
}
