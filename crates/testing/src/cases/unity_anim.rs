//! The cases of Unity clips: one per quirk of `docs/formats/unity-anim.md`, and one per reason to reject
//! a file.

mod bad;
mod fates;

use std::fmt::Write as _;

use super::{Case, FormatCases};
use crate::ByteBuilder;

pub(super) const FORMAT: FormatCases = FormatCases {
    id: "unity-anim",
    extension: "anim",
    cases,
    stores: fates::stores,
    fates: fates::FATES,
};

const HEAD: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n";

fn ok(name: &'static str, text: String) -> Case {
    Case::ok("unity-anim", name, ByteBuilder::new().bytes(text).build())
}

fn bad(name: &'static str, text: impl AsRef<[u8]>) -> Case {
    Case::bad("unity-anim", name, ByteBuilder::new().bytes(text).build())
}

/// An object of class 74 with a name and some members.
fn object(id: i64, members: &str) -> String {
    format!("--- !u!74 &{id}\nAnimationClip:\n  m_Name: Wave\n{members}")
}

/// A file with one clip.
fn clip(members: &str) -> String {
    format!("{HEAD}{}", object(7_400_000, members))
}

/// A key as Unity writes it: time, value, slopes before and after.
fn key(time: &str, value: &str, slopes: [&str; 2]) -> String {
    // The weights of a vector are a vector.
    let third = match value.matches(':').count() {
        3 => v("0.33333334", "0.33333334", "0.33333334"),
        4 => "{x: 0.33333334, y: 0.33333334, z: 0.33333334, w: 0.33333334}".to_owned(),
        _ => "0.33333334".to_owned(),
    };
    weighted(time, value, slopes, "0", [&third; 2])
}

fn weighted(time: &str, value: &str, slopes: [&str; 2], mode: &str, weights: [&str; 2]) -> String {
    let ([into, out], [before, after]) = (slopes, weights);
    format!(
        "      - serializedVersion: 3\n        time: {time}\n        value: {value}\n        \
         inSlope: {into}\n        outSlope: {out}\n        tangentMode: 0\n        \
         weightedMode: {mode}\n        inWeight: {before}\n        outWeight: {after}\n"
    )
}

const END: &str = "      m_PreInfinity: 2\n      m_PostInfinity: 2\n      m_RotationOrder: 4\n";

/// A curve in a list, with the lines after its keys.
fn curve(keys: &[String], binding: &str) -> String {
    let keys = keys.concat();
    format!("  - curve:\n      serializedVersion: 2\n      m_Curve:\n{keys}{END}{binding}")
}

fn list(name: &str, curves: &[String]) -> String {
    format!("  {name}:\n{}", curves.concat())
}

/// A list with one curve of a node.
fn one(name: &str, keys: &[String], path: &str) -> String {
    list(name, &[curve(keys, &format!("    path: {path}\n"))])
}

/// A list with one curve of a number.
fn number(keys: &[String], attribute: &str, path: &str, class: u32) -> String {
    let binding = format!(
        "    attribute: {attribute}\n    path: {path}\n    classID: {class}\n    script: {{fileID: 0}}\n"
    );
    list("m_FloatCurves", &[curve(keys, &binding)])
}

fn v(x: &str, y: &str, z: &str) -> String {
    format!("{{x: {x}, y: {y}, z: {z}}}")
}

/// A key of a vector with equal slopes on both sides.
fn at(time: &str, value: &str, slope: &str) -> String {
    key(time, value, [slope; 2])
}

/// A position from 0 to 1 to 0 on x.
fn bounce() -> Vec<String> {
    let flat = v("0", "0", "0");
    vec![
        at("0", &flat, &flat),
        at("0.5", &v("1", "2", "0"), &flat),
        at("1", &flat, &v("-4", "0", "0")),
    ]
}

fn numbers() -> Vec<String> {
    vec![at("0", "0", "0"), at("1", "50", "50")]
}

/// The settings that the reader knows.
fn settings(start: &str, stop: &str, repeats: &str, additive: &str) -> String {
    format!(
        "  m_AnimationClipSettings:\n    serializedVersion: 2\n    m_StartTime: {start}\n    \
         m_StopTime: {stop}\n    m_HasAdditiveReferencePose: {additive}\n    m_LoopTime: {repeats}\n"
    )
}

