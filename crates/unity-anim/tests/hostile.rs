//! Hostile files and their memory use.

use inbetween_core::{FileEncoding, Format, Limits};
use inbetween_testing::Peak;
use inbetween_testing::peak::{Law, PeakAlloc};
use inbetween_unity_anim::UnityAnim;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const HEAD: &str =
    "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n";

fn rejected(meter: &Peak, text: &str) -> String {
    match meter.assert_read(&UnityAnim::default(), text.as_bytes()) {
        Ok(_) => "it was read".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn aliases_are_never_expanded() {
    let meter = Peak::begin();
    let mut bomb = format!("{HEAD}  a: &a [x, x, x, x, x, x, x, x, x]\n");
    for letter in ["b", "c", "d", "e", "f", "g", "h"] {
        bomb.extend(["  ", letter, ": &", letter, " [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"]);
    }
    let error = rejected(&meter, &bomb);
    assert!(error.contains("an anchor, which Unity never writes (line 5, column 6)"), "{error}");
}

#[test]
fn deep_nesting_is_rejected() {
    let meter = Peak::begin();
    let flow = format!("{HEAD}  a: {}", "[".repeat(100_000));
    let dashes = format!("{HEAD}  a:\n  {}", "- ".repeat(100_000));
    let lines: Vec<String> = (2..2000).map(|depth| " ".repeat(depth) + "a:\n").collect();
    for text in [flow, dashes, format!("{HEAD}{}", lines.concat())] {
        let error = rejected(&meter, &text);
        assert!(error.contains("65 levels requested, the limit is 64"), "{error}");
    }
}

#[test]
fn one_long_scalar_is_read_once() {
    let _meter = Peak::begin();
    let long = "a".repeat(20_000_000);
    for text in [format!("{HEAD}  m_Name: {long}\n"), format!("{HEAD}  m_Name: \"{long}\n")] {
        let read = UnityAnim::default().check(text.as_bytes(), &Limits::default());
        assert_eq!(read.is_ok(), !text.contains('"'));
    }
}

#[test]
fn many_keys_keep_the_memory_law() {
    let meter = Peak::begin();
    let key = "      - {time: 1, value: 2}\n";
    let text = format!(
        "{HEAD}  m_FloatCurves:\n  - curve:\n      m_Curve:\n{}    attribute: m_X\n    path: a\n    \
         classID: 108\n",
        key.repeat(200_000)
    );
    let read = || UnityAnim::default().read(text.as_bytes(), &Limits::default());
    let (read, peak) = meter.measure(read);
    let document = read.map(|read| read.value).unwrap_or_default();
    assert_eq!(document.clips.len(), 1);
    // An edit keeps the text of the file, so the document holds it.
    let allowed = Law::of_document(&document, FileEncoding::Text).allowed() + text.len();
    assert!(peak <= allowed, "{peak} bytes, {allowed} are allowed");
}

#[test]
fn exceeding_the_item_limit_is_a_limit_error() {
    let _meter = Peak::begin();
    let curve = "  - curve: {}\n    path: a\n";
    let text = format!("{HEAD}  m_PositionCurves:\n{}", curve.repeat(10));
    let limits = Limits::default().with_items(5);
    let read = UnityAnim::default().read(text.as_bytes(), &limits);
    assert!(read.is_err_and(|error| error.is_limit()));
}
