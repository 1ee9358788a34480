//! The fixture files: their purpose and their bytes.
//!
//! `cargo xtask fixtures` writes them to `fixtures/<format>/{ok,bad}/<name>.<extension>`.
//! Each case is one file for one feature or one error of a format, and is named after it.

use std::path::PathBuf;

use inbetween_core::Track;

use crate::conversions::Fate;

/// Declares the module of each format and the list of all formats.
macro_rules! formats {
    ($($format:ident),+ $(,)?) => {
        $(mod $format;)+

        const FORMATS: &[FormatCases] = &[$($format::FORMAT),+];
    };
}

formats! {
    // begin generated: format cases
    animj,
    animx,
    bvh,
    cast,
    gltf,
    seanim,
    unity_anim,
    x4_ani,
    // end generated: format cases
}

/// Whether a file must be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaseKind {
    /// It is accepted; a dump of the result is stored next to it.
    Ok,
    /// It is rejected; the error message is stored next to it.
    Bad,
}

impl CaseKind {
    /// Returns the name of the folder that holds such files.
    pub const fn folder(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Bad => "bad",
        }
    }
}

/// One fixture file.
#[derive(Clone, Debug)]
pub struct Case {
    /// The id of the format.
    pub format: &'static str,
    /// The feature or error of the file, in kebab-case.
    pub name: &'static str,
    /// Whether the file must be accepted.
    pub kind: CaseKind,
    /// The file.
    pub bytes: Vec<u8>,
    /// The ids of findings that a check of the file must report; it may report others.
    pub codes: &'static [&'static str],
    /// The extension, if it is not that of the format.
    extension: Option<&'static str>,
}

impl Case {
    /// Creates a file that must be accepted.
    pub fn ok(format: &'static str, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { format, name, kind: CaseKind::Ok, bytes: bytes.into(), codes: &[], extension: None }
    }

    /// Creates a file that must be rejected.
    pub fn bad(format: &'static str, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { kind: CaseKind::Bad, ..Self::ok(format, name, bytes) }
    }

    /// Returns the case with the ids of findings that its check must report.
    #[must_use]
    pub fn reports(self, codes: &'static [&'static str]) -> Self {
        Self { codes, ..self }
    }

    /// Returns the case with another extension than the one of its format.
    #[must_use]
    pub fn with_extension(self, extension: &'static str) -> Self {
        Self { extension: Some(extension), ..self }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> PathBuf {
        let format = FORMATS.iter().find(|format| format.id == self.format);
        let format = format.expect("a case is of a format of the table");
        let extension = self.extension.unwrap_or(format.extension);
        folder(self.format).join(self.kind.folder()).join(format!("{}.{extension}", self.name))
    }
}

/// The facts about a format that the shared tests need.
#[derive(Clone, Copy, Debug)]
pub struct FormatCases {
    /// The id of the format.
    pub id: &'static str,
    /// The extension of its files, without a dot.
    extension: &'static str,
    /// Returns its fixture files.
    cases: fn() -> Vec<Case>,
    /// Whether a file of the format can store a track.
    pub(crate) stores: fn(&Track) -> bool,
    /// The fates of features, by id, that differ from the usual one.
    pub(crate) fates: &'static [(&'static str, Fate)],
}

/// Returns the formats that have cases.
pub fn targets() -> impl Iterator<Item = &'static FormatCases> {
    FORMATS.iter()
}

/// Returns the ids of the formats that have cases.
pub fn formats() -> impl Iterator<Item = &'static str> {
    targets().map(|format| format.id)
}

/// Returns every case of every format.
pub fn all() -> Vec<Case> {
    FORMATS.iter().flat_map(|format| (format.cases)()).collect()
}

/// Returns the cases of a format.
///
/// # Panics
///
/// If the table has no such format: a test over no cases would prove nothing.
pub fn of(format: &str) -> Vec<Case> {
    let row = FORMATS.iter().find(|row| row.id == format);
    let row = row.unwrap_or_else(|| panic!("no cases of {format}; add it to the table of cases"));
    let cases = (row.cases)();
    assert!(!cases.is_empty(), "no cases of {format}");
    cases
}

/// Returns the folder of the fixtures of a format.
pub fn folder(format: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures")).join(format)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::all;

    #[test]
    fn every_case_has_its_own_file() {
        let mut paths = BTreeSet::new();
        for case in all() {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(case.name.chars().all(kebab), "{} is not kebab-case", case.name);
            assert!(paths.insert(case.path()), "two cases are named {}", case.name);
        }
    }
}
