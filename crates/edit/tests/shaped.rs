//! Cuts through curves that cannot be split into curves of the same kind: Beziers of quaternions
//! and of `color32`.

#![expect(clippy::panic, clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, Color32, DEFAULT_BOUND, Document, Finding, Interpolation, Interpolations, Property,
    Quat, Rules, Tangents, Target, Track, TrackData, Value, Values, value_error,
};
use inbetween_edit::{Settings, SplitAt, TimeRange, join, split, trim};

/// Returns a rotation about x.
fn turn(angle: f64) -> Quat<f32> {
    let half = angle / 2.0;
    let narrow = inbetween_core::num::f32_from_f64;
    Quat { x: narrow(half.sin()), y: 0.0, z: 0.0, w: narrow(half.cos()) }
}

/// Keys at 0, 1, 2 and 3 s. Each curve stays near its ends, so it passes the middle between them at
/// half its time.
fn swings() -> TrackData {
    let angles = [-1.0, 1.0, -0.5, 0.5];
    let values: Vec<Quat<f32>> = angles.map(turn).to_vec();
    let own = || Values::from(values.clone());
    let tangents = Some(Tangents::Values { left: own(), right: own() });
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    TrackData::curve(vec![0.0, 1.0, 2.0, 3.0], own(), bezier, tangents).unwrap()
}

fn document(property: Property, data: TrackData) -> Document {
    let track = Track::new(Target::new("node", property), data).unwrap();
    Document::single(Animation::new(vec![track]))
}

/// Trims by the rules of `Linear`; returns the keys and the findings.
fn trimmed(property: Property, data: TrackData, start: f64, end: f64) -> (TrackData, Vec<Finding>) {
    let range = TimeRange::new(Some(start), Some(end)).unwrap();
    let cut = trim(document(property, data), range, &Settings::default()).unwrap();
    let clip = cut.value.clips.into_iter().next().unwrap();
    (clip.tracks.first().unwrap().data().clone(), cut.findings)
}

/// Returns the index of the key at a time.
fn key_at(data: &TrackData, time: f64) -> usize {
    (0..data.len()).find(|&key| data.time(key) == Some(time)).unwrap()
}

fn tangents(data: &TrackData, key: usize) -> [Value; 2] {
    let Some(Tangents::Values { left, right }) = data.tangents() else { panic!("no tangents") };
    [left.get(key).unwrap(), right.get(key).unwrap()]
}

#[test]
fn only_cut_segments_change() {
    let before = swings();
    let (after, findings) = trimmed(Property::Rotation, before.clone(), 0.5, 2.5);
    // The keys at 1 and 2 s are now at 0.5 and 1.5 s, and the segment between them is unchanged.
    let (one, two) = (key_at(&after, 0.5), key_at(&after, 1.5));
    assert_eq!(two, one + 1);
    for (key, old) in [(one, 1), (two, 2)] {
        assert_eq!(after.value(key), before.value(old));
        assert_eq!(tangents(&after, key), tangents(&before, old));
    }
    assert_eq!(after.interpolation(one), Interpolation::Bezier);
    let last = after.len() - 1;
    for key in (0..one).chain(two..last) {
        assert_eq!(after.interpolation(key), Interpolation::Bezier, "key {key}");
    }
    // Halfway between a rotation and the negated inverse there is no valid rotation.
    for end in [0, last] {
        let Some(Value::FloatQ(shown)) = after.value(end) else { panic!("another kind") };
        assert!(shown.angle_to(turn(0.0)) < 1e-6, "{shown:?}");
    }
    assert_eq!((after.time(0), after.time(last)), (Some(0.0), Some(2.0)));
    let ids: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert!(ids.contains(&"edit/segment-approximated"), "{ids:?}");
}

