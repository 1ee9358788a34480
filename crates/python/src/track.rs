//! `Track`, and the tracks of a clip.

use std::sync::Arc;

use inbetween::core::{
    Element, Handle, PlaybackCursor, Rules, Shape, Tangents, TrackData, ValueKind, with_column,
};
use inbetween::{Animation, Property, Values};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::clip::{indices, position};
use crate::document::{Content, Document};
use crate::options::limits;
use crate::{arrays, build, errors, names};

/// The tracks of a clip, by index or label.
///
/// Without a track of a label, a ``KeyError`` names similar labels; several tracks of one label are a
/// ``KeyError`` that names their indices.
#[pyclass(frozen, sequence, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Tracks {
    pub(crate) content: Arc<Content>,
    pub(crate) clip: usize,
}

impl Tracks {
    fn tracks(&self) -> &[inbetween::Track] {
        #[expect(clippy::indexing_slicing, reason = "made with an index of the document")]
        &self.content.document.clips[self.clip].tracks
    }

    fn get(&self, track: usize) -> Track {
        Track { content: self.content.clone(), clip: self.clip, index: track }
    }

    fn index_of(&self, label: &str) -> PyResult<usize> {
        let labels: Vec<String> = self.tracks().iter().map(|it| it.target().label()).collect();
        let mut found = labels.iter().enumerate().filter(|(_, each)| *each == label);
        match (found.next(), found.next()) {
            (Some((index, _)), None) => Ok(index),
            (None, _) => {
                let near = names::similar(label, labels.iter().map(String::as_str));
                Err(errors::key_error(format!("no track is '{label}'{near}")))
            }
            (Some((first, _)), Some((second, _))) => {
                let all = [first, second].into_iter().chain(found.map(|(index, _)| index));
                let all: Vec<String> = all.map(|index| index.to_string()).collect();
                let all = all.join(", ");
                Err(errors::key_error(format!(
                    "several tracks are '{label}': use an index of {all}"
                )))
            }
        }
    }
}

#[pymethods]
impl Tracks {
    fn __len__(&self) -> usize {
        self.tracks().len()
    }

    /// Accepts an index, a slice, or a label such as ``hips/Rotation``.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(indices) = indices(key, self.tracks().len())? {
            let tracks = indices.into_iter().map(|index| self.get(index));
            return Ok(PyList::new(py, tracks.collect::<Vec<_>>())?.into_any());
        }
        let index = match key.extract::<String>() {
            Ok(label) => self.index_of(&label)?,
            Err(_) => position(key, self.tracks().len(), "track")?,
        };
        Ok(Bound::new(py, self.get(index))?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let tracks = (0..self.tracks().len()).map(|index| self.get(index));
        Ok(PyList::new(py, tracks.collect::<Vec<_>>())?.try_iter()?.into_any())
    }

    /// Returns the labels of the tracks.
    fn keys(&self) -> Vec<String> {
        self.tracks().iter().map(|track| track.target().label()).collect()
    }

    fn __contains__(&self, label: &Bound<'_, PyAny>) -> bool {
        let label = label.extract::<String>().ok();
        label.is_some_and(|label| self.tracks().iter().any(|it| it.target().label() == label))
    }

    fn __repr__(&self) -> String {
        let labels = self.tracks().iter().take(8).map(|track| track.target().label());
        let more = if self.tracks().len() > 8 { ", ..." } else { "" };
        format!("<Tracks {}{more}>", labels.collect::<Vec<_>>().join(", "))
    }
}

/// A column that a track can show.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Column {
    Values,
    Left,
    Right,
}

/// The keys of a property of a node.
#[pyclass(frozen, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Track {
    content: Arc<Content>,
    clip: usize,
    index: usize,
}

impl Track {
    pub(crate) fn clip(&self) -> &Animation {
        #[expect(clippy::indexing_slicing, reason = "made with an index of the document")]
        &self.content.document.clips[self.clip]
    }

    pub(crate) fn track(&self) -> &inbetween::Track {
        #[expect(clippy::indexing_slicing, reason = "made with an index of the clip")]
        &self.clip().tracks[self.index]
    }

    pub(crate) fn of(track: inbetween::Track) -> Self {
        let document = inbetween::Document::single(Animation::new(vec![track]));
        let Document(content) = Document::of_document(document, None, limits(None, None));
        Self { content, clip: 0, index: 0 }
    }

    /// Returns the track as the only one of a document.
    pub(crate) fn alone(&self) -> inbetween::Document {
        let clip = self.clip().head().with_tracks(vec![self.track().clone()]);
        inbetween::Document::single(clip)
    }

