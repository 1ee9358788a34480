//! `Document`: reading results, writing and files.

use std::path::PathBuf;
use std::sync::Arc;

use inbetween::core::{Coordinates, FormatInfo};
use inbetween::{
    Error, Finding, Format, Limits, Outcome, Reading, Registry, refused_losses, write_mapped,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};

use crate::clip::{Clip, Clips};
use crate::coordinates;
use crate::errors;
use crate::functions::save;
use crate::options::{Options, Use, format_named, profile_named};
use crate::report;
use crate::skeleton::Skeleton;
use crate::{html, names};

/// What documents, clips and tracks share. It never changes.
#[derive(Debug)]
pub(crate) struct Content {
    pub(crate) document: inbetween::Document,
    /// The format that was read; none for documents made from arrays.
    pub(crate) from: Option<&'static FormatInfo>,
    /// The coordinates of a document that was made from arrays, if they were given.
    pub(crate) given: Option<Coordinates>,
    /// The findings of reading and of all edits.
    pub(crate) findings: Vec<Finding>,
    /// The limits of each edit and of writing.
    pub(crate) limits: Limits,
}

impl Content {
    /// Returns what the axes and lengths mean, as far as it is known.
    pub(crate) fn coordinates(&self) -> Option<Coordinates> {
        self.given.or_else(|| self.from.map(|from| from.coordinates_of(&self.document)))
    }
}

/// The clips of a file, and its skeleton.
///
/// ``Document(clips)`` makes one of clips, and ``read`` reads one. A document never changes: every
/// edit returns a new one.
#[pyclass(frozen, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Document(pub(crate) Arc<Content>);

impl Document {
    pub(crate) fn of_reading(reading: Reading, limits: Limits) -> Self {
        let Reading { from, document, findings, .. } = reading;
        Self(Arc::new(Content { document, from: Some(from), given: None, findings, limits }))
    }

    pub(crate) fn of_document(
        document: inbetween::Document,
        given: Option<Coordinates>,
        limits: Limits,
    ) -> Self {
        Self(Arc::new(Content { document, from: None, given, findings: Vec::new(), limits }))
    }
}

/// How a document is written.
pub(crate) struct Writing<'a> {
    pub(crate) strict: bool,
    pub(crate) allow: Vec<String>,
    pub(crate) axes: &'a str,
    pub(crate) unit: Option<Bound<'a, PyAny>>,
    pub(crate) profile: Option<&'a str>,
}

/// The bytes and the findings of a written document.
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    pub(crate) findings: Vec<Finding>,
}

impl Writing<'_> {
    /// Returns the registry with the options, and those that the profile needs.
    pub(crate) fn registry(
        &self,
        to: &str,
        options: &Options,
        registry: Registry,
    ) -> PyResult<Registry> {
        let info = format_named(to, &registry)?.info();
        let mut registry = registry;
        if let Some(profile) = profile_named(self.profile)? {
            if !profile.concerns(info) {
                let (program, name) = (profile.program, info.name);
                return Err(errors::value_error(format!("{program} does not read {name} files")));
            }
            for (name, value) in profile.options_of(info) {
                registry =
                    registry.with_option(name, value).map_err(|error| errors::option(&error))?;
            }
        }
        options.set(registry)
    }

    /// Converts the axes and lengths, writes, and refuses losses if they are not allowed.
    pub(crate) fn write(
        &self,
        py: Python<'_>,
        content: &Content,
        to: &dyn Format,
    ) -> PyResult<Written> {
        let mapping = crate::edits::mapping(self.axes, self.unit.as_ref())?;
        let written = py.detach(|| {
            let document = content.document.clone();
            match content.coordinates() {
                Some(from) => write_mapped(document, from, to, mapping, &content.limits),
                None => Ok(to.write(document, &content.limits)?),
            }
        });
        let Outcome { value: bytes, findings: mut found } =
            written.map_err(|error| match error {
                Error::Write(error) => errors::write(&error, &content.findings),
                error => errors::any(&error),
            })?;
        let mut findings = content.findings.clone();
        findings.append(&mut found);
        self.refuse_losses(&findings)?;
        Ok(Written { bytes, findings })
    }

    fn refuse_losses(&self, findings: &[Finding]) -> PyResult<()> {
        if !self.strict {
            return Ok(());
        }
        let losses = refused_losses(findings, &self.allow).map_err(|error| errors::edit(&error))?;
        let losses: Vec<Finding> = losses.into_iter().cloned().collect();
        if losses.is_empty() { Ok(()) } else { Err(errors::refused(&losses)) }
    }
}

#[pymethods]
impl Document {
    #[new]
    #[pyo3(signature = (clips, *, skeleton=None, coordinates=None, max_decoded=None))]
    fn new(
        clips: Vec<Bound<'_, Clip>>,
        skeleton: Option<&Bound<'_, Skeleton>>,
        coordinates: Option<&Bound<'_, PyAny>>,
        max_decoded: Option<u64>,
    ) -> PyResult<Self> {
        let clips = clips.iter().map(|clip| clip.get().animation().clone()).collect();
        let mut document = inbetween::Document::new(clips);
        document.skeleton = skeleton.map(|skeleton| skeleton.get().0.clone());
        let given = coordinates.map(coordinates::of_python).transpose()?;
        Ok(Self::of_document(document, given, crate::options::limits(None, max_decoded)))
    }

