//! The report of a conversion.

use inbetween::{printable, shown};
use std::io::{self, Write};

use inbetween::num::u64_from_len;
use inbetween::{Extent, Finding, FormatInfo};

use super::job::Job;
use crate::args::TransferArgs;
use crate::console::Console;
use crate::exit::Failure;
use crate::json::{ConvertFile, List};
use crate::plan::Planned;
use crate::report::{self, Listing, Sorted, decimal, plural};

/// The result of converting an input or one of its clips.
#[derive(Default)]
pub(super) struct Converted {
    pub(super) path: String,
    pub(super) name: String,
    /// The clip, if each clip goes to a file of its own.
    pub(super) clip: Option<String>,
    pub(super) output: Option<String>,
    pub(super) from: Option<&'static FormatInfo>,
    /// The size of the output.
    pub(super) bytes: Option<u64>,
    pub(super) extent: Extent,
    pub(super) findings: Vec<Finding>,
    /// The result, if it goes to standard output.
    pub(super) to_stdout: Option<Vec<u8>>,
    /// Whether nothing was written because another input failed.
    pub(super) held_back: bool,
    /// The input that reports the output, if the clips of all inputs were joined.
    pub(super) joined_into: Option<String>,
    pub(super) failure: Option<Failure>,
}

impl Converted {
    /// Creates the report of an input before its conversion.
    pub(super) fn nothing(planned: &Planned<'_>) -> Self {
        Self {
            path: planned.input.path().display().to_string(),
            name: planned.input.name(),
            from: planned.format.as_ref().ok().map(|format| format.info()),
            ..Self::default()
        }
    }

    /// Creates the report of a clip of the same input.
    pub(super) fn of_clip(&self, clip: String) -> Self {
        Self {
            path: self.path.clone(),
            name: self.name.clone(),
            clip: Some(clip),
            from: self.from,
            ..Self::default()
        }
    }

    pub(super) fn print(
        &self,
        job: &Job<'_>,
        list: &mut List,
        console: &mut Console,
    ) -> io::Result<()> {
        let to = job.to.info();
        if let Some(bytes) = &self.to_stdout {
            console.out.write_all(bytes)?;
        }
        if job.args.json.is_json() {
            list.push(&self.json(to), &mut console.out)?;
        } else {
            match &self.output {
                _ if !self.is_written() => {}
                Some(_) => console.status(&self.summary(job))?,
                None => console.note(&self.summary(job)),
            }
            // In a batch, the totals at the end replace the lists of each file.
            if !job.batch || job.args.verbose || !self.is_written() {
                self.list_findings(job, console);
            }
        }
        if let (Some(failure), false) = (&self.failure, job.args.json.is_json()) {
            console.error(failure.message());
        }
        Ok(())
    }

    /// Lists losses and warnings, and the notes if they are requested.
    fn list_findings(&self, job: &Job<'_>, console: &mut Console) {
        let Sorted { losses, warnings, notes } = Sorted::of(&self.findings);
        let how = " (-v lists all)";
        let listing = Listing { all: job.args.verbose, how, strict: Some(&job.strictness) };
        let mut list = |what: &str, findings: &[&Finding]| {
            if !findings.is_empty() {
                let name = self.shown_name();
                console.report(|paint| {
                    format!("{name}: {what}:\n{}", report::groups(findings, listing, paint))
                });
            }
        };
        list("lost or changed", &losses);
        list("warnings", &warnings);
        if job.args.verbose {
            list("notes", &notes);
        }
    }

    fn is_written(&self) -> bool {
        self.failure.is_none() && !self.held_back
    }

    fn shown_name(&self) -> String {
        let name = printable(&self.name);
        match &self.clip {
            Some(clip) => format!("{name}, clip '{}'", shown(clip)),
            None => name.to_string(),
        }
    }

    fn summary(&self, job: &Job<'_>) -> String {
        let extent = &self.extent;
        let mut parts = Vec::new();
        if let Some(first) = &self.joined_into {
            parts.push(format!("joined with {}", shown(first)));
            return self.summary_of(job, &parts);
        }
        if extent.clips != 1 {
            parts.push(plural(u64_from_len(extent.clips), "clip", "clips"));
        }
        parts.push(plural(u64_from_len(extent.tracks), "track", "tracks"));
        parts.push(plural(extent.keys, "key", "keys"));
        if extent.markers > 0 {
            parts.push(plural(u64_from_len(extent.markers), "marker", "markers"));
        }
        parts.push(format!("{} s", decimal(extent.duration)));
        self.summary_of(job, &parts)
    }

    fn summary_of(&self, job: &Job<'_>, parts: &[String]) -> String {
        format!(
            "{} ({}) -> {} ({}): {}, {}",
            self.shown_name(),
            self.from.map_or("?", |info| info.name),
            printable(self.output.as_deref().unwrap_or("standard output")),
            job.to.info().name,
            parts.join(", "),
            count_findings(&self.findings, job.args)
        )
    }

    fn json<'c>(&'c self, to: &FormatInfo) -> ConvertFile<'c> {
        ConvertFile {
            input: &self.path,
            clip: self.clip.as_deref(),
            output: self.output.as_deref(),
            from: self.from.map(|info| info.id),
            to: to.id,
            bytes: self.bytes,
            findings: self.findings.iter().map(Into::into).collect(),
            written: self.is_written(),
            error: self.failure.as_ref().map(Into::into),
        }
    }
}

/// Returns the number of losses, and of warnings and notes if there are any.
fn count_findings(findings: &[Finding], args: &TransferArgs) -> String {
    let Sorted { losses, warnings, notes } = Sorted::of(findings);
    let mut text = plural(u64_from_len(losses.len()), "loss", "losses");
    if !warnings.is_empty() {
        text.push_str(", ");
        text.push_str(&plural(u64_from_len(warnings.len()), "warning", "warnings"));
    }
    if !notes.is_empty() {
        text.push_str(", ");
        text.push_str(&plural(u64_from_len(notes.len()), "note", "notes"));
        text.push_str(if args.verbose { "" } else { " (see -v)" });
    }
    text
}
