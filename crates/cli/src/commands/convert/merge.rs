//! Combines all inputs in one output.

use std::ops::ControlFlow;
use std::path::Path;

use inbetween::core::num::u64_from_len;
use inbetween::core::{ClipCount, SharedBudget};
use inbetween::merge::{Merge, Merged};
use inbetween::{Error, Reading};

use super::conversion_report::Converted;
use super::job::Job;
use super::outputs::Destination;
use crate::batch;
use crate::console::Console;
use crate::edits::Edited;
use crate::exit::{Exit, Failure};
use crate::json::{List, Log};
use crate::plan::{Plan, Planned};
use crate::report::plural;

/// Writes the clips of all inputs to one file, or writes nothing.
pub(super) fn run(
    job: &Job<'_>,
    plan: Plan<'_>,
    log: &mut Option<Log>,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let output = match &job.outputs.destination {
        Destination::File(path) => Some(path.as_path()),
        Destination::Stdout | Destination::Directory(_) => None,
    };
    let inputs = || plan.files.iter().map(|file| &file.input);
    let done = output.map(|path| job.outputs.done(path, inputs())).transpose()?.flatten();
    if let (Some(path), true) = (output, done.is_some()) {
        let mut list = List::new(job.args.json.form());
        for file in &plan.files {
            let output = Some(path.display().to_string());
            let report = Converted { output, done, ..Converted::nothing(file) };
            let printed = job.reports.print(&report, (&mut list, &mut *log), console);
            printed.map_err(|error| Failure::of_stdout(&error))?;
        }
        if job.args.json.is_json() {
            list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
        }
        return Ok(Exit::Fine);
    }
    job.outputs.check(inputs())?;
    let (mut sources, mut reports) = (Vec::new(), Vec::new());
    let skipped = plan.skipped.len();
    batch::in_order(
        plan.files,
        console,
        |file| {
            let (stem, mut report) = (file.input.stem(), Converted::nothing(&file));
            report.output = output.map(|path| path.display().to_string());
            (read(job, file, &report.name).map(|edited| (stem, edited)), report)
        },
        |(read, mut report), _| {
            match read {
                Ok(source) => sources.push(source),
                Err(failure) => report.failure = Some(failure),
            }
            reports.push(report);
            Ok(ControlFlow::Continue(()))
        },
    )?;
    let files = plural(u64_from_len(reports.len()), "file", "files");
    let written = match reports.iter().filter(|report| report.failure.is_some()).count() {
        0 if job.edits.joins() => write_joined(job, output, sources, &mut reports),
        0 => write(job, output, sources, &mut reports),
        failed => Err(Failure::Cannot(format!("{failed} of {files} failed; nothing was written"))),
    };
    let mut list = List::new(job.args.json.form());
    for report in &mut reports {
        report.held_back = written.is_err();
        job.reports
            .print(report, (&mut list, &mut *log), console)
            .map_err(|error| Failure::of_stdout(&error))?;
    }
    if job.args.json.is_json() {
        list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
    }
    written.map(|()| {
        let how = if job.edits.joins() { "joined" } else { "put" };
        console.note(&format!("{files} {how} into one, {skipped} skipped"));
        Exit::Fine
    })
}

/// Reads an input and applies the edits before `--join`.
fn read(job: &Job<'_>, file: Planned<'_>, name: &str) -> Result<Edited, Failure> {
    let (format, bytes) = file.load(job.registry)?;
    job.read(job.open(format.get(), &bytes, name)?, job.edits.around_join().0, name)
}

/// Joins the clips of all inputs in order and applies the remaining edits.
fn write_joined(
    job: &Job<'_>,
    output: Option<&Path>,
    sources: Vec<(String, Edited)>,
    reports: &mut [Converted],
) -> Result<(), Failure> {
    let mut sources = sources.into_iter();
    let Some((stem, mut all)) = sources.next() else { return Ok(()) };
    let [first, others @ ..] = reports else { return Ok(()) };
    for ((_, mut other), report) in sources.zip(others.iter_mut()) {
        job.edits.combine_rest_poses(&mut all.reading.document, &mut other.reading.document);
        report.joined_into = Some(first.name.clone());
        let found = all.append(other, [&first.name, &report.name]);
        report.findings = found.map_err(|error| Failure::Cannot(error.to_string()))?;
    }
    let target = job.to.info();
    let mut joined = job.edits.make(job.edits.around_join().1, all, ALL)?;
    if target.clips == ClipCount::Many {
        joined = joined.map(|reading| reading.named(&stem));
    }
    job.reports.strictness.check(ALL, others.iter().flat_map(|report| &report.findings))?;
    job.convert_whole(joined, output, first)?;
    for report in others {
        report.bytes = first.bytes;
    }
    Ok(())
}

fn write(
    job: &Job<'_>,
    output: Option<&Path>,
    sources: Vec<(String, Edited)>,
    reports: &mut [Converted],
) -> Result<(), Failure> {
    let (mut results, mut wholes) = (Vec::new(), Vec::new());
    for (stem, edited) in sources {
        wholes.extend(edited.whole.map(|whole| (stem.clone(), whole)));
        results.push((stem, edited.reading));
    }
    let (Merged { bytes, sources, mut findings, .. }, budget) = merge(job, results, reports)?;
    if !wholes.is_empty() {
        let whole = merge(job, wholes, reports)?.0.bytes;
        findings.extend(job.measured(&whole, &bytes, &budget, ALL)?);
    }
    for (report, source) in reports.iter_mut().zip(sources) {
        (report.findings, report.extent) = (source.findings, source.extent);
    }
    if let Some(first) = reports.first_mut() {
        first.findings.extend(findings);
    }
    let findings = reports.iter().flat_map(|report| &report.findings);
    job.reports.strictness.check(ALL, findings)?;
    if let Some(path) = output {
        job.outputs.write(path, &bytes)?;
    }
    for report in reports.iter_mut() {
        report.bytes = Some(u64_from_len(bytes.len()));
    }
    if let (None, Some(last)) = (output, reports.last_mut()) {
        last.to_stdout = Some(bytes);
    }
    Ok(())
}

/// The name of all inputs together in messages.
const ALL: &str = "all inputs together";

fn merge(
    job: &Job<'_>,
    sources: Vec<(String, Reading)>,
    reports: &[Converted],
) -> Result<(Merged, SharedBudget), Failure> {
    let merge = Merge::new(sources, job.to).map_err(|error| Failure::Cannot(error.to_string()))?;
    let budget = merge.budget().clone();
    let merged = merge.write().map_err(|error| {
        let report = error.source.and_then(|source| reports.get(source));
        let name = report.map_or(ALL, |report| &report.name);
        Failure::of_file(name, Error::Write(error.error))
    })?;
    Ok((merged, budget))
}
