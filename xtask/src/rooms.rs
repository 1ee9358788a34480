//! What every format must have: the checklist of `docs/adding-a-format.md`.

use inbetween::Registry;
use inbetween::core::FileEncoding;
use inbetween_testing::{CaseKind, fixtures};

use crate::Outcome;
use crate::shell::{complain, root};

/// Files and folders of a format, with `{id}` for its id and `{id_}` for its id as Rust
/// spells it; of those between bars one is enough.
const FILES: &[&str] = &[
    "crates/{id}/README.md",
    "crates/{id}/src/lib.rs",
    "crates/{id}/src/file.rs",
    "crates/{id}/src/read.rs|crates/{id}/src/read/mod.rs",
    "crates/{id}/src/write.rs|crates/{id}/src/write/mod.rs",
    "crates/{id}/src/convert.rs|crates/{id}/src/convert/mod.rs",
    "crates/{id}/src/check.rs|crates/{id}/src/check/mod.rs",
    "crates/{id}/benches",
    "crates/{id}/tests/fields.rs",
    "crates/{id}/tests/golden.rs",
    "crates/{id}/tests/laws.rs",
    "crates/{id}/tests/hostile.rs",
    "docs/formats/{id}.md",
    "fuzz/dictionaries/{id}.dict",
    "fuzz/fuzz_targets/read_{id_}.rs",
    "fuzz/fuzz_targets/round_trip_{id_}.rs",
];

/// As [`FILES`], for binary formats.
const BINARY_FILES: &[&str] = &["crates/{id}/src/text.rs", "crates/{id}/tests/text.rs"];

/// Says what is missing.
pub(crate) fn check() -> Outcome {
    let mut missing = Vec::new();
    for format in Registry::with_builtin().formats() {
        let id = format.info().id;
        let is_binary = format.info().encoding == FileEncoding::Binary;
        let binary = BINARY_FILES.iter().filter(|_| is_binary);
        for files in FILES.iter().chain(binary) {
            let files = files.replace("{id}", id).replace("{id_}", &id.replace('-', "_"));
            if !files.split('|').any(|file| root().join(file).exists()) {
                missing.push(files);
            }
        }
        for kind in [CaseKind::Ok, CaseKind::Bad] {
            if !fixtures::of(id).iter().any(|fixture| fixture.kind == kind) {
                missing.push(format!("fixtures/{id}/{}: at least one file", kind.folder()));
            }
        }
    }
    complain(&missing, "these are missing; see docs/adding-a-format.md")
}
