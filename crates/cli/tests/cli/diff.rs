//! `diff`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, fixture, walk};

/// A file whose only track is a float3 curve of A/Position with the given keys.
fn slide(name: &str, track: &str, keys: &str) -> String {
    format!(
        r#"{{"name": "{name}", "globalDuration": 2, "tracks": [{{"trackType": "{track}",
        "valueType": "float3", "data": {{"node": "A", "property": "Position",
        "keyframes": [{keys}]}}}}]}}"#
    )
}

fn key(time: f64, x: f64) -> String {
    format!(
        r#"{{"time": {time}, "value": {{"x": {x}, "y": 1, "z": 2}}, "interpolation": "Linear"}}"#
    )
}

/// Two linear tracks, the second with a bend at 1.5 s.
fn bent() -> Bench {
    let straight = [key(0.0, 0.0), key(2.0, 4.0)].join(",");
    let bent = [key(0.0, 0.0), key(1.0, 2.0), key(1.5, 3.5), key(2.0, 4.0)].join(",");
    Bench::empty()
        .with("a.animj", slide("s", "Curve", &straight))
        .with("b.animj", slide("s", "Curve", &bent))
}

#[test]
fn a_file_does_not_differ_from_itself() {
    let bench = Bench::new().with("light.animj", LIGHT);
    for (file, said) in [
        ("walk.seanim", "no differences above 1e-5 (5 properties)\n"),
        ("light.animj", "no differences above 1e-5 (1 property)\n"),
    ] {
        for more in [&[][..], &["--exact"]] {
            let ran = bench.run(&[&["diff", file, file], more].concat());
            assert_eq!((ran.code, ran.err.as_str(), ran.text()), (0, "", said));
        }
    }
}

#[test]
fn prints_the_largest_difference_and_its_time() {
    let ran = bent().run(&["diff", "a.animj", "b.animj"]);
    let said = "\
clip 's'
  ~ A/Position: up to 0.5 at 1.5 s (from 1 s to 2 s); 2 -> 4 keys
1 property changed; up to 0.5 in A/Position at 1.5 s
";
    assert_eq!((ran.code, ran.err.as_str(), ran.text()), (1, "", said));
    let ran = bent().run(&["diff", "a.animj", "b.animj", "--tolerance", "0.51"]);
    assert_eq!((ran.code, ran.text()), (0, "no differences above 0.51 (1 property)\n"));
}

#[test]
fn prints_the_comparison_as_json() {
    let ran = bent().run(&["diff", "a.animj", "b.animj", "--json"]);
    let mut found = ran.json();
    let played = found[0]["clips"][0]["tracks"][0]["played"].take();
    let near = |member: &str, value: f64| {
        let found = played[member].as_f64().unwrap();
        assert!((found - value).abs() < 1e-4, "{member}: {found}");
    };
    near("largest", 0.5);
    near("at", 1.5);
    near("from", 1.0);
    near("to", 2.0);
    assert_eq!(played["measure"], "value");
    let expected = json!([{
        "before": "a.animj",
        "after": "b.animj",
        "equal": false,
        "tolerance": 1e-5,
        "clips": [{
            "name": "s",
            "status": "changed",
            "facts": [],
            "equal_tracks": 0,
            "tracks": [{
                "node": "A",
                "property": "Position",
                "status": "changed",
                "keys": [2, 4],
                "played": null
            }],
            "markers": []
        }]
    }]);
    assert_eq!((ran.code, found), (1, expected));
}

#[test]
fn keys_that_play_the_same_differ_only_if_they_are_compared() {
    let two = [key(0.0, 0.0), key(2.0, 4.0)].join(",");
    let three = [key(0.0, 0.0), key(1.0, 2.0), key(2.0, 4.0)].join(",");
    let bench = Bench::empty()
        .with("a.animj", slide("s", "Curve", &two))
        .with("b.animj", slide("s", "Curve", &three));
    assert_eq!(bench.run(&["diff", "a.animj", "b.animj"]).code, 0);
    let ran = bench.run(&["diff", "a.animj", "b.animj", "--exact"]);
    let said = "\
clip 's'
  ~ A/Position: 2 -> 3 keys; keys differ from key 1 on
1 property changed
";
    assert_eq!((ran.code, ran.text()), (1, said));
}

