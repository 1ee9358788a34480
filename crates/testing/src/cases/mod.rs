//! The fixture files: what each is for, and its bytes.
//!
//! `cargo xtask fixtures` writes them to `fixtures/<format>/{ok,bad}/<name>.<extension>`.
//! A case is one file for one thing that a format can do or do wrong, and is named after it.

use std::path::PathBuf;

mod animj;
mod animx;
mod seanim;
mod x4_ani;

/// Whether a file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CaseKind {
    /// It is read; a dump of what came out lies beside it.
    Ok,
    /// It is refused; the error message lies beside it.
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
    /// What the file shows, in kebab-case.
    pub name: &'static str,
    /// Whether it is to be read.
    pub kind: CaseKind,
    /// The file.
    pub bytes: Vec<u8>,
    /// The ids of findings that a check of the file reports, among others perhaps.
    pub codes: &'static [&'static str],
}

impl Case {
    /// Makes a file that is to be read.
    pub fn ok(format: &'static str, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { format, name, kind: CaseKind::Ok, bytes: bytes.into(), codes: &[] }
    }

    /// Makes a file that is to be refused.
    pub fn bad(format: &'static str, name: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self { kind: CaseKind::Bad, ..Self::ok(format, name, bytes) }
    }

    /// Returns the case with the ids of findings that its check must report.
    #[must_use]
    pub fn reports(self, codes: &'static [&'static str]) -> Self {
        Self { codes, ..self }
    }

    /// Returns where the file lies on disk.
    pub fn path(&self) -> PathBuf {
        let extension = ROWS.iter().find(|row| row.format == self.format).map(|row| row.extension);
        let extension = extension.expect("a case is of a format of the table");
        folder(self.format).join(self.kind.folder()).join(format!("{}.{extension}", self.name))
    }
}

/// A format and its cases.
struct Row {
    format: &'static str,
    extension: &'static str,
    cases: fn() -> Vec<Case>,
}

const ROWS: &[Row] = &[
    Row { format: "animj", extension: "animj", cases: animj::cases },
    Row { format: "animx", extension: "animx", cases: animx::cases },
    Row { format: "seanim", extension: "seanim", cases: seanim::cases },
    Row { format: "x4-ani", extension: "ani", cases: x4_ani::cases },
];

/// Returns the ids of the formats that have cases.
pub fn formats() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.format)
}

/// Returns every case of every format.
pub fn all() -> Vec<Case> {
    ROWS.iter().flat_map(|row| (row.cases)()).collect()
}

/// Returns the cases of a format.
///
/// # Panics
///
/// When the table has no such format: a test over no cases would prove nothing.
pub fn of(format: &str) -> Vec<Case> {
    let row = ROWS.iter().find(|row| row.format == format);
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
    fn every_case_has_a_file_of_its_own() {
        let mut paths = BTreeSet::new();
        for case in all() {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(case.name.chars().all(kebab), "{} is not kebab-case", case.name);
            assert!(paths.insert(case.path()), "two cases are named {}", case.name);
        }
    }
}