fn events(parameters: &str) -> String {
    let mut text = String::from("  m_Events:\n");
    for (time, name) in [("0.2", "Step"), ("0.8", "")] {
        let _ = write!(
            text,
            "  - time: {time}\n    functionName: {name}\n    data: {parameters}\n    \
             objectReferenceParameter: {{fileID: 0}}\n    floatParameter: 0\n    intParameter: 0\n    \
             messageOptions: 0\n"
        );
    }
    text
}

pub(crate) fn cases() -> Vec<Case> {
    [curves(), tangents(), bindings(), heads(), editor(), texts(), broken(), bad::cases()]
        .into_iter()
        .flatten()
        .collect()
}

fn rotation(second: &str) -> Vec<String> {
    let still = "{x: 0, y: 0, z: 0, w: 0}";
    let turn = "{x: 0, y: 1, z: 0, w: -0.5}";
    vec![
        key("0", "{x: 0, y: 0, z: 0, w: 1}", [still, turn]),
        key("1", second, [turn, still]),
    ]
}

fn curves() -> Vec<Case> {
    let full = [
        "  serializedVersion: 6\n  m_Legacy: 0\n".to_owned(),
        one("m_RotationCurves", &rotation("{x: 0, y: 0.70710677, z: 0, w: 0.70710677}"), "Hips"),
        "  m_CompressedRotationCurves: []\n".to_owned(),
        one("m_EulerCurves", &bounce(), "Hips/Spine"),
        one("m_PositionCurves", &bounce(), "Hips"),
        one("m_ScaleCurves", &bounce(), "Hips/Spine/Head"),
        number(&numbers(), "blendShape.Smile", "Body", 137),
        "  m_PPtrCurves: []\n  m_SampleRate: 30\n  m_WrapMode: 0\n".to_owned(),
        settings("0", "1.5", "1", "0"),
        "  m_EditorCurves: []\n  m_EulerEditorCurves: []\n".to_owned(),
        events(""),
    ];
    let axis = |order: u32| {
        let text = one("m_EulerCurves", &bounce(), "Hips");
        clip(&text.replace("m_RotationOrder: 4", &format!("m_RotationOrder: {order}")))
    };
    let compact = "  m_PositionCurves:\n  - curve:\n      m_Curve:\n      - {time: 0, value: {x: 1, y: .5, \
                   z: -.0818181038}}\n      - {time: 1, value: {x: 2, y: 0, z: 0}}\n    path: Hips\n";
    vec![
        ok("walk", clip(&full.concat())),
        ok("empty", clip("  m_PositionCurves: []\n")),
        ok("order-xyz", axis(0)),
        ok("order-xzy", axis(1)),
        ok("order-yzx", axis(2)),
        ok("order-yxz", axis(3)),
        ok("order-zyx", axis(5)),
        ok("numbers-without-slopes", clip(compact)),
        ok("one-key", clip(&one("m_PositionCurves", &bounce()[..1], "Hips"))),
        ok("no-keys", clip(&one("m_PositionCurves", &[], "Hips").replace("m_Curve:", "m_Curve: []"))),
        ok("keys-unsorted", clip(&one(
            "m_PositionCurves",
            &[bounce()[1].clone(), bounce()[0].clone()],
            "Hips",
        )))
        .reports(&["convert/times-sorted"]),
        ok("rotation-that-flips", clip(&one(
            "m_RotationCurves",
            &rotation("{x: 0, y: -0.70710677, z: 0, w: -0.70710677}"),
            "Hips",
        )))
        .reports(&["unity-anim/rotation-flips"]),
        ok("same-curve-twice", clip(&list(
            "m_PositionCurves",
            &[curve(&bounce(), "    path: a\n"), curve(&bounce(), "    path: a\n")],
        )))
        .reports(&["duplicate-track"]),
    ]
}

