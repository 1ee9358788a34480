//! Experiments: the least that reading and writing take, in rows without targets.

use std::collections::HashMap;
use std::hint::black_box;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

use inbetween::animj::{AnimjFile, Style};
use inbetween::cast::{CastFile, CastProperty, PropertyValues};
use inbetween::seanim::{Channel, SeanimFile, SeanimKeys};
use inbetween::x4_ani::{Group, X4aniFile, X4aniKey};
use inbetween::{Document, Quat, Text, Track, ValueKind, Values};

use super::by_hand::{self, Frames, Keys};
use super::files::{File, Files, Shape, Size, limits, text};
use super::formats::{self, Decoding, fill_columns, name, sized};
use super::row::{Measured, Pages, Pair, Row, Taken, pair, turns};
use super::typed::{self, Vector3};

pub(crate) fn rows() -> Vec<Row> {
    let binary = formats::shapes().flat_map(|(id, shape)| sized(id, shape, of_binary));
    let text = [Shape::Long, Shape::Short, Shape::Strings];
    let text = text.into_iter().flat_map(|shape| sized("animj", shape, of_animj));
    let checked =
        [Shape::Long, Shape::Short].into_iter().flat_map(|shape| sized("gltf", shape, of_checked));
    let looking = ["x4-ani", "cast"].into_iter().map(of_looking);
    let copied = formats::shapes().filter(|(_, shape)| *shape == Shape::Short);
    let copied = copied.flat_map(|(id, shape)| sized(id, shape, of_copies));
    looking
        .chain(binary)
        .chain(copied)
        .chain(checked)
        .chain(sized("x4-ani", Shape::Short, of_records))
        .chain(sized("gltf", Shape::Short, of_json))
        .chain(text)
        .collect()
}

/// Looking at what decides in every key whether there is one track or three.
fn of_looking(id: &'static str) -> Row {
    let name = format!("{id}: look at every key of 50 MiB, to 1 MiB in as many tracks");
    Row::ratio(name, move |files| {
        let [large, small] = [Size::Mib50, Size::Mib1].map(|size| files.get(id, Shape::Long, size));
        let (large, small) = (&large?.bytes, &small?.bytes);
        let pair = if id == "cast" {
            let file = |bytes| CastFile::parse(bytes, &limits()).map_err(text);
            let (large, small) = (file(large)?, file(small)?);
            turns(|| have_equal_frames(&large), || have_equal_frames(&small))
        } else {
            let file = |bytes| X4aniFile::parse(bytes, &limits()).map_err(text);
            let (large, small) = (file(large)?, file(small)?);
            turns(|| have_one_type(&large), || have_one_type(&small))
        };
        Ok(pair.slower())
    })
}

/// Returns whether all keys of each group have the types of its first key.
fn have_one_type(file: &X4aniFile<'_>) -> bool {
    let types = |key: &[u8; X4aniKey::SIZE]| key.as_chunks::<12>().0.get(1).copied();
    let groups = file.records().flat_map(|record| Group::ALL.map(|group| record.keys(group)));
    groups.fold(true, |all, view| {
        let (keys, _) = view.bytes().as_chunks();
        let first = keys.first().map(types);
        keys.iter().fold(all, |all, key| all & (Some(types(key)) == first))
    })
}

/// Returns whether all curves have the same frames.
fn have_equal_frames(file: &CastFile<'_>) -> bool {
    let frames = file.nodes().filter_map(|node| match node.property("kb")?.values() {
        PropertyValues::U8(view) => Some(view.bytes()),
        PropertyValues::U16(view) => Some(view.bytes()),
        PropertyValues::U32(view) => Some(view.bytes()),
        _ => None,
    });
    let frames: Vec<&[u8]> = frames.collect();
    frames.windows(2).fold(true, |all, pair| all & (pair.first() == pair.last()))
}

