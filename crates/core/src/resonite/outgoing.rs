//! Prepares a clip for writing.

use super::{
    MARKERS, OutgoingTrack, RULES, ResoniteKeys, file_name, property, tracks_before_markers,
};
use crate::bake::lower::{Lowering, Origins, needs_lowering, translate_tracks};
use crate::keys::KeyOrder;
use crate::num::{f32_from_f64, u64_from_len};
use crate::{
    Animation, Baker, Bound, Budget, Code, Curves, Document, Extent, Finding, Findings, Grid,
    Marker, Path, Property, Rules, Shape, Skeleton, Strings, Tangents, Text, Track, TrackData,
    ValueKind, Values, WriteError, WriteErrorKind, codes, cut, report_dropped_head,
    report_narrowed_times, shown,
};

/// What to do with tracks without keys, which are reported to crash Resonite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EmptyTracks {
    /// Write them, with a finding.
    #[default]
    Keep,
    /// Drop them, with a finding.
    Drop,
}

/// A clip prepared for writing, track by track.
///
/// Everything that the formats cannot store is dropped and reported: frame rate, looping, blending,
/// components, Euler angles, handles, times before 0, and times beyond `f32` precision.
///
/// # Examples
///
/// ```
/// use inbetween_core::resonite::{EmptyTracks, Outgoing, ResoniteKeys};
/// use inbetween_core::{Animation, Budget, Document, Limits, Property, Target, Track, TrackData};
///
/// let data = TrackData::stepped(vec![0.0, 0.5], vec![7_i32, -1])?;
/// let track = Track::new(Target::new("door", Property::Custom(Some("Count".into()))), data)?;
/// let clip = Animation::new(vec![track]);
///
/// let mut budget = Budget::new(&Limits::default(), 0);
/// let document = Document::single(clip);
/// let mut outgoing = Outgoing::new(document, "mine", EmptyTracks::Keep, &mut budget)?;
/// assert_eq!((outgoing.duration(), outgoing.len()), (0.5, 1));
/// let track = outgoing.next_track()?.ok_or("no track")?;
/// outgoing.report_times(track.keys.times(), &track.path)?;
/// assert!(matches!(track.keys, ResoniteKeys::Discrete { times, .. } if times == [0.0, 0.5]));
/// assert!(outgoing.next_track()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Outgoing {
    format: &'static str,
    name: Option<Text>,
    duration: f32,
    tracks: std::vec::IntoIter<Track>,
    /// The index of each track in the document.
    origins: Origins,
    /// The markers, as a track.
    markers: Option<TrackData>,
    /// The number of tracks before the markers.
    before_markers: usize,
    /// The number of tracks returned so far, without the markers.
    index: usize,
    empty_tracks: EmptyTracks,
    findings: Findings,
    /// The content written besides the tracks.
    extent: Extent,
    /// The bound of new keys.
    bound: Bound,
    /// The rest pose, which axes without a track hold.
    skeleton: Option<Skeleton>,
}

impl Outgoing {
    /// Starts with a document of one clip, for a format.
    ///
    /// # Errors
    ///
    /// If the document does not have exactly one clip, its duration exceeds the range of `f32`, or
    /// the new keys exceed the limits.
    pub fn new(
        document: Document,
        format: &'static str,
        empty_tracks: EmptyTracks,
        budget: &mut Budget,
    ) -> Result<Self, WriteError> {
        let mut findings = Findings::new(budget.limits());
        let skeleton = document.skeleton.clone();
        let mut clip = document.into_single(format, &mut findings)?;
        report_dropped_head(&clip, Path::field, &mut findings);
        clip.make_absolute();
        let mut outgoing = Self {
            format,
            name: None,
            duration: 0.0,
            tracks: Vec::new().into_iter(),
            origins: Origins::default(),
            markers: None,
            before_markers: 0,
            index: 0,
            empty_tracks,
            findings,
            extent: Extent::default(),
            bound: Bound::new(Curves::Cubic).with_frame_rate(clip.frame_rate),
            skeleton,
        };
        let end = clip.effective_duration();
        outgoing.duration = outgoing.clip_duration(&clip, end)?;
        let plays = end.max(f64::from(outgoing.duration));
        outgoing.name = clip.name.take();
        let mut tracks = core::mem::take(&mut clip.tracks);
        // One pass over the tracks of a large clip instead of one per step.
        if clip.rules != RULES || !tracks.iter().all(is_storable) {
            tracks = outgoing.make_storable(tracks, (end, clip.rules), budget)?;
        }
        outgoing.findings.begin_scope();
        outgoing.place_markers(&clip.markers, &tracks)?;
        let markers = outgoing.markers.as_ref().map_or(0, TrackData::len);
        outgoing.extent.add_clip(markers, plays);
        let markers = outgoing.markers.take();
        let path = Path::field("markers");
        outgoing.markers = markers.map(|data| outgoing.cut(data, &path, budget)).transpose()?;
        outgoing.tracks = tracks.into_iter();
        outgoing.report_dropped_tracks();
        Ok(outgoing)
    }

