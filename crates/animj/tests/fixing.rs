//! The effects of `check --fix`.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may end where it fails")]

use inbetween_animj::{Animj, Nan};
use inbetween_core::{Finding, Format, Limits, fix};
use inbetween_testing::{cases, difference};

fn check(text: &[u8]) -> Vec<Finding> {
    Animj::default().check(text, &Limits::default()).unwrap_or_default()
}

/// Applies fixes in rounds, like the facade, until nothing is fixable.
fn fixed(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..20 {
        let findings = check(&text);
        if fix::fixable(&findings) == 0 {
            return text;
        }
        text = fix::apply(&text, &findings).bytes;
    }
    panic!("there is always more to fix: {}", String::from_utf8_lossy(&text));
}

fn fixed_text(text: &str) -> String {
    String::from_utf8(fixed(text.as_bytes())).unwrap()
}

#[test]
fn fixing_terminates_and_keeps_readable_content() {
    for case in cases::of("animj") {
        let after = fixed(&case.bytes);
        let read = |text: &[u8]| Animj::default().read(text, &Limits::default());
        let (Ok(before), after) = (read(&case.bytes), read(&after)) else { continue };
        // A fix makes a broken track readable.
        let renamed =
            case.name.starts_with("member-case") || case.name == "one-track-of-quoted-numbers";
        let changed = difference(&before.value, &after.unwrap().value);
        assert_eq!(changed.is_some(), renamed, "{}: {changed:?}", case.name);
    }
}

#[test]
fn types_move_to_the_front_and_the_rest_stays() {
    let text = "{\"tracks\": [{\n  \"data\": {\"keyframes\": [ 1,  2 ]},\n  \"valueType\": \"int\",\n  \
                \"trackType\": \"Raw\"\n}]}";
    let expected = "{\"tracks\": [{\n  \"trackType\": \"Raw\",\n  \"valueType\": \"int\",\n  \
                    \"data\": {\"keyframes\": [ 1,  2 ]}\n}]}";
    assert_eq!(fixed_text(text), expected);
}

#[test]
fn only_the_type_that_is_out_of_order_moves() {
    let first = r#"{"tracks":[{"trackType":"Raw","data":{},"valueType":"int"}]}"#;
    let swapped = r#"{"tracks":[{"valueType":"int","trackType":"Raw","data":{}}]}"#;
    let expected = r#"{"tracks":[{"trackType":"Raw","valueType":"int","data":{}}]}"#;
    assert_eq!(fixed_text(first), expected);
    assert_eq!(fixed_text(swapped), expected);
}

#[test]
fn commas_in_comments_are_not_mistaken_for_separators() {
    let text =
        r#"{"tracks":[{"data":{} /* a, b */ , /* c, d */ "trackType":"Raw","valueType":"int"}]}"#;
    let expected = r#"{"tracks":[{"trackType":"Raw","valueType":"int","data":{}  }]}"#;
    assert_eq!(fixed_text(text), expected);
}

#[test]
fn common_mistakes_become_valid_json() {
    let text = "\u{feff}{ // hello\n\"name\": None, \"tracks\": [{\"TrackType\": \"RAW\", \"valueType\": \
                \"Bool2\", \"data\": {\"keyframes\": [{\"X\": True, \"y\": FALSE,},],},}],}";
    let expected = "{ \n\"name\": null, \"tracks\": [{\"trackType\": \"Raw\", \"valueType\": \
                    \"bool2\", \"data\": {\"keyframes\": [{\"x\": true, \"y\": false}]}}]}";
    assert_eq!(fixed_text(text), expected);
}

#[test]
fn only_a_fraction_of_zeros_is_removed_from_integers() {
    let file = |keys: &str| {
        format!(
            r#"{{"tracks":[{{"trackType":"Raw","valueType":"int","data":{{"keyframes":[{keys}]}}}}]}}"#
        )
    };
    assert_eq!(fixed_text(&file("1.0, -20.00, 1.5, 1e2")), file("1, -20, 1.5, 1e2"));
}

#[test]
fn a_name_is_not_fixed_if_the_right_one_exists_too() {
    let text = r#"{"Name":"A","name":"B","NAME":"C"}"#;
    assert_eq!(fixed_text(text), text);
    assert!(check(text.as_bytes()).iter().any(|finding| finding.code.id() == "animj/member-case"));
}

