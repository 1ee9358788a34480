//! What the command line takes.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use inbetween::core::Severity;
use inbetween::edit::Axes;
use inbetween::{Profile, Registry};

use crate::flags;
use crate::operations::{Operation, Operations};

/// Reads, checks and converts game animation files.
#[derive(Debug, Parser)]
#[command(name = "inbetween", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Decode and make at most this many bytes of keys of an input, such as 512M or 4G [default:
    /// 16 times the input, at least 64M and at most 8G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) max_decoded: Option<u64>,
}

/// Reads a number of bytes, with a unit or without.
fn size(text: &str) -> Result<u64, String> {
    let (digits, unit) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (text.get(..at), 1 << 10),
        Some((at, 'm' | 'M')) => (text.get(..at), 1 << 20),
        Some((at, 'g' | 'G')) => (text.get(..at), 1 << 30),
        _ => (Some(text), 1_u64),
    };
    let number = digits.and_then(|digits| digits.parse::<u64>().ok());
    number
        .and_then(|number| number.checked_mul(unit))
        .ok_or_else(|| "expected a number of bytes such as 512M or 4G".to_owned())
}

const AFTER_HELP: &str = "\
A file may be - for the standard input or output. A directory or a pattern in quotes stands for
every file in it that is of a known format.

Exit codes: 0 all is well; 1 findings at the denied level, or a loss under --strict; 2 the command
was not understood; 3 something cannot be read or written, or is over a limit; 130 interrupted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Tells what is in files: layout, clips, tracks, keys, markers
    Info(InfoArgs),
    /// Tells what is wrong with files, and mends what can be mended
    Check(CheckArgs),
    /// Writes files again in another format, and tells what was lost
    Convert(ConvertArgs),
    /// Writes binary files as exact text, to be edited
    Unpack(UnpackArgs),
    /// Makes binary files of their exact text
    Pack(PackArgs),
    /// Changes animations: trims, reverses, merges, renames and more, in the order given
    Edit(EditArgs),
    /// Prints the values of tracks as the program of the format plays them
    Sample(SampleArgs),
    /// Lists the formats, what is promised for each, and their options
    Formats(FormatsArgs),
    /// Prints the completions of a shell
    Completions(CompletionsArgs),
    /// Prints a manual page
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Files, directories or patterns
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Takes the files for this format, whatever they look like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Prints a JSON array with an object for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Lists every track and marker
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Files, directories or patterns
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Takes the files for this format, whatever they look like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Prints a JSON array with an object for each file
    #[arg(long)]
    pub(crate) json: bool,
    /// Asks whether this program would read the files
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Ends with exit code 1 from this level on
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    pub(crate) deny: Level,
    /// Leaves out findings of this code; animj/* stands for all that begin so
    #[arg(long, value_name = "CODE")]
    pub(crate) ignore: Vec<String>,
    /// Leaves out findings of all other codes
    #[arg(long, value_name = "CODE")]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) mending: MendingArgs,
}

/// How `check` mends files.
#[derive(Args, Debug)]
pub(crate) struct MendingArgs {
    /// Mends what is mechanical, in place unless there is an output
    #[arg(long)]
    pub(crate) fix: bool,
    /// Writes the mended file here
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
    /// Keeps the file as it was, as FILE.bak
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub(crate) backup: bool,
    /// Replaces an output or a backup that exists
    #[arg(long, requires = "fix")]
    pub(crate) force: bool,
}

/// What `convert` and `edit` read and write, and how.
#[derive(Args, Debug)]
pub(crate) struct TransferArgs {
    /// The file to read, then the file to write; with -o or --out-dir, only files to read. A
    /// format that holds many clips takes many files with -o
    #[arg(value_name = "IN", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Takes the inputs for this format, whatever they look like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// The format to write, where the name of the output does not tell
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// The file to write
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// The directory to write to, one file for each input, or for each clip of an input where the
    /// format holds only one
    #[arg(long, value_name = "DIR", requires = "to")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Takes the clip of this name alone, in any case
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Replaces outputs that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Writes nothing where something would be lost
    #[arg(long)]
    pub(crate) strict: bool,
    /// Prints a JSON array with an object for each input
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
#[command(override_usage = CONVERT_USAGE)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) transfer: TransferArgs,
    /// Brings the animation into other axes: x,z,-y takes the new z from the old y, turned round
    #[arg(long, value_name = "AXES", allow_hyphen_values = true)]
    pub(crate) axes: Option<Axes>,
    /// Multiplies all lengths: 0.01 makes metres of centimetres
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    pub(crate) scale: Option<f64>,
}

const CONVERT_USAGE: &str = "inbetween convert [OPTIONS] IN OUT
       inbetween convert [OPTIONS] IN -o OUT
       inbetween convert [OPTIONS] IN... --to FORMAT --out-dir DIR
       inbetween convert [OPTIONS] IN... --to FORMAT -o OUT";

impl ConvertArgs {
    /// Returns the edits that come with a conversion.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        let axes = self.axes.map(Operation::Axes);
        axes.into_iter().chain(self.scale.map(Operation::Scale)).collect()
    }
}

#[derive(Args, Debug)]
#[command(override_usage = EDIT_USAGE)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) transfer: TransferArgs,
    /// The rest pose for --fill and --resolve: a .json of bones, or an absolute animation
    #[arg(long, value_name = "FILE")]
    pub(crate) skeleton: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) operations: Operations,
}

