//! `inbetween formats`.

use std::io;

use inbetween::core::FormatInfo;
use inbetween::json::FormatRow;
use inbetween::{Format, Registry};

use crate::args::FormatsArgs;
use crate::console::Console;
use crate::exit::{Exit, Failure};
use crate::json::List;

pub(crate) fn run(
    args: &FormatsArgs,
    registry: &Registry,
    console: &mut Console,
) -> Result<Exit, Failure> {
    let mut infos = registry.formats().map(Format::info);
    let printed = if args.json {
        json(infos, console)
    } else {
        infos.try_for_each(|info| text(info, console))
    };
    printed.map(|()| Exit::Fine).map_err(|error| Failure::of_stdout(&error))
}

fn json(infos: impl Iterator<Item = &'static FormatInfo>, console: &mut Console) -> io::Result<()> {
    let mut list = List::default();
    for info in infos {
        list.push(&FormatRow::from(info), &mut console.out)?;
    }
    list.end(&mut console.out)
}

fn text(info: &FormatInfo, console: &mut Console) -> io::Result<()> {
    let extensions: Vec<String> =
        info.extensions.iter().map(|extension| format!(".{extension}")).collect();
    let heading = console.paint.heading(info.id);
    console.line(&format!("{heading}  {} ({})", info.name, extensions.join(", ")))?;
    console.line(&format!("  {}", info.summary))?;
    console.line(&format!("  Guarantee: {}", info.promise))?;
    for option in info.options {
        console.line(&format!("  --{} {}", option.name, option.value))?;
        console.line(&format!("      {}", option.help))?;
    }
    Ok(())
}
