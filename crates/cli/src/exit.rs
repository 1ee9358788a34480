//! How the command ends.

use std::io;
use std::process::ExitCode;

use inbetween::{Error, IoError};

/// The exit codes; the worst one of a batch wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// All went well.
    #[default]
    Fine,
    /// Findings at the denied level, or a loss under `--strict`.
    Found,
    /// The command was not understood.
    Usage,
    /// Something cannot be read or written, or is over a limit.
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

/// Why a command, or its work on one file, cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The command should be given in another way.
    Usage(String),
    /// `--strict` refuses what was lost.
    Refused(String),
    /// Something cannot be read or written, or is over a limit.
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

    /// Makes the failure of one file; I/O errors name their path themselves.
    pub(crate) fn of_file(name: &str, error: impl Into<Error>) -> Self {
        match error.into() {
            Error::Io(error) => error.into(),
            error => Self::Cannot(format!("{name}: {error}")),
        }
    }

    /// Makes the failure of the standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        Self::Cannot(format!("standard output: {error}"))
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Self::Cannot(error.to_string())
    }
}
