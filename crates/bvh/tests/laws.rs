//! The laws, on the fixtures and on generated files and documents.

#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test may end where it fails")]
#![expect(clippy::arithmetic_side_effects, reason = "the numbers of the cases are small")]

use inbetween_bvh::{Bvh, BvhFile, BvhJoint, BvhParts, Channel, MotionPart, Style};
use inbetween_core::{
    Animation, Axis, Bone, Document, EulerOrder, Format, Limits, Quat, Skeleton, Text, fix,
};
use inbetween_testing::{
    arbitrary_documents, cases, fixtures, laws, mutated, properties, rewriter,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

#[test]
fn the_laws_hold_on_all_fixtures() {
    laws::replay_fixtures(&Bvh::default(), &rewriter!(text BvhFile), |_| true);
}

#[test]
fn the_laws_hold_on_documents_of_other_formats() {
    laws::replay_documents(&Bvh::default());
}

#[test]
fn an_unchanged_file_is_written_byte_for_byte() {
    for fixture in fixtures::of("bvh") {
        let Ok(file) = BvhFile::parse(&fixture.bytes, &Limits::default()) else { continue };
        assert_eq!(file.value.to_text(Style::Source).as_bytes(), fixture.bytes);
    }
}

/// Numbers that text holds.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![select(vec![0.0, -0.0, 1.0, 90.0, -180.0, 1e-9, 1e20, f64::NAN]), -400.0..400.0]
}

fn channel() -> impl Strategy<Value = Channel> {
    let axis = || select(Axis::ALL.to_vec());
    prop_oneof![axis().prop_map(Channel::Position), axis().prop_map(Channel::Rotation)]
}

/// A joint with the number of steps from it to its parent, and its tips.
fn joint() -> impl Strategy<Value = (BvhJoint, usize)> {
    let numbers = || [number(), number(), number()];
    ("[a-c ]{0,3}", numbers(), vec(channel(), 0..7), vec(numbers(), 0..2), 0_usize..4).prop_map(
        |(name, offset, channels, tips, up)| {
            let name = Text::from(name.trim());
            (BvhJoint { name, parent: None, offset, channels, tips }, up)
        },
    )
}

/// Parts with any value that the format can store in each field.
fn parts() -> impl Strategy<Value = BvhParts> {
    let motion = (0_u64..4, number(), vec(number(), 200));
    (vec(joint(), 0..6), proptest::option::of(motion)).prop_map(|(joints, motion)| {
        let mut list: Vec<BvhJoint> = Vec::new();
        for (mut joint, up) in joints {
            // An ancestor of the last joint, which is what may follow it.
            let mut parent = list.len().checked_sub(1);
            for _ in 0..up {
                parent = parent.and_then(|parent| list[parent].parent);
            }
            joint.parent = parent;
            list.push(joint);
        }
        let width: usize = list.iter().map(|joint| joint.channels.len()).sum();
        let motion = motion.map(|(frames, frame_time, numbers)| MotionPart {
            frames,
            frame_time,
            numbers: numbers.into_iter().take(width * usize::try_from(frames).unwrap()).collect(),
        });
        BvhParts { joints: list, motion }
    })
}

/// Documents with a skeleton, whose bones have the names of their nodes.
fn with_skeletons() -> impl Strategy<Value = Document> {
    let rotation = prop_oneof![
        Just(None),
        vec(-1.0_f64..1.0, 4).prop_map(|q| {
            Some(Quat { x: q[0], y: q[1], z: q[2], w: q[3] }).filter(|q| q.has_direction())
        })
    ];
    let bone = (rotation, proptest::option::of([-9.0_f64..9.0, -9.0..9.0, -9.0..9.0]));
    (arbitrary_documents(), vec(bone, 12), any::<bool>()).prop_map(|(document, rests, turned)| {
        let mut nodes: Vec<Text> = vec!["top".into()];
        for track in document.clips.iter().flat_map(|clip: &Animation| &clip.tracks) {
            let node = track.target().node.clone();
            nodes.extend(node.filter(|node| !nodes.contains(node)));
        }
        nodes.truncate(rests.len());
        let bones = nodes.iter().zip(&rests).enumerate().map(|(index, (node, rest))| Bone {
            node: node.clone(),
            parent: (index > 0).then(|| nodes[index / 2].clone()),
            translation: rest.1,
            rotation: rest.0.filter(|_| turned),
            ..Bone::default()
        });
        let skeleton = Skeleton::new(bones.collect()).unwrap();
        document.with_skeleton(skeleton)
    })
}