    /// Converts what the formats cannot store.
    fn make_storable(
        &mut self,
        tracks: Vec<Track>,
        (end, rules): (f64, Rules),
        budget: &mut Budget,
    ) -> Result<Vec<Track>, WriteError> {
        let tracks = self.name_components(tracks)?;
        let tracks = self.end_tracks((end, rules), tracks, budget)?;
        let path = |index| Path::item("tracks", index);
        let format = self.format;
        let failed = |error| WriteError::from_track(format, &error, path);
        let tracks = translate_tracks(tracks, (rules, RULES), path, &mut self.findings);
        let grid = Grid::Bound(self.bound);
        let baker = Baker::new(grid, budget).for_target(RULES);
        let mut lowering = Lowering { baker, skeleton: self.skeleton.take() };
        let lowered = lowering.lower(tracks.map_err(failed)?, &mut self.findings);
        let lowered = lowered.map_err(failed)?;
        self.origins = lowered.origins;
        self.cut_tracks(lowered.tracks, budget)
    }

    /// Returns the name of the clip.
    pub const fn name(&self) -> Option<&Text> {
        self.name.as_ref()
    }

    /// Returns the duration in seconds: the stated one, otherwise the effective one.
    pub const fn duration(&self) -> f32 {
        self.duration
    }

    /// Returns the number of remaining tracks, including the markers.
    pub fn len(&self) -> usize {
        let written = self.tracks.as_slice().iter().filter(|track| !self.drops(track));
        written.count() + usize::from(self.markers.is_some())
    }