    /// Returns the times, if the track stores them.
    pub(crate) fn stored_times(&self) -> Option<&[f64]> {
        match self.track().data().shape() {
            Shape::Stepped { times } | Shape::Curve { times, .. } => Some(times),
            _ => None,
        }
    }

    /// Returns a column, if the track has it in the kind of its values.
    pub(crate) fn column(&self, column: Column) -> Option<&Values> {
        let data = self.track().data();
        match (column, data.tangents()) {
            (Column::Values, _) => Some(data.values()),
            (Column::Left, Some(Tangents::Values { left, .. })) => Some(left),
            (Column::Right, Some(Tangents::Values { right, .. })) => Some(right),
            _ => None,
        }
    }

    fn side<'py>(slf: &Bound<'py, Self>, side: Column) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (py, this) = (slf.py(), slf.get());
        let data = this.track().data();
        match data.tangents() {
            Some(Tangents::Handles { left, right }) => {
                let handles = if matches!(side, Column::Left) { left } else { right };
                let points = |handle: &Handle| [handle.time, handle.value];
                let numbers: Vec<f64> = handles.iter().flat_map(points).collect();
                let components = handles.len().checked_div(data.len()).unwrap_or(0);
                let array = PyArray1::from_vec(py, numbers);
                Ok(Some(array.reshape([data.len(), components, 2])?.as_any().clone()))
            }
            _ => arrays::values(slf, side).transpose(),
        }
    }
}

