//! The arguments of commands that process many files.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

/// More inputs, and the number of files to process at once.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BatchArgs {
    /// Read the paths of more inputs from this file, or from standard input if it is -: one path
    /// per line, or separated by NUL as `find -print0` does
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,
    /// Leave out files whose name, or the name of a folder above them, matches this pattern, such as
    /// '*_old.*'; one with a / is compared with the path below the given directory
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Process this many files at once [default: the number of cores]
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// The format of reports.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct JsonArgs {
    /// Print a JSON array with one object per file
    #[arg(long)]
    json: bool,
    /// Print one JSON object per line, each as soon as its file is done
    #[arg(long, conflicts_with = "json")]
    json_lines: bool,
}

/// A report beside what is printed.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ReportArgs {
    /// Also write a JSON object per file to this file, one per line, with its findings grouped by code;
    /// the report of an earlier run is replaced
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
}

/// The layout of JSON reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum JsonForm {
    #[default]
    Array,
    Lines,
}

impl JsonArgs {
    /// Returns whether reports are JSON in either form.
    pub(crate) const fn is_json(self) -> bool {
        self.json || self.json_lines
    }

    pub(crate) const fn form(self) -> JsonForm {
        if self.json_lines { JsonForm::Lines } else { JsonForm::Array }
    }
}
