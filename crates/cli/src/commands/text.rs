//! `inbetween unpack` and `inbetween pack`.

use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use inbetween::core::num::u64_from_len;
use inbetween::core::{FileEncoding, FormatInfo, printable};
use inbetween::files::Expected;
use inbetween::{Error, Format, ReadErrorKind, Registry, text_form};

use crate::args::{PackArgs, RewritingArgs, UnpackArgs};
use crate::batch::{self, Summary};
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::inputs::{self, Input, Origin, Source, is_dash};
use crate::json::{List, RewrittenFile};
use crate::output::{self, Existing};
use crate::plan::{Plan, Planned, Skipped, Wanted, nothing_to_do};
use crate::report::plural;
use crate::single_output::json_beside_output;

/// The extension of a text form.
const ENDING: &str = "json";

/// The direction of the conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Unpack,
    Pack,
}

impl Direction {
    /// Returns the default output name: FILE.json for FILE, and FILE for FILE.json.
    fn beside(self, path: &Path) -> Result<PathBuf, Failure> {
        if self == Self::Unpack {
            return Ok(output::with_ending(path, &format!(".{ENDING}")));
        }
        let ending = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(ENDING));
        let file = path.with_extension("");
        if ending && file.extension().is_some() {
            return Ok(file);
        }
        let name = path.display();
        let message = "cannot infer the output name from a name that is not like walk.seanim.json";
        Err(Failure::Usage(format!("{name}: {message}; pass -o OUT")))
    }

    const fn did(self) -> &'static str {
        match self {
            Self::Unpack => "unpacked",
            Self::Pack => "packed",
        }
    }
}

/// The destination of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Destination {
    Stdout,
    File(PathBuf),
}

/// The result of converting a file.
struct Rewritten {
    path: String,
    name: String,
    format: Option<&'static FormatInfo>,
    output: Option<String>,
    /// The size of the result.
    bytes: Option<u64>,
    /// The result, if it goes to standard output.
    to_stdout: Option<Vec<u8>>,
    outcome: Result<Done, Failure>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Done {
    Written,
    /// A file of a directory that the command skips.
    Skipped,
}

impl Rewritten {
    fn new(input: &Input) -> Self {
        Self {
            path: input.path().display().to_string(),
            name: input.name(),
            format: None,
            output: None,
            bytes: None,
            to_stdout: None,
            outcome: Ok(Done::Written),
        }
    }
}

pub(crate) fn unpack(
    args: &UnpackArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    let job = Job { direction: Direction::Unpack, args: &args.rewriting, registry };
    let inputs = inputs::gather(&job.args.files, &job.args.batch, None)?;
    let wanted = Wanted { from: args.from.as_deref(), profile: None };
    let mut plan = Plan::make(inputs, wanted, registry)?;
    let suitable = |file: &Planned<'_>| file.input.origin == Origin::Named || has_text_form(file);
    let (files, others): (Vec<_>, Vec<_>) = plan.files.into_iter().partition(suitable);
    plan.files = files;
    plan.skipped.extend(others.into_iter().map(|file| Skipped {
        name: file.input.name(),
        why: "this format has no text form, because its files are text".to_owned(),
    }));
    if plan.files.is_empty() {
        return Err(nothing_to_do(plan.skipped.len()));
    }
    job.check(plan.files.iter().map(|file| &file.input), plan.batch)?;
    plan.check_flags(given, registry, None)?;
    let work = |file: Planned<'_>| {
        let input = file.input.clone();
        job.rewrite(&input, |job, done| {
            let to = job.destination(&input)?;
            job.unpack(file, to, done)
        })
    };
    job.run(plan.files, plan.batch, plan.skipped, console, work)
}

/// Returns whether a file can be unpacked, or fails to be read.
fn has_text_form(file: &Planned<'_>) -> bool {
    file.format.as_ref().map_or(true, |format| format.text().is_some())
}

