//! What can be read: a path, bytes, or an open file.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::path::PathBuf;
use std::sync::Arc;

use inbetween::core::{Neighbors, shown};
use inbetween::files::{Expected, beside, hint_of};
use inbetween::{Format, Hint, Limits, ReadError, ReadErrorKind, Registry};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::errors;

/// An input.
pub(crate) enum Source {
    Path(PathBuf),
    /// `bytes` are borrowed, everything else was copied once.
    Bytes(PyBackedBytes),
}

impl Source {
    /// Accepts `str` and `os.PathLike` as paths, objects with `read` as files, and everything of which
    /// `bytes` makes a copy.
    pub(crate) fn new(value: &Bound<'_, PyAny>, limits: &Limits) -> PyResult<Self> {
        if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>() {
            return Ok(Self::Bytes(value.extract()?));
        }
        if value.is_instance_of::<PyString>() || value.hasattr("__fspath__")? {
            return Ok(Self::Path(value.extract()?));
        }
        let bytes = if value.hasattr("read")? && !value.hasattr("__array_interface__")? {
            if value.hasattr("encoding")? {
                return Err(errors::type_error(
                    "expected an open binary file, this one returns text: open it with \"rb\"",
                ));
            }
            // One byte more shows that there are too many.
            value.call_method1("read", (limits.input_bytes.saturating_add(1),))?
        } else if value.hasattr("tobytes")? {
            value.call_method0("tobytes")?
        } else {
            let name = value.get_type().name()?;
            return Err(errors::type_error(format!(
                "expected a path, bytes or an open binary file, found {name}"
            )));
        };
        let bytes = bytes.cast_into::<PyBytes>();
        let bytes = bytes.map_err(|_| errors::type_error("read() did not return bytes"))?;
        Ok(Self::Bytes(bytes.into()))
    }

    /// Loads the bytes of a file of no format of the registry.
    pub(crate) fn load(&self, registry: &Registry) -> Result<Content<'_>, inbetween::Error> {
        match self {
            Self::Path(path) => {
                inbetween::files::load(path, registry.limits()).map(Content::Loaded)
            }
            Self::Bytes(bytes) => Ok(Content::Given(bytes)),
        }
    }

    /// Loads the input and finds its format: the given one, else the one that its bytes show.
    ///
    /// `neighbors` loads the files that it refers to; those beside a path are found without it.
    pub(crate) fn open<'r>(
        &'r self,
        wanted: Option<&'r dyn Format>,
        neighbors: Option<Arc<dyn Neighbors>>,
        registry: &'r Registry,
    ) -> Result<Opened<'r>, inbetween::Error> {
        let (bytes, hint) = match self {
            Self::Path(path) => {
                let expected = wanted.map_or(Expected::AnyFormat, Expected::Format);
                (Content::Loaded(registry.load(path, expected)?), hint_of(path))
            }
            Self::Bytes(bytes) => {
                let expected = wanted.map_or(Expected::AnyFormat, Expected::Format);
                registry.check_length(bytes, expected)?;
                (Content::Given(bytes), Hint::default())
            }
        };
        let format = match wanted {
            Some(format) => format,
            None => registry.detect(bytes.as_slice(), &hint)?.format,
        };
        let located = match (self, neighbors) {
            (_, Some(neighbors)) => format.beside(neighbors),
            (Self::Path(path), None) => beside(format, path),
            (Self::Bytes(_), None) => None,
        };
        Ok(Opened { format, located, bytes })
    }
}

/// A loaded input of a known format.
pub(crate) struct Opened<'r> {
    format: &'r dyn Format,
    /// The format with the folder of the file.
    located: Option<Box<dyn Format>>,
    bytes: Content<'r>,
}

/// Bytes in memory.
pub(crate) enum Content<'b> {
    Loaded(Vec<u8>),
    Given(&'b [u8]),
}

impl Content<'_> {
    pub(crate) fn as_slice(&self) -> &[u8] {
        match self {
            Self::Loaded(bytes) => bytes,
            Self::Given(bytes) => bytes,
        }
    }
}

impl Opened<'_> {
    pub(crate) fn format(&self) -> &dyn Format {
        self.located.as_deref().unwrap_or(self.format)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        self.bytes.as_slice()
    }
}

/// A Python function that returns the bytes of a file beside the input.
#[derive(Debug)]
struct Callback(Py<PyAny>);

// It is only called, and Python keeps its own state.
impl UnwindSafe for Callback {}
impl RefUnwindSafe for Callback {}

/// Returns a function as what loads the files beside an input.
pub(crate) fn neighbors(function: Option<Py<PyAny>>) -> Option<Arc<dyn Neighbors>> {
    let neighbors: Arc<dyn Neighbors> = Arc::new(Callback(function?));
    Some(neighbors)
}

impl Neighbors for Callback {
    fn load(&self, path: &str, _limit: u64) -> Result<Vec<u8>, ReadError> {
        let load = |py: Python<'_>| self.0.call1(py, (path,))?.extract::<Vec<u8>>(py);
        Python::attach(load).map_err(|error| {
            let what = format!("the file \"{}\" cannot be read: {error}", shown(path));
            ReadError::new(ReadErrorKind::Missing { what: what.into() })
        })
    }
}
