//! Converts the common model to the exact model.

use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys};
use inbetween_core::{
    Budget, Document, Extent, Finding, Findings, Interpolation, Outcome, Path, WriteError,
    codes as shared, shown,
};

use super::finite::keep_finite;
use super::tangents;
use crate::codes;
use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTrack};
use crate::read::ID;
use crate::{Animj, Matrices};

/// Converts a document with one clip.
pub(crate) fn from_document(
    mut document: Document,
    options: &Animj,
    budget: &mut Budget,
) -> Result<Outcome<(AnimjFile, Extent)>, WriteError> {
    let durations = document.clips.iter_mut().map(|clip| &mut clip.duration);
    let stated = durations.filter_map(|duration| duration.take_if(|stated| !stated.is_finite()));
    let stated: Vec<f64> = stated.collect();
    let mut outgoing = Outgoing::new(document, ID, options.empty_track_rule(), budget)?;
    let mut parts = AnimjParts {
        name: outgoing.name().cloned(),
        global_duration: outgoing.duration(),
        tracks: Vec::with_capacity(outgoing.len()),
        extra: Vec::new(),
    };
    for stated in stated {
        let message = format!("{stated} s became {} s", parts.global_duration);
        let finding = Finding::new(shared::DURATION_CHANGED, message);
        outgoing.findings_mut().push(finding.at(Path::field("duration")));
    }
    let mut extent = outgoing.extent();
    while let Some(outgoing_track) = outgoing.next_track()? {
        let is_markers = outgoing_track.is_markers();
        let track = track(outgoing_track, options, outgoing.findings_mut());
        if let Some(track) = track.as_ref().filter(|_| !is_markers) {
            extent.add_track(track.keys.values().len());
        }
        parts.tracks.extend(track);
    }
    Ok(Outcome::new((AnimjFile::from_parts(parts)?, extent), outgoing.into_findings()))
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
    let keys = keep_finite(keys, &path, findings)?;
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
            let mut interpolation: Vec<_> =
                (0..times.len()).map(|key| interpolation.get(key)).collect();
            if given.is_none() {
                // A curve without tangents plays linearly, but AnimJ reads missing tangents as
                // zeros.
                let curved =
                    interpolation.iter_mut().filter(|each| each.uses_tangents(values.kind()));
                let lines = curved.map(|each| *each = Interpolation::Linear).count();
                if lines > 0 {
                    let message = format!("{lines} curve keys without tangents became linear");
                    report(shared::SHAPE_CHANGED, message);
                }
            }
            let (tangents, finding) = tangents::sides(given, &interpolation, values.kind());
            if let Some((code, message)) = finding {
                report(code, message);
            }
            AnimjKeys::Curve { times, values, interpolation, tangents }
        }
    };
    Some(AnimjTrack { node, property, keys, extra: Vec::new() })
}
