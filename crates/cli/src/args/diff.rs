//! The arguments of `diff`.

use std::path::PathBuf;

use clap::Args;

/// Compare two files by what they play.
///
/// Lists the clips, tracks and markers that were added, removed or changed. Tracks are compared by
/// playing both files, each by the rules of its format: for each track that differs, it prints
/// the largest difference and its time. Rotations are compared by angle, whether they are
/// quaternions or Euler angles, and single components are compared to whole vectors.
///
/// Exits with code 1 if the files differ.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct DiffArgs {
    /// The file before a change
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,
    /// The file after it
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,
    /// Treat the files as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Compare only the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Compare only tracks of NODE or NODE/PROPERTY, such as 'hips,j_*/Rotation'; repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) track: Vec<String>,
    /// Ignore differences up to X, in the unit of the values, or in radians for rotations
    #[arg(long, value_name = "X", default_value = "0.00001", allow_hyphen_values = true)]
    pub(crate) tolerance: String,
    /// Compare keys bit for bit as well
    #[arg(long)]
    pub(crate) exact: bool,
    /// Print a JSON array with an object for the comparison
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  inbetween diff walk.seanim anims/run.seanim
  inbetween diff walk.seanim anims/run.seanim --track 'j_hip_*' --tolerance 0.001
  inbetween diff walk.seanim anims/run.seanim --exact --json";
