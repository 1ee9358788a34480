//! Converts the common model to the exact model.

use inbetween_core::frames::{Framer, choose_rate};
use inbetween_core::lower::{Lowering, translate_tracks};
use inbetween_core::{
    Animation, Baker, Context, Document, Extent, Finding, FrameKeys, Grid, Narrowing, Path,
    Property, Quat, Target, Track, TrackData, Values, WriteError, codes as shared, counted,
    dropped_track, num, report_dropped_head, shown,
};

use crate::{Channel, RULES, SketchHeader, SketchParts, TrackPart};

/// Converts a document with one clip.
pub(crate) fn from_document(
    document: Document,
    context: &mut Context<'_>,
) -> Result<(SketchParts, Extent), WriteError> {
    let skeleton = document.skeleton.clone();
    let mut clip = document.into_single(&mut context.findings)?;
    let rate = choose_rate(&clip, None, is_written, context);
    let mut extent = Extent::default();
    extent.add_clip(0, clip.effective_duration());
    report_dropped(&mut clip, context);
    let tracks = translate_tracks(clip.take_tracks(), (clip.rules, RULES), context)?;
    let baker = Baker::new(Grid::Frames(rate, FrameKeys::Needed)).for_target(RULES);
    let lowering = Lowering { baker, skeleton };
    let tracks = lowering.lower(tracks, context)?;
    let mut framer = Framer::new(lowering, rate);
    let mut parts = SketchParts::default();
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        let part = context.track(index, &target, |context| {
            write_track(&target, data, &mut framer, context)
        })?;
        if let Some(part) = part {
            extent.add_track(part.frames.len());
            parts.tracks.push(part);
        }
    }
    let last = parts.tracks.iter().flat_map(|track| &track.frames).max();
    let last = last.map_or(0.0, |frame| f64::from(*frame) / rate);
    parts.header = SketchHeader {
        reserved: 0,
        frame_rate: num::f32_from_f64(rate),
        duration: duration(clip.duration, last, context),
    };
    Ok((parts, extent))
}

/// Returns whether the format stores a track, once Euler angles are quaternions.
fn is_written(track: &Track) -> bool {
    let property = &track.target().property;
    Channel::of_property(property).is_some() || matches!(property, Property::RotationEuler(_))
}

/// Reports properties of the clip that the format does not support, and removes its blend modes.
fn report_dropped(clip: &mut Animation, context: &mut Context<'_>) {
    let findings = &mut context.findings;
    // Formats that store a name for every clip use an empty one for "no name", so it is not a loss.
    if let Some(name) = clip.name.as_ref().filter(|name| !name.is_empty()) {
        let message = format!("\"{}\"", shown(name));
        findings.push(Finding::new(shared::NAME_DROPPED, message).at(Path::field("name")));
    }
    if !clip.markers.is_empty() {
        let message = counted(clip.markers.len(), "marker");
        let finding = Finding::new(shared::MARKERS_DROPPED, message).at(Path::field("markers"));
        findings.push(finding.count(num::u64_from_len(clip.markers.len())));
    }
    // The format stores the frame rate.
    clip.frame_rate = None;
    report_dropped_head(clip, findings);
    clip.make_absolute();
}

/// Converts a track; reports it and returns `None` if the format does not store it.
fn write_track(
    target: &Target,
    data: TrackData,
    grid: &mut Framer,
    context: &mut Context<'_>,
) -> Result<Option<TrackPart>, WriteError> {
    let Some(channel) = Channel::of_property(&target.property) else {
        context.findings.push(dropped_track(target, &data));
        return Ok(None);
    };
    let name = target.node.as_deref().unwrap_or_else(|| {
        context.say(shared::NULL_TEXT, "the node is \"\"");
        ""
    });
    let (frames, values) = grid.frames(data, context)?;
    let values = narrow(values, context);
    Ok(Some(TrackPart { name: name.to_owned(), channel, frames: frames.to_vec(), values }))
}

/// Converts values to `f32`, and reports those that change.
fn narrow(values: Values, context: &mut Context<'_>) -> Values {
    let mut narrowing = Narrowing::default();
    let narrow: Values = match &values {
        Values::Double3(wide) => {
            let value = |wide: &[f64; 3]| wide.map(|number| narrowing.number(number));
            wide.iter().map(value).collect::<Vec<_>>().into()
        }
        Values::DoubleQ(wide) => {
            let value = |wide: &Quat<f64>| narrowing.rotation(*wide);
            wide.iter().map(value).collect::<Vec<_>>().into()
        }
        _ => return values,
    };
    if narrowing.changes() {
        context.findings.extend(narrowing.findings("values"));
    } else {
        let message = format!("{} became {}, and did not change", values.kind(), narrow.kind());
        context.say(shared::KIND_CHANGED, message);
    }
    narrow
}

/// Returns the duration to write, and reports one that is invalid or ends before the last key.
fn duration(stated: Option<f64>, last: f64, context: &mut Context<'_>) -> f64 {
    let (code, message) = match stated {
        Some(stated) if stated.is_finite() && stated >= last => return stated,
        Some(stated) if !stated.is_finite() || stated < 0.0 => {
            (shared::DURATION_CHANGED, format!("{stated} s"))
        }
        _ => (shared::DURATION_EXTENDED, format!("the last key is at {last} s")),
    };
    context.findings.push(Finding::new(code, message).at(Path::field("duration")));
    last
}
