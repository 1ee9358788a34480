//! Animations that once broke the law of meaning, each as small as it could be made.

#![cfg(all(feature = "gltf", feature = "x4-ani"))]
#![expect(clippy::unwrap_used, reason = "a panic is how a broken law shows")]

use inbetween::core::{Axis, Handle, Tangents};
use inbetween::edit::{Settings, TimeRange, reverse, trim};
use inbetween::{
    Animation, Document, Format as _, Interpolation, Interpolations, Limits, Property, Quat,
    Registry, Target, Track, TrackData,
};
use inbetween_testing::meaning::conversion;
use inbetween_testing::meaning::{Promise, Stays, TimeMap, check};

fn position(axis: Axis, data: TrackData) -> Track {
    Track::new(Target::new("hips", Property::Translation).with_component(axis), data).unwrap()
}

fn shared(each: Interpolation) -> Interpolations {
    Interpolations::Shared(each)
}

#[test]
fn a_curve_next_to_a_jump_is_reversed() {
    let format = inbetween::x4_ani::X4ani::default();
    let limits = Limits::default();
    let still = TrackData::uniform(1.0, vec![0.0_f32]);
    let times = vec![0.0, 0.1, 0.1, 8.0 / 30.0];
    let bend = Tangents::Values {
        left: vec![0.0_f32, 0.0, 0.0, 0.125].into(),
        right: vec![0.0_f32; 4].into(),
    };
    let jump =
        TrackData::curve(times, vec![0.0_f32; 4], shared(Interpolation::Hermite), Some(bend));
    let at = |time, value| Handle { time, value };
    let end = 4.0 / 30.0;
    let handles = Tangents::Handles {
        left: vec![at(0.0, 0.0), at(end, 0.125)],
        right: vec![at(0.0, 0.0), at(end, 0.0)],
    };
    let bezier = shared(Interpolation::Bezier);
    let curve = TrackData::curve(vec![0.0, end], vec![0.0_f32; 2], bezier, Some(handles));
    let tracks = vec![
        position(Axis::X, still),
        position(Axis::Y, jump.unwrap()),
        position(Axis::Z, curve.unwrap()),
    ];
    let clip = Animation::new(tracks).with_name("walk").with_rules(inbetween::x4_ani::RULES);
    let written = format.write(Document::single(clip), &limits).unwrap();
    let source = format.read(&written.value, &limits).unwrap().value;
    let source = source.clips.into_iter().next().unwrap();
    let edited = reverse(Document::single(source.clone()), &Settings::default()).unwrap();
    let written = format.write(edited.value, &limits).unwrap();
    let result = format.read(&written.value, &limits).unwrap().value;
    let time = TimeMap { offset: source.effective_duration(), factor: -1.0, duration: None };
    let promise = Promise { time, head: Stays::Changes, ..Promise::NOTHING_CHANGES };
    let findings: Vec<_> = edited.findings.into_iter().chain(written.findings).collect();
    check(&source, &promise, &result.clips[0], &findings).unwrap();
}

#[test]
fn angles_that_are_no_rotation_before_the_first_segment_are_named() {
    let format = inbetween::x4_ani::X4ani::default();
    let limits = Limits::default();
    let angles = vec![[f32::NAN; 3], [0.0, -0.0, 0.0]];
    let data = TrackData::stepped(vec![1.0 / 30.0; 2], angles).unwrap();
    let order = inbetween::core::EulerOrder::new([Axis::Z, Axis::X, Axis::Y], [1, -1, -1]).unwrap();
    let target = Target::new("hips", Property::RotationEuler(order));
    let clip = Animation::new(vec![Track::new(target, data).unwrap()])
        .with_name("walk")
        .with_rules(inbetween::x4_ani::RULES);
    let written = format.write(Document::single(clip.clone()), &limits).unwrap();
    let result = format.read(&written.value, &limits).unwrap().value;
    check(&clip, &Promise::NOTHING_CHANGES, &result.clips[0], &written.findings).unwrap();
}

