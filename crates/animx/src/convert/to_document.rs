//! Converts the exact model to the common model.

use inbetween_core::keys::KeyOrder;
use inbetween_core::resonite::{self, SharedNames};
use inbetween_core::{
    Animation, Budget, Code, Document, Finding, Findings, Marker, Origin, Outcome, Path, ReadError,
    Shape, Target, Text, Track, TrackData, TrackSummary, ValueKind, codes as shared,
    num::u64_from_len,
};

use super::columns;
use crate::file::AnimxFile;
use crate::key_order::{self, Confirmation, CurrentTimes, OtherOrder};
use crate::layout::{ID, PER_KEY, TANGENTS, TrackType};
use crate::options::ENCODING;
use crate::packing::sealed;
use crate::strings::{AnimxText, TextSurvey};
use crate::track::AnimxTrack;
use crate::wire::{memory_size, spare_bits};
use crate::{check, codes};

/// Converts a file and confirms its key order along the way; converts again if the order changed.
pub(crate) fn to_document(
    file: &mut AnimxFile<'_>,
    budget: &mut Budget,
) -> Result<Outcome<Document>, ReadError> {
    // The section was charged when it was decompressed, so it may cost as much as a file.
    budget.allow_for(file.section().unwrap_or_default().len());
    let before = budget.clone();
    let mut converted = convert(file, budget)?;
    let items = &mut Budget::new(budget.limits(), file.to_bytes().len());
    let verdict = key_order::confirm(file, converted.times, items);
    if verdict == Confirmation::Disagrees {
        // Only one document is in memory at a time, and only one is charged.
        drop(converted);
        *budget = before;
        converted = convert(file, budget)?;
    }
    let Converted { document, mut findings, .. } = converted;
    findings.leave();
    check::layout(file, verdict, &mut findings);
    let origin = Origin::new(ID).with_option(ENCODING, file.header().encoding.name());
    Ok(Outcome::new(document.with_origin(origin), findings))
}

/// Returns the tracks and the markers of a file, decoding no keys but those of markers.
pub(crate) fn summarize(
    file: &AnimxFile<'_>,
    budget: &mut Budget,
) -> Result<(Vec<TrackSummary>, Vec<Marker>), ReadError> {
    budget.allow_for(file.section().unwrap_or_default().len());
    let mut reader = Reader::new(budget);
    let mut tracks = Vec::with_capacity(file.track_count());
    for (index, track) in file.tracks().enumerate() {
        let path = || Path::item("tracks", index);
        let (node, property) = reader.names(&track, &path)?;
        if reader.takes_markers(&track, (&node, &property), index, &path)? {
            continue;
        }
        let shape = match track.track_type() {
            TrackType::Raw => Shape::UNIFORM,
            TrackType::Discrete => Shape::STEPPED,
            TrackType::Curve => Shape::CURVE,
        };
        let target = target(node, property, track.kind());
        tracks.push(TrackSummary::new(&target, (track.kind(), shape), track.len()));
    }
    Ok((tracks, reader.markers.unwrap_or_default().1))
}

/// A file converted with the detected key order.
struct Converted {
    document: Document,
    findings: Findings,
    times: CurrentTimes,
}

fn convert(file: &AnimxFile<'_>, budget: &mut Budget) -> Result<Converted, ReadError> {
    if file.is_sealed() {
        return Err(sealed());
    }
    let mut reader = Reader::new(budget);
    reader.report_file(file);
    let name = reader.text(file.name(), || Path::field("name"))?;
    reader.tracks.reserve_exact(file.track_count());
    for (index, track) in file.tracks().enumerate() {
        reader.findings.enter(Path::item("tracks", index));
        reader.track(&track, index)?;
    }
    let times = match (reader.times, reader.other_order) {
        (CurrentTimes::Valid, OtherOrder::Refuted) => CurrentTimes::Confirmed,
        (times, _) => times,
    };
    let Reader { tracks, markers, mut findings, .. } = reader;
    let last = resonite::tracks_before_markers(tracks.iter());
    let (index, markers) = markers.unwrap_or((last, Vec::new()));
    if index != last {
        let message = format!("track {index} of {} became markers", file.track_count());
        findings.enter(Path::item("tracks", index));
        findings.push(Finding::new(shared::MARKERS_MOVED, message));
    }
    let duration = Some(f64::from(file.header().global_duration));
    let mut clip =
        Animation::new(tracks).with_rules(resonite::RULES).with_name(name).with_markers(markers);
    clip.duration = duration;
    Ok(Converted { document: Document::single(clip), findings, times })
}

