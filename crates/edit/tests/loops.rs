//! Starts and ends of clips, constant tracks, and clips that become one: the edits that clean up
//! what exporters leave.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]
#![expect(clippy::indexing_slicing, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, Axis, Blend, Bone, Document, Handle, Interpolation, Interpolations, Marker, Outcome,
    Property, Quat, Rules, Skeleton, Tangents, Target, Track, TrackData, Values,
};
use inbetween_edit::{
    EditError, Settings, Time, TrackPattern, close_loop, drop, drop_constant, merge_clips,
    scale_values, select, start_at,
};

fn curve(times: &[f64], values: impl Into<Values>) -> TrackData {
    let linear = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times.to_vec(), values, linear, None).unwrap()
}

fn track(node: &str, property: Property, data: TrackData) -> Track {
    Track::new(Target::new(node, property), data).unwrap()
}

fn number(node: &str, times: &[f64], values: &[f32]) -> Track {
    track(node, Property::Custom(Some("Level".into())), curve(times, values.to_vec()))
}

fn single(tracks: Vec<Track>) -> Document {
    Document::single(Animation::new(tracks))
}

fn keys(document: &Document, track: usize) -> Vec<(f64, Vec<f64>)> {
    let data = document.clips[0].tracks[track].data();
    let numbers = |key| inbetween_core::rows::numbers(data.values(), key).unwrap();
    data.times().enumerate().map(|(key, time)| (time, numbers(key))).collect()
}

fn said(outcome: &Outcome<Document>) -> Vec<(&'static str, &str)> {
    let findings = outcome.findings.iter();
    findings.map(|finding| (finding.code.id(), &*finding.message)).collect()
}

fn nodes(document: &Document) -> Vec<&str> {
    let tracks = document.clips[0].tracks.iter();
    tracks.filter_map(|track| track.target().node.as_deref()).collect()
}

#[test]
fn each_clip_starts_at_its_own_first_key() {
    let marker = Marker { time: 6.0, name: "splash".into() };
    let late =
        Animation::new(vec![number("a", &[4.0, 9.0], &[1.0, 2.0]), number("b", &[5.0], &[3.0])]);
    let late = late.with_duration(10.0).with_frame_rate(10.0).with_markers(vec![marker]);
    let early = Animation::new(vec![number("a", &[-1.0, 0.0], &[1.0, 2.0])]);
    let empty = Animation::default().with_duration(2.0);
    let clips = Document::new(vec![late.clone(), early, empty.clone()]);
    let started = start_at(clips, Time::Seconds(0.0), &Settings::default()).unwrap();
    let [first, second, third] = &started.value.clips[..] else { panic!("three clips") };
    let times = |clip: &Animation| -> Vec<Vec<f64>> {
        clip.tracks.iter().map(|track| track.data().times().collect()).collect()
    };
    assert_eq!(times(first), [vec![0.0, 5.0], vec![1.0]]);
    assert_eq!((first.duration, first.markers[0].time), (Some(6.0), 2.0));
    assert_eq!(times(second), [[0.0, 1.0]]);
    assert_eq!(*third, empty);
    let frames = start_at(Document::single(late), Time::Frames(5.0), &Settings::default());
    assert_eq!(frames.unwrap().value.clips[0].first_key(), Some(0.5));
}

#[test]
fn a_loop_ends_where_it_starts() {
    let run = single(vec![
        number("tail", &[0.0, 0.25, 0.5, 0.75], &[0.0, 1.0, 0.0, -1.0]),
        number("ear", &[0.0, 0.5], &[2.0, 2.0]),
    ]);
    let closed = close_loop(run, &Settings::default()).unwrap();
    assert_eq!(keys(&closed.value, 0).last(), Some(&(1.0, vec![0.0])));
    assert_eq!(keys(&closed.value, 1).len(), 2, "it was closed");
    assert_eq!(said(&closed), [("edit/loop-closed", "1 track at 1 s")]);
    let again = close_loop(closed.value.clone(), &Settings::default()).unwrap();
    assert_eq!((again.value, again.findings.len()), (closed.value, 0));
}

