//! The edits of `Document`, each under its name in the library.

use std::sync::Arc;

use inbetween::core::Coordinates;
use inbetween::edit::{
    self, Case, EditError, MapOptions, NamePattern, Named, ReduceBounds, Renaming, Rig, Route,
    Settings, SplitAt, Time, TimeRange, TrackPattern,
};
use inbetween::{BlendMode, Outcome};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyMapping};

use crate::clip::looping;
use crate::coordinates;
use crate::document::{Content, Document};
use crate::errors::{self, key_error, value_error};
use crate::names::similar;
use crate::skeleton::Skeleton;

type Edited = Result<Outcome<inbetween::Document>, EditError>;

impl Document {
    /// Applies an edit to a copy of the document, without the lock of the interpreter.
    fn edit(
        &self,
        py: Python<'_>,
        change: impl FnOnce(inbetween::Document, &Settings) -> Edited + Send,
    ) -> PyResult<Self> {
        self.edit_into(py, self.0.given, change)
    }

    /// Applies an edit whose result has other coordinates.
    fn edit_into(
        &self,
        py: Python<'_>,
        given: Option<Coordinates>,
        change: impl FnOnce(inbetween::Document, &Settings) -> Edited + Send,
    ) -> PyResult<Self> {
        let content = &*self.0;
        let settings = Settings::default().limits(content.limits.clone());
        let edited = py.detach(|| change(content.document.clone(), &settings));
        let Outcome { value: document, findings } = edited.map_err(|error| errors::edit(&error))?;
        let findings = content.findings.iter().cloned().chain(findings).collect();
        let (from, limits) = (content.from, content.limits.clone());
        Ok(Self(Arc::new(Content { document, from, given, findings, limits })))
    }

    fn patterns(&self, texts: &[String]) -> PyResult<Vec<TrackPattern>> {
        patterns(&self.0.document, texts)
    }

    /// Parses patterns of names, each of which must match one of `known`.
    fn names<'n>(
        texts: &[String],
        what: &str,
        known: impl Iterator<Item = &'n str> + Clone,
    ) -> PyResult<Vec<NamePattern>> {
        let parse = |text: &String| {
            let pattern = NamePattern::new(text, Case::Sensitive);
            let pattern = pattern.map_err(|error| errors::edit(&error))?;
            if known.clone().any(|name| pattern.matches(name)) {
                return Ok(pattern);
            }
            let near = similar(text, known.clone());
            Err(key_error(format!("no {what} matches '{text}'{near}")))
        };
        texts.iter().map(parse).collect()
    }

    fn bones(&self, operation: &'static str) -> PyResult<inbetween::Skeleton> {
        let skeleton = self.0.document.skeleton.clone();
        skeleton.ok_or_else(|| errors::edit(&EditError::NoSkeleton { operation }))
    }
}

/// Parses patterns, each of which must match a track.
pub(crate) fn patterns(
    document: &inbetween::Document,
    texts: &[String],
) -> PyResult<Vec<TrackPattern>> {
    let mut patterns = Vec::new();
    for text in texts {
        patterns.extend(TrackPattern::list(text).map_err(|error| errors::edit(&error))?);
    }
    let clips = &document.clips;
    let unused = patterns.iter().find(|pattern| {
        let matches = |(index, track): (usize, &inbetween::Track)| {
            pattern.matches_track(index, track.target())
                || ["x", "y", "z"].iter().any(|it| pattern.matches_component(track.target(), it))
        };
        !clips.iter().any(|clip| clip.tracks.iter().enumerate().any(matches))
    });
    let Some(unused) = unused else { return Ok(patterns) };
    let labels = clips.iter().flat_map(|clip| &clip.tracks);
    let labels: Vec<String> = labels.map(|track| track.target().label()).collect();
    let near = similar(unused.as_str(), labels.iter().map(String::as_str));
    Err(key_error(format!("no track matches '{}'{near}", unused.as_str())))
}

/// Returns how coordinates are converted.
pub(crate) fn mapping(axes: &str, unit: Option<&Bound<'_, PyAny>>) -> PyResult<MapOptions> {
    let axes = axes.parse().map_err(|error: String| value_error(format!("axes: {error}")))?;
    let mut options = MapOptions { axes, ..MapOptions::default() };
    if let Some(unit) = unit {
        let is_number = unit.is_instance_of::<PyFloat>() || unit.is_instance_of::<PyInt>();
        let text = if is_number { unit.str()?.to_string() } else { unit.extract()? };
        let wrong = |error: String| value_error(format!("unit: {error}"));
        options.unit = text.parse().map_err(wrong)?;
    }
    Ok(options)
}