#[pymethods]
impl Track {
    /// Makes a track of arrays: see the stub for the meaning of each argument.
    #[new]
    #[pyo3(signature = (node, property, times, values, *, kind=None, interpolation=None, shape=None,
                        interval=None, left=None, right=None, tangents=None, component=None,
                        blend="absolute", euler_order="xyz"))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        node: Option<&str>,
        property: Option<&str>,
        times: &Bound<'_, PyAny>,
        values: &Bound<'_, PyAny>,
        kind: Option<&str>,
        interpolation: Option<&Bound<'_, PyAny>>,
        shape: Option<&str>,
        interval: Option<f64>,
        left: Option<&Bound<'_, PyAny>>,
        right: Option<&Bound<'_, PyAny>>,
        tangents: Option<&str>,
        component: Option<&str>,
        blend: &str,
        euler_order: &str,
    ) -> PyResult<Self> {
        let target = build::target(node, property, component, blend, euler_order)?;
        let keys = build::Keys {
            times,
            values,
            kind,
            interpolation,
            shape,
            interval,
            left,
            right,
            tangents,
        };
        Ok(Self::of(keys.track(target)?))
    }

    /// The node and the property, such as ``hips/Rotation`` or ``door/Position.x``.
    #[getter]
    fn label(&self) -> String {
        self.track().target().label()
    }

    /// The index in the clip.
    #[getter]
    const fn index(&self) -> usize {
        self.index
    }

    /// The node: a bone, an object or a path; ``None`` if the file has a null name.
    #[getter]
    fn node(&self) -> Option<&str> {
        self.track().target().node.as_deref()
    }

    /// ``Position``, ``Rotation``, ``RotationEuler``, ``Scale``, ``Weight:NAME``, or a name of the file.
    #[getter]
    fn property(&self) -> Option<String> {
        match &self.track().target().property {
            Property::Custom(None) => None,
            property => Some(property.name().into_owned()),
        }
    }

    /// ``x``, ``y`` or ``z``, if the track has one component of a vector.
    #[getter]
    fn component(&self) -> Option<&'static str> {
        self.track().target().component.map(inbetween::core::Axis::name)
    }

    /// The kind of the values, such as ``float3`` or ``floatQ``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.track().data().kind().name()
    }

    /// ``uniform``, ``stepped`` or ``curve``.
    #[getter]
    fn shape(&self) -> &'static str {
        self.track().data().shape().name()
    }

    /// The seconds between uniform keys; ``None`` for others.
    #[getter]
    fn interval(&self) -> Option<f64> {
        match self.track().data().shape() {
            Shape::Uniform { interval } => Some(*interval),
            _ => None,
        }
    }

    /// ``hold``, ``linear``, ``hermite`` or ``bezier``; a list of them if keys differ.
    #[getter]
    fn interpolation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let data = self.track().data();
        let name = |index| build::interpolation_name(data.interpolation(index));
        let shared = match data.shape() {
            Shape::Curve { interpolation, .. } => interpolation.shared(data.len()),
            _ => Some(data.interpolation(0)),
        };
        match shared {
            Some(shared) => Ok(build::interpolation_name(shared).into_pyobject(py)?.into_any()),
            None => Ok(PyList::new(py, (0..data.len()).map(name))?.into_any()),
        }
    }

    /// What ``left`` and ``right`` are: ``values``, ``handles``, or ``None`` without tangents.
    #[getter]
    fn tangents(&self) -> Option<&'static str> {
        match self.track().data().tangents()? {
            Tangents::Values { .. } => Some("values"),
            _ => Some("handles"),
        }
    }

    /// The left tangents: shaped like ``values``, or for handles ``(keys, components, 2)`` with times
    /// in seconds and values.
    #[getter]
    fn left<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::side(slf, Column::Left)
    }

    /// The right tangents, like ``left``.
    #[getter]
    fn right<'py>(slf: &Bound<'py, Self>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Self::side(slf, Column::Right)
    }

    /// ``absolute``, ``rest-relative`` or ``additive``.
    #[getter]
    fn blend(&self) -> &'static str {
        self.track().target().blend.name()
    }

    /// The order of Euler angles such as ``xyz`` or ``-zxy``; ``None`` for other properties.
    #[getter]
    fn euler_order(&self) -> Option<String> {
        match &self.track().target().property {
            Property::RotationEuler(order) => Some(build::order_name(*order)),
            _ => None,
        }
    }

    /// The times of the keys in seconds, shape ``(keys,)``, read-only.
    ///
    /// This is a view of the document, which it keeps; times of uniform keys are computed.
    #[getter]
    fn times<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        arrays::times(slf).unwrap_or_else(|| {
            let times: Vec<f64> = slf.get().track().data().times().collect();
            let array = PyArray1::from_vec(slf.py(), times);
            Ok(array.readwrite().make_nonwriteable().as_any().clone())
        })
    }

    /// The values of the keys, read-only: a view of the document, which it keeps.
    ///
    /// Shape ``(keys,)`` for numbers, ``(keys, n)`` for vectors, quaternions (xyzw) and colors,
    /// ``(keys, n, n)`` for matrices. Texts are an array of objects: ``str``, and ``None`` for null.
    #[getter]
    fn values<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let values = arrays::values(slf, Column::Values);
        values.unwrap_or_else(|| Err(errors::value_error("the track has no values")))
    }

    /// The number of keys.
    fn __len__(&self) -> usize {
        self.track().data().len()
    }

    /// A track without keys is a track too.
    #[expect(clippy::unused_self, reason = "a method of Python")]
    const fn __bool__(&self) -> bool {
        true
    }

    /// Returns the values at some times in seconds, shape ``(n,)``, as the clip plays them.
    ///
    /// Raises ``ValueError`` for a track without keys.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (times, _) = arrays::numbers::<f64>(times)?;
        let clip = self.clip();
        let values = py.detach(|| sampled(clip, self.track(), &wrapped(clip, times)));
        let values = values.ok_or_else(|| errors::value_error("the track has no keys"))?;
        arrays::owned(py, values)
    }

    fn __repr__(&self) -> String {
        let data = self.track().data();
        format!("<Track {}: {} keys of {}>", self.label(), data.len(), data.kind())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.track() == other.get().track())
    }

    fn _repr_svg_(&self) -> String {
        inbetween::plot::Plot::new(&self.alone(), "").without_heading().draw(1).svg
    }
}

/// Returns seconds as times of a clip: those of one that loops wrap.
pub(crate) fn wrapped(clip: &Animation, mut times: Vec<f64>) -> Vec<f64> {
    // Finding the period takes a look at each track.
    if clip.looping == inbetween::Looping::Loop {
        for time in &mut times {
            *time = clip.clip_time(*time);
        }
    }
    times
}

/// Returns the values of a track at some times of its clip, or `None` without keys.
pub(crate) fn sampled(clip: &Animation, track: &inbetween::Track, times: &[f64]) -> Option<Values> {
    fn typed<T: Element>(_: &[T], rules: Rules, data: &TrackData, times: &[f64]) -> Option<Values> {
        let (sampler, mut cursor) = (rules.sampler::<T>(data)?, PlaybackCursor::default());
        let value = |time: &f64| sampler.sample_from(&mut cursor, *time).unwrap_or_default();
        Some(Values::from(times.iter().map(value).collect::<Vec<T>>()))
    }
    let data = track.data();
    if data.is_empty() {
        return None;
    }
    let rules = clip.rules.of(&track.target().property);
    with_column!(data.values(), column => typed(column, rules, data, times), else {
        let (mut values, mut cursor) = (Values::empty(ValueKind::String), PlaybackCursor::default());
        for time in times {
            values.push(rules.sample_from(data, &mut cursor, *time)?).ok()?;
        }
        Some(values)
    })
}
