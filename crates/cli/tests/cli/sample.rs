//! `sample`.

use serde_json::{Value, json};

use crate::bench::{Bench, LIGHT, walk};

/// A slide from (0, 1, 2) to (4, 1, 0.5) in two seconds, and a string that changes at 1 s.
const SLIDE: &str = r#"{"name": "sl,ide", "globalDuration": 2, "tracks": [
  {"trackType": "Curve", "valueType": "float3", "data": {"node": "A", "property": "Position",
    "keyframes": [
      {"time": 0, "value": {"x": 0, "y": 1, "z": 2}, "interpolation": "Linear"},
      {"time": 2, "value": {"x": 4, "y": 1, "z": 0.5}, "interpolation": "Linear"}]}},
  {"trackType": "Discrete", "valueType": "string", "data": {"node": null, "property": "Text",
    "keyframes": [{"time": 0, "value": null}, {"time": 1, "value": ""}]}}]}"#;

fn slide() -> Bench {
    Bench::empty().with("slide.animj", SLIDE)
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn json_has_a_line_for_each_time_and_track() {
    let ran = slide().run(&["sample", "slide.animj", "--at", "0.5,1", "--json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let row = |time: f64, node: Value, property: &str, value: Value| {
        json!({"clip": "sl,ide", "time": time, "node": node, "property": property,
            "component": null, "value": value})
    };
    let expected = [
        row(0.5, json!("A"), "Position", json!([1.0, 1.0, 1.625])),
        row(0.5, json!(null), "Text", json!(null)),
        row(1.0, json!("A"), "Position", json!([2.0, 1.0, 1.25])),
        row(1.0, json!(null), "Text", json!("")),
    ];
    assert_eq!(lines(ran.text()), expected);
    let first = ran.text().lines().next().unwrap();
    assert!(first.starts_with(r#"{"clip":"sl,ide","time":0.5,"node":"A","property":"#), "{first}");
}

#[test]
fn csv_has_a_line_for_each_number() {
    let ran = slide().run(&["sample", "slide.animj", "--at", "1.5"]);
    let expected = "clip,time,node,property,component,value\n\
        \"sl,ide\",1.5,A,Position,x,3.0\n\
        \"sl,ide\",1.5,A,Position,y,1.0\n\
        \"sl,ide\",1.5,A,Position,z,0.875\n\
        \"sl,ide\",1.5,,Text,,\"\"\n";
    assert_eq!((ran.code, ran.text()), (0, expected));
}

#[test]
fn quaternions_are_x_y_z_w() {
    let ran =
        Bench::new().run(&["sample", "walk.seanim", "--at", "0", "--json", "--track", "*/Rot*"]);
    let rows = lines(ran.text());
    assert!(!rows.is_empty(), "{}", ran.err);
    for row in rows {
        let parts: Vec<f64> =
            row["value"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
        let length: f64 = parts.iter().map(|part| part * part).sum();
        assert!(parts.len() == 4 && (length - 1.0).abs() < 1e-6, "{row}");
    }
}

#[test]
fn the_end_of_a_looping_clip_holds_without_loop() {
    // The clip takes one second, and its last keys are at the end.
    let values = |at: &str, more: &[&str]| -> Vec<Value> {
        let flags = ["sample", "walk.seanim", "--at", at, "--json"];
        let ran = Bench::new().run(&[&flags[..], more].concat());
        lines(ran.text()).into_iter().map(|mut row| row["value"].take()).collect()
    };
    let (start, end) = (values("0", &[]), values("1", &[]));
    assert_ne!(start, end);
    assert_eq!(values("9.5", &[]), end);
    assert_eq!((values("1", &["--loop"]), values("7", &["--loop"])), (start.clone(), start));
}

#[test]
fn frames_go_from_the_first_to_the_last_time() {
    let times = |arguments: &[&str]| -> Vec<f64> {
        let ran = slide().run(&[&["sample", "slide.animj", "--json"], arguments].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let rows = lines(ran.text());
        let of_text = rows.iter().filter(|row| row["property"] == "Text");
        of_text.map(|row| row["time"].as_f64().unwrap()).collect()
    };
    assert_eq!(times(&["--fps", "2"]), [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert_eq!(times(&["--fps", "4", "--range", "-0.25:0.3"]), [-0.25, 0.0, 0.25]);
    assert_eq!(times(&["--at", "-1,9"]), [-1.0, 9.0]);
    // 30 per second by default.
    assert_eq!(times(&[]).len(), 61);
}

#[test]
fn a_pattern_chooses_tracks() {
    let properties = |pattern: &str| -> Vec<String> {
        let ran =
            slide().run(&["sample", "slide.animj", "--json", "--at", "0", "--track", pattern]);
        lines(ran.text()).iter().map(|row| row["property"].as_str().unwrap().to_owned()).collect()
    };
    for pattern in ["A/*", "A", "[A-C]/Pos*"] {
        assert_eq!(properties(pattern), ["Position"], "{pattern}");
    }
    assert_eq!(properties("/Text"), ["Text"]);
    let ran = slide().run(&["sample", "slide.animj", "--track", "B*"]);
    ran.fails(
        2,
        "error: slide.animj: --track matches no track; a track of this file is A/Position\n",
    );
}

#[test]
fn patterns_are_lists_and_a_clip_is_chosen_by_name() {
    let sample = |options: &[&str]| {
        let clip = ["sample", "slide.animj", "--at", "0.5", "--clip", "SL,IDE"];
        slide().run(&[&clip, options].concat())
    };
    assert_eq!(sample(&["--track", "A/Position.{x,z},*/Text"]).text().lines().count(), 4);
    assert_eq!(sample(&[]).text().lines().count(), 5);
    let ran = slide().run(&["sample", "slide.animj", "--clip", "walk"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("slide.animj: "), "{}", ran.err);
}

#[test]
fn f_overwrites_an_existing_output() {
    let bench = slide().with("out.csv", "");
    let sample = ["sample", "slide.animj", "-o", "out.csv"];
    assert_eq!(bench.run(&sample).code, 3);
    assert_eq!(bench.run(&[&sample[..], &["-f"]].concat()).code, 0);
}

#[test]
fn too_many_rows_are_rejected_before_anything_is_printed() {
    for arguments in [["--fps", "1e12"], ["--range", "0:1e300"]] {
        let ran = slide().run(&[&["sample", "slide.animj"], arguments.as_slice()].concat());
        assert_eq!((ran.code, ran.text()), (3, ""));
        assert!(
            ran.err.contains("rows requested, the limit is 100000000; use a lower"),
            "{}",
            ran.err
        );
    }
}

#[test]
fn invalid_times_are_wrong_usage() {
    let slide = slide();
    for (flag, text) in [
        ("--fps", "0"),
        ("--fps", "-1"),
        ("--fps", "NaN"),
        ("--at", "1,,2"),
        ("--at", "inf"),
        ("--at", "one"),
        ("--range", "2:1"),
        ("--range", "1"),
        ("--track", "[a"),
    ] {
        let ran = slide.run(&["sample", "slide.animj", flag, text]);
        assert_eq!((ran.code, ran.text()), (2, ""), "{flag} {text}");
        assert!(ran.err.starts_with(&format!("error: {flag}")), "{}", ran.err);
    }
    assert_eq!(slide.run(&["sample", "slide.animj", "--at", "1", "--fps", "30"]).code, 2);
}

#[test]
fn reads_standard_input_and_writes_to_a_file() {
    let bench = Bench::empty().with("there.csv", "old");
    let ran = bench.run_with(&["sample", "-", "--at", "0.5"], LIGHT.as_bytes());
    assert!(ran.text().ends_with("light,0.5,Lamp,Enabled,,false\n"), "{}", ran.text());
    let printed = ran.out;
    let ran = bench.run_with(&["sample", "-", "--at", "0.5", "-o", "out.csv"], LIGHT.as_bytes());
    assert_eq!((ran.code, ran.text(), bench.get("out.csv")), (0, "", printed));
    let refused = bench.run_with(&["sample", "-", "-o", "there.csv"], LIGHT.as_bytes());
    assert_eq!((refused.code, bench.get("there.csv")), (3, b"old".to_vec()));
    assert_eq!(bench.names(), ["out.csv", "there.csv"]);
}

#[test]
fn an_invalid_file_is_reported() {
    let ran = Bench::empty().with("cut.seanim", &walk()[..60]).run(&["sample", "cut.seanim"]);
    assert_eq!((ran.code, ran.text()), (3, ""));
    assert!(ran.err.starts_with("error: cut.seanim: seanim: "), "{}", ran.err);
}

#[test]
fn a_pattern_chooses_one_component_of_a_vector() {
    let sample = ["sample", "slide.animj", "--at", "2", "--track"];
    let ran = slide().run(&[&sample[..], &["A/Position.z"]].concat());
    let expected = "clip,time,node,property,component,value\n\"sl,ide\",2.0,A,Position,z,0.5\n";
    assert_eq!((ran.code, ran.text()), (0, expected));
    let ran = slide().run(&[&sample[..], &["A/Position.z", "--json"]].concat());
    let row = &lines(ran.text())[0];
    assert_eq!((&row["component"], &row["value"]), (&json!("z"), &json!(0.5)));
    let ran = slide().run(&[&sample[..], &["A/Position.w"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
}

#[test]
fn frames_are_times_of_a_clip_with_a_frame_rate() {
    let bench = Bench::new();
    let run = |arguments: &[&str]| {
        let ran = bench.run(&[&["sample", "walk.seanim"], arguments].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert_eq!(run(&["--at", "15f,1"]), run(&["--at", "0.5,1"]));
    assert_eq!(run(&["--range", "3f:6f"]), run(&["--range", "0.1:0.2"]));
    slide().run(&["sample", "slide.animj", "--at", "15f"]).fails(
        2,
        "error: --at: frames are counted, and the clip has no frame rate; use seconds, or set the \
         rate first (edit --set-fps)\n",
    );
}

#[test]
fn euler_angles_are_printed_in_degrees_on_request() {
    let bench = Bench::empty().with("x.ani", crate::bench::fixture("x4-ani", "spin"));
    let values = |more: &[&str]| -> Vec<f64> {
        let sample = ["sample", "x.ani", "--at", "0.3", "--json", "--track", "*/RotationEuler"];
        let ran = bench.run(&[&sample[..], more].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let numbers = |row: &Value| match &row["value"] {
            Value::Array(parts) => parts.iter().map(|part| part.as_f64().unwrap()).collect(),
            part => vec![part.as_f64().unwrap()],
        };
        lines(ran.text()).iter().flat_map(numbers).collect()
    };
    let (radians, degrees) = (values(&[]), values(&["--degrees"]));
    assert!(radians.iter().any(|angle| *angle != 0.0), "{radians:?}");
    for (one, other) in radians.iter().zip(&degrees) {
        assert!((one.to_degrees() - other).abs() < 1e-3, "{one} is {other}");
    }
}

/// A turn about z by 90, 170 and 190 degrees at 0, 1 and 2 seconds, as quaternions.
const TURN: &str = r#"{"name": "turn", "globalDuration": 2, "tracks": [
  {"trackType": "Discrete", "valueType": "floatQ", "data": {"node": "A", "property": "Rotation",
    "keyframes": [
      {"time": 0, "value": {"x": 0, "y": 0, "z": 0.70710678, "w": 0.70710678}},
      {"time": 1, "value": {"x": 0, "y": 0, "z": 0.99619470, "w": 0.08715574}},
      {"time": 2, "value": {"x": 0, "y": 0, "z": 0.99619470, "w": -0.08715574}}]}}]}"#;

#[test]
fn quaternions_become_continuous_euler_angles_in_degrees() {
    let bench = Bench::empty().with("turn.animj", TURN);
    let sample = ["sample", "turn.animj", "--at", "0,1,2", "--degrees"];
    let ran = bench.run(&sample);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let rows: Vec<Vec<&str>> =
        ran.text().lines().skip(1).map(|row| row.split(',').collect()).collect();
    let names: Vec<&str> = rows.iter().map(|row| row[4]).collect();
    assert_eq!(names, ["rx", "ry", "rz"].repeat(3));
    let expected = [0.0, 0.0, 90.0, 0.0, 0.0, 170.0, 0.0, 0.0, 190.0];
    for (row, expected) in rows.iter().zip(expected) {
        let found: f64 = row[5].parse().unwrap();
        assert!((found - expected).abs() < 1e-4, "{row:?}: expected {expected}");
    }
    let ran = bench.run(&[&sample[..], &["--json", "--track", "A/Rotation.rz"]].concat());
    let row = &lines(ran.text())[0];
    assert_eq!((&row["component"], row["value"].as_f64().unwrap().round()), (&json!("rz"), 90.0));
    let ran = bench.run(&[&sample[..], &["--json"]].concat());
    let row = &lines(ran.text())[2];
    assert_eq!(row["component"], "rx,ry,rz");
    assert_eq!(row["value"].as_array().unwrap().len(), 3);
}

#[test]
fn tracks_are_chosen_by_name_alone() {
    Bench::new()
        .run(&["sample", "walk.seanim", "--track", "#1"])
        .fails(2, "error: --track #1: a number chooses tracks of an edit; use a name\n");
}
