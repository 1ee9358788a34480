//! The arguments of `skeleton`.

use std::path::PathBuf;

use clap::Args;

/// Write the skeleton of a file, or a template for one, as JSON for --skeleton.
///
/// A file with a skeleton gives its bones with their parents and rest pose. Any other file gives a
/// template: a bone for each node of the first clip, without parents. The rest pose of the template
/// is the first frame of an absolute clip; a relative or additive clip has none. Fill in what is
/// missing, then give the file to `convert` or `edit` with --skeleton.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SkeletonArgs {
    /// Input file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Treat the file as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Make the template from the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Write the skeleton to this file, or - for standard output
    #[arg(short, long, value_name = "OUT", required = true)]
    pub(crate) output: PathBuf,
    /// Overwrite an existing output
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print a JSON array with an object for the skeleton
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  inbetween skeleton walk.seanim -o rest.json
  inbetween skeleton cockpit.ani -o - --clip cockpit_opening";
