//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may end where it fails")]

use inbetween_cast::{Cast, CastFile, CastParts, NodeId, NodePart, PropertyPart, ValuesPart};
use inbetween_core::{Fate, Format, Limits, Property, Text};

/// A curve as written by the writer.
fn curve(bone: &str, property: &str, mode: &str, frames: Vec<u8>, values: Vec<f32>) -> NodePart {
    NodePart::new(NodeId::CURVE, 2)
        .with_string("nn", bone)
        .with_string("kp", property)
        .with("kb", ValuesPart::U8(frames))
        .with("kv", ValuesPart::F32(values))
        .with_string("m", mode)
}

/// Sets the hashes as official programs do.
fn numbered(mut nodes: Vec<NodePart>) -> CastParts {
    for (node, hash) in nodes.iter_mut().zip(0x534E_4957_5254_5250..) {
        node.hash = hash;
    }
    CastParts { nodes, ..CastParts::default() }
}

/// A file with every field that is kept, so that each field can be changed on its own.
fn plain() -> CastParts {
    let axes = ["tx", "ty", "tz"];
    let axes = axes.map(|axis| curve("hips", axis, "absolute", vec![0, 4], vec![0.0, 1.0]));
    let mut nodes = vec![NodePart::new(NodeId::ROOT, 0), NodePart::new(NodeId::ANIMATION, 1)];
    nodes[1] = nodes[1]
        .clone()
        .with_string("n", "walk")
        .with("fr", ValuesPart::F32(vec![30.0]))
        .with("lo", ValuesPart::U8(vec![0]));
    nodes.extend(axes);
    nodes.push(
        NodePart::new(NodeId::NOTIFICATION_TRACK, 2)
            .with_string("n", "step")
            .with("kb", ValuesPart::U8(vec![2])),
    );
    numbered(nodes)
}

fn property<'p>(parts: &'p mut CastParts, node: usize, name: &str) -> &'p mut PropertyPart {
    let mut properties = parts.nodes[node].properties.iter_mut();
    properties.find(|property| property.name == name.as_bytes()).unwrap()
}

fn set(parts: &mut CastParts, node: usize, name: &str, values: ValuesPart) {
    property(parts, node, name).values = values;
}

fn string(text: impl Into<Vec<u8>>) -> ValuesPart {
    ValuesPart::String(text.into())
}

/// Adds a model with a skeleton of these bones before the animation.
fn skeleton(parts: &mut CastParts, bones: &[NodePart]) {
    let head = [NodePart::new(NodeId::MODEL, 1), NodePart::new(NodeId::SKELETON, 2)];
    parts.nodes.splice(1..1, head.into_iter().chain(bones.iter().cloned()));
    *parts = numbered(core::mem::take(&mut parts.nodes));
}

/// A bone as written by the writer.
fn bone(name: &str, parent: u32, position: [f32; 3]) -> NodePart {
    NodePart::new(NodeId::BONE, 3)
        .with_string("n", name)
        .with("p", ValuesPart::U32(vec![parent]))
        .with("lp", ValuesPart::Vector3(vec![position]))
        .with("lr", ValuesPart::Vector4(vec![[0.0, 0.0, 0.6, 0.8]]))
        .with("s", ValuesPart::Vector3(vec![[1.0, 2.0, 3.0]]))
}

/// Inserts a node after the animation's curves and sets the hashes of all nodes.
fn insert(parts: &mut CastParts, node: NodePart) {
    parts.nodes.insert(5, node);
    *parts = numbered(core::mem::take(&mut parts.nodes));
}

