//! The exact text form (`docs/text-form.md`).

use inbetween_core::text::{self, Each, Float, Hex, Layout, Skip, Tag, Version};
use inbetween_core::{Budget, Limits, Path, Quat, ReadError, TextForm, Values, WriteError, num};
use serde::{Deserialize, Serialize};

use crate::layout::ID;
use crate::{Bvh, BvhFile, BvhHeader, BvhParts, BvhTrack, Channel, TrackPart, write};

const LAYOUT: Layout =
    Layout { open: &["tracks"], lines: &["translations", "rotations", "scales"] };

impl TextForm for Bvh {
    fn unpack(&self, bytes: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let file = BvhFile::parse(bytes, limits)?;
        print(&file, limits).map_err(|error| error.in_format(ID))
    }

    fn pack(&self, text: &[u8], limits: &Limits) -> Result<Vec<u8>, ReadError> {
        let parts = parse(text, limits)?;
        charge(&parts, text.len(), limits).map_err(|error| error.in_format(ID))?;
        let file = BvhFile::from_parts(&parts).map_err(|error| text::refused(&error, text))?;
        Ok(file.bytes.into_owned())
    }
}

/// The mirror type of a file; lists are printed from the file and parsed into vectors.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "T: Default + Deserialize<'de>"))]
struct FileText<'a, T: Skip> {
    format: Tag,
    text_version: Version,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    reserved: u16,
    frame_rate: Float<f32>,
    duration: Float<f64>,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    tracks: T,
    #[serde(default, skip_serializing_if = "Skip::skips")]
    trailing: Hex<'a>,
}

/// The mirror type of a track. It has exactly one list of keys, named after the channel.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct TrackText<N, V, Q> {
    name: N,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    translations: Option<V>,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    rotations: Option<Q>,
    #[serde(default = "none", skip_serializing_if = "Skip::skips")]
    scales: Option<V>,
}

fn none<T>() -> Option<T> {
    None
}

/// The mirror type of a key.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct KeyText<V> {
    frame: u32,
    value: V,
}

type Vector = KeyText<[Float<f32>; 3]>;
type Rotation = KeyText<[Float<f32>; 4]>;
type ParsedTrack = TrackText<String, Vec<Vector>, Vec<Rotation>>;

fn print(file: &BvhFile<'_>, limits: &Limits) -> Result<Vec<u8>, ReadError> {
    let header = file.header();
    let mirror = FileText {
        format: Tag(ID),
        text_version: Version,
        reserved: header.reserved,
        frame_rate: Float(header.frame_rate),
        duration: Float(header.duration),
        tracks: Each(|| file.tracks().map(track_text)),
        trailing: Hex(file.trailing().into()),
    };
    text::print(&mirror, LAYOUT, file.to_bytes().len(), limits)
}

fn track_text(track: BvhTrack<'_>) -> TrackText<&str, impl Serialize, impl Serialize> {
    let channel = track.channel();
    let vectors = |wanted| (channel == wanted).then_some(Each(move || vectors(track)));
    let rotations = (channel == Channel::Rotation).then_some(Each(move || rotations(track)));
    TrackText {
        name: track.name(),
        translations: vectors(Channel::Translation),
        rotations,
        scales: vectors(Channel::Scale),
    }
}

fn vectors(track: BvhTrack<'_>) -> impl Iterator<Item = Vector> {
    track.keys().map(|(frame, value)| KeyText { frame, value: value.map(Float) })
}

fn rotations(track: BvhTrack<'_>) -> impl Iterator<Item = Rotation> {
    track.keys().map(|(frame, value)| KeyText { frame, value: value.map(Float) })
}

fn parse(text: &[u8], limits: &Limits) -> Result<BvhParts, ReadError> {
    let file: FileText<'_, Vec<ParsedTrack>> = text::parse(text, ID, limits)?;
    let mut tracks = Vec::with_capacity(file.tracks.len());
    for (index, track) in file.tracks.into_iter().enumerate() {
        let part = track.into_part().map_err(|error| error.in_format(ID));
        let part = part.map_err(|error| error.at_path(Path::item("tracks", index)));
        tracks.push(part.map_err(|error| text::refused(&error, text))?);
    }
    let header = BvhHeader {
        reserved: file.reserved,
        frame_rate: file.frame_rate.0,
        duration: file.duration.0,
    };
    Ok(BvhParts { header, tracks, trailing: file.trailing.0.into_owned() })
}

impl ParsedTrack {
    fn into_part(self) -> Result<TrackPart, WriteError> {
        let (channel, (frames, values)) = match (self.translations, self.rotations, self.scales) {
            (Some(keys), None, None) => (Channel::Translation, columns(keys, |value| value)),
            (None, Some(keys), None) => (Channel::Rotation, columns(keys, Quat::from_array)),
            (None, None, Some(keys)) => (Channel::Scale, columns(keys, |value| value)),
            _ => return Err(WriteError::inconsistent("a track has exactly one list of keys")),
        };
        Ok(TrackPart { name: self.name, channel, frames, values })
    }
}

/// Returns the frames and values of keys.
fn columns<const N: usize, V>(
    keys: Vec<KeyText<[Float<f32>; N]>>,
    value: impl Fn([f32; N]) -> V,
) -> (Vec<u32>, Values)
where
    Values: From<Vec<V>>,
{
    let keys = keys.into_iter().map(|key| (key.frame, value(key.value.map(|part| part.0))));
    let (frames, values): (Vec<u32>, Vec<V>) = keys.unzip();
    (frames, values.into())
}

/// Charges the cost of the parts as a file.
fn charge(parts: &BvhParts, text: usize, limits: &Limits) -> Result<(), ReadError> {
    let mut budget = Budget::new(limits, text);
    budget.charge_items(num::u64_from_len(parts.tracks.len()))?;
    budget.charge_bytes(write::size(parts))
}
