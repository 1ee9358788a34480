//! The laws, on the fixtures and on generated files and documents.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

mod nearly;

use inbetween_animj::{
    Animj, AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, Matrices, Member, Sides, Style,
};
use inbetween_core::{Finding, Format, Limits, Severity, codes, fix};
use inbetween_testing::{arbitrary_documents, laws, mutated, properties, rewriter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Animj::default(), &rewriter!(text AnimjFile), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Animj::default());
    laws::replay_documents(&Animj::default().matrices(Matrices::Rows).style(Style::Compact));
}

/// Unknown members.
fn extra() -> impl Strategy<Value = Vec<Member>> {
    let name = prop_oneof![select(vec!["author", "x", "Name", ""]).prop_map(String::from), ".*"];
    let unknown = |name: &String| {
        !["name", "globalDuration", "tracks", "node", "property", "keyframes", "interval"]
            .contains(&name.as_str())
    };
    let json = select(vec!["1.50", "null", "{ \"a\" : [ 1 , \" \\u00e9 \" ] }", "[]", "-0e0"]);
    let member = (name.prop_filter("unknown", unknown), json)
        .prop_map(|(name, json)| Member::new(name, json).unwrap());
    vec(member, 0..3)
}

/// Files of every kind and shape: documents plus the features that documents lack.
fn files() -> impl Strategy<Value = AnimjFile> {
    let sides = select(vec![Sides::None, Sides::Left, Sides::Right, Sides::Both]);
    let more = (extra(), vec(extra(), 8), vec(sides, 64), any::<bool>());
    (arbitrary_documents(), more).prop_filter_map("refused", |(document, more)| {
        let format = Animj::default().matrices(Matrices::Rows);
        let text = format.write(document, &Limits::default()).ok()?.value;
        let file = AnimjFile::parse(&text, &Limits::default()).unwrap().value;
        let (root_extra, data_extra, sides, unsorted) = more;
        let AnimjParts { name, global_duration, mut tracks, .. } = file.into_parts();
        for (track, extra) in tracks.iter_mut().zip(data_extra) {
            track.extra = extra;
            if unsorted {
                unsort(&mut track.keys);
            }
            if let AnimjKeys::Curve { tangents: Some(tangents), .. } = &mut track.keys {
                give(tangents, &sides);
            }
        }
        AnimjFile::from_parts(AnimjParts { name, global_duration, tracks, extra: root_extra }).ok()
    })
}

fn unsort(keys: &mut AnimjKeys) {
    if let AnimjKeys::Discrete { times, .. } | AnimjKeys::Curve { times, .. } = keys {
        times.reverse();
    }
}

/// Removes some of the tangents; the others have their default.
fn give(tangents: &mut AnimjTangents, sides: &[Sides]) {
    use inbetween_core::{Values, kind_table};

    fn keep(side: &mut Values, given: impl Fn(usize) -> bool) {
        macro_rules! keep {
            (fixed { $($id:literal $variant:ident $name:literal $type:ty, $size:literal;)* }
             pooled { $pid:literal $pooled:ident $pname:literal; }) => {
                match side {
                    $(Values::$variant(column) => {
                        for (index, value) in column.iter_mut().enumerate() {
                            if !given(index) {
                                *value = <$type>::default();
                            }
                        }
                    })*
                    Values::$pooled(column) => {
                        let texts = column.iter().enumerate();
                        *column = texts.map(|(index, text)| text.filter(|_| given(index))).collect();
                    }
                    _ => {}
                }
            };
        }
        kind_table!(keep);
    }
    for (given, sides) in tangents.given.iter_mut().zip(sides) {
        *given = *sides;
    }
    // A file without any tangent reads like one without tangent columns.
    if let Some(first) = tangents.given.first_mut() {
        *first = Sides::Both;
    }
    let given = tangents.given.clone();
    let at = |index: usize| given.get(index).copied().unwrap_or_default();
    keep(&mut tangents.left, |index| at(index).has_left());
    keep(&mut tangents.right, |index| at(index).has_right());
}

/// Returns everything that a file and its findings say, except positions.
fn meaning(text: &[u8]) -> String {
    let findings = |list: &[Finding]| -> Vec<String> {
        let said = |it: &Finding| format!("{} {} {} {}", it.code, it.path, it.message, it.count);
        list.iter().map(said).collect()
    };
    let read = match AnimjFile::parse(text, &Limits::default()) {
        Ok(read) => format!("{:?} {:?}", read.value, findings(&read.findings)),
        Err(error) => format!("{} {}", error.path(), error.kind()),
    };
    let checked = match Animj::default().check(text, &Limits::default()) {
        Ok(checked) => findings(&checked),
        Err(error) => vec![error.kind().to_string()],
    };
    format!("{read}\n{checked:#?}")
}

/// Returns a text whose names are not compared with the expected ones, because of a blank before
/// each colon.
fn with_blanks(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).replace("\":", "\" :").into_bytes()
}

#[test]
fn every_layout_of_a_file_means_the_same_wherever_it_ends() {
    let text = r#"{"name":"A","globalDuration":2,"tracks":[
        {"trackType":"Curve","valueType":"float2","data":{"node":"n","property":"p","keyframes":[
            { "time": 0, "value": { "x": 1, "y": -2.5 }, "interpolation": "Linear" },
            {"time":1,"value":{"x":1,"y":2},"interpolation":2,"leftTangent":{"x":0},"rightTangent":{}},
            { "value": { "y": 1, "x": 2, "y": 3 }, "time": 2, "ease": 1, "time": 3 }]}},
        {"trackType":"Raw","valueType":"color","data":{"interval":0.5,"keyframes":[{"g":1,"a":0}]}},
        {"trackType":"Discrete","valueType":"string","data":{"keyframes":[
            { "time": 0, "value": "a" }, { "time": 1, "value": null }, {"time":2}, {}]}}]}"#;
    for end in 0..=text.len() {
        let text = &text.as_bytes()[..end];
        assert_eq!(meaning(&with_blanks(text)), meaning(text), "{}", text.escape_ascii());
    }
}