fn tangents() -> Vec<Case> {
    let held = v("Infinity", "Infinity", "Infinity");
    let (zero, one_) = (v("0", "0", "0"), v("1", "1", "1"));
    let stepped = vec![at("0", &zero, &held), at("0.5", &one_, &held), at("1", &zero, &held)];
    let mixed_slope = v("Infinity", "2", "0");
    let mixed = vec![at("0", &zero, &mixed_slope), at("1", &one_, &mixed_slope)];
    let heavy = |mode: &str, weights: [&str; 2]| {
        let keys = [
            weighted("0", "0", ["0", "100"], mode, weights),
            weighted("1", "10", ["-50", "0"], mode, weights),
        ];
        number(&keys, "m_Intensity", "Lamp", 108)
    };
    let vector = weighted("0", &zero, [&zero, &one_], "2", ["{x: 0, y: 0, z: 0}", "{x: .9, y: .33333334, z: .1}"]);
    let partly = "{x: 0, y: Infinity, z: 0, w: 1}";
    let turned = vec![
        key("0", "{x: 0, y: 0, z: 0, w: 1}", [partly; 2]),
        key("1", "{x: 0, y: 1, z: 0, w: 0}", [partly; 2]),
    ];
    let lines = vec![key("0", "0", ["0", "5"]), key("2", "10", ["5", "0"])];
    let signs = |slope: &str| vec![at("0", "1", slope), at("1", "2", slope)];
    vec![
        ok("stepped", clip(&one("m_PositionCurves", &stepped, "Hips"))),
        ok("stepped-on-one-axis", clip(&one("m_PositionCurves", &mixed, "Hips"))),
        ok("stepped-rotation-number", clip(&one("m_RotationCurves", &turned, "Hips")))
            .reports(&["unity-anim/rotation-partly-held"]),
        ok("lines", clip(&number(&lines, "m_Intensity", "Lamp", 108))),
        ok("weights", clip(&heavy("3", ["0.1", "0.9"]))).reports(&["unity-anim/weights-fitted"]),
        ok("weights-of-1", clip(&heavy("3", ["1", "1"]))).reports(&["unity-anim/weights-coarse"]),
        ok("weights-without-mode", clip(&heavy("0", ["0.1", "0.9"]))),
        ok("weights-of-a-vector", clip(&one("m_ScaleCurves", &[vector, at("1", &one_, &zero)], "a")))
            .reports(&["unity-anim/weights-fitted"]),
        ok("infinity-sign", clip(&number(&signs("∞"), "m_Intensity", "Lamp", 108))),
        ok("negative-infinity", clip(&number(&signs("-Infinity"), "m_Intensity", "Lamp", 108)))
            .reports(&["unity-anim/negative-infinity"]),
        ok("infinity-mode", clip(
            &number(&numbers(), "m_Intensity", "Lamp", 108).replace("PreInfinity: 2", "PreInfinity: 4"),
        ))
        .reports(&["unity-anim/infinity-clamped"]),
    ]
}

fn bindings() -> Vec<Case> {
    let script = "    attribute: weight\n    path: Rig\n    classID: 114\n    script: {fileID: 11500000, \
                  guid: 0123456789abcdef0123456789abcdef,\n      type: 3}\n    flags: 0\n";
    let script = list("m_FloatCurves", &[curve(&numbers(), script)]);
    let sprite = |time: &str| {
        format!(
            "    - time: {time}\n      value: {{fileID: 21300000, guid: 0123456789abcdef0123456789abcdef, \
             type: 3}}\n"
        )
    };
    let objects = format!(
        "  m_PPtrCurves:\n  - curve:\n{}{}    attribute: m_Sprite\n    path: Icon\n    classID: 212\n    \
         script: {{fileID: 0}}\n    flags: 2\n",
        sprite("0"),
        sprite("0.5")
    );
    let two = [curve(&bounce(), "    path: L/Hand\n"), curve(&bounce(), "    path: R/Hand\n")];
    vec![
        ok("material", clip(&number(&numbers(), "material._Color.r", "Body", 23))),
        ok("active", clip(&number(&numbers(), "m_IsActive", "Hat", 1))),
        ok("single-axis", clip(&number(&numbers(), "m_LocalPosition.y", "Hat", 4))),
        ok("script", clip(&script)),
        ok("objects", clip(&objects)),
        ok("muscle", clip(&number(&numbers(), "Spine Front-Back", "", 95)))
            .reports(&["unity-anim/muscles"]),
        ok("root", clip(&one("m_ScaleCurves", &bounce(), ""))),
        ok("same-name-twice", clip(&list("m_PositionCurves", &two)))
            .reports(&["unity-anim/paths-kept"]),
        ok("packed-rotations", clip("  m_CompressedRotationCurves:\n  - m_Path: Hips\n    m_Times: {a: 1}\n"))
            .reports(&["unity-anim/rotations-packed"]),
    ]
}

