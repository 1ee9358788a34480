//! Collects the files of a directory, or those that match a pattern.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern, PatternError};
use inbetween::error::IoError;

use super::is_backup;
use crate::exit::Failure;

/// `*` matches neither a separator nor the dot of a hidden file, as in shells.
const OPTIONS: MatchOptions = MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// A directory whose files are inputs.
#[derive(Debug)]
pub(super) struct Walk<'a> {
    pub(super) top: PathBuf,
    /// A directory within it that is skipped, as an absolute path.
    pub(super) except: Option<&'a Path>,
    /// The files to collect; without wildcards, all files.
    pub(super) wildcards: Option<Wildcards>,
}

/// The part of a pattern from its first wildcard on.
#[derive(Debug)]
pub(super) struct Wildcards {
    whole: Pattern,
    /// The pattern of each level of directories.
    levels: Vec<Pattern>,
}

impl Wildcards {
    /// Splits a pattern into a directory and wildcards: `anims` and `*/a*` of `anims/*/a*`.
    pub(super) fn parse(pattern: &str) -> Result<(PathBuf, Self), PatternError> {
        let text = |part: Component<'_>| part.as_os_str().to_string_lossy().into_owned();
        let is_plain = |part: &Component<'_>| !text(*part).contains(['*', '?', '[']);
        let parts = || Path::new(pattern).components();
        let top = parts().take_while(is_plain).collect();
        let levels: Vec<String> = parts().skip_while(is_plain).map(text).collect();
        let whole = Pattern::new(&levels.join("/"))?;
        let levels = levels.iter().map(|level| Pattern::new(level)).collect::<Result<_, _>>()?;
        Ok((top, Self { whole, levels }))
    }

    /// Returns whether files in this directory may match.
    fn enter(&self, below: &Path) -> bool {
        let mut levels = self.levels.iter();
        for part in below.components() {
            match levels.next() {
                Some(level) if level.as_str() == "**" => return true,
                Some(level) if level.matches(&part.as_os_str().to_string_lossy()) => {}
                _ => return false,
            }
        }
        levels.next().is_some()
    }

    fn match_file(&self, below: &Path) -> bool {
        self.whole.matches_with(&below.to_string_lossy(), OPTIONS)
    }

    /// Returns whether hidden files may match.
    fn name_hidden(&self) -> bool {
        self.levels.iter().any(|level| level.as_str().starts_with('.'))
    }
}

impl Walk<'_> {
    /// Returns the files with their paths below the top, those of a directory before those of its
    /// subdirectories, sorted by name.
    ///
    /// Hidden entries and backups are skipped. Links to directories are not followed, because they
    /// can form cycles; only the top may be one.
    pub(super) fn files(&self) -> Result<Vec<(PathBuf, PathBuf)>, Failure> {
        let mut waiting = vec![PathBuf::new()];
        let mut found = Vec::new();
        while let Some(below) = waiting.pop() {
            let mut entries = self.entries(&below)?;
            entries.sort_by(|(a, _), (b, _)| a.cmp(b));
            let mut directories = Vec::new();
            for (below, kind) in entries {
                let path = self.top.join(&below);
                if kind.is_dir() {
                    directories.push(below);
                } else if path.is_file() && self.accepts(&below) {
                    found.push((path, below));
                }
            }
            directories.retain(|below| self.enters(below));
            // The last one pushed is the next one popped.
            waiting.extend(directories.into_iter().rev());
        }
        Ok(found)
    }

    /// Lists a directory.
    fn entries(&self, below: &Path) -> Result<Vec<(PathBuf, fs::FileType)>, Failure> {
        let directory = match (self.top.as_os_str(), below.as_os_str()) {
            (top, below) if top.is_empty() && below.is_empty() => PathBuf::from("."),
            (_, below) if below.is_empty() => self.top.clone(),
            _ => self.top.join(below),
        };
        let failed = |error| Failure::from(IoError::new(&directory, error));
        let hidden = self.wildcards.as_ref().is_some_and(Wildcards::name_hidden);
        let mut entries = Vec::new();
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            if hidden || !name.as_encoded_bytes().starts_with(b".") {
                entries.push((below.join(name), entry.file_type().map_err(failed)?));
            }
        }
        Ok(entries)
    }

    fn enters(&self, below: &Path) -> bool {
        let skipped = self.except.is_some()
            && fs::canonicalize(self.top.join(below)).ok().as_deref() == self.except;
        !skipped && self.wildcards.as_ref().is_none_or(|wildcards| wildcards.enter(below))
    }

    fn accepts(&self, below: &Path) -> bool {
        !is_backup(below)
            && self.wildcards.as_ref().is_none_or(|wildcards| wildcards.match_file(below))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_enters_only_directories_that_can_hold_a_match() {
        let (top, wildcards) = Wildcards::parse("anims/w*/legs/*.ani").unwrap();
        assert_eq!(top, Path::new("anims"));
        for (below, enters) in
            [("walk", true), ("walk/legs", true), ("run", false), ("walk/legs/x", false)]
        {
            assert_eq!(wildcards.enter(Path::new(below)), enters, "{below}");
        }
        let (top, wildcards) = Wildcards::parse("**/*.ani").unwrap();
        assert_eq!(top, Path::new(""));
        assert!(wildcards.enter(Path::new("a/b/c")));
        assert!(wildcards.match_file(Path::new("x.ani")));
        assert!(wildcards.match_file(Path::new("a/b/x.ani")));
    }

    #[test]
    fn hidden_files_match_only_patterns_that_begin_with_a_dot() {
        let (_, wildcards) = Wildcards::parse("*/*.ani").unwrap();
        assert!(!wildcards.match_file(Path::new("a/.x.ani")));
        let (_, wildcards) = Wildcards::parse("*/.*.ani").unwrap();
        assert!(wildcards.match_file(Path::new("a/.x.ani")));
    }
}
