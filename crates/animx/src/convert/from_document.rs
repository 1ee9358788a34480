//! Writes documents.

use inbetween_core::memory;
use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys, STORES};
use inbetween_core::{
    Context, Document, Finding, Interpolations, Limits, Path, SevenBit, Text, TimeRounder,
    WriteError, Written, codes as shared, grow, num::u64_from_len, report_narrowed_times,
};

use crate::codes;
use crate::file::AnimxFile;
use crate::key_order::{self, OtherOrder};
use crate::layout::{CurveKeyOrder, Encoding, Version, interpolation_byte};
use crate::options::Animx;
use crate::parts::{InterpolationPart, KeysPart, TangentsPart};
use crate::strings::AnimxText;
use crate::track::AnimxTrack;
use crate::write::{Head, TrackSource, pack};

/// Converts a document with one clip, one track at a time.
pub(crate) fn from_document(
    document: Document,
    options: Animx,
    context: &mut Context<'_>,
) -> Result<Written, WriteError> {
    let (room, encoding) = (size(&document), options.written_encoding(&document));
    let stores = options.empty_track_rule(&document).of(STORES);
    let outgoing = Outgoing::new(document, stores, context)?;
    let name = outgoing.name().cloned();
    if name.is_none() {
        let finding = Finding::new(shared::CLIP_UNNAMED, "the name is \"\"");
        context.findings.push(finding.at(Path::field("name")));
    }
    let head = Head {
        version: Version::V1,
        track_count: SevenBit::new(u64_from_len(outgoing.len())),
        global_duration: outgoing.duration(),
        name: AnimxText { bytes: name.as_deref().unwrap_or_default().as_bytes(), padding: 0 },
        encoding: Encoding::Plain,
    };
    let layout = options.written_layout();
    let mut bytes = Vec::new();
    memory::reserve(&mut bytes, room)?;
    let mut extent = outgoing.extent();
    head.encode(&mut bytes)?;
    let (start, mut other_order) = (bytes.len(), OtherOrder::NoCurves);
    outgoing.each_track(context, |context, track| {
        if !track.is_markers {
            extent.add_track(track.keys.values().len());
        }
        report(&track, context);
        let OutgoingTrack { node, property, keys, .. } = track;
        let keys = keys_part(keys);
        let track = TrackSource {
            node: text(node.as_ref()),
            property: text(property.as_ref()),
            key_count_padding: 0,
            keys: &keys,
        };
        // Keys made by baking were not part of the estimate.
        grow::try_column(&mut bytes, track.size())?;
        let (from, rounder) = (bytes.len(), TimeRounder::default());
        track.encode((Version::V1, layout), &rounder, &mut bytes)?;
        if rounder.may_have_changed(keys.times()) {
            report_narrowed_times(keys.times().iter().copied(), &mut context.findings)?;
        }
        // Strings after a refutation change nothing: the order that they move is not taken.
        if other_order != OtherOrder::Refuted {
            let written = bytes.get(from..).unwrap_or_default();
            let track = AnimxTrack::parse(written, Version::V1, from, layout);
            other_order = track.map_or(other_order, |track| other_order.with_track(&track));
        }
        Ok(())
    })?;
    if let Some(taken) = misleads(&bytes, options, other_order) {
        let message = format!("{} keys look {}", layout.curve_key.name(), taken.name());
        context.say(codes::LAYOUT_MISLEADS, message);
    }
    if encoding != Encoding::Plain {
        let head = Head { encoding, ..head };
        bytes = packed(&head, bytes.get(start..).unwrap_or_default())?;
    }
    Ok(Written::new(bytes, vec![extent]))
}

/// Returns a file with a compressed section.
fn packed(head: &Head<'_>, section: &[u8]) -> Result<Vec<u8>, WriteError> {
    let packed = pack(section, head.encoding)?;
    let mut out = Vec::new();
    let room = packed.len().saturating_add(64);
    memory::reserve(&mut out, room)?;
    head.encode(&mut out)?;
    out.extend_from_slice(&packed);
    Ok(out)
}

/// Returns an estimate of the file size, to reserve the memory at once.
fn size(document: &Document) -> usize {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks).map(|track| {
        let (target, data) = (track.target(), track.data());
        let names = target.node.as_deref().unwrap_or_default().len();
        let names = names.saturating_add(target.property.name().len());
        // Times take half as many bytes as in the document.
        let times = data.len().saturating_mul(4);
        data.heap_bytes().saturating_sub(times).saturating_add(names).saturating_add(32)
    });
    tracks.fold(256, usize::saturating_add)
}

/// Returns the key order that a reader would detect in a plain file, if it differs from the written
/// one.
fn misleads(bytes: &[u8], options: Animx, other: OtherOrder) -> Option<CurveKeyOrder> {
    let layout = options.written_layout();
    if let Some(read) = options.read_layout() {
        return (read.curve_key != layout.curve_key).then_some(read.curve_key);
    }
    if matches!(other, OtherOrder::NoCurves | OtherOrder::Refuted) {
        return None;
    }
    let limits = Limits::default().with_items(u64::MAX);
    let file = AnimxFile::parse_as(bytes, layout, &limits).ok()?;
    (!key_order::reads_back(&file)).then_some(layout.curve_key.other())
}

/// Reports what the format cannot store in a track: it has no null names, and Resonite is reported
/// to crash at tracks without keys.
fn report(track: &OutgoingTrack, context: &mut Context<'_>) {
    if track.keys.values().is_empty() {
        context.say(shared::EMPTY_TRACK, "a track without keys");
    }
    for (name, field) in [(&track.node, "node"), (&track.property, "property")] {
        if name.is_none() {
            context.say(shared::NULL_TEXT, format!("the {field} is \"\""));
        }
    }
}

/// Returns a name as it is written; null is written as an empty name.
fn text(name: Option<&Text>) -> AnimxText<'_> {
    AnimxText { bytes: name.map_or(&[], |name| name.as_bytes()), padding: 0 }
}

fn keys_part(keys: ResoniteKeys) -> KeysPart<f64> {
    match keys {
        ResoniteKeys::Raw { interval, values } => KeysPart::Raw { interval, values: values.into() },
        ResoniteKeys::Discrete { times, values } => {
            KeysPart::Discrete { times, values: values.into() }
        }
        ResoniteKeys::Curve { times, values, interpolation, tangents } => {
            let interpolation = interpolation_part(&interpolation, values.len());
            let tangents = tangents
                .map(|(left, right)| TangentsPart { left: left.into(), right: right.into() });
            let values = values.into();
            KeysPart::Curve { times, values, interpolation, tangents, other_flags: 0 }
        }
    }
}

/// Returns one byte if all keys share their interpolation, else one per key.
fn interpolation_part(interpolation: &Interpolations, keys: usize) -> InterpolationPart {
    if let Some(shared) = interpolation.shared(keys) {
        return InterpolationPart::Shared(interpolation_byte(shared));
    }
    let each = (0..keys).map(|key| interpolation_byte(interpolation.get(key)));
    InterpolationPart::PerKey(each.collect())
}
