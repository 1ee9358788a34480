//! Tests of the law of meaning: a kept promise obeys it, and each defect breaks it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]

use inbetween_core::{
    Animation, Axis, Code, Finding, Interpolation, Interpolations, Looping, Marker, Path, Property,
    Quat, StatedError, Target, Track, TrackData, Values, codes,
};
use inbetween_testing::documents::X4_ORDER;
use inbetween_testing::meaning::{Promise, TimeMap, check, tight};

fn curve(times: &[f64], values: impl Into<Values>, each: Interpolation) -> TrackData {
    TrackData::curve(times.to_vec(), values, Interpolations::Shared(each), None).unwrap()
}

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    curve(times, values, Interpolation::Linear)
}

fn level(data: TrackData) -> Track {
    Track::new(Target::new("lamp", Property::Custom(Some("Level".into()))), data).unwrap()
}

fn clip(tracks: Vec<Track>) -> Animation {
    Animation::new(tracks)
}

fn rotation(data: TrackData, property: Property) -> Animation {
    clip(vec![Track::new(Target::new("door", property), data).unwrap()])
}

/// Checks the law for two clips without an engine.
fn law(source: &Animation, result: &Animation, findings: &[Finding]) -> Result<(), String> {
    law_with(source, &Promise::NOTHING_CHANGES, result, findings)
}

fn law_with(
    source: &Animation,
    promise: &Promise,
    result: &Animation,
    findings: &[Finding],
) -> Result<(), String> {
    check(source, promise, result, findings).map(drop)
}

fn finding(code: Code, message: &'static str) -> Finding {
    Finding::new(code, message).at(Path::item("tracks", 0))
}

fn ramp() -> Animation {
    clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.0]))])
}

#[test]
fn the_law_holds_for_an_unchanged_clip() {
    law(&ramp(), &ramp(), &[]).unwrap();
    let not_a_number = clip(vec![level(linear(&[0.0], vec![f32::NAN]))]);
    let other_bits = clip(vec![level(linear(&[0.0], vec![f32::from_bits(0x7fc0_0001)]))]);
    law(&not_a_number, &other_bits, &[]).unwrap();
}

#[test]
fn the_law_names_the_changed_track_and_the_time() {
    let result = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.5]))]);
    let error = law(&ramp(), &result, &[]).unwrap_err();
    assert!(error.contains("\"Level\" of \"lamp\""), "{error}");
}

#[test]
fn a_stated_error_must_not_be_too_small() {
    let result = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.5]))]);
    let stated = |error| finding(codes::RESAMPLED, "").error(StatedError::of_value(error));
    law(&ramp(), &result, &[stated(0.5)]).unwrap();
    law(&ramp(), &result, &[stated(0.499)]).unwrap_err();
    let of_another = stated(9.0).at(Path::item("tracks", 7));
    law(&ramp(), &result, &[of_another]).unwrap_err();
}

#[test]
fn a_stated_error_must_not_be_much_too_large() {
    let result = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.5]))]);
    let kept = |error| {
        let findings = [finding(codes::RESAMPLED, "").error(StatedError::of_value(error))];
        check(&ramp(), &Promise::NOTHING_CHANGES, &result, &findings).unwrap()
    };
    tight(&kept(0.9)).unwrap();
    tight(&kept(1.1)).unwrap_err();
}

#[test]
fn a_very_short_step_must_not_be_lost() {
    let step =
        clip(vec![level(linear(&[0.0, 0.3, 0.3 + 1e-7, 1.0], vec![0.0_f32, 0.0, 9.0, 0.0]))]);
    let flat = clip(vec![level(linear(&[0.0, 0.3, 1.0], vec![0.0_f32, 0.0, 0.0]))]);
    law(&step, &flat, &[finding(codes::TIMES_ROUNDED, "keys moved")]).unwrap_err();
}

#[test]
fn a_jump_may_move_only_by_one_ulp_or_the_stated_shift() {
    let jump = |at: f64| {
        clip(vec![level(curve(&[0.0, at, 2.0], vec![0.0_f32, 7.0, 7.0], Interpolation::Hold))])
    };
    law(&jump(0.3), &jump(0.3_f64.next_up()), &[]).unwrap();
    law(&jump(0.3), &jump(0.301), &[]).unwrap_err();
    let stated = |time_shift| {
        let error = StatedError { value: 0.0, time_shift };
        finding(codes::TIMES_ROUNDED, "").error(error)
    };
    law(&jump(0.3), &jump(0.301), &[stated(1.1e-3)]).unwrap();
    law(&jump(0.3), &jump(0.301), &[stated(5e-4)]).unwrap_err();
}