/// Returns whether a check reports an error for which the reader rejects the file or skips a track.
fn refused_by_check(text: &[u8]) -> bool {
    /// Errors that Resonite rejects, but the reader accepts.
    const TOLERATED: [&str; 8] = [
        "animj/track-member-order",
        "animj/track-member-unknown",
        "animj/track-type-case",
        "animj/value-type-case",
        "animj/member-case",
        "animj/color32-fractions",
        "animj/matrix",
        "time-negative",
    ];
    match Animj::default().check(text, &Limits::default()) {
        Err(_) => true,
        Ok(findings) => findings.iter().any(|finding| {
            finding.severity() == Severity::Error && !TOLERATED.contains(&finding.code.id())
        }),
    }
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn the_laws_hold_on_text_that_is_almost_animj(bytes in nearly::files()) {
        laws::all(&Animj::default(), &rewriter!(text AnimjFile), &bytes);
        laws::limits_hold(&Animj::default(), &rewriter!(text AnimjFile), &bytes);
    }

    #[test]
    fn every_layout_of_text_that_is_almost_animj_means_the_same(bytes in nearly::files()) {
        prop_assert_eq!(meaning(&with_blanks(&bytes)), meaning(&bytes));
    }

    #[test]
    fn a_check_reports_an_error_for_text_that_is_almost_animj(bytes in nearly::files()) {
        let refused = Animj::default().read(&bytes, &Limits::default()).is_err();
        prop_assert_eq!(refused_by_check(&bytes), refused);
    }

    #[test]
    fn fixing_changes_nothing_that_was_read(bytes in nearly::files()) {
        let (format, limits) = (Animj::default(), Limits::default());
        let mut text = bytes.clone();
        for _ in 0..8 {
            let findings = format.check(&text, &limits).unwrap_or_default();
            let renames = |finding: &&Finding| finding.code.id() != "animj/member-case";
            let safe: Vec<Finding> = findings.iter().filter(renames).cloned().collect();
            text = fix::apply(&text, &safe).bytes;
        }
        let findings = format.check(&text, &limits).unwrap_or_default();
        let left = findings.iter().filter(|finding| finding.fix.is_some());
        prop_assert!(left.clone().all(|finding| finding.code.id() == "animj/member-case"));
        if let Ok(before) = format.read(&bytes, &limits) {
            let after = format.read(&text, &limits).unwrap();
            let difference = inbetween_testing::difference(&before.value, &after.value);
            prop_assert_eq!(difference, None);
        }
    }

    #[test]
    fn a_printed_file_reads_back(file in files()) {
        for style in [Style::Pretty, Style::Compact] {
            let text = file.to_text(style);
            let read = AnimjFile::parse(text.as_bytes(), &Limits::default()).unwrap();
            prop_assert_eq!(&read.findings, &[]);
            prop_assert_eq!(&read.value, &file);
            prop_assert_eq!(read.value.to_text(style), text);
        }
    }

    #[test]
    fn parts_rebuild_the_same_file(file in files()) {
        let again = AnimjFile::from_parts(file.clone().into_parts()).unwrap();
        prop_assert_eq!(again, file);
    }

    #[test]
    fn both_conversions_to_a_document_agree(file in files()) {
        let text = file.to_text(Style::Compact);
        let streamed = Animj::default().read(text.as_bytes(), &Limits::default()).unwrap();
        let converted = file.into_document(&Limits::default()).unwrap();
        let difference = inbetween_testing::difference(&streamed.value, &converted.value);
        prop_assert_eq!(difference, None);
        let codes = |findings: &[Finding]| -> Vec<(&str, u64)> {
            findings.iter().map(|finding| (finding.code.id(), finding.count)).collect()
        };
        let (mut streamed, mut converted) = (codes(&streamed.findings), codes(&converted.findings));
        streamed.sort_unstable();
        converted.sort_unstable();
        prop_assert_eq!(streamed, converted);
    }

    #[test]
    fn the_laws_hold_on_any_file(file in files()) {
        let text = file.to_text(Style::Pretty);
        laws::all(&Animj::default(), &rewriter!(text AnimjFile), text.as_bytes());
    }

    #[test]
    fn the_laws_hold_on_any_document(document in arbitrary_documents()) {
        laws::document_round_trip(&Animj::default(), &document);
        laws::document_round_trip(&Animj::default().matrices(Matrices::Rows), &document);
    }

    #[test]
    fn the_laws_hold_on_changed_fixtures(bytes in mutated("animj")) {
        laws::all(&Animj::default(), &rewriter!(text AnimjFile), &bytes);
    }

    #[test]
    fn a_check_reports_an_error_exactly_for_rejected_files_and_tracks(bytes in mutated("animj")) {
        let read = Animj::default().read(&bytes, &Limits::default());
        let is_whole = read.is_ok_and(|read| read.findings.iter().all(|it| it.code != codes::PART_SKIPPED));
        prop_assert_eq!(refused_by_check(&bytes), !is_whole);
    }
}
