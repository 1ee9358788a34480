//! Views that `EXT_meshopt_compression` or `KHR_meshopt_compression` compresses.
//!
//! The compressed bytes come from another program: the encoder of the npm package `meshoptimizer`
//! 1.3.0, with `encodeGltfBuffer` and, before it, `encodeFilterQuat` of 12 bits and `encodeFilterExp`
//! of 15 bits (`SharedVector`) for values and of 23 bits for times. All keys are at `i / 16` s.

use super::{Case, File, HIPS, VERTICES, bad, chunk, container, file, ok, padded, rise};
use crate::ByteBuilder;

const EXT: &str = "EXT_meshopt_compression";
const KHR: &str = "KHR_meshopt_compression";

const KEYS: usize = 20;

const TIMES: &str = "a000000700ffff80804040404020202020202020ff0000002010101001380080007a000000000000000000\
    0000000000000000000000000000000000000000000000";
const TIMES_V1: &str = "a13a00000080804040404020202020202020201010100106007b01000000000000000000000\
    000000000000000000000000001";
const TIMES_EXPONENTIAL: &str = "a00000060f0ffffff888888840201f1010102fff00000037040404053880800005\
    8000000000000000000000000000000000000000000000000000000000000000000000ea";

/// Translations of `[i / 8, 1 - i / 16, i % 4 / 2]`.
const MOVES: &str = "a00000070000ff80804040404020202020202020ff0000002010101005308000007c8000000000\
    0007001f1f1f1f1f1f1f1f3f3f3f3f7f7fffff000000ffffff800500001001f800000079850000050fcfcfcfff8080ff\
    8080ff8080ff80cf00000080ff800530f0f0f07e7d7e7d7e7d7ef00000007d7e00000000000000000000000000000000\
    00000000000000000000803f00000000";
const MOVES_V1: &str = "a13a3a5a00000080804040404020202020202020201010100106007c01001f1f1f1f1f1f1f1\
    f3f3f3f3f7f7fffffff00800407007a8401009899807f807f807f8009007f800134f4f4f47e7f7e7f7e7f7e07007f7e0\
    1000000000000000000000000000000803f00000000010101";

/// Rotations of `i / 20` of a quarter turn about Y with the filter `QUATERNION`, and as they are.
const TURNS_QUATERNION: &str = "a000000700393b4149556371859bb1b29c867264ff000000564a423c050aa8a0515500000000\
    000100000c000300000000000000000000000000000000000000000000000000000000000000ff07";
const TURNS_V1: &str = "a1fa7a00160949a5da4275b637c45b72d52b6af489135c001414121412141012100e0e0c0c0\
    a080606040200c95b148af3692cd6715cc338b57641d9a64a0a0200135579bbddffff0f110f130f00111311130000000\
    000000000000000000000000000000000ff7f0000";

/// Scales of `[1, 1 + i / 8, 2 - i / 16]`.
const SIZES_EXPONENTIAL: &str = "a000013000c000201f000110008000000a0f888888f444444428374444000000000000000110\
    00800000060f333333f11111113c33550000000001100080000000000000000000000000000000000000000000001000f40010\
    00f4002000f4";

/// The indices 1 and 3, and the vectors `[1, 2, 3]` and `[4, 5, 6]`.
const INDICES: &str = "a00130000000040000000000000000000000000000000000000000000000000000000000000001000000";
const VECTORS: &str = "a0000000012000000000000130000000bf0000000130000000ff000000000000000000000000\
    0000000000000000000000803f0000004000004040";

/// The corners of a triangle.
const CORNERS: &str = "a00000013c000000ffff013c0000007e7d0000010c000000ff010c0000007e00000000000000000000000\
    0000000000000000000000000000000000000000000000000";

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<char> = hex.chars().collect();
    let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16);
    digits.chunks(2).map(byte).collect::<Result<_, _>>().unwrap_or_default()
}

/// A file with compressed views under construction.
struct Packed {
    file: File,
    extension: &'static str,
    /// The bytes that the views have without compression.
    length: usize,
}

impl Packed {
    fn new(extension: &'static str) -> Self {
        Self { file: file(HIPS), extension, length: 0 }
    }

