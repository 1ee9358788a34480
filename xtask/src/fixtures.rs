//! Writes the fixture files from their cases.

use inbetween_testing::{cases, fixtures};

use crate::shell::complain;
use crate::{Outcome, only_flag};

pub(crate) fn run(arguments: &[String]) -> Outcome {
    if only_flag(arguments, "--check")? {
        return check();
    }
    for format in cases::formats() {
        let changed = fixtures::write(format).map_err(|error| format!("{format}: {error}"))?;
        for path in &changed {
            println!("{}", path.display());
        }
        println!("{format}: {} files changed", changed.len());
    }
    Ok(())
}

/// Lists files that differ from their cases.
pub(crate) fn check() -> Outcome {
    let drift: Vec<String> = cases::formats().flat_map(fixtures::drift).collect();
    complain(&drift, "run `cargo xtask fixtures` and look at the difference")
}
