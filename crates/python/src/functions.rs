//! The functions of the module.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use inbetween::core::FormatInfo;
use inbetween::files::hint_of;
use inbetween::plot::Plot;
use inbetween::{Format, Reading, Registry};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::clip::Clip;
use crate::document::{Document, Writing};
use crate::edits::patterns;
use crate::errors::{self, class, value_error};
use crate::options::{Options, Use, format_named, limits, profile_named};
use crate::report;
use crate::source::{self, Source};
use crate::track::Track;

/// The arguments of reading.
struct Request<'a, 'py> {
    source: &'a Bound<'py, PyAny>,
    format: Option<&'a str>,
    neighbors: Option<Py<PyAny>>,
}

impl Request<'_, '_> {
    /// Reads the source, and calls `then` with its format and bytes, without the lock of the interpreter.
    fn open<T: Send>(
        self,
        registry: &Registry,
        then: impl FnOnce(&dyn Format, &[u8]) -> PyResult<T> + Send,
    ) -> PyResult<(T, &'static FormatInfo)> {
        let source = Source::new(self.source, registry.limits())?;
        let wanted = self.format.map(|name| format_named(name, registry)).transpose()?;
        let neighbors = source::neighbors(self.neighbors);
        self.source.py().detach(|| {
            let opened = source.open(wanted, neighbors, registry);
            let opened = opened.map_err(|error| errors::any(&error))?;
            let info = opened.format().info();
            Ok((then(opened.format(), opened.bytes())?, info))
        })
    }
}

/// Reads a file: a path, bytes, or an open binary file.
///
/// ``bytes`` are read in place; ``bytearray``, ``memoryview`` and ``mmap`` are copied once. The format
/// is found by the content, or given with ``format``. ``max_input`` and ``max_decoded`` limit the bytes
/// of the file and of its decoded keys. ``neighbors`` returns the bytes of a file beside bytes that
/// refer to it, such as the ``.bin`` of a ``.gltf``. Other keyword arguments are options of the format.
///
/// Raises ``ReadError``, ``LimitError``, or an ``OSError`` of the path.
#[pyfunction]
#[pyo3(signature = (source, *, format=None, max_input=None, max_decoded=None, neighbors=None, **options))]
pub(crate) fn read(
    source: &Bound<'_, PyAny>,
    format: Option<&str>,
    max_input: Option<u64>,
    max_decoded: Option<u64>,
    neighbors: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    let (limits, options) = (limits(max_input, max_decoded), Options::new(options)?);
    let registry = options.set(Registry::with_builtin().with_limits(limits.clone()))?;
    let request = Request { source, format, neighbors };
    let (reading, info) = request.open(&registry, |format, bytes| {
        Reading::new(format, bytes, registry.limits()).map_err(|error| errors::read(&error))
    })?;
    options.check(&[(info, Use::Reading)])?;
    Ok(Document::of_reading(reading, limits))
}

/// Returns the id of the format of a file. ``name`` is a file name, whose extension helps where the
/// content is not clear.
#[pyfunction]
#[pyo3(signature = (source, *, name=None, max_input=None))]
pub(crate) fn detect(
    source: &Bound<'_, PyAny>,
    name: Option<PathBuf>,
    max_input: Option<u64>,
) -> PyResult<&'static str> {
    let limits = limits(max_input, None);
    let source = Source::new(source, &limits)?;
    let registry = Registry::with_builtin().with_limits(limits);
    if let (Source::Bytes(bytes), Some(name)) = (&source, name) {
        let detection = registry.detect(bytes, &hint_of(&name));
        return Ok(detection.map_err(|error| errors::detect(&error))?.format.info().id);
    }
    let opened = source.open(None, None, &registry).map_err(|error| errors::any(&error))?;
    Ok(opened.format().info().id)
}

/// Checks a file: what is wrong with it, and what ``profile`` (a program) does with it.
///
/// ``companion`` is a file that belongs to it, such as the component XML of an X4 .ANI file; the
/// differences between the two are found too.
///
/// Raises ``ReadError`` if it is too far from a file of its format to be checked.
#[pyfunction]
#[pyo3(signature = (source, *, format=None, profile=None, companion=None, max_input=None,
                    max_decoded=None, neighbors=None, **options))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn check<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    format: Option<&str>,
    profile: Option<&str>,
    companion: Option<&Bound<'py, PyAny>>,
    max_input: Option<u64>,
    max_decoded: Option<u64>,
    neighbors: Option<Py<PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyList>> {
    let (limits, options) = (limits(max_input, max_decoded), Options::new(options)?);
    let registry = options.set(Registry::with_builtin().with_limits(limits))?;
    let profile = profile_named(profile)?;
    let companion = companion.map(|file| Source::new(file, registry.limits())).transpose()?;
    let request = Request { source, format, neighbors };
    let (findings, info) = request.open(&registry, |format, bytes| {
        if let Some(profile) = profile.filter(|profile| !profile.concerns(format.info())) {
            let (program, name) = (profile.program, format.info().name);
            return Err(value_error(format!("{program} does not read {name} files")));
        }
        let findings = inbetween::check(format, bytes, profile, registry.limits());
        let mut findings = findings.map_err(|error| errors::read(&error))?;
        if let Some(companion) = companion {
            let name = format.info().name;
            let none = || value_error(format!("no other files belong to {name} files"));
            let checker = format.companion().ok_or_else(none)?;
            let companion = companion.load(&registry).map_err(|error| errors::any(&error))?;
            let found = checker.check(bytes, companion.as_slice(), registry.limits());
            findings.extend(found.map_err(|error| errors::read(&error))?);
        }
        Ok(findings)
    })?;
    options.check(&[(info, Use::Reading)])?;
    report::findings(py, &findings)
}

