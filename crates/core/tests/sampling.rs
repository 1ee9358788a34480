//! Sampling: values computed by hand, and the agreement of all sampling functions.

#![expect(clippy::unwrap_used, reason = "the tracks of these tests are sound")]

mod engines;

use engines::{ALL, RESONITE, X4, X4_ANGLES};
use inbetween_core::{
    Animation, Baker, Budget, ClipSampler, Element, FrameKeys, Grid, Handle, Interpolation,
    Interpolations, Limits, Looping, PlaybackCursor, Property, Quat, Rules, Strings, Tangents,
    Target, Track, TrackData, Value, ValueKind, Values, value_error,
};
use inbetween_testing::properties;
use proptest::prelude::*;

fn linear(times: &[f64], values: impl Into<Values>) -> TrackData {
    let shared = Interpolations::Shared(Interpolation::Linear);
    TrackData::curve(times.to_vec(), values, shared, None).unwrap()
}

fn track(data: TrackData) -> Track {
    Track::new(Target::new("node", Property::Custom(Some("value".into()))), data).unwrap()
}

fn clip(tracks: Vec<TrackData>) -> Animation {
    Animation::new(tracks.into_iter().map(track).collect())
}

/// Samples with every function and returns the value on which all agree.
fn sample<T: Element>(rules: Rules, data: &TrackData, time: f64) -> Option<T> {
    let sampler = rules.sampler::<T>(data).unwrap();
    let value = sampler.sample(time);
    let bits = |value: Option<T>| value.map(|value| Values::from(vec![value]));
    for key in 0..data.len().min(5) {
        let mut cursor = PlaybackCursor::default();
        sampler.sample_from(&mut cursor, data.time(key).unwrap());
        assert_eq!(bits(sampler.sample_from(&mut cursor, time)), bits(value));
    }
    let any = rules.sample(data, time);
    assert_eq!(any, bits(value).and_then(|values| values.get(0)));
    assert_eq!(rules.sample_from(data, &mut PlaybackCursor::default(), time), any);
    value
}

#[test]
fn keys_at_uneven_times_are_found() {
    let times = [-3.0, 0.0, 0.001, 0.002, 10.0, 11.0, 11.5, 400.0];
    let data = linear(&times, vec![0.0_f64, 3.0, 4.0, 8.0, 9.0, 1.0, 3.0, 0.0]);
    for (time, expected) in [
        (-4.0, 0.0),
        (-1.0, 2.0),
        (0.0, 3.0),
        (0.001, 4.0),
        (10.5, 5.0),
        (11.25, 2.0),
        (11.5, 3.0),
        (205.75, 1.5),
        (400.0, 0.0),
        (401.0, 0.0),
    ] {
        assert_eq!(sample(Rules::LINEAR, &data, time), Some(expected), "at {time}");
    }
}

#[test]
fn x4_computes_in_f32_and_uses_the_values_of_handles() {
    // 0.1 + (1.4 - 0.1) * 0.3 with every step rounded to f32, as in the game.
    let data = linear(&[0.0, 10.0], vec![[0.1_f32, 0.0, 1.4], [1.4, 1.0, 0.1]]);
    let [x, y, _] = sample(X4, &data, 3.0).unwrap();
    assert_eq!((x, y), (0.49_f32, 0.3));
    // (0 + 3 * 4 + 3 * 2 + 8) / 8 at the middle, for any times of the handles.
    let handle = |value| vec![Handle { time: 99.0, value }; 2];
    let handles = Tangents::Handles { left: handle(2.0), right: handle(4.0) };
    let shared = Interpolations::Shared(Interpolation::Bezier);
    let data = TrackData::curve(vec![0.0, 2.0], vec![0.0_f32, 8.0], shared, Some(handles)).unwrap();
    assert_eq!(sample(X4, &data, 1.0), Some(3.25_f32));
    // A last or only key shows its right handle instead of its value.
    assert_eq!(sample(X4, &data, 2.0), Some(4.0_f32));
    assert_eq!(sample(RESONITE, &data, 2.0), Some(8.0_f32));
    // Angles turn by a full circle; as rotations both ends would be equal.
    let spin = linear(&[0.0, 1.0], vec![0.0_f32, core::f32::consts::TAU]);
    assert_eq!(sample(X4, &spin, 0.5), Some(core::f32::consts::PI));
}

