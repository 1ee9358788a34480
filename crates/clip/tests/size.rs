//! The size of an ordinary clip.

#![expect(clippy::unwrap_used, reason = "a test may end where it fails")]

use inbetween_clip::{Bounds, Encoding, build};
use inbetween_core::num::f64_from_index;
use inbetween_core::{Animation, Property, Quat, Target, Track, TrackData};

/// Ten seconds at 60 frames per second: 100 bones that turn and move within 0.2 m, with constant
/// scales.
fn named_set() -> Animation {
    let frames = 601_u16;
    let mut tracks = Vec::new();
    for bone in 0..100_u8 {
        let node = format!("bone{bone}");
        let phase = f32::from(bone);
        let wave = |frame: u16, speed: f32| (f32::from(frame) / 60.0 * speed + phase).sin();
        let turn = |frame| {
            let (bend, twist) = (0.9 * wave(frame, 4.0), 0.5 * wave(frame, 2.3));
            let bend = Quat::from_axis_angle([1.0, 0.0, 0.0], bend);
            Quat::from_axis_angle([0.0, 0.6, 0.8], twist).slerp(bend, 0.4)
        };
        let place = |frame| [wave(frame, 4.0), wave(frame, 3.1), wave(frame, 1.7)].map(|x| 0.1 * x);
        let turns: Vec<Quat<f32>> = (0..frames).map(turn).collect();
        let places: Vec<[f32; 3]> = (0..frames).map(place).collect();
        let even = |values: inbetween_core::Values| TrackData::uniform(1.0 / 60.0, values);
        for (property, data) in [
            (Property::Rotation, even(turns.into())),
            (Property::Translation, even(places.into())),
            (Property::Scale, TrackData::uniform(1.0 / 60.0, vec![[1.0_f32; 3]])),
        ] {
            tracks.push(Track::new(Target::new(node.clone(), property), data).unwrap());
        }
    }
    Animation::new(tracks).with_frame_rate(60.0)
}

#[test]
fn values_take_at_most_45_percent_of_f32() {
    let built = build(&named_set(), &Bounds::default()).unwrap().value;
    let report = built.report;
    let ratio = f64_from_index(report.values_after()) / f64_from_index(report.values_before());
    assert!((0.4..=0.45).contains(&ratio), "{ratio}");
    assert!(report.bytes_after < report.bytes_before() / 2);
    let worst = report.worst().unwrap();
    println!("values {ratio:.4} of f32, fallback {}, worst {worst:?}", report.fallback_share());
    // Both kinds of values are compressed, and the bounds leave little room.
    assert_eq!(report.fallback_share(), 0.0);
    assert!((0.4..=1.0).contains(&(worst.error / worst.bound)), "{worst:?}");
    let count = |encoding| report.tracks.iter().filter(|track| track.encoding == encoding).count();
    let counts = [Encoding::Half, Encoding::Rotation48, Encoding::Constant].map(count);
    assert_eq!(counts, [100; 3]);
}
