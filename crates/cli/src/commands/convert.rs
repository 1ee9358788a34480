//! `inbetween convert`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use inbetween::core::num::u64_from_len;
use inbetween::core::{FileEncoding, FormatInfo};
use inbetween::{Conversion, Extent, Finding, Format, Registry, convert_as};

use crate::args::ConvertArgs;
use crate::batch;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, Input, is_dash};
use crate::json::{ConvertFile, List};
use crate::output::{self, Existing};
use crate::plan::{Plan, Planned, Wanted};
use crate::report::{self, decimal, plural, visible};

/// Where the results go.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    Stdout,
    File(PathBuf),
    Directory(PathBuf),
}

/// What to do with each input.
struct Job<'a> {
    args: &'a ConvertArgs,
    registry: &'a Registry,
    to: &'a dyn Format,
    destination: Destination,
}

/// What became of an input.
struct Converted {
    path: String,
    name: String,
    output: Option<String>,
    from: Option<&'static FormatInfo>,
    /// The length of the result.
    bytes: Option<u64>,
    extent: Extent,
    losses: Vec<Finding>,
    /// The result, where it goes to the standard output.
    to_stdout: Option<Vec<u8>>,
    failure: Option<Failure>,
}

pub(crate) fn run(
    args: &ConvertArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let (files, destination) = destination(args)?;
    let to = target(args, &destination, registry)?;
    check_streams(args, &destination, to.info())?;
    let except = match &destination {
        Destination::Directory(directory) => {
            output::check_directory(directory)?;
            Some(directory.as_path())
        }
        Destination::File(_) | Destination::Stdout => None,
    };
    let inputs = inputs::expand(files, except)?;
    let wanted = Wanted { from: args.from.as_deref(), profile: None };
    let plan = Plan::make(inputs, wanted, registry)?;
    let single = !matches!(destination, Destination::Directory(_));
    if single && plan.batch {
        return Err(Failure::Usage(MANY.to_owned()));
    }
    plan.check_flags(given, registry, Some(to.info()))?;
    let job = Job { args, registry, to, destination };
    job.check_collisions(&plan)?;
    job.run(plan, console)
}

const MANY: &str = "many inputs need --to FORMAT --out-dir DIR";

/// Splits the arguments into inputs and the output.
fn destination(args: &ConvertArgs) -> Result<(&[PathBuf], Destination), Failure> {
    if let Some(directory) = &args.out_dir {
        return Ok((&args.files, Destination::Directory(directory.clone())));
    }
    let (inputs, out) = match (&args.output, args.files.as_slice()) {
        (Some(out), [_]) => (args.files.as_slice(), out),
        (None, [input, out]) => (core::slice::from_ref(input), out),
        (None, [only]) => {
            let message =
                format!("{}: where to? give OUT, -o OUT or --out-dir DIR", only.display());
            return Err(Failure::Usage(message));
        }
        _ => return Err(Failure::Usage(MANY.to_owned())),
    };
    if is_dash(out) {
        return Ok((inputs, Destination::Stdout));
    }
    if out.is_dir() {
        let message = format!("{}: is a directory; give it as --out-dir", out.display());
        return Err(Failure::Usage(message));
    }
    if let Some(directory) = inputs.iter().find(|input| input.is_dir()) {
        let message = format!("{}: is a directory; {MANY}", directory.display());
        return Err(Failure::Usage(message));
    }
    Ok((inputs, Destination::File(out.clone())))
}

/// Finds the format to write: the one asked for, else the one of the output's extension.
fn target<'r>(
    args: &ConvertArgs,
    destination: &Destination,
    registry: &'r Registry,
) -> Result<&'r dyn Format, Failure> {
    if let Some(format) = args.to.as_deref().and_then(|id| registry.by_id(id)) {
        return Ok(format);
    }
    let known = || {
        let ids: Vec<&str> = registry.formats().map(|format| format.info().id).collect();
        ids.join(", ")
    };
    let Destination::File(path) = destination else {
        return Err(Failure::Usage(format!("which format? give --to with one of {}", known())));
    };
    let extension = path.extension().and_then(|extension| extension.to_str());
    extension.and_then(|extension| registry.by_extension(extension)).ok_or_else(|| {
        let what = match extension {
            Some(extension) => format!("no format has the extension .{extension}"),
            None => "the name has no extension".to_owned(),
        };
        Failure::Usage(format!("{}: {what}; give --to with one of {}", path.display(), known()))
    })
}

