//! The least that reading and writing take: the simplest format that holds the tracks of a file,
//! read and written by hand.
//!
//! A track is a name, a byte for the kind of its values, the number of keys, and the keys. Nothing
//! is checked or reported. Where even this misses a target, no reader or writer can
//! reach it.

use std::borrow::Cow;
use std::sync::Arc;

use inbetween::num::f32_from_f64;
use inbetween::{Document, Quat, Shape, Strings, Track, TrackData, Values};

/// A track as read by hand: its node, its times and its values.
pub(crate) type Plain = (Arc<str>, Vec<f64>, Values);

/// How much space keys of numbers take in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Only their numbers.
    Packed,
    /// Numbers and zeros, as in a format whose keys have many more fields.
    Of128Bytes,
}

/// The number of `f32` in 128 bytes.
const WIDE: usize = 32;

/// Writes the tracks of a document.
pub(crate) fn write(document: &Document, keys: Keys) -> Vec<u8> {
    let tracks = || document.clips.iter().flat_map(|clip| &clip.tracks);
    let bytes = |track: &Track| match keys {
        Keys::Packed => track.data().heap_bytes(),
        Keys::Of128Bytes => track.data().len() * WIDE * 4,
    };
    let mut out = Vec::with_capacity(tracks().map(|track| bytes(track) + 64).sum());
    for track in tracks() {
        let node = track.target().node.as_deref().unwrap_or_default();
        out.push(u8::try_from(node.len()).unwrap_or(u8::MAX));
        out.extend_from_slice(node.as_bytes());
        write_keys(track, keys, &mut out);
    }
    out
}

fn write_keys(track: &Track, keys: Keys, out: &mut Vec<u8>) {
    let data = track.data();
    let count = data.len().to_le_bytes();
    let mut head = |kind: u8| out.extend([kind].into_iter().chain(count));
    let times = &*times(data);
    match (data.values(), keys) {
        (Values::Float3(values), Keys::Packed) => {
            head(3);
            blocks(times, values, |time, [x, y, z]| [time, x, y, z], out);
        }
        (Values::Float3(values), Keys::Of128Bytes) => {
            head(3);
            blocks(times, values, |time, [x, y, z]| wide([time, x, y, z]), out);
        }
        (Values::FloatQ(values), _) => {
            head(4);
            blocks(times, values, |time, quat| [time, quat.x, quat.y, quat.z, quat.w], out);
        }
        (Values::String(texts), _) => {
            head(0);
            write_texts(times, texts, out);
        }
        _ => {}
    }
}

fn times(data: &TrackData) -> Cow<'_, [f64]> {
    match data.shape() {
        Shape::Stepped { times } | Shape::Curve { times, .. } => times.into(),
        _ => data.times().collect(),
    }
}

fn wide([time, x, y, z]: [f32; 4]) -> [f32; WIDE] {
    let mut key = [0.0; WIDE];
    [key[0], key[1], key[2], key[3]] = [time, x, y, z];
    key
}

/// Appends keys in blocks, which is faster than one by one.
fn blocks<V: Copy, const N: usize>(
    times: &[f64],
    values: &[V],
    of: impl Fn(f32, V) -> [f32; N],
    out: &mut Vec<u8>,
) {
    const BLOCK: usize = 64;
    let mut block = [[[0_u8; 4]; N]; BLOCK];
    for (times, values) in times.chunks(BLOCK).zip(values.chunks(BLOCK)) {
        for ((key, &time), &value) in block.iter_mut().zip(times).zip(values) {
            *key = of(f32_from_f64(time), value).map(f32::to_le_bytes);
        }
        out.extend_from_slice(block[..times.len()].as_flattened().as_flattened());
    }
}

fn write_texts(times: &[f64], texts: &Strings, out: &mut Vec<u8>) {
    for (&time, text) in times.iter().zip(texts.iter()) {
        let text = text.unwrap_or_default();
        out.extend_from_slice(&f32_from_f64(time).to_le_bytes());
        out.push(u8::try_from(text.len()).unwrap_or(u8::MAX));
        out.extend_from_slice(text.as_bytes());
    }
}