#[test]
fn rotations_are_compared_by_angle_in_any_representation() {
    let bench = Bench::empty().with("spin.ani", fixture("x4-ani", "angle-key"));
    let made = bench.run(&["convert", "spin.ani", "spin.animj"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let ran = bench.run(&["diff", "spin.ani", "spin.animj", "--tolerance", "0.001"]);
    assert!(!ran.text().contains("Rotation"), "{}", ran.text());
}

#[test]
fn a_conversion_is_compared_by_the_rules_of_both_engines() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj", "--axes", "keep"]).code, 0);
    let ran = bench.run(&["diff", "walk.seanim", "walk.animj"]);
    let said = "\
clip
  frame rate: 30 frames per second -> none
  looped: yes -> no
every track plays the same
";
    assert_eq!((ran.code, ran.text()), (1, said));
}

#[test]
fn lists_what_an_edit_changed() {
    let bench = Bench::new();
    let edit = ["edit", "walk.seanim", "-o", "new.seanim", "--drop", "tag_origin/Position"];
    assert_eq!(bench.run(&edit).code, 0);
    let ran = bench.run(&["diff", "walk.seanim", "new.seanim"]);
    let line = "  - tag_origin/Position: 3 keys\n";
    assert_eq!(ran.code, 1);
    assert!(ran.text().contains(line) && ran.text().ends_with("1 property removed\n"));
    let ran = bench.run(&["diff", "new.seanim", "walk.seanim"]);
    assert!(ran.text().contains("  + tag_origin/Position: 3 keys\n"), "{}", ran.text());
    let ran = bench.run(&["diff", "new.seanim", "walk.seanim", "--track", "j_hip_le"]);
    assert_eq!(ran.code, 0, "{}", ran.text());
}

#[test]
fn lists_moved_added_and_removed_markers() {
    let bytes = walk();
    let renamed = String::from_utf8_lossy(&bytes).into_owned();
    assert!(renamed.contains("step_left"));
    let place = bytes.windows(9).position(|window| window == b"step_left").unwrap();
    let mut other = bytes.clone();
    other[place..place + 9].copy_from_slice(b"step_LEFT");
    let bench = Bench::new().with("other.seanim", other);
    let ran = bench.run(&["diff", "walk.seanim", "other.seanim"]);
    let said = "\
clip
  - marker 'sndnt#step_left': 0.2333 s
  + marker 'sndnt#step_LEFT': 0.2333 s
every track plays the same
";
    assert_eq!((ran.code, ran.text()), (1, said));
}

#[test]
fn lists_added_and_removed_clips() {
    let bench = Bench::empty()
        .with("two.ani", fixture("x4-ani", "interleaved-clips"))
        .with("light.animj", LIGHT);
    let ran = bench.run(&["diff", "two.ani", "light.animj"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.text().matches("\n- clip '").count() + ran.text().matches("+ clip '").count(),
        2
    );
    let same = bench.run(&["diff", "two.ani", "two.ani", "--json"]).json();
    assert_eq!(same[0]["equal"], true);
    let statuses = same[0]["clips"].as_array().unwrap().iter().map(|clip| clip["status"].clone());
    assert_eq!(statuses.collect::<Vec<_>>(), ["equal", "equal"]);
}

#[test]
fn a_jump_may_move_only_by_the_rounding_of_its_time() {
    let file = |time: f64| LIGHT.replace("0.5", &time.to_string());
    let bench = Bench::empty()
        .with("a.animj", LIGHT)
        .with("near.animj", file(0.500_000_06))
        .with("far.animj", file(0.6));
    assert_eq!(bench.run(&["diff", "a.animj", "near.animj"]).code, 0);
    let ran = bench.run(&["diff", "a.animj", "far.animj"]);
    assert_eq!(ran.code, 1);
    let line = "(from 0.5 s to 0.6 s); key times up to 0.1 s apart\n";
    assert!(ran.text().contains(line), "{}", ran.text());
}

#[test]
fn mistakes_are_named() {
    let bench = Bench::new();
    let diff = |arguments: &[&str]| bench.run(&[&["diff", "walk.seanim"], arguments].concat());
    assert_eq!(diff(&[]).code, 2);
    diff(&["no.seanim"]).fails(3, "error: no.seanim: no such file or directory\n");
    diff(&["walk.seanim", "--tolerance", "-1"])
        .fails(2, "error: --tolerance: expected a number of at least 0, found -1\n");
    diff(&["walk.seanim", "--tolerance", "much"])
        .fails(2, "error: --tolerance: expected a number such as 0.5, found 'much'\n");
    diff(&["walk.seanim", "--track", "nothing"]).fails(
        2,
        "error: walk.seanim: --track matches no track; a track of this file is tag_origin/Position\n",
    );
    bench.run(&["diff", "-", "-"]).fails(2, "error: standard input can be read only once\n");
}
