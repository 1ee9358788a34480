//! The least that reading and writing take: the simplest format that holds the tracks of a file,
//! read and written by hand.
//!
//! A track is a name, a byte for the kind of its values, the number of keys, and the keys. Reading
//! makes a document, which checks its columns; nothing else is checked, and nothing is reported.
//! Where even this misses a target, no reader or writer can reach it.

mod rows;

use std::borrow::Cow;
use std::slice::Chunks;

use inbetween::num::{f32_from_f64, u32_from_f64};
use inbetween::{
    Animation, Document, Interpolation, Interpolations, Property, Quat, Shape, Strings, Target,
    Text, Track, TrackData, Values,
};

/// The times and the values of a track.
type Columns = (Vec<f64>, Values);

/// How much space keys of numbers take in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keys {
    /// Only their numbers.
    Packed,
    /// Numbers and zeros, as in a format whose keys have many more fields.
    Of128Bytes,
    /// Their numbers, after a frame number of two bytes instead of a time.
    Framed,
    /// Blocks of frame numbers and of values, one of each for every axis of a vector.
    Axes,
    /// The 16-bit words of a playback clip: half floats and 48-bit rotations, in a row for each key
    /// with the words of all tracks. Times are even.
    Words,
}

impl Keys {
    pub(crate) const fn have_frames(self) -> bool {
        matches!(self, Self::Framed | Self::Axes)
    }
}

/// Frames per second, as in the synthetic files.
const RATE: f64 = 32.0;

/// The number of bytes that are read at once.
const BLOCK: usize = 1 << 13;

/// The number of `f32` in 128 bytes.
const WIDE: usize = 32;

/// Writes the tracks of a document. Their frame numbers are known, or determined here.
pub(crate) fn write(document: &Document, keys: Keys, known: Option<&Frames>) -> Vec<u8> {
    if keys == Keys::Words {
        return rows::write(document);
    }
    let mut out = Vec::with_capacity(tracks(document).map(|track| size(track.data(), keys)).sum());
    let mut own = Frames::default();
    if keys == Keys::Framed && known.is_none() {
        // The largest frame number of the file determines how wide all are.
        own = Frames::of(document);
    }
    for (index, track) in tracks(document).enumerate() {
        if keys == Keys::Axes && known.is_none() {
            own.add(&times(track.data()));
        }
        write_node(track, &mut out);
        write_keys(track, keys, known.unwrap_or(&own).of_track(index), &mut out);
    }
    out
}

/// Returns a size that is enough for a track, and not much more: pages that are reserved and not
/// used make it more likely that others are fresh.
fn size(data: &TrackData, keys: Keys) -> usize {
    let bytes = match (data.values(), keys) {
        (_, Keys::Of128Bytes) => data.len() * WIDE * 4,
        // The time and the length take 5 bytes; in memory, each text has an end of 8 bytes.
        (Values::String(texts), _) => texts.heap_bytes() - texts.len() * 3,
        // Frame numbers of three axes are the most.
        (values, _) => values.heap_bytes() + values.len() * 6,
    };
    bytes + 64
}

fn tracks(document: &Document) -> impl Iterator<Item = &Track> {
    document.clips.iter().flat_map(|clip| &clip.tracks)
}

fn write_node(track: &Track, out: &mut Vec<u8>) {
    let node = track.target().node.as_deref().unwrap_or_default();
    out.push(u8::try_from(node.len()).unwrap_or(u8::MAX));
    out.extend_from_slice(node.as_bytes());
}

/// The frame numbers of tracks: their lowest two bytes.
#[derive(Default)]
pub(crate) struct Frames {
    /// The times of the last list.
    times: Vec<f64>,
    /// Most tracks have the times of the one before, so they share a list.
    lists: Vec<Vec<[u8; 2]>>,
    /// The list of each track.
    of_tracks: Vec<usize>,
}