type Change = fn(&mut CastParts);

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("version", |parts| parts.header.version = 2),
    ("flags", |parts| parts.header.flags = 1),
    ("rootCount", |parts| {
        parts.nodes.push(NodePart::new(NodeId::ROOT, 0));
        *parts = numbered(core::mem::take(&mut parts.nodes));
    }),
    ("node size", |parts| parts.nodes[1].stated_size = Some(7)),
    ("node hash", |parts| parts.nodes[2].hash = 7),
    ("propertyCount", |parts| drop(parts.nodes[1].properties.remove(0))),
    ("childCount", |parts| drop(parts.nodes.pop())),
    ("unknown property", |parts| {
        parts.nodes[1] = parts.nodes[1].clone().with("x", ValuesPart::U8(vec![1]));
    }),
    ("unknown node", |parts| insert(parts, NodePart::new(NodeId(*b"what"), 2))),
    ("trailing bytes", |parts| parts.trailing = vec![9]),
    ("Animation n", |parts| set(parts, 1, "n", string("run"))),
    ("Animation fr", |parts| set(parts, 1, "fr", ValuesPart::F32(vec![29.97]))),
    ("Animation lo", |parts| set(parts, 1, "lo", ValuesPart::U8(vec![1]))),
    ("Curve nn", |parts| {
        for node in 2..5 {
            set(parts, node, "nn", string("j_spine"));
        }
    }),
    ("Curve nn that is not UTF-8", |parts| {
        for node in 2..5 {
            set(parts, node, "nn", string(*b"a\xff"));
        }
    }),
    ("Curve kp: rq, t, s", |parts| set(parts, 4, "kp", string("sz"))),
    ("Curve kp: bs", |parts| {
        insert(parts, curve("smile", "bs", "absolute", vec![0], vec![f32::NAN]));
    }),
    ("Curve kp: vb", |parts| {
        let hidden = NodePart::new(NodeId::CURVE, 2).with_string("nn", "sword");
        let hidden = hidden.with_string("kp", "vb").with("kb", ValuesPart::U8(vec![0]));
        let hidden = hidden.with("kv", ValuesPart::U8(vec![0])).with_string("m", "absolute");
        insert(parts, hidden);
    }),
    ("Curve kb", |parts| {
        for node in 2..5 {
            set(parts, node, "kb", ValuesPart::U16(vec![1, 300]));
        }
    }),
    ("Curve kv", |parts| set(parts, 2, "kv", ValuesPart::F32(vec![f32::NAN, -0.0]))),
    ("Curve m", |parts| {
        for node in 2..5 {
            set(parts, node, "m", string("relative"));
        }
    }),
    ("Curve ab", |parts| {
        parts.nodes[2] = parts.nodes[2].clone().with("ab", ValuesPart::F32(vec![0.5]));
    }),
    ("CurveModeOverride", |parts| {
        let change = NodePart::new(NodeId::CURVE_MODE_OVERRIDE, 2).with_string("nn", "hips");
        let change = change.with_string("m", "relative").with("ot", ValuesPart::U8(vec![1]));
        insert(parts, change);
    }),
    ("NotificationTrack", |parts| set(parts, 5, "n", string("sndnt#step"))),
    ("Skeleton", |parts| skeleton(parts, &[bone("hips", u32::MAX, [0.0; 3])])),
    ("Bone n, p, lp, lr, s", |parts| {
        skeleton(parts, &[bone("hand", 1, [0.0, 1.5, 0.0]), bone("arm", u32::MAX, [0.0; 3])]);
    }),
    ("Bone with the name of another bone", |parts| {
        skeleton(parts, &[bone("hips", u32::MAX, [0.0; 3]), bone("hips", 0, [0.0; 3])]);
    }),
    ("Bone p without a valid parent", |parts| skeleton(parts, &[bone("hips", 1, [0.0; 3])])),
    ("Bone lp, lr, s that are not finite", |parts| {
        skeleton(parts, &[bone("hips", u32::MAX, [f32::NAN; 3])]);
    }),
    ("Bone wp, wr", |parts| {
        let hips = bone("hips", u32::MAX, [1.0; 3]);
        skeleton(parts, &[hips.with("wp", ValuesPart::Vector3(vec![[1.0; 3]]))]);
    }),
    ("Bone wp, wr that contradict lp, lr", |parts| {
        let hips = bone("hips", u32::MAX, [1.0; 3]);
        skeleton(parts, &[hips.with("wp", ValuesPart::Vector3(vec![[2.0; 3]]))]);
    }),
    ("Bone ssc", |parts| {
        let hips = bone("hips", u32::MAX, [1.0; 3]);
        skeleton(parts, &[hips.with("ssc", ValuesPart::U8(vec![0]))]);
    }),
    ("Model p, r, s", |parts| {
        skeleton(parts, &[bone("hips", u32::MAX, [0.0; 3])]);
        let place = ValuesPart::Vector3(vec![[1.0; 3]]);
        parts.nodes[1] = parts.nodes[1].clone().with("p", place);
    }),
    ("Metadata", |parts| {
        let metadata = NodePart::new(NodeId::METADATA, 1).with_string("a", "someone");
        parts.nodes.push(metadata);
        *parts = numbered(core::mem::take(&mut parts.nodes));
    }),
];

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Cast::default(), Limits::default());
    let names: Vec<&str> = format.info().fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let plain = CastFile::from_parts(&plain()).unwrap().to_bytes().to_vec();
    let same = format.write(format.read(&plain, &limits).unwrap().value, &limits).unwrap();
    assert_eq!((same.value, same.findings.len()), (plain.clone(), 0));
    for (field, (name, change)) in format.info().fields.iter().zip(CHANGES) {
        let mut parts = self::plain();
        change(&mut parts);
        let file = CastFile::from_parts(&parts).unwrap();
        assert_ne!(file.to_bytes(), plain, "{name}");
        let read = format.read(file.to_bytes(), &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        match field.fate {
            Fate::Kept(_) => assert_eq!(written.value, file.to_bytes(), "{name} is kept"),
            Fate::Derived(_) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(!findings.any(|finding| finding.code.is_loss()), "{name} is derived");
            }
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|finding| finding.code == code), "{name} is reported");
            }
        }
    }
}

