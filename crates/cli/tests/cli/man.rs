//! `formats`, `completions`, `man` and the help.

use crate::bench::Bench;
use crate::formats;

#[test]
fn formats_lists_ids_extensions_and_options() {
    let bench = Bench::empty();
    let ran = bench.run(&["formats"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    for word in ["animj  AnimJ (.animj)\n", "seanim  SEAnim (.seanim)\n", "  --fps RATE\n"] {
        assert!(ran.text().contains(word), "{}", ran.text());
    }
    let found = bench.run(&["formats", "--json"]).json();
    let found = found.as_array().unwrap();
    let ids: Vec<&str> = found.iter().filter_map(|format| format["id"].as_str()).collect();
    assert_eq!(ids.join(", "), formats::ids());
    let seanim = found.iter().find(|format| format["id"] == "seanim").unwrap();
    assert_eq!(seanim["encoding"], "binary");
    assert_eq!(seanim["options"][0]["name"], "fps");
    for key in ["name", "extensions", "summary", "promise", "clips"] {
        assert!(found[0].get(key).is_some(), "{key}");
    }
}

#[test]
fn the_help_of_convert_has_the_flags_of_the_formats_and_formats_exit_codes() {
    let bench = Bench::empty();
    let ran = bench.run(&["convert", "--help"]);
    assert_eq!(ran.code, 0);
    for word in ["--fps <RATE>", "--out-dir <DIR>", "inbetween convert [OPTIONS] IN OUT"] {
        assert!(ran.text().contains(word), "{}", ran.text());
    }
    assert!(bench.run(&["--help"]).text().contains("Exit codes: 0 success; 1 findings"));
    assert!(bench.run(&["--version"]).text().starts_with("inbetween "));
}

#[test]
fn completions_and_manual_pages_come_from_the_command() {
    let bench = Bench::empty();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = bench.run(&["completions", shell]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.text().contains("out-dir"), "{shell}");
    }
    assert!(bench.run(&["man"]).text().contains(".TH inbetween 1"));
    let page = bench.run(&["man", "convert"]);
    assert!(page.text().contains(".TH inbetween-convert 1"), "{}", page.text());
    assert!(page.text().contains("fps"), "{}", page.text());
    bench
        .run(&["man", "frobnicate"])
        .fails(2, "error: frobnicate: no such command; `inbetween --help` lists them\n");
}
