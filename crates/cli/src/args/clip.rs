//! The arguments of `clip`.

use std::path::PathBuf;

use clap::Args;

use super::StrictArgs;

/// Build compact playback clips for game engines.
///
/// Constant tracks become one value, translations and scales half floats, and rotations 48 bits.
/// Every track is measured: where the error would exceed the bound, its values stay 32-bit floats.
/// Curves and Euler angles become linear keys within the bounds. The crate inbetween-clip plays the
/// file.
///
/// A bound that cannot be met is an error. Markers, skeletons and tracks that are neither
/// transforms nor float numbers are dropped and reported.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ClipArgs {
    /// Input file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Treat the file as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Write the clips to this file
    #[arg(short, long, value_name = "OUT", required = true)]
    pub(crate) output: PathBuf,
    /// Build only the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Allow translations to be off by up to this length, in the unit of the file
    #[arg(long, value_name = "METERS", default_value = "0.0001", allow_hyphen_values = true)]
    pub(crate) translation_error: String,
    /// Allow rotations to be off by up to this angle
    #[arg(long, value_name = "DEGREES", default_value = "0.01", allow_hyphen_values = true)]
    pub(crate) rotation_error: String,
    /// Allow scales to be off by up to this factor
    #[arg(long, value_name = "FACTOR", default_value = "0.0001", allow_hyphen_values = true)]
    pub(crate) scale_error: String,
    /// Allow weights and custom properties to be off by up to this number
    #[arg(long, value_name = "NUMBER", default_value = "0.001", allow_hyphen_values = true)]
    pub(crate) curve_error: String,
    #[command(flatten)]
    pub(crate) strict: StrictArgs,
    /// List every track with its encoding and error, and every finding
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Overwrite an existing output
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print a JSON array with an object for the file
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  inbetween clip walk.seanim -o walk.clip
  inbetween clip walk.seanim -o small.clip --translation-error 0.001 --rotation-error 0.1
  inbetween clip walk.seanim -o walk.clip --strict --allow convert/markers-dropped
  inbetween clip cockpit.ani -o opening.clip --clip cockpit_opening --verbose";
