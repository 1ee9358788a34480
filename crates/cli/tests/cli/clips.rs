//! Files with many clips, and files that are combined into one.

#![expect(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    reason = "helpers of tests are tests as well"
)]

use inbetween_testing::ByteBuilder;
use serde_json::json;

use crate::bench::{Bench, LIGHT, fixture, walk};

/// Three records of two animations, `opening` and `closing`.
fn doors() -> Bench {
    Bench::empty().with("doors.ani", fixture("x4-ani", "two-clips"))
}

/// An X4 file with a record without keys for each name of an animation.
fn named(names: &[&str]) -> Vec<u8> {
    let count = i32::try_from(names.len()).unwrap();
    let head = ByteBuilder::new().i32s(&[count, 16 + 160 * count, 1, 0]);
    let record = |bytes: ByteBuilder, name: &&str| {
        bytes.padded_str("anim_part", 64).padded_str(name, 64).zeros(20).f32(1.0).zeros(8)
    };
    head.each(names, record).build()
}

/// A valid AnimJ file with one track that X4 supports.
fn animj(name: &str, duration: u8) -> String {
    format!(
        r#"{{"name": {name}, "globalDuration": {duration}, "tracks": [{{"trackType": "Discrete",
        "valueType": "float3", "data": {{"node": "door", "property": "Scale",
        "keyframes": [{{"time": 0, "value": {{"x": 1, "y": 2, "z": 3}}}}]}}}}]}}"#
    )
}

fn clips(bench: &Bench, file: &str) -> Vec<(String, f64)> {
    let info = bench.run(&["info", "--json", file]).json();
    let clips = info[0]["clips"].as_array().unwrap().iter();
    clips
        .map(|clip| (clip["name"].as_str().unwrap().into(), clip["duration"].as_f64().unwrap()))
        .collect()
}

#[test]
fn converting_many_clips_to_a_format_of_one_gives_two_suggestions() {
    let bench = doors();
    bench.run(&["convert", "doors.ani", "doors.animj"]).fails(
        2,
        "error: doors.ani: AnimJ stores one clip, and the file has 2: \"opening\", \"closing\"; pass \
         --clip NAME for one of them, or --to animj --out-dir DIR for a file each\n",
    );
    assert_eq!(bench.names(), ["doors.ani"]);
}

