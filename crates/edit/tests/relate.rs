//! Relative and additive clips of absolute ones.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests as well")]

use inbetween_core::{
    Animation, Blend, BlendMode, Bone, Document, Property, Quat, Skeleton, Target, Track,
    TrackData, Value,
};
use inbetween_edit::{Settings, codes, relate, resolve};

fn clip() -> Document {
    let turn = Quat::from_axis_angle([1.0, 0.0, 0.0], 0.5);
    let target = |property| Target::new("hips", property);
    let moves = TrackData::uniform(1.0, vec![[1.0_f64, 95.0, 0.0], [2.0, 96.0, 0.0]]);
    let turns = TrackData::uniform(1.0, vec![turn, Quat::IDENTITY]);
    let other = TrackData::uniform(1.0, vec![[1.0_f64; 3]]);
    Document::single(Animation::new(vec![
        Track::new(target(Property::Translation), moves).unwrap(),
        Track::new(target(Property::Rotation), turns).unwrap(),
        Track::new(Target::new("tail", Property::Translation), other).unwrap(),
    ]))
}

fn rest() -> Skeleton {
    let rotation = Some(Quat::from_axis_angle([1.0, 0.0, 0.0], 0.25));
    let hips = Bone {
        node: "hips".into(),
        translation: Some([0.0, 90.0, 0.0]),
        rotation,
        ..Bone::default()
    };
    Skeleton::new(vec![hips]).unwrap()
}

#[test]
fn additive_keys_are_what_the_rest_pose_lacks() {
    let related = relate(clip(), BlendMode::Additive, &rest(), &Settings::default()).unwrap();
    let tracks = &related.value.clips.first().unwrap().tracks;
    let [moves, turns, _] = tracks.as_slice() else { panic!("three tracks") };
    assert_eq!(moves.data().value(0), Some(Value::Double3([1.0, 5.0, 0.0])));
    let Some(Value::DoubleQ(turn)) = turns.data().value(0) else { panic!("no rotation") };
    assert!(turn.angle_to(Quat::from_axis_angle([1.0, 0.0, 0.0], 0.25)) < 1e-12);
    assert_eq!(moves.target().blend, Blend::Additive);
    let [finding] = related.findings.as_slice() else { panic!("{:?}", related.findings) };
    assert_eq!((finding.code, &*finding.message), (codes::REST_MISSING, "1 node, first tail"));
}

#[test]
fn resolving_undoes_it() {
    for mode in [BlendMode::Relative, BlendMode::Additive] {
        let related = relate(clip(), mode, &rest(), &Settings::default()).unwrap().value;
        assert_ne!(related, clip());
        let back = resolve(related, &rest(), &Settings::default()).unwrap().value;
        let clips = [&back, &clip()].map(|document| document.clips.first().unwrap().clone());
        let [back, before] = clips;
        for (one, other) in back.tracks.iter().zip(&before.tracks) {
            assert_eq!(one.target(), other.target());
            for key in 0..one.data().len() {
                let (one, other) = (one.data().value(key), other.data().value(key));
                let error = inbetween_core::value_error(&one.unwrap(), &other.unwrap());
                assert!(error < 1e-12, "{mode:?}, key {key}: {error}");
            }
        }
    }
}