fn heads() -> Vec<Case> {
    let with = |text: String| clip(&[one("m_PositionCurves", &bounce(), "Hips"), text].concat());
    let old = with("  m_SampleRate: 10\n  m_WrapMode: 2\n".into())
        .replace("  m_Name: Wave\n", "  m_Name: Wave\n  m_Legacy: 1\n");
    vec![
        ok("loop", with(settings("0", "1", "1", "0"))),
        ok("starts-later", with(settings("0.25", "1", "0", "0"))).reports(&["unity-anim/starts-later"]),
        ok("keys-after-the-end", with(settings("0", "0.75", "0", "0"))),
        ok("additive", with(settings("0", "1", "0", "1"))).reports(&["unity-anim/additive-reference"]),
        ok("legacy-loop", old.clone()),
        ok("ping-pong", old.replace("WrapMode: 2", "WrapMode: 4")).reports(&["unity-anim/ping-pong"]),
        ok("events", with(events(""))),
        ok("events-with-data", with(events("left"))),
        ok("event-after-the-end", with([settings("0", "0.5", "0", "0"), events("")].concat()))
            .reports(&["unity-anim/events-after-end"]),
        ok("sample-rate-0", with("  m_SampleRate: 0\n".into()))
            .reports(&["convert/frame-rate-replaced"]),
    ]
}

fn editor() -> Vec<Case> {
    let shown = |attribute: &str, value: &str| {
        let keys = [at("0", "0", "0"), at("0.5", value, "0")];
        let binding = format!(
            "    attribute: {attribute}\n    path: Hips\n    classID: 4\n    script: {{fileID: 0}}\n"
        );
        list("m_EditorCurves", &[curve(&keys, &binding)])
    };
    let with = |text: String| clip(&[one("m_PositionCurves", &bounce(), "Hips"), text].concat());
    vec![
        ok("editor-curve", with(shown("m_LocalPosition.x", "1"))),
        ok("editor-curve-differs", with(shown("m_LocalPosition.x", "7")))
            .reports(&["unity-anim/editor-differs"]),
        ok("editor-curve-alone", with(shown("m_LocalScale.x", "1")))
            .reports(&["unity-anim/only-in-editor"]),
        ok("editor-rotation-alone", with(shown("m_LocalRotation.w", "1")))
            .reports(&["unity-anim/only-in-editor"]),
    ]
}

fn texts() -> Vec<Case> {
    let path = |path: &str| clip(&one("m_PositionCurves", &bounce(), path));
    let prefab = format!(
        "{HEAD}--- !u!4 &123 stripped\nTransform:\n  m_Father: {{fileID: 5}}\n--- !u!91 &-9100000\n\
         AnimatorController:\n  m_Name: C\n{}",
        object(7_400_000, &one("m_PositionCurves", &bounce(), "Hips"))
    );
    let second = object(7_400_002, &one("m_ScaleCurves", &bounce(), "Hips")).replace("Wave", "Nod");
    vec![
        ok("double-quotes", path("\"\\u53E3\\uD83D\\uDE00 \\\"a\\\"\"")),
        ok("single-quotes", path("'it''s: here'")),
        ok("folded-path", path("Hips/a long\n      name of a bone")),
        ok("folded-quotes", path("\"Hips/a long\n      name\"")),
        ok("unquoted-letters", path("Tête")).reports(&["unity-anim/letters-unquoted"]),
        ok("carriage-returns", path("Hips").replace('\n', "\r\n")),
        ok("byte-order-mark", format!("\u{feff}{}", path("Hips"))),
        ok("no-last-line-end", path("Hips").trim_end().to_owned()),
        ok("other-objects", prefab),
        ok("two-clips", format!("{}{second}", path("Hips"))),
        ok("no-clips", format!("{HEAD}--- !u!91 &9100000\nAnimatorController:\n  m_Name: C\n"))
            .reports(&["unity-anim/no-clips"]),
    ]
}

