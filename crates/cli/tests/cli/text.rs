//! `unpack` and `pack`.

use serde_json::json;

use crate::bench::{Bench, LIGHT, walk};
use crate::formats;

fn edit(bench: &Bench, name: &str, from: &str, to: &str) {
    let text = String::from_utf8(bench.get(name)).unwrap();
    let edited = text.replacen(from, to, 1);
    assert_ne!(edited, text, "{from}");
    std::fs::write(bench.path(name), edited).unwrap();
}

#[test]
fn a_file_survives_unpack_and_pack() {
    let bench = Bench::new();
    let ran = bench.run(&["unpack", "walk.seanim"]);
    let length = bench.get("walk.seanim.json").len();
    let did = format!("walk.seanim (SEAnim) -> walk.seanim.json: {length} bytes\n");
    assert_eq!((ran.code, ran.text(), ran.err.as_str()), (0, did.as_str(), ""));
    let pack: &[&str] = &["pack", "walk.seanim.json"];
    bench.run(pack).fails(3, "error: walk.seanim: already exists; use --force to overwrite it\n");
    std::fs::remove_file(bench.path("walk.seanim")).unwrap();
    let ran = bench.run(pack);
    let did = format!("walk.seanim.json (SEAnim) -> walk.seanim: {} bytes\n", walk().len());
    assert_eq!((ran.code, ran.text(), ran.err.as_str()), (0, did.as_str(), ""));
    assert_eq!(bench.get("walk.seanim"), walk());
    assert_eq!(bench.names(), ["walk.seanim", "walk.seanim.json"]);
}

#[test]
fn an_edited_number_is_in_the_packed_file() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["unpack", "walk.seanim", "-o", "edit.json"]).code, 0);
    edit(&bench, "edit.json", "\"frame_rate\": 30.0", "\"frame_rate\": 60.0");
    let ran = bench.run(&["pack", "edit.json", "-o", "fast.seanim"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let mut expected = walk();
    expected[0x10..0x14].copy_from_slice(&60.0_f32.to_le_bytes());
    assert_eq!(bench.get("fast.seanim"), expected);
}

#[test]
fn unpack_and_pack_work_with_pipes() {
    let bench = Bench::empty();
    let unpacked = bench.run_with(&["unpack", "-"], &walk());
    assert_eq!(unpacked.code, 0, "{}", unpacked.err);
    assert!(unpacked.text().starts_with("{\n  \"format\": \"seanim\",\n"), "{}", unpacked.text());
    let packed = bench.run_with(&["pack", "-", "-o", "-"], &unpacked.out);
    let did = format!("standard input (SEAnim) -> standard output: {} bytes\n", walk().len());
    assert_eq!((packed.code, packed.out, packed.err), (0, walk(), did));
    assert!(bench.names().is_empty());
}

#[test]
fn errors_have_file_line_column_pointer_and_expectation() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["unpack", "walk.seanim"]).code, 0);
    edit(&bench, "walk.seanim.json", "\"frame\": 0", "\"frame\": \"first\"");
    bench.run(&["pack", "walk.seanim.json", "--force"]).fails(
        3,
        "error: walk.seanim.json: seanim: /bones/0/locations/0/frame: expected a whole number \
         from 0 to 4294967295, found string \"first\" (line 13, column 19)\n",
    );
    assert_eq!(bench.get("walk.seanim"), walk());
    edit(&bench, "walk.seanim.json", "\"text_version\": 1,", "");
    let ran = bench.run(&["pack", "walk.seanim.json", "--force"]);
    assert!(ran.err.contains("(line "), "{}", ran.err);
    assert_eq!(ran.code, 3);
}

#[test]
fn many_results_are_written_next_to_their_inputs() {
    let bench = Bench::empty()
        .with("in/a.seanim", walk())
        .with("in/deep/b.seanim", walk())
        .with("in/light.animj", LIGHT)
        .with("in/notes.txt", "x");
    let ran = bench.run(&["unpack", "in"]);
    let skipped = "skipped:\n  in/notes.txt: it looks like plain text\n  in/light.animj: this format \
                   has no text form, because its files are text\n\
                   2 files unpacked, 0 failed, 2 skipped\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, skipped));
    for name in ["in/a.seanim", "in/deep/b.seanim"] {
        std::fs::remove_file(bench.path(name)).unwrap();
    }
    let bench = bench.with("in/other.json", "{\"a\": 1}");
    let ran = bench.run(&["pack", "in"]);
    assert_eq!(ran.code, 0);
    let text = "  in/other.json: not the text form of a binary file\n";
    assert!(ran.err.contains(text), "{}", ran.err);
    assert!(ran.err.ends_with("\n2 files packed, 0 failed, 3 skipped\n"), "{}", ran.err);
    assert_eq!(bench.get("in/deep/b.seanim"), walk());
    bench.run(&["pack", "in", "-o", "x"]).fails(
        2,
        "error: -o takes a single input; without it, outputs are written next to their inputs\n",
    );
}

