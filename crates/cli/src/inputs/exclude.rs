//! The files that `--exclude` leaves out.

use std::path::Path;

use glob::{MatchOptions, Pattern};

use super::Input;
use crate::exit::Failure;

/// `*` matches no separator, and hidden files like others.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: false,
};

/// Patterns of names, or of paths if they have a separator.
pub(super) struct Excluded(Vec<Pattern>);

impl Excluded {
    pub(super) fn new(patterns: &[String]) -> Result<Self, Failure> {
        let parse = |text: &String| {
            // A directory stands for its files.
            let pattern = Pattern::new(text.strip_suffix('/').unwrap_or(text));
            pattern.map_err(|error| {
                Failure::Usage(format!("--exclude {text}: not a pattern: {error}"))
            })
        };
        patterns.iter().map(parse).collect::<Result<_, _>>().map(Self)
    }

    /// Returns whether an input is left out: by its name, by that of a folder above it, or by the path of
    /// one of them. Only folders below the given one count, or those that a given file names.
    pub(super) fn has(&self, input: &Input) -> bool {
        let path = if input.is_found() { &input.relative } else { input.path() };
        self.0.iter().any(|pattern| fits(pattern, path))
    }
}

fn fits(pattern: &Pattern, path: &Path) -> bool {
    let is_path = pattern.as_str().contains('/');
    path.ancestors().filter(|part| !part.as_os_str().is_empty()).any(|part| {
        let text = if is_path { Some(part.as_os_str()) } else { part.file_name() };
        text.is_some_and(|text| {
            pattern.matches_with(&text.to_string_lossy().replace('\\', "/"), OPTIONS)
        })
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::inputs::{Origin, Source};

    fn has(patterns: &[&str], relative: &str) -> bool {
        let patterns: Vec<String> = patterns.iter().map(|&text| text.to_owned()).collect();
        let (source, relative) =
            (Source::File(PathBuf::from("top").join(relative)), relative.into());
        Excluded::new(&patterns).unwrap().has(&Input { source, relative, origin: Origin::Found })
    }

    #[test]
    fn names_and_paths_of_files_and_directories_are_left_out() {
        assert!(has(&["*_old*"], "a/walk_old.seanim"));
        assert!(has(&["backup"], "a/backup/b/walk.seanim"));
        assert!(has(&["a/*/walk.*"], "a/b/walk.seanim"));
        assert!(has(&["x", "a/b/"], "a/b/c/walk.seanim"));
        assert!(has(&["**/b"], "a/b/walk.seanim"));
        assert!(!has(&["a/*"], "b/a/walk.seanim"), "a path begins at the directory");
        assert!(!has(&["top"], "walk.seanim"), "it is the given directory");
        assert!(!has(&["walk"], "walk.seanim"));
        assert!(!has(&[], "walk.seanim"));
        assert!(Excluded::new(&["a[".to_owned()]).is_err());
    }
}
