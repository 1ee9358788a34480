//! The arguments of `plot`.

use std::path::PathBuf;

use clap::Args;

/// Draw the curves of tracks as a picture, SVG or PNG.
///
/// Each property of each node has a panel: the curves of its components as the engine plays them,
/// with keys, control points and markers, over seconds and frames. Tracks that never change are
/// drawn only if --track chooses them. Euler angles are in degrees, and quaternions are
/// drawn by component unless --degrees is given. The background is transparent, and the colors suit light and dark pages.
///
/// An SVG shows the letters of all languages, with the fonts of the viewer. A PNG has Latin, Greek and Cyrillic letters;
/// names with others are drawn as numbers, [1], and standard error lists them.
///
/// With two files, the first is drawn wide and pale below the second, so that differences show.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct PlotArgs {
    /// Input file; with two, the file before a change and the one after it
    #[arg(value_name = "FILE", required = true, num_args = 1..=2)]
    pub(crate) files: Vec<PathBuf>,
    /// Treat the files as this format instead of detecting it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) from: Option<String>,
    /// Write the picture to this file: .svg or .png, or - for SVG on standard output
    #[arg(short, long, value_name = "OUT", required = true)]
    pub(crate) output: PathBuf,
    /// Draw only the clip with this name (case-insensitive)
    #[arg(long, value_name = "NAME")]
    pub(crate) clip: Option<String>,
    /// Draw only tracks of NODE or NODE/PROPERTY, such as 'hips,j_*/Rotation' or '*/Position.x';
    /// repeatable
    #[arg(long, value_name = "PATTERN")]
    pub(crate) track: Vec<String>,
    /// Draw quaternions as Euler angles in degrees (the rotation about z first, then y, then x)
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Draw from A to B, in seconds or frames, instead of the whole clip
    #[arg(long, value_name = "A:B", allow_hyphen_values = true)]
    pub(crate) range: Option<String>,
    /// Draw this page if the panels do not fit on one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) page: u32,
    /// Overwrite an existing output
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print a JSON array with an object for the picture
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  inbetween plot walk.seanim -o curves.svg
  inbetween plot walk.seanim -o hip.svg --track 'j_hip_*/Rotation' --range 0:0.5
  inbetween plot cockpit.ani -o ladder.svg --clip cockpit_opening
  inbetween plot walk.seanim anims/run.seanim -o both.svg";