#[test]
fn a_cut_plays_as_before_within_the_bound() {
    let before = swings();
    let (after, _) = trimmed(Property::Rotation, before.clone(), 0.25, 2.75);
    for part in 0..=2500_u16 {
        let time = f64::from(part) / 1000.0;
        let then = Rules::LINEAR.sample(&before, time + 0.25).unwrap();
        let now = Rules::LINEAR.sample(&after, time).unwrap();
        // Rounding to `f32` adds a small error.
        assert!(value_error(&then, &now) <= DEFAULT_BOUND + 1e-6, "at {time}");
    }
}

#[test]
fn both_ends_of_a_range_in_one_segment_are_cut() {
    let (after, findings) = trimmed(Property::Rotation, swings(), 1.25, 1.5);
    assert_eq!((after.time(0), after.time(after.len() - 1)), (Some(0.0), Some(0.25)));
    // From an angle of 1 to one of -0.5: half of 1/4.
    let Some(Value::FloatQ(shown)) = after.value(after.len() - 1) else { panic!("another kind") };
    assert!(shown.angle_to(turn(0.25)) < 1e-3, "{shown:?}");
    let ids: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert!(ids.contains(&"edit/segment-approximated"), "{ids:?}");
}

#[test]
fn a_cut_at_keys_bakes_nothing() {
    let (after, findings) = trimmed(Property::Rotation, swings(), 1.0, 3.0);
    assert_eq!(after.len(), 3);
    assert!(findings.iter().all(|finding| finding.code.id() == "edit/cut"), "{findings:?}");
}

#[test]
fn trimming_after_the_last_key_cuts_nothing() {
    let (after, findings) = trimmed(Property::Rotation, swings(), 4.0, 5.0);
    assert_eq!((after.len(), after.value(0)), (1, swings().value(3)));
    let codes: Vec<&str> = findings.iter().map(|finding| finding.code.id()).collect();
    assert_eq!(codes, ["edit/cut", "edit/beyond-end"]);
}

#[test]
fn a_constant_curve_is_cut_exactly() {
    let values = || Values::from(vec![turn(0.5); 2]);
    let sides = Some(Tangents::Values { left: values(), right: values() });
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![0.0, 1.0], values(), bezier, sides).unwrap();
    let (after, findings) = trimmed(Property::Rotation, data, 0.25, 0.5);
    assert_eq!(after.len(), 2);
    assert!(findings.iter().all(|finding| finding.code.id() == "edit/cut"), "{findings:?}");
}

#[test]
fn colors_keep_the_segments_that_are_not_cut() {
    let gray = |level: u8| Color32 { r: level, g: level, b: level, a: 255 };
    let values = || Values::from([0_u8, 200, 100].map(gray).to_vec());
    let sides = Some(Tangents::Values { left: values(), right: values() });
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![0.0, 1.0, 2.0], values(), bezier, sides).unwrap();
    let (after, _) = trimmed(Property::Custom(None), data.clone(), 0.5, 2.0);
    let (one, last) = (key_at(&after, 0.5), after.len() - 1);
    assert_eq!((last, after.interpolation(one)), (one + 1, Interpolation::Bezier));
    assert_eq!(tangents(&after, one), tangents(&data, 1));
    // Halfway from 0 to 200.
    assert_eq!(after.value(0), Some(Value::Color32(gray(100))));
}

#[test]
fn a_split_curve_joins_to_one_that_plays_the_same() {
    let whole = document(Property::Rotation, swings());
    let at = SplitAt::Times(vec![1.5]);
    let parts = split(whole.clone(), &at, &Settings::default()).unwrap().value;
    let joined = join(parts, &Settings::default()).unwrap().value;
    let data = joined.clips.first().unwrap().tracks.first().unwrap().data();
    for (key, old) in [(0, 0), (1, 1)] {
        assert_eq!(data.value(key), swings().value(old));
        assert_eq!(tangents(data, key), tangents(&swings(), old));
    }
    assert_eq!(data.interpolation(0), Interpolation::Bezier);
    assert_eq!(data.interpolation(data.len() - 2), Interpolation::Bezier);
}