/// Converts a file to another format: ``read`` and ``Document.write`` in one call.
///
/// ``to`` is the id of a format or an extension. ``clip`` converts one clip, by its name or a number
/// such as ``"#2"``. Everything else is as for ``read`` and ``Document.write``.
#[pyfunction]
#[pyo3(signature = (source, to, *, format=None, clip=None, strict=false, allow=Vec::new(), axes="auto",
                    unit=None, profile=None, max_input=None, max_decoded=None, neighbors=None, **options))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn convert<'py>(
    py: Python<'py>,
    source: &Bound<'py, PyAny>,
    to: &str,
    format: Option<&str>,
    clip: Option<&str>,
    strict: bool,
    allow: Vec<String>,
    axes: &str,
    unit: Option<Bound<'py, PyAny>>,
    profile: Option<&str>,
    max_input: Option<u64>,
    max_decoded: Option<u64>,
    neighbors: Option<Py<PyAny>>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let (limits, options) = (limits(max_input, max_decoded), Options::new(options)?);
    let writing = Writing { strict, allow, axes, unit, profile };
    let registry = Registry::with_builtin().with_limits(limits.clone());
    let registry = writing.registry(to, &options, registry)?;
    let to = format_named(to, &registry)?;
    let request = Request { source, format, neighbors };
    let (reading, info) = request.open(&registry, |format, bytes| {
        let opened = inbetween::Source::open(format, bytes, registry.limits());
        let opened = opened.map_err(|error| errors::read(&error))?;
        match clip {
            Some(name) => opened.clip(name).map_err(|error| errors::any(&error)),
            None => opened.whole().map_err(|error| errors::read(&error)),
        }
    })?;
    options.check(&[(info, Use::Reading), (to.info(), Use::Writing)])?;
    let content = Document::of_reading(reading, limits).0;
    let written = writing.write(py, &content, to)?;
    report::converted(py, &written.bytes, &written.findings, (Some(info), to.info()))
}

/// Returns the known formats, with their options.
#[pyfunction]
pub(crate) fn formats(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyAny>>> {
    Registry::with_builtin().formats().map(|format| report::format(py, format.info())).collect()
}

/// Returns the id of the format with a file name extension, without a dot; ``None`` if there is none.
#[pyfunction]
pub(crate) fn format_of_extension(extension: &str) -> Option<&'static str> {
    let registry = Registry::with_builtin();
    registry.by_extension(extension.trim_start_matches('.')).map(|format| format.info().id)
}

/// Returns what a code of findings means, and what to do about it.
///
/// Raises ``KeyError`` with similar codes if there is no such code.
#[pyfunction]
pub(crate) fn explain(code: &str) -> PyResult<&'static str> {
    let all = Registry::with_builtin().codes();
    let known = all.iter().find(|known| known.id() == code).map(|known| known.help());
    known.ok_or_else(|| crate::document::missing("code", code, all.iter().map(|code| code.id())))
}

/// Draws the curves of a document, a clip or a track as SVG, which a notebook shows.
///
/// ``tracks`` chooses tracks by patterns such as ``"arm_*/Rotation"``, ``before`` is drawn pale behind
/// them, ``degrees`` shows rotations as Euler angles, and ``start`` and ``end`` are seconds.
#[pyfunction]
#[pyo3(signature = (what, *, tracks=None, before=None, title="", degrees=false, start=None, end=None, page=1))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn plot<'py>(
    what: &Bound<'py, PyAny>,
    tracks: Option<&str>,
    before: Option<&Bound<'py, Document>>,
    title: &str,
    degrees: bool,
    start: Option<f64>,
    end: Option<f64>,
    page: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let document = drawn(what)?;
    let document = document.as_ref();
    let patterns = tracks.map(|text| patterns(document, &[text.to_owned()])).transpose()?;
    let mut plot = Plot::new(document, title);
    if let Some(patterns) = &patterns {
        plot = plot.tracks(|target| patterns.iter().any(|pattern| pattern.matches(target)));
    }
    if let Some(before) = before {
        plot = plot.over(&before.get().0.document, "before");
    }
    if degrees {
        plot = plot.degrees();
    }
    let longest = document.clips.iter().map(inbetween::Animation::effective_duration);
    match (start, end) {
        (None, None) => {}
        (start, end) => {
            let end = end.unwrap_or_else(|| longest.fold(0.0, f64::max));
            plot = plot.range(start.unwrap_or(0.0)..end);
        }
    }
    let picture = plot.draw(page);
    class(what.py(), "Svg")?.call1((picture.svg,))
}

/// Returns what is drawn as a document.
fn drawn<'a>(what: &'a Bound<'_, PyAny>) -> PyResult<Cow<'a, inbetween::Document>> {
    if let Ok(document) = what.cast::<Document>() {
        return Ok(Cow::Borrowed(&document.get().0.document));
    }
    if let Ok(clip) = what.cast::<Clip>() {
        return Ok(Cow::Owned(inbetween::Document::single(clip.get().animation().clone())));
    }
    if let Ok(track) = what.cast::<Track>() {
        return Ok(Cow::Owned(track.get().alone()));
    }
    let name = what.get_type().name()?;
    Err(errors::type_error(format!("expected a Document, a Clip or a Track, found {name}")))
}

/// Writes bytes to a file: completely, or not at all.
#[pyfunction]
pub(crate) fn save(py: Python<'_>, path: PathBuf, data: &[u8]) -> PyResult<()> {
    py.detach(|| inbetween_cli::save(&path, data)).map_err(|error| errors::io(&error))
}

/// Runs the command line, and returns its exit code. It takes over Ctrl-C.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| inbetween_cli::run(arguments))
}