pub(crate) fn blend_mode(name: &str) -> PyResult<BlendMode> {
    let modes = [BlendMode::Absolute, BlendMode::Additive, BlendMode::Relative, BlendMode::Delta];
    let mode = modes.into_iter().find(|mode| mode.name() == name);
    let expected = "absolute, additive, relative or delta";
    mode.ok_or_else(|| value_error(format!("mode: expected {expected}, found '{name}'")))
}

/// Edits. Each returns a new document; times are seconds.
#[pymethods]
impl Document {
    /// Adds a marker to every clip.
    fn add_marker(&self, py: Python<'_>, time: f64, name: String) -> PyResult<Self> {
        self.edit(py, |document, _| edit::add_marker(document, time, name))
    }

    /// Adds the clips of another document.
    fn append(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let other = other.get().0.document.clone();
        self.edit(py, |document, _| edit::append(document, other))
    }

    /// Remaps axes: ``"x,z,-y"`` makes the new y from the old z and the new z from the old -y.
    fn change_axes(&self, py: Python<'_>, axes: &str) -> PyResult<Self> {
        let wrong = |error: inbetween::core::AxesError| value_error(format!("axes: {error}"));
        let axes = axes.parse().map_err(wrong)?;
        self.edit(py, |document, settings| edit::change_axes(document, axes, settings))
    }

