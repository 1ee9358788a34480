//! `check`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, LIGHT_DISORDERED, seanim, walk};

#[test]
fn a_valid_file_has_no_findings() {
    let ran = Bench::new().run(&["check", "walk.seanim"]);
    assert_eq!(ran.code, 0);
    assert!(ran.text().starts_with("walk.seanim"), "{}", ran.text());
}

#[test]
fn an_error_exits_with_1_and_a_warning_only_if_denied() {
    let bench = Bench::empty().with("flags.seanim", seanim("bone-flags"));
    let bench = bench.with("light.animj", LIGHT_DISORDERED);
    assert_eq!(bench.run(&["check", "light.animj"]).code, 1);
    assert_eq!(bench.run(&["check", "flags.seanim"]).code, 0);
    assert_eq!(bench.run(&["check", "--deny", "warning", "flags.seanim"]).code, 1);
}

#[test]
fn findings_have_a_severity_code_path_and_position() {
    let ran = Bench::empty().with("light.animj", LIGHT_DISORDERED).run(&["check", "light.animj"]);
    let first = ran.text().lines().next().unwrap();
    assert!(first.starts_with("light.animj:8:7: error: /tracks/0"), "{first}");
    assert!(first.ends_with(" [animj/track-member-order]"), "{first}");
    let next: Vec<&str> = ran.text().lines().skip(1).take(3).collect();
    assert!(next[0].contains(" |       \""), "{next:?}");
    assert!(next[1].ends_with("  |       ^"), "{next:?}");
    assert!(next[2].starts_with("  --fix: "), "{next:?}");
    let last = ran.text().lines().last().unwrap();
    assert!(last.starts_with("light.animj (AnimJ): 1 error"), "{last}");
}

#[test]
fn prints_an_array_with_the_findings_of_each_file() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let bench = bench.with("flags.seanim", seanim("bone-flags"));
    let ran = bench.run(&["check", "--json", "light.animj", "flags.seanim"]);
    assert_eq!(ran.code, 1);
    let found = ran.json();
    let file = found[0].as_object().unwrap();
    assert_eq!(file["path"], "light.animj");
    assert_eq!(file["format"], "animj");
    assert_eq!(
        (&file["edits"], &file["written"], &file["error"]),
        (&json!(0), &json!(null), &json!(null))
    );
    let mut finding = file["findings"][0].clone();
    assert!(finding["message"].take().is_string() && finding["help"].take().is_string());
    let place = finding["position"].take();
    let line = usize::try_from(place["line"].as_u64().unwrap()).unwrap();
    let before: usize = LIGHT_DISORDERED.lines().take(line - 1).map(|line| line.len() + 1).sum();
    assert_eq!(place, json!({"offset": before + 6, "line": line, "column": 7}));
    assert!((6..=8).contains(&line), "the track stands on these lines, not on {line}");
    let expected = json!({
        "code": "animj/track-member-order",
        "severity": "error",
        "loss": false,
        "path": finding["path"],
        "position": null,
        "message": null,
        "count": 1,
        "fixable": true,
        "help": null
    });
    assert_eq!(finding, expected);
    let place = &found[1]["findings"][0]["position"];
    assert!(place["offset"].is_u64() && place.get("line").is_none(), "{place}");
}

#[test]
fn only_and_ignore_accept_codes_and_patterns() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let code =
        |arguments: &[&str]| bench.run(&[&["check", "light.animj"], arguments].concat()).code;
    assert_eq!(code(&["--ignore", "animj/track-member-order"]), 0);
    assert_eq!(code(&["--ignore", "animj/*"]), 0);
    assert_eq!(code(&["--only", "seanim/*"]), 0);
    assert_eq!(code(&["--only", "animj/*", "--only", "core/*"]), 1);
    assert_eq!(code(&["--only", "animj/*", "--ignore", "*"]), 0);
}

#[test]
fn an_unknown_code_is_wrong_usage() {
    let ran = Bench::new().run(&["check", "--ignore", "seanim/bone-flag", "walk.seanim"]);
    ran.fails(
        2,
        "error: seanim/bone-flag: no finding has this code; did you mean seanim/bone-flags?\n",
    );
}

