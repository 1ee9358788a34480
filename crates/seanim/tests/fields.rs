//! Every documented field is either kept or reported.
//!
//! Each test sets one field in an otherwise plain file and converts it to the common model and
//! back. The field must survive, or a finding of its code must name the loss.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may end where it fails")]

use inbetween_core::{
    Animation, Axis, Blend, Document, Fate, Format, Limits, Property, Quat, Target, Track,
    TrackData, Values, codes as shared,
};
use inbetween_seanim::{
    AnimType, BlockRule, BoneIndex, BonePart, ChannelPart, LOOPED, NotePart, PRECISION_HIGH,
    Reading, Seanim, SeanimFile, SeanimHeader, SeanimModifier, SeanimParts, ShapeKey, ShapePart,
    presence,
};

/// A file with an item in every block, so that each field can be changed on its own.
fn plain() -> SeanimParts {
    let part = |frames: Vec<u32>, values: Vec<[f32; 3]>| {
        Some(ChannelPart { frames, values: Values::from(values) })
    };
    let bone = |name: &str| BonePart {
        name: name.into(),
        locations: part(vec![0, 4], vec![[0.0; 3], [1.0; 3]]),
        ..BonePart::default()
    };
    SeanimParts {
        header: SeanimHeader {
            presence: presence::LOCATION | presence::NOTES,
            frame_count: 5,
            ..SeanimHeader::default()
        },
        bones: vec![bone("a"), bone("b")],
        notes: vec![NotePart { frame: 2, name: b"hit".into() }],
        blend_shapes: Some(vec![ShapePart {
            name: b"smile".into(),
            keys: vec![ShapeKey { frame: 1, weight: 0.5, unused: [0.0; 2] }],
        }]),
        ..SeanimParts::default()
    }
}

type Change = fn(&mut SeanimParts);

/// A function that sets each field of `FormatInfo::fields`, by name.
const CHANGES: &[(&str, Change)] = &[
    ("headerSize", |parts| parts.header.header_size = 26),
    ("header bytes beyond 28", |parts| parts.header_extra = vec![1, 2]),
    ("animType", |parts| parts.header.anim_type = AnimType::DELTA),
    ("animFlags: looped", |parts| parts.header.anim_flags = LOOPED),
    ("animFlags: reserved bits", |parts| parts.header.anim_flags = 0x10),
    ("dataPresenceFlags", |parts| {
        parts.header.presence = presence::LOCATION;
        parts.notes.clear();
    }),
    ("dataPresenceFlags: reserved bits", |parts| parts.header.presence |= 0x20),
    ("dataPropertyFlags: precision", |parts| {
        parts.header.property = PRECISION_HIGH;
        for bone in &mut parts.bones {
            let values = Values::from(vec![[0.1_f64, 0.2, 1e300]; 2]);
            bone.locations = Some(ChannelPart { frames: vec![0, 4], values });
        }
    }),
    ("dataPropertyFlags: reserved bits", |parts| parts.header.property = 0x40),
    ("reserved bytes", |parts| parts.header.reserved2 = [0, 0, 9]),
    ("framerate", |parts| parts.header.framerate = 29.97),
    ("frameCount", |parts| parts.header.frame_count = 99),
    ("boneCount", |parts| parts.bones.truncate(1)),
    ("boneAnimModifierCount", |parts| {
        parts.modifiers =
            vec![SeanimModifier { bone: BoneIndex(0), anim_type: AnimType::RELATIVE }; 2];
    }),
    ("noteCount", |parts| parts.notes.push(NotePart { frame: 2, name: b"hit".into() })),
    ("bone name", |parts| parts.bones[0].name = b"j_spine".into()),
    ("bone name that is not UTF-8", |parts| parts.bones[0].name = vec![b'a', 0xff]),
    ("bone without channels", |parts| {
        parts.header.presence = presence::NOTES;
        parts.reading = Reading { blocks: BlockRule::Counts, ..Reading::default() };
        for bone in &mut parts.bones {
            bone.locations = None;
        }
    }),
    ("modifier", |parts| {
        parts.modifiers =
            vec![SeanimModifier { bone: BoneIndex(1), anim_type: AnimType::ADDITIVE }];
    }),
    ("modifier of a missing bone", |parts| {
        parts.modifiers = vec![SeanimModifier { bone: BoneIndex(7), anim_type: AnimType::DELTA }];
    }),
    ("bone flags", |parts| parts.bones[1].flags = 1),
    ("key frame", |parts| {
        parts.bones[0].locations.as_mut().unwrap().frames = vec![1, 3];
    }),
    ("key value", |parts| {
        let values = Values::from(vec![[f32::NAN, -0.0, 3.0], [1e-40, 0.0, 0.0]]);
        parts.bones[0].locations.as_mut().unwrap().values = values;
    }),
    ("note", |parts| parts.notes[0] = NotePart { frame: 4, name: b"sndnt#step".into() }),
    ("custom block", |parts| {
        parts.header.presence |= presence::CUSTOM;
        parts.custom = Some(b"data".into());
    }),
    ("blend shape", |parts| {
        parts.blend_shapes.as_mut().unwrap()[0].keys[0].weight = f32::NAN;
    }),
    ("blend shape: unused numbers", |parts| {
        parts.blend_shapes.as_mut().unwrap()[0].keys[0].unused = [0.0, 1.0];
    }),
    ("trailing bytes", |parts| parts.trailing = vec![9]),
];

