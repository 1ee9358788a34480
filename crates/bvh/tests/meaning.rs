//! What the numbers of a file mean, and that every pose looks the same after writing.

#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may end where it fails"
)]

use inbetween_bvh::Bvh;
use inbetween_core::{
    Animation, Bone, Document, EulerOrder, Format, Interpolation, Interpolations, Limits, Property,
    Quat, Skeleton, Target, Track, TrackData, Values, num,
};
use inbetween_testing::{cases, properties};
use proptest::collection::vec;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Document {
    Bvh::default().read(bytes, &Limits::default()).unwrap().value
}

fn case(name: &str) -> Document {
    let case = cases::of("bvh").into_iter().find(|case| case.name == name).unwrap();
    read(&case.bytes)
}

/// Returns the local rotation and position of a bone at a key, from its tracks or the rest pose.
fn local(document: &Document, bone: &Bone, key: usize) -> (Quat<f64>, [f64; 3]) {
    let mut rotation = bone.rotation.map_or(Quat::IDENTITY, Quat::normalized);
    let mut position = bone.translation.unwrap_or_default();
    for track in document.clips[0].tracks_of(&bone.node) {
        match (&track.target().property, track.data().values()) {
            (Property::Translation, Values::Float3(values)) => {
                position = values[key].map(f64::from);
            }
            (Property::RotationEuler(order), Values::Float3(values)) => {
                rotation = order.quaternion(values[key].map(f64::from));
            }
            (Property::Rotation, Values::FloatQ(values)) => {
                rotation = Quat::<f64>::from(values[key]).normalized();
            }
            (property, values) => panic!("{property:?} {values:?}"),
        }
    }
    (rotation, position)
}

/// Returns the positions of all bones in the world, by name.
fn world(document: &Document, key: usize) -> Vec<(String, [f64; 3])> {
    let skeleton = document.skeleton.as_ref().unwrap();
    let mut list: Vec<(String, [f64; 3])> = Vec::new();
    for bone in skeleton.bones() {
        let (_, mut position) = local(document, bone, key);
        let mut parent = bone.parent.clone();
        while let Some(name) = &parent {
            let above = skeleton.bone(name).unwrap();
            let (rotation, offset) = local(document, above, key);
            let turned = rotation.rotate(position);
            position = [0, 1, 2].map(|axis| turned[axis] + offset[axis]);
            parent = above.parent.clone();
        }
        list.push((bone.node.to_string(), position));
    }
    list.sort_by(|one, other| one.0.cmp(&other.0));
    list
}

#[test]
fn channels_are_factors_from_left_to_right() {
    // Z 90, X 90, Y 0 is the quaternion (0.5, 0.5, 0.5, 0.5), which turns y to z.
    let walk = case("walk");
    let hips = walk.skeleton.as_ref().unwrap().bone("hips").unwrap();
    let (rotation, position) = local(&walk, hips, 1);
    for part in rotation.to_array() {
        assert!((part - 0.5).abs() < 1e-7, "{rotation:?}");
    }
    let [x, y, z] = rotation.rotate([0.0, 1.0, 0.0]);
    assert!(x.abs() < 1e-7 && y.abs() < 1e-7 && (z - 1.0).abs() < 1e-7);
    // The position replaces the offset, and that of the child is turned with its parent.
    assert_eq!(position, [0.0, 91.0, 1.0]);
    let [_, (_, spine)] = world(&walk, 1).try_into().unwrap();
    assert!((spine[1] - 91.0).abs() < 1e-5 && (spine[2] - 11.0).abs() < 1e-5, "{spine:?}");
}

#[test]
fn an_axis_that_is_named_twice_is_a_factor_twice() {
    // Z 90, X 90, Z 0.
    let odd = case("axis-twice");
    let (rotation, _) = local(&odd, &odd.skeleton.as_ref().unwrap().bones()[0], 0);
    assert!(rotation.angle_to(Quat { x: 0.5, y: 0.5, z: 0.5, w: 0.5 }) < 1e-6);
}

/// A chain or tree of bones with rest rotations, and a clip of two frames.
fn rigs() -> impl Strategy<Value = Document> {
    let quaternion = || {
        vec(-1.0_f64..1.0, 4).prop_filter_map("no direction", |q| {
            let q = Quat { x: q[0], y: q[1], z: q[2], w: q[3] };
            (q.length() > 0.1).then(|| q.normalized())
        })
    };
    let vector = || [-5.0_f64..5.0, -5.0..5.0, -5.0..5.0];
    let bone = (quaternion(), vector(), [quaternion(), quaternion()], [vector(), vector()]);
    let moves = (any::<bool>(), any::<bool>(), 0_usize..3);
    vec((bone, moves), 2..7).prop_map(|list| {
        let (mut bones, mut tracks) = (Vec::new(), Vec::new());
        for (index, ((rest, offset, turns, positions), (has_turns, has_moves, up))) in
            list.into_iter().enumerate()
        {
            let node = format!("bone{index}");
            let parent =
                index.checked_sub(1).map(|last| format!("bone{}", last.saturating_sub(up)));
            let linear = || Interpolations::Shared(Interpolation::Linear);
            let mut add = |property, values: Values| {
                let data = TrackData::curve(vec![0.0, 1.0 / 30.0], values, linear(), None).unwrap();
                tracks.push(Track::new(Target::new(node.clone(), property), data).unwrap());
            };
            let narrow = |q: Quat<f64>| Quat::from_array(q.to_array().map(num::f32_from_f64));
            if has_turns {
                add(Property::Rotation, turns.map(narrow).to_vec().into());
            }
            if has_moves {
                let values = positions.map(|value| value.map(num::f32_from_f64)).to_vec();
                add(Property::Translation, values.into());
            }
            bones.push(Bone {
                node: node.into(),
                parent: parent.map(Into::into),
                translation: Some(offset),
                rotation: Some(rest),
                ..Bone::default()
            });
        }
        let clip = Animation::new(tracks).with_frame_rate(30.0).with_duration(1.0 / 30.0);
        Document::single(clip).with_skeleton(Skeleton::new(bones).unwrap())
    })
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn poses_look_the_same_without_rest_rotations(document in rigs()) {
        for format in [Bvh::default(), Bvh::default().order(EulerOrder::XYZ)] {
            let written = format.write(document.clone(), &Limits::default()).unwrap();
            let again = read(&written.value);
            for bone in again.skeleton.as_ref().unwrap().bones() {
                prop_assert_eq!(bone.rotation, Some(Quat::IDENTITY));
            }
            for key in 0..2 {
                for (one, other) in world(&document, key).into_iter().zip(world(&again, key)) {
                    prop_assert_eq!(&one.0, &other.0);
                    for (one, other) in one.1.into_iter().zip(other.1) {
                        prop_assert!((one - other).abs() < 1e-4, "{one} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn angles_of_neighbors_differ_by_less_than_half_a_turn(document in rigs()) {
        let written = Bvh::default().write(document, &Limits::default()).unwrap();
        for track in &read(&written.value).clips[0].tracks {
            let Values::Float3(values) = track.data().values() else { panic!("angles are vectors") };
            if let (Property::RotationEuler(_), [one, other]) = (&track.target().property, &**values) {
                for (one, other) in one.iter().zip(other) {
                    prop_assert!((one - other).abs() <= std::f32::consts::PI + 1e-5);
                }
            }
        }
    }
}
