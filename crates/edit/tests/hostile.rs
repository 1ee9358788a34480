//! Unreasonable numbers and documents give an error or a finding, and never panic.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, Axis, BakeError, BlendMode, Bone, Coordinates, Document, Handedness, Interpolation,
    Interpolations, Limits, Marker, Property, Quat, Remedy, Skeleton, Target, Track, TrackData,
    Values,
};
use inbetween_edit::{
    EditError, MapOptions, ReduceBounds, Rig, Route, Settings, SplitAt, Time, TimeRange,
    TrackPattern, UnitChoice, add_marker, append, change_axes, close_loop, copy_clip, drop,
    drop_constant, fill, first_frame, join, map_coordinates, merge, merge_clips, play_frames_at,
    put_on, reduce, relate, resample, resolve, retime, reverse, scale, scale_values, shift, split,
    start_at, to_f32, to_f64, trim,
};
use inbetween_testing::{arbitrary_documents, documents, properties};
use proptest::prelude::*;

fn settings() -> Settings {
    Settings::default().limits(Limits::default().with_decoded_bytes(1 << 20))
}

/// Applies every edit to a document and ignores the results.
fn edit_all(document: &Document, a: f64, b: f64) {
    let (set, own) = (settings(), || document.clone());
    let skeleton = Skeleton::new(vec![
        Bone { node: "node".into(), translation: Some([1.0; 3]), ..Bone::default() },
        Bone {
            node: "tag_origin".into(),
            parent: Some("node".into()),
            rotation: Some(Quat::IDENTITY),
            scale: Some([2.0; 3]),
            ..Bone::default()
        },
    ]);
    let skeleton = skeleton.unwrap();
    for (start, end) in [(Some(a), Some(b)), (None, Some(a)), (Some(b), None)] {
        let _ = TimeRange::new(start, end).and_then(|range| trim(own(), range, &set));
    }
    for number in [a, b] {
        let _ = retime(own(), number, &set);
        let _ = shift(own(), number, &set);
        let _ = resample(own(), number, &set);
        let _ = scale(own(), number, &set);
        let _ = scale_values(own(), &[], number, &set);
        let _ = start_at(own(), Time::Seconds(number), &set);
        let _ = play_frames_at(own(), number, &set);
        let _ = reduce(own(), ReduceBounds::all(number), &set);
        let _ = add_marker(own(), number, "step");
    }
    let rig = Rig { document: own().with_skeleton(skeleton.clone()), coordinates: LEFT };
    let options = MapOptions { unit: UnitChoice::Meters(a), ..MapOptions::default() };
    let _ = put_on(own(), LEFT, &rig, options, &set);
    for has_node in [false, true] {
        let to = Coordinates::new(Handedness::Right, Axis::Z);
        let _ = map_coordinates(own(), Route { from: LEFT, to, has_node }, options, &set);
    }
    let _ = relate(own(), BlendMode::Additive, &skeleton, &set);
    let _ = append(own(), own());
    let _ = copy_clip(own(), "walk", "run", &set);
    let twice = reverse(own(), &set).and_then(|once| reverse(once.value, &set));
    let _ = twice;
    for at in [SplitAt::Markers, SplitAt::Times(vec![a, b])] {
        let _ = split(own(), &at, &set).and_then(|parts| join(parts.value, &set));
    }
    let _ = merge(own(), own(), &set);
    let _ = merge_clips(own(), &set);
    let _ = close_loop(own(), &set);
    let _ = drop_constant(own(), &set);
    let _ = drop(own(), &[TrackPattern::new("*o*/*").unwrap()], &set);
    let _ = change_axes(own(), "-z,x,y".parse().unwrap(), &set);
    let _ = fill(own(), &skeleton, &set).and_then(|full| resolve(full.value, &skeleton, &set));
    let _ = resolve(own(), &skeleton, &set);
    let _ = to_f64(own(), &set).and_then(|wide| to_f32(wide.value, &set));
    if let Some(clip) = document.clips.first() {
        let _ = first_frame(clip);
    }
}

const LEFT: Coordinates = Coordinates::new(Handedness::Left, Axis::Y);

const NUMBERS: [f64; 12] =
    [0.0, -0.0, 0.5, 1.0, -1.0, 30.0, 1e12, 1e300, 5e-324, f64::NAN, f64::INFINITY, f64::MIN];