/// The tracks under construction, and the budget they spend.
struct Reader<'b> {
    budget: &'b mut Budget,
    findings: Findings,
    names: SharedNames,
    tracks: Vec<Track>,
    /// The markers, and the index of the track that held them.
    markers: Option<(usize, Vec<Marker>)>,
    /// Whether all times of the Curve keys are valid so far.
    times: CurrentTimes,
    /// What the Curve keys show about the other key order.
    other_order: OtherOrder,
}

impl<'b> Reader<'b> {
    fn new(budget: &'b mut Budget) -> Self {
        Self {
            findings: Findings::new(budget.limits()),
            budget,
            names: SharedNames::default(),
            tracks: Vec::new(),
            markers: None,
            times: CurrentTimes::Valid,
            other_order: OtherOrder::NoCurves,
        }
    }

    /// Reports data outside the tracks that the common model does not support.
    fn report_file(&mut self, file: &AnimxFile<'_>) {
        if !file.trailing().is_empty() {
            let message = format!("{} bytes", file.trailing().len());
            self.findings.push(Finding::new(shared::TRAILING_DROPPED, message));
        }
        if file.header().track_count.padding() > 0 {
            self.lose(
                codes::OVERLONG_LENGTH_DROPPED,
                || Path::field("trackCount"),
                "a longer form",
            );
        }
    }

    fn lose(&mut self, code: Code, path: impl Fn() -> Path, message: &'static str) {
        self.findings.add(code, || Finding::new(code, message).at(path()));
    }

    fn track(&mut self, track: &AnimxTrack<'_>, index: usize) -> Result<(), ReadError> {
        let path = || Path::item("tracks", index);
        let (node, property) = self.names(track, &path)?;
        let target = target(node.clone(), property.clone(), track.kind());
        self.findings.name_track(self.tracks.len(), &target);
        let texts = TextSurvey::new(track.texts().chain(track.tangent_texts()));
        self.report_forms(track, texts);
        self.charge(track, texts).map_err(|error| error.in_format(ID).at_path(path()))?;
        if self.takes_markers(track, (&node, &property), index, &path)? {
            return Ok(());
        }
        let data = self.data(track, texts, &path)?;
        let made = Track::new(target, data).map_err(|error| broken(error.to_string(), &path))?;
        self.tracks.push(made);
        Ok(())
    }

    /// Returns the names of the node and the property of a track.
    fn names(
        &mut self,
        track: &AnimxTrack<'_>,
        path: &dyn Fn() -> Path,
    ) -> Result<(Text, Text), ReadError> {
        let node = self.text(track.node(), || path().then("node"))?;
        let property = self.text(track.property(), || path().then("property"))?;
        Ok((node, property))
    }

    /// Takes the markers from a track, if it is the first one that holds them.
    fn takes_markers(
        &mut self,
        track: &AnimxTrack<'_>,
        (node, property): (&str, &str),
        index: usize,
        path: &dyn Fn() -> Path,
    ) -> Result<bool, ReadError> {
        let takes = self.markers.is_none() && holds_markers(track, node, property);
        if takes {
            self.markers = Some((index, self.markers(track, path)?));
        }
        Ok(takes)
    }

    fn markers(
        &mut self,
        track: &AnimxTrack<'_>,
        path: &dyn Fn() -> Path,
    ) -> Result<Vec<Marker>, ReadError> {
        let size = track.len().saturating_mul(size_of::<Marker>());
        self.budget.charge_bytes(size).map_err(|error| error.in_format(ID).at_path(path()))?;
        let order = self.order(track);
        let texts = TextSurvey::new(track.texts());
        let names = columns::values(track, order.indices(), texts);
        let times = columns::times(track, order);
        Ok(names.as_strings().map(|names| resonite::markers(times, names)).unwrap_or_default())
    }

    /// Finds the order of the keys, and reports keys that move.
    fn order(&mut self, track: &AnimxTrack<'_>) -> KeyOrder {
        let order = columns::order(track);
        order.report(&mut self.findings);
        order
    }