#[test]
fn many_mistakes_are_fixed_in_rounds() {
    let keys = vec!["True,"; 15_000].concat();
    let text = format!(
        r#"{{"tracks":[{{"trackType":"Raw","valueType":"bool","data":{{"keyframes":[{keys}]}}}}]}}"#
    );
    let first = check(text.as_bytes());
    let edits = first.iter().filter_map(|finding| finding.fix.as_ref()).map(|fix| fix.edits.len());
    assert_eq!(edits.sum::<usize>(), 10_000);
    let after = fixed_text(&text);
    assert!(
        !after.contains("True")
            && Animj::default().read(after.as_bytes(), &Limits::default()).is_ok()
    );
}

/// A file of one track.
fn track(track_type: &str, value_type: &str, data: &str) -> String {
    format!(
        r#"{{"tracks":[{{"trackType":"{track_type}","valueType":"{value_type}","data":{{"node":"N",{data}}}}}]}}"#
    )
}

fn messages(text: &str, code: &str) -> Vec<String> {
    let findings = check(text.as_bytes()).into_iter().filter(|finding| finding.code.id() == code);
    findings.map(|finding| format!("{} x{}", finding.message, finding.count)).collect()
}

fn refusal(text: &str) -> String {
    Animj::default().read(text.as_bytes(), &Limits::default()).unwrap_err().to_string()
}