#[test]
fn x4_begins_a_linear_segment_of_an_angle_at_0_instead_of_two_pi() {
    let full = core::f32::consts::TAU;
    let data = linear(&[0.0, 1.0, 2.0, 3.0], vec![full, 1.0, -full, -full]);
    for (time, angle) in [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (2.0, -full), (2.5, -full)] {
        assert_eq!(sample(X4_ANGLES, &data, time), Some(angle), "at {time}");
    }
    assert_eq!(sample(X4, &data, 0.0), Some(full));
}

#[test]
fn times_beyond_the_clock_of_an_engine_cause_no_panic() {
    let wild = [f64::NAN, f64::NEG_INFINITY, -1e300, -0.0, 0.0, 5e-324, 1e300, f64::INFINITY];
    for rules in ALL {
        for times in [
            vec![],
            vec![1e300],
            vec![-1e300, 1e300],
            vec![f64::MIN, 0.0, f64::MAX],
            vec![0.0, 5e-324, 1e-323],
            vec![7.0; 4],
        ] {
            let values: Vec<f32> = (0_u8..).map(f32::from).take(times.len()).collect();
            let data = linear(&times, values);
            for time in wild {
                let value = sample::<f32>(rules, &data, time);
                assert_eq!(value.is_some(), !times.is_empty(), "{times:?} at {time}");
            }
        }
        for interval in [5e-324, 1e-45, 1e300, f64::MAX] {
            let data = TrackData::uniform(interval, vec![1_i16, 2, 3]);
            for time in wild {
                assert!(sample::<i16>(rules, &data, time).is_some());
            }
        }
    }
}

#[test]
fn a_sampler_requires_the_type_of_the_values() {
    let data = linear(&[0.0], vec![Quat { x: 0.0_f32, y: 0.0, z: 0.0, w: 1.0 }]);
    assert!(Rules::LINEAR.sampler::<Quat<f32>>(&data).is_some());
    assert!(Rules::LINEAR.sampler::<Quat<f64>>(&data).is_none());
    assert!(Rules::LINEAR.sampler::<[f32; 4]>(&data).is_none());
    let empty = TrackData::empty(ValueKind::Float);
    assert_eq!(Rules::LINEAR.sampler::<f32>(&empty).unwrap().sample(0.0), None);
}

#[test]
fn a_pose_holds_each_track_in_the_column_of_its_type() {
    let strings: Strings = [Some("a"), None].into_iter().collect();
    let clip = clip(vec![
        linear(&[0.0, 1.0], vec![0.0_f32, 2.0]),
        TrackData::empty(ValueKind::Float),
        linear(&[0.0, 1.0], vec![[1_i32, 2], [3, 6]]),
        TrackData::stepped(vec![0.0, 1.0], strings).unwrap(),
        linear(&[0.0, 1.0], vec![8.0_f32, 4.0]),
    ]);
    let clip = clip.with_rules(RESONITE);
    let sampler = ClipSampler::new(&clip);
    let mut pose = sampler.pose();
    assert_eq!(pose.column::<f32>(), [0.0, 8.0]);
    assert_eq!(sampler.text(&pose, 3), Some(Some("a")));
    sampler.sample_into(0.5, &mut pose);
    assert_eq!(pose.column::<f32>(), [1.0, 6.0]);
    assert_eq!(sampler.tracks_of::<f32>().collect::<Vec<_>>(), [0, 4]);
    assert_eq!(pose.get(sampler.slot::<[i32; 2]>(2).unwrap()), Some([2, 4]));
    assert_eq!(pose.column::<f64>(), [0.0; 0]);
    sampler.sample_into(1.0, &mut pose);
    assert_eq!(sampler.text(&pose, 3), Some(None));
    assert_eq!(sampler.value(&pose, 3), Some(Value::String(None)));
    for track in [1, 5] {
        assert_eq!((sampler.value(&pose, track), sampler.text(&pose, track)), (None, None));
        assert!(sampler.slot::<f32>(track).is_none());
    }
    assert!(sampler.slot::<f32>(2).is_none());
    assert_eq!(sampler.text(&pose, 0), None);
}