#[test]
fn a_profile_accepts_only_the_formats_of_its_program() {
    let bench = Bench::new().with("light.animj", LIGHT);
    assert_eq!(bench.run(&["check", "--profile", "resonite", "light.animj"]).code, 0);
    let ran = bench.run(&["check", "--profile", "resonite", "walk.seanim"]);
    ran.fails(
        2,
        "error: walk.seanim: Resonite does not read SEAnim files; remove --profile resonite\n",
    );
    let ran = bench.run(&["check", "--profile", "resonite", "."]);
    let skipped = "skipped:\n  ./walk.seanim: Resonite does not read SEAnim files\n\
                   1 file checked, 0 failed, 1 skipped\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, skipped));
}

#[test]
fn fix_changes_the_file_in_place() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let ran = bench.run(&["check", "--fix", "light.animj"]);
    assert_eq!(ran.code, 0, "{}{}", ran.text(), ran.err);
    assert!(ran.text().contains("edit"), "{}", ran.text());
    assert_eq!(bench.names(), ["light.animj"]);
    let again = bench.run(&["check", "light.animj"]);
    assert_eq!(again.code, 0, "{}", again.text());
    let text = String::from_utf8(bench.get("light.animj")).unwrap();
    assert!(text.find("trackType") < text.find("valueType"), "{text}");
}

#[test]
fn fix_keeps_a_backup_if_requested_and_none_exists() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let fix: &[&str] = &["check", "--fix", "--backup", "light.animj"];
    assert_eq!(bench.run(fix).code, 0);
    assert_eq!(bench.get("light.animj.bak"), LIGHT_DISORDERED.as_bytes());
    let bench = bench.with("light.animj", LIGHT_DISORDERED).with("light.animj.bak", "older");
    bench
        .run(fix)
        .fails(3, "error: light.animj.bak: already exists; use --force to overwrite it\n");
    assert_eq!(bench.get("light.animj"), LIGHT_DISORDERED.as_bytes());
    assert_eq!(bench.get("light.animj.bak"), b"older");
    assert_eq!(bench.run(&[fix, &["--force"]].concat()).code, 0);
    assert_eq!(bench.get("light.animj.bak"), LIGHT_DISORDERED.as_bytes());
}

#[test]
fn fix_of_a_directory_or_a_pattern_skips_backups() {
    let bench = Bench::empty().with("in/light.animj", LIGHT_DISORDERED);
    let fix = ["check", "--fix", "--backup", "in"];
    assert_eq!(bench.run(&fix).code, 0);
    assert_eq!(bench.names(), ["in/light.animj", "in/light.animj.bak"]);
    for inputs in ["in", "in/*", "."] {
        let ran = bench.run(&["check", "--fix", inputs]);
        assert_eq!((ran.code, ran.text().lines().count()), (0, 1), "{}{}", ran.text(), ran.err);
        assert_eq!(bench.get("in/light.animj.bak"), LIGHT_DISORDERED.as_bytes());
    }
    assert_eq!(bench.run(&fix).code, 0);
    assert_eq!(bench.names(), ["in/light.animj", "in/light.animj.bak"]);
}

#[test]
fn a_backup_named_explicitly_is_an_input() {
    let bench = Bench::empty().with("light.animj.bak", LIGHT_DISORDERED);
    assert_eq!(bench.run(&["check", "--fix", "light.animj.bak"]).code, 0);
    assert_ne!(bench.get("light.animj.bak"), LIGHT_DISORDERED.as_bytes());
}

#[test]
fn fix_writes_to_another_file_or_to_standard_output() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    assert_eq!(bench.run(&["check", "--fix", "light.animj", "-o", "new.animj"]).code, 0);
    assert_eq!(bench.get("light.animj"), LIGHT_DISORDERED.as_bytes());
    let ran = bench.run_with(&["check", "--fix", "-", "-o", "-"], LIGHT_DISORDERED.as_bytes());
    assert_eq!(ran.code, 0);
    assert_eq!(ran.out, bench.get("new.animj"));
    assert!(ran.err.starts_with("standard input (AnimJ): "), "{}", ran.err);
}

#[test]
fn fix_does_not_change_ignored_findings_and_valid_files() {
    let bench = Bench::new().with("light.animj", LIGHT_DISORDERED);
    let ran = bench.run(&["check", "--fix", "--ignore", "animj/*", "light.animj", "walk.seanim"]);
    assert_eq!(ran.code, 0);
    assert_eq!(bench.get("light.animj"), LIGHT_DISORDERED.as_bytes());
    assert_eq!(bench.get("walk.seanim"), walk());
}

#[test]
fn fix_of_standard_input_needs_an_output() {
    let bench = Bench::new();
    bench
        .run_with(&["check", "--fix", "-"], b"")
        .fails(2, "error: standard input cannot be fixed in place; pass -o OUT\n");
    let bench = bench.with("light.animj", LIGHT);
    bench
        .run(&["check", "--fix", ".", "-o", "x"])
        .fails(2, "error: -o takes a single input; without it, files are fixed in place\n");
}

