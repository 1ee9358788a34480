//! Playback: contexts, looping, missing bones, poses of several clips.

#![expect(
    clippy::unwrap_used,
    clippy::arithmetic_side_effects,
    reason = "a test may end where it fails"
)]

use inbetween_clip::{Bounds, Clip, Pose, RotationBlend, build, to_animation};
use inbetween_core::{
    Animation, ClipSampler, Looping, Property, Quat, Rules, Target, Track, TrackData,
};
use inbetween_testing::hard::{self, Suits};
use inbetween_testing::properties;
use proptest::prelude::*;
use proptest::sample::select;

fn walk() -> Animation {
    let turn = |angle: f32| Quat::from_axis_angle([1.0, 0.0, 0.0], angle);
    let turns = TrackData::uniform(0.25, vec![turn(0.0), turn(1.0), turn(0.5), turn(0.0)]);
    let moves = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, 0.1, 0.2]]);
    let weight = TrackData::stepped(vec![0.0, 0.4], vec![0.25_f32, 0.75]).unwrap();
    let track = |node: &str, property, data| Track::new(Target::new(node, property), data).unwrap();
    Animation::new(vec![
        track("hips", Property::Translation, moves),
        track("hand", Property::Rotation, turns),
        track("face", Property::Weight("smile".into()), weight),
    ])
}

fn clip(animation: &Animation) -> Clip {
    build(animation, &Bounds::default()).unwrap().value.clip
}

#[test]
fn a_pose_has_the_values_of_all_bones() {
    let clip = clip(&walk());
    assert_eq!(clip.nodes().collect::<Vec<_>>(), [Some("hips"), Some("hand"), Some("face")]);
    let (mut context, mut pose) = (clip.context(), Pose::new(3));
    clip.sample(0.25, &mut context, &mut pose);
    assert!((pose.translations()[0][2] - 0.1).abs() < 1e-4);
    assert!((pose.rotations()[1][0] - 0.5_f32.sin()).abs() < 1e-4);
    // No track animates these.
    assert_eq!(pose.scales(), [[1.0; 3]; 3]);
    assert_eq!(pose.translations()[1], [0.0; 3]);
}

#[test]
fn curves_are_sampled_apart_from_the_pose() {
    let clip = clip(&walk());
    let mut context = clip.context();
    assert_eq!(clip.curve_len(), 1);
    for (time, weight) in [(0.0, 0.25), (0.399, 0.25), (0.4, 0.75), (9.0, 0.75)] {
        let mut curves = [0.0];
        clip.sample_curves(time, &mut context, &mut curves);
        assert!((curves[0] - weight).abs() < 1e-3, "{curves:?} at {time}");
    }
}

#[test]
fn nodes_map_to_the_bones_of_a_skeleton() {
    let clip = clip(&walk());
    let bones = ["root", "hand"];
    let mut context = clip.context_for(|node| bones.iter().position(|bone| *bone == node));
    let mut pose = Pose::new(2);
    clip.sample(0.25, &mut context, &mut pose);
    assert_eq!(pose.translations(), [[0.0; 3]; 2]);
    assert!(pose.rotations()[1][0] > 0.4);
}

#[test]
fn bones_have_the_same_values_in_any_order() {
    let names: Vec<String> = (0..9).map(|bone| format!("bone {bone}")).collect();
    let tracks = names.iter().zip(1_u8..).flat_map(|(name, number)| {
        let size = f32::from(number) / 10.0;
        let turn = |angle: f32| Quat::from_axis_angle([0.0, 1.0, 0.0], angle);
        [
            (Property::Translation, TrackData::uniform(0.5, vec![[0.0, size, 1.0], [size; 3]])),
            (Property::Rotation, TrackData::uniform(0.5, vec![turn(0.0), turn(size)])),
            (Property::Scale, TrackData::uniform(0.5, vec![[1.0, size, 1.0]])),
        ]
        .map(|(property, data)| Track::new(Target::new(name.as_str(), property), data).unwrap())
    });
    let clip = clip(&Animation::new(tracks.collect()));
    let mut expected = Pose::new(9);
    clip.sample(0.2, &mut clip.context(), &mut expected);

    // One run of bones, none, or several; the others are beyond the pose.
    let far = usize::MAX;
    for order in [
        [0, 1, 2, 3, 4, 5, 6, 7, 8],
        [8, 7, 6, 5, 4, 3, 2, 1, 0],
        [3, 4, 5, 6, 0, 1, 2, 8, 7],
        [5, 6, 7, 8, 9, 10, 11, 12, 13],
        [far - 8, far - 7, far - 6, far - 5, far - 4, far - 3, far - 2, far - 1, far],
    ] {
        let bone_of = |name: &str| Some(order[names.iter().position(|known| known == name)?]);
        let mut pose = Pose::new(9);
        clip.sample(0.2, &mut clip.context_for(bone_of), &mut pose);
        let rest = Pose::new(9);
        for bone in 0..9 {
            let place = order.iter().position(|other| *other == bone);
            let (shown, at) = place.map_or((&rest, bone), |place| (&expected, place));
            assert_eq!(pose.translations()[bone], shown.translations()[at], "{order:?}");
            assert_eq!(pose.rotations()[bone], shown.rotations()[at], "{order:?}");
            assert_eq!(pose.scales()[bone], shown.scales()[at], "{order:?}");
        }
    }
}

#[test]
fn a_looping_clip_wraps_times() {
    let once = clip(&walk());
    let looped = clip(&walk().with_looping(Looping::Loop));
    for (time, within) in [(0.75 + 0.2, 0.2), (-0.55, 0.2), (0.75, 0.0), (75.3, 0.3)] {
        let mut poses = [Pose::new(3), Pose::new(3)];
        looped.sample(time, &mut looped.context(), &mut poses[0]);
        once.sample(within, &mut once.context(), &mut poses[1]);
        for (one, other) in
            poses[0].rotations().iter().flatten().zip(poses[1].rotations().iter().flatten())
        {
            assert!((one - other).abs() < 1e-5, "{time}");
        }
    }
}

