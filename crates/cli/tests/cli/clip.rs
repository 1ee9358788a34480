//! `clip`, and playback clips as inputs.

use crate::bench::{Bench, fixture, seanim};

fn bench() -> Bench {
    Bench::empty()
        .with("walk.seanim", seanim("walk"))
        .with("cockpit.ani", fixture("x4-ani", "cockpit"))
}

/// A directory with `walk.clip` too.
fn built() -> Bench {
    let bench = bench();
    let ran = bench.run(&["clip", "walk.seanim", "-o", "walk.clip"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    bench
}

#[test]
fn builds_a_clip_and_reports_what_it_drops() {
    let bench = bench();
    let ran = bench.run(&["clip", "walk.seanim", "-o", "walk.clip"]);
    assert_eq!(ran.code, 0);
    let size = bench.get("walk.clip").len();
    let said = format!("walk.clip: 1 clip, 5 tracks, 160 -> {size} bytes\n");
    assert!(ran.text().starts_with(&said), "{}", ran.text());
    assert!(ran.text().contains("largest part of a bound: off by at most"), "{}", ran.text());
    assert!(ran.err.contains("convert/markers-dropped"), "{}", ran.err);
    assert!(bench.get("walk.clip").starts_with(b"INBCLIP\0"));
}

#[test]
fn strict_refuses_what_the_clip_drops_unless_it_is_allowed() {
    let bench = bench();
    let strict = ["clip", "walk.seanim", "-o", "walk.clip", "--strict"];
    let ran = bench.run(&strict);
    assert_eq!(ran.code, 1);
    let refused = "error: walk.seanim: 1 loss, --strict allows none; nothing was written\n";
    assert!(
        ran.err.contains("convert/markers-dropped") && ran.err.ends_with(refused),
        "{}",
        ran.err
    );
    assert_eq!((ran.text(), bench.names().contains(&"walk.clip".to_owned())), ("", false));
    let allowed = bench.run(&[&strict[..], &["--allow", "convert/markers-dropped"]].concat());
    assert_eq!(allowed.code, 0, "{}", allowed.err);
    assert!(bench.get("walk.clip").starts_with(b"INBCLIP\0"));
}

#[test]
fn bounds_decide_what_is_in_full_precision() {
    let bench = bench();
    let encodings = |length: &str| {
        let bound = ["--translation-error", length, "--force", "--json"];
        let ran = bench.run(&[&["clip", "cockpit.ani", "-o", "a.clip"], &bound[..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let tracks = ran.json()[0]["clips"][0]["tracks"].as_array().unwrap().clone();
        for track in &tracks {
            assert!(track["error"].as_f64() <= track["bound"].as_f64(), "{track}");
        }
        tracks
            .iter()
            .map(|track| track["encoding"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(encodings("0.0001"), ["rotation48", "float"]);
    assert_eq!(encodings("0.01"), ["rotation48", "half"]);
    let ran = bench.run(&["clip", "walk.seanim", "-o", "b.clip", "--rotation-error", "1e-9"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("use a larger bound"), "{}", ran.err);
    assert!(!bench.names().contains(&"b.clip".to_owned()));
}

#[test]
fn bounds_must_be_positive_numbers() {
    for (flag, bound) in [
        ("--translation-error", "0"),
        ("--rotation-error", "-1"),
        ("--scale-error", "nan"),
        ("--curve-error", "much"),
    ] {
        let ran = bench().run(&["clip", "walk.seanim", "-o", "a.clip", flag, bound]);
        assert_eq!(ran.code, 2, "{flag} {bound}");
        assert!(ran.err.starts_with(&format!("error: {flag}: expected a ")), "{}", ran.err);
    }
}

#[test]
fn an_existing_output_needs_force() {
    let bench = built();
    let again = ["clip", "walk.seanim", "-o", "walk.clip"];
    let ran = bench.run(&again);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("already exists; use --force"), "{}", ran.err);
    assert_eq!(bench.run(&[&again[..], &["--force"]].concat()).code, 0);
}

#[test]
fn a_clip_goes_to_standard_output() {
    let bench = built();
    let ran = bench.run(&["clip", "walk.seanim", "-o", "-"]);
    assert_eq!((ran.code, ran.out), (0, bench.get("walk.clip")));
    assert_eq!(bench.run(&["clip", "walk.seanim", "-o", "-", "--json"]).code, 2);
}

#[test]
fn clips_are_inspected_sampled_compared_and_converted() {
    let bench = built();
    let info = bench.run(&["info", "walk.clip"]);
    assert_eq!(info.code, 0);
    assert!(info.text().contains("48-bit rotation  1"), "{}", info.text());
    let sampled = bench.run(&["sample", "walk.clip", "--at", "0.5", "--track", "*/Position.y"]);
    assert!(sampled.text().contains("0.5,tag_origin,Position,y,32.5"), "{}", sampled.text());
    let diff = bench.run(&["diff", "walk.seanim", "walk.clip", "--tolerance", "0.0002"]);
    // The markers are missing.
    assert_eq!(diff.code, 1);
    assert!(diff.text().ends_with("every track plays the same\n"), "{}", diff.text());
    let converted = bench.run(&["convert", "walk.clip", "back.seanim"]);
    assert_eq!(converted.code, 0, "{}", converted.err);
    let again = bench.run(&["diff", "walk.clip", "back.seanim"]);
    assert_eq!(again.code, 0, "{}", again.text());
}

#[test]
fn conversions_to_clips_name_the_command() {
    for to in [&["no.clip"][..], &["no.bin", "--to", "clip"]] {
        let bench = bench();
        let ran = bench.run(&[&["convert", "walk.seanim"], to].concat());
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains("with `inbetween clip FILE -o OUT`"), "{}", ran.err);
        assert_eq!(bench.names(), ["cockpit.ani", "walk.seanim"]);
    }
}

#[test]
fn one_clip_of_several_is_chosen_by_name() {
    let bench = bench();
    let build =
        |name| bench.run(&["clip", "cockpit.ani", "-o", "one.clip", "--force", "--clip", name]);
    assert_eq!(build("COCKPIT_OPENING").code, 0);
    assert_eq!(build("nothing").code, 2);
}

#[test]
fn damaged_clips_are_refused_with_the_place() {
    let clip = built().get("walk.clip");
    let mut version = clip.clone();
    version[8] = 9;
    let bench = bench().with("cut.clip", &clip[..100]).with("version.clip", version);
    for (file, message) in [
        ("cut.clip", "12 left (at byte 0x58)"),
        ("version.clip", "version 9 is not supported, only 1 (at byte 0xa)"),
    ] {
        let ran = bench.run(&["info", file]);
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains(message), "{}", ran.err);
    }
}