impl Frames {
    pub(crate) fn of(document: &Document) -> Self {
        let mut frames = Self::default();
        tracks(document).for_each(|track| frames.add(&times(track.data())));
        frames
    }

    /// Adds a track with these times, which are exactly on frames.
    fn add(&mut self, times: &[f64]) {
        let pairs = times.iter().zip(&self.times);
        let bits = pairs.map(|(time, last)| time.to_bits() ^ last.to_bits());
        let differ = times.len() != self.times.len() || bits.fold(0, |all, bits| all | bits) != 0;
        if self.lists.is_empty() || differ {
            times.clone_into(&mut self.times);
            let mut inexact = 0;
            let number = |time: &f64| {
                let frame = u32_from_f64(time * RATE);
                inexact += usize::from(f64::from(frame) / RATE != *time);
                let [first, second, ..] = frame.to_le_bytes();
                [first, second]
            };
            self.lists.push(times.iter().map(number).collect());
            assert_eq!(inexact, 0, "a time is not on a frame");
        }
        self.of_tracks.push(self.lists.len() - 1);
    }

    fn of_track(&self, index: usize) -> &[[u8; 2]] {
        self.of_tracks.get(index).map_or(&[], |&list| &self.lists[list])
    }
}

fn write_keys(track: &Track, keys: Keys, frames: &[[u8; 2]], out: &mut Vec<u8>) {
    let data = track.data();
    let count = data.len().to_le_bytes();
    let mut head = |kind: u8| out.extend([kind].into_iter().chain(count));
    let times = &*times(data);
    match (data.values(), keys) {
        (Values::Float3(values), Keys::Packed) => {
            head(3);
            let key = |time, [x, y, z]: [f32; 3]| -> [u8; 16] {
                joined([], [f32_from_f64(time), x, y, z])
            };
            append(times, values, key, out);
        }
        (Values::Float3(values), Keys::Framed) => {
            head(3);
            let key = |frame: [u8; 2], value| -> [u8; 14] { joined(frame, value) };
            append(frames, values, key, out);
        }
        (Values::Float3(values), Keys::Axes) => {
            head(3);
            for axis in 0..3 {
                out.extend_from_slice(frames.as_flattened());
                append(frames, values, |_, value| value[axis].to_le_bytes(), out);
            }
        }
        (Values::Float3(values), Keys::Of128Bytes) => {
            head(3);
            let key = |time, [x, y, z]: [f32; 3]| -> [u8; 4 * WIDE] {
                joined([], wide([f32_from_f64(time), x, y, z]))
            };
            append(times, values, key, out);
        }
        (Values::FloatQ(values), Keys::Framed) => {
            head(4);
            let key =
                |frame: [u8; 2], Quat { x, y, z, w }| -> [u8; 18] { joined(frame, [x, y, z, w]) };
            append(frames, values, key, out);
        }
        (Values::FloatQ(values), Keys::Axes) => {
            head(4);
            out.extend_from_slice(frames.as_flattened());
            let value = |_, Quat { x, y, z, w }| -> [u8; 16] { joined([], [x, y, z, w]) };
            append(frames, values, value, out);
        }
        (Values::FloatQ(values), _) => {
            head(4);
            let key = |time, Quat { x, y, z, w }| -> [u8; 20] {
                joined([], [f32_from_f64(time), x, y, z, w])
            };
            append(times, values, key, out);
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

/// Returns bytes and the bytes of numbers.
fn joined<const HEAD: usize, const PARTS: usize, const N: usize>(
    head: [u8; HEAD],
    parts: [f32; PARTS],
) -> [u8; N] {
    let mut key = [0; N];
    let (first, rest) = key.split_at_mut(HEAD);
    first.copy_from_slice(&head);
    rest.copy_from_slice(parts.map(f32::to_le_bytes).as_flattened());
    key
}

/// Appends keys. Arrays are appended without filling memory first.
fn append<T: Copy, V: Copy, const N: usize>(
    times: &[T],
    values: &[V],
    of: impl Fn(T, V) -> [u8; N],
    out: &mut Vec<u8>,
) {
    out.extend(times.iter().zip(values).flat_map(|(&time, &value)| of(time, value)));
}

fn write_texts(times: &[f64], texts: &Strings, out: &mut Vec<u8>) {
    for (&time, text) in times.iter().zip(texts.iter()) {
        let text = text.unwrap_or_default();
        let [a, b, c, d] = f32_from_f64(time).to_le_bytes();
        out.extend_from_slice(&[a, b, c, d, u8::try_from(text.len()).unwrap_or(u8::MAX)]);
        out.extend_from_slice(text.as_bytes());
    }
}

/// Reads what [`write`] wrote.
pub(crate) fn read(bytes: &[u8], keys: Keys) -> Document {
    let tracks = if keys == Keys::Words { rows::read(bytes) } else { read_tracks(bytes, keys) };
    Document::single(Animation::new(tracks))
}

fn read_tracks(mut bytes: &[u8], keys: Keys) -> Vec<Track> {
    let mut tracks = Vec::new();
    let mut last = Text::default();
    while !bytes.is_empty() {
        let rest = read_node(bytes, &mut last);
        let (kind, rest) = (rest[0], &rest[1..]);
        let (count, rest) = rest
            .split_first_chunk()
            .map_or((0, rest), |(count, rest)| (usize::from_le_bytes(*count), rest));
        let (columns, rest) = match (kind, keys) {
            (3, Keys::Packed) => read_keys(rest, count, |key: &[u8; 16]| {
                let [time, x, y, z] = parts(key);
                (time.into(), [x, y, z])
            }),
            (3, Keys::Framed) => {
                read_keys(rest, count, |key: &[u8; 14]| (seconds(key), parts::<3>(&key[2..])))
            }
            (4, Keys::Framed) => read_keys(rest, count, |key: &[u8; 18]| {
                let [x, y, z, w] = parts(&key[2..]);
                (seconds(key), Quat { x, y, z, w })
            }),
            (3, Keys::Axes) => read_axes(rest, count),
            (4, Keys::Axes) => read_rotations(rest, count),
            (3, Keys::Of128Bytes) => read_keys(rest, count, |key: &[u8; 4 * WIDE]| {
                let [time, x, y, z] = parts(key);
                (time.into(), [x, y, z])
            }),
            (4, _) => read_keys(rest, count, |key: &[u8; 20]| {
                let [time, x, y, z, w] = parts(key);
                (time.into(), Quat { x, y, z, w })
            }),
            _ => texts(rest, count),
        };
        tracks.extend(track(last.clone(), columns));
        bytes = rest;
    }
    tracks
}

/// Creates a track of vectors, rotations or texts.
fn track(node: Text, (times, values): Columns) -> Option<Track> {
    let linear = Interpolations::Shared(Interpolation::Linear);
    let (property, data) = match &values {
        Values::Float3(_) => (Property::Translation, TrackData::curve(times, values, linear, None)),
        Values::FloatQ(_) => (Property::Rotation, TrackData::curve(times, values, linear, None)),
        _ => (Property::Custom(None), TrackData::stepped(times, values)),
    };
    Track::new(Target::new(node, property), data.ok()?).ok()
}

/// Reads a node, which is often that of the last track, and returns the bytes after it.
fn read_node<'a>(bytes: &'a [u8], last: &mut Text) -> &'a [u8] {
    let (node, rest) = bytes[1..].split_at(usize::from(bytes[0]));
    if node != last.as_bytes() {
        *last = Text::from(String::from_utf8_lossy(node).as_ref());
    }
    rest
}

/// Returns the numbers at the start of bytes.
fn parts<const PARTS: usize>(bytes: &[u8]) -> [f32; PARTS] {
    let parts = bytes.as_chunks::<4>().0.first_chunk::<PARTS>();
    parts.map_or([0.0; PARTS], |parts| parts.map(f32::from_le_bytes))
}

/// Returns the time of the frame number at the start of a key.
fn seconds(key: &[u8]) -> f64 {
    f64::from(u16::from_le_bytes([key[0], key[1]])) / RATE
}

/// Reads keys of `N` bytes, in blocks that stay in the cache for both of their columns.
fn read_keys<V, const N: usize>(
    bytes: &[u8],
    count: usize,
    of: impl Fn(&[u8; N]) -> (f64, V),
) -> (Columns, &[u8])
where
    Values: From<Vec<V>>,
{
    let (keys, rest) = bytes.split_at(count * N);
    let (mut times, mut values) = (Vec::with_capacity(count), Vec::with_capacity(count));
    for keys in keys.as_chunks::<N>().0.chunks(BLOCK / N) {
        times.extend(keys.iter().map(|key| of(key).0));
        values.extend(keys.iter().map(|key| of(key).1));
    }
    ((times, values.into()), rest)
}

/// Reads vectors of three axes.
fn read_axes(bytes: &[u8], count: usize) -> (Columns, &[u8]) {
    let (frames, x, rest) = split_axis::<4>(bytes, count);
    let (_, y, rest) = split_axis::<4>(rest, count);
    let (_, z, rest) = split_axis::<4>(rest, count);
    let vectors = x.iter().zip(y).zip(z);
    let vectors = vectors.map(|((x, y), z)| [x, y, z].map(|number| f32::from_le_bytes(*number)));
    ((frames.map(seconds).collect(), vectors.collect::<Vec<_>>().into()), rest)
}

/// Reads rotations after their frame numbers.
fn read_rotations(bytes: &[u8], count: usize) -> (Columns, &[u8]) {
    let (frames, values, rest) = split_axis::<16>(bytes, count);
    let rotations = values.iter().map(|value| {
        let [x, y, z, w] = parts(value);
        Quat { x, y, z, w }
    });
    ((frames.map(seconds).collect(), rotations.collect::<Vec<_>>().into()), rest)
}

/// Returns a block of frame numbers, one of values of `N` bytes, and the bytes after them.
fn split_axis<const N: usize>(bytes: &[u8], count: usize) -> (Chunks<'_, u8>, &[[u8; N]], &[u8]) {
    let (frames, rest) = bytes.split_at(count * 2);
    let (values, rest) = rest.split_at(count * N);
    (frames.chunks(2), values.as_chunks().0, rest)
}

fn texts(mut bytes: &[u8], count: usize) -> (Columns, &[u8]) {
    let mut times = Vec::with_capacity(count);
    let mut texts = Strings::with_capacity(count, count * 16);
    for _ in 0..count {
        times.push(f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]).into());
        let (text, rest) = bytes[5..].split_at(usize::from(bytes[4]));
        texts.push(core::str::from_utf8(text).ok());
        bytes = rest;
    }
    ((times, texts.into()), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_by_hand_is_read_again() {
        let times = || vec![0.0, 0.5, 1.0];
        let texts: Strings = [Some("a"), Some(""), Some("ccc")].into_iter().collect();
        let columns = [
            vec![[1.0_f32, 2.0, 3.0]; 3].into(),
            vec![Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 1.0 }; 3].into(),
            texts.into(),
        ];
        let tracks = columns.map(|values| track("hips".into(), (times(), values)).unwrap());
        let mut document = Document::single(Animation::new(tracks.into()));
        let holds = |document: &Document, keys: Keys| {
            assert_eq!(read(&write(document, keys, None), keys), *document, "{keys:?}");
            if keys.have_frames() {
                let frames = Frames::of(document);
                let known = write(document, keys, Some(&frames));
                assert_eq!(known, write(document, keys, None), "{keys:?}");
            }
        };
        for keys in [Keys::Packed, Keys::Framed, Keys::Axes, Keys::Of128Bytes] {
            holds(&document, keys);
        }
        // Clips have no strings.
        document.clips[0].tracks.pop();
        holds(&document, Keys::Words);
    }
}