    /// Returns whether no tracks remain.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn drops(&self, track: &Track) -> bool {
        self.empty_tracks == EmptyTracks::Drop && track.data().is_empty()
    }

    /// Returns the content of the clip besides its tracks, which the formats count because only
    /// they know what they write. The track of the markers counts as markers.
    pub const fn extent(&self) -> Extent {
        self.extent
    }

    /// Returns the findings for additions.
    pub const fn findings_mut(&mut self) -> &mut Findings {
        &mut self.findings
    }

    /// Returns the findings after all tracks.
    pub fn into_findings(self) -> Findings {
        self.findings
    }

    /// Returns the next track, or `None` after the last one.
    ///
    /// Its times are those of the document. The caller rounds them while it writes them, and calls
    /// [`report_times`](Self::report_times).
    ///
    /// # Errors
    ///
    /// If an interval exceeds the range of `f32`.
    pub fn next_track(&mut self) -> Result<Option<OutgoingTrack>, WriteError> {
        loop {
            self.findings.begin_scope();
            let due = self.index == self.before_markers || self.tracks.len() == 0;
            if let Some(data) = self.markers.take_if(|_| due) {
                let path = Path::field("markers");
                let (node, property) = (Some(MARKERS.0.into()), Some(MARKERS.1.into()));
                let keys = self.keys(data, &path)?;
                return Ok(Some(OutgoingTrack { node, property, keys, path }));
            }
            let Some(track) = self.tracks.next() else { return Ok(None) };
            let path = self.track_path(self.index);
            self.index += 1;
            if !self.drops(&track) {
                return self.track(track, path).map(Some);
            }
        }
    }

    /// Reports the changes to the times of a track that rounding to `f32` makes.
    ///
    /// # Errors
    ///
    /// If a time exceeds the range of `f32`.
    pub fn report_times(&mut self, times: &[f64], path: &Path) -> Result<(), WriteError> {
        report_narrowed_times(times.iter().copied(), self.format, path, &mut self.findings)
    }

    /// Returns the path of a track in the document from its index among the written tracks.
    fn track_path(&self, place: usize) -> Path {
        Path::item("tracks", self.origins.of(place))
    }

    fn track(&mut self, track: Track, path: Path) -> Result<OutgoingTrack, WriteError> {
        let (target, data) = track.into_parts();
        let name = file_name(&target.property);
        // Translations, rotations and scales fit their values, so their names mean the same to readers.
        if !matches!(target.property, Property::Translation | Property::Rotation | Property::Scale)
        {
            let read_back = property(name.clone(), data.kind());
            if read_back != target.property {
                let (own, meaning) = (target.property.name(), read_back.name());
                name_taken(&own, &meaning, &path, &mut self.findings);
            }
        }
        let keys = self.keys(data, &path)?;
        Ok(OutgoingTrack { node: target.node, property: name, keys, path })
    }

    fn report_dropped_tracks(&mut self) {
        let path = Path::field("tracks");
        let count = u64_from_len(self.tracks.as_slice().iter().filter(|it| self.drops(it)).count());
        if count > 0 {
            let message = "tracks without keys are not written";
            let finding = Finding::new(codes::EMPTY_TRACKS_DROPPED, message).at(path);
            self.findings.push(finding.count(count));
        }
    }

    /// Returns the duration to write: the effective one, which is `plays`. A stated one that keys
    /// exceed is kept, because the target extends it in the same way.
    fn clip_duration(&mut self, clip: &Animation, plays: f64) -> Result<f32, WriteError> {
        let path = Path::field("duration");
        let (duration, message) = match clip.duration {
            Some(stated) if clip.rules.stated_duration == RULES.stated_duration => (stated, None),
            Some(stated) if stated == plays || !stated.is_finite() => (stated, None),
            Some(stated) => (plays, Some(format!("{stated} s became {plays} s"))),
            None => (plays, Some(format!("none stated, {plays} s written"))),
        };
        if let Some(message) = message {
            let finding = Finding::new(codes::DURATION_EXTENDED, message);
            self.findings.push(finding.at(path.clone()));
        }
        self.seconds(duration, &path)
    }

    /// Adds components that cannot be joined to the names of their properties.
    fn name_components(&mut self, tracks: Vec<Track>) -> Result<Vec<Track>, WriteError> {
        let odd = |track: &Track| {
            let number = matches!(track.data().kind(), ValueKind::Float | ValueKind::Double);
            track.target().component.is_some() && !number
        };
        if !tracks.iter().any(odd) {
            return Ok(tracks);
        }
        let mut named = Vec::with_capacity(tracks.len());
        for (index, track) in tracks.into_iter().enumerate() {
            if !odd(&track) {
                named.push(track);
                continue;
            }
            let (mut target, data) = track.into_parts();
            let component = target.component.take();
            let axis = component.map_or("", crate::Axis::name);
            let name = format!("{}.{axis}", target.property.name());
            let message = format!("\"{}\"", shown(&name));
            self.findings.begin_scope();
            let finding = Finding::new(codes::COMPONENT_IN_NAME, message);
            self.findings.push(finding.at(Path::item("tracks", index)));
            target.property = Property::Custom(Some(name.into()));
            let track = Track::new(target, data);
            named.push(track.map_err(|error| self.inconsistent(error.to_string()))?);
        }
        Ok(named)
    }

    /// Creates the track of the markers; it comes before a track that would be mistaken for it.
    fn place_markers(&mut self, markers: &[Marker], tracks: &[Track]) -> Result<(), WriteError> {
        self.before_markers = tracks_before_markers(tracks);
        let names: Strings = markers.iter().map(|marker| Some(&*marker.name)).collect();
        let time = |index: usize| markers.get(index).map_or(f64::NAN, |marker| marker.time);
        let order = KeyOrder::of((0..markers.len()).map(time).collect(), time);
        order.report(|| Path::field("markers"), &mut self.findings);
        let names = order.apply(names.into());
        let times = order.into_times(time);
        if times.is_empty() {
            if self.before_markers < tracks.len() {
                let path = Path::item("tracks", self.before_markers);
                name_taken(MARKERS.1, "markers", &path, &mut self.findings);
            }
            return Ok(());
        }
        let data = TrackData::stepped(times, names);
        self.markers = Some(data.map_err(|error| self.inconsistent(error.to_string()))?);
        Ok(())
    }

    fn keys(&mut self, data: TrackData, path: &Path) -> Result<ResoniteKeys, WriteError> {
        let (shape, values) = data.into_parts();
        Ok(match shape {
            Shape::Uniform { interval } => {
                ResoniteKeys::Raw { interval: self.seconds(interval, path)?, values }
            }
            Shape::Stepped { times } => ResoniteKeys::Discrete { times, values },
            Shape::Curve { times, interpolation, tangents } => ResoniteKeys::Curve {
                times,
                values,
                interpolation,
                tangents: tangents.and_then(|tangents| sides(*tangents)),
            },
        })
    }

    /// Cuts the keys before 0, which Resonite refuses.
    fn cut_tracks(
        &mut self,
        tracks: Vec<Track>,
        budget: &mut Budget,
    ) -> Result<Vec<Track>, WriteError> {
        if tracks.iter().all(|track| track.data().time(0).is_none_or(|time| time >= 0.0)) {
            return Ok(tracks);
        }
        let tracks = tracks.into_iter().enumerate().map(|(index, track)| {
            self.findings.begin_scope();
            let (target, data) = track.into_parts();
            let path = self.track_path(index);
            let data = self.cut(data, &path, budget)?;
            Ok(Track::trusted(target, data))
        });
        tracks.collect()
    }

    fn cut(
        &mut self,
        data: TrackData,
        path: &Path,
        budget: &mut Budget,
    ) -> Result<TrackData, WriteError> {
        if data.time(0).is_none_or(|time| time >= 0.0) {
            return Ok(data);
        }
        let ends = (Some(0.0), None);
        self.cut_to(&data, (ends, RULES), codes::NEGATIVE_TIMES_CUT, path, budget)
    }

    /// Cuts the part after the end of a clip whose stated duration is exact, since Resonite plays
    /// on to the last key.
    fn end_tracks(
        &mut self,
        (end, played): (f64, Rules),
        tracks: Vec<Track>,
        budget: &mut Budget,
    ) -> Result<Vec<Track>, WriteError> {
        let late = |track: &Track| track.data().end().is_some_and(|last| last > end);
        if played.stated_duration == RULES.stated_duration || !tracks.iter().any(late) {
            return Ok(tracks);
        }
        let tracks = tracks.into_iter().enumerate().map(|(index, track)| {
            self.findings.begin_scope();
            let (target, data) = track.into_parts();
            let rules = played.of(&target.property);
            let (cut, path) = (((None, Some(end)), rules), Path::item("tracks", index));
            let data = self.cut_to(&data, cut, codes::KEYS_AFTER_END_CUT, &path, budget)?;
            Ok(Track::trusted(target, data))
        });
        tracks.collect()
    }

    fn cut_to(
        &mut self,
        data: &TrackData,
        (ends, rules): ((Option<f64>, Option<f64>), Rules),
        code: Code,
        path: &Path,
        budget: &mut Budget,
    ) -> Result<TrackData, WriteError> {
        let cut = cut(data, ends, rules, self.bound, budget);
        let failed = |error| WriteError::from_bake(self.format, &error).at_path(path.clone());
        let cut = cut.map_err(failed)?;
        self.findings.extend(cut.findings(code, path));
        Ok(cut.data)
    }

    /// Rounds a time to `f32`.
    fn seconds(&mut self, time: f64, path: &Path) -> Result<f32, WriteError> {
        report_narrowed_times([time].into_iter(), self.format, path, &mut self.findings)?;
        Ok(f32_from_f64(time))
    }

    fn inconsistent(&self, what: String) -> WriteError {
        WriteError::new(self.format, WriteErrorKind::Inconsistent { what: what.into() })
    }
}

