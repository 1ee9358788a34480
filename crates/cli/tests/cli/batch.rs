//! Many files in one run.

use std::fs;

use crate::bench::{Bench, LIGHT, walk};

fn folder() -> Bench {
    Bench::empty()
        .with("in/walk.seanim", walk())
        .with("in/legs/walk.seanim", walk())
        .with("in/notes.txt", "not an animation")
        .with("in/.hidden.seanim", walk())
        .with("out/there", "")
}

#[test]
fn a_directory_expands_to_its_files_of_known_formats() {
    let ran = folder().run(&["info", "--json", "in"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 file of unknown formats skipped\n"));
    let paths: Vec<String> = ran.json().as_array().unwrap().iter().map(path).collect();
    assert_eq!(paths, ["in/walk.seanim", "in/legs/walk.seanim"]);
}

fn path(file: &serde_json::Value) -> String {
    file["path"].as_str().unwrap().replace('\\', "/")
}

#[test]
fn a_pattern_expands_to_the_files_that_match_it() {
    let ran = folder().run(&["info", "--json", "in/**/*.*"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "1 file of unknown formats skipped\n"));
    assert_eq!(ran.json().as_array().unwrap().len(), 2);
}

#[test]
fn a_pattern_without_a_directory_names_files_as_they_are() {
    let ran = Bench::new().with("a/b/run.seanim", walk()).run(&["info", "--json", "**/*.seanim"]);
    let paths: Vec<String> = ran.json().as_array().unwrap().iter().map(path).collect();
    assert_eq!(paths, ["walk.seanim", "a/b/run.seanim"]);
}

#[cfg(unix)]
#[test]
fn links_to_directories_are_followed_only_if_they_are_named() {
    use std::os::unix::fs::symlink;
    let bench = Bench::new().with("in/deep/walk.seanim", walk());
    for name in ["one", "two"] {
        symlink(bench.path("in"), bench.path("in").join(name)).unwrap();
    }
    symlink(bench.path("walk.seanim"), bench.path("in/link.seanim")).unwrap();
    let paths = |input: &str| -> Vec<String> {
        bench.run(&["info", "--json", input]).json().as_array().unwrap().iter().map(path).collect()
    };
    for input in ["in", "in/**/*.seanim"] {
        assert_eq!(paths(input), ["in/link.seanim", "in/deep/walk.seanim"], "{input}");
    }
    assert_eq!(paths("in/one"), ["in/one/link.seanim", "in/one/deep/walk.seanim"]);
    assert_eq!(paths("in/one/d*/*"), ["in/one/deep/walk.seanim"]);
    let ran = bench.run(&["info", "in/o*/walk.seanim"]);
    ran.fails(3, "error: in/o*/walk.seanim: no file matches the pattern\n");
}

#[test]
fn a_batch_keeps_directories_and_reports_each_file_in_order() {
    let bench = folder();
    let ran = bench.run(&["convert", "in", "--to", "animj", "--out-dir", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let lines: Vec<&str> = ran.text().lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].replace('\\', "/").contains("-> out/walk.animj "), "{}", lines[0]);
    assert!(lines[1].replace('\\', "/").contains("-> out/legs/walk.animj "), "{}", lines[1]);
    assert!(ran.err.ends_with("2 files converted, 0 failed, 1 skipped\n"), "{}", ran.err);
    let out: Vec<String> =
        bench.names().into_iter().filter(|name| name.starts_with("out/")).collect();
    assert_eq!(out, ["out/legs/walk.animj", "out/there", "out/walk.animj"]);
}

#[test]
fn a_batch_continues_after_a_failure_and_exits_with_the_highest_code() {
    let bench = folder().with("in/cut.seanim", &walk()[..100]).with("in/empty.seanim", "");
    let convert = ["convert", "in", "--to", "animj", "--out-dir", "out", "--strict"];
    let ran = bench.run(&convert);
    assert_eq!(ran.code, 3);
    let errors: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("error: ")).collect();
    assert_eq!(errors.len(), 4, "{}", ran.err);
    assert!(errors[1].ends_with("it is an empty file"), "{}", errors[1]);
    assert!(ran.err.ends_with("no files converted, 4 failed, 1 skipped\n"), "{}", ran.err);
    let ran = bench.run(&convert[..6]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.ends_with("2 files converted, 2 failed, 1 skipped\n"), "{}", ran.err);
}

#[test]
fn inputs_with_one_output_fail_and_the_others_are_converted() {
    let bench = Bench::new().with("light.animj", LIGHT).with("walk.animj", LIGHT);
    let bench = bench.with("out/there", "");
    let ran = bench.run(&[
        "convert",
        "light.animj",
        "walk.animj",
        "walk.seanim",
        "--to",
        "seanim",
        "--out-dir",
        "out",
    ]);
    assert_eq!(ran.code, 2);
    let clash = "error: walk.animj and walk.seanim would both be written to out";
    assert_eq!(ran.err.matches(clash).count(), 2, "{}", ran.err);
    assert!(ran.err.ends_with("1 file converted, 2 failed, 0 skipped\n"), "{}", ran.err);
    let names = ["light.animj", "out/light.seanim", "out/there", "walk.animj", "walk.seanim"];
    assert_eq!(bench.names(), names);
}

#[test]
fn a_forced_format_skips_the_other_files_of_a_directory() {
    let bench = folder().with("in/light.animj", LIGHT).with("in/empty.seanim", "");
    let ran = bench.run(&["info", "--json", "--from", "animj", "in"]);
    assert_eq!((ran.code, ran.json().as_array().unwrap().len()), (0, 1));
    assert_eq!(ran.err, "4 files of unknown formats skipped\n");
}

#[test]
fn the_output_directory_is_not_an_input_if_it_is_within_one() {
    let bench = folder().with("in/done/old.seanim", walk());
    let ran = bench.run(&["convert", "in", "--to", "animj", "--out-dir", "in/done"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(ran.text().lines().count(), 2);
    assert!(bench.names().contains(&"in/done/legs/walk.animj".to_owned()));
}

#[test]
fn a_directory_without_files_of_known_formats_is_a_failure() {
    let bench =
        Bench::empty().with("in/notes.txt", "x").with("in/picture.png", b"\x89PNG\r\n\x1a\n");
    bench
        .run(&["check", "in"])
        .fails(3, "error: nothing to do: 2 files of unknown formats skipped\n");
    let bench = Bench::empty();
    fs::create_dir(bench.path("in")).unwrap();
    bench.run(&["check", "in"]).fails(3, "error: in: no files found\n");
}

#[test]
fn an_unknown_extension_stays_in_the_name() {
    let bench = Bench::empty().with("walk.v2", walk()).with("out/there", "");
    let ran = bench.run(&["convert", "walk.v2", "--to", "animj", "--out-dir", "out"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(bench.names(), ["out/there", "out/walk.v2.animj", "walk.v2"]);
}

#[test]
fn a_long_batch_reports_its_files_in_order() {
    let mut bench = Bench::empty();
    for number in 0..100 {
        bench = bench.with(&format!("in/{number:03}.seanim"), walk());
    }
    let ran = bench.run(&["check", "in"]);
    assert_eq!(ran.code, 0);
    let order: Vec<&str> = ran
        .text()
        .lines()
        .filter_map(|line| line.get(3..6))
        .filter(|n| n.parse::<u32>().is_ok())
        .collect();
    assert!(order.is_sorted() && order.len() >= 100, "{order:?}");
}

#[test]
fn a_batch_ends_with_totals_by_code_and_the_skipped_files() {
    let ran = folder().run(&["convert", "in", "--to", "animj", "--out-dir", "out"]);
    let err = ran.err.replace('\\', "/");
    assert_eq!(
        (ran.code, err.as_str()),
        (
            0,
            "axes: X mirrored, right-handed -> left-handed; unit: cm assumed (--unit in, --axes \
             keep)\nskipped:\n  in/notes.txt: it looks like plain text\n\
             losses by code (-v lists them by file):\n  \
             warning: convert/looping-dropped: 2 in 2 files\n\
             warnings by code:\n  warning: edit/turn-left-out: 2 in 2 files\n\
             2 files converted, 0 failed, 1 skipped\n"
        )
    );
    let ran = folder().run(&["convert", "in", "--to", "animj", "--out-dir", "out", "-v"]);
    assert!(ran.err.contains("walk.seanim: lost or changed:\n"), "{}", ran.err);
    assert!(ran.err.contains("\nnotes by code:\n  info: "), "{}", ran.err);
}

#[test]
fn a_long_batch_lists_the_failed_files_again() {
    let mut bench = Bench::empty().with("in/cut.seanim", &walk()[..100]);
    for number in 0..20 {
        bench = bench.with(&format!("in/{number:02}.seanim"), walk());
    }
    let ran = bench.run(&["check", "in"]);
    assert_eq!(ran.code, 3);
    let (error, failed) = ran.err.split_once("failed:\n  ").unwrap();
    assert!(failed.starts_with(error.strip_prefix("error: ").unwrap()), "{}", ran.err);
    assert!(failed.ends_with("\n20 files checked, 1 failed, 0 skipped\n"), "{}", ran.err);
}

#[test]
fn quiet_prints_only_errors_and_results() {
    let bench = folder().with("in/cut.seanim", &walk()[..100]);
    let ran = bench.run(&["convert", "-q", "in", "--to", "animj", "--out-dir", "out"]);
    assert_eq!((ran.code, ran.text()), (3, ""));
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.replace('\\', "/").starts_with("error: in/cut.seanim: "), "{}", ran.err);
    let ran = bench.run(&["info", "--quiet", "in/legs"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.text().contains("SEAnim"), "{}", ran.text());
}

#[test]
fn a_pattern_keeps_the_directories_below_it() {
    for pattern in ["in/**/*.seanim", "./in/**/*.seanim"] {
        let bench = folder();
        let ran = bench.run(&["convert", pattern, "--to", "animj", "--out-dir", "out"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let names = bench.names();
        for name in ["out/walk.animj", "out/legs/walk.animj"] {
            assert!(names.iter().any(|known| known == name), "{pattern}: {names:?}");
        }
    }
}

#[test]
fn any_number_of_jobs_gives_the_same_report() {
    let reports = ["1", "3"].map(|jobs| {
        let ran = folder().run(&["info", "--json", "-j", jobs, "in"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        ran.json()
    });
    assert_eq!(reports[0], reports[1]);
    let ran = folder().run(&["info", "--jobs", "0", "in"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--jobs"), "{}", ran.err);
}

#[test]
fn inputs_come_from_a_list() {
    for list in
        ["in/walk.seanim\nin/legs\n", "in/walk.seanim\r\n\r\nin/legs", "in/walk.seanim\0in/legs"]
    {
        let bench = folder().with("list", list);
        let found = bench.run(&["info", "--json", "--files-from", "list"]).json();
        let paths: Vec<String> = found.as_array().unwrap().iter().map(path).collect();
        assert_eq!(paths, ["in/walk.seanim", "in/legs/walk.seanim"], "{list:?}");
        let ran = folder().run_with(&["info", "--json", "--files-from", "-"], list.as_bytes());
        assert_eq!(ran.json(), found);
    }
    let bench = folder().with("list", "in/a*\nin/walk.seanim\n");
    let convert = ["convert", "--files-from", "list", "--to", "animj", "--out-dir", "out"];
    let ran = bench.run(&convert);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("error: in/a*: no such file or directory\n"), "{}", ran.err);
    assert!(bench.path("out/walk.animj").exists());
}

#[test]
fn errors_about_a_list_of_files_give_advice() {
    let bench = folder().with("list", "in/walk.seanim").with("empty", "\n");
    for (arguments, code, words) in [
        (&["convert", "--files-from", "list", "x.animj"][..], 2, "needs -o OUT or --out-dir DIR"),
        (&["info", "--files-from", "missing"], 3, "missing: no such file or directory"),
        (&["info", "--files-from", "empty"], 3, "error: empty: no files found\n"),
        (&["info", "-", "--files-from", "-"], 2, "standard input can be read only once"),
    ] {
        let ran = bench.run(arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.err);
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn json_lines_print_an_object_per_line() {
    let bench = folder().with("in/cut.seanim", &walk()[..100]);
    for command in [
        &["info", "in"][..],
        &["check", "in"],
        &["unpack", "in"],
        &["convert", "in", "--to", "animj", "--out-dir", "out"],
    ] {
        let ran = bench.run(&[command, &["--json-lines"]].concat());
        assert_eq!(ran.code, 3, "{}", ran.err);
        let objects: Vec<serde_json::Value> =
            ran.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 3, "{command:?}");
        assert_eq!(objects.iter().filter(|object| object["error"].is_object()).count(), 1);
    }
    let ran = bench.run(&["info", "in", "--json", "--json-lines"]);
    assert_eq!(ran.code, 2);
}

#[cfg(target_os = "linux")]
#[test]
fn ten_thousand_files_need_little_memory() {
    let bench = Bench::empty();
    fs::create_dir(bench.path("in")).unwrap();
    for number in 0..10_000 {
        fs::write(bench.path(&format!("in/{number}.animj")), LIGHT).unwrap();
    }
    let ran = crate::memory::run_with_little(&bench, "check in --json-lines --jobs 2");
    assert_eq!(ran.status.code(), Some(0), "{}", String::from_utf8_lossy(&ran.stderr));
    assert_eq!(ran.stdout.split(|&byte| byte == b'\n').count(), 10_001);
}

#[cfg(not(any(windows, target_os = "macos")))]
#[test]
fn outputs_that_differ_only_in_case_are_a_collision() {
    let bench = Bench::empty().with("in/walk.seanim", walk()).with("in/Walk.seanim", walk());
    let clash = "error: in/Walk.seanim and in/walk.seanim would be written to out/Walk.animj and \
                 out/walk.animj, which are the same file where names are case-insensitive\n";
    bench
        .run(&["convert", "in", "--to", "animj", "--out-dir", "out"])
        .fails(2, &format!("{clash}{clash}no files converted, 2 failed, 0 skipped\n"));
    assert!(!bench.path("out").exists());
}

/// Converts the folder to files in `out`, with more flags.
fn converted(bench: &Bench, flags: &[&str]) -> crate::bench::Ran {
    bench.run(&[&["convert", "in", "--to", "animj", "--out-dir", "out"], flags].concat())
}

#[test]
fn outputs_that_exist_have_a_code_or_are_skipped() {
    let bench = folder();
    converted(&bench, &[]).succeeds();
    let again = converted(&bench, &["--json"]);
    assert_eq!(again.code, 3);
    assert_eq!(again.json()[0]["error"]["code"], "exists");
    fs::remove_file(bench.path("out/legs/walk.animj")).unwrap();
    let before = bench.get("out/walk.animj");
    let skipped = converted(&bench, &["--skip-existing"]);
    skipped.succeeds();
    assert!(
        skipped.err.ends_with("1 file converted, 0 failed, 1 skipped, 1 exists already\n"),
        "{}",
        skipped.err
    );
    assert_eq!(bench.get("out/walk.animj"), before);
    let glb = ["convert", "out/walk.animj", "out/legs/walk.animj", "-o", "two.glb"];
    bench.run(&glb).succeeds();
    let one = ["edit", "two.glb", "--join", "-o", "one.animj", "--skip-existing"];
    bench.run(&one).succeeds();
    let again = bench.run(&one);
    assert_eq!((again.code, again.err.as_str()), (0, "one.animj: exists already; skipped\n"));
    let all = converted(&bench, &["--skip-existing", "--json"]);
    assert_eq!(all.code, 0);
    for row in all.json().as_array().unwrap() {
        assert_eq!((&row["written"], &row["skipped"]), (&false.into(), &"exists".into()));
    }
    let ran = bench.run(&["convert", "in/walk.seanim", "out/walk.animj", "--skip-existing"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, "out/walk.animj: exists already; skipped\n"));
    let both = converted(&bench, &["--skip-existing", "--force"]);
    assert_eq!(both.code, 2);
}

#[test]
fn only_inputs_that_are_newer_are_converted_again() {
    let bench = folder();
    converted(&bench, &["--update"]).succeeds();
    let older = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let set = |name: &str, time| {
        fs::File::options().write(true).open(bench.path(name)).unwrap().set_modified(time).unwrap();
    };
    set("out/walk.animj", older);
    let ran = converted(&bench, &["--update"]);
    assert!(
        ran.err.ends_with("1 file converted, 0 failed, 1 skipped, 1 exists already\n"),
        "{}",
        ran.err
    );
    // A file that an edit reads counts too.
    set("in/walk.seanim", older - std::time::Duration::from_secs(10));
    set("in/legs/walk.seanim", older - std::time::Duration::from_secs(10));
    fs::write(bench.path("rest.json"), r#"{"bones": [{"node": "tag_origin"}]}"#).unwrap();
    set("rest.json", older);
    let with_rest = ["--update", "--skeleton", "rest.json"];
    let ran = converted(&bench, &with_rest);
    assert!(
        ran.err.ends_with("no files converted, 0 failed, 1 skipped, 2 exist already\n"),
        "{}",
        ran.err
    );
    set("rest.json", std::time::SystemTime::now() + std::time::Duration::from_secs(60));
    let ran = converted(&bench, &with_rest);
    assert!(ran.err.ends_with("2 files converted, 0 failed, 1 skipped\n"), "{}", ran.err);
}

#[test]
fn clips_whose_files_exist_are_skipped_one_by_one() {
    let bench = Bench::empty().with("doors.ani", crate::bench::fixture("x4-ani", "two-clips"));
    let split = ["convert", "doors.ani", "--to", "animj", "--out-dir", "out", "--skip-existing"];
    bench.run(&split).succeeds();
    fs::remove_file(bench.path("out/doors.closing.animj")).unwrap();
    let ran = bench.run(&[&split[..], &["--json"]].concat());
    let rows = ran.json();
    let row = |clip: &str| {
        let mut rows = rows.as_array().unwrap().iter();
        rows.find(|row| row["clip"] == clip).unwrap()["written"].clone()
    };
    assert_eq!((row("opening"), row("closing")), (false.into(), true.into()));
}

#[test]
fn combined_inputs_are_skipped_together() {
    let bench = folder();
    let args =
        ["convert", "in/walk.seanim", "in/legs/walk.seanim", "-o", "both.cast", "--skip-existing"];
    bench.run(&args).succeeds();
    let before = bench.get("both.cast");
    let ran = bench.run(&args);
    ran.succeeds();
    assert!(ran.err.contains("both.cast: exists already; skipped"), "{}", ran.err);
    assert_eq!(bench.get("both.cast"), before);
}

#[test]
fn files_are_left_out_by_a_pattern() {
    let bench = folder();
    let ran = bench.run(&["info", "--json", "in", "--exclude", "legs"]);
    let paths: Vec<String> = ran.json().as_array().unwrap().iter().map(path).collect();
    assert_eq!(paths, ["in/walk.seanim"]);
    bench
        .run(&["info", "in/walk.seanim", "--exclude", "*.seanim"])
        .fails(3, "error: nothing to do: --exclude leaves out 1 file\n");
    assert_eq!(bench.run(&["info", "in", "--exclude", "a["]).code, 2);
}

#[test]
fn listed_files_keep_their_folders_below_a_base() {
    let bench = folder().with("list.txt", "in/legs/walk.seanim\nin/walk.seanim\n");
    let listed = ["convert", "--files-from", "list.txt", "--to", "animj", "--out-dir", "new"];
    bench.run(&[&listed[..], &["--base", "in"]].concat()).succeeds();
    let names = bench.names();
    for name in ["new/legs/walk.animj", "new/walk.animj"] {
        assert!(names.contains(&name.to_owned()), "{names:?}");
    }
    let ran = bench.run(&[&listed[..], &["--base", "in/legs", "--force"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("in/walk.seanim: is not below --base in/legs"), "{}", ran.err);
}

#[test]
fn a_report_has_a_short_line_for_each_file() {
    let bench = folder();
    let ran = converted(&bench, &["--report", "report.jsonl"]);
    ran.succeeds();
    let report = bench.get("report.jsonl");
    let lines: Vec<&str> = str::from_utf8(&report).unwrap().lines().collect();
    assert_eq!(lines.len(), 2);
    for line in &lines {
        assert!(line.len() <= 1024, "{line}");
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!((&row["from"], &row["to"]), (&"seanim".into(), &"animj".into()));
        assert_eq!(row["written"], true);
        let group = &row["findings"][0];
        assert!(group["count"].is_u64() && group["first"].is_string(), "{group}");
    }
    // Another run replaces it.
    let checked = bench.run(&["check", "in", "--report", "report.jsonl"]);
    checked.succeeds();
    let report = bench.get("report.jsonl");
    let first = str::from_utf8(&report).unwrap().lines().next().unwrap();
    let row: serde_json::Value = serde_json::from_str(first).unwrap();
    assert!(row.get("written").is_none() && row["input"] == "in/walk.seanim", "{row}");
}

#[test]
fn a_report_replaces_nothing_but_a_report() {
    let bench = folder();
    for name in ["in/walk.seanim", "in/notes.txt"] {
        let before = bench.get(name);
        let ran = converted(&bench, &["--report", name]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(ran.err.contains("exists and is no report"), "{}", ran.err);
        assert_eq!(bench.get(name), before);
        assert_eq!(bench.run(&["check", "in", "--report", name]).code, 3);
        assert_eq!(bench.get(name), before);
    }
    assert_eq!(converted(&bench, &["--report", "-"]).code, 2);
    // A report in a folder of inputs is none of them.
    converted(&bench, &["--report", "in/report.jsonl"]).succeeds();
    let again = converted(&bench, &["--report", "in/report.jsonl", "--force"]);
    assert!(!again.err.contains("report.jsonl"), "{}", again.err);
}

#[test]
fn an_input_is_not_replaced_because_another_file_is_newer() {
    let bench = Bench::new().with("names.json", r#"{"tag_origin": "root"}"#);
    let before = bench.get("walk.seanim");
    for flag in ["--update", "--skip-existing"] {
        let edit = ["edit", "walk.seanim", "-o", "walk.seanim", "--rename", "names.json", flag];
        let ran = bench.run(&edit);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(ran.err.contains("walk.seanim: is also the input"), "{}", ran.err);
        let here = ["convert", "walk.seanim", "--to", "seanim", "--out-dir", ".", flag];
        assert_eq!(bench.run(&here).code, 3);
    }
    assert_eq!(bench.get("walk.seanim"), before);
}

#[test]
fn a_template_without_the_file_fits_one_input_alone() {
    let two = crate::bench::fixture("x4-ani", "two-clips");
    let bench = Bench::empty().with("in/a.ani", two.clone()).with("in/b.ani", two);
    let split = ["convert", "in", "--to", "animj", "--out-dir", "out", "--name-template"];
    let ran = bench.run(&[&split[..], &["{clip}"]].concat());
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("--name-template needs {file} for several inputs"), "{}", ran.err);
    bench.run(&[&split[..], &["{clip} of {file}"]].concat()).succeeds();
    assert!(bench.names().contains(&"out/opening of a.animj".to_owned()), "{:?}", bench.names());
    let whole = ["convert", "in", "--to", "glb", "--out-dir", "out", "--name-template", "{clip}"];
    assert_eq!(bench.run(&whole).code, 2);
}
