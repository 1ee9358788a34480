//! Models: files with meshes whose animations are edited, and clips that are put on them.

use inbetween::Limits;
use inbetween::gltf::GltfFile;
use inbetween_testing::ByteBuilder;
use serde_json::{Value, json};

use crate::bench::{Bench, walk};

/// A model of one triangle with a skin, a texture beside it, and one animation.
fn model() -> Vec<u8> {
    let json = json!({
        "asset": {"version": "2.0", "generator": "someone"},
        "scene": 0, "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "body", "mesh": 0, "skin": 0},
            {"name": "tag_origin", "children": [2]},
            {"name": "j_hip_le", "translation": [0, 90, 0], "extras": {"kept": 1.50}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "materials": [{"name": "skin"}],
        "skins": [{"joints": [1, 2]}],
        "animations": [{"name": "Walk", "channels": [
            {"sampler": 0, "target": {"node": 2, "path": "translation"}}],
            "samplers": [{"input": 1, "output": 2}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3",
             "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR",
             "min": [0], "max": [1]},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": 8},
            {"buffer": 0, "byteOffset": 44, "byteLength": 24}],
        "buffers": [{"byteLength": 68}]
    });
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let numbers: [f32; 17] = [
        0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, // the triangle
        0.0, 1.0, // times
        0.0, 90.0, 0.0, 0.0, 95.0, 0.0,
    ];
    let chunk = |kind: &str, content: Vec<u8>| {
        let length = u32::try_from(content.len()).unwrap();
        ByteBuilder::new().u32(length).padded_str(kind, 4).bytes(content).build()
    };
    let binary = chunk("BIN", ByteBuilder::new().f32s(&numbers).build());
    let chunks = [chunk("JSON", text), binary].concat();
    let header = ByteBuilder::new().bytes("glTF").u32(2);
    let length = u32::try_from(chunks.len()).unwrap().saturating_add(12);
    header.u32(length).bytes(chunks).build()
}

/// The JSON and the binary chunk of a file.
fn parts(file: &[u8]) -> (Value, Vec<u8>) {
    let file = GltfFile::parse(file, &Limits::default()).unwrap();
    (serde_json::from_str(file.json()).unwrap(), file.binary().unwrap_or_default().to_vec())
}

fn bench() -> Bench {
    Bench::empty().with("model.glb", model()).with("walk.seanim", walk())
}

#[test]
fn an_edit_keeps_the_model_and_replaces_its_animations() {
    let bench = bench();
    let rename = ["edit", "model.glb", "-o", "out.glb", "--rename-clip", "Walk=Run"];
    let ran = bench.run(&[&rename[..], &["--rename", "j_hip_le=Hip"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().ends_with(", no losses\n"), "{}", ran.text());
    let ((before, _), (mut after, binary)) = (parts(&model()), parts(&bench.get("out.glb")));
    assert_eq!(after["nodes"][2]["name"], "Hip");
    after["nodes"][2]["name"] = "j_hip_le".into();
    for member in ["asset", "nodes", "meshes", "materials", "skins", "scenes"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    assert_eq!(after["animations"][0]["name"], "Run");
    // The old keys are gone, and the new ones are in their place.
    assert_eq!(binary.len(), 68);
    assert!(bench.get("out.glb").len() <= model().len());
}

#[test]
fn a_clip_that_is_dropped_leaves_no_data() {
    let bench = bench();
    let ran = bench.run(&["edit", "model.glb", "-o", "out.glb", "--drop-clip", "Walk"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (json, binary) = parts(&bench.get("out.glb"));
    assert_eq!((json.get("animations"), binary.len()), (None, 36));
    assert_eq!(json["accessors"].as_array().unwrap().len(), 1);
    assert_eq!(json["bufferViews"].as_array().unwrap().len(), 1);
}

#[test]
fn a_model_becomes_text_and_back() {
    let bench = bench();
    assert_eq!(bench.run(&["convert", "model.glb", "model.gltf"]).code, 0);
    assert_eq!(bench.run(&["convert", "model.gltf", "back.glb"]).code, 0);
    let ((before, numbers), (after, again)) = (parts(&model()), parts(&bench.get("back.glb")));
    assert_eq!((&after["meshes"], numbers.len()), (&before["meshes"], again.len()));
    assert_eq!(bench.run(&["diff", "model.glb", "back.glb", "--exact"]).code, 0);
}

#[test]
fn meshes_do_not_follow_a_change_of_axes_or_lengths() {
    let bench = bench();
    for edit in [["--scale", "2"], ["--axes", "x,z,-y"]] {
        let ran = bench.run(&[&["edit", "model.glb", "-o", "out.glb"][..], &edit].concat());
        ran.fails(
            2,
            "error: model.glb: its meshes would not follow a change of axes or lengths; write a \
             format of animations, or change the model in a modeling program\n",
        );
        let ran = bench.run(&[&["edit", "model.glb", "-f", "-o", "out.animj"][..], &edit].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
}

#[test]
fn clips_are_put_only_into_the_format_of_the_model() {
    let bench = bench();
    bench.run(&["convert", "walk.seanim", "--onto", "model.glb", "-o", "out.animj"]).fails(
        2,
        "error: --onto writes into a model, and AnimJ stores none; write the format of the model, \
         or use its bones with --skeleton\n",
    );
}

#[test]
fn clips_are_put_on_a_model() {
    let bench = bench();
    let ran = bench.run(&["convert", "walk.seanim", "--onto", "model.glb", "-o", "out.glb"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("onto: 2 of 2 nodes; "), "{}", ran.err);
    let (json, _) = parts(&bench.get("out.glb"));
    let names: Vec<_> = json["animations"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    assert_eq!((&names[0]["name"], &names[1]["name"]), (&json!("Walk"), &json!("walk")));
    assert_eq!(json["meshes"], parts(&model()).0["meshes"]);
    let bench = bench.with("run.seanim", walk());
    let files = ["walk.seanim", "run.seanim", "--onto", "model.glb", "-o", "two.glb"];
    let ran = bench.run(&[&["convert"][..], &files].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(parts(&bench.get("two.glb")).0["animations"].as_array().unwrap().len(), 3);
}