#[test]
fn keys_with_times_turn_a_raw_track_into_a_discrete_or_curve_track() {
    let stepped =
        r#""interval":1,"keyframes":[{"time":0,"value":{"x":1}},{"time":1,"value":{"x":2}}]"#;
    let blended = stepped.replace(r#""time":1,"#, r#""time":1,"interpolation":"Linear","#);
    for (data, kind) in [(stepped, "Discrete"), (&*blended, "Curve")] {
        let raw = track("Raw", "float2", data);
        let expected = [format!("a {kind} key in a Raw track x2")];
        assert_eq!(messages(&raw, "animj/track-type-mismatch"), expected);
        assert_eq!(messages(&raw, "animj/member-dropped"), [""; 0]);
        assert_eq!(fixed_text(&raw), track(kind, "float2", data));
    }
    let error = refusal(&track("Raw", "float2", stepped));
    assert!(error.contains("found a key with time, value"), "{error}");
}

#[test]
fn keys_with_times_in_a_raw_track_of_numbers_are_fixed_too() {
    let data = r#""keyframes":[{"Time":0,"Value":1},{"Time":1,"Value":2}]"#;
    let expected = track("Discrete", "float", &data.replace('T', "t").replace('V', "v"));
    assert_eq!(fixed_text(&track("Raw", "float", data)), expected);
}

#[test]
fn bare_values_turn_a_track_with_an_interval_into_a_raw_track() {
    for (value_type, keys) in [
        ("float2", r#"{"x":1,"y":2},{"x":3,"y":4}"#),
        ("float", "1,2"),
        ("string", r#""a",null"#),
        ("bool", "true,false"),
    ] {
        for kind in ["Discrete", "Curve"] {
            let data = format!(r#""keyframes":[{keys}],"interval":0.5"#);
            let keyed = track(kind, value_type, &data);
            let expected = [format!("a bare value in a {kind} track x2")];
            assert_eq!(messages(&keyed, "animj/track-type-mismatch"), expected);
            assert_eq!(fixed_text(&keyed), track("Raw", value_type, &data));
            assert!(refusal(&keyed).contains("found a bare value"));
        }
    }
}

#[test]
fn bare_values_without_an_interval_are_explained_but_not_fixed() {
    let text = track("Curve", "float2", r#""keyframes":[{"x":1,"y":2}]"#);
    assert_eq!(fixed_text(&text), text);
    let expected = [
        "a bare value in a Curve track; a Raw track needs an interval, which data does not have x1",
    ];
    assert_eq!(messages(&text, "animj/track-type-mismatch"), expected);
}

#[test]
fn keys_of_two_shapes_are_explained_but_not_fixed() {
    let text = track("Raw", "float2", r#""interval":1,"keyframes":[{"x":1,"y":2},{"time":1}]"#);
    assert_eq!(fixed_text(&text), text);
    let expected = ["a Discrete key in a Raw track, mixed with keys of other shapes x1"];
    assert_eq!(messages(&text, "animj/track-type-mismatch"), expected);
}

#[test]
fn objects_without_any_expected_member_are_errors() {
    for (data, found) in [
        (r#"{"time":0,"value":{"r":1,"g":2}}"#, "an object with r, g"),
        (r#"{"t":0,"v":{"x":1,"y":2}}"#, "an object with t, v"),
        (r#"{"time":0,"x":1,"y":2}"#, "an object with time, x, y"),
    ] {
        let text = track("Discrete", "float2", &format!(r#""keyframes":[{data},{data}]"#));
        let [message] = &messages(&text, "animj/wrong-members")[..] else { panic!("{data}") };
        assert!(message.contains(found) && message.ends_with(" x2"), "{message}");
        assert!(refusal(&text).contains(found));
    }
}

#[test]
fn every_member_in_the_wrong_case_is_renamed() {
    let right = r#"{"name":"A","globalDuration":2,"tracks":[{"trackType":"Curve","valueType":"float2","data":{"node":"N","property":"P","keyframes":[{"time":0,"value":{"x":1,"y":2},"interpolation":"Linear","leftTangent":{"x":0,"y":0},"rightTangent":{"x":0,"y":0}}]}}]}"#;
    let mut wrong = right.to_owned();
    for name in right.split('"').filter(|name| right.contains(&format!("\"{name}\":"))) {
        let capital = name[..1].to_uppercase() + &name[1..];
        wrong = wrong.replace(&format!("\"{name}\":"), &format!("\"{capital}\":"));
    }
    assert!(wrong.contains("\"X\"") && wrong.contains("\"Tracks\""));
    assert_eq!(fixed_text(&wrong), right);
}

#[test]
fn names_in_the_wrong_case_are_all_listed_and_counted() {
    let key = r#"{"X":1,"Y":2}"#;
    let text = track("Raw", "float2", &format!(r#""interval":1,"keyframes":[{key},{key},{key}]"#));
    let expected = [r#""X" instead of "x"; "Y" instead of "y" x6"#];
    assert_eq!(messages(&text, "animj/member-case"), expected);
    let read = Animj::default().read(text.as_bytes(), &Limits::default()).unwrap();
    let dropped = &read.findings[0];
    assert_eq!(dropped.count, 6);
    let expected = r#"unknown "X" (did you mean "x"?), "Y" (did you mean "y"?); known here: x, y"#;
    assert_eq!(dropped.message, expected);
}

#[test]
fn a_name_in_three_wrong_cases_is_counted_three_times() {
    let text = track(
        "Raw",
        "float2",
        r#""interval":1,"keyframes":[{"x":1,"y":1}],"NODE":"a","Node":"b","nodE":"c""#,
    );
    assert_eq!(fixed_text(&text), text);
    let [message] = &messages(&text, "animj/member-case")[..] else { panic!("one finding") };
    for name in ["NODE", "Node", "nodE"] {
        assert!(message.contains(&format!("\"{name}\" instead of \"node\"")), "{message}");
    }
    assert!(message.ends_with(" x3"), "{message}");
}

#[test]
fn a_long_list_of_dropped_members_ends_with_others() {
    let text = track(
        "Discrete",
        "int",
        r#""keyframes":[{"time":0,"value":1,"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}]"#,
    );
    let [message] = &messages(&text, "animj/member-dropped")[..] else { panic!("one finding") };
    assert!(message.ends_with("\"d\"; known here: time, value; more x6"), "{message}");
}

#[test]
fn unsorted_keys_are_sorted_and_the_rest_is_unchanged() {
    for kind in ["Discrete", "Curve"] {
        let keys = [
            r#"{"time": 0, "value": "a"}"#,
            "{ \"value\": \"b\",\n \"time\": 1.50 }",
            r#"{"time": 1.5, "value": "c", "extra": [1, 2]}"#,
            r#"{"time": 2e0,"value":"d"}"#,
            r#"{"time": 9, "value": "e"}"#,
        ];
        let text = |order: [usize; 5]| {
            let between = ["[ ", ",\n  ", " ,", ",\t", "\n,"];
            let keys =
                between.iter().zip(order).map(|(space, key)| format!("{space}{}", keys[key]));
            track(kind, "string", &format!("\"keyframes\": {} ]", keys.collect::<String>()))
        };
        let unsorted = text([0, 3, 1, 2, 4]);
        assert_eq!(fixed_text(&unsorted), text([0, 1, 2, 3, 4]));
        assert_eq!(messages(&unsorted, "keys-unsorted").len(), 1);
    }
}

#[test]
fn unsorted_keys_with_mistakes_are_sorted_too() {
    let keys = |a: &str, b: &str, end: &str| {
        track("Discrete", "bool", &format!("\"keyframes\":[{a} /* 1 */,{b}{end}]"))
    };
    let text = keys(r#"{"time":2,"value":True,}"#, r#"{"time":1,"value":FALSE}"#, ",");
    let expected = keys(r#"{"time":1,"value":false}"#, r#"{"time":2,"value":true}"#, "");
    assert_eq!(fixed_text(&text), expected.replace("/* 1 */", ""));
}

#[test]
fn unsorted_markers_are_sorted() {
    let keys = |a: &str, b: &str| {
        let data = format!(r#""property":"Name","keyframes":[{a},{b}]"#);
        track("Discrete", "string", &data).replace("\"N\"", "\"Markers\"")
    };
    let (early, late) = (r#"{"time":1,"value":"a"}"#, r#"{"time":2,"value":"b"}"#);
    assert_eq!(fixed_text(&keys(late, early)), keys(early, late));
}

#[test]
fn keys_without_a_time_are_not_sorted() {
    let data = r#""keyframes":[{"time":2,"value":1},{"value":2},{"time":1,"value":3}]"#;
    let text = track("Discrete", "int", data);
    assert_eq!(fixed_text(&text), text);
}

#[test]
fn a_large_file_is_fixed_in_a_few_rounds() {
    let keys = vec![r#"{"X":1,"Y":2}"#; 100_000].join(",");
    let text = track("Raw", "float2", &format!(r#""interval":1,"keyframes":[{keys}]"#));
    let after = fixed(text.as_bytes());
    assert!(!after.contains(&b'X') && !after.contains(&b'Y'));
}

/// Returns the keys of a file of one track after fixing it with a format.
fn fixed_keys(format: &Animj, track_type: &str, value_type: &str, keys: &str) -> String {
    let head = format!(
        r#"{{"tracks": [{{"trackType": {track_type}, "valueType": "{value_type}", "data": {{"node": "N", "interval": 1, "keyframes": ["#
    );
    let mut text = format!("{head}{keys}]}}}}]}}").into_bytes();
    for _ in 0..20 {
        let findings = format.check(&text, &Limits::default()).unwrap();
        if fix::fixable(&findings) == 0 {
            break;
        }
        text = fix::apply(&text, &findings).bytes;
    }
    let text = String::from_utf8(text).unwrap();
    let (_, keys) = text.split_once("keyframes\": [").unwrap();
    keys.strip_suffix("]}}]}").unwrap().to_owned()
}

fn raw_keys(value_type: &str, keys: &str) -> String {
    fixed_keys(&Animj::default(), "\"Raw\"", value_type, keys)
}

#[test]
fn quotes_around_numbers_and_booleans_are_removed() {
    assert_eq!(raw_keys("float", r#""1.5", " -2 ", +3, .5, 1., 2f"#), "1.5, -2, 3, 0.5, 1.0, 2");
    assert_eq!(raw_keys("int", r#""1", "2.0", +3"#), "1, 2, 3");
    assert_eq!(raw_keys("bool", r#""true", "False", True"#), "true, false, true");
    assert_eq!(raw_keys("bool2", r#"{"x": "true", "y": false}"#), r#"{"x": true, "y": false}"#);
    for unclear in [r#""""#, r#""one""#, "01", "0x10", r#""1,5""#] {
        assert_eq!(raw_keys("float", unclear), unclear);
    }
}

#[test]
fn arrays_become_objects() {
    assert_eq!(raw_keys("float3", "[1, 2,3]"), r#"{"x": 1, "y": 2,"z": 3}"#);
    assert_eq!(raw_keys("double2", r#"["1", 2,]"#), r#"{"x": 1, "y": 2}"#);
    assert_eq!(raw_keys("color", "[1, 0, 0, 1]"), r#"{"r": 1, "g": 0, "b": 0, "a": 1}"#);
    assert_eq!(raw_keys("color32", "[1, 0, 0, 1]"), r#"{"r": 1, "g": 0, "b": 0, "a": 1}"#);
    for unclear in ["[1, 2]", "[1, 2, 3, 4]", "[]", "[1, 2, [3]]"] {
        assert_eq!(raw_keys("float3", unclear), unclear);
    }
}

#[test]
fn a_quaternion_is_fixed_if_other_keys_leave_one_order() {
    let known = r#"{"x": 0, "y": 0, "z": 0, "w": 1}"#;
    let keys = |array: &str| raw_keys("floatQ", &format!("{known}, {array}"));
    let fixed = |object: &str| format!("{known}, {object}");
    assert_eq!(keys("[0, 0, 0.1, 0.995]"), fixed(r#"{"x": 0, "y": 0, "z": 0.1, "w": 0.995}"#));
    assert_eq!(keys("[0.995, 0, 0, 0.1]"), fixed(r#"{"w": 0.995, "x": 0, "y": 0, "z": 0.1}"#));
    // The known key may come second.
    let first = raw_keys("floatQ", &format!("[0.995, 0, 0, 0.1], {known}"));
    assert_eq!(first, format!(r#"{{"w": 0.995, "x": 0, "y": 0, "z": 0.1}}, {known}"#));
    // Both orders are near, none is, the array is no rotation, and no key is known.
    let unclear = ["[0.5, 0.5, 0.5, 0.5]", "[0, 1, 0, 0]", "[0, 0, 0, 0.5]", "[0, 0, 1]"];
    for array in unclear {
        assert_eq!(keys(array), fixed(array));
    }
    assert_eq!(raw_keys("floatQ", "[0, 0, 0, 1]"), "[0, 0, 0, 1]");
    // Two keys that speak for different orders.
    let mixed = format!("{known}, [0, 0, 0, 1], {known}, [1, 0, 0, 0]");
    assert_eq!(raw_keys("floatQ", &mixed), mixed);
}

#[test]
fn numbers_of_types_become_names() {
    let format = Animj::default();
    let text = r#"{"tracks":[{"trackType":2,"valueType":"float","data":{"keyframes":[{"time":"0","value":1,"interpolation":"1"}]}}]}"#;
    let expected = r#"{"tracks":[{"trackType":"Curve","valueType":"float","data":{"keyframes":[{"time":0,"value":1,"interpolation":"Linear"}]}}]}"#;
    assert_eq!(fixed_text(text), expected);
    assert_eq!(fixed_keys(&format, "7", "float", "1"), "1");
}

#[test]
fn fixes_go_on_after_a_mistake_without_a_fix() {
    let keys = r#"{"time": "0", "value": {"x": "one", "y": "2", "z": .5}}, {"time": 1, "value": [1, "2", 3]}"#;
    let expected = r#"{"time": 0, "value": {"x": "one", "y": 2, "z": 0.5}}, {"time": 1, "value": {"x": 1, "y": 2, "z": 3}}"#;
    assert_eq!(fixed_keys(&Animj::default(), "\"Discrete\"", "float3", keys), expected);
}

#[test]
fn the_caller_chooses_what_takes_the_place_of_nan() {
    let format = Animj::default();
    let keyed = |nan: Option<Nan>, keys: &str| {
        let format = nan.map_or(format.clone(), |nan| format.clone().nan(nan));
        fixed_keys(&format, "\"Discrete\"", "float2", keys)
    };
    let key = |time: &str, value: &str| format!(r#"{{"time": {time}, "value": {value}}}"#);
    let keys = [
        key("0", r#"{"x": NaN, "y": 0}"#),
        key("1", r#"{"x": 5, "y": 6}"#),
        key("2", r#"{"x": "NaN", "y": -Infinity}"#),
        key("NaN", r#"{"x": 7, "y": 8}"#),
    ];
    let all = keys.join(", ");
    assert_eq!(keyed(None, &all), all);
    assert_eq!(keyed(Some(Nan::Drop), &all), format!(" {}", keys[1]));
    let previous = all.replace("\"NaN\"", "5").replace("-Infinity", "6");
    assert_eq!(keyed(Some(Nan::Previous), &all), previous);
    let zero = all.replace("\"NaN\"", "0").replace("-Infinity", "0").replace("x\": NaN", "x\": 0");
    assert_eq!(keyed(Some(Nan::Zero), &all), zero);
    let raw = |nan| fixed_keys(&format.clone().nan(nan), "\"Raw\"", "float", "1, NaN, nan");
    assert_eq!(
        [Nan::Previous, Nan::Zero, Nan::Drop].map(raw),
        ["1, 1, 1", "1, 0, 0", "1, NaN, nan"]
    );
}

#[test]
fn nan_without_a_choice_names_the_option() {
    let text = raw_file("NaN");
    let error = Animj::default().read(text.as_bytes(), &Limits::default()).unwrap_err();
    assert_eq!(error.remedy(), Some(inbetween_core::Remedy::Option("nan")));
    assert!(error.to_string().contains("expected a finite number, found NaN"), "{error}");
}

fn raw_file(keys: &str) -> String {
    format!(
        r#"{{"tracks": [{{"trackType": "Raw", "valueType": "float", "data": {{"interval": 1, "keyframes": [{keys}]}}}}]}}"#
    )
}
