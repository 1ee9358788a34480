//! The command-line arguments.

mod batch;
mod clip;
mod diff;
mod explain;
mod plot;
mod skeleton;
mod strict;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use inbetween::core::frames::valid_rate;
use inbetween::edit::{AxesChoice, MapAt, MapOptions, UnitChoice};
use inbetween::{Format, Profile, Registry, Severity};

use crate::commands::convert::NameTemplate;
use crate::operations::{Operation, Operations};
use crate::{examples, flags};

pub(crate) use batch::{BatchArgs, JsonArgs, JsonForm, ReportArgs};
pub(crate) use clip::ClipArgs;
pub(crate) use diff::DiffArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use plot::PlotArgs;
pub(crate) use skeleton::SkeletonArgs;
pub(crate) use strict::StrictArgs;

/// Read, check, edit and convert game animation files
#[derive(Debug, Parser)]
#[command(name = "inbetween", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Limit the decoded and generated keys of one input to this many bytes, such as 512M or 4G
    /// [default: 16 times the input, at least 64M and at most 8G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) max_decoded: Option<u64>,
    /// Read at most this many bytes of one input, such as 500M [default: 4G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) max_input: Option<u64>,
    /// Print only results and errors: no progress, no summaries
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
}

impl Command {
    /// Returns the number of files to process at once, if it is requested.
    pub(crate) fn jobs(&self) -> Option<NonZeroUsize> {
        match self {
            Self::Info(args) => args.batch.jobs,
            Self::Check(args) => args.batch.jobs,
            Self::Convert(args) => args.transfer.batch.jobs,
            Self::Edit(args) => args.transfer.batch.jobs,
            Self::Unpack(args) => args.rewriting.batch.jobs,
            Self::Pack(args) => args.rewriting.batch.jobs,
            _ => None,
        }
    }
}

/// Parses a number of bytes with an optional unit.
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

/// Parses a frame rate.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| valid_rate(*rate));
    rate.ok_or_else(|| "expected a positive number of frames per second such as 30".to_owned())
}

const AFTER_HELP: &str = "\
Use - for standard input or output. A directory or a quoted pattern stands for all files of known
formats in it.

Exit codes: 0 success; 1 findings at the denied level, or a loss under --strict; 2 wrong usage;
3 a file cannot be read or written, or exceeds a limit; 130 interrupted.

Examples:
  inbetween info walk.seanim
  inbetween convert walk.seanim walk.animj
  inbetween check --fix door.animj
  inbetween convert --help";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the contents of files: layout, clips, tracks, keys and markers
    #[command(after_help = examples::INFO)]
    Info(InfoArgs),
    /// Check files for problems and fix what can be fixed automatically
    #[command(after_help = examples::CHECK)]
    Check(CheckArgs),
    /// Convert files to another format and report what is lost
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Convert binary files to exact JSON text
    #[command(after_help = examples::UNPACK)]
    Unpack(UnpackArgs),
    /// Rebuild binary files from their text form
    #[command(after_help = examples::PACK)]
    Pack(PackArgs),
    /// Edit animations: trim, retime, reverse, merge, rename and more
    #[command(after_help = examples::EDIT)]
    Edit(EditArgs),
    /// Print the values of tracks over time
    #[command(after_help = examples::SAMPLE)]
    Sample(SampleArgs),
    /// List the supported formats, their guarantees and their options
    #[command(after_help = examples::FORMATS)]
    Formats(FormatsArgs),
    /// Compare two files by what they play
    Diff(DiffArgs),
    /// Draw the curves of tracks as a picture
    Plot(PlotArgs),
    /// Build compact playback clips for game engines
    Clip(ClipArgs),
    /// Write the skeleton of a file, or a template for one, as JSON for --skeleton
    Skeleton(SkeletonArgs),
    /// Explain what findings mean and what to do about them
    Explain(ExplainArgs),
    /// Print shell completions
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a manual page
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

#[derive(Args, Debug)]
pub(crate) struct InfoArgs {
    /// Files, directories or quoted patterns
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Treat the inputs as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    /// List every track and marker
    #[arg(long)]
    pub(crate) all: bool,
    /// Draw each track as a line of bars that shows the component that changes most
    #[arg(long)]
    pub(crate) spark: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// Files, directories or quoted patterns
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Treat the inputs as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
    /// Print findings as annotations of GitHub Actions
    #[arg(long, conflicts_with_all = ["json", "json_lines"])]
    pub(crate) github: bool,
    /// Check whether this program reads the files, and say what it does with them
    #[arg(long, value_name = "PROFILE")]
    pub(crate) profile: Option<String>,
    /// Exit with code 1 if a finding is at or above this level
    #[arg(long, value_name = "LEVEL", default_value = "error")]
    pub(crate) deny: Level,
    /// Skip findings with this code; patterns such as animj/* work
    #[arg(long, value_name = "CODE")]
    pub(crate) ignore: Vec<String>,
    /// Report only findings with this code
    #[arg(long, value_name = "CODE")]
    pub(crate) only: Vec<String>,
    #[command(flatten)]
    pub(crate) fixing: FixArgs,
}

