//! The command `inbetween` as a library, for programs that carry it: the Python wheel.
#![expect(
    clippy::arithmetic_side_effects,
    reason = "counts of files, findings and lines; numbers from files are left to the library"
)]

mod args;
mod batch;
mod chosen;
mod codes;
mod commands;
mod console;
mod edits;
mod examples;
mod exit;
mod flags;
#[cfg(feature = "png")]
mod font;
mod inputs;
mod json;
mod operations;
mod output;
mod picture;
mod plan;
mod reading;
mod remedy;
mod report;
mod select;
mod single_output;
mod skeleton;
mod sparklines;
mod strict;
mod table;
mod times;
mod unified_diff;
mod usage;
mod value_text;

use std::ffi::OsString;
use std::panic;
use std::path::Path;

use clap::FromArgMatches;
use inbetween::error::IoError;
use inbetween::{Limits, Registry};

use crate::args::{Cli, Command};
use crate::console::Console;
use crate::exit::{Exit, Failure};

/// The name of the command, in its usage texts.
const NAME: &str = "inbetween";

/// Runs the command as its own process would, with these arguments after its name, and returns its
/// exit code.
///
/// It takes over Ctrl-C, which removes unfinished files and ends the process with 130, and the hook of
/// panics. So a program calls it once, and last.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    panic::set_hook(Box::new(|info| {
        console::complain(&format!("this is a bug in inbetween, please report it: {info}"));
    }));
    if let Err(error) = output::clean_up_on_interrupt() {
        console::complain(&format!("cannot listen for Ctrl-C: {error}"));
    }
    let line = [OsString::from(NAME)].into_iter().chain(arguments).collect();
    panic::catch_unwind(|| parse_and_run(line)).unwrap_or(Exit::Cannot).code()
}

/// Writes a file as the commands do: completely, or not at all. A file that exists is replaced.
///
/// # Errors
///
/// Returns the error of the path; the old file is unchanged.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    output::save(path, bytes).map_err(|error| IoError::new(path, error))
}

fn parse_and_run(line: Vec<OsString>) -> Exit {
    // Playback clips are read only, so they are no format of the library's own registry, whose
    // formats convert in both directions.
    let registry = Registry::with_builtin().push(Box::new(inbetween::clip::ClipFile));
    let mut command = args::command(&registry);
    let parsed = command
        .try_get_matches_from_mut(line)
        .and_then(|matches| Cli::from_arg_matches(&matches).map(|cli| (cli, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage::report(error, &command),
    };
    let mut console = Console::new(cli.quiet);
    if let Some(jobs) = cli.command.jobs() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get()).build_global();
        if let Err(error) = pool {
            console.error(&format!("--jobs {jobs}: {error}"));
            return Exit::Cannot;
        }
    }
    let registry = registry.with_limits(limits(&cli));
    let given = flags::given(&registry, &matches);
    let outcome = flags::set(registry, &given)
        .and_then(|registry| dispatch(&cli, &registry, &given, &mut console))
        .and_then(|exit| console.finish().map(|()| exit));
    // This also runs after a failure, because many files may have been written before it.
    let synced = output::sync_directories();
    outcome.and_then(|exit| synced.map(|()| exit)).unwrap_or_else(|failure| {
        console.error(failure.message());
        failure.exit()
    })
}

fn limits(cli: &Cli) -> Limits {
    let mut limits = Limits::default();
    limits.decoded_bytes = cli.max_decoded;
    limits.input_bytes = cli.max_input.unwrap_or(limits.input_bytes);
    limits
}

fn dispatch(
    cli: &Cli,
    registry: &Registry,
    given: &[flags::Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    match &cli.command {
        Command::Info(args) => commands::info::run(args, registry, given, console),
        Command::Check(args) => commands::check::run(args, registry, given, console),
        Command::Convert(args) => commands::convert::run(args, registry, given, console),
        Command::Unpack(args) => commands::text::unpack(args, registry, given, console),
        Command::Pack(args) => commands::text::pack(args, registry, console),
        Command::Edit(args) => commands::edit::run(args, registry, given, console),
        Command::Sample(args) => commands::sample::run(args, registry, given, console),
        Command::Formats(args) => commands::formats::run(args, registry, console),
        Command::Diff(args) => commands::diff::run(args, registry, given, console),
        Command::Plot(args) => commands::plot::run(args, registry, given, console),
        Command::Clip(args) => commands::clip::run(args, registry, given, console),
        Command::Skeleton(args) => commands::skeleton::run(args, registry, given, console),
        Command::Explain(args) => commands::explain::run(args, registry, console),
        Command::Completions(args) => commands::man::completions(args, registry, console),
        Command::Man(args) => commands::man::man(args, registry, console),
    }
}