fn check_streams(
    args: &ConvertArgs,
    destination: &Destination,
    to: &FormatInfo,
) -> Result<(), Failure> {
    if *destination != Destination::Stdout {
        return Ok(());
    }
    if args.json {
        let message = "--json and an output of - both need the standard output";
        return Err(Failure::Usage(message.to_owned()));
    }
    if to.encoding == FileEncoding::Binary && io::stdout().is_terminal() {
        let message = format!("{} files are not for a terminal; redirect the output", to.name);
        return Err(Failure::Usage(message));
    }
    Ok(())
}

impl Job<'_> {
    fn output_of(&self, input: &Input) -> Option<PathBuf> {
        match &self.destination {
            Destination::Stdout => None,
            Destination::File(path) => Some(path.clone()),
            Destination::Directory(directory) => {
                Some(directory.join(self.renamed(&input.relative)))
            }
        }
    }

    /// Gives a file the extension of the target; one that no format has stays in the name.
    fn renamed(&self, path: &Path) -> PathBuf {
        let new = self.to.info().extensions.first().copied().unwrap_or(self.to.info().id);
        let old = path.extension().and_then(|extension| extension.to_str());
        match old.and_then(|old| self.registry.by_extension(old)) {
            Some(_) => path.with_extension(new),
            None => output::with_ending(path, &format!(".{new}")),
        }
    }

    /// Fails where two inputs would become one output.
    fn check_collisions(&self, plan: &Plan<'_>) -> Result<(), Failure> {
        let mut taken: BTreeMap<PathBuf, String> = BTreeMap::new();
        for file in plan.files.iter().filter(|file| file.format.is_ok()) {
            let Some(output) = self.output_of(&file.input) else { continue };
            let name = file.input.name();
            if let Some(first) = taken.insert(file_identity(&output), name.clone()) {
                return Err(Failure::Usage(format!(
                    "{first} and {name} would both become {}; nothing was written",
                    output.display()
                )));
            }
        }
        Ok(())
    }

    fn run(&self, plan: Plan<'_>, console: &mut Console) -> Result<Exit, Failure> {
        let (batch, skipped) = (plan.batch, plan.skipped);
        let (mut worst, mut done, mut failed) = (Exit::Fine, 0_u64, 0_u64);
        let mut list = List::default();
        batch::in_order(
            plan.files,
            console,
            |file| self.convert(file),
            |converted, console| {
                match &converted.failure {
                    None => done = done.saturating_add(1),
                    Some(failure) => {
                        worst = worst.max(failure.exit());
                        failed = failed.saturating_add(1);
                    }
                }
                self.tell(&converted, &mut list, console)?;
                Ok(ControlFlow::Continue(()))
            },
        )?;
        if self.args.json {
            list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
        }
        if batch {
            let files = plural(done, "file", "files");
            console.note(&format!("{files} converted, {failed} failed, {skipped} skipped"));
        }
        Ok(worst)
    }

    fn convert(&self, planned: Planned<'_>) -> Converted {
        let output = self.output_of(&planned.input);
        let mut converted = Converted {
            path: planned.input.path().display().to_string(),
            name: planned.input.name(),
            output: output.as_deref().map(|path| path.display().to_string()),
            from: planned.format.as_ref().ok().map(|format| format.info()),
            bytes: None,
            extent: Extent::default(),
            losses: Vec::new(),
            to_stdout: None,
            failure: None,
        };
        let result = self.convert_file(planned, output.as_deref(), &mut converted);
        converted.failure = result.err();
        converted
    }

    fn convert_file(
        &self,
        planned: Planned<'_>,
        output: Option<&Path>,
        converted: &mut Converted,
    ) -> Result<(), Failure> {
        let existing = Existing::forced(self.args.force);
        if let (Some(path), Destination::File(_)) = (output, &self.destination) {
            if !self.args.force && same_file(planned.input.path(), path) {
                let message = "is the input itself; give --force to replace it";
                return Err(Failure::Cannot(format!("{}: {message}", path.display())));
            }
            output::check(path, existing)?;
        }
        let (format, bytes) = planned.load(self.registry)?;
        let conversion = convert_as(format, &bytes, self.to, self.registry.limits())
            .map_err(|error| Failure::of_file(&converted.name, error))?;
        drop(bytes);
        let refused = self.args.strict && conversion.is_lossy();
        let Conversion { bytes, losses, extent, .. } = conversion;
        (converted.losses, converted.extent) = (losses, extent);
        if refused {
            return Err(Failure::Refused(format!(
                "{}: {}, and --strict allows none; nothing was written",
                converted.name,
                count_losses(&converted.losses)
            )));
        }
        if let Some(path) = output {
            self.make_directories(path)?;
            output::write(path, &bytes, existing)?;
        }
        converted.bytes = Some(u64_from_len(bytes.len()));
        converted.to_stdout = output.is_none().then_some(bytes);
        Ok(())
    }

    /// Makes the directories between `--out-dir` and a file of a subdirectory.
    fn make_directories(&self, path: &Path) -> Result<(), Failure> {
        match (&self.destination, path.parent()) {
            (Destination::Directory(_), Some(parent)) => fs::create_dir_all(parent)
                .map_err(|error| inbetween::IoError::new(parent, error).into()),
            _ => Ok(()),
        }
    }

    fn tell(
        &self,
        converted: &Converted,
        list: &mut List,
        console: &mut Console,
    ) -> io::Result<()> {
        if let Some(bytes) = &converted.to_stdout {
            console.out.write_all(bytes)?;
        }
        if self.args.json {
            list.push(&self.json(converted), &mut console.out)?;
        } else {
            match (&converted.failure, &converted.to_stdout) {
                (None, None) => console.line(&self.summary(converted))?,
                (None, Some(_)) => console.note(&self.summary(converted)),
                (Some(_), _) => {}
            }
            if !converted.losses.is_empty() {
                let name = visible(&converted.name);
                console.report(|paint| {
                    format!(
                        "{name}: lost or changed:\n{}",
                        report::losses(&converted.losses, paint)
                    )
                });
            }
        }
        if let Some(failure) = &converted.failure {
            console.error(failure.message());
        }
        Ok(())
    }

    fn summary(&self, converted: &Converted) -> String {
        let extent = &converted.extent;
        let mut parts = Vec::new();
        if extent.clips != 1 {
            parts.push(plural(u64_from_len(extent.clips), "clip", "clips"));
        }
        parts.push(plural(u64_from_len(extent.tracks), "track", "tracks"));
        parts.push(plural(extent.keys, "key", "keys"));
        if extent.markers > 0 {
            parts.push(plural(u64_from_len(extent.markers), "marker", "markers"));
        }
        parts.push(format!("{} s", decimal(extent.duration)));
        parts.push(count_losses(&converted.losses));
        format!(
            "{} ({}) -> {} ({}): {}",
            visible(&converted.name),
            converted.from.map_or("?", |info| info.name),
            visible(converted.output.as_deref().unwrap_or("standard output")),
            self.to.info().name,
            parts.join(", ")
        )
    }

    fn json<'c>(&self, converted: &'c Converted) -> ConvertFile<'c> {
        ConvertFile {
            input: &converted.path,
            output: converted.output.as_deref(),
            from: converted.from.map(|info| info.id),
            to: self.to.info().id,
            bytes: converted.bytes,
            losses: converted.losses.iter().map(Into::into).collect(),
            written: converted.failure.is_none(),
            error: converted.failure.as_ref().map(Failure::message),
        }
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}

fn count_losses(findings: &[Finding]) -> String {
    let losses = findings.iter().filter(|finding| finding.code.is_loss()).count();
    plural(u64_from_len(losses), "loss", "losses")
}

/// Returns what tells two outputs apart on the usual file system of the machine.
fn file_identity(path: &Path) -> PathBuf {
    if cfg!(any(windows, target_os = "macos")) {
        path.to_string_lossy().to_lowercase().into()
    } else {
        path.to_owned()
    }
}
