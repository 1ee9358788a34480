//! `inbetween convert`.

mod conversion_report;
mod job;
mod merge;
mod missing;
mod name_template;
mod outputs;

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use inbetween::core::{ClipCount, FileEncoding, FormatInfo, for_extension};
use inbetween::edit::Case;
use inbetween::{Format, Profile, Registry};

use self::conversion_report::Reports;
pub(crate) use self::job::ClipUse;
use self::job::Job;
pub(crate) use self::name_template::NameTemplate;
use self::outputs::{Destination, Done, Outputs};
use crate::args::{ConvertArgs, TransferArgs};
use crate::console::Console;
use crate::edits::Edits;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, is_dash};
use crate::json::Log;
use crate::output::{self, Existing};
use crate::plan::{Plan, Wanted};
use crate::single_output::json_beside_output;
use crate::strict::Strictness;

pub(crate) fn run(
    args: &ConvertArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let skeleton = args.transfer.skeleton.as_deref();
    let edits = Edits::prepare(&args.operations(), skeleton, Case::Sensitive, registry)?;
    run_with(&args.transfer, (edits, ClipUse::Extract), registry, given, console)
}

/// Converts files and applies edits to them.
pub(crate) fn run_with(
    args: &TransferArgs,
    (edits, clip_use): (Edits, ClipUse),
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let (files, destination) = destination(args)?;
    let to = target(args, &destination, registry)?;
    let by_extension = by_extension(to, args.to.as_deref(), &destination, given);
    let to = by_extension.as_deref().unwrap_or(to);
    let for_program = for_program(to, args.program.as_deref(), given, console)?;
    let to = for_program.as_deref().unwrap_or(to);
    check_streams(args, &destination, to.info())?;
    let edits = &edits.writing(to.info())?;
    let merges = to.info().clips == ClipCount::Many || edits.joins();
    let except = match &destination {
        Destination::Directory(directory) => {
            output::check_new_directory(directory)?;
            Some(directory.as_path())
        }
        Destination::File(_) | Destination::Stdout => {
            let directory = files.iter().find(|input| input.is_dir()).filter(|_| !merges);
            if let Some(directory) = directory {
                let message = format!("{}: is a directory; {MANY}", directory.display());
                return Err(Failure::Usage(message));
            }
            None
        }
    };
    let mut inputs = inputs::gather(files, &args.batch, except)?;
    inputs::without_report(&mut inputs, args.report.report.as_deref());
    if let Some(base) = &args.base {
        inputs.iter_mut().try_for_each(|input| inputs::keep_folders(input, base))?;
    }
    if let Destination::File(out) = &destination {
        // Outputs of an earlier run in the input directory are not inputs.
        inputs.retain(|input| !input.is_found() || !outputs::same_file(input.path(), out));
    }
    let wanted = Wanted { from: args.from.as_deref(), profile: None };
    let mut plan = Plan::make(inputs, wanted, registry)?;
    plan.check_flags(given, registry, Some(to.info()))?;
    let existing = Existing::forced(args.force || args.update);
    let done = match args {
        _ if args.skip_existing => Done::IfExisting,
        _ if args.update => Done::IfNewer(edits.newest_file()),
        _ => Done::Never,
    };
    let batch = plan.batch && matches!(destination, Destination::Directory(_));
    let strictness = Strictness::new(&args.strict, registry)?;
    if let Some(template) = &args.name_template {
        template.check_use(plan.batch, to.info())?;
    }
    let mut log = Log::create(args.report.report.as_deref())?;
    let outputs = Outputs::new(destination, registry, to, (existing, done), &mut plan);
    let reports = Reports { args, to: to.info(), strictness, batch };
    let job = Job { args, edits, clip_use, registry, to, outputs, reports };
    let exit = match (&job.outputs.destination, plan.batch) {
        (Destination::Directory(_), _) | (_, false) => job.run(plan, &mut log, console),
        _ if merges => merge::run(&job, plan, &mut log, console),
        _ => Err(Failure::Usage(one_clip(to.info()))),
    }?;
    log.map_or(Ok(()), Log::end)?;
    Ok(exit)
}

/// Returns the message about several inputs for one file of a format that stores one clip.
fn one_clip(to: &FormatInfo) -> String {
    format!(
        "several inputs, but a file of {} stores one clip; use --out-dir DIR for a file per input, \
         edit --merge FILE to play them at once, or edit --join to play them one after the other",
        to.name
    )
}

const MANY: &str = "several inputs need --to FORMAT --out-dir DIR";