/// How `check` fixes files.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Args, Debug)]
pub(crate) struct FixArgs {
    /// Fix what can be fixed automatically, in place unless --output is given
    #[arg(long)]
    pub(crate) fix: bool,
    /// Write the fixed file to this path
    #[arg(short, long, value_name = "OUT", requires = "fix")]
    pub(crate) output: Option<PathBuf>,
    /// Print what --fix would change as a unified diff, and write nothing
    #[arg(long, requires = "fix", conflicts_with_all = ["output", "backup"])]
    pub(crate) dry_run: bool,
    /// Keep the original as FILE.bak
    #[arg(long, requires = "fix", conflicts_with = "output")]
    pub(crate) backup: bool,
    /// Overwrite an existing output or backup
    #[arg(short, long, requires = "fix")]
    pub(crate) force: bool,
}

/// The inputs and outputs of `convert` and `edit`.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Args, Debug)]
pub(crate) struct TransferArgs {
    /// Input file, then output file; with -o or --out-dir, only input files. With -o, several
    /// inputs are combined if the output format stores several clips
    #[arg(value_name = "IN", required_unless_present = "files_from")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Treat the inputs as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Read the frames of the inputs at this rate instead of the stated one; frames stay, and
    /// seconds change
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true)]
    pub(crate) from_fps: Option<f64>,
    /// Write this format; an extension such as glb also chooses the kind of file [default: by the
    /// extension of the output]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<String>,
    /// Write the output to this file
    #[arg(short, long, value_name = "OUT", conflicts_with = "out_dir")]
    pub(crate) output: Option<PathBuf>,
    /// Write to this directory: one file per input, or one per clip if the format stores only one
    /// clip
    #[arg(long, value_name = "DIR", requires = "to")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Name the files of an input with several clips by the input and the clip, such as {file}.{clip}; of
    /// two equal names the second gets a number
    #[arg(long, value_name = "TEMPLATE", requires = "out_dir", value_parser = NameTemplate::parse)]
    pub(crate) name_template: Option<NameTemplate>,
    /// Keep the folders of all inputs below this directory in --out-dir, also those of listed files
    #[arg(long, value_name = "DIR", requires = "out_dir")]
    pub(crate) base: Option<PathBuf>,
    /// Convert only the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Give the animations the bones of this file, with their parents and rest pose: a .json file in
    /// the axes and the unit of the inputs, a file with a skeleton, or an absolute animation
    #[arg(long, value_name = "FILE")]
    pub(crate) skeleton: Option<PathBuf>,
    /// Write for this program: sets the options of the format that it needs, unless they are given
    #[arg(long = "for", value_name = "PROGRAM")]
    pub(crate) program: Option<String>,
    /// Overwrite existing outputs
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Leave inputs out whose output exists, and convert the others
    #[arg(long, conflicts_with_all = ["force", "update"])]
    pub(crate) skip_existing: bool,
    /// Convert only inputs that have no output, or are newer than it, as another file of the command may
    /// be; files beside an input, such as buffers, do not count
    #[arg(long, conflicts_with = "force")]
    pub(crate) update: bool,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    /// List every loss and every note
    #[arg(short, long)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Args, Debug)]
