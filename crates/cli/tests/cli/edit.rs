//! `edit`, and the edits of `convert`.

use serde_json::{Value, json};

use crate::bench::{Bench, LIGHT, walk};

/// A door that moves and turns for 2 s, as Curve tracks.
const DOOR: &str = r#"{
  "name": "door",
  "globalDuration": 2,
  "tracks": [
    {"trackType": "Curve", "valueType": "float3", "data": {"node": "Door", "property": "Position",
      "keyframes": [
        {"time": 0, "value": {"x": 0, "y": 0, "z": 0}, "interpolation": "Linear"},
        {"time": 2, "value": {"x": 4, "y": 8, "z": -2}, "interpolation": "Linear"}]}},
    {"trackType": "Discrete", "valueType": "bool", "data": {"node": "Lamp", "property": "On",
      "keyframes": [{"time": 0, "value": true}, {"time": 1.5, "value": false}]}}
  ]
}
"#;

fn door() -> Bench {
    Bench::empty().with("door.animj", DOOR)
}

/// Edits the door and returns its tracks.
#[track_caller]
fn edited(edits: &[&str]) -> Value {
    let bench = door();
    let ran = bench.run(&[&["edit", "door.animj", "-o", "out.animj"], edits].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    serde_json::from_slice(&bench.get("out.animj")).unwrap()
}

/// Returns the times and values of the keys of a track.
fn keys(file: &Value, track: usize) -> Vec<(f64, Value)> {
    let keys = file.pointer(&format!("/tracks/{track}/data/keyframes")).unwrap();
    let part = |key: &Value, name: &str| key.get(name).unwrap().clone();
    let keys = keys.as_array().unwrap().iter();
    keys.map(|key| (part(key, "time").as_f64().unwrap(), part(key, "value"))).collect()
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({"x": x, "y": y, "z": z})
}

/// Converts all numbers of a value to floats, however they are written.
fn floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), floats(value))).collect()
        }
        other => other.clone(),
    }
}

#[track_caller]
fn check_positions(file: &Value, expected: &[(f64, [f64; 3])]) {
    let found: Vec<_> = keys(file, 0).iter().map(|(time, value)| (*time, floats(value))).collect();
    let expected: Vec<_> = expected.iter().map(|(time, value)| (*time, vector(*value))).collect();
    assert_eq!(found, expected);
}

#[test]
fn edits_apply_in_the_order_given() {
    // From 0.5 s to 1.5 s, then twice as long; in the other order it is 0.25 s to 0.75 s.
    let first = edited(&["--trim", "0.5:1.5", "--retime", "2"]);
    check_positions(&first, &[(0.0, [1.0, 2.0, -0.5]), (2.0, [3.0, 6.0, -1.5])]);
    let second = edited(&["--retime", "2", "--trim", "0.5:1.5"]);
    check_positions(&second, &[(0.0, [0.5, 1.0, -0.25]), (1.0, [1.5, 3.0, -0.75])]);
}

#[test]
fn a_reversed_lamp_is_off_first() {
    let file = edited(&["--reverse"]);
    check_positions(&file, &[(0.0, [4.0, 8.0, -2.0]), (2.0, [0.0, 0.0, 0.0])]);
    assert_eq!(keys(&file, 1), [(0.0, json!(false)), (0.5, json!(true))]);
}

#[test]
fn axes_and_scale_change_positions() {
    let expected = [(0.0, [0.0, 0.0, -0.0]), (2.0, [2.0, -1.0, -4.0])];
    check_positions(&edited(&["--axes", "x,z,-y", "--scale", "0.5"]), &expected);
    let bench = door();
    let convert = ["convert", "door.animj", "out.animj", "--axes", "x,z,-y", "--axes-at", "all"];
    let convert = [&convert[..], &["--scale", "0.5"]].concat();
    assert_eq!(bench.run(&convert).code, 0);
    check_positions(&serde_json::from_slice(&bench.get("out.animj")).unwrap(), &expected);
}

#[test]
fn tracks_are_chosen_and_renamed() {
    let chosen = edited(&["--select", "*/On"]);
    assert_eq!(chosen["tracks"].as_array().unwrap().len(), 1);
    let dropped = edited(&["--drop", "Lamp", "--rename", "Door=Gate"]);
    assert_eq!(dropped["tracks"].as_array().unwrap().len(), 1);
    assert_eq!(dropped["tracks"][0]["data"]["node"], "Gate");
}