proptest! {
    #![proptest_config(properties::cases(256))]

    #[test]
    fn parts_survive_a_round_trip(parts in parts()) {
        let file = BvhFile::from_parts(parts.clone()).unwrap();
        let text = file.to_text(Style::Plain);
        prop_assert_eq!(&text, &file.to_text(Style::Source));
        let again = BvhFile::parse(text.as_bytes(), &Limits::default()).unwrap().value;
        prop_assert_eq!(format!("{:?}", again.into_parts()), format!("{parts:?}"));
    }

    #[test]
    fn the_laws_hold_on_generated_files(parts in parts()) {
        let text = parts.to_text().unwrap();
        laws::all(&Bvh::default(), &rewriter!(text BvhFile), text.as_bytes());
    }

    #[test]
    fn the_laws_hold_on_generated_documents(document in arbitrary_documents()) {
        laws::document_round_trip(&Bvh::default(), &document);
    }

    #[test]
    fn the_laws_hold_on_documents_with_skeletons(document in with_skeletons()) {
        laws::document_round_trip(&Bvh::default(), &document);
        laws::document_round_trip(&Bvh::default().order(EulerOrder::XYZ), &document);
    }

    #[test]
    fn the_laws_hold_on_changed_fixtures(bytes in mutated("bvh")) {
        laws::all(&Bvh::default(), &rewriter!(text BvhFile), &bytes);
    }

    #[test]
    fn the_laws_hold_on_any_bytes(bytes in vec(any::<u8>(), 0..200)) {
        laws::all(&Bvh::default(), &rewriter!(text BvhFile), &bytes);
    }
}

#[test]
fn writing_needs_a_skeleton_with_parents() {
    let document = Document::single(Animation::default());
    let error = Bvh::default().write(document, &Limits::default()).unwrap_err();
    let expected = "bvh: a skeleton with parents is needed; add its file";
    assert_eq!(error.to_string(), expected);
    assert_eq!(error.remedy(), Some(inbetween_core::Remedy::Option("skeleton")));
}

#[test]
fn rejects_parts_that_contradict_each_other() {
    let joint = |parent| BvhJoint { name: "a".into(), parent, ..BvhJoint::default() };
    let refused = |parts| BvhFile::from_parts(parts).unwrap_err().to_string();
    let error = refused(BvhParts { joints: vec![joint(Some(3))], motion: None });
    assert_eq!(error, "bvh: joints[0]: the joint does not follow its parent");
    let named = BvhJoint { name: "a{".into(), ..BvhJoint::default() };
    let error = refused(BvhParts { joints: vec![named], motion: None });
    assert!(error.starts_with("bvh: joints[0]: the name a{"), "{error}");
    let motion = MotionPart { frames: 1, frame_time: 1.0, numbers: vec![1.0] };
    let error = refused(BvhParts { joints: vec![joint(None)], motion: Some(motion) });
    assert_eq!(error, "bvh: 1 numbers for 1 rows of 0 channels");
}

#[test]
fn fixes_state_the_numbers_of_the_file_and_leave_nothing_to_fix() {
    let (format, limits) = (Bvh::default(), Limits::default());
    for (name, fixed) in [
        ("frames-fewer-than-rows", "Frames: 3\n"),
        ("frames-more-than-rows", "Frames: 3\n"),
        ("last-row-cut", "Frames: 2\n"),
        ("channel-count-low", "CHANNELS 3 Z"),
        ("byte-order-mark", "HIERARCHY\n"),
    ] {
        let case = cases::of("bvh").into_iter().find(|case| case.name == name).unwrap();
        let findings = format.check(&case.bytes, &limits).unwrap();
        let bytes = fix::apply(&case.bytes, &findings).bytes;
        assert!(std::str::from_utf8(&bytes).unwrap().contains(fixed), "{name}");
        let left = format.check(&bytes, &limits).unwrap();
        assert!(left.iter().all(|finding| finding.fix.is_none()), "{name}: {left:?}");
    }
}
