//! The arguments of `explain`.

use clap::Args;

/// Explain what findings mean and what to do about them
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ExplainArgs {
    /// Code of a finding, or a quoted pattern such as 'animj/*'
    #[arg(value_name = "CODE", required = true)]
    pub(crate) codes: Vec<String>,
    /// Print a JSON array with one object per code
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  inbetween explain convert/track-dropped
  inbetween explain 'edit/*'
  inbetween explain '*' --json";