#[test]
fn a_plain_file_has_no_findings() {
    let file = CastFile::from_parts(&plain()).unwrap();
    assert_eq!(Cast::default().check(file.to_bytes(), &Limits::default()).unwrap(), []);
}

#[test]
fn unknown_curves_are_counted_and_separate_no_axes() {
    let mut parts = plain();
    for index in [3, 5] {
        let unknown = curve("hips", "wx", "absolute", vec![0], vec![1.0]);
        parts.nodes.insert(index, unknown);
    }
    let file = CastFile::from_parts(&numbered(parts.nodes)).unwrap();
    let read = Cast::default().read(file.to_bytes(), &Limits::default()).unwrap();
    assert_eq!(read.value.clips[0].tracks.len(), 1);
    let found: Vec<String> = read.findings.iter().map(ToString::to_string).collect();
    assert_eq!(found, ["warning: cast/curve-dropped: nodes[3]: a curve of \"wx\", 2 times"]);
}

/// Reads a file and returns the codes of its findings, with their paths and counts.
fn codes(parts: &CastParts) -> Vec<(&'static str, String, u64)> {
    let bytes = parts.to_bytes().unwrap();
    let findings = Cast::default().read(&bytes, &Limits::default()).unwrap().findings;
    findings.iter().map(|each| (each.code.id(), each.path.to_string(), each.count)).collect()
}

#[test]
fn reports_the_curves_that_differ_from_those_around_them() {
    let mut parts = plain();
    parts.nodes[3].properties.push(PropertyPart {
        name: b"nn".to_vec(),
        array_length: None,
        values: string("hips"),
    });
    parts.nodes[4] = parts.nodes[4].clone().with("zz", ValuesPart::U8(vec![1]));
    assert_eq!(codes(&parts), [("cast/properties-dropped", "nodes[3]".into(), 2)]);
    let mut parts = plain();
    parts.nodes[4].hash = 0;
    assert_eq!(codes(&parts), [("cast/hashes-dropped", "nodes[4]".into(), 1)]);
}

#[test]
fn reports_curves_outside_of_animations() {
    let mut parts = plain();
    let mut lost = curve("hips", "sx", "absolute", vec![0], vec![1.0]);
    lost.depth = 1;
    parts.nodes.push(lost);
    let parts = numbered(parts.nodes);
    assert_eq!(codes(&parts), [("cast/nodes-dropped", "nodes[6]".into(), 1)]);
}

#[test]
fn a_name_is_shared_by_tracks_far_from_each_other() {
    let mut nodes = plain().nodes;
    nodes.truncate(2);
    for property in ["sx", "bs"] {
        nodes.extend(
            (0..100).map(|bone| {
                curve(&format!("bone_{bone}"), property, "absolute", vec![0], vec![1.0])
            }),
        );
    }
    let bytes = numbered(nodes).to_bytes().unwrap();
    let document = Cast::default().read(&bytes, &Limits::default()).unwrap().value;
    let tracks = &document.clips[0].tracks;
    for (scale, weight) in tracks[..100].iter().zip(&tracks[100..]) {
        let Property::Weight(shape) = &weight.target().property else { panic!("not a weight") };
        assert!(Text::ptr_eq(scale.target().node.as_ref().unwrap(), shape));
    }
}