#[test]
fn a_loop_is_closed_at_its_stated_length() {
    let clip = Animation::new(vec![number("tail", &[0.5, 0.75], &[3.0, 1.0])]);
    let clip = Document::single(clip.with_duration(2.0));
    let closed = close_loop(clip, &Settings::default()).unwrap().value;
    assert_eq!(keys(&closed, 0), [(0.5, vec![3.0]), (0.75, vec![1.0]), (2.0, vec![3.0])]);
    assert_eq!(closed.clips[0].duration, Some(2.0));
}

#[test]
fn the_clip_plays_as_before_until_its_last_key() {
    let clip = single(vec![
        number("short", &[0.0, 0.5], &[0.0, 1.0]),
        number("long", &[0.0, 0.5, 1.0], &[0.0, 2.0, 5.0]),
    ]);
    let closed = close_loop(clip, &Settings::default()).unwrap().value;
    let held = [(0.0, vec![0.0]), (0.5, vec![1.0]), (1.0, vec![1.0]), (1.5, vec![0.0])];
    assert_eq!(keys(&closed, 0), held);
    assert_eq!(closed.clips[0].tracks[0].data().interpolation(1), Interpolation::Hold);
    assert_eq!(keys(&closed, 1).len(), 4);
}

#[test]
fn the_missing_frame_is_one_of_the_frame_rate_or_the_usual_distance() {
    let sparse = || Animation::new(vec![number("tail", &[0.0, 0.5, 1.0], &[0.0, 1.0, 2.0])]);
    let end = |clip: Animation| {
        let closed = close_loop(Document::single(clip), &Settings::default()).unwrap().value;
        keys(&closed, 0).last().unwrap().0
    };
    assert_eq!(end(sparse().with_frame_rate(10.0)), 1.1);
    // A jump of two close keys says nothing about frames.
    let jump = number("tail", &[0.0, 0.25, 0.5, 0.75, 0.7501], &[0.0, 1.0, 2.0, 3.0, 4.0]);
    assert_eq!(end(Animation::new(vec![jump])), 0.7501 + 0.25);
}

#[test]
fn one_key_and_opposite_quaternions_are_closed() {
    let turn = Quat { x: 0.6_f32, y: 0.0, z: 0.0, w: 0.8 };
    let opposite = Quat { x: -0.6_f32, y: 0.0, z: 0.0, w: -0.8 };
    let clip = single(vec![
        number("lamp", &[0.5], &[1.0]),
        track(
            "hips",
            Property::Rotation,
            curve(&[0.0, 0.5, 1.0], vec![turn, Quat::IDENTITY, opposite]),
        ),
    ]);
    let closed = close_loop(clip.clone(), &Settings::default()).unwrap();
    assert_eq!((closed.value, closed.findings.len()), (clip, 0));
}

#[test]
fn a_closing_key_has_the_incoming_tangent_of_the_first_one() {
    let at = |time: f64, value: f64| Handle { time, value };
    let left = vec![at(0.5, 7.0), at(1.5, 2.0)];
    let right = vec![at(1.25, 4.0), at(2.5, 9.0)];
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(
        vec![1.0, 2.0],
        vec![3.0_f32, 5.0],
        bezier,
        Some(Tangents::Handles { left, right }),
    );
    let document = single(vec![track("a", Property::Custom(None), data.unwrap())]);
    let closed = close_loop(document, &Settings::default()).unwrap().value;
    let data = closed.clips[0].tracks[0].data();
    let Some(Tangents::Handles { left, right }) = data.tangents() else { panic!("no handles") };
    // The round is 2 s long, from 1 to 3.
    assert_eq!((left[2], right[1]), (at(2.5, 7.0), at(2.5, 9.0)));
    assert_eq!(data.times().collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
}

#[test]
fn the_last_key_of_x4_shows_its_own_value_once_it_is_not_the_last() {
    let at = |time: f64, value: f64| Handle { time, value };
    let tangents = Tangents::Handles {
        left: vec![at(0.0, 0.0), at(1.0, 5.0)],
        right: vec![at(0.0, 0.0), at(1.0, 8.0)],
    };
    let bezier = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![0.0, 1.0], vec![0.0_f32, 5.0], bezier, Some(tangents));
    let rules = Rules::LINEAR.with_last_bezier(inbetween_core::LastBezier::RightHandle);
    let clip = Animation::new(vec![track("a", Property::Custom(None), data.unwrap())]);
    let clip = clip.with_rules(rules);
    let show = |clip: &Animation, time| clip.rules.sample(clip.tracks[0].data(), time);
    let before = show(&clip, 1.0);
    let closed = close_loop(Document::single(clip), &Settings::default()).unwrap().value;
    assert_eq!(show(&closed.clips[0], 1.0), before);
    assert_eq!(show(&closed.clips[0], 2.0), Some(inbetween_core::Value::Float(0.0)));
}

