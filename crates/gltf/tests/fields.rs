//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Document, Fate, Finding, Format, Limits};
use inbetween_gltf::Gltf;

/// A text file with every field that is kept, so that each field can be changed on its own. The
/// buffer has the times 0 and 1 and two vectors.
const PLAIN: &str = r#"{
    "asset": {"version": "2.0", "generator": "someone"},
    "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [
        {"name": "hips", "children": [1], "translation": [0, 1, 0]},
        {"name": "spine", "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 2, 0, 1]},
        {"name": "hand"}
    ],
    "skins": [{"joints": [0, 1]}],
    "animations": [{
        "name": "walk",
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 0, "output": 1, "interpolation": "LINEAR"}],
        "extras": {"inbetween": {"frameRate": 30}}
    }],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 0, "byteOffset": 8, "componentType": 5126, "count": 2, "type": "VEC3"}
    ],
    "bufferViews": [{"buffer": 0, "byteLength": 32}],
    "buffers": [{"byteLength": 32, "uri": "data:;base64,AAAAAAAAgD8AAAAAAACAPwAAAAAAAAAAAAAAQAAAAAA="}]
}"#;

/// For each field of `FormatInfo::fields`, by name, a part of the file and its replacement.
const CHANGES: &[(&str, &str, &str)] = &[
    ("asset.version", r#""version": "2.0""#, r#""version": "2.1""#),
    ("asset.generator", "someone", "anyone"),
    ("asset.copyright", r#""generator": "someone""#, r#""copyright": "someone""#),
    ("node name", r#""name": "hips""#, r#""name": "pelvis""#),
    ("duplicate node name", r#""name": "hand""#, r#""name": "hips""#),
    ("node children", r#""children": [1], "#, ""),
    (
        "node translation, rotation, scale",
        r#""translation": [0, 1, 0]"#,
        r#""rotation": [0, 0, 0.6, 0.8]"#,
    ),
    ("node matrix", "0, 2, 0, 1]", "0, 3, 0, 1]"),
    ("skin joints", r#""joints": [0, 1]"#, r#""joints": [0, 1, 2]"#),
    (
        "skin inverseBindMatrices",
        r#""joints": [0, 1]"#,
        r#""joints": [0, 1], "inverseBindMatrices": 0"#,
    ),
    ("mesh primitives", r#""skins""#, r#""meshes": [{"primitives": [{}]}], "skins""#),
    ("materials, textures, images, cameras", r#""skins""#, r#""materials": [{}], "skins""#),
    ("animation name", r#""name": "walk""#, r#""name": "run""#),
    ("channel path", r#""path": "translation""#, r#""path": "scale""#),
    ("channel without a node", r#""node": 0, "path""#, r#""path""#),
    ("sampler input", "AAAAAAAAgD8A", "AAAAAAAAAEAA"),
    ("sampler output", "AAAAQAAAAAA=", "AAAAgAAAAAA="),
    ("sampler interpolation", "LINEAR", "STEP"),
    ("extras of animations", r#""frameRate": 30"#, r#""looping": true"#),
    (
        "tracks in extras of animations",
        r#""frameRate": 30"#,
        r#""frameRate": 30, "tracks": [{"node": "hand", "property": "grip", "kind": "byte", "times": [0], "values": [7]}]"#,
    ),
];

fn read(text: &str) -> (Document, Vec<Finding>) {
    let read = Gltf::default().read(text.as_bytes(), &Limits::default()).unwrap();
    (read.value, read.findings)
}

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Gltf::default(), Limits::default());
    let names: Vec<&str> = format.info().fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, ..)| *name).collect::<Vec<_>>());
    let (plain, _) = read(PLAIN);
    for (field, (name, from, to)) in format.info().fields.iter().zip(CHANGES) {
        assert!(PLAIN.contains(from), "{name}");
        let (document, mut findings) = read(&PLAIN.replacen(from, to, 1));
        let written = format.write(document.clone(), &limits).unwrap();
        findings.extend(written.findings);
        match field.fate {
            Fate::Kept(_) => {
                assert_ne!(document, plain, "{name} is read");
                let again = format.read(&written.value, &limits).unwrap().value;
                assert_eq!(again, document, "{name} is kept");
            }
            Fate::Derived(_) => {
                assert!(
                    !findings.iter().any(|finding| finding.code.is_loss()),
                    "{name} is derived"
                );
            }
            Fate::Reported(code) => {
                assert!(findings.iter().any(|finding| finding.code == code), "{name} is reported");
            }
        }
    }
}

#[test]
fn a_plain_file_has_only_the_finding_about_its_matrix() {
    let found = Gltf::default().check(PLAIN.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(found, []);
    let (_, findings) = read(PLAIN);
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["gltf/matrix-decomposed"]);
}
