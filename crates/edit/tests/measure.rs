//! Measuring how far reduced tracks differ from the originals, in any representation.

#![expect(clippy::unwrap_used, reason = "a panic is how a broken rule shows")]

use inbetween_core::{
    Animation, Axis, Document, EulerOrder, Finding, Interpolation, Interpolations, Property, Quat,
    Target, Track, TrackData, Values,
};
use inbetween_edit::{ReduceBounds, Settings, measure_reduction};

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    let linear = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times.to_vec(), values, linear, None).unwrap()
}

fn track(node: &str, property: Property, component: Option<Axis>, data: TrackData) -> Track {
    Track::new(Target { component, ..Target::new(node, property) }, data).unwrap()
}

/// A track of a component that goes from 0 to a number at 1 s and back.
fn bump(axis: Axis, height: f64) -> Track {
    let data = linear(&[0.0, 1.0, 2.0], vec![0.0, height, 0.0]);
    track("hips", Property::Translation, Some(axis), data)
}

fn flat(axis: Axis) -> Track {
    track("hips", Property::Translation, Some(axis), linear(&[0.0, 2.0], vec![0.0, 0.0]))
}

fn measured(before: Vec<Track>, after: Vec<Track>, bounds: ReduceBounds) -> Vec<Finding> {
    let document = |tracks| Document::single(Animation::new(tracks));
    measure_reduction(&document(before), &document(after), bounds, &Settings::default())
}

fn told(findings: &[Finding]) -> Vec<(&str, String, &str)> {
    let told = findings
        .iter()
        .map(|finding| (finding.code.id(), finding.place.to_string(), finding.message.as_ref()));
    told.collect()
}

#[test]
fn components_are_measured_together() {
    // 3 and 4 at right angles are 5.
    let before = vec![bump(Axis::X, 3.0), bump(Axis::Y, 4.0)];
    let after = vec![flat(Axis::X), flat(Axis::Y)];
    let findings = measured(before, after, ReduceBounds::all(5.0));
    assert_eq!(
        told(&findings),
        [("edit/reduction-measured", String::new(), "position 5 (bound 5)")]
    );
}

#[test]
fn a_vector_equals_its_components() {
    let whole = linear(&[0.0, 1.0, 2.0], vec![[0.0_f32; 3], [0.0, 2.0, 0.0], [0.0; 3]]);
    let before = vec![track("hips", Property::Translation, None, whole)];
    let findings = measured(before.clone(), vec![bump(Axis::Y, 2.0)], ReduceBounds::all(0.0));
    assert_eq!(findings[0].message, "position 0 (bound 0)");
    let findings = measured(before, vec![bump(Axis::Y, 2.5)], ReduceBounds::all(0.0));
    assert_eq!(
        told(&findings)[1],
        (
            "edit/bound-exceeded",
            "hips/Position".to_owned(),
            "off by 0.5 at 1 s, the position bound is 0"
        )
    );
}

#[test]
fn a_missing_axis_of_a_scale_is_1() {
    let whole = linear(&[0.0], vec![[2.0_f32, 1.0, 1.0]]);
    let part = linear(&[0.0], vec![2.0_f32]);
    let before = vec![track("hips", Property::Scale, None, whole)];
    let after = vec![track("hips", Property::Scale, Some(Axis::X), part)];
    let findings = measured(before, after, ReduceBounds::all(0.0));
    assert_eq!(findings[0].message, "scale 0 (bound 0)");
}

#[test]
fn angles_are_measured_as_rotations() {
    let turn = |angle: f64| Quat::from_axis_angle([0.0, 0.0, 1.0], angle);
    let before = linear(&[0.0], vec![turn(1.0)]);
    let before = vec![track("hips", Property::Rotation, None, before)];
    let angle = |angle: f64| {
        let order = EulerOrder::new([Axis::X, Axis::Y, Axis::Z], [1, 1, 1]).unwrap();
        let property = Property::RotationEuler(order);
        vec![track("hips", property, Some(Axis::Z), linear(&[0.0], vec![angle]))]
    };
    // An additional whole turn is the same rotation.
    let same =
        measured(before.clone(), angle(1.0 + std::f64::consts::TAU), ReduceBounds::all(1e-9));
    assert_eq!(same.len(), 1, "{same:?}");
    let quarter = measured(before, angle(1.25), ReduceBounds::all(0.5));
    assert_eq!(told(&quarter)[0].2, "angle 0.25 rad (bound 0.5)");
}

#[test]
fn categories_without_a_bound_are_not_reported() {
    let bounds = ReduceBounds { angle: Some(1.0), ..ReduceBounds::default() };
    assert_eq!(measured(vec![bump(Axis::X, 3.0)], vec![flat(Axis::X)], bounds), []);
}

#[test]
fn a_missing_track_has_an_infinite_error() {
    let findings = measured(vec![flat(Axis::X)], vec![], ReduceBounds::all(1.0));
    assert_eq!(findings[0].message, "position inf (bound 1)");
    assert_eq!(findings[1].code.id(), "edit/bound-exceeded");
}

#[test]
fn tracks_with_the_same_target_are_compared_in_order() {
    let twins = || vec![bump(Axis::X, 1.0), bump(Axis::X, 7.0)];
    let findings = measured(twins(), twins(), ReduceBounds::all(0.0));
    assert_eq!(told(&findings)[0].2, "position 0 (bound 0)");
}

#[test]
fn the_worst_track_of_all_clips_is_named() {
    let clip = |height| Animation::new(vec![bump(Axis::X, height)]);
    let documents = [[1.0, 2.0], [1.25, 3.0]].map(|clips| Document::new(clips.map(clip).into()));
    let [before, after] = &documents;
    let bounds = ReduceBounds::all(0.5);
    let findings = measure_reduction(before, after, bounds, &Settings::default());
    let (_, path, message) = &told(&findings)[1];
    assert_eq!(path, "clip #2, hips/Position");
    assert_eq!(*message, "off by 1 at 1 s, the position bound is 0.5");
}