#[test]
fn two_clips_blend_into_one_pose() {
    let (walk, still) = (clip(&walk()), Pose::new(3));
    let mut pose = Pose::new(3);
    walk.sample(0.5, &mut walk.context(), &mut pose);
    let height = pose.translations()[0][1];
    pose.blend(&still, 0.5, RotationBlend::Slerp);
    assert!((pose.translations()[0][1] - height / 2.0).abs() < 1e-6);
}

#[test]
fn a_context_of_another_clip_gives_the_same_values() {
    let (walk, empty) = (clip(&walk()), clip(&Animation::default()));
    let mut context = empty.context();
    let mut curves = [0.0];
    walk.sample_curves(0.5, &mut context, &mut curves);
    assert!((curves[0] - 0.75).abs() < 1e-3);
    empty.sample(0.5, &mut walk.context(), &mut Pose::new(1));
}

#[test]
fn a_context_never_shows_rows_of_another_clip() {
    let moved = |height: f32| {
        let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, height, 0.0]]);
        let hips = Track::new(Target::new("hips", Property::Translation), data).unwrap();
        clip(&Animation::new(vec![hips]))
    };
    let (low, high) = (moved(1.0), moved(3.0));
    let (mut context, mut pose) = (low.context(), Pose::new(1));
    for (clip, height) in [(&low, 0.5), (&high, 1.5), (&low.clone(), 0.5)] {
        clip.sample(0.25, &mut context, &mut pose);
        assert!((pose.translations()[0][1] - height).abs() < 1e-3, "{pose:?}");
    }
}

#[test]
fn the_later_of_two_tracks_of_a_bone_counts() {
    let track = |height: f32| {
        let data = TrackData::uniform(0.5, vec![[0.0_f32; 3], [0.0, height, 0.0]]);
        Track::new(Target::new("hips", Property::Translation), data).unwrap()
    };
    let still = TrackData::uniform(0.5, vec![[7.0_f32; 3]; 2]);
    let still = Track::new(Target::new("hips", Property::Translation), still).unwrap();
    for (tracks, height) in [
        (vec![track(1.0), track(3.0)], 1.5),
        (vec![track(3.0), still.clone()], 7.0),
        (vec![still, track(1.0)], 0.5),
    ] {
        let clip = clip(&Animation::new(tracks));
        let mut pose = Pose::new(1);
        clip.sample(0.25, &mut clip.context(), &mut pose);
        assert!((pose.translations()[0][1] - height).abs() < 1e-3, "{pose:?}");
    }
}

#[test]
fn the_animation_of_a_clip_has_its_names_and_duration() {
    let source = walk().with_name("walk").with_duration(2.0).with_frame_rate(60.0);
    let animation = to_animation(&clip(&source));
    assert_eq!((animation.name.as_deref(), animation.duration), (Some("walk"), Some(2.0)));
    assert_eq!((animation.frame_rate, animation.looping), (Some(60.0), Looping::Once));
    let targets = |animation: &Animation| {
        animation.tracks.iter().map(|track| track.target().clone()).collect::<Vec<_>>()
    };
    assert_eq!(targets(&animation), targets(&source));
}

proptest! {
    #![proptest_config(properties::cases(200))]

    #[test]
    fn forward_playback_gives_the_values_of_a_search(
        animation in select(vec![Suits::Anything, Suits::X4, Suits::Resonite])
            .prop_flat_map(hard::animations),
        step in 0.001..0.2_f64,
    ) {
        let Ok(built) = build(&animation, &Bounds::default()) else { return Ok(()) };
        let clip = built.value.clip;
        let bones = clip.nodes().len();
        let mut context = clip.context();
        for frame in 0..40 {
            let time = f64::from(frame) * step - 0.3;
            let (mut played, mut found) = (Pose::new(bones), Pose::new(bones));
            clip.sample(time, &mut context, &mut played);
            clip.sample(time, &mut clip.context(), &mut found);
            prop_assert_eq!(played, found);
        }
    }

    #[test]
    fn the_animation_of_a_clip_plays_as_the_clip(
        animation in hard::animations(Suits::Resonite), times in prop::collection::vec(-0.1..2.0_f64, 8),
    ) {
        let Ok(built) = build(&animation, &Bounds::default()) else { return Ok(()) };
        let clip = built.value.clip;
        let animation = to_animation(&clip);
        prop_assert_eq!(animation.tracks.len(), clip.tracks().len());
        let sampler = ClipSampler::new(&animation);
        let mut pose = sampler.pose();
        for time in times {
            sampler.sample_into(time, &mut pose);
            let mut own = Pose::new(clip.nodes().len());
            clip.sample(time, &mut clip.context(), &mut own);
            for (index, track) in clip.tracks().iter().enumerate() {
                let later = &clip.tracks()[index + 1..];
                let is_last = later.iter().all(|other| {
                    other.node() != track.node() || other.property() != track.property()
                });
                if let (Some(slot), true) = (sampler.slot::<Quat<f32>>(index), is_last) {
                    let own = Quat::from_array(own.rotations()[track.node()]);
                    let off = own.angle_to(pose.get(slot).unwrap());
                    prop_assert!(off < 1e-5, "{} at {}", off, time);
                }
            }
        }
        prop_assert_eq!(animation.rules.on_clock_of(Rules::LINEAR).slerp, Rules::LINEAR.slerp);
    }
}
