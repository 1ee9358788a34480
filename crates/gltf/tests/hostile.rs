//! Hostile files and their memory use.

#![expect(clippy::arithmetic_side_effects, reason = "the sizes of a test file are small")]
#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use std::sync::Arc;

use inbetween_core::{
    FileEncoding, Format, Limits, Neighbors, Property, ReadError, ReadErrorKind, Track, TrackData,
    num,
};
use inbetween_gltf::{Gltf, GltfFile, uri_paths};
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_testing::{ByteBuilder, Peak, cases};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

fn case(name: &str) -> Vec<u8> {
    cases::of("gltf").into_iter().find(|case| case.name == name).unwrap().bytes
}

/// A binary file of JSON and bytes.
fn glb(json: &str, bin: &[u8]) -> Vec<u8> {
    let padding = json.len().next_multiple_of(4) - json.len();
    let json = [json, &" ".repeat(padding)].concat();
    let length = |bytes: usize| u32::try_from(bytes).unwrap();
    let total = length(12 + 8 + json.len() + 8 + bin.len());
    let header = ByteBuilder::new().bytes("glTF").u32(2).u32(total);
    let json = header.u32(length(json.len())).bytes("JSON").bytes(json);
    json.u32(length(bin.len())).bytes("BIN\0").bytes(bin).build()
}

/// A file with the given number of rotations.
fn rotations(keys: u32) -> Vec<u8> {
    let time = |key: u32| {
        f32::from(u16::try_from(key / 16).unwrap())
            + 0.0625 * f32::from(u8::try_from(key % 16).unwrap())
    };
    let times = (0..keys).fold(ByteBuilder::new(), |bytes, key| bytes.f32(time(key)));
    let bin = (0..keys).fold(times, |bytes, _| bytes.f32s(&[0.0, 0.0, 0.6, 0.8])).build();
    let (first, rest) = (4 * keys, 16 * keys);
    glb(
        &format!(
            r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{"name": "hips"}}], "animations": [{{
            "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "rotation"}}}}],
            "samplers": [{{"input": 0, "output": 1}}]}}], "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": {keys}, "type": "SCALAR", "min": [0], "max": [9]}},
            {{"bufferView": 1, "componentType": 5126, "count": {keys}, "type": "VEC4"}}],
            "bufferViews": [{{"buffer": 0, "byteLength": {first}}},
            {{"buffer": 0, "byteOffset": {first}, "byteLength": {rest}}}],
            "buffers": [{{"byteLength": {}}}]}}"#,
            first + rest
        ),
        &bin,
    )
}

#[test]
fn every_invalid_fixture_is_rejected_without_allocating_its_claims() {
    let meter = Peak::begin();
    for case in cases::of("gltf") {
        let read = meter.assert_read(&Gltf::default(), &case.bytes);
        assert_eq!(read.is_ok(), case.kind == inbetween_testing::CaseKind::Ok, "{}", case.name);
    }
}

#[test]
fn a_large_buffer_is_read_without_a_second_copy() {
    let meter = Peak::begin();
    let bytes = rotations(200_000);
    let law = Law::Parse { items: 2 };
    assert!(meter.assert_memory_law(law, || GltfFile::parse(&bytes, &Limits::default())).is_ok());
    let columns = 200_000 * 24;
    let law = Law::Document { columns, tracks: 1, encoding: FileEncoding::Binary };
    let read = meter.measure(|| Gltf::default().read(&bytes, &Limits::default()));
    // Samplers may share their times, so these are in memory in addition to those of the track.
    let (outcome, peak) = read;
    assert_eq!(outcome.unwrap().value.clips[0].tracks[0].data().len(), 200_000);
    assert!(peak <= law.allowed() + 200_000 * 8, "{peak} bytes");
}

#[test]
fn many_empty_nodes_are_charged() {
    let meter = Peak::begin();
    let nodes = vec!["{}"; 800_000].join(",");
    let bytes = glb(&format!(r#"{{"asset": {{"version": "2.0"}}, "nodes": [{nodes}]}}"#), &[]);
    let (read, peak) = meter.measure(|| Gltf::default().read(&bytes, &Limits::default()));
    let error = read.unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Limit { what: "decoded bytes", .. }), "{error}");
    assert!(peak < 200 << 20, "{peak} bytes");
}

#[test]
fn zeros_without_a_buffer_are_charged() {
    let _meter = Peak::begin();
    let error = Gltf::default().read(&case("zeros-beyond-the-limit"), &Limits::default());
    assert!(matches!(error.unwrap_err().kind(), ReadErrorKind::Limit { .. }));
}