pub(crate) fn pack(
    args: &PackArgs,
    registry: &Registry,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let job = Job { direction: Direction::Pack, args: &args.rewriting, registry };
    let inputs = inputs::gather(&job.args.files, &job.args.batch, None)?;
    let batch = inputs.len() != 1 || inputs.iter().any(|input| input.origin == Origin::Found);
    job.check(inputs.iter(), batch)?;
    let work = |input: Input| job.rewrite(&input, |job, done| job.pack(&input, done));
    job.run(inputs, batch, Vec::new(), console, work)
}

/// The settings for each input.
struct Job<'a> {
    direction: Direction,
    args: &'a RewritingArgs,
    registry: &'a Registry,
}

impl Job<'_> {
    /// Checks the arguments before anything is read.
    fn check<'i>(
        &self,
        mut inputs: impl Iterator<Item = &'i Input>,
        batch: bool,
    ) -> Result<(), Failure> {
        if batch && self.args.output.is_some() {
            let message =
                "-o takes a single input; without it, outputs are written next to their inputs";
            return Err(Failure::Usage(message.to_owned()));
        }
        let named = |input: &&Input| input.origin == Origin::Named;
        inputs.try_for_each(|input| match named(&input).then(|| self.destination(input)) {
            Some(Ok(Destination::Stdout)) if self.args.json.is_json() => Err(json_beside_output()),
            Some(Err(failure)) => Err(failure),
            _ => Ok(()),
        })
    }

    /// Returns the destination of an input: the requested one, else next to the input.
    fn destination(&self, input: &Input) -> Result<Destination, Failure> {
        match (&self.args.output, &input.source) {
            (Some(out), _) if is_dash(out) => Ok(Destination::Stdout),
            (Some(out), _) => Ok(Destination::File(out.clone())),
            (None, Source::Stdin) => Ok(Destination::Stdout),
            (None, Source::File(path)) => self.direction.beside(path).map(Destination::File),
        }
    }

    fn rewrite(
        &self,
        input: &Input,
        work: impl FnOnce(&Self, &mut Rewritten) -> Result<Done, Failure>,
    ) -> Rewritten {
        let mut rewritten = Rewritten::new(input);
        rewritten.outcome = work(self, &mut rewritten);
        rewritten
    }

    fn unpack(
        &self,
        planned: Planned<'_>,
        to: Destination,
        done: &mut Rewritten,
    ) -> Result<Done, Failure> {
        self.check_output(&to)?;
        let (opened, bytes) = planned.load(self.registry)?;
        let format = opened.get();
        done.format = Some(format.info());
        let text = text_form(format)
            .and_then(|form| Ok(form.unpack(&bytes, self.registry.limits())?))
            .map_err(|error| Failure::of_file(&done.name, error))?;
        self.write(text, to, done)
    }

    fn pack(&self, input: &Input, done: &mut Rewritten) -> Result<Done, Failure> {
        let failed = |error| Failure::of_file(&done.name, error);
        let read = input.load(Expected::TextForm, self.registry).and_then(|text| {
            let format = self.registry.format_of_text(&text)?;
            Ok((text, format))
        });
        let (text, format) = match read {
            Err(error) if input.is_found() && is_other_file(&error) => return Ok(Done::Skipped),
            read => read.map_err(failed)?,
        };
        done.format = Some(format.info());
        let to = self.destination(input)?;
        self.check_output(&to)?;
        check_terminal(&to, format)?;
        let packed = text_form(format)
            .and_then(|form| Ok(form.pack(&text, self.registry.limits())?))
            .map_err(failed)?;
        drop(text);
        self.write(packed, to, done)
    }

    /// Returns an error before the conversion if the output cannot be written.
    fn check_output(&self, to: &Destination) -> Result<(), Failure> {
        match to {
            Destination::File(path) => output::check(path, Existing::forced(self.args.force)),
            Destination::Stdout => Ok(()),
        }
    }

    fn write(
        &self,
        bytes: Vec<u8>,
        to: Destination,
        done: &mut Rewritten,
    ) -> Result<Done, Failure> {
        let length = u64_from_len(bytes.len());
        match to {
            Destination::File(path) => {
                output::write(&path, &bytes, Existing::forced(self.args.force))?;
                done.output = Some(path.display().to_string());
            }
            Destination::Stdout => done.to_stdout = Some(bytes),
        }
        done.bytes = Some(length);
        Ok(Done::Written)
    }

    fn run<T: Send>(
        &self,
        files: Vec<T>,
        batch: bool,
        mut skipped: Vec<Skipped>,
        console: &mut Console,
        work: impl Fn(T) -> Rewritten + Sync,
    ) -> Result<Exit, Failure> {
        let mut summary = Summary::default();
        let mut list = List::new(self.args.json.form());
        batch::in_order(files, console, work, |file, console| {
            match &file.outcome {
                Ok(Done::Written) => summary.succeed(),
                Ok(Done::Skipped) => {
                    let why = "not the text form of a binary file".to_owned();
                    skipped.push(Skipped { name: file.name.clone(), why });
                    return Ok(ControlFlow::Continue(()));
                }
                Err(failure) => summary.fail(failure),
            }
            self.print(&file, &mut list, console)?;
            Ok(ControlFlow::Continue(()))
        })?;
        if self.args.json.is_json() {
            list.end(&mut console.out).map_err(|error| Failure::of_stdout(&error))?;
        }
        if summary.done() == 0 && summary.failures() == 0 {
            return Err(nothing_to_do(skipped.len()));
        }
        if batch {
            if !self.args.json.is_json() {
                summary.print_files(&skipped, console);
            }
            summary.print_counts(self.direction.did(), skipped.len(), console);
        }
        Ok(summary.exit())
    }

    fn print(&self, file: &Rewritten, list: &mut List, console: &mut Console) -> io::Result<()> {
        if let Some(bytes) = &file.to_stdout {
            console.out.write_all(bytes)?;
        }
        if self.args.json.is_json() {
            list.push(&file.json(), &mut console.out)?;
        } else if file.outcome.is_ok() {
            match file.to_stdout {
                None => console.status(&file.summary())?,
                Some(_) => console.note(&file.summary()),
            }
        }
        if let (Err(failure), false) = (&file.outcome, self.args.json.is_json()) {
            console.error(failure.message());
        }
        Ok(())
    }
}