    /// Adds a view of elements of `stride` bytes; returns its index.
    fn view(&mut self, hex: &str, (stride, count): (usize, usize), members: &str) -> usize {
        let bytes = bytes(hex);
        let (from, packed) = (self.file.buffer.len(), bytes.len());
        let view = self.file.view(ByteBuilder::new().bytes(bytes), "");
        let (offset, length, extension) = (self.length, stride * count, self.extension);
        self.file.views[view] = format!(
            r#"{{"buffer": 1, "byteOffset": {offset}, "byteLength": {length}, "extensions": {{"{extension}":
            {{"buffer": 0, "byteOffset": {from}, "byteLength": {packed}, "byteStride": {stride}, "mode": "ATTRIBUTES",
            "count": {count}{members}}}}}}}"#
        );
        self.length += length;
        view
    }

    fn times(&mut self, hex: &str, members: &str) -> usize {
        let view = self.view(hex, (4, KEYS), members);
        self.file.accessor(&format!(
            r#""bufferView": {view}, "componentType": 5126, "count": {KEYS}, "type": "SCALAR", "min": [0.0], "max": [1.1875]"#
        ))
    }

    fn vectors(&mut self, hex: &str, members: &str) -> usize {
        let view = self.view(hex, (12, KEYS), members);
        self.file.accessor(&format!(
            r#""bufferView": {view}, "componentType": 5126, "count": {KEYS}, "type": "VEC3""#
        ))
    }

    fn rotations(&mut self, hex: &str, members: &str) -> usize {
        let view = self.view(hex, (8, KEYS), members);
        self.file.accessor(&format!(
            r#""bufferView": {view}, "componentType": 5122, "normalized": true, "count": {KEYS}, "type": "VEC4""#
        ))
    }

    /// Adds a channel of the hips.
    fn drive(mut self, path: &str, accessors: (usize, usize)) -> Self {
        self.file =
            self.file.drive(&format!(r#""node": 0, "path": "{path}""#), accessors, "");
        self
    }

    /// Ends the file with its only animation and the buffer that has no bytes.
    fn end(self) -> File {
        let (length, extension) = (self.length, self.extension);
        let lists = format!(r#""extensionsUsed": ["{extension}"], "extensionsRequired": ["{extension}"]"#);
        let mut file = self.file.with(&lists).animation(r#""name": "walk", "#);
        file.more_buffers = format!(
            r#", {{"byteLength": {length}, "extensions": {{"{extension}": {{"fallback": true}}}}}}"#
        );
        file
    }
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = vec![
        ok("compressed-views", plain(EXT).glb()),
        ok("compressed-views-with-filters", filtered().glb()),
        ok("compressed-views-of-version-1", newest().glb()),
        ok("compressed-sparse-accessor", sparse().glb()),
        ok("model-of-compressed-views", model().glb()),
        ok("views-that-are-not-compressed", uncompressed().glb())
            .reports(&["gltf/view-not-compressed"]),
        // The successor takes the data of the first extension too, and reads it the same.
        ok("compressed-views-of-version-0-in-the-successor", plain(KHR).glb()),
    ];
    cases.extend(broken());
    cases
}

fn plain(extension: &'static str) -> File {
    let mut packed = Packed::new(extension);
    let accessors = (packed.times(TIMES, ""), packed.vectors(MOVES, ""));
    packed.drive("translation", accessors).end()
}

fn filtered() -> File {
    let mut packed = Packed::new(EXT);
    let times = packed.times(TIMES_EXPONENTIAL, r#", "filter": "EXPONENTIAL""#);
    let turns = packed.rotations(TURNS_QUATERNION, r#", "filter": "QUATERNION""#);
    let sizes = packed.vectors(SIZES_EXPONENTIAL, r#", "filter": "EXPONENTIAL""#);
    packed.drive("rotation", (times, turns)).drive("scale", (times, sizes)).end()
}

fn newest() -> File {
    let mut packed = Packed::new(KHR);
    let times = packed.times(TIMES_V1, "");
    let moves = packed.vectors(MOVES_V1, r#", "filter": "NONE""#);
    let turns = packed.rotations(TURNS_V1, "");
    packed.drive("translation", (times, moves)).drive("rotation", (times, turns)).end()
}

fn sparse() -> File {
    let mut packed = Packed::new(EXT);
    let times = packed.times(TIMES, "");
    let indices = packed.view(INDICES, (4, 2), "");
    let values = packed.view(VECTORS, (12, 2), "");
    let output = packed.file.accessor(&format!(
        r#""componentType": 5126, "count": {KEYS}, "type": "VEC3", "sparse": {{"count": 2,
        "indices": {{"bufferView": {indices}, "componentType": 5125}}, "values": {{"bufferView": {values}}}}}"#
    ));
    packed.drive("translation", (times, output)).end()
}

/// A triangle and an animation, both compressed.
fn model() -> File {
    let mut packed = Packed::new(EXT);
    packed.file.nodes += r#", {"name": "body", "mesh": 0}"#;
    let accessors = (packed.times(TIMES, ""), packed.vectors(MOVES, ""));
    let view = packed.view(CORNERS, (12, 3), "");
    packed.file.views[view].insert_str(1, &format!("{}, ", &VERTICES[2..]));
    let corners = packed.file.accessor(&format!(
        r#""bufferView": {view}, "componentType": 5126, "count": 3, "type": "VEC3",
        "min": [0.0, 0.0, 0.0], "max": [1.0, 1.0, 0.0]"#
    ));
    packed.file = packed
        .file
        .with(r#""scene": 0, "scenes": [{"nodes": [0, 1]}]"#)
        .with(&format!(r#""meshes": [{{"primitives": [{{"attributes": {{"POSITION": {corners}}}}}]}}]"#));
    packed.drive("translation", accessors).end()
}

/// Views whose own bytes are stated as their compressed form.
fn uncompressed() -> File {
    let mut file = rise();
    for (view, (from, stride)) in file.views.iter_mut().zip([(0, 4), (12, 12)]) {
        let length = stride * 3;
        *view = format!(
            r#"{{"buffer": 0, "byteOffset": {from}, "byteLength": {length}, "extensions": {{"{EXT}":
            {{"buffer": 0, "byteOffset": {from}, "byteLength": {length}, "byteStride": {stride}, "mode": "ATTRIBUTES",
            "count": 3}}}}}}"#
        );
    }
    file.animation("")
}

fn broken() -> Vec<Case> {
    let in_file = |file: &File, name, from: &str, to: &str| {
        let json = file.json("");
        assert!(json.contains(from), "{name}: there is no {from}");
        let json = json.replacen(from, to, 1);
        bad(name, container(&[chunk("JSON", &padded(&json)), chunk("BIN", &file.buffer)]))
    };
    let replaced = |name, from: &str, to: &str| in_file(&plain(EXT), name, from, to);
    // The first byte of the data of the times.
    let version = |name, file: File, first: u8| {
        bad(name, File { buffer: [&[first], &file.buffer[1..]].concat(), ..file }.glb())
    };
    let one_member = r#"{"buffer": 0, "byteOffset": 0, "byteLength": 66, "byteStride": 4, "mode": "ATTRIBUTES",
            "count": 20}"#;
    let mode = r#""mode": "ATTRIBUTES""#;
    let filter = |name: &str| format!(r#"{mode}, "filter": "{name}""#);
    let times = r#""byteLength": 80"#;
    vec![
        replaced("compressed-view-without-members", one_member, r#"{"buffer": 0, "count": 20}"#),
        replaced("compressed-mode-for-triangles", mode, r#""mode": "TRIANGLES""#),
        replaced("compressed-mode-unknown", mode, r#""mode": "WORDS""#),
        replaced("compressed-filter-for-normals", mode, &filter("OCTAHEDRAL")),
        replaced("compressed-filter-for-rotations-of-times", mode, &filter("QUATERNION")),
        in_file(&plain(KHR), "compressed-filter-for-colors", mode, &filter("COLOR")),
        version("compressed-by-version-2", plain(KHR), 0xa2),
        version("compressed-by-version-1-in-the-first-extension", plain(EXT), 0xa1),
        version("compressed-data-of-another-kind", plain(EXT), 0xe1),
        replaced("compressed-data-cut", r#""byteLength": 66"#, r#""byteLength": 62"#),
        replaced("compressed-data-shorter-than-its-end", r#""byteLength": 66"#, r#""byteLength": 20"#),
        replaced("compressed-data-beyond-its-buffer", r#""byteLength": 66"#, r#""byteLength": 9000"#),
        replaced("compressed-data-in-a-buffer-without-bytes", r#""buffer": 0"#, r#""buffer": 1"#),
        replaced("compressed-data-in-no-buffer", r#""buffer": 0"#, r#""buffer": 2"#),
        replaced("compressed-count-of-another-length", r#""count": 20}"#, r#""count": 21}"#),
        counted("compressed-data-of-fewer-elements", times, 400),
        counted("compressed-data-of-more-elements", times, 10),
        counted("compressed-count-of-a-billion", times, 1_000_000_000),
        replaced("compressed-stride-of-6", r#""byteStride": 4"#, r#""byteStride": 6"#),
        replaced("compressed-stride-of-260", r#""byteStride": 4"#, r#""byteStride": 260"#),
        replaced("compressed-stride-of-another-view", times, &format!(r#"{times}, "byteStride": 8"#)),
    ]
}

/// A file whose times claim to be a number of elements.
fn counted(name: &'static str, times: &str, count: usize) -> Case {
    let file = plain(EXT);
    let json = file.json("").replacen(times, &format!(r#""byteLength": {}"#, count * 4), 1);
    let json = json.replacen(r#""count": 20}"#, &format!(r#""count": {count}}}"#), 1);
    bad(name, container(&[chunk("JSON", &padded(&json)), chunk("BIN", &file.buffer)]))
}
