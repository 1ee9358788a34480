//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may end where it fails"
)]

use std::collections::BTreeSet;

use inbetween_animj::{
    Animj, AnimjFile, AnimjKeys, AnimjParts, AnimjTangents, AnimjTrack, Member, Sides, Style,
};
use inbetween_core::{Color32, Fate, Finding, Format, Interpolation, Limits, Strings, Values};

/// A file with a track of each type, so that each field can be changed on its own.
fn plain() -> AnimjParts {
    let track = |property: &str, keys| AnimjTrack {
        node: Some("hips".into()),
        property: Some(property.into()),
        keys,
        extra: Vec::new(),
    };
    let curve = AnimjKeys::Curve {
        times: vec![0.0, 1.0],
        values: vec![[0.0_f32; 3], [1.0, 2.0, 3.0]].into(),
        interpolation: vec![Interpolation::Linear; 2],
        tangents: None,
    };
    let discrete = AnimjKeys::Discrete { times: vec![0.0, 1.0], values: vec![1_i32, 2].into() };
    AnimjParts {
        name: Some("walk".into()),
        global_duration: 2.0,
        tracks: vec![
            track("Position", curve),
            track("Step", discrete),
            track("Height", AnimjKeys::Raw { interval: 0.5, values: vec![1.0_f64, 2.0].into() }),
        ],
        extra: Vec::new(),
    }
}

type Change = fn(&mut AnimjParts);

fn curve(parts: &mut AnimjParts, tangents: Option<AnimjTangents>, how: Interpolation) {
    let AnimjKeys::Curve { interpolation, tangents: own, .. } = &mut parts.tracks[0].keys else {
        panic!("track 0 is a curve")
    };
    interpolation[0] = how;
    *own = tangents.map(Box::new);
}

fn tangents(left: f32, right: f32, given: Sides) -> AnimjTangents {
    let side = |x: f32| Values::from(vec![[0.0; 3], [x, 0.0, 0.0]]);
    AnimjTangents { left: side(left), right: side(right), given: vec![Sides::Both, given] }
}

/// A function that sets each field of `FormatInfo::fields` that is not only text, by name.
const CHANGES: &[(&str, Change)] = &[
    ("name", |parts| parts.name = None),
    ("globalDuration", |parts| parts.global_duration = 0.25),
    ("tracks", |parts| parts.tracks.swap(0, 2)),
    ("unknown members of the root and of data", |parts| {
        parts.extra = vec![Member::new("author", "1").unwrap()];
        parts.tracks[1].extra = vec![Member::new("interval", "1").unwrap()];
    }),
    ("order of the track Markers/Name", |parts| {
        let names: Strings = [Some("hit"), Some("")].into_iter().collect();
        parts.tracks[0] = AnimjTrack {
            node: Some("Markers".into()),
            property: Some("Name".into()),
            keys: AnimjKeys::Discrete { times: vec![0.5, 0.75], values: names.into() },
            extra: Vec::new(),
        };
    }),
    ("trackType", |parts| {
        parts.tracks[1].keys = AnimjKeys::Raw { interval: 1.0, values: vec![1_i32, 2].into() };
    }),
    ("valueType", |parts| {
        parts.tracks[2].keys = AnimjKeys::Raw { interval: 0.5, values: vec![true, false].into() };
    }),
    ("data", |parts| parts.tracks.truncate(1)),
    ("node", |parts| parts.tracks[1].node = None),
    ("property", |parts| parts.tracks[1].property = Some("".into())),
    ("interval", |parts| {
        parts.tracks[2].keys = AnimjKeys::Raw { interval: 0.1, values: vec![1.0_f64].into() };
    }),
    ("keyframes", |parts| {
        parts.tracks[1].keys =
            AnimjKeys::Discrete { times: vec![], values: Vec::<i32>::new().into() };
    }),
    ("time", |parts| {
        parts.tracks[1].keys =
            AnimjKeys::Discrete { times: vec![0.1, 1e30], values: vec![1_i32, 2].into() };
    }),
    ("value", |parts| {
        parts.tracks[2].keys = AnimjKeys::Raw { interval: 0.5, values: vec![-0.0, 1e-300].into() };
    }),
    ("interpolation", |parts| curve(parts, None, Interpolation::Hold)),
    ("leftTangent", |parts| {
        curve(parts, Some(tangents(4.0, 0.0, Sides::Left)), Interpolation::Bezier);
    }),
    ("rightTangent", |parts| {
        curve(parts, Some(tangents(0.0, 5.0, Sides::Both)), Interpolation::Hermite);
    }),
    ("whether a tangent is given", |parts| {
        curve(parts, Some(tangents(1.0, 1.0, Sides::Both)), Interpolation::Hermite);
    }),
];

