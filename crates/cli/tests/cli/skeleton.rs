//! `skeleton`, and files with skeletons as `--skeleton` and in merges.

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
fn a_clip_is_resolved_with_its_own_skeleton() {
    let bench = bench();
    let ran = bench.run(&["edit", "relative.cast", "-o", "pose.cast", "--resolve"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let clip = inbetween::read(&bench.get("pose.cast")).unwrap().value.clips.remove(0);
    // The spine inherits the override of the hips, and rests 1 above them.
    let first = clip.tracks[1].data().value(0);
    assert_eq!(first, Some(inbetween::Value::Float3([0.0, 1.0, 0.0])));
}

#[test]
fn rejects_combining_files_with_different_skeletons() {
    let bench = bench();
    let error = "have different skeletons, first at bone";
    for arguments in [
        &["convert", "soldier.cast", "crate.cast", "--to", "cast", "-o", "both.cast"][..],
        &["edit", "soldier.cast", "-o", "both.cast", "--merge", "crate.cast"],
        &["edit", "soldier.cast", "crate.cast", "-o", "both.cast", "--join"],
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.code, 3, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(error), "{arguments:?}: {}", ran.err);
        for name in ["soldier", "crate"] {
            assert!(ran.err.contains(name), "{arguments:?}: {}", ran.err);
        }
    }
    assert!(!bench.path("both.cast").exists());
    let arguments = ["convert", "soldier.cast", "soldier.cast", "walk.seanim", "--to", "cast"];
    let ran = bench.run(&[&arguments[..], &["-o", "all.cast"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
}