#[test]
fn dropped_tracks_must_be_reported() {
    let empty = clip(Vec::new());
    law(&ramp(), &empty, &[]).unwrap_err();
    law(&ramp(), &empty, &[finding(codes::TRACK_DROPPED, "lamp")]).unwrap();
    law(&empty, &ramp(), &[]).unwrap_err();
}

#[test]
fn renamed_tracks_must_be_reported_and_play_the_same() {
    let named = |value: f32| {
        let data = linear(&[0.0, 1.0], vec![0.0, value]);
        let target = Target::new("lamp", Property::Custom(Some("Brightness".into())));
        clip(vec![Track::new(target, data).unwrap()])
    };
    law(&ramp(), &named(4.0), &[]).unwrap_err();
    let findings = [finding(codes::NAME_RESERVED, "Level")];
    law(&ramp(), &named(4.0), &findings).unwrap();
    law(&ramp(), &named(5.0), &findings).unwrap_err();
}

#[test]
fn another_kind_of_values_must_be_reported() {
    let wide = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f64, 4.0]))]);
    law(&wide, &ramp(), &[]).unwrap_err();
    law(&wide, &ramp(), &[finding(codes::VALUES_NARROWED, "0 values changed")]).unwrap();
}

#[test]
fn changes_of_name_markers_and_duration_must_be_reported() {
    let named = ramp().with_name("walk");
    law(&named, &ramp(), &[]).unwrap_err();
    law(&named, &ramp(), &[Finding::new(codes::NAME_DROPPED, "walk")]).unwrap();
    law(&ramp().with_name(""), &ramp(), &[]).unwrap();
    let marker = Marker { time: 0.5, name: "step".into() };
    law(&ramp().with_markers(vec![marker]), &ramp(), &[]).unwrap_err();
    law(&ramp().with_duration(2.0), &ramp(), &[]).unwrap_err();
    law(&ramp().with_looping(Looping::Loop), &ramp(), &[]).unwrap_err();
}

#[test]
fn rotations_are_compared_by_angle_in_any_representation() {
    let order = X4_ORDER;
    let angles =
        rotation(linear(&[0.0], vec![[0.3_f64, 0.5, 0.7]]), Property::RotationEuler(order));
    let turn = order.quaternion([0.3, 0.5, 0.7]);
    let quaternion = |turn: Quat<f64>| rotation(linear(&[0.0], vec![turn]), Property::Rotation);
    let baked = [finding(codes::EULER_BAKED, "1 key")];
    law(&angles, &quaternion(turn), &baked).unwrap();
    law(&angles, &quaternion(-turn), &baked).unwrap();
    law(&angles, &quaternion(order.quaternion([0.3, 0.5, 0.71])), &baked).unwrap_err();
}

#[test]
fn single_components_are_compared_with_those_of_whole_vectors() {
    let component = |axis, value: f32| {
        let target = Target::new("door", Property::Scale).with_component(axis);
        Track::new(target, linear(&[0.0], vec![value])).unwrap()
    };
    let parts = clip(vec![component(Axis::X, 3.0), component(Axis::Z, 5.0)]);
    let whole = |y: f32| rotation(linear(&[0.0], vec![[3.0_f32, y, 5.0]]), Property::Scale);
    let joined = [finding(codes::COMPONENTS_JOINED, "2 tracks")];
    law(&parts, &whole(1.0), &joined).unwrap();
    law(&parts, &whole(2.0), &joined).unwrap_err();
}

#[test]
fn the_time_map_is_part_of_the_promise() {
    let reversed = clip(vec![level(linear(&[0.0, 1.0], vec![4.0_f32, 0.0]))]);
    let time = TimeMap { offset: 1.0, factor: -1.0, duration: None };
    let promise = Promise { time, ..Promise::NOTHING_CHANGES };
    law_with(&ramp(), &promise, &reversed, &[]).unwrap();
    law(&ramp(), &reversed, &[]).unwrap_err();
}
