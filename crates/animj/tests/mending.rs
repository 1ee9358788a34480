//! What `check --fix` makes of files.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may end where it fails")]

use inbetween_animj::Animj;
use inbetween_core::{Finding, Format, Limits, fix};
use inbetween_testing::{cases, difference};

fn check(text: &[u8]) -> Vec<Finding> {
    Animj::default().check(text, &Limits::default()).unwrap_or_default()
}

/// Mends in rounds, as the facade does, until there is nothing to mend.
fn mended(text: &[u8]) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..10 {
        let findings = check(&text);
        if fix::fixable(&findings) == 0 {
            return text;
        }
        text = fix::apply(&text, &findings).bytes;
    }
    panic!("there is always more to mend: {}", String::from_utf8_lossy(&text));
}

fn mended_text(text: &str) -> String {
    String::from_utf8(mended(text.as_bytes())).unwrap()
}

#[test]
fn mending_ends_and_keeps_what_was_readable() {
    for case in cases::of("animj") {
        let after = mended(&case.bytes);
        let read = |text: &[u8]| Animj::default().read(text, &Limits::default());
        let (Ok(before), after) = (read(&case.bytes), read(&after)) else { continue };
        let renamed = case.name.starts_with("member-case");
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
    assert_eq!(mended_text(text), expected);
}

#[test]
fn only_the_type_that_is_out_of_order_moves() {
    let first = r#"{"tracks":[{"trackType":"Raw","data":{},"valueType":"int"}]}"#;
    let swapped = r#"{"tracks":[{"valueType":"int","trackType":"Raw","data":{}}]}"#;
    let expected = r#"{"tracks":[{"trackType":"Raw","valueType":"int","data":{}}]}"#;
    assert_eq!(mended_text(first), expected);
    assert_eq!(mended_text(swapped), expected);
}

#[test]
fn commas_in_comments_are_not_taken_for_members() {
    let text =
        r#"{"tracks":[{"data":{} /* a, b */ , /* c, d */ "trackType":"Raw","valueType":"int"}]}"#;
    let expected = r#"{"tracks":[{"trackType":"Raw","valueType":"int","data":{}  }]}"#;
    assert_eq!(mended_text(text), expected);
}

#[test]
fn slips_become_plain_json() {
    let text = "\u{feff}{ // hello\n\"name\": None, \"tracks\": [{\"TrackType\": \"RAW\", \"valueType\": \
                \"Bool2\", \"data\": {\"keyframes\": [{\"X\": True, \"y\": FALSE,},],},}],}";
    let expected = "{ \n\"name\": null, \"tracks\": [{\"trackType\": \"Raw\", \"valueType\": \
                    \"bool2\", \"data\": {\"keyframes\": [{\"x\": true, \"y\": false}]}}]}";
    assert_eq!(mended_text(text), expected);
}

#[test]
fn integers_lose_a_fraction_of_zeros_only() {
    let file = |keys: &str| {
        format!(
            r#"{{"tracks":[{{"trackType":"Raw","valueType":"int","data":{{"keyframes":[{keys}]}}}}]}}"#
        )
    };
    assert_eq!(mended_text(&file("1.0, -20.00, 1.5, 1e2")), file("1, -20, 1.5, 1e2"));
}

#[test]
fn a_name_is_not_mended_where_the_right_one_is_there_too() {
    let text = r#"{"Name":"A","name":"B","NAME":"C"}"#;
    assert_eq!(mended_text(text), text);
    assert!(check(text.as_bytes()).iter().any(|finding| finding.code.id() == "animj/member-case"));
}

#[test]
fn many_slips_are_mended_in_rounds() {
    let keys = vec!["True,"; 15_000].concat();
    let text = format!(
        r#"{{"tracks":[{{"trackType":"Raw","valueType":"bool","data":{{"keyframes":[{keys}]}}}}]}}"#
    );
    let first = check(text.as_bytes());
    let edits = first.iter().filter_map(|finding| finding.fix.as_ref()).map(|fix| fix.edits.len());
    assert_eq!(edits.sum::<usize>(), 10_000);
    let after = mended_text(&text);
    assert!(
        !after.contains("True")
            && Animj::default().read(after.as_bytes(), &Limits::default()).is_ok()
    );
}
