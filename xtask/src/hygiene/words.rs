//! Words that the project has retired from its prose, with their replacements.

use std::path::Path;

/// A retired phrase. `/` marks a place where it is split, so that this file does not contain it.
struct Retired {
    phrase: &'static str,
    instead: &'static str,
}

const fn retired_for(phrase: &'static str, instead: &'static str) -> Retired {
    Retired { phrase, instead }
}

/// Phrases that have one meaning only, so that searching for whole words has no false positives.
const RETIRED: &[Retired] = &[
    retired_for("me/nd", "fix"),
    retired_for("me/nds", "fixes"),
    retired_for("me/nded", "fixed"),
    retired_for("me/nding", "fixing"),
    retired_for("has no/ word for", "cannot store, does not support"),
    retired_for("have no/ word for", "cannot store, do not support"),
    retired_for("have no/ word in", "cannot store, does not support"),
    retired_for("has no/ place for", "cannot store, does not support"),
    retired_for("is/ told", "is reported"),
    retired_for("are/ told", "are reported"),
    retired_for("tell/s of", "reports"),
    retired_for("to the/ bit", "bit for bit"),
    retired_for("to the/ byte", "byte for byte"),
    retired_for("ask/ed for", "requested"),
    retired_for("as it/ lies", "as stored"),
    retired_for("as they/ lie", "as stored"),
    retired_for("where they/ lie", "encoded"),
    retired_for("hang/s on", "depends on, is a child of"),
    retired_for("goes its/ own way", "is interpolated on its own"),
    retired_for("go their/ own way", "are interpolated on their own"),
    retired_for("stands/ twice", "is a duplicate"),
    retired_for("given/ twice", "duplicate"),
    retired_for("no more/ than what", "at most"),
    retired_for("spa/red keys", "redundant keys"),
    retired_for("keys-spa/red", "redundant-keys-removed"),
    retired_for("program of/ the format", "the engine, or its name"),
    retired_for("of unit/ length", "normalized"),
    retired_for("so many/ times a second", "per second"),
    retired_for("frames a/ second", "frames per second"),
    retired_for("worth/ saying", "say what it is: a finding"),
    retired_for("without a/ word", "silently"),
    retired_for("for the/ sake of", "because of"),
    retired_for("what is it/ to become", "cannot infer the output format"),
    retired_for("makes met/res of", "converts centimeters to meters"),
    retired_for("testi/mony", "score"),
    retired_for("col/our", "color"),
    retired_for("col/ours", "colors"),
    retired_for("met/res", "meters"),
    retired_for("behav/iour", "behavior"),
    retired_for("neigh/bours", "neighbors"),
    retired_for("normal/ise", "normalize"),
    retired_for("normal/ised", "normalized"),
    retired_for("recog/nise", "recognize"),
    retired_for("recog/nised", "recognized"),
];

/// Lists retired phrases in a file. The changelog may quote old names.
pub(super) fn retired(path: &Path, text: &str) -> Vec<String> {
    if path == Path::new("CHANGELOG.md") {
        return Vec::new();
    }
    let mut complaints = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.to_lowercase();
        for Retired { phrase, instead } in RETIRED {
            let phrase = phrase.replace('/', "");
            if contains_words(&line, &phrase) {
                let place = path.display();
                complaints.push(format!("{place}:{number}: {phrase:?}: write {instead:?}"));
            }
        }
    }
    complaints
}

/// Returns whether a line contains a phrase as whole words. An identifier is one word.
fn contains_words(line: &str, phrase: &str) -> bool {
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    line.match_indices(phrase).any(|(start, found)| {
        let (before, rest) = line.split_at(start);
        let after = rest.strip_prefix(found).unwrap_or_default();
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_retired_phrases_as_whole_words_in_any_case() {
        let count = |line: &str| retired(Path::new("a.md"), line).len();
        assert_eq!(count(&["It is To", "ld."].concat()), 1);
        assert_eq!(count(&["Me", "nd the file, and me", "nded files"].concat()), 2);
        assert_eq!(count("recommended amendments"), 0);
        assert_eq!(count(&["let me", "nd_all = 1;"].concat()), 0);
    }

    #[test]
    fn the_changelog_may_quote_old_names() {
        assert_eq!(retired(Path::new("CHANGELOG.md"), &["me", "nd"].concat()).len(), 0);
    }
}
