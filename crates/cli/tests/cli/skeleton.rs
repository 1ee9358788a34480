//! `skeleton`, and files with skeletons as `--skeleton` and in merges.

use inbetween_testing::ByteBuilder;
use serde_json::{Value, json};

use crate::bench::{Bench, fixture, seanim};

/// A directory with a model of three bones, and files that each move one bone.
fn bench() -> Bench {
    Bench::empty()
        .with("soldier.cast", fixture("cast", "walk"))
        .with("crate.cast", fixture("cast", "model"))
        .with("walk.seanim", seanim("walk"))
        .with("relative.seanim", seanim("relative"))
        .with("relative.cast", fixture("cast", "overrides-below"))
}

#[test]
fn writes_the_skeleton_of_a_file() {
    let bench = bench();
    let ran = bench.run(&["skeleton", "soldier.cast", "-o", "rest.json"]);
    assert_eq!((ran.code, ran.text()), (0, "rest.json: 3 bones, the skeleton of the file\n"));
    assert_eq!(
        String::from_utf8(bench.get("rest.json")).unwrap(),
        r#"{
  "bones": [
    {"node": "tag_origin", "translation": [0.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]},
    {"node": "j_mainroot", "parent": "tag_origin", "translation": [0.0, 0.0, 2.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]},
    {"node": "j_spine", "parent": "j_mainroot", "translation": [0.0, 0.0, 1.0], "rotation": [0.0, 0.0, 0.0, 1.0], "scale": [1.0, 1.0, 1.0]}
  ]
}
"#
    );
}

