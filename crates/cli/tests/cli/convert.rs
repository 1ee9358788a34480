//! `convert`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, walk};
use crate::formats;

#[test]
fn reports_the_conversion_and_its_losses() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "walk.seanim", "walk.animj"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let did = "walk.seanim (SEAnim) -> walk.animj (AnimJ): 5 tracks, 9 keys, 2 markers, 1 s, ";
    assert!(ran.text().starts_with(did), "{}", ran.text());
    assert!(ran.text().ends_with(" 1 loss, 1 warning, 3 notes (see -v)\n"), "{}", ran.text());
    let line = "axes: X mirrored, right-handed -> left-handed; unit: cm assumed (--unit in, --axes keep)\n";
    let rest = ran.err.strip_prefix(line).unwrap_or_else(|| panic!("{}", ran.err));
    assert!(rest.starts_with("walk.seanim: lost or changed:\n"), "{rest}");
    assert!(ran.err.contains("  warning (loss): convert/looping-dropped\n"), "{}", ran.err);
    // AnimJ does not store a frame rate, and times in seconds stay.
    assert!(!ran.err.contains("convert/frame-rate-dropped"), "{}", ran.err);
}

#[test]
fn a_round_trip_gives_the_same_file() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj"]).code, 0);
    let ran = bench.run(&["convert", "walk.animj", "back.seanim", "--fps", "30"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // Everything except looping, which AnimJ does not store.
    let mut expected = walk();
    expected[0x0b] = 0;
    assert_eq!(bench.get("back.seanim"), expected);
}

#[test]
fn a_format_converts_to_itself() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "walk.seanim", "-o", "same.seanim"]);
    assert_eq!(ran.code, 0);
    assert!(ran.text().ends_with(", no losses\n"), "{}", ran.text());
    assert_eq!(bench.get("same.seanim"), walk());
}

#[test]
fn strict_refuses_a_loss_and_writes_nothing() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "--strict", "walk.seanim", "walk.animj"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.is_empty());
    let last = ran.err.lines().last().unwrap();
    assert!(last.starts_with("error: walk.seanim: "), "{last}");
    assert!(last.ends_with(" 1 loss, --strict allows none; nothing was written"), "{last}");
    assert_eq!(bench.names(), ["walk.seanim"]);
    assert_eq!(bench.run(&["convert", "--strict", "walk.seanim", "same.seanim"]).code, 0);
}

#[test]
fn losses_are_listed_and_notes_are_counted() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "walk.seanim", "walk.ani"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().ends_with(" losses, 1 warning, 5 notes (see -v)\n"), "{}", ran.text());
    assert!(!ran.err.contains("info (note)"), "{}", ran.err);
    let ran = bench.run(&["convert", "walk.seanim", "walk.ani", "--force", "-v"]);
    assert!(ran.text().ends_with(" losses, 1 warning, 5 notes\n"), "{}", ran.text());
    let (losses, notes) = ran.err.split_once("walk.seanim: notes:\n").unwrap();
    assert!(losses.contains("walk.seanim: lost or changed:\n"), "{losses}");
    assert!(!losses.contains("info (note)"), "{losses}");
    assert!(notes.contains("  info (note): "), "{notes}");
}