#[test]
fn names_can_be_read_from_a_file() {
    let bench = door().with("names.json", r#"{"Door": "Lamp", "Lamp": "Door"}"#);
    let edit = ["edit", "door.animj", "-o", "out.animj", "--rename", "names.json"];
    assert_eq!(bench.run(&edit).code, 0);
    let file: Value = serde_json::from_slice(&bench.get("out.animj")).unwrap();
    assert_eq!(file["tracks"][0]["data"]["node"], "Lamp");
    assert_eq!(file["tracks"][1]["data"]["node"], "Door");
    let bench = bench.with("names.json", r#"{"Door": "a", "Door": "b"}"#);
    let ran = bench.run(&["edit", "door.animj", "-o", "b.animj", "--rename", "names.json"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("\"Door\" is a duplicate"), "{}", ran.err);
}

#[test]
fn another_file_is_merged_unless_it_animates_the_same_property() {
    let bench = door().with("light.animj", LIGHT);
    let ran = bench.run(&["edit", "door.animj", "-o", "out.animj", "--merge", "light.animj"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(": 3 tracks, 6 keys, 2 s, "), "{}", ran.text());
    let ran = bench.run(&["edit", "door.animj", "-o", "x.animj", "--merge", "door.animj"]);
    ran.fails(
        3,
        "error: door.animj: Door/Position: several clips animate it; drop it from all \
         but one, or rename the node in one of them\n",
    );
    assert_eq!(bench.names(), ["door.animj", "light.animj", "out.animj"]);
}

#[test]
fn findings_of_a_merged_file_have_the_name_of_that_file() {
    let light = LIGHT.replacen("\"node\"", "\"unit\": 1, \"node\"", 1);
    let light = light.replacen("\"name\"", "\"by\": 1, \"name\"", 1);
    let bench = door().with("light.animj", light);
    let merge = ["edit", "door.animj", "-o", "out.animj", "--merge", "light.animj"];
    let ran = bench.run(&merge);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for line in ["    light.animj: /by: unknown ", "    light.animj: /tracks/0/data/unit: unknown "]
    {
        assert!(ran.err.lines().any(|told| told.starts_with(line)), "{}", ran.err);
    }
    let told = bench.run(&[&merge[..], &["--json", "--force"]].concat()).json();
    let paths: Vec<&Value> =
        told[0]["findings"].as_array().unwrap().iter().map(|loss| &loss["path"]).collect();
    // The last one comes from merging: the name of the second clip is dropped.
    assert_eq!(paths, ["light.animj: /by", "light.animj: /tracks/0/data/unit", ""]);
}

#[test]
fn parts_are_written_to_separate_files_and_can_be_joined_again() {
    let bench = Bench::new();
    let split = ["edit", "walk.seanim", "--split=0.5", "--to", "seanim", "--out-dir", "."];
    let ran = bench.run(&split);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.names(), ["walk.1.seanim", "walk.2.seanim", "walk.seanim"]);
    let ran = bench.run(&["edit", "walk.seanim", "-o", "x.seanim", "--split=0.5"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("SEAnim stores one clip"), "{}", ran.err);
    let ran = bench.run(&["edit", "walk.seanim", "-o", "same.seanim", "--split=0.5", "--join"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains("6 tracks"), "{}", ran.text());
}

#[test]
fn a_rest_pose_comes_from_json_or_from_the_first_frame() {
    let json = r#"{"bones": [{"node": "Door", "translation": [1, 2, 3], "scale": [1, 1, 1]}]}"#;
    let bench = door().with("rest.json", json);
    let fill = ["edit", "door.animj", "-o", "out.animj", "--fill", "--skeleton", "rest.json"];
    let ran = bench.run(&fill);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(": 3 tracks, 5 keys, 2 s, "), "{}", ran.text());
    let ran = bench.run(&["edit", "door.animj", "-o", "b.animj", "--fill"]);
    ran.fails(
        2,
        "error: --fill needs a rest pose, and the animation has no skeleton; give one from a \
         .json file or an animation (--skeleton)\n",
    );
    let bench = Bench::new();
    let resolve = ["edit", "walk.seanim", "-o", "pose.seanim", "--resolve"];
    let ran = bench.run(&[&resolve[..], &["--skeleton", "walk.seanim"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.get("pose.seanim"), walk());
}

#[test]
fn findings_of_edits_are_in_the_report_and_strict_refuses_losses() {
    let bench = door();
    let ran = bench.run(&["edit", "--json", "door.animj", "-o", "out.animj", "--resample", "3"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let report = ran.json();
    let mut findings = report[0]["findings"].as_array().unwrap().iter();
    assert!(findings.any(|loss| loss["code"] == "convert/resampled"), "{report}");
    let strict = ["edit", "--strict", "door.animj", "-o", "b.animj", "--resample", "3"];
    let ran = bench.run(&strict);
    assert_eq!(ran.code, 1);
    assert!(
        ran.err.ends_with(" 1 loss, --strict allows none; nothing was written\n"),
        "{}",
        ran.err
    );
    assert_eq!(bench.names(), ["door.animj", "out.animj"]);
}

#[test]
fn edits_without_effect_give_the_same_file() {
    let bench = Bench::new();
    let same = ["edit", "walk.seanim", "-o", "same.seanim", "--trim", ":", "--retime", "1"];
    let ran = bench.run(&same);
    assert_eq!(ran.code, 0);
    assert!(ran.text().ends_with(", no losses\n"), "{}", ran.text());
    assert_eq!(bench.get("same.seanim"), walk());
}

#[test]
fn errors_give_advice() {
    let bench = door();
    let ran =
        |edits: &[&str]| bench.run(&[&["edit", "door.animj", "-o", "x.animj"], edits].concat());
    let none = "error: no edit is requested; `inbetween help edit` lists them, and convert writes a \
                file without edits\n";
    ran(&[]).fails(2, none);
    for (edits, code, words) in [
        (&["--trim", "2:1"][..], 2, "expected a start that is not after the end, found 2 to 1"),
        (&["--retime", "0"], 2, "retime: expected a positive factor such as 2, found 0"),
        (&["--retime", "-1"], 2, "retime: expected a positive factor such as 2, found -1"),
        (&["--retime", "nan"], 2, "retime: expected a positive factor such as 2, found NaN"),
        (&["--resample", "0"], 2, "expected a positive frame rate such as 30, found 0"),
        (&["--resample", "1e12"], 3, "Door/Position: expected at most 4294967295 frames"),
        (&["--resample", "1e9"], 3, "use a lower frame rate or raise the limit"),
        (&["--axes", "x,y"], 2, "expected each of x, y and z once"),
        (&["--select", "a["], 2, "a[: not a pattern"),
        (&["--skeleton", "x.json", "--reverse"], 3, "x.json"),
        (&["--rename", "missing.json"], 3, "missing.json"),
        (&["--merge", "missing.animj"], 3, "missing.animj"),
    ] {
        let ran = ran(edits);
        assert_eq!(ran.code, code, "{edits:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{edits:?}: {}", ran.err);
    }
    assert_eq!(bench.names(), ["door.animj"]);
}

/// Returns the nodes of a file and the names of its markers.
fn names(bench: &Bench, file: &str) -> (Vec<String>, Vec<String>) {
    let info = bench.run(&["info", "--json", file]).json();
    let texts = |list: &str, name: &str| {
        let items = info.pointer(&format!("/0/clips/0/{list}")).unwrap().as_array().unwrap().iter();
        items.map(|item| item.get(name).unwrap().as_str().unwrap().to_owned()).collect()
    };
    (texts("tracks", "node"), texts("markers", "name"))
}

#[test]
fn nodes_properties_and_markers_are_renamed_with_wildcards() {
    let bench = Bench::new();
    let edit = ["edit", "walk.seanim", "-o", "new.seanim", "--rename", "j_*_le=left_*"];
    let ran = bench.run(&edit);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let (nodes, markers) = names(&bench, "new.seanim");
    assert!(nodes.contains(&"left_hip".to_owned()), "{nodes:?}");
    let marker = markers.first().unwrap();
    let rename = format!("{marker}=new_{marker}");
    let edit = ["edit", "walk.seanim", "-o", "marked.seanim", "--rename-marker", &rename];
    assert_eq!(bench.run(&edit).code, 0);
    assert!(names(&bench, "marked.seanim").1.contains(&format!("new_{marker}")));
    let file = edited(&["--rename-property", "O*=Enable*d"]);
    assert_eq!(file["tracks"][1]["data"]["property"], "Enablend");
}

#[test]
fn clips_are_copied_dropped_renamed_and_appended() {
    let bench = door().with("gate.animj", DOOR.replacen("\"door\"", "null", 1));
    let made = |edits: &[&str]| {
        let edit = ["edit", "door.animj", "--to", "x4-ani", "-o", "doors.ani", "--force"];
        let ran = bench.run(&[&edit[..], &["--drop", "Lamp"], edits].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let info = bench.run(&["info", "--json", "doors.ani"]).json();
        let clips = info[0]["clips"].as_array().unwrap().iter();
        clips.map(|clip| clip["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(made(&["--copy-clip", "DOOR=close"]), ["door", "close"]);
    assert_eq!(made(&["--copy-clip", "door=close", "--drop-clip", "d*"]), ["close"]);
    assert_eq!(made(&["--rename-clip", "*=anim_*"]), ["anim_door"]);
    // A clip without a name gets that of its file.
    let appended = made(&["--append", "gate.animj"]);
    assert_eq!(appended, ["door", "gate"]);
}

#[test]
fn a_clip_of_the_same_name_is_not_appended() {
    let bench = door();
    let edit = ["edit", "door.animj", "--to", "x4-ani", "-o", "x.ani"];
    bench.run(&[&edit[..], &["--append", "door.animj"]].concat()).fails(
        2,
        "error: door.animj: two clips would be called 'door' (clip names are case-insensitive); \
         choose another name, or rename one of them (edit --rename-clip)\n",
    );
}

#[test]
fn markers_are_added_and_dropped_at_seconds_and_frames() {
    let bench = Bench::new();
    let edit = ["edit", "walk.seanim", "-o", "new.seanim", "--drop-marker", "*"];
    let ran = bench
        .run(&[&edit[..], &["--add-marker", "15f=middle", "--add-marker", "0=start"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = bench.run(&["info", "--json", "new.seanim"]).json();
    assert_eq!(
        info[0]["clips"][0]["markers"],
        json!([{"time": 0.0, "name": "start"}, {"time": 0.5, "name": "middle"}])
    );
}

#[test]
fn looping_frame_rate_and_blend_mode_can_be_set() {
    let bench = Bench::new();
    let edit = ["edit", "walk.seanim", "-o", "new.seanim"];
    let stated = ["--loop", "off", "--set-fps", "60", "--blend", "additive"];
    let ran = bench.run(&[&edit[..], &stated].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let clip = &bench.run(&["info", "--json", "new.seanim"]).json()[0]["clips"][0];
    assert_eq!((&clip["looping"], &clip["frame_rate"]), (&json!(false), &json!(60.0)));
    assert_eq!(clip["blend"], "additive");
}

#[test]
fn every_edit_accepts_times_in_frames() {
    let bench = Bench::new();
    let run = |edits: &[&str], file: &str| {
        let ran = bench.run(&[&["edit", "walk.seanim", "-o", file, "--force"], edits].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        bench.get(file)
    };
    for (frames, seconds) in [
        (&["--trim", "15f:30f"][..], &["--trim", "0.5:1"][..]),
        (&["--shift", "15f"], &["--shift", "0.5"]),
        (&["--split=15f", "--join"], &["--split=0.5", "--join"]),
    ] {
        assert_eq!(run(frames, "frames.seanim"), run(seconds, "seconds.seanim"), "{frames:?}");
    }
    // AnimJ has no frame rate.
    door().run(&["edit", "door.animj", "-o", "x.animj", "--trim", "0f:15f"]).fails(
        2,
        "error: door.animj: frames are counted, and the clip has no frame rate; use seconds, or \
         set the rate first (edit --set-fps)\n",
    );
    let ran =
        door().run(&["edit", "door.animj", "-o", "x.animj", "--set-fps=30", "--trim", ":15f"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn patterns_are_lists_with_braces_in_any_case_if_requested() {
    let count = |edits: &[&str]| edited(edits)["tracks"].as_array().unwrap().len();
    assert_eq!(count(&["--select", "{Door,Lamp}/*"]), 2);
    assert_eq!(count(&["--drop", "Door,Lamp/On"]), 0);
    assert_eq!(count(&["--ignore-case", "--drop", "door"]), 1);
    let file = edited(&["--ignore-case", "--rename", "DOOR=Gate"]);
    assert_eq!(file["tracks"][0]["data"]["node"], "Gate");
}

#[test]
fn names_that_match_nothing_are_errors_that_suggest_similar_names() {
    for (edits, message) in [
        (["--drop", "Dor"], "no track matches 'Dor'; did you mean 'Door'?"),
        (["--select", "Door,lamp"], "no track matches 'lamp'; did you mean 'Lamp'?"),
        (
            ["--select", "Door/position"],
            "no track matches 'Door/position'; did you mean 'Door/Position'?",
        ),
        (["--drop", "Weapon*"], "no track matches 'Weapon*'; `inbetween info --all` lists them"),
        (["--rename", "Dooor=Gate"], "no node matches 'Dooor'; did you mean 'Door'?"),
        (
            ["--rename-property", "Om=Off"],
            "no property matches 'Om'; `inbetween info --all` lists them",
        ),
        (["--rename-clip", "dor=gate"], "no clip matches 'dor'; did you mean 'door'?"),
        (["--copy-clip", "dor=gate"], "no clip matches 'dor'; did you mean 'door'?"),
        (["--drop-clip", "Door"], "no clip matches 'Door'; did you mean 'door'?"),
        (["--drop-marker", "step"], "no marker matches 'step'; the file has none"),
    ] {
        let ran = door().run(&[&["edit", "door.animj", "-o", "x.animj"], &edits[..]].concat());
        ran.fails(2, &format!("error: door.animj: {message}\n"));
    }
}

#[test]
fn a_batch_needs_a_match_in_one_file_only() {
    let bench = Bench::empty().with("in/door.animj", DOOR).with("in/light.animj", LIGHT);
    let edit = ["edit", "in", "--to", "animj", "--out-dir", "out", "--drop"];
    let ran = bench.run(&[&edit[..], &["Door"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("warning: edit/pattern-unused: 1 in 1 file\n"), "{}", ran.err);
    let ran = bench.run(&[&edit[..], &["Window", "--force"]].concat());
    assert_eq!(ran.code, 2);
    let last = "error: no track matches Window: no file of the batch has it\n";
    assert!(ran.err.ends_with(last), "{}", ran.err);
}

#[test]
fn wrong_values_of_edits_say_what_is_expected() {
    for (edits, words) in [
        (["--loop", "yes"], "--loop: expected on or off, found 'yes'"),
        (
            ["--blend", "add"],
            "--blend: expected absolute, additive, relative or delta, found 'add'",
        ),
        (["--set-fps", "0"], "frame rate: expected a positive number such as 30, found 0"),
        (["--add-marker", "step"], "--add-marker: expected TIME=NAME, found 'step'"),
        (
            ["--add-marker", "x=step"],
            "expected seconds such as 0.5 or frames such as 15f, found 'x'",
        ),
        (["--copy-clip", "door"], "--copy-clip: expected OLD=NEW, found 'door'"),
        (["--rename", "Door=*"], "the new name has 1 wildcard, but the old one has no wildcards"),
        (["--select", "{Door"], "a brace is not closed"),
        (["--append", "missing.animj"], "missing.animj: no such file or directory"),
    ] {
        let ran = door().run(&[&["edit", "door.animj", "-o", "x.animj"], &edits[..]].concat());
        assert!(matches!(ran.code, 2 | 3), "{edits:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{edits:?}: {}", ran.err);
    }
}

#[test]
fn a_trim_beyond_the_end_warns() {
    let bench = door();
    let ran = bench.run(&["edit", "door.animj", "-o", "x.animj", "--trim", "1:5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(", 1 warning"), "{}", ran.text());
    let warning = "door.animj: warnings:\n  warning (note): edit/beyond-end\n    the range ends \
                   3 s after the end of the clip at 2 s\n";
    assert!(ran.err.contains(warning), "{}", ran.err);
}

#[test]
fn frames_are_read_at_another_rate() {
    let bench = Bench::new();
    let clip = |file: &str| {
        let clip = bench.run(&["info", "--json", file]).json()[0]["clips"][0].clone();
        (clip["frame_rate"].as_f64().unwrap(), clip["duration"].as_f64().unwrap())
    };
    assert_eq!(clip("walk.seanim"), (30.0, 1.0));
    for (command, output) in [("convert", "slow.seanim"), ("edit", "slow.cast")] {
        let edit: &[&str] = if command == "edit" { &["--loop", "on"] } else { &[] };
        let given = ["walk.seanim", "-v", "--from-fps", "15", "-o", output];
        let ran = bench.run(&[&[command][..], &given, edit].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("30 frames per second became 15"), "{}", ran.err);
        assert!(!ran.err.contains("times-rounded"), "{}", ran.err);
        assert_eq!(clip(output), (15.0, 2.0));
    }
    let sampled = |file: &str, options: &[&str]| {
        let ran = bench.run(&[&["sample", file, "--at", "1,2"][..], options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert_eq!(sampled("walk.seanim", &["--from-fps", "15"]), sampled("slow.seanim", &[]));
    // The output has the frames of the input, at the rate that it states.
    let exact = bench.run(&["convert", "slow.seanim", "back.seanim", "--from-fps", "30"]);
    assert_eq!(exact.code, 0, "{}", exact.err);
    let diff = bench.run(&["diff", "walk.seanim", "back.seanim", "--exact"]);
    assert_eq!(diff.code, 0, "{}", diff.text());
}

#[test]
fn seconds_have_no_frames_to_read_at_another_rate() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj"]).code, 0);
    for arguments in [
        &["convert", "walk.animj", "out.seanim", "--from-fps", "15"][..],
        &["edit", "walk.animj", "-o", "out.seanim", "--from-fps", "15", "--reverse"],
        &["sample", "walk.animj", "--from-fps", "15"],
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.err);
        let expected = "walk.animj: the clip states no frame rate, so its keys have seconds and no \
                        frames; change its length instead (edit --retime)";
        assert!(ran.err.contains(expected), "{arguments:?}: {}", ran.err);
    }
    let ran = bench.run(&["convert", "walk.seanim", "out.animj", "--from-fps", "0"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(bench.names(), ["walk.animj", "walk.seanim"]);
}

#[test]
fn a_clip_is_retimed_by_a_ratio_and_to_a_length() {
    let bench = Bench::new();
    let duration = |value: &str| {
        let edit = ["edit", "walk.seanim", "-o", "out.animj", "--force", "--retime", value];
        assert_eq!(bench.run(&edit).code, 0);
        let info = bench.run(&["info", "--json", "out.animj"]).json();
        info[0]["clips"][0]["duration"].as_f64().unwrap()
    };
    assert_eq!(["2", "1/4", "4s", "60f"].map(duration), [2.0, 0.25, 4.0, 2.0]);
}

/// A glTF file with a clip of two numbered nodes, and one that starts late.
fn late() -> Bench {
    let bench = Bench::empty().with("late.animj", LATE);
    bench.run(&["convert", "late.animj", "late.glb"]).succeeds();
    bench
}

/// A lamp that is brighter from 4 to 6 s, beside a part that never changes.
const LATE: &str = r#"{"name": "Swim", "globalDuration": 6, "tracks": [
  {"trackType": "Curve", "valueType": "float3", "data": {"node": "Fin", "property": "Position", "keyframes": [
    {"time": 4, "value": {"x": 1, "y": 0, "z": 0}, "interpolation": "Linear"},
    {"time": 5, "value": {"x": 2, "y": 0, "z": 0}, "interpolation": "Linear"},
    {"time": 6, "value": {"x": 3, "y": 0, "z": 0}, "interpolation": "Linear"}]}},
  {"trackType": "Curve", "valueType": "float3", "data": {"node": "Fin", "property": "Scale", "keyframes": [
    {"time": 4, "value": {"x": 1, "y": 1, "z": 1}, "interpolation": "Linear"},
    {"time": 6, "value": {"x": 1, "y": 1, "z": 1}, "interpolation": "Linear"}]}}
]}
"#;

#[test]
fn a_clip_starts_at_its_first_key_which_info_prints() {
    let bench = late();
    let info = |name: &str| bench.run(&["info", "--all", name]).text().to_owned();
    let first = info("late.glb");
    assert!(first.contains("'Swim': 6 s, first key at 4 s, absolute"), "{first}");
    assert!(first.contains("    #1  Fin  Position"), "{first}");
    bench.run(&["edit", "late.glb", "-o", "out.glb", "--start", "0"]).succeeds();
    let started = info("out.glb");
    assert!(started.contains("'Swim': 2 s, absolute"), "{started}");
    let json = bench.run(&["info", "--json", "late.glb"]).json();
    assert_eq!(json[0]["clips"][0]["first_key"], json!(4.0));
}

#[test]
fn a_loop_is_closed_and_constant_tracks_are_dropped() {
    let bench = late();
    let edits = ["--start", "0", "--close-loop", "--drop-constant", "-v"];
    let ran = bench.run(&[&["edit", "late.animj", "-o", "out.animj"], &edits[..]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("edit/loop-closed\n    1 track at 3 s\n"), "{}", ran.err);
    assert!(ran.err.contains("edit/constant-dropped\n    1 track\n"), "{}", ran.err);
    let file: Value = serde_json::from_slice(&bench.get("out.animj")).unwrap();
    let times: Vec<f64> = keys(&file, 0).into_iter().map(|(time, _)| time).collect();
    assert_eq!(times, [0.0, 1.0, 2.0, 3.0]);
    assert_eq!(keys(&file, 0)[3].1["x"], json!(1));
    assert_eq!(file["tracks"].as_array().unwrap().len(), 1);
}

#[test]
fn tracks_are_chosen_by_number_and_their_values_multiplied() {
    let out = edited(&["--scale-values", "#1=1.5", "--drop", "#2"]);
    assert_eq!(keys(&out, 0)[1].1, json!({"x": 6, "y": 12, "z": -3}));
    assert_eq!(out["tracks"].as_array().unwrap().len(), 1);
    let bench = door();
    let missing = ["edit", "door.animj", "-o", "out.animj", "--drop", "#3"];
    bench
        .run(&missing)
        .fails(2, "error: door.animj: no track matches '#3'; `inbetween info --all` lists them\n");
}

#[test]
fn clips_of_a_file_become_one() {
    let bench = late().with("door.animj", DOOR);
    let both = ["edit", "late.glb", "-o", "both.glb", "--append", "door.animj"];
    bench.run(&both).succeeds();
    bench.run(&["edit", "both.glb", "-o", "one.animj", "--merge-clips"]).succeeds();
    let file: Value = serde_json::from_slice(&bench.get("one.animj")).unwrap();
    assert_eq!(file["tracks"].as_array().unwrap().len(), 4);
    let twice = ["edit", "late.glb", "-o", "x.glb", "--copy-clip", "Swim=Again", "--merge-clips"];
    let ran = bench.run(&twice);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("Fin/Position: several"), "{}", ran.err);
}

#[test]
fn a_copy_of_the_same_command_can_be_edited() {
    let bench = late();
    let edits = ["--copy-clip", "Swim=Fast", "--clip", "Fast", "--start", "0", "--retime", "0.5"];
    bench.run(&[&["edit", "late.glb", "-o", "out.glb"], &edits[..]].concat()).succeeds();
    let info = bench.run(&["info", "--json", "out.glb"]).json();
    let clips = info[0]["clips"].as_array().unwrap();
    let lengths: Vec<_> = clips.iter().map(|clip| (&clip["name"], &clip["duration"])).collect();
    assert_eq!(lengths, [(&json!("Swim"), &json!(6.0)), (&json!("Fast"), &json!(1.0))]);
    let early = ["--reverse", "--copy-clip", "Swim=Fast", "--clip", "Fast"];
    let ran = bench.run(&[&["edit", "late.glb", "-o", "x.glb"], &early[..]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--copy-clip comes before all other edits"), "{}", ran.err);
    // A format of one clip gets the copy.
    bench.run(&[&["edit", "late.glb", "-o", "out.animj"], &edits[..]].concat()).succeeds();
    let file: Value = serde_json::from_slice(&bench.get("out.animj")).unwrap();
    assert_eq!((&file["name"], &file["globalDuration"]), (&json!("Fast"), &json!(1)));
}

#[test]
fn a_number_chooses_no_track_of_a_partial_file() {
    let bench =
        Bench::empty().with("a.glb", crate::bench::fixture("gltf", "one-view-beyond-the-buffer"));
    let ran = bench.run(&["edit", "a.glb", "-o", "b.glb", "--drop", "#1"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("#1 is no certain track"), "{}", ran.err);
}
