//! `Clip`, and the clips of a document.

use std::sync::Arc;

use inbetween::core::clip_names::find;
use inbetween::{Animation, Looping, Marker};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice};

use crate::document::{Content, Document, missing};
use crate::edits::blend_mode;
use crate::options::{format_named, limits};
use crate::track::{Track, Tracks, sampled, wrapped};
use crate::{arrays, report};

/// The clips of a document, by index or name.
#[pyclass(frozen, sequence, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Clips(pub(crate) Arc<Content>);

impl Clips {
    fn clips(&self) -> &[Animation] {
        &self.0.document.clips
    }

    fn get(&self, index: usize) -> Clip {
        Clip { content: self.0.clone(), index }
    }
}

#[pymethods]
impl Clips {
    fn __len__(&self) -> usize {
        self.clips().len()
    }

    /// Accepts an index, a slice, a name, or a number such as ``"#2"``.
    fn __getitem__<'py>(
        &self,
        py: Python<'py>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(indices) = indices(key, self.clips().len())? {
            let clips = indices.into_iter().map(|index| self.get(index));
            return Ok(PyList::new(py, clips.collect::<Vec<_>>())?.into_any());
        }
        if let Ok(name) = key.extract::<String>() {
            let names = || self.clips().iter().map(|clip| clip.name.as_deref());
            let index = find(names(), &name);
            let index = index.ok_or_else(|| missing("clip", &name, names().flatten()))?;
            return Ok(Bound::new(py, self.get(index))?.into_any());
        }
        Ok(Bound::new(py, self.get(position(key, self.clips().len(), "clip")?))?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let clips = (0..self.clips().len()).map(|index| self.get(index));
        Ok(PyList::new(py, clips.collect::<Vec<_>>())?.try_iter()?.into_any())
    }

    fn __contains__(&self, name: &Bound<'_, PyAny>) -> bool {
        let name = name.extract::<String>().ok();
        name.is_some_and(|name| {
            self.clips().iter().any(|clip| clip.name.as_deref() == Some(&*name))
        })
    }

    /// Returns the names of the clips.
    fn keys(&self) -> Vec<Option<&str>> {
        self.clips().iter().map(|clip| clip.name.as_deref()).collect()
    }

    fn __repr__(&self) -> String {
        let names =
            self.clips().iter().map(|clip| format!("{:?}", clip.name.as_deref().unwrap_or("")));
        format!("<Clips {}>", names.collect::<Vec<_>>().join(", "))
    }
}

/// Returns the indices of a slice, or `None` for other keys.
pub(crate) fn indices(key: &Bound<'_, PyAny>, length: usize) -> PyResult<Option<Vec<usize>>> {
    let Ok(slice) = key.cast::<PySlice>() else { return Ok(None) };
    let indices = slice.indices(isize::try_from(length)?)?;
    let mut at = indices.start;
    let mut found = Vec::new();
    for _ in 0..indices.slicelength {
        found.push(usize::try_from(at)?);
        at = at.saturating_add(indices.step);
    }
    Ok(Some(found))
}

/// Returns a position in a list, counted from its end if it is negative.
pub(crate) fn position(key: &Bound<'_, PyAny>, length: usize, what: &str) -> PyResult<usize> {
    let index: isize = key.extract()?;
    let from_end = || length.checked_sub(index.unsigned_abs());
    let at = if index < 0 { from_end() } else { usize::try_from(index).ok() };
    at.filter(|at| *at < length)
        .ok_or_else(|| PyIndexError::new_err(format!("{what} {index} of {length}")))
}

pub(crate) const fn looping(loops: bool) -> Looping {
    if loops { Looping::Loop } else { Looping::Once }
}

/// A clip: its tracks and markers.
///
/// ``blend`` is the mode that the file will state; each track has its own. ``rules`` is the id of the format
/// by whose rules it plays; without it everything is computed in
/// double precision, and the last of equal keys shows.
#[pyclass(frozen, module = "inbetween")]
#[derive(Debug)]
pub(crate) struct Clip {
    content: Arc<Content>,
    index: usize,
}

impl Clip {
    pub(crate) fn animation(&self) -> &Animation {
        #[expect(clippy::indexing_slicing, reason = "a clip is made with an index of its document")]
        &self.content.document.clips[self.index]
    }
}