#[test]
fn a_chain_of_nodes_needs_no_stack() {
    let _meter = Peak::begin();
    let count = 20_000;
    let nodes: Vec<String> =
        (1..count).map(|child| format!(r#"{{"children": [{child}]}}"#)).collect();
    let last = count - 1;
    let json = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{}, {{}}], "skins": [{{"joints": [{last}]}}]}}"#,
        nodes.join(", ")
    );
    let read = Gltf::default().read(&glb(&json, &[]), &Limits::default()).unwrap();
    let skeleton = read.value.skeleton.unwrap();
    assert_eq!((skeleton.bones().len(), skeleton.parent(last)), (count, Some(last - 1)));
}

/// The other files in the folder.
#[derive(Debug)]
struct Folder(Vec<u8>);

impl Neighbors for Folder {
    fn load(&self, path: &str, _: u64) -> Result<Vec<u8>, ReadError> {
        assert_eq!(path, "walk cycle.bin", "no other file is requested");
        Ok(self.0.clone())
    }
}

#[test]
fn only_the_caller_loads_buffers_in_other_files() {
    let _meter = Peak::begin();
    let bytes = case("external-buffer");
    let buffer = ByteBuilder::new().f32s(&[0.0, 0.5, 1.0]).f32s(&[3.0; 9]).build();
    let format = |buffer: &[u8]| Gltf::default().with_neighbors(Arc::new(Folder(buffer.to_vec())));
    let read = format(&buffer).read(&bytes, &Limits::default()).unwrap();
    assert_eq!(
        read.value.clips[0].tracks[0].data().value(2),
        Some(inbetween_core::Value::Float3([3.0; 3]))
    );
    let error = format(&buffer[..40]).read(&bytes, &Limits::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "gltf: /buffers/0/byteLength: need 48 bytes, 40 left (line 1, column 538); it belongs to \
         hips/translation"
    );
    for name in ["buffer-above-the-folder", "buffer-above-the-folder-in-code", "buffer-on-a-server"]
    {
        assert!(format(&buffer).read(&case(name), &Limits::default()).is_err(), "{name}");
    }
}

#[test]
fn uris_cannot_leave_the_folder() {
    let _meter = Peak::begin();
    let paths = |uri| uri_paths(uri).unwrap_or_default();
    assert_eq!(paths("a/b.bin"), ["a/b.bin"]);
    assert_eq!(paths("caf%C3%A9.bin"), ["caf\u{e9}.bin", "caf%C3%A9.bin"]);
    for (uri, path) in [("a\\b", "a/b"), ("10%", "10%"), ("%zz", "%zz"), ("%ff", "%ff")] {
        assert_eq!(paths(uri), [path]);
    }
    for uri in [
        "",
        "/a",
        "\\a",
        "..",
        "a/../b",
        "..\\a",
        "C:a",
        "http://a",
        "%2e%2e/a",
        "%2E%2E%5Ca",
        "a%00",
        "%2fa",
        "%2g/../a",
    ] {
        assert!(uri_paths(uri).is_err(), "{uri}");
    }
}

#[test]
fn a_distant_key_does_not_exhaust_memory_by_baking() {
    let meter = Peak::begin();
    let data = TrackData::stepped(vec![0.0, 1e7], vec![[0.0_f32; 3], [1.0; 3]]).unwrap();
    let target = inbetween_core::Target::new("bone", Property::Translation);
    let clip = inbetween_core::Animation::new(vec![Track::new(target, data).unwrap()]);
    let document = inbetween_core::Document::single(clip.with_frame_rate(60.0));
    let (written, peak) = meter.measure(|| Gltf::default().write(document, &Limits::default()));
    assert!(written.is_ok());
    assert!(peak < 64 * 1024, "{peak} bytes");
}

#[test]
fn views_that_are_compressed_a_lot_are_charged() {
    let meter = Peak::begin();
    // Two bits announce 16 zeros, so 16 bytes are a block of 1024.
    let blocks = 70_000_u32;
    let data = ByteBuilder::new().u8(0xa0).bytes(vec![0; 70_000 * 16 + 32]).bytes([0; 3]).build();
    let (keys, packed) = (blocks * 256, blocks * 16 + 33);
    let length = keys * 4;
    let bytes = glb(
        &format!(
            r#"{{"asset": {{"version": "2.0"}}, "nodes": [{{}}], "animations": [{{
            "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "scale"}}}}],
            "samplers": [{{"input": 0, "output": 0}}]}}], "accessors": [
            {{"bufferView": 0, "componentType": 5126, "count": {keys}, "type": "SCALAR"}}],
            "bufferViews": [{{"buffer": 1, "byteLength": {length}, "extensions": {{"KHR_meshopt_compression":
            {{"buffer": 0, "byteLength": {packed}, "byteStride": 4, "count": {keys}, "mode": "ATTRIBUTES"}}}}}}],
            "buffers": [{{"byteLength": {packed}}}, {{"byteLength": {length}}}]}}"#
        ),
        &data,
    );
    let (read, peak) = meter.measure(|| Gltf::default().read(&bytes, &Limits::default()));
    let error = read.unwrap_err();
    assert!(matches!(error.kind(), ReadErrorKind::Limit { what: "decoded bytes", .. }), "{error}");
    assert!(peak < 160 << 20, "{peak} bytes");
}

