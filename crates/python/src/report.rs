//! Findings and results as the classes of `inbetween._report`.

use inbetween::core::stores::Head;
use inbetween::core::{ClipCount, FormatInfo, OptionInfo, Position, Space};
use inbetween::{Finding, Marker};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBytes, PyList, PyTuple};

use crate::coordinates;
use crate::errors::class;
use crate::options::argument;

pub(crate) fn findings<'py>(py: Python<'py>, list: &[Finding]) -> PyResult<Bound<'py, PyList>> {
    let list = list.iter().map(|each| finding(py, each)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, list)
}

fn finding<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyAny>> {
    let Finding { code, place, path, error, .. } = finding;
    let label = place.track.as_ref().map(ToString::to_string);
    let arguments = [
        ("code", code.id().into_pyobject(py)?.into_any()),
        ("severity", code.severity().name().into_pyobject(py)?.into_any()),
        ("is_loss", code.is_loss().into_pyobject(py)?.to_owned().into_any()),
        ("message", finding.message.as_ref().into_pyobject(py)?.into_any()),
        ("count", finding.count.into_pyobject(py)?.into_any()),
        ("clip", place.clip.as_ref().map(|clip| &*clip.name).into_pyobject(py)?.into_any()),
        ("clip_index", place.clip.as_ref().map(|clip| clip.index).into_pyobject(py)?.into_any()),
        ("track", label.into_pyobject(py)?.into_any()),
        ("key", place.key.into_pyobject(py)?.into_any()),
        ("path", (!path.is_root()).then(|| format!("{path:#}")).into_pyobject(py)?.into_any()),
        (
            "position",
            finding.position.map(|it| position(py, it)).transpose()?.into_pyobject(py)?.into_any(),
        ),
        ("error", error.map(|error| error.value).into_pyobject(py)?.into_any()),
        ("time_shift", error.map(|error| error.time_shift).into_pyobject(py)?.into_any()),
    ];
    class(py, "Finding")?.call((), Some(&arguments.into_py_dict(py)?))
}

pub(crate) fn position(py: Python<'_>, position: Position) -> PyResult<Bound<'_, PyAny>> {
    let class = class(py, "Position")?;
    match position {
        Position::Text { line, column, offset } => class.call1((offset, line, column)),
        Position::Byte { space, offset } => {
            class.call1((offset, None::<u64>, None::<u64>, space == Space::Decompressed))
        }
        other => class.call1((other.offset(),)),
    }
}

pub(crate) fn converted<'py>(
    py: Python<'py>,
    bytes: &[u8],
    list: &[Finding],
    (from, to): (Option<&'static FormatInfo>, &'static FormatInfo),
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = PyBytes::new(py, bytes);
    let from = from.map(|from| from.id);
    class(py, "Converted")?.call1((bytes, findings(py, list)?, from, to.id))
}

pub(crate) fn format<'py>(py: Python<'py>, info: &FormatInfo) -> PyResult<Bound<'py, PyAny>> {
    let options = info.options.iter().map(|each| option(py, each)).collect::<PyResult<Vec<_>>>()?;
    let (extensions, options) = (PyTuple::new(py, info.extensions)?, PyTuple::new(py, options)?);
    let many = info.clips == ClipCount::Many;
    class(py, "Format")?.call1((
        info.id,
        info.name,
        extensions,
        info.summary,
        info.promise,
        options,
        many,
        coordinates::to_python(py, info.coordinates)?,
        info.stores.has(Head::Blend),
    ))
}

fn option<'py>(py: Python<'py>, option: &OptionInfo) -> PyResult<Bound<'py, PyAny>> {
    class(py, "Option")?.call1((
        argument(option.name),
        option.value,
        option.help,
        option.applies.name(),
    ))
}

pub(crate) fn marker<'py>(py: Python<'py>, marker: &Marker) -> PyResult<Bound<'py, PyAny>> {
    class(py, "Marker")?.call1((marker.time, &*marker.name))
}
