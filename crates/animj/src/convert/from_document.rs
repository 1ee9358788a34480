//! Writes documents.

use inbetween_core::num::f32_from_f64;
use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys};
use inbetween_core::{
    Budget, Document, Extent, Finding, Findings, Interpolation, Outcome, Path, WriteError, Written,
    codes as shared, memory, shown,
};

use super::finite::{are_finite, keep_finite};
use super::tangents::sides;
use crate::codes;
use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack};
use crate::layout::ID;
use crate::options::{Animj, Matrices};
use crate::parts::{check_duration, check_track};
use crate::write::{KeysSource, Printer, TrackSource};

/// Writes a document with one clip, one track at a time.
pub(crate) fn write_document(
    document: Document,
    options: &Animj,
    budget: &mut Budget,
) -> Result<Outcome<Written>, WriteError> {
    let mut tracks = Tracks::new(document, options, budget)?;
    let (name, duration) = (tracks.outgoing.name().cloned(), tracks.outgoing.duration());
    check_duration(duration)?;
    let mut printer = Printer::fallible(options.written_style(), tracks.outgoing.len());
    printer.file((name.as_deref(), duration), &[], |printer| {
        while let Some((track, tangents)) = tracks.next_track()? {
            // The tracks of a document have columns of one length, and `keep_finite` has dropped
            // every number that cannot be written.
            debug_assert!(
                check_track(0, &exact(track.clone(), tangents.clone())).is_ok(),
                "a track that cannot be written"
            );
            printer.list_track(&source(&track, tangents.as_deref()));
        }
        Ok(())
    })?;
    let text = printer.finish().map_err(|error| WriteError::new(ID, error.into()))?;
    let Tracks { outgoing, extent, .. } = tracks;
    let written = Written::new(text.into_bytes(), vec![extent]);
    Ok(Outcome::new(written, outgoing.into_findings()))
}

/// Converts a document with one clip to the exact model.
pub(crate) fn from_document(
    document: Document,
    options: &Animj,
    budget: &mut Budget,
) -> Result<Outcome<AnimjFile>, WriteError> {
    let mut tracks = Tracks::new(document, options, budget)?;
    let mut parts = AnimjParts {
        name: tracks.outgoing.name().cloned(),
        global_duration: tracks.outgoing.duration(),
        tracks: Vec::with_capacity(tracks.outgoing.len()),
        extra: Vec::new(),
    };
    while let Some((track, tangents)) = tracks.next_track()? {
        let bytes = track.keys.times().len().saturating_mul(size_of::<f64>());
        memory::ensure(bytes).map_err(|error| WriteError::new(ID, error.into()))?;
        parts.tracks.push(exact(track, tangents));
    }
    Ok(Outcome::new(AnimjFile::from_parts(parts)?, tracks.outgoing.into_findings()))
}

/// A track whose tangents were taken, and those to write.
type Prepared = (OutgoingTrack, Option<Box<AnimjTangents>>);

/// The tracks of a document as AnimJ stores them.
struct Tracks<'o> {
    outgoing: Outgoing,
    options: &'o Animj,
    /// The content written so far.
    extent: Extent,
}

impl<'o> Tracks<'o> {
    fn new(
        mut document: Document,
        options: &'o Animj,
        budget: &mut Budget,
    ) -> Result<Self, WriteError> {
        let durations = document.clips.iter_mut().map(|clip| &mut clip.duration);
        let stated =
            durations.filter_map(|duration| duration.take_if(|stated| !stated.is_finite()));
        let stated: Vec<f64> = stated.collect();
        let mut outgoing = Outgoing::new(document, ID, options.empty_track_rule(), budget)?;
        for stated in stated {
            let message = format!("{stated} s became {} s", outgoing.duration());
            let finding = Finding::new(shared::DURATION_CHANGED, message);
            outgoing.findings_mut().push(finding.at(Path::field("duration")));
        }
        let extent = outgoing.extent();
        Ok(Self { outgoing, options, extent })
    }

    /// Returns the next track that AnimJ supports.
    fn next_track(&mut self) -> Result<Option<Prepared>, WriteError> {
        while let Some(mut track) = self.outgoing.next_track()? {
            self.outgoing.report_times(track.keys.times(), &track.path)?;
            if !self.prepare(&mut track) {
                continue;
            }
            if !track.is_markers() {
                self.extent.add_track(track.keys.values().len());
            }
            let tangents = take_tangents(&mut track, self.outgoing.findings_mut());
            return Ok(Some((track, tangents)));
        }
        Ok(None)
    }