/// Reading and writing the tracks of a file in the simplest format.
fn of_binary(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    let keys = match id {
        "seanim" => Keys::Framed,
        "cast" => Keys::Axes,
        "x4-ani" => Keys::Of128Bytes,
        "clip" => Keys::Words,
        _ => Keys::Packed,
    };
    let name = |what: &str| name(id, shape, size, what);
    let file = move |files: &mut Files| files.get(id, shape, size);
    let read = move |pages, scanning: bool| {
        move |files: &mut Files| {
            let file = file(files)?;
            let bytes = by_hand::write(&file.document, keys, None);
            let read = |()| (scanning.then(|| scan(&bytes)), by_hand::read(&bytes, keys));
            Ok(pair(pages, || (), read, || fill_columns(&file.document)).slower())
        }
    };
    let mut rows = vec![
        Row::ratio(
            name("read by hand, to filling columns in reused pages"),
            read(Pages::Reused, false),
        ),
        Row::ratio(
            name("read by hand, to filling columns in fresh pages"),
            read(Pages::Fresh, false),
        ),
    ];
    if keys == Keys::Of128Bytes {
        // A reader looks at all bytes of the keys, to report the ones that it drops.
        let what = "scan the keys and read them by hand, to filling columns";
        let scanned =
            |words, pages| Row::ratio(name(&format!("{what} in {words} pages")), read(pages, true));
        rows.extend([scanned("reused", Pages::Reused), scanned("fresh", Pages::Fresh)]);
    }
    rows.push(Row::ratio(
        name("scan the file and fill columns, to filling columns"),
        move |files| {
            let file = file(files)?;
            let least = || (scan(&file.bytes), fill_columns(&file.document));
            Ok(turns(least, || fill_columns(&file.document)).slower())
        },
    ));
    // The parts of a glTF file are its bytes already.
    if id != "gltf" {
        rows.push(Row::ratio(name("write by hand, to copying the file"), move |files| {
            let file = file(files)?;
            let copy = || file.bytes.clone();
            if keys == Keys::Words {
                // The parts of a clip are words already.
                let heads = heads(&file.document);
                return Ok(turns(|| write_heads(&file.bytes, &heads), copy).slower());
            }
            // Parts know their frame numbers.
            let frames = keys.have_frames().then(|| Frames::of(&file.document));
            let write = || by_hand::write(&file.document, keys, frames.as_ref());
            Ok(turns(write, copy).slower())
        }));
    }
    if matches!(id, "seanim" | "x4-ani") {
        rows.push(Row::ratio(
            name("append the keys one by one, to copying the file"),
            move |files| {
                let file = file(files)?;
                let blocks = blocks(id, &file.bytes)?;
                Ok(turns(|| append_keys(&file.bytes, &blocks), || file.bytes.clone()).slower())
            },
        ));
    }
    if id == "cast" {
        rows.push(Row::ratio(
            name("append the properties one by one, to copying the file"),
            move |files| {
                let file = file(files)?;
                let nodes = properties(&file.bytes)?;
                let write = || append_properties(&nodes, file.bytes.len());
                Ok(turns(write, || file.bytes.clone()).slower())
            },
        ));
    }
    if let Some(measure) = formats::decode(id).filter(|_| shape != Shape::Strings) {
        let mut copy = |what, decoding| {
            rows.push(Row::ratio(name(what), move |files| {
                measure(&file(files)?.bytes, decoding).map(Pair::slower)
            }));
        };
        copy("copy the block of each track, to copying it", Decoding::CopyBlocks);
        copy("copy the keys one by one, to copying it", Decoding::CopyKeys);
    }
    if id != "clip" {
        let what = name("write by hand and free the document, to copying the file");
        rows.push(Row::ratio(what, move |files| {
            let file = file(files)?;
            let write = |document: Document| by_hand::write(&document, keys, None);
            let document = || file.document.clone();
            Ok(pair(Pages::Reused, document, write, || file.bytes.clone()).slower())
        }));
    }
    rows
}