#[test]
fn no_number_makes_an_edit_panic() {
    for (_, document) in documents::all() {
        for (index, a) in NUMBERS.into_iter().enumerate() {
            let b = NUMBERS.iter().cycle().nth(index * 5 + 1).unwrap();
            edit_all(&document, a, *b);
        }
    }
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn no_edit_panics_on_unusual_documents(
        document in arbitrary_documents(),
        a in prop_oneof![0.0..30.0, any::<f64>()],
        b in prop_oneof![0.0..30.0, any::<f64>()],
    ) {
        edit_all(&document, a, b);
    }
}

fn line(times: &[f64]) -> Document {
    let values: Values = vec![0.0_f32; times.len()].into();
    let linear = Interpolations::Shared(Interpolation::Linear);
    let data = TrackData::curve(times.to_vec(), values, linear, None).unwrap();
    let track = Track::new(Target::new("a", Property::Custom(None)), data).unwrap();
    Document::single(Animation::new(vec![track]))
}

#[test]
fn invalid_numbers_are_rejected_with_the_expected_ones() {
    let set = settings();
    for factor in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = retime(line(&[0.0]), factor, &set).unwrap_err().to_string();
        let found = format!("retime: expected a positive factor such as 2, found {factor}");
        assert_eq!(error, found);
        assert!(scale(line(&[0.0]), factor, &set).is_err());
        assert!(resample(line(&[0.0]), factor, &set).is_err());
    }
    assert!(shift(line(&[0.0]), f64::NAN, &set).is_err());
    assert!(TimeRange::new(Some(f64::NAN), None).is_err());
    let times = SplitAt::Times(vec![f64::INFINITY]);
    assert!(matches!(split(line(&[0.0]), &times, &set), Err(EditError::Number { .. })));
}

#[test]
fn a_time_that_would_be_infinite_is_rejected() {
    let error = retime(line(&[0.0, 1e300]), 1e300, &settings()).unwrap_err().to_string();
    assert!(error.contains(": the time 1"), "{error}");
    assert!(matches!(
        shift(line(&[f64::MAX]), f64::MAX, &settings()),
        Err(EditError::Times { .. })
    ));
}

#[test]
fn frames_beyond_count_and_memory_are_rejected_before_they_are_created() {
    let error = resample(line(&[0.0, 1.0]), 1e12, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Bake { error: BakeError::Frames { .. }, .. }), "{error}");
    let error = resample(line(&[0.0, 1e300]), 30.0, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Bake { error: BakeError::Frames { .. }, .. }), "{error}");
    let error = resample(line(&[0.0, 1.0]), 4e9, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Bake { .. }), "{error}");
    assert_eq!(error.remedy(), Some(Remedy::RaiseLimit));
}

#[test]
fn more_parts_than_memory_are_rejected() {
    let mut document = line(&[0.0, 100_000.0]);
    let marker = |at: u32| Marker { time: f64::from(at), name: "step".into() };
    document.clips.first_mut().unwrap().markers = (0..100_000).map(marker).collect();
    let error = split(document, &SplitAt::Markers, &settings()).unwrap_err().to_string();
    assert!(error.starts_with("the parts of the clip need "), "{error}");
}

#[test]
fn more_bones_than_memory_are_rejected() {
    let bone = |at: u32| Bone {
        node: format!("b{at}").into(),
        translation: Some([0.0; 3]),
        ..Bone::default()
    };
    let skeleton = Skeleton::new((0..10_000).map(bone).collect()).unwrap();
    let error = fill(line(&[0.0]), &skeleton, &settings()).unwrap_err();
    assert!(matches!(error, EditError::Limit { .. }), "{error}");
}

#[test]
fn too_many_alternatives_are_rejected() {
    assert!(TrackPattern::new(&"{a,b}".repeat(8)).is_ok());
    let error = TrackPattern::new(&"{a,b}".repeat(9)).unwrap_err().to_string();
    assert!(error.contains("the braces have more than 256 alternatives"), "{error}");
}

#[test]
fn a_long_pattern_is_rejected() {
    let error = TrackPattern::new(&"*a".repeat(1000)).unwrap_err().to_string();
    assert!(error.ends_with("expected at most 1024 bytes, found 2000"), "{error}");
    assert!(TrackPattern::new("***").is_err());
}
