//! Converts the exact model to the common model.

use inbetween_core::keys::KeyOrder;
use inbetween_core::{
    Animation, Budget, Document, Finding, Findings, Interpolation, Interpolations, KeysError,
    Limits, Marker, Origin, Outcome, Path, ReadError, Segment, Strings, Tangents, Target, Track,
    TrackData, codes as shared, memory, num::u64_from_len, resonite,
};

use crate::check::matrix_message;
use crate::codes;
use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack};
use crate::layout::ID;
use crate::member::Member;
use crate::reader_path::pointer;

/// Reads text into a document.
pub(crate) fn to_document(
    bytes: &[u8],
    budget: &mut Budget,
) -> Result<Outcome<Document>, ReadError> {
    let (file, findings) = AnimjFile::parse_for_document(bytes, budget)?;
    file.convert(findings)
}

impl AnimjFile {
    /// Converts the file to a document with one clip, moving its columns.
    ///
    /// A Discrete track of strings with the node `Markers` and the property `Name` becomes the
    /// markers of the clip, if it has keys and no null.
    ///
    /// # Errors
    ///
    /// Never for a parsed or checked file.
    ///
    /// # Examples
    ///
    /// ```
    /// use inbetween_animj::{AnimjFile, AnimjParts};
    /// use inbetween_core::Limits;
    ///
    /// let parts = AnimjParts { global_duration: 2.0, ..AnimjParts::default() };
    /// let document = AnimjFile::from_parts(parts)?.into_document(&Limits::default())?.value;
    /// assert_eq!(document.clips[0].duration, Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_document(self, limits: &Limits) -> Result<Outcome<Document>, ReadError> {
        self.convert(Findings::new(limits))
    }

    fn convert(self, mut findings: Findings) -> Result<Outcome<Document>, ReadError> {
        let AnimjParts { name, global_duration, tracks, extra } = self.into_parts();
        findings.leave();
        report_extra(&extra, Vec::new(), &mut findings);
        let mut converter = Converter::default();
        memory::reserve(&mut converter.tracks, tracks.len())?;
        for (index, track) in tracks.into_iter().enumerate() {
            findings.enter(track_path(index));
            report_extra(&track.extra, track_segments(index, Some("data")), &mut findings);
            converter.push(index, track, &mut findings)?;
        }
        let mut clip = converter.finish(&mut findings);
        clip.name = name;
        clip.duration = Some(f64::from(global_duration));
        let document = Document::single(clip).with_origin(Origin::new(ID));
        Ok(Outcome::new(document, findings))
    }
}

fn report_extra(extra: &[Member], mut path: Vec<Segment>, findings: &mut Findings) {
    let Some(first) = extra.first() else { return };
    path.push(Segment::Name(first.name().into()));
    let message = "members unknown to AnimJ";
    let finding = Finding::new(codes::EXTRA_DROPPED, message).at(pointer(path));
    findings.push(finding.count(u64_from_len(extra.len())));
}

fn track_segments(index: usize, member: Option<&'static str>) -> Vec<Segment> {
    let track = [Segment::Field("tracks"), Segment::Index(u64_from_len(index))];
    track.into_iter().chain(member.map(Segment::Field)).collect()
}

fn track_path(index: usize) -> Path {
    pointer(track_segments(index, None))
}

/// The converted tracks.
#[derive(Debug, Default)]
struct Converter {
    tracks: Vec<Track>,
    markers: Vec<Marker>,
    /// The index of the track that held the markers.
    markers_at: Option<usize>,
}

impl Converter {
    fn push(
        &mut self,
        index: usize,
        track: AnimjTrack,
        findings: &mut Findings,
    ) -> Result<(), ReadError> {
        if self.markers_at.is_none()
            && let Some((times, names)) = markers(&track)
        {
            self.markers_at = Some(index);
            self.markers = resonite::markers(times.iter().copied().map(f64::from), names);
            return Ok(());
        }
        let broken = |error: KeysError| {
            ReadError::invalid("columns that fit", error.to_string()).in_format(ID)
        };
        let AnimjTrack { node, property: name, keys, extra: _ } = track;
        let kind = keys.values().kind();
        if kind.is_matrix() {
            let path = pointer(track_segments(index, Some("data")));
            findings.push(Finding::new(codes::MATRIX, matrix_message(kind)).at(path));
        }
        let target = Target::of(node, resonite::property(name, kind));
        findings.name_track(self.tracks.len(), &target);
        let data = track_data(keys, findings).map_err(broken)?;
        let track = Track::new(target, data)
            .map_err(|error| ReadError::invalid("a property that fits", error.to_string()))?;
        self.tracks.push(track);
        Ok(())
    }
}

/// Returns the times and names of a track of markers.
fn markers(track: &AnimjTrack) -> Option<(&[f32], &Strings)> {
    let AnimjKeys::Discrete { times, values } = &track.keys else { return None };
    let (node, property) = (track.node.as_deref(), track.property.as_deref());
    let names = values.as_strings()?;
    resonite::holds_markers(node, property, values).then_some((times, names))
}

impl Converter {
    fn finish(self, findings: &mut Findings) -> Animation {
        let last = resonite::tracks_before_markers(self.tracks.iter());
        if let Some(index) = self.markers_at.filter(|index| *index != last) {
            findings.enter(track_path(index));
            let seen = self.tracks.len().saturating_add(1);
            let message = format!("track {index} of {seen} became markers");
            findings.push(Finding::new(shared::MARKERS_MOVED, message));
        }
        Animation::new(self.tracks).with_rules(resonite::RULES).with_markers(self.markers)
    }
}

fn track_data(keys: AnimjKeys, findings: &mut Findings) -> Result<TrackData, KeysError> {
    match keys {
        AnimjKeys::Raw { interval, values } => Ok(TrackData::uniform(f64::from(interval), values)),
        AnimjKeys::Discrete { times, values } => {
            let order = order(&times, findings);
            let values = order.apply(values);
            TrackData::stepped(order.into_times(again(&times)), values)
        }
        AnimjKeys::Curve { times, values, interpolation, tangents } => {
            let order = order(&times, findings);
            let values = order.apply(values);
            let mut interpolation = interpolations(interpolation);
            let mut tangents = tangents.map(|tangents| {
                let AnimjTangents { left, right, given: _ } = *tangents;
                Tangents::Values { left, right }
            });
            if let Some(indices) = order.indices() {
                interpolation = interpolation.gather(indices);
                tangents = tangents.map(|tangents| tangents.gather(indices, times.len()));
            }
            TrackData::curve(order.into_times(again(&times)), values, interpolation, tangents)
        }
    }
}

/// Finds the order of keys by time, and reports keys that move.
fn order(times: &[f32], findings: &mut Findings) -> KeyOrder {
    let order = KeyOrder::of(times.iter().copied().map(f64::from).collect(), again(times));
    order.report(findings);
    order
}

/// Returns the times of the keys of a file.
fn again(times: &[f32]) -> impl Fn(usize) -> f64 {
    |index| times.get(index).map_or(f64::NAN, |time| f64::from(*time))
}

/// One shared interpolation takes less memory than one per key.
fn interpolations(each: Vec<Interpolation>) -> Interpolations {
    let all = Interpolations::PerKey(each);
    match all.shared(usize::MAX) {
        Some(shared) => Interpolations::Shared(shared),
        None => all,
    }
}
