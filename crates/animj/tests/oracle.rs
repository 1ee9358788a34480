//! Compares the reader and the writer with `serde_json`.

use std::collections::BTreeMap;

use inbetween_animj::{Animj, AnimjFile, AnimjKeys, AnimjTrack, Style};
use inbetween_core::{Element, Format, Limits};
use inbetween_testing::{arbitrary_documents, properties};
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Reads one value of a kind.
fn ours<T: Element>(text: &str) -> Option<T> {
    let kind = T::KIND.name();
    let file = format!(
        r#"{{"tracks":[{{"trackType":"Raw","valueType":"{kind}","data":{{"keyframes":[{text}]}}}}]}}"#
    );
    let file = AnimjFile::parse(file.as_bytes(), &Limits::default()).ok()?.value;
    let AnimjTrack { keys: AnimjKeys::Raw { values, .. }, .. } = file.tracks().first()? else {
        return None;
    };
    values.as_slice::<T>()?.first().copied()
}

fn theirs<'t, T: Deserialize<'t>>(text: &'t str) -> Option<T> {
    serde_json::from_str(text).ok()
}

/// Decimal numbers of all lengths, and floats of all bits printed in several ways.
fn numbers() -> impl Strategy<Value = String> {
    let digits = "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?";
    let near = (any::<f32>(), -2_i64..=2).prop_map(|(float, ulps)| {
        // Close to halfway between two f32, where double rounding would show.
        let middle = f64::midpoint(f64::from(float), f64::from(float.next_up()));
        let bits = i64::from_ne_bytes(middle.to_bits().to_ne_bytes()).wrapping_add(ulps);
        f64::from_bits(u64::from_ne_bytes(bits.to_ne_bytes()))
    });
    let printed =
        |float: f64| vec![format!("{float:?}"), format!("{float:e}"), format!("{float:.20e}")];
    let floats = prop_oneof![any::<f64>(), any::<f32>().prop_map(f64::from), near]
        .prop_filter("finite", |float| float.is_finite())
        .prop_flat_map(move |float| select(printed(float)));
    prop_oneof![digits, floats, "-?[0-9]{0,20}\\.?[0-9]{0,4}[eE+-]?[0-9]{0,2}"]
}

/// Text that is JSON or almost JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let tokens = vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        " ",
        "\n",
        "\"a\"",
        "\"\\u00e9\\n\"",
        "\"\\ud83e\"",
        "true",
        "null",
        "1",
        "-0.5e3",
        "01",
        "tru",
        "\"",
        "\\",
        "\u{7f}",
        "\t",
        "\"x\":",
    ];
    let soup = proptest::collection::vec(select(tokens), 0..12).prop_map(|tokens| tokens.concat());
    let leaf =
        select(vec!["1", "\"a b\"", "null", "true", "-1.5E+2", "\"\\\"\""]).prop_map(str::to_owned);
    let whole = leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5)
                .prop_map(|items| format!("[ {} ]", items.join(" ,"))),
            proptest::collection::vec(inner, 0..5).prop_map(|items| {
                let members = items.iter().map(|item| format!("\"k\\t\":\n{item}"));
                format!("{{{}}}", members.collect::<Vec<_>>().join(","))
            }),
        ]
    });
    prop_oneof![soup, whole]
}

proptest! {
    #![proptest_config(properties::cases(2_000))]

    #[test]
    fn floats_have_the_same_bits(text in numbers()) {
        let double = theirs::<f64>(&text);
        prop_assert_eq!(ours::<f64>(&text).map(f64::to_bits), double.map(f64::to_bits));
        // A number that overflows an f32 is infinite in serde_json and an error here.
        let float = theirs::<f32>(&text).filter(|float| float.is_finite());
        prop_assert_eq!(ours::<f32>(&text).map(f32::to_bits), float.map(f32::to_bits));
    }

    #[test]
    fn integers_are_the_same(text in "-?[0-9]{1,21}(\\.0|e0)?") {
        // In serde_json, a negative zero is a float.
        prop_assume!(text != "-0");
        prop_assert_eq!(ours::<u8>(&text), theirs::<u8>(&text));
        prop_assert_eq!(ours::<i32>(&text), theirs::<i32>(&text));
        prop_assert_eq!(ours::<u64>(&text), theirs::<u64>(&text));
        prop_assert_eq!(ours::<i64>(&text), theirs::<i64>(&text));
    }

    #[test]
    fn the_same_json_is_accepted_in_any_place(json in nearly_json()) {
        let text = format!("{{\"unknown\":{json}}}");
        let accepted = theirs::<BTreeMap<String, &RawValue>>(&text).is_some();
        prop_assert_eq!(AnimjFile::parse(text.as_bytes(), &Limits::default()).is_ok(), accepted);
    }

    #[test]
    fn strings_are_decoded_equally(json in "\"([ -~é🦴]|\\\\[\"\\\\/bfnrtux]|\\\\u[0-9a-fA-Fd]{4}|[\0-\x1f])*\"?") {
        let text = format!("{{\"name\":{json}}}");
        let name = AnimjFile::parse(text.as_bytes(), &Limits::default()).ok();
        let name = name.and_then(|file| file.value.name().map(str::to_owned));
        prop_assert_eq!(name, theirs::<String>(&json));
    }

    #[test]
    fn printed_files_mean_the_same_in_serde_json(name in any::<String>()) {
        let parts = inbetween_animj::AnimjParts {
            name: Some(name.as_str().into()),
            ..Default::default()
        };
        let text = AnimjFile::from_parts(parts).unwrap().to_text(Style::Pretty);
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&read["name"], &serde_json::Value::from(name));
    }
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn both_styles_print_the_same_json(document in arbitrary_documents()) {
        let write = |style| {
            let written = Animj::default().style(style).write(document.clone(), &Limits::default());
            written.ok().map(|written| written.value)
        };
        let read = |text: Vec<u8>| serde_json::from_slice::<serde_json::Value>(&text).unwrap();
        let (pretty, compact) = (write(Style::Pretty), write(Style::Compact));
        prop_assert_eq!(pretty.map(read), compact.map(read));
    }
}
