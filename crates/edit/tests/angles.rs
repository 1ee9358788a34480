//! Single Euler angles of additive clips.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

use inbetween_core::{
    Animation, Axis, BlendMode, Bone, Document, EulerOrder, Outcome, Property, Quat, Skeleton,
    Target, Track, TrackData, Value,
};
use inbetween_edit::{Settings, codes, resolve};

fn order(axes: [Axis; 3]) -> EulerOrder {
    EulerOrder::new(axes, [1, 1, 1]).unwrap()
}

/// Returns a track of one angle that goes from 0 to a quarter turn in a second.
fn quarter(node: &str, axis: Axis) -> Track {
    in_order(node, axis, order([Axis::X, Axis::Y, Axis::Z]))
}

fn in_order(node: &str, axis: Axis, order: EulerOrder) -> Track {
    let target = Target::new(node, Property::RotationEuler(order));
    let data = TrackData::uniform(1.0, vec![0.0_f64, FRAC_PI_2]);
    Track::new(Target { component: Some(axis), ..target }, data).unwrap()
}

fn whole(node: &str) -> Track {
    let data = TrackData::uniform(1.0, vec![Quat::<f64>::IDENTITY]);
    Track::new(Target::new(node, Property::Rotation), data).unwrap()
}

/// Resolves an additive clip with hips whose rest pose is a quarter turn about z.
fn resolved(tracks: Vec<Track>) -> Outcome<Document> {
    let turn = Quat { x: 0.0, y: 0.0, z: FRAC_1_SQRT_2, w: FRAC_1_SQRT_2 };
    let hips = Bone { node: "hips".into(), rotation: Some(turn), ..Bone::default() };
    let skeleton = Skeleton::new(vec![hips]).unwrap();
    let clip = Animation::new(tracks).with_blend(BlendMode::Additive);
    resolve(Document::single(clip), &skeleton, &Settings::default()).unwrap()
}

fn tracks(outcome: &Outcome<Document>) -> &[Track] {
    &outcome.value.clips.first().unwrap().tracks
}

#[track_caller]
fn check_end(track: &Track, expected: [f64; 4]) {
    assert_eq!((&track.target().property, track.target().component), (&Property::Rotation, None));
    let data = track.data();
    let Some(Value::DoubleQ(end)) = data.value(data.len().saturating_sub(1)) else {
        unreachable!()
    };
    assert!(end.angle_to(Quat::from_array(expected)) < 1e-6, "{end:?}");
}

fn not_resolved(outcome: &Outcome<Document>) -> usize {
    let found = outcome.findings.iter().filter(|finding| finding.code == codes::NOT_RESOLVED);
    found.count()
}

#[test]
fn a_single_angle_is_a_rotation_with_the_others_at_0() {
    // Two quarter turns about z are half a turn.
    let outcome = resolved(vec![quarter("hips", Axis::Z)]);
    check_end(&tracks(&outcome)[0], [0.0, 0.0, 1.0, 0.0]);
    // The quarter turn about x comes first, then the rest: (h z + h)(h x + h) with h² = 1/2.
    let outcome = resolved(vec![quarter("hips", Axis::X)]);
    check_end(&tracks(&outcome)[0], [0.5, 0.5, 0.5, 0.5]);
    assert_eq!(not_resolved(&outcome), 0);
}

#[test]
fn angles_of_a_node_become_one_rotation_at_the_first_of_their_tracks() {
    let scale = TrackData::uniform(1.0, vec![[1.0_f32; 3]]);
    let scale = Track::new(Target::new("hips", Property::Scale), scale).unwrap();
    let angles = [quarter("hips", Axis::Z), scale.clone(), quarter("hips", Axis::X)];
    let outcome = resolved(angles.to_vec());
    assert_eq!(tracks(&outcome).len(), 2);
    assert_eq!(tracks(&outcome)[1], scale);
    // The product from left to right is z of the rest, x, z: with h² = 1/2 it is h(1+z) h(1+x)
    // h(1+z), and since xz = -y, zx = y and zy = -x that is h x + h z.
    check_end(&tracks(&outcome)[0], [FRAC_1_SQRT_2, 0.0, FRAC_1_SQRT_2, 0.0]);
    let joined = outcome.findings.iter().find(|one| one.code.id() == "convert/euler-baked");
    assert!(joined.unwrap().message.starts_with("2 keys became "), "{joined:?}");
}

#[test]
fn angles_that_do_not_form_one_rotation_are_reported_and_unchanged() {
    let twins = vec![quarter("hips", Axis::X), quarter("hips", Axis::X)];
    let other = in_order("hips", Axis::Y, order([Axis::Z, Axis::Y, Axis::X]));
    let orders = vec![quarter("hips", Axis::X), other];
    for tracks_before in [twins, orders] {
        let outcome = resolved(tracks_before.clone());
        assert_eq!((tracks(&outcome), not_resolved(&outcome)), (tracks_before.as_slice(), 2));
    }
    let outcome = resolved(vec![quarter("hips", Axis::X), whole("hips")]);
    assert_eq!((tracks(&outcome).len(), not_resolved(&outcome)), (2, 1));
    check_end(&tracks(&outcome)[1], [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2]);
}

#[test]
fn angles_of_a_node_without_a_bone_are_not_joined() {
    let outcome = resolved(vec![quarter("arm", Axis::X), quarter("arm", Axis::Y)]);
    assert_eq!(tracks(&outcome).len(), 2);
    assert!(outcome.findings.iter().any(|finding| finding.code == codes::REST_MISSING));
}
