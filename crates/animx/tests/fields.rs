//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may end where it fails")]

use inbetween_animx::{
    Animx, AnimxFile, AnimxLayout, AnimxParts, CurveKeyOrder, Encoding, InterpolationPart,
    KeysPart, PackedPart, StringPart, TangentOrder, TangentsPart, TextPart, TrackPart, ValuesPart,
    Version,
};
use inbetween_core::{Fate, Format, Identical, Limits, Strings, ValueKind, Values};

fn track(property: &str, keys: KeysPart) -> TrackPart {
    TrackPart { node: "node".into(), property: property.into(), key_count_padding: 0, keys }
}

fn texts(texts: &[Option<&str>]) -> ValuesPart {
    ValuesPart::from(texts.iter().copied().collect::<Strings>())
}

/// A file with a track of each type, so that each field can be changed on its own.
fn plain() -> AnimxParts {
    let raw = KeysPart::Raw { interval: 0.5, values: vec![1_i32, 2].into() };
    let discrete = KeysPart::Discrete { times: vec![0.0, 1.0], values: texts(&[Some("a"), None]) };
    // The values refute the order time first.
    let curve = KeysPart::Curve {
        times: vec![0.0, 1.0],
        values: vec![-1.0_f32, 1.0].into(),
        interpolation: InterpolationPart::Shared(1),
        tangents: None,
        other_flags: 0,
    };
    let flags = KeysPart::Discrete { times: vec![0.0], values: vec![true].into() };
    AnimxParts {
        global_duration: 2.0,
        name: "clip".into(),
        tracks: vec![
            track("Count", raw),
            track("Text", discrete),
            track("Curve", curve),
            track("On", flags),
        ],
        ..AnimxParts::default()
    }
}

fn set_curve(parts: &mut AnimxParts, change: impl FnOnce(&mut KeysPart)) {
    change(&mut parts.tracks[2].keys);
}