const EDIT_USAGE: &str = "inbetween edit [OPTIONS] IN -o OUT EDIT...
       inbetween edit [OPTIONS] IN... -o OUT --join EDIT...
       inbetween edit [OPTIONS] IN... --to FORMAT --out-dir DIR EDIT...";

const EDIT_FILES: &str = "The files to read; more than one with --out-dir, with --join, or where \
                          the format holds many clips";

const EDIT_CLIP: &str = "Edit the clip of this name, in any case, and keep the others; a format of \
                         one clip gets only this one";

/// Prints a row for each clip, time and track: by clip, then by time, then in file order.
///
/// Values are those that the program of the format shows; docs/evaluation.md has the formulas.
/// Times are seconds on the clock of the clip. Outside of the keys the ends of each track hold,
/// also where the clip loops, unless --loop is given. Without --at and --fps the frames are those
/// of the clip, or 30 a second.
///
/// As CSV each number of a value has a row, and component says which it is: x y z w, r g b a, m01
/// in the first row of a matrix. A text that is null is an empty cell, an empty one is "". As
/// JSON a value is whole: quaternions are [x,y,z,w], matrices arrays of rows. What is no finite
/// number is NaN, Infinity or -Infinity, in JSON as a text.
#[derive(Args, Debug)]
pub(crate) struct SampleArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Takes the file for this format, whatever it looks like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// The times in seconds: 0.5,1
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true, conflicts_with_all = ["sample-fps", "range"])]
    pub(crate) at: Vec<String>,
    /// So many times a second
    #[arg(id = "sample-fps", long = "fps", value_name = "RATE", allow_hyphen_values = true)]
    pub(crate) fps: Option<String>,
    /// From A to B seconds, instead of from 0 to the end of the clip
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Lets clips that loop start again at their end, which then shows the start
    #[arg(id = "repeat", long = "loop")]
    pub(crate) repeat: bool,
    /// The tracks of NODE or NODE/PROPERTY: 'hips', 'j_*/Rotation', '*/Position.x'; may be given
    /// several times
    #[arg(long, value_name = "PATTERN")]
    pub(crate) track: Vec<String>,
    /// Prints JSON lines: {clip, time, node, property, component, value}
    #[arg(long)]
    pub(crate) json: bool,
    /// The file to write
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that exists
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UnpackArgs {
    /// Takes the files for this format, whatever they look like
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) rewriting: RewritingArgs,
}

#[derive(Args, Debug)]
pub(crate) struct PackArgs {
    #[command(flatten)]
    pub(crate) rewriting: RewritingArgs,
}

/// What is written anew, and where to: FILE.json beside FILE, and back.
#[derive(Args, Debug)]
pub(crate) struct RewritingArgs {
    /// Files, directories or patterns
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write; without it FILE becomes FILE.json, and FILE.json becomes FILE
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces outputs that exist
    #[arg(long)]
    pub(crate) force: bool,
    /// Prints a JSON array with an object for each file
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct FormatsArgs {
    /// Prints a JSON array with an object for each format
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// The command that the page is about; without one, inbetween itself
    pub(crate) command: Option<String>,
}

/// A severity as the command line spells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level(pub(crate) Severity);

impl ValueEnum for Level {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [Level; 4] = {
            let [hint, info, warning, error] = Severity::ALL;
            [Level(hint), Level(info), Level(warning), Level(error)]
        };
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(self.0.name().into())
    }
}

/// Makes the command with the formats of the registry and a flag for each of their options.
pub(crate) fn command(registry: &Registry) -> clap::Command {
    let ids = || {
        let ids = registry.formats().map(|format| format.info().id);
        PossibleValuesParser::new(ids.collect::<Vec<_>>())
    };
    let profiles = || {
        let names = Profile::ALL.iter().map(|profile| profile.name);
        PossibleValuesParser::new(names.collect::<Vec<_>>())
    };
    let from = |arg: clap::Arg| arg.value_parser(ids()).ignore_case(true);
    let reading = flags::of(registry, flags::Use::Reading);
    let both = flags::of(registry, flags::Use::Converting);
    Cli::command()
        .mut_subcommand("info", |info| info.mut_arg("from", from).args(&reading))
        .mut_subcommand("check", |check| {
            check
                .mut_arg("from", from)
                .mut_arg("profile", |arg| arg.value_parser(profiles()))
                .args(&reading)
                .args(flags::companions(registry))
        })
        .mut_subcommand("sample", |sample| {
            // Its own --fps is another one.
            let others = reading.iter().filter(|flag| flag.get_long() != Some("fps"));
            sample.mut_arg("from", from).args(others)
        })
        .mut_subcommand("convert", |convert| {
            convert.mut_arg("from", from).mut_arg("to", from).args(&both)
        })
        .mut_subcommand("unpack", |unpack| unpack.mut_arg("from", from).args(&reading))
        .mut_subcommand("edit", |edit| {
            // All that stands alone is read, since edits may stand between input and output.
            edit.mut_arg("files", |arg| arg.help(EDIT_FILES))
                .mut_arg("clip", |arg| arg.help(EDIT_CLIP))
                .mut_arg("output", |arg| arg.required_unless_present("out_dir"))
                .mut_arg("from", from)
                .mut_arg("to", from)
                .args(&both)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_of_the_formats_fit_the_command() {
        command(&Registry::with_builtin()).debug_assert();
    }
}
