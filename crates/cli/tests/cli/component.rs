//! `check --component`: an X4 file compared with the XML that names its animations.

use serde_json::json;

use crate::bench::{Bench, LIGHT, fixture, walk};

/// The ladder of the fixture `ladder-board`, and a landing gear that the file does not know.
const LADDER: &str = r#"<?xml version="1.0"?>
<components>
  <component name="ship">
    <connections>
      <connection name="connection_44" parent="anim_hull">
        <animations>
          <animation name="cockpit_opening" start="1" end="30"/>
          <animation name="cockpit_closing" start="30" end="60"/>
        </animations>
        <parts><part name="anim_ladder"/></parts>
      </connection>
      <connection name="connection_45" parent="anim_ladder">
        <parts><part name="anim_ladder_board"/></parts>
      </connection>
    </connections>
  </component>
</components>
"#;

fn bench(component: impl AsRef<[u8]>) -> Bench {
    Bench::empty().with("board.ani", fixture("x4-ani", "ladder-board")).with("ship.xml", component)
}

const CHECK: [&str; 6] =
    ["check", "board.ani", "--component", "ship.xml", "--only", "x4-ani/*-*-record"];

#[test]
fn a_part_inherits_the_animations_of_its_parents() {
    let clean = LADDER.replace("<animation name=\"cockpit_closing\" start=\"30\" end=\"60\"/>", "");
    let ran = bench(clean).run(&[&CHECK[..4], &["--deny", "warning"]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.text(), ran.err);
}

#[test]
fn mismatches_are_reported_with_their_positions() {
    let longer = LADDER.replace("end=\"30\"", "end=\"45\"");
    let ran = bench(longer).run(&[&CHECK[..4], &["--deny", "warning"]].concat());
    assert_eq!(ran.code, 1);
    for line in [
        "board.ani:0xa4: warning: records[0].duration: 1 s, frames 1 to 45 of \"cockpit_opening\" are \
         1.5 s; end=\"30\" fits [x4-ani/duration-mismatch]",
        "board.ani: warning: component: connection \"connection_44\" selects \"cockpit_closing\" in \
         line 8 [x4-ani/selector-without-record]",
    ] {
        assert!(ran.text().lines().any(|found| found == line), "{}", ran.text());
    }
    let ran = bench(LADDER).run(&CHECK);
    assert_eq!(ran.text().lines().count(), 3, "{}", ran.text());
}

#[test]
fn records_of_missing_parts_and_animations_are_reported() {
    let other = LADDER.replace("cockpit_opening", "hatch_opening");
    let found = bench(other).run(&[&CHECK[..4], &["--json"]].concat()).json();
    let codes: Vec<&str> = found[0]["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|finding| finding["code"].as_str().unwrap())
        .collect();
    assert!(codes.contains(&"x4-ani/record-without-selector"), "{codes:?}");
    let gone = LADDER.replace("anim_ladder_board", "anim_board");
    let found =
        bench(gone).run(&[&CHECK[..4], &["--json", "--only", "x4-ani/part-missing"]].concat());
    let mut finding = found.json()[0]["findings"][0].clone();
    finding["help"].take();
    assert_eq!(
        finding,
        json!({
            "code": "x4-ani/part-missing", "severity": "warning", "loss": false,
            "path": "records[0].part", "position": {"offset": 16},
            "message": "the component has no part \"anim_ladder_board\"",
            "count": 1, "fixable": false, "help": null
        })
    );
}

#[test]
fn rejects_a_component_for_a_format_without_components() {
    let bench = bench(LADDER).with("walk.seanim", walk()).with("light.animj", LIGHT);
    let message = "error: --component has no effect here; it applies only when checking X4 ANI\n";
    bench.run(&["check", "walk.seanim", "--component", "ship.xml"]).fails(2, message);
    // Next to a file that has a component, others are checked as usual.
    let ran = bench.run(&["check", "light.animj", "board.ani", "--component", "ship.xml"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.text().contains("x4-ani/selector-without-record"), "{}", ran.text());
    let bench = bench.with("second.ani", fixture("x4-ani", "two-clips"));
    bench.run(&["check", "board.ani", "second.ani", "--component", "ship.xml"]).fails(
        2,
        "error: --component: no companion file has the name of an input; board.xml belongs to board.ani or \
         board_data.ani\n",
    );
}

#[test]
fn several_files_are_paired_with_their_components_by_name() {
    let bench = Bench::empty()
        .with("in/BOARD_data.ani", fixture("x4-ani", "ladder-board"))
        .with("in/other.ani", fixture("x4-ani", "two-clips"))
        .with("xml/board.xml", LADDER)
        .with("xml/sub/board.txt", LADDER);
    for components in [&["--component", "xml"][..], &["--component", "xml/board.xml"]] {
        let ran = bench.run(&[&["check", "in"], components].concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let unused = "in/BOARD_data.ani: warning: component: connection \"connection_44\"";
        assert!(ran.text().replace('\\', "/").contains(unused), "{}", ran.text());
        assert!(
            ran.text().contains("no companion file has the name of this file"),
            "{}",
            ran.text()
        );
    }
}

#[test]
fn errors_in_a_component_name_the_component_file() {
    let fails = |component: &str, starts: &str| {
        let ran = bench(component).run(&CHECK[..4]);
        assert_eq!((ran.code, ran.text()), (3, ""));
        assert!(ran.err.starts_with(starts), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    };
    fails("<a><b></a>", "error: ship.xml: x4-ani: component: expected well-formed XML, found ");
    fails("<a>", "error: ship.xml: x4-ani: component: expected well-formed XML, found ");
    fails(
        "<!DOCTYPE a [<!ENTITY b \"bb\">]><a>&b;</a>",
        "error: ship.xml: x4-ani: component: a document type declaration is not supported",
    );
    fails(
        &"<a>".repeat(100),
        "error: ship.xml: x4-ani: component: 65 levels of XML requested, the limit is 64",
    );
    let other = "error: ship.xml: x4-ani: component: expected the root element components or \
                 component, found ";
    fails("", &format!("{other}no element"));
    fails(LIGHT, &format!("{other}no element"));
    fails("<macros></macros>", &format!("{other}<macros>"));
    bench(LADDER)
        .run(&["check", "board.ani", "--component", "no.xml"])
        .fails(3, "error: no.xml: no such file or directory\n");
}