/// The keys of a track in memory of their own, as in the parts of a file.
enum Block {
    SeanimVectors(Vec<[u8; 14]>),
    SeanimRotations(Vec<[u8; 18]>),
    X4(Vec<[u8; 128]>),
}

/// Returns the keys of each track of a file.
fn blocks(id: &str, bytes: &[u8]) -> Result<Vec<Block>, String> {
    if id == "x4-ani" {
        let file = X4aniFile::parse(bytes, &limits()).map_err(text)?;
        let groups = file.records().flat_map(|record| Group::ALL.map(|group| (record, group)));
        let keys = groups.map(|(record, group)| record.keys(group).bytes().as_chunks().0.to_vec());
        return Ok(keys.map(Block::X4).collect());
    }
    let file = SeanimFile::parse(bytes, &limits()).map_err(text)?;
    let keys = file.bones().flat_map(|bone| Channel::ALL.map(|channel| bone.keys(channel)));
    let block = |keys: SeanimKeys<'_>| match keys {
        SeanimKeys::Float3(view) => Ok(Block::SeanimVectors(view.bytes().as_chunks().0.to_vec())),
        SeanimKeys::FloatQ(view) => Ok(Block::SeanimRotations(view.bytes().as_chunks().0.to_vec())),
        _ => Err("the file has numbers in f64".into()),
    };
    keys.flatten().map(block).collect()
}

/// Writes as many bytes as a file has: the first ones as a block, then the keys, one by one.
fn append_keys(bytes: &[u8], blocks: &[Block]) -> Vec<u8> {
    let size = |block: &Block| match block {
        Block::SeanimVectors(keys) => keys.as_flattened().len(),
        Block::SeanimRotations(keys) => keys.as_flattened().len(),
        Block::X4(keys) => keys.as_flattened().len(),
    };
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(bytes.split_at(bytes.len() - blocks.iter().map(size).sum::<usize>()).0);
    for block in blocks {
        match block {
            Block::SeanimVectors(keys) => out.extend(keys.iter().flat_map(|key| *key)),
            Block::SeanimRotations(keys) => out.extend(keys.iter().flat_map(|key| *key)),
            Block::X4(keys) => out.extend(keys.iter().flat_map(|key| *key)),
        }
    }
    out
}

/// The name and the values of a property, in memory of their own as in the parts of a file.
type OwnedProperty = [Vec<u8>; 2];

/// Returns the properties of each node of a Cast file.
fn properties(bytes: &[u8]) -> Result<Vec<Vec<OwnedProperty>>, String> {
    let file = CastFile::parse(bytes, &limits()).map_err(text)?;
    let owned = |property: CastProperty<'_>| {
        let values = match property.values() {
            PropertyValues::U8(view) => view.bytes().to_vec(),
            PropertyValues::U16(view) => view.bytes().to_vec(),
            PropertyValues::U32(view) => view.bytes().to_vec(),
            PropertyValues::U64(view) => view.bytes().to_vec(),
            PropertyValues::F32(view) => view.bytes().to_vec(),
            PropertyValues::F64(view) => view.bytes().to_vec(),
            PropertyValues::String(text) => [text, b"\0"].concat(),
            PropertyValues::Vector2(view) => view.bytes().to_vec(),
            PropertyValues::Vector3(view) => view.bytes().to_vec(),
            PropertyValues::Vector4(view) => view.bytes().to_vec(),
        };
        [property.name().to_vec(), values]
    };
    Ok(file.nodes().map(|node| node.properties().map(owned).collect()).collect())
}

/// Writes as many bytes as a Cast file has: heads of 24 bytes for each node and of 8 for each
/// property, names and values.
fn append_properties(nodes: &[Vec<OwnedProperty>], size: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(size);
    out.extend_from_slice(&[0; 16]);
    for properties in nodes {
        out.extend_from_slice(&[0; 24]);
        for [name, values] in properties {
            out.extend_from_slice(&[0; 8]);
            out.extend_from_slice(name);
            out.extend_from_slice(values);
        }
    }
    assert_eq!(out.len(), size);
    out
}

