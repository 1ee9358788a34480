//! Every list of formats in manifests and code, and the fuzz targets of each format. They are
//! generated from the manifests of the format crates, so that adding a crate registers its format.

use std::path::{Path, PathBuf};

use super::Document;
use super::marks::{Comment, renew};
use crate::format_crates::{self, FormatCrate};
use crate::shell::read;

/// The files with blocks, and the blocks that they must have.
const FILES: &[(&str, &[&str])] = &[
    ("Cargo.toml", &["format dependencies"]),
    ("crates/inbetween/Cargo.toml", &["format features", "optional formats"]),
    ("crates/inbetween/src/lib.rs", &["format modules"]),
    ("crates/inbetween/src/registry.rs", &["format values"]),
    ("crates/inbetween/tests/meaning.rs", &["format tests"]),
    ("crates/testing/src/cases.rs", &["format cases"]),
    ("fuzz/Cargo.toml", &["fuzz targets"]),
    ("fuzz/src/rewriters.rs", &["rewriters"]),
];

/// The fuzz targets of a format, without its name.
const TARGETS: [&str; 2] = ["read", "round_trip"];

/// Returns all files that list formats, with their current and their expected texts.
pub(super) fn documents() -> Result<Vec<Document>, String> {
    let formats = format_crates::all()?;
    let mut documents = Vec::new();
    for (path, required) in FILES {
        let path = PathBuf::from(path);
        let comment = Comment::of(&path).ok_or("a list is in a file without comments")?;
        let before = read(&path)?;
        let mut blocks = Vec::new();
        let after = renew(&before, comment, |name, _| {
            blocks.push(name.to_owned());
            block(name, &formats)
        });
        let after = after.map_err(|error| format!("{}: {error}", path.display()))?;
        if blocks != *required {
            let required = required.join(", ");
            return Err(format!("{} must have the blocks {required}", path.display()));
        }
        documents.push(Document { path, before, after, blocks });
    }
    documents.extend(formats.iter().flat_map(fuzz_targets));
    Ok(documents)
}

/// Returns the fuzz targets of a format, which are generated as a whole.
fn fuzz_targets(format: &FormatCrate) -> [Document; 2] {
    TARGETS.map(|law| {
        let target = format!("{law}_{}", format.module());
        let path = Path::new("fuzz/fuzz_targets").join(&target).with_extension("rs");
        let after = format!(
            "#![no_main]\n\n\
             libfuzzer_sys::fuzz_target!(|bytes: &[u8]| inbetween_fuzz::run(\"{target}\", bytes));\n"
        );
        // A target that does not exist yet is out of date.
        let before = read(&path).unwrap_or_default();
        Document { path, before, after, blocks: Vec::new() }
    })
}

/// Generates the text of a block.
fn block(name: &str, formats: &[FormatCrate]) -> Result<String, String> {
    let each = |line: fn(&FormatCrate) -> String| formats.iter().map(line).collect();
    match name {
        "format dependencies" => Ok(each(dependency)),
        "format features" => Ok(features(formats)),
        "optional formats" => Ok(each(|format| {
            format!(
                "inbetween-{} = {{ workspace = true, features = [\"write\"], optional = true }}\n",
                format.id
            )
        })),
        "format modules" => Ok(each(|format| {
            let FormatCrate { id, .. } = format;
            let module = format.module();
            format!(
                "#[cfg(feature = \"{id}\")]\n#[doc(inline)]\n\
                 pub use inbetween_{module} as {module};\n"
            )
        })),
        "format values" => Ok(each(|format| {
            let FormatCrate { id, type_name, .. } = format;
            let module = format.module();
            format!(
                "#[cfg(feature = \"{id}\")]\n\
                 Box::new(inbetween_{module}::{type_name}::default()),\n"
            )
        })),
        "format tests" => Ok(formats.iter().map(test).collect::<Vec<_>>().join("\n")),
        "format cases" => Ok(each(|format| format!("{},\n", format.module()))),
        "rewriters" => Ok(each(rewriter)),
        "fuzz targets" => Ok(formats.iter().map(binaries).collect::<Vec<_>>().join("\n")),
        _ => Err(format!("there is no block {name}")),
    }
}

fn dependency(format: &FormatCrate) -> String {
    let FormatCrate { id, version, .. } = format;
    format!(
        "inbetween-{id} = {{ path = \"crates/{id}\", version = \"{version}\", \
         default-features = false }}\n"
    )
}

/// Generates a feature for each format, one for all formats, and one for all text forms.
fn features(formats: &[FormatCrate]) -> String {
    let each =
        formats.iter().map(|FormatCrate { id, .. }| format!("{id} = [\"dep:inbetween-{id}\"]\n"));
    let each = each.collect::<Vec<_>>().concat();
    let ids: Vec<String> = formats.iter().map(|format| format!("{:?}", format.id)).collect();
    let texts = formats.iter().filter(|format| format.has_text);
    let texts = texts.map(|FormatCrate { id, .. }| format!("\"inbetween-{id}?/text\""));
    let texts: Vec<String> =
        std::iter::once("\"inbetween-core/text\"".into()).chain(texts).collect();
    format!(
        "{each}# All formats.\nformats = [{}]\n\
         # The exact text forms of the binary formats: `unpack` and `pack`.\ntext = [{}]\n",
        ids.join(", "),
        texts.join(", ")
    )
}

/// Generates the test of conversions from a format.
fn test(format: &FormatCrate) -> String {
    let FormatCrate { id, .. } = format;
    let module = format.module();
    format!("#[test]\nfn {module}_keeps_playback_in_every_format() {{\n    from(\"{id}\");\n}}\n")
}

/// Generates the arm that rewrites the files of a format.
fn rewriter(format: &FormatCrate) -> String {
    let FormatCrate { id, type_name, .. } = format;
    let file = format!("inbetween::{}::{type_name}File", format.module());
    let arguments = if format.is_text { format!("text {file}") } else { format!("{file}::parse") };
    format!("\"{id}\" => rewriter!({arguments}),\n")
}

fn binaries(format: &FormatCrate) -> String {
    let module = format.module();
    let targets = TARGETS.map(|law| {
        format!(
            "[[bin]]\nname = \"{law}_{module}\"\npath = \"fuzz_targets/{law}_{module}.rs\"\n\
             test = false\ndoc = false\nbench = false\n"
        )
    });
    targets.join("\n")
}
