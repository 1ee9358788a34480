//! A Cast file of 46 MB with 160 bones, a translation and a rotation on each of 9,600 frames; and a
//! file of 100,000 curves of one key, which consists mostly of heads.

use std::hint::black_box;

use inbetween::cast::{Cast, CastFile, PropertyValues};
use inbetween::{Format, Limits};
use inbetween_testing::ByteBuilder;

use super::{Report, Target, fill_columns};
use crate::Outcome;

const BONES: u16 = 160;
const FRAMES: u16 = 9_600;
const HEADS: u32 = 100_000;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let bytes = keys();
    let limits = Limits::default();
    let format = Cast::default();
    println!("cast: {} bytes", bytes.len());

    let heads = heads();
    let parse = || CastFile::parse(heads.as_slice(), &limits).map(|file| file.node_count());
    let name = "cast: parse, to a bare walk over the heads";
    report.slower(name, Target::Most(1.5), parse, || walk(&heads));

    let parse = || CastFile::parse(bytes.as_slice(), &limits).map(|file| file.node_count());
    let (time, _) = report.slower("cast: parse, to a copy", Target::None, parse, || bytes.clone());
    let micros = time.as_secs_f64() * 1e6 / (2.0 * f64::from(BONES));
    report.add("cast: parse, a track", micros, " us", Target::Most(2.0));

    let document = format.read(&bytes, &limits).map_err(|error| error.to_string())?.value;
    let columns = || fill_columns(&document);
    let read = || format.read(&bytes, &limits);
    report.slower("cast: read, to filling columns", Target::Most(2.0), read, columns);

    let file = CastFile::parse(bytes.as_slice(), &limits).map_err(|error| error.to_string())?;
    let decode = || decode(&file);
    report.slower("cast: decode keys, to filling columns", Target::None, decode, columns);

    let mut documents = vec![document.clone(); 40];
    let write = || format.write(documents.pop().unwrap_or_default(), &limits);
    let filled = || vec![black_box(1_u8); bytes.len()];
    report.slower("cast: write, to filling the file", Target::None, write, filled);
    Ok(())
}

fn decode(file: &CastFile<'_>) -> usize {
    let properties = file.nodes().flat_map(|node| node.properties().collect::<Vec<_>>());
    let arrays = properties.filter(|found| !matches!(found.values(), PropertyValues::String(_)));
    arrays.map(|property| black_box(property.values().to_part()).len()).sum()
}

/// Reads only the heads of all nodes and properties, by their counts.
fn walk(bytes: &[u8]) -> Option<usize> {
    let u32_at = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let (mut at, mut nodes) = (16, 0);
    let mut left = u32_at(8)?;
    // Every node is a child of the previous node or of one of its ancestors.
    let mut open = Vec::new();
    while left > 0 || !open.is_empty() {
        if left == 0 {
            left = open.pop()?;
            continue;
        }
        nodes += 1;
        let (properties, children) = (u32_at(at + 16)?, u32_at(at + 20)?);
        at += 24;
        for _ in 0..properties {
            let kind = u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?);
            let name = u16::from_le_bytes(*bytes.get(at + 2..)?.first_chunk()?);
            let count = usize::try_from(u32_at(at + 4)?).ok()?;
            at += 8 + usize::from(name);
            at += match kind {
                0x62 => count,
                0x68 => 2 * count,
                0x69 | 0x66 => 4 * count,
                0x6c | 0x64 | 0x7632 => 8 * count,
                0x7633 => 12 * count,
                0x7634 => 16 * count,
                _ => bytes.get(at..)?.iter().position(|&byte| byte == 0)? + 1,
            };
        }
        open.push(left - 1);
        left = children;
    }
    Some(black_box(nodes))
}

fn property(bytes: ByteBuilder, kind: &str, name: &str, count: u32) -> ByteBuilder {
    let size = u16::try_from(name.len()).unwrap_or_default();
    bytes.padded_str(kind, 2).u16(size).u32(count).bytes(name)
}

/// A node with its properties and descendants.
fn node(
    bytes: ByteBuilder,
    id: &str,
    (properties, children): (u32, u32),
    content: ByteBuilder,
) -> ByteBuilder {
    let content = content.build();
    let size = u32::try_from(24 + content.len()).unwrap_or_default();
    bytes.bytes(id).u32(size).u64(0).u32(properties).u32(children).bytes(content)
}

/// A file of one animation of this many curves.
fn file(count: u32, curves: impl FnOnce(ByteBuilder) -> ByteBuilder) -> Vec<u8> {
    let header = ByteBuilder::new().bytes("cast").u32(1).u32(1).u32(0);
    let rate = property(ByteBuilder::new(), "f", "fr", 1).f32(30.0);
    let animation = node(ByteBuilder::new(), "anim", (1, count), curves(rate));
    node(header, "root", (0, 1), animation).build()
}

/// A curve of a bone, with its keys as properties.
fn curve(bytes: ByteBuilder, bone: u16, channel: &str, keys: ByteBuilder) -> ByteBuilder {
    let name = property(ByteBuilder::new(), "s", "nn", 1).cstr(format!("j_bone_{bone}"));
    let channel = property(name, "s", "kp", 1).cstr(channel);
    let mode = property(channel.bytes(keys.build()), "s", "m", 1).cstr("absolute");
    node(bytes, "curv", (5, 0), mode)
}

/// Builds the file of many keys as described in `docs/formats/cast.md`.
fn keys() -> Vec<u8> {
    let count = u32::from(FRAMES);
    let frames =
        || property(ByteBuilder::new(), "h", "kb", count).each(0..FRAMES, ByteBuilder::u16);
    let moved = || {
        let values = property(frames(), "f", "kv", count);
        values.each(0..FRAMES, |bytes, frame| bytes.f32(f32::from(frame)))
    };
    let turned = || {
        property(frames(), "4v", "kv", count).each(0..FRAMES, |bytes, frame| {
            let (sin, cos) = (f32::from(frame) * 0.001).sin_cos();
            bytes.f32s(&[sin, 0.0, 0.0, cos])
        })
    };
    file(4 * u32::from(BONES), |bytes| {
        bytes.each(0..BONES, |bytes, bone| {
            let axes = ["tx", "ty", "tz"];
            let bytes = bytes.each(axes, |bytes, axis| curve(bytes, bone, axis, moved()));
            curve(bytes, bone, "rq", turned())
        })
    })
}

/// Builds the file of many curves.
fn heads() -> Vec<u8> {
    file(HEADS, |bytes| {
        bytes.each(0..HEADS, |bytes, number| {
            let bone = u16::try_from(number % 1_000).unwrap_or_default();
            let frame = property(ByteBuilder::new(), "b", "kb", 1).u8(0);
            curve(bytes, bone, "tx", property(frame, "f", "kv", 1).f32(0.5))
        })
    })
}
