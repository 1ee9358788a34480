//! From the common model to the exact one.

use inbetween_core::resonite::{Keys, Outgoing, OutgoingTrack};
use inbetween_core::{Document, Finding, Limits, Outcome, WriteError};

use super::tangents;
use crate::codes;
use crate::file::{AnimjFile, AnimjKeys, AnimjParts, AnimjTrack};
use crate::read::ID;
use crate::{Animj, Matrices};

/// Converts a document of one clip.
pub(crate) fn from_document(
    document: Document,
    options: &Animj,
    limits: &Limits,
) -> Result<Outcome<AnimjFile>, WriteError> {
    let mut outgoing = Outgoing::new(document, ID, options.empty_track_rule(), limits)?;
    let mut parts = AnimjParts {
        name: outgoing.name().cloned(),
        global_duration: outgoing.duration(),
        tracks: Vec::with_capacity(outgoing.len()),
        extra: Vec::new(),
    };
    while let Some(outgoing_track) = outgoing.next_track()? {
        parts.tracks.push(track(outgoing_track, options, &mut outgoing)?);
    }
    Ok(Outcome::new(AnimjFile::from_parts(parts)?, outgoing.into_findings()))
}

fn track(
    track: OutgoingTrack,
    options: &Animj,
    outgoing: &mut Outgoing,
) -> Result<AnimjTrack, WriteError> {
    let OutgoingTrack { node, property, keys, path } = track;
    let kind = keys.values().kind();
    if kind.is_matrix() && options.matrix_rule() == Matrices::Refuse {
        let what = format!("values of kind {kind}");
        let limit = "the game reads matrices in AnimJ as zero; take AnimX, or the option \
                     matrices=rows";
        return Err(WriteError::not_representable(ID, what, limit).at_path(path));
    }
    let mut report = |code, message: String| {
        outgoing.findings_mut().push(Finding::new(code, message).at(path.clone()));
    };
    if keys.values().is_empty() {
        let (node, property) = (node.as_deref(), property.as_deref());
        let [node, property] = [node, property].map(|name| name.unwrap_or_default().escape_debug());
        report(codes::EMPTY_TRACK, format!("no keys for \"{property}\" of node \"{node}\""));
    }
    let keys = match keys {
        Keys::Raw { interval, values } => AnimjKeys::Raw { interval, values },
        Keys::Discrete { times, values } => AnimjKeys::Discrete { times, values },
        Keys::Curve { times, values, interpolation, tangents: given } => {
            let interpolation: Vec<_> =
                (0..times.len()).map(|key| interpolation.get(key)).collect();
            let (tangents, finding) = tangents::sides(given, &interpolation, values.kind());
            if let Some((code, message)) = finding {
                report(code, message);
            }
            AnimjKeys::Curve { times, values, interpolation, tangents }
        }
    };
    Ok(AnimjTrack { node, property, keys, extra: Vec::new() })
}
