//! Files that must be rejected.

use super::{Case, File, HIPS, bad, chunk, container, file, padded, rise};
use crate::ByteBuilder;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = containers();
    cases.extend(json());
    cases.extend(accessors());
    cases.extend(buffers());
    cases
}

fn containers() -> Vec<Case> {
    let json = padded(&rise().animation("").json(""));
    let bin = rise().buffer;
    let good = || rise().animation("").glb();
    let (text, data) = (|| chunk("JSON", &json), || chunk("BIN", &bin));
    vec![
        bad("empty", ByteBuilder::new()),
        bad("header-cut", good().cut(11)),
        bad("length-too-large", good().patch(8, u32::MAX.to_le_bytes())),
        bad("chunk-length-max", good().patch(12, u32::MAX.to_le_bytes())),
        bad("version-1", good().patch(4, 1_u32.to_le_bytes())),
        bad("no-chunks", container(&[])),
        bad("binary-chunk-first", container(&[data(), text()])),
        bad("json-chunk-twice", container(&[text(), text()])),
        bad("binary-chunk-third", container(&[text(), chunk("what", &[]), data()])),
        bad("binary-chunk-missing", container(&[text()])),
        bad("magic-cut", good().cut(3)),
        bad("another-format", ByteBuilder::new().bytes(b"SEAnim\x01\0\x1c\0").zeros(26)),
        bad("version-max", good().patch(4, u32::MAX.to_le_bytes())),
        bad("chunk-head-cut", container(&[text()]).bytes("BIN").patch(8, [0; 4])),
        bad("json-chunk-of-no-bytes", container(&[chunk("JSON", b"")])),
        bad("json-chunk-of-nuls", container(&[chunk("JSON", &[0; 8])])),
        bad("chunk-of-hidden-letters", container(&[chunk("\u{1b}[2J", b"{}  ")])),
        bad("json-not-utf-8", container(&[chunk("JSON", b"{\"a\": \"\xff\"} ")])),
    ]
}

