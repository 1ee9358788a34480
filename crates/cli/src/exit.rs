//! Exit codes and failures.

use std::io;
use std::process::ExitCode;

use inbetween::{Error, IoError};

/// The exit codes; a batch exits with the highest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// Success.
    #[default]
    Fine,
    /// Findings at the denied level, or a loss under `--strict`.
    Found,
    /// Wrong usage.
    Usage,
    /// A file cannot be read or written, or exceeds a limit.
    Cannot,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Fine => 0,
            Exit::Found => 1,
            Exit::Usage => 2,
            Exit::Cannot => 3,
        })
    }
}

/// Why a command, or its work on one file, cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Wrong usage.
    Usage(String),
    /// A loss under `--strict`.
    Refused(String),
    /// A file cannot be read or written, or exceeds a limit.
    Cannot(String),
}

impl Failure {
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Usage(message) | Self::Refused(message) | Self::Cannot(message) => message,
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Refused(_) => Exit::Found,
            Self::Cannot(_) => Exit::Cannot,
        }
    }

    /// Creates the failure of one file; I/O errors already name their path.
    pub(crate) fn of_file(name: &str, error: impl Into<Error>) -> Self {
        match error.into() {
            Error::Io(error) => error.into(),
            error => Self::Cannot(format!("{name}: {error}")),
        }
    }

    /// Creates the failure of standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        Self::Cannot(format!("standard output: {error}"))
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Self::Cannot(error.to_string())
    }
}