/// Cloning the document: every reader must make at least as much.
fn of_copies(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    let row = |pages, words| {
        let what = format!("clone the document, to filling columns in {words} pages");
        Row::ratio(name(id, shape, size, &what), move |files| {
            let file = files.get(id, shape, size)?;
            let clone = |()| file.document.clone();
            Ok(pair(pages, || (), clone, || fill_columns(&file.document)).slower())
        })
    };
    vec![row(Pages::Reused, "reused"), row(Pages::Fresh, "fresh")]
}

/// The sizes of the node, the property, the width, the blend, the encoding, the segments and the key
/// set of a track in a clip, and those of the offsets and factors of three half floats.
type Head = ([u8; 13], Option<[u8; 24]>);

/// Returns heads of the tracks of a clip. Only their sizes are right.
fn heads(document: &Document) -> Vec<Head> {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    let ranges = |track: &Track| (track.data().kind() == ValueKind::Float3).then_some([0; 24]);
    tracks.map(|track| ([0; 13], ranges(track))).collect()
}

/// Writes as many bytes as a clip has: those before its tracks at once, and the head of each track
/// with the ranges of its half floats.
fn write_heads(bytes: &[u8], heads: &[Head]) -> Vec<u8> {
    let ranges = heads.iter().filter_map(|(_, ranges)| ranges.as_ref());
    let size = heads.len() * 13 + ranges.count() * 24;
    let mut out = Vec::with_capacity(bytes.len());
    out.extend_from_slice(bytes.split_at(bytes.len() - size).0);
    for (head, ranges) in heads {
        out.extend_from_slice(head);
        if let Some(ranges) = ranges {
            out.extend_from_slice(ranges);
        }
    }
    out
}

/// Adds up the words of a file.
fn scan(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| u64::from_le_bytes(*word)).fold(0, u64::wrapping_add)
}

/// Writing numbers that must be finite, and rotations of length 1.
fn of_checked(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    vec![with_more((id, shape, size), "check the numbers", Keys::Packed, are_sound)]
}

/// Writing keys after finding the record of each track.
fn of_records(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    vec![with_more((id, shape, size), "find the records", Keys::Of128Bytes, records)]
}

/// Other necessary work, and writing the document by hand.
fn with_more<T: 'static>(
    (id, shape, size): (&'static str, Shape, Size),
    what: &str,
    keys: Keys,
    more: fn(&Document) -> T,
) -> Row {
    let what = format!("{what}, write by hand and free the document, to copying the file");
    Row::ratio(name(id, shape, size, &what), move |files| {
        let file = files.get(id, shape, size)?;
        let write = |document: Document| (more(&document), by_hand::write(&document, keys, None));
        let document = || file.document.clone();
        Ok(pair(Pages::Reused, document, write, || file.bytes.clone()).slower())
    })
}

/// Returns the record of each track with its place in the document, in the order of the file, and the
/// heads of all records.
///
/// The tracks of a node may be anywhere in the document, and names that differ only in case are the
/// same. The keys of a record follow each other, after all heads.
fn records(document: &Document) -> (Vec<(usize, usize)>, Vec<[u8; 160]>) {
    let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
    let mut last: Option<(&Text, usize)> = None;
    let (mut records, mut heads) = (Vec::new(), Vec::new());
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks).enumerate();
    for (place, track) in tracks {
        let Some(node) = &track.target().node else { continue };
        let next = known.len();
        let record = match last {
            Some((last, record)) if last == node => record,
            _ => *known.entry(node.as_bytes().to_ascii_lowercase()).or_insert(next),
        };
        if record == next {
            let mut head = [0; 160];
            head.iter_mut().zip(node.bytes()).for_each(|(byte, own)| *byte = own);
            heads.push(head);
        }
        last = Some((node, record));
        records.push((record, place));
    }
    records.sort_unstable();
    (records, heads)
}

