//! Errors as JavaScript gets them.

use inbetween::Error;
use inbetween::core::Position;
use inbetween::json::{ErrorAt, PositionAt};
use wasm_bindgen::JsValue;

use crate::to_json;

/// An error, which the package throws as an object of its class.
#[derive(Debug)]
pub struct Failure {
    message: String,
    code: &'static str,
    path: Option<String>,
    position: Option<Position>,
}

impl Failure {
    fn new(code: &'static str, message: String) -> Self {
        Self { message, code, path: None, position: None }
    }

    /// Creates the error of wrong arguments.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new("usage", message.into())
    }

    /// Creates the error of a name that does not exist.
    pub(crate) fn unknown(what: &str, name: &str, near: &[&str]) -> Self {
        let near = match near {
            [] => String::new(),
            near => format!("; did you mean {}?", near.join(" or ")),
        };
        Self::usage(format!("unknown {what} '{name}'{near}"))
    }

    /// Creates the error of losses that are not accepted.
    pub(crate) fn refused(message: String) -> Self {
        Self::new("loss-refused", message)
    }
}

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        let error = error.into();
        Self {
            message: error.to_string(),
            code: error.code(),
            path: error.path(),
            position: error.position(),
        }
    }
}

impl From<Failure> for JsValue {
    fn from(failure: Failure) -> Self {
        let error = ErrorAt {
            code: failure.code,
            message: &failure.message,
            path: failure.path.as_deref(),
            position: failure.position.map(PositionAt::from),
        };
        Self::from_str(&to_json(&error))
    }
}
