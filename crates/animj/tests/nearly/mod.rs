//! Text that is almost AnimJ: members in any order, missing, duplicate, misspelled, of any value.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

type Texts = BoxedStrategy<String>;

/// Files that are almost AnimJ.
pub(crate) fn files() -> impl Strategy<Value = Vec<u8>> {
    let tracks = list(prop_oneof![8 => track(), 1 => scalar()].boxed(), 3);
    let members = prop_oneof![
        member(&["name", "globalDuration", "author"], scalar()),
        member(&["tracks"], prop_oneof![8 => tracks, 1 => scalar()].boxed()),
    ];
    object(members.boxed(), 0, 4).prop_map(String::into_bytes)
}

fn track() -> Texts {
    let track_types = ["\"Raw\"", "\"Discrete\"", "\"Curve\"", "\"curve\"", "\"Bezier\"", "1"];
    let value_types = [
        "\"float\"",
        "\"float2\"",
        "\"floatQ\"",
        "\"floatq\"",
        "\"int\"",
        "\"bool\"",
        "\"string\"",
        "\"color\"",
        "\"color32\"",
        "\"float2x2\"",
        "\"colorX\"",
        "null",
    ];
    let members = prop_oneof![
        6 => member(&["trackType"], one_of(&track_types)),
        6 => member(&["valueType"], one_of(&value_types)),
        6 => member(&["data"], prop_oneof![8 => data(), 1 => scalar()].boxed()),
        1 => member(&["Data", "more"], scalar()),
    ];
    object(members.boxed(), 2, 6)
}

fn data() -> Texts {
    let keys = list(prop_oneof![key(), scalar()].boxed(), 5);
    let members = prop_oneof![
        member(&["node", "property", "interval", "Node", "extra"], scalar()),
        member(&["keyframes", "keyframes", "keyframes", "KeyFrames"], keys),
    ];
    object(members.boxed(), 0, 5)
}

fn key() -> Texts {
    let interpolations = ["\"Linear\"", "\"tangent\"", "\"CubicBezier\"", "3", "4", "\"No\""];
    let members = prop_oneof![
        4 => member(&["time", "time", "Time"], scalar()),
        4 => member(&["value", "value", "leftTangent", "rightTangent"], scalar()),
        2 => member(&["interpolation"], one_of(&interpolations)),
        1 => member(&["ease"], scalar()),
    ];
    object(members.boxed(), 0, 5)
}

fn scalar() -> Texts {
    one_of(&[
        "1",
        "1.0",
        "-0",
        "0.5",
        "1e39",
        "300",
        "null",
        "None",
        "true",
        "False",
        "NaN",
        "\"a\"",
        "[]",
        "{}",
        "[[1,2],[3,4]]",
        "{\"x\":1,\"y\":2}",
        "{\"X\":1}",
        "{\"x\":1,\"x\":null}",
        "{\"r\":0.5,\"g\":1}",
        "{\"r\":7,\"b\":256}",
        "{\"x\":0,\"y\":0,\"z\":0,\"w\":1}",
    ])
}

fn one_of(texts: &[&str]) -> Texts {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    select(texts).boxed()
}

fn member(names: &[&str], value: Texts) -> Texts {
    (one_of(names), value).prop_map(|(name, value)| format!("\"{name}\": {value}")).boxed()
}

fn object(member: Texts, least: usize, most: usize) -> Texts {
    let end = one_of(&["", "", "", ",", " /* c */", "}"]);
    (vec(member, least..most), end)
        .prop_map(|(members, end)| format!("{{{}{end}}}", members.join(", ")))
        .boxed()
}

fn list(item: Texts, most: usize) -> Texts {
    let end = one_of(&["", "", "", ",", "//\n"]);
    (vec(item, 0..most), end)
        .prop_map(|(items, end)| format!("[{}{end}]", items.join(",\n ")))
        .boxed()
}