/// A file of one track.
fn track(track_type: &str, data: &str) -> String {
    format!(
        r#"{{"name":"A","globalDuration":0,"tracks":[{{"trackType":"{track_type}","valueType":"float2","data":{{"node":"N","property":"P",{data}}}}}]}}"#
    )
}

/// Checks a file and fixes it; returns its findings before, and its text after.
fn findings_and_fixed(text: &str) -> (Vec<serde_json::Value>, String) {
    let bench = Bench::empty().with("a.animj", text);
    let ran = bench.run(&["check", "--deny", "warning", "--json", "a.animj"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let findings = ran.json().pointer("/0/findings").and_then(|it| it.as_array()).unwrap().clone();
    assert_eq!(bench.run(&["check", "--fix", "--deny", "warning", "a.animj"]).code, 0);
    (findings, String::from_utf8(bench.get("a.animj")).unwrap())
}

#[test]
fn curve_keys_in_a_raw_track_are_an_error_that_fix_corrects() {
    let key = |time: u32| {
        format!(r#"{{"time":{time},"value":{{"x":1,"y":2}},"interpolation":"Linear"}}"#)
    };
    let data = format!(r#""keyframes":[{},{}]"#, key(0), key(1));
    let (findings, fixed) = findings_and_fixed(&track("Raw", &data));
    let mismatch = &findings[0];
    assert_eq!(mismatch["code"], "animj/track-type-mismatch");
    assert_eq!(mismatch["severity"], "error");
    assert_eq!(mismatch["message"], "a Curve key in a Raw track");
    assert_eq!((&mismatch["count"], &mismatch["fixable"]), (&json!(2), &json!(true)));
    assert_eq!(fixed, track("Curve", &data));
}

#[test]
fn bare_vectors_in_a_curve_track_are_an_error_and_not_converted() {
    let bench = Bench::empty().with("a.animj", track("Curve", r#""keyframes":[{"x":1,"y":2}]"#));
    let ran = bench.run(&["check", "--fix", "a.animj"]);
    assert_eq!(ran.code, 1);
    let told = "a bare value in a Curve track; a Raw track needs an interval";
    assert!(ran.text().contains(told), "{}", ran.text());
    let ran = bench.run(&["convert", "a.animj", "a.animx"]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.contains("only Raw tracks, which have an interval, have bare values"),
        "{}",
        ran.err
    );
    assert_eq!(bench.names(), ["a.animj"]);
}

#[test]
fn fix_corrects_every_member_in_the_wrong_case() {
    let right = track(
        "Discrete",
        r#""keyframes":[{"time":0,"value":{"x":1,"y":2}},{"time":1,"value":{"x":3,"y":4}}]"#,
    );
    let mut wrong = right.clone();
    for (name, capital) in [
        ("name", "Name"),
        ("globalDuration", "GlobalDuration"),
        ("tracks", "Tracks"),
        ("trackType", "TrackType"),
        ("valueType", "ValueType"),
        ("data", "Data"),
        ("node", "Node"),
        ("property", "Property"),
        ("keyframes", "Keyframes"),
        ("time", "Time"),
        ("value", "Value"),
        ("x", "X"),
        ("y", "Y"),
    ] {
        wrong = wrong.replace(&format!("\"{name}\":"), &format!("\"{capital}\":"));
    }
    let (_, fixed) = findings_and_fixed(&wrong);
    assert_eq!(fixed, right);
}

#[test]
fn fix_sorts_keys_by_time() {
    let (early, late) =
        (r#"{"time":1,"value":{"x":1,"y":2}}"#, r#"{"value":{"x":3,"y":4},"time":2}"#);
    let data = |a: &str, b: &str| format!("\"keyframes\":[ {a} ,\n {b}]");
    let (findings, fixed) = findings_and_fixed(&track("Discrete", &data(late, early)));
    assert_eq!(findings[0]["code"], "keys-unsorted");
    assert_eq!(fixed, track("Discrete", &data(early, late)));
}

#[test]
fn a_dry_run_prints_a_diff_and_writes_nothing() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let ran = bench.run(&["check", "--fix", "--dry-run", "light.animj"]);
    assert_eq!(ran.code, 0, "{}{}", ran.text(), ran.err);
    let diff = ran.text();
    assert!(diff.starts_with("--- light.animj\n+++ light.animj\n@@ -"), "{diff}");
    for line in ["-      \"valueType\": \"bool\",", "+      \"valueType\": \"bool\","] {
        assert_eq!(diff.lines().filter(|known| *known == line).count(), 1, "{diff}");
    }
    assert!(ran.err.contains("light.animj (AnimJ): "), "{}", ran.err);
    assert!(ran.err.contains(" to make, then no problems found\n  to fix: "), "{}", ran.err);
    assert!(ran.err.contains("[animj/track-member-order]"), "{}", ran.err);
    assert_eq!(bench.get("light.animj"), LIGHT_DISORDERED.as_bytes());
    let ran = bench.run_with(&["check", "--fix", "--dry-run", "-"], LIGHT_DISORDERED.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = bench.run(&["check", "--dry-run", "light.animj"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--fix"), "{}", ran.err);
}

#[test]
fn a_fix_lists_what_it_fixed() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let ran = bench.run(&["check", "--fix", "light.animj"]);
    let last = ran.text().lines().last().unwrap();
    assert!(last.starts_with("  fixed: "), "{}", ran.text());
    assert!(last.ends_with(" [animj/track-member-order]"), "{last}");
}

#[test]
fn binary_findings_have_their_offset_after_the_file() {
    let bench = Bench::empty().with("flags.seanim", seanim("bone-flags"));
    let ran = bench.run(&["check", "flags.seanim"]);
    let first = ran.text().lines().next().unwrap();
    assert!(first.starts_with("flags.seanim:0x"), "{first}");
    assert!(first.contains(": warning: ") && first.ends_with(" [seanim/bone-flags]"), "{first}");
}

#[test]
fn findings_are_annotations_for_github() {
    let bench = Bench::empty().with("light.animj", LIGHT_DISORDERED);
    let ran = bench.run(&["check", "--github", "light.animj"]);
    assert_eq!(ran.code, 1);
    let line = ran.text().lines().next().unwrap();
    assert!(line.starts_with("::error file=light.animj,line="), "{line}");
    assert!(line.contains(",col=7,title=animj/track-member-order::"), "{line}");
    assert_eq!(bench.run(&["check", "--github", "--json", "light.animj"]).code, 2);
}

#[test]
fn a_batch_ends_with_totals_by_code() {
    let bench = Bench::empty()
        .with("in/a.animj", LIGHT_DISORDERED)
        .with("in/b.animj", LIGHT_DISORDERED)
        .with("in/c.animj", LIGHT);
    let ran = bench.run(&["check", "in"]);
    let totals = "findings by code:\n  error: animj/track-member-order: 2 in 2 files\n\
                  3 files checked, 0 failed, 0 skipped\n";
    assert_eq!((ran.code, ran.err.as_str()), (1, totals));
}

#[test]
fn unknown_words_get_a_suggestion() {
    for (right, wrong, suggestion) in [
        ("\"bool\"", "\"Boolean\"", "did you mean \"bool\"?"),
        ("\"Discrete\"", "\"Discret\"", "did you mean \"Discrete\"?"),
        ("\"keyframes\"", "\"keyframs\"", "did you mean \"keyframes\"?"),
    ] {
        let bench = Bench::empty().with("light.animj", LIGHT.replace(right, wrong));
        let ran = bench.run(&["check", "light.animj"]);
        let all = format!("{}{}", ran.text(), ran.err);
        assert!(all.contains(suggestion), "{wrong}: {all}");
    }
}

#[test]
fn nan_is_fixed_as_the_caller_chooses() {
    let text = r#"{"name": "A", "globalDuration": 1, "tracks": [{"trackType": "Raw", "valueType": "float",
        "data": {"node": "N", "property": "P", "interval": 1, "keyframes": [1, NaN]}}]}"#;
    let bench = Bench::empty().with("nan.animj", text);
    let ran = bench.run(&["check", "--fix", "nan.animj"]);
    assert_eq!(ran.code, 1);
    assert!(ran.text().contains("`check --fix --nan`"), "{}", ran.text());
    assert_eq!(bench.get("nan.animj"), text.as_bytes());
    let ran = bench.run(&["convert", "nan.animj", "nan.animx"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("(check --fix --nan)"), "{}", ran.err);
    let ran = bench.run(&["check", "--fix", "--nan", "previous", "nan.animj"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.get("nan.animj"), text.replace("NaN", "1").into_bytes());
    let ran = bench.run(&["check", "--nan", "nothing", "nan.animj"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}
