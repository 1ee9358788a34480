//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_bvh::{Bvh, BvhFile, BvhJoint, BvhParts, Channel, MotionPart, Style};
use inbetween_core::{Axis, Fate, Format, Limits};

/// A file with two joints, as the writer lays it out.
fn plain() -> BvhParts {
    let turns = [Axis::Z, Axis::X, Axis::Y].map(Channel::Rotation);
    let positions = Axis::ALL.map(Channel::Position);
    let root = BvhJoint {
        name: "hips".into(),
        channels: positions.into_iter().chain(turns).collect(),
        ..BvhJoint::default()
    };
    let joint = |name: &str, offset| BvhJoint {
        name: name.into(),
        parent: Some(0),
        offset,
        channels: turns.to_vec(),
        tips: vec![[0.0; 3]],
    };
    let joints = vec![root, joint("spine", [0.0, 1.0, 0.0]), joint("tail", [0.0, -1.0, 0.0])];
    let numbers = (0..24_u32).map(f64::from).collect();
    let motion = MotionPart { frames: 2, frame_time: 0.033_333_3, numbers };
    BvhParts { joints, motion: Some(motion) }
}

type Change = fn(&mut BvhParts);

fn motion(parts: &mut BvhParts) -> &mut MotionPart {
    parts.motion.as_mut().unwrap()
}

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("name", |parts| parts.joints[1].name = "left arm".into()),
    ("name that is used twice", |parts| parts.joints[2].name = "spine".into()),
    ("hierarchy", |parts| {
        parts.joints[1].tips.clear();
        parts.joints[2].parent = Some(1);
    }),
    ("OFFSET", |parts| parts.joints[1].offset = [0.1, -1e-7, 123_456.789]),
    ("position channels", |parts| {
        let positions = Axis::ALL.map(Channel::Position);
        parts.joints[1].channels.splice(0..0, positions);
        motion(parts).numbers.extend([5.0; 6]);
    }),
    ("rotation channels", |parts| parts.joints[1].channels.reverse()),
    ("End Site", |parts| parts.joints[1].tips = vec![[0.0, 2.0, 0.0]]),
    ("Frames", |parts| {
        motion(parts).frames = 1;
        motion(parts).numbers.truncate(12);
    }),
    ("rows after the stated Frames", |_| {}),
    ("Frame Time", |parts| motion(parts).frame_time = 0.008_333_3),
    ("Frame Time that is not positive", |parts| motion(parts).frame_time = -1.0),
    ("number", |parts| motion(parts).numbers[3] = -0.0),
];

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Bvh::default(), Limits::default());
    let fields = format.info().fields;
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let original = plain().to_text().unwrap();
    for (field, (name, change)) in fields.iter().zip(CHANGES) {
        let mut parts = plain();
        change(&mut parts);
        let mut text = BvhFile::from_parts(parts).unwrap().to_text(Style::Plain);
        if *name == "rows after the stated Frames" {
            text = text.replace("Frames: 2", "Frames: 1");
        }
        assert_ne!(text, original, "{name}");
        let read = format.read(text.as_bytes(), &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        let is_same = written.value == text.as_bytes();
        match field.fate {
            Fate::Kept(_) | Fate::Derived(_) => {
                let written = String::from_utf8(written.value).unwrap();
                assert_eq!(written, text, "{name} is said to be kept");
            }
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
                assert!(!is_same, "{name} is said to be lost");
            }
        }
    }
}
