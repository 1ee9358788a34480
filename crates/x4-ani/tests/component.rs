//! Tests of files against their component XML.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Finding, Limits, ReadErrorKind};
use inbetween_x4_ani::{RecordPart, X4aniFile, X4aniName, X4aniParts, lint};

/// A file of records without keys: part, animation, duration.
fn file(records: &[(&str, &str, f32)]) -> X4aniFile<'static> {
    let record = |&(part, subname, duration): &(&str, &str, f32)| RecordPart {
        part: X4aniName::new(part).unwrap(),
        subname: X4aniName::new(subname).unwrap(),
        duration,
        ..RecordPart::default()
    };
    let records = records.iter().map(record).collect();
    X4aniFile::from_parts(&X4aniParts { records, ..X4aniParts::default() }).unwrap()
}

fn found(records: &[(&str, &str, f32)], component: &str) -> Vec<&'static str> {
    let findings = lint(&file(records), component.as_bytes(), &Limits::default()).unwrap();
    findings.iter().map(|finding: &Finding| finding.code.id()).collect()
}

/// A ladder with its own animations, and a board that inherits them.
const LADDER: &str = "\u{feff}<?xml version=\"1.0\"?><components><component><connections>\
    <connection name=\"connection_44\"><animations>\
    <animation name=\"Cockpit_Opening\" start=\"1\" end=\"30\"/>\
    <animation name=\"cockpit_open\" start=\"30\" end=\"30\"/>\
    <animation name=\"cockpit_closing\" start=\"30\" end=\"60\"/></animations>\
    <parts><part name=\"anim_ladder\"/></parts></connection>\
    <connection name=\"connection_45\" parent=\"anim_ladder\"><parts>\
    <part name=\"anim_ladder_board\"/></parts></connection>\
    <connection name=\"connection_46\" parent=\"anim_ladder\" tags=\"part truncateanimations\">\
    <parts><part name=\"anim_stop\"/></parts></connection>\
    </connections></component></components>";

#[test]
fn inherited_animations_and_exact_durations_are_clean() {
    let records = [
        ("anim_ladder", "cockpit_opening", 1.0),
        ("ANIM_LADDER_BOARD", "cockpit_open", 1.0 / 30.0),
        ("anim_ladder_board", "cockpit_closing", 1.0),
    ];
    assert_eq!(found(&records, LADDER), [""; 0]);
}

#[test]
fn a_long_duration_may_differ_by_f32_rounding() {
    let component = "<components><connection><animation name=\"loop\" start=\"1\" end=\"20000\"/>\
        <part name=\"ring\"/></connection></components>";
    assert_eq!(found(&[("ring", "loop", 666.666_7)], component), [""; 0]);
    assert_eq!(found(&[("ring", "loop", 666.667)], component), ["x4-ani/duration-mismatch"]);
}

#[test]
fn every_mismatch_is_found() {
    let records = [
        ("anim_ladder", "cockpit_opening", 1.1),
        ("anim_ladder", "landing", 1.0),
        ("anim_stop", "cockpit_open", 1.0 / 30.0),
        ("anim_gone", "cockpit_open", 1.0),
    ];
    assert_eq!(
        found(&records, LADDER),
        [
            "x4-ani/duration-mismatch",
            "x4-ani/record-without-selector",
            "x4-ani/record-without-selector",
            "x4-ani/part-missing",
            "x4-ani/selector-without-record",
        ]
    );
}

#[test]
fn a_cycle_of_parents_terminates() {
    let circle = "<components><connection name=\"a\" parent=\"q\"><part name=\"p\"/></connection>\
        <connection name=\"b\" parent=\"p\"><part name=\"q\"/></connection></components>";
    assert_eq!(found(&[("p", "x", 1.0)], circle), ["x4-ani/record-without-selector"]);
}

#[test]
fn many_long_parent_names_resolve_to_the_root() {
    // A tree whose nodes have names of 1,000 bytes each; only the root selects an animation.
    let connection = |index: usize| {
        let animation = if index == 0 { "<animation name=\"x\"/>" } else { "" };
        format!(
            "<connection parent=\"{:01000}\">{animation}<part name=\"{index:01000}\"/>\
             <part name=\"p{index}\"/></connection>",
            index / 2
        )
    };
    let connections: String = (0..20_000).map(connection).collect();
    let names: Vec<String> = (0..20_000).map(|index| format!("p{index}")).collect();
    let records: Vec<_> = names.iter().map(|name| (name.as_str(), "x", 1.0)).collect();
    let component = format!("<components>{connections}</components>");
    assert_eq!(found(&records, &component), [""; 0]);
}

#[test]
fn rejects_entities_depth_and_broken_xml() {
    let lint = |component: &str, limits: &Limits| {
        lint(&file(&[]), component.as_bytes(), limits).unwrap_err()
    };
    let limits = Limits::default();
    let bomb = "<!DOCTYPE a [<!ENTITY b \"bbbb\">]><a>&b;</a>";
    assert!(matches!(lint(bomb, &limits).kind(), ReadErrorKind::Unsupported { .. }));
    let entity = "<a><connection name=\"&b;\"/></a>";
    assert!(matches!(lint(entity, &limits).kind(), ReadErrorKind::Invalid { .. }));
    assert!(matches!(
        lint(&"<a>".repeat(1000), &limits).kind(),
        ReadErrorKind::Limit { limit: 64, .. }
    ));
    assert!(matches!(lint("<a><b></a>", &limits).kind(), ReadErrorKind::Invalid { .. }));
    assert!(matches!(lint("<a><connection", &limits).kind(), ReadErrorKind::Invalid { .. }));
    let few = limits.with_items(1);
    assert!(matches!(lint(LADDER, &few).kind(), ReadErrorKind::Limit { limit: 1, .. }));
}

#[test]
fn rejects_xml_without_a_component_root() {
    let refused = |text: &str| {
        let error = lint(&file(&[]), text.as_bytes(), &Limits::default()).unwrap_err();
        let ReadErrorKind::Invalid { expected, found } = error.kind() else { panic!("{error}") };
        assert_eq!(expected, "the root element components or component");
        found.to_string()
    };
    for none in ["", "\u{feff}", " \n", "<?xml version=\"1.0\"?>", "{\"tracks\": []}", "<!-- -->"] {
        assert_eq!(refused(none), "no element", "{none}");
    }
    assert_eq!(refused("<diff><component/></diff>"), "<diff>");
    assert_eq!(refused("<macros/>"), "<macros>");
    assert_eq!(found(&[], "<component/>"), [""; 0]);
}