/// Fields that exist only in text, not in the exact model; `plain` has none of them.
const TEXTS: &[(&str, &str)] = &[
    (
        "unknown members of a track",
        r#"{"tracks":[{"trackType":"Raw","valueType":"int","data":{},"more":1}]}"#,
    ),
    (
        "unknown members of keys and values",
        r#"{"tracks":[{"trackType":"Discrete","valueType":"int","data":{"keyframes":[{"time":0,"ease":1}]}}]}"#,
    ),
    ("duplicate members", r#"{"name":"A","name":"B"}"#),
    (
        "color32 in fractions",
        r#"{"tracks":[{"trackType":"Raw","valueType":"color32","data":{"keyframes":[{"r":0.5}]}}]}"#,
    ),
];

/// Destructures the parts completely, so that a new field is noticed here.
fn the_list_covers_every_field(parts: &AnimjParts) {
    let AnimjParts { name: _, global_duration: _, tracks, extra: _ } = parts;
    for AnimjTrack { node: _, property: _, keys, extra: _ } in tracks {
        match keys {
            AnimjKeys::Raw { interval: _, values: _ }
            | AnimjKeys::Discrete { times: _, values: _ } => {}
            AnimjKeys::Curve { times: _, values: _, interpolation: _, tangents } => {
                if let Some(tangents) = tangents {
                    let AnimjTangents { left: _, right: _, given: _ } = &**tangents;
                }
            }
            _ => panic!("a type of track that the list does not know"),
        }
    }
}

/// Converts a text to the common model and back; returns the file and the findings.
fn there_and_back(text: &[u8]) -> (AnimjFile, Vec<Finding>) {
    let limits = Limits::default();
    let mut read = Animj::default().read(text, &limits).unwrap();
    let written = Animj::default().write(read.value, &limits).unwrap();
    read.findings.extend(written.findings);
    (AnimjFile::parse(&written.value, &limits).unwrap().value, read.findings)
}

#[test]
fn every_documented_field_is_changed_by_its_function() {
    let changed: BTreeSet<&str> =
        CHANGES.iter().map(|(name, _)| *name).chain(TEXTS.iter().map(|(name, _)| *name)).collect();
    let listed: BTreeSet<&str> =
        Animj::default().info().fields.iter().map(|field| field.name).collect();
    assert_eq!(changed, listed);
}

#[test]
fn every_field_is_kept_or_reported() {
    let fields = Animj::default().info().fields;
    let fate = |name: &str| fields.iter().find(|field| field.name == name).map(|field| field.fate);
    for (name, change) in CHANGES {
        let mut parts = plain();
        change(&mut parts);
        the_list_covers_every_field(&parts);
        let file = AnimjFile::from_parts(parts).unwrap();
        assert_ne!(file, AnimjFile::from_parts(plain()).unwrap(), "{name} is not changed");
        let (back, findings) = there_and_back(file.to_text(Style::Compact).as_bytes());
        match fate(name).unwrap() {
            Fate::Kept(_) | Fate::Derived(_) => assert_eq!(back, file, "{name} is not kept"),
            Fate::Reported(code) => {
                assert_ne!(back, file, "{name} is kept");
                assert!(
                    findings.iter().any(|finding| finding.code == code),
                    "{name}: {findings:?}"
                );
            }
        }
    }
    for (name, text) in TEXTS {
        let Some(Fate::Reported(code)) = fate(name) else { panic!("{name} is not reported") };
        let (_, findings) = there_and_back(text.as_bytes());
        assert!(findings.iter().any(|finding| finding.code == code), "{name}: {findings:?}");
    }
}

#[test]
fn reading_reports_values_that_resonite_reads_differently() {
    let text = r#"{"tracks":[
        {"trackType":"Raw","valueType":"color32","data":{"keyframes":[{"r":0.5},{"r":5},{"g":0.25}]}},
        {"valueType":"float2x2","data":{"keyframes":[[[1,2],[3,4]]]},"trackType":"Raw"},
        {"trackType":"Raw","valueType":"color32","data":{"keyframes":[{"r":1}]}}
    ]}"#;
    let read = Animj::default().read(text.as_bytes(), &Limits::default()).unwrap();
    let said = read.findings.iter().map(|finding| {
        let code = finding.code;
        (code.id(), code.is_loss(), finding.path.to_string(), finding.count)
    });
    assert_eq!(
        said.collect::<Vec<_>>(),
        [
            ("animj/color32-fractions", true, "/tracks/0/data/keyframes/0".to_owned(), 2),
            ("animj/matrix", false, "/tracks/1/data".to_owned(), 1),
        ]
    );
    let [first, second, ..] = &read.value.clips[0].tracks[..] else { panic!("three tracks") };
    let colors = [[128, 0, 0, 255], [5, 0, 0, 255], [0, 64, 0, 255]].map(Color32::from_array);
    assert_eq!(*first.data().values(), Values::from(colors.to_vec()));
    assert_eq!(*second.data().values(), Values::from(vec![[[1.0_f32, 2.0], [3.0, 4.0]]]));
}