#[test]
fn uniform_keys_stay_uniform_when_a_loop_is_closed() {
    let data = TrackData::uniform(0.1, vec![0.0_f32, 1.0, 2.0]);
    let clip = single(vec![track("a", Property::Custom(None), data)]);
    let closed = close_loop(clip, &Settings::default()).unwrap().value;
    let expected = TrackData::uniform(0.1, vec![0.0_f32, 1.0, 2.0, 0.0]);
    assert_eq!(*closed.clips[0].tracks[0].data(), expected);
}

fn rest() -> Skeleton {
    let hips = Bone {
        node: "hips".into(),
        translation: Some([0.0, 0.9, 0.0]),
        rotation: Some(Quat { x: 0.6, y: 0.0, z: 0.0, w: 0.8 }),
        ..Bone::default()
    };
    Skeleton::new(vec![hips]).unwrap()
}

fn vectors(node: &str, property: Property, vector: [f32; 3]) -> Track {
    track(node, property, curve(&[0.0, 1.0], vec![vector; 2]))
}

#[test]
fn constant_tracks_are_dropped_if_they_hold_the_rest_pose() {
    let turn = |sign: f32| Quat { x: sign * 0.6, y: 0.0, z: 0.0, w: sign * 0.8 };
    let mut offset = vectors("spine", Property::Translation, [0.0; 3]);
    offset.set_blend(Blend::RestRelative);
    let tracks = vec![
        vectors("hips", Property::Translation, [0.0, 0.9, 0.0]),
        track("hips", Property::Rotation, curve(&[0.0, 1.0], vec![turn(-1.0), turn(-1.0)])),
        vectors("hips", Property::Scale, [1.0; 3]),
        offset,
        // These stay: another value, one that moves, and one whose rest pose is not known.
        vectors("hips", Property::Scale, [1.0, 2.0, 1.0]),
        track("leg", Property::Translation, curve(&[0.0, 1.0], vec![[0.0_f32; 3], [1.0; 3]])),
        vectors("leg", Property::Translation, [0.0; 3]),
        number("lamp", &[0.0, 1.0], &[1.0, 1.0]),
    ];
    let dropped = drop_constant(single(tracks).with_skeleton(rest()), &Settings::default());
    let dropped = dropped.unwrap();
    assert_eq!(nodes(&dropped.value), ["hips", "leg", "leg", "lamp"]);
    assert_eq!(
        said(&dropped),
        [("edit/constant-dropped", "4 tracks"), ("edit/constant-kept", "3 tracks")]
    );
}

#[test]
fn a_clip_without_its_constant_tracks_plays_as_long() {
    let still = track("hips", Property::Scale, curve(&[0.0, 3.0], vec![[1.0_f32; 3]; 2]));
    let clip = single(vec![still, number("lamp", &[0.0, 1.0], &[0.0, 1.0])]);
    let left = drop_constant(clip, &Settings::default()).unwrap().value;
    assert_eq!((left.clips[0].tracks.len(), left.clips[0].effective_duration()), (1, 3.0));
}

#[test]
fn equal_keys_with_tangents_are_no_constant() {
    let hermite = |slope: f32| {
        let side = || Values::from(vec![[slope, 0.0, 0.0]; 2]);
        let tangents = Tangents::Values { left: side(), right: side() };
        let interpolation = Interpolations::Shared(Interpolation::Hermite);
        let values = vec![[1.0_f32; 3]; 2];
        let data = TrackData::curve(vec![0.0, 1.0], values, interpolation, Some(tangents));
        track("hips", Property::Scale, data.unwrap())
    };
    let kept = |slope| {
        let dropped = drop_constant(single(vec![hermite(slope)]), &Settings::default());
        dropped.unwrap().value.clips[0].tracks.len()
    };
    assert_eq!((kept(0.0), kept(1.0)), (0, 1));
}