fn are_sound(document: &Document) -> bool {
    let tracks = document.clips.iter().flat_map(|clip| &clip.tracks);
    // Without an early exit the numbers are checked several at a time.
    tracks.map(|track| track.data().values()).fold(true, |sound, values| match values {
        Values::Float3(vectors) => {
            let numbers = vectors.as_flattened().iter();
            numbers.fold(sound, |sound, number| sound & (number.abs() <= f32::MAX))
        }
        Values::FloatQ(rotations) => rotations.iter().fold(sound, |sound, rotation| {
            let Quat { x, y, z, w } = rotation;
            sound & ((x * x + y * y + z * z + w * w - 1.0).abs() < 1e-5)
        }),
        _ => sound,
    })
}

/// The JSON of a glTF file alone.
fn of_json(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    let name = |what| name(id, shape, size, what);
    let file = move |files: &mut Files| files.get(id, shape, size);
    vec![
        Row::ratio(name("skip the JSON with serde_json, to filling columns"), move |files| {
            let file = file(files)?;
            let json = json(&file.bytes)?;
            Ok(turns(|| skip(json), || fill_columns(&file.document)).slower())
        }),
        Row::ratio(name("print the JSON with serde_json, to copying the file"), move |files| {
            let file = file(files)?;
            let value: Value = serde_json::from_slice(json(&file.bytes)?).map_err(text)?;
            Ok(turns(|| serde_json::to_vec(&value), || file.bytes.clone()).slower())
        }),
    ]
}

/// Returns the first chunk of a binary glTF file.
fn json(bytes: &[u8]) -> Result<&[u8], String> {
    let length =
        bytes.get(12..).and_then(<[u8]>::first_chunk).map(|length| u32::from_le_bytes(*length));
    let end = length.and_then(|length| usize::try_from(length).ok()?.checked_add(20));
    end.and_then(|end| bytes.get(20..end)).ok_or_else(|| "the file has no JSON".into())
}

/// Checks the syntax of a text and keeps nothing of it.
fn skip(json: &[u8]) -> bool {
    black_box(serde_json::from_slice::<IgnoredAny>(json).is_ok())
}

fn of_animj(id: &'static str, shape: Shape, size: Size) -> Vec<Row> {
    let name = |what| name(id, shape, size, what);
    let experiment = move |of_vectors: fn(&File) -> Taken, of_texts: fn(&File) -> Taken| {
        move |files: &mut Files| {
            let file = files.get(id, shape, size)?;
            if shape == Shape::Strings { of_texts(&file) } else { of_vectors(&file) }
        }
    };
    vec![
        Row::ratio(
            name("skip the JSON with serde_json, times as fast as serde_json"),
            experiment(
                |file| Ok(skipping::<Vector3<f32>>(file)),
                |file| Ok(skipping::<String>(file)),
            ),
        ),
        Row::ratio(
            name("write from parts and free the document, times as fast as to_vec"),
            experiment(freeing::<Vector3<f32>>, freeing::<String>),
        ),
    ]
}

/// Measures reading nothing of a file.
fn skipping<T: DeserializeOwned>(file: &File) -> Measured {
    turns(|| skip(&file.bytes), || typed::read::<T>(&file.bytes)).faster()
}

/// Measures writing without the conversion of the document.
fn freeing<T: DeserializeOwned + Serialize>(file: &File) -> Taken {
    let exact = AnimjFile::parse(&file.bytes, &limits()).map_err(text)?.value;
    let typed = typed::read::<T>(&file.bytes);
    let write = |document: Document| {
        drop(document);
        exact.to_text(Style::Compact)
    };
    let document = || file.document.clone();
    Ok(pair(Pages::Reused, document, write, || serde_json::to_vec(&typed)).faster())
}
