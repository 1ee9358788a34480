//! The report of a conversion.

use inbetween::core::{printable, shown};
use std::io::{self, Write};

use inbetween::Finding;
use inbetween::core::num::u64_from_len;
use inbetween::core::{Extent, FormatInfo};

use super::outputs::Why;
use crate::args::TransferArgs;
use crate::console::Console;
use crate::exit::Failure;
use crate::json::{self, ConvertFile, List, Log, Row};
use crate::plan::Planned;
use crate::report::{self, Listing, Sorted, decimal, plural};
use crate::strict::Strictness;

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
    /// Whether the input has no animation.
    pub(super) is_empty: bool,
    /// Whether nothing was written because nothing of the clip can be read.
    pub(super) is_skipped: bool,
    /// Why nothing was done, because of the output.
    pub(super) done: Option<Why>,
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

    fn is_written(&self) -> bool {
        self.failure.is_none() && !self.held_back && !self.is_skipped && self.done.is_none()
    }

    /// Returns the name of the clip, if each clip goes to a file of its own.
    pub(super) fn clip_name(&self) -> &str {
        self.clip.as_deref().unwrap_or_default()
    }

    /// Returns whether a part of the input was not read.
    pub(super) fn is_partial(&self) -> bool {
        self.findings.iter().any(report::is_skipped)
    }

    fn shown_name(&self) -> String {
        let name = printable(&self.name);
        match &self.clip {
            Some(clip) => format!("{name}, clip '{}'", shown(clip)),
            None => name.to_string(),
        }
    }

    /// Returns the line of `--report`.
    fn row<'c>(&'c self, to: &FormatInfo) -> Row<'c> {
        Row {
            input: &self.path,
            clip: self.clip.as_deref(),
            output: self.output.as_deref(),
            from: self.from.map(|info| info.id),
            to: Some(to.id),
            bytes: self.bytes,
            written: Some(self.is_written()),
            skipped: self.done.map(Why::name),
            partial: self.is_partial(),
            findings: json::groups(&self.findings),
            error: self.failure.as_ref().map(Into::into),
        }
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
            skipped: self.done.map(Why::name),
            partial: self.is_partial(),
            error: self.failure.as_ref().map(Into::into),
        }
    }
}

/// How results are reported.
pub(super) struct Reports<'a> {
    pub(super) args: &'a TransferArgs,
    pub(super) to: &'static FormatInfo,
    pub(super) strictness: Strictness,
    /// Whether there are several inputs, each with an output of its own.
    pub(super) batch: bool,
}

impl Reports<'_> {
    /// Prints the result of an input.
    pub(super) fn print(
        &self,
        converted: &Converted,
        (list, log): (&mut List, &mut Option<Log>),
        console: &mut Console,
    ) -> io::Result<()> {
        let to = self.to;
        if let Some(log) = log {
            log.push(&converted.row(to));
        }
        if let Some(bytes) = &converted.to_stdout {
            console.out.write_all(bytes)?;
        }
        if self.args.json.is_json() {
            list.push(&converted.json(to), &mut console.out)?;
        } else {
            match &converted.output {
                _ if !converted.is_written() => {}
                Some(_) => console.status(&self.summary(converted))?,
                None => console.note(&self.summary(converted)),
            }
            if let (Some(output), Some(why), false) =
                (&converted.output, converted.done, self.batch)
            {
                console.note(&format!("{}: {}; skipped", printable(output), why.text()));
            }
            print_lines(converted, console);
            // In a batch, the totals at the end replace the lists of each file.
            if !self.batch || self.args.verbose || !converted.is_written() {
                self.list_findings(converted, console);
            }
        }
        if let (Some(failure), false) = (&converted.failure, self.args.json.is_json()) {
            console.error(failure.message());
        }
        Ok(())
    }

    /// Lists losses and warnings, and the notes if they are requested.
    fn list_findings(&self, converted: &Converted, console: &mut Console) {
        let Sorted { losses, warnings, notes } = Sorted::of(&converted.findings);
        let how = " (-v lists all)";
        let listing = Listing { all: self.args.verbose, how, strict: Some(&self.strictness) };
        let mut list = |what: &str, findings: &[&Finding]| {
            if !findings.is_empty() {
                let name = converted.shown_name();
                console.report(|paint| {
                    format!("{name}: {what}:\n{}", report::groups(findings, listing, paint))
                });
            }
        };
        list("lost or changed", &losses);
        list("warnings", &warnings);
        if self.args.verbose {
            list("notes", &notes);
        }
    }

    fn summary(&self, converted: &Converted) -> String {
        let extent = &converted.extent;
        let mut parts = Vec::new();
        if let Some(first) = &converted.joined_into {
            parts.push(format!("joined with {}", shown(first)));
            return self.summary_of(converted, &parts);
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
        self.summary_of(converted, &parts)
    }

    fn summary_of(&self, converted: &Converted, parts: &[String]) -> String {
        format!(
            "{} ({}) -> {} ({}): {}, {}",
            converted.shown_name(),
            converted.from.map_or("?", |info| info.name),
            printable(converted.output.as_deref().unwrap_or("standard output")),
            self.to.name,
            parts.join(", "),
            count_findings(&converted.findings, self.args)
        )
    }
}

/// Prints what was chosen for the whole file, each line once in all.
fn print_lines(converted: &Converted, console: &mut Console) {
    for line in converted.findings.iter().filter_map(report::line) {
        if converted.is_written() && console.is_new(&line) {
            console.note(&line);
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
    if findings.iter().any(report::is_skipped) {
        text.push_str(", partial");
    }
    text
}
