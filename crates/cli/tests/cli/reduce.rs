//! `edit --reduce`, and its report about the written file.

use serde_json::{Value, json};

use crate::bench::{Bench, Ran};

/// Returns a clip of some tracks.
fn clip(duration: f64, tracks: &[Value]) -> String {
    json!({"name": "door", "globalDuration": duration, "tracks": tracks}).to_string()
}

/// Returns a track of a door with linear segments between its keys.
fn track(kind: &str, property: &str, keys: &[(f64, Value)]) -> Value {
    let key = |(time, value): &(f64, Value)| json!({"time": time, "value": value, "interpolation": "Linear"});
    let keys: Vec<Value> = keys.iter().map(key).collect();
    let data = json!({"node": "Door", "property": property, "keyframes": keys});
    json!({"trackType": "Curve", "valueType": kind, "data": data})
}

fn at(x: f64, y: f64) -> Value {
    json!({"x": x, "y": y, "z": 0})
}

/// A door that is 0.25 off a straight line at 1 of 2 s, and turns by half a radian about z.
fn bent() -> String {
    let turn = |half: f64| json!({"x": 0, "y": 0, "z": half.sin(), "w": half.cos()});
    let positions = [(0.0, at(0.0, 0.0)), (1.0, at(0.0, 0.25)), (2.0, at(0.0, 0.0))];
    let rotations = [(0.0, turn(0.0)), (1.0, turn(0.25)), (2.0, turn(0.0))];
    let tracks = [track("float3", "Position", &positions), track("floatQ", "Rotation", &rotations)];
    clip(2.0, &tracks)
}

/// A linear track of 10 per second, whose last key is on a frame of no common rate.
fn off_frame() -> String {
    let positions = [(0.0, at(0.0, 0.0)), (1.0, at(10.0, 0.0)), (1.018, at(10.18, 0.0))];
    clip(1.018, &[track("float3", "Position", &positions)])
}

/// Returns the messages of the findings of a code.
fn messages(ran: &Ran, code: &str) -> Vec<String> {
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let report = ran.json();
    let files = report.as_array().unwrap().iter();
    let findings = files.flat_map(|file| file["findings"].as_array().unwrap());
    let of_code = findings.filter(|loss| loss["code"] == code);
    of_code.map(|loss| loss["message"].as_str().unwrap().to_owned()).collect()
}

fn reduce(bench: &Bench, input: &str, output: &str, bounds: &str) -> Ran {
    bench.run(&["edit", "--json", input, "-o", output, "--reduce", bounds])
}

#[test]
fn every_format_states_the_error_of_the_written_file() {
    let bench = Bench::empty().with("bent.animj", bent());
    for extension in ["animj", "animx", "seanim", "ani"] {
        let output = format!("out.{extension}");
        let ran = reduce(&bench, "bent.animj", &output, "position=0.5,angle=1");
        let told = messages(&ran, "edit/reduction-measured");
        let [told] = told.as_slice() else { panic!("{extension}: {told:?}") };
        assert!(
            told == "position 0.25 (bound 0.5), angle 0.5 rad (bound 1)",
            "{extension}: {told}"
        );
        assert_eq!(messages(&ran, "edit/bound-exceeded"), [""; 0], "{extension}");
        // Each track has two keys left.
        let info = bench.run(&["info", "--json", &output]).json();
        let tracks = info[0]["clips"][0]["tracks"].as_array().unwrap().clone();
        assert!(tracks.iter().all(|track| track["keys"] == 2), "{extension}: {tracks:?}");
    }
}

#[test]
fn the_printed_report_states_the_error_too() {
    let bench = Bench::empty().with("bent.animj", bent());
    let edit = ["edit", "bent.animj", "-o", "out.animj", "-v", "--reduce", "position=0.5"];
    let ran = bench.run(&edit);
    assert_eq!(ran.code, 0);
    let told = "info (note): edit/reduction-measured\n    position 0.25 (bound 0.5)\n";
    assert!(ran.err.contains(told), "{}", ran.err);
}

#[test]
fn an_exceeded_bound_is_reported_with_the_track() {
    let bench = Bench::empty().with("late.animj", off_frame());
    // No common rate fits 1.018 s, so 30 is used and the last key moves to frame 31. With the key
    // of frame 30 the value there is 10, without it 10.18 times 30/31.
    let ran = reduce(&bench, "late.animj", "out.seanim", "0.001");
    assert_eq!(
        messages(&ran, "edit/bound-exceeded"),
        ["off by 0.1484 at 1 s, the position bound is 0.001"]
    );
    assert_eq!(messages(&ran, "edit/reduction-measured"), ["position 0.1484 (bound 0.001)"]);
    // AnimJ keeps the times, so the bound holds.
    let ran = reduce(&bench, "late.animj", "out.animj", "0.001");
    assert_eq!(messages(&ran, "edit/bound-exceeded"), [""; 0]);
    let strict = ["edit", "--strict", "late.animj", "-o", "no.seanim", "--reduce", "0.001"];
    assert_eq!(bench.run(&strict).code, 1);
    assert_eq!(bench.names(), ["late.animj", "out.animj", "out.seanim"]);
}

#[test]
fn a_bound_for_positions_does_not_change_rotations() {
    let bench = Bench::empty().with("bent.animj", bent());
    let ran = reduce(&bench, "bent.animj", "out.animj", "position=0.5");
    assert_eq!(messages(&ran, "edit/reduction-measured"), ["position 0.25 (bound 0.5)"]);
    let file: Value = serde_json::from_slice(&bench.get("out.animj")).unwrap();
    let before: Value = serde_json::from_str(&bent()).unwrap();
    let keys = |file: &Value, track: usize| {
        let keys = file.pointer(&format!("/tracks/{track}/data/keyframes")).unwrap();
        keys.as_array().unwrap().len()
    };
    assert_eq!((keys(&file, 0), keys(&file, 1)), (2, 3));
    assert_eq!(keys(&before, 1), 3);
}

#[test]
fn an_edit_after_the_reduction_is_measured_too() {
    let bench = Bench::empty().with("bent.animj", bent());
    let edit = ["edit", "--json", "bent.animj", "-o", "out.animj", "--reduce", "position=0.25"];
    let ran = bench.run(&[&edit[..], &["--scale", "4"]].concat());
    assert_eq!(
        messages(&ran, "edit/bound-exceeded"),
        ["off by 1 at 1 s, the position bound is 0.25"]
    );
}

#[test]
fn separate_and_combined_clips_are_measured() {
    let bench = Bench::empty().with("bent.animj", bent()).with("late.animj", off_frame());
    let merged = ["edit", "--json", "bent.animj", "late.animj", "--to", "x4-ani", "-o", "all.ani"];
    let ran = bench.run(&[&merged[..], &["--reduce", "position=0.5"]].concat());
    let said = (ran.code, ran.err.as_str());
    assert_eq!(said, (0, "2 files put into one, 0 skipped\n"));
    let report = ran.json();
    let findings = report[0]["findings"].as_array().unwrap();
    let mut messages_of = findings.iter().filter(|loss| loss["code"] == "edit/reduction-measured");
    assert_eq!(messages_of.next().unwrap()["message"], "position 0.25 (bound 0.5)");
    assert!(messages_of.next().is_none());
    let apart = ["edit", "--json", "all.ani", "--to", "animj", "--out-dir", "."];
    let ran = bench.run(&[&apart[..], &["--reduce", "position=0.5"]].concat());
    let told = messages(&ran, "edit/reduction-measured");
    assert_eq!(told.len(), 2, "{told:?}");
}
