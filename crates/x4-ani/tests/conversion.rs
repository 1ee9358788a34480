//! The keys that tracks become in a file, compared with values computed by hand.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use std::f32::consts::{FRAC_PI_2, TAU};

use inbetween_core::codes;
use inbetween_core::stores::{CurveForm, Rotations, Stores};
use inbetween_core::{
    Animation, Axis, Budget, Context, DEFAULT_BOUND, Document, Fit, Format, Handle, Interpolation,
    Interpolations, Limits, Property, Quat, Rules, Tangents, Target, Track, TrackData, Value,
    ValueKind, Values,
};
use inbetween_testing::cases;
use inbetween_x4_ani::{Group, KeyType, X4ani, X4aniFile, X4aniKey};

fn read(name: &str) -> Document {
    let case = cases::of("x4-ani").into_iter().find(|case| case.name == name).unwrap();
    X4ani::default().read(&case.bytes, &Limits::default()).unwrap().value
}

/// Returns the keys of a file with one track, or with the components of one.
fn keys(tracks: Vec<Track>, group: Group) -> Vec<X4aniKey> {
    let clip = Animation::new(tracks).with_name("a");
    let bytes = X4ani::default().write(Document::single(clip), &Limits::default()).unwrap().value;
    let file = X4aniFile::parse(bytes, &Limits::default()).unwrap();
    file.record(0).unwrap().keys(group).iter().collect()
}

fn track(property: Property, data: TrackData) -> Track {
    Track::new(Target::new("part", property), data).unwrap()
}

fn curve(
    times: &[f64],
    values: impl Into<Values>,
    each: Interpolation,
    tangents: Option<Tangents>,
) -> TrackData {
    TrackData::curve(times.to_vec(), values, Interpolations::Shared(each), tangents).unwrap()
}

#[test]
fn a_whole_turn_survives_as_quaternions() {
    let stores = Stores {
        component: |_| false,
        rotations: Rotations::Quaternions,
        curves: CurveForm::Lines,
        ..Stores::ALL
    };
    let mut document = read("spin");
    let mut budget = Budget::new(&Limits::default(), 0);
    let mut context = Context::new(&mut budget);
    let fit = Fit::new(stores, Rules::LINEAR, &mut document, &mut context);
    let tracks = fit.clip(document.into_single().unwrap(), &mut context).unwrap().tracks;
    for (time, degrees) in [(0.0, 0.0), (1.0, 45.0), (4.0, 180.0), (6.0, 270.0), (7.0, 315.0)] {
        let value = Rules::LINEAR.sample(tracks[0].1.data(), time);
        let Some(Value::FloatQ(found)) = value else { panic!("no rotation at {time}") };
        // X4 rotates about z by the negative angle.
        let expected = Quat::from_axis_angle([0.0, 0.0, 1.0], -f64::to_radians(degrees));
        let off = Quat::<f64>::from(found).angle_to(expected);
        assert!(off < DEFAULT_BOUND, "{off} at {time}");
    }
}

#[test]
fn quaternions_become_angles_that_continue_past_pi() {
    let order = inbetween_x4_ani::EULER_ORDER;
    let quarters = (0..6)
        .map(|quarter| order.quaternion([0.0, f64::from(FRAC_PI_2) * f64::from(quarter), 0.0]));
    let times: Vec<f64> = (0..6).map(f64::from).collect();
    let data = curve(&times, quarters.collect::<Vec<_>>(), Interpolation::Linear, None);
    let keys = keys(vec![track(Property::Rotation, data)], Group::Rotation);
    assert_eq!(keys.len(), 6);
    for (key, quarter) in keys.iter().zip([0.0_f32, 1.0, 2.0, 3.0, 4.0, 5.0]) {
        let [x, y, z] = key.value;
        assert!((y - quarter * FRAC_PI_2).abs() < 1e-6 && x.abs() < 1e-6 && z.abs() < 1e-6);
        assert_eq!(key.types, [KeyType::LINEAR; 3]);
        // The game would treat exactly 2 pi as 0.
        assert_ne!(y, TAU);
    }
}

#[test]
fn hermite_tangents_become_control_points_at_thirds() {
    let side = |number: f32| Values::from(vec![[number; 3]; 2]);
    let tangents = Tangents::Values { left: side(6.0), right: side(3.0) };
    let values = vec![[1.0_f32; 3], [5.0; 3]];
    let data = curve(&[1.0, 4.0], values, Interpolation::Hermite, Some(tangents));
    let keys = keys(vec![track(Property::Translation, data)], Group::Position);
    let (first, last) = (keys[0].control_points[1], keys[1].control_points[1]);
    assert_eq!(keys[0].types, [KeyType::BEZIER; 3]);
    assert_eq!((first.out_time, first.out_value), (2.0, 2.0));
    assert_eq!((last.in_time, last.in_value), (3.0, 3.0));
    // The game shows CP1 of the last key.
    assert_eq!(last.out_value, 5.0);
}

