//! Writes documents.

use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys};
use inbetween_core::{
    Budget, Code, Document, Extent, Finding, Findings, Interpolation, Outcome, Path, Values,
    WriteError, Written, codes as shared, shown,
};

use super::finite::{are_finite, keep_finite};
use super::tangents::sides;
use crate::codes;
use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTrack};
use crate::parts::{check_duration, check_track};
use crate::read::ID;
use crate::write::Printer;
use crate::{Animj, Matrices};

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
        while let Some(track) = tracks.next_track()? {
            // The tracks of a document have columns of one length, and `keep_finite` has dropped
            // every number that cannot be written.
            debug_assert!(check_track(0, &track).is_ok(), "a track that cannot be written");
            printer.list_track(&track);
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
    while let Some(track) = tracks.next_track()? {
        parts.tracks.push(track);
    }
    Ok(Outcome::new(AnimjFile::from_parts(parts)?, tracks.outgoing.into_findings()))
}

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

    /// Converts the next track that AnimJ supports.
    fn next_track(&mut self) -> Result<Option<AnimjTrack>, WriteError> {
        while let Some(next) = self.outgoing.next_track()? {
            let next = self.outgoing.round(next)?;
            let is_markers = next.is_markers();
            let Some(track) = track(next, self.options, self.outgoing.findings_mut()) else {
                continue;
            };
            if !is_markers {
                self.extent.add_track(track.keys.values().len());
            }
            return Ok(Some(track));
        }
        Ok(None)
    }
}

/// Returns a track, or `None` if AnimJ does not support it.
fn track(track: OutgoingTrack, options: &Animj, findings: &mut Findings) -> Option<AnimjTrack> {
    let OutgoingTrack { node, property, keys, path } = track;
    let kind = keys.values().kind();
    if kind.is_matrix() && options.matrix_rule() == Matrices::Drop {
        let message = format!(
            "{kind} values, which Resonite reads as zero in AnimJ; take AnimX, or the option \
             matrices=rows"
        );
        findings.push(Finding::new(shared::TRACK_DROPPED, message).at(path));
        return None;
    }
    let keys = if are_finite(&keys) { keys } else { keep_finite(keys, &path, findings)? };
    let mut report =
        |code, message: String| findings.push(Finding::new(code, message).at(path.clone()));
    if keys.values().is_empty() {
        let (node, property) = (node.as_deref(), property.as_deref());
        let [node, property] = [node, property].map(|name| shown(name.unwrap_or_default()));
        report(codes::EMPTY_TRACK, format!("no keys for \"{property}\" of node \"{node}\""));
    }
    let keys = match keys {
        ResoniteKeys::Raw { interval, values } => AnimjKeys::Raw { interval, values },
        ResoniteKeys::Discrete { times, values } => AnimjKeys::Discrete { times, values },
        ResoniteKeys::Curve { times, values, interpolation, tangents: given } => {
            let interpolation = interpolation.into_vec(times.len());
            curve((times, values, interpolation), given, &mut report)
        }
    };
    Some(AnimjTrack { node, property, keys, extra: Vec::new() })
}

/// Returns the keys of a curve with the tangents to write.
fn curve(
    (times, values, mut interpolation): (Vec<f32>, Values, Vec<Interpolation>),
    given: Option<(Values, Values)>,
    report: &mut impl FnMut(Code, String),
) -> AnimjKeys {
    let (kind, has_tangents) = (values.kind(), given.is_some());
    let tangents = given.and_then(|given| sides(given, &interpolation, kind));
    if has_tangents && tangents.is_none() {
        report(shared::TANGENTS_DROPPED, "zero tangents that no segment uses".into());
    }
    if !has_tangents {
        // A curve without tangents plays linearly, but AnimJ reads missing tangents as zeros.
        let curved = interpolation.iter_mut().filter(|each| each.uses_tangents(kind));
        let lines = curved.map(|each| *each = Interpolation::Linear).count();
        if lines > 0 {
            let message = format!("{lines} curve keys without tangents became linear");
            report(shared::SHAPE_CHANGED, message);
        }
    }
    AnimjKeys::Curve { times, values, interpolation, tangents }
}
