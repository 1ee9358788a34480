//! Tracks as rows of 16-bit words, one for each key, like those of a playback clip.
//!
//! The nodes and kinds of all tracks come first, then the number of rows, the time of the first one
//! and the distance to the next one.

use inbetween::num::f64_from_index;
use inbetween::{Document, Quat, Text, Track, Values};

use super::super::plain::packed::{from_half, pack, rotation, to_half};
use super::{read_node, times, track, write_node};

/// The words of a vector or of a rotation.
type Words = [u16; 3];

/// The largest number that is stored as a half float.
const RANGE: f32 = 4.0;

/// The number of rows that are read at once, so that they stay in the cache for all tracks.
const BLOCK: usize = 64;

pub(super) fn write(document: &Document) -> Vec<u8> {
    let tracks: Vec<&Track> = document.clips.iter().flat_map(|clip| &clip.tracks).collect();
    let mut out = Vec::from(tracks.len().to_le_bytes());
    for track in &tracks {
        write_node(track, &mut out);
        out.push(if matches!(track.data().values(), Values::FloatQ(_)) { 4 } else { 3 });
    }
    let Some(first) = tracks.first() else { return out };
    let times = times(first.data());
    let start = times.first().copied().unwrap_or_default();
    let step = times.get(1).map_or(0.0, |second| second - start);
    out.extend(times.len().to_le_bytes());
    out.extend([start, step].into_iter().flat_map(f64::to_le_bytes));
    let columns: Vec<Vec<Words>> = tracks.iter().map(|track| words(track)).collect();
    for key in 0..times.len() {
        out.extend(columns.iter().flat_map(|words| words[key]).flat_map(u16::to_le_bytes));
    }
    out
}

fn words(track: &Track) -> Vec<Words> {
    match track.data().values() {
        Values::Float3(values) => {
            values.iter().map(|vector| vector.map(|part| to_half(part / RANGE))).collect()
        }
        Values::FloatQ(values) => {
            values.iter().map(|quat| pack([quat.x, quat.y, quat.z, quat.w])).collect()
        }
        _ => Vec::new(),
    }
}

pub(super) fn read(bytes: &[u8]) -> Vec<Track> {
    let (count, mut rest) = number(bytes);
    let mut last = Text::default();
    let mut heads = Vec::with_capacity(count);
    for _ in 0..count {
        rest = read_node(rest, &mut last);
        heads.push((last.clone(), rest[0]));
        rest = &rest[1..];
    }
    let (keys, rest) = number(rest);
    let (even, rest) = rest.split_at(16);
    let [first, step] = [0, 1].map(|at| f64::from_le_bytes(even.as_chunks().0[at]));
    let times = || (0..keys).map(|key| first + step * f64_from_index(key)).collect();
    let empty = |(_, kind): &(Text, u8)| {
        if *kind == 4 {
            Vec::<Quat<f32>>::with_capacity(keys).into()
        } else {
            Vec::<[f32; 3]>::with_capacity(keys).into()
        }
    };
    let mut columns: Vec<Values> = heads.iter().map(empty).collect();
    let (words, _) = rest.as_chunks::<6>();
    for rows in words.chunks(count * BLOCK) {
        for (track, values) in columns.iter_mut().enumerate() {
            let words = rows.chunks_exact(count).map(|row| &row[track]);
            match values {
                Values::Float3(values) => {
                    decode(words, |words| words.map(|word| from_half(word) * RANGE), values);
                }
                Values::FloatQ(values) => decode(words, quat, values),
                _ => {}
            }
        }
    }
    let nodes = heads.into_iter().map(|(node, _)| node);
    nodes.zip(columns).filter_map(|(node, values)| track(node, (times(), values))).collect()
}

fn number(bytes: &[u8]) -> (usize, &[u8]) {
    let number = bytes.split_first_chunk();
    number.map_or((0, bytes), |(number, rest)| (usize::from_le_bytes(*number), rest))
}

fn quat(words: Words) -> Quat<f32> {
    let [x, y, z, w] = rotation(words);
    Quat { x, y, z, w }
}

/// Appends the values of up to [`BLOCK`] rows.
///
/// Their words are first moved next to each other, from which the compiler decodes several values at
/// a time.
fn decode<'a, V: Copy>(
    rows: impl Iterator<Item = &'a [u8; 6]>,
    of: impl Fn(Words) -> V,
    values: &mut Vec<V>,
) {
    let mut parts = [[0; BLOCK]; 3];
    let mut count = 0;
    for ([a, b, c, d, e, f], row) in rows.zip(0..BLOCK) {
        parts[0][row] = u16::from_le_bytes([*a, *b]);
        parts[1][row] = u16::from_le_bytes([*c, *d]);
        parts[2][row] = u16::from_le_bytes([*e, *f]);
        count = row + 1;
    }
    let words = parts[0].iter().zip(&parts[1]).zip(&parts[2]).take(count);
    values.extend(words.map(|((&a, &b), &c)| of([a, b, c])));
}