    fn data(
        &mut self,
        track: &AnimxTrack<'_>,
        texts: TextSurvey,
        path: &dyn Fn() -> Path,
    ) -> Result<TrackData, ReadError> {
        if let Some(interval) = track.interval() {
            let values = columns::values(track, None, texts);
            return Ok(TrackData::uniform(f64::from(interval), values));
        }
        let order = self.order(track);
        let indices = order.indices();
        let values = columns::values(track, indices, texts);
        let data = if track.track_type() == TrackType::Discrete {
            TrackData::stepped(columns::times(track, order), values)
        } else {
            let clean = match &order {
                KeyOrder::AsIs { times } => times.first().is_none_or(|first| *first >= 0.0),
                KeyOrder::Gather { .. } => false,
            };
            if !clean {
                self.times = CurrentTimes::Unknown;
            }
            self.other_order = self.other_order.with_track(track);
            let (interpolation, unknown) = columns::interpolations(track, indices);
            if unknown > 0 {
                let finding = Finding::new(codes::INTERPOLATION_HELD, "unknown interpolations");
                self.findings.push(finding.count(u64_from_len(unknown)));
            }
            let tangents = columns::tangents(track, indices, texts);
            TrackData::curve(columns::times(track, order), values, interpolation, tangents)
        };
        data.map_err(|error| broken(error.to_string(), path))
    }

    /// Reports encodings that will be written differently.
    fn report_forms(&mut self, track: &AnimxTrack<'_>, texts: TextSurvey) {
        let path = Path::default;
        if track.count().padding() > 0 || texts.padded {
            self.lose(codes::OVERLONG_LENGTH_DROPPED, path, "a longer form");
        }
        if texts.invalid {
            self.lose(shared::NAME_REENCODED, path, "values that are not UTF-8");
        }
        let spare = spare_bits(track.kind());
        let truth = || track.value_bytes().chain(track.tangent_bytes()).flatten();
        if texts.unusual_null || (spare != 0 && truth().any(|byte| byte & spare != 0)) {
            self.lose(codes::BYTE_NORMALIZED, path, "bool or null bytes with unused bits");
        }
        if track.flags().is_some_and(|flags| flags & !(PER_KEY | TANGENTS) != 0) {
            self.lose(codes::CURVE_FLAGS_DROPPED, path, "unknown flags");
        }
    }

    /// Returns a string, and reports invalid UTF-8.
    fn text(&mut self, text: AnimxText<'_>, path: impl Fn() -> Path) -> Result<Text, ReadError> {
        let lossy = text.to_str_lossy();
        if matches!(lossy, std::borrow::Cow::Owned(_)) {
            self.lose(shared::NAME_REENCODED, &path, "not UTF-8");
        }
        if text.padding > 0 {
            self.lose(codes::OVERLONG_LENGTH_DROPPED, &path, "a longer form");
        }
        let charged = self.budget.charge_bytes(lossy.len());
        charged.map_err(|error| error.in_format(ID).at_path(path()))?;
        Ok(self.names.share(&lossy))
    }

    /// Charges the columns of a track to the budget before they are allocated.
    fn charge(&mut self, track: &AnimxTrack<'_>, texts: TextSurvey) -> Result<(), ReadError> {
        let time = if track.interval().is_some() { 0 } else { size_of::<f64>() };
        let sides = if track.has_tangents() { 3 } else { 1 };
        let columns = memory_size(track.kind()).saturating_mul(sides);
        let keys = track.len().saturating_mul(columns.saturating_add(time));
        let own = track.interpolations().len();
        self.budget.charge_columns(keys.saturating_add(own).saturating_add(texts.bytes))
    }
}

fn target(node: Text, property: Text, kind: ValueKind) -> Target {
    Target::of(Some(node), resonite::property(Some(property), kind))
}

/// Returns whether a track holds the markers of the clip.
fn holds_markers(track: &AnimxTrack<'_>, node: &str, property: &str) -> bool {
    let of_texts = (track.track_type(), track.kind()) == (TrackType::Discrete, ValueKind::String);
    let mut texts = track.texts().map(|key| key.value.text());
    let named = resonite::is_named_as_markers(Some(node), Some(property));
    named && of_texts && !track.is_empty() && texts.all(|text| text.is_some())
}

fn broken(error: String, path: &dyn Fn() -> Path) -> ReadError {
    ReadError::invalid("keys that make a track", error).in_format(ID).at_path(path())
}
