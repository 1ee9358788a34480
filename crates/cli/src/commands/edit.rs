//! `inbetween edit`: reads, edits and writes as `convert` does.

use inbetween::Registry;
use inbetween::edit::{AxesChoice, Case, MapOptions};

use crate::args::EditArgs;
use crate::commands::convert::{self, ClipUse};
use crate::console::Console;
use crate::edits::{Edits, Missing};
use crate::exit::{Exit, Failure};
use crate::flags::Given;
use crate::operations::Operation;

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
    let mut operations = args.operations.clone();
    if args.ignore_case {
        let made = operations.ignore_case();
        made.map_err(|error| Failure::Usage(error.to_string()))?;
    }
    let case = if args.ignore_case { Case::Ignored } else { Case::Sensitive };
    let transfer = &args.transfer;
    // In a batch, a file may lack a name.
    let missing = match transfer.files.as_slice() {
        _ if transfer.out_dir.is_none() => Missing::Refused,
        [file] if transfer.batch.files_from.is_none() && file.is_file() => Missing::Refused,
        _ => Missing::Noted,
    };
    let operations: Vec<_> = transfer
        .play_frames_at()
        .into_iter()
        .chain(operations.as_slice().iter().cloned())
        .chain([Operation::Map(MapOptions { axes: AxesChoice::Keep, ..MapOptions::default() })])
        .collect();
    let edits = Edits::prepare(&operations, transfer.skeleton.as_deref(), case, registry)?;
    let edits = edits.missing(missing);
    if edits.joins() && args.transfer.clip.is_some() {
        let message = "--join joins all clips and --clip edits one; use only one of them";
        return Err(Failure::Usage(message.to_owned()));
    }
    convert::run_with(&args.transfer, (edits, ClipUse::Edit), registry, given, console)
}
