//! glTF files, built as described in `docs/formats/gltf.md`.

mod bad;
mod broken;
mod compressed;
mod fates;
mod quirks;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "gltf",
    extension: "glb",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

fn cases() -> Vec<Case> {
    let mut cases = plain();
    cases.extend(quirks::cases());
    cases.extend(broken::cases());
    cases.extend(compressed::cases());
    cases.extend(bad::cases());
    cases
}

fn ok(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::ok("gltf", name, bytes.build())
}

fn bad(name: &'static str, bytes: ByteBuilder) -> Case {
    Case::bad("gltf", name, bytes.build())
}

fn count<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}

/// A chunk: its length, type and content.
fn chunk(kind: &str, content: &[u8]) -> ByteBuilder {
    ByteBuilder::new().u32(count(content)).padded_str(kind, 4).bytes(content)
}

/// A binary file of chunks.
fn container(chunks: &[ByteBuilder]) -> ByteBuilder {
    let chunks: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.clone().build()).collect();
    ByteBuilder::new().bytes("glTF").u32(2).u32(count(&chunks) + 12).bytes(chunks)
}

/// Text, padded with spaces to a multiple of four.
fn padded(json: &str) -> Vec<u8> {
    let mut bytes = json.as_bytes().to_vec();
    bytes.resize(bytes.len().next_multiple_of(4), b' ');
    bytes
}

/// The JSON of a file and its buffer, under construction.
#[derive(Clone, Default)]
struct File {
    nodes: String,
    /// Further members, each followed by a comma.
    rest: String,
    buffer: Vec<u8>,
    /// Buffers after that one, as JSON after a comma each.
    more_buffers: String,
    views: Vec<String>,
    accessors: Vec<String>,
    animations: Vec<String>,
    channels: Vec<String>,
    samplers: Vec<String>,
}

/// A file with these nodes, as JSON.
fn file(nodes: &str) -> File {
    File { nodes: nodes.to_owned(), ..File::default() }
}

impl File {
    /// Adds members of the root, as JSON without a comma at the end.
    fn with(mut self, members: &str) -> Self {
        self.rest += members;
        self.rest.push(',');
        self
    }

    /// Adds a view of bytes; returns its index.
    fn view(&mut self, bytes: ByteBuilder, members: &str) -> usize {
        let bytes = bytes.build();
        let (offset, length) = (self.buffer.len(), bytes.len());
        self.views.push(format!(
            "{{\"buffer\": 0, \"byteOffset\": {offset}, \"byteLength\": {length}{members}}}"
        ));
        self.buffer.extend(bytes);
        self.buffer.resize(self.buffer.len().next_multiple_of(4), 0);
        self.views.len() - 1
    }

    /// Adds an accessor, as JSON without braces; returns its index.
    fn accessor(&mut self, members: &str) -> usize {
        self.accessors.push(format!("{{{members}}}"));
        self.accessors.len() - 1
    }

    /// Adds an accessor of floats in a view of its own; returns its index.
    fn floats(&mut self, kind: &str, width: usize, numbers: &[f32]) -> usize {
        let view = self.view(ByteBuilder::new().f32s(numbers), "");
        let count = numbers.len() / width;
        self.accessor(&format!(
            "\"bufferView\": {view}, \"componentType\": 5126, \"count\": {count}, \"type\": \"{kind}\""
        ))
    }

    /// Adds an accessor of the vertices of a triangle; returns its index.
    fn triangle(&mut self) -> usize {
        let corners = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let view = self.view(ByteBuilder::new().f32s(&corners), VERTICES);
        self.accessor(&format!(
            "\"bufferView\": {view}, \"componentType\": 5126, \"count\": 3, \"type\": \"VEC3\", \
             \"min\": [0.0, 0.0, 0.0], \"max\": [1.0, 1.0, 0.0]"
        ))
    }

