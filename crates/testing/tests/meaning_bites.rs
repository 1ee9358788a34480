//! Tests of the law of meaning: a kept promise obeys it, and each defect breaks it.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]

use inbetween_core::{
    Animation, Axis, Blend, Code, Finding, Interpolation, Interpolations, Looping, Marker, Path,
    Property, Quat, StatedError, Target, Track, TrackData, TrackPlace, Values, codes, resonite,
};
use inbetween_testing::documents::X4_ORDER;
use inbetween_testing::meaning::{Promise, TimeMap, check, check_drawn};

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
    check(source, promise, result, findings)
}

fn of_track(index: usize, mut finding: Finding) -> Finding {
    let target = Target::new("door", Property::Scale);
    finding.place.track = Some(TrackPlace { index, name: (&target).into() });
    finding
}

fn finding(code: Code, message: &'static str) -> Finding {
    of_track(0, Finding::new(code, message))
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
    law(&ramp(), &result, &[stated(0.4)]).unwrap();
    law(&ramp(), &result, &[stated(0.399)]).unwrap_err();
    let of_another = of_track(7, stated(9.0));
    law(&ramp(), &result, &[of_another]).unwrap_err();
}

#[test]
fn a_stated_error_must_be_finite() {
    let stated = |error| [finding(codes::RESAMPLED, "").error(StatedError::of_value(error))];
    law(&ramp(), &ramp(), &stated(f64::INFINITY)).unwrap_err();
    law(&ramp(), &ramp(), &stated(f64::NAN)).unwrap_err();
}

/// A clip whose rotations are so close that Resonite's slerp leaps to the second key.
fn near_rotations(length: f64) -> Animation {
    let turns = [0.0, 8e-4].map(|angle| {
        let turn = Quat::<f64>::from_axis_angle([0.0, 0.0, 1.0], angle).to_array();
        Quat::from_array(turn.map(|part| part * length))
    });
    rotation(linear(&[0.0, 1.0], turns.to_vec()), Property::Rotation)
}

#[test]
fn rotations_of_length_1_are_played_by_the_slerp_of_the_result() {
    let raw = |length| near_rotations(length).with_rules(resonite::RULES);
    law(&raw(1.0), &near_rotations(1.0), &[]).unwrap();
    law(&near_rotations(1.0), &raw(1.0), &[]).unwrap();
    // The slerps of longer rotations differ by more, which a finding must state.
    law(&raw(1.01), &near_rotations(1.01), &[]).unwrap_err();
    let half = Quat::<f64>::from_axis_angle([0.0, 0.0, 1.0], 6e-4);
    let other = rotation(linear(&[0.0, 1.0], vec![half, half]), Property::Rotation);
    law(&raw(1.0), &other, &[]).unwrap_err();
}

#[test]
fn an_interpolated_integer_may_differ_by_1() {
    let ramp = |end: i32| clip(vec![level(linear(&[0.0, 1.0], vec![0, end]))]);
    law(&ramp(10), &ramp(11), &[]).unwrap();
    law(&ramp(10), &ramp(12), &[]).unwrap_err();
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

/// Codes of formats whose names resemble those that explain a lost track.
mod format_codes {
    inbetween_core::codes! {
        /// Markers are dropped.
        MARKERS_DROPPED = "convert/markers-dropped", Warning, Loss;
        /// The rest pose is dropped.
        REST_POSE_DROPPED = "cast/rest-pose-dropped", Warning, Loss;
        /// A name is not UTF-8.
        NAME_REENCODED = "convert/name-reencoded", Warning, Loss;
        /// Modifiers are dropped.
        OVERRIDE_DROPPED = "convert/override-dropped", Warning, Loss;
        /// Other codes of the name of a known one.
        NOT_A_TRACK_DROPPED = "mine/track-dropped", Warning, Loss;
    }
}

/// A clip with a plain track, a second track, and everything else that a clip can have.
fn full_clip() -> Animation {
    let marker = Marker { time: 0.5, name: "step".into() };
    let data = linear(&[0.0, 1.0], vec![[0.0_f32; 3], [1.0, 2.0, 3.0]]);
    let position = Track::new(Target::new("door", Property::Translation), data).unwrap();
    clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.0])), position])
        .with_name("walk")
        .with_frame_rate(30.0)
        .with_looping(Looping::Loop)
        .with_markers(vec![marker])
}

