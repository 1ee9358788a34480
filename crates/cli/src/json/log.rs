//! The file of `--report`: a line for each file, with its findings grouped by code.

use std::fs::File;
use std::io::{self, LineWriter, Read};
use std::path::{Path, PathBuf};

use inbetween::core::num::u64_from_len;
use inbetween::error::IoError;
use inbetween::json::ErrorAt;
use inbetween::{Code, Finding};
use serde::Serialize;

use super::List;
use crate::args::JsonForm;
use crate::exit::Failure;
use crate::inputs::is_dash;

/// A line of `--report` about a file.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Row<'a> {
    /// The input.
    pub(crate) input: &'a str,
    /// The clip, if each clip goes to a file of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clip: Option<&'a str>,
    /// The output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) output: Option<&'a str>,
    /// The id of the format of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<&'static str>,
    /// The id of the format of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<&'static str>,
    /// The size of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bytes: Option<u64>,
    /// Whether the output was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) written: Option<bool>,
    /// `exists` or `up-to-date`, if nothing was done because of the output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) skipped: Option<&'static str>,
    /// Whether a part of the input was not read.
    pub(crate) partial: bool,
    /// The findings, grouped by code.
    pub(crate) findings: Vec<Group>,
    /// Why it failed.
    pub(crate) error: Option<ErrorAt<'a>>,
}

/// The findings of a file with the same code.
#[derive(Debug, Serialize)]
pub(crate) struct Group {
    /// Their code.
    code: &'static str,
    /// `hint`, `info`, `warning` or `error`.
    severity: &'static str,
    /// Whether something is lost.
    loss: bool,
    /// The number of findings.
    count: u64,
    /// The place and the message of the first one, shortened.
    first: String,
}

/// The longest text of a finding, in characters.
const LONGEST: usize = 120;

/// Groups findings by their code, in the order of the first of each.
pub(crate) fn groups(findings: &[Finding]) -> Vec<Group> {
    let mut codes: Vec<Code> = Vec::new();
    for finding in findings {
        if !codes.contains(&finding.code) {
            codes.push(finding.code);
        }
    }
    let group = |code: Code| {
        let same = || findings.iter().filter(|finding| finding.code == code);
        let first = same().next().map(|first| {
            let place = first.location();
            let place = if place.is_whole() { String::new() } else { format!("{place:#}: ") };
            format!("{place}{}", first.message).chars().take(LONGEST).collect()
        });
        Group {
            code: code.id(),
            severity: code.severity().name(),
            loss: code.is_loss(),
            count: u64_from_len(same().count()),
            first: first.unwrap_or_default(),
        }
    };
    codes.into_iter().map(group).collect()
}

/// How a report begins.
const START: &str = r#"{"input":"#;

/// The file of `--report`.
#[derive(Debug)]
pub(crate) struct Log {
    path: PathBuf,
    out: LineWriter<File>,
    list: List,
    /// The first line that could not be written. Later ones are not, so that the file has no gap.
    failed: Option<io::Error>,
}

impl Log {
    /// Creates the file, or empties the one that an earlier run wrote. Any other file stays.
    pub(crate) fn create(path: Option<&Path>) -> Result<Option<Self>, Failure> {
        let Some(path) = path else { return Ok(None) };
        if is_dash(path) {
            let message = "--report needs a file; --json-lines prints to standard output";
            return Err(Failure::Usage(message.to_owned()));
        }
        let failed = |error| IoError::new(path, error);
        if let Ok(mut old) = File::open(path) {
            let mut start = Vec::new();
            old.by_ref().take(u64_from_len(START.len())).read_to_end(&mut start).map_err(failed)?;
            if !start.is_empty() && start != START.as_bytes() {
                let path = path.display();
                let message =
                    format!("{path}: exists and is no report; choose another name for --report");
                return Err(Failure::Exists(message));
            }
        }
        let file = File::create(path).map_err(failed)?;
        let (out, list) = (LineWriter::new(file), List::new(JsonForm::Lines));
        Ok(Some(Self { path: path.into(), out, list, failed: None }))
    }

    /// Adds a line. A failure does not stop the other files; [`end`](Self::end) returns it.
    pub(crate) fn push(&mut self, row: &Row<'_>) {
        if self.failed.is_none() {
            self.failed = self.list.push(row, &mut self.out).err();
        }
    }

    /// Returns whether all lines were written.
    pub(crate) fn end(self) -> Result<(), Failure> {
        let Self { path, failed, .. } = self;
        failed.map_or(Ok(()), |error| Err(IoError::new(path, error).into()))
    }
}