/// Splits the arguments into inputs and the output.
fn destination(args: &TransferArgs) -> Result<(&[PathBuf], Destination), Failure> {
    if let Some(directory) = &args.out_dir {
        return Ok((&args.files, Destination::Directory(directory.clone())));
    }
    if args.batch.files_from.is_some() && args.output.is_none() {
        return Err(Failure::Usage("--files-from needs -o OUT or --out-dir DIR".to_owned()));
    }
    let (inputs, out) = match (&args.output, args.files.as_slice()) {
        (Some(out), _) => (args.files.as_slice(), out),
        (None, [input, out]) => (core::slice::from_ref(input), out),
        (None, [only]) => {
            let message = format!(
                "{}: the output is missing; pass OUT, -o OUT or --out-dir DIR",
                only.display()
            );
            return Err(Failure::Usage(message));
        }
        _ => return Err(Failure::Usage(MANY.to_owned())),
    };
    if is_dash(out) {
        return Ok((inputs, Destination::Stdout));
    }
    if out.is_dir() || ends_with_separator(out) {
        let to = if args.to.is_some() { "" } else { "--to FORMAT " };
        let out = out.display();
        let message = format!("{out}: is a directory, not a file; use {to}--out-dir {out}");
        return Err(Failure::Usage(message));
    }
    Ok((inputs, Destination::File(out.clone())))
}

/// Returns whether a path names a directory, even if there is none: `out/`.
fn ends_with_separator(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator)
}

/// Returns the requested format, else that of the output's extension.
fn target<'r>(
    args: &TransferArgs,
    destination: &Destination,
    registry: &'r Registry,
) -> Result<&'r dyn Format, Failure> {
    if let Some(format) = args.to.as_deref().and_then(|name| registry.by_name(name)) {
        return Ok(format);
    }
    let known = || {
        let ids: Vec<&str> = registry.formats().map(|format| format.info().id).collect();
        ids.join(", ")
    };
    let Destination::File(path) = destination else {
        return Err(Failure::Usage(format!(
            "cannot infer the output format; pass --to with one of {}",
            known()
        )));
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(|extension| registry.by_extension(extension)).ok_or_else(|| {
        let what = match extension {
            Some(extension) => format!("no format has the extension .{extension}"),
            None => "the name has no extension".to_owned(),
        };
        Failure::Usage(format!("{}: {what}; pass --to with one of {}", path.display(), known()))
    })
}

/// Returns the format with the options that a program needs, and prints them.
fn for_program(
    to: &dyn Format,
    name: Option<&str>,
    given: &[Given],
    console: &mut Console,
) -> Result<Option<Box<dyn Format>>, Failure> {
    let Some(profile) = name.and_then(Profile::by_name) else { return Ok(None) };
    let info = to.info();
    if !profile.concerns(info) {
        let formats = profile.formats.join(", ");
        let message = format!(
            "--for {}: {} does not read {} files; write one of {formats}",
            profile.name, profile.program, info.name
        );
        return Err(Failure::Usage(message));
    }
    let mut format: Option<Box<dyn Format>> = None;
    let mut set = Vec::new();
    for (option, value) in profile.options_of(info) {
        if given.iter().any(|flag| flag.name() == option) {
            continue;
        }
        let made = format.as_deref().unwrap_or(to).with_option(option, value);
        format = Some(made.map_err(|error| Failure::Usage(format!("--{option}: {error}")))?);
        set.push(format!("--{option} {value}"));
    }
    let set = if set.is_empty() { "no option is needed".to_owned() } else { set.join(" ") };
    console.note(&format!("for {}: {set}", profile.program));
    Ok(format)
}

/// Returns the format that writes the kind of files that `--to` or the output's extension names,
/// unless a flag chose one.
fn by_extension(
    to: &dyn Format,
    name: Option<&str>,
    destination: &Destination,
    given: &[Given],
) -> Option<Box<dyn Format>> {
    let option = to.info().extension_option?;
    if given.iter().any(|flag| flag.name() == option) {
        return None;
    }
    let is_id = |name: &&str| name.eq_ignore_ascii_case(to.info().id);
    if let Some(extension) = name.filter(|name| !is_id(name)) {
        return for_extension(to, extension);
    }
    let extension = match destination {
        Destination::File(path) => path.extension()?.to_str()?,
        Destination::Directory(_) => to.extension(),
        Destination::Stdout => return None,
    };
    for_extension(to, extension)
}

fn check_streams(
    args: &TransferArgs,
    destination: &Destination,
    to: &FormatInfo,
) -> Result<(), Failure> {
    if *destination != Destination::Stdout {
        return Ok(());
    }
    if args.json.is_json() {
        return Err(json_beside_output());
    }
    if to.encoding == FileEncoding::Binary && io::stdout().is_terminal() {
        let message = format!(
            "{} files are binary; redirect the output instead of printing to a terminal",
            to.name
        );
        return Err(Failure::Usage(message));
    }
    Ok(())
}