#[test]
fn tangents_that_no_segment_uses_are_a_named_loss() {
    let losses = |left: [f32; 2], right: [f32; 2]| {
        let [left, right] =
            [left, right].map(|side| Values::from(side.map(|number| [number; 3]).to_vec()));
        let tangents = Tangents::Values { left, right };
        let values = vec![[1.0_f32; 3], [5.0; 3]];
        let data = curve(&[0.0, 1.0], values, Interpolation::Hermite, Some(tangents));
        let clip = Animation::new(vec![track(Property::Translation, data)]).with_name("a");
        let written = X4ani::default().write(Document::single(clip), &Limits::default()).unwrap();
        written.findings.iter().filter(|it| it.code == codes::TANGENTS_DROPPED).count()
    };
    assert_eq!(losses([0.0, 2.0], [3.0, 0.0]), 0);
    // The first key has no segment on its left, and the last none on its right.
    assert_eq!(losses([1.0, 2.0], [3.0, 0.0]), 1);
    assert_eq!(losses([0.0, 2.0], [3.0, 4.0]), 1);
}

#[test]
fn bezier_tangents_become_control_points() {
    let side = |number: f32| Values::from(vec![[number; 3]; 2]);
    let tangents = Tangents::Values { left: side(6.0), right: side(3.0) };
    let values = vec![[1.0_f32; 3], [5.0; 3]];
    let data = curve(&[0.0, 3.0], values, Interpolation::Bezier, Some(tangents));
    let keys = keys(vec![track(Property::Scale, data)], Group::Scale);
    assert_eq!(keys[0].control_points[2].out_value, 3.0);
    assert_eq!(keys[1].control_points[2].in_value, 6.0);
}

#[test]
fn components_at_the_same_times_keep_their_interpolations() {
    let component = |axis, each| {
        let target = Target { component: Some(axis), ..Target::new("p", Property::Translation) };
        Track::new(target, curve(&[0.0, 1.0], vec![1.0_f32, 2.0], each, None)).unwrap()
    };
    let tracks = vec![
        component(Axis::X, Interpolation::Hold),
        component(Axis::Y, Interpolation::Linear),
        component(Axis::Z, Interpolation::Hold),
    ];
    let keys = keys(tracks, Group::Position);
    assert_eq!(keys[0].types, [KeyType::STEP, KeyType::LINEAR, KeyType::STEP]);
    assert_eq!(keys[1].value, [2.0; 3]);
}

#[test]
fn a_stepped_component_keeps_its_jump_next_to_a_linear_one() {
    let component = |axis, times: &[f64], each| {
        let target = Target { component: Some(axis), ..Target::new("p", Property::Scale) };
        Track::new(target, curve(times, vec![1.0_f32, 3.0], each, None)).unwrap()
    };
    let tracks = vec![
        component(Axis::X, &[0.0, 1.0], Interpolation::Hold),
        component(Axis::Y, &[0.0, 2.0], Interpolation::Linear),
    ];
    let keys = keys(tracks, Group::Scale);
    let found: Vec<_> = keys.iter().map(|key| (key.time, key.value)).collect();
    let jump = [(1.0, [1.0, 2.0, 1.0]), (1.0, [3.0, 2.0, 1.0])];
    assert_eq!(found[0], (0.0, [1.0, 1.0, 1.0]));
    assert_eq!(found[1..3], jump);
    assert_eq!(found[3..], [(2.0, [3.0, 3.0, 1.0])]);
}

#[test]
fn empty_components_stay_empty() {
    let component = |axis| {
        let target = Target { component: Some(axis), ..Target::new("p", Property::Translation) };
        Track::new(target, TrackData::empty(ValueKind::Float)).unwrap()
    };
    let keys = keys(vec![component(Axis::X), component(Axis::Z)], Group::Position);
    assert!(keys.is_empty(), "{keys:?}");
}