    /// Makes the last key of each track equal to the first one.
    fn close_loop(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::close_loop)
    }

    /// Adds a copy of a clip under a new name.
    fn copy_clip(&self, py: Python<'_>, name: &str, new: &str) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::copy_clip(document, name, new, settings))
    }

    /// Removes the tracks that patterns match, such as ``"*/Scale"`` or ``"face_*"``.
    #[pyo3(signature = (*tracks))]
    fn drop(&self, py: Python<'_>, tracks: Vec<String>) -> PyResult<Self> {
        let patterns = self.patterns(&tracks)?;
        self.edit(py, |document, settings| Ok(edit::drop(document, &patterns, settings)))
    }

    /// Removes the clips whose names patterns match.
    #[pyo3(signature = (*names))]
    fn drop_clips(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let known = self.0.document.clips.iter().map(|clip| clip.name.as_deref().unwrap_or(""));
        let patterns = Self::names(&names, "clip", known)?;
        self.edit(py, |document, _| Ok(edit::drop_clips(document, &patterns)))
    }

    /// Removes the tracks that never change from the rest pose, or hold one value.
    fn drop_constant(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::drop_constant)
    }

    /// Removes the markers whose names patterns match.
    #[pyo3(signature = (*names))]
    fn drop_markers(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let markers = self.0.document.clips.iter().flat_map(|clip| &clip.markers);
        let patterns = Self::names(&names, "marker", markers.map(|marker| &*marker.name))?;
        self.edit(py, |document, _| Ok(edit::drop_markers(document, &patterns)))
    }

    /// Gives bones without keys the rest pose of the skeleton.
    fn fill(&self, py: Python<'_>) -> PyResult<Self> {
        let skeleton = self.bones("fill")?;
        self.edit(py, |document, settings| edit::fill(document, &skeleton, settings))
    }

    /// Gives the document these bones; they have the axes and the unit of the document.
    fn give_skeleton(&self, py: Python<'_>, skeleton: &Bound<'_, Skeleton>) -> PyResult<Self> {
        let skeleton = &skeleton.get().0;
        self.edit(py, |document, _| Ok(edit::give_skeleton(document, skeleton)))
    }

    /// Joins all clips into one, one after the other.
    fn join(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::join)
    }

    /// Adds the tracks and markers of the clips of another document.
    fn merge(&self, py: Python<'_>, other: &Bound<'_, Self>) -> PyResult<Self> {
        let other = other.get().0.document.clone();
        self.edit(py, |document, settings| edit::merge(document, other, settings))
    }

    /// Converts axes and lengths to other coordinates: mirrors in every bone, turns and factors at the
    /// top bones. ``axes`` and ``unit`` are as for ``write``.
    #[pyo3(signature = (to, *, axes="auto", unit=None))]
    fn map_coordinates(
        &self,
        py: Python<'_>,
        to: &Bound<'_, PyAny>,
        axes: &str,
        unit: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (options, to) = (mapping(axes, unit.as_ref())?, coordinates::of_python(to)?);
        let from = self.0.coordinates().unwrap_or(Coordinates::UNKNOWN);
        let route = Route { from, to, has_node: false };
        self.edit_into(py, Some(to), |document, settings| {
            edit::map_coordinates(document, route, options, settings)
        })
    }

    /// Merges all clips into one that plays them at once.
    fn merge_clips(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::merge_clips)
    }

    /// Plays the frames at another rate than the file states.
    fn play_frames_at(&self, py: Python<'_>, rate: f64) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::play_frames_at(document, rate, settings))
    }

    /// Puts the clips on the bones of a model, by their names; the result is written into the model.
    ///
    /// The rest pose of the rig decides axes and unit; ``axes`` and ``unit`` replace what is found.
    #[pyo3(signature = (rig, *, axes="auto", unit=None))]
    fn put_on(
        &self,
        py: Python<'_>,
        rig: &Bound<'_, Self>,
        axes: &str,
        unit: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let options = mapping(axes, unit.as_ref())?;
        let unknown = "a document made from arrays needs coordinates=";
        let of = |content: &Content| content.coordinates().ok_or_else(|| value_error(unknown));
        let rig = &rig.get().0;
        let (from, coordinates) = (of(&self.0)?, of(rig)?);
        let rig = Rig { document: rig.document.clone(), coordinates };
        self.edit(py, |document, settings| edit::put_on(document, from, &rig, options, settings))
    }

    /// Removes keys while values change by at most a bound.
    ///
    /// ``bound`` is for all; ``position`` and ``scale`` are in the unit of the values, ``angle`` in
    /// radians, ``scalar`` for everything else. What has no bound stays.
    #[pyo3(signature = (bound=None, *, position=None, angle=None, scale=None, scalar=None))]
    fn reduce(
        &self,
        py: Python<'_>,
        bound: Option<f64>,
        position: Option<f64>,
        angle: Option<f64>,
        scale: Option<f64>,
        scalar: Option<f64>,
    ) -> PyResult<Self> {
        let all = bound.map(ReduceBounds::all).unwrap_or_default();
        let bounds = ReduceBounds {
            position: position.or(all.position),
            angle: angle.or(all.angle),
            scale: scale.or(all.scale),
            scalar: scalar.or(all.scalar),
        };
        if bounds == ReduceBounds::default() {
            return Err(errors::type_error("reduce needs a bound, such as reduce(0.001)"));
        }
        self.edit(py, |document, settings| edit::reduce(document, bounds, settings))
    }

    /// Converts absolute clips to ``relative`` or ``additive`` ones by the rest pose of the skeleton.
    fn relate(&self, py: Python<'_>, mode: &str) -> PyResult<Self> {
        let (mode, skeleton) = (blend_mode(mode)?, self.bones("relate")?);
        self.edit(py, |document, settings| edit::relate(document, mode, &skeleton, settings))
    }

    /// Renames by a map of old to new names; ``*`` and ``?`` of old names are put into new ones.
    ///
    /// ``what`` is ``nodes``, ``properties``, ``clips`` or ``markers``.
    #[pyo3(signature = (names, *, what="nodes"))]
    fn rename(&self, py: Python<'_>, names: &Bound<'_, PyMapping>, what: &str) -> PyResult<Self> {
        let kind = match what {
            "nodes" => Named::Nodes,
            "properties" => Named::Properties,
            "clips" => Named::Clips,
            "markers" => Named::Markers,
            _ => {
                let expected = "nodes, properties, clips or markers";
                return Err(value_error(format!("what: expected {expected}, found '{what}'")));
            }
        };
        let names: Vec<(String, String)> = names.items()?.extract()?;
        let names: Vec<_> = names.into_iter().map(|(old, new)| (old.into(), new.into())).collect();
        let rules = Renaming::new(&names, Case::Sensitive).map_err(|error| errors::edit(&error))?;
        self.edit(py, |document, settings| edit::rename_by(document, kind, &rules, settings))
    }

    /// Replaces all keys by linear ones at a rate.
    fn resample(&self, py: Python<'_>, rate: f64) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::resample(document, rate, settings))
    }

    /// Converts relative, additive and delta clips to absolute poses by the skeleton.
    fn resolve(&self, py: Python<'_>) -> PyResult<Self> {
        let skeleton = self.bones("resolve")?;
        self.edit(py, |document, settings| edit::resolve(document, &skeleton, settings))
    }

    /// Multiplies all times by a factor.
    fn retime(&self, py: Python<'_>, factor: f64) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::retime(document, factor, settings))
    }

    /// Changes the speed so that each clip takes this many seconds.
    fn retime_to(&self, py: Python<'_>, seconds: f64) -> PyResult<Self> {
        let length = Time::Seconds(seconds);
        self.edit(py, |document, settings| edit::retime_to(document, length, settings))
    }

    /// Plays the clips backward.
    fn reverse(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::reverse)
    }

    /// Multiplies all lengths.
    fn scale(&self, py: Python<'_>, factor: f64) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::scale(document, factor, settings))
    }

    /// Multiplies the values of the tracks that patterns match, or of all; quaternions stay.
    #[pyo3(signature = (factor, *tracks))]
    fn scale_values(&self, py: Python<'_>, factor: f64, tracks: Vec<String>) -> PyResult<Self> {
        let patterns = self.patterns(&tracks)?;
        self.edit(py, |document, settings| {
            edit::scale_values(document, &patterns, factor, settings)
        })
    }

    /// Keeps only the tracks that patterns match, such as ``"hips/Rotation"`` or ``"arm_*"``.
    #[pyo3(signature = (*tracks))]
    fn select(&self, py: Python<'_>, tracks: Vec<String>) -> PyResult<Self> {
        let patterns = self.patterns(&tracks)?;
        self.edit(py, |document, settings| Ok(edit::select(document, &patterns, settings)))
    }

    /// States another blend mode: ``absolute``, ``additive``, ``relative`` or ``delta``. Values stay.
    fn set_blend(&self, py: Python<'_>, mode: &str) -> PyResult<Self> {
        let mode = blend_mode(mode)?;
        self.edit(py, |document, _| Ok(edit::set_blend(document, mode)))
    }

    /// States another frame rate; times stay.
    fn set_frame_rate(&self, py: Python<'_>, rate: f64) -> PyResult<Self> {
        self.edit(py, |document, _| edit::set_frame_rate(document, rate))
    }

    /// States whether the clips repeat.
    fn set_looping(&self, py: Python<'_>, looping: bool) -> PyResult<Self> {
        let looping = self::looping(looping);
        self.edit(py, |document, _| Ok(edit::set_looping(document, looping)))
    }

    /// Moves all times.
    fn shift(&self, py: Python<'_>, seconds: f64) -> PyResult<Self> {
        self.edit(py, |document, settings| edit::shift(document, seconds, settings))
    }

    /// Splits each clip at its markers, or at these times.
    #[pyo3(signature = (times=None))]
    fn split(&self, py: Python<'_>, times: Option<Vec<f64>>) -> PyResult<Self> {
        let at = times.map_or(SplitAt::Markers, SplitAt::Times);
        self.edit(py, |document, settings| edit::split(document, &at, settings))
    }

    /// Moves the start of looping clips to a time.
    fn start_at(&self, py: Python<'_>, seconds: f64) -> PyResult<Self> {
        let start = Time::Seconds(seconds);
        self.edit(py, |document, settings| edit::start_at(document, start, settings))
    }

    /// Narrows values to single precision.
    fn to_f32(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::to_f32)
    }

    /// Widens values to double precision.
    fn to_f64(&self, py: Python<'_>) -> PyResult<Self> {
        self.edit(py, edit::to_f64)
    }

    /// Keeps a range of time, whose start becomes 0.
    #[pyo3(signature = (start=None, end=None))]
    fn trim(&self, py: Python<'_>, start: Option<f64>, end: Option<f64>) -> PyResult<Self> {
        let range = TimeRange::new(start, end).map_err(|error| errors::edit(&error))?;
        self.edit(py, |document, settings| edit::trim(document, range, settings))
    }
}
