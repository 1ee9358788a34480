//! Messages about mistakes.

use crate::bench::{Bench, LIGHT, walk};
use crate::formats;

#[track_caller]
fn fails(bench: &Bench, arguments: &[&str], code: i32, err: &str) {
    bench.run(arguments).fails(code, err);
}

#[test]
fn a_missing_file_is_named() {
    for command in ["info", "check"] {
        fails(
            &Bench::new(),
            &[command, "no.seanim"],
            3,
            "error: no.seanim: no such file or directory\n",
        );
    }
}

#[test]
fn the_error_describes_a_file_of_another_kind() {
    for (bytes, looks) in [
        (&b""[..], "is an empty file"),
        (b"\0\0\0\0\0\0\0\0", "looks like nothing but zero bytes, as after a broken download"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", "looks like a PNG image"),
        (b"PK\x03\x04\x14\0\0\0", "looks like a ZIP archive: unpack it first"),
        (b"\x7fELF\x02\x01\x01", "looks like a Linux program (ELF)"),
        (b"<?xml version=\"1.0\"?>\n", "looks like XML"),
    ] {
        for name in ["x.seanim", "x.animj", "x"] {
            fails(
                &Bench::empty().with(name, bytes),
                &["info", name],
                3,
                &format!("error: {name}: not a file of {}: it {looks}\n", formats::names()),
            );
        }
    }
}

#[test]
fn the_error_describes_other_json_and_text_without_a_known_extension() {
    for (bytes, looks) in [
        (&b"{\"a\": 1}"[..], "JSON without the members of an AnimJ file"),
        (b"dear diary", "plain text"),
    ] {
        fails(
            &Bench::empty().with("x", bytes),
            &["info", "x"],
            3,
            &format!("error: x: not a file of {}: it looks like {looks}\n", formats::names()),
        );
    }
}

#[test]
fn the_error_of_a_truncated_file_has_its_position() {
    let ran = Bench::empty().with("cut.seanim", &walk()[..100]).run(&["info", "cut.seanim"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.starts_with("error: cut.seanim: seanim: bones["), "{}", ran.err);
    assert!(ran.err.contains(" left (at byte 0x"), "{}", ran.err);
    let ran = Bench::empty().with("cut.animj", &LIGHT[..100]).run(&["info", "cut.animj"]);
    assert_eq!((ran.code, ran.text()), (3, ""));
    assert!(ran.err.starts_with("error: cut.animj: animj: "), "{}", ran.err);
    assert!(ran.err.contains("(line 7, column "), "{}", ran.err);
}

#[test]
fn every_invalid_fixture_gives_a_one_line_error_with_its_name() {
    for format in inbetween_testing::cases::formats() {
        let mut bench = Bench::empty();
        let mut arguments = vec!["info".to_owned()];
        for case in inbetween_testing::cases::of(format) {
            if case.kind == inbetween_testing::CaseKind::Bad {
                let name = format!("{}.{format}", case.name);
                bench = bench.with(&name, case.bytes);
                arguments.push(name);
            }
        }
        // Some are valid files of another format.
        arguments.splice(1..1, ["--from".to_owned(), format.to_owned()]);
        let ran = bench.run(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        assert_eq!((ran.code, ran.text()), (3, ""));
        let lines: Vec<&str> = ran.err.lines().collect();
        let names = arguments.get(3..).unwrap_or_default();
        assert_eq!(lines.len(), names.len(), "{}", ran.err);
        for (line, name) in lines.iter().zip(names) {
            assert!(line.starts_with(&format!("error: {name}: {format}: ")), "{line}");
        }
    }
}

#[test]
fn a_count_beyond_the_file_fails_immediately() {
    // The number of bones, each of at least five bytes: a name and four empty blocks.
    let mut bytes = walk();
    bytes[0x18..0x1c].fill(0xff);
    let ran = Bench::empty().with("big.seanim", &bytes).run(&["info", "big.seanim"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("boneCount: need 21474836475 bytes, 196 left"), "{}", ran.err);
}

#[test]
fn the_error_of_a_directory_in_place_of_a_file_gives_advice() {
    let bench = Bench::new().with("in/walk.seanim", walk());
    fails(
        &bench,
        &["convert", "in", "x.animj"],
        2,
        "error: in: is a directory; several inputs need --to FORMAT --out-dir DIR\n",
    );
    fails(
        &bench,
        &["convert", "walk.seanim", "in"],
        2,
        "error: in: is a directory, not a file; use --to FORMAT --out-dir in\n",
    );
    fails(
        &bench,
        &["convert", "walk.seanim", "new/", "--to", "animj"],
        2,
        "error: new/: is a directory, not a file; use --out-dir new/\n",
    );
}

#[test]
fn the_error_of_an_unknown_output_format_lists_the_formats() {
    let bench = Bench::new();
    let pass = format!("pass --to with one of {}", formats::ids());
    fails(
        &bench,
        &["convert", "walk.seanim", "walk.fbx"],
        2,
        &format!("error: walk.fbx: no format has the extension .fbx; {pass}\n"),
    );
    fails(
        &bench,
        &["convert", "walk.seanim", "walk"],
        2,
        &format!("error: walk: the name has no extension; {pass}\n"),
    );
    fails(
        &bench,
        &["convert", "walk.seanim", "-"],
        2,
        &format!("error: cannot infer the output format; {pass}\n"),
    );
}

#[test]
fn the_error_of_a_missing_or_ambiguous_output_gives_advice() {
    let bench = Bench::new().with("light.animj", LIGHT);
    fails(
        &bench,
        &["convert", "walk.seanim"],
        2,
        "error: walk.seanim: the output is missing; pass OUT, -o OUT or --out-dir DIR\n",
    );
    let many = "error: several inputs need --to FORMAT --out-dir DIR\n";
    fails(&bench, &["convert", "walk.seanim", "light.animj", "x.animj"], 2, many);
    let one = "error: several inputs, but a file of AnimJ stores one clip; use --out-dir DIR for a \
               file per input, edit --merge FILE to play them at once, or edit --join to play them \
               one after the other\n";
    fails(&bench, &["convert", "*.*", "x.animj"], 2, one);
    let both = ["convert", "walk.seanim", "light.animj", "--to", "animj", "-o", "x.animj"];
    fails(&bench, &both, 2, one);
}

#[test]
fn unknown_commands_and_options_are_wrong_usage() {
    for arguments in [
        &["frobnicate"][..],
        &[],
        &["info"],
        &["info", "--frobnicate", "x"],
        &["info", "--from", "fbx", "x"],
        &["check", "--deny", "everything", "x"],
        &["check", "--profile", "maya", "x"],
        &["skeleton", "--from", "fbx", "x", "-o", "y"],
        &["check", "--backup", "x"],
        &["convert", "x", "--out-dir", "."],
    ] {
        let ran = Bench::new().run(arguments);
        assert_eq!((ran.code, ran.text()), (2, ""), "{arguments:?}");
        assert!(ran.err.contains("--help"), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn an_unknown_command_gets_only_suggestions_with_a_similar_spelling() {
    let all = "Run 'inbetween --help' to list the commands.\n";
    for (word, advice) in [
        ("explode", String::new()),
        ("frobnicate", String::new()),
        ("", String::new()),
        ("chek", "Did you mean 'check'? ".to_owned()),
        ("conv", "Did you mean 'convert'? ".to_owned()),
        ("Info", "Did you mean 'info'? ".to_owned()),
        ("co", "Did you mean 'completions' or 'convert'? ".to_owned()),
    ] {
        let expected = format!("error: no such command: '{word}'\n{advice}{all}");
        fails(&Bench::new(), &[word], 2, &expected);
    }
}

#[test]
fn a_file_in_place_of_a_command_suggests_info() {
    for (word, kind) in [("walk.seanim", "file"), ("anims", "directory")] {
        fails(
            &Bench::new().with("anims/walk.seanim", walk()),
            &[word],
            2,
            &format!(
                "error: '{word}' is a {kind}, not a command\n\
                 To list its contents, run 'inbetween info {word}'.\n"
            ),
        );
    }
}

#[test]
fn an_unknown_option_gets_only_suggestions_with_a_similar_spelling() {
    for (arguments, tip) in [
        (&["info", "--al", "x"][..], Some("a similar argument exists: '--all'")),
        (&["info", "--x", "x"], None),
        (
            &["info", "--strict", "x"],
            Some("only the commands 'clip', 'convert' and 'edit' have this option"),
        ),
        (&["info", "--axes", "x"], Some("only the commands 'convert' and 'edit' have this option")),
        (&["info", "--spart", "x"], Some("a similar argument exists: '--spark'")),
        (&["info", "--profile", "x"], Some("only the command 'check' has this option")),
    ] {
        let ran = Bench::new().run(arguments);
        let tips: Vec<&str> =
            ran.err.lines().filter_map(|line| line.strip_prefix("  tip: ")).collect();
        assert_eq!((ran.code, tips), (2, Vec::from_iter(tip)), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn an_option_of_a_format_is_listed_under_that_format() {
    let ran = Bench::new().run(&["convert", "--help"]);
    let heading = |option: &str| {
        let before = ran.text().lines().take_while(|line| !line.trim_start().starts_with(option));
        before.filter(|line| line.starts_with("Options of ")).last().unwrap().to_owned()
    };
    assert_eq!(heading("--style <pretty|compact>"), "Options of AnimJ:");
    assert_eq!(heading("--encoding <plain|lz4|lzma>"), "Options of AnimX:");
    assert_eq!(heading("--seanim-layout <WIDTHS[,BLOCKS]>"), "Options of SEAnim:");
    assert_eq!(heading("--empty-tracks <keep|drop>"), "Options of AnimJ and AnimX:");
    let fps = formats::with_option("fps").join(" and ");
    assert_eq!(heading("--fps <RATE>"), format!("Options of {fps}:"));
    let ran = Bench::new().run(&["info", "--help"]);
    assert!(!ran.text().contains("Options of AnimJ"), "{}", ran.text());
}

#[test]
fn rejects_options_of_formats_that_the_command_does_not_use() {
    for (arguments, effect) in [
        (&["convert", "walk.seanim", "o.animj", "--cast-scale", "additive"][..], "writing Cast"),
        (&["convert", "walk.seanim", "o.animj", "--curves", "bake"], "writing glTF"),
        (
            &["edit", "walk.seanim", "-o", "o.animj", "--reverse", "--encoding", "lz4"],
            "writing AnimX",
        ),
        (&["plot", "walk.seanim", "-o", "a.svg", "--from-layout", "time-first"], "reading AnimX"),
    ] {
        let option = arguments[arguments.len() - 2];
        let bench = Bench::new();
        let message =
            format!("error: {option} has no effect here; it applies only when {effect}\n");
        fails(&bench, arguments, 2, &message);
        assert_eq!(bench.names(), ["walk.seanim"]);
    }
}

#[test]
fn a_json_report_has_the_error_with_its_code_and_position() {
    let bench = Bench::new().with("notes.txt", "dear diary").with("cut.seanim", &walk()[..100]);
    for (command, output, names) in [
        ("info", None, &["path"][..]),
        ("check", None, &["path"]),
        ("convert", Some("o.animj"), &["input", "output"]),
        ("unpack", Some("o.json"), &["input"]),
        ("diff", Some("walk.seanim"), &["before", "after"]),
        ("plot", Some("o.svg"), &["inputs", "output"]),
        ("skeleton", Some("o.json"), &["input", "output"]),
        ("clip", Some("o.clip"), &["input", "output"]),
    ] {
        for (file, code) in [("notes.txt", "unknown-format"), ("cut.seanim", "unexpected-end")] {
            let mut arguments = vec![command, "--json", file];
            match output {
                Some(output) if command == "diff" => arguments.push(output),
                Some(output) => arguments.extend(["-o", output]),
                None => {}
            }
            let ran = bench.run(&arguments);
            assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{arguments:?}");
            let rows = ran.json();
            let row = rows[0].as_object().unwrap();
            assert_eq!(rows.as_array().unwrap().len(), 1);
            assert!(names.iter().all(|name| !row[*name].is_null()), "{arguments:?}: {rows}");
            let error = &row["error"];
            assert_eq!(error["code"], code, "{arguments:?}");
            assert!(error["message"].as_str().unwrap().starts_with(file), "{error}");
            assert_eq!(error["path"].is_string(), code == "unexpected-end", "{error}");
            assert_eq!(error["position"]["offset"].is_u64(), code == "unexpected-end", "{error}");
            assert_eq!(bench.names(), ["cut.seanim", "notes.txt", "walk.seanim"]);
        }
    }
}

#[test]
fn standard_output_takes_only_one_output() {
    fails(
        &Bench::new(),
        &["convert", "--json", "walk.seanim", "-", "--to", "animj"],
        2,
        "error: --json and output to - both need standard output\n",
    );
}