fn json() -> Vec<Case> {
    let text = |text: &str| ByteBuilder::new().bytes(text);
    let named = |name, text: ByteBuilder| bad(name, text).with_extension("gltf");
    let deep = [r#"{"asset": {"version": "2.0"}, "a": "#, &"[".repeat(100_000)].concat();
    let good = String::from_utf8(rise().animation("").embedded().build()).unwrap_or_default();
    let utf16: Vec<u8> = good.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "there is no {from}");
        text(&good.replacen(from, to, 1))
    };
    vec![
        named("json-cut", text(&good).cut(200)),
        named("root-an-array", text("[]")),
        named("root-null", text("null")),
        named("utf-16", ByteBuilder::new().bytes(utf16)),
        named("string-without-end", text(r#"{"asset": {"version": "2.0"#)),
        named("string-with-a-control-character", text("{\"asset\": {\"version\": \"2\n0\"}}")),
        named("string-with-an-unknown-escape", text(r#"{"asset": {"version": "\d"}}"#)),
        named("string-with-half-a-surrogate", text(r#"{"asset": {"version": "\ud83e"}}"#)),
        named("number-of-hexadecimal-digits", text(r#"{"asset": {"version": "2.0"}, "scene": 0x10}"#)),
        named("asset-version-a-number", text(r#"{"asset": {"version": 2.0}}"#)),
        named("asset-version-empty", text(r#"{"asset": {"version": ""}}"#)),
        named("asset-version-3", text(r#"{"asset": {"version": "3.0"}}"#)),
        named("asset-version-of-hidden-letters", text(r#"{"asset": {"version": "\u001b[2J\u202e"}}"#)),
        named("asset-null", text(r#"{"asset": null}"#)),
        named("animations-an-object", changed(r#""animations": ["#, r#""animations": {}, "a": ["#)),
        named("target-null", changed(r#""target": {"#, r#""target": null, "a": {"#)),
        named("channel-without-a-sampler", changed(r#""sampler": 0"#, r#""a": 0"#)),
        named("index-a-fraction", changed(r#""input": 0"#, r#""input": 0.5"#)),
        named("index-beyond-64-bits", changed(r#""input": 0"#, r#""input": 18446744073709551616"#)),
        named("index-a-text", changed(r#""node": 0"#, r#""node": "hips""#)),
        named("interpolation-of-hidden-letters", changed(r#""output": 1"#, r#""output": 1, "interpolation": "\u001b[2J\u202e""#)),
        named("json-behind-json", text(&[&good, " 1"].concat())),
        named("nested-too-deep", text(&deep)),
        named("asset-missing", text("{}")),
        named("asset-version-1", text(r#"{"asset": {"version": "1.0"}}"#)),
        named("nodes-not-an-array", text(r#"{"asset": {"version": "2.0"}, "nodes": 1}"#)),
        named("index-negative", text(&good.replace(r#""input": 0"#, r#""input": -1"#))),
        named("interpolation-unknown", text(&good.replace(r#""output": 1"#, r#""output": 1, "interpolation": "SMOOTH""#))),
        named("sampler-missing", text(&good.replace(r#""sampler": 0"#, r#""sampler": 1"#))),
        named("node-missing", text(&good.replace(r#""node": 0"#, r#""node": 1"#))),
    ]
}

/// A file of one channel, with text of its JSON replaced.
fn replaced(name: &'static str, from: &str, to: &str) -> Case {
    let file = rise().animation("");
    let json = file.json("");
    assert!(json.contains(from), "{name}: there is no {from}");
    let json = json.replacen(from, to, 1);
    bad(name, container(&[chunk("JSON", &padded(&json)), chunk("BIN", &file.buffer)]))
}

fn accessors() -> Vec<Case> {
    let times = |times: &[f32]| {
        file(HIPS).channel(0, "scale", "", times, &vec![1.0; times.len() * 3]).animation("").glb()
    };
    let count = r#""count": 3, "type": "SCALAR""#;
    let mut sparse = file(HIPS);
    let input = sparse.times(&[0.0, 1.0]);
    let indices = sparse.view(ByteBuilder::new().u8s(&[1, 7]), "");
    let values = sparse.view(ByteBuilder::new().f32s(&[1.0; 6]), "");
    let output = sparse.accessor(&format!(
        r#""componentType": 5126, "count": 2, "type": "VEC3", "sparse": {{"count": 2,
        "indices": {{"bufferView": {indices}, "componentType": 5121}}, "values": {{"bufferView": {values}}}}}"#
    ));
    let sparse = sparse.drive(r#""node": 0, "path": "scale""#, (input, output), "").animation("");
    let unknown = r#""byteLength": 12, "extensions": {"EXT_unknown_compression": {"buffer": 0}}"#;
    vec![
        bad("times-nan", times(&[0.0, f32::NAN])),
        bad("times-that-go-back", times(&[0.0, 1.0, 0.5])),
        bad("sparse-index-beyond-the-count", sparse.glb()),
        bad("weights-of-a-mesh-without-shapes", shapeless().glb()),
        bad("times-infinite", times(&[0.0, f32::INFINITY])),
        replaced("count-negative", count, r#""count": -1, "type": "SCALAR""#),
        replaced("count-max", count, r#""count": 18446744073709551615, "type": "SCALAR""#),
        replaced("accessor-offset-max", r#""bufferView": 1, "#, r#""bufferView": 1, "byteOffset": 18446744073709551615, "#),
        replaced("accessor-type-unknown", r#""type": "VEC3""#, r#""type": "VEC5""#),
        replaced("accessor-type-of-hidden-letters", r#""type": "VEC3""#, r#""type": "\u001b[2J\u202e""#),
        replaced("accessor-without-a-type", r#", "type": "VEC3""#, ""),
        replaced("accessor-without-a-component-type", r#""componentType": 5126, "count": 3, "type": "VEC3""#, r#""count": 3, "type": "VEC3""#),
        replaced("component-type-unknown", r#""componentType": 5126, "count": 3, "type": "VEC3""#, r#""componentType": 5124, "count": 3, "type": "VEC3""#),
        replaced("times-of-vectors", r#""type": "SCALAR""#, r#""type": "VEC2""#),
        replaced("view-without-a-buffer", r#""buffer": 0, "byteOffset": 12"#, r#""byteOffset": 12"#),
        replaced("view-without-a-length", r#", "byteLength": 36"#, ""),
        replaced("view-of-length-0", r#""byteLength": 36"#, r#""byteLength": 0"#),
        replaced("view-length-max", r#""byteLength": 36"#, r#""byteLength": 18446744073709551615"#),
        replaced("view-offset-and-length-max", r#""byteOffset": 12, "byteLength": 36"#, r#""byteOffset": 18446744073709551615, "byteLength": 18446744073709551615"#),
        replaced("stride-max", r#""byteLength": 36"#, r#""byteLength": 36, "byteStride": 18446744073709551615"#),
        replaced("buffer-length-max", r#""buffers": [{"byteLength": 48"#, r#""buffers": [{"byteLength": 18446744073709551615"#),
        replaced("no-accessors", r#""accessors": ["#, r#""a": ["#),
        replaced("no-samplers", r#""samplers": ["#, r#""a": ["#),
        bad("sparse-count-beyond-the-accessor", sparse_of(r#""count": 3"#)),
        bad("sparse-count-max", sparse_of(r#""count": 18446744073709551615"#)),
        bad("sparse-without-a-count", sparse_of(r#""a": 2"#)),
        replaced("no-keys", count, r#""count": 0, "type": "SCALAR""#),
        replaced("count-of-a-billion", count, r#""count": 1000000000, "type": "SCALAR""#),
        replaced("zeros-beyond-the-limit", r#""bufferView": 0, "componentType": 5126, "count": 3"#, r#""componentType": 5126, "count": 1000000000"#),
        replaced("accessor-beyond-its-view", r#""bufferView": 1, "#, r#""bufferView": 1, "byteOffset": 4, "#),
        replaced("view-missing", r#""bufferView": 1, "#, r#""bufferView": 7, "#),
        replaced("view-beyond-its-buffer", r#""byteLength": 36"#, r#""byteLength": 37"#),
        replaced("view-offset-max", r#""byteOffset": 12"#, r#""byteOffset": 9007199254740991"#),
        replaced("buffer-missing", r#""buffer": 0, "byteOffset": 12"#, r#""buffer": 1, "byteOffset": 12"#),
        replaced("stride-too-small", r#""byteLength": 36"#, r#""byteLength": 36, "byteStride": 4"#),
        replaced("values-of-another-count", r#""count": 3, "type": "VEC3""#, r#""count": 2, "type": "VEC3""#),
        replaced("values-of-another-type", r#""type": "VEC3""#, r#""type": "VEC2""#),
        replaced("integers-without-normalized", r#""componentType": 5126, "count": 3, "type": "VEC3""#, r#""componentType": 5122, "count": 3, "type": "VEC3""#),
        replaced("view-of-an-unknown-extension", r#""byteLength": 12"#, unknown),
        replaced("input-missing", r#""input": 0"#, r#""input": 9"#),
        replaced("output-missing", r#", "output": 1"#, ""),
    ]
}

/// A file with two replaced values, of which this states the number.
fn sparse_of(count: &str) -> ByteBuilder {
    let mut sparse = file(HIPS);
    let input = sparse.times(&[0.0, 1.0]);
    let indices = sparse.view(ByteBuilder::new().u8s(&[0, 1]), "");
    let values = sparse.view(ByteBuilder::new().f32s(&[1.0; 6]), "");
    let output = sparse.accessor(&format!(
        r#""componentType": 5126, "count": 2, "type": "VEC3", "sparse": {{{count}, "indices": {{
        "bufferView": {indices}, "componentType": 5121}}, "values": {{"bufferView": {values}}}}}"#
    ));
    sparse.drive(r#""node": 0, "path": "scale""#, (input, output), "").animation("").glb()
}

fn shapeless() -> File {
    file(r#"{"mesh": 0}"#)
        .with(r#""meshes": [{"primitives": [{"attributes": {}}]}]"#)
        .channel(0, "weights", "", &[0.0], &[1.0])
        .animation("")
}

fn buffers() -> Vec<Case> {
    let at = |name, uri: &str| {
        bad(name, rise().animation("").gltf(uri)).with_extension("gltf")
    };
    let shorter = rise().animation("").embedded().build();
    let shorter = String::from_utf8(shorter).unwrap_or_default();
    let shorter = shorter.replace(r#""byteLength": 48"#, r#""byteLength": 480"#);
    vec![
        at("external-buffer", "walk%20cycle.bin"),
        at("buffer-above-the-folder", "../../etc/passwd"),
        at("buffer-above-the-folder-in-code", "a/%2e%2e/%2E%2e/etc/passwd"),
        at("buffer-at-an-absolute-path", "/etc/passwd"),
        at("buffer-on-a-server", "https://example.org/walk.bin"),
        at("data-uri-without-base64", "data:text/plain,hello"),
        at("data-uri-of-odd-letters", "data:;base64,AA*A"),
        at("data-uri-without-a-comma", "data:application/octet-stream;base64"),
        at("data-uri-of-half-a-percent-sign", "data:,AA%4"),
        at("data-uri-of-other-percent-digits", "data:,AA%zz"),
        at("data-uri-of-no-bytes", "data:;base64,"),
        at("uri-of-hidden-letters", r"\u001b[2J\u202ewalk.bin"),
        at("uri-empty", ""),
        at("uri-with-a-nul", r"a\u0000.bin"),
        at("data-uri-too-short", "data:;base64,AAAA"),
        bad("data-uri-shorter-than-stated", ByteBuilder::new().bytes(shorter))
            .with_extension("gltf"),
    ]
}