#[command(override_usage = CONVERT_USAGE)]
pub(crate) struct ConvertArgs {
    #[command(flatten)]
    pub(crate) transfer: TransferArgs,
    /// Put the clips on the bones of this file, such as a .glb, by their names, and write them into
    /// it; its rest pose decides the axes and the unit, and makes relative clips absolute
    #[arg(long, value_name = "MODEL", conflicts_with = "skeleton")]
    pub(crate) onto: Option<PathBuf>,
    /// Convert axes: auto as both formats need it, keep, or a map: x,z,-y makes new Y from old Z and
    /// new Z from old -Y. With keep or a map, lengths stay unless --unit is given
    #[arg(long, value_name = "auto|keep|MAP", default_value = "auto")]
    #[arg(hide_default_value = true, allow_hyphen_values = true)]
    pub(crate) axes: AxesChoice,
    /// Turn axes at the root, so that bones keep their numbers, or in all bones; mirrors always
    /// change all bones
    #[arg(long, value_name = "root|all", default_value = "root", value_parser = axes_at)]
    #[arg(hide_default_value = true)]
    pub(crate) axes_at: MapAt,
    /// The unit of the file that states none: cm, in, m, mm, a number of meters, or keep for lengths
    /// as they are [default: cm for SEAnim and Cast]
    #[arg(long, value_name = "UNIT", allow_hyphen_values = true)]
    pub(crate) unit: Option<UnitChoice>,
    /// Multiply all lengths, after all else: 0.01 makes everything a hundredth of its size
    #[arg(long, value_name = "FACTOR", allow_hyphen_values = true)]
    pub(crate) scale: Option<f64>,
}

fn axes_at(text: &str) -> Result<MapAt, String> {
    match text {
        "root" => Ok(MapAt::Root),
        "all" => Ok(MapAt::All),
        _ => Err("expected root or all".to_owned()),
    }
}

const CONVERT_USAGE: &str = "inbetween convert [OPTIONS] IN OUT
       inbetween convert [OPTIONS] IN -o OUT
       inbetween convert [OPTIONS] IN... --to FORMAT --out-dir DIR
       inbetween convert [OPTIONS] IN... --to FORMAT -o OUT";

impl ConvertArgs {
    /// Returns the edits of a conversion.
    pub(crate) fn operations(&self) -> Vec<Operation> {
        let rate = self.transfer.play_frames_at();
        let map = match &self.onto {
            Some(model) => Operation::Onto(model.clone(), self.mapping()),
            None => Operation::Map(self.mapping()),
        };
        rate.into_iter().chain([map]).chain(self.scale.map(Operation::Scale)).collect()
    }

    /// Returns how coordinates are converted.
    fn mapping(&self) -> MapOptions {
        MapOptions { axes: self.axes, at: self.axes_at, unit: self.unit.unwrap_or_default() }
    }
}

impl TransferArgs {
    /// Returns the edit that comes before all others, if the rate of the inputs is given.
    pub(crate) fn play_frames_at(&self) -> Option<Operation> {
        self.from_fps.map(Operation::PlayFramesAt)
    }
}

#[derive(Args, Debug)]
#[command(override_usage = EDIT_USAGE)]
pub(crate) struct EditArgs {
    #[command(flatten)]
    pub(crate) transfer: TransferArgs,
    /// Ignore upper and lower case in the names and patterns of all edits
    #[arg(long)]
    pub(crate) ignore_case: bool,
    #[command(flatten)]
    pub(crate) operations: Operations,
}

const EDIT_USAGE: &str = "inbetween edit [OPTIONS] IN -o OUT EDIT...
       inbetween edit [OPTIONS] IN... -o OUT --join EDIT...
       inbetween edit [OPTIONS] IN... --to FORMAT --out-dir DIR EDIT...";

const EDIT_FILES: &str = "Input files; several with --out-dir, with --join, or if the output \
                          format stores several clips";

const EDIT_CLIP: &str = "Edit only the clip with this name (case-insensitive) and keep the others; \
                         a format of one clip gets only this one";