#[test]
fn reports_are_json_on_request() {
    let bench = Bench::new();
    let ran = bench.run(&["unpack", "--json", "walk.seanim"]);
    let expected = json!([{
        "input": "walk.seanim",
        "output": "walk.seanim.json",
        "format": "seanim",
        "bytes": bench.get("walk.seanim.json").len(),
        "written": true,
        "error": null
    }]);
    assert_eq!((ran.code, ran.json()), (0, expected));
    let ran = bench.run(&["pack", "--json", "walk.seanim.json"]);
    let report = ran.json();
    assert_eq!((ran.code, &report[0]["written"]), (3, &json!(false)));
    assert!(report[0]["error"]["message"].as_str().unwrap().contains("already exists"));
    bench
        .run_with(&["unpack", "--json", "-"], &walk())
        .fails(2, "error: --json and output to - both need standard output\n");
}

#[test]
fn rejects_files_without_a_text_form() {
    let texts = formats::with_text();
    let bench = Bench::new().with("light.animj", LIGHT).with("x.seanim.json", "[1]");
    bench
        .run(&["unpack", "light.animj"])
        .fails(3, "error: light.animj: animj: AnimJ files are already text; edit them directly\n");
    bench.run(&["pack", "light.animj"]).fails(
        2,
        "error: light.animj: cannot infer the output name from a name that is not like \
         walk.seanim.json; pass -o OUT\n",
    );
    bench.run(&["pack", "x.seanim.json"]).fails(
        3,
        &format!(
            "error: x.seanim.json: expected a text form whose first member \"format\" is one of \
             {texts}, found something other than a JSON object\n"
        ),
    );
    bench.run(&["pack", "light.animj", "-o", "x"]).fails(
        3,
        &format!(
            "error: light.animj: expected a text form whose first member \"format\" is one of \
             {texts}, found none\n"
        ),
    );
}

#[test]
fn rejects_a_text_form_in_place_of_a_file() {
    let bench = Bench::new();
    assert_eq!(bench.run(&["unpack", "walk.seanim"]).code, 0);
    let ran = bench.run(&["info", "walk.seanim.json"]);
    let end = "it looks like the text form of a binary file: pack it first\n";
    assert!(ran.code == 3 && ran.err.ends_with(end), "{}", ran.err);
}

#[test]
fn a_layout_can_be_forced_and_is_kept_in_the_text() {
    let bench = Bench::empty().with("x.seanim", crate::bench::seanim("walk"));
    let unpack = ["unpack", "x.seanim", "--seanim-layout", "legacy", "-o", "-"];
    let text = bench.run(&unpack);
    assert_eq!(text.code, 0, "{}", text.err);
    assert!(text.text().contains("\"widths\": \"legacy\""), "{}", text.text());
    let ran = bench.run_with(&["pack", "-"], &text.out);
    assert_eq!((ran.code, ran.out), (0, walk()));
}

#[test]
fn every_valid_binary_fixture_survives() {
    let mut bench = Bench::empty();
    let mut files = Vec::new();
    for format in ["animx", "seanim", "x4-ani"] {
        for case in inbetween_testing::cases::of(format) {
            let packed = case.name.contains("lz") || case.name.contains("packed");
            // A file of which a part is broken has no exact model.
            let packed = packed || case.codes.contains(&"part-skipped");
            if case.kind == inbetween_testing::CaseKind::Ok && !packed {
                let extension = case.path().extension().unwrap().to_str().unwrap().to_owned();
                let name = format!("{format}-{}.{extension}", case.name);
                bench = bench.with(&name, &case.bytes);
                files.push((name, case.bytes));
            }
        }
    }
    assert_eq!(bench.run(&["unpack", "."]).code, 0);
    assert_eq!(bench.run(&["pack", ".", "--force"]).code, 0);
    assert!(files.len() > 100, "{} files", files.len());
    for (name, bytes) in files {
        assert!(bench.get(&name) == bytes, "{name}");
    }
}
