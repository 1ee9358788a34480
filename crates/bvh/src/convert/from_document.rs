//! Converts the common model to the exact model.

use inbetween_core::{
    Context, Document, Extent, Finding, Fit, Fitted, Path, Target, Values, WriteError, Written,
    codes as shared, narrow, num,
};

use super::STORES;
use crate::{Bvh, BvhHeader, BvhParts, Channel, RULES, TrackPart};

/// Converts a document with one clip.
pub(crate) fn from_document(
    mut document: Document,
    _: Bvh,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let fit = Fit::new(STORES, RULES, &mut document, context);
    let (fitted, mut framer) = fit.frames(document.into_single()?, None, context)?;
    let Fitted { head, tracks, plays } = fitted;
    let (mut parts, mut extent) = (BvhParts::default(), Extent::default());
    extent.add_clip(0, plays);
    for (index, track) in tracks {
        let (target, data) = track.into_parts();
        let part = context.track(index, &target, |context| {
            let (keys, values) = framer.frames(data, context)?;
            Ok(part(&target, &keys, narrow(values, context), context))
        })?;
        if let Some(part) = part {
            extent.add_track(part.frames.len());
            parts.tracks.push(part);
        }
    }
    let last = parts.tracks.iter().flat_map(|track| &track.frames).max();
    let last = last.map_or(0.0, |frame| f64::from(*frame) / framer.rate());
    parts.header = BvhHeader {
        reserved: 0,
        frame_rate: num::f32_from_f64(framer.rate()),
        duration: duration(head.duration, last, context),
    };
    Ok(Written::new(parts.to_bytes()?, vec![extent]))
}

/// Returns a track; `None` for a property without a channel, which no fitted track has.
fn part(
    target: &Target,
    frames: &[u32],
    values: Values,
    context: &mut Context<'_>,
) -> Option<TrackPart> {
    let channel = Channel::of_property(&target.property)?;
    let name = target.node.as_deref().unwrap_or_else(|| {
        context.say(shared::NULL_TEXT, "the node is \"\"");
        ""
    });
    Some(TrackPart { name: name.to_owned(), channel, frames: frames.to_vec(), values })
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