/// Reads what [`write`] wrote.
pub(crate) fn read(mut bytes: &[u8], keys: Keys) -> Vec<Plain> {
    let mut tracks: Vec<Plain> = Vec::new();
    let mut last: Arc<str> = Arc::from("");
    while let [length, rest @ ..] = bytes {
        let (node, rest) = rest.split_at(usize::from(*length));
        if node != last.as_bytes() {
            last = Arc::from(String::from_utf8_lossy(node));
        }
        let (kind, rest) = (rest[0], &rest[1..]);
        let (count, rest) = rest
            .split_first_chunk()
            .map_or((0, rest), |(count, rest)| (usize::from_le_bytes(*count), rest));
        let (times, values, rest) = match (kind, keys) {
            (3, Keys::Packed) => columns(rest, count, |[time, x, y, z]| (time, [x, y, z])),
            (3, Keys::Of128Bytes) => {
                columns(rest, count, |key: [f32; WIDE]| (key[0], [key[1], key[2], key[3]]))
            }
            (4, _) => columns(rest, count, |[time, x, y, z, w]| (time, Quat { x, y, z, w })),
            _ => texts(rest, count),
        };
        tracks.push((Arc::clone(&last), times, values));
        bytes = rest;
    }
    tracks
}

/// Reads keys of `N` numbers.
fn columns<V, const N: usize>(
    bytes: &[u8],
    count: usize,
    of: impl Fn([f32; N]) -> (f32, V),
) -> (Vec<f64>, Values, &[u8])
where
    Values: From<Vec<V>>,
{
    let (keys, rest) = bytes.split_at(count * N * 4);
    let keys = keys.as_chunks::<4>().0.as_chunks::<N>().0.iter();
    let key = |key: &[[u8; 4]; N]| of(key.map(f32::from_le_bytes));
    let times = keys.clone().map(|bytes| key(bytes).0.into()).collect();
    let values: Vec<V> = keys.map(|bytes| key(bytes).1).collect();
    (times, values.into(), rest)
}

fn texts(mut bytes: &[u8], count: usize) -> (Vec<f64>, Values, &[u8]) {
    let mut times = Vec::with_capacity(count);
    let mut texts = Strings::with_capacity(count, count * 16);
    for _ in 0..count {
        times.push(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into());
        let (text, rest) = bytes[5..].split_at(usize::from(bytes[4]));
        texts.push(core::str::from_utf8(text).ok());
        bytes = rest;
    }
    (times, texts.into(), bytes)
}

#[cfg(test)]
mod tests {
    use inbetween::{Animation, Interpolation, Interpolations, Property, Quat, Target, TrackData};

    use super::*;

    #[test]
    fn what_is_written_by_hand_is_read_again() {
        let times = || vec![0.0, 0.5, 1.0];
        let linear = || Interpolations::Shared(Interpolation::Linear);
        let places = vec![[1.0_f32, 2.0, 3.0]; 3];
        let turns = vec![Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 1.0 }; 3];
        let texts: Strings = [Some("a"), Some(""), Some("ccc")].into_iter().collect();
        let tracks = [
            (Property::Translation, TrackData::curve(times(), places, linear(), None)),
            (Property::Rotation, TrackData::curve(times(), turns, linear(), None)),
            (Property::Custom(None), TrackData::stepped(times(), texts)),
        ];
        let track = |(property, data): (Property, Result<TrackData, _>)| {
            Track::new(Target::new("hips", property), data.unwrap()).unwrap()
        };
        let document = Document::single(Animation::new(tracks.map(track).into()));
        let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
        let expected = tracks.map(|track| ("hips".into(), times(), track.data().values().clone()));
        let expected: Vec<Plain> = expected.collect();
        for keys in [Keys::Packed, Keys::Of128Bytes] {
            assert_eq!(read(&write(&document, keys), keys), expected, "{keys:?}");
        }
    }
}
