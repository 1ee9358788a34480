//! `inbetween check`.

use std::fmt::Write;
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use inbetween::core::{FormatInfo, printable};
use inbetween::{Finding, Format, Profile, Registry};

use crate::args::CheckArgs;
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, Source, is_dash};
use crate::json::{CheckFile, List};
use crate::output::{self, Existing};
use crate::plan::{Plan, Planned, Wanted, skipped_files};
use crate::report::{self, plural};
use crate::select::Selection;

/// The settings for each file.
struct Job<'a> {
    args: &'a CheckArgs,
    registry: &'a Registry,
    selection: Selection,
    companions: Vec<CompanionFile>,
}

/// A companion of the checked file.
struct CompanionFile {
    /// Its kind: the name of the flag.
    kind: &'static str,
    name: String,
    bytes: Vec<u8>,
}

/// A checked file.
struct Checked {
    path: String,
    name: String,
    result: Result<Good, Failure>,
}

struct Good {
    info: &'static FormatInfo,
    findings: Vec<Finding>,
    edits: u64,
    written: Option<PathBuf>,
    /// The fixed file, if it goes to standard output.
    to_stdout: Option<Vec<u8>>,
}

pub(crate) fn run(
    args: &CheckArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let selection = Selection::new(&args.only, &args.ignore, registry)?;
    let inputs = inputs::gather(&args.files, args.batch.files_from.as_deref(), None)?;
    let wanted = Wanted {
        from: args.from.as_deref(),
        profile: args.profile.as_deref().and_then(Profile::by_name),
    };
    let plan = Plan::make(inputs, wanted, registry)?;
    check_usage(args, &plan)?;
    plan.check_flags(given, registry, None)?;
    let companions = companions(given, &plan, registry)?;
    let job = Job { args, registry, selection, companions };
    let mut summary = Summary::default();
    let mut list = List::new(args.json.form());
    let batch = plan.batch;
    batch::in_order(
        plan.files,
        console,
        |planned| job.check(planned),
        |checked, console| {
            summary.exit_with(job.exit(&checked));
            match &checked.result {
                Ok(good) => {
                    summary.succeed();
                    summary.count(&good.findings);
                }
                Err(failure) => {
                    summary.fail(failure);
                    console.error(failure.message());
                }
            }
            if args.json.is_json() {
                list.push(&json(&checked), &mut console.out)?;
            } else if let Ok(good) = &checked.result {
                tell(&checked.name, good, args, console)?;
            }
            Ok(ControlFlow::Continue(()))
        },
    )?;
    if args.json.is_json() {
        list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
    } else if batch {
        summary.print_files(&plan.skipped, console);
        summary.print_totals("findings by code:", |_| true, console);
        summary.print_counts("checked", plan.skipped.len(), console);
    }
    if !plan.skipped.is_empty() && (args.json.is_json() || !batch) {
        console.note(&skipped_files(plan.skipped.len()));
    }
    Ok(summary.exit())
}

fn check_usage(args: &CheckArgs, plan: &Plan<'_>) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    if args.fixing.output.is_some() && plan.batch {
        return usage("-o takes a single input; without it, files are fixed in place");
    }
    let stdin = plan.files.iter().any(|file| file.input.source == Source::Stdin);
    if args.fixing.fix && stdin && args.fixing.output.is_none() {
        return usage("standard input cannot be fixed in place; pass -o OUT");
    }
    if args.json.is_json() && args.fixing.output.as_deref().is_some_and(is_dash) {
        return usage("--json and -o - both need standard output");
    }
    Ok(())
}

/// Reads the companions, each of which belongs to one file.
fn companions(
    given: &[Given],
    plan: &Plan<'_>,
    registry: &Registry,
) -> Result<Vec<CompanionFile>, Failure> {
    let mut companions = Vec::new();
    for (kind, path) in given.iter().filter_map(Given::companion) {
        let with = |file: &&Planned<'_>| {
            let format = file.format.as_ref().ok();
            let companion = format.and_then(|format| format.companion());
            companion.is_some_and(|companion| companion.info().name == kind)
        };
        let files = plan.files.iter().filter(with).count();
        if files > 1 {
            let message = format!("--{kind} applies to one file, not to {files}");
            return Err(Failure::Usage(message));
        }
        let name = path.display().to_string();
        let bytes = inbetween::load(path, registry.limits())
            .map_err(|error| Failure::of_file(&name, error))?;
        companions.push(CompanionFile { kind, name, bytes });
    }
    Ok(companions)
}