#[test]
fn one_axis_is_compared_with_its_part_of_the_rest_pose() {
    let axis = |axis: Axis, value: f32| {
        let target = Target::new("hips", Property::Translation);
        let target = Target { component: Some(axis), ..target };
        Track::new(target, curve(&[0.0, 1.0], vec![value; 2])).unwrap()
    };
    let tracks = vec![axis(Axis::Y, 0.9), axis(Axis::X, 0.9)];
    let dropped = drop_constant(single(tracks).with_skeleton(rest()), &Settings::default());
    let left = dropped.unwrap().value;
    assert_eq!(left.clips[0].tracks[0].target().component, Some(Axis::X));
}

#[test]
fn clips_of_a_file_become_one() {
    let clip = |node: &str, end: f64| {
        let clip = Animation::new(vec![number(node, &[0.0, end], &[0.0, 1.0])]);
        clip.with_name(format!("animation_{node}"))
    };
    let merged = merge_clips(
        Document::new(vec![clip("0", 1.0), clip("1", 3.0), clip("2", 2.0)]),
        &Settings::default(),
    );
    let merged = merged.unwrap();
    assert_eq!(nodes(&merged.value), ["0", "1", "2"]);
    assert_eq!(merged.value.clips[0].effective_duration(), 3.0);
    assert_eq!(merged.value.clips[0].name.as_deref(), Some("animation_0"));
    assert_eq!(said(&merged), [("edit/clips-merged", "3 clips into \"animation_0\"")]);
    let twice = Document::new(vec![clip("0", 1.0), clip("0", 1.0)]);
    let refused = merge_clips(twice, &Settings::default());
    assert!(matches!(refused, Err(EditError::Conflict { .. })));
    let none = merge_clips(Document::default(), &Settings::default());
    assert!(matches!(none, Err(EditError::NoClips)));
}

#[test]
fn values_and_their_tangents_are_multiplied() {
    let tangents = Tangents::Values {
        left: Values::from(vec![1.0_f32, 2.0]),
        right: Values::from(vec![3.0_f32, 4.0]),
    };
    let hermite = Interpolations::Shared(Interpolation::Hermite);
    let data = TrackData::curve(vec![0.0, 1.0], vec![5.0_f32, 6.0], hermite, Some(tangents));
    let tracks = vec![
        track("face", Property::Weight("smile".into()), data.unwrap()),
        number("lamp", &[0.0], &[5.0]),
        track("hips", Property::Rotation, curve(&[0.0], vec![Quat::<f32>::IDENTITY])),
    ];
    let patterns = TrackPattern::list("face,#3").unwrap();
    let scaled = scale_values(single(tracks), &patterns, 2.0, &Settings::default()).unwrap();
    let data = scaled.value.clips[0].tracks[0].data();
    let Some(Tangents::Values { left, right }) = data.tangents() else { panic!("no tangents") };
    assert_eq!(*left, Values::from(vec![2.0_f32, 4.0]));
    assert_eq!(*right, Values::from(vec![6.0_f32, 8.0]));
    assert_eq!(*data.values(), Values::from(vec![10.0_f32, 12.0]));
    assert_eq!(keys(&scaled.value, 1), [(0.0, vec![5.0])]);
    assert_eq!(said(&scaled), [("edit/not-scaled", "floatQ values")]);
}

#[test]
fn tracks_are_chosen_by_their_number() {
    let clip = || single(["a", "b", "c"].map(|node| number(node, &[0.0], &[1.0])).to_vec());
    let patterns = TrackPattern::list("#1,#3").unwrap();
    assert_eq!(nodes(&select(clip(), &patterns, &Settings::default()).value), ["a", "c"]);
    assert_eq!(nodes(&drop(clip(), &patterns, &Settings::default()).value), ["b"]);
    let beyond = TrackPattern::list("#4").unwrap();
    let dropped = drop(clip(), &beyond, &Settings::default());
    assert_eq!(said(&dropped), [("edit/pattern-unused", "no track matches #4")]);
}