/// Destructures the parts completely: a new field must be considered here.
fn differences(before: &SeanimParts, after: &SeanimParts) -> Vec<&'static str> {
    let SeanimParts {
        header:
            SeanimHeader {
                header_size,
                anim_type,
                anim_flags,
                presence,
                property,
                reserved1,
                framerate,
                frame_count,
                bone_count,
                modifier_count,
                reserved2,
                note_count,
            },
        reading,
        header_extra,
        bones,
        modifiers,
        notes,
        custom,
        blend_shapes,
        trailing,
    } = before;
    let other = &after.header;
    let pairs = [
        ("header size", *header_size == other.header_size),
        ("anim type", *anim_type == other.anim_type),
        ("anim flags", *anim_flags == other.anim_flags),
        ("presence", *presence == other.presence),
        ("property", *property == other.property),
        ("reserved", (*reserved1, *reserved2) == (other.reserved1, other.reserved2)),
        ("framerate", framerate.to_bits() == other.framerate.to_bits()),
        ("frame count", *frame_count == other.frame_count),
        ("bone count", *bone_count == other.bone_count),
        ("modifier count", *modifier_count == other.modifier_count),
        ("note count", *note_count == other.note_count),
        ("reading", *reading == after.reading),
        ("header extra", *header_extra == after.header_extra),
        ("bones", *bones == after.bones),
        ("modifiers", *modifiers == after.modifiers),
        ("notes", *notes == after.notes),
        ("custom", *custom == after.custom),
        (
            "blend shapes",
            shape_bits(blend_shapes.as_ref()) == shape_bits(after.blend_shapes.as_ref()),
        ),
        ("trailing", *trailing == after.trailing),
    ];
    pairs.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
}

/// Compares weights as bits, because a weight may be NaN.
fn shape_bits(shapes: Option<&Vec<ShapePart>>) -> Vec<(Vec<u8>, Vec<[u32; 4]>)> {
    let key = |key: &ShapeKey| {
        let [a, b] = key.unused.map(f32::to_bits);
        [key.frame, key.weight.to_bits(), a, b]
    };
    let shape = |shape: &ShapePart| (shape.name.clone(), shape.keys.iter().map(key).collect());
    shapes.into_iter().flatten().map(shape).collect()
}

