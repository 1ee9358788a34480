//! A glTF file of 43 MB: 160 nodes, a translation and a rotation on each of 9,600 frames.

use std::hint::black_box;

use inbetween::gltf::{Gltf, GltfFile};
use inbetween::{Format, Limits};
use inbetween_testing::ByteBuilder;

use super::{Report, Target, fill_columns};
use crate::Outcome;

const NODES: u16 = 160;
const FRAMES: u16 = 9_600;

pub(crate) fn measure(report: &mut Report) -> Outcome {
    let bytes = file();
    let limits = Limits::default();
    let format = Gltf::default();
    println!("gltf: {} bytes", bytes.len());

    let parse = || GltfFile::parse(bytes.as_slice(), &limits).map(|file| file.chunks().len());
    report.slower("gltf: parse, to a copy", Target::None, parse, || bytes.clone());

    let document = format.read(&bytes, &limits).map_err(|error| error.to_string())?.value;
    let columns = || fill_columns(&document);
    let read = || format.read(&bytes, &limits);
    report.slower("gltf: read, to filling columns", Target::None, read, columns);

    let mut documents = vec![document.clone(); 40];
    let write = || format.write(documents.pop().unwrap_or_default(), &limits);
    let filled = || vec![black_box(1_u8); bytes.len()];
    report.slower("gltf: write, to filling the file", Target::None, write, filled);
    Ok(())
}

/// Builds the file as described in `docs/formats/gltf.md`.
fn file() -> Vec<u8> {
    let (frames, nodes) = (u32::from(FRAMES), u32::from(NODES));
    let (vectors, turns) = (12 * frames, 16 * frames);
    let size = 4 * frames + nodes * (vectors + turns);
    let list = |items: Vec<String>| items.join(", ");
    let names = list((0..nodes).map(|node| format!("{{\"name\": \"j_{node}\"}}")).collect());
    let accessor = |offset: u32, kind: &str| {
        format!(
            "{{\"bufferView\": 0, \"byteOffset\": {offset}, \"componentType\": 5126, \
             \"count\": {frames}, \"type\": \"{kind}\"}}"
        )
    };
    let mut accessors = vec![accessor(0, "SCALAR")];
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for node in 0..nodes {
        let start = 4 * frames + node * (vectors + turns);
        accessors.extend([accessor(start, "VEC3"), accessor(start + vectors, "VEC4")]);
        for (part, path) in [(0, "translation"), (1, "rotation")] {
            let place = 2 * node + part;
            let target = format!("{{\"node\": {node}, \"path\": \"{path}\"}}");
            channels.push(format!("{{\"sampler\": {place}, \"target\": {target}}}"));
            samplers.push(format!("{{\"input\": 0, \"output\": {}}}", place + 1));
        }
    }
    let mut json = format!(
        "{{\"asset\": {{\"version\": \"2.0\"}}, \"nodes\": [{names}], \"accessors\": [{}], \
         \"animations\": [{{\"channels\": [{}], \"samplers\": [{}]}}], \
         \"bufferViews\": [{{\"buffer\": 0, \"byteLength\": {size}}}], \
         \"buffers\": [{{\"byteLength\": {size}}}]}}",
        list(accessors),
        list(channels),
        list(samplers)
    );
    json.extend(std::iter::repeat_n(' ', json.len().next_multiple_of(4) - json.len()));
    let times =
        ByteBuilder::new().each(0..FRAMES, |bytes, frame| bytes.f32(f32::from(frame) / 32.0));
    let data = times.each(0..NODES, |bytes, _| {
        let moved = bytes.each(0..FRAMES, |bytes, frame| bytes.f32s(&[f32::from(frame), 1.0, 0.0]));
        moved.each(0..FRAMES, |bytes, _| bytes.f32s(&[0.0, 0.0, 0.6, 0.8]))
    });
    let data = data.build();
    let length = |bytes: usize| u32::try_from(bytes).unwrap_or(u32::MAX);
    let total = length(28 + json.len() + data.len());
    let file = ByteBuilder::new().bytes("glTF").u32(2).u32(total).u32(length(json.len()));
    file.bytes("JSON").bytes(json).u32(length(data.len())).bytes("BIN\0").bytes(data).build()
}