#[pymethods]
impl Clip {
    #[new]
    #[pyo3(signature = (tracks, *, name=None, duration=None, frame_rate=None, looping=false,
                        markers=Vec::new(), blend="absolute", rules=None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        tracks: Vec<Bound<'_, Track>>,
        name: Option<&str>,
        duration: Option<f64>,
        frame_rate: Option<f64>,
        looping: bool,
        markers: Vec<Bound<'_, PyAny>>,
        blend: &str,
        rules: Option<&str>,
    ) -> PyResult<Self> {
        let tracks = tracks.iter().map(|track| track.get().track().clone()).collect();
        let mut clip = Animation::new(tracks);
        clip.name = name.map(Into::into);
        (clip.duration, clip.frame_rate) = (duration, frame_rate);
        clip.looping = self::looping(looping);
        clip.blend = blend_mode(blend)?;
        for marker in markers {
            let time = marker.getattr("time")?.extract()?;
            let name: String = marker.getattr("name")?.extract()?;
            clip.markers.push(Marker { time, name: name.into() });
        }
        if let Some(rules) = rules {
            clip.rules = format_named(rules, &inbetween::Registry::with_builtin())?.info().rules;
        }
        let document = inbetween::Document::single(clip);
        let Document(content) = Document::of_document(document, None, limits(None, None));
        Ok(Self { content, index: 0 })
    }

    /// The name; ``None`` if the file has none.
    #[getter]
    fn name(&self) -> Option<&str> {
        self.animation().name.as_deref()
    }

    /// How long the clip plays, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        self.animation().effective_duration()
    }

    /// The duration in seconds that the file states, or ``None``.
    #[getter]
    fn stated_duration(&self) -> Option<f64> {
        self.animation().duration
    }

    /// Frames per second, if the file counts in frames.
    #[getter]
    fn frame_rate(&self) -> Option<f64> {
        self.animation().frame_rate
    }

    /// Whether the clip repeats.
    #[getter]
    fn looping(&self) -> bool {
        self.animation().looping == Looping::Loop
    }

    /// The stated blend mode: ``absolute``, ``additive``, ``relative`` or ``delta``.
    #[getter]
    fn blend(&self) -> String {
        self.animation().blend.name().into_owned()
    }

    /// The markers, in the order of the file.
    #[getter]
    fn markers<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        self.animation().markers.iter().map(|marker| report::marker(py, marker)).collect()
    }

    /// The id of the format by whose rules the clip plays; ``None`` for rules of no format.
    #[getter]
    fn rules(&self) -> Option<&'static str> {
        let rules = self.animation().rules;
        let by = |info: &&inbetween::core::FormatInfo| info.rules == rules;
        let registry = inbetween::Registry::with_builtin();
        let from = self.content.from.filter(by);
        let any = || registry.formats().map(inbetween::Format::info).find(by);
        if rules == inbetween::core::Rules::LINEAR {
            None
        } else {
            from.or_else(any).map(|it| it.id)
        }
    }

    /// The tracks, by index, or by label as ``tracks["hips/Rotation"]``.
    #[getter]
    fn tracks(&self) -> Tracks {
        Tracks { content: self.content.clone(), clip: self.index }
    }

    /// The document of the clip.
    #[getter]
    fn document(&self) -> Document {
        Document(self.content.clone())
    }

    /// Returns the values of all tracks with keys at some times.
    ///
    /// ``times`` are seconds, shape ``(n,)``. Each value has the shape ``(n, ...)`` of its kind. The
    /// key is the label of the track; if several have one label, those after the first also have their
    /// number: ``hips/Rotation#5``. Times of a looping clip wrap.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let (times, _) = arrays::numbers::<f64>(times)?;
        let clip = self.animation();
        let columns: Vec<_> = py.detach(|| {
            let times = wrapped(clip, times);
            clip.tracks.iter().map(|track| sampled(clip, track, &times)).collect()
        });
        let result = PyDict::new(py);
        for ((track, column), number) in clip.tracks.iter().zip(columns).zip(1_usize..) {
            let Some(column) = column else { continue };
            let mut label = track.target().label();
            if result.contains(&label)? {
                label = format!("{label}#{number}");
            }
            result.set_item(label, arrays::owned(py, column)?)?;
        }
        Ok(result)
    }

    fn __repr__(&self) -> String {
        let clip = self.animation();
        let (tracks, duration) = (clip.tracks.len(), clip.effective_duration());
        format!("<Clip {:?}: {tracks} tracks, {duration} s>", clip.name.as_deref().unwrap_or(""))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| self.animation() == other.get().animation())
    }

    fn _repr_svg_(&self) -> String {
        let document = inbetween::Document::single(self.animation().clone());
        inbetween::plot::Plot::new(&document, "").draw(1).svg
    }
}
