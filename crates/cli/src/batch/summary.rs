//! The last lines of a batch.

use std::collections::BTreeMap;
use std::fmt::Write;

use inbetween::core::num::u64_from_len;
use inbetween::core::printable;
use inbetween::{Code, Finding, Severity};

use crate::console::{Console, Paint};
use crate::exit::{Exit, Failure};
use crate::plan::Skipped;
use crate::report::plural;

/// The results of a batch: the number of files, findings by code, and failures.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    done: u64,
    /// The number of files whose output exists.
    left_out: u64,
    /// The number of files of which a part was not read.
    partial: u64,
    failed: Vec<String>,
    totals: BTreeMap<&'static str, Total>,
    worst: Exit,
}

/// The findings of one code.
#[derive(Clone, Copy, Debug)]
struct Total {
    code: Code,
    findings: u64,
    files: u64,
}

/// A summary lists the failed files again if there are more files than this, because their errors
/// are far above, between the reports of the other files.
const SHORT: u64 = 16;

/// The number of skipped files that a summary lists.
const LISTED: usize = 10;

impl Summary {
    /// Counts a file that succeeded.
    pub(crate) fn succeed(&mut self) {
        self.done += 1;
    }

    /// Counts a file whose output exists.
    pub(crate) fn leave_out(&mut self) {
        self.left_out += 1;
    }

    /// Counts a file of which a part was not read.
    pub(crate) fn count_partial(&mut self) {
        self.partial += 1;
    }

    /// Counts a file that failed.
    pub(crate) fn fail(&mut self, failure: &Failure) {
        self.worst = self.worst.max(failure.exit());
        self.failed.push(failure.message().to_owned());
    }

    /// Raises the exit code of the batch.
    pub(crate) fn exit_with(&mut self, exit: Exit) {
        self.worst = self.worst.max(exit);
    }

    /// Counts the findings of one file.
    pub(crate) fn count<'f>(&mut self, findings: impl IntoIterator<Item = &'f Finding>) {
        let mut seen = Vec::new();
        for code in findings.into_iter().map(|finding| finding.code) {
            let fresh = Total { code, findings: 0, files: 0 };
            let total = self.totals.entry(code.id()).or_insert(fresh);
            total.findings += 1;
            if !seen.contains(&code) {
                total.files += 1;
                seen.push(code);
            }
        }
    }

    /// Returns the highest exit code of the files.
    pub(crate) const fn exit(&self) -> Exit {
        self.worst
    }

    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    pub(crate) fn failures(&self) -> u64 {
        u64_from_len(self.failed.len())
    }

    /// Prints the totals by code, most severe first.
    pub(crate) fn print_totals(
        &self,
        heading: &str,
        wanted: impl Fn(Code) -> bool,
        console: &mut Console,
    ) {
        let mut totals: Vec<Total> =
            self.totals.values().filter(|total| wanted(total.code)).copied().collect();
        if totals.is_empty() {
            return;
        }
        totals.sort_by_key(|total| core::cmp::Reverse((total.code.severity(), total.findings)));
        console.report(|paint| {
            let lines: String = totals.iter().map(|total| total.line(paint)).collect();
            format!("{heading}\n{lines}")
        });
    }

    /// Prints the skipped files with the reasons, and in a long batch the failed files.
    pub(crate) fn print_files(&self, skipped: &[Skipped], console: &mut Console) {
        let files = self.done + self.failures();
        if self.done > 0 && !self.failed.is_empty() && files > SHORT {
            console.note("failed:");
            for failure in &self.failed {
                console.note(&format!("  {failure}"));
            }
        }
        if !skipped.is_empty() {
            console.note("skipped:");
            for skipped in skipped.iter().take(LISTED) {
                console.note(&format!("  {}: {}", skipped.name, skipped.why));
            }
            if skipped.len() > LISTED {
                console.note(&format!("  ... and {} more", skipped.len() - LISTED));
            }
        }
    }

    /// Prints the number of processed files: `2 files converted, 0 failed, 1 skipped`.
    pub(crate) fn print_counts(&self, did: &str, skipped: usize, console: &mut Console) {
        let files = plural(self.done, "file", "files");
        let partial = match self.partial {
            0 => String::new(),
            partial => format!(" ({partial} partial)"),
        };
        let failed = self.failures();
        let existing = match self.left_out {
            0 => String::new(),
            1 => ", 1 exists already".to_owned(),
            many => format!(", {many} exist already"),
        };
        let text = format!("{files} {did}{partial}, {failed} failed, {skipped} skipped{existing}");
        console.note(&text);
    }
}

impl Total {
    fn line(self, paint: Paint) -> String {
        let Self { code, findings, files } = self;
        let severity = match code.severity() {
            severity @ Severity::Error => paint.error(severity.name()),
            severity @ Severity::Warning => paint.warning(severity.name()),
            severity => severity.name().to_owned(),
        };
        let mut line = format!("  {severity}: {}: {findings}", printable(code.id()));
        // Writing to a String does not fail.
        let _ = writeln!(line, " in {}", plural(files, "file", "files"));
        line
    }
}