#[test]
fn writes_a_template_for_a_file_without_a_skeleton() {
    let bench = bench();
    let bones = |name: &str| {
        let ran = bench.run(&["skeleton", name, "-o", "-"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json()["bones"].as_array().unwrap().clone()
    };
    let members = |bone: &Value| bone.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let walk = bones("walk.seanim");
    assert_eq!(walk[0]["node"], "tag_origin");
    assert!(members(&walk[0]).contains(&"translation".to_owned()), "{walk:?}");
    // A relative clip has no rest pose.
    let relative = bones("relative.seanim");
    assert_eq!((relative.len(), members(&relative[0])), (1, vec!["node".to_owned()]));
    let ran = bench.run(&["skeleton", "relative.seanim", "-o", "rest.json"]);
    let expected = "rest.json: 1 bone, a template without a rest pose; add it and the parents\n";
    assert_eq!(ran.text(), expected);
}

#[test]
fn reports_in_json() {
    let ran = bench().run(&["skeleton", "walk.seanim", "-o", "rest.json", "--json"]);
    let expected = json!([
        {"input": "walk.seanim", "output": "rest.json", "bones": 2, "origin": "first-frame"}
    ]);
    assert_eq!((ran.code, ran.json()), (0, expected));
}

#[test]
fn rejects_inputs_without_bones_and_conflicting_options() {
    let bench = bench().with("nothing.seanim", seanim("nothing")).with("rest.json", "{}");
    bench
        .run(&["skeleton", "nothing.seanim", "-o", "a.json"])
        .fails(3, "error: nothing.seanim: expected a skeleton or tracks of nodes, found neither\n");
    bench
        .run(&["skeleton", "walk.seanim", "-o", "rest.json"])
        .fails(3, "error: rest.json: already exists; use --force to overwrite it\n");
    bench
        .run(&["skeleton", "walk.seanim", "-o", "-", "--json"])
        .fails(2, "error: --json and output to - both need standard output\n");
    let ran = bench.run(&["skeleton", "walk.seanim", "-o", "b.json", "--clip", "run"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(bench.get("rest.json"), b"{}");
}

#[test]
fn a_file_with_a_skeleton_is_a_rest_pose() {
    let bench = bench();
    assert_eq!(bench.run(&["skeleton", "soldier.cast", "-o", "rest.json"]).code, 0);
    let fill = |skeleton: &str, output: &str| {
        let ran =
            bench.run(&["edit", "walk.seanim", "-o", output, "--fill", "--skeleton", skeleton]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        bench.get(output)
    };
    assert_eq!(fill("soldier.cast", "a.animj"), fill("rest.json", "b.animj"));
    // A model without animations has a skeleton and no clip.
    let document = inbetween::read(&fixture("cast", "walk")).unwrap().value;
    let model = inbetween::Document::default().with_skeleton(document.skeleton.unwrap());
    let model = inbetween::write(model, &inbetween::cast::Cast::default()).unwrap().value;
    let bench = bench.with("model.cast", model);
    let filled =
        bench.run(&["edit", "walk.seanim", "-o", "c.animj", "--fill", "--skeleton", "model.cast"]);
    assert_eq!((filled.code, bench.get("c.animj")), (0, bench.get("a.animj")), "{}", filled.err);
    assert_eq!(bench.run(&["skeleton", "model.cast", "-o", "model.json"]).code, 0);
    assert_eq!(bench.get("model.json"), bench.get("rest.json"));
}

#[test]
fn the_written_file_gets_the_bones_of_the_given_skeleton() {
    let rest = r#"{"bones": [
        {"node": "tag_origin"}, {"node": "j_hip_le", "parent": "tag_origin", "translation": [0, 90, 0]},
        {"node": "j_knee", "parent": "j_hip_le", "translation": [0, -40, 0]}
    ]}"#;
    let bench = bench().with("rest.json", rest);
    for arguments in [&["convert"][..], &["edit", "--scale", "0.5"]] {
        for output in ["walk.glb", "walk.cast"] {
            let files = ["walk.seanim", "-o", output, "--force", "--skeleton", "rest.json"];
            let ran = bench.run(&[arguments, &files].concat());
            assert_eq!(ran.code, 0, "{}", ran.err);
            let skeleton = inbetween::read(&bench.get(output)).unwrap().value.skeleton.unwrap();
            let knee = skeleton.bone("j_knee").unwrap();
            let height = if arguments.len() > 1 { -20.0 } else { -40.0 };
            assert_eq!(knee.parent.as_deref(), Some("j_hip_le"), "{arguments:?} {output}");
            assert_eq!(knee.translation, Some([0.0, height, 0.0]), "{arguments:?} {output}");
        }
    }
    // Names that the skeleton lacks are reported.
    let bench = bench.with("other.json", r#"{"bones": [{"node": "Tag_Origin"}]}"#);
    let ran = bench.run(&["convert", "walk.seanim", "a.glb", "--skeleton", "other.json"]);
    assert!(ran.err.contains("edit/not-in-skeleton"), "{}", ran.err);
}

#[test]
fn a_clip_is_resolved_with_its_own_skeleton() {
    let bench = bench();
    let ran = bench.run(&["edit", "relative.cast", "-o", "pose.cast", "--resolve"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let clip = inbetween::read(&bench.get("pose.cast")).unwrap().value.clips.remove(0);
    // The spine inherits the override of the hips, and rests 1 above them.
    let first = clip.tracks[1].data().value(0);
    assert_eq!(first, Some(inbetween::Value::Float3([0.0, 1.0, 0.0])));
}

/// A model whose clip moves the hips, with a rest pose of some height. The hips are below a root if
/// the file has one.
fn rig(clip: &str, height: f64, nodes: &Value) -> String {
    let mut nodes = nodes.clone();
    let hips = nodes.get_mut(0).and_then(Value::as_object_mut).unwrap();
    hips.insert("translation".to_owned(), json!([0.0, height, 0.0]));
    let joints: Vec<usize> = (0..nodes.as_array().unwrap().len()).collect();
    json!({
        "asset": {"version": "2.0"},
        "nodes": nodes,
        "skins": [{"joints": joints}],
        "buffers": [{"uri": "keys.bin", "byteLength": 32}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 24}
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR",
             "min": [0], "max": [1]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"}
        ],
        "animations": [{
            "name": clip,
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 0, "output": 1}]
        }]
    })
    .to_string()
}

/// Models of one rig: the same, with a rounded rest pose, with another one, with fewer bones, and
/// with another parent.
fn rigs() -> Bench {
    let whole = json!([{"name": "hips", "children": [1]}, {"name": "spine"}]);
    let part = json!([{"name": "hips"}]);
    let other = json!([{"name": "hips"}, {"name": "spine"}]);
    let keys = ByteBuilder::new().f32s(&[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0]).build();
    Bench::empty()
        .with("keys.bin", keys)
        .with("idle.gltf", rig("Idle", 1.0, &whole))
        .with("noise.gltf", rig("Noise", 1.000_001, &whole))
        .with("tall.gltf", rig("Tall", 1.5, &whole))
        .with("walk.gltf", rig("Walk", 1.0, &part))
        .with("apart.gltf", rig("Apart", 1.0, &other))
}

/// The three ways to add `second` to `first`, without the output.
fn combinations<'a>(first: &'a str, second: &'a str) -> [Vec<&'a str>; 3] {
    [
        vec!["convert", first, second],
        vec!["edit", first, "--append", second],
        vec!["edit", first, "--merge", second, "--rename-clip", "*=All"],
    ]
}

#[test]
fn files_of_one_rig_are_combined() {
    let bench = rigs();
    for other in ["noise.gltf", "walk.gltf"] {
        for arguments in combinations("idle.gltf", other).iter().take(2) {
            for to in ["gltf", "cast", "x4-ani"] {
                let output = ["--to", to, "-o", "all", "--force"];
                let ran = bench.run(&[&arguments[..], &output].concat());
                assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
                assert!(!ran.err.contains("rest-poses-differ"), "{arguments:?}: {}", ran.err);
            }
        }
    }
}

#[test]
fn another_rest_pose_is_reported_and_the_first_one_is_kept() {
    let bench = rigs();
    for arguments in combinations("idle.gltf", "tall.gltf").iter().take(2) {
        let ran = bench.run(&[&arguments[..], &["-o", "all.glb", "--force"]].concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        let expected = "1 bone, the first is hips: the positions are 0.5 apart";
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
        let document = inbetween::read(&bench.get("all.glb")).unwrap().value;
        let hips = document.skeleton.unwrap().bone("hips").unwrap().translation;
        assert_eq!((document.clips.len(), hips), (2, Some([0.0, 1.0, 0.0])));
    }
}

#[test]
fn a_bone_with_another_parent_matters_only_to_formats_with_skeletons() {
    let bench = rigs();
    for (index, arguments) in combinations("idle.gltf", "apart.gltf").into_iter().enumerate() {
        let ran = bench.run(&[&arguments[..], &["-o", "all.cast"]].concat());
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.err);
        let expected = "bone spine is a child of hips in idle";
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains("and a root in apart"), "{arguments:?}: {}", ran.err);
        if index < 2 {
            let ran = bench.run(&[&arguments[..], &["-o", "all.ani", "--force"]].concat());
            assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.err);
        }
    }
    assert!(!bench.path("all.cast").exists());
    let join = ["edit", "idle.gltf", "apart.gltf", "--join", "-o"];
    assert_eq!(bench.run(&[&join[..], &["all.cast"]].concat()).code, 3);
    assert_eq!(bench.run(&[&join[..], &["joined.animj"]].concat()).code, 0);
}
