//! `inbetween check`.

mod check_report;
mod companions;

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use inbetween::core::FormatInfo;
use inbetween::{Finding, Format, Profile, Registry, Snippet};

use crate::args::CheckArgs;
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, Source, is_dash};
use crate::json::{self, CheckFile, List, Log, Row};
use crate::output::{self, Existing};
use crate::plan::{Plan, Planned, Wanted, skipped_files};
use crate::select::Selection;
use crate::single_output::json_beside_output;
use crate::unified_diff;

use self::companions::Companions;

/// The settings for each file.
struct Job<'a> {
    args: &'a CheckArgs,
    registry: &'a Registry,
    selection: Selection,
    companions: Companions,
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
    /// The findings that `--fix` fixed.
    fixed: Vec<Finding>,
    /// The source line of each finding that has one.
    snippets: Vec<Option<Snippet>>,
    /// The changes that `--fix` would make.
    diff: Option<String>,
    /// Whether companions are given, but none has the name of the file.
    unpaired: bool,
}

pub(crate) fn run(
    args: &CheckArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let selection = Selection::new(&args.only, &args.ignore, registry)?;
    let mut inputs = inputs::gather(&args.files, &args.batch, None)?;
    inputs::without_report(&mut inputs, args.report.report.as_deref());
    let wanted = Wanted {
        from: args.from.as_deref(),
        profile: args.profile.as_deref().and_then(Profile::by_name),
    };
    let plan = Plan::make(inputs, wanted, registry)?;
    check_usage(args, &plan)?;
    plan.check_checking_flags(given, registry)?;
    let companions = Companions::find(given, &plan)?;
    let job = Job { args, registry, selection, companions };
    let mut summary = Summary::default();
    let mut list = List::new(args.json.form());
    let mut log = Log::create(args.report.report.as_deref())?;
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
                    if !args.json.is_json() {
                        console.error(failure.message());
                    }
                }
            }
            if let Some(log) = &mut log {
                log.push(&row(&checked));
            }
            if args.json.is_json() {
                list.push(&json(&checked), &mut console.out)?;
            } else if let Ok(good) = &checked.result {
                check_report::print(&checked.name, good, args, console)?;
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
    log.map_or(Ok(()), Log::end)?;
    Ok(summary.exit())
}

fn check_usage(args: &CheckArgs, plan: &Plan<'_>) -> Result<(), Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.to_owned()));
    if args.fixing.output.is_some() && plan.batch {
        return usage("-o takes a single input; without it, files are fixed in place");
    }
    let stdin = plan.files.iter().any(|file| file.input.source == Source::Stdin);
    if args.fixing.fix && stdin && args.fixing.output.is_none() && !args.fixing.dry_run {
        return usage("standard input cannot be fixed in place; pass -o OUT");
    }
    if args.json.is_json() && args.fixing.output.as_deref().is_some_and(is_dash) {
        return Err(json_beside_output());
    }
    Ok(())
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
        let (opened, bytes) = planned.load(self.registry)?;
        let format = opened.get();
        let limits = self.registry.limits();
        let failed = |error| Failure::of_file(name, inbetween::Error::Read(error));
        let wanted = |finding: &Finding| self.selection.accepts(finding);
        let mut good = Good {
            info: format.info(),
            findings: Vec::new(),
            edits: 0,
            written: None,
            to_stdout: None,
            fixed: Vec::new(),
            snippets: Vec::new(),
            diff: None,
            unpaired: false,
        };
        let mut checked = Cow::Borrowed(&bytes);
        if self.args.fixing.fix {
            good.fixed = format.check(&bytes, limits).map_err(failed)?;
            let fixed = inbetween::fix(format, &bytes, limits, wanted).map_err(failed)?;
            good.edits = fixed.edits;
            good.fixed.retain(|finding| finding.fix.is_some() && wanted(finding));
            checked = Cow::Owned(fixed.bytes);
        }
        let profile = self.args.profile.as_deref().and_then(Profile::by_name);
        let findings = inbetween::check(format, &checked, profile, limits);
        good.findings = findings.map_err(failed)?;
        self.add_companion_findings(format, &checked, name, &mut good)?;
        good.findings.retain(wanted);
        good.snippets = good.findings.iter().map(|it| Snippet::of(it, &checked)).collect();
        if let Cow::Owned(fixed) = checked {
            self.write(&source, &bytes, fixed, &mut good)?;
        }
        Ok(good)
    }

    /// Adds the differences between a file and its companion.
    fn add_companion_findings(
        &self,
        format: &dyn Format,
        bytes: &[u8],
        name: &str,
        good: &mut Good,
    ) -> Result<(), Failure> {
        let Some(companion) = format.companion() else { return Ok(()) };
        let kind = companion.info().name;
        let paths = self.companions.of(kind, Path::new(name));
        good.unpaired = paths.is_empty() && self.companions.has(kind);
        for path in paths {
            let name = path.display().to_string();
            let failed = |error: inbetween::Error| Failure::of_file(&name, error);
            let limits = self.registry.limits();
            let file = inbetween::files::load(path, limits).map_err(&failed)?;
            let found = companion.check(bytes, &file, limits);
            good.findings.extend(found.map_err(|error| failed(error.into()))?);
        }
        Ok(())
    }

    fn write(
        &self,
        source: &Source,
        old: &[u8],
        new: Vec<u8>,
        good: &mut Good,
    ) -> Result<(), Failure> {
        if self.args.fixing.dry_run {
            good.diff = Some(unified_diff::of(&source_name(source), old, &new));
            return Ok(());
        }
        let existing = Existing::forced(self.args.fixing.force);
        match (&self.args.fixing.output, source) {
            (Some(out), _) if is_dash(out) => good.to_stdout = Some(new),
            (Some(out), _) => {
                output::write(out, &new, existing)?;
                good.written = Some(out.clone());
            }
            (None, Source::File(path)) if good.edits > 0 => {
                if self.args.fixing.backup {
                    output::write(&output::with_ending(path, inputs::BACKUP), old, existing)?;
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

/// Returns the line of `--report`.
fn row(checked: &Checked) -> Row<'_> {
    let empty = Row { input: &checked.path, ..Row::default() };
    match &checked.result {
        Ok(good) => Row {
            from: Some(good.info.id),
            output: good.written.as_deref().and_then(Path::to_str),
            findings: json::groups(&good.findings),
            ..empty
        },
        Err(failure) => Row { error: Some(failure.into()), ..empty },
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
        Err(failure) => CheckFile { error: Some(failure.into()), ..empty },
    }
}

fn source_name(source: &Source) -> String {
    match source {
        Source::Stdin => "-".to_owned(),
        Source::File(path) => shown(path),
    }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