#[test]
fn a_pose_of_another_clip_causes_no_panic() {
    let (one, other) = (
        clip(vec![linear(&[0.0], vec![1.0_f32]), linear(&[0.0], vec![1_u8])]),
        clip(vec![linear(&[0.0], vec![2_u8]), linear(&[0.0], vec![2_u8])]),
    );
    let (one, other) = (ClipSampler::new(&one), ClipSampler::new(&other));
    let (mut pose, mut cursor) = (other.pose(), other.cursor());
    one.play_into(&mut cursor, 0.0, &mut pose);
    assert_eq!(pose, other.pose());
    let mut pose = one.pose();
    other.play_into(&mut one.cursor(), 0.0, &mut pose);
    assert_eq!(one.value(&pose, 0), Some(Value::Float(1.0)));
}

#[test]
fn a_clip_that_loops_starts_again() {
    let mut clip = clip(vec![linear(&[0.0, 2.0], vec![0.0_f32, 8.0])]);
    let at = |clip: &Animation, time| {
        let sampler = ClipSampler::new(clip);
        let mut pose = sampler.pose();
        sampler.sample_into(time, &mut pose);
        sampler.value(&pose, 0)
    };
    assert_eq!(at(&clip, 2.5), Some(Value::Float(8.0)));
    clip.looping = Looping::Loop;
    for (time, value) in [(0.5, 2.0), (2.0, 0.0), (2.5, 2.0), (41.0, 4.0), (-0.5, 6.0)] {
        assert_eq!(at(&clip, time), Some(Value::Float(value)), "at {time}");
    }
    // A stated duration beyond the keys is part of the loop.
    clip.duration = Some(4.0);
    assert_eq!(at(&clip, 3.0), Some(Value::Float(8.0)));
    assert_eq!(at(&clip, 4.5), Some(Value::Float(2.0)));
}

#[test]
fn wrapped_times_stay_in_the_clip() {
    let clip = |duration| Animation::default().with_duration(duration).with_looping(Looping::Loop);
    assert_eq!(clip(1.0).clip_time(-1e-300), 0.0);
    assert_eq!(clip(0.0).clip_time(3.0), 0.0);
    assert_eq!(clip(f64::NAN).clip_time(3.0), 0.0);
    assert_eq!(clip(1e300).clip_time(1e301), 1e301 % 1e300);
    for time in [f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(clip(1.0).clip_time(time), time);
    }
    assert!(clip(1.0).clip_time(f64::NAN).is_nan());
}

/// Sorted times of all kinds: on frames, uneven, equal and distant.
fn times() -> impl Strategy<Value = Vec<f64>> {
    let one = prop_oneof![
        6 => (0_u16..60).prop_map(|frame| f64::from(frame) / 30.0),
        3 => -3.0..3.0,
        1 => prop::num::f64::NORMAL,
    ];
    prop::collection::vec(one, 1..40).prop_map(|mut times| {
        times.sort_by(f64::total_cmp);
        times
    })
}

fn rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(ALL.to_vec())
}

fn interpolations() -> impl Strategy<Value = Interpolation> {
    use Interpolation::{Bezier, Hermite, Hold, Linear};
    prop::sample::select(vec![Hold, Linear, Hermite, Bezier])
}