    fn times(&mut self, times: &[f32]) -> usize {
        let view = self.view(ByteBuilder::new().f32s(times), "");
        // JSON has neither NaN nor infinity.
        let number = |time: f32| if time.is_finite() { time } else { 0.0 };
        let (count, first) = (times.len(), number(times[0]));
        let last = number(times[times.len() - 1]);
        self.accessor(&format!(
            "\"bufferView\": {view}, \"componentType\": 5126, \"count\": {count}, \"type\": \"SCALAR\", \
             \"min\": [{first:?}], \"max\": [{last:?}]"
        ))
    }

    /// Adds a sampler of two accessors, and a channel.
    fn drive(mut self, target: &str, (input, output): (usize, usize), mode: &str) -> Self {
        let sampler = self.samplers.len();
        let mode = match mode {
            "" => String::new(),
            mode => format!(", \"interpolation\": \"{mode}\""),
        };
        self.samplers.push(format!("{{\"input\": {input}, \"output\": {output}{mode}}}"));
        self.channels.push(format!("{{\"sampler\": {sampler}, \"target\": {{{target}}}}}"));
        self
    }

    /// Adds a channel of a path of a node, with keys.
    fn channel(mut self, node: usize, path: &str, mode: &str, times: &[f32], numbers: &[f32]) -> Self {
        let input = self.times(times);
        let (kind, width) = match path {
            "rotation" => ("VEC4", 4),
            "weights" => ("SCALAR", 1),
            _ => ("VEC3", 3),
        };
        let output = self.floats(kind, width, numbers);
        self.drive(&format!("\"node\": {node}, \"path\": \"{path}\""), (input, output), mode)
    }

    /// Ends an animation of the channels so far, with more members, each followed by a comma.
    fn animation(mut self, members: &str) -> Self {
        let (channels, samplers) = (self.channels.join(", "), self.samplers.join(", "));
        self.animations
            .push(format!("{{{members}\"channels\": [{channels}], \"samplers\": [{samplers}]}}"));
        self.channels.clear();
        self.samplers.clear();
        self
    }

    fn json(&self, uri: &str) -> String {
        let list = |name: &str, items: &[String]| match items {
            [] => String::new(),
            items => format!(", \"{name}\": [{}]", items.join(", ")),
        };
        let buffer = match self.buffer.len() {
            0 => String::new(),
            length => {
                let more = &self.more_buffers;
                format!(", \"buffers\": [{{{uri}\"byteLength\": {length}}}{more}]")
            }
        };
        format!(
            "{{\"asset\": {{\"version\": \"2.0\"}}, {}\"nodes\": [{}]{}{}{}{buffer}}}",
            self.rest,
            self.nodes,
            list("animations", &self.animations),
            list("accessors", &self.accessors),
            list("bufferViews", &self.views),
        )
    }

    /// Returns the file as a binary file.
    fn glb(&self) -> ByteBuilder {
        let mut chunks = vec![chunk("JSON", &padded(&self.json("")))];
        if !self.buffer.is_empty() {
            chunks.push(chunk("BIN", &self.buffer));
        }
        container(&chunks)
    }

    /// Returns the file as a text file whose buffer is at a URI.
    fn gltf(&self, uri: &str) -> ByteBuilder {
        ByteBuilder::new().bytes(self.json(&format!("\"uri\": \"{uri}\", ")))
    }

    /// Returns the file as a text file with an embedded buffer.
    fn embedded(&self) -> ByteBuilder {
        self.gltf(&format!("data:application/octet-stream;base64,{}", base64(&self.buffer)))
    }
}

/// Base64 as defined in RFC 4648.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - group.len()));
        for digit in 0..4 {
            let place = usize::try_from(bits >> (18 - 6 * digit) & 63).unwrap_or(0);
            text.push(if digit <= group.len() { char::from(DIGITS[place]) } else { '=' });
        }
    }
    text
}

/// The member of a view for the vertices of meshes.
const VERTICES: &str = ", \"target\": 34962";

const HIPS: &str = r#"{"name": "hips", "translation": [0, 0.9, 0]}"#;

/// A hip that rises within a second.
fn rise() -> File {
    file(HIPS).channel(
        0,
        "translation",
        "",
        &[0.0, 0.5, 1.0],
        &[0.0, 0.9, 0.0, 0.0, 1.0, 0.0, 0.0, 0.9, 0.5],
    )
}