/// Print one row per clip, time and track, sorted by clip, then time, then file order
///
/// Values are those that the engine of the format plays. Times are seconds from the start of the
/// clip. Outside its keys a track holds its first or last value, even if the clip loops, unless
/// --loop is given. Without --at and --fps, samples are taken at the frame rate of the clip, or 30
/// times per second.
///
/// In CSV, each number of a value has its own row, and the column `component` names it: x y z w,
/// r g b a, or m01 for row 0, column 1 of a matrix. A null string is an empty cell, an empty
/// string is "". In JSON, a quaternion is [x,y,z,w] and a matrix is an array of rows. Numbers
/// that are not finite are NaN, Infinity or -Infinity, as strings in JSON.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
#[derive(Args, Debug)]
pub(crate) struct SampleArgs {
    /// Input file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Treat the input as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Read the frames of the input at this rate instead of the stated one; frames stay, and seconds
    /// change
    #[arg(long, value_name = "RATE", value_parser = rate, allow_hyphen_values = true)]
    pub(crate) from_fps: Option<f64>,
    /// Sample only the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Sample at these times in seconds or frames, such as 0.5,1 or 15f
    #[arg(long, value_name = "TIMES", allow_hyphen_values = true, conflicts_with_all = ["sample-fps", "range"])]
    pub(crate) at: Vec<String>,
    /// Samples per second
    #[arg(id = "sample-fps", long = "fps", value_name = "RATE", allow_hyphen_values = true)]
    pub(crate) fps: Option<String>,
    /// Sample from A to B, in seconds or frames, instead of the whole clip
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Repeat looping clips from their start; the end of a clip then shows its start
    #[arg(id = "repeat", long = "loop")]
    pub(crate) repeat: bool,
    /// Sample only tracks of NODE or NODE/PROPERTY, such as 'hips,j_*/Rotation' or
    /// '*/Position.x'; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) track: Vec<String>,
    /// Print rotations in degrees: Euler angles as the file stores them, and quaternions as the
    /// Euler angles rx, ry, rz (the rotation about z first, then y, then x)
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Print JSON lines: {clip, time, node, property, component, value}
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the output to this file
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite an existing output
    #[arg(short, long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct UnpackArgs {
    /// Treat the inputs as this format instead of detecting it
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

/// The inputs and outputs of `unpack` and `pack`: FILE.json next to FILE, and back.
#[derive(Args, Debug)]
pub(crate) struct RewritingArgs {
    /// Files, directories or quoted patterns
    #[arg(value_name = "FILE", required_unless_present = "files_from")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Write to this file [default: FILE.json for FILE, and FILE for FILE.json]
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Overwrite existing outputs
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) json: JsonArgs,
}

#[derive(Args, Debug)]
pub(crate) struct FormatsArgs {
    /// Print a JSON array with one object per format
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell to print completions for
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Command to describe [default: inbetween itself]
    pub(crate) command: Option<String>,
}

/// A severity as a command-line value.
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

/// Builds the command with the formats of the registry and one flag per format option.
pub(crate) fn command(registry: &Registry) -> clap::Command {
    let names = || {
        let of = |format: &dyn Format| {
            let info = format.info();
            let extensions = info.extensions.iter().filter(|extension| **extension != info.id);
            core::iter::once(info.id).chain(extensions.copied()).collect::<Vec<_>>()
        };
        PossibleValuesParser::new(registry.formats().flat_map(of).collect::<Vec<_>>())
    };
    let profiles = || {
        let names = Profile::ALL.iter().map(|profile| profile.name);
        PossibleValuesParser::new(names.collect::<Vec<_>>())
    };
    let from = |arg: clap::Arg| arg.value_parser(names()).ignore_case(true);
    let reading = flags::of(registry, flags::Use::Reading);
    let both = flags::of(registry, flags::Use::Converting);
    let checking = flags::of(registry, flags::Use::Checking);
    Cli::command()
        .mut_subcommand("info", |info| info.mut_arg("from", from).args(&reading))
        .mut_subcommand("check", |check| {
            check
                .mut_arg("from", from)
                .mut_arg("profile", |arg| arg.value_parser(profiles()))
                .args(&checking)
                .args(flags::companions(registry))
        })
        .mut_subcommand("sample", |sample| {
            // `sample` has an --fps of its own: samples per second.
            let others = reading.iter().filter(|flag| flag.get_long() != Some("fps"));
            sample.mut_arg("from", from).args(others)
        })
        .mut_subcommand("diff", |diff| diff.mut_arg("from", from).args(&reading))
        .mut_subcommand("plot", |plot| plot.mut_arg("from", from).args(&reading))
        .mut_subcommand("clip", |clip| clip.mut_arg("from", from).args(&reading))
        .mut_subcommand("skeleton", |skeleton| skeleton.mut_arg("from", from).args(&reading))
        .mut_subcommand("convert", |convert| {
            let program = |arg: clap::Arg| arg.value_parser(profiles());
            convert
                .mut_arg("from", from)
                .mut_arg("to", from)
                .mut_arg("program", program)
                .args(&both)
        })
        .mut_subcommand("unpack", |unpack| unpack.mut_arg("from", from).args(&reading))
        .mut_subcommand("edit", |edit| {
            // All positional arguments are inputs, because edits may come between input and output.
            edit.mut_arg("files", |arg| arg.help(EDIT_FILES))
                .mut_arg("clip", |arg| arg.help(EDIT_CLIP))
                .mut_arg("output", |arg| arg.required_unless_present("out_dir"))
                .mut_arg("from", from)
                .mut_arg("to", from)
                .mut_arg("program", |arg| arg.value_parser(profiles()))
                .args(&both)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_flags_do_not_clash_with_command_flags() {
        command(&Registry::with_builtin()).debug_assert();
    }
}