#[test]
fn a_clip_is_found_by_name_ignoring_case() {
    let bench = doors();
    let ran = bench.run(&["convert", "doors.ani", "closing.animj", "--clip", "CLOSING"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(": 1 track, 1 key, 1 s, "), "{}", ran.text());
    assert_eq!(clips(&bench, "closing.animj"), [("closing".to_owned(), 1.0)]);
    // A format with many clips can store a single one too.
    assert_eq!(bench.run(&["convert", "doors.ani", "one.ani", "--clip", "opening"]).code, 0);
    assert_eq!(clips(&bench, "one.ani"), [("opening".to_owned(), 1.0)]);
}

#[test]
fn a_missing_clip_is_an_error_that_lists_the_clips() {
    let bench = doors();
    bench.run(&["convert", "doors.ani", "x.animj", "--clip", "open"]).fails(
        3,
        "error: doors.ani: no clip is named \"open\"; the file has \"opening\", \"closing\"\n",
    );
    let many: Vec<String> = (0..30).map(|number| format!("c{number}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let ran = Bench::empty()
        .with("many.ani", named(&many))
        .run(&["convert", "many.ani", "x.animj", "--clip", "\u{1b}"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("no clip is named \"\\u{1b}\"; the file has \"c0\", "), "{}", ran.err);
    assert!(ran.err.ends_with("\"c19\" and 10 more\n"), "{}", ran.err);
}

#[test]
fn each_clip_becomes_a_separate_file_in_a_directory() {
    let bench = doors().with("out/there", "");
    let split = ["convert", "doors.ani", "--to", "animj", "--out-dir", "out"];
    let ran = bench.run(&split);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<String> = ran.text().lines().map(|line| line.replace('\\', "/")).collect();
    assert_eq!(
        lines,
        [
            "doors.ani, clip 'opening' (X4 ANI) -> out/doors.opening.animj (AnimJ): 2 tracks, 2 \
             keys, 1 s, no losses",
            "doors.ani, clip 'closing' (X4 ANI) -> out/doors.closing.animj (AnimJ): 1 track, 1 \
             key, 1 s, no losses",
        ]
    );
    assert_eq!(clips(&bench, "out/doors.opening.animj"), [("opening".to_owned(), 1.0)]);
    let again = bench.run(&split);
    assert_eq!(again.code, 3);
    assert!(again.err.contains("already exists; use --force to overwrite it"), "{}", again.err);
    assert_eq!(bench.run(&[&split[..], &["--force"]].concat()).code, 0);
}

#[test]
fn clip_names_cannot_leave_the_directory() {
    let hostile =
        named(&["../../up", "/etc/passwd", "NUL", "a\\b", "a:b", "", "con.x", "Loop\u{7}"]);
    let bench = Bench::empty().with("x.ani", hostile).with("out/there", "");
    let ran = bench.run(&["convert", "x.ani", "--to", "animj", "--out-dir", "out", "--json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let names = [
        "out/there",
        "out/x.NUL_.animj",
        "out/x.______up.animj",
        "out/x._etc_passwd.animj",
        "out/x.a_b.animj",
        "out/x.a_b_2.animj",
        "out/x.clip.animj",
        "out/x.con_x.animj",
        "out/x.Loop_.animj",
        "x.ani",
    ];
    let mut names = names.map(str::to_owned);
    names.sort();
    assert_eq!(bench.names(), names);
    let first = &ran.json()[0];
    assert_eq!((&first["clip"], &first["written"]), (&json!("../../up"), &json!(true)));
}

#[test]
fn strict_writes_no_clip_if_one_has_a_loss() {
    // The third record has the part and the animation of the second, and X4 never plays it.
    let bench = Bench::empty().with("spin.ani", named(&["one", "two", "two"]));
    let bench = bench.with("out/there", "");
    let ran = bench.run(&["convert", "spin.ani", "--to", "seanim", "--out-dir", "out", "--strict"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("--strict allows none; nothing was written"), "{}", ran.err);
    assert_eq!(bench.names(), ["out/there", "spin.ani"]);
}

#[test]
fn clips_of_several_inputs_with_the_same_output_are_not_overwritten() {
    let bench = Bench::empty()
        .with("a.ani", named(&["loop", "turn"]))
        .with("a.loop.seanim", walk())
        .with("out/there", "");
    let ran = bench.run(&[
        "convert",
        "a.loop.seanim",
        "a.ani",
        "--to",
        "animj",
        "--out-dir",
        "out",
        "--force",
    ]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.err.contains("a.loop.seanim and a.ani would both be written to out"),
        "{}",
        ran.err
    );
    assert_eq!(clips(&bench, "out/a.turn.animj"), [("turn".to_owned(), 1.0)]);
}

#[test]
fn combined_clips_keep_their_names_or_get_those_of_their_files() {
    let bench = Bench::empty()
        .with("open.animj", animj("\"opening\"", 1))
        .with("close.animj", animj("null", 2))
        .with("again.animj", animj("\"Opening\"", 3));
    let ran = bench.run(&[
        "convert",
        "open.animj",
        "close.animj",
        "again.animj",
        "--to",
        "x4-ani",
        "-o",
        "doors.ani",
        "-v",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("open.animj (AnimJ) -> doors.ani (X4 ANI): 1 track, 1 key, 1 s"));
    assert_eq!(
        clips(&bench, "doors.ani"),
        [("opening".to_owned(), 1.0), ("close".to_owned(), 2.0), ("again".to_owned(), 3.0)]
    );
    let named = "close.animj: notes:\n";
    assert!(ran.err.contains(named), "{}", ran.err);
    assert!(ran.err.contains("clip 'close', name: \"close\", after its file"), "{}", ran.err);
    assert!(ran.err.contains("clip 'again', name: \"Opening\" became \"again\""), "{}", ran.err);
    assert!(ran.err.ends_with("3 files put into one, 0 skipped\n"), "{}", ran.err);
}

#[test]
fn split_clips_can_be_combined_again() {
    let bench = doors().with("out/there", "");
    assert_eq!(bench.run(&["convert", "doors.ani", "--to", "animj", "--out-dir", "out"]).code, 0);
    let ran = bench.run(&[
        "convert",
        "out/doors.opening.animj",
        "out/doors.closing.animj",
        "--to",
        "x4-ani",
        "-o",
        "back.ani",
        "--strict",
    ]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.get("back.ani"), bench.get("doors.ani"));
}

#[test]
fn an_unnamed_clip_gets_the_name_of_its_file_if_the_format_requires_one() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["convert", "walk.seanim", "legs.ani"]).code, 0);
    assert_eq!(clips(&bench, "legs.ani"), [("walk".to_owned(), 1.0)]);
}

#[test]
fn nothing_is_written_if_one_of_the_combined_inputs_fails() {
    let bench = Bench::new().with("cut.seanim", &walk()[..100]);
    let put = ["convert", "walk.seanim", "cut.seanim", "--to", "x4-ani", "-o", "out.ani"];
    let ran = bench.run(&put);
    assert_eq!((ran.code, ran.text()), (3, ""));
    assert!(ran.err.starts_with("error: cut.seanim: seanim: "), "{}", ran.err);
    assert!(ran.err.ends_with("error: 1 of 2 files failed; nothing was written\n"), "{}", ran.err);
    let ran = bench.run(&[&put[..], &["--json"]].concat());
    let found = ran.json();
    assert_eq!((&found[0]["written"], &found[1]["written"]), (&json!(false), &json!(false)));
    assert_eq!(bench.names(), ["cut.seanim", "walk.seanim"]);
}

#[test]
fn losses_are_reported_for_the_file_they_belong_to() {
    let bench = Bench::new().with("light.animj", LIGHT).with("door.animj", animj("\"a\"", 1));
    let put = ["convert", "door.animj", "light.animj", "--to", "x4-ani", "-o", "out.ani"];
    let found = bench.run(&[&put[..], &["--json"]].concat()).json();
    let of = |file: usize, loss: bool| {
        let findings = found[file]["findings"].as_array().unwrap().iter();
        findings.filter(|finding| finding["loss"] == loss).collect::<Vec<_>>()
    };
    assert_eq!((of(0, true).len(), of(0, false).len()), (0, 1));
    let dropped = of(1, true)[0];
    assert_eq!(
        (&dropped["code"], &dropped["path"]),
        (&json!("convert/track-dropped"), &json!("clip 'light', Lamp/Enabled"))
    );
    let ran = bench.run(&[&put[..], &["--strict", "--force"]].concat());
    assert_eq!((ran.code, ran.text()), (1, ""));
    let long = "n".repeat(70);
    let bench = bench.with(&format!("{long}.animj"), animj("null", 1));
    let ran = bench.run(&[
        "convert",
        "door.animj",
        &format!("{long}.animj"),
        "--to",
        "x4-ani",
        "-o",
        "long.ani",
    ]);
    assert_eq!(ran.code, 3);
    let clip = format!("clip '{}… (70 bytes)'", &long[..64]);
    let error = format!("error: {long}.animj: x4-ani: {clip}, name: ");
    assert!(ran.err.contains(&error), "{}", ran.err);
}

#[test]
fn combining_a_directory_skips_an_earlier_result_in_it() {
    let bench =
        Bench::empty().with("in/a.animj", animj("null", 1)).with("in/b.animj", animj("null", 2));
    let put = ["convert", "in", "--to", "x4-ani", "-o", "in/all.ani"];
    assert_eq!(bench.run(&put).code, 0);
    let ran = bench.run(&[&put[..], &["--force"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(clips(&bench, "in/all.ani"), [("a".to_owned(), 1.0), ("b".to_owned(), 2.0)]);
    bench
        .run(&["convert", "in/a.animj", "in/b.animj", "--to", "x4-ani", "-o", "in/b.animj"])
        .fails(3, "error: in/b.animj: is also the input; use --force to overwrite it\n");
}

#[test]
fn editing_one_clip_keeps_the_others() {
    let bench = doors();
    let ran = bench.run(&["edit", "doors.ani", "-o", "x.ani", "--clip", "CLOSING", "--retime=2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains(": 2 clips, 3 tracks, 3 keys, 2 s, "), "{}", ran.text());
    assert_eq!(clips(&bench, "x.ani"), [("opening".to_owned(), 1.0), ("closing".to_owned(), 2.0)]);
    // The other clip is unchanged, and convert still extracts the single clip.
    for file in ["doors.ani", "x.ani"] {
        let one = format!("{file}.one.ani");
        assert_eq!(bench.run(&["convert", file, &one, "--clip", "opening"]).code, 0);
    }
    assert_eq!(bench.get("x.ani.one.ani"), bench.get("doors.ani.one.ani"));
}

#[test]
fn editing_one_clip_for_a_format_of_one_reports_the_others_as_not_written() {
    let bench = doors();
    let edit = ["edit", "doors.ani", "-o", "x.animj", "--clip", "closing", "--retime=2"];
    let ran = bench.run(&[&edit[..], &["--strict", "-v"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().ends_with(", no losses, 1 note\n"), "{}", ran.text());
    assert!(
        ran.err.contains("info (note): convert/clips-not-written\n    1 of 2 clips\n"),
        "{}",
        ran.err
    );
    assert_eq!(clips(&bench, "x.animj"), [("closing".to_owned(), 2.0)]);
}

#[test]
fn findings_of_an_edited_clip_name_the_clip() {
    let bench = doors();
    let trim = ["edit", "doors.ani", "-o", "x.ani", "--clip", "closing", "--trim", ":99"];
    let found = bench.run(&[&trim[..], &["--json"]].concat()).json();
    let finding = &found[0]["findings"][0];
    assert_eq!(finding["clip"], json!({"index": 1, "name": "closing"}));
    assert!(finding["path"].as_str().unwrap().starts_with("clip 'closing'"), "{finding}");
}

#[test]
fn joining_several_inputs_makes_one_clip() {
    let bench =
        Bench::empty().with("a.animj", animj("\"walk\"", 1)).with("b.animj", animj("\"run\"", 2));
    for out in ["ab.ani", "ab.animj"] {
        let ran = bench.run(&["edit", "a.animj", "b.animj", "-o", out, "--join", "--retime=2"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert_eq!(clips(&bench, out), [("walk".to_owned(), 6.0)]);
        let lines: Vec<&str> = ran.text().lines().collect();
        assert_eq!(lines.len(), 2, "{}", ran.text());
        assert!(lines[0].contains(": 1 track, 1 key, 6 s, "), "{}", lines[0]);
        assert!(lines[1].contains(": joined with a.animj, "), "{}", lines[1]);
        assert!(ran.err.ends_with("2 files joined into one, 0 skipped\n"), "{}", ran.err);
    }
    // Edits before --join apply to each input.
    let ran = bench.run(&["edit", "a.animj", "b.animj", "-o", "x.ani", "--retime=2", "--join"]);
    assert_eq!((ran.code, clips(&bench, "x.ani")), (0, vec![("walk".to_owned(), 6.0)]));
    let ran = bench.run(&["edit", "a.animj", "-o", "y.ani", "--join", "--clip", "walk"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--join joins all clips and --clip edits one"), "{}", ran.err);
}

#[test]
fn joining_measures_a_reduction_against_all_keys() {
    let bench = Bench::empty().with("a.seanim", walk()).with("b.seanim", walk());
    for order in [["--reduce=0.01", "--join"], ["--join", "--reduce=0.01"]] {
        let edit = ["edit", "a.seanim", "b.seanim", "-o", "ab.seanim", "--force", "-v"];
        let ran = bench.run(&[&edit[..], &order].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains("(bound "), "{}", ran.err);
    }
}

/// An X4 file of clips whose rotations turn far between few keys. Other formats need very many keys
/// for them.
fn whirls(clips: i32, turns: f32) -> Vec<u8> {
    let names: Vec<String> = (0..clips).map(|clip| format!("whirl{clip}")).collect();
    let head = ByteBuilder::new().i32s(&[clips, 16 + 160 * clips, 1, 0]);
    let table = head.each(&names, |bytes, name| {
        let bytes = bytes.padded_str("anim_dish", 64).padded_str(name, 64);
        bytes.i32s(&[0, 2, 0, 0, 0]).f32(1.0).i32s(&[0, 0])
    });
    let keys: Vec<f32> = names.iter().flat_map(|_| [0.0, 1.0]).collect();
    let key = |bytes: ByteBuilder, time: &f32| {
        let angle = time * turns * core::f32::consts::TAU;
        bytes.f32s(&[angle, angle / 2.0, 1.0]).u32s(&[2; 3]).f32(*time).zeros(100)
    };
    table.each(&keys, key).build()
}

#[test]
fn rejects_clips_that_exceed_the_limit_together() {
    let convert = ["convert", "x.ani", "--to", "animj", "--out-dir", "out", "--max-decoded", "1M"];
    let bench = Bench::empty().with("x.ani", whirls(1, 40.0)).with("out/there", "");
    assert_eq!(bench.run(&convert).code, 0);
    let bench = Bench::empty().with("x.ani", whirls(2000, 40.0)).with("out/there", "");
    let ran = bench.run(&convert);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("raise the limit on decoded bytes (--max-decoded)"), "{}", ran.err);
    assert_eq!(bench.names(), ["out/there", "x.ani"]);
    let ran = bench.run(&["info", "x.ani", "--max-decoded", "many"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("expected a number of bytes such as 512M or 4G"), "{}", ran.err);
}

#[cfg(target_os = "linux")]
#[test]
fn running_out_of_memory_is_an_error_and_not_a_signal() {
    let bench = Bench::empty().with("x.ani", whirls(1, 40.0)).with("out/there", "");
    let run = |output: &str| {
        let edit = format!("edit x.ani -o out/{output} --resample=5000000 --max-decoded 8G");
        crate::memory::run_with_little(&bench, &edit)
    };
    for output in ["x.ani", "x.animj", "x.animx", "x.seanim"] {
        let ran = run(output);
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(3), "{output}: {err}");
        assert!(err.contains("bytes of memory"), "{output}: {err}");
    }
    assert_eq!(bench.names(), ["out/there", "x.ani"]);
}

#[test]
fn files_of_clips_are_named_by_a_template() {
    let bench = Bench::empty().with("doors.ani", named(&["Open!", "../evil", "open?", "CON"]));
    let split = ["convert", "doors.ani", "--to", "animj", "--out-dir", "out", "--name-template"];
    bench.run(&[&split[..], &["{clip}"]].concat()).succeeds();
    let mut names = bench.names();
    names.retain(|name| name != "doors.ani");
    assert_eq!(
        names,
        ["out/CON_.animj", "out/Open_.animj", "out/___evil.animj", "out/open_ 2.animj"]
    );
    let ran = bench.run(&[&split[..], &["../{clip}"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("expected a name such as {file}.{clip}"), "{}", ran.err);
    let ran = bench.run(&["convert", "doors.ani", "o.animj", "--name-template", "{clip}"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
}
