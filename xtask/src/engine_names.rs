//! Checks that no crate names an engine or a format that it must not depend on.
//!
//! The rules of a clip describe how it plays. Code that names an engine guesses instead.

use std::path::Path;

use crate::format_crates::FormatCrate;

/// The checked folders of crates without an engine.
const NEUTRAL: [&str; 3] = ["crates/core/src", "crates/edit/src", "crates/clip/src"];

/// The shared code of the two Resonite formats; see `docs/architecture.md`.
const SHARED: &str = "crates/core/src/resonite";

/// Returns a complaint for each line of a Rust file that names a foreign engine or format in code,
/// in a string, or in a documentation link. Other comments may name one, to cite a source.
pub(crate) fn complaints(formats: &[FormatCrate], path: &Path, text: &str) -> Vec<String> {
    let place = path.to_string_lossy().replace('\\', "/");
    let own = formats.iter().find(|each| place.starts_with(&format!("crates/{}/src", each.id)));
    if own.is_none() && !NEUTRAL.iter().any(|folder| place.starts_with(folder)) {
        return Vec::new();
    }
    if path.extension().is_none_or(|extension| extension != "rs") || place.starts_with(SHARED) {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let declares = ["pub mod resonite;", "#[cfg(feature = \"resonite\")]"].contains(&line);
        if place == "crates/core/src/lib.rs" && declares {
            continue;
        }
        for word in words(line) {
            let names_it =
                |format: &FormatCrate| format.engine.iter().any(|name| names(&word, name));
            if formats.iter().any(names_it) && !own.is_some_and(names_it) {
                complaints.push(format!("{place}:{number}: {word:?} names another engine"));
            }
        }
    }
    complaints
}

/// Returns the words of a line outside comments, and those of links within comments.
fn words(line: &str) -> Vec<String> {
    let mut slashes = line.match_indices("//").map(|(at, _)| at);
    let is_address = |at: usize| line.get(..at).is_some_and(|before| before.ends_with(':'));
    let comment = slashes.find(|at| !is_address(*at)).unwrap_or(line.len());
    let (code, comment) = line.split_at(comment);
    let links = comment.split("[`").skip(1).filter_map(|link| link.split('`').next());
    let is_part = |letter: char| letter.is_ascii_alphanumeric();
    let words = std::iter::once(code).chain(links).flat_map(|text| {
        text.split(move |letter| !is_part(letter)).filter(|word| !word.is_empty())
    });
    words.map(str::to_owned).collect()
}

/// Returns whether a word is a name, or starts with it as the first part of a camel-case name.
fn names(word: &str, name: &str) -> bool {
    // `cast` is also a verb in Rust; the format is a type or a constant.
    if name == "cast" && !word.starts_with('C') {
        return false;
    }
    let Some(start) = word.get(..name.len()) else { return false };
    let rest = word.get(name.len()..).unwrap_or_default();
    let next_part = rest.starts_with(|next: char| next.is_ascii_uppercase())
        && !start.ends_with(|last: char| last.is_ascii_uppercase());
    let ends = rest.is_empty() || next_part;
    start.eq_ignore_ascii_case(name) && (ends || name.len() > 4)
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;
    use crate::format_crates;

    fn count(path: &str, line: &str) -> usize {
        static FORMATS: LazyLock<Vec<FormatCrate>> =
            LazyLock::new(|| format_crates::all().unwrap());
        complaints(&FORMATS, Path::new(path), line).len()
    }

    #[test]
    fn core_names_no_engine_in_code_strings_and_links() {
        let core = "crates/core/src/model/euler.rs";
        for line in [
            "pub const X4: Self = Self::Yxz;",
            "if info.id == \"seanim\" {",
            "let rules = X4_RULES;",
            "let file = SeanimFile::new();",
            "use crate::resonite::RULES;",
            "/// As [`Rules`], but [`crate::resonite::RULES`].",
            "const NAME: &[u8] = b\"AnimX\";",
            "Tangents::Cast(handles)",
        ] {
            assert_eq!(count(core, line), 1, "{line}");
        }
        for line in [
            "// X4 computes this in f32, as measured.",
            "/// Resonite: a value on each side.",
            "let time: f32 = time.cast();",
            "Self::Float4x4 => 64,",
            "const CODES: &[Code] = &[];",
            "let code = decode(0x400, \"https://example.org\");",
        ] {
            assert_eq!(count(core, line), 0, "{line}");
        }
        assert_eq!(count("crates/core/src/resonite/keys.rs", "let animx = 1;"), 0);
    }

    #[test]
    fn a_format_crate_names_only_its_own_engine() {
        assert_eq!(count("crates/animx/src/format.rs", "resonite::RULES, Animx, \"AnimJ\""), 0);
        assert_eq!(count("crates/seanim/src/convert.rs", "clip.rules == resonite::RULES"), 1);
        assert_eq!(count("crates/x4-ani/src/write.rs", "X4aniFile, SeanimFile"), 1);
        assert_eq!(count("crates/cli/src/main.rs", "SeanimFile"), 0);
    }
}
