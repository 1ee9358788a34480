//! Exit codes and failures.

use core::fmt::Display;
use std::io;

use inbetween::Error;
use inbetween::core::{Position, Remedy};
use inbetween::error::IoError;

use crate::remedy;

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

impl Exit {
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Fine => 0,
            Self::Found => 1,
            Self::Usage => 2,
            Self::Cannot => 3,
        }
    }
}

/// The reason why a command, or its work on one file, cannot continue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// Wrong usage.
    Usage(String),
    /// A loss under `--strict`.
    Refused(String),
    /// A file cannot be read or written, or exceeds a limit.
    Cannot(String),
    /// The output exists already.
    Exists(String),
    /// A file of a format is not valid.
    Invalid(Box<Invalid>),
}

/// An error in a file, with its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Invalid {
    message: String,
    /// The kind of the error, as in JSON reports.
    pub(crate) code: &'static str,
    /// The path of the value in the file, if the format is known.
    pub(crate) path: Option<String>,
    pub(crate) position: Option<Position>,
}

impl Failure {
    pub(crate) fn message(&self) -> &str {
        match self {
            Self::Usage(message)
            | Self::Refused(message)
            | Self::Cannot(message)
            | Self::Exists(message) => message,
            Self::Invalid(invalid) => &invalid.message,
        }
    }

    /// Returns the kind of the failure, as in JSON reports.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage",
            Self::Refused(_) => "loss-refused",
            Self::Cannot(_) => "failed",
            Self::Exists(_) => "exists",
            Self::Invalid(invalid) => invalid.code,
        }
    }

    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage(_) => Exit::Usage,
            Self::Refused(_) => Exit::Found,
            Self::Cannot(_) | Self::Exists(_) | Self::Invalid(_) => Exit::Cannot,
        }
    }

    /// Creates the failure of one file; I/O errors already name their path.
    pub(crate) fn of_file(name: &str, error: impl Into<Error>) -> Self {
        let error = error.into();
        let message = format!("{name}: {}", with_flag(&error, error.remedy()));
        match error {
            Error::Io(error) => error.into(),
            Error::Read(_) | Error::Write(_) | Error::Detect(_) => {
                let (code, path, position) = (error.code(), error.path(), error.position());
                Self::Invalid(Box::new(Invalid { message, code, path, position }))
            }
            _ => Self::Cannot(message),
        }
    }

    /// Creates the failure of standard output.
    pub(crate) fn of_stdout(error: &io::Error) -> Self {
        Self::Cannot(format!("standard output: {error}"))
    }
}

/// Returns the message of an error with the flag of its remedy: `...; raise the limit
/// (--max-decoded)`.
pub(crate) fn with_flag(error: &impl Display, remedy: Option<Remedy>) -> String {
    match remedy {
        Some(remedy) => format!("{error} ({})", remedy::flag(remedy)),
        None => error.to_string(),
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        Self::Cannot(error.to_string())
    }
}
