//! What the reader has to say beside what it reads.

use std::borrow::Cow;

use inbetween_core::{Code, Edit, Finding, Findings, Fix, Limits, Path};

use crate::json::{Cause, Fault, Slip};
use crate::place;

/// Findings with positions, and the edits that mend them.
#[derive(Debug)]
pub(crate) struct Notes {
    pub(crate) findings: Findings,
    edits_left: usize,
}

/// A file is mended in rounds of at most so many edits.
const EDITS: usize = 10_000;

impl Notes {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { findings: Findings::new(limits), edits_left: EDITS }
    }

    /// Begins the findings of another track, or those of the file.
    pub(crate) fn begin_scope(&mut self) {
        self.findings.begin_scope();
    }

    /// Adds a finding, or counts it if this track has one of its code.
    pub(crate) fn add(
        &mut self,
        code: Code,
        at: usize,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> Cow<'static, str>,
    ) -> Option<&mut Finding> {
        let finding = || Finding::new(code, message()).at(path()).position(place::at(at));
        self.findings.add(code, finding)
    }

    /// As [`add`](Self::add), with the edits that mend it.
    pub(crate) fn add_mended(
        &mut self,
        code: Code,
        at: usize,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> Cow<'static, str>,
        (title, edits): (&'static str, Vec<Edit>),
    ) {
        let left = self.edits_left.checked_sub(edits.len());
        let Some(finding) = self.add(code, at, path, message) else { return };
        if let Some(left) = left {
            let none = || Fix { title: title.into(), edits: Vec::new() };
            finding.fix.get_or_insert_with(none).edits.extend(edits);
            self.edits_left = left;
        }
    }

    /// Adds a slip that the JSON reader got over.
    pub(crate) fn slip(&mut self, slip: Slip, path: impl FnOnce() -> Path) {
        let Slip { start, end, code, message, replacement } = slip;
        match replacement {
            Some(replacement) => {
                let replacement = Cow::Borrowed(replacement.as_bytes());
                let edits = vec![Edit { start, end, replacement }];
                self.add_mended(code, start, path, || message, ("write plain JSON", edits));
            }
            None => {
                self.add(code, start, path, || message);
            }
        }
    }

    /// Adds the finding that a fault is in a check.
    pub(crate) fn fault(&mut self, fault: Fault, path: impl FnOnce() -> Path) {
        let Cause { at, code, kind, hint, .. } = *fault.0;
        self.add(code, at, path, || match hint {
            Some(hint) => format!("{kind}; {hint}").into(),
            None => kind.to_string().into(),
        });
    }

    /// Returns the findings with their lines and columns.
    pub(crate) fn into_findings(mut self, text: &str) -> Findings {
        place::resolve(text, self.findings.as_mut_slice());
        self.findings
    }
}