/// Returns the text before a part of it.
fn cut(text: &str, before: &str) -> String {
    text.split(before).next().unwrap_or_default().to_owned()
}

/// Returns a text with the first place of a part of it replaced.
fn change(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in the case");
    text.replacen(from, to, 1)
}

/// Files of which a part cannot be read.
fn broken() -> Vec<Case> {
    let with = |value: &str| {
        let good = curve(&bounce(), "    path: Spine\n");
        let keys = [at("0", value, &v("0", "0", "0"))];
        clip(&list("m_PositionCurves", &[curve(&keys, "    path: Hips\n"), good]))
    };
    let whole = with("{x: 0, y: 0, z: 0}");
    let replaced = |from: &str, to: &str| change(&whole, from, to);
    let without = |part: &str| replaced(part, "");
    let lamp = clip(&number(&numbers(), "m_Intensity", "Lamp", 108));
    let number_of = |from: &str, to: &str| change(&lamp, from, to);
    let sprite = clip(
        "  m_PPtrCurves:\n  - curve:\n    - time: 0\n      value: {fileID: 1}\n    \
         attribute: m_Sprite\n    path: Icon\n    classID: 212\n    script: {fileID: 0}\n",
    );
    let objects = |from: &str, to: &str| change(&sprite, from, to);
    let called = clip(&events(""));
    let event = |from: &str, to: &str| change(&called, from, to);
    let two = [
        clip("  m_PositionCurves: *alias\n"),
        object(7_400_002, &one("m_ScaleCurves", &bounce(), "Hips")),
    ];
    vec![
        ok("infinity", with("{x: 0, y: Infinity, z: 0}")).reports(&["part-skipped"]),
        ok("vector-of-two-numbers", with("{x: 0, z: 0}")).reports(&["part-skipped"]),
        ok("list-for-a-vector", with("[0, 0, 0]")).reports(&["part-skipped"]),
        ok("value-missing", without("        value: {x: 0, y: 0, z: 0}\n")).reports(&["part-skipped"]),
        ok("time-missing", without("        time: 0\n")).reports(&["part-skipped"]),
        ok("time-nan", replaced("time: 0\n", "time: nan\n")).reports(&["part-skipped"]),
        ok("slope-nan", replaced("inSlope: {x: 0,", "inSlope: {x: nan,")).reports(&["part-skipped"]),
        ok("weight-infinite", replaced("inWeight: {x: 0.33333334,", "inWeight: {x: inf,"))
            .reports(&["part-skipped"]),
        ok("class-of-text", number_of("    classID: 108\n", "    classID: lamp\n"))
            .reports(&["part-skipped"]),
        ok("object-without-a-value", objects("value: {fileID: 1}", "other: {fileID: 1}"))
            .reports(&["part-skipped"]),
        ok("object-without-a-time", objects("time: 0", "when: 0")).reports(&["part-skipped"]),
        ok("event-without-a-time", event("time: 0.2\n    ", "")).reports(&["part-skipped"]),
        ok("event-at-nan", event("time: 0.2", "time: nan")).reports(&["part-skipped"]),
        ok("nan", with("{x: 0, y: NaN, z: 0}")).reports(&["part-skipped"]),
        ok("text-for-a-number", with("{x: 0, y: up, z: 0}")).reports(&["part-skipped"]),
        ok("number-for-a-vector", with("5")).reports(&["part-skipped"]),
        ok("cut-in-a-curve", cut(&with("{x: 0, y: 0, z: 0}"), "    path: Spine"))
            .reports(&["part-skipped"]),
        ok("one-clip-of-two-broken", two.concat()).reports(&["part-skipped"]),
    ]
}
