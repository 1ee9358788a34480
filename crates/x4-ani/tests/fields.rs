//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the change.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may end where it fails")]

use inbetween_core::{Fate, Format, Limits};
use inbetween_x4_ani::{
    ControlPoints, Group, KeyType, RecordPart, X4ani, X4aniFile, X4aniKey, X4aniName, X4aniParts,
};

/// Three records of two animations, so that each field can be changed on its own.
fn plain() -> X4aniParts {
    let record = |part: &str, subname: &str| {
        let mut record = RecordPart {
            part: X4aniName::new(part).unwrap(),
            subname: X4aniName::new(subname).unwrap(),
            duration: 1.0,
            ..RecordPart::default()
        };
        *record.keys_mut(Group::Position) = vec![
            X4aniKey::new(0.0, [0.0; 3], KeyType::LINEAR),
            X4aniKey::new(1.0, [1.0, 2.0, 3.0], KeyType::STEP),
        ];
        record
    };
    let records = vec![record("a", "open"), record("b", "open"), record("a", "close")];
    X4aniParts { records, ..X4aniParts::default() }
}

fn first(parts: &mut X4aniParts) -> &mut X4aniKey {
    &mut parts.records[0].keys_mut(Group::Position)[0]
}

type Change = fn(&mut X4aniParts);

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("record count", |parts| parts.records.truncate(2)),
    ("key offset", |parts| parts.records.truncate(1)),
    ("padding of the header", |parts| parts.padding = -5),
    ("part name", |parts| parts.records[0].part = X4aniName::new("anim_door").unwrap()),
    ("subname", |parts| parts.records[2].subname = X4aniName::new("loop").unwrap()),
    ("bytes after the NUL of a name", |parts| parts.records[0].part.0[63] = 1),
    ("name that is not UTF-8", |parts| parts.records[0].part.0[0] = 0xff),
    ("case of a name that occurs with other capitals", |parts| {
        parts.records[1].subname.0[0] = b'O';
    }),
    ("order of records of several animations", |parts| parts.records.swap(1, 2)),
    ("second record of a part and animation", |parts| parts.records[1].part.0[0] = b'a'),
    ("key counts", |parts| {
        *parts.records[1].keys_mut(Group::Scale) =
            vec![X4aniKey::new(0.5, [2.0; 3], KeyType::STEP)];
    }),
    ("duration", |parts| {
        for record in &mut parts.records {
            record.duration = 0.1;
        }
    }),
    ("durations that differ within an animation", |parts| parts.records[1].duration = 2.0),
    ("padding of a record", |parts| parts.records[2].padding = [0, 1]),
    ("value", |parts| first(parts).value = [f32::NAN, -0.0, 1e-40]),
    ("interpolation 1, 2 and 5", |parts| {
        first(parts).types = [KeyType::STEP, KeyType::LINEAR, KeyType::BEZIER];
    }),
    ("interpolation 0, 3 and 4", |parts| first(parts).types = [KeyType::CUBIC; 3]),
    ("interpolation 6 and 7", |parts| first(parts).types = [KeyType::TCB; 3]),
    ("time", |parts| first(parts).time = -0.1),
    ("order of keys", |parts| first(parts).time = 1.5),
    ("control points", |parts| {
        first(parts).control_points[2] = ControlPoints::from_array([0.25, -0.0, -3.0, f32::MAX]);
    }),
    ("spare bits of a NaN control point", |parts| {
        first(parts).control_points[0].in_value = f32::from_bits(0x7f80_0001);
    }),
    ("tension to ease out", |parts| first(parts).ease_out = 1.0),
    ("derivatives", |parts| first(parts).derivative_out = [0.0, 0.0, 1.0]),
    ("angle key", |parts| first(parts).angle_key = 1),
    ("pre-scale and post-scale keys", |parts| {
        let keys = vec![X4aniKey::new(0.0, [2.0; 3], KeyType::STEP)];
        for group in [Group::PreScale, Group::PostScale] {
            parts.records[0].keys_mut(group).clone_from(&keys);
        }
    }),
    ("pairing of pre-scale and post-scale", |parts| {
        let keys = vec![X4aniKey::new(0.0, [2.0; 3], KeyType::STEP)];
        *parts.records[0].keys_mut(Group::PreScale) = keys;
    }),
    ("trailing bytes", |parts| parts.trailing = vec![9]),
];

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (X4ani::default(), Limits::default());
    let names: Vec<&str> = format.info().fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    let untouched = X4aniFile::from_parts(&plain()).unwrap().to_bytes().to_vec();
    for (field, (name, change)) in format.info().fields.iter().zip(CHANGES) {
        let mut parts = plain();
        change(&mut parts);
        let bytes = X4aniFile::from_parts(&parts).unwrap().to_bytes().to_vec();
        assert_ne!(bytes, untouched, "{name}");
        let read = format.read(&bytes, &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        match field.fate {
            Fate::Kept(_) | Fate::Derived(_) => {
                assert_eq!(written.value, bytes, "{name} is said to be kept");
            }
            Fate::Reported(code) => {
                assert_ne!(written.value, bytes, "{name} is said to change");
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
            }
        }
    }
}
