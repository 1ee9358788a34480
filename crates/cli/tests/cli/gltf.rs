//! glTF: binary and text files, and buffers in other files.

use inbetween_testing::ByteBuilder;
use serde_json::json;

use crate::bench::{Bench, fixture};

#[track_caller]
fn works(bench: &Bench, arguments: &[&str]) {
    let ran = bench.run(arguments);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn the_extension_of_the_output_chooses_the_container() {
    let bench = Bench::new();
    works(&bench, &["convert", "walk.seanim", "walk.gltf"]);
    assert!(bench.get("walk.gltf").starts_with(b"{\"asset\""));
    works(&bench, &["convert", "walk.gltf", "walk.glb"]);
    assert!(bench.get("walk.glb").starts_with(b"glTF"));
    works(&bench, &["convert", "walk.glb", "again.gltf"]);
    assert_eq!(bench.get("again.gltf"), bench.get("walk.gltf"));
    let options = ["--to", "gltf", "--gltf-container", "gltf", "--out-dir", "out"];
    works(&bench, &[&["convert", "walk.seanim"], &options[..]].concat());
    assert_eq!(bench.get("out/walk.gltf"), bench.get("walk.gltf"));
    let options = ["--gltf-container", "glb"];
    works(&bench, &[&["convert", "walk.seanim", "binary.gltf"], &options[..]].concat());
    assert_eq!(bench.get("binary.gltf"), bench.get("walk.glb"));
}

#[test]
fn an_extension_after_to_and_from_is_a_format() {
    let bench = Bench::new();
    works(&bench, &["convert", "walk.seanim", "--to", "GLB", "--out-dir", "out"]);
    assert!(bench.get("out/walk.glb").starts_with(b"glTF"));
    works(&bench, &["convert", "walk.seanim", "--to", "glb", "-o", "walk.bin"]);
    assert_eq!(bench.get("walk.bin"), bench.get("out/walk.glb"));
    works(&bench, &["info", "walk.bin", "--from", "glb"]);
    works(&bench, &["convert", "walk.seanim", "--to", "ani", "--out-dir", "out"]);
    works(&bench, &["info", "out/walk.ani", "--from", "x4-ani"]);
}

#[test]
fn a_buffer_is_read_only_from_the_folder_of_its_file() {
    let text = fixture("gltf", "external-buffer");
    let buffer: Vec<u8> = [0.0_f32, 0.5, 1.0].iter().flat_map(|time| time.to_le_bytes()).collect();
    let buffer = [buffer, vec![0; 36]].concat();
    let bench = Bench::empty()
        .with("models/walk.gltf", &text)
        .with("models/walk cycle.bin", &buffer)
        .with("secret.bin", &buffer);
    works(&bench, &["convert", "models/walk.gltf", "walk.animj"]);
    let above = String::from_utf8(text).unwrap().replace("walk%20cycle.bin", "../secret.bin");
    let bench = bench.with("models/above.gltf", above);
    let ran = bench.run(&["info", "models/above.gltf"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("a path out of its folder"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_folder_is_rejected() {
    let bench = Bench::empty()
        .with("models/walk.gltf", fixture("gltf", "external-buffer"))
        .with("secret.bin", vec![0; 48]);
    let link = bench.path("models/walk cycle.bin");
    std::os::unix::fs::symlink(bench.path("secret.bin"), link).unwrap();
    let ran = bench.run(&["info", "models/walk.gltf"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("it is not in the folder"), "{}", ran.err);
}

/// An X4 file of twelve clips in which a door slides and turns.
fn docks() -> Vec<u8> {
    let head = ByteBuilder::new().i32s(&[12, 16 + 160 * 12, 1, 0]);
    let table = head.each(0..12, |bytes, clip| {
        let bytes = bytes.padded_str("anim_door", 64).padded_str(format!("dock_{clip}"), 64);
        bytes.i32s(&[3, 2, 0, 0, 0]).f32(2.5).i32s(&[0, 0])
    });
    let key = |bytes: ByteBuilder, value: [f32; 3], kind: u32, time: f32| {
        bytes.f32s(&value).u32s(&[kind; 3]).f32(time).zeros(100)
    };
    let keyed = table.each(0..12_u8, |bytes, clip| {
        let far = f32::from(clip) * 0.37;
        let bytes = key(bytes, [0.0, far, 0.0], 2, 0.0);
        let bytes = key(bytes, [far, 0.1, 1.0], 2, 0.7);
        let bytes = key(bytes, [far, -far, 2.0], 1, 2.5);
        key(key(bytes, [0.0; 3], 2, 0.0), [0.1 * far, 0.2, 0.3], 1, 2.5)
    });
    keyed.build()
}

#[test]
fn x4_clips_survive_as_animations_of_one_file() {
    let bench = Bench::empty().with("docks.ani", docks());
    works(&bench, &["convert", "docks.ani", "docks.glb"]);
    let info = bench.run(&["info", "--json", "docks.glb"]).json();
    let clips = info[0]["clips"].as_array().unwrap().iter().map(|clip| clip["name"].clone());
    assert_eq!(
        clips.collect::<Vec<_>>(),
        (0..12).map(|clip| format!("dock_{clip}")).collect::<Vec<_>>()
    );
    works(&bench, &["convert", "docks.glb", "back.ani"]);
    // Angles become quaternions and then angles again, each within 0.01 degrees.
    let diff = |tolerance| bench.run(&["diff", "docks.ani", "back.ani", "--tolerance", tolerance]);
    let ran = diff("4e-4");
    assert_eq!((ran.code, ran.text()), (0, "no differences above 4e-4 (24 properties)\n"));
    let ran = diff("0");
    assert!(ran.code == 1 && !ran.text().contains("Position"), "{}", ran.text());
}

/// A model of one node with two clips of two keys, whose last keys are at these times.
fn two_keys(rest: f32, wave: f32) -> Bench {
    let times = |start: usize, last: f32| {
        json!({
            "bufferView": 0, "byteOffset": start, "componentType": 5126, "count": 2,
            "type": "SCALAR", "min": [0], "max": [last]
        })
    };
    let animation = |name: &str, input: usize| {
        json!({
            "name": name,
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": input, "output": 2}]
        })
    };
    let values = json!({"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"});
    let model = json!({
        "asset": {"version": "2.0"},
        "nodes": [{"name": "hips"}],
        "scenes": [{"nodes": [0]}],
        "buffers": [{"uri": "model.bin", "byteLength": 40}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 16},
            {"buffer": 0, "byteOffset": 16, "byteLength": 24}
        ],
        "accessors": [times(0, rest), times(8, wave), values],
        "animations": [animation("rest", 0), animation("wave", 1)]
    });
    let keys = ByteBuilder::new().f32s(&[0.0, rest, 0.0, wave, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
    Bench::empty().with("model.gltf", model.to_string()).with("model.bin", keys.build())
}

#[test]
fn clips_that_become_files_of_their_own_share_a_frame_rate() {
    // Alone, the first clip would be written at 24 frames per second.
    let bench = two_keys(1.0, 1.0 / 30.0);
    let rates = |files: [&str; 2]| {
        files.map(|file| {
            let info = bench.run(&["info", "--json", file]).json();
            info[0]["clips"][0]["frame_rate"].as_f64().unwrap()
        })
    };
    works(&bench, &["convert", "model.gltf", "--to", "seanim", "--out-dir", "out"]);
    assert_eq!(rates(["out/model.rest.seanim", "out/model.wave.seanim"]), [30.0; 2]);
    // Edits that need all clips at once, and edits of times, come before the guess.
    let edits = ["--select", "hips", "--retime", "1.25"];
    let edit = ["edit", "model.gltf", "--to", "seanim", "--out-dir", "edited"];
    works(&bench, &[&edit[..], &edits].concat());
    assert_eq!(rates(["edited/model.rest.seanim", "edited/model.wave.seanim"]), [24.0; 2]);
}
