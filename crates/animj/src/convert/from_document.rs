//! Writes documents.

use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys};
use inbetween_core::{
    Context, Document, Finding, Interpolation, Path, WriteError, Written, codes as shared,
    report_narrowed_times, shown,
};

use super::STORES;
use super::tangents::sides;
use crate::file::AnimjTangents;
use crate::options::{Animj, Matrices};
use crate::parts::check_duration;
use crate::write::{KeysSource, Printer, TrackSource};

/// Writes a document with one clip, one track at a time.
pub(crate) fn from_document(
    document: Document,
    options: &Animj,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let outgoing = outgoing(document, options, context)?;
    let (name, duration) = (outgoing.name().cloned(), outgoing.duration());
    check_duration(duration)?;
    let mut extent = outgoing.extent();
    let mut printer = Printer::fallible(options.written_style(), outgoing.len());
    printer.file((name.as_deref(), duration), &[], |printer| {
        each_track(outgoing, options, context, |track, tangents| {
            if !track.is_markers {
                extent.add_track(track.keys.values().len());
            }
            printer.list_track(&source(&track, tangents.as_deref()));
            Ok(())
        })
    })?;
    Ok(Written::new(printer.finish()?.into_bytes(), vec![extent]))
}

/// Returns the clip with a duration that JSON can hold.
fn outgoing(
    mut document: Document,
    options: &Animj,
    context: &mut Context<'_>,
) -> Result<Outgoing, WriteError> {
    let durations = document.clips.iter_mut().map(|clip| &mut clip.duration);
    let stated = durations.filter_map(|duration| duration.take_if(|stated| !stated.is_finite()));
    let stated: Vec<f64> = stated.collect();
    let stores = options.empty_track_rule(&document).of(STORES);
    let outgoing = Outgoing::new(document, stores, context)?;
    for stated in stated {
        let message = format!("{stated} s became {} s", outgoing.duration());
        let finding = Finding::new(shared::DURATION_CHANGED, message);
        context.findings.push(finding.at(Path::field("duration")));
    }
    Ok(outgoing)
}

/// Calls `write` with each track that AnimJ supports, without its tangents, and those to write.
fn each_track(
    outgoing: Outgoing,
    options: &Animj,
    context: &mut Context<'_>,
    mut write: impl FnMut(OutgoingTrack, Option<Box<AnimjTangents>>) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    outgoing.each_track(context, |context, mut track| {
        report_narrowed_times(track.keys.times().iter().copied(), &mut context.findings)?;
        if !prepare(&track, options, context) {
            return Ok(());
        }
        let tangents = take_tangents(&mut track, context);
        write(track, tangents)
    })
}

/// Drops what AnimJ does not support, and returns false if that is the whole track.
fn prepare(track: &OutgoingTrack, options: &Animj, context: &mut Context<'_>) -> bool {
    let keys = &track.keys;
    let kind = keys.values().kind();
    if kind.is_matrix() && options.matrix_rule() == Matrices::Drop {
        let message = format!(
            "{kind} values, which Resonite reads as zero in AnimJ; take AnimX, or the option \
             matrices=rows"
        );
        context.say(shared::TRACK_DROPPED, message);
        return false;
    }
    if keys.values().is_empty() {
        let (node, property) = (track.node.as_deref(), track.property.as_deref());
        let [node, property] = [node, property].map(|name| shown(name.unwrap_or_default()));
        let message = format!("no keys for \"{property}\" of node \"{node}\"");
        context.say(shared::EMPTY_TRACK, message);
    }
    true
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

/// Takes the tangents to write from the keys of a track.
fn take_tangents(
    track: &mut OutgoingTrack,
    context: &mut Context<'_>,
) -> Option<Box<AnimjTangents>> {
    let ResoniteKeys::Curve { values, interpolation, tangents, .. } = &mut track.keys else {
        return None;
    };
    let kind = values.kind();
    if let Some(given) = tangents.take() {
        let tangents = sides(given, interpolation, kind);
        if tangents.is_none() {
            context.say(shared::TANGENTS_DROPPED, "zero tangents that no segment uses");
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
            context.say(shared::SHAPE_CHANGED, message);
        }
    }
    None
}
