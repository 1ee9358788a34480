//! The findings of the reader.

use std::borrow::Cow;

use inbetween_core::json::{self, JsonError, JsonErrorCause, Repair};
use inbetween_core::{Code, Edit, Finding, Findings, Fix, Limits, Path};

/// Findings with positions, and the edits that fix them.
#[derive(Debug)]
pub(crate) struct Notes {
    pub(crate) findings: Findings,
    /// The index of the first finding of the current track.
    scope: usize,
    listed: Vec<Listed>,
    edits_left: usize,
}

/// The distinct items that the finding of a code lists.
#[derive(Debug)]
struct Listed {
    code: Code,
    items: Vec<ListedItem>,
}

/// One of the items that a finding lists.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ListedItem {
    /// Any text.
    Text(String),
    /// An unknown name, and the known ones.
    Unknown { name: String, known: String },
    /// There are more items.
    More,
}

/// The guaranteed number of edits per check; a file with more takes several rounds.
const EDITS: usize = 10_000;

/// Larger files may have one edit per this many bytes. An edit takes 40 bytes, so edits need less
/// memory than the file, and a bounded number of rounds fixes a file of any size.
const BYTES_AN_EDIT: usize = 64;

/// The largest number of items in a message.
const MOST_LISTED: usize = 4;

impl Notes {
    /// Creates an empty list for a file of `length` bytes.
    pub(crate) fn new(limits: &Limits, length: usize) -> Self {
        Self {
            findings: Findings::new(limits),
            scope: 0,
            listed: Vec::new(),
            edits_left: EDITS.max(length / BYTES_AN_EDIT),
        }
    }

    /// Starts the findings of another track, or those of the file.
    pub(crate) fn next_track(&mut self) {
        self.findings.leave();
        self.scope = self.findings.as_mut_slice().len();
        self.listed.clear();
    }

    /// Adds a finding, or increases the count if this track already has one with its code.
    pub(crate) fn add(
        &mut self,
        code: Code,
        at: usize,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> Cow<'static, str>,
    ) -> Option<&mut Finding> {
        let finding = || Finding::new(code, message()).at(path()).position(json::unresolved(at));
        self.findings.add(code, finding)
    }

    /// Like [`add`](Self::add), but the message lists every distinct item of the track. If it
    /// listed only the first, the count would suggest that the first one repeats.
    pub(crate) fn add_listed(
        &mut self,
        code: Code,
        at: usize,
        path: impl FnOnce() -> Path,
        item: ListedItem,
    ) {
        let message = self.list(code, item);
        let finding = self.add(code, at, path, || "".into());
        if let (Some(finding), Some(message)) = (finding, message) {
            finding.message = message.into();
        }
    }

    /// Adds an item to the list of a code; returns the new message if it changes.
    fn list(&mut self, code: Code, item: ListedItem) -> Option<String> {
        let index = self.listed.iter().position(|listed| listed.code == code);
        let index = index.unwrap_or_else(|| {
            self.listed.push(Listed { code, items: Vec::new() });
            self.listed.len().saturating_sub(1)
        });
        let items = &mut self.listed.get_mut(index)?.items;
        if items.len() > MOST_LISTED || items.contains(&item) {
            return None;
        }
        items.push(if items.len() < MOST_LISTED { item } else { ListedItem::More });
        Some(message(items))
    }

    /// Like [`add`](Self::add), with edits that fix the problem.
    pub(crate) fn add_fixable(
        &mut self,
        code: Code,
        at: usize,
        path: impl FnOnce() -> Path,
        message: impl FnOnce() -> Cow<'static, str>,
        (title, edits): (&'static str, Vec<Edit>),
    ) {
        self.add(code, at, path, message);
        self.fix(code, title, edits);
    }

    /// Adds edits to the finding of a code in this track, while edits remain.
    pub(crate) fn fix(&mut self, code: Code, title: &'static str, edits: Vec<Edit>) {
        let Some(left) = self.edits_left.checked_sub(edits.len()) else { return };
        let Some(finding) = self.of_this_track(code) else { return };
        let none = || Fix { title: title.into(), edits: Vec::new() };
        finding.fix.get_or_insert_with(none).edits.extend(edits);
        self.edits_left = left;
    }

    /// Returns how many edits remain.
    pub(crate) const fn edits_left(&self) -> usize {
        self.edits_left
    }

    /// Returns the finding of a code in this track.
    pub(crate) fn of_this_track(&mut self, code: Code) -> Option<&mut Finding> {
        let findings = self.findings.as_mut_slice().get_mut(self.scope..)?;
        findings.iter_mut().find(|finding| finding.code == code)
    }

    /// Adds a repair made by the JSON reader.
    pub(crate) fn repair(&mut self, repair: Repair, path: impl FnOnce() -> Path) {
        let Repair { start, end, code, message, replacement } = repair;
        self.add_listed(code, start, path, ListedItem::Text(message.into_owned()));
        if let Some(replacement) = replacement {
            let replacement = match replacement {
                Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
                Cow::Owned(text) => Cow::Owned(text.into_bytes()),
            };
            self.fix(code, "write plain JSON", vec![Edit { start, end, replacement }]);
        }
    }

    /// Adds the finding for an error in a check.
    pub(crate) fn fault(&mut self, fault: JsonError, path: impl FnOnce() -> Path) {
        let JsonErrorCause { at, code, kind, hint, .. } = *fault.0;
        self.add(code, at, path, || match hint {
            Some(hint) => format!("{kind}; {hint}").into(),
            None => kind.to_string().into(),
        });
    }

    /// Returns the findings with their lines and columns.
    pub(crate) fn into_findings(mut self, text: &str) -> Findings {
        json::resolve(text, self.findings.as_mut_slice());
        self.findings
    }
}

/// Formats a list of items; unknown names with the same known names share one list.
fn message(items: &[ListedItem]) -> String {
    let same = |a: &ListedItem, b: &ListedItem| match (a, b) {
        (ListedItem::Unknown { known: a, .. }, ListedItem::Unknown { known: b, .. }) => a == b,
        _ => false,
    };
    let group = |group: &[ListedItem]| {
        let names = group.iter().map(|item| match item {
            ListedItem::Text(text) => text,
            ListedItem::Unknown { name, .. } => name,
            ListedItem::More => "more",
        });
        let names = names.collect::<Vec<_>>().join(", ");
        match group.first() {
            Some(ListedItem::Unknown { known, .. }) => {
                format!("unknown {names}; known here: {known}")
            }
            _ => names,
        }
    };
    items.chunk_by(same).map(group).collect::<Vec<_>>().join("; ")
}
