//! `inbetween edit`: reads, edits and writes as `convert` does.

use inbetween::Registry;

use crate::args::EditArgs;
use crate::commands::convert::{self, ClipUse};
use crate::console::Console;
use crate::edits::Edits;
use crate::exit::{Exit, Failure};
use crate::flags::Given;

pub(crate) fn run(
    args: &EditArgs,
    registry: &Registry,
    given: &[Given],
    console: &mut Console,
) -> Result<Exit, Failure> {
    if args.operations.as_slice().is_empty() {
        let message = "no edit is requested; `inbetween help edit` lists them, and convert writes \
                       a file without edits";
        return Err(Failure::Usage(message.to_owned()));
    }
    let edits = Edits::prepare(args.operations.as_slice(), args.skeleton.as_deref(), registry)?;
    if edits.joins() && args.transfer.clip.is_some() {
        let message = "--join joins all clips and --clip edits one; use only one of them";
        return Err(Failure::Usage(message.to_owned()));
    }
    convert::run_with(&args.transfer, (&edits, ClipUse::Edit), registry, given, console)
}
