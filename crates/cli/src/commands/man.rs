//! `inbetween completions` and `inbetween man`.

use std::io::Write;

use inbetween::Registry;

use crate::args::{self, CompletionsArgs, ManArgs};
use crate::console::Console;
use crate::exit::{Exit, Failure};

pub(crate) fn completions(
    args: &CompletionsArgs,
    registry: &Registry,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let mut command = args::command(registry);
    // The generator panics on write errors, which cannot occur in memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "inbetween", &mut script);
    print(&script, console)
}

pub(crate) fn man(
    args: &ManArgs,
    registry: &Registry,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let mut command = args::command(registry);
    command.build();
    let page = match &args.command {
        None => command,
        // After `build`, its name includes that of its parent.
        Some(name) => command.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::Usage(format!("{name}: no such command; `inbetween --help` lists them"))
        })?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .render(&mut text)
        .map_err(|error| Failure::Cannot(format!("cannot write the manual page: {error}")))?;
    print(&text, console)
}

fn print(text: &[u8], console: &mut Console) -> Result<Exit, Failure> {
    let printed = console.out.write_all(text);
    printed.map(|()| Exit::Fine).map_err(|error| Failure::of_stdout(&error))
}