#[test]
fn a_curve_to_a_dropped_key_does_not_show_its_handle() {
    let times = [1e-7, 1.0 / 30.0];
    let handles = |first: f64| {
        let side = times.map(|time| [Handle { time, value: 0.0 }; 3]);
        let mut side = side.as_flattened().to_vec();
        side.iter_mut().take(3).for_each(|handle| handle.value = first);
        side
    };
    let tangents = Tangents::Handles { left: handles(0.0), right: handles(0.125) };
    let data = TrackData::curve(
        times.to_vec(),
        vec![[0.0, -0.0, 0.0], [f32::NAN; 3]],
        shared(Interpolation::Bezier),
        Some(tangents),
    );
    let target = Target::new("hips", Property::Translation);
    let clip = Animation::new(vec![Track::new(target, data.unwrap()).unwrap()])
        .with_name("walk")
        .with_rules(inbetween::x4_ani::RULES);
    let format = inbetween::gltf::Gltf::default();
    let limits = Limits::default();
    let written = format.write(Document::single(clip.clone()), &limits).unwrap();
    let result = format.read(&written.value, &limits).unwrap().value;
    let promise = Promise { head: Stays::Changes, ..Promise::NOTHING_CHANGES };
    check(&clip, &promise, &result.clips[0], &written.findings).unwrap();
}

#[test]
fn a_cut_curve_of_rotations_ends_at_the_sign_and_length_of_its_last_key() {
    let quat = |x: f32, w: f32| Quat { x, y: 0.0, z: 0.0, w };
    for length in [1.0_f32, 2.0] {
        let ends = quat(0.6 * length, -0.8 * length);
        let tangents = Tangents::Values {
            left: vec![quat(0.0, 1.0), quat(1.0, 0.0), quat(0.6, -0.8)].into(),
            right: vec![quat(0.5, 1.0), quat(0.1, -1.0), quat(0.0, 1.0)].into(),
        };
        let values = vec![quat(0.0, 1.0), ends, quat(0.0, -1.0)];
        let data = TrackData::curve(
            vec![0.0, 1.0, 2.0],
            values,
            shared(Interpolation::Bezier),
            Some(tangents),
        );
        let track = Track::new(Target::new("hips", Property::Rotation), data.unwrap()).unwrap();
        let source = Animation::new(vec![track]).with_rules(inbetween::core::resonite::RULES);
        let range = TimeRange::new(Some(0.7), None).unwrap();
        let cut = trim(Document::single(source.clone()), range, &Settings::default()).unwrap();
        let stated = cut.findings.iter().filter_map(|finding| finding.error);
        assert!(stated.map(|error| error.value).fold(0.0, f64::max) < 1e-3, "{:?}", cut.findings);
        let time = TimeMap { offset: 0.7, factor: 1.0, duration: None };
        let promise = Promise { time, head: Stays::Changes, ..Promise::NOTHING_CHANGES };
        check(&source, &promise, &cut.value.clips[0], &cut.findings).unwrap();
    }
}

/// The axes are joined at the keys of both, so the tangents between a finite and an infinite key are
/// not finite either.
#[test]
fn a_key_after_an_infinite_one_keeps_the_curve_after_it() {
    let still = TrackData::stepped(vec![0.0, 0.25, 0.75], vec![0.0_f32; 3]);
    let flat = || vec![0.0_f32; 4].into();
    let infinite = TrackData::curve(
        vec![-0.25, 0.5, 1.0, 1.5],
        vec![-2.75_f32, f32::INFINITY, 0.0, -0.5],
        shared(Interpolation::Hermite),
        Some(Tangents::Values { left: flat(), right: flat() }),
    );
    let tracks = vec![position(Axis::X, still.unwrap()), position(Axis::Y, infinite.unwrap())];
    let clip = Animation::new(tracks).with_name("walk");
    let limits = Limits::default();
    for format in Registry::with_builtin().formats() {
        conversion(format, &clip, &limits).unwrap();
    }
}
