//! Converts the common model to bytes.

use inbetween_core::memory::{self, OutOfMemory};
use inbetween_core::resonite::{Outgoing, OutgoingTrack, ResoniteKeys};
use inbetween_core::{
    Budget, Document, Finding, Interpolations, Limits, Outcome, Path, SevenBit, Text, WriteError,
    Written, codes as shared, grow, num::u64_from_len,
};

use super::columns::interpolation_byte;
use crate::read::ID;
use crate::write::{Head, pack};
use crate::{
    Animx, AnimxFile, AnimxText, CurveKeyOrder, Encoding, InterpolationPart, KeysPart,
    TangentsPart, TextPart, TrackPart, Version, codes, key_order,
};

/// Converts a document with one clip, one track at a time.
pub(crate) fn from_document(
    document: Document,
    options: Animx,
    budget: &mut Budget,
) -> Result<Outcome<Written>, WriteError> {
    let room = size(&document);
    let mut outgoing = Outgoing::new(document, ID, options.empty_track_rule(), budget)?;
    let name = outgoing.name().cloned();
    if name.is_none() {
        let finding = Finding::new(shared::CLIP_UNNAMED, "the name is \"\"");
        outgoing.findings_mut().push(finding.at(Path::field("name")));
    }
    let head = Head {
        version: Version::V1,
        track_count: SevenBit::new(u64_from_len(outgoing.len())),
        global_duration: outgoing.duration(),
        name: AnimxText { bytes: name.as_deref().unwrap_or_default().as_bytes(), padding: 0 },
        encoding: Encoding::Plain,
    };
    let layout = options.written_layout();
    let out_of_memory = |error: OutOfMemory| WriteError::new(ID, error.into());
    let mut bytes = Vec::new();
    memory::reserve(&mut bytes, room).map_err(out_of_memory)?;
    let mut extent = outgoing.extent();
    head.encode(&mut bytes)?;
    let (start, mut has_curves) = (bytes.len(), false);
    while let Some(track) = outgoing.next_track()? {
        if !track.is_markers() {
            extent.add_track(track.keys.values().len());
        }
        let path = track.path.clone();
        let part = part(track, &mut outgoing);
        has_curves |= matches!(part.keys, KeysPart::Curve { .. });
        // Keys made by baking were not part of the estimate.
        grow::try_column(&mut bytes, part.size()).map_err(out_of_memory)?;
        part.encode(Version::V1, layout, &mut bytes).map_err(|error| error.at_path(path))?;
    }
    let mut findings = outgoing.into_findings();
    findings.begin_scope();
    if let Some(taken) = misleads(&bytes, options, has_curves) {
        let message = format!("{} keys look {}", layout.curve_key.name(), taken.name());
        findings.push(Finding::new(codes::LAYOUT_MISLEADS, message));
    }
    if options.written_encoding() != Encoding::Plain {
        let head = Head { encoding: options.written_encoding(), ..head };
        bytes = packed(&head, bytes.get(start..).unwrap_or_default())?;
    }
    Ok(Outcome::new(Written::new(bytes, vec![extent]), findings))
}

/// Returns a file with a compressed section.
fn packed(head: &Head<'_>, section: &[u8]) -> Result<Vec<u8>, WriteError> {
    let packed = pack(section, head.encoding)?;
    let mut out = Vec::new();
    let room = packed.len().saturating_add(64);
    memory::reserve(&mut out, room).map_err(|error| WriteError::new(ID, error.into()))?;
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
fn misleads(bytes: &[u8], options: Animx, has_curves: bool) -> Option<CurveKeyOrder> {
    let layout = options.written_layout();
    if let Some(read) = options.read_layout() {
        return (read.curve_key != layout.curve_key).then_some(read.curve_key);
    }
    if !has_curves {
        return None;
    }
    let limits = Limits::default().with_items(u64::MAX);
    let file = AnimxFile::parse_as(bytes, layout, &limits).ok()?;
    (!key_order::reads_back(&file)).then_some(layout.curve_key.other())
}

fn part(track: OutgoingTrack, outgoing: &mut Outgoing) -> TrackPart {
    let OutgoingTrack { node, property, keys, path } = track;
    let findings = outgoing.findings_mut();
    if keys.values().is_empty() {
        let finding = Finding::new(codes::EMPTY_TRACK, "a track without keys");
        findings.push(finding.at(path.clone()));
    }
    let mut name = |name: Option<Text>, field: &'static str| {
        let text = name.unwrap_or_else(|| {
            let finding = Finding::new(shared::NULL_TEXT, format!("the {field} is \"\""));
            findings.add(shared::NULL_TEXT, || finding.at(path.clone()));
            Text::from("")
        });
        TextPart::from(&*text)
    };
    TrackPart {
        node: name(node, "node"),
        property: name(property, "property"),
        key_count_padding: 0,
        keys: keys_part(keys),
    }
}

fn keys_part(keys: ResoniteKeys) -> KeysPart {
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