impl Job<'_> {
    fn check(&self, planned: Planned<'_>) -> Checked {
        let path = planned.input.path().display().to_string();
        let name = planned.input.name();
        let result = self.check_file(planned, &name);
        Checked { path, name, result }
    }

    fn check_file(&self, planned: Planned<'_>, name: &str) -> Result<Good, Failure> {
        let source = planned.input.source.clone();
        let (format, bytes) = planned.load(self.registry)?;
        let limits = self.registry.limits();
        let failed = |error| Failure::of_file(name, inbetween::Error::Read(error));
        let wanted = |finding: &Finding| self.selection.accepts(finding);
        let mut good = Good {
            info: format.info(),
            findings: Vec::new(),
            edits: 0,
            written: None,
            to_stdout: None,
        };
        if self.args.fixing.fix {
            let fixed = inbetween::fix(format, &bytes, limits, wanted).map_err(failed)?;
            good.edits = fixed.edits;
            good.findings = fixed.findings;
            good.findings.extend(self.against_companion(format, &fixed.bytes)?);
            self.write(&source, &bytes, fixed.bytes, &mut good)?;
        } else {
            good.findings = format.check(&bytes, limits).map_err(failed)?;
            good.findings.extend(self.against_companion(format, &bytes)?);
        }
        good.findings.retain(wanted);
        Ok(good)
    }

    /// Returns the differences between a file and the given companion.
    fn against_companion(
        &self,
        format: &dyn Format,
        bytes: &[u8],
    ) -> Result<Vec<Finding>, Failure> {
        let Some(companion) = format.companion() else { return Ok(Vec::new()) };
        let kind = companion.info().name;
        let Some(file) = self.companions.iter().find(|file| file.kind == kind) else {
            return Ok(Vec::new());
        };
        companion
            .check(bytes, &file.bytes, self.registry.limits())
            .map_err(|error| Failure::of_file(&file.name, error))
    }

    fn write(
        &self,
        source: &Source,
        old: &[u8],
        new: Vec<u8>,
        good: &mut Good,
    ) -> Result<(), Failure> {
        let existing = Existing::forced(self.args.fixing.force);
        match (&self.args.fixing.output, source) {
            (Some(out), _) if is_dash(out) => good.to_stdout = Some(new),
            (Some(out), _) => {
                output::write(out, &new, existing)?;
                good.written = Some(out.clone());
            }
            (None, Source::File(path)) if good.edits > 0 => {
                if self.args.fixing.backup {
                    output::write(&output::with_ending(path, output::BACKUP), old, existing)?;
                }
                output::write(path, &new, Existing::Replace)?;
                good.written = Some(path.clone());
            }
            (None, _) => {}
        }
        Ok(())
    }

    fn exit(&self, checked: &Checked) -> Exit {
        match &checked.result {
            Err(failure) => failure.exit(),
            Ok(good) => {
                let denied = |finding: &Finding| finding.severity() >= self.args.deny.0;
                if good.findings.iter().any(denied) { Exit::Found } else { Exit::Fine }
            }
        }
    }
}

fn json(checked: &Checked) -> CheckFile<'_> {
    let empty = CheckFile {
        path: &checked.path,
        format: None,
        findings: Vec::new(),
        edits: 0,
        written: None,
        error: None,
    };
    match &checked.result {
        Ok(good) => CheckFile {
            format: Some(good.info.id),
            findings: good.findings.iter().map(Into::into).collect(),
            edits: good.edits,
            written: good.written.as_deref().map(shown),
            ..empty
        },
        Err(failure) => CheckFile { error: Some(failure.message()), ..empty },
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

fn tell(name: &str, good: &Good, args: &CheckArgs, console: &mut Console) -> io::Result<()> {
    if let Some(bytes) = &good.to_stdout {
        io::Write::write_all(&mut console.out, bytes)?;
        console.report(|paint| report_text(name, good, args, paint));
        return Ok(());
    }
    let text = report_text(name, good, args, console.paint);
    console.line(text.trim_end())
}

fn report_text(name: &str, good: &Good, args: &CheckArgs, paint: crate::console::Paint) -> String {
    let lines: Vec<String> =
        good.findings.iter().map(|finding| report::finding(name, finding, paint)).collect();
    let mut text = lines.join("\n");
    if !lines.is_empty() {
        text.push('\n');
        text.push_str(&report::help(&good.findings, paint));
    }
    let mut summary = format!("{} ({}): ", printable(name), good.info.name);
    if args.fixing.fix {
        summary.push_str(&plural(good.edits, "edit made", "edits made"));
        summary.push_str(", then ");
    }
    summary.push_str(&report::tally(&good.findings));
    let fixable = inbetween::core::fix::fixable(&good.findings);
    if fixable > 0 && !args.fixing.fix {
        // Writing to a String does not fail.
        let _ = write!(summary, " ({fixable} can be fixed with --fix)");
    }
    text.push_str(&summary);
    text
}