/// A text file with these members besides `asset`.
fn text_file(members: &str) -> Vec<u8> {
    format!(r#"{{"asset": {{"version": "2.0"}}, {members}}}"#).into_bytes()
}

/// Members with lists of `count` items each: the items that count as such, and what is charged by its
/// bytes alone.
fn lists(count: usize) -> [Vec<String>; 2] {
    let many = |item: &str| vec![item; count].join(",");
    let (empty, zeros, texts) = (many("{}"), many("0"), many("\"\""));
    let joints = (0..count).map(|joint| joint.to_string()).collect::<Vec<_>>().join(",");
    let skin = |nodes: &str| format!(r#""nodes": [{nodes}], "skins": [{{"joints": [{joints}]}}]"#);
    let own =
        |members: &str| format!(r#""animations": [{{"extras": {{"inbetween": {{{members}}}}}}}]"#);
    let matrix = format!(r#"{{"matrix": [{}]}}"#, vec!["0"; 16].join(","));
    let named = ["nodes", "meshes", "accessors", "bufferViews", "buffers", "animations", "skins"];
    let mut items: Vec<String> =
        named.into_iter().map(|name| format!(r#""{name}": [{empty}]"#)).collect();
    items.extend([
        format!(r#""nodes": [{zeros}]"#),
        format!(r#""nodes": [{}]"#, many(&matrix)),
        format!(r#""accessors": [{}]"#, many(r#"{"sparse": {}}"#)),
        skin(&empty),
        skin(&many(r#"{"name": "a"}"#)),
        format!(r#""animations": [{{"samplers": [{empty}]}}]"#),
        format!(r#""animations": [{{"channels": [{empty}]}}]"#),
        own(&format!(r#""tracks": [{}]"#, many(r#"{"kind": "bool"}"#))),
    ]);
    let bytes = vec![
        format!(r#""nodes": [{{"children": [{zeros}]}}]"#),
        format!(r#""nodes": [{{}}], "skins": [{{"joints": [{zeros}]}}]"#),
        format!(r#""meshes": [{{"extras": {{"targetNames": [{texts}]}}}}]"#),
        format!(r#""extensionsRequired": [{texts}]"#),
        format!(r#""extras": {{"inbetween": {{"emptyClips": [{empty}]}}}}"#),
        own(&format!(r#""markers": [{empty}]"#)),
        own(&format!(r#""nodeBlends": [{empty}]"#)),
        own(&format!(r#""trackBlends": [{empty}]"#)),
    ];
    [items, bytes]
}

#[test]
fn lists_of_all_kinds_keep_the_memory_law() {
    let meter = Peak::begin();
    // A listed finding has up to a kilobyte, and there may be 10,000.
    let (count, limits) = (10_000, Limits::default().with_findings(100));
    for members in lists(count).concat() {
        let bytes = text_file(&members);
        let (read, peak) = meter.measure(|| Gltf::default().read(&bytes, &limits));
        let document = read.map(|read| read.value).unwrap_or_default();
        let law = Law::of_document(&document, FileEncoding::Binary).allowed() + bytes.len();
        // An item of the JSON has up to 512 bytes, with its name and its parent.
        let allowed = law + 512 * count;
        let (_, check) = meter.measure(|| Gltf::default().check(&bytes, &limits));
        let (_, inspection) = meter.measure(|| Gltf::default().inspect(&bytes, &limits));
        for (what, peak) in [("read", peak), ("check", check), ("inspect", inspection)] {
            let start = &members[..members.len().min(60)];
            assert!(peak <= allowed, "{what}: {peak} of {allowed} bytes for {start}");
        }
    }
}

#[test]
fn lists_of_all_kinds_spend_the_limits() {
    let _meter = Peak::begin();
    let [items, bytes] = lists(100);
    let few = Limits::default().with_items(99);
    // The smallest of the items has the size of an address.
    let bytes_of_all = num::u64_from_len(100 * size_of::<usize>());
    let small = Limits::default().with_decoded_bytes(bytes_of_all - 20);
    let error = |members: &str, limits: &Limits| {
        let (bytes, format) = (text_file(members), Gltf::default());
        assert!(format.check(&bytes, limits).is_err() && format.inspect(&bytes, limits).is_err());
        format.read(&bytes, limits).unwrap_err()
    };
    for members in &items {
        let error = error(members, &few).to_string();
        assert!(error.contains("100 items requested, the limit is 99"), "{members}: {error}");
    }
    for members in items.iter().chain(&bytes) {
        let error = error(members, &small);
        let kind = error.kind();
        assert!(matches!(kind, ReadErrorKind::Limit { what: "decoded bytes", .. }), "{members}");
    }
}

#[test]
fn texts_in_lists_are_charged_with_their_bytes() {
    let _meter = Peak::begin();
    let text = "a".repeat(100_000);
    let own =
        |members: &str| format!(r#""animations": [{{"extras": {{"inbetween": {{{members}}}}}}}]"#);
    for members in [
        format!(r#""meshes": [{{"extras": {{"targetNames": ["{text}"]}}}}]"#),
        own(&format!(r#""markers": [{{"name": "{text}"}}]"#)),
        own(&format!(r#""nodeBlends": [{{"node": "{text}"}}]"#)),
        own(&format!(r#""trackBlends": [{{"node": "{text}"}}]"#)),
    ] {
        let bytes = text_file(&members);
        let read =
            |limit| Gltf::default().read(&bytes, &Limits::default().with_decoded_bytes(limit));
        let start = &members[..60];
        let error = read(100_000).unwrap_err();
        let kind = error.kind();
        assert!(matches!(kind, ReadErrorKind::Limit { what: "decoded bytes", .. }), "{start}");
        assert!(read(1_000_000).is_ok(), "{start}");
    }
}

#[test]
fn deep_nesting_is_a_limit_error() {
    let _meter = Peak::begin();
    let nested = |depth| text_file(&format!(r#""a": {}{}"#, "[".repeat(depth), "]".repeat(depth)));
    let limits = Limits::default();
    assert!(Gltf::default().read(&nested(63), &limits).is_ok());
    let error = Gltf::default().read(&nested(64), &limits).unwrap_err().to_string();
    assert!(error.contains("65 levels"), "{error}");
    assert!(error.contains("the limit is 64"), "{error}");
    assert!(Gltf::default().read(&nested(64), &limits.with_depth(65)).is_ok());
}

#[test]
fn findings_do_not_exhaust_memory() {
    let meter = Peak::begin();
    let bytes = text_file(&format!(r#""nodes": [{}]"#, vec!["0"; 20_000].join(",")));
    let check = || Gltf::default().check(&bytes, &Limits::default()).unwrap();
    let (findings, peak) = meter.measure(check);
    assert_eq!(findings.len(), 10_001);
    assert!(peak < 20 << 20, "{peak} bytes");
}

#[test]
fn values_without_bytes_that_no_channel_reads_are_not_checked() {
    let _meter = Peak::begin();
    let channel =
        |sampler| format!(r#"{{"sampler": {sampler}, "target": {{"node": 0, "path": "scale"}}}}"#);
    let bytes = text_file(&format!(
        r#""nodes": [{{}}], "animations": [{{"channels": [{}, {}],
        "samplers": [{{"input": 0, "output": 1}}, {{"input": 0, "output": 2}}]}}], "accessors": [
        {{"componentType": 5126, "count": 1, "type": "SCALAR"}},
        {{"componentType": 5126, "count": 1, "type": "VEC3"}},
        {{"componentType": 5126, "count": 9007199254740992, "type": "VEC3"}}]"#,
        channel(0),
        channel(1)
    ));
    let findings = Gltf::default().check(&bytes, &Limits::default()).unwrap();
    assert!(findings.iter().any(|finding| finding.message.contains("expected 1 values")));
}

#[test]
fn each_pointer_to_a_blend_shape_costs_one_item() {
    let _meter = Peak::begin();
    let (shapes, zeros) = (1100, vec!["{}"; 1100].join(","));
    let channel = |shape| {
        format!(
            r#"{{"sampler": 0, "target": {{"path": "pointer", "extensions": {{"KHR_animation_pointer":
            {{"pointer": "/nodes/0/weights/{shape}"}}}}}}}}"#
        )
    };
    let channels = (0..shapes).map(channel).collect::<Vec<_>>().join(",");
    let bytes = text_file(&format!(
        r#""nodes": [{{"mesh": 0}}], "meshes": [{{"primitives": [{{"targets": [{zeros}]}}]}}],
        "animations": [{{"channels": [{channels}], "samplers": [{{"input": 0, "output": 0}}]}}],
        "accessors": [{{"componentType": 5126, "count": 1, "type": "SCALAR"}}]"#
    ));
    let read = Gltf::default().read(&bytes, &Limits::default()).unwrap();
    assert_eq!(read.value.clips[0].tracks.len(), shapes);
}
