//! `info`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, walk};

const WALK: &str = "\
walk.seanim: SEAnim, 232 bytes
  layout  standard widths (frames u8, bones u8), blocks by flags, f32
  frames  31
  bones   2
  clip: 1 s, 30 frames per second, looped, absolute, 6 tracks, 9 keys, 2 markers
    tag_origin  Position  float3  curve  3  keys
    tag_origin  Rotation  floatQ  curve  1  key
    j_hip_le    Position  float3  curve  1  key
    j_hip_le    Rotation  floatQ  curve  3  keys
    j_hip_le    Scale     float3  curve  1  key
    tag_origin  Scale     float3  curve  0  keys
    marker  0.233 s  sndnt#step_left
    marker  0.733 s  sndnt#step_right
";

#[test]
fn lists_the_contents_of_a_file() {
    let ran = Bench::new().run(&["info", "walk.seanim"]);
    assert_eq!((ran.code, ran.err.as_str(), ran.text()), (0, "", WALK));
}

#[test]
fn prints_an_array_with_an_object_for_each_file() {
    let ran = Bench::new().with("light.animj", LIGHT).run(&["info", "--json", "light.animj"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let mut found = ran.json();
    assert!(found[0]["layout"].take().is_string());
    assert!(found[0]["facts"].take().is_object());
    let expected = json!([{
        "path": "light.animj",
        "format": "animj",
        "bytes": LIGHT.len(),
        "layout": null,
        "facts": null,
        "clips": [{
            "name": "light",
            "duration": 2.0,
            "first_key": 0.0,
            "stated_duration": 2.0,
            "frame_rate": null,
            "looping": false,
            "blend": "absolute",
            "tracks": [{
                "node": "Lamp",
                "property": "Enabled",
                "component": null,
                "kind": "bool",
                "shape": "stepped",
                "keys": 2
            }],
            "markers": []
        }],
        "findings": [],
        "error": null
    }]);
    assert_eq!(found, expected);
}

#[test]
fn lists_the_markers_the_blend_mode_and_the_frame_rate() {
    let found = Bench::new().run(&["info", "--json", "walk.seanim"]).json();
    let clip = &found[0]["clips"][0];
    assert_eq!(clip["frame_rate"], 30.0);
    assert_eq!(clip["looping"], true);
    assert_eq!(clip["markers"][0], json!({"time": 7.0 / 30.0, "name": "sndnt#step_left"}));
    assert_eq!(clip["tracks"].as_array().unwrap().len(), 6);
}

#[test]
fn a_file_that_cannot_be_read_has_an_item_in_the_array() {
    let bench = Bench::new().with("cut.seanim", &walk()[..100]);
    let ran = bench.run(&["info", "--json", "cut.seanim", "walk.seanim"]);
    assert_eq!(ran.code, 3);
    let found = ran.json();
    assert_eq!(found[0]["clips"], json!([]));
    let error = &found[0]["error"];
    let message = error["message"].as_str().unwrap();
    assert!(message.starts_with("cut.seanim: seanim: "), "{error}");
    assert_eq!(error["code"], "unexpected-end");
    assert!(error["path"].as_str().unwrap().starts_with("bones["), "{error}");
    assert!(error["position"]["offset"].is_u64(), "{error}");
    // Only the JSON contains the error.
    assert_eq!(ran.err, "");
    assert_eq!(found[1]["error"], json!(null));
}

#[test]
fn long_lists_are_cut_without_all() {
    let track = |node: u32| {
        format!(
            r#"{{"trackType": "Discrete", "valueType": "int", "data": {{"node": "{node}",
            "property": "P", "keyframes": [{{"time": 0, "value": 1}}]}}}}"#
        )
    };
    let tracks: Vec<String> = (0..25).map(track).collect();
    let text = format!(r#"{{"name": "", "globalDuration": 0, "tracks": [{}]}}"#, tracks.join(","));
    let bench = Bench::empty().with("many.animj", text);
    let short = bench.run(&["info", "many.animj"]);
    assert_eq!(short.text().matches("stepped").count(), 20);
    assert!(short.text().contains("    ... and 5 more tracks (--all lists them)\n"));
    let long = bench.run(&["info", "--all", "many.animj"]);
    assert_eq!(long.text().matches("stepped").count(), 25);
}

#[test]
fn names_in_a_file_cannot_control_the_terminal() {
    // The bench itself checks that no escape character is printed.
    let bytes = walk();
    let text: Vec<u8> = bytes.iter().map(|&byte| if byte == b'#' { 0x1b } else { byte }).collect();
    let ran = Bench::empty().with("walk.seanim", text).run(&["info", "walk.seanim"]);
    assert!(ran.text().contains("sndnt\\u{1b}step_left"), "{}", ran.text());
}

#[test]
fn the_format_can_be_forced() {
    let bench = Bench::new().with("walk.dat", walk());
    assert_eq!(bench.run(&["info", "walk.dat"]).code, 0);
    let ran = bench.run(&["info", "--from", "AnimJ", "walk.dat"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.starts_with("error: walk.dat: animj: "), "{}", ran.err);
}