#[test]
fn a_report_without_losses_does_not_list_any() {
    let bench = Bench::empty().with("light.animj", LIGHT);
    let ran = bench.run(&["convert", "light.animj", "-v", "light.animx"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(", no losses"), "{}", ran.text());
    assert!(!ran.err.contains("lost or changed"), "{}", ran.err);
}

#[test]
fn strict_accepts_allowed_losses() {
    let bench = Bench::new();
    let strict = |allow: &[&str]| {
        let convert = ["convert", "--strict", "walk.seanim", "walk.ani", "--force"];
        bench.run(&[&convert[..], allow].concat())
    };
    let ran = strict(&["--allow", "convert/markers-dropped"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let last = ran.err.lines().last().unwrap();
    assert!(last.ends_with(": 1 loss, --allow does not accept it; nothing was written"), "{last}");
    let hint = "To accept this loss, pass --allow convert/looping-dropped.";
    assert_eq!(ran.err.matches(hint).count(), 1, "{}", ran.err);
    assert!(!ran.err.contains("pass --allow convert/markers-dropped"), "{}", ran.err);
    assert_eq!(strict(&["--allow", "convert/*"]).code, 0);
    assert_eq!(bench.names(), ["walk.ani", "walk.seanim"]);
}

#[test]
fn allow_takes_known_codes_and_only_with_strict() {
    let bench = Bench::new();
    let convert = ["convert", "walk.seanim", "walk.animj", "--allow", "convert/looping-droped"];
    let ran = bench.run(&convert);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--strict"), "{}", ran.err);
    bench.run(&[&convert[..], &["--strict"]].concat()).fails(
        2,
        "error: --allow convert/looping-droped: no finding has this code; did you mean \
         convert/looping-dropped?\n",
    );
    assert_eq!(bench.names(), ["walk.seanim"]);
}

#[test]
fn prints_an_array_with_an_object_for_each_input() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "--json", "walk.seanim", "walk.animj"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let mut found = ran.json();
    let findings = found[0]["findings"].take();
    let expected = json!([{
        "input": "walk.seanim",
        "output": "walk.animj",
        "from": "seanim",
        "to": "animj",
        "bytes": bench.get("walk.animj").len(),
        "findings": null,
        "written": true,
            "skipped": null,
        "partial": false,
        "error": null
    }]);
    assert_eq!(found, expected);
    let rate = findings.as_array().unwrap().iter();
    let rate = rate.filter(|loss| loss["code"] == "convert/frame-rate-dropped").count();
    assert_eq!(rate, 1);
    let refused = bench.run(&["convert", "--json", "--strict", "walk.seanim", "b.animj"]);
    assert_eq!(refused.code, 1);
    let refused = refused.json();
    assert_eq!((&refused[0]["written"], &refused[0]["bytes"]), (&json!(false), &json!(null)));
    assert!(!refused[0]["findings"].as_array().unwrap().is_empty());
}

#[test]
fn an_option_of_a_format_is_a_flag() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "walk.animj"]).code, 0);
    let ran = bench.run(&["convert", "walk.animj", "fast.seanim", "--fps", "60"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let info = bench.run(&["info", "--json", "fast.seanim"]).json();
    assert_eq!(info[0]["clips"][0]["frame_rate"], 60.0);
    assert_eq!(info[0]["clips"][0]["duration"], 1.0);
}

#[test]
fn a_flag_without_effect_is_wrong_usage_and_the_error_names_its_formats() {
    let error = format!(
        "error: --fps has no effect here; it applies only when reading or writing {}\n",
        formats::with_option("fps").join(" or ")
    );
    let bench = Bench::new().with("light.animj", LIGHT);
    let ran = bench.run(&["convert", "light.animj", "new.animj", "--fps", "60"]);
    ran.fails(2, &error);
    let ran = bench.run(&["info", "light.animj", "--fps", "60"]);
    ran.fails(2, &error);
}

#[test]
fn an_invalid_value_of_a_flag_is_wrong_usage() {
    let ran = Bench::new().run(&["convert", "walk.seanim", "x.seanim", "--fps", "-5"]);
    ran.fails(
        2,
        "error: option fps: bvh expects a positive number of frames per second, found '-5'\n",
    );
}

#[test]
fn a_program_sets_the_options_that_it_needs() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "walk.seanim", "walk.glb", "--for", "blender"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("for Blender: --curves bake\n"), "{}", ran.err);
    let given =
        ["convert", "walk.seanim", "-f", "walk.glb", "--for", "blender", "--curves", "spline"];
    let ran = bench.run(&given);
    assert!(ran.err.starts_with("for Blender: no option is needed\n"), "{}", ran.err);
    bench
        .run(&["convert", "walk.seanim", "x.glb", "--for", "x4"])
        .fails(2, "error: --for x4: X4 does not read glTF files; write one of x4-ani\n");
}

#[test]
fn a_soldier_stands_upright_in_gltf_and_comes_back() {
    let bench = Bench::new();
    let ran = bench.run(&["convert", "walk.seanim", "walk.glb"]);
    let line = "axes: Z up -> Y up on a root node; unit: cm assumed (--unit in, --axes keep)\n";
    assert!(ran.err.starts_with(line), "{}", ran.err);
    assert_eq!(bench.run(&["convert", "walk.glb", "back.seanim"]).code, 0);
    assert_eq!(bench.run(&["diff", "walk.seanim", "back.seanim", "--exact"]).code, 0);
    let ran = bench.run(&["convert", "walk.seanim", "kept.glb", "--axes", "keep"]);
    assert!(ran.err.starts_with("axes: kept\n"), "{}", ran.err);
    for bad in [["--axes", "x,x,y"], ["--axes-at", "top"], ["--unit", "furlong"], ["--unit", "-1"]]
    {
        let ran = bench.run(&[&["convert", "walk.seanim", "bad.glb"][..], &bad].concat());
        assert_eq!(ran.code, 2, "{bad:?}: {}", ran.err);
    }
}
