//! Names and patterns of edits that match nothing in any file of a batch.

use std::collections::{BTreeMap, BTreeSet};

use inbetween::Finding;
use inbetween::edit::codes;

/// The number of files in which each name or pattern of an edit matches nothing.
#[derive(Debug, Default)]
pub(super) struct MissingNames {
    files: u64,
    lacking: BTreeMap<String, u64>,
}

impl MissingNames {
    /// Counts the findings of one file.
    pub(super) fn count<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        self.files += 1;
        let codes = [codes::PATTERN_UNUSED, codes::NAME_UNUSED];
        let missing = findings.into_iter().filter(|finding| codes.contains(&finding.code));
        let messages: BTreeSet<&str> = missing.map(|finding| finding.message.as_ref()).collect();
        for message in messages {
            let count = self.lacking.entry(message.to_owned()).or_default();
            *count += 1;
        }
    }

    /// Returns the messages about names that are missing in every file.
    pub(super) fn of_every_file(&self) -> impl Iterator<Item = &str> {
        let all = self.lacking.iter().filter(|(_, files)| **files == self.files);
        all.map(|(message, _)| message.as_str())
    }
}
