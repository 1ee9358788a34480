//! `plot` and `info --spark`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, fixture, walk};

/// The picture in the README, which `cargo xtask figures` draws.
const FIGURE: &str = include_str!("../../../../docs/figures/plot.svg");

/// Thirty tracks of numbers that all change.
fn many() -> Bench {
    let track = |node: u32| {
        format!(
            r#"{{"trackType": "Raw", "valueType": "float", "data": {{"node": "n{node}",
            "property": "P", "interval": 1, "keyframes": [0, {node}.5]}}}}"#
        )
    };
    let tracks: Vec<String> = (0..30).map(track).collect();
    let text = format!(r#"{{"name": "", "globalDuration": 1, "tracks": [{}]}}"#, tracks.join(","));
    Bench::empty().with("many.animj", text)
}

#[test]
fn draws_the_picture_of_the_readme() {
    let bench = Bench::new();
    let ran = bench.run(&["plot", "walk.seanim", "-o", "curves.svg"]);
    let said = "curves.svg: 2 panels; 3 properties at rest not drawn, --track '*' draws all\n";
    assert_eq!((ran.code, ran.err.as_str(), ran.text()), (0, "", said));
    assert_eq!(str::from_utf8(&bench.get("curves.svg")).unwrap(), FIGURE.replace("\r\n", "\n"));
    let ran = bench.run_with(&["plot", "-", "-o", "-"], &walk());
    assert_eq!(ran.code, 0);
    assert_eq!(ran.text().lines().count(), FIGURE.lines().count());
}

#[test]
fn draws_quaternions_in_degrees() {
    let bench = Bench::new();
    let plot = |options: &[&str]| {
        let ran = bench
            .run(&[&["plot", "walk.seanim", "-o", "-", "--track", "*/Rot*"], options].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.out
    };
    assert_ne!(plot(&["--degrees"]), plot(&[]));
}

#[test]
fn prints_what_it_drew_as_json() {
    let bench = Bench::new();
    let ran = bench.run(&["plot", "walk.seanim", "-o", "curves.svg", "--json"]);
    let expected = json!([{
        "inputs": ["walk.seanim"],
        "output": "curves.svg",
        "bytes": bench.get("curves.svg").len(),
        "page": 1,
        "pages": 1,
        "panels": 2,
        "all_panels": 2,
        "still": 3,
        "marks": []
    }]);
    assert_eq!((ran.code, ran.err.as_str(), ran.json()), (0, "", expected));
}

#[cfg(feature = "png")]
#[test]
fn draws_png_at_twice_the_size() {
    let bench = Bench::new();
    let ran = bench.run(&["plot", "walk.seanim", "-o", "curves.png"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let png = bench.get("curves.png");
    assert_eq!(png[..8], *b"\x89PNG\r\n\x1a\n");
    assert_eq!(png[16..20], 2400_u32.to_be_bytes());
}

/// Returns a file with one track that changes, and its node.
#[cfg(feature = "png")]
fn named(node: &str) -> Bench {
    let text = format!(
        r#"{{"name": "", "globalDuration": 1, "tracks": [{{"trackType": "Raw", "valueType": "float",
        "data": {{"node": {node:?}, "property": "P", "interval": 1, "keyframes": [0, 1]}}}}]}}"#
    );
    Bench::empty().with("a.animj", text)
}

