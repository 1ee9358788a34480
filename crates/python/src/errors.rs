//! Python exceptions of errors. Their classes are defined in Python, where `Exception` can be extended.

use inbetween::core::{Position, Remedy, WriteErrorKind};
use inbetween::edit::EditError;
use inbetween::error::{DetectError, IoError, SetOptionError};
use inbetween::{Error, Finding, ReadError, WriteError};
use pyo3::exceptions::{PyKeyError, PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::report;

/// An error as its class takes it.
struct Raised {
    class: &'static str,
    message: String,
    code: &'static str,
    path: Option<String>,
    position: Option<Position>,
    hint: Option<String>,
}

impl Raised {
    fn new(class: &'static str, code: &'static str, message: String) -> Self {
        Self { class, message, code, path: None, position: None, hint: None }
    }

    fn into_error(self, findings: &[Finding]) -> PyErr {
        Python::attach(|py| self.raise(py, findings).unwrap_or_else(|error| error))
    }

    fn raise(self, py: Python<'_>, findings: &[Finding]) -> PyResult<PyErr> {
        let Self { class, message, code, path, position, hint } = self;
        let position = position.map(|position| report::position(py, position)).transpose()?;
        let findings = report::findings(py, findings)?;
        let arguments = (message, code, path, position, hint, findings);
        let error = self::class(py, class)?.call1(arguments)?;
        Ok(PyErr::from_value(error))
    }
}

/// Returns a class of the module `inbetween._report`.
pub(crate) fn class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyType>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module =
        MODULE.get_or_try_init(py, || py.import("inbetween._report").map(Bound::unbind))?;
    Ok(module.bind(py).getattr(name)?.cast_into()?)
}

pub(crate) fn value_error(message: impl Into<String>) -> PyErr {
    PyValueError::new_err(message.into())
}

pub(crate) fn type_error(message: impl Into<String>) -> PyErr {
    PyTypeError::new_err(message.into())
}

pub(crate) fn key_error(message: impl Into<String>) -> PyErr {
    PyKeyError::new_err(message.into())
}

pub(crate) fn read(error: &ReadError) -> PyErr {
    let class = if error.is_limit() { "LimitError" } else { "ReadError" };
    let raised = Raised {
        path: (!error.path().is_root()).then(|| format!("{:#}", error.path())),
        position: error.position(),
        hint: hint(error.hint(), error.remedy()),
        ..Raised::new(class, error.kind().code(), error.to_string())
    };
    raised.into_error(&[])
}

/// Returns the advice of an error, and the keyword argument that helps.
fn hint(hint: Option<&str>, remedy: Option<Remedy>) -> Option<String> {
    let argument = match remedy {
        Some(Remedy::RaiseLimit) => Some("max_decoded"),
        Some(Remedy::RaiseInputLimit) => Some("max_input"),
        _ => None,
    };
    match (hint, argument) {
        (hint, None) => hint.map(str::to_owned),
        (None, Some(argument)) => Some(argument.to_owned()),
        (Some(hint), Some(argument)) => Some(format!("{hint}: {argument}")),
    }
}

/// Returns the error of writing after these findings.
pub(crate) fn write(error: &WriteError, findings: &[Finding]) -> PyErr {
    let is_limit = matches!(error.kind(), WriteErrorKind::Limit { .. });
    let class = if is_limit { "LimitError" } else { "WriteError" };
    let location = error.location();
    let hint = match error.remedy() {
        Some(Remedy::Option("skeleton")) => Some("give_skeleton() adds one".to_owned()),
        remedy => hint(None, remedy),
    };
    let raised = Raised {
        path: (!location.is_whole()).then(|| location.to_string()),
        hint,
        ..Raised::new(class, error.kind().code(), error.to_string())
    };
    raised.into_error(findings)
}

pub(crate) fn refused(losses: &[Finding]) -> PyErr {
    let count = losses.len();
    let first = losses.first().map(|loss| loss.message.to_string()).unwrap_or_default();
    let message = match count {
        1 => format!("1 loss, strict allows none: {first}"),
        _ => format!("{count} losses, strict allows none; the first is {first}"),
    };
    Raised::new("WriteError", "loss-refused", message).into_error(losses)
}

pub(crate) fn edit(error: &EditError) -> PyErr {
    let class = match error {
        EditError::Limit { .. } => "LimitError",
        _ => "EditError",
    };
    let hint = match error.remedy() {
        Some(Remedy::Edit(name)) => Some(format!("{name}() helps")),
        Some(Remedy::Option("skeleton")) => Some("give_skeleton() adds one".to_owned()),
        remedy => hint(None, remedy),
    };
    let code = if class == "LimitError" { "limit" } else { "edit" };
    Raised { hint, ..Raised::new(class, code, error.to_string()) }.into_error(&[])
}

pub(crate) fn detect(error: &DetectError) -> PyErr {
    Raised::new("ReadError", "unknown-format", error.to_string()).into_error(&[])
}

/// Returns the `OSError` of a path: `FileNotFoundError`, `PermissionError`, or another one.
pub(crate) fn io(error: &IoError) -> PyErr {
    let number = match error.kind() {
        std::io::ErrorKind::NotFound => 2,
        std::io::ErrorKind::PermissionDenied => 13,
        std::io::ErrorKind::AlreadyExists => 17,
        std::io::ErrorKind::IsADirectory => 21,
        _ => return PyOSError::new_err(error.to_string()),
    };
    let path = error.path();
    // The message without the path, which Python adds.
    let reason = error.to_string();
    let reason = reason.strip_prefix(&format!("{}: ", path.display())).unwrap_or(&reason);
    PyOSError::new_err((number, reason.to_owned(), path.as_os_str().to_owned()))
}

pub(crate) fn option(error: &SetOptionError) -> PyErr {
    value_error(error.to_string())
}

pub(crate) fn any(error: &Error) -> PyErr {
    match error {
        Error::Io(error) => io(error),
        Error::Detect(error) => detect(error),
        Error::Read(error) => read(error),
        Error::Write(error) => write(error, &[]),
        Error::Clip(error) => key_error(error.to_string()),
        Error::Edit(error) => edit(error),
        other => value_error(other.to_string()),
    }
}
