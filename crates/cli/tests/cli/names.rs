//! Names from files in the output of the command.

use crate::bench::{Bench, Ran, seanim};

/// Names with hidden characters as in the fixture, and as they are printed.
const NAMES: [(&str, &str); 3] = [
    ("arm_\u{202e}tfel", r"arm_\u{202e}tfel"),
    ("\u{200b}\u{1b}[2J", r"\u{200b}\u{1b}[2J"),
    ("\u{feff}step\u{2066}", r"\u{feff}step\u{2066}"),
];

fn hidden() -> Bench {
    Bench::empty().with("hidden.seanim", seanim("names-hidden"))
}

/// Checks that no stream contains a hidden character.
fn is_visible(ran: &Ran) {
    for c in "\u{202e}\u{200b}\u{1b}\u{feff}\u{2066}".chars() {
        assert!(!ran.text().contains(c), "{c:?} in {}", ran.text());
        assert!(!ran.err.contains(c), "{c:?} in {}", ran.err);
    }
}

#[test]
fn tables_and_findings_escape_hidden_characters() {
    let bench = hidden();
    let info = bench.run(&["info", "hidden.seanim"]);
    is_visible(&info);
    for (_, shown) in NAMES {
        assert!(info.text().contains(shown), "{shown}: {}", info.text());
    }
    let check = bench.run(&["check", "hidden.seanim"]);
    is_visible(&check);
    assert!(check.text().contains(r#"bones[1]: "\u{200b}\u{1b}[2J""#), "{}", check.text());
    let convert = bench.run(&["convert", "hidden.seanim", "hidden.ani"]);
    is_visible(&convert);
    assert!(convert.err.contains(r#"first "\u{feff}step\u{2066}""#), "{}", convert.err);
}

#[test]
fn json_escapes_hidden_characters_and_keeps_the_names() {
    let bench = hidden();
    for arguments in
        [&["info", "--json", "hidden.seanim"][..], &["check", "--json", "hidden.seanim"]]
    {
        is_visible(&bench.run(arguments));
    }
    let info = bench.run(&["info", "--json", "hidden.seanim"]).json();
    let tracks = &info[0]["clips"][0]["tracks"];
    assert_eq!((&tracks[0]["node"], &tracks[1]["node"]), (&NAMES[0].0.into(), &NAMES[1].0.into()));
    let rows = bench.run(&["sample", "--json", "hidden.seanim"]);
    is_visible(&rows);
    assert!(rows.text().contains(r#""node":"arm_\u202etfel""#), "{}", rows.text());
    let rows = bench.run(&["sample", "hidden.seanim"]);
    is_visible(&rows);
    assert!(rows.text().contains(r",arm_\u{202e}tfel,"), "{}", rows.text());
}

#[test]
fn the_text_form_escapes_hidden_characters_and_keeps_the_file() {
    let bench = hidden();
    let unpacked = bench.run(&["unpack", "hidden.seanim", "-o", "-"]);
    is_visible(&unpacked);
    assert!(unpacked.text().contains(r#""arm_\u202etfel""#), "{}", unpacked.text());
    let packed = bench.run_with(&["pack", "-", "-o", "again.seanim"], &unpacked.out);
    assert_eq!((packed.code, bench.get("again.seanim")), (0, seanim("names-hidden")));
}

/// A file whose bone, without keys, has a name of 3,000,000 bytes.
fn long() -> Bench {
    let name = "n".repeat(3_000_000);
    let mut bytes = seanim("names-hidden");
    let hidden = NAMES[1].0.as_bytes();
    let start = bytes.windows(hidden.len()).position(|part| part == hidden).unwrap();
    let end = start.saturating_add(hidden.len());
    bytes.splice(start..end, name.bytes());
    Bench::empty().with("long.seanim", bytes)
}

#[test]
fn long_names_are_cut_in_print() {
    let bench = long();
    let cut = format!("{}… (3000000 bytes)", "n".repeat(64));
    let runs: [&[&str]; 3] = [
        &["info", "long.seanim"],
        &["check", "long.seanim"],
        &["convert", "long.seanim", "long.ani"],
    ];
    for arguments in runs {
        let ran = bench.run(arguments);
        let printed = format!("{}{}", ran.text(), ran.err);
        assert!(printed.contains(&cut), "{arguments:?}: {}", printed.len());
        assert!(printed.len() < 4000, "{arguments:?}: {} bytes", printed.len());
    }
}

#[test]
fn long_names_are_complete_in_json_except_in_messages() {
    let bench = long();
    let info = bench.run(&["info", "--json", "long.seanim"]).json();
    let node = info[0]["clips"][0]["tracks"][1]["node"].as_str().unwrap();
    assert_eq!(node.len(), 3_000_000);
    let check = bench.run(&["check", "--json", "long.seanim"]);
    assert!(check.text().len() < 8000, "{} bytes", check.text().len());
}