#[test]
fn a_lost_track_needs_a_finding_of_its_own() {
    let source = full_clip();
    let lost = source.clone().with_tracks(source.tracks[1..].to_vec());
    let unrelated = [
        Finding::new(codes::FRAME_RATE_DROPPED, "30 frames per second").at(Path::field("rate")),
        Finding::new(codes::NAME_DROPPED, "walk").at(Path::field("name")),
        Finding::new(codes::SKELETON_DROPPED, "2 bones").at(Path::field("skeleton")),
        Finding::new(codes::LOOPING_DROPPED, "the clip repeats"),
        Finding::new(codes::BLEND_OVERRIDES_DROPPED, "one"),
        Finding::new(codes::MARKERS_MOVED, "1 marker").at(Path::item("markers", 0)),
        Finding::new(codes::EMPTY_TRACKS_DROPPED, "1 track"),
        Finding::new(codes::TRACK_DROPPED, "a track"),
        Finding::new(format_codes::MARKERS_DROPPED, "1 marker").at(Path::field("markers")),
        Finding::new(format_codes::REST_POSE_DROPPED, "of the bone door"),
        Finding::new(format_codes::NAME_REENCODED, "read as lamp"),
        Finding::new(format_codes::OVERRIDE_DROPPED, "lamp"),
        // Of another track.
        of_track(7, Finding::new(codes::TRACK_DROPPED, "door")),
        of_track(7, Finding::new(codes::NAME_RESERVED, "door")),
        // Of the track itself, but about something else.
        finding(codes::VALUE_NOT_FINITE, "1 key"),
        finding(codes::COMPONENTS_JOINED, "3 tracks"),
        finding(codes::NAME_RESERVED, "Level"),
        finding(codes::TANGENTS_DROPPED, "2 keys"),
        finding(format_codes::NOT_A_TRACK_DROPPED, "Level"),
    ];
    law(&source, &lost, &unrelated).unwrap_err();
    for finding in unrelated {
        let error = law(&source, &lost, std::slice::from_ref(&finding)).unwrap_err();
        assert!(error.contains("is gone"), "{error} by {finding}");
    }
    law(&source, &lost, &[finding(codes::TRACK_DROPPED, "Level")]).unwrap();
}

#[test]
fn a_lost_component_needs_a_finding_of_its_own() {
    let component = |axis| {
        let target = Target::new("door", Property::Scale).with_component(axis);
        Track::new(target, linear(&[0.0, 1.0], vec![2.0_f32, 3.0])).unwrap()
    };
    let parts = clip(vec![component(Axis::X), component(Axis::Y)]);
    let one = clip(vec![component(Axis::X)]);
    law(&parts, &one, &[]).unwrap_err();
    law(&parts, &one, &[finding(codes::TRACK_DROPPED, "x")]).unwrap_err();
    let second = of_track(1, finding(codes::TRACK_DROPPED, "y"));
    law(&parts, &one, &[second]).unwrap();
}

#[test]
fn another_duration_needs_a_finding_about_it() {
    let source = full_clip().with_duration(2.0);
    let short = full_clip().with_duration(1.5);
    let unrelated = [
        Finding::new(codes::FRAME_RATE_DROPPED, "30 frames per second"),
        Finding::new(codes::TIMES_SORTED, "markers"),
        finding(codes::TIMES_ROUNDED, "to f32"),
        finding(codes::VALUE_NOT_FINITE, "1 key"),
        finding(codes::DURATION_CHANGED, "of a track"),
    ];
    law(&source, &short, &unrelated).unwrap_err();
    for finding in unrelated {
        law(&source, &short, &[finding]).unwrap_err();
    }
    law(&source, &short, &[Finding::new(codes::DURATION_CHANGED, "1.5 s")]).unwrap();
}

#[test]
fn a_lost_track_shortens_a_clip_only_to_the_end_of_the_others() {
    let track = |node, end| {
        let data = linear(&[0.0, end], vec![0.0_f32, 4.0]);
        Track::new(Target::new(node, Property::Weight("smile".into())), data).unwrap()
    };
    let source = clip(vec![track("hips", 1.0), track("hand", 2.0)]);
    let lost = [of_track(1, finding(codes::TRACK_DROPPED, "hand"))];
    law(&source, &clip(vec![track("hips", 1.0)]), &lost).unwrap();
    law(&source, &clip(vec![track("hips", 1.0)]).with_duration(3.0), &lost).unwrap_err();
    let other = [finding(codes::TRACK_DROPPED, "hips")];
    law(&source, &clip(vec![track("hand", 1.0)]), &other).unwrap_err();
}