    /// Drops what AnimJ does not support, and returns false if that is the whole track.
    fn prepare(&mut self, track: &mut OutgoingTrack) -> bool {
        let findings = self.outgoing.findings_mut();
        let (keys, path) = (&mut track.keys, &track.path);
        let kind = keys.values().kind();
        if kind.is_matrix() && self.options.matrix_rule() == Matrices::Drop {
            let message = format!(
                "{kind} values, which Resonite reads as zero in AnimJ; take AnimX, or the option \
                 matrices=rows"
            );
            findings.push(Finding::new(shared::TRACK_DROPPED, message).at(path.clone()));
            return false;
        }
        if !are_finite(keys) && !keep_finite(keys, path, findings) {
            return false;
        }
        if keys.values().is_empty() {
            let (node, property) = (track.node.as_deref(), track.property.as_deref());
            let [node, property] = [node, property].map(|name| shown(name.unwrap_or_default()));
            let message = format!("no keys for \"{property}\" of node \"{node}\"");
            findings.push(Finding::new(codes::EMPTY_TRACK, message).at(path.clone()));
        }
        true
    }
}

/// Returns what is printed of a track whose tangents were taken.
fn source<'t>(
    track: &'t OutgoingTrack,
    tangents: Option<&'t AnimjTangents>,
) -> TrackSource<'t, f64> {
    let keys = match &track.keys {
        ResoniteKeys::Raw { interval, .. } => KeysSource::Raw { interval: *interval },
        ResoniteKeys::Discrete { times, .. } => KeysSource::Discrete { times },
        ResoniteKeys::Curve { times, interpolation, .. } => {
            KeysSource::Curve { times, interpolation: interpolation.as_slice(), tangents }
        }
    };
    TrackSource {
        node: track.node.as_deref(),
        property: track.property.as_deref(),
        values: track.keys.values(),
        keys,
        extra: &[],
    }
}

/// Returns a track, whose tangents were taken, as the exact model has it.
fn exact(track: OutgoingTrack, tangents: Option<Box<AnimjTangents>>) -> AnimjTrack {
    let OutgoingTrack { node, property, keys, .. } = track;
    let rounded = |times: Vec<f64>| times.into_iter().map(f32_from_f64).collect();
    let keys = match keys {
        ResoniteKeys::Raw { interval, values } => AnimjKeys::Raw { interval, values },
        ResoniteKeys::Discrete { times, values } => {
            AnimjKeys::Discrete { times: rounded(times), values }
        }
        ResoniteKeys::Curve { times, values, interpolation, .. } => {
            let interpolation = interpolation.into_vec(times.len());
            AnimjKeys::Curve { times: rounded(times), values, interpolation, tangents }
        }
    };
    AnimjTrack { node, property, keys, extra: Vec::new() }
}

/// Takes the tangents to write from the keys of a track.
fn take_tangents(track: &mut OutgoingTrack, findings: &mut Findings) -> Option<Box<AnimjTangents>> {
    let OutgoingTrack { keys, path, .. } = track;
    let ResoniteKeys::Curve { values, interpolation, tangents, .. } = keys else { return None };
    let mut report = |code, message| findings.push(Finding::new(code, message).at(path.clone()));
    let kind = values.kind();
    if let Some(given) = tangents.take() {
        let tangents = sides(given, interpolation, kind);
        if tangents.is_none() {
            let message = "zero tangents that no segment uses";
            report(shared::TANGENTS_DROPPED, message.to_owned());
        }
        return tangents;
    }
    // A curve without tangents plays linearly, but AnimJ reads missing tangents as zeros.
    let curved = |each: &Interpolation| each.uses_tangents(kind);
    if interpolation.as_slice().iter().any(curved) {
        let lines = (0..values.len()).filter(|key| curved(&interpolation.get(*key))).count();
        let all = interpolation.as_mut_slice().iter_mut();
        all.filter(|each| curved(each)).for_each(|each| *each = Interpolation::Linear);
        if lines > 0 {
            let message = format!("{lines} curve keys without tangents became linear");
            report(shared::SHAPE_CHANGED, message);
        }
    }
    None
}