#[cfg(feature = "png")]
#[test]
fn png_shows_latin_greek_and_cyrillic_names() {
    let png = |node: &str| {
        let bench = named(node);
        let ran = bench.run(&["plot", "a.animj", "-o", "a.png"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{node}");
        bench.get("a.png")
    };
    // Equal numbers of letters: a font without them would draw the same boxes.
    let names = ["бедро", "локти", "γοφός", "ώμους", "hüfte", "kości"];
    let pictures = names.map(png);
    for (index, picture) in pictures.iter().enumerate() {
        assert!(!pictures[..index].contains(picture), "{}", names[index]);
    }
    assert_eq!(png("бедро"), pictures[0]);
}

#[cfg(feature = "png")]
#[test]
fn png_shows_marks_for_other_names_and_lists_them() {
    let bench = named("腰/\u{5e9}");
    let plot = |arguments: &[&str]| bench.run(&[&["plot", "a.animj"], arguments].concat());
    let ran = plot(&["-o", "a.png"]);
    let legend = "a.png: names with letters that the font of PNG pictures lacks are drawn as \
                  numbers: [1] 腰/\u{5e9}; a .svg picture shows all letters\n";
    assert_eq!((ran.code, ran.err.as_str(), ran.text()), (0, legend, "a.png: 1 panel\n"));
    // A mark is drawn alike whatever it stands for.
    let other = named("左手首");
    assert_eq!(other.run(&["plot", "a.animj", "-o", "a.png", "--quiet"]).err, "");
    assert_eq!(bench.get("a.png"), other.get("a.png"));
    let ran = plot(&["-o", "b.png", "--json"]);
    assert_eq!((ran.err.as_str(), &ran.json()[0]["marks"]), ("", &json!(["腰/\u{5e9}"])));
    let ran = plot(&["-o", "-"]);
    assert!(ran.text().contains(">腰/\u{5e9}</text>"), "{}", ran.text());
    assert_eq!(ran.err, "");
}

#[test]
fn draws_the_pages_one_by_one() {
    let bench = many();
    let ran = bench.run(&["plot", "many.animj", "-o", "1.svg"]);
    assert_eq!(
        (ran.code, ran.text()),
        (0, "1.svg: 24 of 30 panels, page 1 of 2; --page 2 draws the next\n")
    );
    let ran = bench.run(&["plot", "many.animj", "-o", "2.svg", "--page", "2"]);
    assert_eq!((ran.code, ran.text()), (0, "2.svg: 6 of 30 panels, page 2 of 2\n"));
    bench
        .run(&["plot", "many.animj", "-o", "3.svg", "--page", "3"])
        .fails(2, "error: --page 3: there are 2 pages\n");
    assert_eq!(bench.names(), ["1.svg", "2.svg", "many.animj"]);
}

#[test]
fn draws_the_chosen_tracks_in_the_chosen_range() {
    let bench = many();
    let svg = |arguments: &[&str]| {
        let ran = bench.run(&[&["plot", "many.animj", "-o", "-"], arguments].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text().to_owned()
    };
    let one = svg(&["--track", "n7"]);
    assert!(one.contains("<title>n7/P</title>") && !one.contains("<title>n8/P</title>"));
    assert_ne!(one, svg(&["--track", "n7", "--range", "0:0.5"]));
}

#[test]
fn draws_one_clip_or_all() {
    let bench = Bench::empty().with("door.ani", fixture("x4-ani", "interleaved-clips"));
    let svg = |arguments: &[&str]| {
        let ran = bench.run(&[&["plot", "door.ani", "-o", "-"], arguments].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.text().matches("<g><title>").count()
    };
    let info = bench.run(&["info", "door.ani", "--json"]).json();
    let clips = info[0]["clips"].as_array().unwrap().clone();
    assert_eq!(clips.len(), 2);
    let each = clips.iter().map(|clip| svg(&["--clip", clip["name"].as_str().unwrap()]));
    assert_eq!(svg(&[]), each.sum::<usize>());
    let ran = bench.run(&["plot", "door.ani", "-o", "-", "--clip", "nothing"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.starts_with("error: door.ani: no clip is named \"nothing\"; "), "{}", ran.err);
}

#[test]
fn draws_two_files_over_each_other() {
    let bench = Bench::new().with("light.animj", LIGHT);
    let ran = bench.run(&["plot", "walk.seanim", "walk.seanim", "-o", "-"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains("stroke-width=\"5\" stroke-opacity=\"0.32\""));
    assert_eq!(bench.run(&["plot", "walk.seanim", "light.animj", "-o", "both.svg"]).code, 0);
    let three = ["plot", "walk.seanim", "walk.seanim", "walk.seanim", "-o", "x.svg"];
    assert_eq!(bench.run(&three).code, 2);
}

#[test]
fn mistakes_are_named_before_anything_is_written() {
    let bench = Bench::new().with("there.svg", "old");
    let plot = |arguments: &[&str]| bench.run(&[&["plot", "walk.seanim"], arguments].concat());
    assert_eq!(plot(&[]).code, 2);
    plot(&["-o", "x.pdf"]).fails(2, "error: x.pdf: expected a name that ends in .svg or .png\n");
    plot(&["-o", "x.svg", "--track", "nothing"]).fails(
        2,
        "error: walk.seanim: --track matches no track; a track of this file is tag_origin/Position\n",
    );
    plot(&["-o", "there.svg"])
        .fails(3, "error: there.svg: already exists; use --force to overwrite it\n");
    let both = "error: --json and output to - both need standard output\n";
    plot(&["-o", "-", "--json"]).fails(2, both);
    assert_eq!(plot(&["-o", "x.svg", "--range", "2:1"]).code, 2);
    assert_eq!(plot(&["-o", "x.svg", "--page", "0"]).code, 2);
    let empty =
        Bench::empty().with("e.animj", r#"{"name": "", "globalDuration": 1, "tracks": []}"#);
    empty
        .run(&["plot", "e.animj", "-o", "x.svg"])
        .fails(3, "error: e.animj: nothing to draw: no track has keys\n");
    assert_eq!(bench.names(), ["there.svg", "walk.seanim"]);
    assert_eq!(plot(&["-o", "there.svg", "--force"]).code, 0);
}

#[test]
fn info_draws_a_line_per_track() {
    let ran = Bench::new().run(&["info", "--spark", "walk.seanim"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.text().lines().filter(|line| line.contains("curve")).collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(
        lines[0],
        "    tag_origin  Position  float3  curve  3  keys  ▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███"
    );
    assert_eq!(lines[5], "    tag_origin  Scale     float3  curve  0  keys");
    let found = Bench::new().run(&["info", "--spark", "--json", "walk.seanim"]).json();
    let tracks = &found[0]["clips"][0]["tracks"];
    assert_eq!(tracks[0]["sparkline"], "▁▁▁▂▂▂▃▃▃▄▄▄▅▅▅▆▆▆▇▇▇███");
    assert_eq!(tracks[2]["sparkline"], "");
}