#[test]
fn a_dropped_value_excuses_only_the_times_between_its_neighbors() {
    let times = [0.0, 1.0, 2.0, 3.0, 4.0];
    let component = |axis, values: [f32; 5]| {
        let target = Target::new("door", Property::Scale).with_component(axis);
        Track::new(target, linear(&times, values.to_vec())).unwrap()
    };
    let x = [1.0, 2.0, 5.0, 4.0, 2.0];
    let y = [1.0, 2.0, f32::NAN, 4.0, 2.0];
    let source = clip(vec![component(Axis::X, x), component(Axis::Y, y)]);
    let joined = |values: [f32; 4]| {
        let values: Vec<[f32; 3]> = values.iter().map(|value| [*value, *value, 1.0]).collect();
        rotation(linear(&[0.0, 1.0, 3.0, 4.0], values), Property::Scale)
    };
    let joining = || finding(codes::COMPONENTS_JOINED, "2 tracks");
    let dropping = || finding(codes::VALUE_NOT_FINITE, "1 key");
    law(&source, &joined([1.0, 2.0, 4.0, 2.0]), &[joining(), dropping()]).unwrap();
    law(&source, &joined([1.0, 2.0, 4.0, 2.0]), &[joining()]).unwrap_err();
    law(&source, &joined([1.0, 2.0, 4.0, 2.5]), &[joining(), dropping()]).unwrap_err();
    law(&source, &joined([1.5, 2.0, 4.0, 2.0]), &[joining(), dropping()]).unwrap_err();
}

#[test]
fn dropped_values_do_not_excuse_a_track_with_finite_keys() {
    let level = |values: Vec<f32>| level(linear(&[0.0, 1.0], values));
    let dropped = [finding(codes::VALUE_NOT_FINITE, "2 keys")];
    law(&clip(vec![level(vec![f32::NAN; 2])]), &clip(vec![]), &dropped).unwrap();
    law(&clip(vec![level(vec![f32::NAN, 1.0])]), &clip(vec![]), &dropped).unwrap_err();
}

#[test]
fn another_blend_needs_a_finding_about_it() {
    let blended = |blend| {
        let data = linear(&[0.0], vec![[0.0_f32; 3]]);
        let target = Target { blend, ..Target::new("door", Property::Translation) };
        clip(vec![Track::new(target, data).unwrap()])
    };
    let (source, result) = (blended(Blend::Additive), blended(Blend::Absolute));
    let unrelated = [
        Finding::new(codes::BLEND_OVERRIDES_DROPPED, "one"),
        of_track(7, finding(codes::BLEND_DROPPED, "of another")),
        finding(codes::TIMES_ROUNDED, "to f32"),
    ];
    law(&source, &result, &unrelated).unwrap_err();
    law(&source, &result, &[finding(codes::BLEND_DROPPED, "additive becomes absolute")]).unwrap();
    law(&source, &result, &[Finding::new(codes::BLEND_DROPPED, "of the clip")]).unwrap();
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
    let unrelated = [
        finding(codes::TIMES_ROUNDED, "to f32"),
        finding(codes::KEYS_TRANSLATED, "1 key").error(StatedError::of_value(1e9)),
        Finding::new(codes::VALUES_NARROWED, "of no track"),
        of_track(7, finding(codes::VALUES_NARROWED, "of another")),
    ];
    law(&wide, &ramp(), &unrelated).unwrap_err();
}

#[test]
fn an_error_that_is_stated_for_no_track_allows_nothing() {
    let result = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.5]))]);
    let stated = Finding::new(codes::RESAMPLED, "").error(StatedError::of_value(1.0));
    law(&ramp(), &result, &[stated]).unwrap_err();
}

#[test]
fn an_error_counts_as_a_field_and_not_as_a_text() {
    let result = clip(vec![level(linear(&[0.0, 1.0], vec![0.0_f32, 4.5]))]);
    law(&ramp(), &result, &[finding(codes::RESAMPLED, "off by at most 1")]).unwrap_err();
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

#[test]
fn beyond_the_domain_only_new_infinities_need_a_finding() {
    let level = |value: f64| clip(vec![level(linear(&[0.0], vec![value]))]);
    let drawn = |result: &Animation, findings: &[Finding]| {
        check_drawn(&level(1e300), &Promise::NOTHING_CHANGES, result, findings)
    };
    drawn(&level(2e300), &[]).unwrap();
    drawn(&level(f64::INFINITY), &[]).unwrap_err();
    drawn(&level(f64::INFINITY), &[finding(codes::VALUE_UNDEFINED, "1 value")]).unwrap();
    law(&level(1e300), &level(2e300), &[]).unwrap_err();
    check_drawn(&level(1e9), &Promise::NOTHING_CHANGES, &level(2e9), &[]).unwrap_err();
}
