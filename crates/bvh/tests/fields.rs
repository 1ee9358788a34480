//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::indexing_slicing, reason = "a test may end where it fails")]

use inbetween_bvh::{Bvh, BvhFile, BvhHeader, BvhParts, Channel, TrackPart};
use inbetween_core::{Fate, Format, Limits};

/// A file with a track, so that each field can be changed on its own.
fn plain() -> BvhParts {
    let track = TrackPart {
        name: "root".into(),
        channel: Channel::Translation,
        frames: vec![0, 15],
        values: vec![[0.0_f32; 3], [1.0; 3]].into(),
    };
    let header = BvhHeader { duration: 1.0, ..BvhHeader::default() };
    BvhParts { header, tracks: vec![track], trailing: Vec::new() }
}

type Change = fn(&mut BvhParts);

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("reserved", |parts| parts.header.reserved = 7),
    ("frameRate", |parts| parts.header.frame_rate = 29.97),
    ("frameRate that is not positive", |parts| parts.header.frame_rate = -1.0),
    ("duration", |parts| parts.header.duration = 2.25),
    ("trackCount", |parts| parts.tracks.clear()),
    ("name", |parts| parts.tracks[0].name = "hips".into()),
    ("channel", |parts| parts.tracks[0].channel = Channel::Scale),
    ("key frame", |parts| parts.tracks[0].frames = vec![3, 9]),
    ("key value", |parts| {
        parts.tracks[0].values = vec![[f32::NAN, -0.0, 1.0], [1e-40, 0.0, 0.0]].into();
    }),
    ("trailing bytes", |parts| parts.trailing = vec![9]),
];

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Bvh::default(), Limits::default());
    let fields = format.info().fields;
    let names: Vec<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let original = BvhFile::from_parts(&plain()).unwrap();
    for (field, (name, change)) in fields.iter().zip(CHANGES) {
        let mut parts = plain();
        change(&mut parts);
        let file = BvhFile::from_parts(&parts).unwrap();
        assert_ne!(file.to_bytes(), original.to_bytes(), "{name}");
        let read = format.read(file.to_bytes(), &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        let is_same = written.value == file.to_bytes();
        match field.fate {
            Fate::Kept(_) | Fate::Derived(_) => assert!(is_same, "{name} is said to be kept"),
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
                assert!(code.is_loss() && !is_same, "{code} is a loss");
            }
        }
    }
}