#[test]
fn finite_numbers_beyond_f32_are_clamped_and_named() {
    let data = curve(&[0.0], vec![[1e300, -1e300, 0.5]], Interpolation::Linear, None);
    let clip = Animation::new(vec![track(Property::Translation, data)]).with_name("a");
    let written = X4ani::default().write(Document::single(clip), &Limits::default()).unwrap();
    let file = X4aniFile::parse(written.value, &Limits::default()).unwrap();
    let key = file.record(0).unwrap().keys(Group::Position).iter().next().unwrap();
    assert_eq!(key.value, [f32::MAX, -f32::MAX, 0.5]);
    let code = codes::VALUE_UNDEFINED;
    let finding = written.findings.iter().find(|finding| finding.code == code).unwrap();
    assert_eq!(finding.message, "2 of 3 numbers of double3 values, which f32 cannot hold");
}

#[test]
fn a_jump_of_one_component_does_not_change_the_curve_of_another() {
    let component = |axis, data| {
        let target = Target { component: Some(axis), ..Target::new("p", Property::Scale) };
        Track::new(target, data).unwrap()
    };
    let values = vec![0.0_f32, 1.0, 5.0, 6.0];
    let jump = curve(&[0.0, 1.0, 1.0, 2.0], values, Interpolation::Linear, None);
    let at = |time, value| Handle { time, value };
    let left = vec![at(0.0, 0.0), at(4.0 / 3.0, 2.0)];
    let right = vec![at(2.0 / 3.0, 0.0), at(2.0, 2.0)];
    let handles = Some(Tangents::Handles { left, right });
    let bend = curve(&[0.0, 2.0], vec![0.0_f32, 2.0], Interpolation::Bezier, handles);
    let keys = keys(vec![component(Axis::X, jump), component(Axis::Y, bend)], Group::Scale);
    let found: Vec<_> = keys.iter().map(|key| (key.time, key.value)).collect();
    let middle = [(1.0, [1.0, 1.0, 1.0]), (1.0, [5.0, 1.0, 1.0])];
    // The curve is at 1 after half of its time: (0 + 3 x 0 + 3 x 2 + 2) / 8.
    assert_eq!(found[0], (0.0, [0.0, 0.0, 1.0]));
    assert_eq!(found[1..3], middle);
    assert_eq!(found[3], (2.0, [6.0, 2.0, 1.0]));
    assert_eq!(found.len(), 4);
    let ways: Vec<_> = keys.iter().map(|key| key.types[1]).collect();
    assert_eq!(ways[..3], [KeyType::BEZIER, KeyType::LINEAR, KeyType::BEZIER]);
    let points = |key: usize| keys[key].control_points[1];
    // De Casteljau: 0, 0, 0.5, 1 and 1, 1.5, 2, 2.
    assert_eq!((points(0).out_value, points(1).in_value), (0.0, 0.5));
    assert_eq!((points(2).out_value, points(3).in_value), (1.5, 2.0));
}

#[test]
fn rejects_names_and_clips_that_do_not_fit_with_their_path() {
    let data = || curve(&[0.0], vec![[0.0_f32; 3]], Interpolation::Linear, None);
    let clip = |name: &str, node: &str| {
        Animation::new(vec![Track::new(Target::new(node, Property::Scale), data()).unwrap()])
            .with_name(name)
    };
    let refused = |clips| {
        let error = X4ani::default().write(Document::new(clips), &Limits::default()).unwrap_err();
        error.to_string()
    };
    let long = refused(vec![clip("open", &"n".repeat(64))]);
    assert!(long.starts_with(&format!("x4-ani: {}/Scale: the name ", "n".repeat(64))), "{long}");
    assert!(
        long.ends_with("of 64 bytes cannot be written: at most 63 bytes are allowed; shorten it")
    );
    assert_eq!(
        refused(vec![clip("open", "a"), clip("OPEN", "b")]),
        "x4-ani: clip 'OPEN': a second clip \"OPEN\" cannot be written: clip names are \
         case-insensitive; rename the clip"
    );
}

#[test]
fn angles_beyond_the_limits_are_a_limit_error() {
    let order = inbetween_x4_ani::EULER_ORDER;
    let values = vec![order.quaternion([0.1, 0.2, 0.3]), order.quaternion([1.5, -1.0, 0.9])];
    let data = curve(&[0.0, 1.0], values, Interpolation::Linear, None);
    let clip = Animation::new(vec![track(Property::Rotation, data)]);
    let limits = Limits::default().with_decoded_bytes(200);
    let error = X4ani::default().write(Document::single(clip), &limits).unwrap_err();
    assert_eq!(
        error.to_string(),
        "x4-ani: part/Rotation: 7 baked keys needed, 6 remain within the limit; raise the limit on \
         decoded bytes"
    );
}