type Change = fn(&mut AnimxParts);

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("version", |parts| {
        parts.version = Version::V0;
        parts.tracks.remove(3);
        parts.tracks.remove(1);
    }),
    ("track count", |parts| parts.tracks.truncate(2)),
    ("global duration", |parts| parts.global_duration = f32::NAN),
    ("name", |parts| parts.name = "Überschwung".into()),
    ("encoding", |parts| parts.encoding = Encoding::Lz4),
    ("LZ4 chunks", |parts| {
        parts.encoding = Encoding::Lz4;
        let section = AnimxFile::from_parts(&plain()).unwrap().section().unwrap().to_vec();
        // One uncompressed chunk.
        parts.packed =
            PackedPart::Kept([&[0, u8::try_from(section.len()).unwrap()], &*section].concat());
    }),
    ("LZMA properties and sizes", |parts| parts.encoding = Encoding::Lzma),
    ("overlong numbers and lengths", |parts| parts.tracks[0].key_count_padding = 2),
    ("text that is not UTF-8", |parts| {
        parts.tracks[0].node = TextPart { bytes: vec![b'a', 0xff], length_padding: 0 };
    }),
    ("track type", |parts| {
        let KeysPart::Raw { values, .. } = &parts.tracks[0].keys else { return };
        let values = values.clone();
        parts.tracks[0].keys = KeysPart::Discrete { times: vec![0.0, 0.5], values };
    }),
    ("value type", |parts| {
        parts.tracks[0].keys = KeysPart::Raw { interval: 0.5, values: vec![1_u64, 2].into() };
    }),
    ("node", |parts| parts.tracks[0].node = "".into()),
    ("property", |parts| parts.tracks[0].property = "Weight:smile".into()),
    ("order of the track Markers/Name", |parts| {
        parts.tracks[1] = TrackPart {
            node: "Markers".into(),
            keys: KeysPart::Discrete { times: vec![0.5], values: texts(&[Some("hit")]) },
            ..track("Name", parts.tracks[1].keys.clone())
        };
    }),
    ("key count", |parts| {
        parts.tracks[0].keys = KeysPart::Raw { interval: 0.5, values: vec![7_i32; 200].into() };
    }),
    ("interval", |parts| {
        let KeysPart::Raw { interval, .. } = &mut parts.tracks[0].keys else { return };
        *interval = -0.25;
    }),
    ("time", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { times, .. } = keys else { return };
            *times = vec![0.1, 1e30];
        });
    }),
    ("value", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { values, .. } = keys else { return };
            *values = vec![f32::from_bits(0x7fc0_1234), -0.0].into();
        });
    }),
    ("null", |parts| {
        let KeysPart::Discrete { values, .. } = &mut parts.tracks[1].keys else { return };
        *values = texts(&[None, Some("")]);
    }),
    ("bool and null bytes above 1", |parts| {
        let KeysPart::Discrete { values, .. } = &mut parts.tracks[3].keys else { return };
        *values = ValuesPart::Flags { kind: ValueKind::Bool, bytes: vec![9] };
    }),
    ("curve flags", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { interpolation, tangents, .. } = keys else { return };
            *interpolation = InterpolationPart::PerKey(vec![2, 0]);
            let side = || vec![1.5_f32, f32::NAN].into();
            *tangents = Some(TangentsPart { left: side(), right: side() });
        });
    }),
    ("curve flags: unknown bits", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { other_flags, .. } = keys else { return };
            *other_flags = 0x40;
        });
    }),
    ("interpolation", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { interpolation, .. } = keys else { return };
            *interpolation = InterpolationPart::Shared(3);
        });
    }),
    ("interpolation above 3", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { interpolation, .. } = keys else { return };
            *interpolation = InterpolationPart::Shared(200);
        });
    }),
    ("tangents", |parts| {
        set_curve(parts, |keys| {
            let KeysPart::Curve { tangents, .. } = keys else { return };
            let (left, right) = (vec![0.0_f32; 2].into(), vec![-0.0_f32, 4.0].into());
            *tangents = Some(TangentsPart { left, right });
        });
    }),
    ("order of Curve keys and tangents", |parts| {
        let (curve_key, tangents) = (CurveKeyOrder::TimeFirst, TangentOrder::LeftRight);
        parts.layout = AnimxLayout { curve_key, tangents };
    }),
    ("trailing bytes", |parts| parts.trailing = vec![9]),
];

/// Destructures the parts completely: a new field must be considered here.
fn differences(before: &AnimxParts, after: &AnimxParts) -> Vec<&'static str> {
    let AnimxParts {
        version,
        track_count_padding,
        global_duration,
        name,
        encoding,
        layout,
        tracks,
        trailing,
        packed,
    } = before;
    let pairs = [
        ("version", *version == after.version),
        ("track count padding", *track_count_padding == after.track_count_padding),
        ("global duration", global_duration.identical(&after.global_duration)),
        ("name", *name == after.name),
        ("encoding", *encoding == after.encoding),
        ("layout", *layout == after.layout),
        ("tracks", *tracks == after.tracks),
        ("trailing", *trailing == after.trailing),
        ("packed", *packed == after.packed),
    ];
    pairs.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

/// Clears the values that the writer computes.
fn written_anew(field: &str) -> &'static [&'static str] {
    match field {
        "version" => &["version"],
        "LZ4 chunks" => &["packed"],
        "order of Curve keys and tangents" => &["layout"],
        _ => &[],
    }
}