#[test]
fn every_documented_field_is_kept_or_reported() {
    let (format, limits) = (Seanim::default(), Limits::default());
    let names: Vec<&str> = format.info().fields.iter().map(|field| field.name).collect();
    assert_eq!(names, CHANGES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    for (field, (name, change)) in format.info().fields.iter().zip(CHANGES) {
        let mut parts = plain();
        change(&mut parts);
        let file = SeanimFile::from_parts(&parts).unwrap();
        assert_ne!(file.to_bytes(), SeanimFile::from_parts(&plain()).unwrap().to_bytes(), "{name}");
        let before = SeanimFile::parse(file.to_bytes(), &limits).unwrap().into_parts();
        let read = format.read(file.to_bytes(), &limits).unwrap();
        let written = format.write(read.value, &limits).unwrap();
        let after = SeanimFile::parse(written.value, &limits).unwrap().into_parts();
        let changed = differences(&before, &after);
        match field.fate {
            Fate::Kept(_) => assert_eq!(changed, [""; 0], "{name} is said to be kept"),
            Fate::Derived(_) => {
                let written_anew = if *name == "headerSize" { &["header size"][..] } else { &[] };
                assert_eq!(changed, written_anew, "{name} is said to follow");
            }
            Fate::Reported(code) => {
                let mut findings = read.findings.iter().chain(&written.findings);
                assert!(findings.any(|loss| loss.code == code), "{name} is said to be reported");
            }
        }
    }
}

#[test]
fn every_change_is_reported() {
    let (format, limits) = (Seanim::default(), Limits::default());
    let mut parts = plain();
    let reported = CHANGES.iter().zip(format.info().fields).filter(|(_, field)| {
        matches!(field.fate, Fate::Reported(_)) && field.name != "bone without channels"
    });
    for ((_, change), _) in reported {
        change(&mut parts);
    }
    let file = SeanimFile::from_parts(&parts).unwrap();
    let findings = format.read(file.to_bytes(), &limits).unwrap().findings;
    let findings: Vec<_> = findings.iter().filter(|loss| loss.code.is_loss()).collect();
    let codes: std::collections::BTreeSet<_> = findings.iter().map(|loss| loss.code.id()).collect();
    assert_eq!(
        codes.into_iter().collect::<Vec<_>>(),
        [
            "convert/name-reencoded",
            "convert/reserved-dropped",
            "convert/trailing-dropped",
            "seanim/custom-dropped",
            "seanim/header-extra-dropped",
            "seanim/modifier-dropped",
            "seanim/shape-padding-dropped",
        ]
    );
}

#[test]
fn settings_for_missing_data_are_noted() {
    let noted = |change: Change| {
        let mut parts = plain();
        change(&mut parts);
        let file = SeanimFile::from_parts(&parts).unwrap();
        let findings =
            Seanim::default().read(file.to_bytes(), &Limits::default()).unwrap().findings;
        let unused = findings.iter().filter(|loss| loss.code.id() == "seanim/unused-dropped");
        unused.map(|loss| loss.path.to_string()).collect::<Vec<_>>()
    };
    let boneless: Change = |parts| {
        parts.header.presence = presence::NOTES;
        parts.bones.clear();
    };
    assert_eq!(noted(|_| ()), [""; 0]);
    assert_eq!(noted(boneless), [""; 0]);
    assert_eq!(noted(|parts| parts.blend_shapes = None), [""; 0]);
    assert_eq!(noted(|parts| parts.blend_shapes = Some(Vec::new())), ["blend_shapes"]);
    let precise: Change = |parts| {
        parts.header.presence = presence::NOTES;
        parts.header.property = PRECISION_HIGH;
        parts.bones.clear();
    };
    assert_eq!(noted(precise), ["dataPropertyFlags"]);
}

#[test]
fn dropping_an_empty_name_is_not_reported() {
    let dropped = |name: &str| {
        let clip = Animation::default().with_name(name);
        let written = Seanim::default().write(Document::single(clip), &Limits::default()).unwrap();
        written.findings.iter().filter(|it| it.code == shared::NAME_DROPPED).count()
    };
    assert_eq!((dropped(""), dropped("walk")), (0, 1));
}

#[test]
fn a_dropped_blend_names_the_track_of_the_document() {
    let component = |axis| {
        let target = Target::new("hips", Property::Translation).with_component(axis);
        Track::new(target, TrackData::uniform(1.0, vec![0.0_f32])).unwrap()
    };
    let turn = |node: &str, blend| {
        let target = Target { blend, ..Target::new(node, Property::Rotation) };
        Track::new(target, TrackData::uniform(1.0, vec![Quat::<f32>::IDENTITY])).unwrap()
    };
    let position = Target::new("hand", Property::Translation);
    let position = Track::new(position, TrackData::uniform(1.0, vec![[0.0_f32; 3]])).unwrap();
    // The first two tracks become one, so the others have other indices in the file.
    let tracks = vec![
        component(Axis::X),
        component(Axis::Y),
        position,
        turn("hand", Blend::RestRelative),
        turn("hips", Blend::Absolute),
    ];
    let clip = Document::single(Animation::new(tracks));
    let written = Seanim::default().write(clip, &Limits::default()).unwrap();
    let dropped = written.findings.iter().filter(|each| each.code == shared::BLEND_DROPPED);
    let tracks = dropped.filter_map(|each| each.place.track.as_ref());
    let tracks: Vec<_> = tracks.map(|track| (track.index, track.to_string())).collect();
    assert_eq!(tracks, [(3, "hand/Rotation".to_owned())]);
}