    /// Makes a document of one clip from arrays.
    ///
    /// ``tracks`` maps labels such as ``"hips/Position"`` to times in seconds, shape ``(n,)``, and
    /// values: ``(n, 3)`` for ``Position``, ``Scale`` and ``RotationEuler`` (radians), ``(n, 4)`` for
    /// ``Rotation`` (quaternions xyzw), ``(n,)`` for ``Weight:NAME``. With ``coordinates``, writing converts
    /// axes and lengths.
    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    #[pyo3(signature = (tracks, *, name=None, frame_rate=None, duration=None, looping=false,
                        interpolation="linear", skeleton=None, coordinates=None))]
    fn from_arrays(
        tracks: &Bound<'_, PyMapping>,
        name: Option<&str>,
        frame_rate: Option<f64>,
        duration: Option<f64>,
        looping: bool,
        interpolation: &str,
        skeleton: Option<&Bound<'_, Skeleton>>,
        coordinates: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = tracks.py();
        let tracks = tracks.items()?.iter().map(|item| {
            let (label, (times, values)): (String, (Bound<'_, PyAny>, Bound<'_, PyAny>)) =
                item.extract()?;
            crate::build::labelled(&label, &times, &values, interpolation)
                .map_err(|error| crate::build::about(py, &label, error))
        });
        let mut clip = inbetween::Animation::new(tracks.collect::<PyResult<_>>()?);
        clip.name = name.map(Into::into);
        clip.frame_rate = frame_rate;
        clip.duration = duration;
        clip.looping = crate::clip::looping(looping);
        let mut document = inbetween::Document::single(clip);
        document.skeleton = skeleton.map(|skeleton| skeleton.get().0.clone());
        let given = coordinates.map(coordinates::of_python).transpose()?;
        Ok(Self::of_document(document, given, Limits::default()))
    }

    /// The id of the format that was read; ``None`` if the document was made from arrays.
    #[getter]
    fn format(&self) -> Option<&'static str> {
        self.0.from.map(|from| from.id)
    }

    /// What the axes and lengths mean, as far as it is known.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.0.coordinates().map(|known| coordinates::to_python(py, known)).transpose()
    }

    /// What reading and all edits found, changed and lost.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        report::findings(py, &self.0.findings)
    }

    /// The clips, by index, or by name as ``clips["Walk"]``.
    #[getter]
    fn clips(&self) -> Clips {
        Clips(self.0.clone())
    }

    /// The bones, if the file has any.
    #[getter]
    fn skeleton(&self) -> Option<Skeleton> {
        self.0.document.skeleton.clone().map(Skeleton)
    }

    /// Writes the document in a format.
    ///
    /// Axes and lengths become those of the format where both are known, as on the command line;
    /// ``axes="keep"`` keeps the numbers, and an axis map such as ``"x,z,-y"`` replaces what is known.
    /// ``unit`` is the length of the unit of the document in meters, or a name such as ``"cm"``.
    ///
    /// Other keyword arguments are options of the format: see ``formats``.
    ///
    /// Raises ``WriteError`` if the format cannot represent something that it requires, or, with
    /// ``strict``, if anything is lost whose code ``allow`` does not match.
    #[pyo3(signature = (to, *, strict=false, allow=Vec::new(), axes="auto", unit=None, profile=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn write<'py>(
        &self,
        py: Python<'py>,
        to: &str,
        strict: bool,
        allow: Vec<String>,
        axes: &str,
        unit: Option<Bound<'py, PyAny>>,
        profile: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let writing = Writing { strict, allow, axes, unit, profile };
        let options = Options::new(options)?;
        let registry = writing.registry(to, &options, Registry::with_builtin())?;
        let format = format_named(to, &registry)?;
        options.check(&[(format.info(), Use::Writing)])?;
        let written = writing.write(py, &self.0, format)?;
        report::converted(py, &written.bytes, &written.findings, (self.0.from, format.info()))
    }

    /// Writes the document to a file: completely, or not at all.
    ///
    /// The format is ``to``, else that of the extension. Everything else is as for ``write``.
    #[pyo3(signature = (path, *, to=None, strict=false, allow=Vec::new(), axes="auto", unit=None,
                        profile=None, **options))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn save<'py>(
        &self,
        py: Python<'py>,
        path: PathBuf,
        to: Option<&str>,
        strict: bool,
        allow: Vec<String>,
        axes: &str,
        unit: Option<Bound<'py, PyAny>>,
        profile: Option<&str>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let extension = path.extension().map(|it| it.to_string_lossy().into_owned());
        let known = |to: &&str| Registry::with_builtin().by_name(to).is_some();
        let to = to.or_else(|| extension.as_deref().filter(known)).ok_or_else(|| {
            let path = path.display();
            errors::value_error(format!(
                "{path}: no format has this extension; choose one with to="
            ))
        })?;
        let converted = self.write(py, to, strict, allow, axes, unit, profile, options)?;
        let bytes = converted.getattr("bytes")?;
        save(py, path, bytes.extract()?)?;
        Ok(converted)
    }

    fn __repr__(&self) -> String {
        let clips = self.0.document.clips.len();
        let tracks: usize = self.0.document.clips.iter().map(|clip| clip.tracks.len()).sum();
        let from = self.0.from.map_or("arrays", |from| from.name);
        format!("<Document from {from}: {clips} clips, {tracks} tracks>")
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.0.document == other.get().0.document)
    }

    fn _repr_html_(&self) -> String {
        html::document(&self.0)
    }

    fn _repr_svg_(&self) -> String {
        inbetween::plot::Plot::new(&self.0.document, "").without_heading().draw(1).svg
    }
}

/// Returns the message about a clip or track that is missing.
pub(crate) fn missing<'n>(
    what: &str,
    wanted: &str,
    known: impl IntoIterator<Item = &'n str>,
) -> PyErr {
    let near = names::similar(wanted, known);
    errors::key_error(format!("no {what} is named '{wanted}'{near}"))
}