#[test]
#[cfg_attr(not(feature = "lzma"), ignore = "packs LZMA")]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Animx::default(), Limits::default());
    let names: Vec<&str> = format.info().fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (field, (name, change)) in format.info().fields.iter().zip(CHANGES) {
        let mut parts = plain();
        change(&mut parts);
        assert_ne!(parts, plain(), "{name}");
        let file = AnimxFile::from_parts(&parts).unwrap();
        assert_ne!(file.to_bytes(), AnimxFile::from_parts(&plain()).unwrap().to_bytes(), "{name}");
        let before = AnimxFile::parse(file.to_bytes(), &limits).unwrap().into_parts();
        assert_eq!(before.layout, parts.layout, "{name} is read in the order that was written");
        let read = format.read(file.to_bytes(), &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        let after = AnimxFile::parse(written.value, &limits).unwrap().into_parts();
        let changed = differences(&before, &after);
        match field.fate {
            Fate::Kept(_) => assert_eq!(changed, [""; 0], "{name} is said to be kept"),
            Fate::Derived(_) => assert_eq!(changed, written_anew(name), "{name} is said to follow"),
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
            }
        }
    }
}

#[test]
fn every_change_is_reported() {
    let (format, limits) = (Animx::default(), Limits::default());
    let mut parts = plain();
    let reported = CHANGES
        .iter()
        .zip(format.info().fields)
        .filter(|(_, field)| matches!(field.fate, Fate::Reported(_)));
    for ((_, change), _) in reported {
        change(&mut parts);
    }
    let odd = StringPart { not_null: 7, text: "b".into() };
    let values = ValuesPart::Strings(vec![odd]);
    parts.tracks.push(track("Odd", KeysPart::Discrete { times: vec![0.0], values }));
    let file = AnimxFile::from_parts(&parts).unwrap();
    let findings = format.read(file.to_bytes(), &limits).unwrap().findings;
    let findings: Vec<_> = findings.iter().filter(|loss| loss.code.is_loss()).collect();
    let codes: std::collections::BTreeSet<_> = findings.iter().map(|loss| loss.code.id()).collect();
    assert_eq!(
        codes.into_iter().collect::<Vec<_>>(),
        [
            "animx/byte-normalized",
            "animx/curve-flags-dropped",
            "animx/interpolation-held",
            "animx/overlong-length-dropped",
            "convert/name-reencoded",
            "convert/trailing-dropped",
        ]
    );
}

#[test]
fn columns_of_different_lengths_are_not_written() {
    let written = |keys: KeysPart| {
        let parts = AnimxParts { tracks: vec![track("Curve", keys)], ..AnimxParts::default() };
        AnimxFile::from_parts(&parts).map(|_| ()).map_err(|error| error.to_string())
    };
    let curve = |[times, interpolations, left, right]: [usize; 4]| {
        let column = |length| ValuesPart::from(vec![1.0_f32; length]);
        KeysPart::Curve {
            times: vec![0.0; times],
            values: column(2),
            interpolation: InterpolationPart::PerKey(vec![1; interpolations]),
            tangents: Some(TangentsPart { left: column(left), right: column(right) }),
            other_flags: 0,
        }
    };
    assert_eq!(written(curve([2; 4])), Ok(()));
    for (lengths, message) in [
        ([3, 2, 2, 2], "3 times for 2 keys"),
        ([2, 1, 2, 2], "1 interpolations for 2 keys"),
        ([2, 2, 3, 2], "3 tangents for 2 keys"),
        ([2, 2, 2, 1], "1 tangents for 2 keys"),
    ] {
        let error = written(curve(lengths)).unwrap_err();
        assert!(error.contains(message), "{error}");
    }
    let times = vec![0.0];
    let error = written(KeysPart::Discrete { times, values: vec![1_i32, 2].into() }).unwrap_err();
    assert!(error.contains("1 times for 2 keys"), "{error}");
}

#[test]
fn a_plain_file_has_parts_of_plain_columns() {
    let values = |parts: &AnimxParts| {
        let columns = parts.tracks.iter().map(|track| track.keys.values());
        columns.filter(|values| matches!(values, ValuesPart::Values(_))).count()
    };
    let file = AnimxFile::from_parts(&plain()).unwrap();
    assert_eq!(values(&file.into_parts()), 4);
    assert_eq!(ValuesPart::from(vec![1_u8]), ValuesPart::Values(Values::from(vec![1_u8])));
}
