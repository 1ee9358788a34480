//! The command `inbetween`: list, check, edit, sample and convert game animation files.

use std::process::ExitCode;

fn main() -> ExitCode {
    inbetween_cli::run(std::env::args_os().skip(1)).into()
}