fn asked() -> impl Strategy<Value = Vec<f64>> {
    let one = prop_oneof![4 => -4.0..4.0, 2 => (0_u16..60).prop_map(|frame| f64::from(frame) / 30.0), 1 => any::<f64>()];
    prop::collection::vec(one, 1..40)
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn the_segment_equals_that_of_a_linear_search(
        rules in rules(),
        times in times(),
        asked in asked(),
    ) {
        let values: Vec<u32> = (0..).take(times.len()).collect();
        let data = TrackData::stepped(times.clone(), values).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "the clock of the engine")]
        let clock = |time: f64| match rules {
            Rules::LINEAR => time,
            _ => f64::from(time as f32),
        };
        for time in asked {
            let come = times.iter().filter(|key| clock(**key) <= clock(time)).count();
            let active = u32::try_from(come.saturating_sub(1)).unwrap();
            prop_assert_eq!(rules.sample(&data, time), Some(Value::UInt(active)));
        }
    }

    #[test]
    fn cursors_and_poses_give_exactly_the_values_of_a_search(
        rules in rules(),
        times in times(),
        each in prop::collection::vec(interpolations(), 40),
        seeds in prop::collection::vec(any::<[f32; 4]>(), 40),
        asked in asked(),
        sorted in any::<bool>(),
        interval in prop_oneof![Just(1.0 / 30.0), 0.0..0.5],
    ) {
        let count = times.len();
        let values: Vec<[f32; 4]> = seeds[..count].to_vec();
        let quats: Vec<Quat<f32>> = values.iter().map(|parts| Quat::from_array(*parts)).collect();
        let texts: Strings = (0..count).map(|key| ["a", "b", "c"].get(key % 4).copied()).collect();
        let tangents = |values: Values| Tangents::Values { left: values.clone(), right: values };
        let curve = |values: Values| {
            let each = Interpolations::PerKey(each[..count].to_vec());
            TrackData::curve(times.clone(), values.clone(), each, Some(tangents(values))).unwrap()
        };
        let clip = clip(vec![
            curve(values.clone().into()),
            curve(quats.clone().into()),
            TrackData::stepped(times.clone(), texts).unwrap(),
            TrackData::uniform(interval, quats),
            TrackData::uniform(interval, values),
        ]);
        let clip = clip.with_rules(rules);
        let sampler = ClipSampler::new(&clip);
        let (mut played, mut cursor, mut sought) = (sampler.pose(), sampler.cursor(), sampler.pose());
        let mut asked = asked;
        if sorted {
            asked.sort_by(f64::total_cmp);
        }
        for time in asked {
            sampler.play_into(&mut cursor, time, &mut played);
            sampler.sample_into(time, &mut sought);
            prop_assert_eq!(&played, &sought);
            for (index, track) in clip.tracks.iter().enumerate() {
                let value = rules.sample(track.data(), time);
                prop_assert_eq!(sampler.value(&played, index), value);
            }
        }
    }

    #[test]
    fn resampled_tracks_play_as_before_within_the_measured_error(
        times in prop::collection::vec(0.0..2.0_f64, 1..12),
        seeds in prop::collection::vec(-9.0..9.0_f64, 12),
        rate in 1.0..60.0_f64,
        parts in prop::collection::vec(0.0..1.0_f64, 20),
    ) {
        let mut times = times;
        times.sort_by(f64::total_cmp);
        let data = linear(&times, seeds[..times.len()].to_vec());
        let mut budget = Budget::new(&Limits::default(), 0);
        let baked = Baker::new(Grid::Frames(rate, FrameKeys::Every)).same_kind(&data, Rules::LINEAR, &mut budget).unwrap();
        for part in parts {
            let [start, end] = [0, baked.data.len().saturating_sub(1)].map(|key| baked.data.time(key).unwrap());
            let time = start + part * (end - start);
            let [before, after] =
                [&data, &baked.data].map(|data| Rules::LINEAR.sample(data, time).unwrap());
            // Two piecewise linear curves are farthest apart at a key of one of them, where the
            // error is measured.
            prop_assert!(value_error(&before, &after) <= baked.difference.value + 1e-9);
        }
    }
}
