//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file, forgets the text of the file, and converts it to
//! the common model and back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Animation, Document, Fate, Format, Limits};
use inbetween_unity_anim::UnityAnim;

/// A clip as the writer lays it out, with a curve in a list.
fn file(list: &str, items: &str) -> String {
    let empty = Document::single(Animation::default());
    let text = UnityAnim::default().write(empty, &Limits::default()).unwrap().value;
    let text = String::from_utf8(text).unwrap();
    let text = text.replace(&format!("  {list}: []\n"), &format!("  {list}:\n{items}"));
    text.replace("m_StopTime: 0", "m_StopTime: 1")
}

/// The keys of a curve with two keys, and its path.
fn curve(values: [&str; 2], flat: &str, third: &str, rest: &str) -> String {
    let mut text = String::from("  - curve:\n      serializedVersion: 2\n      m_Curve:\n");
    for (time, value) in ["0", "1"].into_iter().zip(values) {
        let key = format!(
            "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        \
             inSlope: {flat}\n        outSlope: {flat}\n        tangentMode: 0\n        \
             weightedMode: 0\n        inWeight: {third}\n        outWeight: {third}\n"
        );
        text.push_str(&key);
    }
    let end = "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n";
    text + end + rest
}

const ZERO: &str = "{x: 0, y: 0, z: 0}";
const THIRD: &str = "{x: 0.33333334, y: 0.33333334, z: 0.33333334}";

fn vector(list: &str, path: &str) -> String {
    let value = "{x: 1, y: 0, z: 0}";
    file(list, &curve([ZERO, value], ZERO, THIRD, &format!("    path: {path}\n")))
}

fn number(binding: &str) -> String {
    let script = "    script: {fileID: 0}\n";
    file("m_FloatCurves", &curve(["0", "50"], "0", "0.33333334", &format!("{binding}{script}")))
}

const LAMP: &str = "    attribute: m_Intensity\n    path: Lamp\n    classID: 108\n";

fn rotation() -> String {
    let values = ["{x: 0, y: 0, z: 0, w: 1}", "{x: 0, y: 0.6, z: 0, w: 0.8}"];
    let zero = "{x: 0, y: 0, z: 0, w: 0}";
    let third = "{x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}";
    file("m_RotationCurves", &curve(values, zero, third, "    path: Hips\n"))
}

/// A file that has each field of `FormatInfo::fields`, by name.
fn files() -> Vec<(&'static str, String)> {
    let object = "  - curve:\n    - time: 0\n      value: {fileID: 1, guid: 1a, type: 3}\n    \
                  attribute: m_Sprite\n    path: Icon\n    classID: 212\n    script: {fileID: 0}\n    \
                  flags: 2\n";
    let event = |data: &str| {
        let event = format!(
            "  - time: 0.5\n    functionName: Step\n    data: {data}\n    objectReferenceParameter: \
             {{fileID: 0}}\n    floatParameter: 0\n    intParameter: 0\n    messageOptions: 1\n"
        );
        file("m_Events", &event)
    };
    let plain = || vector("m_PositionCurves", "Hips");
    vec![
        ("m_Name", plain().replace("m_Name: ", "m_Name: Walk")),
        ("m_RotationCurves", rotation()),
        ("m_EulerCurves", vector("m_EulerCurves", "Hips").replace("Order: 4", "Order: 2")),
        ("m_PositionCurves", plain()),
        ("m_ScaleCurves", vector("m_ScaleCurves", "Hips")),
        ("m_FloatCurves", number(LAMP)),
        ("m_PPtrCurves", file("m_PPtrCurves", object)),
        ("path", vector("m_PositionCurves", "Hips/Left hand/\"a\"")),
        (
            "weights of tangents",
            number(LAMP)
                .replace("Mode: 0\n        inWeight: 0.33333334", "Mode: 3\n        inWeight: 0.9"),
        ),
        ("m_PreInfinity, m_PostInfinity", plain().replace("PreInfinity: 2", "PreInfinity: 4")),
        ("m_SampleRate", plain().replace("m_SampleRate: 60", "m_SampleRate: 24")),
        ("m_WrapMode 4", plain().replace("m_WrapMode: 0", "m_WrapMode: 4")),
        ("m_StopTime", plain().replace("m_StopTime: 1", "m_StopTime: 1.5")),
        ("m_LoopTime", plain().replace("m_LoopTime: 0", "m_LoopTime: 1")),
        ("m_Events", event("")),
        ("parameters of events", event("left")),
        ("m_CompressedRotationCurves", file("m_CompressedRotationCurves", "  - m_Path: a\n")),
    ]
}

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (UnityAnim::default(), Limits::default());
    let (fields, files) = (format.info().fields, files());
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, files.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (field, (name, text)) in fields.iter().zip(files) {
        let mut read = format.read(text.as_bytes(), &limits).unwrap();
        read.value.forget_model();
        let written = format.write(read.value, &limits).unwrap();
        let again = String::from_utf8(written.value).unwrap();
        match field.fate {
            Fate::Kept(_) | Fate::Derived(_) => {
                assert_eq!(again, text, "{name} is said to be kept");
            }
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
                assert_ne!(again, text, "{name} is said to be lost");
            }
        }
    }
}
