//! Unusual but allowed contents of files, and contents that a check reports.

use super::broken::replaced;
use super::{Case, File, HIPS, VERTICES, chunk, container, file, ok, padded, rise, turn};
use crate::ByteBuilder;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = accessors();
    cases.extend(scenes());
    cases.extend(json());
    cases.extend(containers());
    cases.extend(findings());
    cases.extend(descriptions());
    cases
}

fn accessors() -> Vec<Case> {
    let mut normalized = file(HIPS);
    let times = normalized.times(&[0.0, 1.0]);
    let quats = ByteBuilder::new().i16s(&[0, 0, 0, 32767, 0, 0, 19660, -32768]);
    let view = normalized.view(quats, "");
    let rotation = normalized.accessor(&format!(
        r#""bufferView": {view}, "componentType": 5122, "normalized": true, "count": 2, "type": "VEC4""#
    ));
    let bytes = ByteBuilder::new().i8s(&[0, 0, 0, 127, 0, 76, 0, -128]);
    let view = normalized.view(bytes, "");
    let narrow = normalized.accessor(&format!(
        r#""bufferView": {view}, "componentType": 5120, "normalized": true, "count": 2, "type": "VEC4""#
    ));
    let normalized = normalized
        .drive(r#""node": 0, "path": "rotation""#, (times, rotation), "")
        .animation("")
        .drive(r#""node": 0, "path": "rotation""#, (times, narrow), "STEP")
        .animation("");

    let mut interleaved = file(HIPS);
    let times = interleaved.times(&[0.0, 1.0]);
    let rows = [0.0, 1.0, 2.0, 0.0, 0.0, 0.6, 0.8, 9.0, 3.0, 4.0, 5.0, 0.0, 0.0, 0.0, 1.0, 9.0];
    let view = interleaved.view(ByteBuilder::new().f32s(&rows), r#", "byteStride": 32"#);
    let part = |offset: usize, kind: &str| {
        format!(
            r#""bufferView": {view}, "byteOffset": {offset}, "componentType": 5126, "count": 2, "type": "{kind}""#
        )
    };
    let vectors = interleaved.accessor(&part(0, "VEC3"));
    let quats = interleaved.accessor(&part(12, "VEC4"));
    let interleaved = interleaved
        .drive(r#""node": 0, "path": "translation""#, (times, vectors), "")
        .drive(r#""node": 0, "path": "rotation""#, (times, quats), "")
        .animation("");
    vec![
        ok("normalized-integers", normalized.glb()),
        ok("normalized-weights", bytes_of_weights().glb()),
        ok("interleaved-views", interleaved.glb()),
        ok("sparse-accessor", sparse().glb()),
        ok("accessor-without-a-view", zeros().glb()),
    ]
}

fn bytes_of_weights() -> File {
    let mut file = super::weights("", &[0.0; 6]);
    // The output becomes two bytes per key.
    let bytes = ByteBuilder::new().u8s(&[0, 255, 51, 204, 255, 0]);
    let view = file.view(bytes, "");
    let last = file.accessors.len() - 1;
    file.accessors[last] = format!(
        r#"{{"bufferView": {view}, "componentType": 5121, "normalized": true, "count": 6, "type": "SCALAR"}}"#
    );
    file
}

/// A face of two blend shapes whose second weight alone is driven by a pointer to a shape.
fn weight_at(shape: usize) -> File {
    let mut face = super::weights("", &[0.0, 1.0, 0.5, 0.5, 1.0, 0.0]);
    let (times, values) = (face.times(&[0.0, 1.0]), face.floats("SCALAR", 1, &[0.25, 0.75]));
    let pointer = format!(
        r#""path": "pointer", "extensions": {{"KHR_animation_pointer": {{"pointer": "/nodes/0/weights/{shape}"}}}}"#
    );
    let steady = face.floats("VEC3", 3, &[0.0; 6]);
    face.drive(&pointer, (times, values), "")
        .drive(r#""node": 0, "path": "translation""#, (times, steady), "")
        .animation(r#""name": "blink", "#)
}

/// A triangle that is skinned to one bone, with a material.
fn model() -> File {
    let hips = HIPS.replace('}', r#", "extras": {"length": 2}}"#);
    let mut file = file(&format!(r#"{hips}, {{"name": "body", "mesh": 0, "skin": 0}}"#));
    let vertices = file.triangle();
    let joints = file.view(ByteBuilder::new().u8s(&[0; 12]), VERTICES);
    let joints = file.accessor(&format!(
        r#""bufferView": {joints}, "componentType": 5121, "count": 3, "type": "VEC4""#
    ));
    let weights = [1.0, 0.0, 0.0, 0.0].repeat(3);
    let view = file.view(ByteBuilder::new().f32s(&weights), VERTICES);
    let weights = file.accessor(&format!(
        r#""bufferView": {view}, "componentType": 5126, "count": 3, "type": "VEC4""#
    ));
    let columns = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
    let matrix = [columns.concat(), vec![0.0, -0.9, 0.0, 1.0]].concat();
    let matrix = file.floats("MAT4", 16, &matrix);
    let mesh = format!(
        r#""meshes": [{{"primitives": [{{"material": 0, "attributes":
        {{"POSITION": {vertices}, "JOINTS_0": {joints}, "WEIGHTS_0": {weights}}}}}]}}]"#
    );
    let skin = format!(r#""skins": [{{"joints": [0], "inverseBindMatrices": {matrix}}}]"#);
    file.with(r#""scene": 0, "scenes": [{"nodes": [0, 1]}], "materials": [{"name": "skin"}]"#)
        .with(&mesh)
        .with(&skin)
        .channel(0, "scale", "", &[0.0, 1.0], &[1.0, 1.0, 1.0, 1.0, 2.0, 1.0])
        .animation(r#""name": "grow", "#)
}

/// A translation of zeros, of which the second and the last are replaced.
fn sparse() -> File {
    let mut file = file(HIPS);
    let times = file.times(&[0.0, 0.25, 0.5, 1.0]);
    let indices = file.view(ByteBuilder::new().u16s(&[1, 3]), "");
    let values = file.view(ByteBuilder::new().f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), "");
    let output = file.accessor(&format!(
        r#""componentType": 5126, "count": 4, "type": "VEC3", "sparse": {{"count": 2,
        "indices": {{"bufferView": {indices}, "componentType": 5123}}, "values": {{"bufferView": {values}}}}}"#
    ));
    file.drive(r#""node": 0, "path": "translation""#, (times, output), "").animation("")
}

fn zeros() -> File {
    let mut file = file(HIPS);
    let times = file.times(&[0.0, 1.0]);
    let output = file.accessor(r#""componentType": 5126, "count": 2, "type": "VEC3""#);
    file.drive(r#""node": 0, "path": "translation""#, (times, output), "").animation("")
}

fn scenes() -> Vec<Case> {
    let moved = |nodes: &str| {
        let keys = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
        file(nodes).channel(0, "translation", "", &[0.0, 1.0], &keys)
    };
    // A quarter turn about z, scaled by 2 and mirrored.
    let matrix = r#"{"name": "a", "children": [1]},
        {"name": "b", "matrix": [0, -2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, 1, 2, 3, 1]}"#;
    let matrix = moved(matrix).with(r#""skins": [{"joints": [1]}]"#);
    let named = r#"{"name": "arm", "children": [1, 2]}, {"name": "arm"}, {}, {"name": "node_4"}, {}"#;
    let named = moved(named).channel(1, "scale", "", &[0.0], &[1.0; 3]);
    let named = named.channel(2, "scale", "", &[0.0], &[1.0; 3]);
    let named = named.channel(4, "scale", "", &[0.0], &[1.0; 3]);
    let textured = model().with(r#""images": [{"uri": "skin.png"}]"#);
    let flat = r#"{"name": "root", "children": [1], "extras": {"inbetween": {"role": "flat"}}}, {"name": "a"}"#;
    let flat = file(flat).channel(1, "scale", "", &[0.0], &[1.0; 3]);
    let roles = r#"{"name": "all", "children": [1, 2, 3], "extras": {"inbetween": {"role": "added"}}}, {"name": "a"},
        {"name": "b", "extras": {"inbetween": {"role": "other"}}}, {"name": "c", "extras": {"inbetween": {"role": "bone"}}}"#;
    let roles = file(roles)
        .channel(1, "scale", "", &[0.0], &[1.0; 3])
        .channel(2, "scale", "", &[0.0], &[1.0; 3]);
    let mut pointers = file(HIPS);
    let times = pointers.times(&[0.0, 1.0]);
    let vectors = pointers.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let pointer = |to: &str| {
        format!(r#""path": "pointer", "extensions": {{"KHR_animation_pointer": {{"pointer": "{to}"}}}}"#)
    };
    let pointers = pointers
        .drive(&pointer("/nodes/0/translation"), (times, vectors), "")
        .drive(&pointer("/materials/0/emissiveFactor"), (times, vectors), "")
        .drive(r#""path": "scale""#, (times, vectors), "")
        .drive(r#""node": 0, "path": "weights""#, (times, vectors), "")
        .drive(r#""node": 0, "path": "visibility""#, (times, vectors), "")
        .animation("");
    let weight = weight_at(1);
    vec![
        ok("node-matrix", matrix.animation("").glb()),
        ok("node-names", named.animation("").glb()),
        ok("model", model().glb()),
        ok("model-with-a-texture-beside-it", textured.glb()),
        ok("flat-nodes", flat.animation("").glb()),
        ok("node-roles", roles.animation("").glb()),
        ok("pointers", pointers.glb()),
        ok("pointer-to-a-weight", weight.glb()),
        ok("pointer-to-a-missing-weight", weight_at(2).glb()),
        ok("armature", armature().glb()),
        ok("above-bones", above("-0.70710678, 0, 0, 0.70710678").glb()),
        ok("above-bones-changed", above("0, 0, 0, 1").glb()),
    ]
}

/// A skin below a node that is no joint, as Blender writes it.
fn armature() -> File {
    let nodes = r#"{"name": "Armature", "children": [1], "rotation": [0, 0, 0.6, 0.8], "scale": [2, 2, 2]},
        {"name": "hips", "children": [2]}, {"name": "spine", "translation": [0, 1, 0]}"#;
    file(nodes)
        .with(r#""skins": [{"joints": [1, 2]}]"#)
        .channel(1, "translation", "", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
        .animation("")
}

/// A file that was converted from Z up and inches by a node above the bones, which has this rotation
/// now.
fn above(rotation: &str) -> File {
    let nodes = format!(
        r#"{{"name": "root", "children": [1], "rotation": [{rotation}], "scale": [0.0254, 0.0254, 0.0254],
            "extras": {{"inbetween": {{"role": "added"}}}}}},
        {{"name": "tag_origin", "children": [2]}}, {{"name": "j_hip_le", "translation": [0, 0, 38.5]}}"#
    );
    file(&nodes)
        .with(r#""skins": [{"joints": [1, 2]}]"#)
        .with(
            r#""extras": {"inbetween": {"coordinates": {"handedness": "right", "up": "z",
                "locals": "x,y,z", "top": "x,z,-y", "factor": 0.0254, "node": "root"}}}"#,
        )
        .channel(1, "translation", "", &[0.0, 1.0], &[0.0, 0.0, 0.0, 10.0, 1.0, -2.0])
        .animation("")
}

fn json() -> Vec<Case> {
    let text = rise().animation("").embedded().build();
    let text = String::from_utf8(text).unwrap_or_default();
    let marked = ByteBuilder::new().bytes([0xef, 0xbb, 0xbf]).bytes(&text);
    let odd = text.replace(r#""count": 3,"#, r#""count": 7, "count": 3.0, "unknown": {"a": [1e400]},"#);
    vec![
        ok("byte-order-mark", marked).with_extension("gltf"),
        ok("integers-as-floats-and-duplicate-members", ByteBuilder::new().bytes(odd))
            .with_extension("gltf"),
    ]
}

fn containers() -> Vec<Case> {
    let json = padded(&rise().animation("").json(""));
    let bin = rise().buffer;
    let odd = [&json[..], b" "].concat();
    vec![
        ok(
            "unknown-chunks",
            container(&[
                chunk("JSON", &json),
                chunk("BIN", &bin),
                chunk("what", &[1, 2, 3, 4]),
                chunk("what", &[]),
            ]),
        ),
        ok("binary-chunk-with-padding", container(&[chunk("JSON", &json), chunk("BIN", &[&bin[..], &[0; 3]].concat())]))
            .reports(&["gltf/chunk-alignment"]),
        ok("chunk-of-odd-length", container(&[chunk("JSON", &odd), chunk("BIN", &bin)]))
            .reports(&["gltf/chunk-alignment"]),
    ]
}

fn findings() -> Vec<Case> {
    let keys = |times: &[f32]| {
        let values: Vec<f32> = (0_u8..9).map(f32::from).take(times.len() * 3).collect();
        file(HIPS).channel(0, "translation", "", times, &values).animation("")
    };
    let mut plain = file(HIPS);
    let times = plain.floats("SCALAR", 1, &[0.0, 1.0]);
    let vectors = plain.floats("VEC3", 3, &[0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    let plain = plain.drive(r#""node": 0, "path": "scale""#, (times, vectors), "").animation("");
    let long = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.2, 1.6, 0.0, 0.0, 0.0, 0.0];
    let lengths = file(HIPS).channel(0, "rotation", "", &[0.0, 1.0, 2.0], &long).animation("");
    let odd = [0.0, f32::NAN, 0.0, 1.0, 1.0, 1.0, f32::INFINITY, 0.0, 0.0];
    let odd = file(HIPS).channel(0, "scale", "", &[0.0, 1.0, 2.0], &odd).animation("");
    let twice = rise().channel(0, "translation", "", &[0.0], &[1.0; 3]).animation("");
    let required = rise().with(r#""extensionsRequired": ["KHR_draco_mesh_compression"]"#).animation("");
    let mixed = file(HIPS).channel(0, "rotation", "", &[0.5, 1.0, 1.5], &turn()).animation("");
    let jump = keys(&[0.0, 1.0_f32.next_down(), 1.0]);
    let spline = file(HIPS).channel(0, "scale", "CUBICSPLINE", &[0.0], &[1.0; 9]).animation("");
    let matrix = r#"{"name": "hips", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.9, 0, 1]}"#;
    let matrix = File { nodes: matrix.into(), ..rise() }.animation("");
    let twins = [HIPS, HIPS].join(", ");
    let twins = File { nodes: twins, ..rise() }.animation("");
    let joint = rise().with(r#""skins": [{"joints": [0, 7]}]"#).animation("");
    vec![
        ok("spline-of-one-key", spline.glb()).reports(&["gltf/spline-of-one-key"]),
        ok("animated-node-with-a-matrix", matrix.glb()).reports(&["gltf/matrix-animated"]),
        ok("animated-node-of-a-name-used-twice", twins.glb()).reports(&["duplicate-bone"]),
        ok("joint-missing", joint.glb()).reports(&["gltf/joint-missing"]),
        replaced("bounds-wrong", &rise().animation(""), "\"max\": [1.0]", "\"max\": [10]")
            .reports(&["gltf/bounds-wrong"]),
        ok("jump", jump.glb()),
        ok("times-equal", keys(&[0.0, 1.0, 1.0]).glb()).reports(&["gltf/times-equal"]),
        ok("times-negative", keys(&[-1.0, 0.5, 1.0]).glb()).reports(&["time-negative"]),
        ok("times-without-bounds", plain.glb()).reports(&["gltf/bounds-missing"]),
        ok("rotations-of-other-lengths", lengths.glb()).reports(&["rotation-not-unit"]),
        ok("values-not-finite", odd.glb()).reports(&["number-not-finite"]),
        ok("two-channels-of-one-target", twice.glb()).reports(&["gltf/duplicate-target"]),
        ok("extension-required", required.glb()).reports(&["gltf/extension-required"]),
        ok("first-key-after-0", mixed.glb()),
    ]
}

/// Contents of extras.
fn descriptions() -> Vec<Case> {
    let own = r#""name": "idle", "extras": {"inbetween": {"duration": 2.5, "frameRate": 30, "looping": true,
        "markers": [{"time": 0.5, "name": "step"}, {"time": 0.2, "name": ""}]}}, "#;
    let blends = r#""extras": {"inbetween": {"blend": "additive", "nodeBlends": [{"node": "hips", "blend": "relative"},
        {"node": "hand", "blend": "delta"}], "unknown": 1}, "other": []}, "#;
    let tracks = r#""extras": {"inbetween": {"blend": 9, "trackBlends": [{"node": "hips", "path": "translation",
        "blend": "additive"}]}}, "#;
    let empty = r#""extras": {"inbetween": {"emptyClips": [{"index": 0, "name": "nothing", "looping": true},
        {"index": 2, "duration": 1}, {"index": 9}]}}"#;
    let points = r#""accessors": [{"componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [0, 0, 0]}]"#;
    let mesh = r#""meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]"#;
    let beside_others = file(r#"{"name": "hips"}, {"mesh": 0}"#).with(r#""extras": [1]"#);
    let beside_others = beside_others.with(points).with(mesh);
    let foreign = r#""name": "reload", "extras": {"OAT_xanim": {"version": 1, "numFrames": 30, "frameRate": 30,
        "looped": true, "notifies": [{"name": "sndnt#clip_out", "time": 0.3}]}}, "#;
    vec![
        ok("described-clip", rise().animation(own).glb()),
        ok("blend-modes", rise().animation(blends).glb()),
        ok("blends-of-tracks", rise().animation(tracks).glb()),
        ok("clips-without-keys", rise().with(empty).animation(r#""name": "rise", "#).glb()),
        ok("clip-without-keys-beside-other-extras", beside_others.animation(r#""name": "walk", "#).glb()),
        ok("open-asset-tools", rise().animation(foreign).glb()),
        ok("tracks-of-other-properties", rise().animation(&custom_tracks()).glb()),
        ok("clip-of-other-properties", file(HIPS).with(CUSTOM_CLIP).glb()),
    ]
}

/// A clip whose only track cannot be a channel.
const CUSTOM_CLIP: &str = r#""extras": {"inbetween": {"emptyClips": [{"index": 0, "name": "lamp", "tracks": [
    {"node": "lamp", "property": "lit", "kind": "bool", "times": [0, 0.5], "values": [true, false]}]}]}}"#;

/// Custom tracks: one of each shape, and one of each kind of JSON value.
fn custom_tracks() -> String {
    let track = |members: &str| format!(r#"{{"node": "hips", {members}}}"#);
    let tracks = [
        track(r#""index": 0, "property": "mood", "kind": "string", "times": [0, 1], "values": ["calm \u00e9", null]"#),
        track(r#""index": 9, "property": "count", "kind": "ulong", "interval": 0.5,
            "values": ["18446744073709551615", "0"]"#),
        track(r#""index": 2, "property": "tint", "kind": "color32", "times": [0, 0.1], "interpolation": "linear",
            "values": [[0, 10, 20, 255], [255, 255, 255, 0]]"#),
        // Members in another order, and an unknown one.
        track(r#""values": [0.1, 2e-45], "rightTangents": [1, -0.0], "leftTangents": [0, 2], "unknown": [],
            "interpolation": ["bezier", "hermite"], "times": [0.25, 4], "kind": "float", "property": "light", "index": 3"#),
        track(r#""kind": "double2x2", "interval": 0, "values": [[[1, 0.1], [0, 1e300]]]"#),
        track(r#""property": "none", "kind": "int3", "times": [], "interpolation": "hold""#),
    ];
    format!(r#""extras": {{"inbetween": {{"tracks": [{}]}}}}, "#, tracks.join(", "))
}