impl Rewritten {
    fn summary(&self) -> String {
        format!(
            "{} ({}) -> {}: {}",
            printable(&self.name),
            self.format.map_or("?", |info| info.name),
            printable(self.output.as_deref().unwrap_or("standard output")),
            plural(self.bytes.unwrap_or(0), "byte", "bytes")
        )
    }

    fn json(&self) -> RewrittenFile<'_> {
        RewrittenFile {
            input: &self.path,
            output: self.output.as_deref(),
            format: self.format.map(|info| info.id),
            bytes: self.bytes,
            written: self.outcome.is_ok(),
            error: self.outcome.as_ref().err().map(Into::into),
        }
    }
}

/// Returns whether an input is something other than a text form.
fn is_other_file(error: &Error) -> bool {
    matches!(error, Error::Read(error) if matches!(error.kind(), ReadErrorKind::Invalid { .. }))
}

/// Returns an error if a binary file would go to a terminal.
fn check_terminal(to: &Destination, format: &dyn Format) -> Result<(), Failure> {
    let info = format.info();
    if *to == Destination::Stdout
        && info.encoding == FileEncoding::Binary
        && io::stdout().is_terminal()
    {
        let message = format!(
            "{} files are binary; redirect the output instead of printing to a terminal",
            info.name
        );
        return Err(Failure::Usage(message));
    }
    Ok(())
}