/// Returns whether the formats store a track as it is, if it plays by their rules.
fn is_storable(track: &Track) -> bool {
    !needs_lowering(track) && track.data().time(0).is_none_or(|time| time >= 0.0)
}

/// Returns value tangents; lowering has converted handles to control points.
fn sides(tangents: Tangents) -> Option<(Values, Values)> {
    match tangents {
        Tangents::Values { left, right } => Some((left, right)),
        Tangents::Handles { .. } => None,
    }
}

fn name_taken(name: &str, meaning: &str, path: &Path, findings: &mut Findings) {
    let message = format!("\"{}\" is read back as {}", shown(name), shown(meaning));
    findings.push(Finding::new(codes::NAME_RESERVED, message).at(path.clone()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Interpolation, Interpolations, Limits, Target};

    fn outgoing(clip: Animation) -> Outgoing {
        let mut budget = Budget::new(&Limits::default(), 0);
        Outgoing::new(Document::single(clip), "test", EmptyTracks::Keep, &mut budget).unwrap()
    }

    fn names(names: &[&str]) -> TrackData {
        let times = (0..names.len()).map(crate::num::f64_from_index).collect();
        let names: Strings = names.iter().map(|name| Some(*name)).collect();
        TrackData::stepped(times, names).unwrap()
    }

    fn custom(node: &str, property: &str, data: TrackData) -> Track {
        let property = Property::Custom(Some(property.into()));
        Track::new(Target::new(node, property), data).unwrap()
    }

    fn drain(mut outgoing: Outgoing) -> (Vec<OutgoingTrack>, Vec<&'static str>) {
        let mut tracks = Vec::new();
        while let Some(track) = outgoing.next_track().unwrap() {
            outgoing.report_times(track.keys.times(), &track.path).unwrap();
            tracks.push(track);
        }
        let findings = outgoing.into_findings().into_vec();
        (tracks, findings.iter().map(|finding| finding.code.id()).collect())
    }

    #[test]
    fn markers_become_the_last_track() {
        let marker = Marker { time: 0.5, name: "hit".into() };
        let track = custom("a", "b", TrackData::uniform(1.0, vec![1_i32]));
        let clip = Animation { markers: vec![marker], tracks: vec![track], ..Default::default() };
        let (tracks, _) = drain(outgoing(clip));
        assert_eq!(tracks[1].node.as_deref(), Some("Markers"));
        assert!(matches!(&tracks[1].keys, ResoniteKeys::Discrete { times, .. } if *times == [0.5]));
    }

    #[test]
    fn markers_come_before_a_track_that_would_be_mistaken_for_them() {
        let marker = Marker { time: 0.5, name: "hit".into() };
        let rival = || custom("Markers", "Name", names(&["a", "b"]));
        let clip = |markers| Animation { markers, tracks: vec![rival()], ..Default::default() };
        let (tracks, _) = drain(outgoing(clip(vec![marker])));
        assert_eq!(
            tracks.iter().map(|track| track.keys.values().len()).collect::<Vec<_>>(),
            [1, 2]
        );
        let (_, codes) = drain(outgoing(clip(Vec::new())));
        assert!(codes.contains(&"convert/name-reserved"));
    }

    #[test]
    fn components_that_cannot_be_joined_go_into_names() {
        let property = Property::Custom(Some("Flags".into()));
        let target = Target { component: Some(Axis::Y), ..Target::new("a", property) };
        let track = Track::new(target, TrackData::uniform(1.0, vec![true])).unwrap();
        let clip = Animation { tracks: vec![track], ..Default::default() };
        let (tracks, codes) = drain(outgoing(clip));
        assert_eq!(tracks[0].property.as_deref(), Some("Flags.y"));
        assert!(codes.contains(&"convert/component-in-name"));
    }

    #[test]
    fn keys_before_zero_are_cut_and_times_are_rounded() {
        let linear = Interpolations::Shared(Interpolation::Linear);
        let data = TrackData::curve(vec![-1.0, 1.0, 1.1], vec![0.0_f32, 4.0, 4.0], linear, None);
        let clip =
            Animation { tracks: vec![custom("a", "b", data.unwrap())], ..Default::default() };
        let (tracks, codes) = drain(outgoing(clip));
        let ResoniteKeys::Curve { times, values, .. } = &tracks[0].keys else {
            panic!("not a curve")
        };
        assert_eq!((times, values), (&vec![0.0, 1.0, 1.1], &vec![2.0_f32, 4.0, 4.0].into()));
        assert!(codes.contains(&"convert/negative-times-cut"));
        assert!(codes.contains(&"convert/times-rounded"));
    }

    #[test]
    fn tracks_without_keys_are_dropped_on_request() {
        let empty = || custom("a", "b", TrackData::empty(ValueKind::Float));
        let clip = Animation { tracks: vec![empty(), empty()], ..Default::default() };
        let document = Document::single(clip);
        let outgoing = |rule| {
            let mut budget = Budget::new(&Limits::default(), 0);
            Outgoing::new(document.clone(), "test", rule, &mut budget).unwrap()
        };
        assert_eq!(outgoing(EmptyTracks::Keep).len(), 2);
        assert_eq!(outgoing(EmptyTracks::Drop).len(), 0);
        let (tracks, codes) = drain(outgoing(EmptyTracks::Drop));
        assert!(tracks.is_empty());
        assert_eq!(codes, ["convert/duration-extended", "convert/empty-tracks-dropped"]);
    }
}
