//! `explain`.

use serde_json::json;

use crate::bench::Bench;

#[test]
fn prints_what_a_code_means() {
    let ran = Bench::empty().run(&["explain", "convert/times-sorted"]);
    let code = inbetween::core::codes::TIMES_SORTED;
    let text: Vec<&str> = ran.text().lines().collect();
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert_eq!(text[0], "convert/times-sorted (loss, warning)");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&text[1..].join(" ")), words(code.help()));
}

#[test]
fn prints_the_flags_that_solve_the_problem() {
    let bench = Bench::empty();
    let ran = bench.run(&["explain", "time-negative"]);
    assert!(ran.text().ends_with("\n  On the command line: edit --trim, edit --shift\n"));
    let rows = bench.run(&["explain", "--json", "time-negative"]).json();
    assert_eq!(rows[0]["remedies"], json!(["edit --trim", "edit --shift"]));
}

#[test]
fn explains_the_findings_of_formats_and_edits_by_pattern() {
    let ran = Bench::empty().run(&["explain", "seanim/*", "edit/cut"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let heads = ran.text().lines().filter(|line| !line.starts_with(' '));
    let ids: Vec<&str> = heads.filter_map(|line| line.split(' ').next()).collect();
    assert!(ids.contains(&"edit/cut"), "{ids:?}");
    assert!(ids.iter().filter(|id| id.starts_with("seanim/")).count() > 3, "{ids:?}");
    assert!(ids.iter().all(|id| id.starts_with("seanim/") || *id == "edit/cut"), "{ids:?}");
}

#[test]
fn prints_an_array_with_an_object_for_each_code() {
    let ran = Bench::empty().run(&["explain", "--json", "convert/times-sorted"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let help = inbetween::core::codes::TIMES_SORTED.help();
    let expected = json!([
        {
            "code": "convert/times-sorted",
            "severity": "warning",
            "loss": true,
            "help": help,
            "remedies": [],
        }
    ]);
    assert_eq!(ran.json(), expected);
}

#[test]
fn explains_every_code_in_the_list_of_findings() {
    let document = include_str!("../../../../docs/findings.md");
    let rows = document.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next());
    let mut listed: Vec<&str> = rows.collect();
    let found = Bench::empty().run(&["explain", "--json", "*"]).json();
    let mut explained: Vec<&str> =
        found.as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap()).collect();
    listed.sort_unstable();
    explained.sort_unstable();
    assert_eq!(explained, listed);
}

#[test]
fn rejects_an_unknown_code_and_suggests_similar_ones() {
    let bench = Bench::empty();
    bench.run(&["explain", "convert/time-sorted"]).fails(
        2,
        "error: convert/time-sorted: no finding has this code; did you mean \
         convert/times-sorted?\n",
    );
    bench.run(&["explain", "zzz"]).fails(
        2,
        "error: zzz: no finding has this code; `inbetween explain '*'` lists all codes\n",
    );
    bench.run(&["explain", "["]).fails(
        2,
        "error: [: not a pattern of codes: Pattern syntax error near position 0: invalid range \
         pattern\n",
    );
}
