//! Compares the rules of the common model with those of the exact model.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_core::{Format, Limits, Property, Value};
use inbetween_testing::cases;
use inbetween_x4_ani::{Group, KeyType, X4ani, X4aniFile};

/// Returns whether the exact model has a rule for these keys that the common model lacks.
fn has_own_rules(file: &X4aniFile<'_>, record: usize, group: Group) -> bool {
    let keys = file.record(record).unwrap().keys(group);
    let known = [KeyType::STEP, KeyType::LINEAR, KeyType::BEZIER];
    keys.iter().any(|key| key.types.iter().any(|each| !known.contains(each)))
        || !keys.iter().map(|key| key.time).is_sorted()
}

#[test]
fn both_models_agree_bit_for_bit_without_special_rules() {
    let format = X4ani::default();
    assert_eq!(format.info().rules, inbetween_x4_ani::RULES);
    let mut compared = 0;
    for case in cases::of("x4-ani") {
        let Ok(read) = format.read(&case.bytes, &Limits::default()) else { continue };
        let parsed = X4aniFile::parse(case.bytes.as_slice(), &Limits::default());
        // A file of which a record is broken has no exact model.
        let Ok(file) = parsed else { continue };
        let [clip] = read.value.clips.as_slice() else { continue };
        if file.record_count() != 1 {
            continue;
        }
        for track in &clip.tracks {
            let (group, data) = match track.target().property {
                Property::Translation => (Group::Position, track.data()),
                Property::RotationEuler(_) => (Group::Rotation, track.data()),
                Property::Scale => (Group::Scale, track.data()),
                _ => continue,
            };
            if track.target().component.is_some() || has_own_rules(&file, 0, group) {
                continue;
            }
            if data.is_empty() {
                continue;
            }
            let rules = inbetween_x4_ani::RULES.of(&track.target().property);
            for step in 0..100_u8 {
                let time = f32::from(step) / 64.0 - 0.5;
                let exact = file.record(0).unwrap().sample(group, time).unwrap();
                let common = rules.sample(data, f64::from(time));
                assert_eq!(common, Some(Value::Float3(exact)), "{} at {time}", case.name);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} values compared");
}
