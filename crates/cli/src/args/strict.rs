//! The arguments that refuse losses.

use clap::Args;

/// Which losses a command accepts.
#[derive(Args, Debug)]
pub(crate) struct StrictArgs {
    /// Fail without writing if anything would be lost
    #[arg(long)]
    pub(crate) strict: bool,
    /// Accept losses with this code under --strict; patterns such as convert/* work
    #[arg(long, value_name = "CODE", requires = "strict")]
    pub(crate) allow: Vec<String>,
}