fn turn() -> [f32; 12] {
    [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, -0.6, 0.8]
}

fn plain() -> Vec<Case> {
    let skeleton = r#"{"name": "hips", "children": [1], "translation": [0, 0.9, 0]},
        {"name": "spine", "translation": [0, 0.2, 0], "rotation": [0, 0, 0.6, 0.8], "scale": [1, 1, 1]}"#;
    let walk = file(skeleton)
        .with(r#""scene": 0, "scenes": [{"nodes": [0]}], "skins": [{"joints": [0, 1], "skeleton": 0}]"#)
        .channel(0, "translation", "LINEAR", &[0.0, 1.0], &[0.0, 0.9, 0.0, 0.0, 1.0, 0.0])
        .channel(1, "rotation", "LINEAR", &[0.0, 0.5, 1.0], &turn())
        .channel(1, "scale", "LINEAR", &[0.25], &[1.0, 2.0, 1.0])
        .animation(r#""name": "walk", "#);
    let step = file(HIPS)
        .channel(0, "translation", "STEP", &[0.0, 0.5], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
        .channel(0, "rotation", "STEP", &[0.0, 0.5, 0.75], &turn())
        .animation(r#""name": "step", "#);
    let vector = [0.0_f32; 3];
    let spline: Vec<f32> = [vector, [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]]
        .into_iter()
        .chain([[-1.0, 0.5, 0.0], [3.0, 1.0, 0.1], vector])
        .flatten()
        .collect();
    let quats = [[0.0_f32; 4], [0.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]];
    let more = [[0.0, 0.0, 0.3, 0.4], [0.0, 0.0, 0.6, 0.8], [0.0; 4]];
    let quats: Vec<f32> = quats.into_iter().chain(more).flatten().collect();
    let splines = file(HIPS)
        .channel(0, "translation", "CUBICSPLINE", &[0.0, 0.75], &spline)
        .channel(0, "rotation", "CUBICSPLINE", &[0.0, 0.5], &quats)
        .animation(r#""name": "glide", "#);
    let several = rise()
        .animation(r#""name": "rise", "#)
        .channel(0, "scale", "", &[0.0, 2.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0])
        .animation(r#""name": "grow", "#)
        .channel(0, "rotation", "STEP", &[0.5], &[0.0, 0.0, 0.0, 1.0])
        .animation("");
    vec![
        ok("walk", walk.glb()),
        ok("step", step.glb()),
        ok("cubic-spline", splines.glb()),
        ok("several-clips", several.glb()),
        ok("weights", weights("", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]).glb()),
        ok("weights-step", weights("STEP", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]).glb()),
        ok("weights-cubic-spline", weights("CUBICSPLINE", &spline_weights()).glb()),
        ok("text-with-data-uri", rise().animation("").embedded()).with_extension("gltf"),
        ok("no-animations", file(HIPS).glb()),
        ok("no-nodes", container(&[chunk("JSON", &padded(r#"{"asset": {"version": "2.0"}}"#))])),
    ]
}

/// A face with two blend shapes whose weights have three keys.
fn weights(mode: &str, numbers: &[f32]) -> File {
    let mut face = file(r#"{"name": "face", "mesh": 0}"#);
    let vertices = face.triangle();
    let mesh = format!(
        r#""meshes": [{{"primitives": [{{"attributes": {{"POSITION": {vertices}}}, "targets": [{{"POSITION": {vertices}}},
        {{"POSITION": {vertices}}}]}}], "extras": {{"targetNames": ["smile", "blink"]}}}}]"#
    );
    let face = face.with(&mesh);
    face.channel(0, "weights", mode, &[0.0, 0.25, 1.0], numbers).animation(r#""name": "smile", "#)
}

fn spline_weights() -> Vec<f32> {
    let key = |value: f32, slope: f32| [0.0, slope, value, 1.0 - value, slope, 0.5];
    [key(0.0, 0.0), key(1.0, 0.5), key(0.5, 0.0)].concat()
}
